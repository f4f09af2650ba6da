// Writes the watch on a run and the calibration of its scores as JSON.
#include "report/evaluation_json.h"

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
  } else if (watch.error_alarm) {
    drift = {
        {"detector", "error"}, {"above", watch.error_alarm->above}, {"false_alarms", watch.error_alarm->false_alarms}};
  } else {
    drift = {{"detector", "page-hinkley"},
             {"tolerance", watch.page_hinkley->tolerance},
             {"threshold", watch.page_hinkley->threshold}};
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
  for (const Platt& curve : calibration.platt) curves.push_back({{"a", curve.a}, {"b", curve.b}});
  for (const Isotonic& curve : calibration.isotonic)
    curves.push_back({{"score", curve.score}, {"probability", curve.probability}});
  return {{"method", name_of(calibration.method)}, {"rows", calibration.rows}, {"curves", curves}};
}

}  // namespace halfspace::report
