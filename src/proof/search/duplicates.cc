// Finds pairs by sorting hashes.
#include "proof/search/duplicates.h"

#include <algorithm>
#include <bit>

namespace halfspace::proof {
namespace {

struct Key {
  std::uint64_t hash;
  std::uint32_t member;
};

std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

bool same_point(const SignedPoints& points, std::uint32_t a, std::uint32_t b) {
  std::vector<std::pair<std::uint32_t, double>> x, y;
  points.each(a, [&](std::uint32_t j, double value) {
    if (value != 0) x.emplace_back(j, value);
  });
  points.each(b, [&](std::uint32_t j, double value) {
    if (value != 0) y.emplace_back(j, value);
  });
  return x == y;
}

}  // namespace

Conflicts find_conflicts(const SignedPoints& points) {
  Conflicts result;
  std::vector<Key> keys;
  for (std::uint32_t i = 0; i < points.size(); ++i) {
    std::uint64_t hash = 0;
    bool zero = !points.biased();
    points.each(i, [&](std::uint32_t j, double value) {
      if (value == 0) return;
      zero = false;
      hash += mix(std::bit_cast<std::uint64_t>(value) + mix(j + 1));
    });
    if (zero) {
      result.zeros.push_back(i);
    } else {
      keys.push_back({hash, i});
    }
  }
  std::sort(keys.begin(), keys.end(),
            [](const Key& a, const Key& b) { return a.hash != b.hash ? a.hash < b.hash : a.member < b.member; });
  std::vector<std::uint32_t> waiting;
  for (std::size_t begin = 0; begin < keys.size();) {
    std::size_t end = begin + 1;
    while (end < keys.size() && keys[end].hash == keys[begin].hash) ++end;
    // Pairs equal points of opposite signs.
    waiting.clear();
    for (std::size_t k = begin; k < end && end - begin > 1; ++k) {
      const std::uint32_t member = keys[k].member;
      const auto partner = std::find_if(waiting.begin(), waiting.end(), [&](std::uint32_t other) {
        return points.member(other).sign != points.member(member).sign && same_point(points, other, member);
      });
      if (partner == waiting.end()) {
        waiting.push_back(member);
      } else {
        result.pairs.emplace_back(*partner, member);
        waiting.erase(partner);
      }
    }
    begin = end;
  }
  std::sort(result.pairs.begin(), result.pairs.end());
  return result;
}

}  // namespace halfspace::proof
