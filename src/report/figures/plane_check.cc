// Checks every list and every number of the plane.
#include "report/figures/plane_check.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "halfspace/base/error.h"

namespace halfspace::report {
namespace {

[[noreturn]] void refuse(const std::string& where, const char* what) {
  throw Error(ErrorKind::data, "run.plane" + where + ": " + what + " is expected")
      .fix("give the JSON as a command wrote it with " + option("save-run"));
}

bool below_zero(const Json& integer) { return !integer.is_number_unsigned() && integer.get<std::int64_t>() < 0; }

using Is = bool (Json::*)() const noexcept;

// Returns the list of this name, with entries of one kind (or null if allowed) and a given size.
const Json& list(const Json& in, std::string_view where, const char* name, Is is, const char* what, std::size_t size,
                 bool or_null = false) {
  const std::string at = std::string(where) + "." + name;
  if (!in.contains(name) || !in[name].is_array()) refuse(at, "a list");
  if (in[name].size() != size) refuse(at, "a list of the same length as the others");
  for (const Json& entry : in[name]) {
    if (!(entry.*is)() && !(or_null && entry.is_null())) refuse(at, what);
  }
  return in[name];
}

}  // namespace

void check_plane(const Json& plane) {
  if (!plane.is_object()) refuse("", "an object");
  const auto has = [&](const char* name, Is is, const char* what) {
    if (!plane.contains(name) || !(plane[name].*is)()) refuse(std::string(".") + name, what);
  };
  for (const char* name : {"kind", "tie", "keep", "bias"}) has(name, &Json::is_string, "a text");
  for (const char* name : {"rows", "updates"}) has(name, &Json::is_number_integer, "a count");
  has("constant", &Json::is_number, "a number");
  for (const char* name : {"axes", "classes", "weights"}) has(name, &Json::is_array, "a list");
  for (const char* name : {"points", "moments"}) has(name, &Json::is_object, "an object");
  const std::size_t classes = plane["classes"].size(), numbers = plane["weights"].size();
  list(plane, "", "classes", &Json::is_string, "a text", classes);
  list(plane, "", "weights", &Json::is_number, "a number", numbers, true);
  if (numbers != 3 && numbers != 3 * classes) refuse(".weights", "three numbers a class");
  for (const Json& axis : list(plane, "", "axes", &Json::is_object, "an object", 2)) {
    const bool named = axis.contains("name") && axis["name"].is_string() &&
                       (!axis.contains("exponent") || axis["exponent"].is_number_integer());
    bool made = axis.contains("mostly") && axis["mostly"].is_array();
    for (const Json& part : made ? axis["mostly"] : Json::array())
      made = made && part.is_array() && part.size() == 2 && part[0].is_string() && part[1].is_number();
    if (!named && !made) refuse(".axes", "a name, or what the direction is mostly made of,");
  }
  const auto labels = [&](const Json& in, const std::string& where, std::size_t size) {
    for (const Json& label : list(in, where, "label", &Json::is_number_integer, "a class number", size)) {
      const bool known = !below_zero(label) && label.get<std::size_t>() < std::max<std::size_t>(2, classes);
      if (!known) refuse(where + ".label", "a class number");
    }
    list(in, where, "predicted", &Json::is_number_integer, "a class number", size);
    list(in, where, "row", &Json::is_number_integer, "a row number", size);
    for (const char* name : {"x", "y"}) list(in, where, name, &Json::is_number, "a number", size, true);
  };
  const Json &points = plane["points"], &moments = plane["moments"];
  labels(points, ".points", points.contains("x") ? points["x"].size() : 0);
  const std::size_t size = moments.contains("update") ? moments["update"].size() : 0;
  labels(moments, ".moments", size);
  for (const char* name : {"update", "round"})
    list(moments, ".moments", name, &Json::is_number_integer, "a count", size);
  list(moments, ".moments", "score", &Json::is_number, "a number", size, true);
  list(moments, ".moments", "mistake", &Json::is_boolean, "true or false", size);
  for (const char* name : {"before", "weights", "kept"}) {
    if (name == std::string_view("kept") && !moments.contains(name)) continue;
    for (const Json& w : list(moments, ".moments", name, &Json::is_array, "a list", size, true)) {
      const bool absent = w.is_null() && name == std::string_view("before") && &w != &moments[name].front();
      if (absent) continue;
      if (!w.is_array() || w.size() != numbers) refuse(std::string(".moments.") + name, "three numbers a class");
      for (const Json& number : w) {
        if (!number.is_number() && !number.is_null()) refuse(std::string(".moments.") + name, "a number");
      }
    }
  }
}

}  // namespace halfspace::report
