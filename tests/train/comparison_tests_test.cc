// Tests of comparisons against SciPy 1.10.1 (each expected value: the call that gave it), enumeration, and simulation.
#include "halfspace/detail/train/comparison_tests.h"

#include "halfspace/base/error.h"
#include "halfspace/base/random.h"
#include "support/test.h"

namespace halfspace {
namespace {

void expect_close(double value, double expected, double relative = 1e-12) {
  EXPECT_LE(std::abs(value - expected), relative * std::abs(expected)) << value << " instead of " << expected;
}

// binomtest(min(b, c), b + c, 0.5).pvalue
TEST(McNemar, AgreesWithSciPy) {
  struct Case {
    std::uint64_t b, c;
    double exact;
  };
  for (const Case& one : {Case{10, 3, 0.09228515625}, Case{59, 6, 4.964650327128616e-12}, Case{0, 5, 0.0625},
                          Case{120, 95, 0.10145232764870683}, Case{3000, 3210, 0.007992664972495922},
                          Case{500000, 502000, 0.0458246952632217}}) {
    const double precise = one.b < 100'000 ? 1e-12 : 1e-9;  // SciPy's own precision for large counts
    expect_close(mcnemar_exact(one.b, one.c).p_value, one.exact, precise);
    expect_close(mcnemar_exact(one.c, one.b).p_value, one.exact, precise);
  }
  EXPECT_EQ(mcnemar_exact(0, 0).p_value, 1);
  EXPECT_EQ(mcnemar_exact(7, 7).p_value, 1);
}

// Sums of binomial coefficients, which doubles hold exactly.
TEST(McNemar, AgreesWithCounting) {
  for (std::uint64_t n = 1; n <= 50; ++n) {
    double sum = 0, coefficient = 1;
    for (std::uint64_t k = 0; 2 * k < n; ++k) {
      sum += coefficient;
      coefficient = std::round(coefficient * static_cast<double>(n - k) / static_cast<double>(k + 1));
      expect_close(mcnemar_exact(k, n - k).p_value, std::min(1.0, std::ldexp(sum, 1 - static_cast<int>(n))));
    }
  }
}

// x = mean / sqrt((1 / n + r) * var(ddof=1)); 2 * t.sf(abs(x), n - 1)
TEST(CorrectedResampledT, AgreesWithSciPy) {
  const auto expect = [](const std::vector<double>& d, double share, double statistic, double p) {
    const TestResult found = corrected_resampled_t(d, share);
    expect_close(found.statistic, statistic);
    expect_close(found.p_value, p);
  };
  const std::vector<double> ten = {0.02, -0.01, 0.03, 0.01, 0.015, 0.0, 0.025, -0.005, 0.01, 0.02};
  expect(ten, 1.0 / 9, 1.9056702094980709, 0.08907660056594399);
  expect(ten, 0, 2.7688746209726918, 0.021793573193719284);  // without the correction: ttest_1samp(d, 0)
  expect({0.1, 0.3}, 1, 1.1547005383792517, 0.4543710516570098);
  expect({-.01, -.02, -.015, -.0125, -.011}, .25, -5.113684933396802, 0.006916416731893719);
  std::vector<double> hundred;
  for (int i = 0; i < 100; ++i) hundred.push_back(i * 0.001 - 0.01);
  expect(hundred, 1.0 / 9, 3.9123260152585004, 0.00016776135296766442);
}

TEST(CorrectedResampledT, OfEqualDifferences) {
  const std::vector<double> none(5, 0.0), some(5, -0.25);
  EXPECT_EQ(corrected_resampled_t(none, 0.25).p_value, 1);
  EXPECT_EQ(corrected_resampled_t(some, 0.25).p_value, 0);
  EXPECT_EQ(corrected_resampled_t(some, 0.25).statistic, -std::numeric_limits<double>::infinity());
  EXPECT_THROW(corrected_resampled_t(std::vector<double>{1}, 0.25), Error);
}

// wilcoxon(x, method='exact'); of 300: method='approx', correction=False
TEST(Wilcoxon, AgreesWithSciPy) {
  const auto expect = [](const std::vector<double>& d, double statistic, double p) {
    const TestResult found = wilcoxon_signed_rank(d);
    EXPECT_EQ(found.statistic, statistic);
    expect_close(found.p_value, p);
  };
  expect({1.1, -0.4, 2.3, 0.9, -0.2, 3.1, 1.7, 0.5}, 3, 0.0390625);
  const auto signs = [](int count) {
    std::vector<double> d;
    for (int i = 0; i < count; ++i) d.push_back(i % 3 != 0 ? i + 1 : -i - 1);
    return d;
  };
  expect(signs(30), 145, 0.07324407435953617);
  expect(signs(300), 14950, 3.964417054281965e-07);
  EXPECT_EQ(wilcoxon_signed_rank(std::vector<double>{0, 0, 0}).p_value, 1);
}

// All 2^n signs of midranks.
TEST(Wilcoxon, IsExactWithTies) {
  const std::vector<double> d = {0.1, -0.1, 0.1, 0, 0.3, 0.3, -0.2, 0.4, 0.5, 0.5};
  const std::vector<double> rank = {2, 2, 2, 5.5, 5.5, 4, 7, 8.5, 8.5};  // of the 9 that are not 0
  const double found = 2 + 4;                                            // the ranks of -0.1 and -0.2
  int at_most = 0;
  for (int signs = 0; signs < 512; ++signs) {
    double sum = 0;
    for (std::size_t i = 0; i < 9; ++i) sum += (signs >> i & 1) != 0 ? rank[i] : 0;
    at_most += sum <= found;
  }
  EXPECT_EQ(wilcoxon_signed_rank(d).statistic, found);
  expect_close(wilcoxon_signed_rank(d).p_value, 2.0 * at_most / 512);
}

// rankdata(-scores)
TEST(AverageRanks, ShareTies) {
  EXPECT_EQ(average_ranks(std::vector<double>{0.9, 0.7, 0.9, 0.8}), (std::vector<double>{1.5, 4, 1.5, 3}));
  EXPECT_EQ(average_ranks(std::vector<double>{0.5, 0.5, 0.5}), (std::vector<double>{2, 2, 2}));
  EXPECT_EQ(average_ranks(std::vector<double>{0.3, 0.1 + 0.2}), (std::vector<double>{1.5, 1.5}));
}

// R: p.adjust(p, "holm")
TEST(Holm, AdjustsInOrder) {
  const std::vector<double> adjusted = holm(std::vector<double>{0.01, 0.04, 0.03, 0.005});
  const std::vector<double> expected = {0.03, 0.06, 0.06, 0.02};
  for (std::size_t i = 0; i < 4; ++i) expect_close(adjusted[i], expected[i]);
  EXPECT_EQ(holm(std::vector<double>{0.9, 0.6}), (std::vector<double>{1, 1}));
}

// The table 6 of Demsar 2006, whose ranks are 3.143, 2.000, 2.893 and 1.964. friedmanchisquare, f.sf(F, 3, 39).
TEST(Friedman, AgreesWithSciPyOnDemsarsTable) {
  const std::vector<std::vector<double>> scores = {
      {0.763, 0.768, 0.771, 0.798},  {0.599, 0.591, 0.590, 0.569}, {0.954, 0.971, 0.968, 0.967},
      {0.628, 0.661, 0.654, 0.657},  {0.882, 0.888, 0.886, 0.898}, {0.936, 0.931, 0.916, 0.931},
      {0.661, 0.668, 0.609, 0.685},  {0.583, 0.583, 0.563, 0.625}, {0.775, 0.838, 0.866, 0.875},
      {1.000, 1.000, 1.000, 1.000},  {0.940, 0.962, 0.965, 0.962}, {0.619, 0.666, 0.614, 0.669},
      {0.972, 0.981, 0.9751, 0.975}, {0.957, 0.978, 0.946, 0.970}};
  const FriedmanTest test = friedman(scores);
  const std::vector<double> ranks = {44.0 / 14, 28.0 / 14, 40.5 / 14, 27.5 / 14};
  for (std::size_t j = 0; j < 4; ++j) expect_close(test.mean_ranks[j], ranks[j]);
  expect_close(test.chi_squared, 10.228346456692925);
  expect_close(test.chi_squared_p, 0.016721580328441323);
  expect_close(test.f, 4.1851301115241695);
  expect_close(test.p_value, 0.011620659515310954);
}

TEST(Friedman, AgreesWithSciPyOnAnEvenNumberOfDegrees) {
  const std::vector<std::vector<double>> scores = {{-0.8, -1.0, 0.4, 1.3, 2.3}, {0.1, -0.3, -0.2, 1.6, 2.8},
                                                   {0.3, -0.9, -0.4, 2.5, 1.4}, {-1.7, 0.2, -0.6, 0.3, 0.7},
                                                   {-0.7, 0.9, 0.5, 0.3, 1.6},  {0.8, -1.3, 0.3, -0.1, 1.0},
                                                   {-1.3, 0.3, 0.6, 0.6, 0.2}};
  const FriedmanTest test = friedman(scores);
  expect_close(test.chi_squared, 11.942446043165472);
  expect_close(test.chi_squared_p, 0.01778442254392467);
  expect_close(test.f, 4.462365591397852);
  expect_close(test.p_value, 0.0077424667028926485);
}

TEST(Friedman, OfAgreementAndOfTies) {
  const FriedmanTest agree = friedman(std::vector<std::vector<double>>(2, {0.9, 0.8, 0.7}));
  EXPECT_TRUE(std::isinf(agree.f));
  expect_close(agree.p_value, 1.0 / 6);  // two sets agree by chance once in 3! times
  const FriedmanTest ties = friedman(std::vector<std::vector<double>>(4, {0.9, 0.9}));
  EXPECT_EQ(ties.p_value, 1);
  EXPECT_EQ(ties.mean_ranks, (std::vector<double>{1.5, 1.5}));
  EXPECT_THROW(friedman(std::vector<std::vector<double>>(1, {0.9, 0.8})), Error);
  EXPECT_THROW(friedman(std::vector<std::vector<double>>(3, {0.9})), Error);
}

// studentized_range.ppf(p, k, inf), p = 0.95, 0.9, 0.99; studentized_range.cdf(3, k, inf)
TEST(StudentizedRange, AgreesWithSciPy) {
  struct Case {
    unsigned k;
    double at_95, at_90, at_99, below_3;
  };
  for (const Case& one : {Case{2, 2.771807648699355, 2.3261743073533476, 3.642772735436894, 0.9661051464753106},
                          Case{3, 3.314493155398122, 2.9023802134282515, 4.12030320646012, 0.9144574283450421},
                          Case{4, 3.6331595749026278, 3.240446220927359, 4.402800861448699, 0.8537285189523403},
                          Case{5, 3.857655510378623, 3.478280550703068, 4.602821042201571, 0.789123495036462},
                          Case{8, 4.286309409349043, 3.9313491004685965, 4.987182689088668, 0.5990613872186419},
                          Case{10, 4.474124221725907, 4.129346398236873, 5.156634960089622, 0.48781592602919316},
                          Case{20, 5.0116887941184425, 4.694104409490512, 5.6452146979858515, 0.15374353380562766},
                          Case{50, 5.646026026380527, 5.356686875267444, 6.228392608582205, 0.0031428109423946487},
                          Case{100, 6.084637537173171, 5.812496242333562, 6.635541907441475, 3.359821600712613e-06}}) {
    EXPECT_NEAR(studentized_range_quantile(0.95, one.k), one.at_95, 1e-10) << one.k;
    EXPECT_NEAR(studentized_range_quantile(0.9, one.k), one.at_90, 1e-10) << one.k;
    EXPECT_NEAR(studentized_range_quantile(0.99, one.k), one.at_99, 1e-10) << one.k;
    EXPECT_NEAR(studentized_range(3, one.k), one.below_3, 1e-10) << one.k;
  }
  // Of two: the absolute value of one normal variable, times the root of 2; sqrt(2) * norm.ppf(0.975).
  EXPECT_NEAR(studentized_range_quantile(0.95, 2), 2.771807648699355, 1e-14);
  EXPECT_NEAR(studentized_range(1.5, 2), std::erf(0.75), 1e-15);
}

TEST(StudentizedRange, QuantileInvertsIt) {
  for (const unsigned k : {2U, 6U, 40U, 200U}) {
    for (const double p : {0.001, 0.3, 0.95, 0.999999})
      EXPECT_NEAR(studentized_range(studentized_range_quantile(p, k), k), p, 1e-14) << k;
  }
  EXPECT_EQ(studentized_range(0, 3), 0);
  EXPECT_THROW(studentized_range_quantile(1, 3), Error);
  EXPECT_THROW(studentized_range_quantile(0.5, 1), Error);
}

// Demsar 2006: q(0.05) of four is 2.569, and 14 data sets give a critical difference of 2.569 sqrt(4 * 5 / (6 * 14)).
TEST(Nemenyi, HasDemsarsCriticalDifference) {
  EXPECT_NEAR(nemenyi_critical_difference(4, 14), 2.569 * std::sqrt(20.0 / 84), 1e-3);
  for (const double confidence : {0.9, 0.95, 0.99}) {
    const double difference = nemenyi_critical_difference(6, 12, confidence);
    EXPECT_NEAR(nemenyi_p_value(difference, 6, 12), 1 - confidence, 1e-12);
    EXPECT_NEAR(nemenyi_p_value(-difference, 6, 12), 1 - confidence, 1e-12);
  }
}

// Under the null hypothesis a level of 5 % is exceeded in about 5 % of experiments.
TEST(ComparisonTests, KeepTheirLevel) {
  Generator draws(7);
  constexpr int runs = 2000;
  int t = 0, wilcoxon = 0, ranks = 0, mcnemar = 0;
  for (int run = 0; run < runs; ++run) {
    std::vector<double> d(10);
    for (double& one : d) one = gaussian(draws);
    t += corrected_resampled_t(d, 0).p_value < 0.05;
    wilcoxon += wilcoxon_signed_rank(d).p_value < 0.05;
    std::vector<std::vector<double>> scores(10, std::vector<double>(4));
    for (std::vector<double>& row : scores) {
      for (double& one : row) one = gaussian(draws);
    }
    ranks += friedman(scores).p_value < 0.05;
    std::uint64_t b = 0;
    for (int i = 0; i < 100; ++i) b += draws.next() < 0.5;
    mcnemar += mcnemar_exact(b, 100 - b).p_value < 0.05;
  }
  // Five standard deviations of the count are 49.
  EXPECT_NEAR(t, 100, 49);
  EXPECT_NEAR(ranks, 100, 49);
  EXPECT_LT(wilcoxon, 149);
  EXPECT_LT(mcnemar, 149);
}

}  // namespace
}  // namespace halfspace
