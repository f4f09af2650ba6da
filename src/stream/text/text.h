// Small things about text that the formats share. Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace halfspace::stream {

// Returns 'text' for a message: cut when long, bytes that would disturb a terminal shown as dots.
std::string quoted(std::string_view text);

// Returns line `number` (from 0) of a text, without its line end; empty when there is none.
std::string_view line_at(std::string_view text, std::uint64_t number);

}  // namespace halfspace::stream
