// lab: the claim, whether it held, its table, and the table as a figure.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/figures/chart.h"
#include "report/figures/html.h"
#include "report/pages/sections.h"
#include "report/results/words.h"

namespace halfspace::report {
namespace {

std::string cell(const std::string& column, const View& value) {
  const Json& json = value.json();
  if (json.is_string()) return value.text();
  if (json.is_boolean()) return value.boolean() ? "yes" : "no";
  if (json.is_null()) return "–";
  const double number = value.number();
  return std::isfinite(number) && number != std::floor(number) && is_bound(column) ? column_number(column, number)
                                                                                   : plain(number);
}

// Draws the rows of one group as lines over one column: solid for measurements, dashed for the theorem.
std::string picture(const View& figure, const std::vector<View>& rows, const std::string& title) {
  const std::string x = figure.text("x");
  std::vector<double> xs;
  xs.reserve(rows.size());
  for (const View& row : rows) xs.push_back(row.has(x.c_str()) ? row.number(x.c_str()) : 0);
  Chart chart(title, x, "");
  const bool logarithmic = figure.has("logarithmic") && figure["logarithmic"].boolean();
  if (logarithmic) chart.x_scale(Scale::logarithmic).y_scale(Scale::logarithmic);
  const auto add = [&](const char* key, Series::Shape marks, std::vector<int> looks) {
    std::size_t k = 0;
    for (const View& name : figure.list(key)) {
      if (k == 4) break;
      const std::string column = name.text();
      std::vector<double> ys;
      ys.reserve(rows.size());
      for (const View& row : rows)
        ys.push_back(row.has(column.c_str()) ? row.number(column.c_str()) : std::numeric_limits<double>::quiet_NaN());
      const int look = looks[k++ % looks.size()];
      chart.add({.name = column, .x = xs, .y = ys, .look = look});
      chart.add({.name = column, .x = xs, .y = ys, .shape = marks, .look = look, .in_legend = false});
    }
  };
  add("lines", Series::Shape::circles, {0, 3});
  add("bounds", Series::Shape::crosses, {1, 2});
  return chart.svg();
}

std::string figures(const View& run, const std::vector<View>& rows) {
  if (!run.has("figure")) return "";
  const View hint = run["figure"];
  std::string html;
  const std::string caption = "Solid lines with o: measured. Dashed lines with ×: the theorem.";
  if (!hint.has("by")) return figure("lab", run.text("lab"), picture(hint, rows, run.text("claim")), caption);
  const std::string by = hint.text("by");
  std::vector<std::pair<std::string, std::vector<View>>> groups;
  for (const View& row : rows) {
    const std::string name = cell(by, row[by.c_str()]);
    auto found = std::find_if(groups.begin(), groups.end(), [&](const auto& g) { return g.first == name; });
    if (found == groups.end()) found = groups.insert(groups.end(), {name, {}});
    found->second.push_back(row);
  }
  for (std::size_t k = 0; k < groups.size() && k < 12; ++k) {
    const std::string title =
        hint.has("by_name") && hint["by_name"].boolean() ? by + " " + groups[k].first : groups[k].first;
    html += figure(fmt::format("lab-{}", k + 1), title, picture(hint, groups[k].second, run.text("claim")),
                   k == 0 ? caption : "");
  }
  return html;
}

}  // namespace

Section lab_section(const View& run) {
  Section section;
  const bool holds = run["holds"].boolean();
  section.head.title = "Halfspace lab: " + run.text("lab");
  section.head.finding = escaped(run.text("claim"));
  section.head.because = (holds ? "The claim held in every row." : "<strong>The claim did not hold.</strong>") +
                         (run.has("conclusion") ? " " + escaped(run.text("conclusion")) : "");
  section.head.composition = escaped(run.text("source"));
  const std::vector<View> rows = run.list("rows");
  if (run.has("seed")) section.facts.push_back({"Seed", plain(run.number("seed")), ""});
  section.facts.push_back({"Rows", grouped(rows.size()), holds ? "the claim held in all" : ""});
  section.body = group("The experiment", figures(run, rows));
  if (!rows.empty()) {
    std::vector<std::string> head;
    const auto columns = [](const View& row) {
      auto entries = row.entries();
      if (entries.size() > 16) entries.erase(entries.begin() + 16, entries.end());
      return entries;
    };
    for (const auto& [name, value] : columns(rows.front())) head.push_back(name);
    std::vector<std::vector<std::string>> cells;
    for (std::size_t r = 0; r < rows.size() && r < 200; ++r) {
      cells.emplace_back();
      for (const auto& [name, value] : columns(rows[r])) cells.back().push_back(cell(name, value));
    }
    section.body += "<section>\n<h2>The table</h2>\n" + table_html(head, cells) + "\n</section>\n";
  }
  return section;
}

}  // namespace halfspace::report
