// The members of a row by their dotted names: {"a": {"b": 1}} has the member a.b.
//
// Thread-safety: JsonNames is immutable once made; one thread per JsonMembers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "stream/columns/column_plan.h"
#include "stream/jsonl/tokens.h"

namespace halfspace::stream {

// Names with their numbers. Rows mostly have their members in one order, so the next name is tried first.
class JsonNames {
 public:
  void add(std::string name, bool left_out);

  std::size_t size() const { return names_.size(); }
  const std::string& operator[](std::uint32_t number) const { return names_[number].text; }
  // Returns whether the value of a member is irrelevant: it may be an array or an object.
  bool left_out(std::uint32_t number) const { return names_[number].left_out; }

  // Returns the number of a name, or no_field. `next`: the likely number; set to the one after the match.
  std::uint32_t find(std::string_view name, std::uint32_t& next) const;
  // Finds a key as written: a name that needs escapes is compared with none.
  std::uint32_t find_next(std::string_view key, std::uint32_t& next) const {
    if (next >= names_.size() || !names_[next].plain || names_[next].text != key) return no_field;
    return next++;
  }

 private:
  struct Name {
    std::string text;
    bool plain, left_out;
  };
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };
  std::vector<Name> names_;
  std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> numbers_;
};

class JsonMembers {
 public:
  // Reads a line: calls member(name, number, token) for each member, descending into objects unless they are dropped.
  // `name` is valid during the call, the token until the next line; `number` is no_field for unknown names. Stops at a
  // problem of the callback and returns it, or what is wrong with the line.
  template <class F>
  std::optional<JsonProblem> read(std::string_view line, const JsonNames& names, F&& member) {
    const auto tokens = tokens_.read(line);
    if (!tokens) return flaw(line);
    begin();
    std::optional<JsonProblem> array;
    std::string arrays;
    bool others = false;  // there are other members
    for (std::size_t i = 0; i < tokens->size(); ++i) {
      const JsonToken& token = (*tokens)[i];
      if (token.kind == JsonToken::Kind::end) {
        leave();
        continue;
      }
      std::string_view name = token.key;
      std::uint32_t number = ends_.empty() ? names.find_next(name, next_) : no_field;
      if (number == no_field) {
        if (!name_of(token, name)) return flaw(line);
        number = names.find(name, next_);
        if (name.empty()) return JsonProblem{token.key.data() - 1, "a member without a name", "give it a name"};
      }
      const bool left_out = number != no_field && names.left_out(number);
      if (token.kind == JsonToken::Kind::object) {
        if (!left_out) {
          enter(name);
          continue;
        }
        i = end_of(*tokens, i);
      }
      if (token.kind == JsonToken::Kind::array && !left_out) {
        if (!array) array = describe_array(token, name);
        (arrays += arrays.empty() ? "" : ",") += name;
        continue;
      }
      others = others || !left_out;
      if (array) continue;
      if (std::optional<JsonProblem> problem = member(name, number, token)) return problem;
    }
    if (array) array->hint = leave_out(arrays, others, line.substr(static_cast<std::size_t>(array->at - line.data())));
    return array;
  }

  // Returns the text of a token without escapes, or a number, true or false as written; valid until the next call and
  // while the line is. Returns nothing if the escape or the number is invalid.
  std::optional<std::string_view> text_of(const JsonToken& token);

  static std::optional<JsonProblem> flaw(std::string_view line);

 private:
  void begin() {
    next_ = 0;
    ends_.clear();
    prefix_.clear();
  }
  void enter(std::string_view name);
  void leave();
  bool name_of(const JsonToken& token, std::string_view& name);
  static std::size_t end_of(std::span<const JsonToken> tokens, std::size_t object);
  static std::string leave_out(const std::string& arrays, bool others, std::string_view first_array);
  // Returns whether the first value of the array that begins there begins with one of these characters.
  static bool holds(std::string_view array, std::string_view beginnings);
  static JsonProblem describe_array(const JsonToken& token, std::string_view name);

  JsonTokens tokens_;
  std::uint32_t next_ = 0;         // of the names: where the next member is likely
  std::string prefix_;             // the names of the objects at hand, each with its point
  std::vector<std::size_t> ends_;  // of the prefix, before each object
  std::string name_, key_, text_;  // made up of parts, or without escapes
};

}  // namespace halfspace::stream
