// Recognises documents of JSON that hold a table otherwise than as an object a line, and JSON with marks that it has
// not. Thread-safety: pure functions.
#pragma once

#include <optional>
#include <string_view>

#include "stream/slips.h"

namespace halfspace::stream {

// Returns what a text of JSON holds, if it is no JSON Lines, with the command that converts it. Pass whole lines.
std::optional<Slip> find_json_document(std::string_view text);

}  // namespace halfspace::stream
