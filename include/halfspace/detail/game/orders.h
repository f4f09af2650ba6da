// The orders of rows, and the conditions that stop a run.
#pragma once

#include <cstdint>
#include <optional>

#include "halfspace/detail/base/names.h"

namespace halfspace {

enum class OrderName : std::uint8_t {
  stream,          // once, in file order
  cyclic,          // repeated passes in file order
  shuffled,        // a fresh permutation for every pass
  first_mistake,   // PLA: the first row, in file order, on which the rule would move
  random_mistake,  // one of these rows, drawn uniformly
  random,          // a row drawn uniformly, with replacement (Gallant)
};

template <>
struct NamesOf<OrderName> {
  static constexpr Name<OrderName> table[] = {
      {OrderName::stream, "stream", "once, in the order of the file"},
      {OrderName::cyclic, "cyclic", "again and again in the order of the file"},
      {OrderName::shuffled, "shuffled", "a fresh order for every pass"},
      {OrderName::first_mistake, "first-mistake", "the first row that the rule would learn from"},
      {OrderName::random_mistake, "random-mistake", "one of the rows that the rule would learn from, at random"},
      {OrderName::random, "random", "any row at random, with replacement"}};
};

// Returns true if every round is on a row that the rule would update on.
constexpr bool plays_mistakes_only(OrderName order) {
  return order == OrderName::first_mistake || order == OrderName::random_mistake;
}

// The default limits of a run that waits for a clean pass: of orders that visit mistakes alone, and of others.
inline constexpr std::uint64_t default_updates = 100'000, default_passes = 10'000;

// When is a run clean? `pass`: a pass from the first row to the last changed nothing; `cycle`: as many consecutive
// rounds as there are rows changed nothing (detected up to one pass earlier). Orders that search for mistakes: none is
// left.
enum class Clean : std::uint8_t { no, pass, cycle };

template <>
struct NamesOf<Clean> {
  static constexpr Name<Clean> table[] = {{Clean::no, "no", "never asked"},
                                          {Clean::pass, "pass", "a pass changed nothing"},
                                          {Clean::cycle, "cycle", "as many rounds as there are rows changed nothing"}};
};

// The first condition that is met ends a run.
struct Until {
  Clean clean = Clean::no;
  std::optional<std::uint64_t> passes{}, updates{};
  std::optional<double> seconds{};
  // `passes` or `updates` is what a run gets that names no limit: no pass is clean where no weights separate the rows.
  bool by_default = false;
  bool operator==(const Until&) const = default;
};

}  // namespace halfspace
