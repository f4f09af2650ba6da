// Counts one set of rows after the other.
#include "proof/decide/weak.h"

#include <algorithm>

namespace halfspace::proof {
namespace {

std::vector<std::uint32_t> members_of(const WeightedMembers& witness) {
  std::vector<std::uint32_t> members;
  for (const WeightedMember& w : witness) members.push_back(w.member);
  return members;
}

}  // namespace

std::optional<ExactAnswer> decide_half_open(const Problem& problem, int strict_sign, const WeightedMembers& witness,
                                            const Budget& budget) {
  std::vector<std::uint8_t> strict(problem.size());
  std::vector<std::uint32_t> first = members_of(witness);
  bool any = false;
  for (std::size_t i = 0; i < problem.size(); ++i) {
    strict[i] = problem.members[i].sign == strict_sign ? 1 : 0;
    if (strict[i] != 0 && !any) first.push_back(static_cast<std::uint32_t>(i));
    any = any || strict[i] != 0;
  }
  if (any) return decide_exactly(problem, first, budget, strict);
  ExactAnswer all_on_the_boundary;  // w = 0
  all_on_the_boundary.separator.resize(problem.dimension());
  return all_on_the_boundary;
}

ClosedHalfSpace decide_closed_half_space(const Problem& problem, const WeightedMembers& witness, const Budget& budget) {
  // Rows in a witness have <w, z> = 0 for every w that is >= 0 on all rows; if all rows are, no such w exists.
  ClosedHalfSpace result;
  std::vector<std::uint8_t> open(problem.size(), 1);
  const auto close_rows = [&](const WeightedMembers& found) {
    for (const WeightedMember& w : found) open[w.member] = 0;
  };
  close_rows(witness);
  for (;;) {
    const auto left = std::find(open.begin(), open.end(), std::uint8_t{1});
    if (left == open.end()) {
      result.known = true;
      return result;
    }
    std::vector<std::uint32_t> first = members_of(witness);
    first.push_back(static_cast<std::uint32_t>(left - open.begin()));
    const auto answer = decide_exactly(problem, first, budget, open);
    if (!answer) return result;
    if (answer->witness.empty()) {
      result.known = true;
      result.separator = answer->separator;
      return result;
    }
    close_rows(answer->witness);
  }
}

}  // namespace halfspace::proof
