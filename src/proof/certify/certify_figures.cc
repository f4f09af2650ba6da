// The figures of certify as JSON.
#include "proof/certify/certify_figures.h"

#include <gmpxx.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

#include "proof/certify/proof_json.h"

namespace halfspace::proof {
namespace {

constexpr std::size_t shown_rows = 24, shown_values = 12, shown_weights = 30;

double as_number(const std::string& integer) { return std::strtod(integer.c_str(), nullptr); }

bool two_classes(const CertifyResult& result) { return result.certificate.question == Question::two_classes; }

std::string class_name(const CertifyResult& result, std::int32_t klass) {
  const auto& labels = result.certificate.data.classes.at(static_cast<std::size_t>(klass)).labels;
  return labels.empty() ? "" : utf8(labels.front());
}

// Returns the positions of the heaviest rows, the heaviest first.
std::vector<std::size_t> heaviest(const std::vector<WitnessRow>& rows) {
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return as_number(rows[a].weight) > as_number(rows[b].weight); });
  order.resize(std::min(order.size(), shown_rows));
  return order;
}

// Returns the heaviest rows of a witness, or of those that hold the margin, each with its largest values.
Json witness(const CertifyResult& result, const std::vector<WitnessRow>& rows) {
  const auto& positive = result.certificate.data.classes.at(1).labels;
  Json list = Json::array();
  for (const std::size_t k : heaviest(rows)) {
    const WitnessRow& row = rows[k];
    Json entry = {{"row", row.row}, {"label", utf8(row.label)}, {"weight", number(as_number(row.weight))}};
    if (!row.rival.empty()) entry["rival"] = utf8(row.rival);
    if (result.verdict == Verdict::separable) entry["margin"] = number(row.margin);
    if (two_classes(result))
      entry["sign"] = std::find(positive.begin(), positive.end(), row.label) != positive.end() ? 1 : -1;
    auto values = row.values;
    std::stable_sort(values.begin(), values.end(),
                     [](const auto& a, const auto& b) { return std::abs(a.second) > std::abs(b.second); });
    if (values.size() > shown_values) {
      entry["more"] = values.size() - shown_values;
      values.resize(shown_values);
    }
    entry["values"] = Json::object();
    for (const auto& [name, value] : values) entry["values"][utf8(name)] = number(value);
    list.push_back(entry);
  }
  return list;
}

// Returns the columns of a witness, with the parts of the rows that witness() lists.
Json columns(const CertifyResult& result) {
  const std::vector<std::size_t> rows = heaviest(result.witness);
  Json shown = Json::array();
  for (const WitnessColumn& column : result.columns) {
    Json parts = Json::array();
    for (const std::size_t k : rows) parts.push_back(number(column.parts[k]));
    shown.push_back({{"feature", utf8(column.name)}, {"positive", number(column.positive)}, {"parts", parts}});
  }
  return {{"columns", result.witness_columns}, {"shown", shown}};
}

// Returns the margins of rows spread over the data, by class.
Json strip(const CertifyResult& result) {
  Json classes = Json::object();
  for (std::int32_t klass = 0; klass < 2; ++klass) {
    Json margins = Json::array();
    for (const RowMargin& row : result.margins) {
      if (row.klass == klass) margins.push_back(number(row.margin));
    }
    classes[class_name(result, klass)] = margins;
  }
  return {{"rows", result.rows}, {"shown", result.margins.size()}, {"classes", classes}};
}

const Separator* separator(const CertifyResult& result) {
  for (const Claim& claim : result.certificate.claims) {
    if (claim.kind == ClaimKind::separable) return &result.certificate.separators.at(claim.by);
  }
  return nullptr;
}

Json weights(const WeightVector& vector, const std::vector<std::string>& names) {
  std::vector<std::pair<double, std::size_t>> values;
  for (std::size_t j = 0; j < vector.weights.size(); ++j) {
    if (vector.weights[j] != "0") values.emplace_back(as_number(vector.weights[j]), j);
  }
  const std::size_t nonzero = values.size();
  std::stable_sort(values.begin(), values.end(),
                   [](const auto& a, const auto& b) { return std::abs(a.first) > std::abs(b.first); });
  if (values.size() > shown_weights) values.resize(shown_weights);
  Json shown = Json::array();
  for (const auto& [value, j] : values) {
    if (!std::isfinite(value)) return nullptr;
    shown.push_back({{"feature", j < names.size() ? utf8(names[j]) : std::to_string(j + 1)}, {"weight", value}});
  }
  return {{"nonzero", nonzero}, {"shown", shown}};
}

Json points(const CertifyResult& result) {
  Json classes = Json::object();
  for (std::int32_t klass = 0; klass < 2; ++klass) {
    Json x = Json::array(), y = Json::array();
    for (const PlanePoint& point : result.plane) {
      if (point.klass != klass) continue;
      x.push_back(point.x);
      y.push_back(point.y);
    }
    classes[class_name(result, klass)] = {{"x", x}, {"y", y}};
  }
  return {{"features", {utf8(result.feature_names.at(0)), utf8(result.feature_names.at(1))}},
          {"rows", result.rows},
          {"shown", result.plane.size()},
          {"classes", classes}};
}

// Writes a witness in the plane: the rows of each class as a closed line, and the common point of both hulls.
void hulls(const CertifyResult& result, Json& j) {
  const auto& positive = result.certificate.data.classes.at(1).labels;
  struct Hull {
    std::vector<std::pair<double, double>> corner;
    double weight = 0, x = 0, y = 0;
  } hull[2];
  for (const WitnessRow& row : result.witness) {
    Hull& own = hull[std::find(positive.begin(), positive.end(), row.label) != positive.end() ? 1 : 0];
    double x = 0, y = 0;
    for (const auto& [name, value] : row.values) (name == result.feature_names.at(0) ? x : y) = value;
    own.corner.emplace_back(x, y);
    const double weight = as_number(row.weight);
    own.weight += weight;
    own.x += weight * x;
    own.y += weight * y;
  }
  if (!(hull[0].weight > 0 && hull[1].weight > 0)) return;  // without a bias the cones intersect, not the hulls
  j["hulls"] = Json::object();
  for (std::int32_t klass = 0; klass < 2; ++klass) {
    Hull& own = hull[klass];
    // By their angles around what they meet in.
    std::sort(own.corner.begin(), own.corner.end(), [&](const auto& a, const auto& b) {
      const double ax = a.first - own.x / own.weight, ay = a.second - own.y / own.weight;
      const double bx = b.first - own.x / own.weight, by = b.second - own.y / own.weight;
      const bool a_above = ay > 0 || (ay == 0 && ax < 0), b_above = by > 0 || (by == 0 && bx < 0);
      return a_above != b_above ? b_above : ax * by - ay * bx > 0;
    });
    Json x = Json::array(), y = Json::array();
    for (std::size_t k = 0; k <= own.corner.size(); ++k) {
      x.push_back(own.corner[k % own.corner.size()].first);
      y.push_back(own.corner[k % own.corner.size()].second);
    }
    j["hulls"][class_name(result, klass)] = {{"x", x}, {"y", y}};
  }
  j["meet"] = {{"x", hull[1].x / hull[1].weight}, {"y", hull[1].y / hull[1].weight}};
}

// Writes the separator's line across the points, and the borders of its margin: where the score is that of the nearest
// row.
void line(const CertifyResult& result, const Separator& found, Json& j) {
  if (result.plane.empty()) return;
  const WeightVector& w = found.vectors.at(0);
  const double a = as_number(w.weights.at(0)), b = as_number(w.weights.at(1));
  const std::string& scale = result.certificate.data.bias_scale;
  const std::size_t slash = scale.find('/');
  const double c = as_number(w.bias) * as_number(scale.substr(0, slash)) /
                   (slash == std::string::npos ? 1 : as_number(scale.substr(slash + 1)));
  double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
  for (const PlanePoint& point : result.plane) {
    low[0] = std::min(low[0], point.x), high[0] = std::max(high[0], point.x);
    low[1] = std::min(low[1], point.y), high[1] = std::max(high[1], point.y);
  }
  // The line ax + by + c = score enters and leaves the bounding box of the points at these two.
  const auto across = [&](double score) -> Json {
    std::vector<std::pair<double, double>> ends;
    const auto inside = [](double value, double from, double to) { return value >= from && value <= to; };
    for (const double x : {low[0], high[0]}) {
      const double y = (score - a * x - c) / b;
      if (b != 0 && inside(y, low[1], high[1])) ends.emplace_back(x, y);
    }
    for (const double y : {low[1], high[1]}) {
      const double x = (score - b * y - c) / a;
      if (a != 0 && inside(x, low[0], high[0])) ends.emplace_back(x, y);
    }
    if (ends.size() < 2) return nullptr;
    std::sort(ends.begin(), ends.end());
    return {{"x", {ends.front().first, ends.back().first}}, {"y", {ends.front().second, ends.back().second}}};
  };
  const double least = mpq_class(found.minimum).get_d();
  if (const Json middle = across(0); !middle.is_null()) j["line"] = middle;
  j["borders"] = Json::array();
  for (const double score : {-least, least}) {
    if (const Json border = across(score); !border.is_null()) j["borders"].push_back(border);
  }
}

}  // namespace

void BracketRecord::add(const CertifyProgress& now) {
  if (!(now.upper > 0) || !std::isfinite(now.upper)) return;
  if (stages_.empty() || stages_.back().name != now.stage) stages_.push_back({now.stage, {}, {}, {}, 0, 1, now});
  Stage& stage = stages_.back();
  stage.last = now;
  if (stage.seen++ % stage.stride != 0) return;
  if (stage.seconds.size() == most_points) {
    for (std::vector<double>* list : {&stage.seconds, &stage.lower, &stage.upper}) {
      for (std::size_t i = 0; 2 * i < list->size(); ++i) (*list)[i] = (*list)[2 * i];
      list->resize(most_points / 2);
    }
    stage.stride *= 2;
  }
  stage.seconds.push_back(now.seconds);
  stage.lower.push_back(now.lower);
  stage.upper.push_back(now.upper);
}

Json BracketRecord::json() const {
  Json list = Json::array();
  for (Stage stage : stages_) {
    if (stage.seconds.back() != stage.last.seconds) {
      stage.seconds.push_back(stage.last.seconds);
      stage.lower.push_back(stage.last.lower);
      stage.upper.push_back(stage.last.upper);
    }
    Json entry = {{"stage", stage.name}, {"seconds", stage.seconds}, {"lower", stage.lower}, {"upper", stage.upper}};
    if (stage.name == "the largest margin") entry["unit"] = "margin";
    list.push_back(entry);
  }
  return list;
}

Json certify_figures(const CertifyResult& result, const BracketRecord& bracket) {
  Json j = {{"bracket", bracket.json()}};
  if (!result.witness.empty()) j["witness"] = witness(result, result.witness);
  if (!result.columns.empty()) j["balance"] = columns(result);
  const bool plane = result.features == 2 && !result.plane.empty() && result.feature_names.size() == 2;
  if (plane) j["points"] = points(result);
  if (plane && !result.witness.empty() && result.certificate.data.bias != BiasPosition::none) hulls(result, j);
  if (!result.support.empty()) j["witness"] = witness(result, result.support);
  if (!result.margins.empty()) j["strip"] = strip(result);
  if (const Separator* found = separator(result); found != nullptr && two_classes(result)) {
    const Json shown = weights(found->vectors.at(0), result.feature_names);
    if (!shown.is_null()) j["weights"] = shown;
    if (plane) line(result, *found, j);
  }
  return j;
}

}  // namespace halfspace::proof
