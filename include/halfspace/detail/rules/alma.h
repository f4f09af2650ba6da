// ALMA, an approximate large margin algorithm, for p = 2: steps and the margin asked for both shrink as 1 / sqrt(k).
//
//   x' = x / |x|;  y <w, x'> <= (1 - alpha) B / sqrt(k)  =>
//     w <- the nearest point to w + sqrt(2 / k) y x' with |w| <= 1,  k <- k + 1
//   B = sqrt(8) / alpha, k = 1 at first
//
// The smaller alpha in (0, 1], the closer the margin comes to the largest there is, and the more corrections it takes.
// A zero row changes nothing. The rule is Alma over ScaledWeights with a ball of radius 1.
//
// Guarantee (Gentile 2001), for rows that a unit u separates with margin g after normalising: at most
//   2 / g^2 * (2 / alpha - 1)^2 + 8 / alpha - 4
// corrections (mistakes among them), and the margin of w at the end is at least (1 - alpha) g.
// For every u of any length, m corrections made, sums over them (gradient descent with steps eta_k = sqrt(2 / k)):
//   m <= sum hinge(u on x') + |u| 2 sqrt(2) (2 / alpha - 1) sqrt(m)
// and from k0 corrections on,  m - k0 <= sum hinge + |u| sqrt(2) (sqrt(m) + (4 / alpha - 3) (sqrt(m) - sqrt(k0))).
// Proof of the last two, for |u| = 1: sum y <u - w, x'> <= 4 / (2 eta_m) + sum eta_k / 2 = sqrt(2) (sqrt(m) + sqrt(m) -
// sqrt(k0)), as no two points of the ball are further than 2 apart, and each y <w, x'> is at most (1 - alpha) B /
// sqrt(k).
//
// p other than 2 is not here: its weights are powers of another vector, so that every step touches all of them; what
// large p is for, many features of which few matter, EG and Minnow do too.
// Cost: O(stored values) a round. Source: "A new approximate maximal margin classification algorithm", JMLR 2 (2001).
#pragma once

#include <cmath>

#include "halfspace/detail/linear/weights/scaled.h"
#include "halfspace/detail/rules/rule_name.h"
#include "halfspace/linear/rule.h"

namespace halfspace {

namespace rule {
inline constexpr RuleName alma{11};
}  // namespace rule

// ALMA for p = 2 (alma.h): 2 |u|^2 / margin^2 (2 / alpha - 1)^2 + 8 / alpha - 4 corrections at most, the margin of u
// over rows divided by their norms.
double alma_bound(double margin, double u_squared_norm, double alpha);

struct Alma {
  Tie tie = Tie::positive;
  double alpha = 0.9;
  double corrections = 0;  // k - 1

  double step(double sign, double score, double squared_norm, double weight) const {
    if (!(weight > 0) || squared_norm == 0) return 0;
    const double norm = std::sqrt(squared_norm);
    const double root = std::sqrt(corrections + 1);
    const double wanted = (1 - alpha) * (std::sqrt(8.0) / alpha) / root;
    return sign * score <= wanted * norm ? std::sqrt(2.0) / root / norm : 0.0;
  }

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive.number("corrections", self.corrections, domain::count(0));
  }

  template <class Row>
  double amount(const ScaledWeights&, const Row&, double step) {
    ++corrections;
    return step;
  }
};

}  // namespace halfspace
