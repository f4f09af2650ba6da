// Directed rounding: while a RoundUpward lives, every sum and product of this thread is rounded up.
//
// Files that use it are compiled with -frounding-math. A lower bound is had by negating: down(a - b) = -up(b - a).
#pragma once

#include <cfenv>

namespace halfspace {

class RoundUpward {
 public:
  RoundUpward() : before_(std::fegetround()) { std::fesetround(FE_UPWARD); }
  ~RoundUpward() { std::fesetround(before_); }
  RoundUpward(const RoundUpward&) = delete;
  RoundUpward& operator=(const RoundUpward&) = delete;

 private:
  int before_;
};

}  // namespace halfspace
