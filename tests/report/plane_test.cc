// The picture in the plane: what is recorded is what the engine computed, bit for bit, bounded whatever the run; what
// is drawn is what was recorded; and no text of the data becomes markup.
#include "report/figures/plane.h"

#include "halfspace/base/error.h"
#include "halfspace/rules/minnow.h"
#include "report/results/plane_record.h"
#include "report/runs.h"
#include "support/test.h"
#include "support/world.h"

namespace halfspace::report {
namespace {

const char* const larks = HALFSPACE_SOURCE_DIR "/examples/larks.csv";

class PlaneTest : public ::testing::Test, public testing::TemporaryFolder {};

struct Recorded {
  TrainResult result;
  Json plane;
};

Recorded recorded(TrainOptions options, const PlaneChoice& choice = {}, PlaneLimits limits = {}) {
  PlaneRecord record(limits);
  options.on_rows = [&](const Block& block) { record.rows(block); };
  options.observer = [&](const RoundView& view) { record.round(view); };
  Recorded run{train(options), nullptr};
  run.plane = record.picture(run.result, options.resume, choice);
  return run;
}

TrainOptions perceptron_on(const std::string& path) {
  TrainOptions options;
  options.read.path = path;
  options.composition.order = OrderName::cyclic;
  options.until.clean = Clean::cycle;
  options.until.passes = 40;
  return options;
}

// Of one feature every row stands at the height of the constant, and the boundary goes through the origin.
TEST_F(PlaneTest, OneFeatureIsLiftedToThePlane) {
  const std::string path = write("one.csv", "size,kind\n1,a\n2,a\n4,b\n5,b\n3.5,a\n");
  TrainOptions options = perceptron_on(path);
  options.composition.bias.scale = 2;
  const Recorded run = recorded(options);
  ASSERT_EQ(run.plane["kind"], "lifted");
  EXPECT_EQ(run.plane["points"]["x"], Json({1, 2, 4, 5, 3.5}));
  EXPECT_EQ(run.plane["points"]["y"], Json({2, 2, 2, 2, 2}));
  EXPECT_EQ(run.plane["weights"], Json({run.result.model.weights.w[0], run.result.model.weights.bias[0], 0.0}));
  const Json& m = run.plane["moments"];
  for (std::size_t i = 0; i < m["update"].size(); ++i) {
    const double before = m["before"][i].is_null() ? m["weights"][i - 1][1] : m["before"][i][1];
    EXPECT_EQ(m["weights"][i][1].get<double>() - before, m["label"][i] == 1 ? 2 : -2);  // the constant is added to w
  }
  EXPECT_TRUE(has(plane_section(run.plane), "goes through the origin", "<figure class=\"plane-weights\">"));
}

// Without a bias every class has a line of its own, and the boundary is upright.
TEST_F(PlaneTest, OneFeatureIsALineForEachClass) {
  const std::string path = write("one.csv", "size,kind\n1,a\n2,a\n4,b\n5,b\n3.5,a\n");
  TrainOptions options = perceptron_on(path);
  options.composition.bias.position = Bias::none;
  const Recorded run = recorded(options);
  ASSERT_EQ(run.plane["kind"], "feature");
  EXPECT_EQ(run.plane["points"]["x"], Json({1, 2, 4, 5, 3.5}));
  EXPECT_EQ(run.plane["points"]["y"], Json({0, 0, 1, 1, 0}));
  EXPECT_EQ(run.plane["weights"], Json({run.result.model.weights.w[0], 0.0, 0.0}));
  EXPECT_TRUE(
      has(plane_section(run.plane), "each class on a line of its own", "<figure class=\"plane-weights\" hidden>"));
}

// The perceptron on larks.csv, read and played here with nothing of the library.
TEST(Plane, WeightsRowsAndScoresAreTheEnginesOwnBitForBit) {
  struct Row {
    double x, y;
    int label;
  };
  std::vector<Row> rows;
  std::ifstream in(larks);
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) {
    const std::size_t a = line.find(','), b = line.find(',', a + 1);
    rows.push_back({std::stod(line), std::stod(line.substr(a + 1)), line.substr(b + 1) == "woodlark" ? 1 : 0});
  }
  const Json plane = recorded(perceptron_on(larks)).plane;
  ASSERT_EQ(plane["kind"], "features");
  ASSERT_EQ(plane["points"]["x"].size(), rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(plane["points"]["row"][i], i + 1);
    EXPECT_EQ(plane["points"]["x"][i].get<double>(), rows[i].x);
    EXPECT_EQ(plane["points"]["y"][i].get<double>(), rows[i].y);
    EXPECT_EQ(plane["points"]["label"][i], rows[i].label);
  }
  double w1 = 0, w2 = 0, w3 = 0;
  std::size_t moment = 0, round = 0, quiet = 0;
  const Json& m = plane["moments"];
  EXPECT_EQ(m["before"][0], Json({0.0, 0.0, 0.0}));
  while (quiet < rows.size()) {
    const Row& row = rows[round++ % rows.size()];
    const double y = row.label == 1 ? 1 : -1;
    const double score = (w1 * row.x + w2 * row.y) + w3;  // tenths: the lanes of a sum of two are its terms
    if (y * score > 0) {
      ++quiet;
      continue;
    }
    quiet = 0;
    w1 = std::fma(y, row.x, w1);
    w2 = std::fma(y, row.y, w2);
    w3 += y;
    ASSERT_LT(moment, m["update"].size());
    EXPECT_EQ(m["round"][moment], round);
    EXPECT_EQ(m["score"][moment].get<double>(), score) << round;
    EXPECT_EQ(m["x"][moment].get<double>(), row.x);
    EXPECT_EQ(m["weights"][moment], Json({w1, w2, w3})) << round;
    ++moment;
  }
  EXPECT_EQ(moment, m["update"].size());
  EXPECT_EQ(plane["updates"], moment);
  EXPECT_EQ(plane["weights"], Json({w1, w2, w3}));
}

// The average is the mean of the weights after each round, the pocket one of the vectors before the update.
TEST_F(PlaneTest, MomentsHaveWhatTheKeeperWouldReturn) {
  TrainOptions options = perceptron_on(larks);
  EXPECT_FALSE(recorded(options).plane["moments"].contains("kept"));
  options.composition.keep = KeepName::average;
  const Json m = recorded(options).plane["moments"];
  ASSERT_EQ(m["kept"].size(), m["update"].size());
  std::vector<double> sum(3), now(3);
  std::size_t at = 0;
  for (std::uint64_t round = 1; at < m["update"].size(); ++round) {
    const bool moved = m["round"][at] == round;
    for (std::size_t k = 0; k < 3; ++k) {
      if (moved) now[k] = m["weights"][at][k].get<double>();
      sum[k] += now[k];
      if (moved) {
        EXPECT_NEAR(m["kept"][at][k].get<double>(), sum[k] / static_cast<double>(round), 1e-9) << round;
      }
    }
    if (moved) ++at;
  }
  options.composition.keep = KeepName::pocket;
  EXPECT_FALSE(recorded(options).plane["moments"].contains("kept")) << "known at the end alone";
  options.composition.order = OrderName::random_mistake;
  options.until.updates = 30;
  const Recorded pocket = recorded(options);
  const Json& kept = pocket.plane["moments"]["kept"];
  ASSERT_FALSE(kept.empty());
  for (const Json& weights : kept) {
    const Json& all = pocket.plane["moments"]["weights"];
    EXPECT_TRUE(std::any_of(all.begin(), all.end(), [&](const Json& one) { return one == weights; }) ||
                weights == pocket.plane["moments"]["before"][0]);
  }
}

// A long run: 40 passes over labels that no line tells apart.
std::string noise(int rows, std::uint64_t seed, int features = 2) {
  testing::Chance chance(seed);
  std::ostringstream text;
  for (int i = 0; i < rows; ++i) {
    text << (chance.one_in(2) ? "+1" : "-1");
    for (int j = 1; j <= features; ++j) text << ' ' << j << ':' << chance.between(-99, 99) / 10.0;
    text << '\n';
  }
  return text.str();
}

TEST_F(PlaneTest, LaterMomentsBeginWhereTheUpdateBeforeThemEnded) {
  const TrainOptions options = perceptron_on(write("noise.svm", noise(50, 3)));
  const Json all = recorded(options, {}, {.moments = 100'000}).plane;
  const Json few = recorded(options, {}, {.moments = 60}).plane;
  ASSERT_GT(all["updates"].get<int>(), 500);
  ASSERT_EQ(all["moments"]["update"].size(), all["updates"]);
  ASSERT_LE(few["moments"]["update"].size(), 60U);
  EXPECT_EQ(few["updates"], all["updates"]);
  std::size_t jumps = 0;
  for (std::size_t i = 0; i < few["moments"]["update"].size(); ++i) {
    const auto update = few["moments"]["update"][i].get<std::size_t>();
    for (const char* key : {"round", "row", "label", "score", "mistake", "x", "y", "weights"})
      EXPECT_EQ(few["moments"][key][i], all["moments"][key][update - 1]) << key << " of update " << update;
    if (i == 0) continue;
    const bool follows = few["moments"]["update"][i - 1].get<std::size_t>() + 1 == update;
    EXPECT_EQ(few["moments"]["before"][i].is_null(), follows);
    if (!follows) {
      EXPECT_EQ(few["moments"]["before"][i], all["moments"]["weights"][update - 2]);
      ++jumps;
    }
  }
  EXPECT_GT(jumps, 10U);
}

// Rows at a stride, the same however the blocks are cut, and never more than the limit.
TEST(Plane, RowsAreSpreadEvenlyWhateverTheBlocks) {
  for (const std::size_t total : {1UL, 99UL, 100UL, 101UL, 1000UL, 12'345UL}) {
    std::set<std::vector<std::uint64_t>> outcomes;
    for (const std::size_t piece : {1UL, 7UL, 64UL, 4096UL, 100'000UL}) {
      PlaneRecord record({.rows = 100});
      BlockBuffer buffer;
      for (std::size_t row = 1; row <= total; ++row) {
        buffer.add(0, static_cast<double>(row));
        buffer.add(1, 0.5);
        buffer.end_row(0, row);
        if (buffer.rows() == piece || row == total) {
          record.rows(buffer.finish());
          buffer.clear();
        }
      }
      TrainResult result;
      result.model.schema.features = 2;
      result.model.schema.labels.names = {"-1", "+1"};
      result.model.weights = {1, {1.0, 1.0}, {0.0}};
      const Json plane = record.picture(result, nullptr, {});
      const auto rows = plane["points"]["row"].get<std::vector<std::uint64_t>>();
      ASSERT_LE(rows.size(), 100U);
      ASSERT_GE(rows.size(), std::min<std::size_t>(total, 50));
      for (std::size_t i = 0; i < rows.size(); ++i) {
        ASSERT_EQ(rows[i], 1 + i * (rows.size() > 1 ? rows[1] - rows[0] : 1));
        ASSERT_EQ(plane["points"]["x"][i].get<double>(), static_cast<double>(rows[i]));
      }
      outcomes.insert(rows);
    }
    EXPECT_EQ(outcomes.size(), 1U) << total;
  }
}

double score_in_plane(const Json& plane, const Json& weights, std::size_t k, double x, double y) {
  return weights[3 * k].get<double>() * x + weights[3 * k + 1].get<double>() * y +
         weights[3 * k + 2].get<double>() * plane["constant"].get<double>();
}

// What the page says of the projection: for the weights handed out every row is on the side where it is drawn.
TEST_F(PlaneTest, ProjectionShowsEveryScoreOfTheWeightsHandedOut) {
  for (const KeepName keep : {KeepName::last, KeepName::average}) {
    TrainOptions options = perceptron_on(write("noise.svm", noise(80, 5, 6)));
    options.composition.keep = keep;
    options.composition.bias.scale = 2.5;
    const Recorded run = recorded(options);
    ASSERT_EQ(run.plane["kind"], "projection");
    BlockBuffer rows;
    ReadOptions read;
    read.path = options.read.path;
    Reader(read).read([&](const Block& block) {
      for (std::size_t i = 0; i < block.rows; ++i) rows.append(block, i);
      return true;
    });
    std::vector<std::int32_t> classes;
    std::vector<double> scores;
    Predictor(run.result.model).predict(rows.finish(), classes, scores);
    const Json& points = run.plane["points"];
    for (std::size_t i = 0; i < points["x"].size(); ++i) {
      const double drawn = score_in_plane(run.plane, run.plane["weights"], 0, points["x"][i], points["y"][i]);
      const std::size_t row = points["row"][i].get<std::size_t>() - 1;
      EXPECT_NEAR(drawn, scores[row], 1e-9 * (1 + std::abs(scores[row])));
      EXPECT_EQ(points["predicted"][i], classes[row]);
    }
  }
}

// Of three classes every comparison is exact; of two features everything is.
TEST_F(PlaneTest, ProjectionShowsEveryComparisonOfThreeClasses) {
  testing::Chance chance(8);
  std::ostringstream text;
  for (int i = 0; i < 60; ++i) {
    const int label = chance.between(0, 2);
    text << label;
    for (int j = 1; j <= 5; ++j) text << ' ' << j << ':' << chance.between(-20, 20) + (j == label + 1 ? 30 : 0);
    text << '\n';
  }
  TrainOptions options = perceptron_on(write("three.svm", text.str()));
  const Recorded run = recorded(options);
  ASSERT_EQ(run.plane["kind"], "projection");
  ASSERT_EQ(run.plane["weights"].size(), 9U);
  const Json& points = run.plane["points"];
  std::map<int, int> seen;
  for (std::size_t i = 0; i < points["x"].size(); ++i) {
    std::vector<double> scores;
    for (std::size_t k = 0; k < 3; ++k)
      scores.push_back(score_in_plane(run.plane, run.plane["weights"], k, points["x"][i], points["y"][i]));
    const auto best = std::max_element(scores.begin(), scores.end()) - scores.begin();
    EXPECT_EQ(best, points["predicted"][i].get<std::ptrdiff_t>()) << i;
    ++seen[static_cast<int>(best)];
  }
  EXPECT_EQ(seen.size(), 3U);
}

// A slice: with every other feature at its mean the score is the engine's own.
TEST_F(PlaneTest, SliceShowsTheScoreWithTheOthersAtTheirMean) {
  const TrainOptions options = perceptron_on(write("noise.svm", noise(64, 9, 4)));
  const Recorded run = recorded(options, {.features = "4,2"});
  ASSERT_EQ(run.plane["kind"], "slice");
  EXPECT_EQ(run.plane["axes"][0]["name"], "4");
  const std::vector<double>& w = run.result.model.weights.w;
  EXPECT_EQ(run.plane["weights"][0].get<double>(), w[3]);
  EXPECT_EQ(run.plane["weights"][1].get<double>(), w[1]);
  double mean[4] = {0, 0, 0, 0};
  const Json first = recorded(options, {.features = "1,3"}).plane;
  for (std::size_t i = 0; i < 64; ++i) {
    mean[0] += first["points"]["x"][i].get<double>() / 64;
    mean[2] += first["points"]["y"][i].get<double>() / 64;
  }
  EXPECT_NEAR(run.plane["weights"][2].get<double>(), w[0] * mean[0] + w[2] * mean[2] + run.result.model.weights.bias[0],
              1e-9);
}

TEST_F(PlaneTest, WhatIsAskedForMustBeThere) {
  const TrainOptions options = perceptron_on(larks);
  EXPECT_EQ(recorded(options, {.features = "tail,wing"}).plane["axes"][0]["name"], "tail");
  for (const char* wrong : {"tail,wing2", "tail", "tail,tail", ",", "wing,"}) {
    try {
      recorded(options, {.features = wrong});
      ADD_FAILURE() << wrong;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::usage) << wrong;
    }
  }
  EXPECT_EQ(recorded(options, {.projection = true}).plane["kind"], "projection");
  EXPECT_TRUE(recorded(options, {}, {.features = 1}).plane.is_null());
}

// Rules whose step is not along y x, starts that are not zero, and runs gone on with: the first moment begins where the
// engine did.
TEST_F(PlaneTest, TheFirstMomentBeginsWhereTheRunDid) {
  TrainOptions options = perceptron_on(larks);
  options.composition.start.small = true;
  const Recorded small = recorded(options);
  EXPECT_NE(small.plane["moments"]["before"][0][0], 0.0);
  EXPECT_LE(std::abs(small.plane["moments"]["before"][0][0].get<double>()), 0.01);

  options.composition.start.small = false;
  options.until.updates = 9;
  const Recorded first = recorded(options);
  TrainOptions on = perceptron_on(larks);
  on.resume = &first.result.model;
  const Json second = recorded(on).plane;
  const Json whole = recorded(perceptron_on(larks)).plane;
  EXPECT_EQ(second["moments"]["before"][0], first.plane["weights"]);
  EXPECT_EQ(second["weights"], whole["weights"]);

  TrainOptions minnow = perceptron_on(larks);
  minnow.composition.rule = rule::minnow;
  minnow.composition.set(parameter::both_signs, false);
  minnow.composition.set(parameter::rate, 0.1);
  minnow.until.passes = 3;
  const Json uniform = recorded(minnow).plane;
  for (const Json& weight : uniform["moments"]["before"][0]) EXPECT_EQ(weight.get<double>(), 1.0 / 3);
}

TEST(PlaneSection, DrawsEveryRowOnceAndRingsTheWrongOnes) {
  TrainOptions options = perceptron_on(larks);
  options.until.clean = Clean::no;
  options.until.passes = 1;
  const Recorded run = recorded(options);
  const std::string html = plane_section(run.plane);
  const std::string panel = html.substr(0, html.find("</svg>"));
  // An o is two arcs, an × has two strokes.
  std::size_t positive = 0, wrong = 0;
  for (std::size_t i = 0; i < 60; ++i) {
    positive += run.plane["points"]["label"][i] == 1;
    wrong += run.plane["points"]["label"][i] != run.plane["points"]["predicted"][i];
  }
  ASSERT_GT(wrong, 0U);
  EXPECT_EQ(count(panel, "a5 5 "), 2 * positive);
  EXPECT_EQ(count(panel, "l10 10m0 -10l-10 10"), 60 - positive);
  EXPECT_EQ(count(panel, "a9 9 "), 2 * wrong);
  EXPECT_EQ(count(html, "<li>"), 6U);
}

TEST_F(PlaneTest, NamesStayText) {
  const std::string hostile = "<script>alert(1)</script>\"'&";
  const Recorded run = recorded(perceptron_on(
      write("hostile.csv",
            "\"<script>alert(1)</script>\"\"'&\",b,label\n1,2,<img src=x>\n-1,1,<b>\n2,-3,<img src=x>\n-2,1,<b>\n")));
  ASSERT_EQ(run.plane["axes"][0]["name"], hostile);
  const std::string html = plane_section(run.plane);
  EXPECT_TRUE(lacks(html, "<script", "<img", "<b>"));
  EXPECT_TRUE(has(html, "&lt;script&gt;"));
}

// A page may be asked for from any JSON: each part taken away, or made something else, is refused by name.
TEST(PlaneSection, RefusesWhatIsNoPlane) {
  const Json good = recorded(perceptron_on(larks)).plane;
  EXPECT_NO_THROW(plane_section(good));
  std::size_t tried = 0;
  const auto refused = [&](const Json& bad, const std::string& what) {
    ++tried;
    try {
      plane_section(bad);
      ADD_FAILURE() << what;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::data) << what;
      EXPECT_TRUE(has(error.message(), "run.plane")) << what;
    }
  };
  for (const char* key : {"kind", "axes", "classes", "tie", "keep", "bias", "constant", "weights", "rows", "updates",
                          "points", "moments"}) {
    Json bad = good;
    bad.erase(key);
    refused(bad, key);
    bad[key] = true;
    refused(bad, key);
  }
  for (const char* part : {"points", "moments"}) {
    for (const auto& [name, value] : good[part].items()) {
      Json bad = good;
      EXPECT_EQ(bad[part].erase(name), 1U);
      refused(bad, name);
      bad = good;
      bad[part][name].erase(0);
      refused(bad, name + " shorter");
      bad = good;
      bad[part][name][3] = "text";
      refused(bad, name + " text");
    }
  }
  Json bad = good;
  bad["points"]["label"][2] = 7;
  refused(bad, "label 7");
  bad = good;
  bad["moments"]["weights"][1].erase(0);
  refused(bad, "two weights");
  refused(Json::array(), "array");
  EXPECT_GT(tried, 60U);
}

}  // namespace
}  // namespace halfspace::report
