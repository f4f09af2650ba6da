// The bound that covers a run, from the data it was played on and the best comparator at hand.
//
// For a separator the theorem is Novikoff's. Otherwise it is the hinge bound of docs/bounds.md for a comparator c *
// v, with v the direction of some weights at hand and the scale c chosen to make the bound small. The hinge losses are
// summed over the WHOLE stream, not over the mistakes alone: summed over the mistakes the bound holds too, but c = 0
// then always minimises it, and it says "mistakes <= mistakes". Where only the mistakes were kept (a stream too long to
// keep), c is set so that the mean margin over them is 1, and the result is named for what it is.
//
// The theorems are about exact arithmetic; a run in doubles may err on a row whose exact margin is a rounding error
// above 0. rounding_allowance() widens the norms by what that can amount to; on data whose sums are exact it changes
// nothing that floor() would show. Compiled with -frounding-math.
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/rounding.h"
#include "bounds/margin_sample.h"
#include "halfspace/bounds/bounds.h"
#include "halfspace/rules/minnow.h"
#include "halfspace/rules/passive_aggressive.h"
#include "rules/bound_of_family.h"

namespace halfspace {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Scores of rows of n terms are off by at most (n + 2) ulp of |w| |x|, an update by one ulp of |w|; with |w| <= R
// sqrt(M) the squared norm after M updates is then within this factor of what the proofs allow.
double rounding_allowance(std::uint32_t longest_row, std::uint64_t updates) {
  return 1 + 4 * (static_cast<double>(longest_row) + 8) * (static_cast<double>(updates) + 1) * 0x1p-53;
}

double dot(const ClassWeightVector& a, const ClassWeightVector& b, bool with_bias) {
  double sum = 0;
  for (std::size_t i = 0; i < std::min(a.w.size(), b.w.size()); ++i) sum += a.w[i] * b.w[i];
  if (with_bias) {
    for (std::size_t k = 0; k < a.bias.size(); ++k) sum += a.bias[k] * b.bias[k];
  }
  return sum;
}

// Rows of weight 0 are never judged.
bool all_weights_one(const Rows& rows) {
  for (std::size_t b = 0; b < rows.blocks(); ++b) {
    const Block block = rows.block(b);
    if (block.weight == nullptr) continue;
    if (std::any_of(block.weight, block.weight + block.rows, [](double w) { return w != 0 && w != 1; })) return false;
  }
  return true;
}

class BoundOfRun {
 public:
  explicit BoundOfRun(const RunForBound& run)
      : run_(run),
        c_(*run.composition),
        ledger_(*run.ledger),
        allowance_(rounding_allowance(ledger_.largest_row, ledger_.updates - run.before.updates)),
        rate_(c_.rate.value_or(1.0)) {
    unweighted_ = all_weights_one(*run.rows);
    smallest_weight_ = std::min(1.0, ledger_.smallest_mistake_weight);
  }

  void try_comparator(const Comparator& comparator) {
    const ClassWeightVector& u = comparator.u;
    EvaluatedMargins fresh;
    if (comparator.judged == nullptr) fresh = evaluate_margins(*run_.rows, u, c_.bias, c_.tie);
    const EvaluatedMargins& judged = comparator.judged == nullptr ? fresh : *comparator.judged;
    judged_ = &judged;
    margin_ = &judged.margin;
    const Evaluation& e = judged.evaluation;
    if (e.squared_norm == 0 || !std::isfinite(e.squared_norm) || !std::isfinite(e.smallest_margin)) return;
    switch (c_.rule) {
      case RuleName::multiclass:
        if (const auto variant = class_aggression()) {
          passive_aggressive(*variant, comparator, e);
          break;
        }
        [[fallthrough]];
      case RuleName::perceptron:
      case RuleName::margin:
        separator(comparator, e);
        hinge(comparator, e);
        break;
      case RuleName::pa:
        passive_aggressive(Aggression::full, comparator, e);
        break;
      case RuleName::pa1:
        passive_aggressive(Aggression::capped, comparator, e);
        break;
      case RuleName::pa2:
        passive_aggressive(Aggression::softened, comparator, e);
        break;
      case RuleName::minnow:
        minnow(comparator, e);
        break;
      case RuleName::kernel:
        if (run_.forgotten.removed > 0 && c_.kernel.eviction != Eviction::projectron) {
          forgetful(comparator, e);
          break;
        }
        if (run_.forgotten.removed == 0) separator(comparator, e);
        hinge(comparator, e);
        break;
      default:
        for (const FamilyBound& bound :
             bound_of_family(run_, comparator, *judged_, {allowance_, smallest_weight_, unweighted_})) {
          offer(bound.value, bound.theorem, comparator, e, bound.hinge, bound.with_margin);
        }
    }
  }

  std::optional<MistakeBound> best;

 private:
  double kesler() const { return c_.rule == RuleName::multiclass ? 2.0 : 1.0; }
  std::string named(const char* theorem) const {
    return c_.rule == RuleName::multiclass ? std::string(theorem) + ", kesler" : theorem;
  }
  // The passive-aggressive variant of a multiclass run, when it is one.
  std::optional<Aggression> class_aggression() const {
    switch (c_.class_update) {
      case ClassUpdate::pa:
        return Aggression::full;
      case ClassUpdate::pa1:
        return Aggression::capped;
      case ClassUpdate::pa2:
        return Aggression::softened;
      default:
        return std::nullopt;
    }
  }
  bool has_bias() const { return c_.bias.place != Bias::none; }

  void offer(double value, const std::string& theorem, const Comparator& comparator, const Evaluation& e, double hinge,
             bool with_margin) {
    if (!std::isfinite(value)) return;
    value = rounding_up([&] { return value + run_.allowed_before; });
    // A separator's own theorem is the one to show; among like, the smaller.
    if (best && (best->margin > 0) == with_margin && best->value <= value) return;
    if (best && best->margin > 0 && !with_margin) return;
    best = MistakeBound{value,
                        theorem,
                        comparator.name,
                        with_margin ? e.margin() : 0.0,
                        std::sqrt(e.radius_squared),
                        hinge,
                        ledger_.mistakes > whole_mistakes(value)};
  }

  // Novikoff: the comparator separates everything that was ever played, and every step had the same length.
  void separator(const Comparator& comparator, const Evaluation& e) {
    if (!(e.smallest_margin > 0) || !run_.whole || run_.resumed || !unweighted_) return;
    // A mistake whose exact margin is only almost at most 0 adds twice that much to |w|^2.
    const double radius_squared =
        rounding_up([&] { return kesler() * e.radius_squared * allowance_ + 2 * run_.score_error; });
    if (run_.start != nullptr) {
      const double start_norm = rounding_up([&] { return dot(*run_.start, *run_.start, has_bias()) * allowance_; });
      // An update adds at most rate^2 R^2, and under the margin rule 2 rate b more, to |w|^2.
      const double growth =
          rounding_up([&] { return radius_squared + (c_.rule == RuleName::margin ? 2 * (c_.margin / rate_) : 0.0); });
      offer(start_bound(-minus_dot(*run_.start, comparator.u), start_norm, rate_, growth, e.squared_norm,
                        e.smallest_margin),
            "novikoff from a start", comparator, e, 0, true);
    } else if (c_.rule == RuleName::margin) {
      offer(margin_perceptron_bound(radius_squared, c_.margin, rate_, e.squared_norm, e.smallest_margin),
            "margin perceptron", comparator, e, 0, true);
    } else {
      offer(novikoff_bound(radius_squared, e.squared_norm, e.smallest_margin), named("novikoff"), comparator, e, 0,
            true);
    }
  }

  // -<a, b>, rounded up.
  double minus_dot(const ClassWeightVector& a, const ClassWeightVector& b) const {
    ClassWeightVector minus = a;
    for (double& value : minus.w) value = -value;
    for (double& value : minus.bias) value = -value;
    return rounding_up([&] { return dot(minus, b, has_bias()); });
  }

  // mistakes <= L + (|u| sqrt(|w0|^2 + S) - <w0, u>) / rate, with u = scale * v: the hinge bound, with a start.
  void hinge(const Comparator& comparator, const Evaluation& e) {
    double squares;
    double residuals = 0;
    double start_minus_dot = 0;
    rounding_up([&] {
      // The ledger added these up rounding to nearest, from the beginning of the run.
      const double drift = (static_cast<double>(ledger_.updates) + 1) * 0x1p-52;
      squares = kesler() * (ledger_.update_squares - run_.before.update_squares + drift * ledger_.update_squares);
      if (c_.rule == RuleName::margin) {
        squares += 2 * c_.margin * (ledger_.update_steps - run_.before.update_steps + drift * ledger_.update_steps);
      }
      if (run_.start != nullptr) {
        squares += dot(*run_.start, *run_.start, has_bias());
        start_minus_dot = minus_dot(*run_.start, comparator.u);
      }
      squares = squares * allowance_ + 2 * run_.score_error * ledger_.update_steps * allowance_;
      // What a projectron left out of its projections.
      residuals = run_.forgotten.residuals * (1 + 0x1p-20);
    });
    const double norm = std::sqrt(e.squared_norm);
    const auto value = [&](double hinges, double scale) {
      return hinges + scale * ((norm * (std::sqrt(squares) + residuals) + start_minus_dot) / rate_);
    };
    hinge_offer(run_.forgotten.removed > 0 ? "projectron, " : "", value, comparator, e);
  }

  // The bound of value(hinge sum, scale): over the whole stream at the best scale, or over the mistakes at the one at
  // which their mean margin is 1.
  template <class F>
  void hinge_offer(const char* which, const F& value, const Comparator& comparator, const Evaluation& e) {
    const bool over_stream = run_.whole && !run_.only_mistakes;
    const MarginSample sample = sample_margins(*run_.rows, *margin_, run_.visits);
    double scale;
    if (over_stream) {
      scale = best_scale(sample, 1, value);
    } else {
      scale = mean_scale(sample);
      if (scale == 0) return;
    }
    const double hinges = hinge_sum(*run_.rows, *margin_, scale, 1, run_.visits);
    offer(rounding_up([&] { return value(hinges, scale) / smallest_weight_; }),
          std::string(which) + (over_stream ? "hinge over the stream" : "hinge over the mistakes"), comparator, e,
          hinges, false);
  }

  // A budget that removes support vectors (kernel_perceptron.h): mistakes <= 2 L + R^2 |u|^2 (1 + P) + A / R^2 + 2 S,
  // S the sum of the coefficients removed.
  void forgetful(const Comparator& comparator, const Evaluation& e) {
    if (!unweighted_) return;
    const Forgotten& gone = run_.forgotten;
    const double radius_squared = std::fmax(e.radius_squared, ledger_.largest_squared_norm);
    if (!(radius_squared > 0)) return;
    double fixed;
    double length;
    rounding_up([&] {
      const double updates = static_cast<double>(ledger_.updates);
      // Each term of A was computed from a score, and the sums were rounded to nearest; every update let a score be
      // off.
      const double drift = (gone.removed + updates + 8) * 0x1p-50;
      const double scores = 2 * run_.score_error * (gone.amounts + updates) / radius_squared;
      fixed = gone.damage / radius_squared + 2 * gone.amounts + scores + drift * (gone.amounts + 1) * (3 * updates + 2);
      length = radius_squared * (1 + gone.shrinking * (1 + drift)) * e.squared_norm * allowance_;
    });
    hinge_offer(
        "budget, ", [&](double hinges, double scale) { return 2 * hinges + scale * scale * length + fixed; },
        comparator, e);
  }

  void passive_aggressive(Aggression variant, const Comparator& comparator, const Evaluation& e) {
    if (!run_.whole || (run_.resumed && variant == Aggression::full)) return;
    const double aggressiveness = c_.aggressiveness;
    double radius_squared;
    double start_norm = 0;
    double start_minus_dot = 0;
    rounding_up([&] {
      radius_squared = kesler() * e.radius_squared * allowance_;
      if (run_.start != nullptr) {
        start_norm = dot(*run_.start, *run_.start, has_bias());
        start_minus_dot = minus_dot(*run_.start, comparator.u);
      }
    });
    // |scale v - w0|^2
    const auto distance = [&](double scale) {
      return scale * scale * e.squared_norm + 2 * scale * start_minus_dot + start_norm;
    };
    if (variant == Aggression::full) {
      if (!(e.smallest_margin > 0)) return;
      const double value = rounding_up([&] { return radius_squared * distance(1 / e.smallest_margin); });
      offer(value, named("passive-aggressive, separable"), comparator, e, 0, true);
      return;
    }
    const int power = variant == Aggression::capped ? 1 : 2;
    const auto value = [&](double hinges, double scale) {
      const double factor = power == 1 ? std::fmax(radius_squared, 1 / (aggressiveness * smallest_weight_))
                                       : radius_squared + 1 / (2 * aggressiveness * smallest_weight_);
      return factor * (distance(scale) + 2 * aggressiveness * hinges);
    };
    const MarginSample sample = sample_margins(*run_.rows, *margin_, run_.visits);
    const double scale = best_scale(sample, power, value);
    const double hinges = hinge_sum(*run_.rows, *margin_, scale, power, run_.visits);
    offer(rounding_up([&] { return value(hinges, scale); }),
          named(power == 1 ? "passive-aggressive I" : "passive-aggressive II"), comparator, e, hinges, false);
  }

  // KL potential from uniform weights (minnow.h); with hinge losses L over the stream it reads
  // mistakes <= (rate L + |u|_1 ln D) / (rate - |u|_1 ln cosh(rate R)), D = d or 2d.
  void minnow(const Comparator& comparator, const Evaluation& e) {
    if (!run_.whole || run_.start != nullptr || run_.resumed || !unweighted_) return;
    double one_norm = 0;
    rounding_up([&] {
      for (const double value : comparator.u.w) one_norm += std::abs(value);
      if (has_bias()) one_norm += std::abs(comparator.u.bias[0]);
    });
    if (!c_.both_signs) {
      const auto negative = [](double value) { return value < 0; };
      if (std::any_of(comparator.u.w.begin(), comparator.u.w.end(), negative) ||
          (has_bias() && comparator.u.bias[0] < 0)) {
        return;
      }
    }
    const std::uint64_t dimension = (c_.both_signs ? 2 : 1) * run_.dimension;
    const bool guesses = !c_.rate && !c_.relative_margin;
    if (guesses) {
      if (e.smallest_margin > 0) guessing(comparator, e, one_norm, dimension);
      return;
    }
    const double rate = c_.rate ? *c_.rate : minnow_best_rate(*c_.relative_margin, c_.radius.value_or(1.0));
    if (e.smallest_margin > 0) {
      offer(minnow_bound(dimension, one_norm, e.smallest_margin, e.infinity_radius, rate), "minnow", comparator, e, 0,
            true);
      return;
    }
    // With a hinge sum L the theorem is that of margin 1 - L/M; solved for M it is the same denominator, for u = scale
    // v.
    const auto value = [&](double hinges, double scale) {
      const double base = minnow_bound(dimension, scale * one_norm, 1.0, e.infinity_radius, rate);
      if (!std::isfinite(base)) return kInfinity;
      const double logarithm = std::log(static_cast<double>(dimension));
      const double denominator = scale * one_norm * logarithm / base;  // rate - |u|_1 ln cosh(rate R), rounded down
      return base + rate * hinges / denominator * (1 + 0x1p-40);
    };
    const MarginSample sample = sample_margins(*run_.rows, *margin_, run_.visits);
    const double scale = best_scale(sample, 1, value);
    const double hinges = hinge_sum(*run_.rows, *margin_, scale, 1, run_.visits);
    offer(rounding_up([&] { return value(hinges, scale); }), "minnow, hinge over the stream", comparator, e, hinges,
          false);
  }

  // The doubling guess: every phase up to the first right guess makes at most its own bound and one mistake more; a
  // phase that a larger row broke off is paid for once more.
  void guessing(const Comparator& comparator, const Evaluation& e, double one_norm, std::uint64_t dimension) {
    if (!(run_.guess_radius > 0)) return offer(0, "minnow, doubling guess", comparator, e, 0, true);
    const double relative = e.smallest_margin / (one_norm * run_.guess_radius) * (1 - 0x1p-40);
    if (!(relative > 0)) return;
    double sum = 0;
    double last = 0;
    for (int i = 1; i <= 1023; ++i) {
      const double guess = std::ldexp(1.0, -i);
      last = std::floor(minnow_best_bound(guess, dimension) * (1 + 0x1p-40)) + 1;
      sum += last;
      if (guess <= relative) break;
      if (i == 1023) return;
    }
    offer(sum + static_cast<double>(run_.guess_restarts) * last, "minnow, doubling guess", comparator, e, 0, true);
  }

  const RunForBound& run_;
  const EvaluatedMargins* judged_ = nullptr;     // of the comparator at hand
  const std::vector<double>* margin_ = nullptr;  // of the same, on every row
  const Composition& c_;
  const Ledger& ledger_;
  double allowance_, rate_, smallest_weight_ = 1;
  bool unweighted_ = true;
};

}  // namespace

std::optional<MistakeBound> bound_of_run(const RunForBound& run, const std::vector<Comparator>& comparators) {
  BoundOfRun bound(run);
  for (const Comparator& comparator : comparators) bound.try_comparator(comparator);
  return bound.best;
}

}  // namespace halfspace
