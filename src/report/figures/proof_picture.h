// Pictures of proofs as SVG: the strip that a margin keeps free, and the columns of a witness that cancel.
//
// As wide as a chart (chart.h), with its classes of colours. Thread-safety: pure functions.
#pragma once

#include <string>
#include <vector>

namespace halfspace::report {

// The rows around a hyperplane by their distances from it: of the class on the positive side above 0, of the other below.
struct Strip {
  struct Row {
    std::string name, shown;  // shown: the distance as text
    double distance = 0;
  };
  double margin = 0;
  std::vector<Row> rows{};       // that hold the margin, a line each
  std::vector<double> others{};  // distances of rows spread over the data, on the first line
  std::string others_name{}, left_class{}, right_class{};
};

// Returns how far from the hyperplane the picture reaches.
double strip_reach(const Strip& strip);
std::string strip_svg(const std::string& title, const Strip& strip);

// A column whose parts add up to 0: the positive ones to the right, the negative ones to the left. Every column has its own
// unit, so that each bar is as long as there is room.
struct CancellingColumn {
  struct Part {
    double value = 0;
    int look = 0;
    std::string name, title;  // name: inside of the part, where there is room
  };
  std::string name;
  double positive = 0;
  std::vector<Part> parts;
};
std::string columns_svg(const std::string& title, const std::vector<CancellingColumn>& columns);

}  // namespace halfspace::report
