// Keeps rows and updates of a run for its picture: rows at a stride that doubles, updates at growing distances.
#include "report/results/plane_record.h"

#include <algorithm>

namespace halfspace::report {

bool keeps_weights_of_its_own(const Composition& composition) {
  return composition.keep == KeepName::average ||
         (composition.keep == KeepName::pocket && composition.order == OrderName::random_mistake);
}

bool PlaneRecord::too_wide(const RowValues& values) {
  // Indices ascend in most formats but need not: takes the largest.
  if (!values.index.empty() && *std::max_element(values.index.begin(), values.index.end()) >= limits_.features) {
    given_up_ = true;
    kept_.clear();
    moved_.clear();
    moments_ = {};
  }
  return given_up_;
}

void PlaneRecord::rows(const Block& block) {
  if (given_up_) return;
  // Finds the first row of this block whose number, counted from 0, is a multiple of the stride.
  std::uint64_t i = (stride_ - seen_ % stride_) % stride_;
  for (; i < block.rows; i += stride_) {
    if (block.with_example(i, [&](const auto& x) { return too_wide(x.values()); })) return;
    kept_.append(block, i);
    if (kept_.rows() > limits_.rows || (kept_.rows() > 2 && kept_.stored() > limits_.numbers)) {
      thin();
      if ((seen_ + i) % stride_ != 0) i -= stride_ / 2;  // continues at the next multiple of the doubled stride
    }
  }
  seen_ += block.rows;
}

void PlaneRecord::thin() {
  BlockBuffer half;
  const Block all = kept_.finish();
  for (std::size_t i = 0; i < all.rows; i += 2) half.append(all, i);
  kept_ = std::move(half);
  stride_ *= 2;
}

void PlaneRecord::round(const RoundView& view) {
  if (!view.outcome.updated || given_up_) return;
  ++updates_;
  if (full_ || updates_ < next_) {
    // Keeps the weights after the update before the next kept one, where that one begins.
    if (!full_ && updates_ + 1 == next_) before_ = view.learner.present();
    return;
  }
  if (too_wide(view.values)) return;
  Moment moment{updates_, view.round, view.row, view.outcome, view.learner.present(), std::move(before_), {}};
  before_.reset();
  std::size_t size = moment.after.w.size() + moment.after.bias.size() + view.values.size();
  ClassWeightVector kept = view.learner.result();
  if (kept != moment.after) {
    size += kept.w.size() + kept.bias.size();
    moment.kept = std::move(kept);
  }
  if (moments_.empty()) {
    // Bounds the weights of a page: three of each class a moment.
    const std::size_t shown = 3 * std::max<std::size_t>(1, moment.after.classes);
    capacity_ = std::clamp<std::size_t>(15 * limits_.moments / shown, 1, limits_.moments);
  }
  if (!moments_.empty() && numbers_ + size > limits_.numbers) {
    full_ = true;
    return;
  }
  numbers_ += size;
  for (std::size_t k = 0; k < view.values.size(); ++k) moved_.add(view.values.index[k], view.values[k]);
  moved_.end_row(view.label, view.row);
  moments_.push_back(std::move(moment));
  full_ = moments_.size() >= capacity_;
  // Keeps two thirds one after the other, then ever further apart, so that long runs are covered to the end.
  next_ = updates_ + 1;
  if (3 * moments_.size() >= 2 * capacity_) next_ = std::max(updates_ + 2, updates_ + updates_ / 100);
}

}  // namespace halfspace::report
