// Parses runs of plain decimals to doubles, eight at a time, from the positions that separators.h finds.
//
// A plain decimal is [-] digits [. digits] with a digit, of at most 16 bytes: it is rounded once, and so correctly
// (number.h). What is not plain is flagged, not parsed: it may still be a number for parse_number. Which numbers are
// flagged depends on the machine; parsed values never do.
//
// Thread-safety: pure functions. Cost O(count). Writes up to `decimals_slack` extra values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace halfspace::stream {

inline constexpr std::size_t decimals_slack = 8;

// `text` should extend beyond the last separator: otherwise the last numbers may be left to parse_number.

// Parses numbers: number i is the text between separators at[i - 1] and at[i]. Bit i % 8 of rest[i / 8] is set if it is
// not plain. Returns whether all are.
bool read_decimals(std::string_view text, const std::uint32_t* at, std::size_t count, double* value,
                   std::uint8_t* rest);

// Parses separate numbers: number i is the text between between[2i] and between[2i + 1]. Reads the bounds up to the
// next multiple of 8, too; they must lie in the text.
bool read_decimals_between(std::string_view text, const std::uint32_t* between, std::size_t count, double* value,
                           std::uint8_t* rest);

// Features `index:value` of one row: index i lies between at[2i] and the colon at[2i + 1], its value ends at at[2i +
// 2]. index[i] is the written index minus `base`.
struct FeaturesRead {
  bool indices = false;  // all plain: 1 to 8 digits, ascending, and none below `base`; else the rest is undefined
  bool values = false;   // all plain; else see `rest`
  bool padded = false;   // an index of several digits begins with 0
};
FeaturesRead read_features(std::string_view text, const std::uint32_t* at, std::size_t count, std::uint32_t base,
                           std::uint32_t* index, double* value, std::uint8_t* rest);

}  // namespace halfspace::stream
