// Bounds on a probability of error: against the formulas in 200 digits, against exact binomial sums, and what they claim
// to cover, on streams drawn at random and by adversaries. HALFSPACE_RUNS=10000 tries as many pairs (a minute).
#include "halfspace/bounds/expected_error.h"

#include <gtest/gtest.h>
#include <mpfr.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "halfspace/base/random.h"
#include "support/exact.h"

namespace halfspace::testing {
namespace {

std::uint64_t runs(std::uint64_t usual) {
  const char* wanted = std::getenv("HALFSPACE_RUNS");
  return wanted == nullptr ? usual : static_cast<std::uint64_t>(std::strtoull(wanted, nullptr, 10));
}

class Coins {
 public:
  explicit Coins(std::uint64_t seed) : draws_(seed) {}
  double uniform() { return draws_.next(); }
  std::uint64_t below(std::uint64_t count) {
    return static_cast<std::uint64_t>(draws_.next() * static_cast<double>(count));
  }

 private:
  Generator draws_;
};

// A number of 200 digits.
class Digits {
 public:
  Digits(double value = 0) {  // NOLINT: numbers convert
    mpfr_init2(number_, 700);
    mpfr_set_d(number_, value, MPFR_RNDN);
  }
  Digits(const Digits& other) : Digits() { mpfr_set(number_, other.number_, MPFR_RNDN); }
  Digits& operator=(const Digits& other) {
    mpfr_set(number_, other.number_, MPFR_RNDN);
    return *this;
  }
  ~Digits() { mpfr_clear(number_); }

  friend Digits operator+(const Digits& a, const Digits& b) { return applied(mpfr_add, a, b); }
  friend Digits operator-(const Digits& a, const Digits& b) { return applied(mpfr_sub, a, b); }
  friend Digits operator*(const Digits& a, const Digits& b) { return applied(mpfr_mul, a, b); }
  friend Digits operator/(const Digits& a, const Digits& b) { return applied(mpfr_div, a, b); }
  friend bool operator>=(const Digits& a, const Digits& b) { return mpfr_cmp(a.number_, b.number_) >= 0; }
  friend Digits exp(const Digits& a) { return applied(mpfr_exp, a); }
  friend Digits expm1(const Digits& a) { return applied(mpfr_expm1, a); }
  friend Digits log1p(const Digits& a) { return applied(mpfr_log1p, a); }
  friend Digits sqrt(const Digits& a) { return applied(mpfr_sqrt, a); }

 private:
  template <class F, class... A>
  static Digits applied(F f, const A&... arguments) {
    Digits result;
    f(result.number_, arguments.number_..., MPFR_RNDN);
    return result;
  }
  mpfr_t number_;
};

// The header's theorem, written down anew: slopes 2^(k/2), k = -52 .. 8; shares 1 / (1 + off) below k = -9, where `off` is
// the distance, 1 / (1 + off)^1.5 above k = -3, 1 between; divided by their sum.
struct Mixture {
  std::vector<Digits> slope, share;
  Mixture() {
    Digits sum = 0;
    for (int k = -52; k <= 8; ++k) {
      Digits l = std::ldexp(1.0, (k - ((k % 2 + 2) % 2)) / 2);
      if (k % 2 != 0) l = l * sqrt(Digits(2));
      const Digits off = 1.0 + (k < -9 ? -9 - k : k > -3 ? k + 3 : 0);
      slope.push_back(l);
      share.push_back(k > -3 ? 1 / (off * sqrt(off)) : 1 / off);
      sum = sum + share.back();
    }
    for (Digits& one : share) one = one / sum;
  }
  // Tells whether the sum for the upper (sign 1) or the lower (-1) bound reaches 1 / d at r.
  bool reaches(int sign, double rounds, double mistakes, double confidence, const Digits& r) const {
    Digits sum = 0;
    for (std::size_t k = 0; k < slope.size(); ++k) {
      const Digits l = Digits(sign) * slope[k];
      const Digits c = Digits(0) - expm1(Digits(0) - l);  // 1 - exp(-l)
      sum = sum + share[k] * exp(Digits(0) - l * Digits(mistakes) - Digits(rounds) * log1p(Digits(0) - c * r));
    }
    return sum >= Digits(2) / (Digits(1) - Digits(confidence));
  }
};

struct Counts {
  std::uint64_t rounds, mistakes;
  double confidence;
};
Counts any_counts(Coins& random, int most_bits) {
  const auto draw = [&](std::uint64_t bits) { return random.below(std::uint64_t{1} << (1 + random.below(bits))); };
  Counts counts{1 + draw(static_cast<std::uint64_t>(most_bits)), 0, 0.95};
  counts.mistakes = random.below(2) == 0 ? std::min(draw(static_cast<std::uint64_t>(most_bits)), counts.rounds)
                                         : random.below(counts.rounds + 1);
  if (random.below(4) == 0) counts.mistakes = counts.rounds - counts.mistakes;
  constexpr double confidences[] = {0.5, 0.9, 0.95, 0.95, 0.99, 0.999999};
  counts.confidence = confidences[random.below(6)];
  return counts;
}

TEST(ExpectedError, IsThatOf200DigitsRoundedOutward) {
  const Mixture mixture;
  Coins random(7);
  for (std::uint64_t pair = 0; pair < runs(200) && !HasFailure(); ++pair) {
    const auto [rounds, mistakes, confidence] = any_counts(random, 53);
    const double t = static_cast<double>(rounds), s = static_cast<double>(mistakes);
    SCOPED_TRACE(std::to_string(mistakes) + " of " + std::to_string(rounds) + ", " + std::to_string(confidence));
    const ErrorBounds found = expected_error(rounds, mistakes, confidence);
    EXPECT_LE(found.lower, s / t);
    EXPECT_GE(found.upper, s / t);
    if (found.upper < 1) {
      EXPECT_TRUE(mixture.reaches(1, t, s, confidence, found.upper));
    }
    EXPECT_FALSE(mixture.reaches(1, t, s, confidence, found.upper * (1 - 0x1p-40)));
    if (found.lower > 0) {
      EXPECT_TRUE(mixture.reaches(-1, t, s, confidence, found.lower));
    }
    if (mistakes > 0) {
      EXPECT_FALSE(mixture.reaches(-1, t, s, confidence, found.lower * (1 + 0x1p-40)));
    }
  }
}

TEST(ExpectedError, KnowsNothingBeforeTheFirstRoundAndLittleAfterIt) {
  EXPECT_EQ(expected_error(0, 0), (ErrorBounds{0, 1}));
  EXPECT_EQ(expected_error(1, 1).upper, 1);
  EXPECT_EQ(expected_error(1, 0).lower, 0);
  EXPECT_GT(expected_error(1, 0).upper, 0.975);
}

// d times the exact binomial probability of at most `errors`, or of at least so many, at p.
TEST(KeptOutError, IsThatOfExactSumsRoundedOutward) {
  Coins random(8);
  for (int pair = 0; pair < 60 && !HasFailure(); ++pair) {
    const auto [rows, errors, confidence] = any_counts(random, 7);
    SCOPED_TRACE(std::to_string(errors) + " of " + std::to_string(rows) + ", " + std::to_string(confidence));
    const Rational d = (1 - exact(confidence)) / 2;
    const auto probability = [n = rows](const Rational& p, std::uint64_t first, std::uint64_t last) {
      Rational sum = 0, term = 1;
      for (std::uint64_t i = 0; i < n; ++i) term *= 1 - p;
      for (std::uint64_t i = 0; i <= last; ++i) {
        if (i >= first) sum += term;
        term *= Rational(static_cast<long>(n - i), static_cast<long>(i + 1)) * p / (1 - p);
      }
      return sum;
    };
    const ErrorBounds found = kept_out_error(rows, errors, confidence);
    EXPECT_EQ(found.upper == 1, errors == rows);
    EXPECT_EQ(found.lower == 0, errors == 0);
    if (errors < rows) {
      EXPECT_LE(probability(exact(found.upper), 0, errors), d);
      EXPECT_GT(probability(exact(found.upper * (1 - 0x1p-40)), 0, errors), d);
    }
    if (errors > 0) {
      EXPECT_LE(probability(exact(found.lower), errors, rows), d);
      EXPECT_GT(probability(exact(found.lower * (1 + 0x1p-40)), errors, rows), d);
    }
  }
}

TEST(KeptOutError, AgreesWithPublishedIntervals) {
  // 10 of 100: Clopper and Pearson 4.90 to 17.62 %; 0 of 20: up to 16.84 %; both in many textbooks.
  EXPECT_NEAR(kept_out_error(100, 10).lower, 0.0490047, 1e-7);
  EXPECT_NEAR(kept_out_error(100, 10).upper, 0.1762226, 1e-7);
  EXPECT_NEAR(kept_out_error(20, 0).upper, 0.1684335, 1e-7);
}

TEST(KeptOutError, IsSoonDoneForManyRows) {
  const ErrorBounds found = kept_out_error(std::uint64_t{1} << 40, std::uint64_t{1} << 37);
  EXPECT_NEAR(found.upper - 0.125, 1.96 * std::sqrt(0.125 * 0.875) * 0x1p-20, 1e-10);
}

// At 1,000 rounds and more the price of looking at any time is below 2.2: GUARANTEES of fixed n beside it.
TEST(ExpectedError, IsSharp) {
  for (const std::uint64_t rounds : {1000ULL, 3162ULL, 10000ULL, 1000000ULL, 100000000ULL}) {
    for (const double share : {0.0, 0.001, 0.003, 0.01, 0.05, 0.2, 0.5, 0.8, 0.999}) {
      const auto mistakes = static_cast<std::uint64_t>(share * static_cast<double>(rounds));
      const double seen = static_cast<double>(mistakes) / static_cast<double>(rounds);
      const ErrorBounds any_time = expected_error(rounds, mistakes), fixed = kept_out_error(rounds, mistakes);
      EXPECT_LE(any_time.upper - seen, 2.2 * (fixed.upper - seen)) << mistakes << " of " << rounds;
      EXPECT_GE(any_time.upper, fixed.upper);
      if (mistakes > rounds / 1000) {
        EXPECT_LE(seen - any_time.lower, 2.2 * (seen - fixed.lower)) << mistakes << " of " << rounds;
      }
    }
  }
}

// What a stream does in a round: its conditional probability of a mistake, given what came before.
struct History {
  std::uint64_t rounds = 0, mistakes = 0;
  double mean_so_far = 0;
};
using Nature = double (*)(const History&);

double independent(const History&) { return 0.2; }
double drifting(const History& past) { return 0.05 + 0.4 * std::min(1.0, static_cast<double>(past.rounds) / 2000.0); }
double periodic(const History& past) { return past.rounds / 50 % 2 == 0 ? 0.02 : 0.5; }
// Learns where it was lucky, and errs more often then: what an adversary may do who sees all.
double adversary(const History& past) {
  if (past.rounds == 0) return 0.3;
  const double seen = static_cast<double>(past.mistakes) / static_cast<double>(past.rounds);
  return seen < past.mean_so_far ? 0.45 : 0.05;
}

// A run misses where at any look the mean conditional probability lies outside: whoever stops then stops at the worst.
class Coverage : public ::testing::TestWithParam<Nature> {};
TEST_P(Coverage, MissesNoMoreOftenThanSaid) {
  constexpr std::uint64_t rounds = 3000;
  std::vector<std::uint64_t> looks;
  for (double look = 1; look <= static_cast<double>(rounds); look = std::floor(look * 1.25) + 1)
    looks.push_back(static_cast<std::uint64_t>(look));
  const std::uint64_t all = runs(150);
  std::uint64_t misses = 0;
  for (std::uint64_t run = 0; run < all; ++run) {
    Coins random(1000 + run);
    History past;
    double sum = 0;
    bool missed = false;
    for (std::size_t next = 0; past.rounds < rounds && next < looks.size() && !missed;) {
      const double probability = GetParam()(past);
      sum += probability;
      past.mistakes += random.uniform() < probability;
      past.mean_so_far = sum / static_cast<double>(++past.rounds);
      if (past.rounds != looks[next]) continue;
      ++next;
      const ErrorBounds bounds = expected_error(past.rounds, past.mistakes);
      missed = past.mean_so_far < bounds.lower || past.mean_so_far > bounds.upper;
    }
    misses += missed;
  }
  const double allowed = 0.05 * static_cast<double>(all);
  EXPECT_LE(static_cast<double>(misses), allowed + 3 * std::sqrt(allowed * 0.95));
  RecordProperty("misses", static_cast<int>(misses));
}
std::string name_of_nature(const ::testing::TestParamInfo<Nature>& nature) {
  constexpr const char* names[] = {"independent", "drifting", "periodic", "adversary"};
  return names[nature.index];
}
INSTANTIATE_TEST_SUITE_P(Natures, Coverage, ::testing::Values(independent, drifting, periodic, adversary),
                         name_of_nature);

// Five folds of the same error tell it exactly; of two the quantile is that of one degree of freedom, 12.706.
TEST(FoldsError, IsTheCorrectedResampledT) {
  const double same[] = {0.1, 0.1, 0.1, 0.1, 0.1};
  EXPECT_NEAR(folds_error(same).lower, 0.1, 1e-15);
  EXPECT_NEAR(folds_error(same).upper, 0.1, 1e-15);
  const double two[] = {0.490, 0.510};  // deviation 0.01 sqrt 2; variance (1/2 + 1) of it
  EXPECT_NEAR(folds_error(two).upper - 0.5, 12.7062047 * std::sqrt(1.5 * 2e-4), 1e-8);
  const double five[] = {0.1, 0.12, 0.09, 0.13, 0.11};  // t of four degrees: 2.7764451
  EXPECT_NEAR(folds_error(five).upper - 0.11, 2.7764451 * std::sqrt((0.2 + 0.25) * 0.00025), 1e-8);
  const double wide[] = {0.0, 1.0, 0.0};
  EXPECT_EQ(folds_error(wide), (ErrorBounds{0, 1}));
}

}  // namespace
}  // namespace halfspace::testing
