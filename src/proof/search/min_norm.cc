// Wolfe's method: Gram matrix G = shift e e^T + Z^T Z of the support, kept as R^T R.
#include "proof/search/min_norm.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "halfspace/detail/base/elementary.h"

namespace halfspace::proof {
namespace {

double dot(const double* a, const double* b, std::size_t n) {
  double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  std::size_t i = 0;
  for (; i + 4 <= n; i += 4) {
    s0 += a[i] * b[i];
    s1 += a[i + 1] * b[i + 1];
    s2 += a[i + 2] * b[i + 2];
    s3 += a[i + 3] * b[i + 3];
  }
  for (; i < n; ++i) s0 += a[i] * b[i];
  return (s0 + s1) + (s2 + s3);
}

constexpr double nothing = 1e-24;     // |p|^2, relative, that counts as 0
constexpr double dependence = 1e-10;  // squared distance, relative, below which a row depends on the support

}  // namespace

MinNorm::MinNorm(const SignedPoints& points, const Budget& budget)
    : points_(points),
      budget_(budget),
      in_support_(points.size(), 0),
      in_working_(points.size(), 0),
      refused_(points.size(), 0),
      p_(points.dimension(), 0.0),
      unscaled_(points.dimension(), 0.0),
      scratch_(points.dimension(), 0.0) {
  double sum = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    sum += points.squared_norm(i);
    longest_ = std::max(longest_, points.squared_norm(i));
  }
  shift_ = points.size() == 0 || sum == 0 ? 1 : sum / static_cast<double>(points.size());
}

bool MinNorm::append(std::uint32_t row) {
  const std::size_t k = support_.size();
  budget_.check();
  budget_.need((k + 1) * (k + 2) / 2 * sizeof(double));
  std::fill(scratch_.begin(), scratch_.end(), 0.0);
  points_.add(row, 1.0, scratch_.data());
  points_.unscale(scratch_.data(), scratch_.data());
  std::vector<double> column(k + 1);
  double y = 1;
  double rest = shift_ + points_.squared_norm(row);
  const double full = rest;
  for (std::size_t c = 0; c < k; ++c) {
    const double gram = shift_ + points_.dot_unscaled(support_[c], scratch_.data());
    column[c] = (gram - dot(r_[c].data(), column.data(), c)) / r_[c][c];
    rest -= column[c] * column[c];
    y -= column[c] * y_[c];
  }
  if (!(rest > dependence * full)) return false;
  column[k] = std::sqrt(rest);
  y_.push_back(y / column[k]);
  r_.push_back(std::move(column));
  support_.push_back(row);
  in_support_[row] = 1;
  return true;
}

// Restores the triangular factor by rotations after a column was removed.
void MinNorm::remove(std::size_t position) {
  in_support_[support_[position]] = 0;
  support_.erase(support_.begin() + static_cast<std::ptrdiff_t>(position));
  lambda_.erase(lambda_.begin() + static_cast<std::ptrdiff_t>(position));
  r_.erase(r_.begin() + static_cast<std::ptrdiff_t>(position));
  const std::size_t k = support_.size();
  std::vector<double> cosine(k), sine(k);
  for (std::size_t c = position; c < k; ++c) {
    std::vector<double>& column = r_[c];  // c + 2 entries
    for (std::size_t i = position; i < c; ++i) {
      const double a = column[i], b = column[i + 1];
      column[i] = cosine[i] * a + sine[i] * b;
      column[i + 1] = cosine[i] * b - sine[i] * a;
    }
    const double a = column[c], b = column[c + 1];
    const double length = elementary::hypot(a, b);
    cosine[c] = a / length;
    sine[c] = b / length;
    column[c] = length;
    column.pop_back();
    const double ya = y_[c], yb = y_[c + 1];
    y_[c] = cosine[c] * ya + sine[c] * yb;
    y_[c + 1] = cosine[c] * yb - sine[c] * ya;
  }
  y_.pop_back();
}

// Computes v: the weights, of sum 1, of the point of the affine hull nearest to 0. G u = e, v = u / sum u.
void MinNorm::solve_affine(std::vector<double>& v) {
  const std::size_t k = support_.size();
  const auto back = [&](std::vector<double>& x) {
    for (std::size_t c = k; c-- > 0;) {
      x[c] /= r_[c][c];
      const double value = x[c];
      const double* column = r_[c].data();
      for (std::size_t i = 0; i < c; ++i) x[i] -= value * column[i];
    }
  };
  v = y_;
  back(v);
  // Refines once: residual e - G u computed from the rows, then a correction.
  std::fill(scratch_.begin(), scratch_.end(), 0.0);
  double total = 0;
  for (std::size_t c = 0; c < k; ++c) {
    points_.add(support_[c], v[c], scratch_.data());
    total += v[c];
  }
  points_.unscale(scratch_.data(), scratch_.data());
  std::vector<double> correction(k);
  for (std::size_t c = 0; c < k; ++c) {
    const double residual = 1 - shift_ * total - points_.dot_unscaled(support_[c], scratch_.data());
    correction[c] = (residual - dot(r_[c].data(), correction.data(), c)) / r_[c][c];
  }
  back(correction);
  total = 0;
  for (std::size_t c = 0; c < k; ++c) total += v[c] += correction[c];
  for (double& x : v) x /= total;
}

// Moves lambda to the nearest point of the affine hull, dropping rows on the way.
void MinNorm::minimize_on_support() {
  std::vector<double> v;
  while (!support_.empty()) {
    budget_.check();
    solve_affine(v);
    double step = 1;
    std::size_t first = v.size();
    for (std::size_t c = 0; c < v.size(); ++c) {
      if (v[c] > 1e-14) continue;
      const double allowed = lambda_[c] / (lambda_[c] - v[c]);
      if (first == v.size() || allowed < step) {
        step = std::clamp(allowed, 0.0, 1.0);
        first = c;
      }
    }
    if (first == v.size()) {
      lambda_ = v;
      return;
    }
    for (std::size_t c = 0; c < v.size(); ++c) lambda_[c] += step * (v[c] - lambda_[c]);
    lambda_[first] = 0;
    for (std::size_t c = v.size(); c-- > 0;) {
      if (lambda_[c] <= 1e-15) remove(c);
    }
  }
}

void MinNorm::form_point() {
  std::fill(p_.begin(), p_.end(), 0.0);
  for (std::size_t c = 0; c < support_.size(); ++c) points_.add(support_[c], lambda_[c], p_.data());
  points_.unscale(p_.data(), unscaled_.data());
}

void MinNorm::start(const std::vector<std::uint32_t>& rows, const std::vector<double>& weights) {
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (!in_working_[rows[k]]) {
      in_working_[rows[k]] = 1;
      working_.push_back(rows[k]);
    }
    if (weights[k] > 0 && append(rows[k])) lambda_.push_back(weights[k]);
  }
  const double total = std::accumulate(lambda_.begin(), lambda_.end(), 0.0);
  for (double& x : lambda_) x /= total;
  minimize_on_support();
}

// Prices every row; the worst enter the working set. Returns true if some row is below |p|^2 by more than rounding.
bool MinNorm::price_all(double& least) {
  const std::size_t n = points_.size();
  scores_.resize(n);
  for (std::size_t i = 0; i < n; ++i) scores_[i] = points_.dot_unscaled(i, unscaled_.data());
  least = *std::min_element(scores_.begin(), scores_.end());
  const double square = dot(p_.data(), p_.data(), p_.size());
  std::vector<std::uint32_t> worse;
  for (std::size_t i = 0; i < n; ++i) {
    if (scores_[i] < square && !in_working_[i]) worse.push_back(static_cast<std::uint32_t>(i));
  }
  const std::size_t most = std::max<std::size_t>(200, points_.dimension() / 2);
  if (worse.size() > most) {
    std::nth_element(worse.begin(), worse.begin() + static_cast<std::ptrdiff_t>(most), worse.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return scores_[a] < scores_[b]; });
    worse.resize(most);
  }
  for (const std::uint32_t row : worse) {
    in_working_[row] = 1;
    working_.push_back(row);
  }
  return !worse.empty();
}

// Returns the row of the working set, outside the support and not rejected, with the least <p, z>.
std::optional<std::uint32_t> MinNorm::lowest_of_working(double& score) const {
  std::optional<std::uint32_t> lowest;
  for (const std::uint32_t row : working_) {
    if (in_support_[row] != 0 || refused_[row] != 0) continue;
    const double s = points_.dot_unscaled(row, unscaled_.data());
    if (!lowest || s < score) {
      lowest = row;
      score = s;
    }
  }
  return lowest;
}

// Iterates over the working set until no row is below |p|^2 by more than rounding.
void MinNorm::improve() {
  constexpr unsigned patience = 50;  // rounds without progress: the limit of double precision
  unsigned idle = 0;
  std::fill(refused_.begin(), refused_.end(), std::uint8_t{0});
  for (;;) {
    budget_.check();
    const double square = dot(p_.data(), p_.data(), p_.size());
    if (square <= nothing * longest_ || idle > patience) return;
    double score = 0;
    const auto row = lowest_of_working(score);
    if (!row || score >= square - 1e-12 * (square + 1e-3 * std::sqrt(square * longest_))) return;
    if (!append(*row)) {
      refused_[*row] = 1;
      continue;
    }
    lambda_.push_back(0);
    minimize_on_support();
    form_point();
    if (dot(p_.data(), p_.data(), p_.size()) < square * (1 - 1e-13)) {
      idle = 0;
      std::fill(refused_.begin(), refused_.end(), std::uint8_t{0});
    } else {
      ++idle;
      if (in_support_[*row] == 0) refused_[*row] = 1;
    }
  }
}

MinNorm::State MinNorm::run(const Watch& watch) {
  if (points_.size() == 0) return State::separated;
  if (support_.empty()) start({0}, {1.0});
  form_point();
  bool last = false;
  for (;;) {
    double least = 0;
    const bool grew = price_all(least);
    const double square = dot(p_.data(), p_.data(), p_.size());
    if (!watch(unscaled_, std::sqrt(square), least)) return State::stopped;
    if (square <= nothing * longest_) return State::met;
    // Stops after two passes without a new row: nothing can change any more.
    if (!grew && last) return least > 0 ? State::separated : State::stalled;
    last = !grew;
    improve();
  }
}

}  // namespace halfspace::proof
