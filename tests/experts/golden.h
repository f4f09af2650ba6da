// The shared golden cases of experts and bandits, and their numbers.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace halfspace::testing {

using Json = nlohmann::json;

// $HALFSPACE_GOLDEN, or ../shared/golden beside the source folder.
inline std::filesystem::path golden_file(const std::string& id) {
  const char* named = std::getenv("HALFSPACE_GOLDEN");
  const std::filesystem::path folder =
      named != nullptr ? std::filesystem::path(named) : std::filesystem::path(HALFSPACE_SOURCE_DIR) / "../shared/golden";
  return folder / (id + ".json");
}

// "p/q" (small integers here), a hex float, or an integer.
inline double number(const Json& json) {
  if (json.is_number()) return json.get<double>();
  const std::string text = json.get<std::string>();
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos) return std::strtod(text.c_str(), nullptr);
  return std::stod(text.substr(0, slash)) / std::stod(text.substr(slash + 1));
}

inline std::vector<double> numbers(const Json& list) {
  std::vector<double> result;
  for (const Json& entry : list) result.push_back(number(entry));
  return result;
}

// arith=float64: |ours - golden| <= 1e-14 + 1e-12 |golden|.
inline void expect_near(double ours, const Json& golden, const std::string& what) {
  const double wanted = number(golden);
  EXPECT_NEAR(ours, wanted, 1e-14 + 1e-12 * std::abs(wanted)) << what;
}

}  // namespace halfspace::testing

// Reads the case into `name`, or skips the test loudly.
#define HALFSPACE_GOLDEN_CASE(name, id)                                                                            \
  std::ifstream name##_file(halfspace::testing::golden_file(id));                                                  \
  if (!name##_file) GTEST_SKIP() << "NOT CHECKED: no golden case " << (id) << "; set HALFSPACE_GOLDEN";            \
  const halfspace::testing::Json name = halfspace::testing::Json::parse(name##_file)
