// The shared golden cases: one JSON file each (its README.txt says what the fields mean), numbers as exact rationals.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "base/json.h"
#include "halfspace/detail/rules/multiclass.h"
#include "halfspace/rules/composition.h"
#include "support/exact.h"
#include "support/points.h"

namespace halfspace::testing {

// Returns $HALFSPACE_GOLDEN, or the folder of cases in the repository.
std::filesystem::path golden_folder();
Json golden_case(const std::string& id);

// An int, "p/q", or a hex float: always exact.
Rational rational(const Json& number);
// The double of it: hex floats and integers exactly, fractions rounded to nearest. "inf" and "nan" as they say.
double number(const Json& number);
std::vector<double> numbers(const Json& list);

// Fields that several algorithms share.
Points points_of(const Json& input);
std::uint32_t dimension_of(const Json& input);
Tie tie_of(const Json& input, Tie otherwise = Tie::positive);
BiasOptions bias_of(const Json& input);

// Coordinates as the case writes them, bias first, last or none <-> the library's vector.
std::vector<double> coordinates(const WeightVector& w, BiasOptions bias);
std::vector<double> coordinates(const ClassWeightVector& w, BiasOptions bias);
WeightVector weights_of(const std::vector<double>& coordinates, BiasOptions bias);

// How close is equal?
struct Closeness {
  enum class Kind { exact, few_ulps, tolerance } kind = Kind::exact;
  double relative = 0, absolute = 0;
};
// exact where doubles_same, else within a few ulps of the largest number in the list; tolerance for arith=float64.
Closeness closeness_of(const Json& golden);

// Empty when equal, else what differs.
std::string difference(const std::vector<double>& ours, const Json& expected, const Closeness& closeness);
std::string difference(double ours, const Json& expected, const Closeness& closeness);

}  // namespace halfspace::testing
