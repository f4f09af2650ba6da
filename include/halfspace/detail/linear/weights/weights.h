// Weights: the interface that rules, keepers, model files and votes use with weights of every kind.
//
//   Weights             the vector itself                                        plain.h
//   ClassWeights        one vector a class                                       class.h
//   ExponentialWeights  normalised exponentials of a vector that moves           exponential.h
//   ScaledWeights       a vector inside a ball                                   scaled.h
//   RecordWeights       additional numbers for every weight; a base              records.h
//   CovarianceWeights   a vector and a matrix                                    covariance.h
//   WinnowWeights       a vector that moves by factors, and a threshold          winnow.h
//
// Additional numbers are described in a static member `fields` (state.h); second moments by `moments_each` or
// `moment_matrix` with save_moments() and restore_moments(). Weights whose steps are multiples of rows have retrace(),
// by which a vote replays them.
#pragma once

#include <concepts>
#include <cstdint>
#include <vector>

#include "halfspace/detail/linear/names.h"
#include "halfspace/detail/linear/state.h"

namespace halfspace {

template <class W>
concept LinearWeights = requires(W weights, const W constant, typename W::Point point, Example<double, false> x) {
  { constant.bias() } -> std::convertible_to<BiasOptions>;
  { constant.features() } -> std::same_as<std::uint32_t>;
  weights.grow(std::uint32_t{});                                    // adds features, at their start weights
  constant.extend(point);                                           // extends an earlier point to the current features
  { constant.score(x) } -> std::same_as<double>;                    // <w, x>, bias coordinate included
  weights.add(1.0, x);                                              // one step along x
  { constant.point() } -> std::convertible_to<typename W::Point>;   // the result: a model predicts with it
  { constant.stored() } -> std::convertible_to<typename W::Point>;  // what a model stores to resume,
  weights.restore(point);                                           // and passes back
};

template <class W>
concept HasMoments = requires(W weights, const W constant, std::vector<double> moments) {
  constant.save_moments(moments);
  weights.restore_moments(moments);
};

template <class W>
concept Retraceable = requires(W weights, VoteStep step, Example<double, false> x) {
  weights.retrace(step, x);
};

}  // namespace halfspace
