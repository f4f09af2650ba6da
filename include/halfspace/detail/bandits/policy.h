// Policies of a chooser by their words: a kind, and mostly a number.
//
//   greedy   epsilon:rate=0.05   softmax:rate=10   squarecb:scale=10   thompson:samples=50   linucb:width=1
//   exp3-ix   uniform   first   arm:NAME
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "halfspace/detail/base/names.h"

namespace halfspace::policy {

enum class Kind : std::uint8_t { greedy, epsilon, softmax, squarecb, thompson, linucb, exp3_ix, uniform, first, arm };

struct Policy {
  Kind kind = Kind::uniform;
  double number = 0;   // the parameter of the kind, if it has one
  std::string action;  // of an arm
  bool operator==(const Policy&) const = default;

  bool estimates() const noexcept { return kind < Kind::exp3_ix; }
  bool uses_variances() const noexcept { return kind == Kind::thompson || kind == Kind::linucb; }
};

// Throws Error(usage) for words that are no policy.
Policy parse(std::string_view words);

}  // namespace halfspace::policy

namespace halfspace {
template <>
struct NamesOf<policy::Kind> {
  using enum policy::Kind;
  static constexpr Name<policy::Kind> table[] = {
      {greedy, "greedy", "the action with the largest estimate"},
      {epsilon, "epsilon", "greedy, but a share of uniform draws (epsilon:rate=0.05)"},
      {softmax, "softmax", "more often, the larger the estimate (softmax:rate=10)"},
      {squarecb, "squarecb", "less often, the larger the gap to the best estimate (squarecb:scale=10)"},
      {thompson, "thompson", "as often as it is the best under AROW's variances (thompson:samples=50)"},
      {linucb, "linucb", "the largest estimate plus AROW's deviation (linucb:width=1)"},
      {exp3_ix, "exp3-ix", "without features: exponential weights of each action's losses"},
      {uniform, "uniform", "every action equally often"},
      {first, "first", "the first action, which the caller would take"},
      {arm, "arm", "always one action (arm:NAME)"}};
};
}  // namespace halfspace
