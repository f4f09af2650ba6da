// Pairs of classes that no hyperplane separates, and whole questions, against an oracle that shares nothing with them.

#include "proof/decide/pairs.h"

#include <atomic>
#include <numeric>

#include "certificate_support.h"
#include "exact_oracle.h"
#include "halfspace/proof/certify.h"
#include "proof/certify/proof_text.h"
#include "proof/exact/separator.h"
#include "support/test.h"

namespace halfspace::proof {
namespace {

const auto silent = [](const char*, Bracket) {};

struct Labelled {
  std::vector<std::vector<int>> x;
  std::vector<int> klass;
  bool biased = true;
  int classes = 3;

  std::string text() const {
    std::string lines;
    for (std::size_t i = 0; i < x.size(); ++i) {
      lines += std::to_string(klass[i]);
      for (std::size_t j = 0; j < x[i].size(); ++j)
        lines += " " + std::to_string(j + 1) + ":" + std::to_string(x[i][j]);
      lines += "\n";
    }
    return lines;
  }

  Points points() const {
    Points all{RowsOptions{}};
    for (std::size_t i = 0; i < x.size(); ++i) {
      for (std::size_t j = 0; j < x[i].size(); ++j) {
        if (x[i][j] != 0) all.add(static_cast<std::uint32_t>(j), std::int64_t{x[i][j]}, 0);
      }
      all.end_row(0, i + 1, klass[i]);
    }
    all.finish(static_cast<std::uint32_t>(x[0].size()));
    return all;
  }

  // Of the longest row.
  double squared_radius() const {
    double most = 0;
    for (const std::vector<int>& row : x)
      most = std::max(most, std::inner_product(row.begin(), row.end(), row.begin(), biased ? 1.0 : 0.0));
    return most;
  }

  // The vectors of two classes, or of all; that of the last class is 0, as only differences count.
  bool separable(const std::vector<int>& of) const {
    std::vector<Inequality> system;
    const std::size_t width = x[0].size() + (biased ? 1 : 0);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const auto own = std::find(of.begin(), of.end(), klass[i]);
      if (own == of.end()) continue;
      for (std::size_t r = 0; r < of.size(); ++r) {
        if (of[r] == *own) continue;
        Inequality z{std::vector<Wide>(width * (of.size() - 1))};
        for (std::size_t j = 0; j < width; ++j) {
          const int value = j < x[i].size() ? x[i][j] : 1;
          const auto k = static_cast<std::size_t>(own - of.begin());
          if (k + 1 < of.size()) z.z[k * width + j] = value;
          if (r + 1 < of.size()) z.z[r * width + j] = -value;
        }
        system.push_back(std::move(z));
      }
    }
    return satisfiable(system);
  }
};

Labelled drawn(std::mt19937_64& draws) {
  Labelled set;
  set.biased = draws() % 2 == 0;
  const std::size_t rows = 4 + draws() % 3;
  const auto coordinate = [&] { return static_cast<int>(draws() % 5) - 2; };
  for (std::size_t i = 0; i < rows; ++i) {
    set.klass.push_back(static_cast<int>(i) % 3);
    set.x.push_back({coordinate(), coordinate()});
  }
  return set;
}

std::string words_of(const CertifyResult& result) { return certify_text(result, {}, {}); }

TEST(Pairs, AreFoundWhereTheOracleFindsThemAndDecideTheWholeQuestion) {
  std::mt19937_64 draws(7);
  const TemporaryFolder folder;
  unsigned found = 0;
  for (int round = 0; round < 300; ++round) {
    const Labelled set = drawn(draws);
    const Points points = set.points();
    const Asked asked{.classes = 3, .positive = 1, .biased = set.biased, .bias_scale = 1};
    const auto pair = inseparable_pair(points, asked, {}, silent);
    const bool pairwise = set.separable({0, 1}) && set.separable({0, 2}) && set.separable({1, 2});
    ASSERT_EQ(pair.has_value(), !pairwise) << set.text();
    ASSERT_TRUE(!pair || pair->witness);
    const mpq_class longest = squared_radius(points, asked);
    ASSERT_TRUE(squared_length_of_points(longest, asked) == squared_radius(pose(points, asked, {}, {}).problem));
    if (pair) {
      const Posed part = pose_part(points, asked, pair->origins, {}, {});
      ASSERT_TRUE(is_witness(part.problem, pair->weights)) << set.text();
    }
    CertifyOptions options;
    options.bias = set.biased ? BiasPosition::last : BiasPosition::none;
    options.read.path = folder.write("data", set.text());
    const CertifyResult result = certify(options);
    ASSERT_NEAR(result.radius * result.radius, set.squared_radius(), 1e-9) << set.text();
    const bool separable = set.separable({0, 1, 2});
    ASSERT_EQ(result.verdict, separable ? Verdict::separable : Verdict::not_separable) << set.text();
    ASSERT_TRUE(set.biased || !has(words_of(result), "hulls")) << words_of(result);
    found += pairwise ? 0 : 1;
  }
  EXPECT_GT(found, 50U);
  EXPECT_LT(found, 250U);
}

// Any two of the three can be separated: of the hulls of their classes nothing can be said.
TEST(Pairs, APinwheelOfThreeClassesHasNone) {
  const Labelled pinwheel{.x = {{110, 1},
                                {300, 1},
                                {10, -1},
                                {220, -1},
                                {44, 87},
                                {-51, 239},
                                {96, 9},
                                {-9, 177},
                                {-4, -9},
                                {-99, -161},
                                {44, 73},
                                {-61, -95}},
                          .klass = {0, 0, 2, 2, 1, 1, 0, 0, 2, 2, 1, 1}};
  const Asked asked{.classes = 3, .positive = 1, .biased = true, .bias_scale = 1};
  EXPECT_FALSE(inseparable_pair(pinwheel.points(), asked, {}, silent));
  const TemporaryFolder folder;
  CertifyOptions options;
  options.read.path = folder.write("data", pinwheel.text());
  const CertifyResult result = certify(options);
  EXPECT_EQ(result.verdict, Verdict::not_separable);
  EXPECT_TRUE(has(words_of(result), "comparisons of a row's class with another prove it: weighted, they cancel out"));
  EXPECT_FALSE(has(words_of(result), "hulls"));
}

// Ended among its pairs, a question has the bound of the last one, and is not said to lack time.
TEST(Pairs, AnInterruptionLeavesABound) {
  const TemporaryFolder folder;
  CertifyOptions options;
  options.read.path = folder.write("data", "0 1:1\n0 1:5\n1 1:3\n1 1:7\n2 1:9\n");
  std::atomic<bool> interrupt{false};
  options.interrupt = &interrupt;
  options.on_progress = [&](const CertifyProgress&) { interrupt = true; };
  const CertifyResult result = certify(options);
  EXPECT_EQ(result.verdict, Verdict::undecided);
  ASSERT_TRUE(result.certified);
  EXPECT_LT(result.margin_upper, result.radius);
  EXPECT_TRUE(has(words_of(result), "Interrupted after"));
  EXPECT_FALSE(has(words_of(result), "resume"));
}

}  // namespace
}  // namespace halfspace::proof
