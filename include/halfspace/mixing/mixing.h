// Iterative parameter mixing: trains on shards of the data side by side, and mixes their weights after every epoch.
//
// In epoch n every shard i starts from the mixed weights w(n-1), passes once over its rows, and ends with
// w(i, n). Then w(n) = sum over i of m(i, n) w(i, n), with
//
//   uniform    m(i, n) = 1 / S
//   mistakes   m(i, n) = the shard's share of the epoch's mistakes; 1 / S if there is none
//
// Rows are played in an order drawn for the shard and the epoch, or as they come. Drawn, a shard whose rows are sorted
// by class learns as others do, and its errors while learning are those that new rows would have.
//
// Guarantee, for perceptrons from 0 with rate 1 (docs/bounds.md): write m(t) for m(i, n) of the shard and epoch of
// mistake t. For every u:  sum m(t) <= sum m(t) max(0, 1 - y_t <u, x_t>) + |u| |w(N)|,  |w(N)|^2 <= sum m(t) |x_t|^2,
// sums over the mistakes. With a margin g under a unit u:  sum m(t) <= R^2 / g^2, so that the mistakes of all shards
// and epochs are at most S R^2 / g^2.
//
// The number of workers never changes a bit: sums are made over a fixed binary tree of shards, one rounded addition a
// coordinate and node (add()); who computes a node does not matter.
//
//   MixState state = begin_mixing(options, plan);
//   for (...epochs) {
//     ... PartialSum part = play_shard(options, plan, state, i);    for every i, anywhere
//     ... add(left, right)                                          up the tree
//     end_epoch(options, state, whole);
//   }
//   const Model model = mixed_model(options, plan, state);
//
// Rules whose state is their weights alone (perceptrons, passive-aggressive ...) mix after every epoch. Of others (the
// tournament, AROW ...) each shard's own result is a linear model, and the mean of these is the model: one epoch. For a
// convex loss the mean's loss is at most the mean of their losses (Jensen).
//
// Source: McDonald, Hall, Mann 2010, "Distributed Training Strategies for the Structured Perceptron".
// Thread-safety: pure functions, but for what a KeptUpdates is given; value types, one thread each.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "halfspace/detail/base/names.h"
#include "halfspace/detail/linear/state.h"
#include "halfspace/detail/train/feature_spread.h"
#include "halfspace/game/ledger.h"
#include "halfspace/mixing/shards.h"
#include "halfspace/rules/composition.h"
#include "halfspace/stream/rows.h"
#include "halfspace/train/model.h"
#include "halfspace/train/settings.h"

namespace halfspace {

enum class Mixing : std::uint8_t { uniform = 0, mistakes = 1 };

template <>
struct NamesOf<Mixing> {
  static constexpr Name<Mixing> table[] = {{Mixing::uniform, "uniform", "every shard counts alike (default)"},
                                           {Mixing::mistakes, "mistakes", "a shard counts as it made mistakes"}};
};

struct MixOptions {
  ReadOptions read;
  Composition composition;                        // order shuffled or stream; keeper last or average
  Mixing mixing = Mixing::uniform;                // of a run that begins
  std::uint64_t memory = std::uint64_t{1} << 30;  // for the learner of a shard, and for its rows
  std::string folder{};                           // for rows beyond it, in a temporary file; empty: /tmp
};

// What a shard did in an epoch.
struct ShardRecord {
  std::uint64_t rounds = 0, mistakes = 0, updates = 0;
  double errors = 0, weight = 0;  // as in PassRecord
  bool operator==(const ShardRecord&) const = default;
};

// A sum over adjacent shards: [first, first + records.size()).
struct PartialSum {
  std::uint32_t first = 0;
  std::vector<ShardRecord> records;
  // The shards' weights, each times 1 or its mistakes; of rules that mix once, their results.
  ClassWeightVector weights;
  // Keeper average: the mean of each shard's weights over its rounds, times the rounds.
  ClassWeightVector means;
  Ledger ledger;               // counts added up, without passes
  std::uint64_t rejected = 0;  // bad rows that were skipped
  // Of the rows, in the first epoch; empty if a shard has a row that it cannot take.
  std::optional<FeatureSpread> spread;
  bool operator==(const PartialSum&) const = default;
};

// The run after some epochs.
struct MixState {
  Mixing mixing = Mixing::uniform;
  std::uint64_t epoch = 0;                        // finished
  ClassWeightVector weights;                      // w(epoch)
  ClassWeightVector means;                        // keeper average: over all rounds so far, times their number
  Ledger ledger;                                  // of all shards, one record an epoch
  std::optional<FeatureSpread> spread;            // of the first epoch; empty as in PartialSum
  std::vector<std::vector<ShardRecord>> records;  // by epoch and shard
  std::uint64_t rejected = 0;                     // bad rows that were skipped in the first epoch; not in its bytes
  bool operator==(const MixState&) const = default;
};

// Returns whether the rule's state is its weights alone, so that it mixes after every epoch.
bool mixes_repeatedly(const MixOptions& options, const ShardPlan& plan);

// Returns how settings of training are mixed: in a drawn order, unless they name one. The mixing is uniform. Throws
// Error(usage) for settings that shards cannot follow, such as an objective.
MixOptions mix_options(const TrainSettings& settings);
// Returns the same of options, whose objective is left out.
MixOptions mix_options(const TrainOptions& chosen);

// Reads and keeps the rows of a shard that count. `rows`: null, it has none; `spread`: null, or gets them all, until one is
// refused. Throws Error as Reader does.
struct KeptShard {
  Rows rows;
  std::uint64_t rejected = 0;  // bad rows that were skipped
};
KeptShard rows_of_shard(const MixOptions& options, const ShardPlan& plan, const ReadOptions* rows,
                        std::optional<FeatureSpread>* spread);

// Throws Error(usage) for a composition that cannot be mixed.
MixState begin_mixing(const MixOptions& options, const ShardPlan& plan);

// The rows of one shard's updates, kept for the bound while they fit: its sums are over mistakes, and the rows need not
// be read again. One thread's.
class KeptUpdates {
 public:
  // `memory`: bytes for the rows of all epochs.
  explicit KeptUpdates(std::uint64_t memory = 0) : memory_(memory) {}
  void begin_epoch();
  void add(const Block& block, const std::vector<std::uint32_t>& rows);
  void add(const Rows& rows, std::vector<std::uint32_t> positions);
  void end_epoch(std::uint64_t mistakes);
  // The mistakes by epoch, sealed; fewer than the run's epochs if some did not fit or were played elsewhere, or if the
  // updates were not the mistakes.
  const std::vector<Rows>& epochs() const noexcept { return epochs_; }
  bool weighted() const noexcept { return weighted_; }  // a row weighs other than 1

 private:
  bool check_fit();

  std::vector<Rows> epochs_;
  std::uint64_t memory_;
  bool weighted_ = false, fits_ = true;
};

// Passes over a shard. Throws Error as Reader and the learner do. `kept`: also keeps the rows with updates.
PartialSum play_shard(const MixOptions& options, const ShardPlan& plan, const MixState& before, std::uint32_t shard,
                      KeptUpdates* kept = nullptr);
// Passes over a shard's rows, read so; null: it has none.
PartialSum play_rows(const MixOptions& options, const ShardPlan& plan, const MixState& before, std::uint32_t shard,
                     const ReadOptions* rows, KeptUpdates* kept = nullptr);
// Passes over rows that rows_of_shard() kept, in a drawn order, with their spread.
PartialSum play_kept(const MixOptions& options, const ShardPlan& plan, const MixState& before, std::uint32_t shard,
                     const KeptShard& rows, const std::optional<FeatureSpread>& spread, KeptUpdates* kept = nullptr);

// Adds two neighbours in the tree. Throws Error(data) unless they are: [k 2^d, (k + 1) 2^d) and the next as many, k even.
PartialSum add(PartialSum left, const PartialSum& right);

// Ends an epoch with the sum over all shards. Throws Error(data) for another sum.
void end_epoch(const MixOptions& options, const ShardPlan& plan, MixState& state, const PartialSum& whole);

// Returns the model of the run so far, at least one epoch.
Model mixed_model(const MixOptions& options, const ShardPlan& plan, const MixState& state);

// Returns whether the mistakes of such a run have a bound.
bool has_mixing_bound(const MixOptions& options, const ShardPlan& plan);

// What a comparator, the model's weights, makes of a shard's rows.
struct ShardMargins {
  static constexpr std::size_t scales = 64;

  bool of_updates = false;  // of the rows with an update, epoch by epoch; else of all rows, once
  std::uint64_t rows = 0, errors = 0;
  double smallest_margin = 0;       // min over rows of y <u, x>, rounded down
  double largest_squared_norm = 0;  // of rows, bias coordinate included, rounded up
  // [epoch * scales + scale c], or [scale c]: sum of max(0, 1 - c y <u, x>), rounded up.
  std::vector<double> hinges;
  // [epoch], or [0]: sum of |<u, x>|, not exact.
  std::vector<double> distance_sums;
  bool weighted = false;  // a row weighs other than 1
};

// Evaluates a model's weights on shards. Thread-safety: one thread. Ownership: keeps a reference to the model.
class ShardEvaluator {
 public:
  explicit ShardEvaluator(const Model& model);
  ~ShardEvaluator();
  ShardEvaluator(const ShardEvaluator&) = delete;
  ShardEvaluator& operator=(const ShardEvaluator&) = delete;

  // Reads the shard. Throws Error as Reader does.
  ShardMargins of_shard(const MixOptions& options, const ShardPlan& plan, std::uint32_t shard);
  // Reads the rows; null: there are none.
  ShardMargins of_rows(const ReadOptions* read);
  ShardMargins of_updates(const KeptUpdates& kept);

 private:
  void add(const Rows& rows, std::size_t epoch, ShardMargins& found);

  struct Prepared;
  const Model& model_;
  std::unique_ptr<Prepared> prepared_;
};

// The bound on the mistakes of all shards and epochs.
struct MixBound {
  double value = 0;     // mistakes <= floor(value)
  std::string theorem;  // "novikoff, mixed", "hinge over the mistakes of shards" or "hinge over the shards"
  double weighted = 0;  // sum of m(t)
  double weighted_bound = 0;
  double margin = 0, radius = 0;
};
// `margins`: of mixed_model(), by shard. Empty unless has_mixing_bound(), and where rows have weights.
std::optional<MixBound> bound_of_mixing(const ShardPlan& plan, const MixState& state, const Model& model,
                                        const std::vector<ShardMargins>& margins);

// Convert to bytes, with a checksum, and back. Throw Error(data) for damaged bytes.
std::vector<std::uint8_t> encode(const PartialSum& sum);
PartialSum decode_sum(const std::vector<std::uint8_t>& bytes);
std::vector<std::uint8_t> encode(const ShardMargins& margins);
ShardMargins decode_margins(const std::vector<std::uint8_t>& bytes);
std::vector<std::uint8_t> encode(const MixState& state);
MixState decode_state(const std::vector<std::uint8_t>& bytes);

}  // namespace halfspace
