// Formats numbers for people.
#include "base/number_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "halfspace/detail/base/elementary.h"

namespace halfspace {

std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

std::string grouped_count(double number) {
  const bool whole = number == std::floor(number) && std::abs(number) < 0x1p53;
  return whole ? grouped(static_cast<std::uint64_t>(number)) : fmt::format("{:.6g}", number);
}

std::string rows_counted(double number) { return grouped_count(number) + (number == 1 ? " row" : " rows"); }

std::string counted(std::uint64_t number, std::string_view one, std::string_view many) {
  if (number == 1) return fmt::format("1 {}", one);
  return many.empty() ? fmt::format("{} {}s", grouped(number), one) : fmt::format("{} {}", grouped(number), many);
}

std::string percent(double part, double whole) {
  return whole == 0 ? "-" : fmt::format("{:.2f} %", 100 * part / whole);
}

std::string short_number(double number, int digits) { return fmt::format("{:.{}g}", number, digits); }

namespace {

double value_of(const std::string& text) { return std::strtod(text.c_str(), nullptr); }

// Uses all digits if few rows are on the wrong side, and a change of the last digit stays a distinct double.
std::string towards(double number, int digits, bool up) {
  const auto wrong = [&](double shown) { return up ? shown < number : shown > number; };
  std::string text = fmt::format("{:.{}e}", number, digits - 1);
  if (wrong(value_of(text))) {
    // Below a power of ten, doubles are denser.
    const bool closer = up == (number < 0) && text.find_first_not_of("-1.0") == text.find('e') &&
                        std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(text.find('e')), '1') == 1;
    const double unit =
        elementary::power_of_ten(std::atoi(text.c_str() + text.find('e') + 1) - digits + (closer ? 0 : 1));
    text = fmt::format("{:.{}e}", value_of(text) + (up ? unit : -unit), digits - 1);
  }
  return wrong(value_of(text)) || !std::isfinite(number) ? fmt::format("{}", number)
                                                         : short_number(value_of(text), digits);
}

}  // namespace

std::string rounded_up(double number, int digits) { return towards(number, digits, true); }

std::string rounded_down(double number, int digits) { return towards(number, digits, false); }

namespace {

std::string fixed(double number, int decimals, bool up) {
  const auto wrong = [&](const std::string& text) { return up ? value_of(text) < number : value_of(text) > number; };
  std::string text = fmt::format("{:.{}f}", number, decimals);
  // From what is shown, not from the number: halfway between two texts that would be rounded once more.
  if (wrong(text))
    text = fmt::format("{:.{}f}", value_of(text) + (up ? 1 : -1) * elementary::power_of_ten(-decimals), decimals);
  if (value_of(text) == 0 && text.front() == '-') text.erase(0, 1);
  return wrong(text) ? fmt::format("{}", number) : text;
}

}  // namespace

std::string fixed_up(double number, int decimals) { return fixed(number, decimals, true); }

std::string fixed_down(double number, int decimals) { return fixed(number, decimals, false); }

std::string byte_size(std::uint64_t bytes) {
  const double value = static_cast<double>(bytes);
  if (value < 1e3) return counted(bytes, "byte");
  if (value < 1e6) return fmt::format("{:.1f} kB", value / 1e3);
  if (value < 1e9) return fmt::format("{:.1f} MB", value / 1e6);
  return fmt::format("{:.1f} GB", value / 1e9);
}

std::string duration(double seconds) {
  if (seconds < 1) return fmt::format("{:.0f} ms", seconds * 1e3);
  if (seconds < 10) return fmt::format("{:.2f} s", seconds);
  if (seconds < 90) return fmt::format("{:.0f} s", seconds);
  const long whole = std::lround(seconds);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

}  // namespace halfspace
