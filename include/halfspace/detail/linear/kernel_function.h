// Kernels: an inner product <phi(x), phi(x')> of images in a space of many coordinates, computed from <x, x'> and the
// norms alone.
//
//   linear       <x, x'>
//   polynomial   (gamma <x, x'> + offset)^degree
//   gaussian     exp(-gamma |x - x'|^2)
//
// The bias coordinate c is one more coordinate of the image: it adds c^2 to every value. With a linear kernel that is
// the bias of any other rule.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include "halfspace/detail/base/elementary.h"
#include "halfspace/detail/base/names.h"
#include "halfspace/detail/base/rounding.h"

namespace halfspace {

enum class KernelName : std::uint8_t { linear, polynomial, gaussian };

template <>
struct NamesOf<KernelName> {
  static constexpr Name<KernelName> table[] = {
      {KernelName::linear, "linear", "<x, x'>"},
      {KernelName::polynomial, "polynomial", "(gamma <x, x'> + offset)^degree"},
      {KernelName::gaussian, "gaussian", "e^(-gamma |x - x'|^2)"}};
};

// Returns base^degree by repeated squaring: exact as long as the powers are whole numbers below 2^53.
inline double whole_power(double base, std::uint32_t degree) {
  double power = 1;
  for (; degree != 0; degree >>= 1) {
    if ((degree & 1) != 0) power *= base;
    if (degree > 1) base *= base;
  }
  return power;
}

struct Kernel {
  KernelName name = KernelName::gaussian;
  double gamma = 1;          // > 0; polynomial and gaussian
  std::uint32_t degree = 2;  // 1 to 64; polynomial
  double offset = 1;         // >= 0, else it is no inner product; polynomial

  // Returns k(x, x') from <x, x'> and the two squared norms.
  double operator()(double inner, double squared_norm, double other_squared_norm) const {
    switch (name) {
      case KernelName::linear:
        return inner;
      case KernelName::polynomial:
        return whole_power(gamma * inner + offset, degree);
      case KernelName::gaussian:
        break;
    }
    // Of equal rows the difference may be slightly below 0 by rounding; of rows whose squares overflow it is NaN, and
    // so is the score.
    return elementary::exp(-gamma * larger(0.0, (squared_norm + other_squared_norm) - 2 * inner));
  }
  // Returns k(x, x).
  double self(double squared_norm) const {
    return name == KernelName::gaussian ? 1.0 : (*this)(squared_norm, squared_norm, squared_norm);
  }

  bool operator==(const Kernel&) const = default;
};

// How to make room when a budget of support vectors is full: kernel_perceptron.h.
enum class Eviction : std::uint8_t { random, forgetron, projectron };

template <>
struct NamesOf<Eviction> {
  static constexpr Name<Eviction> table[] = {
      {Eviction::random, "random", "the new one takes the place of one picked at random"},
      {Eviction::forgetron, "forgetron", "all shrink, and the oldest goes"},
      {Eviction::projectron, "projectron", "the new one is projected on those there are"}};
};

struct KernelOptions {
  Kernel kernel;
  std::optional<std::uint32_t> budget;  // at least 1
  Eviction eviction = Eviction::random;
  double residual = 0.1;  // projectron; in [0, 1)
  bool operator==(const KernelOptions&) const = default;
};

}  // namespace halfspace
