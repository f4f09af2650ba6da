// Sums over rows, and the table they make.
#include "cli/reliability.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/terminal.h"

namespace halfspace::cli {

void Reliability::add(std::span<const double> p, std::int32_t label) {
  const auto truth = static_cast<std::size_t>(label);
  ++rows_;
  ++rows_of_[truth];
  impossible_ += p[truth] == 0;
  log_loss_ -= std::log(p[truth]);
  if (classes_ == 2) {
    brier_ += p[1 - truth] * p[1 - truth];
  } else {
    for (std::size_t k = 0; k < classes_; ++k) brier_ += (p[k] - (k == truth)) * (p[k] - (k == truth));
  }
  const std::size_t judged =
      classes_ == 2 ? 1 : static_cast<std::size_t>(std::max_element(p.begin(), p.end()) - p.begin());
  Bin& bin = bins_[std::min(kBins - 1, static_cast<std::size_t>(p[judged] * kBins))];
  ++bin.rows;
  bin.happened += judged == truth;
  bin.sum += p[judged];
}

double Reliability::constant_brier() const {
  double squares = 0;
  for (const std::uint64_t rows : rows_of_) {
    const double share = static_cast<double>(rows) / static_cast<double>(rows_);
    squares += share * share;
  }
  return (1 - squares) / (classes_ == 2 ? 2 : 1);
}

double Reliability::calibration_error() const {
  double sum = 0;
  for (const Bin& bin : bins_) sum += std::abs(bin.sum - static_cast<double>(bin.happened));
  return sum / static_cast<double>(rows_);
}

std::string Reliability::text() const {
  if (rows_ == 0) return "";
  Table table({true, false, false, false});
  table.add({dim(classes_ == 2 ? "probability of the positive class" : "probability of the likeliest class"),
             dim("rows"), dim("mean"), dim("came true")});
  for (std::size_t i = 0; i < kBins; ++i) {
    const Bin& bin = bins_[i];
    if (bin.rows == 0) continue;
    const double n = static_cast<double>(bin.rows);
    table.add({fmt::format("{:.1f} to {:.1f}", static_cast<double>(i) / kBins, static_cast<double>(i + 1) / kBins),
               grouped(bin.rows), percent(bin.sum, n), percent(static_cast<double>(bin.happened), n)});
  }
  std::string text = table.text() + "\n";
  text +=
      fmt::format("  {:<12} {}\n", "log loss",
                  impossible_ == 0 ? fmt::format("{:.4f}", log_loss())
                                   : fmt::format("infinite: {} rows were given probability 0", grouped(impossible_)));
  text += fmt::format("  {:<12} {:.4f}   {}\n", "Brier score", brier(),
                      dim(fmt::format("always saying the share of each class: {:.4f}", constant_brier())));
  text += fmt::format("  {:<12} {}   {}\n", "calibration", percent(calibration_error(), 1),
                      dim("mean distance from probability to what came true, in the table above"));
  return text;
}

report::Json Reliability::json() const {
  report::Json j = {{"log_loss", report::number(log_loss())},
                    {"impossible", impossible_},
                    {"brier", report::number(brier())},
                    {"constant_brier", report::number(constant_brier())},
                    {"calibration_error", report::number(calibration_error())}};
  j["reliability"] = report::Json::array();
  for (std::size_t i = 0; i < kBins; ++i) {
    const Bin& bin = bins_[i];
    if (bin.rows == 0) continue;
    j["reliability"].push_back({{"from", static_cast<double>(i) / kBins},
                                {"to", static_cast<double>(i + 1) / kBins},
                                {"rows", bin.rows},
                                {"mean", bin.sum / static_cast<double>(bin.rows)},
                                {"came_true", static_cast<double>(bin.happened) / static_cast<double>(bin.rows)}});
  }
  return j;
}

}  // namespace halfspace::cli
