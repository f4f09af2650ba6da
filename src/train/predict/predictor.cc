// Predicts with one vector per class, or with the vote of all past vectors, rebuilt step by step. Of two classes with a
// vector each the score is the second's less the first's, as of one vector.

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "halfspace/base/error.h"
#include "halfspace/detail/linear/loss.h"
#include "halfspace/detail/linear/vote.h"
#include "halfspace/detail/linear/weights/class.h"
#include "halfspace/detail/rules/kernel_perceptron.h"
#include "halfspace/detail/rules/multiclass_tournament.h"
#include "halfspace/detail/rules/multinomial.h"
#include "halfspace/detail/rules/tournament.h"
#include "halfspace/rules/rule_entry.h"
#include "halfspace/train/model.h"
#include "train/predict/predictor_row.h"

namespace halfspace {
namespace {

// A block without the features unknown to the model: their values become 0 on feature 0, so that each term of a sum
// stays in its lane, as with weights of 0, and the bits are the same. No index exceeds the model's largest.
class KnownFeatures {
 public:
  Block of(const Block& block, std::uint32_t features) {
    if (block.features <= features) return block;
    offset_.assign(1, 0);
    index_.clear();
    value_.clear();
    for (std::size_t i = 0; i < block.rows; ++i) {
      block.with_example(i, [&](const auto& x) {
        for (std::uint32_t k = 0; features > 0 && k < x.size; ++k) {
          const bool known = x.index[k] < features;
          index_.push_back(known ? x.index[k] : 0);
          value_.push_back(known ? x.value_at(k) : 0.0);
        }
      });
      offset_.push_back(index_.size());
    }
    Block result = block;
    result.features = features;
    result.value_type = ValueType::float64;
    result.dense = false;
    result.offset = offset_.data();
    result.index = index_.data();
    result.value = value_.data();
    return result;
  }

 private:
  std::vector<std::uint64_t> offset_;
  std::vector<std::uint32_t> index_;
  std::vector<double> value_;
};

std::uint32_t class_of(const ClassWeightVector& v, BiasOptions bias, Tie tie, const auto& x,
                       std::vector<double>& scores) {
  scores.resize(v.classes);
  score_classes(v, bias, x, scores.data());
  for (const double score : scores) checked_score(score, x.row);
  return winner(scores.data(), v.classes, tie);
}

bool minimizes_log_loss(const Composition& composition) {
  if (composition.rule == rule::tournament) return true;
  const ParameterUse* const loss = find_use(composition.rule, "loss");
  return loss != nullptr && composition.value(*loss->parameter) == static_cast<double>(MarginLoss::logistic);
}

}  // namespace

struct Predictor::Impl {
  Composition composition;
  std::uint32_t classes = 2;
  bool several = false;                     // more than two classes: one vector each
  bool of_each = false;                     // two classes, with votes for each
  std::uint32_t features = 0;               // of the model
  std::optional<double> threshold;          // of the model
  ClassWeightVector weights;                // more than two classes
  WeightVector vector;                      // two classes
  std::unique_ptr<Learner> voter;           // keeper vote
  std::optional<KernelExpansion> function;  // rules with support vectors
  KnownFeatures known;
  std::vector<double> votes, scratch, plain, highest;
  UnpackBuffer room;

  bool multiclass() const { return several; }
  bool is_positive(double score) const {
    if (threshold) return score >= *threshold;
    return composition.tie == Tie::negative ? score > 0 : score >= 0;
  }

  template <class Each>  // Each(example, i)
  static void each_row(const Block& block, Each&& each) {
    block.with_storage([&]<class Value, bool dense>() {
      for (std::size_t i = 0; i < block.rows; ++i) each(block.example<Value, dense>(i), i);
    });
  }

  // `all`, if not null, receives the scores of every class.
  void by_weights(const Block& block, std::vector<std::int32_t>& out, std::vector<double>& scores,
                  std::vector<double>* all) {
    each_row(block, [&](const auto& x, std::size_t i) {
      if (multiclass()) {
        out[i] = static_cast<std::int32_t>(class_of(weights, composition.bias, composition.tie, x, scratch));
        scores[i] = scratch[static_cast<std::size_t>(out[i])];
        if (all != nullptr) all->insert(all->end(), scratch.begin(), scratch.end());
      } else {
        scores[i] = checked_score(score(vector, composition.bias, x), x.row);
        out[i] = is_positive(scores[i]);
      }
    });
  }

  // `cut`: values were removed from the block, and its norms still include them.
  void by_function(const Block& block, bool cut, std::vector<std::int32_t>& out, std::vector<double>& scores) {
    each_row(block, [&](const auto& x, std::size_t i) {
      KernelRow row = kernel_row(x, plain);
      if (cut) row.squared_norm = kernels::squared_norm(row.value, row.size);
      scores[i] = checked_score(function->score(row, scratch), x.row);
      out[i] = is_positive(scores[i]);
    });
  }

  void by_votes(const Block& block, std::vector<std::int32_t>& out, std::vector<double>& scores) {
    voter->vote(block, votes);
    for (std::size_t i = 0; i < block.rows; ++i) {
      if (multiclass()) {
        const double* const row = votes.data() + i * classes;
        out[i] = static_cast<std::int32_t>(winner(row, classes, composition.tie));
        scores[i] = row[out[i]];
      } else {
        scores[i] = of_each ? votes[2 * i + 1] - votes[2 * i] : votes[i];
        out[i] = is_positive(scores[i]);
      }
    }
  }

  void predict(const Block& given, std::vector<std::int32_t>& out, std::vector<double>& scores,
               std::vector<double>* all) {
    const bool readable = given.dense && given.ordinal != nullptr && given.value != nullptr;  // without an index
    const Block block = known.of(readable ? given : given.plain(room), features);
    out.assign(block.rows, 0);
    scores.assign(block.rows, 0.0);
    if (function) {
      by_function(block, given.features > features, out, scores);
    } else if (voter) {
      by_votes(block, out, scores);
    } else {
      by_weights(block, out, scores, all);
    }
  }
};

KernelExpansion expansion_of(const Model& model) {
  const Composition& c = model.composition;
  if (!entry_of(c.rule).support_vectors) return {};
  return expansion_of(kernel_options(c).kernel, c.bias, model.learner.kernel, model.learner.finished);
}

Calibration probability_curves(const Model& model) {
  const Composition& c = model.composition;
  Calibration curves = model.calibration;
  if (curves.method != CalibrationMethod::none || c.keep == KeepName::vote) return curves;
  const bool softmax = c.rule == rule::multiclass_tournament || c.rule == rule::multinomial;
  const std::uint32_t vectors = model.weights.classes > 2 ? model.weights.classes : 1;
  if (softmax && vectors > 1) {
    curves.method = CalibrationMethod::softmax;
  } else if (softmax || minimizes_log_loss(c)) {  // of two classes, the softmax is the logistic function
    curves.method = CalibrationMethod::platt;
    curves.platt.assign(vectors, Platt{.a = -1, .b = 0});
  }
  return curves;
}

ClassWeightVector vectors_of_scores(const ClassWeightVector& weights) {
  if (weights.classes != 2) return weights;
  ClassWeightVector one = weights;
  one.classes = 1;
  one.bias = {weights.bias[1] - weights.bias[0]};
  one.w.resize(weights.w.size() / 2);
  for (std::size_t j = 0; j < one.w.size(); ++j) one.w[j] = weights.w[2 * j + 1] - weights.w[2 * j];
  return one;
}

Predictor::Predictor(const Model& model) : impl_(std::make_unique<Impl>()), row_(std::make_unique<Row>(model)) {
  Impl& p = *impl_;
  const ClassWeightVector& w = model.weights;
  if (w.classes == 0 || w.bias.size() != w.classes || w.w.size() % w.classes != 0) {
    throw Error(ErrorKind::usage, "the model has no weights to predict with").fix("train it first");
  }
  p.composition = model.composition;
  p.threshold = model.threshold;
  p.classes = std::max(2U, w.classes);
  p.several = w.classes > 2;
  p.of_each = w.classes == 2;
  p.features = static_cast<std::uint32_t>(w.w.size() / w.classes);
  if (entry_of(p.composition.rule).support_vectors) {
    p.function = expansion_of(model);
    p.features = model.schema.features;
  } else if (p.composition.keep == KeepName::vote) {
    p.voter = make_learner(p.composition, p.classes);
    p.voter->restore(model.learner);
  } else if (p.multiclass()) {
    p.weights = w;
  } else {
    ClassWeightVector of_scores = vectors_of_scores(w);
    p.vector = {std::move(of_scores.w), of_scores.bias[0]};
  }
}

Predictor::~Predictor() = default;
Predictor::Predictor(Predictor&&) noexcept = default;

void Predictor::predict(const Block& block, std::vector<std::int32_t>& classes, std::vector<double>& scores) {
  impl_->predict(block, classes, scores, nullptr);
}

std::uint32_t Predictor::score_all(const Block& block, std::vector<std::int32_t>& classes,
                                   std::vector<double>& scores) {
  Impl& p = *impl_;
  if (!p.multiclass()) {
    p.predict(block, classes, scores, nullptr);
    return 1;
  }
  scores.clear();
  p.predict(block, classes, p.highest, &scores);
  if (p.composition.keep == KeepName::vote) scores = p.votes;
  return p.classes;
}

}  // namespace halfspace
