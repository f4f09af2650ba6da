// How many rounds a second each preset plays over rows in memory: sparse rows of 75 values among 47,236 features (ones
// for Winnow, which takes nothing else; of 400 features for rules that keep a matrix), labels of a hidden halfspace of
// which 5 % are turned. The first pass, from nothing, is not measured.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "halfspace/base/random.h"
#include "halfspace/game/game.h"
#include "halfspace/rules/arow.h"
#include "halfspace/rules/composition.h"
#include "halfspace/rules/kernel_perceptron.h"
#include "halfspace/rules/rule_entry.h"
#include "halfspace/rules/second_order.h"
#include "halfspace/rules/winnow.h"

namespace halfspace {
namespace {

template <std::uint32_t features, bool ones>
const Rows& rows() {
  static const Rows made = [] {
    Generator draws;
    std::vector<double> weight(features);
    for (double& w : weight) w = gaussian(draws);
    Rows rows;
    BlockBuffer buffer;
    for (std::uint64_t row = 1; row <= 10'000; ++row) {
      std::vector<std::uint32_t> indices(75);
      for (std::uint32_t& index : indices) index = static_cast<std::uint32_t>(pick(draws, features));
      std::sort(indices.begin(), indices.end());
      indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
      double score = 0;
      for (const std::uint32_t index : indices) {
        const double value = ones ? 1 : 0.1 * draws.next();
        buffer.add(index, value);
        score += value * weight[index];
      }
      buffer.end_row((score > 0) != (draws.next() < 0.05), row);
      if (row % 1000 == 0) {
        rows.append(buffer.finish());
        buffer.clear();
      }
    }
    rows.seal();
    return rows;
  }();
  return made;
}

const Rows& rows_for(RuleName rule) {
  constexpr std::uint32_t many = 47'236;
  if (rule == rule::second_order || rule == rule::arow) return rows<400, false>();
  if (rule == rule::winnow1 || rule == rule::winnow2) return rows<many, true>();
  return rows<many, false>();
}

void play_preset(benchmark::State& state, const Preset& preset) {
  const Rows& rows = rows_for(preset.rule);
  Composition composition;
  composition.rule = preset.rule;
  composition.keep = preset.keep;
  composition.tie = preset.tie;
  const std::unique_ptr<Learner> learner = make_learner(composition, 2);
  learner->grow(rows.features());
  Ledger ledger;
  Generator draws;
  const auto pass = [&] {
    Game game;
    game.until.passes = ledger.passes + 1;
    play(*learner, rows, game, draws, ledger);
  };
  pass();
  for (auto _ : state) pass();
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * rows.size()));
}

const bool enlisted = [] {
  for (const Preset& preset : presets()) {
    // Other orders visit some rows more often than others; a vote and a kernel expansion grow with every mistake.
    if (preset.order != OrderName::stream || preset.keep == KeepName::vote || preset.rule == rule::kernel) continue;
    benchmark::RegisterBenchmark(("rounds/" + std::string(preset.name)).c_str(), play_preset, preset)
        ->Unit(benchmark::kMillisecond);
  }
  return true;
}();

}  // namespace
}  // namespace halfspace
