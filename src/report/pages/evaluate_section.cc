// evaluate: the metrics with their intervals, the errors, the curves, and the quality of the probabilities.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "halfspace/bounds/expected_error.h"
#include "halfspace/train/metrics.h"
#include "report/figures/html.h"
#include "report/pages/sections.h"
#include "report/results/evaluation_text.h"
#include "report/results/train_words.h"
#include "report/results/words.h"

namespace halfspace::report {
namespace {

class EvaluatePage : PageOfRun {
 public:
  explicit EvaluatePage(const View& run) : PageOfRun(run) {}

  Section section() {
    head();
    facts();
    section_.body += group("How good it is", metrics() + confusion() + by_class());
    section_.body += group("Other thresholds", curves() + thresholds() + costs());
    section_.body += group("Its probabilities", reliability());
    return std::move(section_);
  }

 private:
  // ---- head and facts ----

  double rows() const { return run_.number("rows"); }
  double confidence() const { return run_["metrics"].number("confidence"); }
  static std::string certain(double confidence) { return fmt::format("{:.6g} %", 100 * std::min(1.0, confidence)); }
  static std::string four_digits(double value) { return std::isfinite(value) ? fmt::format("{:.4f}", value) : "–"; }
  bool weighted() const { return run_["metrics"]["weighted"].boolean(); }
  std::string counted_rows() const { return rows_counted(run_.number("rows")); }

  void head() {
    const double accuracy = run_.number("accuracy", NAN), constant = run_.number("constant_accuracy", NAN);
    section_.head.title = fmt::format("Halfspace evaluate: {}", counted_rows());
    const auto expected = expected_error_of(run_);
    section_.head.finding = fmt::format("The model is right on {} of {}{}.", share_of(accuracy, 1), counted_rows(),
                                        expected ? ": " + expected_headline(*expected) : "");
    section_.head.because =
        accuracy > constant
            ? fmt::format("Always predicting the most frequent class is right on {}.", share_of(constant, 1))
            : fmt::format("Always predicting the most frequent class is no worse: it is right on {}.",
                          share_of(constant, 1));
    if (expected) {
      section_.head.because += " " + expected_html(*expected);
    } else if (run_.has("no_expected_error")) {
      section_.head.because += " The error on new rows is unknown: " + escaped(run_.text("no_expected_error")) + ".";
    }
  }

  void facts() {
    const double rejected = run_.number("rejected", 0), unknown = run_.number("unknown_features", 0);
    if (const auto expected = expected_error_of(run_)) section_.facts.push_back(expected_fact(*expected));
    fact("Rows", plain(rows()), rejected > 0 ? plain(rejected) + " bad rows skipped" : "");
    fact("Errors", plain(run_.number("errors")), share_of(run_.number("errors"), rows()));
    if (run_.has("auc")) fact("AUC", four_digits(run_.number("auc")), "pairs of rows ranked correctly");
    if (unknown > 0) fact("Unknown features", plain(unknown), "values that the model cannot use");
    if (run_.has("sets") && run_["sets"].has("coverage")) {
      const View sets = run_["sets"];
      fact("Sets with the true class", share_of(sets.number("coverage"), 1),
           fmt::format("wanted {}; {} classes on average", certain(sets.number("wanted")),
                       plain(sets.number("mean_size", NAN))));
    }
  }

  // ---- metrics and errors ----

  MetricOptions metric_options() const {
    MetricOptions options;
    options.beta = run_["metrics"].number("beta");
    options.lift_share = run_["metrics"].number("lift_share");
    return options;
  }

  std::string metrics() const {
    std::vector<std::vector<std::string>> cells;
    std::string exact;
    for (const auto& entry : run_["metrics"].entries("values")) {
      const std::string& name = entry.first;
      const View& estimate = entry.second;
      const auto metric = value_named<Metric>(name);
      if (!metric) continue;
      const auto shown = [&, m = *metric](const char* key) {
        const double value = estimate.number(key, NAN);
        return std::isfinite(100 * value) ? metric_number(m, value) : std::string("–");
      };
      const std::string words = metric_words(*metric, metric_options());
      cells.push_back({words, shown("value"), shown("lower"), shown("upper")});
      if (estimate.text("interval", "") == "exact") exact += (exact.empty() ? "" : ", ") + words;
    }
    return figure("metrics", "Metrics", table_html({"metric", "value", "at least", "at most"}, cells),
                  interval_words(exact));
  }

  std::string interval_words(const std::string& exact) const {
    const View all = run_["metrics"];
    const double resamples = all.number("resamples");
    std::string words = "Intervals of " + certain(confidence()) + " confidence";
    if (!exact.empty()) words += ": exact for " + exact;
    if (resamples > 0)
      words += fmt::format("{} from {} resamples of the rows", exact.empty() ? "," : "; others", plain(resamples));
    words += ".";
    if (several_classes(run_))
      words +=
          fmt::format(" Precision, recall, F1 and AUC are {} averages over the classes.", escaped(all.text("average")));
    return words + (weighted() ? " Rows count by their weights." : "");
  }

  std::string confusion() const {
    return figure("confusion", "Truth against prediction", confusion_html(run_["confusion"]),
                  "Rows, shaded by their share of each true class.");
  }

  std::string by_class() const {
    if (!several_classes(run_)) return "";
    std::vector<std::vector<std::string>> cells;
    const std::vector<View> all = run_.list("classes");
    for (const View& one : all) {
      if (cells.size() == 100) break;
      cells.push_back({one.text("class"), share_of(one.number("precision", NAN), 1),
                       share_of(one.number("recall", NAN), 1), four_digits(one.number("f1", NAN)),
                       plain(one.number("rows", NAN))});
    }
    return figure("classes", "Each class", table_html({"class", "precision", "recall", "F1", "rows"}, cells),
                  all.size() > cells.size() ? fmt::format("The first {} of {} classes.", cells.size(), all.size())
                                            : "Precision: of the rows predicted as the class. Recall: of its rows.");
  }

  // ---- curves over the threshold, of two classes ----

  bool has_curve() const { return run_.has("curve") && run_["curve"]["score"].json().size() > 0; }
  View curve() const { return run_["curve"]; }
  std::string positive_class() const {
    const std::vector<View> classes = run_.list("classes");
    return classes.size() < 2 ? "" : "<em>" + escaped_short(classes[1].text("class"), 40) + "</em>";
  }

  // Counts the rows of a cell of the confusion of two classes.
  double cell(std::size_t truth, std::size_t predicted) const {
    const auto table = run_["confusion"].entries();
    if (table.size() != 2) return NAN;
    const auto row = table[truth].second.entries();
    return row.size() == 2 ? row[predicted].second.number() : NAN;
  }
  // Marks the model's own predictions; their rows are counted without weights.
  void mark(Chart& chart, double x, double y) const {
    if (weighted() || !std::isfinite(x) || !std::isfinite(y)) return;
    chart.add({.name = "the model’s predictions", .x = {x}, .y = {y}, .shape = Series::Shape::circles, .look = 1});
  }

  std::string curves() const {
    if (!has_curve()) return "";
    const double right = cell(1, 1), positives = cell(1, 0) + right, false_alarms = cell(0, 1);
    std::vector<double> x = curve().numbers("false_positive_rate"), y = curve().numbers("recall");
    x.insert(x.begin(), 0.0);
    y.insert(y.begin(), 0.0);
    Chart roc = roc_chart(x, y, "/curve/false_positive_rate", "/curve/recall");
    mark(roc, false_alarms / (cell(0, 0) + false_alarms), right / positives);
    Chart pr("Precision against recall", "recall", "precision");
    pr.add(series_of("this model", curve(), "recall", "precision"));
    // The last point predicts every row positive.
    const std::vector<double> precision = curve().numbers("precision");
    if (!precision.empty()) pr.level("by chance", precision.back(), 7);
    pr.hold_y(0).hold_y(1).hold_x(0);
    mark(pr, right / positives, right / (right + false_alarms));
    return figure("roc", "ROC curve", roc.svg(),
                  fmt::format("The shares of the rows of each class predicted as {}, at every threshold. Area: {}.",
                              positive_class(), four_digits(run_.number("auc", NAN)))) +
           figure(
               "precision-recall", "Precision and recall", pr.svg(),
               fmt::format("Of {}, at every threshold. Average precision: {}.", positive_class(), average_precision()));
  }

  std::string average_precision() const {
    const View values = run_["metrics"]["values"];
    return values.has("average-precision") ? four_digits(values["average-precision"].number("value", NAN)) : "–";
  }

  Series over_threshold(const char* key, int look) const {
    Series series = series_of(key, curve(), "score", key, look);
    series.step = true;
    return series;
  }
  // States the threshold where a figure is least.
  std::string least(const char* key, const std::string& what, double scale, const char* unit) const {
    const std::vector<double> values = curve().numbers(key), scores = curve().numbers("score");
    const auto best = std::min_element(values.begin(), values.end(),
                                       [](double a, double b) { return std::isnan(b) ? !std::isnan(a) : a < b; });
    const auto at = static_cast<std::size_t>(best - values.begin());
    if (best == values.end() || at >= scores.size() || !std::isfinite(*best)) return "";
    return fmt::format("The {} is least, {}{}, at {}: optimistic, since these rows chose it.", what,
                       short_number(scale * *best, 4), unit, plain(scores[at]));
  }

  std::string thresholds() const {
    if (!has_curve() || !curve().has("error")) return "";
    Chart chart("Error, precision and recall at other thresholds", "threshold of the score", "share");
    chart.add(over_threshold("error", 1)).add(over_threshold("precision", 0)).add(over_threshold("recall", 2));
    chart.upright("the model’s threshold", run_.number("threshold", 0), 6).hold_y(0).hold_y(1);
    return figure("thresholds", "Error, precision and recall", chart.svg(),
                  fmt::format("If rows with a score of at least the threshold were predicted as {}. {}",
                              positive_class(), least("error", "error", 100, "\u00a0%")));
  }

  std::string costs() const {
    if (!has_curve() || !curve().has("cost")) return "";
    Chart chart("Mean cost of a row at other thresholds", "threshold of the score", "cost of a row");
    chart.add(over_threshold("cost", 3)).upright("the model’s threshold", run_.number("threshold", 0), 6).hold_y(0);
    return figure("costs", "Cost", chart.svg(),
                  "The mean cost of a row, by the costs of errors given. " + least("cost", "cost", 1, ""));
  }

  // ---- probabilities ----

  std::string reliability() const {
    if (!run_.has("probability")) return "";
    const View probability = run_["probability"];
    std::vector<double> from, to, mean, observed, rows;
    std::vector<std::string> titles;
    Chart chart("Observed frequency against probability", "probability", "observed");
    for (const View& bin : probability.list("reliability")) {
      for (auto& [list, key] :
           {std::pair{&from, "from"}, {&to, "to"}, {&mean, "mean"}, {&observed, "came_true"}, {&rows, "rows"}})
        list->push_back(bin.number(key));
      titles.push_back(fmt::format("{} to {}: {} rows, mean {:.4f}, observed {:.4f}", plain(from.back()),
                                   plain(to.back()), plain(rows.back()), mean.back(), observed.back()));
      const ErrorBounds bounds = observed_bounds(rows.back(), observed.back());
      chart.add({.name = mean.size() == 1 ? certain(confidence()) + " interval" : "",
                 .x = {mean.back(), mean.back()},
                 .y = {bounds.lower, bounds.upper},
                 .look = 5});
    }
    chart.add({.name = "observed", .x = mean, .y = observed, .shape = Series::Shape::circles, .titles = titles});
    chart.add({.name = "calibrated", .x = {0, 1}, .y = {0, 1}, .look = 7});
    Chart counts("Rows of each probability", "probability", "rows");
    counts.height(170).hold_x(0).hold_x(1);
    counts.add({.x = from, .y = rows, .shape = Series::Shape::columns, .look = 0, .to = to, .titles = titles});
    return figure("reliability", "Calibration", chart.svg(), reliability_words(probability)) +
           figure("reliability-rows", "Rows of each probability", counts.svg(), "Few rows give a wide interval.");
  }

  // Bounds the frequency of an event seen in that share of rows; all of [0, 1] without rows.
  ErrorBounds observed_bounds(double rows, double share) const {
    if (!(rows >= 1 && rows < 1e10 && share >= 0 && share <= 1 && confidence() > 0 && confidence() < 1)) return {0, 1};
    const auto whole = static_cast<std::uint64_t>(rows);
    return kept_out_error(whole, static_cast<std::uint64_t>(std::llround(share * std::floor(rows))), confidence());
  }

  std::string reliability_words(const View& probability) const {
    const double brier = probability.number("brier", NAN), constant = probability.number("constant_brier", NAN);
    return fmt::format(
        "Rows with about the same probability {}, and how often it came true. Mean distance {}; log loss {}; Brier "
        "score {}, of always predicting the share of each class {}.",
        several_classes(run_) ? "of the most probable class" : "of " + positive_class(),
        share_of(probability.number("calibration_error", NAN), 1),
        probability.has("log_loss") ? four_digits(probability.number("log_loss")) : "infinite", four_digits(brier),
        four_digits(constant));
  }
};

}  // namespace

Section evaluate_section(const View& run) { return EvaluatePage(run).section(); }

}  // namespace halfspace::report
