// Dual coordinate descent over items, of a hinge or its square: passes in random order, with shrinking.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "halfspace/base/random.h"
#include "optimum/items.h"

namespace halfspace::optimum {

class FreeSystem;

// What a pass saw: each row before its step.
struct PassSums {
  double gap = 0;                                 // of the rows visited
  double highest = -HUGE_VAL, lowest = HUGE_VAL;  // of the projected gradients
  std::uint64_t visits = 0;
};

class Descent {
 public:
  Descent(const OptimumOptions& options, Weights& weights) : options_(options), weights_(weights) {}

  // Takes items, all of them active. They are the caller's.
  void begin(std::span<Item> items);
  // Visits the active rows in random order: each dual variable goes to its best value, or near it. Rows at a bound that
  // press against it more than any did in the pass before are no longer active.
  PassSums pass(Draws& draws);
  // Minimizes over the active dual variables that are at no bound, all at once, and goes there as far as bounds and the
  // objective allow (after Moré and Toraldo, SIAM J. Optim. 1, 1991). Where passes crawl, the bounds have been found.
  // Returns the visits of rows. `stop` is asked on the way.
  std::uint64_t step_of_free(const std::function<bool()>& stop);
  bool shrunk() const { return active_.size() < items_.size(); }
  std::size_t active() const { return active_.size(); }
  // Makes active again what may move, by the margins of all items at the present weights.
  void reconsider(std::span<const double> margins);

 private:
  template <MarginLoss loss>
  PassSums pass_with(Draws& draws);
  void fetch_ahead(std::size_t at) const;
  double limit_of(const Item& item) const { return options_.loss == MarginLoss::hinge ? item.cost : HUGE_VAL; }
  // What the curvature of a row has beyond |x|^2.
  double own_curvature(const Item& item) const {
    return options_.loss == MarginLoss::hinge ? 0.0 : 1 / (2 * item.cost);
  }
  void go(std::span<Item* const> rows, std::span<const double> gradient, const std::vector<double>& change,
          FreeSystem& system);

  const OptimumOptions& options_;
  Weights& weights_;
  std::span<Item> items_;
  std::vector<std::uint32_t> active_;
  double highest_ = HUGE_VAL, lowest_ = -HUGE_VAL;  // of the pass before
  UnpackBuffer room_;
};

}  // namespace halfspace::optimum
