// Whatever the numbers of a run, those that place what is drawn are finite.

#include <regex>

#include "halfspace/base/error.h"
#include "halfspace/rules/perceptron.h"
#include "halfspace/stream/memory_data.h"
#include "report/figures/chart.h"
#include "report/pages/page.h"
#include "report/results/figures.h"
#include "report/results/plane_record.h"
#include "report/runs.h"
#include "support/test.h"
#include "support/world.h"

namespace halfspace::report {
namespace {

using testing::Chance;

constexpr double kExtremes[] = {0,
                                1,
                                -1,
                                1e20,
                                1e200,
                                -1e200,
                                1e300,
                                1e308,
                                1.7976931348623157e308,
                                -1.7976931348623157e308,
                                5e-324,
                                1e-310,
                                -1e-310,
                                1e-300,
                                1e-200,
                                9007199254740993.0};

// The first attribute of a drawing with a number that is none; empty when there is none.
std::string not_finite(const std::string& html) {
  static const std::regex texts("(aria-label|data-name|data-x-name|class)=\"[^\"]*\"");
  for (std::size_t begin = html.find("<svg"); begin != std::string::npos; begin = html.find("<svg", begin + 1)) {
    const std::size_t end = html.find("</svg>", begin);
    for (std::size_t at = begin; at < end; ++at) {
      if (html[at] != '<' || html[at + 1] == '/') continue;
      const std::string tag = html.substr(at, html.find('>', at) - at);
      if (tag.find("nan") == std::string::npos && tag.find("inf") == std::string::npos) continue;
      const std::string bare = std::regex_replace(tag, texts, "");
      for (const char* none : {"nan", "inf"}) {
        if (bare.find(none) != std::string::npos) return bare.substr(0, 300);
      }
    }
  }
  return "";
}

TEST(Finite, ChartsOfAnySize) {
  const auto any = [](Chance& chance) {
    return kExtremes[chance.between(0, std::size(kExtremes) - 1)] * (chance.one_in(2) ? 1 : chance.real(0, 1));
  };
  for (std::uint64_t seed = 1; seed <= 1000 && !HasFailure(); ++seed) {
    Chance chance(seed);
    Chart chart("t", "x", "y");
    const bool square = chance.one_in(3);  // of linear axes
    if (square) chart.square();
    if (!square && chance.one_in(2)) chart.x_scale(Scale::logarithmic);
    if (!square && chance.one_in(2)) chart.y_scale(Scale::logarithmic);
    if (chance.one_in(2)) chart.level("l", any(chance), 1).upright("u", any(chance), 2);
    std::vector<Bar> bars;
    for (int k = chance.between(1, 3); k > 0; --k) {
      Series series{.name = "a"};
      series.shape = chance.of({Series::Shape::line, Series::Shape::circles, Series::Shape::crosses,
                                Series::Shape::columns, Series::Shape::hatched_columns});
      for (int i = chance.between(1, 3); i > 0; --i) {
        series.x.push_back(any(chance));
        series.to.push_back(any(chance));
        series.y.push_back(any(chance));
        bars.push_back({"b", any(chance), "1"});
      }
      chart.add(series);
    }
    EXPECT_EQ(not_finite(chart.svg()), "") << seed;
    EXPECT_EQ(not_finite(bars_svg("t", bars)), "") << seed;
  }
}

void each_number(Json& json, const std::function<void(Json&)>& change) {
  if (json.is_number()) {
    change(json);
  } else if (json.is_structured()) {
    for (Json& entry : json) each_number(entry, change);
  }
}

// A page, or a refusal that names the place.
void expect_finite(const Json& run) {
  try {
    EXPECT_EQ(not_finite(page(run)), "") << run.dump();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data) << error.what();
  }
}

TEST(Finite, PagesOfAnySize) {
  for (Json run : {train_run(), experts_run(), lab_run(), certify_run(), compare_run()}) {
    for (const double extreme : kExtremes) {
      const double size = std::abs(extreme);
      const bool end = size > 1e307 || size == 5e-324;
      each_number(run, [&](Json& number) {
        if (!end) return;
        const Json before = number;
        number = extreme;
        expect_finite(run);
        number = before;
      });
      Json all = run;
      each_number(all, [&](Json& number) {
        if (number.is_number_float()) number = number.get<double>() * extreme;
      });
      expect_finite(all);
    }
    if (HasFailure()) return;
  }
}

// The page of a run on rows of this size, with its picture.
std::string page_of(double size, double bias_scale, int features, int rows, int classes) {
  MemoryData data;
  Chance chance(static_cast<std::uint64_t>(rows * 10 + features));
  for (int i = 0; i < rows; ++i) {
    std::vector<double> x;
    for (int j = 0; j < features; ++j) x.push_back(size * chance.real(-1, 1));
    data.add(std::to_string(i % classes), x);
  }
  TrainOptions options;
  options.read.rows = &data;
  options.composition.rule = rule::perceptron;
  options.composition.bias.scale = bias_scale;
  PlaneRecord record(PlaneLimits{});
  options.on_rows = [&](const Block& block) { record.rows(block); };
  options.observer = [&](const RoundView& view) { record.round(view); };
  options.record = true;
  const TrainResult result = train(options);
  Json run = {{"command", "train"}, {"version", "0"}};
  run.update(train_result(result));
  run["figures"] = train_figures(result);
  run["plane"] = record.picture(result, nullptr, {});
  return page(run);
}

TEST(Finite, PicturesInThePlaneOfAnySize) {
  int drawn = 0, left_out = 0;
  for (int exponent = -300; exponent <= 300; exponent += 60) {
    for (const double bias : {1.0, 1e-150, 1e140}) {
      for (const int features : {2, 5}) {
        for (const int rows : {2, 12}) {
          std::string html;
          try {
            html = page_of(std::pow(10, exponent), bias, features, rows, rows == 12 && features == 5 ? 3 : 2);
          } catch (const Error&) {
            continue;  // the weights left the doubles, and that was said
          }
          EXPECT_EQ(not_finite(html), "") << exponent << " " << bias << " " << features << " " << rows;
          const bool picture = html.find("id=\"plane\"") != std::string::npos;
          const bool told = html.find("No picture in the plane") != std::string::npos;
          EXPECT_NE(picture, told) << exponent << " " << bias;
          ++(picture ? drawn : left_out);
          if (std::abs(exponent) <= 20 && bias == 1) {
            EXPECT_TRUE(picture) << exponent;
          }
        }
      }
    }
  }
  EXPECT_GT(drawn, 3);
  EXPECT_GT(left_out, 20);
}

}  // namespace
}  // namespace halfspace::report
