// Text in columns of a terminal: tables, and texts that are cut to a width.
//
// Thread-safety: value types, pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace halfspace {

// Returns printable() text, cut in the middle to at most `width` columns.
std::string shortened(std::string_view text, std::size_t width);

// A table: each column as wide as its widest cell; `left` columns are left-aligned, the others right-aligned. Cells may
// hold escape sequences, which take no room.
class TextTable {
 public:
  explicit TextTable(std::vector<bool> left) : left_(std::move(left)) {}
  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  std::string text(std::size_t indent = 2) const;

 private:
  std::vector<bool> left_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace halfspace
