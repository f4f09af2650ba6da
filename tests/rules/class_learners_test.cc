// Learners of two classes among several: each learns what it would by itself, and the highest score wins.
#include "halfspace/detail/game/class_learners.h"

#include <gtest/gtest.h>

#include <cmath>

#include "halfspace/base/random.h"
#include "halfspace/rules/rule_entry.h"
#include "support/every.h"
#include "support/points.h"

namespace halfspace::testing {
namespace {

constexpr std::int32_t kSides = 4;

Points points_of_classes(std::uint64_t seed, std::size_t rows, bool ones) {
  Generator draws(seed);
  Points points;
  for (std::size_t i = 0; i < rows; ++i) {
    Point point;
    for (std::size_t j = 0; j < 3 + i / 40; ++j)
      point.x.push_back(pick(draws, 3) == 0 ? 0.0 : ones ? 1.0 : gaussian(draws));
    point.x.resize(8, 0.0);
    point.label = point.x[0] > 0.5 ? 3 : point.x[1] > point.x[2] ? 1 : 2;
    if (draws.next() < 0.2) point.label = static_cast<std::int32_t>(pick(draws, kSides));
    point.weight = pick(draws, 8) == 0 ? 2.5 : pick(draws, 12) == 0 ? 0 : 1;
    points.push_back(point);
  }
  return points;
}

// The rows as one side sees them.
Points sided(Points points, std::int32_t positive, std::int32_t negative) {
  for (Point& point : points) {
    if (point.label != positive && negative >= 0 && point.label != negative) point.weight = 0;
    point.label = point.label == positive;
  }
  return points;
}

// Every rule of two classes with weights.
std::vector<Composition> rules_of_two() {
  std::vector<Composition> all;
  for (const RuleEntry& entry : all_rules()) {
    if (entry.several_classes || entry.support_vectors) continue;
    Composition c;
    c.rule = entry.id;
    if (entry.default_bias != nullptr) c.bias.position = entry.default_bias(c);
    c.keep = entry.keeps(KeepName::average) ? KeepName::average : KeepName::last;
    all.push_back(c);
  }
  return all;
}

TEST(ClassLearners, EachLearnsWhatItWouldByItself) {
  for (const Composition& c : rules_of_two()) {
    const Points points = points_of_classes(5, 300, takes_ones_only(c.rule));
    const StoredPoints rows(points, ValueType::float64, false);
    std::vector<ClassWeightVector> alone;
    for (std::int32_t k = 0; k < kSides; ++k) {
      for (std::int32_t other = -1; other < kSides; ++other) {
        if (other >= 0 && other <= k) continue;
        // A learner by itself does not count the rows of other classes, which are rounds of the pair: no means of these.
        Composition own = c;
        if (other >= 0) own.keep = KeepName::last;
        const auto learner = make_learner(own, 2);
        Ledger ledger;
        learner->play(StoredPoints(sided(points, k, other), ValueType::float64, false).block(), 0, {}, ledger);
        learner->finish();
        alone.push_back(learner->result());
      }
    }
    for (const SeveralClasses how : {SeveralClasses::one_against_rest, SeveralClasses::one_against_one}) {
      Composition several = c;
      several.several_classes = how;
      if (how == SeveralClasses::one_against_one) several.keep = KeepName::last;
      const auto learner = make_learner(several, kSides);
      Ledger ledger;
      learner->play(rows.block(), 0, {}, ledger);
      learner->finish();
      const ClassWeightVector all = learner->result();
      ASSERT_EQ(all.classes, kSides);
      ASSERT_EQ(all.bias.size(), kSides);
      for (std::size_t i = 0; i <= all.w.size() / kSides; ++i) {
        double wanted[kSides] = {};
        std::size_t next = 0;
        for (std::size_t k = 0; k < kSides; ++k) {
          for (std::size_t other = k; other < kSides; ++other) {  // `k` stands for the rest here
            const ClassWeightVector& one = alone[next++];
            const double w = i < one.w.size() ? one.w[i] : i == all.w.size() / kSides ? one.bias[0] : 0.0;
            const bool rest = other == k;
            if (rest != (how == SeveralClasses::one_against_rest)) continue;
            wanted[k] += w;
            if (!rest) wanted[other] -= w;
          }
        }
        for (std::size_t k = 0; k < kSides; ++k) {
          EXPECT_EQ(i < all.w.size() / kSides ? all.w[i * kSides + k] : all.bias[k], wanted[k])
              << name_of(c.rule) << " " << name_of(how) << " feature " << i << " class " << k;
        }
      }
    }
  }
}

// Played at once, row by row, in kept rows, or gone on with from its state half-way: the same.
TEST(ClassLearners, HowRowsComeDoesNotMatter) {
  for (Composition c : rules_of_two()) {
    for (const SeveralClasses how : {SeveralClasses::one_against_rest, SeveralClasses::one_against_one}) {
      c.several_classes = how;
      const Points points = points_of_classes(6, 700, takes_ones_only(c.rule));
      const StoredPoints stored(points, ValueType::float64, false);
      const Block& block = stored.block();
      const auto at_once = make_learner(c, kSides), one_by_one = make_learner(c, kSides),
                 kept = make_learner(c, kSides), first = make_learner(c, kSides), second = make_learner(c, kSides);
      Ledger a, b, d, e;
      EXPECT_EQ(at_once->play(block, 0, {}, a), points.size());
      std::uint64_t seen = 0;
      one_by_one->observer = [&](const RoundView& round) {
        EXPECT_EQ(round.round, ++seen);
        EXPECT_EQ(round.label, points[seen - 1].label);
      };
      one_by_one->play(block, 0, {}, b);
      const auto grown = make_learner(c, kSides);  // as kept rows ask for: some rules start from what there is
      Ledger f;
      grown->grow(block.features);
      grown->play(block, 0, {}, f);
      const Rows rows = rows_of(points);
      std::vector<std::uint32_t> order(points.size());
      for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
      kept->grow(block.features);
      kept->play(rows, order, {}, d);
      std::size_t played = 0;
      while (e.rounds < 333) {
        const Limits limits{.updates = e.updates + 1, .clean_run = 5};
        const std::uint64_t still = e.rounds - e.last_update_round;
        played += first->play(block, played, limits, e);
        EXPECT_LE(e.updates, limits.updates);
        EXPECT_LE(e.rounds - e.last_update_round, std::max<std::uint64_t>(5, still + 1));
      }
      second->restore(first->save());
      EXPECT_EQ(second->save(), first->save());
      second->play(block, played, {}, e);
      EXPECT_EQ(a, b) << name_of(c.rule);
      EXPECT_EQ(f, d) << name_of(c.rule);
      EXPECT_EQ(a, e) << name_of(c.rule);
      EXPECT_EQ(at_once->save(), one_by_one->save()) << name_of(c.rule);
      EXPECT_EQ(grown->save(), kept->save()) << name_of(c.rule);
      EXPECT_EQ(at_once->save(), second->save()) << name_of(c.rule);
    }
  }
}

// The ledger counts by the scores that the vectors handed out would give, before each round.
TEST(ClassLearners, TheHighestScoreWins) {
  for (const Tie tie : {Tie::positive, Tie::mistake, Tie::negative}) {
    Composition c;
    c.tie = tie;
    for (const SeveralClasses how : {SeveralClasses::one_against_rest, SeveralClasses::one_against_one}) {
      c.several_classes = how;
      Points points = points_of_classes(7, 300, false);
      for (Point& point : points) {
        for (double& value : point.x) value = std::round(2 * value);  // so that scores tie
      }
      const StoredPoints rows(points, ValueType::float64, false);
      const auto learner = make_learner(c, kSides);
      learner->grow(8);
      std::uint64_t ties = 0;
      Ledger ledger;
      ClassWeightVector before = learner->present();
      learner->observer = [&](const RoundView& round) {
        const Point& point = points[round.round - 1];
        double score[kSides];
        for (std::size_t k = 0; k < kSides; ++k) {
          score[k] = before.bias[k];
          for (std::size_t j = 0; j < 8; ++j) score[k] += before.w[j * kSides + k] * point.x[j];
        }
        const auto label = static_cast<std::size_t>(point.label);
        bool beaten = false;
        for (std::size_t k = 0; k < kSides; ++k) {
          if (k == label) continue;
          ties += score[k] == score[label] ? 1 : 0;
          beaten =
              beaten || score[k] > score[label] ||
              (score[k] == score[label] && (tie == Tie::mistake || (tie == Tie::positive ? k < label : k > label)));
        }
        EXPECT_EQ(round.outcome.mistake, beaten && point.weight > 0);
        EXPECT_EQ(round.outcome.score, score[label]);
        EXPECT_EQ(round.outcome.predicted, static_cast<std::int32_t>(winner(score, kSides, tie)));
        EXPECT_EQ(round.outcome.error, round.outcome.predicted != point.label && point.weight > 0);
        EXPECT_EQ(round.outcome.margin < 0 && point.weight > 0,
                  beaten && round.outcome.margin != 0 && point.weight > 0);
        before = learner->present();
      };
      learner->play(rows.block(), 0, {}, ledger);
      EXPECT_GT(ties, 5U);
      std::vector<std::uint32_t> moves;
      double errors = 0;
      learner->observer = nullptr;
      learner->find_updates(rows.block(), &moves, errors, false);
      const LearnerState state = learner->save();
      for (std::size_t i = 0; i < points.size(); ++i) {
        const auto other = make_learner(c, kSides);
        other->restore(state);
        Ledger one;
        const StoredPoints row({points[i]}, ValueType::float64, false);
        other->play(row.block(), 0, {}, one);
        errors -= one.errors();
        EXPECT_EQ(std::count(moves.begin(), moves.end(), static_cast<std::uint32_t>(i)), one.updates);
      }
      EXPECT_EQ(errors, 0);
    }
  }
}

TEST(ClassLearners, AStateOfOtherLearnersIsRefused) {
  Composition c;
  c.several_classes = SeveralClasses::one_against_rest;
  const auto learner = make_learner(c, 3);
  LearnerState state = learner->save();
  EXPECT_NO_THROW(learner->restore(state));
  state.weights.classes = 2;
  EXPECT_THROW(learner->restore(state), Error);
  EXPECT_EQ(learners_of(SeveralClasses::one_against_one, 70'000), 2'449'965'000U);
}

}  // namespace
}  // namespace halfspace::testing
