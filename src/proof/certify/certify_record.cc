// Names rows and columns by the schema, and rounds their exact values.
#include "proof/certify/certify_record.h"

#include <algorithm>
#include <string>

#include "proof/coefficients/witness_columns.h"
#include "proof/decide/assemble.h"

namespace halfspace::proof {
namespace {

// Returns at most 1,000 rows, evenly spread over the data.
std::vector<std::uint32_t> spread_rows(std::uint64_t rows) {
  constexpr std::uint64_t most = 1000;
  const std::uint64_t kept = std::min(rows, most);
  std::vector<std::uint32_t> list;
  for (std::uint64_t k = 0; k < kept; ++k) list.push_back(static_cast<std::uint32_t>(k * rows / kept));
  return list;
}

std::string feature_name(std::uint32_t feature, const std::vector<std::string>& names) {
  return feature < names.size() ? names[feature] : std::to_string(feature + 1);
}

// Visits the values of a row by feature, in the units of the data.
template <class Visit>
void each_value(const Points& points, std::uint32_t row, Visit&& visit) {
  Problem data;
  data.points = &points;
  points.each(row, [&](std::uint32_t j, const mpz_class& value) {
    visit(points.feature(j), mpq_class(value * data.unit(j)).get_d());
  });
}

}  // namespace

std::vector<PlanePoint> plane_points(const Points& points, std::uint64_t rows) {
  std::vector<PlanePoint> plane;
  for (const std::uint32_t i : spread_rows(rows)) {
    PlanePoint point{points.klass(i), 0, 0};
    each_value(points, i, [&](std::uint32_t feature, double value) { (feature == 0 ? point.x : point.y) = value; });
    plane.push_back(point);
  }
  return plane;
}

std::vector<WitnessRow> described_rows(const QuestionData& question, const WeightedMembers& combination) {
  const Points& points = *question.loaded.points;
  const std::vector<DataSource>& sources = question.loaded.data.sources;
  const std::vector<std::string>& classes = question.loaded.schema.labels.names;
  const std::vector<std::string> names = question.loaded.schema.feature_names();
  const Kesler* const many = question.many();
  mpz_class total = 0;
  for (const auto& [member, weight] : combination) total += weight;
  std::vector<WitnessRow> list;
  for (const auto& [member, weight] : combination) {
    const std::uint32_t i = many != nullptr ? many->origins[member].row : question.posed.problem.members[member].row;
    WitnessRow& row = list.emplace_back();
    row.row = points.row(i);
    if (sources.size() > 1) row.file = sources[points.source(i)].files.front().name;
    row.label = classes[static_cast<std::size_t>(points.klass(i))];
    if (many != nullptr) row.rival = classes[many->origins[member].rival];
    row.weight = std::to_string(mpq_class(weight, total).get_d());
    each_value(points, i, [&](std::uint32_t feature, double value) {
      row.values.emplace_back(feature_name(feature, names), value);
    });
  }
  return list;
}

void record_columns(const QuestionData& question, const WeightedMembers& witness, CertifyResult& result) {
  constexpr std::size_t most = 24;
  const Points& points = *question.loaded.points;
  const Problem& problem = question.posed.problem;
  const Kesler* const many = question.many();
  const std::uint32_t width = points.features() + (problem.biased || (many != nullptr && many->biased) ? 1U : 0U);
  const auto name = [&](std::uint32_t j) {
    // The coordinates of many classes are those of the data, a copy for each class.
    const std::uint32_t coordinate = many != nullptr ? problem.points->feature(j) : j;
    const std::uint32_t own = coordinate % width;
    const std::string column =
        own == points.features() ? "bias" : feature_name(points.feature(own), result.feature_names);
    return many != nullptr ? column + " of " + question.loaded.schema.labels.names[coordinate / width] : column;
  };
  result.columns = witness_columns(problem, witness, most, name, result.witness_columns);
}

void record_margins(const QuestionData& question, const Margin& margin, CertifyResult& result) {
  const Problem& problem = question.posed.problem;
  const DataWeights weights = in_data_coordinates(problem, margin.separator);
  const mpq_class square = weights.factor * weights.factor / weights.squared_norm();
  const auto of = [&](std::uint32_t member) {
    mpz_class score = 0;
    problem.each(member, [&](std::uint32_t j, const mpz_class& value) { score += value * margin.separator[j]; });
    return root_down(mpq_class(score * score) * square);
  };
  result.support = described_rows(question, margin.near);
  for (std::size_t k = 0; k < margin.near.size(); ++k) result.support[k].margin = of(margin.near[k].member);
  if (question.many() != nullptr) return;
  for (const std::uint32_t i : spread_rows(result.rows))
    result.margins.push_back({question.loaded.points->klass(problem.members[i].row), of(i)});
}

}  // namespace halfspace::proof
