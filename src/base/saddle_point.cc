// Stirling's series above 16, and the recurrence of the factorial below.
#include "base/saddle_point.h"

#include <cmath>

#include "halfspace/detail/base/elementary.h"

namespace halfspace {

double stirling_error(double x) {
  double below = 0;
  for (; x < 16; x += 1) below += (x + 0.5) * elementary::log1p(1 / x) - 1;
  const double s = 1 / (x * x);
  const double series =
      1.0 / 12 - (1.0 / 360 - (1.0 / 1260 - (1.0 / 1680 - (1.0 / 1188 - s * 691 / 360360) * s) * s) * s) * s;
  return series / x + below;
}

double deviance(double x, double m) {
  const double v = (x - m) / (x + m);
  if (std::abs(v) > 0.1) return x * elementary::log(x / m) + m - x;
  double sum = (x - m) * v, power = 2 * x * v;
  for (int j = 3;; j += 2) {
    power *= v * v;
    const double more = sum + power / j;
    if (more == sum) return sum;
    sum = more;
  }
}

}  // namespace halfspace
