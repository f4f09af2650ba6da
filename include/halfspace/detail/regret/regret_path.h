// The path of a player's regret, for figures: points evenly spread over the rounds, at most `most_points`.
//
// A run that is not recorded has no PathRecorder and no cost. Thread-safety: value types.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace halfspace {

struct RegretPath {
  std::string quantity;  // which one is bounded
  std::vector<std::uint64_t> rounds;
  std::vector<double> observed;      // the bounded quantity after each point's rounds, against the best so far
  std::vector<double> bound;         // the anytime theorem's bound after each point's rounds; else empty
  std::vector<double> loss;          // the player's, summed over each point's rounds
  std::vector<double> weights;       // of all choices, point by point; empty if not kept
  std::vector<std::uint64_t> pulls;  // of all choices over each point's rounds, point by point; empty if not kept
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
  void add(std::uint64_t round, double observed, double loss, std::span<const double> weights,
           std::span<const std::uint64_t> pulls = {}) {
    path.rounds.push_back(round);
    path.observed.push_back(observed);
    path.loss.push_back(loss);
    append(path.weights, weights);
    append(path.pulls, pulls);
  }
  bool keeps_weights() const noexcept { return choices_ > 0; }

  RegretPath path;

 private:
  template <class T>
  void append(std::vector<T>& list, std::span<const T> values) {
    if (choices_ > 0 && values.size() == choices_) list.insert(list.end(), values.begin(), values.end());
  }
  // Drops every second point, of which a list has `each` numbers.
  template <class T>
  void halve(std::vector<T>& list, std::size_t each) const {
    std::size_t kept = 0;
    for (std::size_t i = 0; i * each < list.size(); ++i) {
      if ((i + 1) % 2 == 0) {
        const auto from = list.begin() + static_cast<std::ptrdiff_t>(i * each);
        std::copy_n(from, each, list.begin() + static_cast<std::ptrdiff_t>(kept++ * each));
      }
    }
    list.resize(kept * each);
  }
  // Point i is round (i + 1) stride_.
  void thin() {
    halve(path.observed, 1);
    halve(path.loss, 1);
    halve(path.rounds, 1);
    if (choices_ > 0) {
      halve(path.weights, choices_);
      halve(path.pulls, choices_);
    }
    stride_ *= 2;
  }

  std::size_t choices_;
  std::uint64_t stride_ = 1;
};

}  // namespace halfspace
