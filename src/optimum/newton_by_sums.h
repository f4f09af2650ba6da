// Newton's method for the losses with a slope everywhere, which sees the rows through sums alone.
//
// Each question is answered by sums over rows (row_sums.h). So the rows may be elsewhere, in shards, whose sums are added
// (add_sums()) by whoever has them. Where weights are few, a step asks for the matrix of curvatures once and is exact; else
// conjugate gradients ask for a product each. Steps go as far as the objective falls.
//
// Two classes have one vector of weights; more of the logistic loss one each, of which the joint (multinomial) loss
//   c (ln sum over k of e^<w_k, x>  -  <w_y, x>)
// is minimized. Weak duality: for any probabilities p of the classes, one distribution a row, and v_k = sum of
// c ([y = k] - p_k) x,
//   P(W) >= D(p) = sum of c H(p) - sum over k of |v_k|^2 / 2,   H(p) = -sum of p_k ln p_k,
// as ln sum e^s = max over p of <p, s> + H(p). Without a penalty of the biases that holds if each class's sums of c p_k
// and of its own rows' c are equal, too. They are seldom exactly: D is that of (1 - e) p + e r, where r, one distribution
// for all rows, makes up for the difference, and is known within bounds.
//
// Guarantee: that of minimize(): the bounds are proved in directed rounding from all rows. The minimum does not depend on
// who adds up what; the last digits of what is found may.
//
// The multinomial loss does not change when all vectors move alike, and the penalty is least where they add up to 0: the
// directions of conjugate gradients do, too.
//
// Cost: a step a sum of size^2 / 2 numbers where has_matrix(), else some dozens of `size`, and where has_blocks() one of
// size^2 / 2 / vectors; 2 more for the proof. The source: newton.h.
//
// Thread-safety: pure functions; minimize_by_sums() calls `ask` and `stop` on the thread that called it.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "halfspace/optimum/optimum.h"

namespace halfspace::optimum {

// Returns whether a step asks for the matrix of curvatures of so many weights. Multiclass, a row adds to a matrix as
// often as to a product classes^2 times the values that it has.
constexpr bool has_matrix(std::size_t weights, std::uint32_t vectors) { return weights <= (vectors > 1 ? 32U : 512U); }
// Returns whether else it asks for the block of curvatures of each vector, which conditions the conjugate gradients.
constexpr bool has_blocks(std::size_t weights, std::uint32_t vectors) {
  return vectors > 1 && !has_matrix(weights, vectors) && weights / vectors <= 128;
}

enum class Sums : std::uint8_t {
  biases,  // the gradient of the losses by the biases alone, and the lower triangle of their curvature
  // The losses, their gradient, and of their curvature the lower triangle; or the blocks, [entry of a triangle over
  // features and bias][vector]; or the diagonal.
  slopes,
  curvature,  // the product of the curvature with a direction
  classes,    // rounded up: the losses; of an unpenalised bias also what Mending needs
  duals       // rounded up: of the mended dual variables the rows' parts, and the coordinates, both negative and not
};

struct SumsAsked {
  Sums sums = Sums::slopes;
  std::uint32_t vectors = 1;  // one, or one a class
  std::int32_t positive = 1;  // of one vector, as in OptimumOptions
  double cost = 1;
  std::vector<double> weights;    // [feature * vectors + vector], then the biases
  std::vector<double> direction;  // curvature: alike
  std::vector<double> mending;    // duals: proof.h, softmax.h
};

// Adds the sums of other rows. Throws Error(data) unless they are as many.
void add_sums(Sums sums, std::vector<double>& to, const std::vector<double>& more);

struct SumsProblem {
  std::uint32_t features = 0, vectors = 1;
  std::vector<double> start{};                                 // weights to begin at, then biases; empty: 0
  double all_cost = 0;                                         // of all rows
  std::function<std::vector<double>(const SumsAsked&)> ask{};  // returns the sums over all rows
  std::function<bool()> stop = [] { return false; };           // asked between steps
  std::function<void(std::uint64_t passes, double relative_gap)> on_step = [](std::uint64_t, double) {};
};

// Returns the minimum, without dual variables. Throws Error as minimize(), and usage for a hinge, or for several vectors
// of a squared hinge; what `ask` throws. Its `stopped` says nothing of `stop`.
Optimum minimize_by_sums(const OptimumOptions& options, const SumsProblem& problem);

}  // namespace halfspace::optimum
