// Writes the watch on a run and the calibration of its scores and its threshold as JSON.
#include "report/results/evaluation_json.h"

#include <fmt/format.h>

#include <cmath>

#include "base/text_table.h"
#include "report/results/sets_text.h"
#include "report/results/words.h"

namespace halfspace::report {

Json alarm(const DriftAlarm& alarm) {
  return {{"round", alarm.round}, {"row", alarm.row}, {"before", alarm.before}, {"after", alarm.after}};
}

void add_watch(Json& result, const Watch& watch) {
  if (watch.window)
    result["window"] = {
        {"size", watch.window->size}, {"rounds", watch.window->counted()}, {"error", number(watch.window->error())}};
  if (watch.faded) result["faded"] = {{"decay", watch.faded->decay}, {"error", number(watch.faded->error())}};
  if (!watch.detects()) return;
  Json drift;
  if (watch.adwin) {
    drift = {{"detector", "adwin"}, {"delta", watch.adwin->delta}, {"width", watch.adwin->width()}};
  } else {
    drift = {
        {"detector", "error"}, {"above", watch.error_alarm->above}, {"false_alarms", watch.error_alarm->false_alarms}};
  }
  drift["alarms"] = watch.alarms;
  drift["latest"] = Json::array();
  for (const DriftAlarm& one : watch.latest_alarms) drift["latest"].push_back(alarm(one));
  result["drift"] = drift;
}

Json least_loss(const LeastLoss& found) {
  const auto bound = [](const std::optional<double>& value) { return value ? number(*value) : Json(nullptr); };
  Json j = {{"loss", name_of(found.loss)},
            {"rounds", found.rounds},
            {"weight", number(found.weight)},
            {"sum", number(found.suffered)},
            {"mean", found.weight > 0 ? number(found.mean()) : Json(nullptr)},
            {"constant", number(found.constant)},
            {"gradient_norm", number(found.gradient_norm)},
            {"norm", number(found.norm)},
            {"norm_of_weights", found.norm_of_weights},
            {"bound", bound(found.bound)}};
  if (found.penalties.l2 > 0) j["penalised_bound"] = bound(found.penalised);
  if (!found.why_no_bound.empty()) j["no_bound"] = found.why_no_bound;
  return j;
}

Json calibration(const Calibration& calibration) {
  Json curves = Json::array();
  for (const Platt& curve : calibration.platt) {
    curves.push_back({{"a", curve.a}, {"b", curve.b}});
    if (curve.clips()) curves.back().update({{"low", curve.low}, {"high", curve.high}});
  }
  for (const Isotonic& curve : calibration.isotonic)
    curves.push_back({{"score", curve.score}, {"probability", curve.probability}});
  return {{"method", name_of(calibration.method)}, {"rows", calibration.rows}, {"curves", curves}};
}

namespace {

std::optional<double> probability_of_threshold(const Model& model) {
  const Calibration curves = probability_curves(model);
  if (!curves.fitted()) return std::nullopt;
  return curves.probabilities({&*model.threshold, 1})[1];
}

}  // namespace

Json threshold(const Model& model, const std::string& by) {
  const std::optional<double> probability = probability_of_threshold(model);
  Json j{{"score", number(*model.threshold)}, {"probability", probability ? number(*probability) : Json(nullptr)}};
  if (!by.empty()) j["by"] = by;
  return j;
}

std::string threshold_words(const Model& model) {
  const std::string positive = shortened(model.schema.labels.names[1], 24);
  const std::optional<double> probability = probability_of_threshold(model);
  return fmt::format("{} from a score of {} on{}", positive, short_number(*model.threshold, 4),
                     probability ? ", a probability of " + short_number(*probability, 3) : "");
}

std::string why_no_log_loss(const Reliability& r) {
  return "infinite: the class of " + rows_counted(r.impossible()) + " was given probability 0";
}

Json reliability(const Reliability& r) {
  Json j = {{"log_loss", number(r.log_loss())},
            {"no_log_loss", r.impossible() == 0 ? Json(nullptr) : Json(why_no_log_loss(r))},
            {"impossible", rows_count(r.impossible())},
            {"brier", number(r.brier())},
            {"constant_brier", number(r.constant_brier())},
            {"calibration_error", number(r.calibration_error())}};
  j["reliability"] = Json::array();
  for (std::size_t i = 0; i < Reliability::bin_count; ++i) {
    const Reliability::Bin& bin = r.bins()[i];
    if (bin.rows == 0) continue;
    j["reliability"].push_back({{"from", static_cast<double>(i) / Reliability::bin_count},
                                {"to", static_cast<double>(i + 1) / Reliability::bin_count},
                                {"rows", rows_count(bin.rows)},
                                {"mean", bin.sum / bin.rows},
                                {"came_true", bin.happened / bin.rows}});
  }
  return j;
}

Json metrics(const ModelEvaluation& result) {
  Json all = Json::object();
  for (const Estimate& one : result.metrics) {
    Json j = {{"value", number(one.value)}, {"lower", nullptr}, {"upper", nullptr}, {"interval", nullptr}};
    if (one.bounds) {
      j["lower"] = number(one.bounds->lower);
      j["upper"] = number(one.bounds->upper);
      j["interval"] = one.exact ? "exact" : "bootstrap";
    }
    all[std::string(name_of(one.metric))] = j;
  }
  return {{"values", all},
          {"average", name_of(result.metric_options.averaging)},
          {"beta", number(result.metric_options.beta)},
          {"lift_share", number(result.metric_options.lift_share)},
          {"confidence", result.confidence},
          {"resamples", result.resamples},
          {"weighted", result.weighted}};
}

Json curve(const ModelEvaluation& result) {
  const double negatives = result.by_class[0].rows, positives = result.by_class[1].rows;
  const std::vector<double> costs = result.metric_options.costs.empty()
                                        ? std::vector<double>()
                                        : cost_matrix(result.metric_options.costs, result.classes);
  Json j = {{"score", Json::array()},
            {"recall", Json::array()},
            {"false_positive_rate", Json::array()},
            {"precision", Json::array()},
            {"error", Json::array()}};
  for (const CurvePoint& point : result.curve) {
    const double missed = positives * (1 - point.recall), false_alarms = negatives * point.false_positive_rate;
    j["score"].push_back(number(point.score));
    j["recall"].push_back(point.recall);
    j["false_positive_rate"].push_back(point.false_positive_rate);
    j["precision"].push_back(number(point.precision));
    j["error"].push_back(number((missed + false_alarms) / (positives + negatives)));
    if (costs.empty()) continue;
    const double cost = costs[2] * missed + costs[1] * false_alarms + costs[3] * (positives - missed) +
                        costs[0] * (negatives - false_alarms);
    j["cost"].push_back(number(cost / (positives + negatives)));
  }
  return j;
}

Json rows_count(double number) {
  return number == std::floor(number) && number < 0x1p53 ? Json(static_cast<std::uint64_t>(number)) : Json(number);
}

std::string why_no_expected_error(const ModelEvaluation& result) {
  return result.learned_from || result.confusion.counts_rows() ? std::string(learned_from) : weights_count_no_rows;
}

Json evaluation(const ModelEvaluation& result) {
  const ConfusionTable& confusion = result.confusion;
  Json j;
  j["rows"] = rows_count(confusion.rows());
  j["errors"] = rows_count(confusion.errors());
  j["accuracy"] = confusion.accuracy();
  j["constant_accuracy"] = confusion.most_frequent() / confusion.rows();
  j["auc"] = result.area ? Json(*result.area) : Json(nullptr);
  j["metrics"] = metrics(result);
  j["classes"] = Json::array();
  for (std::size_t k = 0; k < result.by_class.size(); ++k) {
    const ClassMetrics& one = result.by_class[k];
    j["classes"].push_back({{"class", utf8(result.classes[k])},
                            {"precision", number(one.precision)},
                            {"recall", number(one.recall)},
                            {"f1", number(one.f)},
                            {"rows", number(one.rows)}});
  }
  if (!result.curve.empty()) {
    j["curve"] = curve(result);
    j["threshold"] = number(result.threshold);
  }
  Json table = Json::object();
  for (std::size_t t = 0; t < confusion.classes(); ++t) {
    Json row = Json::object();
    for (std::size_t p = 0; p < confusion.classes(); ++p) row[utf8(result.classes[p])] = rows_count(confusion.at(t, p));
    table[utf8(result.classes[t])] = row;
  }
  j["confusion"] = table;
  const auto expected = result.expected_error();
  j["expected_error"] = expected ? expected_error(*expected) : Json(nullptr);
  if (!expected) j["no_expected_error"] = why_no_expected_error(result);
  if (result.reliability) j["probability"] = reliability(*result.reliability);
  if (result.sets) j["sets"] = sets_evaluation(*result.sets, result);
  j["unknown_features"] = result.report.unknown_features;
  j["rejected"] = result.report.rejected;
  return j;
}

}  // namespace halfspace::report
