// The order of methods.
#include "proof/decide.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "proof/exact/nearest.h"
#include "proof/exact/simplex.h"
#include "proof/exact/support.h"
#include "proof/search/coordinate_descent.h"
#include "proof/search/duplicates.h"

namespace halfspace::proof {
namespace {

constexpr unsigned descent_passes = 60;

std::optional<std::vector<mpz_class>> exact_separator(const Problem& problem, const SignedPoints& points, const std::vector<double>& w, int bits) {
  auto v = round_separator(points, w, bits);
  if (v && judge(problem, *v).minimum > 0) return v;
  return std::nullopt;
}

std::vector<std::uint32_t> heaviest(const std::vector<double>& alpha, std::size_t most) {
  std::vector<std::uint32_t> rows;
  for (std::uint32_t i = 0; i < alpha.size(); ++i) {
    if (alpha[i] > 0) rows.push_back(i);
  }
  std::stable_sort(rows.begin(), rows.end(), [&](std::uint32_t a, std::uint32_t b) { return alpha[a] > alpha[b]; });
  if (rows.size() > most) rows.resize(most);
  return rows;
}

}  // namespace

WeightedMembers round_combination(const std::vector<std::uint32_t>& members, const std::vector<double>& weights) {
  double largest = 0;
  for (const double w : weights) largest = std::max(largest, w);
  WeightedMembers result;
  for (std::size_t c = 0; c < members.size(); ++c) {
    mpz_class weight(std::nearbyint(std::ldexp(weights[c] / largest, 40)));
    if (weight > 0) result.push_back({members[c], std::move(weight)});
  }
  std::sort(result.begin(), result.end(), [](const WeightedMember& a, const WeightedMember& b) { return a.member < b.member; });
  reduce(result);
  return result;
}

Decision decide(const Problem& problem, const Deadline& deadline, const std::function<void(const char* stage, Bracket)>& progress) {
  Decision decision;
  if (problem.size() == 0) {
    decision.separator.emplace(problem.dimension());
    return decision;
  }
  const SignedPoints points(problem.points->rows(), problem.members, problem.points->features(), problem.biased);
  progress("rows that contradict one another", {});
  const Conflicts conflicts = find_conflicts(points);
  for (const std::uint32_t i : conflicts.zeros) {
    if (is_witness(problem, {{i, 1}})) {
      decision.witness = {{i, 1}};
      return decision;
    }
  }
  for (const auto& [a, b] : conflicts.pairs) {
    if (is_witness(problem, {{a, 1}, {b, 1}})) {
      decision.witness = {{a, 1}, {b, 1}};
      return decision;
    }
  }

  progress("a separator by coordinate descent", {});
  const Descent descent = coordinate_descent(points, descent_passes, deadline);
  if (descent.separates && (decision.separator = exact_separator(problem, points, descent.unscaled, 6))) return decision;

  MinNorm search(points);
  double longest = 0;
  for (std::size_t i = 0; i < points.size(); ++i) longest = std::max(longest, points.squared_norm(i));
  const MinNorm::State state = search.run(deadline, [&](const std::vector<double>& p, double norm, double least) {
    progress("the point of the hull nearest to the origin", {least > 0 ? least / norm : 0, norm});
    if (least > 0) decision.separator = exact_separator(problem, points, p, 6);
    return !decision.separator;
  });
  if (decision.separator) return decision;
  const std::vector<std::uint32_t>& support = search.support();
  if (state == MinNorm::State::met) {
    progress("exact weights of a witness", {});
    const std::size_t likely = static_cast<std::size_t>(std::max_element(search.weights().begin(), search.weights().end()) - search.weights().begin());
    if (auto witness = solve_support(problem, support, likely)) {
      decision.witness = std::move(*witness);
      return decision;
    }
  }
  if (state != MinNorm::State::stopped) {
    progress("exact simplex", {});
    if (auto answer = decide_exactly(problem, support, deadline)) {
      decision.witness = std::move(answer->witness);
      if (decision.witness.empty()) decision.separator = std::move(answer->separator);
      return decision;
    }
  }
  decision.near = round_combination(support, search.weights());
  return decision;
}

Margin tighten(const Problem& problem, const std::vector<mpz_class>& separator, const Deadline& deadline,
               const std::function<void(const char* stage, Bracket)>& progress) {
  constexpr std::size_t exact_support = 48;
  constexpr std::size_t large_support = 1500;
  Margin margin{separator, {}};
  std::vector<double> units(problem.dimension());
  for (std::size_t j = 0; j < units.size(); ++j) units[j] = problem.unit(j).get_d();
  const SignedPoints points(problem.points->rows(), problem.members, problem.biased, units);
  mpq_class best = -1;
  const auto offer = [&](std::vector<mpz_class> v) {
    const mpz_class minimum = judge(problem, v).minimum;
    if (minimum <= 0) return false;
    const DataWeights weights = in_data_coordinates(problem, v);
    const mpq_class value = mpq_class(minimum) * weights.factor;
    const mpq_class square = value * value / weights.squared_norm();
    if (square < best) return false;
    best = square;
    margin.separator = std::move(v);
    return true;
  };
  offer(separator);

  Deadline part = deadline;
  const auto now = std::chrono::steady_clock::now();
  part.end = std::min(deadline.end, now + std::chrono::milliseconds(300));
  const Descent descent = coordinate_descent(points, 30, part);
  std::vector<std::uint32_t> rows = heaviest(descent.alpha, points.size());
  std::vector<double> weights;
  for (const std::uint32_t i : rows) weights.push_back(descent.alpha[i]);
  if (descent.separates) {
    if (auto v = round_separator(points, descent.unscaled, 16)) offer(std::move(*v));
  }
  if (!rows.empty()) margin.near = round_combination(rows, weights);
  if (std::min(points.size(), points.dimension()) > large_support) return margin;

  MinNorm search(points);
  std::vector<double> last;
  const MinNorm::State state = search.run(deadline, [&](const std::vector<double>& p, double norm, double least) {
    progress("the largest margin", {least > 0 ? least / norm : 0, norm});
    if (least > 0) last = p;
    return true;
  });
  if (!last.empty()) {
    if (auto v = round_separator(points, last, 16)) offer(std::move(*v));
  }
  if (search.support().empty()) return margin;
  margin.near = round_combination(search.support(), search.weights());
  if (state == MinNorm::State::separated && search.support().size() <= exact_support) {
    if (auto exact = nearest_point(problem, search.support())) {
      if (offer(exact->separator)) margin.near = std::move(exact->weights);
    }
  }
  return margin;
}

}  // namespace halfspace::proof
