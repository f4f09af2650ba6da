// Predictions as a table: a line a row, as CSV with a header or as JSON Lines, with the columns that were asked for.
//
// Thread-safety: const functions.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "halfspace/stream/reader.h"

namespace halfspace::cli {

struct PredictionColumns {
  bool json = false;              // else CSV
  std::vector<std::string> kept;  // names of the columns kept; none: the row's number stands in for them
  std::vector<std::string> class_names;
  bool several = false;  // classes: a score and a probability each, else those of the positive one
  bool scores = false, probabilities = false, reason = false;
  bool files = false;  // several: reasons name theirs
};

struct PredictedRow {
  const RowText& text;
  std::string_view label;                         // of a good row
  std::span<const double> scores, probabilities;  // as many as there are columns
};

class PredictionTable {
 public:
  // Throws Error(usage) when a kept column has the name of another one.
  explicit PredictionTable(PredictionColumns columns);

  // Appends the line that names the columns; JSON Lines have none.
  void add_header(std::string& text) const;
  // Appends a row's line. A bad row has what was kept of it and its reason, and is empty elsewhere (JSON: null).
  void add(std::string& text, const PredictedRow& row) const;

 private:
  void add_name(std::string& text, std::size_t column) const;
  void add_text(std::string& text, std::string_view value) const;
  void add_nothing(std::string& text) const;

  PredictionColumns columns_;
  std::vector<std::string> names_;  // of all columns
  std::vector<std::string> heads_;  // what stands before each value of a line
};

}  // namespace halfspace::cli
