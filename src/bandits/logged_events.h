// Logged choices with features, in the two formats of Vowpal Wabbit: decision-service JSON, a line an event, and text
// of several lines, an action each, ended by an empty line:
//
//   {"_label_cost": -1, "_label_probability": 0.5, "_labelIndex": 1, "c": {"hour": 9, "_multi": [{"t": "a"}, {"t": "b"}]}}
//
//   shared |user hour:9
//   |action t=a
//   0:-1:0.5 |action t=b
//
// The action is `_labelIndex`, else `_label_Action` - 1, else a[0] - 1; its probability `_label_probability`, else
// p[0]. Keys are read in any order. What cannot be learned from is left out, and counted by kind; what is no number, or no
// probability, is an error. Actions are named by `_tag`, if each has its own, else
// by their position, from 0. Features are as feature_hash.h has them: `_` keys
// are left out; a namespace of the text is the first part of a path.
//
// Thread-safety: one thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "halfspace/kernels/example.h"

namespace halfspace::bandits {

struct LoggedEvent {
  std::uint64_t line = 0;  // of its end, from 1
  std::string id;          // EventId, or "line N"
  std::vector<std::string> names;
  Block rows;
  std::size_t action = 0;
  double propensity = 1, cost = 0;
  double weight = 1;  // 1 / (1 - pdrop): rounds that it stands for
};

// Events that were left out.
struct EventCounts {
  std::uint64_t no_cost = 0, no_probability = 0, no_action = 0;
  std::uint64_t skipped = 0;     // _skipLearn
  std::uint64_t not_events = 0;  // lines of other kinds: checkpoints, late rewards
};

class LoggedEvents {
 public:
  // Throws Error: no_input, data, input_output.
  LoggedEvents(const std::string& path, unsigned bits, bool products, const std::atomic<bool>* interrupt);
  ~LoggedEvents();

  // Returns whether the beginning of a file is that of either format.
  static bool recognises(std::string_view begin);

  // Reads the next event that can be learned from; valid until the next call. Returns null at the end. Throws
  // Error(data) that names the line.
  const LoggedEvent* next();
  const EventCounts& left_out() const noexcept;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace halfspace::bandits
