// Mistake bounds that several rules share, as formulas; those of one rule are in its header.
//
// Every function that returns a bound rounds it up: computed in doubles, it is never below the real value of the
// formula at the doubles given. Mistake counts are integers: take whole_mistakes() of it. Infinity: the theorem
// gives no bound.
//
// Notation: radius = max |x|_2, margin of u on a row = y <u, x>, hinge = max(0, 1 - y <u, x>); u of any length.
//
// Thread-safety: pure functions (they change the rounding mode of the calling thread, and restore it).
#pragma once

#include <cstdint>
#include <optional>

#include "halfspace/detail/linear/names.h"

namespace halfspace {

// Returns the floor of a bound, as a count; UINT64_MAX when it is beyond counting.
std::uint64_t whole_mistakes(double bound);

// Returns Novikoff's bound (1962): radius^2 |u|^2 / margin^2, for any u with margin > 0 on every row. From w = 0.
double novikoff_bound(double radius_squared, double u_squared_norm, double margin);

// Returns the bound from a start w0 != 0 with rate eta (Novikoff's proof with w0 kept): the largest M with a + M eta
// margin <= 0, or (a + M eta margin)^2 <= |u|^2 (|w0|^2 + M eta^2 radius^2), a = <w0, u>.
double start_bound(double start_dot_u, double start_squared_norm, double rate, double radius_squared,
                   double u_squared_norm, double margin);

// Bounds the mistakes on inseparable streams, over the whole stream (Gentile 2001; Mohri and Rostamizadeh 2013): with L
// the sum of hinge losses of u over all rounds, mistakes <= L + U^2/2 + U sqrt(U^2/4 + L), U = |u| radius.
double hinge_bound(double hinge_sum, double u_norm, double radius);

// What a perceptron's run from 0 has added up, each sum rounded to nearest: w is the sum of its steps s y x.
struct PerceptronSums {
  double norm = 0;            // |w|
  double steps = 0;           // sum of s
  double squares = 0;         // sum of (s |x|)^2
  double radius_squared = 0;  // max |x|^2
  std::uint64_t updates = 0;
  std::uint32_t longest_row = 0;  // in stored values
  std::uint64_t dimension = 0;    // of w, bias included
};
// Returns what no margin exceeds: every unit u that separates the rows has <u, w> >= margin * sum of s, so margin <=
// |w| / sum of s. Takes in what rounding and underflow may have done to w on its way.
double margin_ceiling(const PerceptronSums& sums);

// Returns how often the perceptron errs on one row repeated (the quiz): `start_margin` = y <w0, x>. Empty: for ever.
std::optional<std::uint64_t> single_point_mistakes(double start_margin, double squared_norm, double rate, Tie tie,
                                                   double sign);
// Its expectation when w0 is normal with standard deviation sigma: sum over j >= 0 of Phi(-j rate |x| / sigma).
double single_point_expected_mistakes(double norm, double sigma, double rate);

}  // namespace halfspace
