// The figures of certify as JSON.
#include "proof/certify_figures.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "proof/proof_json.h"

namespace halfspace::proof {
namespace {

constexpr std::size_t shown_rows = 24, shown_values = 12, shown_weights = 30;

double as_number(const std::string& integer) {
  return std::strtod(integer.c_str(), nullptr);
}

bool two_classes(const CertifyResult& result) {
  return result.certificate.question == Question::two_classes;
}

// Returns the heaviest rows of a witness, each with its largest values.
Json witness(const CertifyResult& result) {
  std::vector<const WitnessRow*> rows;
  for (const WitnessRow& row : result.witness) rows.push_back(&row);
  std::stable_sort(rows.begin(), rows.end(), [](const WitnessRow* a, const WitnessRow* b) {
    return as_number(a->weight) > as_number(b->weight);
  });
  const auto& positive = result.certificate.data.classes.at(1).labels;
  Json list = Json::array();
  for (std::size_t k = 0; k < rows.size() && k < shown_rows; ++k) {
    const WitnessRow& row = *rows[k];
    Json entry = {{"row", row.row}, {"label", utf8(row.label)}, {"weight", number(as_number(row.weight))}};
    if (!row.rival.empty()) entry["rival"] = utf8(row.rival);
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

// Returns the rows of the combination that bounds the margin from above; for a separable question.
Json support(const CertifyResult& result) {
  const Certificate& certificate = result.certificate;
  const auto claim = std::find_if(certificate.claims.begin(), certificate.claims.end(),
                                  [](const Claim& c) { return c.kind == ClaimKind::margin_at_most; });
  Json list = Json::array();
  if (claim == certificate.claims.end()) return list;
  std::vector<const Term*> terms;
  double total = 0;
  for (const Term& term : certificate.combinations.at(claim->by).terms) {
    terms.push_back(&term);
    total += as_number(term.weight);
  }
  std::stable_sort(terms.begin(), terms.end(),
                   [](const Term* a, const Term* b) { return as_number(a->weight) > as_number(b->weight); });
  for (std::size_t k = 0; k < terms.size() && k < shown_rows; ++k) {
    const auto& labels = certificate.data.classes.at(terms[k]->klass).labels;
    Json entry = {{"row", terms[k]->row},
                  {"label", labels.empty() ? "" : utf8(labels.front())},
                  {"weight", number(as_number(terms[k]->weight) / total)}};
    if (two_classes(result)) entry["sign"] = terms[k]->klass == 1 ? 1 : -1;
    entry["values"] = Json::object();
    list.push_back(entry);
  }
  return list;
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

std::string class_name(const CertifyResult& result, std::int32_t klass) {
  const auto& labels = result.certificate.data.classes.at(static_cast<std::size_t>(klass)).labels;
  return labels.empty() ? "" : utf8(labels.front());
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
    std::sort(own.corner.begin(), own.corner.end(), [&](const auto& a, const auto& b) {
      return std::atan2(a.second - own.y / own.weight, a.first - own.x / own.weight) <
             std::atan2(b.second - own.y / own.weight, b.first - own.x / own.weight);
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

// Writes the separator's line across the points.
void line(const CertifyResult& result, const WeightVector& w, Json& j) {
  if (result.plane.empty()) return;
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
  // The line ax + by + c = 0 enters and leaves the bounding box of the points at these two.
  std::vector<std::pair<double, double>> ends;
  const auto inside = [](double value, double from, double to) { return value >= from && value <= to; };
  for (const double x : {low[0], high[0]}) {
    if (b != 0 && inside(-(a * x + c) / b, low[1], high[1])) ends.emplace_back(x, -(a * x + c) / b);
  }
  for (const double y : {low[1], high[1]}) {
    if (a != 0 && inside(-(b * y + c) / a, low[0], high[0])) ends.emplace_back(-(b * y + c) / a, y);
  }
  if (ends.size() < 2) return;
  std::sort(ends.begin(), ends.end());
  j["line"] = {{"x", {ends.front().first, ends.back().first}}, {"y", {ends.front().second, ends.back().second}}};
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
  if (!result.witness.empty()) j["witness"] = witness(result);
  const bool plane = result.features == 2 && !result.plane.empty() && result.feature_names.size() == 2;
  if (plane) j["points"] = points(result);
  if (plane && !result.witness.empty() && result.certificate.data.bias != BiasPosition::none) hulls(result, j);
  if (const Separator* found = separator(result); found != nullptr && two_classes(result)) {
    j["witness"] = support(result);
    const Json shown = weights(found->vectors.at(0), result.feature_names);
    if (!shown.is_null()) j["weights"] = shown;
    if (plane) line(result, found->vectors.at(0), j);
  }
  return j;
}

}  // namespace halfspace::proof
