// train: the scores by folds and search, the calibration of scores, and the drift of the data.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "halfspace/detail/base/elementary.h"
#include "report/figures/chart.h"
#include "report/figures/html.h"
#include "report/pages/sections.h"
#include "report/results/words.h"

namespace halfspace::report {
namespace {

std::string share(double value) { return share_of(value, 1); }
// Formats a difference of shares.
std::string points(double value) { return std::isfinite(value) ? fmt::format("{:.2f}\u00a0points", 100 * value) : "–"; }

std::string parameters(const View& values) {
  std::string text;
  for (const auto& [name, value] : values.entries())
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, short_number(value.number()));
  return text;
}

std::string folds_figure(const View& folds) {
  std::vector<std::vector<std::string>> rows;
  std::size_t k = 0;
  for (const View& fold : folds.list("fold")) {
    if (++k > 50) break;
    rows.push_back({fmt::format("{}", k), grouped_count(fold.number("rows")), grouped_count(fold.number("errors")),
                    share(fold.number("accuracy", NAN))});
  }
  return figure(
      "folds", "Cross-validation", table_html({"fold", "rows", "errors", "accuracy"}, rows),
      fmt::format("Mean accuracy {}, with a standard deviation of {} over the folds and a standard error of the "
                  "mean of {}. Each fold was predicted by weights trained on the others.",
                  share(folds.number("accuracy", NAN)), points(folds.number("spread", NAN)),
                  points(folds.number("standard_error", NAN))));
}

// Draws accuracy over the values of one searched parameter, with error bars; always writes the table.
std::string search_figure(const View& search) {
  std::vector<std::vector<std::string>> rows;
  std::vector<double> value, accuracy, error;
  std::string name;
  bool one = true, minimizes = false;
  for (const View& candidate : search.list("candidates")) {
    if (rows.size() == 100) break;
    const auto set = candidate.entries("parameters");
    one = one && set.size() == 1;
    if (set.size() == 1) {
      name = set[0].first;
      value.push_back(set[0].second.number());
    }
    accuracy.push_back(candidate.number("accuracy", NAN));
    error.push_back(candidate.number("standard_error", NAN));
    rows.push_back({parameters(candidate["parameters"]), share(accuracy.back()),
                    points(candidate.number("spread", NAN)), points(error.back())});
    if (!candidate.has("minimum")) continue;
    const View minimum = candidate["minimum"];
    minimizes = true;
    rows.back().insert(rows.back().end(),
                       {short_number(minimum.number("primal", NAN)), rounded_up(minimum.number("gap", NAN), 2)});
  }
  std::string caption = "Best: " + (search.has("best") ? escaped(parameters(search["best"])) : std::string("–"));
  if (search.has("lead")) {
    const View lead = search["lead"];
    const double by = lead.number("by", NAN), standard = lead.number("standard_error", NAN);
    caption += fmt::format(", ahead of {} by {} with standard error {}{}", escaped(parameters(lead["over"])),
                           points(by), points(standard), by > 2 * standard ? "" : ": not statistically significant");
  }
  caption += ". The best of several on the rows that chose it: expect slightly less on new rows.";
  std::string html;
  if (one && value.size() > 1) {
    Chart chart("Accuracy over " + name, name, "accuracy");
    if (*std::min_element(value.begin(), value.end()) > 0) chart.x_scale(Scale::logarithmic);
    for (std::size_t i = 0; i < value.size(); ++i)
      chart.add({.name = i == 0 ? "± standard error" : "",
                 .x = {value[i], value[i]},
                 .y = {accuracy[i] - error[i], accuracy[i] + error[i]},
                 .look = 7});
    chart.add({.name = "accuracy", .x = value, .y = accuracy, .shape = Series::Shape::circles});
    html += figure("search", "Search results", chart.svg(), caption);
    caption = "";
  }
  std::vector<std::string> head{"parameters", "accuracy", "spread", "standard error"};
  if (minimizes) head.insert(head.end(), {"objective", "gap at most"});
  return html + figure("candidates", "The candidates", table_html(head, rows), caption);
}

std::string calibration_figure(const View& calibration, const std::vector<std::pair<std::string, View>>& classes) {
  Chart chart("Probability by score", "score", "probability");
  const std::vector<View> curves = calibration.list("curves");
  const std::string name = calibration.text("method");
  const std::string method = name == "isotonic" ? "isotonic regression" : "Platt’s method";
  for (std::size_t k = 0; k < curves.size() && k < 8; ++k) {
    Series series{.name = curves.size() == 1   ? method
                          : k < classes.size() ? classes[k].first
                                               : fmt::format("class {}", k + 1),
                  .look = static_cast<int>(k)};
    if (curves[k].has("a")) {
      // 1 / (1 + e^(a s + b)) from 1 % to 99 %.
      const double a = curves[k].number("a"), b = curves[k].number("b");
      const bool clips = curves[k].has("low");
      for (int i = 0; i <= 80 && a != 0; ++i) {
        const double logit = -4.6 + 9.2 * i / 80, s = (-logit - b) / a;
        if (clips && (s < curves[k].number("low") || s > curves[k].number("high"))) continue;
        series.x.push_back(s);
        series.y.push_back(1 / (1 + elementary::exp(-logit)));
      }
    } else {
      series.x = curves[k].numbers("score");
      series.y = curves[k].numbers("probability");
    }
    chart.add(std::move(series));
  }
  chart.hold_y(0).hold_y(1);
  return figure("calibration", "Calibration", chart.svg(),
                fmt::format("Fitted by {} on {}, each scored by weights that were not trained on it.{}", method,
                            counted(calibration.count("rows"), "row", "rows"),
                            curves.size() > 8 ? fmt::format(" The first 8 of {} classes.", curves.size()) : ""));
}

std::string detector_words(const View& drift) {
  const std::string name = drift.text("detector");
  if (name == "adwin") return "ADWIN";
  if (name != "error") return escaped(name);
  return fmt::format("the test for errors above {}, with a mean of at least {} rows between false alarms,",
                     share(drift.number("above")), plain(drift.number("false_alarms")));
}

std::string drift_figure(const View& drift) {
  const std::uint64_t alarms = drift.count("alarms");
  std::vector<std::vector<std::string>> rows;
  std::vector<View> latest = drift.list("latest");
  latest.erase(latest.begin(), latest.end() - static_cast<std::ptrdiff_t>(std::min<std::size_t>(latest.size(), 20)));
  for (const View& alarm : latest) {
    rows.push_back({plain(alarm.number("round")), plain(alarm.number("row")), share(alarm.number("before", NAN)),
                    share(alarm.number("after", NAN))});
  }
  return figure("drift", "Drift", alarms == 0 ? "" : table_html({"round", "row", "error before", "error after"}, rows),
                fmt::format("{} by {} on the first pass. Watching does not change the model.{}",
                            counted(alarms, "alarm", "alarms"), detector_words(drift),
                            alarms > rows.size() && alarms > 0 ? fmt::format(" The last {}.", rows.size()) : ""));
}

}  // namespace

std::string selection_figures(const View& run) {
  std::string html;
  if (run.has("folds")) html += folds_figure(run["folds"]);
  if (run.has("search")) html += search_figure(run["search"]);
  if (run.has("calibration")) html += calibration_figure(run["calibration"], run.entries("classes"));
  if (run.has("drift")) html += drift_figure(run["drift"]);
  return html;
}

}  // namespace halfspace::report
