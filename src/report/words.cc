// Formats numbers for people.
#include "report/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "halfspace/bounds/formulas.h"

namespace halfspace::report {

std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

std::string counted(std::uint64_t number, std::string_view one, std::string_view many) {
  if (number == 1) return fmt::format("1 {}", one);
  return many.empty() ? fmt::format("{} {}s", grouped(number), one) : fmt::format("{} {}", grouped(number), many);
}

std::string passes_made(std::uint64_t finished, std::uint64_t begun) {
  if (begun <= finished) return counted(finished, "pass", "passes");
  return finished == 0 ? "part of a pass" : counted(finished, "pass", "passes") + " and part of another";
}

std::string count_at_most(double bound) {
  const std::uint64_t whole = whole_mistakes(bound);
  return whole != UINT64_MAX ? grouped(whole) : rounded_up(bound);
}

// McNemar's test, with the most rows on which only one errs.
bool clearly_fewer(double errors, double others) {
  constexpr double chi_square = 3.841;
  return errors < others && (others - errors) * (others - errors) > chi_square * (others + errors);
}

std::string percent(double part, double whole) {
  return whole == 0 ? "-" : fmt::format("{:.2f} %", 100 * part / whole);
}

std::string short_number(double number, int digits) {
  return fmt::format("{:.{}g}", number, digits);
}

namespace {

double read(const std::string& text) {
  return std::strtod(text.c_str(), nullptr);
}

// Uses all digits if few rows are on the wrong side, and a change of the last digit stays a distinct double.
std::string towards(double number, int digits, bool up) {
  const auto wrong = [&](double shown) { return up ? shown < number : shown > number; };
  std::string text = fmt::format("{:.{}e}", number, digits - 1);
  if (wrong(read(text))) {
    // Below a power of ten, doubles are denser.
    const bool closer = up == (number < 0) && text.find_first_not_of("-1.0") == text.find('e') &&
                        std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(text.find('e')), '1') == 1;
    const double unit = std::pow(10.0, std::atoi(text.c_str() + text.find('e') + 1) - digits + (closer ? 0 : 1));
    text = fmt::format("{:.{}e}", read(text) + (up ? unit : -unit), digits - 1);
  }
  return wrong(read(text)) || !std::isfinite(number) ? fmt::format("{}", number) : short_number(read(text), digits);
}

}  // namespace

std::string rounded_up(double number, int digits) {
  return towards(number, digits, true);
}

std::string rounded_down(double number, int digits) {
  return towards(number, digits, false);
}

namespace {

std::string fixed(double number, int decimals, bool up) {
  const auto wrong = [&](const std::string& text) { return up ? read(text) < number : read(text) > number; };
  std::string text = fmt::format("{:.{}f}", number, decimals);
  if (wrong(text)) text = fmt::format("{:.{}f}", number + (up ? 1 : -1) * std::pow(10.0, -decimals), decimals);
  return wrong(text) ? fmt::format("{}", number) : text;
}

}  // namespace

std::string fixed_up(double number, int decimals) {
  return fixed(number, decimals, true);
}

std::string fixed_down(double number, int decimals) {
  return fixed(number, decimals, false);
}

namespace {

// Formats in percent; rounds the product outward.
double hundredfold(double share, double away) {
  return share == 0 || share == 1 ? 100 * share : std::nextafter(100 * share, away);
}

struct ErrorText {
  std::string lower, upper;
};

ErrorText error_text(const ErrorBounds& bounds) {
  const int decimals = bounds.upper - bounds.lower < 0.01 ? 2 : 1;
  return {fixed_down(hundredfold(bounds.lower, 0), decimals), fixed_up(hundredfold(bounds.upper, 200), decimals)};
}

}  // namespace

std::string new_rows_words(const ExpectedError& expected) {
  const ErrorText text = error_text(expected.bounds);
  return fmt::format("at most {} %, at least {} % wrong, {:.6g} % sure", text.upper, text.lower,
                     100 * expected.confidence);
}

std::string error_range(const ErrorBounds& bounds) {
  const ErrorText text = error_text(bounds);
  return fmt::format("{} to {} %", text.lower, text.upper);
}

std::string assumption_words(const ExpectedError& expected) {
  switch (expected.from) {
    case ExpectedFrom::learning:
      return fmt::format("if they are like these {}, for the learner as it ran: {}", grouped(expected.rows),
                         expected.runs ? "it knew the label before, and labels come in runs here; the model does not"
                                       : "the final model is usually better");
    case ExpectedFrom::held_out:
      return fmt::format("if they are like the {} held out", grouped(expected.rows));
    case ExpectedFrom::folds:
      return "if they are like these; from the folds, an approximation";
    case ExpectedFrom::validation:
      return fmt::format("if they are like the {} that chose the learner", grouped(expected.rows));
  }
  return "";
}

std::string at_least_number(double number) {
  for (double less = number; less > 0; less -= number * 0x1p-15) {
    const std::string text = fmt::format("{:.4g}", less);
    double shown = 0;
    std::from_chars(text.data(), text.data() + text.size(), shown);
    if (shown < number) return text;
  }
  return "0";
}

std::string loss_words(std::string_view loss) {
  return loss == "logistic" ? "log loss" : loss == "squared-hinge" ? "squared hinge loss" : std::string(loss) + " loss";
}

std::optional<double> radius_of(double squared_norm, bool any) {
  const bool within = squared_norm == 0 ? !any : squared_norm >= 0x1p-900 && squared_norm <= 0x1p900;
  return within ? std::optional(std::sqrt(squared_norm)) : std::nullopt;
}

std::string radius_words(double squared_norm, bool any) {
  if (const std::optional<double> radius = radius_of(squared_norm, any)) return short_number(*radius);
  return squared_norm < 1 ? "below 1e-135" : "above 1e135";
}

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

}  // namespace halfspace::report
