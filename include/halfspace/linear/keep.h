// Keepers choose which weights are the result.
//
//   last     the current weights
//   average  the mean of the weights after each round (Freund and Schapire 1999; Collins 2002)
//   pocket   the best so far (Gallant 1990): by errors of predictions on all the data, a row of weight k counting k times
//            (ratchet), or by the longest run of rounds without an update (for streams)
//   vote     every vector there ever was, voting with its age (Freund and Schapire 1999)
//
// A keeper observes updates and never interferes with them, so it is chosen at run time, by name: one branch an update.
// `finished` counts the rounds before the current one, without those of weight 0. W is the learner's weights. A class
// number is passed for ClassWeights: `raised` gained amount * x and `lowered` lost it; elsewhere both are 0.
#pragma once

#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "halfspace/detail/linear/names.h"
#include "halfspace/detail/linear/state.h"
#include "halfspace/kernels/example.h"

namespace halfspace {

// The mean over rounds, depending on the kind of weights. For Weights and ClassWeights it is lazy: with c rounds
// finished before, an update adds d to w and c * d to `lag`; the mean over C rounds is w - lag / C at any time. A
// vector made by an update counts for that round. O(stored values) an update.
template <class W>
struct Average {
  W lag;

  explicit Average(const W& weights) : lag(weights.zero()) {}

  void grow(std::uint32_t features) { lag.grow(features); }
  template <class X>
  void before_update(const W&, const X&, std::uint64_t) {}
  template <class X>
  void after_update(const W&, const X& x, double amount, Moved moved, std::uint64_t finished) {
    lag.move(amount * static_cast<double>(finished), x, moved);
  }
  typename W::Point point(const W& weights, std::uint64_t finished) const {
    typename W::Point mean = weights.point();
    if (finished != 0) mean.subtract(lag.point(), static_cast<double>(finished));
    return mean;
  }
  typename W::Point& kept() noexcept { return lag.vector(); }
  const typename W::Point& kept() const noexcept { return lag.vector(); }
};

// Weights whose updates are not multiples of the row but change only coordinates that are known beforehand:
// accumulate(x, factor, sum) adds factor * w_j to sum_j for each coordinate j that an update along x may change.
template <class W>
concept Accumulates = requires(const W weights, const Example<double, false> x, WeightVector sum) {
  weights.accumulate(x, 1.0, sum);
};

// Does so for the lazy mean of such weights: c * d is c times the coordinates after the update, less c times those
// before.
template <Accumulates W>
struct Average<W> {
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
  WeightVector point(const W& weights, std::uint64_t finished) const {
    WeightVector mean = weights.point();
    if (finished != 0) mean.subtract(lag, static_cast<double>(finished));
    return mean;
  }
  WeightVector& kept() noexcept { return lag; }
  const WeightVector& kept() const noexcept { return lag; }
};

// Means kept as a sum of points store the number of rounds in it: `counted`. Their weights specialise Average
// (exponential.h, scaled.h).
template <class W>
inline constexpr bool counts_rounds = requires(Average<W> average) {
  average.counted;
};

template <class W>
struct Pocket {
  using Point = typename W::Point;
  Point best;  // the pocket; initially the start weights
  bool filled = false;
  bool ratchet = false;        // compared by errors on all data: see offer()
  double best_errors = 0;      // of `best` on all data; ratchet only
  std::uint64_t best_run = 0;  // rounds that `best` went without an update; not with ratchet
  std::uint64_t born = 0;      // rounds finished when the current weights were made

  // Records, for runs of rounds, that the current weights have gone finished - born rounds without an update.
  void finish(const W& weights, std::uint64_t finished) {
    if (ratchet) return;
    if (!filled || (finished > born && finished - born > best_run)) {
      best_run = finished > born ? finished - born : filled ? finished - born : 0;
      best = weights.point();
      filled = true;
    }
  }

  // Offers the current weights with `errors` on all data (ratchet). Replaces the pocket if strictly fewer.
  bool offer(const W& weights, double errors) {
    if (filled && errors >= best_errors) return false;
    best = weights.point();
    best_errors = errors;
    filled = true;
    return true;
  }

  // Features that appeared since the pocket was filled had their start weights then.
  Point point(const W& weights) const {
    if (!filled) return weights.point();
    Point full = best;
    weights.extend(full);
    return full;
  }

  // The errors are stored by their bits.
  std::vector<std::uint64_t> counts() const {
    return {filled, ratchet, std::bit_cast<std::uint64_t>(best_errors), best_run, born};
  }
  // Throws Error(data).
  void restore(const std::vector<std::uint64_t>& counts, const ClassWeightVector& kept) {
    if (counts.size() != 5) refuse_state("the pocket has five counts");
    filled = counts[0] != 0;
    ratchet = counts[1] != 0;
    best_errors = std::bit_cast<double>(counts[2]);
    best_run = counts[3];
    born = counts[4];
    if constexpr (requires { best.classes; }) {
      if (!filled) return;  // it has no number of classes yet
      best.classes = kept.classes;
    }
    unflatten(kept, best);
  }
};

// Vectors are kept as the steps that made them: O(stored values) an update.
struct Vote {
  VoteHistory history;

  template <class X>
  void step(const X& x, double amount, Moved moved) {
    history.steps.push_back({amount, history.index.size(), moved, false, 0});
    history.index.insert(history.index.end(), x.index, x.index + x.size);
    for (std::uint32_t i = 0; i < x.size; ++i) history.value.push_back(x.value_at(i));
  }
  void restart() { history.steps.push_back({0, history.index.size(), {}, true, 0}); }
  // Records that the current vector was unchanged until `finished` rounds were over.
  void age(std::uint64_t finished) {
    (history.steps.empty() ? history.first_age : history.steps.back().age) += finished - history.counted;
    history.counted = finished;
  }
};

// Any of them, by name.
template <class W>
class Keeper {
 public:
  using Point = typename W::Point;

  Keeper(KeepName name, const W& weights) : name_(name), average_(weights) {}

  KeepName name() const noexcept { return name_; }
  void grow(std::uint32_t features) {
    if (name_ == KeepName::average) average_.grow(features);
  }

  template <class X>
  void before_update(const W& weights, const X& x, std::uint64_t finished) {
    switch (name_) {
      case KeepName::last:
        return;
      case KeepName::average:
        return average_.before_update(weights, x, finished);
      case KeepName::pocket:
        return pocket_.finish(weights, finished);
      case KeepName::vote:
        return vote_.age(finished);
    }
  }
  template <class X>
  void after_update(const W& weights, const X& x, double amount, Moved moved, std::uint64_t finished) {
    switch (name_) {
      case KeepName::last:
        return;
      case KeepName::average:
        return average_.after_update(weights, x, amount, moved, finished);
      case KeepName::pocket:
        pocket_.born = finished + 1;
        return;
      case KeepName::vote:
        return vote_.step(x, amount, moved);
    }
  }
  // Records that the weights were reset to their start.
  void restarted(std::uint64_t finished) {
    if (name_ == KeepName::pocket) pocket_.born = finished + 1;
    if (name_ == KeepName::vote) vote_.restart();
  }
  void finish(const W& weights, std::uint64_t finished) {
    if (name_ == KeepName::pocket) pocket_.finish(weights, finished);
    if (name_ == KeepName::vote) vote_.age(finished);
  }
  // Returns the result; for a vote, which is no single point, the last weights.
  Point point(const W& weights, std::uint64_t finished) const {
    if (name_ == KeepName::average) return average_.point(weights, finished);
    if (name_ == KeepName::pocket) return pocket_.point(weights);
    return weights.point();
  }

  const Pocket<W>& pocket() const noexcept { return pocket_; }
  const VoteHistory& votes() const noexcept { return vote_.history; }
  void enable_ratchet() { pocket_.ratchet = name_ == KeepName::pocket; }
  bool offer_to_pocket(const W& weights, double errors) {
    return name_ == KeepName::pocket && pocket_.offer(weights, errors);
  }

  // Visits the keeper's numbers: those of its mean, if it has any.
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    if (self.name_ == KeepName::average) describe_numbers(self.average_, archive);
  }
  void save(LearnerState& state) const {
    if (name_ == KeepName::average) {
      state.kept = flat(average_.kept());
      if constexpr (counts_rounds<W>) state.kept_counts = {average_.counted};
    } else if (name_ == KeepName::pocket) {
      state.kept = flat(pocket_.best);
      if (state.kept.classes == 0) state.kept.classes = 1;
      state.kept_counts = pocket_.counts();
    } else if (name_ == KeepName::vote) {
      state.votes = vote_.history;
    }
  }
  // Throws Error(data).
  void restore(const LearnerState& state) {
    if (name_ == KeepName::average) {
      if constexpr (counts_rounds<W>) {
        if (state.kept_counts.size() != 1) refuse_state("the average counts its rounds");
        average_.counted = state.kept_counts[0];
      }
      unflatten(state.kept, average_.kept());
      if (state.kept.w.size() > state.weights.w.size()) refuse_state("the average has more features than the weights");
    } else if (name_ == KeepName::pocket) {
      pocket_.restore(state.kept_counts, state.kept);
    } else if (name_ == KeepName::vote) {
      vote_.history = state.votes;
    }
  }
  // Returns the number of counts it saves.
  std::size_t counts() const noexcept {
    return name_ == KeepName::pocket ? 5 : name_ == KeepName::average && counts_rounds<W> ? 1 : 0;
  }

 private:
  KeepName name_;
  Average<W> average_;
  Pocket<W> pocket_;
  Vote vote_;
};

}  // namespace halfspace
