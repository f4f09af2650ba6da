// The sums of Newton's method, class by class of each row.
#include "optimum/softmax.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "halfspace/detail/base/elementary.h"
#include "halfspace/detail/kernels/kernels.h"
#include "optimum/cholesky.h"
#include "optimum/passes.h"
#include "optimum/weights.h"

namespace halfspace::optimum {
namespace {

using Vector = std::vector<double>;

class SoftmaxSums final : public RowSums {
 public:
  SoftmaxSums(const Rows& rows, const OptimumOptions& options, std::uint32_t classes)
      : passes_(rows), options_(options), classes_(classes) {}

  Vector answer(const SumsAsked& asked) override {
    switch (asked.sums) {
      case Sums::biases:
        return of_biases(asked.weights);
      case Sums::slopes:
        return slopes(asked.weights);
      case Sums::curvature:
        return curvature(asked.weights, asked.direction);
      case Sums::classes:
        find_exponentials(asked.weights);
        return softmax_classes_above(passes_.rows(), options_, classes_, asked.weights, exponentials_);
      case Sums::duals:
        break;
    }
    find_exponentials(asked.weights);
    return softmax_duals_above(passes_.rows(), options_, classes_, asked.weights.size(), exponentials_, asked.mending);
  }

  // Returns the cost times the probability of each class of each row.
  Vector dual_variables(const Vector& w) {
    find_exponentials(w);
    Vector a(exponentials_.size());
    UnpackBuffer room;
    for (std::size_t b = 0; b < passes_.rows().blocks(); ++b) {
      each_row(b, room, [&](const auto&, std::size_t, double c, std::size_t row) {
        const double* const e = exponentials_of(row);
        double all = 0;
        for (std::size_t k = 0; k < classes_; ++k) all += e[k];
        for (std::size_t k = 0; k < classes_; ++k) a[row * classes_ + k] = c * (e[k] / all);
      });
      passes_.rows().release(b);
    }
    return a;
  }

 private:
  // Calls each(x, y, c, row) for the rows of a block that cost something.
  template <class Each>
  void each_row(std::size_t b, UnpackBuffer& room, const Each& each) const {
    const Block block = passes_.rows().block(b);
    block.with_storage([&]<class Value, bool dense>() {
      for (std::size_t i = 0; i < block.rows; ++i) {
        const auto x = block.example<Value, dense>(i, room);
        const double c = cost_of(options_, x.weight);
        if (c > 0) each(x, static_cast<std::size_t>(x.label), c, b * Rows::block_rows + i);
      }
    });
  }
  template <class Example>
  void score(const Vector& w, const Example& x, Vector& scores) const {
    const double* const biases = w.data() + w.size() - classes_;
    for (std::size_t k = 0; k < classes_; ++k) scores[k] = biases[k] * options_.bias;
    kernels::score_classes(scores.data(), classes_, w.data(), x);
  }
  // Adds amounts[k] x to the weights of class k.
  template <class Example>
  void add(double* sum, std::size_t size, const Vector& amounts, const Example& x) const {
    kernels::add_classes(sum, classes_, amounts.data(), x);
    double* const biases = sum + size - classes_;
    for (std::size_t k = 0; k < classes_; ++k) biases[k] += amounts[k] * options_.bias;
  }

  std::uint64_t work() const { return passes_.stored() * classes_; }
  double* exponentials_of(std::size_t row) { return exponentials_.data() + row * classes_; }

  // Turns scores into exponentials of their differences from the largest, which it returns with their sum.
  std::pair<double, double> exponentials(const Vector& scores, double* into) const {
    const double largest = *std::max_element(scores.begin(), scores.end());
    double sum = 0;
    for (std::size_t k = 0; k < classes_; ++k) sum += into[k] = elementary::exp(scores[k] - largest);
    return {largest, sum};
  }

  void find_exponentials(const Vector& w) {
    if (at_ == w) return;
    exponentials_.resize(passes_.rows().size() * classes_);
    passes_.for_blocks(std::max<std::size_t>(1, passes_.rows().blocks()),
                       [&](std::size_t, std::size_t b, UnpackBuffer& room) {
                         Vector scores(classes_);
                         each_row(b, room, [&](const auto& x, std::size_t, double, std::size_t row) {
                           score(w, x, scores);
                           exponentials(scores, exponentials_of(row));
                         });
                       });
    at_ = w;
  }

  Vector slopes(const Vector& w) {
    exponentials_.resize(passes_.rows().size() * classes_);
    const std::size_t size = w.size();
    const bool matrix = has_matrix(size, classes_), blocks = has_blocks(size, classes_);
    const std::size_t curvatures = matrix   ? triangle_row(size)
                                   : blocks ? triangle_row(size / classes_) * classes_
                                            : size;
    Vector sums = passes_.sum_of(work(), 1 + size + curvatures, [&](Vector& sum, std::size_t b, UnpackBuffer& room) {
      Vector scores(classes_), p(classes_), curved(classes_), outer;
      each_row(b, room, [&](const auto& x, std::size_t y, double c, std::size_t row) {
        score(w, x, scores);
        double* const e = exponentials_of(row);
        const auto [largest, all] = exponentials(scores, e);
        sum[0] += c * (largest - scores[y] + elementary::log(all));
        for (std::size_t k = 0; k < classes_; ++k) p[k] = e[k] / all;
        double* const curvature = sum.data() + 1 + size;
        if (matrix) {
          add_square(curvature, size, c, p, x);
        } else {
          for (std::size_t k = 0; k < classes_; ++k) curved[k] = c * (p[k] - p[k] * p[k]);
          if (!blocks) {
            add_diagonal(curvature, size, curved, x);
          } else {
            add_blocks(curvature, size, curved, x, outer);
          }
        }
        for (double& share : p) share *= c;
        p[y] -= c;
        add(sum.data() + 1, size, p, x);
      });
    });
    at_ = w;
    return sums;
  }

  Vector curvature(const Vector& w, const Vector& direction) {
    find_exponentials(w);
    return passes_.sum_of(work(), w.size(), [&](Vector& sum, std::size_t b, UnpackBuffer& room) {
      Vector scores(classes_);
      each_row(b, room, [&](const auto& x, std::size_t, double c, std::size_t row) {
        score(direction, x, scores);
        const double* const e = exponentials_of(row);
        double all = 0, mean = 0;
        for (std::size_t k = 0; k < classes_; ++k) {
          all += e[k];
          mean += e[k] * scores[k];
        }
        mean /= all;
        for (std::size_t k = 0; k < classes_; ++k) scores[k] = c * (e[k] / all) * (scores[k] - mean);
        add(sum.data(), w.size(), scores, x);
      });
    });
  }

  Vector of_biases(const Vector& w) {
    find_exponentials(w);
    return passes_.sum_of(passes_.rows().size() * classes_, classes_ + triangle_row(classes_),
                          [&](Vector& sum, std::size_t b, UnpackBuffer& room) {
                            Vector p(classes_);
                            each_row(b, room, [&](const auto&, std::size_t y, double c, std::size_t row) {
                              const double* const e = exponentials_of(row);
                              double all = 0;
                              for (std::size_t k = 0; k < classes_; ++k) all += e[k];
                              double* const triangle = sum.data() + classes_;
                              const double of_bias = c * options_.bias, square = of_bias * options_.bias;
                              for (std::size_t k = 0; k < classes_; ++k) {
                                p[k] = e[k] / all;
                                sum[k] += of_bias * (p[k] - (k == y ? 1.0 : 0.0));
                                double* const of = triangle + triangle_row(k);
                                for (std::size_t l = 0; l <= k; ++l) of[l] -= square * p[k] * p[l];
                                of[k] += square * p[k];
                              }
                            });
                          });
  }

  template <class Example>
  void add_diagonal(double* diagonal, std::size_t size, const Vector& curved, const Example& x) const {
    for (std::size_t i = 0; i < x.size; ++i) {
      const double square = x.value_at(i) * x.value_at(i);
      double* const of = diagonal + std::size_t{x.index[i]} * classes_;
      for (std::size_t k = 0; k < classes_; ++k) of[k] += square * curved[k];
    }
    double* const biases = diagonal + size - classes_;
    for (std::size_t k = 0; k < classes_; ++k) biases[k] += options_.bias * options_.bias * curved[k];
  }

  // Adds the value of the higher feature times that of the lower one times `curved`. Where a row has the first features,
  // each row of the triangle is one run of numbers.
  template <class Example>
  void add_blocks(double* blocks, std::size_t size, const Vector& curved, const Example& x, Vector& outer) const {
    const std::size_t bias = size / classes_ - 1;  // as a feature
    outer.resize(x.size * classes_);
    for (std::size_t j = 0; j < x.size; ++j) {
      for (std::size_t k = 0; k < classes_; ++k) outer[j * classes_ + k] = x.value_at(j) * curved[k];
    }
    const auto entry = [&](std::size_t high, std::size_t low) {
      return blocks + (triangle_row(high) + low) * classes_;
    };
    if constexpr (Example::is_dense) {
      for (std::size_t i = 0; i < x.size; ++i)
        kernels::add(entry(i, 0), x.value_at(i), outer.data(), (i + 1) * classes_);
      kernels::add(entry(bias, 0), options_.bias, outer.data(), outer.size());
    } else {
      for (std::size_t i = 0; i < x.size; ++i) {
        for (std::size_t j = 0; j <= i; ++j) {
          const bool ascends = x.index[j] <= x.index[i];  // a row's indices need not
          const std::size_t high = ascends ? i : j, low = ascends ? j : i;
          kernels::add(entry(x.index[high], x.index[low]), x.value_at(high), &outer[low * classes_], classes_);
        }
        kernels::add(entry(bias, x.index[i]), options_.bias, &outer[i * classes_], classes_);
      }
    }
    kernels::add(entry(bias, bias), options_.bias * options_.bias, curved.data(), classes_);
  }

  template <class Example>
  void add_square(double* triangle, std::size_t size, double c, const Vector& p, const Example& x) const {
    const std::size_t bias = size / classes_ - 1;  // as a feature
    const auto index = [&](std::size_t i) { return i < x.size ? std::size_t{x.index[i]} : bias; };
    const auto value = [&](std::size_t i) { return i < x.size ? x.value_at(i) : options_.bias; };
    for (std::size_t i = 0; i <= x.size; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        const double product = c * value(i) * value(j);
        const auto [low, high] = std::minmax({index(i), index(j)});  // a row's indices need not ascend
        for (std::size_t k = 0; k < classes_; ++k) {
          double* const of = triangle + triangle_row(high * classes_ + k) + low * classes_;
          const std::size_t end = low == high ? k + 1 : classes_;
          for (std::size_t l = 0; l < end; ++l) of[l] -= product * p[k] * p[l];
          of[k] += product * p[k];
        }
      }
    }
  }

  Passes passes_;
  OptimumOptions options_;
  std::uint32_t classes_;
  Vector at_;            // the weights of the exponentials
  Vector exponentials_;  // by row and class
};

}  // namespace

std::unique_ptr<RowSums> softmax_sums(const Rows& rows, const OptimumOptions& options, std::uint32_t classes) {
  return std::make_unique<SoftmaxSums>(rows, options, classes);
}

}  // namespace halfspace::optimum

namespace halfspace {

std::vector<double> softmax_dual_variables(const Rows& rows, const OptimumOptions& options, const Optimum& found) {
  std::vector<double> w = found.weights;
  w.insert(w.end(), found.biases.begin(), found.biases.end());
  return optimum::SoftmaxSums(rows, options, static_cast<std::uint32_t>(found.biases.size())).dual_variables(w);
}

}  // namespace halfspace
