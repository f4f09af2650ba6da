// A model: what was learned, what it means, and all that is needed to go on learning.
//
// Thread-safety: value types; predict with one Predictor a thread.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "halfspace/base/random.h"
#include "halfspace/game/game.h"
#include "halfspace/game/learner.h"
#include "halfspace/game/ledger.h"
#include "halfspace/rules/composition.h"
#include "halfspace/stream/schema.h"
#include "halfspace/train/calibration.h"

namespace halfspace {

// Where a run stands in its data, for going on.
struct Position {
  std::uint64_t rows = 0;  // data rows taken from all sources, held-out ones included: the next row's number less 1
  std::uint64_t unfinished = 0;  // rows taken from the present source when the run stopped before its end; 0: it ended
  std::string last_row;          // digest of the last of these rows, so that going on with other data is noticed
  std::string source;            // fingerprint of the data's text (XXH3-128), when it was read to its end
  Generator::State generator{};  // of the order's draws
  OrderState order;
  bool operator==(const Position&) const = default;
};

struct Provenance {
  std::string version;                    // of Halfspace
  std::vector<std::string> fingerprints;  // of every source that was read to its end, in order
  bool operator==(const Provenance&) const = default;
};

struct Model {
  Schema schema;
  Composition composition;
  double holdout = 0;  // share of the rows kept out of learning
  std::vector<std::pair<std::string, double>> class_weights;
  ClassWeightVector weights;  // handed out: what predicts; one class for a binary model
  LearnerState learner;       // what goes on learning
  Ledger ledger;
  Position position;
  Provenance provenance;
  Calibration calibration;
  bool operator==(const Model&) const = default;

  std::uint32_t classes() const noexcept { return static_cast<std::uint32_t>(schema.labels.names.size()); }
};

// Returns whether the mistakes of the model's run tell what to expect of new rows, as far as its settings say.
NewRows new_rows_by_settings(const Model& model);

// Returns whom a model of a rule that follows experts follows, the most likely first; of other rules nobody.
std::vector<FollowedMember> followed_by(const Model& model);

// Returns what a model of the kernel rule predicts with; without support vectors for any other.
KernelExpansion expansion_of(const Model& model);

// A model's answer about one row.
struct Prediction {
  std::int32_t class_number = 0;
  std::string_view label;  // of the class, in the data's own words; the Predictor's, as long as it lives
  double score = 0;        // as in Predictor::predict of a block
  // The probability, of a calibrated model, of each class (of two, the positive one last); else empty. The Predictor's,
  // until it predicts again.
  std::span<const double> probabilities;
};

// Predicts with a model, of which it keeps what it needs. Features beyond the model's count nothing. A vote costs a
// walk through all its vectors for each block: give it large ones. Throws Error(usage) for a model without weights, and
// predict() Error(data) when a vote's weights leave the finite doubles.
class Predictor {
 public:
  explicit Predictor(const Model& model);
  ~Predictor();
  Predictor(Predictor&&) noexcept;

  // Predicts for each row of the block its class, and its score: binary <w, x> (voted: the sum of votes), multiclass
  // the score of the predicted class (voted: its votes). A score of 0 predicts the positive class, or the negative one
  // where the model's tie rule says so; of several classes with the highest score the first, or the last one with that
  // tie rule.
  void predict(const Block& block, std::vector<std::int32_t>& classes, std::vector<double>& scores);

  // Does so with every score there is: one a row of two classes (that of the positive one), else one for each class.
  // Returns how many a row; scores[row * that + class].
  std::uint32_t score_all(const Block& block, std::vector<std::int32_t>& classes, std::vector<double>& scores);

  // Predicts one row, with the values that the data have: the model's scales are applied here. Sparse: distinct
  // features, numbered from 0 on as in schema.feature_names(), and their values, as a block would hold them; dense: a
  // value for each of the first features. Allocates nothing once it has met a row of that length. Throws Error(usage)
  // for indices without values, Error(data) for values that are not finite.
  Prediction predict(std::span<const std::uint32_t> index, std::span<const double> value);
  Prediction predict(std::span<const double> dense);

 private:
  struct Impl;
  struct Row;
  Prediction predict_row(const Block& block);
  std::unique_ptr<Impl> impl_;
  std::unique_ptr<Row> row_;
};

}  // namespace halfspace
