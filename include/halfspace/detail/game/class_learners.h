// Multiclass learning by binary learners: each reads every row once, and the class with the highest score wins.
//
//   one against the rest  a learner a class; its score is the class's
//   one against one       a learner a pair of classes, on the rows of these two; a class's score is the sum of its scores
//                         against the others. The result of both is one vector a class.
//
// Rounds run some hundred rows at a time, learner by learner, so that the weights of one stay in cache; results are
// those of running row by row.
// Guarantee: each learner's own, for its binary problem; a row on which all learners are right is right.
// Cost: that of a binary learner times their number; rows are read once.
// Source: Rifkin and Klautau, JMLR 5 (2004), for the rest; Hastie and Tibshirani, Annals of Statistics 26 (1998), for
// pairs. The sum of scores instead of votes is our own: the model stays one vector a class.
//
// Thread-safety: one thread, except const members. Ownership: owns its learners.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "halfspace/detail/game/round_book.h"
#include "halfspace/detail/linear/names.h"
#include "halfspace/game/learner.h"

namespace halfspace {

enum class SeveralClasses : std::uint8_t { own, one_against_rest, one_against_one };

template <>
struct NamesOf<SeveralClasses> {
  static constexpr Name<SeveralClasses> table[] = {
      {SeveralClasses::own, "own", "one multiclass learner if the rule has one, else one against the rest"},
      {SeveralClasses::one_against_rest, "one-against-rest", "a learner a class, against all others"},
      {SeveralClasses::one_against_one, "one-against-one", "a learner a pair of classes"}};
};

// The limit of learners: more suggest that the label is the wrong column.
inline constexpr std::uint64_t most_learners = 65'536;
// Returns the number of learners; `how` is not `own`.
std::uint64_t learners_of(SeveralClasses how, std::uint32_t classes);

class ClassLearners final : public Learner {
 public:
  // `learners`: learners_of() equal binary ones; pairs in the order (0, 1), (0, 2) ... (1, 2) ...
  ClassLearners(std::vector<std::unique_ptr<Learner>> learners, SeveralClasses how, std::uint32_t classes, Tie tie,
                BiasOptions bias);

  void grow(std::uint32_t features) override;
  std::size_t play(const Block& block, std::size_t from, const Limits& limits, Ledger& ledger) override;
  std::size_t play(const Rows& rows, std::span<const std::uint32_t> order, const Limits& limits,
                   Ledger& ledger) override;
  std::uint64_t find_updates(const Block& block, std::vector<std::uint32_t>* out, double& errors,
                             bool first_only) const override;
  void enable_ratchet() override;
  bool offer_to_pocket(double errors) override;
  void finish() override;
  ClassWeightVector result() const override;
  ClassWeightVector present() const override;
  LearnerState save() const override;
  void restore(const LearnerState& state) override;
  StateShape state_shape() const override;
  std::optional<RegretOfExperts> regret() const override;  // the sums over all learners
  std::vector<MixtureMember> followed() const override;    // the means over all learners

 private:
  struct Part {
    std::unique_ptr<BinaryLearner> learner;
    Sides sides;
  };
  // Compute an outcome for each learner and row of [from, to), with and without learning.
  void play_all(const Block& block, std::size_t from, std::size_t to);
  void look_at_all(const Block& block, std::size_t from, std::size_t to) const;
  Outcome outcome_of(const Block& block, std::size_t from, std::size_t i) const;
  // Returns the number of rounds until a limit may be met, or the observer or recorder is due.
  std::size_t at_once(const Limits& limits, const Ledger& ledger) const;
  // Returns false if a limit is met.
  bool finish_round(const Block& block, std::size_t from, std::size_t i, std::size_t position, const Limits& limits,
                    Ledger& ledger);
  ClassWeightVector of_classes(const std::vector<ClassWeightVector>& vectors) const;

  std::vector<Part> parts_;
  SeveralClasses how_;
  std::uint32_t classes_;
  game::RoundBook book_;
  Tie tie_;
  BiasOptions bias_;
  mutable std::vector<SidedOutcome> outcomes_;  // of learner p and row i: [p * rows_at_once + i]
  mutable std::vector<double> scores_;
  mutable UnpackBuffer room_;
  BlockBuffer gathered_;
};

}  // namespace halfspace
