// Checks everything that the drawing of the plane relies on, since a page may be made from any JSON.
//
// Thread-safety: a pure function.
#pragma once

#include "report/results/json.h"

namespace halfspace::report {

// Throws Error(data), naming the key, if this is not the `plane` of a run's JSON (docs/formats/json.md).
void check_plane(const Json& plane);

}  // namespace halfspace::report
