// Formats an evaluation.
#include "report/results/evaluation_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "base/text_table.h"
#include "report/results/evaluation_json.h"
#include "report/results/sets_text.h"
#include "report/results/words.h"

namespace halfspace::report {
namespace {

constexpr std::size_t kBins = Reliability::bin_count;

std::string reliability_text(const Reliability& r, const TextStyle& style) {
  if (r.rows() == 0) return "";
  TextTable table({true, false, false, false});
  table.add({style.dim(r.classes() == 2 ? "probability of the positive class" : "probability of the likeliest class"),
             style.dim("rows"), style.dim("mean"), style.dim("observed")});
  for (std::size_t i = 0; i < kBins; ++i) {
    const Reliability::Bin& bin = r.bins()[i];
    if (bin.rows == 0) continue;
    const double n = bin.rows;
    table.add({fmt::format("{:.1f} to {:.1f}", static_cast<double>(i) / kBins, static_cast<double>(i + 1) / kBins),
               grouped_count(bin.rows), percent(bin.sum, n), percent(bin.happened, n)});
  }
  std::string text = table.text() + "\n";
  text += fmt::format("  {:<12} {}   {}\n", "calibration", percent(r.calibration_error(), 1),
                      style.dim("mean distance between predicted and observed, in the table above"));
  return text;
}

std::string confusion_text(const ModelEvaluation& result, const TextStyle& style) {
  const std::size_t classes = result.confusion.classes();
  std::vector<bool> left_aligned(classes + 1, false);
  left_aligned[0] = true;
  TextTable table(left_aligned);
  std::vector<std::string> head{style.dim("truth \\ predicted")};
  for (const std::string& name : result.classes) head.push_back(shortened(name, 16));
  table.add(head);
  for (std::size_t t = 0; t < classes; ++t) {
    std::vector<std::string> cells{shortened(result.classes[t], 24)};
    for (std::size_t p = 0; p < classes; ++p) cells.push_back(grouped_count(result.confusion.at(t, p)));
    table.add(cells);
  }
  return table.text() + "\n";
}

bool is_share_of_rows(Metric metric) {
  return metric == Metric::accuracy || metric == Metric::balanced_accuracy || metric == Metric::precision ||
         metric == Metric::recall;
}

// Returns what a figure is about.
std::string metric_note(const Estimate& one, const ModelEvaluation& result) {
  const bool two = result.confusion.classes() == 2;
  const std::string of = two ? shortened(result.classes[1], 24) : "";
  if (one.metric == Metric::precision || one.metric == Metric::recall) {
    if (!two) return std::string(name_of(result.metric_options.averaging)) + " average";
    return (one.metric == Metric::precision ? "of rows predicted " : "of rows that are ") + of;
  }
  if (one.metric == Metric::accuracy) {
    return fmt::format("{} of {}; always the most frequent class: {}", grouped_count(result.confusion.right()),
                       rows_counted(result.confusion.rows()),
                       percent(result.confusion.most_frequent(), result.confusion.rows()));
  }
  if (one.metric == Metric::brier)
    return fmt::format("predicting the share of each class: {:.4f}", result.reliability->constant_brier());
  if (one.metric == Metric::log_loss && result.reliability->impossible() > 0)
    return why_no_log_loss(*result.reliability);
  return one.metric == Metric::cost ? "mean of a row" : "";
}

// The accuracy is the last line.
std::string metrics_text(const ModelEvaluation& result, const TextStyle& style) {
  TextTable table({true, true, true, true});
  const auto dim = [&](const std::string& words) { return words.empty() ? words : style.dim(words); };
  const auto add = [&](const Estimate& one, bool bold) {
    const std::string value = metric_number(one.metric, one.value);
    table.add({metric_words(one.metric, result.metric_options), bold ? style.bold(value) : value,
               dim(metric_interval_words(one)), dim(metric_note(one, result))});
  };
  for (const Estimate& one : result.metrics)
    if (one.metric != Metric::accuracy) add(one, false);
  for (const Estimate& one : result.metrics)
    if (one.metric == Metric::accuracy) add(one, true);
  return table.text();
}

std::string classes_text(const ModelEvaluation& result, const TextStyle& style) {
  TextTable table({true, false, false, false, false});
  const auto share = [](double value) { return std::isnan(value) ? std::string("-") : percent(value, 1); };
  table.add({style.dim("class"), style.dim("precision"), style.dim("recall"), style.dim("F1"), style.dim("rows")});
  for (std::size_t k = 0; k < result.by_class.size(); ++k) {
    const ClassMetrics& one = result.by_class[k];
    table.add({shortened(result.classes[k], 24), share(one.precision), share(one.recall),
               std::isnan(one.f) ? "-" : fmt::format("{:.4f}", one.f), fmt::format("{:.6g}", one.rows)});
  }
  return table.text() + "\n";
}

std::string sets_text(const ModelEvaluation& result, const TextStyle& style) {
  const SetsEvaluation& sets = *result.sets;
  const SetCounts& counts = sets.counts;
  const double rows = counts.rows, covered = counts.covered;
  std::string note = fmt::format("wanted {}{}", coverage_words(sets.wanted), sets.each_class ? " of each class" : "");
  if (!result.learned_from && counts.counts_rows()) {
    const ErrorBounds bounds = coverage_bounds(counts, result.confidence);
    note += fmt::format("; {} to {} % on new rows, {} confidence", fixed_down(100 * bounds.lower, 2),
                        fixed_up(100 * bounds.upper, 2), coverage_words(result.confidence));
  }
  std::string text = fmt::format("  {:<12} {} have the true class   {}\n", "sets", style.bold(percent(covered, rows)),
                                 style.dim(note));
  text += fmt::format("  {:<12} {:.3f} classes on average; {} of one class, {} of none\n", "set size",
                      counts.mean_size(), percent(counts.singles, rows), percent(counts.empty, rows));
  if (!sets.each_class) return text;
  for (std::size_t k = 0; k < sets.rows.size() && k < 20; ++k) {
    if (sets.rows[k] == 0) continue;
    text += fmt::format("  {:<12} {} of {}\n", "", percent(sets.covered[k], sets.rows[k]),
                        rows_counted(sets.rows[k]) + " of " + shortened(result.classes[k], 24));
  }
  return text;
}

// The one error to report.
std::string new_rows_text(const ModelEvaluation& result, const TextStyle& style) {
  const auto expected = result.expected_error();
  if (!expected)
    return fmt::format("  {:<12} no estimate: {}{}\n\n", "new rows", why_no_expected_error(result),
                       result.learned_from ? "   " + style.dim("evaluate rows that it has not seen") : "");
  return fmt::format(
      "  {:<12} {}   {}\n\n", "new rows", style.bold(new_rows_words(*expected)),
      style.dim(fmt::format("if they are like these {}, {}", grouped(expected->rows),
                            result.data_unknown ? "and if none of these were used in training: the model does not know"
                                                : "none of which were used in training")));
}

}  // namespace

std::string metric_number(Metric metric, double value) {
  if (is_share_of_rows(metric)) return percent(value, 1);
  if (metric == Metric::lift) return fmt::format("{:.2f}", value);
  return std::isfinite(value) ? fmt::format("{:.4f}", value) : "infinite";
}

std::string metric_interval_words(const Estimate& one) {
  if (!one.bounds) return "";
  const double lower = one.bounds->lower, upper = one.bounds->upper;
  if (is_share_of_rows(one.metric)) return fmt::format("{:.2f} to {}", 100 * lower, percent(upper, 1));
  return metric_number(one.metric, lower) + " to " + metric_number(one.metric, upper);
}

std::string metric_words(Metric metric, const MetricOptions& options) {
  if (metric == Metric::f) return options.beta == 1 ? "F1" : fmt::format("F, beta {:.6g}", options.beta);
  if (metric == Metric::lift) return fmt::format("lift at {:.6g} %", 100 * options.lift_share);
  if (metric == Metric::auc) return "AUC";
  if (metric == Metric::matthews) return "Matthews";
  if (metric == Metric::brier) return "Brier score";
  std::string words(name_of(metric));
  std::replace(words.begin(), words.end(), '-', ' ');
  return words;
}

std::string evaluation_text(const ModelEvaluation& result, const TextStyle& style) {
  const ConfusionTable& confusion = result.confusion;
  std::string text = new_rows_text(result, style);
  if (confusion.classes() <= 20) text += confusion_text(result, style);
  if (confusion.classes() > 2) text += classes_text(result, style);
  if (result.reliability) text += reliability_text(*result.reliability, style) + "\n";
  if (result.report.rejected > 0)
    text += fmt::format("  {:<12} {} skipped\n", "rejected", counted(result.report.rejected, "bad row"));
  text += metrics_text(result, style);
  if (result.resamples > 0) {
    text += style.dim(fmt::format("  intervals: {:.6g} %, {} resamples; of accuracy{} exact\n", 100 * result.confidence,
                                  grouped(result.resamples), confusion.classes() == 2 ? ", precision and recall" : ""));
  }
  if (result.weighted) {
    text += fmt::format("  {:<12} {}\n", "weights",
                        confusion.counts_rows() ? "a row of weight k counts as k rows, and one of weight 0 as none"
                                                : std::string("no intervals: ") + weights_count_no_rows);
  }
  if (result.sets && result.sets->counts.rows > 0) text += sets_text(result, style);
  return text;
}

}  // namespace halfspace::report
