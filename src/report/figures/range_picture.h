// Ranges as intervals, each with a value in it, as SVG.
//
// As wide as a chart (chart.h), with its classes of colours. Thread-safety: pure functions.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace halfspace::report {

// A range on an axis of its own: between both ends, or from the end to 0 and beyond.
struct Range {
  std::string name;
  double value = 0;
  std::optional<double> least{}, most{};  // none: an arrow
};
std::string ranges_svg(const std::string& title, const std::vector<Range>& ranges);

}  // namespace halfspace::report
