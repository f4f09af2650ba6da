// Charts as SVG: axes, lines, columns, o and ×. The program draws them completely; a script only adds a cursor.
//
//   Chart chart("Mistakes as the rounds go", "rounds", "mistakes");
//   chart.add({.name = "mistakes", .x = rounds, .y = mistakes, .x_at = "/figures/progress/rounds", ...});
//   page += chart.svg();
//
// Series differ by colour and by dashes or marks, so no two colours must be distinguished. Colours are classes, whose
// values web/page.css sets for light and dark mode.
//
// Coordinates have one decimal, in a box 460 wide; a value that is not finite, or not above 0 on a logarithmic axis,
// leaves a gap. Thread-safety: value types.
#pragma once

#include <string>
#include <vector>

namespace halfspace::report {

enum class Scale : unsigned char { linear, logarithmic };

struct Axis {
  double low = 0, high = 1;
  Scale scale = Scale::linear;

  // Returns the axis from low to high, extended to round numbers, with about `ticks` of them.
  static Axis over(double low, double high, Scale scale, int ticks);
  // Returns the position of a value: 0 at `low`, 1 at `high`. NaN for a value that a logarithmic axis cannot show.
  double share(double value) const;
  // Returns round numbers from low to high, at most `most`; on a logarithmic axis powers of ten, or 1, 2 and 5 times
  // these.
  std::vector<double> ticks(int most) const;
};

// Formats a tick's number: 0.05, 400, 20k, 1.5M, 1e12.
std::string tick_label(double value);

struct Series {
  enum class Shape : unsigned char { line, circles, crosses, columns, hatched_columns };

  std::string name{};
  std::vector<double> x{}, y{};
  Shape shape = Shape::line;
  int look = 0;                // 0 .. 7: colour and dashes; the first two are the pair used for "ours" and "against it"
  bool step = false;           // a line that holds its value until the next
  bool in_legend = true;       // false for marks that repeat a line
  std::vector<double> to{};    // columns: x .. to is the width of each, y its height
  std::vector<double> from{};  // columns: where each begins; empty: at 0
  std::string x_at{}, y_at{};  // JSON pointers to the numbers in the run's JSON; may be empty
  std::vector<std::string> titles{};  // marks: a tooltip for each
  std::vector<std::string> labels{};  // marks: a name beside each
  double radius = 3.4;                // of circles
};

class Chart {
 public:
  Chart(std::string title, std::string x_label, std::string y_label)
      : title_(std::move(title)), x_label_(std::move(x_label)), y_label_(std::move(y_label)) {}

  Chart& x_scale(Scale scale) { return x_scale_ = scale, *this; }
  Chart& y_scale(Scale scale) { return y_scale_ = scale, *this; }
  // Values that the axes must include, besides those of the series.
  Chart& hold_x(double value) { return hold_x_.push_back(value), *this; }
  Chart& hold_y(double value) { return hold_y_.push_back(value), *this; }
  // Makes one unit as long on both axes, for pictures of points.
  Chart& square() { return square_ = true, *this; }
  Chart& height(double height) { return height_ = height, *this; }
  Chart& add(Series series) { return series_.push_back(std::move(series)), *this; }
  // Also writes the name of each line at its end, right of the chart.
  Chart& name_ends() { return names_ends_ = true, *this; }
  // Adds a line across the whole chart at y, or at x, with its name in the legend.
  Chart& level(std::string name, double y, int look);
  Chart& upright(std::string name, double x, int look);

  std::string svg() const;

 private:
  struct Line {
    std::string name;
    double at;
    int look;
    bool upright;
  };
  struct Frame;

  Frame frame() const;
  std::string legend(double& bottom) const;
  std::string grid(const Frame& frame) const;
  std::string drawn(const Series& series, const Frame& frame) const;
  std::string end_names(const Frame& frame) const;

  std::string title_, x_label_, y_label_;
  Scale x_scale_ = Scale::linear, y_scale_ = Scale::linear;
  std::vector<double> hold_x_, hold_y_;
  std::vector<Series> series_;
  std::vector<Line> lines_;
  double height_ = 280;
  bool square_ = false, names_ends_ = false;
};

// Draws bars on both sides of 0, in the given order, each with its name and its number.
struct Bar {
  std::string name;
  double value;
  std::string shown;     // the number as text
  std::string beside{};  // another number or a short text, right of it
};
std::string bars_svg(const std::string& title, const std::vector<Bar>& bars);

}  // namespace halfspace::report
