// Draws plots in characters.
#include "report/figures/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/number_words.h"
#include "base/text_table.h"
#include "halfspace/detail/base/elementary.h"

namespace halfspace::report {
namespace {

constexpr std::size_t plot_rows = 10;

}  // namespace

std::string mistakes_plot(const std::vector<PlotPoint>& points, std::optional<std::uint64_t> bound, std::size_t width) {
  if (points.size() < 2) return "";
  const auto made = [&](const PlotPoint& point) { return bound ? point.mistakes : point.errors; };
  const double most = std::max(1.0, made(points.back()));
  const double top = bound ? std::max(most, static_cast<double>(*bound)) : most;
  const bool logarithmic = top > 8 * most;
  const auto row_of = [&](double mistakes) {
    const double share = logarithmic ? elementary::log(std::max(1.0, mistakes)) / elementary::log(top) : mistakes / top;
    return plot_rows - 1 - static_cast<std::size_t>(std::lround(share * (plot_rows - 1)));
  };
  const std::string highest = grouped(static_cast<std::uint64_t>(top));
  const std::size_t margin = std::max<std::size_t>(highest.size(), 8) + 2;
  const std::size_t columns = std::max<std::size_t>(width, margin + 22) - margin - 2;

  std::vector<std::string> rows(plot_rows, std::string(columns, ' ')), labels(plot_rows);
  if (bound) {
    std::string& line = rows[row_of(static_cast<double>(*bound))];
    std::fill(line.begin(), line.end(), '-');
    line.replace(columns - 6, 6, " bound");
  }
  labels[row_of(logarithmic ? 1 : 0)] = logarithmic ? "1" : "0";
  labels[row_of(top)] = highest;
  labels[row_of(most)] = grouped_count(made(points.back()));

  const double first = elementary::log(static_cast<double>(std::max<std::uint64_t>(1, points.front().rounds)));
  const double last = elementary::log(static_cast<double>(points.back().rounds));
  std::size_t i = 0;
  for (std::size_t c = 0; c < columns; ++c) {
    const double at = first + (last - first) * static_cast<double>(c) / static_cast<double>(columns - 1);
    const auto x = [&](std::size_t k) {
      return elementary::log(static_cast<double>(std::max<std::uint64_t>(1, points[k].rounds)));
    };
    while (i + 2 < points.size() && x(i + 1) < at) ++i;
    const double t = std::clamp((at - x(i)) / std::max(1e-12, x(i + 1) - x(i)), 0.0, 1.0);
    const double mistakes = made(points[i]) * (1 - t) + made(points[i + 1]) * t;
    rows[row_of(mistakes)][c] = '*';
  }

  std::string text = fmt::format("  {}{}\n", bound ? "mistakes" : "errors", logarithmic ? ", logarithmic" : "");
  for (std::size_t r = 0; r < plot_rows; ++r) text += fmt::format("{:>{}} |{}\n", labels[r], margin, rows[r]);
  for (std::size_t at = text.find(" \n"); at != std::string::npos; at = text.find(" \n", at == 0 ? 0 : at - 1))
    text.erase(at, 1);
  text += fmt::format("{:>{}} +{}\n", "", margin, std::string(columns, '-'));
  const std::string from = grouped(points.front().rounds), to = grouped(points.back().rounds),
                    name = "rounds, logarithmic";
  const std::size_t room = columns > from.size() + to.size() ? columns - from.size() - to.size() : 0;
  return text + fmt::format("{:>{}}  {}{:^{}}{}\n", "", margin, from, room > name.size() + 1 ? name : "", room, to);
}

namespace {

// A grid of characters over the points, a little wider than their range.
class Canvas {
 public:
  Canvas(const Scatter& scatter, std::size_t columns, std::size_t lines)
      : scatter_(scatter), columns_(columns), lines_(lines), grid_(lines, std::string(columns, ' ')) {
    low_[0] = high_[0] = scatter.points.front().x;
    low_[1] = high_[1] = scatter.points.front().y;
    for (const Scatter::Point& point : scatter.points) {
      include(0, point.x);
      include(1, point.y);
    }
    for (const int a : {0, 1}) {
      shown_[a] = {low_[a], high_[a]};
      const double room = high_[a] > low_[a] ? (high_[a] - low_[a]) / 40 : 1;
      low_[a] -= room;
      high_[a] += room;
    }
  }

  const std::vector<std::string>& draw() {
    for (std::size_t r = 0; r < lines_; ++r) {
      for (std::size_t c = 0; c < columns_; ++c) {
        const std::size_t here = class_at(c, r);
        if ((c + 1 < columns_ && class_at(c + 1, r) != here) || (r + 1 < lines_ && class_at(c, r + 1) != here))
          grid_[r][c] = '.';
      }
    }
    for (const Scatter::Point& point : scatter_.points) {
      char& cell = grid_[line_of(point.y)][column_of(point.x)];
      const char mark = mark_of(point.label, scatter_.classes.size());
      cell = cell == ' ' || cell == '.' || cell == mark ? mark : '*';
    }
    return grid_;
  }

  // Returns the least and the largest coordinate of a point, as the feature's own value.
  std::string edge(int axis, bool high) const {
    return short_number(std::ldexp(high ? shown_[axis].second : shown_[axis].first, -scatter_.axes[axis].exponent), 4);
  }
  std::size_t line_of(double y) const { return lines_ - 1 - share(1, y, lines_); }

  static char mark_of(std::size_t label, std::size_t classes) {
    if (classes <= 2) return label == 1 ? '+' : '-';
    return label < 26 ? static_cast<char>('a' + label) : '?';
  }

 private:
  void include(int axis, double value) {
    low_[axis] = std::min(low_[axis], value);
    high_[axis] = std::max(high_[axis], value);
  }
  std::size_t share(int axis, double value, std::size_t cells) const {
    const double of = (value - low_[axis]) / (high_[axis] - low_[axis]);
    return std::min(cells - 1, static_cast<std::size_t>(std::max(0.0, of * static_cast<double>(cells))));
  }
  std::size_t column_of(double x) const { return share(0, x, columns_); }

  // Returns the class predicted in the middle of a cell.
  std::size_t class_at(std::size_t column, std::size_t line) const {
    const double x =
        low_[0] + (high_[0] - low_[0]) * (static_cast<double>(column) + 0.5) / static_cast<double>(columns_);
    const double y = high_[1] - (high_[1] - low_[1]) * (static_cast<double>(line) + 0.5) / static_cast<double>(lines_);
    const std::vector<double>& w = scatter_.weights;
    const auto score = [&](std::size_t k) {
      return w[3 * k] * x + w[3 * k + 1] * y + w[3 * k + 2] * scatter_.constant;
    };
    if (w.size() == 3) return score(0) > 0;
    std::size_t best = 0;
    for (std::size_t k = 1; 3 * k + 2 < w.size(); ++k) best = score(k) > score(best) ? k : best;
    return best;
  }

  const Scatter& scatter_;
  std::size_t columns_, lines_;
  std::vector<std::string> grid_;
  double low_[2], high_[2];
  std::pair<double, double> shown_[2];
};

}  // namespace

Scatter scatter_of(const Json& plane) {
  const auto value = [](const Json& number) { return number.is_number() ? number.get<double>() : 0.0; };
  Scatter scatter;
  for (const std::size_t a : {0U, 1U}) {
    const Json& axis = plane["axes"][a];
    scatter.axes[a] = {axis["name"].get<std::string>(), axis.value("exponent", 0)};
  }
  for (const Json& name : plane["classes"]) scatter.classes.push_back(name.get<std::string>());
  for (const Json& weight : plane["weights"]) scatter.weights.push_back(value(weight));
  scatter.constant = value(plane["constant"]);
  scatter.rows = plane["rows"].get<std::uint64_t>();
  const Json& points = plane["points"];
  for (std::size_t i = 0; i < points["x"].size(); ++i)
    scatter.points.push_back({value(points["x"][i]), value(points["y"][i]), points["label"][i].get<std::size_t>(),
                              points["predicted"][i].get<std::size_t>()});
  return scatter;
}

std::string scatter_plot(const Scatter& scatter, std::size_t width) {
  if (scatter.points.empty() || scatter.weights.size() < 3) return "";
  constexpr std::size_t lines = 20, margin = 10;
  const std::size_t columns = std::max<std::size_t>(width, margin + 22) - margin - 2;
  Canvas canvas(scatter, columns, lines);
  const std::vector<std::string>& grid = canvas.draw();
  std::vector<std::string> labels(lines);
  labels.front() = canvas.edge(1, true);
  labels.back() = canvas.edge(1, false);
  std::string text = fmt::format("  {}\n", shortened(scatter.axes[1].name, 40));
  for (std::size_t r = 0; r < lines; ++r) {
    const std::string line = fmt::format("{:>{}} |{}", labels[r], margin, grid[r]);
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  text += fmt::format("{:>{}} +{}\n", "", margin, std::string(columns, '-'));
  const std::string from = canvas.edge(0, false), to = canvas.edge(0, true),
                    name = shortened(scatter.axes[0].name, columns / 2);
  text += fmt::format("{:>{}}  {}{:^{}}{}\n", "", margin, from, name, columns - from.size() - to.size(), to);
  text += "  ";
  for (std::size_t k = 0; k < scatter.classes.size() && k < 6; ++k)
    text += fmt::format("{} {}, ", Canvas::mark_of(k, scatter.classes.size()), shortened(scatter.classes[k], 20));
  const auto wrong = std::count_if(scatter.points.begin(), scatter.points.end(),
                                   [](const Scatter::Point& point) { return point.predicted != point.label; });
  text += fmt::format("{}. the border; on the wrong side {} of {} rows{}\n", scatter.classes.size() > 6 ? "..., " : "",
                      grouped(static_cast<std::uint64_t>(wrong)), grouped(scatter.points.size()),
                      scatter.points.size() < scatter.rows ? " drawn" : "");
  return text;
}

std::string bars_plot(const std::vector<PlotBar>& bars, std::size_t width) {
  std::size_t name = 0, shown = 0;
  for (const PlotBar& bar : bars) {
    name = std::max(name, bar.name.size());
    shown = std::max(shown, bar.shown.size());
  }
  const std::size_t taken = name + shown + 8, columns = width > taken + 10 ? width - taken : 10;
  std::string text;
  for (const PlotBar& bar : bars) {
    const double share = bar.bound > 0 ? bar.value / bar.bound : 0;
    std::size_t filled =
        static_cast<std::size_t>(std::lround(std::clamp(share, 0.0, 1.0) * static_cast<double>(columns)));
    if (share > 0 && filled == 0) filled = 1;
    text += fmt::format("  {:<{}} |{}{}{} {:>{}}\n", bar.name, name, std::string(filled, '#'),
                        std::string(columns - filled, ' '), share > 1 ? '>' : '|', bar.shown, shown);
  }
  return text;
}

}  // namespace halfspace::report
