// Is there a w? By Fourier-Motzkin elimination over 128-bit integers: a few lines, nothing shared with what it judges,
// and slow.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

namespace halfspace::proof {

__extension__ typedef __int128 Wide;

// <w, z> > 0 (strict) or >= 0.
struct Inequality {
  std::vector<Wide> z;
  bool strict = true;
  bool operator<(const Inequality& other) const { return z != other.z ? z < other.z : strict < other.strict; }
};

inline void divide_out(std::vector<Wide>& z) {
  Wide divisor = 0;
  for (Wide x : z) {
    x = x < 0 ? -x : x;
    while (x != 0) {
      const Wide rest = divisor % x;
      divisor = x;
      x = rest;
    }
  }
  if (divisor > 1) {
    for (Wide& x : z) x /= divisor;
  }
}

// Whether some w satisfies all.
inline bool satisfiable(const std::vector<Inequality>& system) {
  std::set<Inequality> now(system.begin(), system.end());
  const std::size_t dimension = system.empty() ? 0 : system[0].z.size();
  for (std::size_t j = 0; j < dimension; ++j) {
    std::set<Inequality> next;
    for (const Inequality& a : now) {
      if (a.z[j] == 0) next.insert(a);
      if (a.z[j] <= 0) continue;
      for (const Inequality& b : now) {
        if (b.z[j] >= 0) continue;
        Inequality sum;
        sum.strict = a.strict || b.strict;
        for (std::size_t k = 0; k < dimension; ++k) sum.z.push_back(b.z[k] * a.z[j] - a.z[k] * b.z[j]);
        divide_out(sum.z);
        next.insert(sum);
      }
    }
    now = std::move(next);
  }
  for (const Inequality& a : now) {
    if (a.strict) return false;  // 0 > 0
  }
  return true;
}

struct SmallSet {
  std::vector<std::vector<int>> x;
  std::vector<int> y;  // +1, -1
  bool biased = true;

  std::vector<Wide> z(std::size_t i) const {
    std::vector<Wide> point;
    for (const int value : x[i]) point.push_back(value * y[i]);
    if (biased) point.push_back(y[i]);
    return point;
  }
  std::size_t size() const { return x.size(); }
};

inline bool oracle_separable(const SmallSet& set, std::uint32_t removed = 0) {
  std::vector<Inequality> system;
  for (std::size_t i = 0; i < set.size(); ++i) {
    if ((removed >> i & 1) == 0) system.push_back({set.z(i), true});
  }
  return satisfiable(system);
}

inline bool oracle_rule_a(const SmallSet& set) {
  std::vector<Inequality> system;
  for (std::size_t i = 0; i < set.size(); ++i) system.push_back({set.z(i), set.y[i] < 0});
  return satisfiable(system);
}

inline bool oracle_closed_half_space(const SmallSet& set) {
  for (std::size_t strict = 0; strict < set.size(); ++strict) {
    std::vector<Inequality> system;
    for (std::size_t i = 0; i < set.size(); ++i) system.push_back({set.z(i), i == strict});
    if (satisfiable(system)) return true;
  }
  return false;
}

// The fewest rows that predictions get wrong, if a score of 0 is wrong for rows of this class alone.
inline unsigned oracle_fewest_errors(const SmallSet& set, int wrong_at_zero) {
  unsigned best = static_cast<unsigned>(set.size());
  for (std::uint32_t removed = 0; removed < (1u << set.size()); ++removed) {
    const unsigned count = static_cast<unsigned>(__builtin_popcount(removed));
    if (count >= best) continue;
    std::vector<Inequality> system;
    for (std::size_t i = 0; i < set.size(); ++i) {
      if ((removed >> i & 1) == 0) system.push_back({set.z(i), set.y[i] == wrong_at_zero});
    }
    if (satisfiable(system)) best = count;
  }
  return best;
}

}  // namespace halfspace::proof
