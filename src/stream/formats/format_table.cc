// Collects the entries of the formats, and answers queries about them.
#include "stream/formats/format_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "stream/formats/format_entry.h"

namespace halfspace {
namespace stream {
namespace {

const std::vector<FormatEntry>& table_of_formats() {
  static const std::vector<FormatEntry> all = [] {
    std::vector<FormatEntry> entries;
    formats::add_built_in(entries);
    std::sort(entries.begin(), entries.end(), [](const FormatEntry& a, const FormatEntry& b) { return a.id < b.id; });
    return entries;
  }();
  return all;
}

std::string joined(const std::vector<std::string_view>& words) {
  std::string list;
  for (std::size_t i = 0; i < words.size(); ++i)
    list += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + std::string(words[i]);
  return list;
}

template <class F>
std::string list_of(F&& is_listed) {
  std::vector<std::string_view> words;
  for (const FormatEntry& entry : all_formats()) {
    if (is_listed(entry) && !entry.listed.empty()) words.push_back(entry.listed);
  }
  return joined(words);
}

}  // namespace

std::uint8_t number_after_formats() {
  return static_cast<std::uint8_t>(static_cast<std::uint8_t>(all_formats().back().id) + 1);
}

std::span<const FormatEntry> all_formats() { return table_of_formats(); }

const FormatEntry* find_format(DataFormat format) {
  for (const FormatEntry& entry : all_formats()) {
    if (entry.id == format) return &entry;
  }
  return nullptr;
}

const FormatEntry& entry_of(DataFormat format) {
  static const FormatEntry any{.name = "auto",
                               .words = "any",
                               .title = "LIBSVM",
                               .listed = "",
                               .help = "detected from the content (default)",
                               .rows_are = "give data of that format",
                               .columns = ColumnsAre::columns};
  const FormatEntry* const found = find_format(format);
  return found == nullptr ? any : *found;
}

Likeness likeness_of_lines(std::size_t sure, std::size_t unsure, std::size_t lines, std::string_view what) {
  if (lines == 0) return {};
  return {(static_cast<double>(sure) + 0.5 * static_cast<double>(unsure)) / static_cast<double>(lines),
          fmt::format("{} of {} lines look like {}", sure + unsure, lines, what)};
}

const FormatEntry& format_that_takes(unsigned about) {
  for (const FormatEntry& entry : all_formats()) {
    if (entry.takes_all(about)) return entry;
  }
  return entry_of(DataFormat::automatic);
}

std::string format_words(DataFormat format) { return std::string(entry_of(format).words); }

std::string formats_that_take(unsigned about) {
  return list_of([&](const FormatEntry& entry) { return entry.takes_all(about); });
}

std::string formats_with_option(std::string_view name) {
  return list_of([&](const FormatEntry& entry) { return entry.has_option(name); });
}

std::string list_of_formats() {
  std::vector<std::string_view> words;
  for (const bool text : {true, false}) {
    for (const FormatEntry& entry : all_formats()) {
      if ((entry.make != nullptr) == text && !entry.listed.empty()) words.push_back(entry.listed);
    }
  }
  return joined(words);
}

}  // namespace stream

std::string_view name_of(DataFormat format) { return stream::entry_of(format).name; }

std::optional<DataFormat> format_named(std::string_view name) {
  for (const stream::FormatEntry& entry : stream::all_formats()) {
    if (entry.name == name) return entry.id;
  }
  return name == name_of(DataFormat::automatic) ? std::optional(DataFormat::automatic) : std::nullopt;
}

}  // namespace halfspace
