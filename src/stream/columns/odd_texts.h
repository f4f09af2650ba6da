// Decides whether a column of numbers and texts is numeric, its texts being marks of missing values, or categorical.
//
// Thread-safety: value types.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "halfspace/stream/reader.h"
#include "halfspace/stream/schema.h"

namespace halfspace::stream {

// The cells of a column in the first rows that are neither numbers nor missing.
class OddTexts {
 public:
  void add(std::string_view text);
  bool any() const { return rows_ > 0; }
  std::uint64_t rows() const { return rows_; }
  // Returns the distinct texts; only the first if there are many.
  std::vector<std::string> texts() const;
  // Returns whether all these texts mean a missing value among so many other cells, all of them numbers: each is a word
  // such as NULL, or one that is repeated and has no digit or a limit such as <.05. There are five different numbers for
  // each text that is no such word, and more numbers than such texts, unless it is a single one.
  bool are_marks(std::uint64_t numbers, std::uint64_t distinct_numbers) const;

  bool contains(std::string_view text) const;

  static constexpr std::uint64_t numbers_for_each = 5;
  static constexpr std::uint64_t most_marks = 3;  // that are no known words
  static constexpr std::uint64_t enough_numbers = numbers_for_each * most_marks;

 private:
  static constexpr std::size_t most = 16;
  std::vector<std::pair<std::string, std::uint64_t>> seen_;  // a text and its rows
  std::uint64_t rows_ = 0;
  bool many_ = false;
};

// Adds marks that were found in numeric columns to the texts of the schema, and reports them. `found`: a column and its
// texts.
using FoundMarks = std::vector<std::pair<std::string, OddTexts>>;
void add_marks(const FoundMarks& found, std::uint64_t rows, const ReadOptions& options, Schema& schema);

// Finds columns of whole numbers with leading zeros, as codes have: 02139.
//
// Thread-safety: value type.
class LeadingZeros {
 public:
  explicit LeadingZeros(std::size_t columns) : columns_(columns) {}

  static constexpr std::uint64_t most_rows = 1000;  // that are looked at

  // Counts a value of a column, which is not missing.
  void add(std::size_t column, std::string_view text);
  // Reports the numeric columns whose numbers look like codes.
  void note(const ReadOptions& options, const Schema& schema) const;

 private:
  struct Codes {
    std::uint64_t rows = 0, padded = 0;
    std::size_t width = 0;  // of all; 0: they differ
    bool others = false, differ = false;
    std::string first{}, example{};
  };
  std::vector<Codes> columns_;
};

}  // namespace halfspace::stream
