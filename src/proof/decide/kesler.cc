// Builds the points of multiclass data by Kesler's construction.
#include "proof/decide/kesler.h"

#include <limits>

#include "halfspace/base/error.h"
#include "proof/decide/assemble.h"
#include "proof/exact/separator.h"

namespace halfspace::proof {

std::vector<Kesler::Origin> all_origins(const Points& points, std::uint32_t classes) {
  std::vector<Kesler::Origin> origins;
  for (std::uint32_t i = 0; i < points.size(); ++i) {
    for (std::uint32_t rival = 0; rival < classes; ++rival) {
      if (rival != static_cast<std::uint32_t>(points.klass(i))) origins.push_back({i, rival});
    }
  }
  return origins;
}

Kesler kesler(const Points& points, std::vector<Kesler::Origin> origins, std::uint32_t classes, bool biased,
              const mpq_class& bias_scale, const RowsOptions& memory, const Budget& budget) {
  Kesler result;
  result.origins = std::move(origins);
  result.classes = classes;
  result.rows = &points;
  result.biased = biased;
  const std::uint64_t width = std::uint64_t{points.features()} + (biased ? 1 : 0);
  if (width * classes > std::numeric_limits<std::int32_t>::max()) {
    throw Error(ErrorKind::data, std::to_string(classes) + " classes of " + std::to_string(points.features()) +
                                     " features are too many for one question");
  }
  // The bias is a decimal: as an integer times a power of ten.
  std::int32_t bias_places = 0;
  mpq_class bias = bias_scale;
  while (bias.get_den() != 1) {
    bias *= 10;
    ++bias_places;
  }
  result.points = std::make_unique<Points>(memory);
  const auto add_row = [&](std::uint32_t i, std::uint32_t rival) {
    const std::uint32_t own = static_cast<std::uint32_t>(points.klass(i));
    const std::uint32_t here = static_cast<std::uint32_t>(own * width),
                        there = static_cast<std::uint32_t>(rival * width);
    points.each(i, [&](std::uint32_t j, const mpz_class& value) {
      result.points->add(here + j, value, -points.places(j));
      result.points->add(there + j, mpz_class(-value), -points.places(j));
    });
    if (biased) {
      result.points->add(here + points.features(), bias.get_num(), -bias_places);
      result.points->add(there + points.features(), mpz_class(-bias.get_num()), -bias_places);
    }
    result.points->end_row(points.source(i), points.row(i), static_cast<std::int32_t>(own));
  };
  const auto add_all = [&] {
    for (const Kesler::Origin& origin : result.origins) {
      budget.check();
      add_row(origin.row, origin.rival);
    }
  };
  add_all();
  for (std::uint32_t k = 0; k < result.origins.size(); ++k) result.problem.members.push_back({k, 1});
  const auto features = static_cast<std::uint32_t>(width * classes);
  if (result.points->outgrown()) {
    result.points->begin_again(features);
    add_all();
  }
  result.points->finish(features);
  result.problem.points = result.points.get();
  result.problem.biased = false;
  return result;
}

Separator kesler_separator(const Kesler& question, const std::vector<mpz_class>& v) {
  Separator whole = certificate_separator(question.problem, v);
  Separator separator = whole;
  separator.vectors.assign(question.classes, {});
  std::size_t next = 0;
  for (WeightVector& vector : separator.vectors) {
    vector.weights.assign(question.rows->features_of_data(), "0");
    for (std::uint32_t j = 0; j < question.rows->features(); ++j)
      vector.weights[question.rows->feature(j)] = whole.vectors[0].weights[next++];
    if (question.biased) vector.bias = whole.vectors[0].weights[next++];
  }
  return separator;
}

Combination kesler_combination(const Kesler& question, const Points& points, const WeightedMembers& weights) {
  Combination combination;
  for (const auto& [member, weight] : weights) {
    const Kesler::Origin origin = question.origins[member];
    Term term;
    term.source = points.source(origin.row);
    term.row = points.row(origin.row);
    term.klass = static_cast<std::uint32_t>(points.klass(origin.row));
    term.rival = origin.rival;
    term.weight = weight.get_str();
    combination.terms.push_back(std::move(term));
  }
  combination.squared_distance = squared_distance(question.problem, weights).get_str();
  return combination;
}

}  // namespace halfspace::proof
