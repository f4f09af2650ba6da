// The round loop: plays rows against one learner and keeps the ledger. Instantiated once per learner type; everything
// inside is resolved at compile time, and no round allocates.
//
//   std::unique_ptr<Learner> learner = std::make_unique<game::Player<Linear<MyRule>>>(Linear(MyRule{}, Weights(bias)), 2);
//
// Thread-safety: one thread, except const members.
#pragma once

#include <algorithm>
#include <concepts>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "halfspace/detail/game/known_margins.h"
#include "halfspace/detail/game/round_book.h"
#include "halfspace/detail/kernels/kernels.h"
#include "halfspace/detail/linear/vote.h"
#include "halfspace/game/learner.h"

namespace halfspace::game {

// A learner that the round loop can run: Linear, Multiclass, KernelPerceptron.
template <class L>
concept OnlineLearner = requires(L learner, const L constant, const Example<double, false> x, LearnerState state) {
  { constant.features() } -> std::same_as<std::uint32_t>;
  learner.grow(std::uint32_t{});
  { constant.predict(x) } -> std::same_as<Outcome>;      // the outcome round() would return
  { learner.round(x) } -> std::same_as<Outcome>;         // predict, see the truth, update
  { constant.squared_norm(x) } -> std::same_as<double>;  // of a row, as the rule sees it, bias coordinate included
  constant.present();                                    // the current weights, and the result
  constant.result();
  learner.finish();
  { constant.save() } -> std::same_as<LearnerState>;
  learner.restore(state);
  { constant.state_shape() } -> std::same_as<StateShape>;
  { L::margins_cacheable } -> std::convertible_to<bool>;  // whether margins may be cached
};

// A learner, a buffer for its rows, and the interface of a player.
template <OnlineLearner L, class Interface>
class LearnerHolder : public Interface {
 protected:
  explicit LearnerHolder(L learner) : learner_(std::move(learner)) {}

  void grow_for(std::uint32_t index) {
    if (index >= learner_.features()) learner_.grow(index + 1);
  }

  L learner_;
  mutable UnpackBuffer buffer_;  // a learner belongs to one thread
};

// The part of a player that makes it a binary learner.
template <OnlineLearner L>
class BinaryPlayer : public LearnerHolder<L, BinaryLearner> {
 public:
  void play_sides(const Block& block, std::size_t from, std::size_t to, Sides sides, SidedOutcome* out) override {
    const bool grows = block.features > learner_.features();
    each_sided(block, from, to, sides, [&](const auto& x, bool counts) {
      if (grows && x.size > 0) grow_for(*std::max_element(x.index, x.index + x.size));
      const Outcome outcome = learner_.round(x);
      if (counts && !(x.weight > 0)) learner_.age();
      *out++ = {outcome.score, outcome.step};
    });
  }
  void look_sides(const Block& block, std::size_t from, std::size_t to, Sides sides, SidedOutcome* out) const override {
    each_sided(block, from, to, sides, [&](const auto& x, bool) {
      const Outcome outcome = learner_.predict(x);
      *out++ = {outcome.score, outcome.step};
    });
  }

 protected:
  using LearnerHolder<L, BinaryLearner>::LearnerHolder;
  using LearnerHolder<L, BinaryLearner>::grow_for;
  using LearnerHolder<L, BinaryLearner>::learner_;
  using LearnerHolder<L, BinaryLearner>::buffer_;

 private:
  // Calls each(example, counts) for the rows of a block, with the labels and weights of the binary problem; `counts`:
  // the row's own weight is not 0.
  template <class Each>
  void each_sided(const Block& block, std::size_t from, std::size_t to, Sides sides, Each&& each) const {
    block.with_storage([&]<class Value, bool dense>() {
      for (std::size_t i = from; i < to; ++i) {
        auto x = block.next_example<Value, dense>(i, buffer_);
        const bool positive = x.label == sides.positive;
        const bool counts = x.weight > 0;
        if (!positive && sides.negative != Sides::rest && x.label != sides.negative) x.weight = 0;
        x.label = positive;
        each(x, counts);
      }
    });
  }
};

template <OnlineLearner L>
using PlayerBase =
    std::conditional_t<std::same_as<typename L::Point, ClassWeightVector>, LearnerHolder<L, Learner>, BinaryPlayer<L>>;

template <OnlineLearner L>
class Player final : public PlayerBase<L> {
  using Base = PlayerBase<L>;

 public:
  Player(L learner, std::uint32_t classes) : Base(std::move(learner)), classes_(classes) {}

  void grow(std::uint32_t features) override { learner_.grow(features); }

  std::size_t play(const Block& block, std::size_t from, const Limits& limits, Ledger& ledger) override {
    book_.begin(*this, classes_, ledger);
    return block.with_storage([&]<class Value, bool dense>() {
      // The weights grow row by row, so that results do not depend on where blocks end.
      const bool grows = block.features > learner_.features();
      std::size_t i = from;
      bool more = true;
      while (more && i < block.rows) {
        const auto x = block.next_example<Value, dense>(i, buffer_);
        if (grows && x.size > 0) grow_for(*std::max_element(x.index, x.index + x.size));
        more = play_round(x, i, limits, ledger);
        ++i;
      }
      return i - from;
    });
  }

  std::size_t play(const Rows& rows, std::span<const std::uint32_t> order, const Limits& limits,
                   Ledger& ledger) override {
    book_.begin(*this, classes_, ledger);
    std::size_t played = 0;
    bool more = true;
    while (more && played < order.size()) {
      const std::uint32_t position = order[played];
      if (played + 2 * kAhead < order.size()) {
        const std::uint32_t next = order[played + 2 * kAhead];
        rows.fetch_place(next);
      }
      if (played + kAhead < order.size()) {
        const std::uint32_t next = order[played + kAhead];
        rows.fetch(next);
      }
      more = rows.with_row(position, buffer_, [&](const auto& x) { return play_round(x, position, limits, ledger); });
      ++played;
    }
    return played;
  }

  std::uint64_t find_updates(const Block& block, std::vector<std::uint32_t>* out, double& errors,
                             bool first_only) const override {
    return block.with_storage([&]<class Value, bool dense>() {
      std::uint64_t found = 0;
      for (std::size_t i = 0; i < block.rows; ++i) {
        const auto x = block.next_example<Value, dense>(i, buffer_);
        const Outcome outcome = learner_.predict(x);
        if (outcome.error) errors += x.weight;
        if (!outcome.updated) continue;
        ++found;
        if (out != nullptr) out->push_back(static_cast<std::uint32_t>(i));
        if (first_only) break;
      }
      return found;
    });
  }

  void find_updates(const Rows& rows, bool first_only, std::vector<std::uint32_t>& out, double& errors) override {
    if constexpr (L::margins_cacheable) {
      if (known_) return find_updates_cached(rows, first_only, out, errors);
    }
    this->Learner::find_updates(rows, first_only, out, errors);
  }
  void cache_margins(const Rows* rows) override {
    if constexpr (L::margins_cacheable) {
      known_.reset();
      if (rows == nullptr) return;
      known_.emplace(*rows, learner_.bias(), squared_norm(), weight_count());
    }
  }

  void enable_ratchet() override {
    if constexpr (has_keeper) learner_.keep().enable_ratchet();
  }
  bool offer_to_pocket(double errors) override {
    if constexpr (has_keeper) return learner_.keep().offer_to_pocket(learner_.weights(), errors);
    return false;
  }

  void finish() override { learner_.finish(); }
  ClassWeightVector result() const override { return flat(learner_.result()); }
  ClassWeightVector present() const override { return flat(learner_.present()); }
  std::size_t weight_count() const override { return std::size_t{learner_.features()} * vectors(); }
  double squared_norm() const override {
    if constexpr (requires { learner_.squared_length(); }) return learner_.squared_length();
    return halfspace::squared_norm(learner_.present());
  }
  LearnerState save() const override { return learner_.save(); }
  void restore(const LearnerState& state) override { learner_.restore(state); }
  StateShape state_shape() const override { return learner_.state_shape(); }

  void vote(const Block& block, std::vector<double>& votes) const override {
    if constexpr (requires { learner_.vote(block, votes); }) return learner_.vote(block, votes);
    this->Learner::vote(block, votes);
  }
  std::optional<KernelExpansion> expansion() const override {
    if constexpr (requires { learner_.result_function(); }) return learner_.result_function();
    return std::nullopt;
  }
  std::optional<RegretOfExperts> regret() const override {
    if constexpr (requires { learner_.regret(); }) return learner_.regret();
    return std::nullopt;
  }
  std::size_t alternatives() const override {
    if constexpr (requires { learner_.alternatives(); }) return learner_.alternatives();
    return 0;
  }
  ClassWeightVector alternative(std::size_t k) const override {
    if constexpr (requires { learner_.alternative(k); }) return flat(learner_.alternative(k));
    return result();
  }
  std::vector<MixtureMember> followed() const override {
    if constexpr (requires { learner_.followed(); }) return learner_.followed();
    return {};
  }

 private:
  using Base::buffer_, Base::grow_for, Base::learner_;

  static constexpr bool has_keeper = requires(L learner) { learner.keep(); };

  static constexpr std::size_t kAhead = 6;  // rows to prefetch, in random access

  void find_updates_cached(const Rows& rows, bool first_only, std::vector<std::uint32_t>& out,
                           double& errors) requires(L::margins_cacheable) {
    std::size_t i = 0;  // of the collection
    bool more = true;
    for (std::size_t b = 0; more && b < rows.blocks(); ++b) {
      const Block block = rows.block(b);
      block.with_storage([&]<class Value, bool dense>() {
        for (std::size_t k = 0; more && k < block.rows; ++k, ++i) {
          if (k + kAhead < block.rows && !known_->certain(i + kAhead)) {  // known rows need no prefetch
            block.fetch(k + kAhead);
          }
          bool error, moves;
          if (known_->certain(i)) {
            error = moves = known_->mistaken(i);
          } else {
            const auto x = block.example<Value, dense>(k, buffer_);
            const Outcome outcome = learner_.predict(x);
            error = outcome.error;
            moves = outcome.updated;
            const bool always =
                x.weight > 0 && learner_.rule().rate * x.weight == 0;  // a mistake would cause no update
            if (always) {
              known_->note_unknown(i);
            } else {
              const bool counts = x.weight > 0;
              known_->note(i, counts ? outcome.margin : std::numeric_limits<double>::infinity(), x.squared_norm);
            }
          }
          if (error) errors += block.weight == nullptr ? 1 : block.weight[k];
          if (moves) out.push_back(static_cast<std::uint32_t>(i));
          more = !(moves && first_only);
        }
      });
    }
    known_->searched(i);
  }

  // Returns the number of weight vectors: a binary learner has one.
  std::uint32_t vectors() const {
    if constexpr (std::same_as<typename L::Point, ClassWeightVector>) return classes_;
    return 1;
  }

  // Plays one round. Returns false when a limit is met.
  template <class Row>
  [[gnu::always_inline]] bool play_round(const Row& x, std::size_t position, const Limits& limits, Ledger& ledger) {
    const Outcome outcome = learner_.round(x);
    if constexpr (L::margins_cacheable) {
      if (outcome.updated && known_) known_->stepped(position, outcome.step);
    }
    if (ledger.losses) ledger.losses->add(x, outcome.margin, learner_.features());
    return book_.finish(*this, outcome, learner_.squared_norm(x), x, position, limits, ledger);
  }

  std::uint32_t classes_;
  RoundBook book_;
  std::optional<KnownMargins> known_;
};

}  // namespace halfspace::game
