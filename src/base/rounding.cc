// Asks for 1 / 3 rounded up.
#include "halfspace/detail/base/rounding.h"

#include "halfspace/base/error.h"

namespace halfspace::detail {
namespace {

bool rounds_up() {
  const volatile double one = 1, three = 3;
  const int before = std::fegetround();
  std::fesetround(FE_UPWARD);
  const volatile double third = one / three;
  std::fesetround(before);
  return third > 0x1.5555555555555p-2;
}

}  // namespace

void require_rounding() {
  static const bool works = rounds_up();
  if (!works) {
    throw Error(ErrorKind::input_output,
                "this processor, or what stands in for it, does not round up when told to: no bound would hold")
        .fix("run it on another machine; bounds need the rounding modes of IEEE 754");
  }
}

}  // namespace halfspace::detail
