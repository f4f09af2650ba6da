// Systems in whole numbers against plain elimination over the rationals.

#include "proof/exact/linear_system.h"

#include "halfspace/base/random.h"
#include "support/test.h"

namespace halfspace::proof {
namespace {

// Elimination over the rationals: the rank, and for a square matrix of full rank the solution.
struct Plain {
  std::size_t rank = 0;
  std::vector<mpq_class> x;
};

Plain plainly(const IntegerMatrix& a, const std::vector<mpz_class>& right) {
  std::vector<std::vector<mpq_class>> m(a.rows(), std::vector<mpq_class>(a.columns() + 1));
  for (std::size_t r = 0; r < a.rows(); ++r) {
    for (std::size_t c = 0; c < a.columns(); ++c) m[r][c] = a.at(r, c);
    m[r][a.columns()] = right[r];
  }
  Plain result;
  for (std::size_t c = 0; c < a.columns() && result.rank < a.rows(); ++c) {
    std::size_t pivot = result.rank;
    while (pivot < a.rows() && m[pivot][c] == 0) ++pivot;
    if (pivot == a.rows()) continue;
    std::swap(m[pivot], m[result.rank]);
    const mpq_class by = m[result.rank][c];
    for (mpq_class& x : m[result.rank]) x /= by;
    for (std::size_t r = 0; r < a.rows(); ++r) {
      if (r == result.rank || m[r][c] == 0) continue;
      const mpq_class factor = m[r][c];
      for (std::size_t k = 0; k <= a.columns(); ++k) m[r][k] -= factor * m[result.rank][k];
    }
    ++result.rank;
  }
  if (a.rows() == a.columns() && result.rank == a.rows()) {
    for (const std::vector<mpq_class>& row : m) result.x.push_back(row.back());
  }
  return result;
}

// Entries of up to `bits` bits, some of them 0; `rank` at most so much.
IntegerMatrix random_matrix(Generator& draws, std::size_t rows, std::size_t columns, std::size_t rank, int bits) {
  const auto entry = [&] {
    if (draws.next() < 0.3) return mpz_class(0);
    mpz_class x = 0;
    for (int b = 0; b < bits; ++b) x = 2 * x + (draws.next() < 0.5 ? 1 : 0);
    return draws.next() < 0.5 ? mpz_class(-x) : x;
  };
  IntegerMatrix a(rows, columns);
  if (rank >= std::min(rows, columns)) {
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t c = 0; c < columns; ++c) a.at(r, c) = entry();
    }
    return a;
  }
  for (std::size_t k = 0; k < rank; ++k) {
    std::vector<mpz_class> left(rows), right(columns);
    for (mpz_class& x : left) x = entry();
    for (mpz_class& x : right) x = entry();
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t c = 0; c < columns; ++c) a.at(r, c) += left[r] * right[c];
    }
  }
  return a;
}

std::size_t below(Generator& draws, std::size_t bound) {
  return static_cast<std::size_t>(draws.next() * static_cast<double>(bound));
}

TEST(LinearSystem, SolvesWhatEliminationOverTheRationalsSolves) {
  Generator draws(1);
  int singular = 0;
  for (int round = 0; round < 400; ++round) {
    const std::size_t n = 1 + below(draws, 9);
    // On both sides of what a word holds; the right side of a size of its own.
    constexpr int sizes[] = {1, 8, 60, 62, 63, 64, 65, 150};
    const int bits = sizes[round % 8], right_bits = sizes[draws.next() < 0.5 ? round % 8 : below(draws, 8)];
    const std::size_t rank = draws.next() < 0.2 ? below(draws, n) : n;
    const IntegerMatrix a = random_matrix(draws, n, n, rank, bits);
    std::vector<mpz_class> right;
    for (std::size_t r = 0; r < n; ++r) right.push_back(random_matrix(draws, 1, 1, 1, right_bits).at(0, 0));
    const Plain plain = plainly(a, right);
    const std::optional<Fractions> solved = solve(a, right);
    ASSERT_EQ(solved.has_value(), plain.rank == n);
    if (!solved) {
      ++singular;
      continue;
    }
    ASSERT_TRUE(solved->denominator > 0);
    for (std::size_t i = 0; i < n; ++i) {
      mpq_class x(solved->numerator[i], solved->denominator);
      x.canonicalize();
      ASSERT_TRUE(x == plain.x[i]) << "round " << round << ", unknown " << i;
    }
  }
  EXPECT_GT(singular, 20);
}

TEST(LinearSystem, FindsIndependentRowsAsManyAsTheRank) {
  Generator draws(2);
  for (int round = 0; round < 300; ++round) {
    const std::size_t rows = 1 + below(draws, 12), columns = 1 + below(draws, 8);
    const IntegerMatrix a = random_matrix(draws, rows, columns, below(draws, 9), 20);
    const std::vector<mpz_class> nothing(rows);
    const std::vector<std::size_t> found = independent_rows(a);
    ASSERT_EQ(found.size(), plainly(a, nothing).rank);
    ASSERT_TRUE(std::is_sorted(found.begin(), found.end()));
    ASSERT_EQ(plainly(a.of_rows(found), nothing).rank, found.size());
  }
}

// A matrix that is singular modulo the first prime, and is not.
TEST(LinearSystem, SurvivesAnUnluckyPrime) {
  IntegerMatrix a(2, 2);
  a.at(0, 0) = 2147483647;
  a.at(0, 1) = 1;
  a.at(1, 0) = 0;
  a.at(1, 1) = 1;
  EXPECT_EQ(independent_rows(a).size(), 2U);
  const std::optional<Fractions> x = solve(a, {1, 3});
  ASSERT_TRUE(x.has_value());
  EXPECT_TRUE(x->numerator[0] * 2147483647 == -2 * x->denominator);
}

// A column that is 0 modulo both primes, and is not: there is no solution where there may be one.
TEST(LinearSystem, SaysNothingWrongWhereBothPrimesAreUnlucky) {
  IntegerMatrix a(2, 2);
  a.at(0, 0) = mpz_class(2147483647) * 2147483629;
  a.at(0, 1) = 1;
  a.at(1, 0) = 0;
  a.at(1, 1) = 1;
  EXPECT_FALSE(solve(a, {1, 3}).has_value());
}

TEST(LinearSystem, SolvesTheEmptySystem) {
  const std::optional<Fractions> x = solve(IntegerMatrix(0, 0), {});
  ASSERT_TRUE(x.has_value());
  EXPECT_TRUE(x->numerator.empty());
}

}  // namespace
}  // namespace halfspace::proof
