// Predictions as a table: one line a row, as CSV with a header or as JSON Lines, with the requested columns.
//
// Thread-safety: const functions.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "halfspace/stream/reader.h"

namespace halfspace::cli {

struct PredictionColumns {
  bool json = false;              // else CSV
  std::vector<std::string> kept;  // names of the columns kept; none: the row's number
  std::vector<std::string> class_names;
  bool several = false;  // a score and a probability for each class, else for the positive one
  bool scores = false, probabilities = false;
  bool sets = false;        // JSON: a list of names; CSV: 1 or 0 for each class
  std::size_t reasons = 0;  // so many contributions a row. JSON: a list of objects; CSV: a name and a number for each
  bool reason = false;
  bool files = false;  // several files: reasons name the file
};

struct NamedContribution {
  std::string_view column;
  double value;
};

struct PredictedRow {
  const RowText& text;
  std::string_view label;                         // of a good row
  std::span<const double> scores, probabilities;  // one for each column
  std::span<const std::uint8_t> set;              // one for each class
  std::span<const NamedContribution> reasons;
};

class PredictionTable {
 public:
  // Throws Error(usage) if a kept column has the name of another column.
  explicit PredictionTable(PredictionColumns columns);

  // Appends the header; JSON Lines have none.
  void add_header(std::string& text) const;
  // Appends a row's line. A bad row has only its kept columns and its reason; the rest is empty (JSON: null).
  void add(std::string& text, const PredictedRow& row) const;

 private:
  void add_text(std::string& text, std::string_view value) const;
  void add_nothing(std::string& text) const;
  void add_reasons(std::string& text, std::span<const NamedContribution> reasons) const;
  void add_set(std::string& text, std::span<const std::uint8_t> set) const;

  PredictionColumns columns_;
  std::vector<std::string> names_;  // of all columns
  std::vector<std::string> heads_;  // the text before each value of a line
};

}  // namespace halfspace::cli
