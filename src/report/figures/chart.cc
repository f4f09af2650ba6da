// Draws axes and series as SVG.
#include "report/figures/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "halfspace/detail/base/elementary.h"
#include "report/figures/html.h"

namespace halfspace::report {
namespace {

constexpr double chart_width = 460, left_edge = 52, right_room = 22, names_room = 104, x_axis_room = 40;
constexpr double letter = 6.6;  // approximate width of a letter in labels

// Returns 1, 2 or 5 times a power of ten, at least `value` > 0.
double round_up(double value) {
  const double power = elementary::power_of_ten(std::floor(elementary::log10(value)));
  for (const double factor : {1.0, 2.0, 5.0, 10.0}) {
    if (factor * power >= value * (1 - 1e-12)) return factor * power;
  }
  return 10 * power;
}
double round_down(double value) {
  const double power = elementary::power_of_ten(std::floor(elementary::log10(value)));
  for (const double factor : {10.0, 5.0, 2.0}) {
    if (factor * power <= value * (1 + 1e-12)) return factor * power;
  }
  return power;
}

std::string coordinate(double value) {
  std::string text = fmt::format("{:.1f}", value);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text == "-0" ? "0" : text;
}

bool visible(double share) { return std::isfinite(share); }

// Writes a name to the right of a mark, or to its left where the right has no room.
std::string mark_label(const std::string& label, double x, double y, double radius) {
  const std::string shown = escaped_short(label, 20);
  const bool right =
      x + radius + 4 + letter * static_cast<double>(std::min<std::size_t>(letters(label), 20)) < chart_width;
  return fmt::format("<text class=\"beside{}\" x=\"{}\" y=\"{}\">{}</text>", right ? "" : " name",
                     coordinate(right ? x + radius + 4 : x - radius - 4), coordinate(y - 4), shown);
}

}  // namespace

Axis Axis::over(double low, double high, Scale scale, int ticks) {
  if (!(std::isfinite(low) && std::isfinite(high) && low <= high)) low = 0, high = 1;
  constexpr double largest = std::numeric_limits<double>::max();
  if (scale == Scale::logarithmic) {
    if (!(high > 0)) return {1, 10, scale};
    low = std::max(low > 0 ? low : high / 10, high * 1e-30);
    if (low == 0) low = high;
    // There are no round numbers near the ends of the range of doubles.
    Axis axis{std::max(round_down(low), std::numeric_limits<double>::min()), std::min(round_up(high), largest), scale};
    if (axis.low > low) axis.low = low;
    if (axis.low >= axis.high) axis.high = std::min(axis.low * 10, largest);
    if (axis.low == axis.high) axis.low /= 10;
    return axis;
  }
  if (low == high) {
    const double room = low == 0 ? 1 : std::max(std::abs(low) / 2, std::numeric_limits<double>::min());
    if (low >= 0) {
      high += room;
      if (low > 0) low -= room;
    } else {
      low -= room;
    }
    low = std::max(low, -largest);
    high = std::min(high, largest);
  }
  const double step = round_up(high / ticks - low / ticks);
  const Axis axis{std::floor(low / step + 1e-9) * step, std::ceil(high / step - 1e-9) * step, scale};
  if (!std::isfinite(axis.low) || !std::isfinite(axis.high)) return {low, high, scale};
  return axis;
}

double Axis::share(double value) const {
  if (scale == Scale::logarithmic) {
    if (!(value > 0)) return std::numeric_limits<double>::quiet_NaN();
    return elementary::log(value / low) / elementary::log(high / low);
  }
  const double range = high - low;
  if (std::isfinite(range)) return (value - low) / range;
  return (value / 2 - low / 2) / (high / 2 - low / 2);
}

std::vector<double> Axis::ticks(int most) const {
  std::vector<double> ticks;
  if (!(std::isfinite(low) && std::isfinite(high) && low < high)) return ticks;
  if (scale == Scale::logarithmic) {
    const int first = static_cast<int>(std::floor(elementary::log10(low) + 1e-9));
    const int last = static_cast<int>(std::ceil(elementary::log10(high) - 1e-9));
    const auto inside = [&](double value) { return value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9); };
    if (3 * (last - first) <= most) {
      for (int e = first; e <= last; ++e) {
        for (const double factor : {1.0, 2.0, 5.0}) {
          const double value = factor * elementary::power_of_ten(e);
          if (inside(value)) ticks.push_back(value);
        }
      }
      return ticks;
    }
    const int stride = (last - first) / most + 1;
    for (int e = first; e <= last; e += stride) {
      if (inside(elementary::power_of_ten(e))) ticks.push_back(elementary::power_of_ten(e));
    }
    return ticks;
  }
  const double step = round_up((high / most - low / most) * (1 + 1e-9));
  if (!(std::isfinite(step) && step > 0)) return {low, high};
  const double begin = std::ceil(low / step - 1e-9);
  for (int k = 0; k <= most; ++k) {
    const double value = (begin + k) * step;
    if (value > high + step * 1e-9) break;
    ticks.push_back(std::abs(value) < step * 1e-9 ? 0 : value);
  }
  return ticks;
}

std::string tick_label(double value) {
  const double size = std::abs(value);
  std::string text = size == 0                     ? "0"
                     : size >= 1e10 || size < 1e-4 ? fmt::format("{:.3g}", size)
                     : size >= 1e6                 ? fmt::format("{:.6g}M", size / 1e6)
                     : size >= 1e4                 ? fmt::format("{:.6g}k", size / 1e3)
                                                   : fmt::format("{:.6g}", size);
  // 1e-07 is 1e−7, and 1e+12 is 1e12.
  if (const std::size_t e = text.find('e'); e != std::string::npos) {
    const bool below = text[e + 1] == '-';
    const std::size_t digits = std::min(text.find_first_not_of("+-0", e + 1), text.size() - 1);
    text = text.substr(0, e + 1) + (below ? "−" : "") + text.substr(digits);
  }
  return value < 0 ? "−" + text : text;
}

Chart& Chart::level(std::string name, double y, int look) {
  lines_.push_back({std::move(name), y, look, false});
  return *this;
}
Chart& Chart::upright(std::string name, double x, int look) {
  lines_.push_back({std::move(name), x, look, true});
  return *this;
}

struct Chart::Frame {
  Axis x, y;
  double top = 0, bottom = 0, right = chart_width - right_room;
  double px(double value) const { return left_edge + x.share(value) * (right - left_edge); }
  double py(double value) const { return bottom - y.share(value) * (bottom - top); }
};

Chart::Frame Chart::frame() const {
  const auto limits = [](const std::vector<std::vector<double>>& lists, Scale scale) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const std::vector<double>& list : lists) {
      for (const double value : list) {
        if (!std::isfinite(value) || (scale == Scale::logarithmic && !(value > 0))) continue;
        low = std::min(low, value);
        high = std::max(high, value);
      }
    }
    return Axis::over(low, high, scale, 5);
  };
  std::vector<std::vector<double>> xs{hold_x_}, ys{hold_y_};
  for (const Series& series : series_) {
    xs.push_back(series.x);
    xs.push_back(series.to);
    ys.push_back(series.y);
    const bool columns = series.shape == Series::Shape::columns || series.shape == Series::Shape::hatched_columns;
    if (columns && y_scale_ == Scale::linear) ys.push_back({0});
  }
  for (const Line& line : lines_) (line.upright ? xs : ys).push_back({line.at});
  return {.x = limits(xs, x_scale_),
          .y = limits(ys, y_scale_),
          .right = chart_width - (names_ends_ ? names_room : right_room)};
}

// Writes the names of lines where they end, the highest first and no two closer than a line of text.
std::string Chart::end_names(const Frame& frame) const {
  constexpr double line = 13;
  std::vector<std::pair<double, std::string>> names;
  for (const Series& series : series_) {
    const std::size_t points = std::min(series.x.size(), series.y.size());
    if (series.shape != Series::Shape::line || points == 0 || !visible(frame.py(series.y[points - 1]))) continue;
    names.emplace_back(frame.py(series.y[points - 1]), series.name);
  }
  std::stable_sort(names.begin(), names.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  // Names that are pushed down may not leave the chart: those above them then move up.
  for (std::size_t i = 1; i < names.size(); ++i) names[i].first = std::max(names[i].first, names[i - 1].first + line);
  double lowest = frame.bottom;
  for (std::size_t i = names.size(); i-- > 0; lowest = names[i].first - line)
    names[i].first = std::min(names[i].first, lowest);
  std::string text;
  for (const auto& [y, name] : names)
    text += fmt::format("<text class=\"beside\" x=\"{}\" y=\"{}\">{}</text>", coordinate(frame.right + 5),
                        coordinate(y + 4), escaped_short(name, 15));
  return text;
}

// Draws the names of the series, in as many rows as they need; sets `bottom` to their lower edge.
std::string Chart::legend(double& bottom) const {
  std::string text;
  double at = 0, row = y_label_.empty() ? 8 : 26;
  const auto entry = [&](const std::string& name, const std::string& sample) {
    if (name.empty()) return;
    const std::string shown = escaped_short(name, 60);
    const double takes = 26 + letter * static_cast<double>(std::min<std::size_t>(letters(name), 60)) + 14;
    if (at > 0 && at + takes > chart_width) at = 0, row += 17;
    text += fmt::format("<g transform=\"translate({} {})\">{}<text x=\"24\" y=\"4\">{}</text></g>", coordinate(at),
                        coordinate(row), sample, shown);
    at += takes;
  };
  for (const Series& series : series_) {
    if (!series.in_legend) continue;
    switch (series.shape) {
      case Series::Shape::line:
        entry(series.name, fmt::format("<path class=\"s{}\" d=\"M0 0H19\"/>", series.look));
        break;
      case Series::Shape::circles:
        entry(series.name, fmt::format("<circle class=\"o m{}\" cx=\"10\" cy=\"0\" r=\"4\"/>", series.look));
        break;
      case Series::Shape::crosses:
        entry(series.name, fmt::format("<path class=\"x m{}\" d=\"M6-4l8 8m0-8l-8 8\"/>", series.look));
        break;
      case Series::Shape::columns:
      case Series::Shape::hatched_columns:
        entry(series.name, fmt::format("<rect class=\"c{}{}\" x=\"2\" y=\"-5\" width=\"15\" height=\"10\"/>",
                                       series.look, series.shape == Series::Shape::hatched_columns ? " hatched" : ""));
    }
  }
  for (const Line& line : lines_)
    entry(line.name, line.upright ? fmt::format("<path class=\"s{}\" d=\"M9-7V7\"/>", line.look)
                                  : fmt::format("<path class=\"s{}\" d=\"M0 0H19\"/>", line.look));
  bottom = text.empty() ? (y_label_.empty() ? 2 : 18) : row + 12;
  return text.empty() ? "" : "<g class=\"legend\">" + text + "</g>";
}

std::string Chart::drawn(const Series& series, const Frame& frame) const {
  std::string inside;
  switch (series.shape) {
    case Series::Shape::line: {
      std::string path;
      bool pen_down = false;
      double last_y = 0;
      for (std::size_t i = 0; i < series.x.size() && i < series.y.size(); ++i) {
        const double x = frame.px(series.x[i]), y = frame.py(series.y[i]);
        if (!visible(x) || !visible(y)) {
          pen_down = false;
          continue;
        }
        if (pen_down && series.step) path += fmt::format("L{} {}", coordinate(x), coordinate(last_y));
        path += fmt::format("{}{} {}", pen_down ? "L" : "M", coordinate(x), coordinate(y));
        pen_down = true;
        last_y = y;
      }
      inside = fmt::format("<path class=\"s{}\" d=\"{}\"/>", series.look, path);
      break;
    }
    case Series::Shape::circles:
    case Series::Shape::crosses:
      for (std::size_t i = 0; i < series.x.size() && i < series.y.size(); ++i) {
        const double x = frame.px(series.x[i]), y = frame.py(series.y[i]);
        if (!visible(x) || !visible(y)) continue;
        const std::string title =
            i < series.titles.size() ? "<title>" + escaped_short(series.titles[i], 200) + "</title>" : "";
        const std::string end = title.empty() ? "/>" : ">" + title;
        if (series.shape == Series::Shape::circles) {
          inside += fmt::format("<circle class=\"o m{}\" cx=\"{}\" cy=\"{}\" r=\"{}\"{}{}", series.look, coordinate(x),
                                coordinate(y), series.radius, end, title.empty() ? "" : "</circle>");
        } else {
          inside += fmt::format("<path class=\"x m{}\" d=\"M{} {}l7 7m0-7l-7 7\"{}{}", series.look, coordinate(x - 3.5),
                                coordinate(y - 3.5), end, title.empty() ? "" : "</path>");
        }
        if (i < series.labels.size()) inside += mark_label(series.labels[i], x, y, series.radius);
      }
      break;
    case Series::Shape::columns:
    case Series::Shape::hatched_columns:
      for (std::size_t i = 0; i < series.x.size() && i < series.y.size() && i < series.to.size(); ++i) {
        const double begin = i < series.from.size() ? series.from[i] : 0;
        const double base = visible(frame.py(begin)) ? std::min(frame.py(begin), frame.bottom) : frame.bottom;
        const double x = frame.px(series.x[i]), end = frame.px(series.to[i]), y = frame.py(series.y[i]);
        if (!visible(x) || !visible(end) || !visible(y) || base - y <= 0) continue;
        const std::string title =
            i < series.titles.size() ? "<title>" + escaped_short(series.titles[i], 200) + "</title>" : "";
        inside +=
            fmt::format("<rect class=\"c{}{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\">{}</rect>", series.look,
                        series.shape == Series::Shape::hatched_columns ? " hatched" : "", coordinate(x), coordinate(y),
                        coordinate(std::max(0.5, end - x - 0.6)), coordinate(std::max(0.8, base - y)), title);
      }
  }
  std::string from;
  if (!series.x_at.empty() && !series.y_at.empty())
    from = fmt::format(" data-name=\"{}\" data-x=\"{}\" data-y=\"{}\"", escaped_short(series.name, 80),
                       escaped(series.x_at), escaped(series.y_at));
  return fmt::format("<g class=\"series\"{}>{}</g>", from, inside);
}

std::string Chart::grid(const Frame& frame) const {
  std::string grid;
  for (const double tick : frame.y.ticks(6)) {
    const double y = frame.py(tick);
    if (!visible(y)) continue;
    grid += fmt::format("<path class=\"grid\" d=\"M{} {}H{}\"/><text class=\"tick\" x=\"{}\" y=\"{}\">{}</text>",
                        coordinate(left_edge), coordinate(y), coordinate(frame.right), coordinate(left_edge - 6),
                        coordinate(y + 4), tick_label(tick));
  }
  double free = -1e9;
  for (const double tick : frame.x.ticks(6)) {
    const double x = frame.px(tick);
    if (!visible(x)) continue;
    const std::string label = tick_label(tick);
    grid += fmt::format("<path class=\"axis\" d=\"M{} {}v4\"/>", coordinate(x), coordinate(frame.bottom));
    const double half = letter * static_cast<double>(letters(label)) / 2;
    if (x - half < free || x + half > chart_width) continue;  // keeps labels apart
    free = x + half + 4;
    grid += fmt::format("<text class=\"tick middle\" x=\"{}\" y=\"{}\">{}</text>", coordinate(x),
                        coordinate(frame.bottom + 17), label);
  }
  grid += fmt::format("<path class=\"axis\" d=\"M{} {}H{}\"/>", coordinate(left_edge), coordinate(frame.bottom),
                      coordinate(frame.right));
  return grid;
}

std::string Chart::svg() const {
  Frame frame = this->frame();
  double top = 0;
  const std::string names = legend(top);
  frame.top = top + 6;
  frame.bottom = frame.top + height_ - x_axis_room - 30;
  if (square_) {
    // Widens the shorter range, about its middle, until one unit is as long on both axes.
    const double wide = frame.right - left_edge, high = frame.bottom - frame.top;
    const double unit = std::max(frame.x.high / wide - frame.x.low / wide, frame.y.high / high - frame.y.low / high);
    const auto widen = [unit](Axis& axis, double pixels) {
      constexpr double largest = std::numeric_limits<double>::max();
      const double middle = axis.low / 2 + axis.high / 2;
      axis.low = std::max(middle - unit * (pixels / 2), -largest);
      axis.high = std::min(middle + unit * (pixels / 2), largest);
    };
    widen(frame.x, wide);
    widen(frame.y, high);
  }
  const std::string grid = this->grid(frame);
  std::string inside;
  for (const Line& line : lines_) {
    const double at = line.upright ? frame.px(line.at) : frame.py(line.at);
    if (!visible(at)) continue;
    inside += line.upright ? fmt::format("<path class=\"s{}\" d=\"M{} {}V{}\"/>", line.look, coordinate(at),
                                         coordinate(frame.top), coordinate(frame.bottom))
                           : fmt::format("<path class=\"s{}\" d=\"M{} {}H{}\"/>", line.look, coordinate(left_edge),
                                         coordinate(at), coordinate(frame.right));
  }
  for (const Series& series : series_) inside += drawn(series, frame);
  if (names_ends_) inside += end_names(frame);
  const double total = frame.bottom + x_axis_room;
  const auto limits = [](const Axis& axis, double from, double to) {
    return fmt::format("{} {} {} {} {}", axis.low, axis.high, axis.scale == Scale::logarithmic ? 1 : 0,
                       coordinate(from), coordinate(to));
  };
  return fmt::format(
      "<svg class=\"chart\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\" data-x-name=\"{}\" data-x-axis=\"{}\" "
      "data-y-axis=\"{}\"><text class=\"label\" x=\"0\" y=\"10\">{}</text>{}{}{}"
      "<text class=\"label middle\" x=\"{}\" y=\"{}\">{}</text></svg>",
      coordinate(chart_width), coordinate(total), escaped(title_), escaped_short(x_label_, 40),
      limits(frame.x, left_edge, frame.right), limits(frame.y, frame.bottom, frame.top), escaped(y_label_), names, grid,
      inside, coordinate((left_edge + frame.right) / 2), coordinate(total - 6), escaped(x_label_));
}

std::string bars_svg(const std::string& title, const std::vector<Bar>& bars) {
  constexpr double row = 19, names = 150, number = 70;
  double largest = 0;
  bool negative = false, positive = false;
  std::size_t beside = 0;  // letters of the longest text
  for (const Bar& bar : bars) {
    beside = std::max(beside, letters(bar.beside));
    if (!std::isfinite(bar.value)) continue;
    largest = std::max(largest, std::abs(bar.value));
    negative = negative || bar.value < 0;
    positive = positive || bar.value > 0;
  }
  const double numbers = chart_width - (beside > 0 ? std::max(number, letter * static_cast<double>(beside) + 8) : 0);
  const double begin = names + 8, end = numbers - number;
  const double zero = !negative ? begin : !positive ? end : (begin + end) / 2;
  const double longest = negative && positive ? (end - begin) / 2 : end - begin;
  std::string text;
  double y = 4;
  constexpr std::size_t most = 60;
  const auto minus = [](const std::string& shown) {
    return shown.starts_with('-') ? "−" + escaped(shown.substr(1)) : escaped(shown);
  };
  for (const Bar& bar : std::span(bars).first(std::min(bars.size(), most))) {
    const double length = std::isfinite(bar.value) && largest > 0 ? std::abs(bar.value) / largest * longest : 0;
    text += fmt::format(
        "<g><title>{}: {}</title><text class=\"name\" x=\"{}\" y=\"{}\">{}</text>"
        "<rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/><text class=\"figure\" x=\"{}\" "
        "y=\"{}\">{}</text>",
        escaped_short(bar.name, 200), minus(bar.shown), coordinate(names), coordinate(y + 13),
        escaped_short(bar.name, 24), bar.value < 0 ? "c1" : "c0", coordinate(bar.value < 0 ? zero - length : zero),
        coordinate(y + 3), coordinate(length), coordinate(row - 6), coordinate(numbers), coordinate(y + 13),
        minus(bar.shown));
    if (beside > 0)
      text += fmt::format("<text class=\"figure\" x=\"{}\" y=\"{}\">{}</text>", coordinate(chart_width),
                          coordinate(y + 13), minus(bar.beside));
    text += "</g>";
    y += row;
  }
  text += fmt::format("<path class=\"axis\" d=\"M{} 2V{}\"/>", coordinate(zero), coordinate(y + 2));
  return fmt::format("<svg class=\"chart bars\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">{}</svg>",
                     coordinate(chart_width), coordinate(y + 6), escaped(title), text);
}

}  // namespace halfspace::report
