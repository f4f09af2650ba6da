// Results in words, in the terminal and on a page. Plain numbers: base/number_words.h.
//
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/number_words.h"
#include "halfspace/detail/train/new_rows.h"

namespace halfspace::report {

using halfspace::byte_size;
using halfspace::counted;
using halfspace::duration;
using halfspace::fixed_down;
using halfspace::fixed_up;
using halfspace::grouped;
using halfspace::grouped_count;
using halfspace::percent;
using halfspace::rounded_down;
using halfspace::rounded_up;
using halfspace::rows_counted;
using halfspace::short_number;

// Formats the number of passes: "7 passes", "7 passes and part of another", "part of a pass".
std::string passes_made(std::uint64_t finished, std::uint64_t begun);
// Formats a bound as a count; a very large one with three digits, rounded up.
std::string count_at_most(double bound);
// Formats a bound of any quantity with four significant digits, or as a count: rounded up or down.
std::string bound_at_most(double bound);
std::string bound_at_least(double bound);
// Returns whether a column of this name has bounds: "bound", "its bound", "guaranteed", "at least".
bool is_bound(std::string_view column);
// Formats a number that is not whole in a column of this name, and a bound so that it stays one.
std::string column_number(std::string_view column, double number);
// Returns true if one count of errors is significantly below another on the same rows (5 %).
bool clearly_fewer(double errors, double others);

// Formats the error on new rows and its bounds, the upper one rounded up and the lower one down: "15.5 % wrong, 14.8 to
// 16.3 % with 95 % confidence"; the error alone, "15.5 %"; and the assumption.
std::string new_rows_words(const ExpectedError& expected);
std::string expected_share(const ExpectedError& expected);
std::string assumption_words(const ExpectedError& expected);
// Formats the bounds alone: "14.8 to 16.3 %".
std::string error_range(const ErrorBounds& bounds);

// Formats a positive number with four significant digits, rounded down: a printed lower bound stays one.
std::string at_least_number(double number);
// Returns the name of a loss in a sentence: "log loss" for logistic.
std::string loss_words(std::string_view loss);
// Returns the norm of the longest row from its square; nothing if squares of values overflow or underflow, which makes
// the sum imprecise. `any`: whether a row stores a value; only then does a square of 0 mean underflow.
std::optional<double> radius_of(double squared_norm, bool any);
// Returns it as text: "below 1e-135" or "above 1e135" if the norm is unknown.
std::string radius_words(double squared_norm, bool any);

}  // namespace halfspace::report
