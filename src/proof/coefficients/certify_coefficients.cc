// Numbers coordinates as certificates do: by feature, and the bias after them.
#include "proof/coefficients/certify_coefficients.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "proof/coefficients/nearly_aliased.h"
#include "proof/decide/assemble.h"
#include "proof/decide/claims.h"

namespace halfspace::proof {
namespace {

Coordinate coordinate_of(const Problem& problem, std::uint32_t j) {
  return j == problem.points->features() ? problem.points->features_of_data() : problem.points->feature(j);
}

// A column that is 0 in every row.
Separator unit_separator(const Problem& problem, const Data& data, std::uint32_t feature) {
  Separator separator;
  separator.vectors.resize(1);
  separator.vectors[0].weights.assign(problem.points->features_of_data(), "0");
  separator.vectors[0].weights[feature] = "1";
  separator.squared_norm = "1";
  separator.zero_negative = data.classes[0].rows;
  separator.zero_positive = data.classes[1].rows;
  return separator;
}

std::vector<std::uint32_t> features_without_values(const Points& points) {
  std::vector<bool> occurs(points.features_of_data());
  for (std::uint32_t j = 0; j < points.features(); ++j) occurs[points.feature(j)] = true;
  std::vector<std::uint32_t> list;
  for (std::uint32_t feature = 0; feature < occurs.size(); ++feature) {
    if (!occurs[feature]) list.push_back(feature);
  }
  return list;
}

// Returns the features of the data, with those of a categorical column in the order that makes the first the reference.
std::vector<std::uint32_t> features_in_order(const Data& data) {
  std::vector<std::uint32_t> order(data.features);
  std::iota(order.begin(), order.end(), 0);

  for (const CsvColumn& column : data.columns) {
    if (column.role != CsvColumn::Role::categorical || column.categories.empty()) continue;
    std::vector<std::size_t> sorted(column.categories.size());
    std::iota(sorted.begin(), sorted.end(), 0);
    std::sort(sorted.begin(), sorted.end(),
              [&](std::size_t a, std::size_t b) { return column.categories[a] < column.categories[b]; });
    std::rotate(sorted.begin(), sorted.begin() + 1, sorted.end());
    // The column's coordinates are given out anew, the reference's last of all.
    std::vector<std::uint32_t> own = column.coordinates;
    if (column.missing) own.push_back(*column.missing);
    std::sort(own.begin(), own.end());
    std::vector<std::uint32_t> wanted;
    for (const std::size_t k : sorted) wanted.push_back(column.coordinates[k]);
    if (column.missing) wanted.insert(wanted.end() - 1, *column.missing);
    for (std::size_t k = 0; k < own.size(); ++k) order[own[k]] = wanted[k];
  }
  return order;
}

// Returns the features as one reads them: column by column, of a categorical one the categories in alphabetical order.
std::vector<std::uint32_t> features_by_column(const Data& data) {
  std::vector<std::uint32_t> order;
  for (const CsvColumn& column : data.columns) {
    if (column.coordinate) order.push_back(*column.coordinate);
    std::vector<std::pair<std::string, std::uint32_t>> categories;
    for (std::size_t k = 0; k < column.categories.size(); ++k)
      categories.emplace_back(column.categories[k], column.coordinates[k]);
    std::sort(categories.begin(), categories.end());
    for (const auto& [category, coordinate] : categories) order.push_back(coordinate);
    if (column.missing) order.push_back(*column.missing);
  }
  if (order.size() == data.features) return order;
  order.resize(data.features);
  std::iota(order.begin(), order.end(), 0);
  return order;
}

CoefficientEstimate estimate_of(const CoefficientsProof& proof, const WeightVector* direction, Coordinate j,
                                std::uint32_t features) {
  const auto aliased = std::find_if(proof.aliased.begin(), proof.aliased.end(),
                                    [j](const AliasedCoefficient& one) { return one.coordinate == j; });
  if (aliased != proof.aliased.end()) return CoefficientEstimate::aliased;
  if (direction == nullptr || (j == features ? direction->bias : direction->weights[j]) == "0")
    return CoefficientEstimate::finite;
  const auto sign =
      std::find_if(proof.signs.begin(), proof.signs.end(), [j](const SignProof& one) { return one.coordinate == j; });
  if (sign == proof.signs.end()) return CoefficientEstimate::undecided;
  switch (sign->sign) {
    case CoefficientSign::positive:
      return CoefficientEstimate::plus_infinite;
    case CoefficientSign::negative:
      return CoefficientEstimate::minus_infinite;
    case CoefficientSign::undetermined:
      break;
  }
  return CoefficientEstimate::undetermined;
}

constexpr const char* intercept = "(intercept)";

std::string name_of_feature(std::uint32_t feature, const std::vector<std::string>& names) {
  return feature < names.size() ? names[feature] : std::to_string(feature + 1);
}

void list_rows(const Problem& problem, const Vector& direction, Separation& separation) {
  constexpr std::size_t most = 1000;
  std::vector<std::uint64_t> on, off;
  for (std::size_t i = 0; i < problem.size(); ++i) {
    mpz_class score = 0;
    problem.each(i, [&](std::uint32_t j, const mpz_class& value) { score += value * direction[j]; });
    std::vector<std::uint64_t>& list = score == 0 ? on : off;
    separation.separated_rows += score == 0 ? 0 : 1;
    if (list.size() < most) list.push_back(problem.points->row(problem.members[i].row));
  }
  separation.rows_are_separated = separation.separated_rows <= problem.size() - separation.separated_rows;
  separation.rows = separation.rows_are_separated ? std::move(off) : std::move(on);
}

}  // namespace

std::vector<std::uint32_t> order_of_columns(const Problem& problem, const Data& data) {
  const Points& points = *problem.points;
  std::vector<std::uint32_t> coordinate(points.features_of_data(), points.features());
  for (std::uint32_t j = 0; j < points.features(); ++j) coordinate[points.feature(j)] = j;
  std::vector<std::uint32_t> order;
  if (problem.biased) order.push_back(points.features());
  for (const std::uint32_t feature : features_in_order(data)) {
    if (coordinate[feature] < points.features()) order.push_back(coordinate[feature]);
  }
  return order;
}

void add_coefficients(const Problem& problem, const CoefficientFindings& findings, Certificate& certificate) {
  CoefficientsProof proof;
  for (const std::uint32_t feature : features_without_values(*problem.points))
    proof.aliased.push_back({feature, add(certificate, unit_separator(problem, certificate.data, feature))});
  for (const CoefficientFindings::Aliased& one : findings.aliased) {
    proof.aliased.push_back(
        {coordinate_of(problem, one.coordinate), add(certificate, certificate_separator(problem, one.vector))});
  }
  std::sort(proof.aliased.begin(), proof.aliased.end(),
            [](const AliasedCoefficient& a, const AliasedCoefficient& b) { return a.coordinate < b.coordinate; });
  for (const std::uint32_t member : findings.rank_members) {
    const std::uint32_t row = problem.members[member].row;
    proof.rank_rows.push_back({problem.points->source(row), problem.points->row(row)});
  }
  const bool overlap =
      std::all_of(findings.direction.begin(), findings.direction.end(), [](const mpz_class& x) { return x == 0; });
  if (!overlap) proof.direction = add(certificate, certificate_separator(problem, findings.direction));
  if (!findings.witness.empty()) proof.witness = add(certificate, certificate_combination(problem, findings.witness));
  for (const Vector& vector : findings.null_space)
    proof.null_space.push_back(add(certificate, certificate_separator(problem, vector)));
  for (const CoefficientFindings::Sign& sign : findings.signs) {
    const std::uint32_t by = sign.sign == CoefficientSign::undetermined
                                 ? add(certificate, certificate_separator(problem, sign.against))
                                 : add(certificate, certificate_combination(problem, sign.terms));
    proof.signs.push_back({coordinate_of(problem, sign.coordinate), sign.sign, by});
  }
  certificate.coefficients = std::move(proof);
}

Separation describe_separation(const Problem& problem, const CoefficientFindings& findings,
                               const Certificate& certificate, const std::vector<std::string>& names) {
  const CoefficientsProof& proof = *certificate.coefficients;
  const WeightVector* const direction =
      proof.direction ? &certificate.separators[*proof.direction].vectors.front() : nullptr;
  const std::uint32_t features = certificate.data.features;
  Separation separation;
  separation.kind = !proof.direction ? SeparationKind::overlap
                    : !proof.witness ? SeparationKind::complete
                                     : SeparationKind::quasi_complete;
  if (problem.biased) separation.coefficients.push_back({intercept, estimate_of(proof, direction, features, features)});
  for (const std::uint32_t feature : features_by_column(certificate.data)) {
    separation.coefficients.push_back(
        {name_of_feature(feature, names), estimate_of(proof, direction, feature, features)});
  }
  if (const std::vector<std::string>& labels = certificate.data.classes.back().labels; !labels.empty())
    separation.positive = labels.front();
  list_rows(problem, findings.direction, separation);
  return separation;
}

void describe_near_aliases(const Problem& problem, const CoefficientFindings& findings,
                           const std::vector<std::uint32_t>& order, const std::vector<std::string>& names,
                           const RowsOptions& memory, const Budget& budget, Separation& separation) {
  if (separation.kind == SeparationKind::overlap) return;
  std::vector<std::uint32_t> independent = order, coordinates;
  std::erase_if(independent, [&](std::uint32_t j) {
    return std::any_of(findings.aliased.begin(), findings.aliased.end(),
                       [j](const CoefficientFindings::Aliased& one) { return one.coordinate == j; });
  });
  const auto name = [&](std::uint32_t j) {
    const Points& points = *problem.points;
    return j == points.features() ? intercept : name_of_feature(points.feature(j), names);
  };
  for (const NearlyAliasedColumn& one : find_nearly_aliased(problem, independent, budget)) {
    if (findings.direction[one.coordinate] == 0) continue;
    NearlyAliased& described = separation.nearly_aliased.emplace_back();
    described.name = name(one.coordinate);
    described.difference = one.difference;
    for (const auto& [j, weight] : one.terms) described.terms.emplace_back(name(j), weight);
    coordinates.push_back(one.coordinate);
  }
  if (!coordinates.empty()) separation.kind_without = kind_without(problem, coordinates, memory, budget);
}

}  // namespace halfspace::proof
