// Formats the evaluation of two models on the same rows.
#include "report/results/paired_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text_table.h"
#include "report/results/comparison_words.h"
#include "report/results/evaluation_json.h"
#include "report/results/evaluation_text.h"
#include "report/results/words.h"

namespace halfspace::report {
namespace {

constexpr std::size_t name_width = 28;

// Metrics of both, the accuracy last; one that only one of them has, such as the log loss, has a gap.
std::string metrics_text(const PairedEvaluation& both, const std::array<std::string, 2>& names,
                         const TextStyle& style) {
  TextTable table({true, true, true, true, true});
  table.add({"", style.dim(shortened(names[0], name_width)), "", style.dim(shortened(names[1], name_width)), ""});
  const auto found = [&](std::size_t m, Metric metric) -> const Estimate* {
    const auto at = std::find_if(both.of[m].metrics.begin(), both.of[m].metrics.end(),
                                 [&](const Estimate& one) { return one.metric == metric; });
    return at == both.of[m].metrics.end() ? nullptr : &*at;
  };
  const auto add = [&](Metric metric) {
    std::vector<std::string> cells{metric_words(metric, both.of[0].metric_options)};
    for (std::size_t m = 0; m < 2; ++m) {
      const Estimate* one = found(m, metric);
      cells.push_back(one == nullptr ? "-" : metric_number(metric, one->value));
      cells.push_back(one == nullptr ? "" : style.dim(metric_interval_words(*one)));
    }
    table.add(cells);
  };
  for (const Name<Metric>& name : NamesOf<Metric>::table) {
    if (name.value != Metric::accuracy && (found(0, name.value) != nullptr || found(1, name.value) != nullptr))
      add(name.value);
  }
  add(Metric::accuracy);
  return table.text() + "\n";
}

std::string better_words(const PairedEvaluation& both, const std::array<std::string, 2>& names) {
  for (std::size_t m = 0; m < 2; ++m) {
    if (both.of[m].learned_from)
      return "not tested: " + shortened(names[m], name_width) +
             " was trained on these rows, so its figures are too good";
  }
  if (!both.of[0].confusion.counts_rows()) return std::string("not tested: ") + weights_count_no_rows;
  const std::optional<std::size_t> better = both.better();
  if (!better) return "neither: both are right on equally many rows";
  return fmt::format("{}: {}significantly better than {} ({})", shortened(names[*better], name_width),
                     both.significant() ? "" : "not ", shortened(names[1 - *better], name_width),
                     p_words(both.test->p_value));
}

}  // namespace

std::string paired_text(const PairedEvaluation& both, const std::array<std::string, 2>& names, const TextStyle& style) {
  std::string text = metrics_text(both, names, style);
  const ModelEvaluation& first = both.of[0];
  if (first.report.rejected > 0)
    text += fmt::format("  {:<12} {} skipped\n", "rejected", counted(first.report.rejected, "bad row"));
  text += fmt::format("  {:<12} {}: both right {}, only the first {}, only the second {}, neither {}\n", "rows",
                      grouped_count(first.confusion.rows()), grouped_count(both.both_right),
                      grouped_count(both.only_first_right), grouped_count(both.only_second_right),
                      grouped_count(both.both_wrong));
  if (both.test) text += fmt::format("  {:<12} McNemar's exact test, of the rows where one is right\n", "test");
  text += fmt::format("  {:<12} {}\n", "better", style.bold(better_words(both, names)));
  return text;
}

Json paired(const PairedEvaluation& both, const std::array<std::string, 2>& names) {
  Json j{{"rows", rows_count(both.of[0].confusion.rows())},
         {"both_right", rows_count(both.both_right)},
         {"only_first_right", rows_count(both.only_first_right)},
         {"only_second_right", rows_count(both.only_second_right)},
         {"both_wrong", rows_count(both.both_wrong)}};
  j["test"] = nullptr;
  if (both.test)
    j["test"] = {{"name", "mcnemar"}, {"statistic", both.test->statistic}, {"p_value", both.test->p_value}};
  const std::optional<std::size_t> better = both.better();
  j["better"] = better ? Json(utf8(names[*better])) : Json(nullptr);
  j["significant"] = both.test ? Json(both.significant()) : Json(nullptr);
  j["models"] = Json::array();
  for (std::size_t m = 0; m < 2; ++m) {
    Json one = evaluation(both.of[m]);
    one["model"] = utf8(names[m]);
    j["models"].push_back(std::move(one));
  }
  return j;
}

}  // namespace halfspace::report
