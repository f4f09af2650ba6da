// Converts exact numbers to decimal text.
#include "proof/decide/assemble.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace halfspace::proof {

Separator certificate_separator(const Problem& problem, const std::vector<mpz_class>& v) {
  const SeparatorMargins measured = measure_separator(problem, v);
  const DataWeights weights = in_data_coordinates(problem, v);
  Separator separator;
  separator.vectors.resize(1);
  separator.vectors[0].weights.assign(problem.points->features_of_data(), "0");
  for (std::uint32_t j = 0; j < problem.points->features(); ++j)
    separator.vectors[0].weights[problem.points->feature(j)] = weights.weights[j].get_str();
  separator.vectors[0].bias = weights.bias.get_str();
  separator.squared_norm = weights.squared_norm().get_str();
  separator.minimum = problem.size() == 0 ? "none" : mpq_class(measured.minimum * weights.factor).get_str();
  separator.wrong = measured.wrong;
  separator.zero_negative = measured.zero_negative;
  separator.zero_positive = measured.zero_positive;
  return separator;
}

Combination certificate_combination(const Problem& problem, const WeightedMembers& weights) {
  Combination combination;
  for (const auto& [member, weight] : weights) {
    const std::uint32_t row = problem.members[member].row;
    Term term;
    term.source = problem.points->source(row);
    term.row = problem.points->row(row);
    term.klass = problem.members[member].sign > 0 ? 1 : 0;
    term.weight = weight.get_str();
    combination.terms.push_back(std::move(term));
  }
  combination.squared_distance = squared_distance(problem, weights).get_str();
  return combination;
}

mpz_class mistake_bound(const mpq_class& squared_radius, const Separator& separator) {
  if (separator.minimum == "none") return 0;
  const mpq_class minimum(separator.minimum), norm(separator.squared_norm);
  const mpq_class bound = squared_radius * norm / (minimum * minimum);
  return bound.get_num() / bound.get_den();
}

Separator bias_alone(const Data& data) {
  const std::uint64_t negative = data.classes[0].rows, positive = data.classes[1].rows;
  Separator separator;
  separator.vectors.resize(1);
  separator.vectors[0].weights.assign(data.features, "0");
  if (data.bias == BiasPosition::none) {
    separator.zero_negative = negative;
    separator.zero_positive = positive;
    return separator;
  }
  separator.squared_norm = "1";
  separator.vectors[0].bias = positive < negative ? "-1" : "1";
  separator.wrong = std::min(negative, positive);
  separator.minimum = separator.wrong > 0 ? "-" + data.bias_scale : data.bias_scale;
  return separator;
}

namespace {

// Returns the root. A number outside the range of doubles often has a root inside: an even power of 2 is split off
// first.
double near_root(const mpq_class& square, bool up) {
  const auto held_root = [up](double held) {
    return std::sqrt(up ? std::nextafter(held, std::numeric_limits<double>::infinity()) : held);
  };
  const auto bits = static_cast<long>(mpz_sizeinbase(square.get_num_mpz_t(), 2)) -
                    static_cast<long>(mpz_sizeinbase(square.get_den_mpz_t(), 2));
  constexpr long held = 900;
  if (square == 0 || std::labs(bits) < held) return held_root(square.get_d());
  const long half = bits / 2;
  const auto power = static_cast<unsigned long>(2 * std::labs(half));
  const mpq_class scaled = half > 0 ? mpq_class(square >> power) : mpq_class(square << power);
  return std::ldexp(held_root(scaled.get_d()), static_cast<int>(std::clamp(half, -5000L, 5000L)));
}

// Returns the root if it is a double.
std::optional<double> exact_root(const mpq_class& square) {
  const double root = near_root(square, false);
  if (!std::isfinite(root)) return std::nullopt;
  const mpq_class held(root);
  return held * held == square ? std::optional(root) : std::nullopt;
}

}  // namespace

double root_down(const mpq_class& square) {
  if (const std::optional<double> exact = exact_root(square)) return *exact;
  const double root = near_root(square, false);  // get_d truncates
  return root == 0 ? 0 : std::nextafter(root, 0.0);
}

double root_up(const mpq_class& square) {
  if (const std::optional<double> exact = exact_root(square)) return *exact;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return std::nextafter(near_root(square, true), infinity);
}

}  // namespace halfspace::proof
