// Axes, ticks and places of charts.
#include "report/figures/chart.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <regex>

#include "support/test.h"

namespace halfspace::report {
namespace {

TEST(Axis, EndsAtRoundNumbersThatHoldTheData) {
  const Axis axis = Axis::over(3, 97, Scale::linear, 5);
  EXPECT_EQ(axis.low, 0);
  EXPECT_EQ(axis.high, 100);
  EXPECT_EQ(axis.ticks(6), (std::vector<double>{0, 20, 40, 60, 80, 100}));
  const Axis decades = Axis::over(3, 55'223, Scale::logarithmic, 5);
  EXPECT_EQ(decades.low, 2);
  EXPECT_EQ(decades.high, 100'000);
  EXPECT_EQ(decades.ticks(6), (std::vector<double>{10, 100, 1000, 10'000, 100'000}));
  EXPECT_EQ(Axis::over(1, 10, Scale::logarithmic, 5).ticks(6), (std::vector<double>{1, 2, 5, 10}));
}

TEST(Axis, OneValueOrNoneStillMakeAnAxis) {
  for (const Scale scale : {Scale::linear, Scale::logarithmic}) {
    for (const double value : {0.0, 1.0, -3.0, 1e-300, 1e300}) {
      const Axis axis = Axis::over(value, value, scale, 5);
      EXPECT_LT(axis.low, axis.high) << value;
    }
    const double infinity = std::numeric_limits<double>::infinity();
    EXPECT_LT(Axis::over(infinity, -infinity, scale, 5).low, Axis::over(infinity, -infinity, scale, 5).high);
  }
}

RC_GTEST_PROP(Axis, HoldsItsDataInOrderWithFewTicks, ()) {
  const auto real = [] {
    return static_cast<double>(*rc::gen::inRange(-1'000'000, 1'000'001)) * std::pow(10.0, *rc::gen::inRange(-200, 200));
  };
  double low = real(), high = real();
  if (low > high) std::swap(low, high);
  const Axis axis = Axis::over(low, high, Scale::linear, 5);
  RC_ASSERT(axis.share(low) >= -1e-9 && axis.share(high) <= 1 + 1e-9);
  RC_ASSERT(axis.share(low) <= axis.share(high));
  const std::vector<double> ticks = axis.ticks(6);
  RC_ASSERT(!ticks.empty() && ticks.size() <= 8);
  for (std::size_t i = 0; i < ticks.size(); ++i) {
    RC_ASSERT(axis.share(ticks[i]) > -1e-6 && axis.share(ticks[i]) < 1 + 1e-6);
    if (i > 0) {
      RC_ASSERT(ticks[i] > ticks[i - 1]);
    }
  }
  if (high > 0) {
    const Axis decades = Axis::over(std::abs(low), std::max(std::abs(low), high), Scale::logarithmic, 5);
    RC_ASSERT(decades.low < decades.high && decades.ticks(6).size() <= 8);
  }
}

TEST(Axis, ALogarithmHasNoPlaceForZero) {
  const Axis axis = Axis::over(1, 100, Scale::logarithmic, 5);
  EXPECT_TRUE(std::isnan(axis.share(0)));
  EXPECT_DOUBLE_EQ(axis.share(10), 0.5);
}

TEST(TickLabel, IsShort) {
  EXPECT_EQ(tick_label(0), "0");
  EXPECT_EQ(tick_label(0.05), "0.05");
  EXPECT_EQ(tick_label(400), "400");
  EXPECT_EQ(tick_label(20'000), "20k");
  EXPECT_EQ(tick_label(1'500'000), "1.5M");
  EXPECT_EQ(tick_label(1e12), "1e12");
  EXPECT_EQ(tick_label(-20), "−20");
}

// What a chart draws can be read back from it: places to numbers by the axes that it names.
struct Read {
  double low = 0, high = 0, logarithmic = 0, from = 0, to = 0;
  explicit Read(const std::string& svg, const std::string& name) {
    std::smatch found;
    const std::regex pattern("data-" + name + "-axis=\"(\\S+) (\\S+) (\\S+) (\\S+) (\\S+)\"");
    EXPECT_TRUE(std::regex_search(svg, found, pattern));
    double* const all[] = {&low, &high, &logarithmic, &from, &to};
    for (std::size_t i = 0; i < 5; ++i) *all[i] = std::stod(found[i + 1]);
  }
  double value(double place) const {
    const double share = (place - from) / (to - from);
    return logarithmic != 0 ? low * std::pow(high / low, share) : low + share * (high - low);
  }
};

TEST(Chart, PlacesAreTheNumbers) {
  for (const Scale scale : {Scale::linear, Scale::logarithmic}) {
    const std::vector<double> x{1, 20, 300, 4000}, y{1, 7, 9, 120};
    Chart chart("Title", "rounds", "mistakes");
    chart.y_scale(scale).add({.name = "mistakes", .x = x, .y = y, .x_at = "/x", .y_at = "/y"}).level("bound", 300, 1);
    const std::string svg = chart.svg();
    const Read horizontal(svg, "x"), vertical(svg, "y");
    std::smatch found;
    ASSERT_TRUE(std::regex_search(svg, found, std::regex("data-y=\"/y\"><path class=\"s0\" d=\"M([^\"]*)\"")));
    std::string path = found[1];
    for (char& c : path) c = c == 'L' ? ' ' : c;
    std::istringstream numbers(path);
    for (std::size_t i = 0; i < x.size(); ++i) {
      double px = 0, py = 0;
      ASSERT_TRUE(numbers >> px >> py);
      // One decimal of a place.
      const double wide = (horizontal.high - horizontal.low) / std::abs(horizontal.to - horizontal.from);
      EXPECT_NEAR(horizontal.value(px), x[i], 0.06 * wide);
      if (scale == Scale::linear) {
        EXPECT_NEAR(vertical.value(py), y[i],
                    0.06 * (vertical.high - vertical.low) / std::abs(vertical.to - vertical.from));
      } else {
        EXPECT_NEAR(std::log(vertical.value(py)), std::log(y[i]), 0.01);
      }
    }
  }
}

// Each line's name stands where the line ends, and names do not overlap.
TEST(Chart, NamesTheEndsOfLines) {
  Chart chart("t", "x", "y");
  for (int k = 0; k < 4; ++k)
    chart.add({.name = "m" + std::to_string(k), .x = {0, 1}, .y = {0.25, k == 0 ? 1.0 : 0.001 * k}, .look = k});
  const std::string svg = chart.hold_y(0).name_ends().svg();
  std::vector<double> y;
  const std::regex name("<text class=\"beside\" x=\"361\" y=\"([0-9.]+)\">m[0-3]</text>");
  for (std::sregex_iterator at(svg.begin(), svg.end(), name), end; at != end; ++at) y.push_back(std::stod((*at)[1]));
  ASSERT_EQ(y.size(), 4U) << svg;
  for (std::size_t i = 1; i < y.size(); ++i) EXPECT_GE(y[i] - y[i - 1], 12.9);
  EXPECT_TRUE(has(svg, "data-x-axis=\"0 1 0 52 356\""));
}

TEST(Chart, WhatCannotBeDrawnLeavesAGap) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Chart chart("t", "x", "y");
  chart.y_scale(Scale::logarithmic).add({.name = "a", .x = {1, 2, 3, 4}, .y = {0, 10, nan, 20}});
  const std::string svg = chart.svg();
  EXPECT_TRUE(lacks(svg, "nan", "inf"));
  Chart empty("t", "x", "y");
  EXPECT_TRUE(lacks(empty.svg(), "nan"));
}

TEST(Chart, NamesAreText) {
  Chart chart("<b>", "x<", "y&");
  chart.add({.name = "<script>alert(1)</script>",
             .x = {1, 2},
             .y = {3, 4},
             .shape = Series::Shape::circles,
             .titles = {"\"<i>"}});
  const std::string svg = chart.svg() + bars_svg("<b>", {{"</svg><script>", 1, "<1>"}});
  EXPECT_TRUE(lacks(svg, "<script", "<b>", "<i>"));
}

TEST(Bars, GoBothWaysFromZero) {
  const std::string svg = bars_svg("weights", {{"up", 2, "2"}, {"down", -1, "-1"}});
  std::smatch up, down;
  ASSERT_TRUE(std::regex_search(svg, up, std::regex("class=\"c0\" x=\"([^\"]*)\" y=\"[^\"]*\" width=\"([^\"]*)\"")));
  ASSERT_TRUE(std::regex_search(svg, down, std::regex("class=\"c1\" x=\"([^\"]*)\" y=\"[^\"]*\" width=\"([^\"]*)\"")));
  EXPECT_NEAR(std::stod(up[2]), 2 * std::stod(down[2]), 0.11);
  EXPECT_NEAR(std::stod(up[1]), std::stod(down[1]) + std::stod(down[2]), 0.11);
}

}  // namespace
}  // namespace halfspace::report
