// The sums over a shard's rows, and the steps that they make.
#include "optimum/shard_newton.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "halfspace/base/error.h"
#include "optimum/cholesky.h"
#include "optimum/passes.h"
#include "optimum/weights.h"

namespace halfspace::optimum {
namespace {

using Vector = std::vector<double>;

// The rows of a shard with the weights of a question.
class ShardRows {
 public:
  ShardRows(const Rows& rows, const OptimumOptions& options, const SumsAsked& asked)
      : passes_(rows), options_(options), asked_(asked) {
    options_.positive = asked.positive;
    options_.cost = asked.cost;
  }

  Vector slopes() {
    const std::size_t size = asked_.weights.size();
    const bool matrix = size <= few_weights;
    return sum(1 + size + (matrix ? triangle_row(size) : size), [&](Vector& sums, const auto& x, double sign, double c) {
      const RowLoss loss = smooth_loss(options_.loss, c, sign * score(asked_.weights, x));
      sums[0] += loss.value;
      double* const gradient = sums.data() + 1;
      double* const curvature = gradient + size;
      if (loss.dual != 0) {
        add(gradient, -sign * loss.dual, x);
        gradient[size - 1] -= sign * loss.dual * options_.bias;
      }
      if (!(loss.curvature > 0)) return;
      matrix ? add_square(curvature, loss.curvature, x) : add_diagonal(curvature, loss.curvature, x);
    });
  }

  Vector curvature() {
    return sum(asked_.weights.size(), [&](Vector& sums, const auto& x, double sign, double c) {
      const double h = smooth_loss(options_.loss, c, sign * score(asked_.weights, x)).curvature;
      if (!(h > 0)) return;
      const double amount = h * score(asked_.direction, x);
      add(sums.data(), amount, x);
      sums.back() += amount * options_.bias;
    });
  }

  Vector classes() {
    const ClassSums of = class_sums(passes_.rows(), options_, dual_variables());
    return {losses_above(passes_.rows(), options_, weights()), of.minus[0], of.minus[1], of.plus[0], of.plus[1]};
  }

  Vector duals() {
    const Vector a = dual_variables();
    const DualSums sums = dual_sums(passes_.rows(), options_, a, asked_.scaling);
    Vector found{negative_duals_above(passes_.rows(), options_, a, asked_.scaling)};
    for (const Vector* side : {&sums.plus, &sums.minus}) {
      found.insert(found.end(), side->begin(), side->end() - 1);
      found.resize(found.size() + asked_.weights.size() - side->size(), 0.0);  // of features that no row here has
      found.push_back(side->back());
    }
    return found;
  }

 private:
  template <class Reader>
  double score(const Vector& w, const Reader& x) const {
    return dot(w.data(), x) + w.back() * options_.bias;
  }

  // Returns the sum of the vectors of `size` numbers that each(sum, x, y, c) adds to.
  template <class Each>
  Vector sum(std::size_t size, const Each& each) {
    return passes_.sum_of(passes_.stored(), size, [&](Vector& sums, std::size_t b, UnpackBuffer& room) {
      const Block block = passes_.rows().block(b);
      for (std::size_t i = 0; i < block.rows; ++i) {
        const double sign = block.label[i] == options_.positive ? 1 : -1;
        const double c = cost_of(options_, block.weight == nullptr ? 1.0 : block.weight[i]);
        if (c > 0) with_row(row_view(block, i), room, [&](const auto& x) { each(sums, x, sign, c); });
      }
    });
  }

  template <class Reader>
  void add_diagonal(double* diagonal, double h, const Reader& x) const {
    for (std::size_t k = 0; k < x.size; ++k) diagonal[x.index(k)] += h * x.value(k) * x.value(k);
    diagonal[asked_.weights.size() - 1] += h * options_.bias * options_.bias;
  }
  template <class Reader>
  void add_square(double* triangle, double h, const Reader& x) const {
    const std::size_t bias = asked_.weights.size() - 1;
    double* const bias_row = triangle + triangle_row(bias);
    for (std::size_t i = 0; i < x.size; ++i) {
      const double amount = h * x.value(i);
      for (std::size_t j = 0; j <= i; ++j) {
        const auto [low, high] = std::minmax({x.index(i), x.index(j)});  // a row's indices need not ascend
        triangle[triangle_row(high) + low] += amount * x.value(j);
      }
      bias_row[x.index(i)] += amount * options_.bias;
    }
    bias_row[bias] += h * options_.bias * options_.bias;
  }

  Weights weights() const {
    Weights weights(0, options_.bias);
    weights.w = asked_.weights;
    return weights;
  }
  Vector dual_variables() {
    const Rows& rows = passes_.rows();
    Vector a(rows.size());
    passes_.for_blocks(std::max<std::size_t>(1, rows.blocks()), [&](std::size_t, std::size_t b, UnpackBuffer& room) {
      const Block block = rows.block(b);
      for (std::size_t i = 0; i < block.rows; ++i) {
        const double sign = block.label[i] == options_.positive ? 1 : -1;
        const double c = cost_of(options_, block.weight == nullptr ? 1.0 : block.weight[i]);
        const double margin =
            sign * with_row(row_view(block, i), room, [&](const auto& x) { return score(asked_.weights, x); });
        a[b * Rows::block_rows + i] = smooth_dual(options_.loss, c, margin);
      }
    });
    return a;
  }

  Passes passes_;
  OptimumOptions options_;
  const SumsAsked& asked_;
};

class ShardNewton {
 public:
  ShardNewton(const OptimumOptions& options, std::uint32_t features, double all_cost,
              const std::function<Vector(const SumsAsked&)>& ask)
      : options_(options),
        ask_(ask),
        bias_penalty_(options.penalize_bias ? 1.0 : 1e-8 * all_cost),
        weights_(features, options.bias) {}

  Optimum run() {
    constexpr int most_steps = 200, patience = 20;
    double aim = options_.gap, least_gap = HUGE_VAL, first = 0;
    look(weights_.w);
    for (int step = 0, since = 0; step < most_steps && since < patience; ++step) {
      const double gap = slope_gap();
      since = gap < 0.9 * least_gap ? 0 : since + 1;
      least_gap = std::min(gap, least_gap);
      while (gap <= aim * primal_) {
        prove();
        if (result_.relative_gap() <= options_.gap) return std::move(result_);
        aim /= 4;
        if (aim <= 1e-17 || aim < options_.gap * 0x1p-12) return without_precision();
      }
      const double slope = inner(gradient_, gradient_) / 2;
      if (first == 0) first = slope;
      const Vector s = direction(std::max(0.1 * aim * primal_, std::min(0.04, std::sqrt(slope / first)) * slope));
      if (!advance(s)) break;
    }
    prove();
    return result_.relative_gap() <= options_.gap ? std::move(result_) : without_precision();
  }

 private:
  Optimum without_precision() {
    result_.stopped = OptimumStop::precision;
    return std::move(result_);
  }

  Vector ask(Sums sums, const Vector& weights, Vector along = {}, const Scaling& scaling = {}) {
    ++result_.passes;
    SumsAsked asked{sums, options_.positive, options_.cost, weights, std::move(along), scaling};
    return ask_(asked);
  }

  double penalty_product(const Vector& a, const Vector& b) const {
    return inner(a, b) - (options_.penalize_bias ? 0.0 : a.back() * b.back());
  }

  // Evaluates the objective, its gradient and its curvature at weights.
  void look(const Vector& w) {
    const Vector sums = ask(Sums::slopes, w);
    const auto size = static_cast<std::ptrdiff_t>(w.size());
    primal_ = penalty_product(w, w) / 2 + sums.at(0);
    gradient_.assign(sums.begin() + 1, sums.begin() + 1 + size);
    const double of_bias = gradient_.back();
    add_multiple(gradient_, 1, w);
    if (!options_.penalize_bias) gradient_.back() = of_bias;
    curvature_.assign(sums.begin() + 1 + size, sums.end());
  }

  // As that of Newton.
  double slope_gap() const {
    const double slope = options_.penalize_bias ? 0.0 : gradient_.back();
    return (inner(gradient_, gradient_) - slope * slope) / 2 + 2 * std::abs(slope * weights_.bias()) + slope * slope;
  }

  Vector direction(double enough) {
    const std::size_t size = weights_.w.size();
    if (size > few_weights) return by_conjugate_gradients(enough);
    for (std::size_t j = 0; j < size; ++j) curvature_[triangle_row(j) + j] += j + 1 < size ? 1.0 : bias_penalty_;
    Cholesky cholesky;
    cholesky.factor(std::move(curvature_));
    Vector s = gradient_;
    for (double& number : s) number = -number;
    cholesky.solve(s);
    return s;
  }

  // As those of NewtonSystem.
  Vector by_conjugate_gradients(double enough) {
    Vector diagonal = std::move(curvature_);
    for (double& number : diagonal) number += 1;
    diagonal.back() += bias_penalty_ - 1;
    Vector s(gradient_.size(), 0.0), residual = gradient_, z(gradient_.size());
    for (double& r : residual) r = -r;
    const auto precondition = [&] {
      for (std::size_t j = 0; j < z.size(); ++j) z[j] = residual[j] / diagonal[j];
      return inner(residual, z);
    };
    double rz = precondition();
    Vector along = z;
    constexpr int most = 1000;
    for (int step = 0; step < most; ++step) {
      Vector product = ask(Sums::curvature, weights_.w, along);
      const double of_bias = product.back() + bias_penalty_ * along.back();
      add_multiple(product, 1, along);
      product.back() = of_bias;
      const double curved = inner(along, product);
      if (!(curved > 0)) break;
      add_multiple(s, rz / curved, along);
      add_multiple(residual, -rz / curved, product);
      if (inner(residual, residual) / 2 <= enough) break;
      const double next = precondition(), share = next / rz;
      rz = next;
      for (std::size_t j = 0; j < z.size(); ++j) along[j] = z[j] + share * along[j];
    }
    return s;
  }

  // Goes along s as far as the objective falls, and looks there. Returns false if rounding hides any fall.
  bool advance(const Vector& s) {
    const double before = primal_, slope = inner(gradient_, s);
    if (!(slope < 0)) return false;
    constexpr double sure_fall = 1e-4, rounding = 1e-14;
    const Vector from = weights_.w;
    constexpr int looks = 40;
    double t = 1;
    for (int n = 0; n < looks; ++n) {
      Vector to = from;
      add_multiple(to, t, s);
      look(to);
      if (primal_ <= before + sure_fall * t * slope + rounding * std::abs(before)) {
        weights_.w = std::move(to);
        return true;
      }
      // The least of the parabola.
      const double bend = primal_ - before - t * slope;
      t *= std::isfinite(bend) ? std::clamp(-t * slope / (2 * bend), 0.1, 0.5) : 0.1;
    }
    look(from);
    return false;
  }

  void prove() {
    const Vector classes = ask(Sums::classes, weights_.w);
    const Scaling scaling =
        scaling_of(options_, {{classes.at(1), classes.at(2)}, {classes.at(3), classes.at(4)}});
    const Vector found = ask(Sums::duals, weights_.w, {}, scaling);
    const auto size = static_cast<std::ptrdiff_t>(weights_.w.size());
    const DualSums sums{Vector(found.begin() + 1, found.begin() + 1 + size), Vector(found.begin() + 1 + size, found.end())};
    result_.primal = primal_above(options_, weights_, classes[0]);
    result_.dual = dual_below(sums, found.at(0));
    finish(weights_, result_);
  }

  const OptimumOptions& options_;
  const std::function<Vector(const SumsAsked&)>& ask_;
  double bias_penalty_;
  Weights weights_;
  double primal_ = 0;
  Vector gradient_, curvature_;
  Optimum result_;
};

}  // namespace

std::vector<double> sums_over(const Rows& rows, const OptimumOptions& options, const SumsAsked& asked) {
  ShardRows shard(rows, options, asked);
  switch (asked.sums) {
    case Sums::slopes:
      return shard.slopes();
    case Sums::curvature:
      return shard.curvature();
    case Sums::classes:
      return shard.classes();
    case Sums::duals:
      break;
  }
  return shard.duals();
}

void add_sums(Sums sums, std::vector<double>& to, const std::vector<double>& more) {
  if (to.size() != more.size())
    throw Error(ErrorKind::data, "these sums are of other weights").fix("add answers to the same question");
  if (sums == Sums::classes || sums == Sums::duals) return add_above(to, more);
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += more[i];
}

Optimum minimize_by_sums(const OptimumOptions& options, std::uint32_t features, double all_cost,
                         const std::function<std::vector<double>(const SumsAsked&)>& ask) {
  if (options.loss == MarginLoss::hinge) {
    throw Error(ErrorKind::usage, "the hinge has no slope at 1: it is minimized on one machine")
        .fix("use " + option("objective", "squared-hinge") + " or logistic");
  }
  return ShardNewton(options, features, all_cost, ask).run();
}

}  // namespace halfspace::optimum
