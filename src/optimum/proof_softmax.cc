// The proved sums of the multinomial loss. Compiled with -frounding-math. Everything here is rounded up; a lower bound is
// the negative of an upper bound of the negative.
#include <algorithm>
#include <cmath>
#include <cstddef>

#include "base/parallel.h"
#include "halfspace/detail/base/elementary.h"
#include "halfspace/detail/base/rounding.h"
#include "optimum/softmax.h"
#include "optimum/weights.h"

namespace halfspace::optimum {
namespace {

using Vector = std::vector<double>;

// Returns the sum of the vectors of `size` numbers that each(sum, block, i, c) adds to for the rows that cost something,
// in rounding_up(). Parts of the rows are a function of their number.
template <class Each>
Vector summed(const Rows& rows, const OptimumOptions& options, std::size_t size, const Each& each) {
  constexpr std::size_t most = 16;
  const std::size_t parts = std::clamp<std::size_t>(rows.blocks(), 1, most);
  std::vector<Vector> sums(parts, Vector(size, 0.0));
  in_parallel(parts, 1, [&](std::size_t part, std::size_t) {
    UnpackBuffer room;
    for (std::size_t b = rows.blocks() * part / parts; b < rows.blocks() * (part + 1) / parts; ++b) {
      const Block block = rows.block(b);
      Vector costs(block.rows);
      for (std::size_t i = 0; i < block.rows; ++i)
        costs[i] = cost_of(options, block.weight == nullptr ? 1.0 : block.weight[i]);
      rounding_up([&] {
        block.with_storage([&]<class Value, bool dense>() {
          for (std::size_t i = 0; i < block.rows; ++i) {
            if (costs[i] > 0)
              each(sums[part], block.example<Value, dense>(i, room), costs[i], b * Rows::block_rows + i);
          }
        });
      });
      rows.release(b);
    }
  });
  rounding_up([&] {
    for (std::size_t part = 1; part < parts; ++part) {
      for (std::size_t j = 0; j < size; ++j) sums[0][j] += sums[part][j];
    }
  });
  return std::move(sums[0]);
}

// A number that is known within bounds.
struct Between {
  double least, most;
};

// The following run in rounding_up().

Between sum_of(const double* e, std::size_t classes) {
  double most = 0, negative = 0;
  for (std::size_t k = 0; k < classes; ++k) {
    most += e[k];
    negative -= e[k];
  }
  return {-negative, most};
}

// Returns the probability e / sum, at most 1.
Between share_of(double e, Between sum) { return {-(-e / sum.most), std::min(1.0, e / sum.least)}; }

// Returns at least p ln p, for a p from 0 to 1.
double entropy_above(Between p) {
  if (!(p.most > 0)) return 0;
  const double logarithm = above(elementary::log(p.most));
  return logarithm * (logarithm <= 0 ? p.least : p.most);
}

}  // namespace

std::vector<double> softmax_classes_above(const Rows& rows, const OptimumOptions& options, std::uint32_t count,
                                          std::span<const double> weights, std::span<const double> exponentials) {
  const std::size_t classes = count;
  const bool free = !options.penalize_bias && options.bias != 0;
  const double* const biases = weights.data() + weights.size() - classes;
  return summed(rows, options, free ? 1 + 4 * classes : 1, [&](Vector& sum, const auto& x, double c, std::size_t row) {
    thread_local Vector room;
    room.assign(classes, 0.0);
    Vector& z = room;  // at least the class's score less that of the row's own
    const auto y = static_cast<std::size_t>(x.label);
    double negative = -biases[y] * options.bias;
    for (std::size_t k = 0; k < classes; ++k) z[k] = biases[k] * options.bias;
    for (std::size_t i = 0; i < x.size; ++i) {
      const double* const w = weights.data() + std::size_t{x.index[i]} * classes;
      const double value = x.value_at(i);
      for (std::size_t k = 0; k < classes; ++k) z[k] += w[k] * value;
      negative += -w[y] * value;
    }
    double largest = 0;  // that of the row's own class
    for (std::size_t k = 0; k < classes; ++k) {
      z[k] = k == y ? 0.0 : z[k] + negative;
      largest = larger(z[k], largest);
    }
    double all = 0;
    for (std::size_t k = 0; k < classes; ++k) all += above(elementary::exp(z[k] - largest)) + 0x1p-1000;
    sum[0] += c * (largest + above(elementary::log(all)));
    if (!free) return;
    const double* const e = exponentials.data() + row * classes;
    const Between whole = sum_of(e, classes);
    for (std::size_t k = 0; k < classes; ++k) {
      const Between p = share_of(e[k], whole);
      sum[1 + 4 * k] += -p.least * c;
      sum[2 + 4 * k] += p.most * c;
    }
    sum[3 + 4 * y] += -c;
    sum[4 + 4 * y] += c;
  });
}

std::vector<double> softmax_mending(std::uint32_t count, bool free_biases, std::span<const double> class_sums) {
  if (!free_biases) return {};
  const std::size_t classes = count;
  struct OfClass {
    Between p, own;  // sums of c p_k, and of c of the class's rows
  };
  const auto of = [&](std::size_t k) {
    const double* const s = class_sums.data() + 1 + 4 * k;
    return OfClass{{-s[0], s[1]}, {-s[2], s[3]}};
  };
  return rounding_up([&] {
    double e = 0, all = 0, negative_all = 0;
    for (std::size_t k = 0; k < classes; ++k) {
      const OfClass sums = of(k);
      // As much as the class has too much of; all where it may have nothing.
      const double excess = sums.p.most - sums.own.least;
      if (excess > 0) e = larger(e, sums.p.least > 0 ? excess / sums.p.least : 1.0);
      all += sums.own.most;
      negative_all -= sums.own.least;
    }
    e = std::min(e, 1.0);
    std::vector<double> mending(1 + 2 * classes, 0.0);
    mending[0] = e;
    const double rest = 1 - e, negative_rest = -1 + e;  // the rest is from -negative_rest to rest
    for (std::size_t k = 0; k < classes && e > 0; ++k) {
      const OfClass sums = of(k);
      const double negative_least = rest * sums.p.most - sums.own.least;  // of own - rest * p
      const double most = sums.own.most + negative_rest * larger(0.0, sums.p.least);
      const double most_whole = e * all, negative_whole = e * negative_all;
      mending[1 + k] = larger(0.0, -(negative_least / most_whole));
      mending[1 + classes + k] = std::min(1.0, larger(0.0, most / -negative_whole));
    }
    return mending;
  });
}

std::vector<double> softmax_duals_above(const Rows& rows, const OptimumOptions& options, std::uint32_t count,
                                        std::size_t size, std::span<const double> exponentials,
                                        std::span<const double> mending) {
  const std::size_t classes = count;
  const double e_mend = mending.empty() ? 0.0 : mending[0];
  // Those of features; of biases nothing where they are not penalised.
  return summed(rows, options, 1 + 2 * size, [&](Vector& sum, const auto& x, double c, std::size_t row) {
    thread_local Vector above_a, above_minus_a;
    above_a.resize(classes);
    above_minus_a.resize(classes);
    const double* const e = exponentials.data() + row * classes;
    const Between whole = sum_of(e, classes);
    const double most_rest = 1 - e_mend, least_rest = -(-1 + e_mend);
    double entropy = 0;
    for (std::size_t k = 0; k < classes; ++k) {
      Between p = share_of(e[k], whole);
      entropy += entropy_above(p);
      if (e_mend > 0)
        p = {-(-p.least * least_rest + -mending[1 + k] * e_mend),
             std::min(1.0, p.most * most_rest + mending[1 + classes + k] * e_mend)};
      const double own = k == static_cast<std::size_t>(x.label) ? 1 : 0;
      above_a[k] = c * (own - p.least);
      above_minus_a[k] = c * (p.most - own);
    }
    sum[0] += c * (entropy * (entropy <= 0 ? least_rest : most_rest));
    double* const plus = sum.data() + 1;
    double* const minus = plus + size;
    const auto add = [&](std::size_t feature, double value) {
      const double length = std::abs(value);
      const double* const up = value > 0 ? above_a.data() : above_minus_a.data();
      const double* const down = value > 0 ? above_minus_a.data() : above_a.data();
      for (std::size_t k = 0; k < classes; ++k) plus[feature * classes + k] += up[k] * length;
      for (std::size_t k = 0; k < classes; ++k) minus[feature * classes + k] += down[k] * length;
    };
    for (std::size_t i = 0; i < x.size; ++i) add(x.index[i], x.value_at(i));
    if (options.penalize_bias) add(size / classes - 1, options.bias);
  });
}

}  // namespace halfspace::optimum
