// What Exp3-IX knows of actions by name: the sums of their estimated losses.
//
// Guarantee: a loss is divided by its action's propensity plus half of the rate, sqrt(ln K / (K t)) / 2, so that a rare
// action moves its sum by at most 2 sqrt(K t / ln K): Neu 2015. Beyond so many names those that are new have no losses.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "halfspace/detail/base/archived_map.h"
#include "halfspace/detail/base/elementary.h"

namespace halfspace {

class ActionLosses {
 public:
  static constexpr std::size_t most_names = 100'000;

  // Returns the rate in the round t, from 1, of k actions.
  static double rate(double k, double t) { return std::sqrt(elementary::log(k) / (k * t)); }

  double operator[](std::string_view name) const {
    const auto found = sums_.find(name);
    return found == sums_.end() ? 0.0 : found->second;
  }
  // `rate`: that of the action's round.
  void add(const std::string& name, double loss, double propensity, double rate) {
    if (sums_.size() >= most_names && !sums_.contains(name)) return;
    sums_[name] += loss / (propensity + rate / 2);
  }

  // Describes the state to an archive (base/fields/archive.h); `checks`: of numbers.
  template <class Self, class Archive, class Checks>
  static void fields(Self& self, Archive& archive, const Checks& checks) {
    describe_map(archive, "action losses", self.sums_, 12, checks.anything, [&](auto& sum, std::uint64_t) {
      archive.text("name", sum.first);
      archive.value("loss", sum.second, checks.not_negative);
    });
  }

 private:
  std::map<std::string, double, std::less<>> sums_;
};

}  // namespace halfspace
