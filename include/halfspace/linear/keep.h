// What a keeper is: which weights are handed out at the end.
//
//   Last     the weights as they stand
//   Average  the mean of the weights after each round (Freund and Schapire 1999; Collins 2002)
//   Pocket   the best so far (Gallant 1990): by errors on all the data (ratchet), or by the longest run of rounds
//            without an update (for streams)
//   Vote     every vector there ever was, voting with its age (Freund and Schapire 1999)
//
// A keeper watches updates and never interferes with them. `finished` counts the rounds finished before the present
// one. W is the learner's weights (Weights, ExponentialWeights or ClassWeights). A class number is passed on for
// ClassWeights: `raised` gained amount * x and `lowered` lost it; elsewhere both are 0.
//
// Thread-safety: value types.
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "halfspace/kernels/example.h"
#include "halfspace/linear/weights/plain.h"

namespace halfspace {

template <class W>
struct Average;

// A keeper for these weights, before the first round.
template <template <class> class Keep, class W>
Keep<W> keeper_for(const W& weights) {
  if constexpr (std::is_same_v<Keep<W>, Average<W>>) {
    return Keep<W>(weights);
  } else {
    return Keep<W>();
  }
}

template <class W>
struct Last {
  static constexpr bool watches = false;
  using Point = std::decay_t<decltype(std::declval<const W&>().point())>;

  void grow(std::uint32_t) {}
  template <class X>
  void before_update(const W&, const X&, std::uint64_t) {}
  template <class X>
  void after_update(const W&, const X&, double, Moved, std::uint64_t) {}
  void restarted(const W&, std::uint64_t) {}
  void finish(const W&, std::uint64_t) {}
  Point point(const W& weights, std::uint64_t) const { return weights.point(); }
};

// Lazy: with c rounds finished before, an update adds d to w and c * d to `lag`; the mean over C rounds is w - lag / C
// at any time. A vector made by an update counts for that round. O(stored values) an update.
template <class W>
struct Average {
  static constexpr bool watches = true;
  using Point = std::decay_t<decltype(std::declval<const W&>().point())>;
  W lag;

  explicit Average(const W& weights) : lag(weights.zero()) {}

  void grow(std::uint32_t features) { lag.grow(features); }
  template <class X>
  void before_update(const W&, const X&, std::uint64_t) {}
  template <class X>
  void after_update(const W&, const X& x, double amount, Moved moved, std::uint64_t finished) {
    lag.move(amount * static_cast<double>(finished), x, moved);
  }
  void restarted(const W&, std::uint64_t) {}
  void finish(const W&, std::uint64_t) {}
  Point point(const W& weights, std::uint64_t finished) const {
    Point mean = weights.point();
    if (finished != 0) mean.subtract(lag.point(), static_cast<double>(finished));
    return mean;
  }
};

// Weights whose updates are no multiples of the row, but change only coordinates that are known beforehand:
// accumulate(x, factor, sum) adds factor * w_j to sum_j for each coordinate j that an update along x may change.
template <class W>
concept Accumulates = requires(const W weights, const Example<double, false> x, WeightVector sum) {
  weights.accumulate(x, 1.0, sum);
};

// The same lazy mean: c * d is c times the coordinates after the update, less c times those before.
template <Accumulates W>
struct Average<W> {
  static constexpr bool watches = true;
  using Point = WeightVector;
  WeightVector lag;

  explicit Average(const W&) {}

  void grow(std::uint32_t features) { lag.grow(features); }
  template <class X>
  void before_update(const W& weights, const X& x, std::uint64_t finished) {
    weights.accumulate(x, -static_cast<double>(finished), lag);
  }
  template <class X>
  void after_update(const W& weights, const X& x, double, Moved, std::uint64_t finished) {
    weights.accumulate(x, static_cast<double>(finished), lag);
  }
  void restarted(const W&, std::uint64_t) {}
  void finish(const W&, std::uint64_t) {}
  Point point(const W& weights, std::uint64_t finished) const {
    Point mean = weights.point();
    if (finished != 0) mean.subtract(lag, static_cast<double>(finished));
    return mean;
  }
};

// Multiplicative updates have no lazy form: the sum is brought up to date before every update, in O(d).
template <>
struct Average<ExponentialWeights> {
  static constexpr bool watches = true;
  using Point = WeightVector;
  WeightVector sum;
  std::uint64_t counted = 0;  // rounds in `sum`

  explicit Average(const ExponentialWeights&) {}

  void grow(std::uint32_t features) {
    if (features > sum.w.size()) sum.w.resize(features, 0.0);
  }
  template <class X>
  void before_update(const ExponentialWeights& weights, const X&, std::uint64_t finished) {
    count(weights, finished);
  }
  template <class X>
  void after_update(const ExponentialWeights&, const X&, double, Moved, std::uint64_t) {}
  void restarted(const ExponentialWeights&, std::uint64_t) {}
  void finish(const ExponentialWeights&, std::uint64_t) {}
  Point point(const ExponentialWeights& weights, std::uint64_t finished) const {
    Average copy = *this;
    copy.count(weights, finished);
    if (finished == 0) return weights.point();
    for (double& value : copy.sum.w) value /= static_cast<double>(finished);
    copy.sum.bias /= static_cast<double>(finished);
    return copy.sum;
  }

 private:
  // Features that appeared later had their start share all along; the shares of those rounds are not rewritten.
  void count(const ExponentialWeights& weights, std::uint64_t finished) {
    if (finished == counted) return;
    const double rounds = static_cast<double>(finished - counted);
    const WeightVector now = weights.point();
    grow(static_cast<std::uint32_t>(now.w.size()));
    for (std::size_t j = 0; j < now.w.size(); ++j) sum.w[j] += rounds * now.w[j];
    sum.bias += rounds * now.bias;
    counted = finished;
  }
};

template <class W>
struct Pocket {
  static constexpr bool watches = true;
  using Point = std::decay_t<decltype(std::declval<const W&>().point())>;
  Point best;  // the pocket; the start weights at first
  bool filled = false;
  bool ratchet = false;           // judged by errors on all data: see consider()
  std::uint64_t best_errors = 0;  // of `best` on all data, exact; ratchet only
  std::uint64_t best_run = 0;     // rounds that `best` went without an update; not with ratchet
  std::uint64_t born = 0;         // rounds finished when the present weights were made

  void grow(std::uint32_t) {}
  template <class X>
  void before_update(const W& weights, const X&, std::uint64_t finished) {
    finish(weights, finished);
  }
  template <class X>
  void after_update(const W&, const X&, double, Moved, std::uint64_t finished) {
    born = finished + 1;
  }
  void restarted(const W&, std::uint64_t finished) { born = finished + 1; }

  // Run-length form: the present weights have gone finished - born rounds without an update.
  void finish(const W& weights, std::uint64_t finished) {
    if (ratchet) return;
    if (!filled || (finished > born && finished - born > best_run)) {
      best_run = filled ? finished - born : (finished > born ? finished - born : 0);
      best = weights.point();
      filled = true;
    }
  }

  // Ratchet form: `errors` of the present weights on all data. Replaces the pocket when strictly fewer.
  bool offer_to_pocket(const W& weights, std::uint64_t errors) {
    if (filled && errors >= best_errors) return false;
    best = weights.point();
    best_errors = errors;
    filled = true;
    return true;
  }

  // Features that appeared since the pocket was filled stood at their start weights then.
  Point point(const W& weights, std::uint64_t) const {
    if (!filled) return weights.point();
    Point full = best;
    weights.extend(full);
    return full;
  }
};

// Vectors are kept as the steps that made them: O(stored values) an update. Replaying the steps from the start weights
// gives every vector again, bit for bit. (Of exponential weights that grew on the way, up to the rounding of their
// common scale: the replay has all the features from the start.)
struct VoteStep {
  double amount = 0;
  std::uint64_t begin = 0;  // its row's values: [begin, next step's begin)
  Moved moved;
  bool restart = false;   // back to the start weights instead of a step
  std::uint64_t age = 0;  // rounds at whose end the vector made by this step stood

  bool operator==(const VoteStep&) const = default;
};

struct VoteHistory {
  std::uint64_t first_age = 0;  // of the start weights
  std::uint64_t counted = 0;    // rounds counted so far
  std::vector<VoteStep> steps;
  std::vector<std::uint32_t> index;
  std::vector<double> value;

  // The row of step k.
  Example<double, false> row(std::size_t k) const {
    const std::uint64_t begin = steps[k].begin;
    const std::uint64_t end = k + 1 < steps.size() ? steps[k + 1].begin : index.size();
    return {index.data() + begin, value.data() + begin, static_cast<std::uint32_t>(end - begin), 0, 1.0, 0.0, 0};
  }
  bool operator==(const VoteHistory&) const = default;
};

template <class W>
struct Vote {
  static constexpr bool watches = true;
  using Point = std::decay_t<decltype(std::declval<const W&>().point())>;
  VoteHistory history;

  void grow(std::uint32_t) {}
  template <class X>
  void before_update(const W&, const X&, std::uint64_t finished) {
    age(finished);
  }
  template <class X>
  void after_update(const W&, const X& x, double amount, Moved moved, std::uint64_t) {
    history.steps.push_back({amount, history.index.size(), moved, false, 0});
    history.index.insert(history.index.end(), x.index, x.index + x.size);
    if constexpr (std::is_same_v<typename X::value_type, One>) {
      history.value.insert(history.value.end(), x.size, 1.0);
    } else {
      history.value.insert(history.value.end(), x.value, x.value + x.size);
    }
  }
  void restarted(const W&, std::uint64_t) { history.steps.push_back({0, history.index.size(), {}, true, 0}); }
  void finish(const W&, std::uint64_t finished) { age(finished); }
  // A vote has no single point; the last weights stand for it where one is asked for.
  Point point(const W& weights, std::uint64_t) const { return weights.point(); }

 private:
  void age(std::uint64_t finished) {
    (history.steps.empty() ? history.first_age : history.steps.back().age) += finished - history.counted;
    history.counted = finished;
  }
};

}  // namespace halfspace
