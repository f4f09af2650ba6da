// The results of a vector on data, each figure erring on the safe side: margins are rounded down, norms and sums up.
// Compiled with -frounding-math.

#include "halfspace/detail/bounds/evaluation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/parallel.h"
#include "bounds/weight_evaluator.h"
#include "halfspace/detail/base/rounding.h"
#include "halfspace/detail/linear/weights/class.h"

namespace halfspace {
namespace {

// One vector in the form its scores are taken in: a binary vector, or one vector a class. Copies share it: it may be as
// long as all that was learned from.
class Scorer {
 public:
  Scorer(const ClassWeightVector& u, BiasOptions bias, bool negate) : bias_(bias), scores_(u.classes) {
    const double sign = negate ? -1 : 1;
    if (u.classes == 1) {
      one_ = std::make_shared<WeightVector>(WeightVector{u.w, u.bias.empty() ? 0.0 : sign * u.bias[0]});
      for (double& value : one_->w) value *= sign;
    } else {
      many_ = std::make_shared<ClassWeightVector>(u);
      for (double& value : many_->w) value *= sign;
      for (double& value : many_->bias) value *= sign;
    }
  }

  // Rows may hold features the vector has never seen: their weight is 0.
  void grow(std::uint32_t features) {
    if (one_) one_->grow(features);
    if (many_) many_->grow(features);
  }
  template <class Row>
  double score(const Row& x) const {
    return halfspace::score(*one_, bias_, x);
  }
  template <class Row>
  const std::vector<double>& scores(const Row& x) {
    score_classes(*many_, bias_, x, scores_.data());
    return scores_;
  }

 private:
  BiasOptions bias_;
  std::shared_ptr<ClassWeightVector> many_;
  std::shared_ptr<WeightVector> one_;
  std::vector<double> scores_;
};

// The margin of u on a row, rounded down. Both scorers are asked while rounding is upward.
class Margins {
 public:
  Margins(std::uint32_t classes, Scorer plus, Scorer minus)
      : classes_(classes), plus_(std::move(plus)), minus_(std::move(minus)) {}

  template <class Row>
  double of(const Row& x) {
    if (classes_ == 1) return -(x.label == 0 ? plus_ : minus_).score(x);
    const auto label = static_cast<std::size_t>(x.label);
    const double minus_own = minus_.scores(x)[label];
    const std::vector<double>& scores = plus_.scores(x);
    double worst = -std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < scores.size(); ++k) {
      if (k != label) worst = std::max(worst, scores[k] + minus_own);
    }
    return -worst;
  }

 private:
  std::uint32_t classes_;
  Scorer plus_, minus_;
};

}  // namespace

std::optional<ClassWeightVector> brought_within_reach(const ClassWeightVector& u, BiasOptions bias) {
  constexpr int far = 64;
  double largest = 0;
  const auto measure = [&](const std::vector<double>& values) {
    for (const double value : values) largest = larger(largest, std::abs(value));
  };
  measure(u.w);
  if (bias.position != Bias::none) measure(u.bias);
  if (!(largest > 0) || !std::isfinite(largest)) return std::nullopt;
  const int exponent = std::ilogb(largest);
  if (std::abs(exponent) <= far) return std::nullopt;
  bool whole = true;
  std::optional<ClassWeightVector> scaled = u;
  const auto scale = [&](std::vector<double>& values) {
    for (double& value : values) {
      const double moved = std::ldexp(value, -exponent);
      whole = whole && std::ldexp(moved, exponent) == value;
      value = moved;
    }
  };
  scale(scaled->w);
  if (bias.position != Bias::none) scale(scaled->bias);
  if (!whole) scaled.reset();
  return scaled;
}

double Evaluation::margin() const {
  if (squared_norm == 0 || rows == 0) return 0;
  return rounding_up([&] {
    // Down: a positive margin is divided by a norm rounded up, a negative one by a norm rounded down.
    const double norm_up = std::sqrt(squared_norm);
    if (smallest_margin >= 0) return -((-smallest_margin) / norm_up);
    const double norm_down = std::nextafter(std::sqrt(least_squared_norm), 0.0);
    return -((-smallest_margin) / norm_down);
  });
}

namespace {

template <class Row>
bool is_zero(const Row& x, BiasOptions bias) {
  if (bias.position != Bias::none) return false;
  for (std::uint32_t k = 0; k < x.size; ++k) {
    if (x.value_at(k) != 0) return false;
  }
  return true;
}

// Returns what one block adds to an evaluation; `margin` gets the block's margins, `predicted` (may be null) the
// classes.
template <class Value, bool dense>
Evaluation evaluate_block(const Block& block, std::uint32_t classes, BiasOptions bias, Tie tie, Scorer& nearest,
                          bool as_they_are, Margins& margins, double* margin, std::int32_t* predicted) {
  Evaluation result;
  result.smallest_margin = std::numeric_limits<double>::infinity();
  UnpackBuffer room;
  rounding_up([&] {
    for (std::size_t i = 0; i < block.rows; ++i) {
      const auto x = block.next_example<Value, dense>(i, room);
      margin[i] = or_lowest(margins.of(x));
      result.smallest_margin = std::min(result.smallest_margin, margin[i]);
      // The stored norm was rounded to nearest, once a term: this covers it.
      const double slack = 1 + (static_cast<double>(x.size) + 8) * 0x1p-52;
      const double lost = x.squared_norm < 0x1p-900 ? static_cast<double>(x.size) * 0x1p-1074 : 0.0;  // by underflow
      result.radius_squared = std::max(result.radius_squared, x.squared_norm * slack + lost + bias.squared());
      if (x.squared_norm + bias.squared() < 0x1p-900) result.squares_lost = result.squares_lost || !is_zero(x, bias);
    }
  });
  for (std::size_t i = 0; i < block.rows; ++i) {
    const auto x = block.next_example<Value, dense>(i, room);
    if constexpr (std::is_same_v<Value, One>) {
      if (x.size > 0) result.infinity_radius = 1;
    } else {
      for (std::uint32_t k = 0; k < x.size; ++k) {
        result.infinity_radius = std::max(result.infinity_radius, std::abs(static_cast<double>(x.value[k])));
      }
    }
    // A margin above 0 although rounded down is right in any rounding, but of weights that were brought within reach: their
    // scores may be 0. The others are predicted as `predict` does.
    std::int32_t klass = x.label;
    if (!as_they_are || !(margin[i] > 0)) {
      if (classes == 1) {
        const double score = nearest.score(x);
        klass = score > 0 || (score == 0 && tie != Tie::negative);
      } else {
        klass = static_cast<std::int32_t>(highest(nearest.scores(x).data(), classes));
      }
      result.errors += klass != x.label;
    }
    if (predicted != nullptr) predicted[i] = klass;
  }
  return result;
}

}  // namespace

struct WeightEvaluator::Prepared {
  Prepared(const ClassWeightVector& u, const std::optional<ClassWeightVector>& brought, BiasOptions their_bias)
      : bias(their_bias),
        classes(u.classes),
        as_they_are(!brought),
        plus(brought ? *brought : u, their_bias, false),
        minus(brought ? *brought : u, their_bias, true),
        own(as_they_are ? plus : Scorer(u, their_bias, false)) {
    const ClassWeightVector& near = brought ? *brought : u;
    double minus_norm = 0;
    rounding_up([&] {
      const auto count = [&](const std::vector<double>& values) {
        for (const double value : values) {
          squared_norm += value * value;
          minus_norm += -value * value;
        }
      };
      count(near.w);
      if (bias.position != Bias::none) count(near.bias);
    });
    least_squared_norm = -minus_norm;
  }

  BiasOptions bias;
  std::uint32_t classes;
  bool as_they_are;
  Scorer plus, minus, own;
  double squared_norm = 0, least_squared_norm = 0;
};

WeightEvaluator::WeightEvaluator(const ClassWeightVector& u, BiasOptions bias, std::uint32_t features)
    : prepared_(std::make_unique<Prepared>(u, brought_within_reach(u, bias), bias)) {
  for (Scorer* const scorer : {&prepared_->plus, &prepared_->minus, &prepared_->own}) scorer->grow(features);
}
WeightEvaluator::~WeightEvaluator() = default;
WeightEvaluator::WeightEvaluator(WeightEvaluator&&) noexcept = default;
WeightEvaluator& WeightEvaluator::operator=(WeightEvaluator&&) noexcept = default;

EvaluatedMargins WeightEvaluator::evaluate(const Rows& rows, Tie tie, std::vector<std::int32_t>* predicted) {
  EvaluatedMargins evaluated;
  evaluated.margin.resize(rows.size());
  if (predicted != nullptr) predicted->resize(rows.size());
  std::vector<Evaluation> parts(rows.blocks());
  const BiasOptions bias = prepared_->bias;
  const std::uint32_t classes = prepared_->classes;
  const bool as_they_are = prepared_->as_they_are;
  for (Scorer* const scorer : {&prepared_->plus, &prepared_->minus, &prepared_->own}) scorer->grow(rows.features());
  in_parallel(rows.blocks(), 8, [&](std::size_t begin, std::size_t end) {
    Scorer nearest = prepared_->own;
    Margins margins(classes, prepared_->plus, prepared_->minus);
    for (std::size_t b = begin; b < end; ++b) {
      const Block block = rows.block(b);
      parts[b] = block.with_storage([&]<class Value, bool dense>() {
        return evaluate_block<Value, dense>(block, classes, bias, tie, nearest, as_they_are, margins,
                                            evaluated.margin.data() + b * Rows::block_rows,
                                            predicted == nullptr ? nullptr : predicted->data() + b * Rows::block_rows);
      });
      rows.release(b);
    }
  });
  Evaluation& result = evaluated.evaluation;
  result.rows = rows.size();
  result.smallest_margin = rows.size() == 0 ? 0 : std::numeric_limits<double>::infinity();
  result.infinity_radius = bias.position == Bias::none ? 0.0 : bias.scale;
  for (const Evaluation& part : parts) {
    result.errors += part.errors;
    result.squares_lost = result.squares_lost || part.squares_lost;
    result.smallest_margin = std::min(result.smallest_margin, part.smallest_margin);
    result.radius_squared = std::max(result.radius_squared, part.radius_squared);
    result.infinity_radius = std::max(result.infinity_radius, part.infinity_radius);
  }
  result.squared_norm = prepared_->squared_norm;
  result.least_squared_norm = prepared_->least_squared_norm;
  return evaluated;
}

EvaluatedMargins evaluate_margins(const Rows& rows, const ClassWeightVector& u, BiasOptions bias, Tie tie,
                                  std::vector<std::int32_t>* predicted) {
  return WeightEvaluator(u, bias, rows.features()).evaluate(rows, tie, predicted);
}

double hinge_sum(const Rows& rows, const std::vector<double>& margin, double scale, int power, const Visits& visits) {
  double sum = 0;
  rounding_up([&] {
    for (std::size_t b = 0; b < rows.blocks(); ++b) {
      const Block block = rows.block(b);
      for (std::size_t i = 0; i < block.rows; ++i) {
        const std::uint64_t row = b * Rows::block_rows + i;
        const double hinge = 1 + scale * -margin[row];  // so that the product, too, is rounded up
        if (!(hinge > 0)) continue;
        const double times = visits(row) * (block.weight == nullptr ? 1.0 : block.weight[i]);
        sum += times * (power == 2 ? hinge * hinge : hinge);
      }
    }
  });
  return sum;
}

}  // namespace halfspace
