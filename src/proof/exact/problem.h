// A question about separability in exact integers: which rows, with which signs, with which bias coordinate.
//
// Integer coordinates are those of Points, followed by the bias coordinate if any, which is 1 here (the bias scale
// scales that coordinate, and is applied where margins are computed).
//
// Thread-safety: read only. Ownership: the Points must outlive it.
#pragma once

#include <gmpxx.h>

#include <vector>

#include "proof/exact/points.h"
#include "proof/search/signed_points.h"

namespace halfspace::proof {

struct Problem {
  const Points* points = nullptr;
  std::vector<Member> members;
  bool biased = true;
  mpq_class bias_scale = 1;

  std::size_t size() const { return members.size(); }
  std::size_t dimension() const { return points->features() + (biased ? 1u : 0u); }

  // Calls f(coordinate, value) for the signed exact integers of z_i.
  template <class F>
  void each(std::size_t i, F&& f) const {
    const bool negative = members[i].sign < 0;
    points->each(members[i].row, [&](std::uint32_t j, const mpz_class& value) {
      if (negative) {
        f(j, mpz_class(-value));
      } else {
        f(j, value);
      }
    });
    if (biased) f(points->features(), mpz_class(negative ? -1 : 1));
  }

  // Returns the factor from an integer coordinate to the coordinate of the data.
  mpq_class unit(std::size_t j) const;
};

// Integer weights N > 0 of members, ascending by member: sum N z is 0 for a witness, near 0 for a bound.
struct WeightedMember {
  std::uint32_t member;
  mpz_class weight;
};
using WeightedMembers = std::vector<WeightedMember>;

// Returns sum N z exactly, in integer coordinates.
std::vector<mpz_class> weighted_sum(const Problem& problem, const WeightedMembers& weights);
bool is_witness(const Problem& problem, const WeightedMembers& weights);
// Returns |sum N z|^2 / (sum N)^2 in the coordinates of the data.
mpq_class squared_distance(const Problem& problem, const WeightedMembers& weights);
// Divides by the greatest common divisor.
void reduce(WeightedMembers& weights);

}  // namespace halfspace::proof
