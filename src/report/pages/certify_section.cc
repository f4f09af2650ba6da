// certify: the verdict, the rows that prove it, and the bounds over the search.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/figures/chart.h"
#include "report/figures/html.h"
#include "report/figures/proof_picture.h"
#include "report/pages/sections.h"
#include "report/results/words.h"

namespace halfspace::report {
namespace {

constexpr std::size_t most_rows = 24;

std::string row_name(const View& row) {
  return fmt::format("row {} ({})", plain(row.number("row")), row.text("label"));
}
bool is_negative(const View& row) { return row.has("sign") && row.number("sign") < 0; }

// Returns which class is on which side, for two classes.
std::string sides(const std::vector<View>& rows) {
  std::string right, left;
  for (const View& row : rows) (is_negative(row) ? left : right) = row.text("label");
  if (right.empty() || left.empty()) return "";
  return fmt::format(": to the right rows of <em>{}</em>, to the left of <em>{}</em>", escaped_short(right, 40),
                     escaped_short(left, 40));
}

std::string values_text(const View& row) {
  std::string values;
  for (const auto& [name, value] : row.entries("values"))
    values += fmt::format("{}{} = {}", values.empty() ? "" : ", ", name, short_number(value.number()));
  return values + (row.has("more") ? fmt::format(" … and {} more", plain(row.number("more"))) : "");
}

// Lists the rows with their values; a column without any entry is left out.
std::string witness_table(const std::vector<View>& rows) {
  const std::vector<std::string> head{"row", "class", "against", "weight", "margin", "values"};
  std::vector<std::vector<std::string>> cells;
  std::vector<bool> filled(head.size(), false);
  for (const View& row : rows) {
    if (cells.size() == most_rows) break;
    cells.push_back({plain(row.number("row")), row.text("label"), row.text("rival", ""),
                     fmt::format("{:.4f}", row.number("weight")),
                     row.has("margin") ? rounded_down(row.number("margin"), 4) : "", values_text(row)});
    for (std::size_t c = 0; c < head.size(); ++c) filled[c] = filled[c] || !cells.back()[c].empty();
  }
  std::string text = "<div class=\"scroll\"><table class=\"witness\">\n<thead><tr>";
  const auto look = [&](std::size_t c) { return c + 1 == head.size() ? " class=\"words\"" : ""; };
  for (std::size_t c = 0; c < head.size(); ++c)
    if (filled[c]) text += fmt::format("<th scope=\"col\"{}>{}</th>", look(c), head[c]);
  text += "</tr></thead>\n<tbody>\n";
  for (const auto& row : cells) {
    text += "<tr><th scope=\"row\">" + escaped(row[0]) + "</th>";
    for (std::size_t c = 1; c < head.size(); ++c)
      if (filled[c])
        text += fmt::format("<td{}>{}</td>", look(c), escaped_short(row[c], c + 1 == head.size() ? 600 : 40));
    text += "</tr>\n";
  }
  return text + "</tbody>\n</table></div>";
}

class CertifyPage : PageOfRun {
 public:
  explicit CertifyPage(const View& run) : PageOfRun(run), verdict_(run.text("verdict")) {}

  Section section() {
    head();
    facts();
    section_.body += separation_figures(run_);
    std::string proof;
    if (run_.has("figures")) proof = hulls() + strip() + columns() + weights() + bracket();
    section_.body += group(verdict_ == "not separable" ? "Why nothing separates them" : "The proof", proof);
    witness();
    if (!run_.has("figures")) section_.body += not_recorded();
    return std::move(section_);
  }

 private:
  View figures() const { return run_["figures"]; }

  void head() {
    const std::string rows = counted(run_.count("rows"), "row", "rows");
    section_.head.title = "Halfspace certify: " + verdict_;
    if (verdict_ == "separable" && one_class()) {
      section_.head.title = "Halfspace certify: one class only";
      section_.head.finding = fmt::format("All {} are of one class: there is nothing to separate.", rows);
      section_.head.because = "Some weights classify every row correctly, which proves little.";
    } else if (verdict_ == "separable") {
      section_.head.finding = fmt::format("A hyperplane separates all {}.", rows);
      section_.head.because = fmt::format(
          "Proved, and the proof was checked in exact arithmetic. The largest margin is between {} and {}; the "
          "perceptron stops after at most <strong>{}</strong> updates, in any order of the rows.",
          rounded_down(run_["margin"].number("lower"), 6), upper(6),
          run_["mistake_bound"].json().is_string() ? escaped(run_["mistake_bound"].text())
                                                   : plain(run_.number("mistake_bound", NAN)));
    } else if (verdict_ == "not separable") {
      section_.head.finding = fmt::format("No hyperplane separates these {}: {} of them prove it.", rows,
                                          grouped(run_["witness"].json().size()));
      section_.head.because =
          "Weighted, the rows of one class balance those of the other exactly: their hulls intersect. Proved, and the "
          "proof was checked in exact arithmetic.";
    } else {
      section_.head.finding = fmt::format("Whether a hyperplane separates these {} is undecided.", rows);
      section_.head.because =
          run_["margin"].has("upper")
              ? fmt::format(
                    "No halfspace has a margin above {}{}: proved, and the proof was checked in exact "
                    "arithmetic. More time may decide it.",
                    rounded_up(run_["margin"].number("upper"), 6),
                    run_["margin"].has("upper_share")
                        ? fmt::format(", {} of the longest row", rounded_up(run_["margin"].number("upper_share"), 3))
                        : std::string())
              : std::string("The data were not read to their end. More time, or memory, may decide it.");
    }
  }

  // Returns the upper bound of the margin, which may be outside the range of doubles.
  std::string upper(int digits) const {
    return run_["margin"].has("upper") ? rounded_up(run_["margin"].number("upper"), digits)
                                       : "beyond the range of doubles";
  }

  bool one_class() const { return run_.has("one_class") && run_["one_class"].boolean(); }

  void facts() {
    fact("Verdict", verdict_,
         run_.has("verified") && run_["verified"].boolean() && verdict_ != "undecided" ? "checked in exact arithmetic"
                                                                                       : "");
    fact("Rows", grouped(run_.count("rows")));
    fact("Features", grouped(run_.count("features")));
    if (verdict_ == "not separable") fact("Rows of the witness", grouped(run_["witness"].json().size()));
    if (run_.has("fewest_errors") && verdict_ == "not separable") {
      const View fewest = run_["fewest_errors"];
      fact("Fewest errors",
           plain(fewest.number("lower")) +
               (fewest.number("lower") == fewest.number("upper") ? "" : " to " + plain(fewest.number("upper"))),
           "of any halfspace, proved");
    }
    if (verdict_ == "separable") fact("Margin", rounded_down(run_["margin"].number("lower"), 4), "at most " + upper(4));
    if (run_.has("radius")) fact("Radius", plain(run_.number("radius")), "the longest row");
  }

  // Draws the points of two features, and where the hulls of the witness intersect.
  std::string hulls() const {
    if (!figures().has("points")) return "";
    const View points = figures()["points"];
    const auto names = points.list("features");
    if (names.size() != 2) return "";
    Chart chart("The rows in the plane", names[0].text(), names[1].text());
    chart.square().height(400);
    const auto classes = points.entries("classes");
    const bool background = verdict_ == "not separable";
    for (std::size_t k = 0; k < classes.size() && k < 2; ++k) {
      chart.add({.name = classes[k].first,
                 .x = classes[k].second.numbers("x"),
                 .y = classes[k].second.numbers("y"),
                 .shape = k == 0 ? Series::Shape::crosses : Series::Shape::circles,
                 .look = background ? (k == 0 ? 5 : 4) : (k == 0 ? 1 : 0)});
    }
    std::string caption;
    if (figures().has("hulls")) {
      std::size_t k = 0;
      for (const auto& [name, hull] : figures().entries("hulls")) {
        if (k == 2) break;
        chart.add({.name = "hull of " + name, .x = hull.numbers("x"), .y = hull.numbers("y"), .look = k == 0 ? 1 : 0});
        ++k;
      }
      const View meet = figures()["meet"];
      chart.add({.name = "where they intersect",
                 .x = {meet.number("x")},
                 .y = {meet.number("y")},
                 .shape = Series::Shape::crosses,
                 .look = 6});
      caption =
          "The hulls of the witness’s rows, class by class: they have a common point, so no line can keep them "
          "apart.";
    }
    if (figures().has("line")) {
      const View line = figures()["line"];
      chart.add({.name = "the separator", .x = line.numbers("x"), .y = line.numbers("y"), .look = 7});
      caption = "The certificate’s line, and the rows on both sides.";
      if (figures().has("borders")) caption += borders(chart, names[0].text(), names[1].text());
    }
    if (points.number("shown") < points.number("rows"))
      caption += fmt::format(" Shown are {} of the {} rows, evenly spread.", plain(points.number("shown")),
                             plain(points.number("rows")));
    return figure("hulls", "In the plane", chart.svg(), caption);
  }

  // Draws the borders of the strip, and the rows that hold the margin.
  std::string borders(Chart& chart, const std::string& x_name, const std::string& y_name) const {
    bool first = true;
    for (const View& border : figures().list("borders")) {
      chart.add({.name = first ? "the strip" : "", .x = border.numbers("x"), .y = border.numbers("y"), .look = 6});
      first = false;
    }
    Series support{.name = "rows that hold the margin", .shape = Series::Shape::circles, .look = 6, .radius = 7};
    for (const View& row : witness_rows()) {
      support.x.push_back(row["values"].number(x_name.c_str(), 0));
      support.y.push_back(row["values"].number(y_name.c_str(), 0));
      support.labels.push_back("row " + plain(row.number("row")));
    }
    if (!support.x.empty()) chart.add(std::move(support));
    return " No row lies inside of the strip.";
  }

  std::vector<View> witness_rows() const {
    return figures().has("witness") ? figures().list("witness") : std::vector<View>();
  }
  // Draws the strip that the certificate's separator keeps free, and the rows that hold it, each with its margin.
  std::string strip() const {
    if (!figures().has("strip") || !run_["margin"].has("lower")) return "";
    Strip strip{.margin = run_["margin"].number("lower")};
    for (const View& row : witness_rows()) {
      if (strip.rows.size() == most_rows || !row.has("margin")) break;
      const double margin = row.number("margin");
      strip.rows.push_back({row_name(row), rounded_down(margin, 4), is_negative(row) ? -margin : margin});
    }
    const View all = figures()["strip"];
    for (const auto& [name, margins] : all.entries("classes")) {
      (strip.left_class.empty() ? strip.left_class : strip.right_class) = name;
      const double side = strip.right_class.empty() ? -1 : 1;
      for (const double margin : margins.numbers()) strip.others.push_back(side * margin);
    }
    const double reach = strip_reach(strip);
    const auto near = std::count_if(strip.others.begin(), strip.others.end(),
                                    [&](double distance) { return std::abs(distance) <= reach; });
    strip.others_name = fmt::format("{} of {} rows", near, plain(all.number("shown")));
    const std::string picture = strip_svg("The strip without rows, and the rows that hold it", strip);
    if (picture.empty()) return "";
    const bool sampled = all.number("shown") < all.number("rows");
    return figure(
        "strip", "The strip of the margin", picture,
        fmt::format("No row is nearer to the certificate’s hyperplane than {}. Each row that holds the margin "
                    "has its own beside it, rounded down. The first line has the rows within the picture{}.",
                    rounded_down(strip.margin, 6),
                    sampled ? fmt::format(", of {} of the {} rows, evenly spread", plain(all.number("shown")),
                                          plain(all.number("rows")))
                            : ""));
  }

  // Draws the columns of the witness: in each, what the rows add to it cancels.
  std::string columns() const {
    if (!figures().has("balance")) return "";
    const View balance = figures()["balance"];
    const std::vector<View> rows = witness_rows();
    std::vector<CancellingColumn> columns;
    for (const View& entry : balance.list("shown")) {
      CancellingColumn column{entry.text("feature"), entry.number("positive"), {}};
      double rest[2] = {-column.positive, column.positive};
      std::size_t k = 0;
      for (const double part : entry.numbers("parts")) {
        if (k == rows.size()) break;
        const View& row = rows[k++];
        rest[part > 0 ? 1 : 0] -= part;
        column.parts.push_back({part, is_negative(row) ? 1 : 0, plain(row.number("row")),
                                fmt::format("{}: {}", row_name(row), short_number(part, 6))});
      }
      for (const double left : rest) {
        if (std::abs(left) > 1e-6 * column.positive) column.parts.push_back({left, 7, "others", "the other rows"});
      }
      columns.push_back(std::move(column));
    }
    const double all = balance.number("columns");
    return figure("columns", "The columns cancel", columns_svg("The columns of the witness", columns),
                  fmt::format("Each row’s share times its signed values: in every column the parts to the right and to "
                              "the left of 0 add up to the same, so the whole sum is 0, exactly. Parts are named by "
                              "their rows; each column has its own unit.{}",
                              static_cast<double>(columns.size()) < all
                                  ? fmt::format(" {} of {} columns, with the most values.", columns.size(), plain(all))
                                  : ""));
  }

  std::string weights() const {
    if (!figures().has("weights")) return "";
    const View weights = figures()["weights"];
    std::vector<Bar> bars;
    for (const View& entry : weights.list("shown"))
      bars.push_back({entry.text("feature"), entry.number("weight"), short_number(entry.number("weight"), 4)});
    return figure("weights", "The separator’s weights", bars_svg("The largest weights of the separator", bars),
                  fmt::format("{} of {} nonzero weights. They are integers up to a common factor; the "
                              "certificate has them exactly.",
                              bars.size(), grouped(weights.count("nonzero"))));
  }

  std::string bracket() const {
    if (!figures().has("bracket")) return "";
    const View bracket = figures()["bracket"];
    std::string html;
    int k = 0;
    for (const View& stage : bracket.items()) {
      const std::vector<double> seconds = stage.numbers("seconds"), upper = stage.numbers("upper");
      if (seconds.size() < 2 || upper.size() != seconds.size()) continue;
      if (k == 6) break;
      // Short searches use milliseconds; a cursor could then not find the numbers in the JSON.
      const bool brief = seconds.back() < 1;
      std::vector<double> time = seconds;
      for (double& moment : time) moment *= brief ? 1e3 : 1;
      Chart chart(stage.text("stage"), brief ? "milliseconds" : "seconds",
                  stage.has("unit") ? stage.text("unit") : "distance");
      const std::string at = fmt::format("/figures/bracket/{}", k++);
      const std::string x_at = brief ? "" : at + "/seconds";
      chart.add(
          {.name = "at most", .x = time, .y = upper, .look = 1, .step = true, .x_at = x_at, .y_at = at + "/upper"});
      if (stage.has("lower")) {
        std::vector<double> lower = stage.numbers("lower");
        if (std::any_of(lower.begin(), lower.end(), [](double value) { return value > 0; }))
          chart.add({.name = "at least",
                     .x = time,
                     .y = lower,
                     .look = 0,
                     .step = true,
                     .x_at = x_at,
                     .y_at = at + "/lower"});
      }
      const double most = *std::max_element(upper.begin(), upper.end()),
                   least = *std::min_element(upper.begin(), upper.end());
      if (least > 0 && most / least > 20) chart.y_scale(Scale::logarithmic);
      html += figure(
          fmt::format("bracket-{}", k), "The search: " + stage.text("stage"), chart.svg(),
          stage.has("unit")
              ? "The largest margin is bounded from both sides; the search goes on until they meet or time is up."
              : "The distance of the hull of the signed rows yx from the origin, in the coordinates of the search: 0 "
                "means that the hulls of the classes intersect, and a lower bound above 0 is a margin.");
    }
    return html;
  }

  void witness() {
    if (!run_.has("figures") || !figures().has("witness")) return;
    const std::vector<View> rows = figures().list("witness");
    if (rows.empty()) return;
    std::vector<Bar> bars;
    for (const View& row : rows) {
      if (bars.size() == most_rows) break;
      const double weight = row.number("weight");
      bars.push_back({row_name(row), is_negative(row) ? -weight : weight, fmt::format("{:.4f}", weight)});
    }
    const std::size_t all = run_["witness"].json().size();
    std::string html = figure(
        "witness", verdict_ == "not separable" ? "The weights of the witness" : "The rows nearest to the boundary",
        bars_svg("Weights of the rows", bars),
        fmt::format("Each row’s share of the combination{}.{}", sides(rows),
                    bars.size() < all ? fmt::format(" The {} heaviest of {}", bars.size(), grouped(all)) + "." : ""));
    html += "<div>" + witness_table(rows) + "</div>";
    section_.body += group(verdict_ == "not separable" ? "The witness" : "What holds the margin", html);
  }

  std::string verdict_;
};

}  // namespace

Section certify_section(const View& run) { return CertifyPage(run).section(); }

}  // namespace halfspace::report
