// Winnow1 and Winnow2: their bounds, and their entries in the table of rules. Compiled with -frounding-math.
#include "halfspace/rules/winnow.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

#include "halfspace/base/error.h"
#include "halfspace/detail/base/elementary.h"
#include "halfspace/detail/base/rounding.h"
#include "halfspace/rules/rule_entry.h"

namespace halfspace {

double winnow1_bound(double literals, double alpha, double threshold, double appeared) {
  if (!(threshold >= 1 / alpha)) return kInfinity;
  const double logarithm = larger(0.0, elementary::log(threshold) / elementary::log(alpha) + 1);
  return above(above(alpha * literals * above(logarithm)) + above(appeared));
}

namespace rules {
namespace {

std::unique_ptr<Learner> make_winnow(const Composition& c, const LearnerOptions&) {
  const Fall fall = c.rule == rule::winnow1 ? Fall::eliminate : Fall::demote;
  return make_linear(Winnow{c.tie}, WinnowWeights(c.bias, fall, c.value(parameter::alpha), c.given(parameter::theta)),
                     c);
}

void check_winnow(const Composition& c) {
  if (c.bias.position != Bias::none && c.bias.scale == 1) return;
  throw Error(ErrorKind::usage, option("bias", "none") + ", " + option("bias-scale") + ": the bias of " +
                                    option("rule", name_of(c.rule)) + " is its threshold")
      .fix("leave out " + option("bias") + " and " + option("bias-scale") + "; " + option("theta") + " sets it");
}

// The kept rows as sets of features.
class FeatureSets {
 public:
  explicit FeatureSets(const Rows& rows) : rows_(rows) {}

  template <class Visit>
  void each(std::uint64_t row, const Visit& visit) {
    rows_.with_row(static_cast<std::uint32_t>(row), buffer_, [&](const auto& x) {
      for (std::uint32_t k = 0; k < x.size; ++k) {
        if (x.value_at(k) != 0) visit(x.index[k]);
      }
    });
  }
  bool has(std::uint64_t row, std::uint32_t feature) {
    bool found = false;
    each(row, [&](std::uint32_t j) { found = found || j == feature; });
    return found;
  }
  // The row's largest index, less -1 when it has none; stored zeros count.
  std::size_t width(std::uint64_t row) {
    std::size_t features = 0;
    rows_.with_row(static_cast<std::uint32_t>(row), buffer_, [&](const auto& x) {
      for (std::uint32_t k = 0; k < x.size; ++k) features = std::max<std::size_t>(features, x.index[k] + 1);
    });
    return features;
  }
  bool positive(std::uint64_t row) const {
    return rows_.block(row / Rows::block_rows).label[row % Rows::block_rows] != 0;
  }

 private:
  const Rows& rows_;
  UnpackBuffer buffer_;
};

// Returns the number of literals of a disjunction that fits all kept rows, found greedily: features of no negative row,
// each time the one in most remaining positive rows. Empty if none of at most 64 was found.
std::optional<double> disjunction(const BoundSearch& search) {
  const std::size_t features = search.u().w.size();
  FeatureSets sets(*search.run().rows);
  std::vector<std::uint8_t> misled(features, 0);
  std::vector<std::uint64_t> left;
  for (std::uint64_t i = 0; i < search.margins().size(); ++i) {
    if (search.run().visits(i) == 0 || search.weight_of(i) == 0) continue;
    if (sets.positive(i)) {
      left.push_back(i);
    } else {
      sets.each(i, [&](std::uint32_t j) {
        if (j < features) misled[j] = 1;
      });
    }
  }
  double literals = 0;
  std::vector<std::uint64_t> count(features);
  while (!left.empty()) {
    std::fill(count.begin(), count.end(), 0);
    for (const std::uint64_t i : left) {
      sets.each(i, [&](std::uint32_t j) {
        if (j < features) count[j] += misled[j] == 0;
      });
    }
    const auto most = std::max_element(count.begin(), count.end());
    if (*most == 0 || literals == 64) return std::nullopt;
    const auto chosen = static_cast<std::uint32_t>(most - count.begin());
    std::erase_if(left, [&](std::uint64_t i) { return sets.has(i, chosen); });
    ++literals;
  }
  return literals;
}

void winnow1_bounds(const Composition& c, BoundSearch& search) {
  if (search.run().start != nullptr || search.run().resumed)
    return search.asks_for("a run from its first round on, and the rows of all of it");
  if (search.u().w.empty()) return;
  const auto literals = disjunction(search);
  if (!literals) return;
  const double threshold = -search.run().state->weights.bias[0];
  search.offer(winnow1_bound(*literals, c.value(parameter::alpha), threshold, search.number(0)), "winnow1, disjunction",
               0, false);
}

// The divergence of winnow.h, and what each mistake takes off it.
class Divergence {
 public:
  Divergence(const Composition& c, const BoundSearch& search)
      : search_(search),
        u_(search.u()),
        logarithm_(elementary::log(c.value(parameter::alpha))),
        up_(c.value(parameter::alpha) - 1),
        down_(1 - 1 / c.value(parameter::alpha)),
        threshold_(-search.run().state->weights.bias[0]),
        least_(search.margins().size(), threshold_) {
    if (!c.given(parameter::theta) && c.order == OrderName::stream) find_thresholds();
  }

  // The least (divergence + shortfalls) / target over scales of u and targets, and the shortfalls in it.
  void offer(BoundSearch& search) const {
    const std::uint64_t stride = std::max<std::uint64_t>(1, search_.margins().size() / 4096);
    double best = kInfinity, best_scale = 0, best_target = 0;
    for (int k = -24; k <= 24; ++k) {
      const double scale = elementary::exp2(k / 4.0);
      const double distance = divergence(scale);
      for (int g = -10; g <= 2; ++g) {
        const double target = std::ldexp(threshold_, g);
        const double value = (distance + shortfall(scale, target, stride)) / target;
        if (value < best) std::tie(best, best_scale, best_target) = std::tuple(value, scale, target);
      }
    }
    if (best_target == 0) return;
    const double sum = shortfall(best_scale, best_target, 1);
    const double value = rounding_up([&] { return (divergence(best_scale) + sum) / best_target; });
    search.offer(value, search.over_stream() ? "winnow2, divergence" : "winnow2, divergence over the mistakes",
                 sum / best_target, false);
  }

 private:
  // Each row's threshold at its round, from below.
  void find_thresholds() {
    FeatureSets sets(*search_.run().rows);
    std::size_t features = search_.run().start == nullptr ? 0 : search_.run().start->w.size();
    for (std::uint64_t i = 0; i < least_.size(); ++i) {
      features = std::max(features, sets.width(i));
      least_[i] = larger(1.0, 0.5 * static_cast<double>(features));
    }
  }

  // t of row i with scale * u, rounded down; the comparator's own threshold is taken out of its margin.
  double gain(std::uint64_t i, double scale) const {
    const Block block = search_.run().rows->block(i / Rows::block_rows);
    const bool positive = block.label[i % Rows::block_rows] != 0;
    const double theirs = -u_.bias[0];
    const double margin = search_.margins()[i];
    const double sum = positive ? margin + theirs : theirs - margin;  // <u, x>, from below or above
    const double product = scale * logarithm_ * sum;
    const double t = positive ? product - up_ * threshold_ : down_ * least_[i] - product;
    return t - 0x1p-40 * (std::abs(product) + threshold_);
  }

  double divergence(double scale) const {
    const ClassWeightVector* start = search_.run().start;
    return rounding_up([&] {
      double sum = 0;
      for (std::size_t j = 0; j < u_.w.size(); ++j) {
        const double w0 = start != nullptr && j < start->w.size() ? start->w[j] : 1.0;
        const double part = scale * u_.w[j];
        if (part > 0 && !(w0 > 0)) return kInfinity;
        const double term = part > 0 ? part * elementary::log(part / w0) : 0.0;
        sum += larger(0.0, term + w0 - part + (std::abs(term) + w0 + part) * 0x1p-40);
      }
      return sum;
    });
  }

  double shortfall(double scale, double target, std::uint64_t stride) const {
    return rounding_up([&] {
      double sum = 0;
      for (std::uint64_t i = 0; i < search_.margins().size(); i += stride) {
        const double short_of = target - gain(i, scale);
        if (short_of > 0 && search_.weight_of(i) > 0) sum += search_.run().visits(i) * short_of;
      }
      return sum * static_cast<double>(stride);
    });
  }

  const BoundSearch& search_;
  const ClassWeightVector& u_;
  double logarithm_, up_, down_, threshold_;
  std::vector<double> least_;
};

void winnow2_bounds(const Composition& c, BoundSearch& search) {
  const std::vector<double>& w = search.u().w;
  if (std::any_of(w.begin(), w.end(), [](double value) { return value < 0; })) return;
  Divergence(c, search).offer(search);
}

RuleEntry entry(RuleName id, std::string_view name, std::string_view words, std::string_view help, double alpha) {
  RuleEntry entry{.id = id, .name = name, .words = words, .help = help};
  entry.group = RuleGroup::multiplicative;
  entry.cost = "O(stored values) a round";
  entry.source = "Littlestone 1988";
  entry.presets = {{name, help, id, OrderName::stream, KeepName::last, Tie::negative, Clean::no}};
  entry.parameters = {{.parameter = &parameter::theta,
                       .help = "what a sum of weights must exceed, else half the number of features",
                       .domain = domain::positive,
                       .fix = "leave it out: it is then half the number of features"},
                      {.parameter = &parameter::alpha,
                       .help = "what a promotion multiplies by",
                       .domain = domain::above_one,
                       .fallback = alpha,
                       .fix = "leave it out for the default"}};
  entry.make = make_winnow;
  entry.plain_weights = false;
  entry.check = check_winnow;
  return entry;
}

}  // namespace

std::vector<RuleEntry> winnow() {
  RuleEntry first = entry(rule::winnow1, "winnow1", "Winnow1", "features of 0 and 1: eliminates what misled", 2);
  first.theorem = "winnow1, disjunction: alpha k (log_alpha(theta) + 1) + d / theta, if an \"or\" of k features fits";
  first.bounds = winnow1_bounds;
  first.bounds_ask = "a disjunction of at most 64 features that fits every row, and a threshold of at least 1 / alpha";
  RuleEntry second = entry(rule::winnow2, "winnow2", "Winnow2", "features of 0 and 1: demotes what misled", 1.5);
  second.theorem = "winnow2, divergence: (D(u) + sum of max(0, g - t)) / g, for any u >= 0 and g > 0";
  second.bounds = winnow2_bounds;
  second.bounds_ask = "weights of at least 0, above 0 only where those it began with are";
  return {std::move(first), std::move(second)};
}

}  // namespace rules
}  // namespace halfspace
