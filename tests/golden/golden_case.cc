#include "golden_case.h"

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <sstream>
#include <stdexcept>

namespace halfspace::testing {

std::filesystem::path golden_folder() {
  const char* named = std::getenv("HALFSPACE_GOLDEN");
  return named != nullptr ? std::filesystem::path(named)
                          : std::filesystem::path(HALFSPACE_SOURCE_DIR) / "tests/golden/cases";
}

Json golden_case(const std::string& id) {
  std::ifstream file(golden_folder() / (id + ".json"));
  if (!file) throw std::runtime_error("no golden case " + id);
  return Json::parse(file);
}

Rational rational(const Json& number) {
  if (number.is_number_integer()) return Rational(number.get<long>());
  if (number.is_number()) return exact(number.get<double>());
  const std::string text = number.get<std::string>();
  if (text.find('x') != std::string::npos) {
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (*end != '\0' || !std::isfinite(value)) throw std::runtime_error("not a hex float: " + text);
    return exact(value);
  }
  Rational value(text);
  value.canonicalize();
  return value;
}

double number(const Json& number) {
  if (number.is_string()) {
    const std::string text = number.get<std::string>();
    if (text.find("inf") != std::string::npos || text == "nan") return std::strtod(text.c_str(), nullptr);
  }
  const Rational value = rational(number);
  const double near = value.get_d();  // truncates towards zero
  const double far = std::nextafter(
      near, sgn(value) < 0 ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity());
  if (exact(near) == value || !std::isfinite(far)) return near;
  const Rational to_near = abs(value - exact(near));
  const Rational to_far = abs(value - exact(far));
  return to_far < to_near ? far : near;
}

std::vector<double> numbers(const Json& list) {
  std::vector<double> result;
  for (const Json& entry : list) result.push_back(number(entry));
  return result;
}

Points points_of(const Json& input) {
  Points points;
  for (std::size_t i = 0; i < input.at("X").size(); ++i) {
    points.push_back({numbers(input["X"][i]), input.at("y")[i].get<int>() > 0 ? 1 : 0, 1.0});
  }
  return points;
}

std::uint32_t dimension_of(const Json& input) {
  return input.contains("d") ? input["d"].get<std::uint32_t>() : features_of(points_of(input));
}

Tie tie_of(const Json& input, Tie otherwise) {
  if (!input.contains("rule")) return otherwise;
  const std::string rule = input["rule"];
  if (rule == "A") return Tie::positive;
  if (rule == "B") return Tie::mistake;
  if (rule == "N") return Tie::negative;
  throw std::runtime_error("no such rule: " + rule);
}

BiasOptions bias_of(const Json& input) { return {value_named<Bias>(input.value("bias", "none")).value(), 1.0}; }

std::vector<double> coordinates(const WeightVector& w, BiasOptions bias) {
  std::vector<double> all = w.w;
  if (bias.position == Bias::first) all.insert(all.begin(), w.bias);
  if (bias.position == Bias::last) all.push_back(w.bias);
  return all;
}

std::vector<double> coordinates(const ClassWeightVector& w, BiasOptions bias) {
  return coordinates(WeightVector{w.w, w.bias.at(0)}, bias);
}

WeightVector weights_of(const std::vector<double>& coordinates, BiasOptions bias) {
  WeightVector w{coordinates, 0};
  if (bias.position == Bias::first) {
    w.bias = w.w.front();
    w.w.erase(w.w.begin());
  } else if (bias.position == Bias::last) {
    w.bias = w.w.back();
    w.w.pop_back();
  }
  return w;
}

Closeness closeness_of(const Json& golden) {
  if (golden.at("arith") == "float64") {
    return {Closeness::Kind::tolerance, golden.at("tol").at("rel"), golden.at("tol").at("abs")};
  }
  return {golden.value("double_same", true) ? Closeness::Kind::exact : Closeness::Kind::few_ulps};
}

std::string difference(const std::vector<double>& ours, const Json& expected, const Closeness& closeness) {
  std::ostringstream text;
  if (ours.size() != expected.size()) {
    text << ours.size() << " numbers, expected " << expected.size();
    return text.str();
  }
  Rational largest = 0;
  for (const Json& entry : expected) {
    if (entry != "nan" && entry != "inf" && entry != "-inf")
      largest = std::max(largest, Rational(abs(rational(entry))));
  }
  for (std::size_t j = 0; j < ours.size(); ++j) {
    const double wanted = number(expected[j]);
    bool equal;
    if (!std::isfinite(ours[j]) || !std::isfinite(wanted)) {
      equal = ours[j] == wanted;
    } else {
      const Rational off = abs(exact(ours[j]) - rational(expected[j]));
      switch (closeness.kind) {
        case Closeness::Kind::exact:
          equal = off == 0;
          break;
        case Closeness::Kind::few_ulps:
          equal = off <= 4 * exact(0x1p-52) * largest;
          break;
        default:
          equal = off <= exact(closeness.absolute) + exact(closeness.relative) * abs(rational(expected[j]));
      }
    }
    if (!equal) {
      text << std::hexfloat << "number " << j << " is " << ours[j] << ", expected " << wanted;
      return text.str();
    }
  }
  return "";
}

std::string difference(double ours, const Json& expected, const Closeness& closeness) {
  return difference(std::vector<double>{ours}, Json::array({expected}), closeness);
}

}  // namespace halfspace::testing
