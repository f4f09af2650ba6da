// Writes a linear model as a C99 function.
#include "halfspace/model/export.h"

namespace halfspace {

std::string to_c(const Model&, const std::string&) { return ""; }

}  // namespace halfspace
