// Reads a run's JSON with checks.
#include "report/results/view.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "halfspace/base/error.h"

namespace halfspace::report {

void View::wrong(const char* expected) const {
  const char* is = json_->is_null()      ? "nothing"
                   : json_->is_string()  ? "a text"
                   : json_->is_number()  ? "a number"
                   : json_->is_boolean() ? "true or false"
                   : json_->is_array()   ? "a list"
                                         : "an object";
  throw Error(ErrorKind::data, path_ + ": " + expected + " is expected, not " + is)
      .fix("give the JSON as a command wrote it with " + option("json"));
}

bool View::has(const char* key) const {
  if (!json_->is_object()) wrong("an object");
  const auto found = json_->find(key);
  return found != json_->end() && !found->is_null();
}

View View::operator[](const char* key) const {
  if (!json_->is_object()) wrong("an object");
  const auto found = json_->find(key);
  if (found == json_->end()) {
    throw Error(ErrorKind::data, path_ + ": '" + key + "' is missing")
        .fix("give the JSON as a command wrote it with " + option("json"));
  }
  return {*found, path_ + "." + key};
}

std::vector<View> View::items() const {
  if (!json_->is_array()) wrong("a list");
  std::vector<View> views;
  for (std::size_t i = 0; i < json_->size(); ++i)
    views.emplace_back((*json_)[i], path_ + "[" + std::to_string(i) + "]");
  return views;
}
std::vector<View> View::list(const char* key) const { return (*this)[key].items(); }

std::vector<std::pair<std::string, View>> View::entries() const {
  if (!json_->is_object()) wrong("an object");
  std::vector<std::pair<std::string, View>> views;
  for (auto it = json_->begin(); it != json_->end(); ++it)
    views.emplace_back(it.key(), View(it.value(), path_ + "." + it.key().substr(0, 80)));
  return views;
}
std::vector<std::pair<std::string, View>> View::entries(const char* key) const { return (*this)[key].entries(); }

std::string View::pointer(const char* key) const {
  std::string text;
  for (const char c : path_.substr(std::min(path_.find_first_of(".["), path_.size()))) {
    if (c != ']') text += c == '.' || c == '[' ? '/' : c;
  }
  return text + "/" + key;
}

double View::number() const {
  if (!json_->is_number()) wrong("a number");
  return json_->get<double>();
}
std::string View::text() const {
  if (!json_->is_string()) wrong("a text");
  return json_->get<std::string>();
}
bool View::boolean() const {
  if (!json_->is_boolean()) wrong("true or false");
  return json_->get<bool>();
}
std::vector<double> View::numbers() const {
  std::vector<double> values;
  for (const View& item : items())
    values.push_back(item.json().is_null() ? std::numeric_limits<double>::quiet_NaN() : item.number());
  return values;
}

std::uint64_t View::count(const char* key) const {
  const View value = (*this)[key];
  if (value.json().is_number_unsigned()) return value.json().get<std::uint64_t>();
  const double number = value.number();
  if (!(number >= 0 && number < 0x1p63 && number == std::floor(number))) value.wrong("a whole number of at least 0");
  return static_cast<std::uint64_t>(number);
}

}  // namespace halfspace::report
