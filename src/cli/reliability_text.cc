// Formats bins of probabilities as a table.
#include "cli/reliability_text.h"

#include <fmt/format.h>

#include "cli/terminal.h"
#include "report/evaluation_json.h"

namespace halfspace::cli {
namespace {

constexpr std::size_t kBins = Reliability::bin_count;

}  // namespace

std::string reliability_text(const Reliability& r) {
  if (r.rows() == 0) return "";
  Table table({true, false, false, false});
  table.add({dim(r.classes() == 2 ? "probability of the positive class" : "probability of the likeliest class"),
             dim("rows"), dim("mean"), dim("observed")});
  for (std::size_t i = 0; i < kBins; ++i) {
    const Reliability::Bin& bin = r.bins()[i];
    if (bin.rows == 0) continue;
    const double n = static_cast<double>(bin.rows);
    table.add({fmt::format("{:.1f} to {:.1f}", static_cast<double>(i) / kBins, static_cast<double>(i + 1) / kBins),
               grouped(bin.rows), percent(bin.sum, n), percent(static_cast<double>(bin.happened), n)});
  }
  std::string text = table.text() + "\n";
  text += fmt::format("  {:<12} {}\n", "log loss",
                      r.impossible() == 0 ? fmt::format("{:.4f}", r.log_loss()) : report::why_no_log_loss(r));
  text += fmt::format("  {:<12} {:.4f}   {}\n", "Brier score", r.brier(),
                      dim(fmt::format("predicting the share of each class: {:.4f}", r.constant_brier())));
  text += fmt::format("  {:<12} {}   {}\n", "calibration", percent(r.calibration_error(), 1),
                      dim("mean distance between predicted and observed, in the table above"));
  return text;
}

}  // namespace halfspace::cli
