// The parts of a model's C source that its weights have no part in: texts, names, and the functions of rows and dates.
//
// Thread-safety: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace halfspace::model {

// Returns a text as a C string, in ASCII and without trigraphs; and for a comment.
std::string c_string(std::string_view text);
std::string in_comment(std::string_view text);
std::string c_number(double value);

// Returns the definitions of NAME_labels, and of the weights within the function.
std::string c_labels(const std::string& name, const std::vector<std::string>& labels);
std::string c_weights(const std::vector<double>& weights);

// Throws Error(usage) for what cannot name a function in C: no identifier, a keyword, a name of the C library.
void check_c_name(const std::string& name);

// Returns the definition of NAME_divide(value, count), which divides a row by its norm as training does.
std::string c_norm_function(const std::string& name);
// Returns the definition of NAME_weekday(year, month, day): from 0, Monday; -1 for what is no day of the calendar.
std::string c_weekday_function(const std::string& name);

}  // namespace halfspace::model
