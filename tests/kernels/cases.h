// What the kernels are tried on: rows of every storage with numbers of every kind, at every level the machine has.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <iostream>
#include <type_traits>
#include <vector>

#include "base/simd.h"
#include "halfspace/base/random.h"
#include "halfspace/detail/kernels/kernels.h"

namespace halfspace::testing_kernels {

inline std::uint64_t bits(double value) { return std::bit_cast<std::uint64_t>(value); }

inline bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](double x, double y) { return bits(x) == bits(y); });
}

// Runs `check(name)` for the reference code and for each level whose multiply-add is fused; says which others it left
// out.
template <class Check>
void at_every_level(Check&& check) {
  kernels::use_reference(true);
  check("reference");
  kernels::use_reference(false);
  int levels = 0;
  for (const std::size_t level : simd::runnable()) {
    if (!simd::fuses(level)) {
      std::cout << "left out, no fused multiply-add: " << simd::name_of(level) << '\n';
      continue;
    }
    simd::use(level);
    check(simd::name_of(level));
    ++levels;
  }
  simd::use();
  if (levels == 0) GTEST_SKIP() << "this machine has no level with fused multiply-add: only the reference was checked";
}

enum class Kind { plain, wide, subnormal, zeros, cancelling };
inline constexpr std::array kinds = {Kind::plain, Kind::wide, Kind::subnormal, Kind::zeros, Kind::cancelling};

// A number that `Value` holds exactly.
template <class Value>
double number(Generator& draws, Kind kind) {
  if constexpr (std::is_same_v<Value, One>) {
    return 1.0;
  } else {
    const double sign = draws.next() < 0.5 ? -1.0 : 1.0;
    const double fraction = 1.0 + draws.next();
    double result = sign * fraction;
    switch (kind) {
      case Kind::plain:
        break;
      case Kind::wide:
        result = std::ldexp(result, static_cast<int>(pick(draws, 81)) - 40);
        break;
      case Kind::subnormal:
        result = std::is_same_v<Value, float> ? std::ldexp(sign * std::floor(draws.next() * 9), -149)
                                              : std::ldexp(sign * std::floor(draws.next() * 9), -1074);
        break;
      case Kind::zeros:
        result = draws.next() < 0.7 ? sign * 0.0 : result;
        break;
      case Kind::cancelling:
        result = sign * std::ldexp(1.0, static_cast<int>(pick(draws, 3)) * 23);
        break;
    }
    return static_cast<double>(static_cast<Value>(result));
  }
}

// One row with its weights, owned, at an odd place in memory and without a byte to spare on either side of the weights.
template <class Value>
struct Case {
  std::vector<std::uint32_t> index;
  std::vector<double> value;   // as doubles
  std::vector<Value> storage;  // one unused value in front
  std::vector<double> weights;
  double initial = 0;

  Case(Generator& draws, Kind kind, std::size_t size, bool dense) {
    const std::size_t features = dense ? size : 2 * size + 1;
    std::vector<std::uint32_t> order(features);
    if (dense) {
      for (std::size_t i = 0; i < size; ++i) order[i] = static_cast<std::uint32_t>(i);
    } else {
      shuffle(draws, order);  // distinct is enough: rows of new categories are not ascending
    }
    index.assign(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(size));
    storage.resize(size + 1);
    for (std::size_t i = 0; i < size; ++i) {
      value.push_back(number<Value>(draws, kind));
      if constexpr (!std::is_same_v<Value, One>) storage[i + 1] = static_cast<Value>(value[i]);
    }
    const Kind weight_kind = kind == Kind::subnormal && std::is_same_v<Value, float> ? Kind::plain : kind;
    for (std::size_t i = 0; i < features; ++i) weights.push_back(number<double>(draws, weight_kind));
    initial = draws.next() < 0.3 ? (draws.next() < 0.5 ? 0.0 : -0.0) : number<double>(draws, kind);
  }

  template <bool dense>
  Example<Value, dense> example() const {
    const Value* values = nullptr;
    if constexpr (!std::is_same_v<Value, One>) values = storage.data() + 1;
    return {index.data(), values, static_cast<std::uint32_t>(index.size()), 1, 1.0, 0.0, 1};
  }
};

}  // namespace halfspace::testing_kernels
