// Draws the key `plane` of a run's JSON (docs/formats/json.md) as an HTML section.
//
// Works without scripts: the program draws the rows with the boundary of the returned weights, the path of the weights,
// and the first updates side by side. web/plane.js animates it from the JSON that the section carries. All text of the
// data is escaped. The section's size is bounded by what was recorded (plane_record.h).
//
// Throws Error(data), naming the key, if the plane lacks a required key.
#pragma once

#include <string>

#include "report/results/json.h"

namespace halfspace::report {

std::string plane_section(const Json& plane);

}  // namespace halfspace::report
