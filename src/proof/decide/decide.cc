// Runs the methods in order.
#include "proof/decide/decide.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "halfspace/detail/base/rounding.h"
#include "proof/exact/nearest.h"
#include "proof/exact/simplex.h"
#include "proof/exact/support.h"
#include "proof/exact/warm_start.h"
#include "proof/search/coordinate_descent.h"
#include "proof/search/duplicates.h"

namespace halfspace::proof {
namespace {

constexpr unsigned descent_passes = 60;
constexpr double no_price = std::numeric_limits<double>::infinity();

std::optional<std::vector<mpz_class>> exact_separator(const Problem& problem, const SignedPoints& points,
                                                      const std::vector<double>& w, int bits, const Budget& budget) {
  auto v = round_separator(points, w, bits);
  if (v && measure_separator(problem, *v, 0, {}, budget).minimum > 0) return v;
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

// What to start from, for this question: the nearest combination, and the nearest that has few rows.
struct WarmStarts {
  WarmStart nearest, few;
};
WarmStarts warm_starts(const SignedPoints& points, const std::vector<WeightedMembers>& near) {
  WarmStarts starts;
  for (const WeightedMembers& combination : near) {
    const WarmStart start = warm_start(points, combination);
    const auto nearer = [&](const WarmStart& best) { return best.rows.empty() || start.square < best.square; };
    if (nearer(starts.nearest)) starts.nearest = start;
    if (start.rows.size() <= points.dimension() + 1 && nearer(starts.few)) starts.few = start;
  }
  return starts;
}

// Limits the time of a descent that resumes another: the min-norm search decides what descent does not.
Budget part_for_descent(const Budget& budget, const WarmStarts& starts) {
  constexpr int share = 4;
  Budget part = budget;
  if (starts.nearest.rows.empty() || budget.end == std::chrono::steady_clock::time_point::max()) return part;
  const auto now = std::chrono::steady_clock::now();
  part.end = std::min(part.end, now + (part.end - now) / share);
  return part;
}

// Starts the min-norm point in the hull of the rows that coordinate descent pushed most.
void start_from(MinNorm& search, const Descent& descent, std::size_t dimension, const WarmStart& known = {}) {
  if (!known.rows.empty()) return search.start(known.rows, known.weights);
  const std::vector<std::uint32_t> rows = heaviest(descent.alpha, std::max<std::size_t>(1, dimension * 6 / 10));
  std::vector<double> weights;
  weights.reserve(rows.size());
  for (const std::uint32_t i : rows) weights.push_back(descent.alpha[i]);
  if (!rows.empty()) search.start(rows, weights);
}

// The factors from integer coordinates to those of the data, times a power of two that scales the largest norms to
// about 1: a norm here is one of the data times 2^-exponent.
struct Units {
  std::vector<double> scale;
  int exponent = 0;
};
Units units(const Problem& problem) {
  std::vector<double> largest(problem.dimension(), 0.0);
  for (const Member& member : problem.members) {
    problem.points->rows().with_row(member.row, [&](const auto& x) {
      for (std::uint32_t k = 0; k < x.size; ++k) {
        largest[x.index[k]] = std::max(largest[x.index[k]], std::abs(x.value_at(k)));
      }
    });
  }
  if (problem.biased) largest.back() = 1;
  long most = std::numeric_limits<long>::min();
  std::vector<mpq_class> unit(problem.dimension());
  for (std::size_t j = 0; j < unit.size(); ++j) {
    unit[j] = problem.unit(j);
    if (largest[j] == 0) continue;
    const long bits = static_cast<long>(mpz_sizeinbase(unit[j].get_num_mpz_t(), 2)) -
                      static_cast<long>(mpz_sizeinbase(unit[j].get_den_mpz_t(), 2));
    most = std::max(most, bits + std::ilogb(largest[j]));
  }
  std::vector<double> scale(unit.size(), 0.0);
  for (std::size_t j = 0; j < unit.size(); ++j) {
    if (largest[j] == 0) continue;
    if (most > 0) {
      mpq_div_2exp(unit[j].get_mpq_t(), unit[j].get_mpq_t(), static_cast<unsigned long>(most));
    } else {
      mpq_mul_2exp(unit[j].get_mpq_t(), unit[j].get_mpq_t(), static_cast<unsigned long>(-most));
    }
    scale[j] = unit[j].get_d();
  }
  return {std::move(scale), most == std::numeric_limits<long>::min() ? 0 : static_cast<int>(most)};
}

// Searches in doubles, then verifies exactly: a separator or a witness, unless doubles or the simplex fail.
void search_hull(const Problem& problem, const SignedPoints& points, const Descent& descent, MinNorm& search,
                 const Budget& budget, const std::function<void(const char* stage, Bracket)>& progress,
                 const WarmStart& known, Decision& decision) {
  start_from(search, descent, points.dimension(), known);
  const MinNorm::State state = search.run([&](const std::vector<double>& p, double norm, double least) {
    progress("the point of the hull nearest to the origin", {least > 0 ? least / norm : 0, norm});
    if (least > 0) decision.separator = exact_separator(problem, points, p, 6, budget);
    return !decision.separator;
  });
  if (decision.separator) return;
  const std::vector<std::uint32_t>& support = search.support();
  if (state == MinNorm::State::met && !support.empty()) {
    progress("exact weights of a witness", {});
    const std::size_t likely = static_cast<std::size_t>(
        std::max_element(search.weights().begin(), search.weights().end()) - search.weights().begin());
    std::vector<std::uint32_t> rows = support;
    auto witness = solve_support(problem, rows, likely, budget);
    if (!witness) {
      // Drops rows with negligible weight in doubles: they make the system one too large.
      const std::uint32_t keep = support[likely];
      rows.clear();
      for (std::size_t c = 0; c < support.size(); ++c) {
        if (search.weights()[c] > 1e-9) rows.push_back(support[c]);
      }
      if (rows.size() < support.size())
        witness = solve_support(
            problem, rows, static_cast<std::size_t>(std::find(rows.begin(), rows.end(), keep) - rows.begin()), budget);
    }
    if (witness) {
      decision.witness = std::move(*witness);
      return;
    }
  }
  progress("exact simplex", {});
  if (auto answer = decide_exactly(problem, support, budget)) {
    decision.witness = std::move(answer->witness);
    if (decision.witness.empty()) decision.separator = std::move(answer->separator);
  } else {
    decision.for_memory = !budget.passed();
  }
}

}  // namespace

WeightedMembers round_combination(const std::vector<std::uint32_t>& members, const std::vector<double>& weights) {
  double largest = 0;
  for (const double w : weights) largest = larger(largest, w);
  if (!(largest > 0) || !std::isfinite(largest)) return {{members.front(), 1}};
  WeightedMembers result;
  for (std::size_t c = 0; c < members.size(); ++c) {
    mpz_class weight(std::nearbyint(std::ldexp(weights[c] / largest, 40)));
    if (weight > 0) result.push_back({members[c], std::move(weight)});
  }
  std::sort(result.begin(), result.end(),
            [](const WeightedMember& a, const WeightedMember& b) { return a.member < b.member; });
  reduce(result);
  return result;
}

namespace {

// Returns the rows that coordinate descent pushed, or one row if it pushed none.
WeightedMembers combination_of(const Descent& descent) {
  const std::vector<std::uint32_t> rows = heaviest(descent.alpha, descent.alpha.size());
  std::vector<double> weights;
  weights.reserve(rows.size());
  for (const std::uint32_t i : rows) weights.push_back(descent.alpha[i]);
  return rows.empty() ? WeightedMembers{{0, 1}} : round_combination(rows, weights);
}

// Returns a mean of rows of both signs, with equal weights in all and evenly spread over the data: a bound that needs no
// search.
WeightedMembers mean_of_rows(const Problem& problem) {
  constexpr std::size_t most = 1000;  // of each sign
  std::vector<std::uint32_t> negative, positive;
  for (std::uint32_t i = 0; i < problem.size(); ++i) (problem.members[i].sign < 0 ? negative : positive).push_back(i);
  WeightedMembers mean;
  const auto add = [&](const std::vector<std::uint32_t>& rows, std::size_t others) {
    const std::size_t kept = std::min(rows.size(), most);
    for (std::size_t k = 0; k < kept; ++k)
      mean.push_back({rows[k * rows.size() / kept], mpz_class(std::max<std::size_t>(1, std::min(others, most)))});
  };
  add(negative, positive.size());
  add(positive, negative.size());
  std::sort(mean.begin(), mean.end(),
            [](const WeightedMember& a, const WeightedMember& b) { return a.member < b.member; });
  reduce(mean);
  return mean;
}

// Returns rows that are a proof by themselves, if there are any.
WeightedMembers contradiction(const Problem& problem, const SignedPoints& points) {
  const Conflicts conflicts = find_conflicts(points);
  for (const std::uint32_t i : conflicts.zeros) {
    if (is_witness(problem, {{i, 1}})) return {{i, 1}};
  }
  for (const auto& [a, b] : conflicts.pairs) {
    if (is_witness(problem, {{a, 1}, {b, 1}})) return {{a, 1}, {b, 1}};
  }
  return {};
}

// Keeps the nearest combination and the nearest of few rows; a combination that is exactly 0 is a witness.
void keep_near(const Problem& problem, const SignedPoints& points, std::vector<WeightedMembers> found,
               Decision& decision) {
  constexpr double perhaps_zero = 1e-18;
  std::optional<std::size_t> nearest, few;
  std::vector<double> square(found.size());
  for (std::size_t k = 0; k < found.size(); ++k) {
    square[k] = warm_start(points, found[k]).square;
    if (square[k] < perhaps_zero && is_witness(problem, found[k])) {
      decision.witness = std::move(found[k]);
      return;
    }
    if (!nearest || square[k] < square[*nearest]) nearest = k;
    if (found[k].size() <= points.dimension() + 1 && (!few || square[k] < square[*few])) few = k;
  }
  if (few && few != nearest) decision.near.push_back(std::move(found[*few]));
  decision.near.insert(decision.near.begin(), std::move(found[*nearest]));
}

// Takes what decides the question without a search.
bool decided_by(const Problem& problem, const Start& start, Decision& decision) {
  if (!start.separator.empty() && measure_separator(problem, start.separator).minimum > 0) {
    decision.separator = start.separator;
  } else if (is_witness(problem, start.witness)) {
    decision.witness = start.witness;
  }
  return decision.separator || !decision.witness.empty();
}

}  // namespace

Decision decide(const Problem& problem, const Budget& budget,
                const std::function<void(const char* stage, Bracket)>& progress, const Start& start) {
  Decision decision;
  if (problem.size() == 0) {
    decision.separator.emplace(problem.dimension());
    return decision;
  }
  if (decided_by(problem, start, decision)) return decision;
  const SignedPoints points(problem.points->rows(), problem.members, problem.points->features(), problem.biased);
  progress("rows that contradict one another", {});
  decision.witness = contradiction(problem, points);
  if (!decision.witness.empty()) return decision;

  progress("a separator by coordinate descent", {});
  const WarmStarts starts = warm_starts(points, start.near);
  const Descent descent = coordinate_descent(points, descent_passes, part_for_descent(budget, starts), no_price,
                                             descent_weights(points, starts.nearest));
  if (descent.separates && (decision.separator = exact_separator(problem, points, descent.unscaled, 6, unlimited)))
    return decision;

  MinNorm search(points, budget);
  try {
    search_hull(problem, points, descent, search, budget, progress, starts.few, decision);
  } catch (const GaveUp& why) {
    decision.for_memory = why.for_memory;
  }
  if (decision.separator || !decision.witness.empty()) return decision;
  std::vector<WeightedMembers> found = start.near;
  if (!search.support().empty()) found.push_back(round_combination(search.support(), search.weights()));
  found.push_back(combination_of(descent));
  if (search.support().empty()) found.push_back(mean_of_rows(problem));
  keep_near(problem, points, std::move(found), decision);
  return decision;
}

Margin tighten(const Problem& problem, const std::vector<mpz_class>& separator, const Budget& budget,
               const std::function<void(const char* stage, Bracket)>& progress, const Start& start) {
  constexpr std::size_t exact_support = 48;
  constexpr std::size_t large_support = 1500;
  Margin margin{separator, {}};
  const Units unit = units(problem);
  const SignedPoints points(problem.points->rows(), problem.members, problem.biased, unit.scale);
  mpq_class best = -1;
  const auto offer = [&](std::vector<mpz_class> v) {
    const mpz_class minimum = measure_separator(problem, v).minimum;
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

  Budget part = budget;
  const auto now = std::chrono::steady_clock::now();
  part.end = std::min(budget.end, now + std::chrono::milliseconds(300));
  const WarmStarts starts = warm_starts(points, start.near);
  const Descent descent = coordinate_descent(points, 30, part, no_price, descent_weights(points, starts.nearest));
  if (descent.separates) {
    if (auto v = round_separator(points, descent.unscaled, 16)) offer(std::move(*v));
  }
  const auto offer_near = [&](WeightedMembers near) {
    if (margin.near.empty() || squared_distance(problem, near) < squared_distance(problem, margin.near))
      margin.near = std::move(near);
  };
  offer_near(combination_of(descent));
  for (const WeightedMembers& near : start.near) offer_near(near);
  if (std::min(points.size(), points.dimension()) > large_support) return margin;

  MinNorm search(points, budget);
  std::vector<double> last;
  try {
    start_from(search, descent, points.dimension(), starts.few);
    search.run([&](const std::vector<double>& p, double norm, double least) {
      progress("the largest margin",
               {std::ldexp(least > 0 ? least / norm : 0, unit.exponent), std::ldexp(norm, unit.exponent)});
      if (least > 0) last = p;
      return true;
    });
  } catch (const GaveUp&) {
  }
  if (!last.empty()) {
    if (auto v = round_separator(points, last, 16)) offer(std::move(*v));
  }
  if (search.support().empty()) return margin;
  offer_near(round_combination(search.support(), search.weights()));
  if (search.support().size() <= exact_support) {
    if (auto exact = nearest_point(problem, search.support())) {
      if (offer(exact->separator)) offer_near(std::move(exact->weights));
    }
  }
  return margin;
}

}  // namespace halfspace::proof
