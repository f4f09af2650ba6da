// Small plots in ASCII characters, without colour, within a given width.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"

namespace halfspace::report {

struct PlotPoint {
  std::uint64_t rounds;
  double mistakes, errors;
};

// Draws mistakes over rounds, on a logarithmic axis, below their bound, or errors where there is none. `points` ascend in
// rounds; returns nothing for fewer than two. The other axis is also logarithmic if the bound is far above.
std::string mistakes_plot(const std::vector<PlotPoint>& points, std::optional<std::uint64_t> bound, std::size_t width);

// Draws one bar a row: each number as a share of its bound.
struct PlotBar {
  std::string name;
  double value, bound;
  std::string shown;  // the number and its bound as text
};
std::string bars_plot(const std::vector<PlotBar>& bars, std::size_t width);

// Rows in the plane of two features, and the weights that separate them.
struct Scatter {
  struct Axis {
    std::string name;
    int exponent = 0;  // coordinates are the feature's values multiplied by 2 to it
  };
  struct Point {
    double x, y;
    std::size_t label, predicted;  // class numbers
  };
  Axis axes[2];
  std::vector<std::string> classes;
  std::vector<double> weights;  // three of each vector, of x, y and `constant`; two classes share one vector
  double constant = 1;
  std::vector<Point> points;
  std::uint64_t rows = 0;  // of which `points` is a sample
};
// Returns a picture of two features (report/results/plane_record.h) as a scatter.
Scatter scatter_of(const Json& plane);
// Draws each row by a mark of its class, and the border between the predicted classes. Returns nothing without points.
std::string scatter_plot(const Scatter& scatter, std::size_t width);

}  // namespace halfspace::report
