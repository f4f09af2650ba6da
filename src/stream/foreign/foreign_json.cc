// A document is known by its outline: what the members of its object hold.
#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "stream/foreign/foreign_slips.h"
#include "stream/text/first_lines.h"

namespace halfspace::stream {
namespace {

constexpr std::string_view document_blanks = " \t\r\n";

// Steps over the values of a text of JSON, which may be cut off anywhere.
class JsonCursor {
 public:
  explicit JsonCursor(std::string_view text) : text_(text) {}

  bool ended() const { return at_ >= text_.size(); }
  char mark() const { return ended() ? '\0' : text_[at_]; }
  std::size_t at() const { return at_; }
  std::string_view rest() const { return text_.substr(at_); }
  void step(std::size_t by = 1) { at_ += by; }
  void skip_blanks() { at_ = std::min(text_.find_first_not_of(document_blanks, at_), text_.size()); }

  // Returns the text between the quotes at hand.
  std::string_view skip_text() {
    const std::size_t begin = ++at_;
    while (!ended() && text_[at_] != '"') at_ += text_[at_] == '\\' ? 2 : 1;
    const std::string_view within = text_.substr(begin, std::min(at_, text_.size()) - begin);
    ++at_;
    return within;
  }

  // Returns the number of values in the array or object at hand; 0 for another value.
  std::size_t skip_value() {
    std::size_t depth = 0, commas = 0;
    bool empty = true;
    do {
      skip_blanks();
      if (ended()) break;
      const char c = mark();
      const bool opens = c == '[' || c == '{', closes = c == ']' || c == '}';
      if (closes && depth == 0) return 0;
      empty = empty && depth > 0 ? closes : empty;
      commas += c == ',' && depth == 1 ? 1 : 0;
      depth += opens ? 1 : 0;
      depth -= closes ? 1 : 0;
      if (c == '"') {
        skip_text();
      } else if (opens || closes || c == ',' || c == ':') {
        step();
      } else {
        at_ = std::min(text_.find_first_of(",:]}\" \t\r\n", at_), text_.size());
      }
    } while (depth > 0);
    return empty ? 0 : commas + 1;
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

// A member of a document's object, and what it holds.
struct JsonPart {
  enum class Holds : std::uint8_t { nothing, scalars, arrays, objects, several };
  std::string_view name;
  char opens = '\0';  // none: it is a scalar
  Holds holds = Holds::nothing;
  bool texts = false;                   // its first value is a text
  bool whole = false;                   // it ends within the text
  std::size_t values = 0, width = 0;    // width: the values of its first value
  std::vector<std::string_view> names;  // of its values, where it is an object

  bool is(char bracket, Holds what) const { return opens == bracket && holds == what; }
};

JsonPart::Holds kind_of_value(char first) {
  return first == '[' ? JsonPart::Holds::arrays : first == '{' ? JsonPart::Holds::objects : JsonPart::Holds::scalars;
}

// Reads a name and its colon. Returns false if none is there.
bool read_name(JsonCursor& cursor, std::string_view& name) {
  if (cursor.mark() != '"') return false;
  name = cursor.skip_text();
  cursor.skip_blanks();
  if (cursor.mark() != ':') return false;
  cursor.step();
  cursor.skip_blanks();
  return !cursor.ended();
}

// Returns false for text that is no JSON, or ends before the value of the part begins.
bool read_part(JsonCursor& cursor, JsonPart& part) {
  const char open = cursor.mark(), close = open == '[' ? ']' : '}';
  if (open != '[' && open != '{') {
    cursor.skip_value();
    part.whole = !cursor.ended();
    return true;
  }
  part.opens = open;
  cursor.step();
  for (;;) {
    cursor.skip_blanks();
    if (cursor.ended()) return true;
    if (cursor.mark() == close) break;
    std::string_view name;
    if (open == '{') {
      if (!read_name(cursor, name)) return cursor.ended();
      part.names.push_back(name);
    }
    const JsonPart::Holds held = kind_of_value(cursor.mark());
    const bool first = part.values++ == 0;
    part.holds = first || part.holds == held ? held : JsonPart::Holds::several;
    part.texts = part.texts || (first && cursor.mark() == '"');
    const std::size_t width = cursor.skip_value();
    if (first) part.width = width;
    cursor.skip_blanks();
    if (cursor.mark() == ',') {
      cursor.step();
    } else if (!cursor.ended() && cursor.mark() != close) {
      return false;
    }
  }
  cursor.step();
  part.whole = true;
  return true;
}

struct JsonDocument {
  std::vector<JsonPart> parts;
  bool one_line = true;

  std::size_t count(char bracket, JsonPart::Holds what) const {
    return static_cast<std::size_t>(
        std::count_if(parts.begin(), parts.end(), [&](const JsonPart& part) { return part.is(bracket, what); }));
  }
  const JsonPart* first(char bracket, JsonPart::Holds what) const {
    const auto found =
        std::find_if(parts.begin(), parts.end(), [&](const JsonPart& part) { return part.is(bracket, what); });
    return found == parts.end() ? nullptr : &*found;
  }
};

// Returns the outline of a text that is one object and nothing else.
std::optional<JsonDocument> outline_of(std::string_view text) {
  JsonCursor cursor(text);
  JsonDocument document;
  cursor.step();
  for (;;) {
    cursor.skip_blanks();
    if (cursor.ended() || cursor.mark() == '}') break;
    JsonPart part;
    if (!read_name(cursor, part.name) || !read_part(cursor, part)) {
      if (!cursor.ended()) return std::nullopt;
      break;
    }
    document.parts.push_back(std::move(part));
    cursor.skip_blanks();
    if (cursor.mark() == ',') {
      cursor.step();
    } else if (!cursor.ended() && cursor.mark() != '}') {
      return std::nullopt;
    }
  }
  const std::string_view object = text.substr(0, cursor.at());
  if (!cursor.ended()) cursor.step();
  if (cursor.rest().find_first_not_of(document_blanks) != std::string_view::npos) return std::nullopt;
  document.one_line = object.find('\n') == std::string_view::npos;
  return document;
}

struct DocumentAdvice {
  std::string what, fix;
};

// Returns a name as it may stand in a command.
std::string in_command(std::string_view name) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-. ";
  return name.find_first_not_of(plain) == std::string_view::npos ? std::string(name) : "NAME";
}

std::string by_python(const std::string& rows) {
  return "write a table: python3 -c \"import csv, json, sys; t = json.load(open('FILE')); "
         "csv.writer(sys.stdout).writerows(" +
         rows + ")\" >NAME.csv";
}

bool only_numbers(const std::vector<std::string_view>& names) {
  return std::all_of(names.begin(), names.end(), [](std::string_view name) {
    return !name.empty() && name.find_first_not_of("0123456789") == std::string_view::npos;
  });
}

// Rows as arrays, with the names of their columns or their labels beside them.
std::optional<DocumentAdvice> about_arrays_of_rows(const JsonDocument& document) {
  using Holds = JsonPart::Holds;
  if (document.count('[', Holds::arrays) != 1) return std::nullopt;
  const JsonPart& rows = *document.first('[', Holds::arrays);
  const std::string name = in_command(rows.name);
  const JsonPart *names = nullptr, *labels = nullptr;
  for (const JsonPart& part : document.parts) {
    if (!part.is('[', Holds::scalars)) continue;
    if (names == nullptr && part.texts && part.values == rows.width) {
      names = &part;
    } else if (labels == nullptr && rows.whole && part.values == rows.values && part.name != "index") {
      labels = &part;
    }
  }
  const std::string label = labels == nullptr ? "" : in_command(labels->name);
  const std::string row =
      labels == nullptr ? "" : "[*x, y] for x, y in zip(t['" + name + "'], t['" + label + "'], strict=True)";
  if (names != nullptr) {
    const std::string header = "t['" + in_command(names->name) + "']";
    return DocumentAdvice{"a document of JSON, with the names of the columns and the rows",
                          by_python(labels == nullptr ? "[" + header + ", *t['" + name + "']]"
                                                      : "[[*" + header + ", '" + label + "'], *(" + row + ")]")};
  }
  if (labels != nullptr)
    return DocumentAdvice{"a document of JSON, with the rows in one array and their labels in another", by_python(row)};
  if (document.count('[', Holds::scalars) > 0) return std::nullopt;
  return DocumentAdvice{"a document of JSON that holds the rows in one of its members", by_python("t['" + name + "']")};
}

// Rows as objects.
std::optional<DocumentAdvice> about_objects_of_rows(const JsonDocument& document) {
  const JsonPart* const rows = document.first('[', JsonPart::Holds::objects);
  if (rows == nullptr || document.count('[', JsonPart::Holds::objects) > 1) return std::nullopt;
  const bool alone = std::all_of(document.parts.begin(), document.parts.end(),
                                 [&](const JsonPart& part) { return &part == rows || part.name == "schema"; });
  if (document.one_line && !alone) return std::nullopt;
  return DocumentAdvice{"a document of JSON that holds the rows in one of its members",
                        "write an object a line: python3 -c \"import json; [print(json.dumps(row)) for row in "
                        "json.load(open('FILE'))['" +
                            in_command(rows->name) + "']]\" >NAME.jsonl"};
}

// A list of values for each column.
std::optional<DocumentAdvice> about_lists(const JsonDocument& document) {
  const std::size_t lists = document.count('[', JsonPart::Holds::scalars);
  if (lists < 2) return std::nullopt;
  const JsonPart& first = *document.first('[', JsonPart::Holds::scalars);
  for (const JsonPart& part : document.parts) {
    if (part.is('[', JsonPart::Holds::scalars) && part.whole && part.values != first.values) return std::nullopt;
    if (part.opens != '\0' && !part.is('[', JsonPart::Holds::scalars)) return std::nullopt;
  }
  const bool others = lists < document.parts.size();
  return DocumentAdvice{
      "a document of JSON, with the values of each column in an array",
      others
          ? by_python(
                "(lambda c: [c, *zip(*c.values(), strict=True)])({k: v for k, v in t.items() if isinstance(v, list)})")
          : by_python("[t, *zip(*t.values(), strict=True)]")};
}

// An object of values for each column, or for each row.
std::optional<DocumentAdvice> about_objects_of_values(const JsonDocument& document) {
  constexpr std::size_t many = 5;
  const std::size_t objects = document.count('{', JsonPart::Holds::scalars);
  if (objects < document.parts.size()) return std::nullopt;
  std::vector<std::string_view> outer;
  for (const JsonPart& part : document.parts) {
    outer.push_back(part.name);
    const std::vector<std::string_view>& names = document.parts.front().names;
    const bool same = part.whole ? part.names == names
                                 : part.names.size() <= names.size() &&
                                       std::equal(part.names.begin(), part.names.end(), names.begin());
    if (!same) return std::nullopt;
  }
  const std::vector<std::string_view>& inner = document.parts.front().names;
  if (objects < 2 && document.parts.front().whole) return std::nullopt;
  const bool columns = only_numbers(inner), rows = !columns && only_numbers(outer);
  if (!columns && !rows && std::max(inner.size(), outer.size()) < many) return std::nullopt;
  if (columns || (!rows && inner.size() > outer.size())) {
    return DocumentAdvice{"a document of JSON, with the values of each column in an object",
                          by_python("[t, *([c.get(i) for c in t.values()] for i in next(iter(t.values())))]")};
  }
  return DocumentAdvice{"a document of JSON, with each row under a name of its own",
                        "write an object a line: python3 -c \"import json; [print(json.dumps(row)) for row in "
                        "json.load(open('FILE')).values()]\" >NAME.jsonl"};
}

constexpr std::optional<DocumentAdvice> (*document_shapes[])(const JsonDocument&) = {
    about_arrays_of_rows, about_objects_of_rows, about_lists, about_objects_of_values};

std::string_view without_comments(std::string_view text) {
  for (;;) {
    text.remove_prefix(std::min(text.find_first_not_of(document_blanks), text.size()));
    const bool block = text.starts_with("/*");
    if (!block && !text.starts_with("//")) return text;
    const std::size_t end = text.find(block ? "*/" : "\n");
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + (block ? 2 : 1));
  }
}

// Returns what the first value of a text has that JSON has not, and where; and leaves the text behind the value.
struct Oddity {
  std::string_view what;
  const char* at = nullptr;
};

Oddity take_oddity(std::string_view& text) {
  constexpr std::string_view name_begins = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_$";
  const std::string_view all = text;
  Oddity found;
  JsonCursor cursor(all);
  std::size_t depth = 0;
  char before = '\0';
  const auto note = [&](std::string_view what) {
    if (found.at == nullptr) found = {what, all.data() + cursor.at()};
  };
  do {
    cursor.skip_blanks();
    if (cursor.ended()) break;
    const std::string_view rest = cursor.rest();
    const char c = cursor.mark();
    if (rest.starts_with("//") || rest.starts_with("/*")) {
      note("comments");
      const std::string_view behind = without_comments(rest);
      cursor.step(rest.size() - behind.size());
      continue;
    }
    if (c == '"') {
      cursor.skip_text();
    } else if (c == '\'') {
      note("texts in single quotes");
      cursor.step(std::min(rest.find('\'', 1), rest.size() - 1) + 1);
    } else if (c == '[' || c == '{') {
      ++depth;
      cursor.step();
    } else if (c == ']' || c == '}') {
      if (before == ',') note("a comma behind the last value");
      if (depth == 0) break;
      --depth;
      cursor.step();
    } else if (c == ',' || c == ':') {
      cursor.step();
    } else {
      const std::size_t size = std::min(rest.find_first_of(",:[]{}\"' \t\r\n"), rest.size());
      const std::size_t next = std::min(rest.find_first_not_of(document_blanks, size), rest.size() - 1);
      if ((before == '{' || before == ',') && rest[next] == ':' && next > 0 &&
          name_begins.find(c) != std::string_view::npos)
        note("names without quotes");
      cursor.step(size);
    }
    before = c;
  } while (depth > 0);
  text = cursor.rest();
  return found;
}

// Comments, commas behind the last value, names without quotes, single quotes: what JSON5 and hands write.
std::optional<Slip> find_odd_json(std::string_view all, std::string_view text) {
  const bool of_python = text.starts_with("{'") || text.starts_with("[{'");
  if (of_python || (!text.starts_with('{') && !text.starts_with('['))) return std::nullopt;
  std::string_view behind = text;
  Oddity odd = take_oddity(behind);
  const std::string_view value = text.substr(0, text.size() - behind.size());
  const bool lines = value.find('\n') == std::string_view::npos;
  const std::string_view above = all.substr(0, static_cast<std::size_t>(text.data() - all.data()));
  if (const std::size_t comment = above.find('/'); comment != std::string_view::npos && odd.at == nullptr && !lines)
    odd = {"comments", all.data() + comment};
  if (odd.at == nullptr && lines) {
    std::string_view line_end = behind.substr(0, behind.find('\n'));
    line_end.remove_prefix(std::min(line_end.find_first_not_of(line_blanks), line_end.size()));
    if (line_end.starts_with("//") || line_end.starts_with("/*")) odd = {"comments", line_end.data()};
  }
  if (odd.at == nullptr || value.find(':') == std::string_view::npos) return std::nullopt;
  if (lines) {
    // One line of many may be damaged.
    std::string_view next = without_comments(behind);
    const std::string_view second = next;
    if (!second.empty() && take_oddity(next).at == nullptr && !without_comments(next).empty() && odd.what != "comments")
      return std::nullopt;
  }
  const std::size_t at = static_cast<std::size_t>(odd.at - all.data());
  const std::size_t begin = all.substr(0, at).rfind('\n') + 1;  // 0 behind npos
  Slip slip;
  slip.what = "this is JSON with " + std::string(odd.what) + ", as JSON5 has, and JSON has not";
  slip.fix = R"~(write JSON: python3 -c 'import json, re; c = r"//.*|/\*[\s\S]*?\*/"; print(re.sub()~"
             R"~(r"""("(?:\\.|[^"\\])*")|\x27((?:\\.|[^\x27\\])*)\x27|""" + c + r"|,(?=(?:\s|" + c + )~"
             R"~(r")*[]}])|\+(?=[\d.])|([A-Za-z_$][\w$]*)(?=\s*:)", lambda m: m[1] or (json.dumps(m[m.lastindex]) )~"
             R"~(if m.lastindex else ""), open("FILE").read()), end="")' >NAME.json)~";
  slip.line =
      static_cast<std::uint64_t>(std::count(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(begin), '\n')) + 1;
  slip.text = all.substr(begin, std::min(all.find('\n', begin), all.size()) - begin);
  return slip;
}

}  // namespace

std::optional<Slip> find_json_document(std::string_view text) {
  const std::string_view all = text;
  text = without_comments(text);
  if (auto odd = find_odd_json(all, text)) return odd;
  if (!text.starts_with('{')) return std::nullopt;
  const std::optional<JsonDocument> document = outline_of(text);
  if (!document || document->parts.empty()) return std::nullopt;
  // One object in a line may be a row; a notebook of Jupyter has none.
  const bool row = document->one_line && std::any_of(document->parts.begin(), document->parts.end(),
                                                     [](const JsonPart& part) { return part.opens == '\0'; });
  const bool notebook = std::any_of(document->parts.begin(), document->parts.end(),
                                    [](const JsonPart& part) { return part.name == "nbformat"; });
  if (row || notebook) return std::nullopt;
  for (const auto shape : document_shapes) {
    auto advice = shape(*document);
    if (!advice) continue;
    Slip slip;
    slip.what = "this is " + advice->what;
    slip.fix = std::move(advice->fix);
    slip.line = static_cast<std::uint64_t>(std::count(all.data(), text.data(), '\n')) + 1;
    slip.text = text.substr(0, text.find('\n'));
    return slip;
  }
  return std::nullopt;
}

}  // namespace halfspace::stream
