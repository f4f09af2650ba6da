// The steps that sums make.
#include "optimum/newton_by_sums.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "halfspace/base/error.h"
#include "optimum/cholesky.h"
#include "optimum/passes.h"
#include "optimum/proof.h"
#include "optimum/softmax.h"

namespace halfspace::optimum {
namespace {

using Vector = std::vector<double>;

// The inverse of a curvature, nearly: that of its blocks, one a vector, or of its diagonal.
class Preconditioner {
 public:
  // `curvature`: as `slopes` has it, without the penalties of the weights.
  Preconditioner(Vector curvature, std::span<const double> penalties, std::size_t vectors, bool blocks)
      : vectors_(vectors) {
    if (!blocks) {
      diagonal_ = std::move(curvature);
      for (std::size_t j = 0; j < diagonal_.size(); ++j) diagonal_[j] += penalties[j];
      return;
    }
    const std::size_t features = penalties.size() / vectors;
    block_.resize(vectors);
    for (std::size_t k = 0; k < vectors; ++k) {
      Vector triangle(triangle_row(features));
      for (std::size_t i = 0; i < triangle.size(); ++i) triangle[i] = curvature[i * vectors + k];
      for (std::size_t j = 0; j < features; ++j) triangle[triangle_row(j) + j] += penalties[j * vectors + k];
      block_[k].factor(std::move(triangle));
    }
  }

  void solve(std::span<const double> b, Vector& z) const {
    z.assign(b.begin(), b.end());
    if (block_.empty()) {
      for (std::size_t j = 0; j < z.size(); ++j) z[j] /= diagonal_[j];
    } else {
      Vector of_class(z.size() / vectors_);
      for (std::size_t k = 0; k < vectors_; ++k) {
        for (std::size_t j = 0; j < of_class.size(); ++j) of_class[j] = z[j * vectors_ + k];
        block_[k].solve(of_class);
        for (std::size_t j = 0; j < of_class.size(); ++j) z[j * vectors_ + k] = of_class[j];
      }
    }
    if (vectors_ > 1) keep_sums(z);
  }

 private:
  // Takes away what all vectors have in common.
  void keep_sums(Vector& z) const {
    for (std::size_t j = 0; j < z.size(); j += vectors_) {
      double sum = 0;
      for (std::size_t k = 0; k < vectors_; ++k) sum += z[j + k];
      for (std::size_t k = 0; k < vectors_; ++k) z[j + k] -= sum / static_cast<double>(vectors_);
    }
  }

  std::size_t vectors_;
  Vector diagonal_;
  std::vector<Cholesky> block_;
};

class NewtonBySums {
 public:
  NewtonBySums(const OptimumOptions& options, const SumsProblem& problem)
      : options_(options),
        problem_(problem),
        free_(options.penalize_bias ? 0 : problem.vectors),
        free_penalty_(1e-8 * problem.all_cost),
        weights_(problem.start) {
    weights_.resize((problem.features + std::size_t{1}) * problem.vectors, 0.0);
    for (std::size_t j = 0; j < weights_.size(); ++j) penalties_.push_back(penalty(j));
  }

  Optimum run() {
    constexpr int most_steps = 200, patience = 20;
    double aim = options_.gap, least_gap = HUGE_VAL, first = 0;
    look(weights_);
    for (int step = 0, since = 0; step < most_steps && since < patience; ++step) {
      const double gap = slope_gap();
      problem_.on_step(result_.passes, primal_ > 0 ? gap / primal_ : 0);
      since = gap < 0.9 * least_gap ? 0 : since + 1;
      least_gap = std::min(gap, least_gap);
      while (gap <= aim * primal_) {
        prove();
        if (result_.relative_gap() <= options_.gap) return std::move(result_);
        aim /= 4;
        if (aim <= 1e-17 || aim < options_.gap * 0x1p-12) return without_precision();
      }
      if (problem_.stop()) break;
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

  Vector ask(Sums sums, const Vector& weights, Vector along = {}, Vector mending = {}) {
    ++result_.passes;
    return problem_.ask(
        {sums, problem_.vectors, options_.positive, options_.cost, weights, std::move(along), std::move(mending)});
  }

  std::size_t penalised() const { return weights_.size() - free_; }
  double penalty_product(const Vector& a, const Vector& b) const {
    return inner({a.data(), penalised()}, {b.data(), penalised()});
  }

  // Evaluates the objective, its gradient and its curvature at weights.
  void look(const Vector& w) {
    const Vector sums = ask(Sums::slopes, w);
    const auto size = static_cast<std::ptrdiff_t>(w.size());
    primal_ = penalty_product(w, w) / 2 + sums.at(0);
    gradient_.assign(sums.begin() + 1, sums.begin() + 1 + size);
    for (std::size_t j = 0; j < penalised(); ++j) gradient_[j] += w[j];
    curvature_.assign(sums.begin() + 1 + size, sums.end());
  }

  // Free biases unbalance the classes by their gradients, and mending them costs its first order.
  double slope_gap() const {
    double gap = penalty_product(gradient_, gradient_) / 2;
    for (std::size_t j = penalised(); j < weights_.size(); ++j)
      gap += 2 * std::abs(gradient_[j] * weights_[j]) + gradient_[j] * gradient_[j];
    return gap;
  }

  double penalty(std::size_t j) const { return j < penalised() ? 1.0 : free_penalty_; }

  Vector direction(double enough) {
    const std::size_t size = weights_.size();
    if (!has_matrix(size, problem_.vectors)) return by_conjugate_gradients(enough);
    for (std::size_t j = 0; j < size; ++j) curvature_[triangle_row(j) + j] += penalty(j);
    Cholesky cholesky;
    cholesky.factor(std::move(curvature_));
    Vector s = gradient_;
    for (double& number : s) number = -number;
    cholesky.solve(s);
    return s;
  }

  // As those of NewtonSystem.
  Vector by_conjugate_gradients(double enough) {
    const Preconditioner nearly(std::move(curvature_), penalties_, problem_.vectors,
                                has_blocks(weights_.size(), problem_.vectors));
    Vector s(gradient_.size(), 0.0), residual = gradient_, z(gradient_.size());
    for (double& r : residual) r = -r;
    const auto precondition = [&] {
      nearly.solve(residual, z);
      return inner(residual, z);
    };
    double rz = precondition();
    Vector along = z;
    constexpr int most = 1000;
    for (int step = 0; step < most && !problem_.stop(); ++step) {
      Vector product = ask(Sums::curvature, weights_, along);
      for (std::size_t j = 0; j < product.size(); ++j) product[j] += penalty(j) * along[j];
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
    const Vector from = weights_;
    constexpr int looks = 40;
    double t = 1;
    for (int n = 0; n < looks; ++n) {
      Vector to = from;
      add_multiple(to, t, s);
      look(to);
      if (primal_ <= before + sure_fall * t * slope + rounding * std::abs(before)) {
        weights_ = std::move(to);
        return true;
      }
      // The least of the parabola.
      const double bend = primal_ - before - t * slope;
      t *= std::isfinite(bend) ? std::clamp(-t * slope / (2 * bend), 0.1, 0.5) : 0.1;
    }
    look(from);
    return false;
  }

  // Brings free biases to their best for the weights, where the classes' sums are equal: what mending costs is of the
  // first order in their difference. Multiclass: of two classes, scaling is as good.
  void balance() {
    const std::size_t vectors = problem_.vectors;
    if (free_ == 0 || vectors == 1 || options_.bias == 0) return;
    constexpr int steps = 4;
    for (int step = 0; step < steps; ++step) {
      const Vector sums = ask(Sums::biases, weights_);
      Vector s(sums.begin(), sums.begin() + static_cast<std::ptrdiff_t>(vectors));
      Vector triangle(sums.begin() + static_cast<std::ptrdiff_t>(vectors), sums.end());
      const double before = *std::max_element(s.begin(), s.end());
      if (!(before > 1e-15 * problem_.all_cost)) return;
      for (std::size_t k = 0; k < vectors; ++k) triangle[triangle_row(k) + k] *= 1 + 1e-12;  // as a sum is free
      Cholesky cholesky;
      cholesky.factor(std::move(triangle));
      cholesky.solve(s);
      // A class without rows has its bias at minus infinity, and nothing is balanced.
      if (!std::all_of(s.begin(), s.end(), [](double move) { return std::abs(move) <= 1; })) return;
      for (std::size_t k = 0; k < vectors; ++k) weights_[penalised() + k] -= s[k];
    }
  }

  void prove() {
    const Vector unbalanced = weights_;
    balance();
    const Vector classes = ask(Sums::classes, weights_);
    const bool free = free_ > 0 && options_.bias != 0;
    const Vector mending = problem_.vectors > 1 ? softmax_mending(problem_.vectors, free, classes)
                                                : numbers_of(scaling_of(options_, class_sums_of(classes)));
    const Vector found = ask(Sums::duals, weights_, {}, mending);
    const auto size = static_cast<std::ptrdiff_t>(weights_.size());
    const DualSums sums{Vector(found.begin() + 1, found.begin() + 1 + size),
                        Vector(found.begin() + 1 + size, found.end())};
    result_.primal = primal_above({weights_.data(), penalised()}, classes.at(0));
    result_.dual = std::max(0.0, dual_below(sums, found.at(0)));  // as no loss is negative
    finish(result_);
    const auto vectors = static_cast<std::ptrdiff_t>(problem_.vectors);
    result_.weights.assign(weights_.begin(), weights_.end() - vectors);
    result_.biases.assign(weights_.end() - vectors, weights_.end());
    result_.bias = result_.biases.front();
    weights_ = unbalanced;  // where the gradient is known
  }

  const OptimumOptions& options_;
  const SumsProblem& problem_;
  std::size_t free_;  // of the last weights, biases without a penalty
  double free_penalty_;
  Vector weights_, penalties_;
  double primal_ = 0;
  Vector gradient_, curvature_;
  Optimum result_;
};

}  // namespace

void add_sums(Sums sums, std::vector<double>& to, const std::vector<double>& more) {
  if (to.size() != more.size())
    throw Error(ErrorKind::data, "these sums are of other weights").fix("add answers to the same question");
  if (sums == Sums::classes || sums == Sums::duals) return add_above(to, more);
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += more[i];
}

Optimum minimize_by_sums(const OptimumOptions& options, const SumsProblem& problem) {
  if (options.loss == MarginLoss::hinge) {
    throw Error(ErrorKind::usage, "the hinge has no slope at 1: it is minimized on one machine")
        .fix("use " + option("objective", "squared-hinge") + " or logistic");
  }
  if (options.loss != MarginLoss::logistic && problem.vectors > 1)
    throw Error(ErrorKind::usage, "classes can share a logistic loss only").fix("minimize each against the rest");
  return NewtonBySums(options, problem).run();
}

}  // namespace halfspace::optimum
