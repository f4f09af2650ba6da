// Formats geometry as SVG.
#include "report/figures/plane_geometry.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "halfspace/detail/base/elementary.h"

namespace halfspace::report {

std::string shown(double value) {
  std::string text = fmt::format("{:.4g}", value == 0 ? 0.0 : value);
  return text.front() == '-' ? "−" + text.substr(1) : text;
}

void Panel::fit(const std::vector<Point>& points, bool must_be_equal) {
  x0 = y0 = std::numeric_limits<double>::infinity();
  x1 = y1 = -x0;
  for (const Point& p : points) {
    x0 = std::min(x0, p.x);
    x1 = std::max(x1, p.x);
    y0 = std::min(y0, p.y);
    y1 = std::max(y1, p.y);
  }
  if (!(x1 >= x0)) x0 = y0 = -1, x1 = y1 = 1;
  // Widens a range of one number enough to contain another.
  const auto surround = [](double& a, double& b, double room) {
    room = std::max(room, std::abs(a) * 0x1p-20);
    a -= room;
    b += room;
  };
  if (x1 == x0 && y1 == y0) surround(x0, x1, 1), surround(y0, y1, 1);
  if (x1 == x0) surround(x0, x1, (y1 - y0) / 2);
  if (y1 == y0) surround(y0, y1, (x1 - x0) / 2);
  const auto widen = [](double& a, double& b, double to) {
    const double more = (to - (b - a)) / 2;
    a -= more;
    b += more;
  };
  widen(x0, x1, 1.14 * (x1 - x0));
  widen(y0, y1, 1.14 * (y1 - y0));
  const double across = (x1 - x0) / width, up = (y1 - y0) / height;
  equal = must_be_equal || (across < 8 * up && up < 8 * across);
  if (!equal) return;
  widen(x0, x1, std::max(across, up) * width);
  widen(y0, y1, std::max(across, up) * height);
}

std::string Panel::attributes() const {
  return fmt::format("data-view=\"{} {} {} {}\" data-frame=\"{} {} {} {}\"", x0, x1, y0, y1, left, top, width, height);
}

Polygon cut(const Polygon& polygon, const Line& line) {
  Polygon kept;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Point a = polygon[i], b = polygon[(i + 1) % polygon.size()];
    const double at_a = line.at(a), at_b = line.at(b);
    if (at_a >= 0) kept.push_back(a);
    if ((at_a >= 0) != (at_b >= 0)) {
      const double t = at_a / (at_a - at_b);
      kept.push_back({a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)});
    }
  }
  return kept;
}

std::string path(const Panel& view, const Polygon& polygon, bool closed) {
  std::string d;
  for (const Point& p : polygon) d += fmt::format("{}{:.1f} {:.1f}", d.empty() ? "M" : "L", view.px(p.x), view.py(p.y));
  return closed && !d.empty() ? d + "Z" : d;
}

std::string zero(const Panel& view, const Line& line) {
  const double squares = line.w1 * line.w1 + line.w2 * line.w2;
  if (!(squares > 0) || !std::isfinite(squares)) return "";
  double from = -std::numeric_limits<double>::infinity(), to = -from;
  const Point foot{-line.k * line.w1 / squares, -line.k * line.w2 / squares};
  const double norm = std::sqrt(squares);
  const Point along{-line.w2 / norm, line.w1 / norm};
  const auto within = [&](double at, double step, double low, double high) {
    if (step == 0) {
      if (at < low || at > high) to = -std::numeric_limits<double>::infinity();
      return;
    }
    const double a = (low - at) / step, b = (high - at) / step;
    from = std::max(from, std::min(a, b));
    to = std::min(to, std::max(a, b));
  };
  within(foot.x, along.x, view.x0, view.x1);
  within(foot.y, along.y, view.y0, view.y1);
  if (!(from < to)) return "";
  return path(view,
              {{foot.x + from * along.x, foot.y + from * along.y}, {foot.x + to * along.x, foot.y + to * along.y}},
              false);
}

std::string arrow(double x, double y, double to_x, double to_y, std::string_view cls) {
  const double dx = to_x - x, dy = to_y - y, length = elementary::hypot(dx, dy);
  if (!(length > 0.5)) return "";
  const double head = std::min(10.0, length), ux = dx / length, uy = dy / length;
  return fmt::format(
      "<path class=\"arrow {}\" d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}M{:.1f} {:.1f}L{:.1f} {:.1f}L{:.1f} {:.1f}\"/>", cls, x,
      y, to_x, to_y, to_x - head * ux + 0.45 * head * uy, to_y - head * uy - 0.45 * head * ux, to_x, to_y,
      to_x - head * ux - 0.45 * head * uy, to_y - head * uy + 0.45 * head * ux);
}

std::string mark(std::size_t kind, double x, double y, double r) {
  switch (kind % 8) {
    case 0:  // o
      return fmt::format("M{:.1f} {:.1f}a{r} {r} 0 1 0 {d} 0a{r} {r} 0 1 0 -{d} 0", x - r, y, fmt::arg("r", r),
                         fmt::arg("d", 2 * r));
    case 1:  // x
      return fmt::format("M{:.1f} {:.1f}l{d} {d}m0 -{d}l-{d} {d}", x - r, y - r, fmt::arg("d", 2 * r));
    case 2:  // triangle
      return fmt::format("M{:.1f} {:.1f}l{r} {d}h-{d}z", x, y - r, fmt::arg("r", r), fmt::arg("d", 2 * r));
    case 3:  // square
      return fmt::format("M{:.1f} {:.1f}h{d}v{d}h-{d}z", x - r, y - r, fmt::arg("d", 2 * r));
    case 4:  // +
      return fmt::format("M{:.1f} {:.1f}h{d}m-{r} -{r}v{d}", x - r, y, fmt::arg("r", r), fmt::arg("d", 2 * r));
    case 5:  // diamond
      return fmt::format("M{:.1f} {:.1f}l{r} {r}l-{r} {r}l-{r} -{r}z", x, y - r, fmt::arg("r", r));
    case 6:  // triangle on its tip
      return fmt::format("M{:.1f} {:.1f}l{r} -{d}h-{d}z", x, y + r, fmt::arg("r", r), fmt::arg("d", 2 * r));
    default:  // y
      return fmt::format("M{:.1f} {:.1f}v{r}m0 -{r}l{r} -{r}m-{r} {r}l-{r} -{r}", x, y, fmt::arg("r", r));
  }
}

std::vector<double> ticks(double low, double high) {
  const double rough = (high - low) / 5, unit = elementary::power_of_ten(std::floor(elementary::log10(rough)));
  const double step = unit * (rough < 1.5 * unit ? 1 : rough < 3.5 * unit ? 2 : rough < 7.5 * unit ? 5 : 10);
  std::vector<double> list;
  for (double at = std::ceil(low / step); at * step <= high && list.size() < 12; ++at) list.push_back(at * step);
  return list;
}

std::string clipped(const std::string& text, std::size_t most) {
  if (text.size() <= most) return text;
  std::size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  return text.substr(0, end) + "…";
}

}  // namespace halfspace::report
