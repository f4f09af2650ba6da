// What a look at the rows suggests: columns that are not what they were taken for, a label that is none, rows sorted by
// class. Each note names the option that answers it.
//
//   Survey survey({.rows = 10'000});
//   reader.read([&](const Block& block) { survey.add(block); return true; });
//   for (const SurveyNote& note : survey.notes(reader.schema(), options)) ...
//
// One pass over rows in file order; memory by the features and classes, not by the rows (of the whole numbers of up to 64
// features a sample is kept, of 32 kB at most, drawn by their hashes so that a number is in it as often as in the data).
// Nothing depends on where blocks end.
// Thread-safety: one thread uses a Survey.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "halfspace/kernels/example.h"
#include "halfspace/stream/reader.h"
#include "halfspace/stream/schema.h"

namespace halfspace {

// What was seen of one feature's stored values.
struct SurveyedFeature {
  std::uint64_t values = 0, nonzeros = 0, first_row = 0;
  double least = std::numeric_limits<double>::infinity(), most = -std::numeric_limits<double>::infinity();
  double last = 0;
  bool counts_up = true;      // by 1 from value to value
  bool ascends = true;        // each is above the one before
  bool dates = true;          // each is a day written as yyyymmdd
  bool whole = true;          // each is a whole number
  std::int32_t sampled = -1;  // where the survey keeps a sample of them; -1: nowhere
};

struct SurveyNote : ReadNote {
  enum class About : std::uint8_t { label, class_name, label_column, order, column, constant, scales };
  About about = About::column;
  bool grave = false;  // learning goes wrong where it is true; else: worth knowing
};

// Returns the note on rows that were set aside for a quote, if any were: quotes may be text as any other.
std::optional<ReadNote> note_on_quotes(const ReadReport& report);

// How much of the rows a survey looks at: the values of whole rows from the first on. It looks at the labels of all.
struct SurveyLimits {
  std::uint64_t rows = ~std::uint64_t{0};
  std::uint64_t values = ~std::uint64_t{0};  // the row that reaches so many is the last
  std::uint32_t features = ~std::uint32_t{0};
};

class Survey {
 public:
  explicit Survey(const SurveyLimits& limits) : limits_(limits) {}

  void add(const Block& block);

  // Returns what was seen of a feature; nothing of one that did not occur.
  SurveyedFeature feature(std::uint32_t number) const;
  // Tells whether its values are whole numbers of which hardly one comes twice; false of fewer than 20.
  bool hardly_repeats(std::uint32_t number) const;
  double largest_squared_norm() const noexcept { return largest_squared_norm_; }
  std::uint64_t empty_rows() const noexcept { return empty_rows_; }
  std::uint64_t rows() const noexcept { return rows_; }
  // Tells whether rows change class an eighth as often as they would in an order drawn at random, or less.
  bool sorted_by_class() const;
  // Tells whether all rows are of one class.
  bool of_one_class() const noexcept { return runs_ == 1; }

  // Returns the notes, grave ones first. The options are those that the rows were read with.
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
  // The values whose hash ends with so many zeros, with their repetitions.
  struct Sample {
    std::vector<double> values;
    std::uint32_t zeros = 0;
    bool repeats = false;  // then nothing is kept of them
  };
  void sample(SurveyedFeature& feature, double value, bool first);
  void thin_out(Sample& sample);
  void give_up(Sample& sample);

  std::vector<Sample> samples_;
  std::size_t kept_samples_ = 0;  // of values that do not repeat
  std::uint64_t runs_ = 0;        // of rows of one class
  std::int32_t last_label_ = -2;

  friend class SurveyNotes;
};

}  // namespace halfspace
