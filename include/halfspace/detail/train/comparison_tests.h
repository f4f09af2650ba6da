// Statistical tests that compare classifiers: two on one data set, two or more over several data sets.
//
//   mcnemar_exact(only_first_wrong, only_second_wrong).p_value       // both on one test set
//   corrected_resampled_t(differences, 1.0 / (folds - 1)).p_value    // both on the same folds
//   friedman(scores).p_value, nemenyi_critical_difference(...)       // several, over data sets
//
// Sources:
//   McNemar, "Note on the sampling error of the difference between correlated proportions", Psychometrika 12, 1947;
//   Edwards' continuity correction, Psychometrika 13, 1948.
//   Nadeau and Bengio, "Inference for the generalization error", Machine Learning 52, 2003.
//   Demsar, "Statistical comparisons of classifiers over multiple data sets", JMLR 7, 2006: Wilcoxon's test for two
//   classifiers; Friedman's test with the F statistic of Iman and Davenport, then Nemenyi's test, for more.
//   Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6, 1979.
//
// All p-values are two-sided. Relative errors are below 1e-12 for up to a million rows; those of the studentized range
// are absolute. Scores within 1e-12 of each other are ties.
//
// Thread-safety: pure functions. Throw Error(usage) for arguments out of range.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace halfspace {

struct TestResult {
  double statistic = 0;  // may be infinite
  double p_value = 1;
};

// Tests whether two classifiers have the same error rate, from the rows that exactly one of them got wrong: each of
// these is equally likely to be the first's or the second's. Exact binomial test; the statistic is the smaller count.
TestResult mcnemar_exact(std::uint64_t only_first_wrong, std::uint64_t only_second_wrong);

// Tests whether the mean of differences over folds or resamples is 0, by Student's t with n - 1 degrees of freedom. The
// variance of the mean is (1/n + test_share) times that of the differences, because training sets overlap.
// `test_share`: test rows divided by training rows, 1 / (K - 1) for K folds. At least two differences. If all are the
// same and not 0, the statistic is infinite and the p-value 0.
TestResult corrected_resampled_t(std::span<const double> differences, double test_share);

// Wilcoxon's signed-rank test of whether differences are symmetric about 0, one a data set. Drops differences of 0;
// exact, also with ties, for up to 200 others, else the normal approximation. The statistic is the smaller rank sum.
TestResult wilcoxon_signed_rank(std::span<const double> differences);

// Returns the rank of each score, 1 for the highest; ties share the mean of their ranks.
std::vector<double> average_ranks(std::span<const double> scores);

// Returns the p-values adjusted for their number by Holm's procedure, in the given order: those below a level are
// significant, and the probability of any false finding is at most the level.
std::vector<double> holm(std::span<const double> p_values);

// Friedman's test of whether all competitors are equal, corrected for ties.
struct FriedmanTest {
  std::vector<double> mean_ranks;  // of each competitor, over the sets
  double chi_squared = 0;          // k - 1 degrees of freedom
  double chi_squared_p = 1;
  double f = 0;  // Iman and Davenport's, with k - 1 and (k - 1)(n - 1) degrees of freedom; infinite if all sets agree
  // That of f, but at least (k!)^(1 - n), the exact probability that n sets agree by chance.
  double p_value = 1;
};
// `scores`: one row a data set, with the score of each competitor. At least two of both.
FriedmanTest friedman(std::span<const std::vector<double>> scores);

// The distribution of the studentized range of `k` normal variables with known variance (infinite degrees of freedom):
// the probability of a range of at most q, and its inverse. k >= 2, 0 < probability < 1. The inverse takes some milliseconds.
double studentized_range(double q, unsigned k);
double studentized_range_quantile(double probability, unsigned k);

// Returns Nemenyi's critical difference: two of k competitors differ significantly if their mean ranks over n data sets
// differ by at least this.
double nemenyi_critical_difference(unsigned k, std::size_t n, double confidence = 0.95);
// Returns the p-value of a difference of mean ranks by Nemenyi's test, adjusted for all pairs.
double nemenyi_p_value(double rank_difference, unsigned k, std::size_t n);

}  // namespace halfspace
