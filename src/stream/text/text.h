// Helpers for text, shared by the formats. Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace halfspace::stream {

// The UTF-8 byte order mark.
inline constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

// How to take out those of files that were put together.
inline constexpr const char* without_byte_order_marks =
    "take out the byte order marks of files put together: sed 's/\\xef\\xbb\\xbf//g' FILE >NAME";

// How to convert text in another encoding; most often Windows Western Europe, or Latin-1.
inline constexpr const char* to_utf8 =
    "convert the file to UTF-8, as from Latin-1: iconv -f CP1252 -t UTF-8 FILE >NAME";

// Returns 'text' for a message: truncated if long, with bytes that would disturb a terminal shown as dots.
std::string quote(std::string_view text);

// Returns text as a field of comma-delimited CSV: quoted if it would be read as something else.
std::string csv_field(std::string_view text);

// Returns line `number` (from 0) of a text, without its line end; empty if there is none.
std::string_view line_at(std::string_view text, std::uint64_t number);

}  // namespace halfspace::stream
