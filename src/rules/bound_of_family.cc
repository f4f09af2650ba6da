// Bounds of second-order, adaptive and multiplicative rules, from the run's own numbers. Compiled with -frounding-math.
#include "rules/bound_of_family.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>

#include "base/rounding.h"
#include "bounds/margin_sample.h"

namespace halfspace {
namespace {

// Sums that a learner added up rounding to nearest, and logarithms, are right to far better than this.
constexpr double kAbove = 1 + 0x1p-30;
constexpr double kBelow = 1 - 0x1p-30;
constexpr double kSlack = 0x1p-28;

class Family {
 public:
  Family(const RunForBound& run, const Comparator& comparator, const EvaluatedMargins& judged, const BoundTerms& terms)
      : run_(run),
        c_(*run.composition),
        u_(comparator.u),
        e_(judged.evaluation),
        margin_(judged.margin),
        terms_(terms),
        over_stream_(run.whole && !run.only_mistakes) {}

  std::vector<FamilyBound> bounds() {
    if (run_.state == nullptr || (run_.start != nullptr && run_.start_state == nullptr)) return {};
    switch (c_.rule) {
      case RuleName::second_order:
      case RuleName::arow:
        second_order();
        break;
      case RuleName::arow_diagonal:
        diagonal();
        break;
      case RuleName::adagrad:
        adagrad();
        break;
      case RuleName::projected:
        projected();
        break;
      case RuleName::alma:
        alma();
        break;
      case RuleName::winnow1:
        winnow1();
        break;
      case RuleName::winnow2:
        winnow2();
        break;
      case RuleName::eg:
        gradient();
        break;
      default:
        break;
    }
    return std::move(found_);
  }

 private:
  bool biased() const { return c_.bias.place != Bias::none; }
  double number(std::size_t i) const { return run_.state->numbers.at(i); }
  // What has been added to a sum since the start, rounded up.
  double since(std::size_t i) const {
    return (number(i) - (run_.start_state == nullptr ? 0.0 : run_.start_state->numbers.at(i))) +
           number(i) * (kAbove - 1);
  }
  std::size_t coordinates() const { return u_.w.size() + (biased() ? 1 : 0); }
  // Coordinate i of u, of the start weights, and the moments then and now: features first, the bias last.
  double u(std::size_t i) const { return i < u_.w.size() ? u_.w[i] : u_.bias[0]; }
  double start(std::size_t i) const {
    if (run_.start == nullptr) return 0;
    if (i == u_.w.size()) return run_.start->bias[0];
    return i < run_.start->w.size() ? run_.start->w[i] : 0.0;
  }
  double moment(const LearnerState* state, std::size_t i, double first) const {
    if (state == nullptr) return first;
    if (i == u_.w.size()) return state->moments.back();
    return i < state->weights.w.size() ? state->moments[i] : first;
  }

  double weight_of(std::uint64_t i) const {
    const Block block = run_.rows->block(i / Rows::block_rows);
    return block.weight == nullptr ? 1.0 : block.weight[i % Rows::block_rows];
  }
  double steps_of(std::uint64_t i) const { return run_.steps && run_.whole ? run_.steps(i) : run_.visits(i); }

  // The scale for f(sum of hinge^power, scale), and the bound it gives.
  template <class F>
  void offer(const char* theorem, const char* partly, const F& f, int power = 1, double most = kUnlimited) {
    const MarginSample sample = sample_margins(*run_.rows, margin_, run_.visits);
    const double scale = over_stream_ ? best_scale(sample, power, f, most) : mean_scale(sample, most);
    if (scale == 0 && !over_stream_) return;
    const double hinges = hinge_sum(*run_.rows, margin_, scale, power, run_.visits);
    found_.push_back({rounding_up([&] { return f(hinges, scale) / terms_.smallest_weight; }),
                      over_stream_ ? theorem : partly, hinges, false});
  }

  // M + U <= sum hinge + sqrt(u'A u) sqrt(ln det + U) (arow.h; second_order.h has U = 0).
  void second_order() {
    if (run_.start != nullptr || run_.resumed) return;
    double squares = 0, spread = 0, unmistaken = 0, norm = 0;
    rounding_up([&] {
      // A margin that was rounded down may be too near 0 by this much.
      const double slack = (static_cast<double>(run_.ledger->largest_row) + 8) * 0x1p-50 *
                           std::sqrt(e_.squared_norm * e_.radius_squared);
      for (std::uint64_t i = 0; i < margin_.size(); ++i) {
        const double size = std::abs(margin_[i]) + slack;
        squares += steps_of(i) * weight_of(i) * size * size;
      }
      unmistaken = number(1) * kAbove;
      spread = std::sqrt((number(0) * kAbove + unmistaken) * terms_.allowance);
      norm = std::sqrt(c_.regularization * e_.squared_norm + squares);
    });
    const double taken_off = number(1) * kBelow;
    const bool arow = c_.rule == RuleName::arow;
    offer(arow ? "arow, hinge over the stream" : "second-order, hinge over the stream",
          arow ? "arow, hinge over the steps" : "second-order, hinge over the mistakes",
          [&](double hinges, double scale) { return hinges + (scale * (norm * spread) - taken_off); });
  }

  // arow_diagonal.h.
  void diagonal() {
    const double r = c_.regularization;
    double spread = 0, cross = 0, still = 0, moved = 0, drift = 0, leverage = 0;
    rounding_up([&] {
      for (std::size_t i = 0; i < coordinates(); ++i) {
        const double before = r / (moment(run_.start_state, i, 1.0) * kBelow);
        const double now = r / (moment(run_.state, i, 1.0) * kBelow);
        spread += before * u(i) * u(i);
        cross += before * std::abs(u(i) * start(i)) * kSlack - before * u(i) * start(i);
        still += before * start(i) * start(i);
        moved += std::max(0.0, now - before * kBelow * kBelow) * u(i) * u(i);
      }
      moved = std::sqrt(moved);
      drift = std::sqrt(std::max(0.0, since(2)));
      leverage = 1 + number(0) * kAbove;
    });
    const double gained =
        std::max(0.0, (number(1) - (run_.start_state ? run_.start_state->numbers[1] : 0.0)) - number(1) * (1 - kBelow));
    offer(
        "diagonal arow", "diagonal arow, over the steps",
        [&](double hinges, double scale) {
          const double root = drift + scale * moved;
          const double distance = scale * scale * spread + 2 * scale * cross + still;
          return leverage * ((distance + hinges + root * root) * terms_.allowance - gained);
        },
        2);
  }

  // adagrad.h.
  void adagrad() {
    const double box = ball_of(c_);
    double largest = 0, spread = 0, cross = 0, still = 0, roots = 0;
    rounding_up([&] {
      for (std::size_t i = 0; i < coordinates(); ++i) {
        const double before = std::sqrt(moment(run_.start_state, i, 0.0));
        const double now = std::sqrt(moment(run_.state, i, 0.0));
        largest = std::max(largest, std::abs(u(i)));
        spread += before * u(i) * u(i);
        cross += before * std::abs(u(i) * start(i)) * kSlack - before * u(i) * start(i);
        still += before * start(i) * start(i);
        roots += now - before * kBelow;
      }
      roots *= kAbove;
    });
    const double root_of_eight = 2.8284271247461903;  // rounded up
    offer(
        "adagrad", "adagrad, hinge over the mistakes",
        [&](double hinges, double scale) {
          const double distance = scale * scale * spread + 2 * scale * cross + still;
          return hinges + distance * kAbove / (2.8284271247461898 * box) + root_of_eight * box * roots;
        },
        1, box / largest * (1 - 0x1p-50));
  }

  // projected.h, with a fixed comparator.
  void projected() {
    const double rate = rate_of(c_);
    double cross = 0, still = 0, squares = 0;
    rounding_up([&] {
      for (std::size_t i = 0; i < coordinates(); ++i) {
        cross += -u(i) * start(i);
        still += start(i) * start(i);
      }
      const double drift = (static_cast<double>(run_.ledger->updates) + 1) * 0x1p-52;
      squares = (run_.ledger->update_squares - run_.before.update_squares + drift * run_.ledger->update_squares) *
                terms_.allowance;
    });
    const double most = ball_of(c_) / std::sqrt(e_.squared_norm) * (1 - 0x1p-50);
    offer(
        "projected, hinge over the stream", "projected, hinge over the mistakes",
        [&](double hinges, double scale) {
          const double distance = scale * scale * e_.squared_norm + 2 * scale * cross + still;
          return hinges + (distance + squares) / (2 * rate);
        },
        1, most);
  }

  // alma.h: its theorems are about rows divided by their norms.
  void alma() {
    if (!terms_.unweighted || (!run_.whole && !biased())) return;
    std::vector<double> margin(margin_.size());
    double smallest = kUnlimited;
    bool zero_row = false;
    rounding_up([&] {
      for (std::uint64_t i = 0; i < margin.size(); ++i) {
        const Block block = run_.rows->block(i / Rows::block_rows);
        const double squares = block.squared_norm[i % Rows::block_rows] + c_.bias.squared();
        zero_row = zero_row || squares == 0;
        if (squares == 0) continue;
        // Down, whichever its sign: the norm is right to n ulps.
        const double slack = (static_cast<double>(run_.ledger->largest_row) + 8) * 0x1p-52;
        const double norm = std::sqrt(squares) * (margin_[i] >= 0 ? 1 + slack : 1 - slack);
        margin[i] = -(-margin_[i] / norm);
        smallest = std::min(smallest, margin[i]);
      }
    });
    if (zero_row) return;  // such a row may be a mistake without a correction
    const double alpha = alpha_of(c_);
    const double corrections = static_cast<double>(run_.ledger->updates);
    const double before = static_cast<double>(run_.before.updates);
    const double mistakes = static_cast<double>(run_.ledger->mistakes - run_.before.mistakes);
    if (smallest > 0 && run_.whole && run_.start == nullptr && !run_.resumed) {
      found_.push_back({alma_bound(smallest, e_.squared_norm, alpha) * terms_.allowance, "alma", 0, true});
    }
    double length = 0;
    rounding_up([&] {
      length = std::sqrt(2 * e_.squared_norm) *
               (std::sqrt(corrections) + (4 / alpha - 3) * (std::sqrt(corrections) - std::sqrt(before) * kBelow)) *
               kAbove;
    });
    const std::vector<double> rows_margin = std::exchange(margin_, std::move(margin));
    offer("alma, hinge over the stream", "alma, hinge over the corrections",
          [&](double hinges, double scale) { return hinges + (scale * length - (corrections - before - mistakes)); });
    margin_ = rows_margin;
  }

  // A disjunction of few features that fits all rows at hand: those of no negative row, each time the one that the most
  // positive rows left have.
  void winnow1() {
    if (run_.start != nullptr || run_.resumed || u_.w.empty()) return;
    std::vector<std::uint8_t> misled(u_.w.size(), 0);
    std::vector<std::uint64_t> left;
    const auto each_feature = [&](std::uint64_t i, const auto& visit) {
      run_.rows->with_row(static_cast<std::uint32_t>(i), room_, [&](const auto& x) {
        for (std::uint32_t k = 0; k < x.size; ++k) {
          if constexpr (!std::is_same_v<typename std::decay_t<decltype(x)>::value_type, One>) {
            if (x.value[k] == 0) continue;
          }
          if (x.index[k] < u_.w.size()) visit(x.index[k]);
        }
      });
    };
    for (std::uint64_t i = 0; i < margin_.size(); ++i) {
      if (run_.visits(i) == 0 || weight_of(i) == 0) continue;
      const Block block = run_.rows->block(i / Rows::block_rows);
      if (block.label[i % Rows::block_rows] != 0) {
        left.push_back(i);
      } else {
        each_feature(i, [&](std::uint32_t j) { misled[j] = 1; });
      }
    }
    double literals = 0;
    std::vector<std::uint64_t> count(u_.w.size());
    while (!left.empty()) {
      std::fill(count.begin(), count.end(), 0);
      for (const std::uint64_t i : left) each_feature(i, [&](std::uint32_t j) { count[j] += misled[j] == 0; });
      const auto most = std::max_element(count.begin(), count.end());
      if (*most == 0 || literals == 64) return;
      const auto chosen = static_cast<std::uint32_t>(most - count.begin());
      std::erase_if(left, [&](std::uint64_t i) {
        bool has = false;
        each_feature(i, [&](std::uint32_t j) { has = has || j == chosen; });
        return has;
      });
      ++literals;
    }
    const double threshold = -run_.state->weights.bias[0];
    found_.push_back({winnow1_bound(literals, alpha_of(c_), threshold, number(0)), "winnow1, disjunction", 0, false});
  }

  // winnow.h: a divergence, and what each mistake takes off it.
  void winnow2() {
    if (std::any_of(u_.w.begin(), u_.w.end(), [](double value) { return value < 0; })) return;
    const double logarithm = std::log(alpha_of(c_));
    const double up = alpha_of(c_) - 1;
    const double down = 1 - 1 / alpha_of(c_);
    const double threshold = -run_.state->weights.bias[0];
    const double theirs = -u_.bias[0];
    // Each row's threshold at its round, from below, and its margin with the comparator's own threshold taken out.
    std::vector<double> least(margin_.size(), threshold);
    if (!c_.threshold && c_.order == OrderName::stream) {
      std::size_t features = run_.start == nullptr ? 0 : run_.start->w.size();
      for (std::uint64_t i = 0; i < margin_.size(); ++i) {
        run_.rows->with_row(static_cast<std::uint32_t>(i), room_, [&](const auto& x) {
          for (std::uint32_t k = 0; k < x.size; ++k) features = std::max<std::size_t>(features, x.index[k] + 1);
        });
        least[i] = std::max(1.0, 0.5 * static_cast<double>(features));
      }
    }
    // t of row i with scale * u, rounded down.
    const auto gain = [&](std::uint64_t i, double scale) {
      const Block block = run_.rows->block(i / Rows::block_rows);
      const bool positive = block.label[i % Rows::block_rows] != 0;
      const double slack = 0x1p-40;
      const double sum = positive ? margin_[i] + theirs : theirs - margin_[i];  // <u, x>, from below or above
      const double product = scale * logarithm * sum;
      const double t = positive ? product - up * threshold : down * least[i] - product;
      return t - slack * (std::abs(product) + threshold);
    };
    const auto divergence = [&](double scale) {
      return rounding_up([&] {
        double sum = 0;
        for (std::size_t j = 0; j < u_.w.size(); ++j) {
          const double w0 = run_.start != nullptr && j < run_.start->w.size() ? run_.start->w[j] : 1.0;
          const double part = scale * u_.w[j];
          if (part > 0 && !(w0 > 0)) return kUnlimited;
          const double term = part > 0 ? part * std::log(part / w0) : 0.0;
          sum += std::max(0.0, term + w0 - part + (std::abs(term) + w0 + part) * 0x1p-40);
        }
        return sum;
      });
    };
    const auto total = [&](double scale, double target, std::uint64_t stride) {
      return rounding_up([&] {
        double sum = 0;
        for (std::uint64_t i = 0; i < margin_.size(); i += stride) {
          const double short_of = target - gain(i, scale);
          if (short_of > 0 && weight_of(i) > 0) sum += run_.visits(i) * short_of;
        }
        return sum * static_cast<double>(stride);
      });
    };
    const std::uint64_t stride = std::max<std::uint64_t>(1, margin_.size() / 4096);
    double best = kUnlimited, best_scale = 0, best_target = 0;
    for (int k = -24; k <= 24; ++k) {
      const double scale = std::exp2(k / 4.0);
      const double distance = divergence(scale);
      for (int g = -10; g <= 2; ++g) {
        const double target = std::ldexp(threshold, g);
        const double value = (distance + total(scale, target, stride)) / target;
        if (value < best) std::tie(best, best_scale, best_target) = std::tuple(value, scale, target);
      }
    }
    if (best_target == 0) return;
    const double sum = total(best_scale, best_target, 1);
    const double value = rounding_up([&] { return (divergence(best_scale) + sum) / best_target; });
    found_.push_back({value, over_stream_ ? "winnow2, divergence" : "winnow2, divergence over the mistakes",
                      sum / best_target, false});
  }

  // eg.h.
  void gradient() {
    if (!terms_.unweighted) return;
    const double ball = ball_of(c_);
    const double rate = rate_of(c_);
    const double steps = static_cast<double>(run_.ledger->updates - run_.before.updates);
    double one_norm = 0, rest = 0;
    rounding_up([&] {
      for (std::size_t i = 0; i < coordinates(); ++i) one_norm += std::abs(u(i));
      // KL of any point of the simplex to the start: at most the logarithm of the smallest share there.
      double distance = std::log(2 * static_cast<double>(run_.dimension));
      if (run_.start_state != nullptr) {
        double largest = biased() ? std::abs(run_.start_state->weights.bias[0]) : 0.0;
        for (const double l : run_.start_state->weights.w) largest = std::max(largest, std::abs(l));
        const double grown = static_cast<double>(run_.dimension) /
                             static_cast<double>(std::max<std::size_t>(1, run_.start_state->weights.w.size()));
        distance = std::max(distance, largest + run_.start_state->numbers[0] + std::log(run_.start_state->numbers[1]) +
                                          std::log(grown));
      }
      const double reach = rate * e_.infinity_radius;
      rest = ball * (distance / rate + reach * reach / rate * steps / 2) * kAbove;
    });
    offer(
        "eg, hinge over the stream", "eg, hinge over the steps", [&](double hinges, double) { return hinges + rest; },
        1, ball / one_norm * (1 - 0x1p-50));
  }

  const RunForBound& run_;
  const Composition& c_;
  const ClassWeightVector& u_;
  const Evaluation& e_;
  std::vector<double> margin_;
  const BoundTerms& terms_;
  bool over_stream_;
  UnpackBuffer room_;
  std::vector<FamilyBound> found_;
};

}  // namespace

std::vector<FamilyBound> bound_of_family(const RunForBound& run, const Comparator& comparator,
                                         const EvaluatedMargins& judged, const BoundTerms& terms) {
  return Family(run, comparator, judged, terms).bounds();
}

}  // namespace halfspace
