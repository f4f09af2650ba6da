// Charts as SVG: axes, lines, columns, o and ×. Drawn whole by the program; a script can only add a cursor to them.
//
//   Chart chart("Mistakes as the rounds go", "rounds", "mistakes");
//   chart.add({.name = "mistakes", .x = rounds, .y = mistakes, .x_at = "/figures/progress/rounds", ...});
//   page += chart.svg();
//
// Series differ by colour and by dashes or marks, so that no two colours must be distinguished. Colours are classes
// that web/page.css gives their values, in the light and in the dark.
//
// Places are given with one decimal in a box 460 wide; what is not finite, or not above 0 on a logarithmic axis, leaves
// a gap. Thread-safety: value types.
#pragma once

#include <string>
#include <vector>

namespace halfspace::report {

enum class Scale : unsigned char { linear, logarithmic };

struct Axis {
  double low = 0, high = 1;
  Scale scale = Scale::linear;

  // Returns the axis that holds low .. high and ends at round numbers; about `ticks` of them fit on it.
  static Axis over(double low, double high, Scale scale, int ticks);
  // Returns where a value lies: 0 at `low`, 1 at `high`. NaN for what a logarithmic axis does not have.
  double share(double value) const;
  // Returns round numbers from low to high, at most `most`; of a logarithmic axis powers of ten, or 1, 2 and 5 times
  // these.
  std::vector<double> ticks(int most) const;
};

// Writes a number for a tick: 0.05, 400, 20k, 1.5M, 1e12.
std::string tick_label(double value);

struct Series {
  enum class Shape : unsigned char { line, circles, crosses, columns, hatched_columns };

  std::string name{};
  std::vector<double> x{}, y{};
  Shape shape = Shape::line;
  int look = 0;                // 0 .. 7: colour and dashes; the first two are the pair used for "ours" and "against it"
  bool step = false;           // a line that holds its value until the next
  bool in_legend = true;       // marks with the meaning of a line need no second entry
  std::vector<double> to{};    // columns: x .. to is the width of each, y its height
  std::vector<double> from{};  // columns: where each begins; empty: at 0
  std::string x_at{}, y_at{};  // where in the run's JSON the numbers are (JSON pointers); may be empty
  std::vector<std::string> titles{};  // marks: a text for each, shown by the browser
};

class Chart {
 public:
  Chart(std::string title, std::string x_label, std::string y_label)
      : title_(std::move(title)), x_label_(std::move(x_label)), y_label_(std::move(y_label)) {}

  Chart& x_scale(Scale scale) { return x_scale_ = scale, *this; }
  Chart& y_scale(Scale scale) { return y_scale_ = scale, *this; }
  // Values that the axes must hold, besides those of the series.
  Chart& hold_x(double value) { return hold_x_.push_back(value), *this; }
  Chart& hold_y(double value) { return hold_y_.push_back(value), *this; }
  // Makes one unit as long on both axes, for pictures of points.
  Chart& square() { return square_ = true, *this; }
  Chart& height(double height) { return height_ = height, *this; }
  Chart& add(Series series) { return series_.push_back(std::move(series)), *this; }
  // Adds a line across the whole picture at y, or at x, with its name in the legend.
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

  std::string title_, x_label_, y_label_;
  Scale x_scale_ = Scale::linear, y_scale_ = Scale::linear;
  std::vector<double> hold_x_, hold_y_;
  std::vector<Series> series_;
  std::vector<Line> lines_;
  double height_ = 280;
  bool square_ = false;
};

// Bars to both sides of 0, the largest first as given, each with its name and its number.
struct Bar {
  std::string name;
  double value;
  std::string shown;  // the number as text
};
std::string bars_svg(const std::string& title, const std::vector<Bar>& bars);

}  // namespace halfspace::report
