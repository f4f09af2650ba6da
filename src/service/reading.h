// How the rows of a log are read by a program that has no model: as JSON, the options that the model's data were read with.
//
// Thread-safety: pure functions.
#pragma once

#include <string>

#include "halfspace/stream/schema.h"

namespace halfspace::service {

// Returns an object whose members stream/source/log.cc takes for options that are not given.
std::string reading_of(const Schema& schema);

}  // namespace halfspace::service
