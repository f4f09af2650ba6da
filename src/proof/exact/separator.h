// Integer weights, and their exact scores.
//
// Rounding a separator's weights moves it, which is allowed; claims about the rounded weights are computed in integers:
// 128 bits where they are sure to suffice, unbounded elsewhere.
//
// Thread-safety: functions of their arguments.
#pragma once

#include <gmpxx.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "proof/exact/problem.h"
#include "proof/search/budget.h"

namespace halfspace::proof {

struct SeparatorMargins {
  mpz_class minimum;        // least <v, z_i>, integer coordinates; meaningless without members
  std::uint32_t worst = 0;  // a member that attains it
  std::uint64_t wrong = 0, zero_negative = 0, zero_positive = 0;
  // Members with a score <= 0 (< 0 where `counted` is given and does not mark them), the lowest first, at most as many
  // as asked for.
  std::vector<std::uint32_t> lowest;
};
// Throws GaveUp.
SeparatorMargins measure_separator(const Problem& problem, const std::vector<mpz_class>& v, std::size_t lowest = 0,
                                   const std::vector<std::uint8_t>& counted = {}, const Budget& budget = unlimited);

// Rounds to integers, with about `bits` more than the separation needs. `w` is in the coordinates of points.rows(),
// which SignedPoints calls unscaled. Returns nothing if w does not separate in doubles or is not finite.
std::optional<std::vector<mpz_class>> round_separator(const SignedPoints& points, const std::vector<double>& w,
                                                      int bits);
// Rounds to integers of about this many bits, whatever it separates; zeros if `w` is not finite.
std::vector<mpz_class> round_weights(const std::vector<double>& w, int bits);

// The weights of the features that occur, in the units of the data, as the certificate stores them: integers, the bias
// weight last (0 without one).
struct DataWeights {
  std::vector<mpz_class> weights;
  mpz_class bias;
  mpq_class factor;  // score in the data = factor * score in integer coordinates
  mpq_class squared_norm() const;
};
DataWeights in_data_coordinates(const Problem& problem, const std::vector<mpz_class>& v);

// Returns the largest |z|^2 in the coordinates of the data; 0 without members.
mpq_class squared_radius(const Problem& problem);

}  // namespace halfspace::proof
