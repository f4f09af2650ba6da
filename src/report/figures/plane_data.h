// The plane of a run's JSON as its picture needs it: rows, classes, weights, axes, and both panels' coordinates.
//
// Thread-safety: pure functions and plain values.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "report/figures/plane_geometry.h"
#include "report/results/json.h"

namespace halfspace::report {

inline constexpr std::size_t axis_letters = 44;  // letters that fit along an axis, even in narrow windows

// JSON has no numbers beyond the doubles: null counts as 0.
inline double number_or_zero(const Json& value) { return value.is_number() ? value.get<double>() : 0.0; }

struct DrawnPlane {
  // `plane`: what check_plane() accepts; must outlive the object.
  explicit DrawnPlane(const Json& plane);

  // Returns the line of the weights of two classes, or those of each class.
  std::vector<Line> lines(const Json& of_weights) const;
  std::string name(std::size_t k) const;
  // Returns the mark and colour of a class: o for the positive one of two.
  std::size_t mark_of(std::size_t k) const { return names.size() <= 2 ? 1 - std::min<std::size_t>(k, 1) : k; }
  // Returns its colour; beyond eight classes, marks and colours pair differently.
  std::size_t look(std::size_t k) const { return (mark_of(k) + mark_of(k) / 8) % 8; }
  // Returns half the width of the band, as a score: the functional margin of a rule that has one, else the smallest
  // score of a row if every row shown is classified correctly; 0: no band.
  double band_of(const Line& w) const;
  // Returns how many rows are predicted wrong.
  std::size_t wrong() const;

  const Json& json;
  double constant;
  const Json& names;
  bool binary, exact;
  std::vector<double> x, y;  // of the rows
  std::vector<std::size_t> label;
  std::vector<std::int64_t> predicted;
  std::vector<Line> weights;
  std::vector<std::string> axes;
  Panel data{.left = 62, .top = 8, .width = 490, .height = 410};
  Panel walk{.left = 62, .top = 8, .width = 370, .height = 290};
};

// Returns false if the values or weights are too large or too small to compute a picture.
bool is_drawable(const Json& plane);

// Return the picture in a sentence, as text; and how to read it, as HTML.
std::string plane_summary(const DrawnPlane& plane);
std::string plane_explanation(const DrawnPlane& plane);

}  // namespace halfspace::report
