// Aligns cells, and cuts texts.
#include "base/text_table.h"

#include <algorithm>

#include "base/printable.h"

namespace halfspace {
namespace {

// Returns the columns that a UTF-8 text takes: its code points. Sufficient for what this program prints.
std::size_t shown_columns(std::string_view text) {
  std::size_t count = 0;
  bool escape = false;
  for (const char c : text) {
    if (c == '\x1b') escape = true;
    if (!escape && (static_cast<unsigned char>(c) & 0xc0) != 0x80) ++count;
    if (escape && c == 'm') escape = false;
  }
  return count;
}

}  // namespace

std::string shortened(std::string_view text, std::size_t width) {
  std::string shown = printable(text);
  if (shown_columns(shown) <= width) return shown;
  const auto begins = [&](std::size_t at) { return (static_cast<unsigned char>(shown[at]) & 0xc0) != 0x80; };
  const std::size_t half = (width - 1) / 2;
  std::size_t left = 0, right = shown.size();
  for (std::size_t kept = 0; kept < half; ++kept) {
    while (!begins(++left)) {
    }
    while (!begins(--right)) {
    }
  }
  return shown.substr(0, left) + "…" + shown.substr(right);
}

std::string TextTable::text(std::size_t indent) const {
  std::vector<std::size_t> width(left_.size(), 0);
  for (const auto& row : rows_) {
    for (std::size_t c = 0; c < row.size(); ++c) width[c] = std::max(width[c], shown_columns(row[c]));
  }
  std::string result;
  for (const auto& row : rows_) {
    std::string line(indent, ' ');
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (c > 0) line += "  ";
      const std::string padding(width[c] - shown_columns(row[c]), ' ');
      line += left_[c] ? row[c] + padding : padding + row[c];
    }
    line.erase(line.find_last_not_of(' ') + 1);
    result += line + "\n";
  }
  return result;
}

}  // namespace halfspace
