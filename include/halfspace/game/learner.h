// A learner whose composition is chosen at run time: the boundary between names (command line, model file) and
// templates.
//
// One virtual call a block or a scan, never one an example: inside, a run is monomorphic.
//
// Thread-safety: one thread, except the const members, which may run concurrently.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "halfspace/detail/linear/kernel_expansion.h"
#include "halfspace/detail/linear/state.h"
#include "halfspace/game/ledger.h"
#include "halfspace/stream/rows.h"

namespace halfspace {

class Learner;

// The regret of a mixture of experts: the sum of its log losses, over rows of total weight `weight`, minus that of the
// best mean of experts in hindsight.
struct RegretOfExperts {
  double most = 0;     // an upper bound from this run's own sums
  double theorem = 0;  // the theorem's bound, never below `most`
  double weight = 0;
};

// A member of a mixture of experts, and its current probability.
struct MixtureMember {
  std::string name;
  double probability = 0;
};

// The view of a round that a player shows an observer after it. Valid during the call.
struct RoundView {
  const Outcome& outcome;
  std::uint64_t round;  // 1-based
  std::uint64_t row;    // 1-based data row
  std::int32_t label;
  RowValues values;        // the row as the rule saw it
  const Learner& learner;  // after the round: present() returns the updated weights
};

// Notes how a run goes, at rounds of its own choosing (recording.h).
class RoundRecorder {
 public:
  virtual ~RoundRecorder() = default;
  virtual void record(const Learner& learner, const Ledger& ledger) = 0;
  std::uint64_t due = 1;  // the number of finished rounds at which record() is called; record() sets the next
};

// Where a run of rounds must pause: the caller checks the clock, the passes and the interrupt between calls.
struct Limits {
  std::uint64_t updates = UINT64_MAX;    // stop when the ledger has this many
  std::uint64_t clean_run = UINT64_MAX;  // stop after this many rounds without an update
};

// The binary problem of one learner among several (class_learners.h): the rows of class `positive` against those of
// `negative`, or against all others. Other rows are scored with weight 0, which causes no update; they count as rounds.
struct Sides {
  static constexpr std::int32_t rest = -1;
  std::int32_t positive = 1, negative = rest;
};
struct SidedOutcome {
  double score = 0;  // before the update
  double step = 0;   // 0: no update
};

// Optional hooks and outputs of rounds.
struct RoundHooks {
  std::function<void(const RoundView&)> observer;    // called after every round if set
  std::function<void(const Ledger&)> on_ledger_row;  // called after 1, 2, 4, 8 ... rounds if set
  RoundRecorder* recorder = nullptr;                 // called when due, if set; not owned
  std::vector<std::uint32_t>* moved = nullptr;       // if set: receives the positions of rows with an update
};

class Learner : public RoundHooks {
 public:
  virtual ~Learner() = default;

  // Adds start weights up to `features`. Required before rows are played out of order or passed to find_updates().
  virtual void grow(std::uint32_t features) = 0;

  // Plays rounds over rows [from, block.rows) of the block, in order. Returns the number of rounds: fewer if a limit is
  // met. The weights grow as features appear, row by row.
  virtual std::size_t play(const Block& block, std::size_t from, const Limits& limits, Ledger& ledger) = 0;
  // Plays rounds over rows of the collection, in the order given.
  virtual std::size_t play(const Rows& rows, std::span<const std::uint32_t> order, const Limits& limits,
                           Ledger& ledger) = 0;

  // Returns the number of rows of the block that the rule would update on; `out` (may be null) receives their
  // positions. `errors` receives the weight of the wrong predictions among all rows, in addition.
  virtual std::uint64_t find_updates(const Block& block, std::vector<std::uint32_t>* out, double& errors,
                                     bool first_only) const = 0;
  // Finds the rows of the collection that the rule would update on, the first only or all, ascending; `errors` as above.
  virtual void find_updates(const Rows& rows, bool first_only, std::vector<std::uint32_t>& out, double& errors);
  // Makes find_updates() on these rows cache margins from now on and skip rows whose prediction is certain, if the rule
  // allows it (known_margins.h); results are the same. Until a call with null, only rows of this collection may be
  // played, and they must stay valid.
  virtual void cache_margins(const Rows* /*rows*/) {}

  // The pocket's ratchet. After enable_ratchet() only offer_to_pocket() replaces the pocket.
  virtual void enable_ratchet() = 0;
  virtual bool offer_to_pocket(double errors) = 0;

  // Ends a run: no round follows.
  virtual void finish() = 0;
  // Returns the weights chosen by the keeper; one class for a binary learner.
  virtual ClassWeightVector result() const = 0;
  // Returns the current weights, in the same shape.
  virtual ClassWeightVector present() const = 0;
  // Return of present() the number of weights without bias, and the squared norm with it.
  virtual std::size_t weight_count() const { return present().w.size(); }
  virtual double squared_norm() const;

  // Return alternatives to result(), numbered from 0: of a mixture, its members alone.
  virtual std::size_t alternatives() const { return 0; }
  virtual ClassWeightVector alternative(std::size_t /*k*/) const { return result(); }

  virtual LearnerState save() const = 0;
  // Throws Error(data) if the state does not fit the composition.
  virtual void restore(const LearnerState& state) = 0;
  // Describes the shape of save(), to validate a file before it is used.
  virtual StateShape state_shape() const = 0;

  // Computes the votes of keeper vote for each row of the block: one number a row for two classes (votes for the
  // positive class minus votes for the other), else one per class. Walks through all vectors once a block: prefer large
  // blocks. The block must not have features unknown here. Throws Error(data) if a weight overflows.
  virtual void vote(const Block& block, std::vector<double>& votes) const;
  // Returns the result of a rule that has support vectors instead of weights; else empty.
  virtual std::optional<KernelExpansion> expansion() const { return std::nullopt; }
  // Returns the regret of a mixture of experts, from its first round on; else empty.
  virtual std::optional<RegretOfExperts> regret() const { return std::nullopt; }
  // Returns the members of a mixture, the most probable first; probabilities sum to 1. Empty for other rules.
  virtual std::vector<MixtureMember> followed() const { return {}; }
};

// A binary learner, which can also be one among several for more classes.
class BinaryLearner : public Learner {
 public:
  // Plays rounds over rows [from, to) of a block that is not packed, as the binary problem `sides`, without a ledger.
  // `out`: one outcome a row.
  virtual void play_sides(const Block& block, std::size_t from, std::size_t to, Sides sides, SidedOutcome* out) = 0;
  // As play_sides(), without learning.
  virtual void look_sides(const Block& block, std::size_t from, std::size_t to, Sides sides,
                          SidedOutcome* out) const = 0;
};

}  // namespace halfspace
