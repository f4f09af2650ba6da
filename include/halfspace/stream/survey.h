// Checks the first rows for likely mistakes: columns of the wrong kind, a label that is no class, rows sorted by class.
// Each note names the option that answers it.
//
//   Survey survey({.rows = 10'000});
//   reader.read([&](const Block& block) { survey.add(block); return true; });
//   for (const SurveyNote& note : survey.notes(reader.schema(), options)) ...
//
// One pass over rows in file order. Memory grows with the features and classes, not with the rows (a sample of the
// whole numbers of up to 64 features is kept, at most 32 kB, drawn by hash so that a number's frequency is kept). The
// result does not depend on block boundaries.
// Thread-safety: use a Survey from one thread.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "halfspace/kernels/example.h"
#include "halfspace/stream/reader.h"
#include "halfspace/stream/schema.h"

namespace halfspace {

// Statistics of one feature's stored values.
struct SurveyedFeature {
  std::uint64_t values = 0, nonzeros = 0, first_row = 0;
  double least = std::numeric_limits<double>::infinity(), most = -std::numeric_limits<double>::infinity();
  double last = 0;
  bool counts_up = true;          // by 1 from value to value
  bool ascends = true;            // each exceeds the one before
  bool dates = true;              // each is a day written as yyyymmdd
  bool whole = true;              // each is a whole number
  std::uint64_t thousandths = 0;  // values below 1000 whose third decimal is the last
  std::int32_t sampled = -1;      // index of the sample of its values; -1: none
  // The first value written in nines alone, such as 99 or -999, its rows, and the range of all others.
  double nines = 0;
  std::uint64_t rows_of_nines = 0;
  double least_other = std::numeric_limits<double>::infinity(), most_other = -std::numeric_limits<double>::infinity();
  // The first negative value, its rows, and whether another value is negative.
  double negative = 0;
  std::uint64_t rows_of_negative = 0;
  bool other_negatives = false;
  std::uint8_t distinct = 0;  // values, up to 4
  std::array<double, 3> first_distinct{};
};

struct SurveyNote : ReadNote {
  // `label_by_name`: the label's column, although another is the last.
  enum class About : std::uint8_t {
    label,
    class_name,
    label_column,
    label_by_name,
    order,
    column,
    missing,
    constant,
    scales
  };
  About about = About::column;
};

// Returns the note on rows rejected for a quote, if there are any: quotes may be plain text.
std::optional<ReadNote> note_on_quotes(const ReadReport& report);

// How many rows a survey covers: the values of whole rows from the first on; the labels of all rows.
struct SurveyLimits {
  std::uint64_t rows = ~std::uint64_t{0};
  std::uint64_t values = ~std::uint64_t{0};  // the row that reaches this many is the last
  std::uint32_t features = ~std::uint32_t{0};
};

class Survey {
 public:
  explicit Survey(const SurveyLimits& limits) : limits_(limits) {}

  void add(const Block& block);

  // Returns the statistics of a feature; default values for one that did not occur.
  SurveyedFeature feature(std::uint32_t number) const;
  // Returns whether its values are whole numbers with hardly any duplicates; false for fewer than 20.
  bool hardly_repeats(std::uint32_t number) const;
  double largest_squared_norm() const noexcept { return largest_squared_norm_; }
  std::uint64_t empty_rows() const noexcept { return empty_rows_; }
  std::uint64_t rows() const noexcept { return rows_; }
  // Returns whether rows change class at most an eighth as often as in random order.
  bool sorted_by_class() const;
  // Returns whether all rows are of one class.
  bool of_one_class() const noexcept { return runs_ == 1; }
  // Returns whether rows have different weights, of their own or of their classes.
  bool weights_differ() const noexcept { return weights_differ_; }

  // Returns the notes, grave ones first. `options`: how the rows were read.
  std::vector<SurveyNote> notes(const Schema& schema, const ReadOptions& options) const;

 private:
  SurveyLimits limits_;
  std::uint64_t rows_ = 0, surveyed_ = 0, empty_rows_ = 0, values_ = 0;
  bool looked_enough_ = false;
  double largest_squared_norm_ = 0;
  std::vector<SurveyedFeature> features_;
  struct Class {
    std::uint64_t rows = 0, first_row = 0;
  };
  std::vector<Class> classes_;
  // The values whose hash ends in a number of zero bits, with duplicates.
  struct Sample {
    std::vector<double> values;
    std::uint32_t zeros = 0;
    bool repeats = false;  // has duplicates, and keeps no sample
  };
  void sample(SurveyedFeature& feature, double value, bool first);
  void thin_out(Sample& sample);
  void give_up(Sample& sample);

  std::vector<Sample> samples_;
  std::size_t kept_samples_ = 0;  // of values without duplicates
  std::uint64_t last_row_ = 0;
  std::uint64_t runs_ = 0;  // runs of rows of one class
  std::int32_t last_label_ = -2;
  double last_weight_ = 1;
  bool weights_differ_ = false;

  friend class SurveyNotes;
};

}  // namespace halfspace
