// The path of a player's regret, for figures: points evenly spread over the rounds, never more than `most_points` of
// them.
//
// A run that is not recorded has no PathRecorder and pays nothing. Thread-safety: value types.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace halfspace {

struct RegretPath {
  std::vector<std::uint64_t> rounds;
  std::vector<double> observed;  // what the theorem bounds, after so many rounds: against the best of these
  std::vector<double> bound;     // the theorem's after so many rounds, where it holds at any time; else empty
  std::vector<double> weights;   // of all choices, point by point; empty where a player has none or they are too many
};

class PathRecorder {
 public:
  static constexpr std::size_t most_points = 300, weight_budget = std::size_t{1} << 20;

  // `choices`: how many have weights, 0 when they are not kept.
  explicit PathRecorder(std::size_t choices = 0) : choices_(choices * most_points <= weight_budget ? choices : 0) {}

  // Returns true if this round is a point: the last one always is.
  bool due(std::uint64_t round, std::uint64_t rounds) {
    if (path.rounds.size() == most_points) thin();
    return round % stride_ == 0 || round == rounds;
  }
  // Adds a point; to be called when it is due.
  void add(std::uint64_t round, double observed, std::span<const double> weights) {
    path.rounds.push_back(round);
    path.observed.push_back(observed);
    if (choices_ > 0 && weights.size() == choices_)
      path.weights.insert(path.weights.end(), weights.begin(), weights.end());
  }

  RegretPath path;

 private:
  // Drops every second point.
  void thin() {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < path.rounds.size(); ++i) {
      if (path.rounds[i] % (2 * stride_) != 0) continue;
      path.rounds[kept] = path.rounds[i];
      path.observed[kept] = path.observed[i];
      if (!path.weights.empty())
        std::copy_n(path.weights.begin() + static_cast<std::ptrdiff_t>(i * choices_), choices_,
                    path.weights.begin() + static_cast<std::ptrdiff_t>(kept * choices_));
      ++kept;
    }
    path.rounds.resize(kept);
    path.observed.resize(kept);
    if (!path.weights.empty()) path.weights.resize(kept * choices_);
    stride_ *= 2;
  }

  std::size_t choices_;
  std::uint64_t stride_ = 1;
};

}  // namespace halfspace
