// Formats the numbers of results.
#include "report/results/words.h"

#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include <cmath>

#include "halfspace/bounds/formulas.h"

namespace halfspace::report {

std::string passes_made(std::uint64_t finished, std::uint64_t begun) {
  if (begun <= finished) return counted(finished, "pass", "passes");
  return finished == 0 ? "part of a pass" : counted(finished, "pass", "passes") + " and part of another";
}

std::string count_at_most(double bound) {
  const std::uint64_t whole = whole_mistakes(bound);
  return whole != UINT64_MAX ? grouped(whole) : rounded_up(bound);
}

namespace {

// From 1,000 on as a count, while a double can tell counts apart.
std::string bound_text(double bound, bool up) {
  const double whole = up ? std::ceil(bound) : std::floor(bound), size = std::abs(whole);
  if (size < 1000 || !(size < 1e15)) return up ? rounded_up(bound, 4) : rounded_down(bound, 4);
  return (whole < 0 ? "-" : "") + grouped(static_cast<std::uint64_t>(size));
}

bool has_word(std::string_view column, std::string_view word) { return column.find(word) != std::string_view::npos; }

bool is_lower_bound(std::string_view column) { return column == "guaranteed" || column == "at least"; }

}  // namespace

std::string bound_at_most(double bound) { return bound_text(bound, true); }

std::string bound_at_least(double bound) { return bound_text(bound, false); }

bool is_bound(std::string_view column) {
  return is_lower_bound(column) || column == "at most" || has_word(column, "bound");
}

std::string column_number(std::string_view column, double number) {
  if (!is_bound(column)) return short_number(number, 4);
  return is_lower_bound(column) ? bound_at_least(number) : bound_at_most(number);
}

// McNemar's test, with the most rows on which only one errs.
bool clearly_fewer(double errors, double others) {
  constexpr double chi_square = 3.841;
  return errors < others && (others - errors) * (others - errors) > chi_square * (others + errors);
}

namespace {

// Formats in percent; rounds the product outward.
double hundredfold(double share, double away) {
  return share == 0 || share == 1 ? 100 * share : std::nextafter(100 * share, away);
}

int decimals_of(const ErrorBounds& bounds) { return bounds.upper - bounds.lower < 0.01 ? 2 : 1; }

}  // namespace

std::string new_rows_words(const ExpectedError& expected) {
  return fmt::format("{} wrong, {} with {:.6g} % confidence", expected_share(expected), error_range(expected.bounds),
                     100 * std::min(1.0, expected.confidence));
}

std::string expected_share(const ExpectedError& expected) {
  return fmt::format("{:.{}f} %", 100 * std::min(1.0, expected.error()), decimals_of(expected.bounds));
}

std::string error_range(const ErrorBounds& bounds) {
  const int decimals = decimals_of(bounds);
  return fmt::format("{} to {} %", fixed_down(hundredfold(bounds.lower, 0), decimals),
                     fixed_up(hundredfold(bounds.upper, 200), decimals));
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
      return "if they are like these; approximate, from the folds";
    case ExpectedFrom::validation:
      return fmt::format("if they are like the {} that chose the learner", grouped(expected.rows));
    case ExpectedFrom::threshold:
      return fmt::format("if they are like the {} that placed the threshold", grouped(expected.rows));
  }
  return "";
}

std::string at_least_number(double number) {
  for (double less = number; less > 0; less -= number * 0x1p-15) {
    const std::string text = fmt::format("{:.4g}", less);
    double shown = 0;
    fast_float::from_chars(text.data(), text.data() + text.size(), shown);
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

}  // namespace halfspace::report
