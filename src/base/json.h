// A JSON value with the interface of nlohmann's ordered_json but without its headers, which cost every file that
// includes them a second or more: parse() and dump() are in json.cc, through nlohmann, so that the text stays the same.
//
//   Json run = {{"command", "train"}, {"rows", 653}};   // an object: each element is a text and a value
//   run["pass"].push_back({{"rounds", 653}});            // null becomes an array, or an object
//   print(run.dump(2));                                  // {"command": "train", ...}: keys in order of insertion
//
// Readers throw Json::exception if the value is of another kind. Thread-safety: const, as for a vector.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace halfspace {

struct JsonParseOptions {
  // Destroying and dumping a value recurse: deeper text is rejected.
  std::size_t most_depth = 1000;
  // Receives each duplicate key (its last value counts).
  std::string* repeated_key = nullptr;
};

class Json {
 public:
  using Array = std::vector<Json>;
  using Object = std::vector<std::pair<std::string, Json>>;

  struct exception : std::runtime_error {
    using std::runtime_error::runtime_error;
  };
  struct parse_error : exception {
    parse_error(const std::string& what, std::size_t at, bool deep) : exception(what), byte(at), too_deep(deep) {}
    std::size_t byte;  // bytes read up to and including the faulty one
    bool too_deep;
  };

  Json() noexcept = default;
  Json(std::nullptr_t) noexcept {}
  template <class T>
  requires std::is_arithmetic_v<T> Json(T value)
  noexcept {
    if constexpr (std::is_same_v<T, bool>) {
      value_.emplace<bool>(value);
    } else if constexpr (std::is_floating_point_v<T>) {
      value_.emplace<double>(static_cast<double>(value));
    } else if constexpr (std::is_signed_v<T>) {
      value_.emplace<std::int64_t>(value);
    } else {
      value_.emplace<std::uint64_t>(value);
    }
  }
  Json(const char* text);
  Json(std::string_view text);
  Json(std::string text) noexcept;
  template <class T>
  Json(const std::vector<T>& list) {
    Array values;
    values.reserve(list.size());
    for (auto&& entry : list) values.emplace_back(entry);
    value_.emplace<Array>(std::move(values));
  }
  // Makes an object if every element is an array of a string and a value, else an array.
  Json(std::initializer_list<Json> elements);

  Json(const Json& other);
  Json(Json&& other) noexcept;
  // Takes its argument by value: j["a"] = j["b"] copies before "a" is inserted, which may move "b".
  Json& operator=(Json other) noexcept;
  ~Json();

  static Json array() { return Json(Value(std::in_place_type<Array>)); }
  static Json array(std::initializer_list<Json> elements) {
    return Json(Value(std::in_place_type<Array>, elements.begin(), elements.end()));
  }
  static Json object() { return Json(Value(std::in_place_type<Object>)); }
  // Of members whose names differ: operator[] compares each name with all before it.
  static Json object(Object members) { return Json(Value(std::in_place_type<Object>, std::move(members))); }

  bool is_null() const noexcept { return is<std::monostate>(); }
  bool is_boolean() const noexcept { return is<bool>(); }
  bool is_string() const noexcept { return is<std::string>(); }
  bool is_array() const noexcept { return is<Array>(); }
  bool is_object() const noexcept { return is<Object>(); }
  bool is_structured() const noexcept { return is_array() || is_object(); }
  bool is_number_unsigned() const noexcept { return is<std::uint64_t>(); }
  bool is_number_integer() const noexcept { return is<std::int64_t>() || is<std::uint64_t>(); }
  bool is_number_float() const noexcept { return is<double>(); }
  bool is_number() const noexcept { return is_number_integer() || is_number_float(); }

  // Converts numbers to any type of number, arrays to vectors.
  template <class T>
  T get() const {
    if constexpr (std::is_same_v<T, Json>) {
      return *this;
    } else if constexpr (std::is_same_v<T, bool>) {
      return boolean();
    } else if constexpr (std::is_arithmetic_v<T>) {
      if (const auto* value = std::get_if<std::uint64_t>(&value_)) return static_cast<T>(*value);
      if (const auto* value = std::get_if<std::int64_t>(&value_)) return static_cast<T>(*value);
      return static_cast<T>(real());
    } else if constexpr (std::is_same_v<T, std::string>) {
      return text();
    } else {
      T list;
      for (const Json& entry : elements()) list.push_back(entry.get<typename T::value_type>());
      return list;
    }
  }
  // Converts implicitly, as nlohmann's does. (Not to char, so that a string is assigned to a string.)
  template <class T>
  requires((std::is_arithmetic_v<T> && !std::is_same_v<T, char>) || std::is_same_v<T, std::string> ||
           requires(T list) { list.push_back(std::declval<typename T::value_type>()); })
  operator T() const {
    return get<T>();
  }
  const std::string& text() const;
  // Returns the members of an object, in order: for (const auto& [key, value] : json.items()).
  const Object& items() const;
  const Array& elements() const;

  // Returns 0 for null, 1 for a number or a string.
  std::size_t size() const noexcept;
  bool empty() const noexcept { return size() == 0; }

  bool contains(std::string_view key) const noexcept;
  // Makes an object from null, and inserts a missing key.
  Json& operator[](std::string_view key);
  // Returns the member; the key must exist.
  const Json& operator[](std::string_view key) const { return at(key); }
  // Keeps a literal key from converting to an index.
  Json& operator[](const char* key) { return (*this)[std::string_view(key)]; }
  const Json& operator[](const char* key) const { return at(std::string_view(key)); }
  template <class T>
  requires std::is_integral_v<T> Json& operator[](T i) { return element(static_cast<std::size_t>(i)); }
  template <class T>
  requires std::is_integral_v<T>
  const Json& operator[](T i) const { return element(static_cast<std::size_t>(i)); }
  const Json& at(std::string_view key) const;
  Json& at(std::string_view key);
  template <class T>
  requires std::is_integral_v<T>
  const Json& at(T i) const { return element(static_cast<std::size_t>(i)); }
  // Returns the member as a T, or `otherwise` if it is missing.
  template <class T>
  T value(std::string_view key, const T& otherwise) const {
    return contains(key) ? at(key).get<T>() : otherwise;
  }
  std::string value(std::string_view key, const char* otherwise) const { return value(key, std::string(otherwise)); }
  const Json& front() const { return element(0); }
  const Json& back() const { return element(size() - 1); }
  Json& back() { return element(size() - 1); }

  // Makes an array from null.
  void push_back(Json value);
  // Inserts or replaces the members of another object.
  void update(const Json& other);
  // Returns the number of members removed.
  std::size_t erase(std::string_view key);
  template <class T>
  requires std::is_integral_v<T>
  void erase(T i) { erase_element(static_cast<std::size_t>(i)); }

  // Iterates over the elements of an array, or the values of an object with their keys.
  template <class J>
  class Iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = Json;
    using difference_type = std::ptrdiff_t;
    using pointer = J*;
    using reference = J&;

    Iterator() = default;
    Iterator(J* json, std::size_t at) : json_(json), at_(at) {}
    J& operator*() const { return json_->value_at(at_); }
    J* operator->() const { return &**this; }
    J& value() const { return **this; }
    const std::string& key() const { return json_->key_at(at_); }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    Iterator operator++(int) { return {json_, at_++}; }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.at_ == b.at_; }

   private:
    J* json_ = nullptr;
    std::size_t at_ = 0;
  };
  Iterator<const Json> begin() const noexcept { return {this, 0}; }
  Iterator<const Json> end() const noexcept { return {this, size()}; }
  Iterator<Json> begin() noexcept { return {this, 0}; }
  Iterator<Json> end() noexcept { return {this, size()}; }
  // Returns end() if the key is missing.
  Iterator<const Json> find(std::string_view key) const noexcept;

  // Compares numbers by value, objects with the order of their keys.
  friend bool operator==(const Json& a, const Json& b) { return equal(a, b); }
  template <class T>
  requires(!std::is_same_v<T, Json>) friend bool operator==(const Json& a, const T& b) { return equal(a, Json(b)); }
  // Orders numbers.
  template <class T>
  requires(std::is_arithmetic_v<T>) friend std::partial_ordering operator<=>(const Json& a, const T& b) {
    return order(a, Json(b));
  }
  friend std::partial_ordering operator<=>(const Json& a, const Json& b) { return order(a, b); }
  friend std::ostream& operator<<(std::ostream& out, const Json& json) { return json.print(out); }

  enum class error_handler_t : std::uint8_t { strict, replace };
  // Returns the JSON text. A negative indent: one line. Invalid UTF-8 throws, or is replaced by U+FFFD.
  std::string dump(int indent = -1, char fill = ' ', bool ascii = false,
                   error_handler_t errors = error_handler_t::strict) const;
  static Json parse(std::string_view text, const JsonParseOptions& options = {});
  static Json parse(std::istream& text);
  // Returns true if the text is valid JSON.
  static bool accept(std::string_view text);

 private:
  using Value = std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string, Array, Object>;
  explicit Json(Value value);

  template <class T>
  bool is() const noexcept {
    return std::holds_alternative<T>(value_);
  }
  bool boolean() const;
  double real() const;
  const Json& element(std::size_t i) const;
  Json& element(std::size_t i);
  void erase_element(std::size_t i);
  const Json& value_at(std::size_t i) const;
  Json& value_at(std::size_t i);
  const std::string& key_at(std::size_t i) const;
  [[noreturn]] void wrong(const char* expected) const;
  static bool equal(const Json& a, const Json& b);
  static std::partial_ordering order(const Json& a, const Json& b);
  std::ostream& print(std::ostream& out) const;

  Value value_;
};

// Returns the text with U+FFFD for invalid UTF-8, so that it is valid in JSON.
std::string utf8(const std::string& text);

}  // namespace halfspace
