// Recognises text that no format reads as it is: lines that all have the same slip.
//
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace halfspace::stream {

struct Slip {
  std::string what, fix;   // the command that repairs the lines
  std::uint64_t line = 1;  // of the first
  std::string text;        // of that line
};

// Returns the slip that most of the first lines have; nothing if their words are no name:value.
std::optional<Slip> find_slip(std::string_view text);

// Returns whether most of the first lines are label:weight index:value ...: the indices ascend only behind the first.
std::optional<Slip> find_weighted_labels(std::string_view text);

}  // namespace halfspace::stream
