// Small plots in ASCII characters, without colour, within a given width.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace halfspace::cli {

struct PlotPoint {
  std::uint64_t rounds, mistakes;
};

// Draws mistakes over rounds, on a logarithmic axis, below their bound. `points` ascend in rounds; returns nothing for
// fewer than two. The other axis is also logarithmic if the bound is far above.
std::string mistakes_plot(const std::vector<PlotPoint>& points, std::optional<std::uint64_t> bound, std::size_t width);

// Draws one bar a row: each number as a share of its bound.
struct PlotBar {
  std::string name;
  double value, bound;
  std::string shown;  // the number and its bound as text
};
std::string bars_plot(const std::vector<PlotBar>& bars, std::size_t width);

}  // namespace halfspace::cli
