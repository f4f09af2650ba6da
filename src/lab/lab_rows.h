// Rows and small helpers that several labs share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "halfspace/base/random.h"
#include "halfspace/detail/kernels/kernels.h"
#include "halfspace/game/game.h"
#include "halfspace/linear/linear.h"
#include "halfspace/rules/composition.h"
#include "halfspace/rules/perceptron.h"

namespace halfspace::lab {

using Vector = std::vector<double>;
using Labelled = std::vector<std::pair<Vector, int>>;  // rows with their labels, 0 or 1

// Returns a point as an example; the vector must outlive it.
class Point {
 public:
  explicit Point(std::size_t dimension) : index_(dimension) { std::iota(index_.begin(), index_.end(), 0U); }
  Example<double, true> operator()(const Vector& x, int label) const {
    return {index_.data(),
            x.data(),
            static_cast<std::uint32_t>(x.size()),
            label,
            1.0,
            kernels::squared_norm(x.data(), x.size()),
            0};
  }

 private:
  std::vector<std::uint32_t> index_;
};

inline double dot(const Vector& a, const Vector& b) { return std::inner_product(a.begin(), a.end(), b.begin(), 0.0); }
inline double sign_of(int label) { return label == 1 ? 1 : -1; }

Linear<Perceptron> perceptron(Tie tie, std::size_t dimension, double rate = 1);

Vector random_signs(Generator& draws, std::size_t dimension);
// Draws a direction of length 1.
Vector random_direction(Generator& draws, std::size_t dimension);
// Draws rows of a cube, labelled by the side of `u` that they are on, and moved away from its border by `margin`.
Labelled separable_rows(Generator& draws, std::size_t count, const Vector& u, double margin);
// Draws random signs, labelled by the majority of the first three.
Labelled majorities_of_three(Generator& draws, std::size_t count, std::size_t dimension);
// Draws two Gaussian clouds, 3 apart in the first direction.
Labelled clouds(std::size_t count, std::size_t dimension, Generator& draws);
// Changes each label with this probability; returns how many.
std::size_t flip_labels(Labelled& rows, double probability, Generator& draws);

// Returns Novikoff's bound on these rows for the separator u.
double novikoff_of(const Labelled& rows, const Vector& u);
double radius_squared_of(const Labelled& rows);
// Returns the least y <w, x>, summed plainly.
double least_margin(const Labelled& rows, const Vector& w);
// Returns the number of rows that w predicts wrong, a score of 0 being positive, summed plainly.
std::uint64_t errors_on(const Labelled& rows, const Vector& w);

// A run of the game over rows, without a bias coordinate.
struct LabRun {
  // `interrupt`: null, or set from elsewhere: play() throws Error(input_output).
  LabRun(const Labelled& labelled, Composition composition, const std::atomic<bool>* interrupt);
  // Starts from these weights instead of zero.
  void begin_at(const Vector& w);
  void play(const Until& until, Draws& draws, std::function<void(const Ledger&)> on_pause = {});
  Vector present() const { return learner->present().w; }
  Vector result() const { return learner->result().w; }

  OrderName order;
  const std::atomic<bool>* interrupt;
  Rows rows;
  std::unique_ptr<Learner> learner;
  Ledger ledger;
};

}  // namespace halfspace::lab
