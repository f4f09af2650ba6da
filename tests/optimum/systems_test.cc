// The linear systems of the minimizing methods, against plain elimination.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "optimum/cholesky.h"
#include "optimum/free_system.h"
#include "optimum/newton_system.h"
#include "support/world.h"

namespace halfspace::testing {
namespace {

using Vector = std::vector<double>;

// Solves A x = b by Gauss's elimination, in long doubles.
Vector eliminated(std::vector<Vector> a, const Vector& b) {
  std::vector<std::vector<long double>> rows;
  for (std::size_t i = 0; i < b.size(); ++i) {
    rows.emplace_back(a[i].begin(), a[i].end());
    rows.back().push_back(b[i]);
  }
  for (std::size_t i = 0; i < b.size(); ++i) {
    for (std::size_t r = i + 1; r < b.size(); ++r) {
      if (std::abs(rows[r][i]) > std::abs(rows[i][i])) std::swap(rows[r], rows[i]);
    }
    for (std::size_t r = 0; r < b.size(); ++r) {
      if (r == i) continue;
      const long double share = rows[r][i] / rows[i][i];
      for (std::size_t k = i; k <= b.size(); ++k) rows[r][k] -= share * rows[i][k];
    }
  }
  Vector x;
  for (std::size_t i = 0; i < b.size(); ++i) x.push_back(static_cast<double>(rows[i][b.size()] / rows[i][i]));
  return x;
}

void expect_near(const Vector& found, const Vector& wanted, double error) {
  ASSERT_EQ(found.size(), wanted.size());
  double size = 0;
  for (const double number : wanted) size = std::max(size, std::abs(number));
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], wanted[i], error * size) << i;
}

TEST(Cholesky, SolvesWhatEliminationDoes) {
  Chance chance(1);
  for (const std::size_t size : {1U, 2U, 7U, 40U}) {
    std::vector<Vector> factor(size, Vector(size)), matrix(size, Vector(size, 0.0));
    for (Vector& row : factor) {
      for (double& number : row) number = chance.normal();
    }
    Vector triangle, b(size);
    for (std::size_t i = 0; i < size; ++i) {
      b[i] = chance.normal();
      for (std::size_t j = 0; j < size; ++j) {
        for (std::size_t k = 0; k < size; ++k) matrix[i][j] += factor[i][k] * factor[j][k];
        if (i == j) matrix[i][j] += 1;
      }
      triangle.insert(triangle.end(), matrix[i].begin(), matrix[i].begin() + static_cast<std::ptrdiff_t>(i) + 1);
    }
    optimum::Cholesky cholesky;
    cholesky.factor(triangle);
    ASSERT_EQ(cholesky.size(), size);
    const Vector wanted = eliminated(matrix, b);
    cholesky.solve(b);
    expect_near(b, wanted, 1e-9);
  }
}

TEST(Cholesky, GoesOnWherePivotsVanish) {
  optimum::Cholesky cholesky;
  cholesky.factor({1, 1, 1, 0, 0, 2});  // rows (1), (1 1), (0 0 2): singular
  Vector b{0, 0, 4};
  cholesky.solve(b);
  EXPECT_NEAR(b[2], 2, 1e-12);
  EXPECT_TRUE(std::isfinite(b[0]) && std::isfinite(b[1]));
}

Points sparse_points(Chance& chance, int rows, int features, int share) {
  Points points;
  for (int i = 0; i < rows; ++i) {
    Point point;
    for (int j = 0; j < features; ++j) point.x.push_back(chance.one_in(share) ? chance.normal() * (1 + j % 3) : 0);
    point.label = chance.between(0, 1);
    points.push_back(point);
  }
  return points;
}

// Of few features the matrix is factored, of many not.
TEST(NewtonSystem, LeavesNothingOfTheGradient) {
  Chance chance(2);
  for (const int features : {5, 30, 1100}) {
    const Points points = sparse_points(chance, 60, features, features > 100 ? 50 : 2);
    const Rows rows = rows_of(points);
    for (const double bias_penalty : {1.0, 1e-3}) {
      Vector curvature, gradient(rows.features() + 1U);
      for (std::size_t i = 0; i < points.size(); ++i) curvature.push_back(chance.one_in(3) ? 0.0 : chance.real(0, 2));
      for (double& number : gradient) number = chance.normal();
      optimum::Passes passes(rows);
      optimum::NewtonSystem system(passes, 0.5, [] { return false; });
      system.set(curvature, bias_penalty);
      const Vector s = system.solve(gradient, 1e-20);
      Vector left = gradient;
      for (std::size_t j = 0; j < s.size(); ++j) left[j] += (j + 1 < s.size() ? 1.0 : bias_penalty) * s[j];
      for (std::size_t i = 0; i < points.size(); ++i) {
        double score = s.back() / 2;
        for (std::size_t j = 0; j + 1 < s.size(); ++j) score += points[i].x[j] * s[j];
        for (std::size_t j = 0; j + 1 < s.size(); ++j) left[j] += curvature[i] * score * points[i].x[j];
        left.back() += curvature[i] * score / 2;
      }
      for (std::size_t j = 0; j < s.size(); ++j) EXPECT_NEAR(left[j], 0, 1e-8) << features << " " << j;
    }
  }
}

TEST(FreeSystem, SolvesWhatEliminationDoes) {
  Chance chance(3);
  for (const int features : {3, 40, 900}) {
    const Points points = sparse_points(chance, 50, features, features > 100 ? 20 : 2);
    const Rows rows = rows_of(points);
    const Block block = rows.block(0);
    std::vector<optimum::Item> items;
    for (std::size_t i = 0; i < block.rows; ++i) items.push_back(optimum::item_of(block, i, {}, 0.5));
    std::vector<const optimum::Item*> free;
    std::vector<Vector> matrix(items.size(), Vector(items.size()));
    Vector diagonal, r;
    for (std::size_t i = 0; i < items.size(); ++i) {
      free.push_back(&items[i]);
      diagonal.push_back(chance.real(0.1, 2));
      r.push_back(chance.normal());
      for (std::size_t k = 0; k < items.size(); ++k) {
        double product = 0.25;
        for (std::size_t j = 0; j < points[i].x.size(); ++j) product += points[i].x[j] * points[k].x[j];
        matrix[i][k] = items[i].sign * items[k].sign * product + (i == k ? diagonal[i] : 0.0);
      }
    }
    optimum::FreeSystem system(free, diagonal, rows.features(), 0.5);
    expect_near(system.solve(r, 1e-12, [] { return false; }), eliminated(matrix, r), 1e-8);
    // Few features are all heavy: then the preconditioner is exact, and a step or two are enough.
    if (features == 3) {
      EXPECT_LE(system.visits(), 6 * items.size());
    }
  }
}

}  // namespace
}  // namespace halfspace::testing
