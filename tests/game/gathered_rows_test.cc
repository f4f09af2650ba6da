// Rows laid out ahead of the game by another thread: the same rows, whatever their storage, and the same game.
#include "game/gathered_rows.h"

#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "halfspace/base/random.h"
#include "halfspace/game/game.h"
#include "halfspace/rules/rule_entry.h"

namespace halfspace::game {
namespace {

enum class Storage { ones, dense_floats, decimals, doubles, mixed };

// Rows of labels that a plane gives, in the storage asked for; every seventh row counts more.
Rows rows_stored_as(Storage storage, std::size_t count, bool packed) {
  Rows rows(RowsOptions{.memory = std::uint64_t{1} << 30, .folder = {}, .packed = packed});
  Generator draws(17);
  BlockBuffer buffer;
  for (std::size_t r = 0; r < count; ++r) {
    const Storage kind = storage != Storage::mixed ? storage : static_cast<Storage>(r / Rows::block_rows % 4);
    const bool dense = kind == Storage::dense_floats;
    const std::size_t size = dense ? 30 : pick(draws, 40);
    std::uint32_t index = 0;
    double sum = 0;
    for (std::size_t k = 0; k < size; ++k) {
      const double value = kind == Storage::ones       ? 1
                           : kind == Storage::decimals ? static_cast<double>(pick(draws, 1000)) / 100 - 5
                           : dense                     ? static_cast<double>(static_cast<float>(gaussian(draws)))
                                                       : gaussian(draws);
      buffer.add(index, value);
      sum += index % 2 == 0 ? value : -value;
      index += dense ? 1 : 1 + static_cast<std::uint32_t>(pick(draws, 5));
    }
    buffer.end_row(sum + gaussian(draws) > 0, r + 1, r % 7 == 0 ? 2.5 : 1.0);
    if (buffer.rows() == Rows::block_rows) {
      rows.append(buffer.finish());
      buffer.clear();
    }
  }
  rows.append(buffer.finish());
  rows.seal();
  return rows;
}

std::vector<std::uint32_t> order_of(std::size_t size) {
  std::vector<std::uint32_t> order(size);
  Generator draws(3);
  shuffle(draws, order);
  return order;
}

constexpr Storage kStorages[] = {Storage::ones, Storage::dense_floats, Storage::decimals, Storage::doubles,
                                 Storage::mixed};

TEST(GatheredRows, AreTheRowsOfTheOrder) {
  for (const Storage storage : kStorages) {
    for (const bool packed : {false, true}) {
      const Rows rows = rows_stored_as(storage, 13'000, packed);
      const std::vector<std::uint32_t> order = order_of(rows.size());
      GatheredRows gathered(rows, order);
      UnpackBuffer room, other;
      std::size_t at = 0;
      while (const std::optional<Block> block = gathered.next()) {
        for (std::size_t i = 0; i < block->rows; ++i, ++at) {
          ASSERT_LT(at, order.size());
          block->with_example(i, other, [&](const auto& x) {
            rows.with_row(order[at], room, [&](const auto& y) {
              ASSERT_EQ(x.size, y.size);
              EXPECT_EQ(x.label, y.label);
              EXPECT_EQ(x.weight, y.weight);
              EXPECT_EQ(x.row, y.row);
              EXPECT_EQ(x.squared_norm, y.squared_norm);
              for (std::uint32_t k = 0; k < x.size; ++k) {
                ASSERT_EQ(x.index[k], y.index[k]);
                ASSERT_EQ(x.value_at(k), y.value_at(k));
              }
            });
          });
        }
      }
      EXPECT_EQ(at, order.size());
      EXPECT_FALSE(gathered.next());
    }
  }
}

// Whoever stops early leaves a thread that waits, or works.
TEST(GatheredRows, MayBeLeftAtAnyTime) {
  const Rows rows = rows_stored_as(Storage::doubles, 9'000, true);
  const std::vector<std::uint32_t> order = order_of(rows.size());
  for (int taken = 0; taken < 20; ++taken) {
    GatheredRows gathered(rows, order);
    for (int k = 0; k < taken; ++k) (void)gathered.next();
  }
}

// A shuffled game, broken off by updates at odd places and taken up again, is the game row by row.
TEST(GatheredRows, GiveTheGameOfTheRowsOneByOne) {
  if (!GatheredRows::pays(rows_stored_as(Storage::doubles, 20'000, true))) GTEST_SKIP() << "there is one processor";
  for (const Storage storage : kStorages) {
    const Rows rows = rows_stored_as(storage, 20'000, true);
    Composition c;
    c.order = OrderName::shuffled;
    const auto play_until = [&](std::vector<std::uint64_t> stops, std::vector<std::uint32_t>& visits, Ledger& ledger) {
      auto learner = make_learner(c, 2);
      learner->grow(rows.features());
      Generator draws(5);
      OrderState state;
      stops.push_back(UINT64_MAX);
      for (const std::uint64_t updates : stops) {
        Game game{.order = c.order, .until = {.clean = Clean::no, .passes = 3, .updates = updates, .seconds = {}}};
        play(*learner, rows, game, draws, ledger, {.order = &state, .visits = &visits});
      }
      return learner->save();
    };
    Ledger whole, broken;
    std::vector<std::uint32_t> visits, again;
    const LearnerState state = play_until({}, visits, whole);
    EXPECT_EQ(play_until({1, 700, 1'501, 4'000}, again, broken), state);
    EXPECT_EQ(again, visits);
    EXPECT_EQ(broken.mistakes, whole.mistakes);
    // Row by row, without the second thread.
    auto learner = make_learner(c, 2);
    learner->grow(rows.features());
    Generator draws(5);
    Ledger slow;
    for (int pass = 0; pass < 3; ++pass) {
      std::vector<std::uint32_t> order(rows.size());
      shuffle(draws, order);
      learner->play(rows, order, Limits{}, slow);
    }
    EXPECT_EQ(learner->save(), state);
    EXPECT_EQ(slow.mistakes, whole.mistakes);
  }
}

}  // namespace
}  // namespace halfspace::game
