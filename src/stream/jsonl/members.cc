// Dotted names of members, and their texts.
#include "stream/jsonl/members.h"

#include <utility>

#include "halfspace/base/error.h"
#include "stream/text/text.h"

namespace halfspace::stream {

void JsonNames::add(std::string name, bool left_out) {
  const auto [known, inserted] = numbers_.emplace(name, static_cast<std::uint32_t>(names_.size()));
  if (!inserted) {
    names_[known->second].left_out |= left_out;
    return;
  }
  const bool plain = name.find_first_of("\"\\") == std::string::npos;
  names_.push_back({std::move(name), plain, left_out});
}

std::uint32_t JsonNames::find(std::string_view name, std::uint32_t& next) const {
  if (next < names_.size() && names_[next].text == name) return next++;
  const auto found = numbers_.find(name);
  if (found == numbers_.end()) return no_field;
  next = found->second + 1;
  return found->second;
}

void JsonMembers::enter(std::string_view name) {
  const std::size_t before = prefix_.size();
  prefix_.append(name.substr(before));  // which begins with it
  prefix_ += '.';
  ends_.push_back(before);
}

void JsonMembers::leave() {
  prefix_.resize(ends_.back());
  ends_.pop_back();
}

bool JsonMembers::name_of(const JsonToken& token, std::string_view& name) {
  name = token.key;
  if (name.find('\\') != std::string_view::npos) {
    if (!unescape_json(name, key_)) return false;
    name = key_;
  }
  if (ends_.empty()) return true;
  name_.assign(prefix_);
  name_.append(name);
  name = name_;
  return true;
}

std::size_t JsonMembers::end_of(std::span<const JsonToken> tokens, std::size_t object) {
  std::size_t depth = 0;
  for (std::size_t i = object;; ++i) {
    depth += tokens[i].kind == JsonToken::Kind::object ? 1 : 0;
    depth -= tokens[i].kind == JsonToken::Kind::end ? 1 : 0;
    if (depth == 0) return i;
  }
}

JsonProblem JsonMembers::describe_array(const JsonToken& token, std::string_view name) {
  return {token.value.data(), "the member " + quote(name) + " is an array, and a column has one value a row", {}};
}

bool JsonMembers::holds(std::string_view array, std::string_view beginnings) {
  const std::size_t first = array.find_first_not_of(" \t", 1);
  return first != std::string_view::npos && beginnings.find(array[first]) != std::string_view::npos;
}

// Of all arrays of the line at once, so that one correction does, unless the line has no other members. An array of
// objects may be the rows of the file.
std::string JsonMembers::leave_out(const std::string& arrays, bool others, std::string_view first_array) {
  const bool of_objects = holds(first_array, "{"), of_numbers = holds(first_array, "-0123456789");
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.";
  const std::string first = arrays.substr(0, arrays.find(','));
  const bool simple = first.find_first_not_of(plain) == std::string::npos;
  const std::string rows = of_objects
                               ? "; or a row of each object in " + std::string(first == arrays ? "it" : "the first") +
                                     ": jq -c '." + (simple ? first : "NAME") + "[]' FILE"
                               : "";
  if (!others && !of_objects)
    return "a row of all their values, without names: jq -r '[.. | scalars] | @csv' FILE >NAME.csv";
  if (!others) return rows.substr(2);
  if (first != arrays) return option("drop", arrays) + " leaves them out" + rows;
  if (of_numbers && simple) {
    return "make a column of each value: jq -c '." + arrays +
           " |= with_entries(.key |= \"x\\(. + 1)\")' FILE >NAME; or " + option("drop", arrays) + " leaves it out";
  }
  return option("drop", arrays) + " leaves it out; or make a text of it: jq -c '." + (simple ? arrays : "NAME") +
         " |= if type == \"array\" then map(tostring) | join(\" \") else . end' FILE" + rows;
}

std::optional<std::string_view> JsonMembers::text_of(const JsonToken& token) {
  if (token.kind == JsonToken::Kind::number && !is_json_number(token.value)) return std::nullopt;
  if (token.kind != JsonToken::Kind::text || token.value.find('\\') == std::string_view::npos) return token.value;
  if (!unescape_json(token.value, text_)) return std::nullopt;
  return text_;
}

std::optional<JsonProblem> JsonMembers::flaw(std::string_view line) {
  if (std::optional<JsonProblem> found = find_json_flaw(line)) return found;
  return JsonProblem{line.data(), "this is no object as JSON has them", "write the row anew"};
}

}  // namespace halfspace::stream
