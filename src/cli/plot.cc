// Draws plots in characters.
#include "cli/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/terminal.h"

namespace halfspace::cli {
namespace {

constexpr std::size_t height = 10;

}  // namespace

std::string mistakes_plot(const std::vector<PlotPoint>& points, std::optional<std::uint64_t> bound, std::size_t width) {
  if (points.size() < 2) return "";
  const double most = static_cast<double>(std::max<std::uint64_t>(1, points.back().mistakes));
  const double top = bound ? std::max(most, static_cast<double>(*bound)) : most;
  const bool logarithmic = top > 8 * most;
  const auto row_of = [&](double mistakes) {
    const double share = logarithmic ? std::log(std::max(1.0, mistakes)) / std::log(top) : mistakes / top;
    return height - 1 - static_cast<std::size_t>(std::lround(share * (height - 1)));
  };
  const std::string highest = grouped(static_cast<std::uint64_t>(top));
  const std::size_t margin = std::max<std::size_t>(highest.size(), 8) + 2;
  const std::size_t columns = std::max<std::size_t>(width, margin + 22) - margin - 2;

  std::vector<std::string> rows(height, std::string(columns, ' ')), labels(height);
  if (bound) {
    std::string& line = rows[row_of(static_cast<double>(*bound))];
    std::fill(line.begin(), line.end(), '-');
    line.replace(columns - 6, 6, " bound");
  }
  labels[row_of(logarithmic ? 1 : 0)] = logarithmic ? "1" : "0";
  labels[row_of(top)] = highest;
  labels[row_of(most)] = grouped(points.back().mistakes);

  const double first = std::log(static_cast<double>(std::max<std::uint64_t>(1, points.front().rounds)));
  const double last = std::log(static_cast<double>(points.back().rounds));
  std::size_t i = 0;
  for (std::size_t c = 0; c < columns; ++c) {
    const double at = first + (last - first) * static_cast<double>(c) / static_cast<double>(columns - 1);
    const auto x = [&](std::size_t k) {
      return std::log(static_cast<double>(std::max<std::uint64_t>(1, points[k].rounds)));
    };
    while (i + 2 < points.size() && x(i + 1) < at) ++i;
    const double t = std::clamp((at - x(i)) / std::max(1e-12, x(i + 1) - x(i)), 0.0, 1.0);
    const double mistakes =
        static_cast<double>(points[i].mistakes) * (1 - t) + static_cast<double>(points[i + 1].mistakes) * t;
    rows[row_of(mistakes)][c] = '*';
  }

  std::string text = logarithmic ? "  mistakes, logarithmic\n" : "  mistakes\n";
  for (std::size_t r = 0; r < height; ++r) text += fmt::format("{:>{}} |{}\n", labels[r], margin, rows[r]);
  for (std::size_t at = text.find(" \n"); at != std::string::npos; at = text.find(" \n", at == 0 ? 0 : at - 1))
    text.erase(at, 1);
  text += fmt::format("{:>{}} +{}\n", "", margin, std::string(columns, '-'));
  const std::string from = grouped(points.front().rounds), to = grouped(points.back().rounds),
                    name = "rounds, logarithmic";
  const std::size_t room = columns > from.size() + to.size() ? columns - from.size() - to.size() : 0;
  return text + fmt::format("{:>{}}  {}{:^{}}{}\n", "", margin, from, room > name.size() + 1 ? name : "", room, to);
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

}  // namespace halfspace::cli
