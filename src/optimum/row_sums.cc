// The sums over rows: of one vector here, multiclass ones by softmax.h.
#include "optimum/row_sums.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "optimum/cholesky.h"
#include "optimum/passes.h"
#include "optimum/proof.h"
#include "optimum/softmax.h"
#include "optimum/weights.h"

namespace halfspace::optimum {
namespace {

using Vector = std::vector<double>;

class VectorSums final : public RowSums {
 public:
  VectorSums(const Rows& rows, const OptimumOptions& options) : passes_(rows), options_(options) {}

  Vector answer(const SumsAsked& asked) override {
    switch (asked.sums) {
      case Sums::biases:
        return {};  // multiclass alone
      case Sums::slopes:
        return slopes(asked.weights);
      case Sums::curvature:
        return curvature(asked.weights, asked.direction);
      case Sums::classes:
        return classes(asked.weights);
      case Sums::duals:
        break;
    }
    return duals(asked.weights, scaling_of_numbers(asked.mending));
  }

 private:
  Vector slopes(const Vector& w) {
    const std::size_t size = w.size();
    const bool matrix = has_matrix(size, 1);
    return sum(1 + size + (matrix ? triangle_row(size) : size),
               [&](Vector& sums, const auto& x, double sign, double c) {
                 const RowLoss loss = smooth_loss(options_.loss, c, sign * score(w, x));
                 sums[0] += loss.value;
                 double* const gradient = sums.data() + 1;
                 double* const curvature = gradient + size;
                 if (loss.dual != 0) {
                   add(gradient, -sign * loss.dual, x);
                   gradient[size - 1] -= sign * loss.dual * options_.bias;
                 }
                 if (!(loss.curvature > 0)) return;
                 matrix ? add_square(curvature, size - 1, options_.bias, loss.curvature, x)
                        : add_diagonal(curvature, size - 1, loss.curvature, x);
               });
  }

  Vector curvature(const Vector& w, const Vector& direction) {
    return sum(w.size(), [&](Vector& sums, const auto& x, double sign, double c) {
      const double h = smooth_loss(options_.loss, c, sign * score(w, x)).curvature;
      if (!(h > 0)) return;
      const double amount = h * score(direction, x);
      add(sums.data(), amount, x);
      sums.back() += amount * options_.bias;
    });
  }

  Vector classes(const Vector& w) {
    const ClassSums of = class_sums(passes_.rows(), options_, dual_variables(w));
    Weights weights(0, options_.bias);
    weights.w = w;
    return {losses_above(passes_.rows(), options_, weights), of.minus[0], of.minus[1], of.plus[0], of.plus[1]};
  }

  Vector duals(const Vector& w, const Scaling& scaling) {
    const Vector a = dual_variables(w);
    const DualSums sums = dual_sums(passes_.rows(), options_, a, scaling);
    Vector found{negative_duals_above(passes_.rows(), options_, a, scaling)};
    for (const Vector* side : {&sums.plus, &sums.minus}) {
      found.insert(found.end(), side->begin(), side->end() - 1);
      found.resize(found.size() + w.size() - side->size(), 0.0);  // of features that no row here has
      found.push_back(side->back());
    }
    return found;
  }

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
  void add_diagonal(double* diagonal, std::size_t bias, double h, const Reader& x) const {
    for (std::size_t k = 0; k < x.size; ++k) diagonal[x.index(k)] += h * x.value(k) * x.value(k);
    diagonal[bias] += h * options_.bias * options_.bias;
  }
  Vector dual_variables(const Vector& w) {
    const Rows& rows = passes_.rows();
    Vector a(rows.size());
    passes_.for_blocks(std::max<std::size_t>(1, rows.blocks()), [&](std::size_t, std::size_t b, UnpackBuffer& room) {
      const Block block = rows.block(b);
      for (std::size_t i = 0; i < block.rows; ++i) {
        const double sign = block.label[i] == options_.positive ? 1 : -1;
        const double c = cost_of(options_, block.weight == nullptr ? 1.0 : block.weight[i]);
        const double margin = sign * with_row(row_view(block, i), room, [&](const auto& x) { return score(w, x); });
        a[b * Rows::block_rows + i] = smooth_dual(options_.loss, c, margin);
      }
    });
    return a;
  }

  Passes passes_;
  OptimumOptions options_;
};

}  // namespace

std::unique_ptr<RowSums> row_sums(const Rows& rows, const OptimumOptions& options, std::uint32_t vectors) {
  if (vectors > 1) return softmax_sums(rows, options, vectors);
  return std::make_unique<VectorSums>(rows, options);
}

}  // namespace halfspace::optimum
