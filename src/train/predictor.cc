// Predicting: one vector a class, or the vote of every vector there ever was, made again step by step.

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "halfspace/base/error.h"
#include "halfspace/train/model.h"

namespace halfspace {
namespace {

// A block without the features that a model does not know: their values become 0 on feature 0, so that the sums have
// the terms in the lanes they would have with weights of 0, and the same bits. Nothing is as large as the largest
// index.
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
          double value = 1.0;
          if constexpr (!std::is_same_v<typename std::decay_t<decltype(x)>::value_type, One>) value = x.value[k];
          index_.push_back(known ? x.index[k] : 0);
          value_.push_back(known ? value : 0.0);
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

double checked(double score, std::uint64_t row) {
  if (std::isnan(score)) [[unlikely]]
    throw_overflow(row);
  return score;
}

// The class with the highest score; of several the last with Tie::negative, else the first.
std::uint32_t winner(const std::vector<double>& scores, Tie tie) {
  std::uint32_t best = 0;
  for (std::uint32_t k = 1; k < scores.size(); ++k) {
    if (scores[k] > scores[best] || (tie == Tie::negative && scores[k] == scores[best])) best = k;
  }
  return best;
}

std::uint32_t class_of(const ClassWeightVector& v, BiasOptions bias, Tie tie, const auto& x,
                       std::vector<double>& scores) {
  scores.resize(v.classes);
  score_classes(v, bias, x, scores.data());
  for (const double score : scores) checked(score, x.row);
  return winner(scores, tie);
}

void step_along(ClassWeights& weights, const VoteStep& step, const Example<double, false>& x) {
  weights.move(step.amount, x, step.moved);
}
void step_along(Weights& weights, const VoteStep& step, const Example<double, false>& x) {
  weights.add(step.amount, x);
}
void step_along(ExponentialWeights& weights, const VoteStep& step, const Example<double, false>& x) {
  if (step.restart) {
    weights.reset();
  } else {
    weights.add(step.amount, x);
  }
}

// Calls visit(weights, age) for every vector of the vote, in order: a handful of operations a step, none of them kept.
template <class W, class Visit>
void each_vector(W weights, const VoteHistory& votes, Visit&& visit) {
  visit(weights, static_cast<double>(votes.first_age));
  for (std::size_t k = 0; k < votes.steps.size(); ++k) {
    step_along(weights, votes.steps[k], votes.row(k));
    visit(weights, static_cast<double>(votes.steps[k].age));
  }
}

}  // namespace

struct Predictor::Impl {
  Composition composition;
  std::uint32_t classes = 2;
  std::uint32_t features = 0;  // of the model
  ClassWeightVector weights;   // several classes
  WeightVector vector;         // two
  VoteHistory votes;
  std::optional<KernelExpansion> function;  // the kernel rule
  KnownFeatures known;
  std::vector<double> tally, scratch, plain;
  UnpackBuffer room;

  bool multiclass() const { return composition.rule == RuleName::multiclass; }
  bool is_positive(double score) const { return composition.tie == Tie::negative ? score > 0 : score >= 0; }

  // The start weights, at the model's number of features.
  template <class W>
  W grown(W start) const {
    start.grow(features);
    return start;
  }

  template <class Each>  // Each(example, i)
  static void each_row(const Block& block, Each&& each) {
    block.with_storage([&]<class Value, bool dense>() {
      for (std::size_t i = 0; i < block.rows; ++i) each(block.example<Value, dense>(i), i);
    });
  }

  // `all`, when not null, gets the scores of every class.
  void by_weights(const Block& block, std::vector<std::int32_t>& out, std::vector<double>& scores,
                  std::vector<double>* all) {
    each_row(block, [&](const auto& x, std::size_t i) {
      if (multiclass()) {
        out[i] = static_cast<std::int32_t>(class_of(weights, composition.bias, composition.tie, x, scratch));
        scores[i] = scratch[static_cast<std::size_t>(out[i])];
        if (all != nullptr) all->insert(all->end(), scratch.begin(), scratch.end());
      } else {
        scores[i] = checked(score(vector, composition.bias, x), x.row);
        out[i] = is_positive(scores[i]);
      }
    });
  }

  // `cut`: values were taken out of the block, and its norms still count them.
  void by_function(const Block& block, bool cut, std::vector<std::int32_t>& out, std::vector<double>& scores) {
    each_row(block, [&](const auto& x, std::size_t i) {
      KernelRow row = kernel_row(x, plain);
      if (cut) row.squared_norm = kernels::squared_norm(row.value, row.size);
      scores[i] = checked(function->score(row, scratch), x.row);
      out[i] = is_positive(scores[i]);
    });
  }

  // A vote goes through the vectors once a block, scoring all its rows with each.
  template <class W>
  void two_class_vote(const W& start, const Block& block, std::vector<std::int32_t>& out, std::vector<double>& scores) {
    each_vector(start, votes, [&](const W& w, double age) {
      if (age == 0) return;
      each_row(block, [&](const auto& x, std::size_t i) {
        scores[i] += is_positive(checked(w.score(x), x.row)) ? age : -age;
      });
    });
    for (std::size_t i = 0; i < block.rows; ++i) out[i] = is_positive(scores[i]);
  }

  void class_vote(const Block& block, std::vector<std::int32_t>& out, std::vector<double>& scores) {
    tally.assign(block.rows * classes, 0.0);
    const ClassWeights start = grown(ClassWeights(composition.bias, classes, composition.start));
    each_vector(start, votes, [&](const ClassWeights& w, double age) {
      if (age == 0) return;
      each_row(block, [&](const auto& x, std::size_t i) {
        tally[i * classes + class_of(w.vector(), composition.bias, composition.tie, x, scratch)] += age;
      });
    });
    for (std::size_t i = 0; i < block.rows; ++i) {
      const auto row = tally.begin() + static_cast<std::ptrdiff_t>(i * classes);
      scratch.assign(row, row + classes);
      out[i] = static_cast<std::int32_t>(winner(scratch, composition.tie));
      scores[i] = scratch[static_cast<std::size_t>(out[i])];
    }
  }

  void predict(const Block& given, std::vector<std::int32_t>& out, std::vector<double>& scores,
               std::vector<double>* all) {
    const Block block = known.of(given.plain(room), features);
    const Composition& c = composition;
    out.assign(block.rows, 0);
    scores.assign(block.rows, 0.0);
    if (function) {
      by_function(block, given.features > features, out, scores);
    } else if (c.keep != KeepName::vote) {
      by_weights(block, out, scores, all);
    } else if (multiclass()) {
      class_vote(block, out, scores);
    } else if (c.rule == RuleName::minnow || c.rule == RuleName::eg) {
      two_class_vote(grown(ExponentialWeights(c.bias, c.both_signs)), block, out, scores);
    } else {
      two_class_vote(grown(Weights(c.bias, c.start)), block, out, scores);
    }
  }
};

KernelExpansion expansion_of(const Model& model) {
  const Composition& c = model.composition;
  return expansion_of(c.kernel.kernel, c.bias, model.learner.kernel, model.learner.finished);
}

Predictor::Predictor(const Model& model) : impl_(std::make_unique<Impl>()) {
  Impl& p = *impl_;
  const ClassWeightVector& w = model.weights;
  if (w.classes == 0 || w.bias.size() != w.classes || w.w.size() % w.classes != 0) {
    throw Error(ErrorKind::usage, "the model has no weights to predict with").fix("train it first");
  }
  p.composition = model.composition;
  p.classes = std::max(2U, w.classes);
  p.features = static_cast<std::uint32_t>(w.w.size() / w.classes);
  if (p.composition.rule == RuleName::kernel) {
    p.function = expansion_of(model);
    p.features = model.schema.features;
  } else if (p.composition.keep == KeepName::vote) {
    p.votes = model.learner.votes;
  } else if (p.multiclass()) {
    p.weights = w;
  } else {
    p.vector = {w.w, w.bias[0]};
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
  std::vector<double> highest;
  scores.clear();
  p.predict(block, classes, highest, &scores);
  if (p.composition.keep == KeepName::vote) scores = p.tally;
  return p.classes;
}

}  // namespace halfspace
