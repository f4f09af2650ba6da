// Projects a recording into a plane. In every plane a score is w1 x + w2 y + w3 c:
//
//   features    the data have these two features: x, y and the weights are the engine's own, c is the bias coordinate
//   feature     the data have this one: likewise, but y is the number of the class, and w2 is 0
//   slice       two features of several: the plane on which all the others have their mean over the rows shown;
//               w1 and w2 are the engine's own, w3 holds the share of the others and the bias
//   projection  coordinates <x, e1> and <x, e2> with orthonormal e1, e2; the plane e1, e2 lies at the mean of the rows,
//               and w3 holds the share of the rest of the mean and the bias. Two classes: e1 is along the returned
//               weights, so every score under them is exact; e2 is the direction orthogonal to e1 in which the rows
//               differ most (first principal component, by power iteration). Multiclass: e1 and e2 are the directions
//               in which the classes' weights differ most; with three classes every comparison of theirs is exact.
//
// Cost: O(moments x features) and a few passes over the rows that were kept.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>

#include "base/nearest.h"
#include "halfspace/base/error.h"
#include "halfspace/rules/rule_entry.h"
#include "report/results/plane_record.h"

namespace halfspace::report {
namespace {

using Vector = std::vector<double>;
using Sparse = RowValues;

double dot(const Vector& a, const Vector& b) {
  return std::inner_product(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(std::min(a.size(), b.size())), b.begin(),
                            0.0);
}
double dot(const Vector& e, const Sparse& x) {
  double sum = 0;
  for (std::size_t k = 0; k < x.size(); ++k) sum += x.index[k] < e.size() ? e[x.index[k]] * x[k] : 0.0;
  return sum;
}
void add(Vector& to, double amount, const Vector& v) {
  for (std::size_t j = 0; j < to.size(); ++j) to[j] += amount * v[j];
}
void add(Vector& to, double amount, const Sparse& x) {
  for (std::size_t k = 0; k < x.size(); ++k) {
    if (x.index[k] < to.size()) to[x.index[k]] += amount * x[k];
  }
}
// Scales to length 1; leaves a zero vector.
bool unit(Vector& v) {
  const double norm = std::sqrt(dot(v, v));
  if (!(norm > 0) || !std::isfinite(norm)) {
    std::fill(v.begin(), v.end(), 0.0);
    return false;
  }
  for (double& value : v) value /= norm;
  return true;
}

double value_of(const Sparse& x, std::uint32_t feature) {
  for (std::size_t k = 0; k < x.size(); ++k) {
    if (x.index[k] == feature) return x[k];
  }
  return 0;
}

std::vector<Sparse> views(const Block& block) {
  std::vector<Sparse> rows;
  for (std::size_t i = 0; i < block.rows; ++i)
    rows.push_back(block.with_example(i, [](const auto& x) { return x.values(); }));
  return rows;
}

Vector mean_of(const std::vector<Sparse>& rows, std::size_t features) {
  Vector mean(features, 0.0);
  for (const Sparse& x : rows) add(mean, 1 / static_cast<double>(rows.size()), x);
  return mean;
}

// Returns the direction of the largest spread of `rows`, orthogonal to `across`. Starts at the row farthest from the
// mean, so the result is deterministic.
Vector principal(const std::vector<Sparse>& rows, const Vector& mean, const Vector& across) {
  const auto clear = [&](Vector& v) { add(v, -dot(v, across), across); };
  Vector best(mean.size(), 0.0);
  double far = 0;
  for (const Sparse& x : rows) {
    Vector v = mean;
    for (double& value : v) value = -value;
    add(v, 1, x);
    clear(v);
    const double squares = dot(v, v);
    if (squares > far) {
      far = squares;
      best = std::move(v);
    }
  }
  if (!unit(best)) return best;
  for (int turn = 0; turn < 60; ++turn) {
    Vector next(mean.size(), 0.0);
    const double at_mean = dot(best, mean);
    double total = 0;
    for (const Sparse& x : rows) {
      const double share = dot(best, x) - at_mean;
      add(next, share, x);
      total += share;
    }
    add(next, -total, mean);
    clear(next);
    if (!unit(next)) break;
    const double turned = 1 - std::abs(dot(next, best));
    best = std::move(next);
    if (turned < 1e-12) break;
  }
  return best;
}

// Fixes the sign: the largest component becomes positive.
void fix_sign(Vector& v) {
  const auto largest =
      std::max_element(v.begin(), v.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
  if (largest != v.end() && *largest < 0) {
    for (double& value : v) value = -value;
  }
}

}  // namespace

class PlanePicture {
 public:
  PlanePicture(PlaneRecord& record, const TrainResult& result, const Model* resume)
      : record_(record),
        result_(result),
        model_(result.model),
        resume_(resume),
        kept_(record.kept_.finish()),
        moved_(record.moved_.finish()),
        rows_(views(kept_)),
        moved_rows_(views(moved_)),
        classes_(std::max(1U, model_.weights.classes)),
        features_(model_.schema.features),
        names_(model_.schema.feature_names()) {}

  Json json(const PlaneChoice& choice) {
    if (!choice.features.empty()) find_features(choice.features);
    if (features_ == 0 || rows_.empty() || model_.weights.w.empty()) return nullptr;
    const bool one = features_ == 1, few = one || (features_ == 2 && !choice.projection);
    if (few && choice.features.empty()) {
      first_ = 0;
      second_ = 1;
    }
    by_feature_ = few || !choice.features.empty();
    whole_ = by_feature_ && features_ <= 2;
    mean_ = mean_of(rows_, features_);
    if (!by_feature_) span();
    lifted_ = one && classes_ == 1 && model_.composition.bias.position != Bias::none;
    j_["kind"] = lifted_ ? "lifted" : one ? "feature" : whole_ ? "features" : by_feature_ ? "slice" : "projection";
    const Json second = lifted_ ? Json{{"name", "the constant"}} : Json{{"name", "class"}};
    j_["axes"] = !by_feature_ ? Json{direction(e1_), direction(e2_)} : Json{axis(first_), one ? second : axis(second_)};
    describe();
    points();
    moments();
    return std::move(j_);
  }

 private:
  // Splits "A,B" into two names of features; names may contain commas.
  void find_features(const std::string& text) {
    for (std::size_t comma = text.find(','); comma != std::string::npos; comma = text.find(',', comma + 1)) {
      const auto a = std::find(names_.begin(), names_.end(), text.substr(0, comma));
      const auto b = std::find(names_.begin(), names_.end(), text.substr(comma + 1));
      if (a == names_.end() || b == names_.end() || a == b) continue;
      first_ = static_cast<std::uint32_t>(a - names_.begin());
      second_ = static_cast<std::uint32_t>(b - names_.begin());
      return;
    }
    const std::size_t comma = text.find(',');
    std::string unknown = text.substr(0, comma);
    if (comma != std::string::npos && std::find(names_.begin(), names_.end(), unknown) != names_.end())
      unknown = text.substr(comma + 1);
    const std::vector<std::string> near = nearest(unknown, names_);
    throw Error(ErrorKind::usage, option("plane", utf8(text)) + ": unknown features")
        .fix(near.empty() ? "name two features, as halfspace inspect does: " + option("plane", "A,B")
                          : "did you mean " + utf8(near.front()) + "? Name two features: " + option("plane", "A,B"));
  }

  Json axis(std::uint32_t feature) const {
    Json a = {{"name", utf8(names_[feature])}};
    const auto& exponents = model_.schema.exponents;
    if (feature < exponents.size() && exponents[feature] != 0) a["exponent"] = exponents[feature];
    return a;
  }
  // Describes a direction by its features, the largest first.
  Json direction(const Vector& e) const {
    std::vector<std::uint32_t> order(e.size());
    std::iota(order.begin(), order.end(), 0U);
    const std::size_t few = std::min<std::size_t>(3, order.size());
    std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(few), order.end(),
                      [&](std::uint32_t a, std::uint32_t b) {
                        return std::abs(e[a]) != std::abs(e[b]) ? std::abs(e[a]) > std::abs(e[b]) : a < b;
                      });
    Json mostly = Json::array();
    for (std::size_t k = 0; k < few; ++k) {
      if (e[order[k]] != 0) mostly.push_back({utf8(names_[order[k]]), e[order[k]]});
    }
    return {{"mostly", mostly}};
  }

  void span() {
    if (classes_ == 1) {
      e1_ = model_.weights.w;
      e1_.resize(features_, 0.0);
      if (!unit(e1_)) {
        e1_ = principal(rows_, mean_, Vector(features_, 0.0));
        fix_sign(e1_);
      }
      e2_ = principal(rows_, mean_, e1_);
      fix_sign(e2_);
      return;
    }
    // The rows are class weights minus their mean; finds their principal directions by power iteration in the space of
    // the classes.
    std::vector<Vector> apart(classes_, Vector(features_, 0.0));
    for (std::size_t j = 0; j < model_.weights.w.size() / classes_ && j < features_; ++j) {
      const double* w = &model_.weights.w[j * classes_];
      const double mean = std::accumulate(w, w + classes_, 0.0) / classes_;
      for (std::uint32_t k = 0; k < classes_; ++k) apart[k][j] = w[k] - mean;
    }
    const auto leading = [&](const Vector& across) {
      Vector e(features_, 0.0);
      for (const Vector& v : apart) {
        Vector clear = v;
        add(clear, -dot(clear, across), across);
        if (dot(clear, clear) > dot(e, e)) e = std::move(clear);
      }
      if (!unit(e)) return e;
      for (int turn = 0; turn < 200; ++turn) {
        Vector next(features_, 0.0);
        for (const Vector& v : apart) add(next, dot(v, e), v);
        add(next, -dot(next, across), across);
        if (!unit(next)) break;
        const double turned = 1 - std::abs(dot(next, e));
        e = std::move(next);
        if (turned < 1e-14) break;
      }
      fix_sign(e);
      return e;
    };
    e1_ = leading(Vector(features_, 0.0));
    e2_ = leading(e1_);
  }

  // Returns the coordinates of a row in the plane, and the part of the mean outside of it.
  std::array<double, 2> coordinates(const Sparse& x, std::int32_t label) const {
    if (lifted_) return {value_of(x, first_), model_.composition.bias.scale};
    if (features_ == 1) return {value_of(x, first_), static_cast<double>(label)};
    if (by_feature_) return {value_of(x, first_), value_of(x, second_)};
    return {dot(e1_, x), dot(e2_, x)};
  }
  // Returns w1, w2, w3 of every class.
  Json weights(const ClassWeightVector& v) const {
    const BiasOptions& bias = model_.composition.bias;
    Json list = Json::array();
    for (std::uint32_t k = 0; k < classes_; ++k) {
      const auto weight = [&](std::size_t j) {
        const std::size_t at = j * classes_ + k;
        return at < v.w.size() ? v.w[at] : 0.0;
      };
      const double constant = bias.position == Bias::none || k >= v.bias.size() ? 0.0 : v.bias[k];
      if (lifted_) {
        for (const double w : {weight(first_), constant, 0.0}) list.push_back(number(w));
        continue;
      }
      if (whole_) {
        for (const double w : {weight(first_), weight(second_), constant}) list.push_back(number(w));
        continue;
      }
      double w1 = 0, w2 = 0, rest = constant * bias.scale;
      for (std::uint32_t j = 0; j < features_; ++j) {
        const double w = weight(j);
        if (w == 0) continue;
        if (by_feature_) {
          rest += j == first_ || j == second_ ? 0.0 : w * mean_[j];
        } else {
          w1 += w * e1_[j];
          w2 += w * e2_[j];
          rest += w * mean_[j];
        }
      }
      if (by_feature_) {
        w1 = weight(first_);
        w2 = weight(second_);
      } else {
        rest -= w1 * dot(e1_, mean_) + w2 * dot(e2_, mean_);
      }
      for (const double w : {w1, w2, rest}) list.push_back(number(w));
    }
    return list;
  }

  void describe() {
    const Composition& c = model_.composition;
    Json classes = Json::array();
    for (const std::string& name : model_.schema.labels.names) classes.push_back(utf8(name));
    j_["classes"] = classes;
    j_["rule"] = name_of(c.rule);
    j_["keep"] = name_of(c.keep);
    j_["tie"] = name_of(c.tie);
    j_["bias"] = name_of(c.bias.position);
    // c above: the factor of the third weight.
    j_["constant"] = whole_ ? (c.bias.position == Bias::none ? 0.0 : c.bias.scale) : 1.0;
    const RuleEntry& entry = entry_of(c.rule);
    if (entry.margin_wanted != nullptr && !c.by_learners_of_two()) j_["margin"] = entry.margin_wanted(c);
    if (model_.schema.row_normalised) j_["row_normalised"] = true;
    j_["weights"] = weights(model_.weights);
    j_["rows"] = result_.learned_rows;
    j_["updates"] = record_.updates_;
  }

  void points() {
    Json row = Json::array(), label = Json::array(), predicted = Json::array(), x = Json::array(), y = Json::array();
    std::vector<std::int32_t> classes;
    std::vector<double> scores;
    Predictor(model_).predict(kept_, classes, scores);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const auto [a, b] = coordinates(rows_[i], kept_.label[i]);
      row.push_back(kept_.row[i]);
      label.push_back(kept_.label[i]);
      predicted.push_back(classes[i]);
      x.push_back(number(a));
      y.push_back(number(b));
    }
    j_["points"] = {{"row", row}, {"label", label}, {"predicted", predicted}, {"x", x}, {"y", y}};
  }

  void moments() {
    Json m = {{"update", Json::array()},  {"round", Json::array()},     {"row", Json::array()},
              {"label", Json::array()},   {"predicted", Json::array()}, {"score", Json::array()},
              {"mistake", Json::array()}, {"x", Json::array()},         {"y", Json::array()},
              {"before", Json::array()},  {"weights", Json::array()}};
    const bool keeps = classes_ == 1 && keeps_weights_of_its_own(model_.composition);
    if (keeps) m["kept"] = Json::array();
    for (std::size_t i = 0; i < record_.moments_.size(); ++i) {
      const PlaneRecord::Moment& moment = record_.moments_[i];
      const auto [x, y] = coordinates(moved_rows_[i], moved_.label[i]);
      m["update"].push_back(moment.update);
      m["round"].push_back(moment.round);
      m["row"].push_back(moment.row);
      m["label"].push_back(moved_.label[i]);
      m["predicted"].push_back(moment.outcome.predicted);
      m["score"].push_back(number(moment.outcome.score));
      m["mistake"].push_back(moment.outcome.mistake);
      m["x"].push_back(number(x));
      m["y"].push_back(number(y));
      m["before"].push_back(i == 0          ? weights(start(moment.after))
                            : moment.before ? weights(*moment.before)
                                            : Json(nullptr));
      m["weights"].push_back(weights(moment.after));
      if (keeps) m["kept"].push_back(weights(moment.kept.value_or(moment.after)));
    }
    j_["moments"] = std::move(m);
  }

  // Returns the weights before the first update, over the features seen by then.
  ClassWeightVector start(const ClassWeightVector& after) const {
    const std::unique_ptr<Learner> learner = make_learner(model_.composition, std::max(2U, model_.classes()));
    if (resume_ != nullptr) learner->restore(resume_->learner);
    learner->grow(static_cast<std::uint32_t>(after.w.size() / classes_));
    return learner->present();
  }

  PlaneRecord& record_;
  const TrainResult& result_;
  const Model& model_;
  const Model* resume_;
  const Block kept_, moved_;
  const std::vector<Sparse> rows_, moved_rows_;
  const std::uint32_t classes_, features_;
  const std::vector<std::string> names_;
  std::uint32_t first_ = 0, second_ = 0;
  // whole_: the plane has all features. lifted_: it has the one feature, and the constant whose weight is the bias.
  bool by_feature_ = false, whole_ = false, lifted_ = false;
  Vector mean_, e1_, e2_;
  Json j_;
};

Json PlaneRecord::picture(const TrainResult& result, const Model* resume, const PlaneChoice& choice) {
  if (given_up_) return nullptr;
  return PlanePicture(*this, result, resume).json(choice);
}

}  // namespace halfspace::report
