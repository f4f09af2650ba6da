// Describes domains in words.
#include "halfspace/detail/base/domain.h"

#include <fmt/format.h>

namespace halfspace {
namespace {

std::string shown(double value) { return fmt::format("{:.17g}", value); }

std::string lower(const Domain& d) { return fmt::format("{} {}", d.above ? "above" : "at least", d.least); }

std::string upper(const Domain& d) { return fmt::format("{} {}", d.below ? "below" : "at most", d.most); }

bool is_bounded_below(const Domain& d) { return d.least > -std::numeric_limits<double>::max(); }

}  // namespace

std::string Domain::demand() const {
  if (whole && most >= 0x1.0p53) return fmt::format("must be a whole number of at least {}", least);
  if (whole) return fmt::format("must be a whole number from {} to {}", least, most);
  if (!is_bounded_below(*this) && !bounded_above()) return "must be a finite number";
  if (!bounded_above() && least == 0)
    return above ? "must be a positive number" : "must be a number that is not negative";
  if (!bounded_above()) return "must be " + lower(*this);
  if (above && below) return fmt::format("must lie between {} and {}", least, most);
  return fmt::format("must be {} and {}", lower(*this), upper(*this));
}

std::string Domain::problem(double value) const {
  if (holds(value)) return {};
  if (whole) return fmt::format("{} is not a count from {} to {}", shown(value), shown(least), shown(most));
  if (!is_bounded_below(*this) && !bounded_above()) return shown(value) + " is not finite";
  if (!bounded_above() && least == 0)
    return shown(value) + (above ? " is not a positive number" : " is not a number of at least 0");
  if (!bounded_above()) return fmt::format("{} is not {}", shown(value), lower(*this));
  if (above && below) return fmt::format("{} does not lie between {} and {}", shown(value), least, most);
  return fmt::format("{} is not {} and {}", shown(value), lower(*this), upper(*this));
}

}  // namespace halfspace
