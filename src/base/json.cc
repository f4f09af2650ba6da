// Implements JSON values, with nlohmann's parser and printer.
#include "base/json.h"

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>
#include <unordered_map>

namespace halfspace {
namespace {

using Library = nlohmann::ordered_json;

// Builds a value from the parser's events.
class Builder : public nlohmann::json_sax<Library> {
 public:
  explicit Builder(const JsonParseOptions& options) : options_(options) {}

  Json result() { return std::move(root_); }

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(std::int64_t value) override { return add(value); }
  bool number_unsigned(std::uint64_t value) override { return add(value); }
  bool number_float(double value, const std::string& /*digits*/) override { return add(value); }
  bool string(std::string& text) override { return add(std::move(text)); }
  bool binary(Library::binary_t& /*bytes*/) override { return false; }  // not part of JSON text
  bool start_object(std::size_t /*size*/) override { return open(Json::object()); }
  bool start_array(std::size_t /*size*/) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(std::string& text) override {
    check_depth();
    Open& open = open_.back();
    auto& members = const_cast<Json::Object&>(open.value->items());
    const std::size_t at = open.place_of(text, members);
    if (at < members.size()) {
      if (options_.repeated_key != nullptr) *options_.repeated_key = text;
    } else {
      members.emplace_back(std::move(text), nullptr);
    }
    member_ = &members[at].second;
    return true;
  }
  bool parse_error(std::size_t byte, const std::string& /*token*/, const Library::exception& error) override {
    throw Json::parse_error(error.what(), byte, false);
  }

 private:
  // An object or an array whose end is yet to come.
  struct Open {
    // Returns where the member is; if it is new, how many there are. Each member costs O(1), also in an object of many.
    std::size_t place_of(const std::string& key, const Json::Object& members) {
      constexpr std::size_t few = 16;
      if (members.size() < few) {
        return static_cast<std::size_t>(
            std::find_if(members.begin(), members.end(), [&](const auto& member) { return member.first == key; }) -
            members.begin());
      }
      if (!places) {
        places = std::make_unique<Places>();
        for (std::size_t i = 0; i < members.size(); ++i) places->emplace(members[i].first, i);
      }
      return places->emplace(key, members.size()).first->second;
    }

    using Places = std::unordered_map<std::string, std::size_t>;
    Json* value;
    std::unique_ptr<Places> places{};  // by name; null: few members
  };

  void check_depth() const {
    if (open_.size() > options_.most_depth) throw Json::parse_error("nested too deep", 0, true);
  }
  Json* insert(Json value) {
    check_depth();
    Json* to = &root_;
    if (!open_.empty() && open_.back().value->is_array()) {
      Json& array = *open_.back().value;
      array.push_back(std::move(value));
      return &array.back();
    }
    if (!open_.empty()) to = member_;
    *to = std::move(value);
    return to;
  }
  bool add(Json value) {
    insert(std::move(value));
    return true;
  }
  // Opens a value. Open values do not move: only the innermost grows.
  bool open(Json value) {
    open_.push_back({insert(std::move(value))});
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  const JsonParseOptions& options_;
  Json root_;
  std::vector<Open> open_;
  Json* member_ = nullptr;  // the member that still needs a value
};

// Writes a value as nlohmann does, using its writer for numbers and strings. Builds no arrays and objects of nlohmann's
// type: destroying one allocates, and ends the process if memory is exhausted.
class Printer {
 public:
  Printer(std::string& to, int indent, char fill, bool ascii, Json::error_handler_t errors)
      : to_(to),
        step_(indent < 0 ? 0 : static_cast<std::size_t>(indent)),
        pretty_(indent >= 0),
        fill_(fill),
        ascii_(ascii),
        errors_(errors == Json::error_handler_t::strict ? Library::error_handler_t::strict
                                                        : Library::error_handler_t::replace) {}

  void print(const Json& json, std::size_t indent = 0) {
    if (json.is_array()) {
      print_all(json.elements(), '[', ']', indent, [&](const Json& entry) { print(entry, indent + step_); });
    } else if (json.is_object()) {
      print_all(json.items(), '{', '}', indent, [&](const auto& member) {
        print_leaf(member.first);
        to_ += pretty_ ? ": " : ":";
        print(member.second, indent + step_);
      });
    } else if (json.is_boolean()) {
      to_ += json.get<bool>() ? "true" : "false";
    } else if (json.is_number_unsigned()) {
      to_ += std::to_string(json.get<std::uint64_t>());
    } else if (json.is_number_integer()) {
      to_ += std::to_string(json.get<std::int64_t>());
    } else if (json.is_number()) {
      print_leaf(json.get<double>());
    } else if (json.is_string()) {
      print_leaf(json.text());
    } else {
      to_ += "null";
    }
  }

 private:
  void print_leaf(const Library& leaf) { to_ += leaf.dump(-1, fill_, ascii_, errors_); }

  template <class Parts, class PrintPart>
  void print_all(const Parts& parts, char begin, char end, std::size_t indent, const PrintPart& print_part) {
    to_ += begin;
    for (const auto& part : parts) {
      if (&part != &parts.front()) to_ += ',';
      if (pretty_) to_.append(1, '\n').append(indent + step_, fill_);
      print_part(part);
    }
    if (pretty_ && !parts.empty()) to_.append(1, '\n').append(indent, fill_);
    to_ += end;
  }

  std::string& to_;
  std::size_t step_;
  bool pretty_;
  char fill_;
  bool ascii_;
  Library::error_handler_t errors_;
};

auto found(Json::Object& members, std::string_view key) {
  return std::find_if(members.begin(), members.end(), [&](const auto& member) { return member.first == key; });
}
auto found(const Json::Object& members, std::string_view key) {
  return std::find_if(members.begin(), members.end(), [&](const auto& member) { return member.first == key; });
}

}  // namespace

Json::Json(const char* text) : value_(std::in_place_type<std::string>, text) {}
Json::Json(std::string_view text) : value_(std::in_place_type<std::string>, text) {}
Json::Json(std::string text) noexcept : value_(std::in_place_type<std::string>, std::move(text)) {}
Json::Json(Value value) : value_(std::move(value)) {}
Json::Json(std::initializer_list<Json> elements) {
  const bool members = std::all_of(elements.begin(), elements.end(), [](const Json& element) {
    return element.is_array() && element.size() == 2 && element[0].is_string();
  });
  if (!members) {
    value_.emplace<Array>(elements.begin(), elements.end());
    return;
  }
  Object& object = value_.emplace<Object>();
  for (const Json& element : elements) {
    if (found(object, element[0].text()) == object.end()) object.emplace_back(element[0].text(), element[1]);
  }
}

// Copies by hand: when memory runs out, GCC 12's copy of a variant destroys a value that was not constructed.
Json::Json(const Json& other) {
  std::visit(
      [this]<class T>(const T& value) {
        T copy(value);
        value_.emplace<T>(std::move(copy));
      },
      other.value_);
}
Json::Json(Json&& other) noexcept = default;
Json& Json::operator=(Json other) noexcept {
  value_ = std::move(other.value_);
  return *this;
}
Json::~Json() = default;

void Json::wrong(const char* expected) const {
  static constexpr const char* names[] = {"null", "boolean", "number", "number", "number", "string", "array", "object"};
  throw exception(std::string("type must be ") + expected + ", but is " + names[value_.index()]);
}

bool Json::boolean() const {
  if (const auto* value = std::get_if<bool>(&value_)) return *value;
  wrong("boolean");
}
double Json::real() const {
  if (const auto* value = std::get_if<double>(&value_)) return *value;
  wrong("number");
}
const std::string& Json::text() const {
  if (const auto* value = std::get_if<std::string>(&value_)) return *value;
  wrong("string");
}
const Json::Object& Json::items() const {
  if (const auto* value = std::get_if<Object>(&value_)) return *value;
  wrong("object");
}
const Json::Array& Json::elements() const {
  if (const auto* value = std::get_if<Array>(&value_)) return *value;
  wrong("array");
}

std::size_t Json::size() const noexcept {
  if (const auto* list = std::get_if<Array>(&value_)) return list->size();
  if (const auto* members = std::get_if<Object>(&value_)) return members->size();
  return is_null() ? 0 : 1;
}

bool Json::contains(std::string_view key) const noexcept {
  const auto* members = std::get_if<Object>(&value_);
  return members != nullptr && found(*members, key) != members->end();
}
Json& Json::operator[](std::string_view key) {
  if (is_null()) value_.emplace<Object>();
  auto* members = std::get_if<Object>(&value_);
  if (members == nullptr) wrong("object");
  const auto at = found(*members, key);
  return at != members->end() ? at->second : members->emplace_back(std::string(key), nullptr).second;
}
const Json& Json::at(std::string_view key) const {
  const Object& members = items();
  const auto at = found(members, key);
  if (at == members.end()) throw exception("key '" + std::string(key) + "' not found");
  return at->second;
}
Json& Json::at(std::string_view key) { return const_cast<Json&>(std::as_const(*this).at(key)); }
const Json& Json::element(std::size_t i) const {
  const Array& list = elements();
  if (i >= list.size()) throw exception("array index " + std::to_string(i) + " is out of range");
  return list[i];
}
Json& Json::element(std::size_t i) { return const_cast<Json&>(std::as_const(*this).element(i)); }
void Json::erase_element(std::size_t i) {
  element(i);
  auto& list = std::get<Array>(value_);
  list.erase(list.begin() + static_cast<std::ptrdiff_t>(i));
}
const Json& Json::value_at(std::size_t i) const {
  if (const auto* list = std::get_if<Array>(&value_)) return (*list)[i];
  if (const auto* members = std::get_if<Object>(&value_)) return (*members)[i].second;
  return *this;
}
Json& Json::value_at(std::size_t i) { return const_cast<Json&>(std::as_const(*this).value_at(i)); }
const std::string& Json::key_at(std::size_t i) const { return items()[i].first; }
Json::Iterator<const Json> Json::find(std::string_view key) const noexcept {
  const auto* members = std::get_if<Object>(&value_);
  if (members == nullptr) return end();
  return {this, static_cast<std::size_t>(found(*members, key) - members->begin())};
}

void Json::push_back(Json value) {
  if (is_null()) value_.emplace<Array>();
  auto* list = std::get_if<Array>(&value_);
  if (list == nullptr) wrong("array");
  list->push_back(std::move(value));
}
void Json::update(const Json& other) {
  if (is_null()) value_.emplace<Object>();
  for (const auto& [key, value] : other.items()) (*this)[key] = value;
}
std::size_t Json::erase(std::string_view key) {
  auto* members = std::get_if<Object>(&value_);
  if (members == nullptr) wrong("object");
  const auto at = found(*members, key);
  if (at == members->end()) return 0;
  members->erase(at);
  return 1;
}

bool Json::equal(const Json& a, const Json& b) {
  if (a.is_number() && b.is_number()) {
    if (a.is_number_float() || b.is_number_float()) return a.get<double>() == b.get<double>();
    return a.get<std::int64_t>() == b.get<std::int64_t>();
  }
  return a.value_ == b.value_;
}

std::partial_ordering Json::order(const Json& a, const Json& b) {
  if (a.is_number_integer() && b.is_number_integer()) return a.get<std::int64_t>() <=> b.get<std::int64_t>();
  return a.get<double>() <=> b.get<double>();
}

std::string Json::dump(int indent, char fill, bool ascii, error_handler_t errors) const {
  try {
    std::string text;
    Printer(text, indent, fill, ascii, errors).print(*this);
    return text;
  } catch (const Library::exception& error) {
    throw exception(error.what());
  }
}
std::ostream& Json::print(std::ostream& out) const { return out << dump(-1, ' ', false, error_handler_t::replace); }

Json Json::parse(std::string_view text, const JsonParseOptions& options) {
  Builder builder(options);
  Library::sax_parse(text.begin(), text.end(), &builder);
  return builder.result();
}
Json Json::parse(std::istream& text) { return parse(std::string(std::istreambuf_iterator<char>(text), {})); }
bool Json::accept(std::string_view text) { return Library::accept(text.begin(), text.end()); }

std::string utf8(const std::string& text) {
  return Json::parse(Json(text).dump(-1, ' ', false, Json::error_handler_t::replace)).text();
}

}  // namespace halfspace
