// Formats an evaluation.
#include "report/evaluation_text.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "base/text_table.h"
#include "report/evaluation_json.h"
#include "report/words.h"

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
    const double n = static_cast<double>(bin.rows);
    table.add({fmt::format("{:.1f} to {:.1f}", static_cast<double>(i) / kBins, static_cast<double>(i + 1) / kBins),
               grouped(bin.rows), percent(bin.sum, n), percent(static_cast<double>(bin.happened), n)});
  }
  std::string text = table.text() + "\n";
  text += fmt::format("  {:<12} {}\n", "log loss",
                      r.impossible() == 0 ? fmt::format("{:.4f}", r.log_loss()) : why_no_log_loss(r));
  text += fmt::format("  {:<12} {:.4f}   {}\n", "Brier score", r.brier(),
                      style.dim(fmt::format("predicting the share of each class: {:.4f}", r.constant_brier())));
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
    for (std::size_t p = 0; p < classes; ++p) cells.push_back(grouped(result.confusion.at(t, p)));
    table.add(cells);
  }
  return table.text() + "\n";
}

}  // namespace

std::string evaluation_text(const ModelEvaluation& result, const TextStyle& style) {
  const ConfusionTable& confusion = result.confusion;
  std::string text;
  if (confusion.classes() <= 20) text += confusion_text(result, style);
  if (confusion.classes() == 2) {
    const double true_positive = static_cast<double>(confusion.at(1, 1));
    const std::string positive = shortened(result.classes[1], 24);
    text += fmt::format("  {:<12} {}   {}\n", "precision",
                        percent(true_positive, static_cast<double>(confusion.predicted_as(1))),
                        style.dim(fmt::format("of rows predicted {}", positive)));
    text +=
        fmt::format("  {:<12} {}   {}\n", "recall", percent(true_positive, static_cast<double>(confusion.rows_of(1))),
                    style.dim(fmt::format("of rows that are {}", positive)));
    if (result.area) text += fmt::format("  {:<12} {:.4f}\n", "AUC", *result.area);
  }
  if (result.report.rejected > 0)
    text += fmt::format("  {:<12} {} skipped\n", "rejected", counted(result.report.rejected, "bad row"));
  const auto rows = static_cast<double>(confusion.rows());
  text +=
      fmt::format("  {:<12} {}   {}\n", "accuracy", style.bold(percent(static_cast<double>(confusion.right()), rows)),
                  style.dim(fmt::format("{} of {}; always the most frequent class: {}", grouped(confusion.right()),
                                        counted(confusion.rows(), "row"),
                                        percent(static_cast<double>(confusion.most_frequent()), rows))));
  if (const auto expected = result.expected_error()) {
    text += fmt::format("  {:<12} {}   {}\n", "new rows", style.bold(new_rows_words(*expected)),
                        style.dim(fmt::format("if they are like these {}, none of which were used in training",
                                              grouped(expected->rows))));
  } else {
    text += fmt::format("  {:<12} no bounds: {}\n", "new rows", learned_from);
  }
  if (result.reliability) text += "\n" + reliability_text(*result.reliability, style);
  return text;
}

}  // namespace halfspace::report
