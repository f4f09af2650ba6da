// The choices of a linear learner that are plain values: what a score of 0 means, the position of the bias, which
// weights are the result. No templates: the command line, the model file and every binding include this.
#pragma once

#include <cstdint>

#include "halfspace/detail/base/names.h"

namespace halfspace {

// The meaning of a score of 0 (rules A, B and N). In all three a mistake implies y * score <= 0, which is all that the
// mistake bounds use.
enum class Tie : std::uint8_t {
  positive = 0,  // A: predicts +1
  mistake = 1,   // B: predicts neither, always a mistake
  negative = 2,  // N: predicts -1
};

template <>
struct NamesOf<Tie> {
  static constexpr Name<Tie> table[] = {{Tie::positive, "positive", "predicts the positive class"},
                                        {Tie::mistake, "mistake", "predicts neither, and is always a mistake"},
                                        {Tie::negative, "negative", "predicts the negative class"}};
};

enum class Bias : std::uint8_t { none = 0, first = 1, last = 2 };

template <>
struct NamesOf<Bias> {
  static constexpr Name<Bias> table[] = {{Bias::none, "none", "the border goes through the origin"},
                                         {Bias::first, "first", "a constant coordinate before the features"},
                                         {Bias::last, "last", "a constant coordinate after the features"}};
};

struct BiasOptions {
  Bias position = Bias::last;
  double scale = 1;

  // Returns what the bias coordinate adds to the squared norm of an example.
  double squared() const noexcept { return position == Bias::none ? 0.0 : scale * scale; }
  bool operator==(const BiasOptions&) const = default;
};

// Which weights are the result: keep.h.
enum class KeepName : std::uint8_t { last, average, pocket, vote };

template <>
struct NamesOf<KeepName> {
  static constexpr Name<KeepName> table[] = {{KeepName::last, "last", "the weights as they stand at the end"},
                                             {KeepName::average, "average", "the mean of the weights after each round"},
                                             {KeepName::pocket, "pocket", "the best weights so far"},
                                             {KeepName::vote, "vote", "every vector there was, voting with its age"}};
};

// Where the weights start: at zero, or small and random, each a function of the seed and its own coordinate alone, so
// that features may appear in any order. The bias coordinate starts at zero.
struct Start {
  bool small = false;
  std::uint64_t seed = 1;

  // Returns the start weight of a coordinate: 0, or uniform in [-0.01, 0.01).
  double weight(std::uint64_t coordinate) const;
  bool operator==(const Start&) const = default;
};

}  // namespace halfspace
