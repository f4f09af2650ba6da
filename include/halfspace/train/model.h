// A model: weights, schema, and all state that is needed to resume training.
//
// Thread-safety: value types; use one Predictor per thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "halfspace/base/random.h"
#include "halfspace/detail/train/feature_spread.h"
#include "halfspace/detail/train/prediction_sets.h"
#include "halfspace/game/game.h"
#include "halfspace/game/learner.h"
#include "halfspace/game/ledger.h"
#include "halfspace/rules/composition.h"
#include "halfspace/stream/schema.h"
#include "halfspace/train/calibration.h"

namespace halfspace {

// The position of a run in its data, for resuming.
struct Position {
  std::uint64_t rows = 0;        // data rows taken from all sources, held-out ones included: the next row's number - 1
  std::uint64_t unfinished = 0;  // rows taken from the current source; 0: it was read to its end
  std::string last_row;          // digest of the last of these rows, to detect other data on resume
  std::string source;            // fingerprint of the source's text (XXH3-128), if it was read to the end
  Generator::State generator{};  // of the draws of the order
  OrderState order;
  bool operator==(const Position&) const = default;
};

struct Provenance {
  std::string version;                    // of Halfspace
  std::vector<std::string> fingerprints;  // of every source read to the end, in order
  bool operator==(const Provenance&) const = default;
};

struct Model {
  Schema schema;
  Composition composition;
  double holdout = 0;  // held-out share of the rows
  std::vector<std::pair<std::string, double>> class_weights;
  ClassWeightVector weights;  // weights that predict; one class for a binary model
  LearnerState learner;       // state to resume training from
  Ledger ledger;
  Position position;
  Provenance provenance;
  Calibration calibration;
  // Of two classes: predicts the positive one at scores of at least this; empty: at 0, by the tie rule (threshold.h).
  std::optional<double> threshold;
  std::optional<ConformalScores> conformal;  // of the held-out rows, if requested: one list per class, at least two
  std::optional<FeatureSpread> spread;       // of the training rows, if requested and of so few features
  bool operator==(const Model&) const = default;

  std::uint32_t classes() const noexcept { return static_cast<std::uint32_t>(schema.labels.names.size()); }
};

// Returns whether the run's own mistakes yield bounds on the error on new rows, as far as the settings decide it.
NewRows new_rows_by_settings(const Model& model);

// Returns the experts of a rule that mixes experts, the most likely first; empty for other rules.
std::vector<MixtureMember> followed_by(const Model& model);

// Returns the function that a kernel rule's model predicts with; without support vectors for other rules.
KernelExpansion expansion_of(const Model& model);

// Returns the curves that turn the model's scores into probabilities: its calibration or, of a model without one that
// minimized the log loss, those by which scores are logarithms of odds; several one-against-rest scores are divided by
// their sum. Not fitted() for other models, nor for an interrupted run whose calibration is still to be fitted.
Calibration probability_curves(const Model& model);

// Returns the vectors whose products with a row are the scores that Predictor returns: the model's, but of two classes
// with a vector each the second's less the first's.
ClassWeightVector vectors_of_scores(const ClassWeightVector& weights);

// The prediction for one row.
struct Prediction {
  std::int32_t class_number = 0;
  std::string_view label;          // name of the class as in the data; valid while the Predictor lives
  double score = 0;                // as Predictor::predict of a block returns it
  std::span<const double> scores;  // all: one for two classes, else one per class. Valid as long as probabilities
  // The probability of each class (of two, the positive one last) by probability_curves(); empty without them. Valid
  // until the Predictor predicts again.
  std::span<const double> probabilities;
};

// Predicts with a copy of what it needs of a model. Ignores features the model does not know. A vote walks through all
// its vectors once for each block: prefer large blocks. Throws Error(usage) for a model without weights; predict()
// throws Error(data) if a vote's weights overflow.
class Predictor {
 public:
  explicit Predictor(const Model& model);
  ~Predictor();
  Predictor(Predictor&&) noexcept;

  // Predicts the class and the score of each row of the block. The score is <w, x> for binary models (for a vote the
  // sum of votes), else the score of the predicted class (its votes). A score of 0 predicts the positive class, or the
  // negative one if the model's tie rule says so; with a threshold, scores of at least it predict the positive class. Of
  // several classes with the highest score the first wins, or the last with that tie rule.
  void predict(const Block& block, std::vector<std::int32_t>& classes, std::vector<double>& scores);

  // Predicts and returns all scores: one a row of two classes (the positive class's), else one per class. Returns the
  // number of scores a row; scores[row * that + class].
  std::uint32_t score_all(const Block& block, std::vector<std::int32_t>& classes, std::vector<double>& scores);

  // Predicts one row, given its values as the data have them: applies the model's scales. Sparse: distinct features,
  // numbered from 0 as in schema.feature_names(), and their values. Dense: a value for each of the first features.
  // Allocates nothing after the first row of a length. Throws Error(usage) if indices and values differ in number,
  // Error(data) for values that are not finite.
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
