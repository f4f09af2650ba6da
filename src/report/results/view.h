// A position in a run's JSON, read with checks, since the JSON may come from anyone.
//
// Every reader throws Error(data) that names the key ("run.bound.value: a number is expected, not a text").
// Thread-safety: const; the JSON must outlive its views.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "report/results/json.h"

namespace halfspace::report {

class View {
 public:
  View(const Json& json, std::string path) : json_(&json), path_(std::move(path)) {}

  const Json& json() const noexcept { return *json_; }
  const std::string& path() const noexcept { return path_; }
  std::string pointer(const char* key) const;  // to a member, from the run: "/figures/norms/rounds"
  bool is_object() const noexcept { return json_->is_object(); }

  // Returns true if the key exists and is not null.
  bool has(const char* key) const;
  View operator[](const char* key) const;                                    // must exist
  std::vector<View> list(const char* key) const;                             // of an array
  std::vector<std::pair<std::string, View>> entries(const char* key) const;  // of an object, in order
  std::vector<std::pair<std::string, View>> entries() const;
  std::vector<View> items() const;

  // Return the value itself.
  double number() const;
  std::string text() const;
  bool boolean() const;
  std::vector<double> numbers() const;  // null: NaN

  double number(const char* key) const { return (*this)[key].number(); }
  double number(const char* key, double otherwise) const { return has(key) ? number(key) : otherwise; }
  // Returns a count: a number without a fraction.
  std::uint64_t count(const char* key) const;
  std::string text(const char* key) const { return (*this)[key].text(); }
  std::string text(const char* key, const std::string& otherwise) const { return has(key) ? text(key) : otherwise; }
  std::vector<double> numbers(const char* key) const { return (*this)[key].numbers(); }

 private:
  [[noreturn]] void wrong(const char* expected) const;

  const Json* json_;
  std::string path_;
};

}  // namespace halfspace::report
