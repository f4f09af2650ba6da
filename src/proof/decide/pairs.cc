// Decides pairs of classes, the nearest first.
#include "proof/decide/pairs.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace halfspace::proof {
namespace {

constexpr std::size_t most_pairs = 1000;

// Returns the mean of each class, in columns scaled to at most 1.
std::vector<std::vector<double>> means_of(const Points& points, std::uint32_t classes, const Budget& budget) {
  std::vector<double> largest(points.features(), 0.0), rows(classes, 0.0);
  std::vector<std::vector<double>> means(classes, std::vector<double>(points.features(), 0.0));
  for (std::uint32_t i = 0; i < points.size(); ++i) {
    if (i % Rows::block_rows == 0) budget.check();
    const auto k = static_cast<std::size_t>(points.klass(i));
    ++rows[k];
    points.rows().with_row(i, [&](const auto& x) {
      for (std::uint32_t e = 0; e < x.size; ++e) {
        const double value = x.value_at(e);
        means[k][x.index[e]] += value;
        largest[x.index[e]] = std::max(largest[x.index[e]], std::abs(value));
      }
    });
  }
  for (std::size_t k = 0; k < means.size(); ++k) {
    for (std::size_t j = 0; j < largest.size(); ++j) {
      if (largest[j] > 0 && rows[k] > 0) means[k][j] = means[k][j] / rows[k] / largest[j];
    }
  }
  return means;
}

using Pair = std::pair<std::int32_t, std::int32_t>;

std::vector<Pair> nearest_pairs(const Points& points, std::uint32_t classes, const Budget& budget) {
  budget.need(std::uint64_t{classes} * points.features() * sizeof(double));
  const std::vector<std::vector<double>> means = means_of(points, classes, budget);
  std::vector<std::pair<double, Pair>> pairs;
  for (std::uint32_t a = 0; a < classes; ++a) {
    budget.check();
    for (std::uint32_t b = a + 1; b < classes; ++b) {
      double square = 0;
      for (std::size_t j = 0; j < means[a].size(); ++j)
        square += (means[a][j] - means[b][j]) * (means[a][j] - means[b][j]);
      pairs.push_back({std::isnan(square) ? 0 : square, {static_cast<std::int32_t>(a), static_cast<std::int32_t>(b)}});
    }
  }
  std::sort(pairs.begin(), pairs.end());
  std::vector<Pair> nearest;
  for (std::size_t k = 0; k < std::min(most_pairs, pairs.size()); ++k) nearest.push_back(pairs[k].second);
  return nearest;
}

// Returns the combination as one of Kesler's points.
PairFinding finding(const Problem& problem, const Pair& pair, const WeightedMembers& weights) {
  PairFinding found;
  for (const auto& [member, weight] : weights) {
    const Member& of = problem.members[member];
    const std::int32_t rival = of.sign > 0 ? pair.second : pair.first;
    found.weights.push_back({static_cast<std::uint32_t>(found.origins.size()), weight});
    found.origins.push_back({of.row, static_cast<std::uint32_t>(rival)});
  }
  return found;
}

}  // namespace

std::optional<PairFinding> inseparable_pair(const Points& points, const Asked& asked, const Budget& budget,
                                            const std::function<void(const char* stage, Bracket)>& progress) {
  std::optional<PairFinding> found;
  try {
    std::vector<std::vector<Member>> of_class(asked.classes);
    for (std::uint32_t i = 0; i < points.size(); ++i)
      of_class[static_cast<std::size_t>(points.klass(i))].push_back({i, 1});
    for (const Pair& pair : nearest_pairs(points, asked.classes, budget)) {
      budget.check();
      Problem problem;
      problem.points = &points;
      problem.biased = asked.biased;
      problem.bias_scale = asked.bias_scale;
      problem.members = of_class[static_cast<std::size_t>(pair.first)];
      for (const Member& other : of_class[static_cast<std::size_t>(pair.second)])
        problem.members.push_back({other.row, -1});
      std::sort(problem.members.begin(), problem.members.end(),
                [](const Member& a, const Member& b) { return a.row < b.row; });
      const Decision decision = decide(problem, budget, [&](const char* stage, Bracket) { progress(stage, {}); });
      if (decision.separator) continue;
      const bool witness = !decision.witness.empty();
      found = finding(problem, pair, witness ? decision.witness : decision.near.front());
      found->witness = witness;
      if (witness) return found;
    }
  } catch (const GaveUp&) {
  }
  return found;
}

}  // namespace halfspace::proof
