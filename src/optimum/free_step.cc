// The step of all free dual variables at once.
#include <algorithm>
#include <cmath>

#include "optimum/descent.h"
#include "optimum/free_system.h"
#include "optimum/passes.h"

namespace halfspace::optimum {

// Goes along the change, cut off at the bounds, as far as the dual objective rises; if it does not, along the whole
// change to the first bound.
void Descent::go(std::span<Item* const> rows, std::span<const double> gradient, const std::vector<double>& change,
                 FreeSystem& system) {
  std::vector<double> cut = change;
  double most = 1, slope = 0, own = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    cut[i] = std::clamp(rows[i]->a + change[i], 0.0, limit_of(*rows[i])) - rows[i]->a;
    if (cut[i] != change[i]) most = std::min(most, cut[i] / change[i]);
    slope += gradient[i] * cut[i];
  }
  if (!(slope < 0)) {
    for (std::size_t i = 0; i < rows.size(); ++i) cut[i] = most * change[i];
    slope = inner(gradient, cut);
  }
  if (!(slope < 0)) return;
  for (std::size_t i = 0; i < rows.size(); ++i) own += cut[i] * cut[i] * own_curvature(*rows[i]);
  const std::vector<double> sum = system.combine(cut);
  const double curvature = inner(sum, sum) + own;
  const double t = curvature > 0 ? std::min(1.0, -slope / curvature) : 1.0;
  for (std::size_t i = 0; i < rows.size(); ++i)
    rows[i]->a = std::clamp(rows[i]->a + t * cut[i], 0.0, limit_of(*rows[i]));
  add_multiple(weights_.w, t, sum);
}

std::uint64_t Descent::step_of_free(const std::function<bool()>& stop) {
  std::vector<std::uint32_t> free;
  for (const std::uint32_t i : active_) {
    if (items_[i].a > 0 && items_[i].a < limit_of(items_[i]) && items_[i].curvature > 0) free.push_back(i);
  }
  if (free.empty() || free.size() > weights_.w.size()) return 0;  // more depend on one another
  std::sort(free.begin(), free.end());
  std::vector<Item*> rows;
  std::vector<double> gradient, diagonal, residual;
  double worst = 0;
  for (const std::uint32_t i : free) {
    Item& item = items_[i];
    rows.push_back(&item);
    gradient.push_back(margin_of(weights_, item, room_) - 1 + item.a * own_curvature(item));
    residual.push_back(-gradient.back());
    worst = std::max(worst, std::abs(gradient.back()));
    // Rows that depend on others have a solution, too.
    constexpr double ridge = 1e-9;
    diagonal.push_back(std::max(own_curvature(item), ridge * item.curvature));
  }
  FreeSystem system({rows.begin(), rows.end()}, std::move(diagonal), weights_.w.size() - 1, weights_.bias_value);
  constexpr double share = 0.01;
  const std::vector<double> change = system.solve(std::move(residual), share * worst, stop);
  // Conjugate gradients that are broken off raise the dual objective, and may raise the primal one far more.
  if (!stop()) go(rows, gradient, change, system);
  return rows.size() + system.visits();
}

}  // namespace halfspace::optimum
