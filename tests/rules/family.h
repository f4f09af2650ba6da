// What the tests of the wider family share: its rules at random settings, small worlds for them, plain linear algebra.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "halfspace/detail/rules/adagrad.h"
#include "halfspace/detail/rules/alma.h"
#include "halfspace/detail/rules/arow.h"
#include "halfspace/detail/rules/arow_diagonal.h"
#include "halfspace/detail/rules/eg.h"
#include "halfspace/detail/rules/projected.h"
#include "halfspace/detail/rules/second_order.h"
#include "halfspace/rules/winnow.h"
#include "support/test_name.h"
#include "support/world.h"

namespace halfspace::testing {

using Real = long double;
using Vector = std::vector<Real>;

inline const std::vector<RuleName> kFamily = {rule::second_order, rule::arow,    rule::arow_diagonal,
                                              rule::adagrad,      rule::alma,    rule::projected,
                                              rule::winnow1,      rule::winnow2, rule::eg};

inline bool is_winnow(RuleName rule) { return rule == rule::winnow1 || rule == rule::winnow2; }

inline Composition random_composition(Chance& chance, RuleName rule) {
  Composition c;
  c.rule = rule;
  c.tie = chance.of({Tie::positive, Tie::mistake, Tie::negative});
  c.bias = {chance.of({Bias::none, Bias::first, Bias::last}), chance.of({1.0, 0.5, 3.0})};
  switch (rule) {
    case rule::second_order:
    case rule::arow:
    case rule::arow_diagonal:
      c.set(parameter::regularization, chance.of({0.1, 1.0, 5.0}));
      break;
    case rule::adagrad:
      c.set(parameter::ball, chance.of({0.1, 1.0, 4.0}));
      break;
    case rule::projected:
      c.set(parameter::ball, chance.of({0.5, 3.0, 50.0}));
      c.set(parameter::rate, chance.of({0.2, 1.0}));
      break;
    case rule::alma:
      c.set(parameter::alpha, chance.of({0.3, 0.9, 1.0}));
      break;
    case rule::eg:
      c.set(parameter::ball, chance.of({1.0, 5.0}));
      c.set(parameter::rate, chance.of({0.01, 0.1, 0.4}));
      break;
    default:
      c.bias = {Bias::last, 1};
      c.set(parameter::alpha, chance.of({1.2, 1.5, 2.0}));
      if (chance.one_in(2)) c.set(parameter::theta, chance.of({1.0, 2.0, 3.5}));
  }
  return c;
}

// Rows of 0 and 1, labelled by an "or" of some features, with noise when not separable.
inline World disjunction_world(Chance& chance, bool separable) {
  World world;
  world.separable = separable;
  const int d = chance.between(1, 9);
  const int n = chance.between(1, 20);
  const int literals = chance.between(1, std::min(3, d));
  world.teacher = {1, std::vector<double>(static_cast<std::size_t>(d), 0.0), {-0.5}};
  for (int j = 0; j < literals; ++j) world.teacher.w[static_cast<std::size_t>(j)] = 1;
  for (int i = 0; i < n; ++i) {
    Point point;
    double sum = 0;
    for (int j = 0; j < d; ++j) {
      point.x.push_back(chance.one_in(3) ? 1 : 0);
      sum += world.teacher.w[static_cast<std::size_t>(j)] * point.x.back();
    }
    point.label = sum > 0 ? 1 : 0;
    if (!separable && chance.one_in(5)) point.label = 1 - point.label;
    world.points.push_back(point);
  }
  return world;
}

inline World random_world(Chance& chance, const Composition& c, bool separable) {
  return is_winnow(c.rule) ? disjunction_world(chance, separable)
                           : binary_world(chance, c.bias, separable, chance.one_in(2));
}

inline Vector row_of(const Point& point, BiasOptions bias) {
  Vector x(point.x.begin(), point.x.end());
  if (bias.position != Bias::none) x.push_back(bias.scale);
  return x;
}

inline Real dot(const Vector& a, const Vector& b) {
  Real sum = 0;
  for (std::size_t j = 0; j < a.size(); ++j) sum += a[j] * b[j];
  return sum;
}

// Gaussian elimination with pivots: the solution of A w = b, and ln det A.
inline Vector solve(std::vector<Vector> a, Vector b, Real* log_det = nullptr) {
  const std::size_t n = b.size();
  Real sum = 0;
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k; i < n; ++i) {
      if (std::abs(a[i][k]) > std::abs(a[pivot][k])) pivot = i;
    }
    std::swap(a[k], a[pivot]);
    std::swap(b[k], b[pivot]);
    sum += std::log(std::abs(a[k][k]));
    for (std::size_t i = 0; i < n; ++i) {
      if (i == k) continue;
      const Real factor = a[i][k] / a[k][k];
      for (std::size_t j = k; j < n; ++j) a[i][j] -= factor * a[k][j];
      b[i] -= factor * b[k];
    }
  }
  for (std::size_t i = 0; i < n; ++i) b[i] /= a[i][i];
  if (log_det != nullptr) *log_det = sum;
  return b;
}

inline Real threshold_of(const Composition& c, std::size_t features) {
  return c.given(parameter::theta).value_or(std::max(1.0, 0.5 * static_cast<double>(features)));
}

inline Vector coordinates(const Point& point, const Composition& c, std::size_t features) {
  Vector x(point.x.begin(), point.x.end());
  x.resize(features, 0.0L);
  if (c.bias.position != Bias::none && !is_winnow(c.rule)) x.push_back(c.bias.scale);
  return x;
}
inline Vector coordinates(const ClassWeightVector& w, const Composition& c, std::size_t features) {
  Vector all(w.w.begin(), w.w.end());
  all.resize(features, 0.0L);
  if (c.bias.position != Bias::none && !is_winnow(c.rule)) all.push_back(w.bias[0]);
  return all;
}

inline std::string named(const ::testing::TestParamInfo<RuleName>& info) {
  std::string name(name_of(info.param));
  std::erase(name, '-');
  return name;
}

}  // namespace halfspace::testing
