// The text and the JSON of a lab.
#include "lab/lab_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text_table.h"
#include "halfspace/base/error.h"
#include "report/figures/plot.h"
#include "report/results/words.h"

namespace halfspace::lab {
namespace {

// `column`: its name, which says whether the number is a bound.
std::string shown(const std::string& column, const Json& cell) {
  if (cell.is_string()) return cell.get<std::string>();
  if (cell.is_boolean()) return cell.get<bool>() ? "yes" : "no";
  if (cell.is_null()) return "-";
  const double value = cell.get<double>();
  if (value == std::floor(value) && value >= 0 && value < 1e15) return grouped(static_cast<std::uint64_t>(value));
  return report::column_number(column, value);
}

}  // namespace

void LabReport::draw(const std::string& x, const std::vector<std::string>& lines,
                     const std::vector<std::string>& bounds, const std::string& by, bool logarithmic) {
  figure_ = {{"x", x}, {"lines", lines}, {"bounds", bounds}, {"logarithmic", logarithmic}};
  if (!by.empty()) figure_["by"] = by;
}

// Draws one bar a row for each line of the figure, as a share of its bound, or of the largest number without one.
std::string LabReport::plot() const {
  const auto column = [&](const Json& name) {
    return static_cast<std::size_t>(std::find(columns_.begin(), columns_.end(), name.get<std::string>()) -
                                    columns_.begin());
  };
  std::string text;
  const Json &lines = figure_["lines"], &bounds = figure_["bounds"];
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::size_t number = column(lines[i]);
    const std::size_t bound = bounds.empty() ? columns_.size() : column(bounds[std::min(i, bounds.size() - 1)]);
    double largest = 0;
    for (const auto& row : rows_) largest = std::max(largest, row[number].is_number() ? row[number].get<double>() : 0);
    std::vector<report::PlotBar> bars;
    for (const auto& row : rows_) {
      if (!row[number].is_number() || (bound < columns_.size() && !row[bound].is_number())) continue;
      const auto cell = [&](std::size_t at) { return shown(columns_[at], row[at]); };
      std::string name = cell(column(figure_["x"]));
      if (figure_.contains("by")) name = cell(column(figure_["by"])) + ", " + name;
      bars.push_back({name, row[number].get<double>(), bound < columns_.size() ? row[bound].get<double>() : largest,
                      cell(number) + (bound < columns_.size() ? " of " + cell(bound) : "")});
    }
    const std::string over =
        (figure_.contains("by") ? figure_["by"].get<std::string>() + ", " : "") + figure_["x"].get<std::string>();
    text += fmt::format("  {} by {}, as a share of {}\n{}\n", columns_[number], over,
                        bound < columns_.size() ? columns_[bound] : "the largest",
                        report::bars_plot(bars, settings_.width));
  }
  return text;
}

void LabReport::show(const LabSettings& settings) {
  settings_ = settings;
  style = settings.style;
  settings_.plot = settings.plot && page_.is_null();  // lab plane has its picture
  if (settings_.plot && figure_.is_null())
    throw Error(ErrorKind::usage, "lab " + name_ + " has nothing to plot").fix("leave out " + option("plot"));
}

Json LabReport::json(Json j) const {
  j.update({{"lab", name_}, {"claim", claim_}, {"source", source_}, {"seed", settings_.seed}});
  j["rows"] = Json::array();
  for (const auto& row : rows_) {
    Json one = Json::object();
    for (std::size_t c = 0; c < columns_.size(); ++c) one[columns_[c]] = row[c];
    j["rows"].push_back(one);
  }
  j["holds"] = holds_;
  if (!conclusion_.empty()) j["conclusion"] = conclusion_;
  if (!figure_.is_null()) j["figure"] = figure_;
  j.update(extra_);
  return j;
}

Json LabReport::page(Json head) const {
  if (page_.is_null()) return json(std::move(head));
  head["command"] = "train";
  head.update(page_);
  return head;
}

std::string LabReport::text() const {
  std::vector<bool> left(columns_.size(), false);
  left.front() = true;
  TextTable table(left);
  std::vector<std::string> head;
  for (const std::string& column : columns_) head.push_back(dim(column));
  table.add(head);
  for (const auto& row : rows_) {
    std::vector<std::string> cells;
    cells.reserve(row.size());
    for (std::size_t c = 0; c < row.size(); ++c) cells.push_back(shown(columns_[c], row[c]));
    table.add(cells);
  }
  const std::string bars = settings_.plot ? plot() : "";
  return picture_ + fmt::format("  {}\n  {}\n\n{}\n{}  {}{}\n", bold(claim_), dim(source_), table.text(), bars,
                                bold(holds_ ? "The claim held in every row." : "THE CLAIM DID NOT HOLD."),
                                conclusion_.empty() ? "" : " " + conclusion_);
}

}  // namespace halfspace::lab
