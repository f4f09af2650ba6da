// Tries the formats one after the other.
#include "stream/recognise.h"

#include <algorithm>
#include <vector>

#include "stream/format_entry.h"
#include "stream/text/first_lines.h"
#include "stream/text/text.h"

namespace halfspace::stream {
namespace {

const std::vector<const FormatEntry*>& formats_by_turn() {
  static const std::vector<const FormatEntry*> all = [] {
    std::vector<const FormatEntry*> entries;
    for (const FormatEntry& entry : all_formats()) {
      if (entry.recognise != nullptr) entries.push_back(&entry);
    }
    std::sort(entries.begin(), entries.end(),
              [](const FormatEntry* a, const FormatEntry* b) { return a->turn < b->turn; });
    return entries;
  }();
  return all;
}

}  // namespace

DataFormat recognise_text(std::string_view text) {
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  for (const FormatEntry* entry : formats_by_turn()) {
    if (entry->recognise(text)) return entry->id;
  }
  return DataFormat::automatic;
}

std::optional<std::string> recognise_other(std::string_view text, DataFormat expected, char delimiter) {
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  const FormatEntry &found = entry_of(recognise_text(text)), &wanted = entry_of(expected);
  std::string_view rest = text;
  if (found.id == expected) return std::nullopt;
  if (wanted.may_be != nullptr ? wanted.may_be(text, found, delimiter) : next_line_with_words(rest).empty())
    return std::nullopt;
  return found.looks_like != nullptr ? found.looks_like(text) : "looks like " + std::string(found.words);
}

const FileKind* recognise_file(std::string_view first_bytes) {
  for (const FormatEntry& entry : all_formats()) {
    for (const FileKind& kind : entry.files) {
      if (kind.recognise(first_bytes)) return &kind;
    }
  }
  return nullptr;
}

}  // namespace halfspace::stream
