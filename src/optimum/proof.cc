// The proved bounds. Compiled with -frounding-math. Everything here is rounded up; a lower bound is the negative of an
// upper bound of the negative.
#include "optimum/proof.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "halfspace/base/error.h"
#include "halfspace/detail/base/elementary.h"
#include "halfspace/detail/base/rounding.h"
#include "optimum/row_view.h"

namespace halfspace::optimum {
namespace {

// Returns the costs of a block's rows, to nearest: the problem's own numbers. Call it outside rounding_up().
void costs_of(const Block& block, const OptimumOptions& options, std::vector<double>& costs) {
  costs.resize(block.rows);
  for (std::size_t i = 0; i < block.rows; ++i)
    costs[i] = cost_of(options, block.weight == nullptr ? 1.0 : block.weight[i]);
}

// The following run in rounding_up().

// Returns at least -y <w, x>.
template <class Reader>
double negative_margin_above(const double* w, double sign, double bias_score_up, const Reader& x) {
  double sum = bias_score_up;
  for (std::size_t k = 0; k < x.size; ++k) sum += (-sign * w[x.index(k)]) * x.value(k);
  return sum;
}

double exponential_above(double z) {
  return above(elementary::exp(z)) + 0x1p-1000;  // which may have become 0
}

// Returns at least c l(m), given z >= -m.
double loss_above(MarginLoss loss, double cost, double z) {
  if (!(cost > 0)) return 0;
  if (loss != MarginLoss::logistic) {
    const double lack = larger(0.0, 1 + z);
    return loss == MarginLoss::hinge ? cost * lack : cost * (lack * lack);
  }
  return cost * (larger(0.0, z) + above(elementary::log1p(exponential_above(-std::abs(z)))));
}

// Returns at least a ln(a / c), for 0 <= a <= c where a is known to be in [least, most].
double entropy_term_above(double least, double most, double cost) {
  if (!(most > 0)) return 0;
  const double logarithm = above(elementary::log(most / cost));
  return logarithm * (logarithm <= 0 ? least : most);
}

// A number that is known within bounds.
struct Known {
  double least, most;
};

Known scaled(double a, bool positive, const Scaling& scaling) {
  return {-(-scaling.least[positive] * a), scaling.most[positive] * a};
}

// Returns at least -(the part of D that is this row's own).
double negative_dual_above(MarginLoss loss, double cost, Known a) {
  if (!(cost > 0) || a.most == 0) return 0;
  switch (loss) {
    case MarginLoss::hinge:
      return -a.least;
    case MarginLoss::squared_hinge:
      return a.most * a.most / (4 * cost) - a.least;
    case MarginLoss::logistic:
      break;
  }
  const double most = std::min(a.most, cost);  // as every factor is at most 1
  return entropy_term_above(a.least, most, cost) + entropy_term_above(-(most - cost), cost - a.least, cost);
}

template <class Each>
double sum_over_blocks(const Rows& rows, const OptimumOptions& options, const Each& each) {
  std::vector<double> sums(rows.blocks());
  in_parallel(rows.blocks(), 1, [&](std::size_t begin, std::size_t end) {
    std::vector<double> costs;
    UnpackBuffer room;
    for (std::size_t b = begin; b < end; ++b) {
      const Block block = rows.block(b);
      costs_of(block, options, costs);
      sums[b] = rounding_up([&] { return each(block, b, costs, room); });
      rows.release(b);
    }
  });
  return rounding_up([&] {
    double sum = 0;
    for (const double of_block : sums) sum += of_block;
    return sum;
  });
}

// Adds side * a y x up, for every row.
void add_up(const Rows& rows, const OptimumOptions& options, std::span<const double> a, const Scaling& scaling,
            double side, std::vector<double>& sum) {
  UnpackBuffer room;
  for (std::size_t b = 0; b < rows.blocks(); ++b) {
    const Block block = rows.block(b);
    rounding_up([&] {
      for (std::size_t i = 0; i < block.rows; ++i) {
        const double dual = a[b * Rows::block_rows + i];
        if (dual == 0) continue;
        const bool positive = block.label[i] == options.positive;
        const double sign = positive ? side : -side;
        const Known factor = scaled(dual, positive, scaling);
        const auto term = [&](double x) { return (sign * x > 0 ? factor.most : factor.least) * (sign * x); };
        with_row(row_view(block, i), room, [&](const auto& x) {
          for (std::size_t k = 0; k < x.size; ++k) sum[x.index(k)] += term(x.value(k));
        });
        if (options.penalize_bias) sum.back() += term(options.bias);
      }
    });
    rows.release(b);
  }
}

// Returns at least the sum of side * a over one class.
double class_sum_above(const Rows& rows, const OptimumOptions& options, std::span<const double> a, bool positive,
                       double side) {
  return sum_over_blocks(rows, options,
                         [&](const Block& block, std::size_t b, const std::vector<double>&, UnpackBuffer&) {
                           double sum = 0;
                           for (std::size_t i = 0; i < block.rows; ++i) {
                             if ((block.label[i] == options.positive) == positive)
                               sum += side * a[b * Rows::block_rows + i];
                           }
                           return sum;
                         });
}

}  // namespace

std::vector<double> DualSums::middle() const {
  std::vector<double> w(plus.size());
  for (std::size_t j = 0; j < w.size(); ++j) w[j] = plus[j] / 2 - minus[j] / 2;
  return w;
}

ClassSums class_sums(const Rows& rows, const OptimumOptions& options, std::span<const double> a) {
  ClassSums sums;
  if (options.penalize_bias || options.bias == 0) return sums;
  for (const bool positive : {false, true}) {
    sums.minus[positive] = class_sum_above(rows, options, a, positive, -1);
    sums.plus[positive] = class_sum_above(rows, options, a, positive, 1);
  }
  return sums;
}

// Both classes get the smaller of the sums' lower bounds.
Scaling scaling_of(const OptimumOptions& options, const ClassSums& sums) {
  Scaling scaling;
  if (options.penalize_bias || options.bias == 0) return scaling;
  const double common = std::min(-sums.minus[0], -sums.minus[1]);
  rounding_up([&] {
    for (const bool positive : {false, true}) {
      scaling.least[positive] = common > 0 ? -(-common / sums.plus[positive]) : 0.0;
      scaling.most[positive] = common > 0 ? std::min(1.0, common / -sums.minus[positive]) : 0.0;
    }
  });
  return scaling;
}

std::vector<double> numbers_of(const Scaling& scaling) {
  return {scaling.least[0], scaling.least[1], scaling.most[0], scaling.most[1]};
}
Scaling scaling_of_numbers(std::span<const double> numbers) {
  return {{numbers[0], numbers[1]}, {numbers[2], numbers[3]}};
}
ClassSums class_sums_of(std::span<const double> numbers) {
  return {{numbers[1], numbers[2]}, {numbers[3], numbers[4]}};
}

DualSums dual_sums(const Rows& rows, const OptimumOptions& options, std::span<const double> a, const Scaling& scaling) {
  DualSums sums;
  sums.plus.assign(rows.features() + 1U, 0.0);
  sums.minus.assign(rows.features() + 1U, 0.0);
  in_parallel(2, 1, [&](std::size_t side, std::size_t) {
    add_up(rows, options, a, scaling, side == 0 ? 1.0 : -1.0, side == 0 ? sums.plus : sums.minus);
  });
  return sums;
}

double losses_above(const Rows& rows, const OptimumOptions& options, const Weights& weights) {
  return sum_over_blocks(
      rows, options, [&](const Block& block, std::size_t, const std::vector<double>& costs, UnpackBuffer& room) {
        double sum = 0;
        for (std::size_t i = 0; i < block.rows; ++i) {
          const double sign = block.label[i] == options.positive ? 1.0 : -1.0;
          const double z = with_row(row_view(block, i), room, [&](const auto& x) {
            return negative_margin_above(weights.w.data(), sign, -sign * weights.bias() * weights.bias_value, x);
          });
          sum += loss_above(options.loss, costs[i], z);
        }
        return sum;
      });
}

double primal_above(std::span<const double> penalised, double losses) {
  return rounding_up([&] {
    double squares = 0;
    for (const double weight : penalised) squares += weight * weight;
    return squares / 2 + losses;
  });
}

double negative_duals_above(const Rows& rows, const OptimumOptions& options, std::span<const double> a,
                            const Scaling& scaling) {
  return sum_over_blocks(
      rows, options, [&](const Block& block, std::size_t b, const std::vector<double>& costs, UnpackBuffer&) {
        double sum = 0;
        for (std::size_t i = 0; i < block.rows; ++i) {
          const double dual = a[b * Rows::block_rows + i];
          sum += negative_dual_above(options.loss, costs[i], scaled(dual, block.label[i] == options.positive, scaling));
        }
        return sum;
      });
}

double dual_below(const DualSums& sums, double negative_duals) {
  return -rounding_up([&] {
    double squares = 0;
    for (std::size_t j = 0; j < sums.plus.size(); ++j) {
      const double size = larger(sums.plus[j], sums.minus[j]);
      squares += size * size;
    }
    return squares / 2 + negative_duals;
  });
}

void add_above(std::vector<double>& to, std::span<const double> more) {
  rounding_up([&] {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] += more[i];
  });
}

void finish(Optimum& result) {
  if (!std::isfinite(result.primal) || !std::isfinite(result.dual)) {
    throw Error(ErrorKind::data, "the objective leaves the range of doubles")
        .fix("scale the data: " + option("normalize", "row") + ", or " + option("normalize", "column"));
  }
  result.radius = rounding_up([&] { return std::sqrt(2 * larger(0.0, result.primal - result.dual)); });
}

}  // namespace halfspace::optimum
