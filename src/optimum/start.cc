// Adds up the weights of given dual variables.
#include "optimum/start.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "halfspace/base/error.h"
#include "halfspace/detail/kernels/kernels.h"

namespace halfspace::optimum {
namespace {

double within_bounds(double a, const Item& item, MarginLoss loss) {
  if (!(a > 0) || !std::isfinite(a) || !(item.cost > 0)) return 0;
  return loss == MarginLoss::squared_hinge ? a : std::min(a, item.cost);
}

}  // namespace

std::vector<double> begin(const Rows& rows, const OptimumOptions& options, Weights& weights) {
  std::vector<double> dual_variables(rows.size(), 0.0);
  if (options.start.empty()) return dual_variables;
  if (options.start.size() != rows.size())
    throw Error(ErrorKind::usage, "the start has " + std::to_string(options.start.size()) + " dual variables, and " +
                                      std::to_string(rows.size()) + " rows need one each")
        .fix("give those of a solution on the same rows");
  UnpackBuffer room;
  std::size_t number = 0;
  for (std::size_t b = 0; b < rows.blocks(); ++b) {
    const Block block = rows.block(b);
    for (std::size_t i = 0; i < block.rows; ++i, ++number) {
      const Item item = item_of(block, i, options, weights.bias_value);
      const double a = within_bounds(options.start[number], item, options.loss);
      if (a == 0) continue;
      dual_variables[number] = a;
      with_row(item.row, room, [&](const auto& x) { add(weights.w.data(), a * item.sign, x); });
      weights.bias() += a * item.sign * weights.bias_value;
    }
    rows.release(b);
  }
  return dual_variables;
}

}  // namespace halfspace::optimum
