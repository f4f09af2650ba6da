// Searches comparators and scales for the best bound of a run. Compiled with -frounding-math.
#include "halfspace/detail/bounds/bound_search.h"

#include <algorithm>
#include <cmath>

#include "bounds/margin_sample.h"
#include "bounds/weight_evaluator.h"
#include "halfspace/bounds/formulas.h"
#include "halfspace/detail/base/rounding.h"

namespace halfspace {
namespace {

// Scores of rows of n terms are off by at most (n + 2) ulp of |w| |x|, an update by one ulp of |w|; with |w| <= R
// sqrt(M) the squared norm after M updates is then within this factor of what the proofs allow.
double rounding_allowance(std::uint32_t longest_row, std::uint64_t updates) {
  return 1 + 4 * (static_cast<double>(longest_row) + 8) * (static_cast<double>(updates) + 1) * 0x1p-53;
}

// Returns <sign * a, b>, with the bias coordinates if asked.
double signed_dot(double sign, const ClassWeightVector& a, const ClassWeightVector& b, bool with_bias) {
  double sum = 0;
  for (std::size_t i = 0; i < std::min(a.w.size(), b.w.size()); ++i) sum += sign * a.w[i] * b.w[i];
  if (with_bias) {
    for (std::size_t k = 0; k < a.bias.size(); ++k) sum += sign * a.bias[k] * b.bias[k];
  }
  return sum;
}

}  // namespace

double dot(const ClassWeightVector& a, const ClassWeightVector& b, bool with_bias) {
  return signed_dot(1, a, b, with_bias);
}

BoundSearch::BoundSearch(const RunForBound& run, double factors)
    : run_(run),
      allowance_(rounding_allowance(run.ledger->largest_row, run.ledger->updates - run.before.updates)),
      smallest_weight_(std::min(1.0, run.ledger->smallest_mistake_weight)),
      factors_(factors) {
  for (std::size_t b = 0; b < run.rows->blocks(); ++b) {
    const Block block = run.rows->block(b);
    for (std::size_t i = 0; block.weight != nullptr && i < block.rows; ++i) {
      if (block.weight[i] == 0) continue;
      lightest_ = std::min(lightest_, block.weight[i]);
      heaviest_ = std::max(heaviest_, block.weight[i]);
    }
  }
}

// The theorems are about real numbers: a product that underflows, or a step that does, is another run. Rates, weights of
// rows and the square of the longest row are multiplied with one another and divided by one another.
bool BoundSearch::products_stay() const {
  const double reach = factors_ * (heaviest_ / lightest_);
  const double radius_squared = std::max(evaluation().radius_squared, ledger().largest_squared_norm);
  if (!(reach <= 0x1p300)) return false;
  return reach == 1 || radius_squared == 0 ||
         (bounds_can_tell(radius_squared * reach) && bounds_can_tell(radius_squared / reach));
}

bool BoundSearch::set_comparator(const Comparator& comparator) {
  comparator_ = &comparator;
  brought_ = brought_within_reach(*comparator.u, run_.bias);
  evaluated_ = comparator.evaluated;
  if (evaluated_ == nullptr) {
    fresh_ = evaluate_margins(*run_.rows, u(), run_.bias, run_.tie);
    evaluated_ = &fresh_;
  }
  const Evaluation& e = evaluation();
  const bool can_tell = bounds_can_tell(std::max(e.radius_squared, ledger().largest_squared_norm)) &&
                        e.squared_norm != 0 && std::isfinite(e.squared_norm) && std::isfinite(e.smallest_margin);
  if (!can_tell) asks_for("rows and weights whose squares stay within the doubles");
  const bool stay = products_stay();
  if (!stay) asks_for("parameters, weights of rows, and rows whose products stay within the doubles");
  return can_tell && stay;
}

bool BoundSearch::holds_squares() {
  if (evaluation().squares_lost) asks_for("rows whose squares are 0 or stay within the doubles");
  return !evaluation().squares_lost;
}

double BoundSearch::start(std::size_t i) const {
  if (run_.start == nullptr) return 0;
  if (i == u().w.size()) return run_.start->bias[0];
  return i < run_.start->w.size() ? run_.start->w[i] : 0.0;
}

double BoundSearch::moment(const LearnerState* state, std::size_t i, double first) const {
  if (state == nullptr) return first;
  if (i == u().w.size()) return state->moments.back();
  return i < state->weights.w.size() ? state->moments[i] : first;
}

double BoundSearch::added(std::size_t i) const {
  return rounding_up([&] {
    const double before = run_.start_state == nullptr ? 0.0 : run_.start_state->numbers.at(i);
    return (number(i) - before) + number(i) * (kAbove - 1);
  });
}

double BoundSearch::weight_of(std::uint64_t row) const {
  const Block block = run_.rows->block(row / Rows::block_rows);
  return block.weight == nullptr ? 1.0 : block.weight[row % Rows::block_rows];
}

double BoundSearch::squared_norm_of(std::uint64_t row) const {
  return run_.rows->block(row / Rows::block_rows).squared_norm[row % Rows::block_rows];
}

double BoundSearch::steps_of(std::uint64_t row) const {
  return run_.steps && run_.whole ? run_.steps(row) : run_.visits(row);
}

double BoundSearch::minus_start_dot() const {
  if (run_.start == nullptr) return 0;
  return rounding_up([&] { return signed_dot(-1, *run_.start, u(), biased()); });
}

double BoundSearch::start_squares() const {
  if (run_.start == nullptr) return 0;
  return rounding_up([&] { return dot(*run_.start, *run_.start, biased()); });
}

void BoundSearch::offer(double value, const std::string& theorem, double hinge, bool with_margin) {
  if (!std::isfinite(value)) return;
  value = rounding_up([&] { return value + run_.allowed_before; });
  if (best_ && (best_->margin > 0) == with_margin && best_->value <= value) return;
  if (best_ && best_->margin > 0 && !with_margin) return;
  best_ = MistakeBound{value,
                       theorem,
                       comparator_->name,
                       with_margin ? evaluation().margin() : 0.0,
                       std::sqrt(evaluation().radius_squared),
                       hinge,
                       ledger().mistakes > whole_mistakes(value)};
}

void BoundSearch::offer_hinge(const std::string& over_stream, const std::string& over_mistakes, const HingeBound& f,
                              int power, double most) {
  offer_hinge_over(margins(), over_stream, over_mistakes, f, power, most);
}

void BoundSearch::offer_hinge_of(const std::vector<double>& margins, const std::string& over_stream,
                                 const std::string& over_mistakes, const HingeBound& f) {
  offer_hinge_over(margins, over_stream, over_mistakes, f, 1, kUnlimited);
}

void BoundSearch::offer_hinge_over(const std::vector<double>& margins, const std::string& stream_theorem,
                                   const std::string& mistakes_theorem, const HingeBound& f, int power, double most) {
  const MarginSample sample = sample_margins(*run_.rows, margins, run_.visits);
  const double scale = over_stream() ? best_scale(sample, power, f, most) : mean_scale(sample, most);
  if (scale == 0 && !over_stream()) {
    return asks_for("weights whose mean margin over the rows that moved them is above 0: only those rows were kept");
  }
  const double hinges = hinge_sum(*run_.rows, margins, scale, power, run_.visits);
  offer(rounding_up([&] { return f(hinges, scale) / smallest_weight_; }),
        over_stream() ? stream_theorem : mistakes_theorem, hinges, false);
}

void BoundSearch::offer_whole(const std::string& theorem, const HingeBound& f, int power, const Visits& times) {
  const double scale = best_scale(sample_margins(*run_.rows, margins(), times), power, f);
  const double hinges = hinge_sum(*run_.rows, margins(), scale, power, times);
  offer(rounding_up([&] { return f(hinges, scale); }), theorem, hinges, false);
}

void BoundSearch::offer_novikoff(const Steps& steps) {
  const Evaluation& e = evaluation();
  if (!(e.smallest_margin > 0) || !run_.whole || run_.resumed || !unweighted()) return;
  // A mistake whose exact margin is only almost at most 0 adds twice that much to |w|^2.
  const double radius_squared =
      rounding_up([&] { return steps.norm_factor * e.radius_squared * allowance_ + 2 * steps.score_error; });
  // An update adds at most rate^2 R^2, and under a margin rule 2 rate b more, to |w|^2.
  const double growth = rounding_up([&] { return radius_squared + 2 * (steps.margin / steps.rate); });
  if (run_.start == nullptr) {
    return offer(novikoff_bound(growth, e.squared_norm, e.smallest_margin), steps.theorem, 0, true);
  }
  const double start_norm = rounding_up([&] { return start_squares() * allowance_; });
  offer(start_bound(-minus_start_dot(), start_norm, steps.rate, growth, e.squared_norm, e.smallest_margin),
        "novikoff from a start", 0, true);
}

// What is known of the last weights' norm, rounded up: they are at hand, and each update rounded them by an ulp of what
// they were.
double BoundSearch::last_norm(double most) const {
  if (run_.state == nullptr || run_.state->weights.w.empty()) return most;
  const double updates = static_cast<double>(ledger().updates) + 1;
  const double rounded = updates * 0x1p-51 * most + updates * static_cast<double>(run_.dimension + 1) * 0x1p-1074;
  return std::min(most, std::sqrt(dot(run_.state->weights, run_.state->weights, biased())) + rounded);
}

void BoundSearch::offer_perceptron_hinge(const Steps& steps) {
  double squares = 0;
  double length = 0;  // of the last weights
  double residuals = 0;
  double start_minus_dot = 0;
  rounding_up([&] {
    // The ledger added these up rounding to nearest, from the beginning of the run.
    const double drift = (static_cast<double>(ledger().updates) + 1) * 0x1p-52;
    squares =
        steps.norm_factor * (ledger().update_squares - run_.before.update_squares + drift * ledger().update_squares);
    if (steps.margin > 0) {
      squares += 2 * steps.margin * (ledger().update_steps - run_.before.update_steps + drift * ledger().update_steps);
    }
    // What underflow took of the squares of rows, and of their products with steps.
    squares +=
        ledger().update_steps * ledger().update_steps * ((static_cast<double>(ledger().largest_row) + 2) * 0x1p-1074);
    squares += (static_cast<double>(ledger().updates) + 1) * 0x1p-1073;
    squares += start_squares();
    start_minus_dot = minus_start_dot();
    squares = squares * allowance_ + 2 * steps.score_error * ledger().update_steps * allowance_;
    length = last_norm(std::sqrt(squares));
    residuals = steps.residuals * (1 + 0x1p-20);
  });
  const double norm = std::sqrt(evaluation().squared_norm);
  offer_hinge(steps.prefix + "hinge over the stream", steps.prefix + "hinge over the mistakes",
              [&](double hinges, double scale) {
                return hinges + scale * ((norm * (length + residuals) + start_minus_dot) / steps.rate);
              });
}

}  // namespace halfspace
