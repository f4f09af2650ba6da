// The picture in the plane: the key `plane` of a run's JSON (docs/formats/json.md) as an HTML section.
//
// Drawn by the program, so that it is there without scripts: the rows with the boundary of the returned weights, the
// walk of the weights, and the first updates side by side. web/plane.js sets it in motion from the JSON that the
// section carries. All text of the data is escaped. The section's size is bounded by what was recorded
// (plane_record.h).
//
// Throws Error(data), naming the key, for a plane that lacks what it must have.
#pragma once

#include <string>

#include "report/json.h"

namespace halfspace::report {

std::string plane_section(const Json& plane);

}  // namespace halfspace::report
