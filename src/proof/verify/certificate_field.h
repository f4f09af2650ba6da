// Reads the values of a certificate's JSON, each with its path for errors.
#pragma once

#include <gmpxx.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "base/json.h"
#include "halfspace/base/error.h"
#include "halfspace/detail/base/names.h"
#include "halfspace/proof/verify/certificate.h"

namespace halfspace::proof {

// A value of the file and its path.
class Field {
 public:
  Field(const Json& json, std::string path, const std::string& file)
      : json_(json), path_(std::move(path)), file_(file) {}

  [[noreturn]] void refuse(const std::string& why) const {
    throw Error(ErrorKind::data, "not a certificate: " + (path_.empty() ? "the file" : path_) + " " + why)
        .at(file_)
        .fix("use an unmodified copy, or certify the data again");
  }

  // Throws unless it is an object with exactly these keys, and perhaps some optional ones.
  void expect_keys(std::initializer_list<const char*> keys, std::initializer_list<const char*> perhaps = {}) const {
    if (!json_.is_object()) refuse("is not an object");
    for (const char* key : keys) {
      if (!json_.contains(key)) refuse(std::string("has no ") + key);
    }
    for (const auto& member : json_.items()) {
      if (std::find(keys.begin(), keys.end(), member.first) == keys.end() &&
          std::find(perhaps.begin(), perhaps.end(), member.first) == perhaps.end()) {
        refuse("has an unknown key " + Json(member.first).dump());
      }
    }
  }
  Field operator[](const char* key) const {
    if (!has(key)) refuse(std::string("has no ") + key);
    return {json_[key], (path_.empty() ? "" : path_ + ".") + key, file_};
  }

  template <class F>
  void for_each(F&& f) const {
    if (!json_.is_array()) refuse("is not a list");
    for (std::size_t i = 0; i < json_.size(); ++i) f(Field(json_[i], path_ + "[" + std::to_string(i) + "]", file_));
  }

  bool has(const char* key) const { return json_.is_object() && json_.contains(key); }
  bool null() const { return json_.is_null(); }
  bool boolean() const {
    if (!json_.is_boolean()) refuse("is neither true nor false");
    return json_.get<bool>();
  }
  std::string text() const {
    if (!json_.is_string()) refuse("is not a string");
    return json_.get<std::string>();
  }
  std::uint64_t count() const {
    if (!json_.is_number_unsigned()) refuse("is not a whole number from 0 to 18446744073709551615");
    return json_.get<std::uint64_t>();
  }
  std::uint32_t below(std::size_t limit) const {
    const std::uint64_t value = count();
    if (value >= limit) refuse(std::to_string(value) + " is not below " + std::to_string(limit));
    return static_cast<std::uint32_t>(value);
  }
  template <class Enum, std::size_t n>
  Enum one_of(const std::array<const char*, n>& names) const {
    const std::string word = text();
    const auto found = std::find(names.begin(), names.end(), word);
    if (found == names.end()) refuse("is " + json_.dump() + ", which is not allowed here");
    return static_cast<Enum>(found - names.begin());
  }
  template <Named Enum>
  Enum one_of() const {
    const auto value = value_named<Enum>(text());
    if (!value) refuse("is " + json_.dump() + ", which is not allowed here");
    return *value;
  }
  std::string digest() const {
    std::string hex = text();
    if (hex.size() != 64 || hex.find_first_not_of("0123456789abcdef") != std::string::npos) {
      refuse("is not 64 hex digits in lower case");
    }
    return hex;
  }

  std::string integer() const {
    std::string number = text();
    if (!is_integer(number)) refuse("is not a whole number in canonical form");
    return number;
  }
  std::string rational() const {
    std::string number = text();
    const std::size_t slash = number.find('/');
    if (slash == std::string::npos) return integer();
    const std::string p = number.substr(0, slash), q = number.substr(slash + 1);
    if (!is_integer(p) || !is_integer(q) || q[0] == '-' || q == "0" || q == "1" ||
        gcd(mpz_class(p), mpz_class(q)) != 1) {
      refuse("is not a fraction in lowest terms");
    }
    return number;
  }

 private:
  static bool is_integer(std::string_view number) {
    if (number == "0") return true;
    if (!number.empty() && number[0] == '-') number.remove_prefix(1);
    return !number.empty() && number[0] != '0' && number.find_first_not_of("0123456789") == std::string_view::npos;
  }

  const Json& json_;
  std::string path_;
  const std::string& file_;
};

// Reads the weights and the bias of an object that has them.
WeightVector decode_weights(const Field& field, const Data& data);

}  // namespace halfspace::proof
