// A learner whose composition is chosen at run time: the edge between names (command line, model file) and templates.
//
// One virtual call a block or a scan, never one an example: inside, a run is monomorphic.
//
// Thread-safety: one thread, except the const members, which may run concurrently.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "halfspace/game/ledger.h"
#include "halfspace/linear/keep.h"
#include "halfspace/linear/kernel_expansion.h"
#include "halfspace/rules/composition.h"
#include "halfspace/rules/multiclass.h"
#include "halfspace/stream/rows.h"

namespace halfspace {

// Everything a learner must remember to continue bit for bit; what the model file stores. Weights of all kinds share
// one shape, that of ClassWeightVector: a binary learner has one "class".
struct LearnerState {
  std::uint64_t finished = 0;   // rounds
  ClassWeightVector weights;    // as they stand; for minnow the logarithms
  std::vector<double> numbers;  // of the rule and of exponential weights; meaning in docs/formats/model.md
  KernelState kernel;           // support vectors; the kernel rule, which has no weights
  std::vector<double> moments;  // second moments: a number a coordinate, or a matrix; rules that have them
  // Keepers: average (`kept` is the lag, or the sum for minnow), pocket (`kept` is the best).
  ClassWeightVector kept;
  std::vector<std::uint64_t> kept_counts;
  VoteHistory votes;
  bool operator==(const LearnerState&) const = default;
};

class Learner;

// What a player shows an observer after every round. Valid during the call.
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

class Learner {
 public:
  virtual ~Learner() = default;

  // Weights for features up to `features`. Needed before rows are played out of order or looked at by find().
  virtual void grow(std::uint32_t features) = 0;

  // Rounds over rows [from, block.rows) of the block, in order. Returns how many were played: fewer when a limit is
  // met. The weights grow as features appear, row by row.
  virtual std::size_t play(const Block& block, std::size_t from, const Limits& limits, Ledger& ledger) = 0;
  // The same over rows of the collection, in the order given.
  virtual std::size_t play(const Rows& rows, std::span<const std::uint32_t> order, const Limits& limits,
                           Ledger& ledger) = 0;

  // Rows of the block on which the rule would move now; `out` (may be null) gets their positions. `mistakes` counts the
  // wrong predictions among all.
  virtual std::uint64_t find_updates(const Block& block, std::vector<std::uint32_t>* out, std::uint64_t& mistakes,
                                     bool first_only) const = 0;
  // Rows of the collection on which the rule would move now, the first alone or all, ascending; `mistakes` as above.
  virtual void find_updates(const Rows& rows, bool first_only, std::vector<std::uint32_t>& out,
                            std::uint64_t& mistakes);
  // From now on searches of these rows remember what they saw, and pass over rows of which they can tell (where the
  // rule allows it: src/game/known_margins.h); nothing else differs. Only rows of this collection may be played then.
  // Null ends it; the rows must live until then.
  virtual void cache_margins(const Rows* /*rows*/) {}

  // The pocket's ratchet. enable_ratchet: from now on the pocket is judged by consider() alone.
  virtual void enable_ratchet() = 0;
  virtual bool offer_to_pocket(std::uint64_t errors) = 0;

  // Ends a run: the last weights have had their last round.
  virtual void finish() = 0;
  // The weights handed out; one class for a binary learner.
  virtual ClassWeightVector handed_out() const = 0;
  // The weights as they stand, in the same shape.
  virtual ClassWeightVector present() const = 0;
  // Of these: how many numbers they are without the bias, and the square of their norm with it.
  virtual std::size_t weight_count() const { return present().w.size(); }
  virtual double squared_norm() const;

  virtual LearnerState save() const = 0;
  // Throws Error(data) when the state does not fit the composition.
  virtual void restore(const LearnerState& state) = 0;

  std::function<void(const RoundView&)> observer;    // called after every round, when set
  std::function<void(const Ledger&)> on_ledger_row;  // called when 1, 2, 4, 8 ... rounds are finished, when set
  RoundRecorder* recorder = nullptr;                 // asked when it is due, when set; not owned
  std::vector<std::uint32_t>* moved = nullptr;  // when set: gets the positions in the block on which the rule moved
};

// `classes`: 2 for binary rules. `memory`: most bytes that the matrix of a second-order rule may take; when features
// outgrow it, Error(usage). Throws Error(usage) when the composition makes no sense.
inline constexpr std::uint64_t kLearnerMemory = std::uint64_t{1} << 30;
std::unique_ptr<Learner> make_learner(const Composition& composition, std::uint32_t classes,
                                      std::uint64_t memory = kLearnerMemory);

}  // namespace halfspace
