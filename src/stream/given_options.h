// Which options of reading are given, and refusals of those that a format does not take.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "halfspace/stream/reader.h"

namespace halfspace::stream {

// What an option is about; several are added up.
inline constexpr unsigned about_header = 1;         // whether there is one
inline constexpr unsigned about_marks = 2;          // how lines are cut into values
inline constexpr unsigned about_missing = 4;        // texts that stand for no value
inline constexpr unsigned about_columns = 8;        // what columns are for
inline constexpr unsigned about_names = 16;         // the column that names the rows
inline constexpr unsigned about_keeping = 32;       // texts that are kept beside the rows
inline constexpr unsigned about_dates = 64;         // features of the parts of dates,
inline constexpr unsigned about_products = 128;     // of two columns at once,
inline constexpr unsigned about_texts = 256;        // of the words in columns
inline constexpr unsigned about_indices = 512;      // how features are counted
inline constexpr unsigned about_one_format = 1024;  // what it has alone: ReadOptions::of_format
inline constexpr unsigned about_everything = ~0U;

// Returns the names of the options about these things that are given.
std::vector<std::string_view> given_options(const ReadOptions& options, unsigned about);

// Returns "leave out --drop and --label": how to go on without them.
std::string leave_out(const std::vector<std::string_view>& names);

struct FormatEntry;

// Refuses options that have no meaning in the format: they are not passed over in silence. Throws Error(usage).
void refuse_options(const ReadOptions& options, const FormatEntry& found);

}  // namespace halfspace::stream
