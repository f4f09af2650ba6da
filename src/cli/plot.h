// Small plots in plain characters: ASCII alone, no colour, no wider than asked for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace halfspace::cli {

struct PlotPoint {
  std::uint64_t rounds, mistakes;
};

// Mistakes as the rounds go, on a logarithmic axis, below their bound. `points` ascend in rounds; empty when there are
// fewer than two. The other axis is logarithmic, too, where the bound is far above.
std::string mistakes_plot(const std::vector<PlotPoint>& points, std::optional<std::uint64_t> bound, std::size_t width);

// One bar a row: how much of its bound each number comes to.
struct PlotBar {
  std::string name;
  double value, bound;
  std::string shown;  // both as text
};
std::string bars_plot(const std::vector<PlotBar>& bars, std::size_t width);

}  // namespace halfspace::cli
