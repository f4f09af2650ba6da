// The course of a minimization: descend, look at the gap, prove it.
#include "halfspace/optimum/optimum.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include "base/clock.h"
#include "base/parallel.h"
#include "halfspace/base/error.h"
#include "halfspace/detail/base/elementary.h"
#include "halfspace/detail/base/rounding.h"
#include "optimum/descent.h"
#include "optimum/newton.h"
#include "optimum/newton_by_sums.h"
#include "optimum/proof.h"
#include "optimum/row_sums.h"
#include "optimum/start.h"
#include "optimum/weights.h"

namespace halfspace {
namespace optimum {
namespace {

void check(const OptimumOptions& options) {
  if (!(options.cost > 0 && std::isfinite(options.cost)))
    throw Error(ErrorKind::usage, option("C") + " must be a finite number above 0").fix("such as " + option("C", "1"));
  if (!std::isfinite(options.bias))
    throw Error(ErrorKind::usage, option("bias-scale") + " must be finite").fix("leave it out");
  if (!(options.gap >= 0))
    throw Error(ErrorKind::usage, option("gap") + " must be at least 0").fix("such as " + option("gap", "1e-6"));
}

// Notices that a positive number has stopped falling.
class Stagnation {
 public:
  // `patience`: so many numbers in a row that are not below `share` of the least before.
  Stagnation(int patience, double share) : patience_(patience), share_(share) {}
  bool with(double now) {
    since_ = now < share_ * least_ ? 0 : since_ + 1;
    if (since_ == 0) least_ = now;
    return since_ >= patience_;
  }

 private:
  int patience_, since_ = 0;
  double share_, least_ = HUGE_VAL;
};

constexpr std::uint64_t fewest_newton_passes = 6;

bool has_free_bias(const OptimumOptions& options) { return !options.penalize_bias && options.bias != 0; }

// Returns how many coarse passes come first: a step of Newton's method takes several passes, and where few are allowed,
// dual coordinate steps get nearer.
std::uint64_t coarse_passes(const OptimumOptions& options) {
  constexpr std::uint64_t few = 5, all_coarse = few + fewest_newton_passes, unlimited = 30;
  if (!options.passes || *options.passes >= unlimited || !options.start.empty()) return 0;
  return *options.passes < all_coarse ? *options.passes : few;
}

// The gap and the primal objective of some rows, to nearest.
struct Gap {
  double gap = 0, primal = 0;
  double relative() const { return primal > 0 ? gap / primal : 0; }
};

// The rows of a descent: items of some blocks or of all, passes over them, and their margins.
class DescentRows {
 public:
  // `dual_variables`: of all rows. Keeps references to all.
  DescentRows(const Rows& rows, const OptimumOptions& options, Weights& weights, std::vector<double>& dual_variables)
      : rows_(rows),
        options_(options),
        weights_(weights),
        dual_variables_(dual_variables),
        descent_(options, weights) {}

  Descent& descent() { return descent_; }
  // Makes active again what may move, by the margins that were looked at last.
  void reconsider() { descent_.reconsider(margins_); }

  // Makes items of the rows of some blocks.
  void load(std::size_t first_block, std::size_t last_block) {
    items_.clear();
    for (std::size_t b = first_block; b < last_block; ++b) {
      const Block block = rows_.block(b);
      for (std::size_t i = 0; i < block.rows; ++i) {
        Item item = item_of(block, i, options_, weights_.bias_value);
        if (!(item.cost > 0)) continue;  // its dual variable is 0
        item.number = b * Rows::block_rows + i;
        item.a = dual_variables_[item.number];
        items_.push_back(item);
      }
    }
    descent_.begin(items_);
  }
  void store() {
    for (const Item& item : items_) dual_variables_[item.number] = item.a;
  }

  // Adds up the gaps and losses of all rows.
  Gap look_at_all() {
    if (!rows_.spilled()) return look();
    Gap all;
    for (std::size_t b = 0; b < rows_.blocks(); ++b) {
      load(b, b + 1);
      const Gap of_block = look();
      all.gap += of_block.gap;
      all.primal += of_block.primal;
      rows_.release(b);
    }
    return all;
  }

 private:
  // Adds up the gap and the losses over the items, and finds their margins.
  Gap look() {
    margins_.resize(items_.size());
    constexpr std::size_t step = 4096;
    std::vector<Gap> sums((items_.size() + step - 1) / step);
    in_parallel(items_.size(), step, [&](std::size_t begin, std::size_t end) {
      UnpackBuffer room;
      Gap& sum = sums[begin / step];
      for (std::size_t i = begin; i < end; ++i) {
        margins_[i] = margin_of(weights_, items_[i], room);
        sum.gap += gap_of(options_.loss, items_[i].a, items_[i].cost, margins_[i]);
        sum.primal += items_[i].cost * value_of(options_.loss, margins_[i]);
      }
    });
    Gap all;
    for (const Gap& sum : sums) {
      all.gap += sum.gap;
      all.primal += sum.primal;
    }
    return all;
  }

  const Rows& rows_;
  const OptimumOptions& options_;
  Weights& weights_;
  std::vector<double>& dual_variables_;
  std::vector<Item> items_;
  std::vector<double> margins_;
  Descent descent_;
};

// Returns the weights of the features and of the bias feature, whatever steps the bias takes.
Weights plain(const OptimumOptions& options, Weights weights) {
  if (!has_free_bias(options)) return weights;
  weights.bias() = bias_score(weights) / options.bias;
  weights.bias_value = options.bias;
  weights.offset = 0;
  return weights;
}

// Sets the result: the weights, and what is proved of them.
void prove(const Rows& rows, const OptimumOptions& options, const Weights& weights, const Scaling& scaling,
           const DualSums& sums, Optimum& result) {
  const std::size_t penalised = weights.w.size() - (options.penalize_bias ? 0 : 1);
  result.primal = primal_above({weights.w.data(), penalised}, losses_above(rows, options, weights));
  result.dual = dual_below(sums, negative_duals_above(rows, options, result.dual_variables, scaling));
  finish(result);
  result.weights.assign(weights.w.begin(), weights.w.end() - 1);
  result.bias = weights.bias();
}

class Minimization {
 public:
  Minimization(const Rows& rows, const OptimumOptions& options)
      : rows_(rows),
        options_(options),
        weights_(rows.features(), options.bias),
        draws_(options.seed),
        aim_(options.gap) {
    result_.dual_variables = begin(rows, options, weights_);
  }

  Optimum run() {
    // Where rows are many and features few, a pass over the rows tells the curvature of all directions at once.
    const std::size_t features = weights_.w.size();
    const bool many_rows = rows_.size() >= (features <= NewtonSystem::few ? 1 : 4) * features;
    if (many_rows || options_.loss == MarginLoss::logistic ||
        (options_.loss == MarginLoss::squared_hinge && free_bias())) {
      by_coarse_passes(coarse_passes(options_));
      if (result_.passes == 0 || !ended(fewest_newton_passes)) by_newton();
    } else {
      if (!rows_.spilled()) items_.load(0, rows_.blocks());
      free_bias() ? by_proximal_steps() : by_descent();
    }
    if (barely_began()) begin_again_coarsely();
    if (result_.relative_gap() <= options_.gap) result_.stopped = OptimumStop::gap;
    return std::move(result_);
  }

 private:
  // `ahead`: passes that have to follow before it is asked again.
  bool ended(std::uint64_t ahead = 0) {
    const bool time = options_.seconds && seconds_since(began_) >= *options_.seconds;
    const bool interrupt = options_.interrupt != nullptr && options_.interrupt->load(std::memory_order_relaxed);
    if (!interrupt && !time && !(options_.passes && result_.passes + ahead >= *options_.passes)) return false;
    result_.stopped = interrupt ? OptimumStop::interrupted : time ? OptimumStop::time : OptimumStop::passes;
    return true;
  }

  void show(const Gap& gap) const {
    if (options_.on_progress) options_.on_progress({result_.passes, result_.visits, gap.relative()});
  }

  bool free_bias() const { return has_free_bias(options_); }

  // Returns whether the run is over: the gap is proved, or out of the reach of doubles. Otherwise it aims at less: what
  // was proved loses to rounding.
  bool finished() {
    if (result_.relative_gap() <= options_.gap) return true;
    aim_ /= 4;
    if (aim_ > 1e-17 && aim_ >= options_.gap * 0x1p-12) return false;
    result_.stopped = OptimumStop::precision;
    return true;
  }

  // ---- a few coarse passes ----

  // Returns whether the clock or an interrupt came before there were weights worth returning.
  bool barely_began() const {
    constexpr double far = 0.5;
    return (result_.stopped == OptimumStop::time || result_.stopped == OptimumStop::interrupted) && !coarse_ &&
           options_.start.empty() && result_.relative_gap() > far;
  }

  // Makes one coarse pass from 0, and keeps the nearer of what was found before and what it gives.
  void begin_again_coarsely() {
    const Optimum before = result_;
    weights_ = Weights(rows_.features(), options_.bias);
    std::fill(result_.dual_variables.begin(), result_.dual_variables.end(), 0.0);
    by_coarse_passes(1);
    if (before.relative_gap() < result_.relative_gap()) result_ = before;
  }

  // Visits every row that many times: its dual variable goes to its best value. Proves what that gives.
  void by_coarse_passes(std::uint64_t count) {
    if (count == 0) return;
    for (std::uint64_t made = 0; made < count && (made == 0 || !ended()); ++made) {
      std::vector<std::uint32_t> order(rows_.blocks());
      shuffle(draws_, order);
      for (const std::uint32_t b : order) {
        items_.load(b, b + 1);
        pass();
        items_.store();
        rows_.release(b);
      }
      ++result_.passes;
    }
    ended();
    prove_dual_variables();
    coarse_ = result_;
  }

  // Takes the result of the coarse passes back, if what came after them is further from the minimum.
  void keep_coarse_if_nearer() {
    if (!coarse_ || !(coarse_->relative_gap() < result_.relative_gap())) return;
    coarse_->passes = result_.passes;
    coarse_->visits = result_.visits;
    coarse_->stopped = result_.stopped;
    result_ = std::move(*coarse_);
  }

  // ---- Newton's method ----

  void prove_newton(const Newton& newton) {
    result_.dual_variables = newton.dual_variables();
    prove_dual_variables();
  }
  void prove_dual_variables() {
    const Scaling scaling = scaling_of(options_, class_sums(rows_, options_, result_.dual_variables));
    prove(rows_, options_, weights_, scaling, dual_sums(rows_, options_, result_.dual_variables, scaling), result_);
  }

  void by_newton() {
    // A step moves the weights along, and evaluates there.
    constexpr std::uint64_t ahead = 3;
    const std::uint64_t before = result_.passes, visits_before = result_.visits;
    Newton newton(rows_, options_, weights_, result_.dual_variables, [this, before](std::uint64_t passes) {
      result_.passes = before + passes;
      return ended(ahead);
    });
    Stagnation gaps(40, 0.9);
    for (;;) {
      newton.evaluate();
      result_.passes = before + newton.passes();
      result_.visits = visits_before + newton.passes() * rows_.size();
      const Gap now{newton.gap(), newton.primal()};
      show(now);
      if (!std::isfinite(now.gap)) break;
      if (gaps.with(now.gap)) result_.stopped = OptimumStop::precision;
      if (options_.loss == MarginLoss::hinge) keep_if_nearer(newton);
      while (now.gap <= aim_ * now.primal) {
        prove_newton(newton);
        if (finished()) return;
      }
      if (result_.stopped == OptimumStop::precision || ended(ahead)) break;
      if (newton.step(aim_ * now.primal)) continue;
      if (!ended(ahead)) result_.stopped = OptimumStop::precision;
      break;
    }
    if (nearest_gap_ < newton.gap()) {
      weights_ = std::move(*best_);
      result_.dual_variables = std::move(nearest_dual_variables_);
      prove_dual_variables();
    } else {
      prove_newton(newton);
    }
    keep_coarse_if_nearer();
  }

  // The gap of a smoothed hinge rises each time it is smoothed less. A run may be told to end just then.
  void keep_if_nearer(const Newton& newton) {
    constexpr double worth_while = 0.5;
    if (!(newton.gap() < worth_while * nearest_gap_)) return;
    nearest_gap_ = newton.gap();
    nearest_dual_variables_ = newton.dual_variables();
    best_ = weights_;
  }

  // ---- descent, for the hinge and its square ----

  PassSums pass() {
    const PassSums sums = items_.descent().pass(draws_);
    result_.visits += sums.visits;
    return sums;
  }

  Gap look_at_all() {
    Gap all = items_.look_at_all();
    const std::size_t penalised = weights_.w.size() - (free_bias() ? 1 : 0);
    for (std::size_t j = 0; j < penalised; ++j) all.primal += weights_.w[j] * weights_.w[j] / 2;
    show(all);
    if (all.primal < best_primal_) {
      best_primal_ = all.primal;
      best_ = plain(options_, weights_);
    }
    return all;
  }

  // Proves the bounds of the dual variables and of their weights, or of the best that were met: the objective of a
  // descent that was broken off may be far above.
  void prove_descent(bool reached) {
    if (!rows_.spilled()) items_.store();
    const Scaling scaling = scaling_of(options_, class_sums(rows_, options_, result_.dual_variables));
    const DualSums sums = dual_sums(rows_, options_, result_.dual_variables, scaling);
    Weights middle = plain(options_, weights_);
    const double bias = middle.bias();
    middle.w = sums.middle();
    if (free_bias()) middle.bias() = bias;
    prove(rows_, options_, middle, scaling, sums, result_);
    if (!reached && best_ && best_primal_ < result_.primal) prove(rows_, options_, *best_, scaling, sums, result_);
    if (!free_bias()) weights_ = middle;
  }

  // Descends until the gap is at most this share of the objective. Returns false if it does not get there.
  bool approach(double share) {
    Stagnation looks(rows_.spilled() ? 100 : 60, 0.9);
    for (;;) {
      const Gap now = look_at_all();
      if (now.gap <= share * now.primal) break;
      if (looks.with(now.gap)) {
        result_.stopped = OptimumStop::precision;
        return false;
      }
      if (!(rows_.spilled() ? descend_blocks() : descend(now, share * now.primal))) return false;
    }
    return true;
  }

  void by_descent() {
    for (;;) {
      const bool reached = approach(aim_);
      prove_descent(reached);
      if (!reached || finished()) return;
    }
  }

  // The bias is b + sqrt(t) u, and u is penalised: its feature has sqrt(t) times the value. Each step takes b to where
  // the bias is.
  void by_proximal_steps() {
    Stagnation steps(20, 0.9);
    double gap = 1;
    for (;;) {
      const bool reached = approach(std::max(0.2 * aim_, 0.05 * gap));
      prove_descent(reached);
      gap = result_.relative_gap();
      if (gap <= options_.gap || !reached) return;
      if (steps.with(gap)) {
        result_.stopped = OptimumStop::precision;
        return;
      }
      weights_.offset = bias_score(weights_);
      lengthen_steps();
    }
  }
  void lengthen_steps() {
    constexpr double longer = 1.5, most = 1e3;
    if (std::abs(weights_.bias_value) > most * std::abs(options_.bias)) return;
    weights_.bias_value *= longer;
    weights_.bias() *= longer;
    if (!rows_.spilled()) items_.load(0, rows_.blocks());
  }

  // Makes passes until the gap of the active rows is small enough, or stops falling. Returns false if the run ended.
  bool descend(const Gap& last, double aim) {
    items_.reconsider();
    const double enough = items_.descent().shrunk() ? std::max(0.3 * aim, 0.1 * last.gap) : 0.9 * aim;
    Stagnation passes(200, 0.99);
    constexpr int tenth = 10;
    double before = HUGE_VAL;
    std::size_t active = 0;
    for (int count = 1; !ended(); ++count) {
      const double gap = pass().gap;
      ++result_.passes;
      if (gap <= enough || passes.with(gap)) return true;
      if (count % tenth != 0) continue;
      // Where rows still leave, the free ones of now say little.
      if (gap > 0.3 * before && items_.descent().active() > active - active / 20)
        result_.visits += items_.descent().step_of_free([this] { return ended(); });
      before = gap;
      active = items_.descent().active();
    }
    return false;
  }

  // A pass over blocks in random order. Returns false if the run ended.
  bool descend_blocks() {
    std::vector<std::uint32_t> order(rows_.blocks());
    shuffle(draws_, order);
    for (const std::uint32_t b : order) {
      if (ended()) return false;
      descend_block(b);
    }
    ++result_.passes;
    return true;
  }

  void descend_block(std::size_t b) {
    items_.load(b, b + 1);
    const double first = pass().gap;
    for (int more = 0; more < 4 && pass().gap > 0.1 * first; ++more) continue;
    items_.store();
    rows_.release(b);
  }

  const Rows& rows_;
  const OptimumOptions& options_;
  Weights weights_;
  std::optional<Weights> best_;  // of those looked at
  double best_primal_ = HUGE_VAL;
  double nearest_gap_ = HUGE_VAL;  // of Newton's method for a hinge
  std::vector<double> nearest_dual_variables_;
  Generator draws_;
  double aim_;
  Clock::time_point began_ = Clock::now();
  std::optional<Optimum> coarse_;  // the result of the coarse passes
  Optimum result_;
  DescentRows items_{rows_, options_, weights_, result_.dual_variables};
};

}  // namespace
}  // namespace optimum

double Optimum::relative_gap() const {
  return rounding_up([&] {
    const double gap = larger(0.0, primal - dual);
    return gap == 0 ? 0.0 : primal > 0 ? gap / primal : kInfinity;
  });
}

int certain_digits(double weight, double radius) {
  constexpr int most = 17;
  if (weight == 0 || !std::isfinite(weight) || !(radius >= 0)) return 0;
  int exponent = static_cast<int>(std::floor(elementary::log10(std::abs(weight))));
  if (elementary::power_of_ten(exponent) > std::abs(weight)) --exponent;
  // The powers are right to an ulp or so.
  const double above = radius * (1 + 0x1p-40);
  int digits = 0;
  while (digits < most && above <= 0.5 * elementary::power_of_ten(exponent - digits)) ++digits;
  return digits;
}

Optimum minimize(const Rows& rows, const OptimumOptions& options) {
  optimum::check(options);
  return optimum::Minimization(rows, options).run();
}

Optimum minimize_softmax(const Rows& rows, const OptimumOptions& options, std::uint32_t classes, const Optimum* begin) {
  optimum::check(options);
  const auto began = Clock::now();
  const std::unique_ptr<optimum::RowSums> sums = optimum::row_sums(rows, options, classes);
  std::uint64_t passes = 0;
  std::optional<OptimumStop> stopped;
  // A step evaluates what it leads to, and the proof takes two passes.
  constexpr std::uint64_t ahead = 3;
  optimum::SumsProblem problem{.features = rows.features(), .vectors = classes};
  if (begin != nullptr && begin->weights.size() == std::size_t{rows.features()} * classes) {
    problem.start = begin->weights;
    problem.start.insert(problem.start.end(), begin->biases.begin(), begin->biases.end());
  }
  for (std::size_t b = 0; b < rows.blocks(); ++b) {
    const Block block = rows.block(b);
    for (std::size_t i = 0; i < block.rows; ++i)
      problem.all_cost += optimum::cost_of(options, block.weight == nullptr ? 1.0 : block.weight[i]);
    rows.release(b);
  }
  problem.ask = [&](const optimum::SumsAsked& asked) {
    ++passes;
    return sums->answer(asked);
  };
  problem.stop = [&] {
    if (options.interrupt != nullptr && options.interrupt->load(std::memory_order_relaxed))
      stopped = OptimumStop::interrupted;
    else if (options.seconds && seconds_since(began) >= *options.seconds)
      stopped = OptimumStop::time;
    else if (options.passes && passes + ahead >= *options.passes)
      stopped = OptimumStop::passes;
    return stopped.has_value();
  };
  problem.on_step = [&](std::uint64_t made, double gap) {
    if (options.on_progress) options.on_progress({made, made * rows.size(), gap});
  };
  Optimum found = minimize_by_sums(options, problem);
  found.visits = found.passes * rows.size();
  if (stopped && found.relative_gap() > options.gap) found.stopped = *stopped;
  return found;
}

}  // namespace halfspace
