// Writes results as JSON objects.
#include "report/results/json.h"

#include <algorithm>
#include <cmath>

#include "halfspace/bounds/formulas.h"
#include "halfspace/detail/kernels/kernels.h"
#include "halfspace/rules/rule_entry.h"
#include "report/results/evaluation_json.h"
#include "report/results/hash_words.h"
#include "report/results/minimum_text.h"
#include "report/results/sets_text.h"
#include "report/results/train_words.h"
#include "report/results/words.h"

namespace halfspace::report {
namespace {

// Column normalisation multiplied values by 2^exponent: a weight acts on the data's own value with that factor.
double on_own_values(const Model& model, std::size_t feature, double weight) {
  const auto& exponents = model.schema.exponents;
  return feature < exponents.size() ? std::ldexp(weight, exponents[feature]) : weight;
}

Json passes(const Ledger& ledger) {
  Json list = Json::array();
  for (std::size_t i = 0; i < ledger.pass.size(); ++i) {
    const PassRecord& pass = ledger.pass[i];
    if (i > 0 && pass.rounds == 0) continue;  // interrupted before it began
    list.push_back({{"rounds", pass.rounds},
                    {"mistakes", pass.mistakes},
                    {"errors", sum_of_weights(pass.errors)},
                    {"weight", sum_of_weights(pass.weight)},
                    {"updates", pass.updates},
                    {"criterion", number(pass.criterion)}});
    if (const std::uint64_t passes = ledger.passes_of(i); passes > 1) list.back()["passes"] = passes;
  }
  return list;
}

Json progressive(const Ledger& ledger) {
  return {{"rounds", ledger.first_pass_rounds},
          {"mistakes", ledger.first_pass_mistakes},
          {"errors", sum_of_weights(ledger.first_pass_errors())},
          {"weight", sum_of_weights(ledger.first_pass_weight())},
          {"constant_mistakes", sum_of_weights(ledger.constant_errors)},
          {"previous_mistakes", sum_of_weights(ledger.previous_errors)}};
}

// Writes null for a value that was not set and that the rule computes itself.
Json parameter_value(const Parameter& parameter, double value) {
  if (std::isnan(value)) return nullptr;
  switch (parameter.kind) {
    case Parameter::Kind::number:
      return value;
    case Parameter::Kind::count:
      return static_cast<std::uint64_t>(value);
    case Parameter::Kind::choice:
      return value_text(parameter, value);
    case Parameter::Kind::flag:
      return value != 0;
  }
  return nullptr;
}

void add_bound(Json& j, const TrainResult& result) {
  if (result.bound) {
    const MistakeBound& bound = *result.bound;
    const std::uint64_t whole = whole_mistakes(bound.value);
    j["bound"] = {{"value", whole == UINT64_MAX ? number(bound.value) : Json(whole)},
                  {"theorem", bound.theorem},
                  {"comparator", bound.comparator},
                  {"margin", number(bound.margin)},
                  {"radius", number(bound.radius)},
                  {"hinge", number(bound.hinge)}};
  } else {
    j["bound"] = nullptr;
    j["no_bound"] = result.why_no_bound;
  }
  if (result.regret) {
    j["regret"] = {{"log_loss", number(result.regret->most)},
                   {"theorem", number(result.regret->theorem)},
                   {"weight", number(result.regret->weight)}};
  }
}

void add_training_rows(Json& j, const TrainResult& result) {
  if (result.training_errors) {
    j["training_errors"] = rows_count(*result.training_errors);
    j["training_rows"] = rows_count(result.training_rows);
  }
  if (result.evaluation) j["margin"] = number(result.evaluation->margin());
  if (result.margin_ceiling) j["margin_ceiling"] = number(*result.margin_ceiling);
}

void add_new_rows(Json& j, const TrainResult& result) {
  j["expected_error"] = result.expected_error ? expected_error(*result.expected_error) : Json(nullptr);
  if (!result.expected_error) j["no_expected_error"] = result.why_no_expected_error;
  if (result.guarded) {
    j["guarded"] = {{"rows", result.guarded->rows},
                    {"errors", result.guarded->errors},
                    {"errors_before", result.guarded->errors_before},
                    {"model", name_of(result.guarded->by)}};
  }
  if (!result.followed.empty()) j["followed"] = followed(result.followed);
}

}  // namespace

Json expected_error(const ExpectedError& expected) {
  return {{"error", expected.error()},      {"lower", expected.bounds.lower},
          {"upper", expected.bounds.upper}, {"confidence", expected.confidence},
          {"of", name_of(expected.from)},   {"assumption", help_of(expected.from)},
          {"rows", expected.rows},          {"errors", expected.errors}};
}

Json followed(const std::vector<MixtureMember>& members) {
  Json j = Json::object();
  for (const MixtureMember& one : members) j[one.name] = one.probability;
  return j;
}

Json sum_of_weights(double sum) {
  return sum == std::floor(sum) && sum < 0x1p63 ? Json(static_cast<std::uint64_t>(sum)) : number(sum);
}

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

std::string_view name_of_scaling(const Model& model) {
  if (model.ledger.new_rows == NewRows::standard) return "standard";
  return model.schema.row_normalised ? "row" : model.schema.exponents.empty() ? "none" : "column";
}

Json composition(const Composition& c) {
  Json j = {{"rule", name_of(c.rule)},
            {"order", name_of(c.order)},
            {"keep", name_of(c.keep)},
            {"tie", name_of(c.tie)},
            {"bias", name_of(c.bias.position)},
            {"bias_scale", c.bias.scale},
            {"start", c.start.small ? "small" : "zero"},
            {"seed", c.seed}};
  if (c.by_learners_of_two()) j["several_classes"] = name_of(c.several_classes);
  for (const ParameterUse& use : entry_of(c.rule).parameters) {
    if (applies(use, c)) j[use.parameter->key()] = parameter_value(*use.parameter, c.value(*use.parameter));
  }
  return j;
}

Json train_result(const TrainResult& result) {
  const Model& model = result.model;
  const Ledger& ledger = model.ledger;
  Json j;
  j["rounds"] = ledger.rounds;
  j["mistakes"] = ledger.mistakes;
  j["errors"] = sum_of_weights(ledger.errors());
  j["weight"] = sum_of_weights(ledger.weight());
  j["updates"] = ledger.updates;
  j["passes"] = ledger.passes;
  j["inspections"] = ledger.inspections;
  j["stopped"] = name_of(ledger.stopped);
  j["rows"] = result.report.rows;
  j["rejected"] = result.report.rejected;
  j["features"] = model.schema.features;
  if (const HashUse use = hash_use(model.schema, result.report); use.bits > 0) j["hashed"] = hashed(use, true);
  j["nonzeros"] = result.report.nonzeros;
  const auto& class_rows = result.report.class_rows;
  j["positives"] = class_rows.size() > 1 ? class_rows[1] : 0;
  j["negatives"] = class_rows.empty() ? 0 : class_rows[0];
  Json classes = Json::object();
  for (std::size_t k = 0; k < model.schema.labels.names.size(); ++k) {
    if (model.schema.labels.names[k].empty()) continue;  // no row has this label
    classes[utf8(model.schema.labels.names[k])] = k < class_rows.size() ? class_rows[k] : 0;
  }
  j["classes"] = classes;
  const std::optional<double> radius = radius_of(ledger.largest_squared_norm, ledger.largest_row > 0);
  j["radius"] = radius ? number(*radius) : Json(nullptr);
  j["weight_norm"] = number(result.weight_norm);
  if (!entry_of(model.composition.rule).support_vectors) j["nonzero_weights"] = nonzero_weights(model);
  add_training_rows(j, result);
  add_bound(j, result);
  if (result.minimum) j["minimum"] = minimum(result);
  if (result.least_loss) j["least_loss"] = least_loss(*result.least_loss);
  j["progressive"] = progressive(ledger);
  add_new_rows(j, result);
  j["pass"] = passes(ledger);
  if (result.holdout) {
    const Holdout& holdout = *result.holdout;
    j["holdout"] = {{"rows", rows_count(holdout.rows)},
                    {"errors", rows_count(holdout.errors)},
                    {"constant_errors", rows_count(errors_of_the_most_frequent(holdout))},
                    {"accuracy", holdout.rows == 0 ? Json(nullptr) : Json(1 - holdout.errors / holdout.rows)}};
  }
  if (ledger.watch) add_watch(j, *ledger.watch);
  if (model.calibration.method != CalibrationMethod::none) j["calibration"] = calibration(model.calibration);
  if (model.threshold) j["threshold"] = threshold(model, result.threshold_by);
  if (model.conformal) j["conformal"] = conformal(*model.conformal);
  if (result.sets) j["sets"] = issued_sets(*result.sets, model.classes());
  j["composition"] = composition(model.composition);
  j["normalize"] = name_of_scaling(model);
  if (entry_of(model.composition.rule).support_vectors) j["support_vectors"] = model.learner.kernel.coefficient.size();
  j["fingerprint"] = result.report.fingerprint;
  j["seconds"] = {{"total", result.seconds.total}, {"read", result.seconds.read}, {"learn", result.seconds.learn}};
  return j;
}

Json ledger_line(const Ledger& ledger, double seconds, double confidence) {
  Json j = {{"rounds", ledger.rounds},
            {"pass", ledger.begun_passes()},
            {"mistakes", ledger.mistakes},
            {"errors", sum_of_weights(ledger.errors())},
            {"weight", sum_of_weights(ledger.weight())},
            {"updates", ledger.updates},
            {"seconds", seconds}};
  if (const auto expected = halfspace::expected_error(ledger, confidence))
    j["expected_error"] = {{"lower", expected->bounds.lower}, {"upper", expected->bounds.upper}};
  if (ledger.watch && ledger.watch->window) j["window_error"] = number(ledger.watch->window->error());
  if (ledger.watch && ledger.watch->faded) j["faded_error"] = number(ledger.watch->faded->error());
  return j;
}

Model weighed_by_feature(Model model) {
  const KernelExpansion f = expansion_of(model);
  if (f.size() == 0 || f.kernel().name != KernelName::linear) return model;
  ClassWeightVector& v = model.weights;
  v.grow(model.schema.features);
  for (std::size_t i = 0; i < f.size(); ++i) {
    kernels::add(v.w.data(), f.coefficients()[i], f.row(i));
    if (f.bias().position != Bias::none) v.bias[0] += f.coefficients()[i] * f.bias().scale;
  }
  return model;
}

namespace {

// Returns numbers by feature name, given as the model orders weights; multiclass: one object a class.
Json by_feature(const Model& model, const std::vector<double>& numbers) {
  const std::vector<std::string> names = model.schema.feature_names();
  const std::uint32_t classes = model.weights.classes;
  const auto one_class = [&](std::uint32_t k) {
    Json::Object members;
    members.reserve(names.size());
    for (std::size_t f = 0; f < names.size(); ++f) {
      const std::size_t at = f * classes + k;
      members.emplace_back(utf8(names[f]), at < numbers.size() ? number(numbers[at]) : Json(0.0));
    }
    return Json::object(std::move(members));
  };
  if (classes == 1) return one_class(0);
  Json j = Json::object();
  for (std::uint32_t k = 0; k < classes; ++k) j[utf8(model.schema.labels.names[k])] = one_class(k);
  return j;
}

}  // namespace

std::vector<double> effects_of(const Model& model) {
  if (!model.spread || model.schema.features > FeatureSpread::most_features) return {};
  std::vector<double> effects = model.weights.w;
  for (std::size_t i = 0; i < effects.size(); ++i) effects[i] *= model.spread->deviation(i / model.weights.classes);
  return effects;
}

Json weights(const Model& model) { return by_feature(model, weights_on_own_values(model)); }

Json effects(const Model& model) {
  const std::vector<double> all = effects_of(model);
  return all.empty() ? Json(nullptr) : by_feature(model, all);
}

Json logarithms(const Schema& schema) {
  Json j = Json::array();
  for (const Column& column : schema.columns) {
    if (!column.is_logarithm()) continue;
    j.push_back({{"name", utf8(column.name)},
                 {"of", utf8(schema.columns[column.first].name)},
                 {"least", column.least},
                 {"unit", column.unit}});
  }
  return j;
}

std::size_t nonzero_weights(const Model& model) {
  const std::vector<double>& w = model.weights.w;
  return w.size() - static_cast<std::size_t>(std::count(w.begin(), w.end(), 0.0));
}

std::vector<double> weights_on_own_values(const Model& model) {
  std::vector<double> weights = model.weights.w;
  for (std::size_t i = 0; i < weights.size(); ++i)
    weights[i] = on_own_values(model, i / model.weights.classes, weights[i]);
  return weights;
}

Json bias(const Model& model) {
  const BiasOptions& options = model.composition.bias;
  const double scale = options.position == Bias::none ? 0.0 : options.scale;
  if (model.weights.classes == 1) return number(model.weights.bias[0] * scale);
  Json j = Json::object();
  for (std::uint32_t k = 0; k < model.weights.classes; ++k) {
    j[utf8(model.schema.labels.names[k])] = number(model.weights.bias[k] * scale);
  }
  return j;
}

}  // namespace halfspace::report
