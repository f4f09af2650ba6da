// The geometry of a picture in the plane: coordinates of a panel, polygons cut by half-planes, and lines, arrows and
// marks as SVG paths.
//
// Thread-safety: pure functions and plain values.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "halfspace/detail/base/elementary.h"

namespace halfspace::report {

struct Point {
  double x, y;
};
// w1 x + w2 y + k.
struct Line {
  double w1, w2, k;
  double at(Point p) const { return w1 * p.x + w2 * p.y + k; }
  double norm() const { return elementary::hypot(w1, w2); }
};
using Polygon = std::vector<Point>;

// Formats a number for a sentence or an axis.
std::string shown(double value);

// A panel's coordinates: values in [x0, x1] x [y0, y1], drawn inside a frame of the picture.
struct Panel {
  double x0 = 0, x1 = 0, y0 = 0, y1 = 0;
  double left, top, width, height;
  bool equal = true;  // one unit is as long across as it is up

  double px(double x) const { return left + (x - x0) / (x1 - x0) * width; }
  double py(double y) const { return top + (y1 - y) / (y1 - y0) * height; }
  Polygon corners() const { return {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}; }
  bool holds(Point p) const { return p.x >= x0 && p.x <= x1 && p.y >= y0 && p.y <= y1; }

  // Fits the view around all points, with a rim; equal scales unless that would almost hide one axis.
  void fit(const std::vector<Point>& points, bool must_be_equal);
  std::string attributes() const;
};

// Returns the part of the polygon where the line's value is at least 0 (Sutherland and Hodgman 1974).
Polygon cut(const Polygon& polygon, const Line& line);

std::string path(const Panel& view, const Polygon& polygon, bool closed);

// Draws the line where the value is 0, inside the view; empty if it does not cross it.
std::string zero(const Panel& view, const Line& line);

// Draws an arrow between two points of the picture, with a head that is never longer than the arrow.
std::string arrow(double x, double y, double to_x, double to_y, std::string_view cls);

// Draws a mark as a path of relative moves, so that many marks form one path.
std::string mark(std::size_t kind, double x, double y, double r);

std::vector<double> ticks(double low, double high);

// Returns as many whole characters of the text as fit into `most` bytes, with an ellipsis for the rest.
std::string clipped(const std::string& text, std::size_t most);

}  // namespace halfspace::report
