// One row, explained: its label, the reasons for it, and what would change it.
//
//   ExplainSettings settings;
//   settings.data.paths = {"new.csv"};
//   settings.row = "A0007";
//   settings.fixed = {"age"};
//   const Explanation why = explain(model, settings, read_options(settings.data));
//
// Thread-safety: pure functions.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "halfspace/reasons/changes.h"
#include "halfspace/reasons/reasons.h"
#include "halfspace/stream/read_options.h"
#include "halfspace/train/settings.h"

namespace halfspace {

// A row of a file, read for a model.
struct FoundRow {
  BlockBuffer buffer;
  Block block;               // of this row alone, in the buffer
  std::uint64_t number = 0;  // from 1
  std::string name;          // in the column that names rows; empty without one
};
// Names the rows by the column that named those of the model, if every file has it and none is a pipe, which cannot be read
// twice.
void name_rows(const Model& model, ReadOptions& read);
// Finds a row by its text in the column that names rows (that of the options, else of the model) or, where none has it, by
// its number from 1. Reads the file up to it. Throws Error(data) if there is no such row, and as Reader does.
FoundRow find_row(const Model& model, ReadOptions read, const std::string& row);

// Returns the reference that a text names: "means" of the training rows, "zero", or a row as FILE:ROW, which is read by
// these options. Throws Error(usage), and as find_row does.
Reference reference_named(const Model& model, const std::string& text, ReadOptions read);

// What to write of a column as a reason, as lenders do: "R12", "Income too low for the amount".
struct ReasonCode {
  std::string column, code, text;
  std::string label{};  // rows with this label have the reason; empty: all
};
// Reads codes, limits or costs from tables with a header: column,code,text and perhaps label; column,least,most, where an
// empty cell is no limit; column,cost. `interrupt`, if set, ends the reading. Throw Error.
std::vector<ReasonCode> read_codes(const std::string& path, const std::atomic<bool>* interrupt = nullptr);
std::vector<ChangeOptions::Limits> read_limits(const std::string& path, const std::atomic<bool>* interrupt = nullptr);
std::vector<std::pair<std::string, double>> read_costs(const std::string& path,
                                                       const std::atomic<bool>* interrupt = nullptr);

struct ExplainOptions {
  Reference reference;
  ChangeOptions changes;
  std::vector<ReasonCode> codes;
};

struct ExplainedColumn {
  std::string name;
  std::string value;  // of the row, in words: a number, or a category; empty: a product, a text, or none
  bool missing = false, unknown = false;  // it has no value; a category that the model does not know
  double contribution = 0;
  std::optional<ColumnRange> range;
};

// The labelled rows whose scores are nearest to a row's, without the row itself: of two classes by the score; of several,
// among the rows with the same prediction, by its lead over the next class. As many as were asked for, and all that are
// as far away as the last of them: the order of the rows changes nothing.
struct NearestRows {
  std::uint64_t rows = 0, otherwise = 0;  // otherwise: with another label than the row is given
  double within = 0;                      // the largest difference of scores
  bool learned_from = false;              // the model was trained on these data: expect more of new rows
};

struct Explanation {
  std::uint64_t row = 0;
  std::string row_name;
  std::string label, other;  // other: multiclass, the one whose score is next
  std::string positive;      // of two classes: that of a score above `threshold`; empty for several
  double score = 0, reference_score = 0, threshold = 0;
  bool at_threshold = true;            // a score of `threshold` is positive
  std::string reference;               // what it is
  std::optional<NearestRows> nearest;  // none without labels
  std::vector<double> probabilities;   // of each class; empty without calibration
  std::vector<std::string> classes;
  std::vector<ExplainedColumn> columns;  // those that contribute: for the label first, the largest first; then against
  std::size_t for_label = 0;             // so many of them speak for the label
  // The codes of the columns that speak for the label, each once, at most four; none where no code is for the label.
  std::vector<ReasonCode> reasons;
  std::optional<Radius> radius;
  std::optional<CheapestChange> change;  // none: why_no_change
  std::string why_no_change;
  std::vector<std::string> change_columns;  // the names of its columns
  std::string label_after;
};

// Throws Error as Reasons and RowChanges do; for a model that changes rows as a whole there are reasons alone.
Explanation explain(const Model& model, const FoundRow& row, const ExplainOptions& options);

// The same by name, for every interface.
struct ExplainSettings {
  DataSettings data;
  std::string row;                // as find_row takes it
  std::string against = "means";  // as reference_named takes it
  std::vector<std::string> fixed;
  std::string limits, costs, codes;  // paths of tables; empty: none
  std::uint64_t nearest = 100;       // rows to count the labels of; 0: none, and the data are read up to the row
};
// Returns the options that set them, without those of the data; and all.
std::vector<Option> explain_options(ExplainSettings& settings);
std::vector<Option> options_of(ExplainSettings& settings);
// Returns the option for `against`, which others have, too.
Option against_option(std::string& against);
// Finds the row by the reading options, which begin with those of the settings, and explains it.
Explanation explain(const Model& model, const ExplainSettings& settings, const ReadOptions& read);

}  // namespace halfspace
