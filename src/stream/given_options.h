// Which options of reading are given, for formats that do not take them all.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "halfspace/stream/reader.h"

namespace halfspace::stream {

// What an option is about; several are added up.
inline constexpr unsigned about_header = 1;    // whether there is one
inline constexpr unsigned about_marks = 2;     // how lines are cut into values
inline constexpr unsigned about_missing = 4;   // texts that stand for no value
inline constexpr unsigned about_columns = 8;   // what columns are for
inline constexpr unsigned about_keeping = 16;  // texts that are kept beside the rows
inline constexpr unsigned about_making = 32;   // features made of columns in other ways than the usual
inline constexpr unsigned about_texts = 64;    // of the words in columns

// Returns the names of the options about these things that are given.
std::vector<std::string_view> given_options(const ReadOptions& options, unsigned about);

// Returns "leave out --drop and --label": how to go on without them.
std::string leave_out(const std::vector<std::string_view>& names);

}  // namespace halfspace::stream
