// The values of several policies, whose rounds become known in any order and count in that of the choices.
//
// A round counts once every one before it is known or left out: else those whose rewards come early would speak for all,
// and no bound would hold.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "halfspace/bandits/policy_value.h"
#include "halfspace/detail/base/archived_map.h"

namespace halfspace {

class OrderedValues {
 public:
  OrderedValues() = default;
  // `delta`: of one bound.
  OrderedValues(std::size_t policies, double delta) : values_(policies, PolicyValue(delta)) {}

  // Takes a round, numbered from 1: of each policy; empty: it is left out.
  void add(std::uint64_t number, std::vector<PolicyRound> round) {
    later_.emplace(number, std::move(round));
    for (auto first = later_.begin(); first != later_.end() && first->first == next_; first = later_.erase(first)) {
      for (std::size_t i = 0; i < first->second.size(); ++i) values_[i].add(first->second[i]);
      ++next_;
    }
  }
  // Returns how many rounds wait for one before them.
  std::uint64_t held() const noexcept { return later_.size(); }
  const PolicyValue& operator[](std::size_t policy) const { return values_[policy]; }
  const PolicyValue& back() const { return values_.back(); }

  // Describes the state to an archive (base/fields/archive.h); `checks`: of numbers.
  template <class Self, class Archive, class Checks>
  static void fields(Self& self, Archive& archive, const Checks& checks) {
    for (auto& value : self.values_)
      archive.group("value", [&] { PolicyValue::fields(value, archive, checks.finite); });
    archive.value("next", self.next_, checks.anything);
    describe_map(archive, "later rounds", self.later_, 16, checks.anything, [&](auto& round, std::uint64_t) {
      archive.value("round", round.first, checks.anything);
      archive.list("policies", round.second, 48, checks.anything, [&](auto& policy, std::uint64_t) {
        archive.value("probability", policy.policy, checks.not_negative);
        archive.value("propensity", policy.propensity, checks.positive);
        archive.value("reward", policy.reward, checks.not_negative);
        archive.value("largest ratio", policy.largest_ratio, checks.sum_of_positives);
        archive.value("model value", policy.model_value, checks.not_negative);
        archive.value("model reward", policy.model_reward, checks.not_negative);
      });
    });
  }

 private:
  std::vector<PolicyValue> values_;
  std::uint64_t next_ = 1;                                   // the round that counts next
  std::map<std::uint64_t, std::vector<PolicyRound>> later_;  // those that wait for one before them
};

}  // namespace halfspace
