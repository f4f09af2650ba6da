// The course of a learner's error since it was opened, at a bounded number of moments.
//
// Thread-safety: value type.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace halfspace::service {

struct ErrorMoment {
  std::uint64_t rounds = 0, mistakes = 0;
  double errors = 0, weight = 0;  // as in PassRecord
};

// Keeps at most `most` moments, about evenly spread: when there are more, every second one goes. Begins anew when the
// counts go back, as after a row was forgotten.
class Progress {
 public:
  static constexpr std::size_t most = 400;

  void add(ErrorMoment now) {
    if (!moments_.empty() && (now.rounds < last_.rounds || now.mistakes < last_.mistakes)) *this = {};
    last_ = now;
    if (!moments_.empty() && now.rounds - moments_.back().rounds < apart_) return;
    moments_.push_back(now);
    if (moments_.size() < most) return;
    std::size_t kept = 1;
    for (std::size_t i = 2; i < moments_.size(); i += 2) moments_[kept++] = moments_[i];
    moments_.resize(kept);
    apart_ = (moments_.back().rounds - moments_.front().rounds) / most * 2 + 1;
  }

  // Returns the moments, and the last one whether it is kept or not.
  std::vector<ErrorMoment> moments() const {
    std::vector<ErrorMoment> all = moments_;
    if (!all.empty() && last_.rounds > all.back().rounds) all.push_back(last_);
    return all;
  }

 private:
  std::vector<ErrorMoment> moments_;
  ErrorMoment last_;
  std::uint64_t apart_ = 1;  // rounds between moments that are kept
};

}  // namespace halfspace::service
