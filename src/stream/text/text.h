// Small things about text that the formats share. Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace halfspace::stream {

// What may stand before a text in UTF-8.
inline constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

// What to do about text in another encoding; most often it is that of Windows in Western Europe, or Latin-1.
inline constexpr const char* to_utf8 =
    "convert the file to UTF-8, as from Latin-1: iconv -f CP1252 -t UTF-8 FILE >NAME";

// Returns 'text' for a message: cut when long, bytes that would disturb a terminal shown as dots.
std::string quote(std::string_view text);

// Returns text as a field of CSV that is parted by commas: quoted where it would be read as something else.
std::string csv_field(std::string_view text);

// Returns line `number` (from 0) of a text, without its line end; empty when there is none.
std::string_view line_at(std::string_view text, std::uint64_t number);

}  // namespace halfspace::stream
