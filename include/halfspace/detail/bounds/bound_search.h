// The mistake bound of a run, from its data and the best comparator available.
//
// The search tries comparators u (available weights); for each, the rule of the run offers the bounds of its theorems
// (rule_entry.h), and the best offer is kept. What the theorems of several rules share is here.
//
// A hinge bound is that of a comparator c * v, with v the direction of some weights at hand and the scale c chosen to
// make the bound small. The hinge losses are summed over the WHOLE stream, not over the mistakes alone: summed over the
// mistakes the bound holds too, but c = 0 then always minimises it, and it reads "mistakes <= mistakes". Where only the
// mistakes were kept (a stream too long to keep), c is set so that the mean margin over them is 1, and the result is
// named for what it is.
//
// The theorems are about exact arithmetic; a run in doubles may err on a row whose exact margin is a rounding error
// above 0. allowance() widens the norms by what that can amount to; on data whose sums are exact it changes nothing
// that floor() would show.
//
// Thread-safety: one thread a search (it changes the rounding mode, and restores it).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "halfspace/detail/bounds/evaluation.h"
#include "halfspace/detail/linear/state.h"
#include "halfspace/game/ledger.h"
#include "halfspace/stream/rows.h"

namespace halfspace {

// The bound that covers a run, with what it was computed from.
struct MistakeBound {
  double value = 0;        // mistakes <= floor(value)
  std::string theorem;     // "novikoff", "hinge over the stream" ...: see docs/bounds.md
  std::string comparator;  // whose weights u are: "last", "average", "pocket" ...
  double margin = 0;       // geometric margin of u where the theorem has one, else 0
  double radius = 0;       // max |x|
  double hinge = 0;        // the sum of hinge losses that entered
  bool exceeded = false;   // the run made more mistakes than the bound allows: a bug
};

// Weights that a bound may compare a run with. Copies share them.
struct Comparator {
  Comparator(std::string its_name, ClassWeightVector weights, const EvaluatedMargins* known = nullptr)
      : name(std::move(its_name)), u(std::make_shared<const ClassWeightVector>(std::move(weights))), evaluated(known) {}

  // Borrows the weights, which must outlive the comparator.
  static Comparator borrowed(std::string name, const ClassWeightVector& weights,
                             const EvaluatedMargins* known = nullptr) {
    return {std::shared_ptr<const ClassWeightVector>(std::shared_ptr<const void>(), &weights), std::move(name), known};
  }

  std::string name;
  std::shared_ptr<const ClassWeightVector> u;
  const EvaluatedMargins* evaluated;  // of u on the rows, when it is known already; not owned

 private:
  Comparator(std::shared_ptr<const ClassWeightVector> weights, std::string its_name, const EvaluatedMargins* known)
      : name(std::move(its_name)), u(std::move(weights)), evaluated(known) {}
};

// Where the given rows begin in a run that had others before them: a resumed one, or one too long to keep.
struct Beginning {
  ClassWeightVector weights;  // at that moment
  LearnerState state;         // with all that the rule remembered
  Ledger ledger;              // what had been counted
  double allowed = 0;         // a bound on the mistakes made by then, or their number
};

// The facts that the bound of a run may rest upon.
struct RunForBound {
  const Ledger* ledger = nullptr;
  BiasOptions bias;
  Tie tie = Tie::mistake;
  std::uint64_t dimension = 0;  // features and bias coordinate
  // The given rows and the number of rounds on each. With `whole`, they are all rounds of the run; else at least all
  // its updates (a long stream keeps only these).
  const Rows* rows = nullptr;
  Visits visits{};
  bool whole = true;
  // Orders that search for mistakes have no other rounds: a sum over the whole stream is one over the mistakes.
  bool only_mistakes = false;
  // The rounds that count began at these weights; null: at 0. What the ledger had counted by then is in `before`.
  const ClassWeightVector* start = nullptr;
  Ledger before{};
  double allowed_before = 0;  // a bound on the mistakes made by then, or their number
  bool resumed = false;       // the rows at hand are not all that the run ever saw
  // The learner at the end and, with `start`, at the start; and the number of updates on each row, if known
  // (else its number of rounds).
  const LearnerState* state = nullptr;
  const LearnerState* start_state = nullptr;
  Visits steps{};

  // Rests the bound upon the rounds since then. Not owned.
  void begin_at(const Beginning& beginning) {
    start = &beginning.weights;
    start_state = &beginning.state;
    before = beginning.ledger;
    allowed_before = beginning.allowed;
    resumed = true;
  }
};

class BoundSearch {
 public:
  // `factors`: what the rule's parameters may multiply a number of a theorem by, in all, in either direction.
  explicit BoundSearch(const RunForBound& run, double factors = 1);

  // Makes further offers about this comparator. Returns false if it gives no bound.
  bool set_comparator(const Comparator& comparator);

  const RunForBound& run() const noexcept { return run_; }
  const Ledger& ledger() const noexcept { return *run_.ledger; }
  bool biased() const noexcept { return run_.bias.position != Bias::none; }
  const ClassWeightVector& u() const noexcept { return brought_ ? *brought_ : *comparator_->u; }
  const Evaluation& evaluation() const noexcept { return evaluated_->evaluation; }
  const std::vector<double>& margins() const noexcept { return evaluated_->margin; }  // of u on every row
  double allowance() const noexcept { return allowance_; }              // what norms are widened by, for rounding
  double smallest_weight() const noexcept { return smallest_weight_; }  // of a mistake, at most 1
  bool unweighted() const noexcept { return lightest_ == 1 && heaviest_ == 1; }  // every row weighs 1, or 0
  double heaviest_row() const noexcept { return heaviest_; }
  // Returns true if doubles hold the squares of all rows that are not 0; asks for it where not. For theorems about
  // squares, and for steps that are divided by them.
  bool holds_squares();
  bool over_stream() const noexcept { return run_.whole && !run_.only_mistakes; }

  // Give coordinate i of u and of the start weights: features first, the bias last.
  std::size_t coordinates() const { return u().w.size() + (biased() ? 1 : 0); }
  double coordinate(std::size_t i) const { return i < u().w.size() ? u().w[i] : u().bias[0]; }
  double start(std::size_t i) const;
  // Returns the second moment of a coordinate in a state; `first` where the state had none yet.
  double moment(const LearnerState* state, std::size_t i, double first) const;
  // Return a number of the state at the end; and what was added to it since the start, rounded up.
  double number(std::size_t i) const { return run_.state->numbers.at(i); }
  double added(std::size_t i) const;
  double weight_of(std::uint64_t row) const;
  double squared_norm_of(std::uint64_t row) const;  // without the bias
  double steps_of(std::uint64_t row) const;
  // Return -<start, u>, rounded up; |start|^2, rounded up.
  double minus_start_dot() const;
  double start_squares() const;

  // Offers mistakes <= value. `with_margin`: a separator's own theorem, which is the one to show; among like, the
  // smaller. What is not finite is no offer.
  void offer(double value, const std::string& theorem, double hinge, bool with_margin);

  // Offers f(sum of hinge^power, scale) / smallest_weight() for the comparator scale * u, with the scale (at most
  // `most`) that makes it small; over the mistakes where only these are at hand. f is called while sums are rounded up.
  using HingeBound = std::function<double(double hinges, double scale)>;
  void offer_hinge(const std::string& over_stream, const std::string& over_mistakes, const HingeBound& f, int power = 1,
                   double most = std::numeric_limits<double>::infinity());
  // Does so with margins of the caller's making, one a row.
  void offer_hinge_of(const std::vector<double>& margins, const std::string& over_stream,
                      const std::string& over_mistakes, const HingeBound& f);
  // Offers f(sum of hinge^power over the stream, best scale); needs the whole stream. `times`: the number of rounds on
  // a row.
  void offer_whole(const std::string& theorem, const HingeBound& f, int power) {
    offer_whole(theorem, f, power, run_.visits);
  }
  void offer_whole(const std::string& theorem, const HingeBound& f, int power, const Visits& times);

  // Steps of one length along rows on which y <w, x> is at most `margin`: perceptrons.
  struct Steps {
    double rate = 1;
    double margin = 0;       // the functional margin below which it steps
    double norm_factor = 1;  // by which |w|^2 grows more: 2 for two vectors moved at once (Kesler)
    std::string theorem = "novikoff";
    double score_error = 0;  // how far any score may be off
    double residuals = 0;    // lengths left out of steps, in all
    std::string prefix{};    // of the hinge bound's name
  };
  // Offers Novikoff's theorem, if u separates all rows of the run and all weights are equal.
  void offer_novikoff(const Steps& steps);
  // Offers mistakes <= L + (|u| |w| - <w0, u>) / rate, with u = scale * v: the hinge bound, with a start. The last
  // weights w are no longer than sqrt(|w0|^2 + S), which replaces |w| if the rule has support vectors.
  void offer_perceptron_hinge(const Steps& steps);

  // Notes a condition of the theorem that this run does not meet; the first one is kept.
  void asks_for(std::string_view words) {
    if (asked_.empty()) asked_ = words;
  }
  const std::string& asked() const noexcept { return asked_; }

  std::optional<MistakeBound> take() { return std::move(best_); }

 private:
  double last_norm(double most) const;
  void offer_hinge_over(const std::vector<double>& margins, const std::string& over_stream,
                        const std::string& over_mistakes, const HingeBound& f, int power, double most);

  bool products_stay() const;

  const RunForBound& run_;
  const Comparator* comparator_ = nullptr;
  std::optional<ClassWeightVector> brought_;  // u, where it had to be brought within reach
  EvaluatedMargins fresh_;
  const EvaluatedMargins* evaluated_ = nullptr;
  double allowance_, smallest_weight_, factors_;
  double lightest_ = 1, heaviest_ = 1;  // of the rows' weights, and 1; rows of weight 0 are never mistakes
  std::optional<MistakeBound> best_;
  std::string asked_;
};

// Returns true if the square of the longest row is far enough from the ends of the doubles for the theorems' sums: what
// is lost below the smallest double, or beyond the largest, then matters nowhere.
inline bool bounds_can_tell(double radius_squared) {
  return radius_squared == 0 || (radius_squared >= 0x1p-900 && radius_squared <= 0x1p900);
}

// Returns <a, b>, with the bias coordinates if asked.
double dot(const ClassWeightVector& a, const ClassWeightVector& b, bool with_bias);

// Sums that a learner added up rounding to nearest, and logarithms, are right to far better than these factors.
inline constexpr double kAbove = 1 + 0x1p-30;
inline constexpr double kBelow = 1 - 0x1p-30;
// A share of |u w| above what root and quotient lose in a product of u, w and such a sum, whichever its sign.
inline constexpr double kCrossSlack = 0x1p-28;

}  // namespace halfspace
