// The path of a player's regret, for figures: points evenly spread over the rounds, at most `most_points`.
//
// A run that is not recorded has no PathRecorder and no cost. Thread-safety: value types.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace halfspace {

struct RegretPath {
  std::vector<std::uint64_t> rounds;
  std::vector<double> observed;  // the bounded quantity after each point's rounds, against the best so far
  std::vector<double> bound;     // the anytime theorem's bound after each point's rounds; else empty
  std::vector<double> weights;   // of all choices, point by point; empty if not kept
};

class PathRecorder {
 public:
  static constexpr std::size_t most_points = 300, weight_budget = std::size_t{1} << 20;

  // `choices`: the number with weights, 0 if they are not kept.
  explicit PathRecorder(std::size_t choices = 0) : choices_(choices * most_points <= weight_budget ? choices : 0) {}

  // Returns true if this round is a point: the last one always is.
  bool due(std::uint64_t round, std::uint64_t rounds) {
    if (path.rounds.size() == most_points) thin();
    return round % stride_ == 0 || round == rounds;
  }
  // Adds a point; call it when due() is true.
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
