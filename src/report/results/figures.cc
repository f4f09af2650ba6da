// Writes the recordings of runs as JSON.
#include "report/results/figures.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "halfspace/rules/rule_entry.h"

namespace halfspace::report {
namespace {

template <class T, class Get>
Json column(const std::vector<T>& list, const Get& get) {
  Json values = Json::array();
  for (const T& entry : list) {
    if constexpr (std::is_floating_point_v<std::decay_t<decltype(get(entry))>>) {
      values.push_back(number(get(entry)));
    } else {
      values.push_back(get(entry));
    }
  }
  return values;
}

// `confidence`: of the bounds on the error on new rows, if the errors allow bounds.
Json progress(const std::vector<Moment>& moments, const std::optional<double>& confidence) {
  Json j = {{"rounds", column(moments, [](const Moment& m) { return m.rounds; })},
            {"mistakes", column(moments, [](const Moment& m) { return m.mistakes; })},
            {"updates", column(moments, [](const Moment& m) { return m.updates; })},
            {"errors", column(moments, [](const Moment& m) { return sum_of_weights(m.errors); })},
            {"weight", column(moments, [](const Moment& m) { return sum_of_weights(m.weight); })},
            {"constant_mistakes", column(moments, [](const Moment& m) { return sum_of_weights(m.constant_errors); })},
            {"previous_mistakes", column(moments, [](const Moment& m) { return sum_of_weights(m.previous_errors); })}};
  if (std::any_of(moments.begin(), moments.end(), [](const Moment& m) { return m.window_error.has_value(); }))
    j["window_error"] = column(moments, [](const Moment& m) { return m.window_error.value_or(NAN); });
  if (!confidence) return j;
  std::vector<ErrorBounds> bounds;
  for (const Moment& m : moments) {
    bounds.push_back(halfspace::expected_error(static_cast<std::uint64_t>(m.weight),
                                               static_cast<std::uint64_t>(m.errors), *confidence));
  }
  j["expected_lower"] = column(bounds, [](const ErrorBounds& b) { return b.lower; });
  j["expected_upper"] = column(bounds, [](const ErrorBounds& b) { return b.upper; });
  return j;
}

// Writes the probabilities of a mixture over time.
Json followed_over_time(const std::vector<WeightMoment>& moments) {
  Json members = Json::object();
  for (const MixtureMember& last : moments.back().followed) {
    members[last.name] = column(moments, [&](const WeightMoment& m) {
      const auto found = std::find_if(m.followed.begin(), m.followed.end(),
                                      [&](const MixtureMember& one) { return one.name == last.name; });
      return found != m.followed.end() ? found->probability : 0.0;
    });
  }
  return {{"rounds", column(moments, [](const WeightMoment& m) { return m.rounds; })}, {"members", members}};
}

// A perceptron's |w|^2 is at most the sum that its updates add; a multiclass update moves two vectors at once.
Json norms(const std::vector<WeightMoment>& moments, const Composition& composition) {
  Json j = {{"rounds", column(moments, [](const WeightMoment& m) { return m.rounds; })},
            {"squared_norm", column(moments, [](const WeightMoment& m) { return m.squared_norm; })}};
  const double factor = norm_growth(composition);
  if (factor > 0 && !composition.start.small) {
    j["squares"] = column(moments, [factor](const WeightMoment& m) { return factor * m.squares; });
  }
  return j;
}

Json projection(const Projection& p) {
  Json j = {{"comparator", p.comparator}, {"margin", p.margin}, {"rounds", p.rounds}};
  j["projection"] = column(p.projection, [](double value) { return value; });
  j["floor"] = column(p.steps, [&p](double steps) { return steps * p.margin; });
  return j;
}

Json confusion(const std::vector<std::uint64_t>& counts, const std::vector<std::string>& labels) {
  const auto classes = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(counts.size()))));
  std::vector<std::string> names = labels;
  names.resize(classes);  // a single class still has an opposite
  Json table = Json::object();
  for (std::size_t t = 0; t < classes; ++t) {
    Json row = Json::object();
    for (std::size_t p = 0; p < classes; ++p) row[utf8(names[p])] = counts[t * classes + p];
    table[utf8(names[t])] = row;
  }
  return table;
}

Json rows_figures(const RowsRecord& record, const std::vector<std::string>& labels) {
  Json j = {{"of", record.held_out ? "held out" : "training"}, {"rows", record.rows}};
  if (record.rows == 0) return j;
  j["margins"] = {{"edges", column(record.edge, [](double edge) { return edge; })},
                  {"right", record.right},
                  {"wrong", record.wrong}};
  j["worst"] = Json::array();
  for (const RowsRecord::Worst& row : record.worst) {
    j["worst"].push_back({{"row", row.row},
                          {"label", utf8(labels.at(static_cast<std::size_t>(row.label)))},
                          {"margin", number(row.margin)}});
  }
  if (labels.size() <= shown_classes) j["confusion"] = confusion(record.confusion, labels);
  if (record.roc_rows > 0)
    j["roc"] = {{"rows", record.roc_rows},
                {"area", record.area},
                {"false_positive", record.false_positive},
                {"true_positive", record.true_positive}};
  return j;
}

// Writes the weights with the largest effects (without deviations: on columns scaled to 1), each as it acts on the data's
// own values.
Json largest(const Model& model, const std::vector<std::string>& names, std::uint32_t klass, std::size_t most) {
  const std::uint32_t classes = model.weights.classes;
  const std::size_t features = model.weights.w.size() / std::max<std::uint32_t>(classes, 1);
  std::vector<std::uint32_t> order;
  for (std::uint32_t f = 0; f < features; ++f) {
    if (model.weights.w[std::size_t{f} * classes + klass] != 0) order.push_back(f);
  }
  const std::vector<double> effects = effects_of(model);
  const std::vector<double>& ranks = effects.empty() ? model.weights.w : effects;
  const auto size = [&](std::uint32_t f) { return std::abs(ranks[std::size_t{f} * classes + klass]); };
  const std::size_t kept = std::min(order.size(), most);
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(kept), order.end(),
                    [&](std::uint32_t a, std::uint32_t b) { return size(a) != size(b) ? size(a) > size(b) : a < b; });
  Json shown = Json::array();
  for (std::size_t k = 0; k < kept; ++k) {
    const std::uint32_t f = order[k];
    const double weight = model.weights.w[std::size_t{f} * classes + klass];
    Json entry = {{"feature", names.empty() ? std::to_string(std::uint64_t{f} + (model.schema.zero_based ? 0 : 1))
                                            : utf8(names.at(f))},
                  {"weight", number(weight)}};
    if (f < model.schema.exponents.size()) {
      entry["scaled"] = entry["weight"];
      entry["weight"] = number(std::ldexp(weight, model.schema.exponents[f]));
    }
    if (!effects.empty()) entry["effect"] = number(effects[std::size_t{f} * classes + klass]);
    shown.push_back(entry);
  }
  return {{"nonzero", order.size()}, {"shown", shown}};
}

}  // namespace

Json weights_figures(const Model& model) {
  // Names features without columns by number, and only those shown.
  const std::vector<std::string> names =
      model.schema.columns.empty() ? std::vector<std::string>() : model.schema.feature_names();
  const std::uint32_t classes = model.weights.classes;
  if (classes <= 1) return largest(model, names, 0, shown_weights);
  Json j = Json::object();
  for (std::uint32_t k = 0; k < classes && k < 12; ++k)
    j[utf8(model.schema.labels.names[k])] = largest(model, names, k, 6);
  return {{"classes", j}};
}

Json train_figures(const TrainResult& result, bool bounds_over_time) {
  const Recording& recording = *result.recording;
  const Model& model = result.model;
  Json j = Json::object();
  const std::optional<ExpectedError>& expected = result.expected_error;
  const bool bounded =
      bounds_over_time && expected && expected->from == ExpectedFrom::learning && expected->rows == model.ledger.rounds;
  if (!recording.moments.empty())
    j["progress"] = progress(recording.moments, bounded ? std::optional(expected->confidence) : std::nullopt);
  if (!recording.weights.empty() && !recording.weights.back().followed.empty())
    j["followed"] = followed_over_time(recording.weights);
  if (!recording.weights.empty()) j["norms"] = norms(recording.weights, model.composition);
  if (recording.projection) j["projection"] = projection(*recording.projection);
  if (recording.training) j["training"] = rows_figures(*recording.training, model.schema.labels.names);
  if (recording.holdout) j["holdout"] = rows_figures(*recording.holdout, model.schema.labels.names);
  if (!model.weights.w.empty()) j["weights"] = weights_figures(model);
  return j;
}

std::vector<std::size_t> largest_first(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] > values[b]; });
  return order;
}

Json path_figures(const RegretPath& path, const std::vector<std::string>& names,
                  const std::vector<std::size_t>& order) {
  const auto plain = [](double value) { return value; };
  Json j = {{"quantity", path.quantity}, {"rounds", path.rounds}, {"observed", column(path.observed, plain)}};
  if (!path.bound.empty()) j["bound"] = column(path.bound, plain);
  j["loss"] = column(path.loss, plain);
  const auto of_choices = [&](const char* key, const auto& values, const auto& as_json) {
    if (values.empty()) return;
    for (std::size_t k = 0; k < order.size() && k < shown_choices; ++k) {
      Json list = Json::array();
      for (std::size_t at = order[k]; at < values.size(); at += names.size()) list.push_back(as_json(values[at]));
      j[key][utf8(names[order[k]])] = list;
    }
  };
  of_choices("weights", path.weights, number);
  of_choices("pulls", path.pulls, [](std::uint64_t count) { return count; });
  return j;
}

}  // namespace halfspace::report
