// Names of features that come from texts.
//
// Thread-safety: pure function.
#pragma once

#include <string>
#include <string_view>

#include "halfspace/stream/schema.h"

namespace halfspace::stream {

// Returns the name of the feature of a category, token or name in a column: `colour=red`, `note^good`, `user^alice`.
std::string category_name(const Schema& schema, const Column& column, std::string_view category);

}  // namespace halfspace::stream
