// A learner whose composition is chosen at run time: the edge between names (command line, model file) and templates.
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

#include "halfspace/game/ledger.h"
#include "halfspace/linear/kernel_expansion.h"
#include "halfspace/linear/state.h"
#include "halfspace/stream/rows.h"

namespace halfspace {

class Learner;

// How far a learner that follows experts is from the best mean of them, fixed in hindsight: by their log loss, in sum over
// rows of so much weight.
struct RegretOfExperts {
  double most = 0;     // what this run's own sums show: it exceeds the best mean's by no more
  double theorem = 0;  // what the theorem promises: no run's `most` exceeds its own
  double weight = 0;
};

// A member of a rule that follows experts, and how much of its trust the rule gives it now.
struct FollowedMember {
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
  const Learner& learner;  // as it stands after the round: present() is what the round made of the weights
};

// Notes how a run goes, at rounds of its own choosing (recording.h).
class RoundRecorder {
 public:
  virtual ~RoundRecorder() = default;
  virtual void record(const Learner& learner, const Ledger& ledger) = 0;
  std::uint64_t due = 1;  // it is asked once so many rounds are finished, and then says when next
};

// Where a run of rounds must pause: the caller looks at the clock, the passes and the interrupt between calls.
struct Limits {
  std::uint64_t updates = UINT64_MAX;    // stop when the ledger has this many
  std::uint64_t clean_run = UINT64_MAX;  // stop after this many rounds without an update
};

// Two sides of a round that a learner of two classes plays among several: the rows of class `positive`, and those of
// `negative`, or all others. Other rows are looked at, and teach nothing: their weight is 0.
struct Sides {
  static constexpr std::int32_t rest = -1;
  std::int32_t positive = 1, negative = rest;
};
struct SidedOutcome {
  double score = 0;  // before it learned
  double step = 0;   // 0: it did not move
};

class Learner {
 public:
  virtual ~Learner() = default;

  // Weights for features up to `features`. Needed before rows are played out of order or looked at by find().
  virtual void grow(std::uint32_t features) = 0;

  // Rounds over rows [from, block.rows) of the block, in order. Returns how many were played: fewer when a limit is
  // met. The weights grow as features appear, row by row.
  virtual std::size_t play(const Block& block, std::size_t from, const Limits& limits, Ledger& ledger) = 0;
  // Plays rounds over rows of the collection, in the order given.
  virtual std::size_t play(const Rows& rows, std::span<const std::uint32_t> order, const Limits& limits,
                           Ledger& ledger) = 0;

  // Plays rows [from, to) of a block that is not packed, by sides, and keeps no ledger. out: an outcome a row.
  // For learners of two classes alone.
  virtual void play_sides(const Block& block, std::size_t from, std::size_t to, Sides sides, SidedOutcome* out) = 0;
  // Tells what that would find, and learns nothing.
  virtual void look_sides(const Block& block, std::size_t from, std::size_t to, Sides sides,
                          SidedOutcome* out) const = 0;

  // Rows of the block on which the rule would move now; `out` (may be null) gets their positions. `mistakes` counts the
  // wrong predictions among all.
  virtual std::uint64_t find_updates(const Block& block, std::vector<std::uint32_t>* out, std::uint64_t& mistakes,
                                     bool first_only) const = 0;
  // Rows of the collection on which the rule would move now, the first alone or all, ascending; `mistakes` as above.
  virtual void find_updates(const Rows& rows, bool first_only, std::vector<std::uint32_t>& out,
                            std::uint64_t& mistakes);
  // Makes searches of these rows remember, from now on, what they saw, and pass over rows of which they can tell (where
  // the rule allows it: known_margins.h); nothing else differs. Only rows of this collection may be played
  // then. Null ends it; the rows must live until then.
  virtual void cache_margins(const Rows* /*rows*/) {}

  // The pocket's ratchet. enable_ratchet: from now on the pocket is judged by offer_to_pocket() alone.
  virtual void enable_ratchet() = 0;
  virtual bool offer_to_pocket(std::uint64_t errors) = 0;

  // Ends a run: the last weights have had their last round.
  virtual void finish() = 0;
  // Returns the weights handed out; one class for a binary learner.
  virtual ClassWeightVector result() const = 0;
  // Returns the weights as they stand, in the same shape.
  virtual ClassWeightVector present() const = 0;
  // Tell of these how many numbers they are without the bias, and the square of their norm with it.
  virtual std::size_t weight_count() const { return present().w.size(); }
  virtual double squared_norm() const;

  // Other weights that such a learner could hand out, each by its number from 0 on: those of single members, steadier
  // than what it follows at a moment.
  virtual std::size_t alternatives() const { return 0; }
  virtual ClassWeightVector alternative(std::size_t /*k*/) const { return result(); }

  virtual LearnerState save() const = 0;
  // Throws Error(data) when the state does not fit the composition.
  virtual void restore(const LearnerState& state) = 0;
  // Describes what save() gives, for whoever must check it before it is believed.
  virtual StateShape state_shape() const = 0;

  // Gives, with keeper vote, for each row of the block the votes of every vector there was, one number a row for two
  // classes (of the positive one, less those of the other), else one for each class. A walk through all vectors: give
  // it large blocks. The features of the block must be known here. Throws Error(data) when their weights leave the
  // finite doubles.
  virtual void vote(const Block& block, std::vector<double>& votes) const;
  // Returns the function that is handed out, of a rule that has support vectors instead of weights; else empty.
  virtual std::optional<KernelExpansion> expansion() const { return std::nullopt; }
  // Returns the regret of a rule that follows experts, from its first round on; else empty.
  virtual std::optional<RegretOfExperts> regret() const { return std::nullopt; }
  // Returns whom such a rule follows now, the most likely first, with probabilities that sum to 1; of other rules nobody.
  virtual std::vector<FollowedMember> followed() const { return {}; }

  std::function<void(const RoundView&)> observer;    // called after every round, when set
  std::function<void(const Ledger&)> on_ledger_row;  // called when 1, 2, 4, 8 ... rounds are finished, when set
  RoundRecorder* recorder = nullptr;                 // asked when it is due, when set; not owned
  std::vector<std::uint32_t>* moved = nullptr;  // when set: gets the positions in the block on which the rule moved
};

}  // namespace halfspace
