// Each format has a function that examines the first lines; they are tried in the order of a table.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "halfspace/base/error.h"
#include "stream/foreign/foreign_slips.h"
#include "stream/text/first_lines.h"
#include "stream/text/number.h"
#include "stream/text/shapes.h"
#include "stream/text/text.h"

namespace halfspace::stream {
namespace {

using Lines = std::vector<std::string_view>;

constexpr std::string_view letters_and_digits = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

// The lines of a beginning, by their number in the text.
struct FirstRows {
  explicit FirstRows(std::string_view whole) : text(whole), lines(first_lines_of(whole)) {}

  // Returns the number of a line, from 1.
  std::uint64_t number(std::size_t i) const {
    return static_cast<std::uint64_t>(std::count(text.data(), lines[i].data(), '\n')) + 1;
  }
  Slip slip(std::size_t i, std::string what, std::string fix) const {
    return {std::move(what), std::move(fix), number(i), std::string(lines[i])};
  }

  std::string_view text;
  Lines lines;
};

template <class F>
bool every(std::span<const std::string_view> lines, F&& is) {
  return !lines.empty() && std::all_of(lines.begin(), lines.end(), is);
}

bool reads_as_number(std::string_view word) {
  double ignored = 0;
  return parse_number(word, ignored) != NumberProblem::not_a_number;
}

bool only_digits(std::string_view word) {
  return !word.empty() && word.find_first_not_of("0123456789") == std::string_view::npos;
}

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::string in_lower_case(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return lower;
}

std::string_view within_blanks(std::string_view cell) {
  const std::size_t begin = std::min(cell.find_first_not_of(line_blanks), cell.size());
  cell.remove_prefix(begin);
  return cell.substr(0, cell.find_last_not_of(line_blanks) + 1);
}

Lines cells_of(std::string_view line, char delimiter) {
  Lines cells;
  for (std::size_t end = 0; end != std::string_view::npos;) {
    end = line.find(delimiter);
    cells.push_back(within_blanks(line.substr(0, end)));
    if (end != std::string_view::npos) line.remove_prefix(end + 1);
  }
  return cells;
}

// A role of Orange's third line, with further properties behind it.
std::string_view role_of(std::string_view cell) {
  const std::string_view role = cell.substr(0, cell.find(' '));
  return role.find('=') == std::string_view::npos ? role : std::string_view();
}

// The role of one label, or of one of several.
bool names_label(std::string_view role) { return role.ends_with("class"); }

// Returns whether all rows below a header of three lines have this value in a column, but where they have none.
bool is_the_value_of(std::string_view value, const FirstRows& rows, std::size_t column, char delimiter) {
  constexpr std::size_t above = 3;
  std::size_t found = 0;
  for (std::size_t i = above; i < rows.lines.size(); ++i) {
    const Lines cells = cells_of(rows.lines[i], delimiter);
    if (column >= cells.size() || cells[column].empty()) continue;
    if (cells[column] != value) return false;
    ++found;
  }
  return found > 0;
}

// Names, types and roles of the columns, in a line each. A type may be a list of values, a value alone, or be left out.
std::optional<Slip> find_orange(const FirstRows& rows) {
  if (rows.lines.size() < 3) return std::nullopt;
  const std::string_view below = rows.text.substr(static_cast<std::size_t>(rows.lines[0].data() - rows.text.data()));
  const std::string_view type_line = line_at(below, 1), role_line = line_at(below, 2);
  for (const char delimiter : {'\t', ',', ';'}) {
    const Lines names = cells_of(rows.lines[0], delimiter), types = cells_of(type_line, delimiter),
                roles = cells_of(role_line, delimiter);
    if (names.size() < 2 || types.size() > names.size() || roles.size() > names.size() ||
        (types.size() < 2 && roles.size() < 2))
      continue;
    bool sure = false, spelled = false, filled = false, apart = roles.size() < names.size();
    const bool typed = std::all_of(types.begin(), types.end(), [&](const std::string_view& cell) {
      const bool word = is_one_of(cell, {"continuous", "discrete", "string", "time", "numeric", "categorical", "text"});
      spelled = spelled || word;
      return word || cell.empty() || cell.find(' ') != std::string_view::npos ||
             is_one_of(cell, {"c", "d", "s", "t", "n"}) ||
             is_the_value_of(cell, rows, static_cast<std::size_t>(&cell - types.data()), delimiter);
    });
    const bool known = std::all_of(roles.begin(), roles.end(), [&](std::string_view cell) {
      const std::string_view role = role_of(cell);
      sure = sure || names_label(role) || is_one_of(role, {"meta", "ignore"});
      apart = apart || cell.empty();
      filled = filled || !cell.empty();
      return role.empty() || names_label(role) || is_one_of(role, {"meta", "ignore", "weight", "m", "i", "w", "c"});
    });
    if (!typed || !known || !filled || !(sure || spelled) || !(sure || apart)) continue;
    std::string label, unused;
    for (std::size_t i = 0; i < roles.size(); ++i) {
      const std::string name(names[i]);
      if (names_label(role_of(roles[i])) || role_of(roles[i]) == "c") label = name;
      if (is_one_of(role_of(roles[i]), {"meta", "m", "ignore", "i"})) unused += (unused.empty() ? "" : ",") + name;
    }
    const std::uint64_t line = rows.number(0) + 1;
    std::string fix = "leave out the lines of types and roles: sed " + std::to_string(line) + "," +
                      std::to_string(line + 1) + "d FILE >NAME" + (delimiter == '\t' ? ".tab" : ".csv");
    if (!label.empty()) fix += "; then " + option("label", label) + " names the label";
    if (!unused.empty()) fix += "; " + option("drop", unused) + " leaves out what is no feature";
    return rows.slip(1, "this is a table of Orange, with three lines above its rows", std::move(fix));
  }
  return std::nullopt;
}

// A word that names a type, whatever its size: int64, varchar(20).
bool is_type(std::string_view cell) {
  std::string word = in_lower_case(within_blanks(cell));
  if (word.size() > 2 && (word.front() == '"' || word.front() == '<') && (word.back() == '"' || word.back() == '>'))
    word = word.substr(1, word.size() - 2);
  word.resize(std::min(word.find('('), word.size()));
  word.resize(word.find_last_not_of("0123456789") + 1);
  return is_one_of(
      word,
      {"int",         "integer", "bigint",  "smallint",  "long",     "uint",     "float",           "double", "dbl",
       "real",        "number",  "numeric", "num",       "decimal",  "str",      "string",          "chr",    "char",
       "text",        "varchar", "object",  "factor",    "fct",      "category", "nominal",         "bool",   "logical",
       "categorical", "boolean", "date",    "timestamp", "datetime", "lgl",      "double precision"});
}

// A line of types below the names, or behind the rows.
std::optional<Slip> find_line_of_types(const FirstRows& rows) {
  if (rows.lines.size() < 3) return std::nullopt;
  for (const char delimiter : {'\t', ',', ';', '|'}) {
    const auto only_types = [&](std::string_view line) {
      if (!is_type(line.substr(0, line.find(delimiter)))) return false;
      const Lines cells = cells_of(line, delimiter);
      return cells.size() > 1 && std::all_of(cells.begin(), cells.end(), is_type);
    };
    const std::size_t last = rows.lines.size() - 1;
    const std::size_t found = only_types(rows.lines[1]) ? 1 : only_types(rows.lines[last]) ? last : 0;
    const bool ended =
        found == 1 || rows.lines[last].data() + rows.lines[last].size() + 2 >= rows.text.data() + rows.text.size();
    if (found == 0 || !ended || std::count_if(rows.lines.begin(), rows.lines.end(), only_types) != 1) continue;
    return rows.slip(found, "the line holds the types of the columns, and is no row of the table",
                     "leave it out: sed " + std::to_string(rows.number(found)) + "d FILE >NAME.csv");
  }
  return std::nullopt;
}

// Rows whose values are one quoted text.
std::optional<Slip> find_quoted_lines(const FirstRows& rows) {
  const auto inner = [](std::string_view line) { return line.substr(1, line.size() - 2); };
  const bool quoted = rows.lines.size() > 1 && every(rows.lines, [&](std::string_view line) {
                        if (line.size() < 3 || line.front() != '"' || line.back() != '"') return false;
                        const std::string_view values = inner(line);
                        for (std::size_t at = 0; (at = values.find('"', at)) != std::string_view::npos; at += 2) {
                          if (at + 1 == values.size() || values[at + 1] != '"') return false;
                        }
                        return true;
                      });
  if (!quoted) return std::nullopt;
  for (const char delimiter : {',', ';', '\t', '|'}) {
    const auto marks = std::count(rows.lines[0].begin(), rows.lines[0].end(), delimiter);
    const auto as_many = [&](std::string_view line) {
      return std::count(line.begin(), line.end(), delimiter) == marks;
    };
    if (marks == 0 || !(every(rows.lines, as_many) || rows.text.find("\"\"") != std::string_view::npos)) continue;
    return rows.slip(0, "each line is in quotes as a whole, so that it is one value",
                     "take these away: sed 's/^\"//; s/\"\\r*$//; s/\"\"/\"/g' FILE >NAME.csv");
  }
  return std::nullopt;
}

// A value a line, with its name, and a blank line behind each row.
std::optional<Slip> find_record_jar(const FirstRows& rows) {
  const auto name_of = [](std::string_view line) {
    const std::size_t colon = line.find(':');
    const bool name = colon != std::string_view::npos && colon > 0 && colon + 1 < line.size() &&
                      line[colon + 1] == ' ' && !only_digits(line.substr(0, 1)) &&
                      line.find_first_of("\",;|{[\t") > colon;
    return name ? line.substr(0, colon) : std::string_view();
  };
  if (rows.lines.size() < 4 || !every(rows.lines, [&](std::string_view line) { return !name_of(line).empty(); }))
    return std::nullopt;
  const std::string_view first = name_of(rows.lines[0]);
  std::size_t records = 0;
  for (std::size_t i = 1; i < rows.lines.size(); ++i) {
    const bool behind_blank = rows.number(i) > rows.number(i - 1) + 1;
    if (behind_blank != (name_of(rows.lines[i]) == first)) return std::nullopt;
    records += behind_blank ? 1 : 0;
  }
  if (records == 0) return std::nullopt;
  return rows.slip(0, "each value has a line of its own, with its name, and each row a blank line behind it",
                   R"~(write a row a line: awk -v RS= '{ n = $0; gsub(/:[^\n]*/, "", n); gsub(/\n/, ",", n); )~"
                   R"~(if (NR == 1) print n; gsub(/(^|\n)[^:\n]*: */, ","); print substr($0, 2) }' FILE >NAME.csv)~");
}

// Objects behind other words, or with a comma behind each.
std::optional<Slip> find_json_in_lines(const FirstRows& rows) {
  std::size_t others = 0;
  const bool objects = every(rows.lines, [&](std::string_view line) {
    const std::size_t begin = line.find('{');
    const bool comma = line.ends_with("},");
    if (begin == std::string_view::npos || begin + 1 == line.size() || line[begin + 1] != '"' ||
        !(comma || line.ends_with('}')))
      return false;
    others += begin > 0 || comma ? 1 : 0;
    return line.find_first_of("\"[") > begin;
  });
  if (!objects || rows.lines.size() < 2 || 2 * others < rows.lines.size()) return std::nullopt;
  return rows.slip(0, "there is something before or behind each object of JSON Lines",
                   "leave that out: sed 's/^[^{]*//; s/}[^}]*$/}/' FILE >NAME.jsonl");
}

bool is_name(std::string_view word) {
  return !word.empty() && word.find_first_not_of(letters_and_digits) == std::string_view::npos;
}

// A section, and below it names and values.
std::optional<Slip> find_toml(const FirstRows& rows) {
  std::size_t i = 0;
  while (i < rows.lines.size() && rows.lines[i].starts_with('#')) ++i;
  if (i + 1 >= rows.lines.size()) return std::nullopt;
  const std::string_view section = rows.lines[i], member = rows.lines[i + 1];
  const std::size_t equal = member.find('=');
  if (!section.starts_with('[') || !section.ends_with(']') || equal == std::string_view::npos ||
      section.find_first_not_of("[]") == std::string_view::npos ||
      section.find_first_not_of(std::string(letters_and_digits) + "[].-\"") != std::string_view::npos ||
      reads_as_number(section.substr(1, section.size() - 2)) || !is_name(within_blanks(member.substr(0, equal))))
    return std::nullopt;
  const auto is_bare = [](std::string_view line) {
    const std::size_t mark = line.find('=');
    if (mark == std::string_view::npos) return false;
    const std::string_view value = within_blanks(line.substr(mark + 1));
    return !value.empty() && !reads_as_number(value) && !is_one_of(value, {"true", "false"}) &&
           value.find_first_of("\"'[{:") == std::string_view::npos;
  };
  if (std::any_of(rows.lines.begin(), rows.lines.end(), is_bare)) {
    return rows.slip(i, "this is INI, with a section for each row",
                     "write an object a line: python3 -c \"import configparser, json; c = "
                     "configparser.ConfigParser(interpolation=None); c.read('FILE'); [print(json.dumps(dict(c[s]))) "
                     "for s in c.sections()]\" >NAME.jsonl");
  }
  return rows.slip(i, "this is TOML",
                   "write an object a line: python3 -c \"import json, tomllib; [print(json.dumps(row)) for rows in "
                   "tomllib.load(open('FILE', 'rb')).values() for row in (rows if isinstance(rows, list) else "
                   "[rows])]\" >NAME.jsonl");
}

// An array as NumPy prints it.
std::optional<Slip> find_printed_array(const FirstRows& rows) {
  if (rows.lines.size() < 2 || !rows.lines[0].starts_with("[[")) return std::nullopt;
  const bool printed = every(rows.lines, [](std::string_view line) {
    line = within_blanks(line);
    if (!line.starts_with('[') || !line.ends_with(']') || line.find(',') != std::string_view::npos) return false;
    line.remove_prefix(std::min(line.find_first_not_of('['), line.size()));
    std::string_view values = line.substr(0, line.find(']'));
    return reads_as_number(next_word(values)) && !next_word(values).empty();
  });
  if (!printed) return std::nullopt;
  return rows.slip(0, "this is an array as NumPy prints it", "leave out its brackets: tr -d '[]' <FILE >NAME");
}

// field:index:value, as libffm has it.
std::optional<Slip> find_fields_of_ffm(const FirstRows& rows) {
  const bool fields = every(rows.lines, [](std::string_view line) {
    if (next_word(line).find_first_of(":|") != std::string_view::npos) return false;
    std::size_t words = 0;
    for (std::string_view word; !(word = next_word(line)).empty(); ++words) {
      const Lines parts = cells_of(word, ':');
      if (parts.size() != 3 || !only_digits(parts[0]) || !only_digits(parts[1]) || !reads_as_number(parts[2]))
        return false;
    }
    return words > 0;
  });
  if (!fields) return std::nullopt;
  return rows.slip(0, "LIBSVM is a label and index:value between blanks, without the fields of libffm",
                   "leave these out, as Vowpal Wabbit text: sed -E 's/ [0-9]+:([0-9]+:)/ \\1/g; s/^(\\S+)/\\1 |/' FILE "
                   ">NAME.vw");
}

// "name"=value between commas, and the class behind a bar.
std::optional<Slip> find_basket(const FirstRows& rows) {
  const bool basket = every(rows.lines, [](std::string_view line) {
    const std::size_t bar = line.rfind('|');
    if (bar == std::string_view::npos || bar + 1 == line.size() || !line.starts_with('"')) return false;
    const Lines cells = cells_of(line.substr(0, bar), ',');
    return std::all_of(cells.begin(), cells.end(), [](std::string_view cell) {
      const std::size_t end = cell.find("\"=");
      return cell.starts_with('"') && end != std::string_view::npos && reads_as_number(cell.substr(end + 2));
    });
  });
  if (!basket) return std::nullopt;
  return rows.slip(
      0, "these are baskets of Orange: names and values, and the class behind a bar",
      "as Vowpal Wabbit text: sed -E 's/\"//g; s/[: ]/_/g; s/=/:/g; s/,/ /g; s/^(.*)\\|(.*)$/\\2 |f \\1/' FILE "
      ">NAME.vw");
}

// A label and a vector in brackets, as Spark prints them.
std::optional<Slip> find_labelled_points(const FirstRows& rows) {
  bool sparse = true;
  const bool points = every(rows.lines, [&](std::string_view line) {
    const std::size_t comma = line.find(',');
    if (!line.starts_with('(') || !(line.ends_with("])") || line.ends_with("]))")) || comma == std::string_view::npos ||
        !reads_as_number(line.substr(1, comma - 1)))
      return false;
    const std::string_view vector = line.substr(comma + 1);
    const bool pairs = vector.starts_with('(') && vector.ends_with("]))") &&
                       vector.find(",[") != std::string_view::npos && vector.find("],[") != std::string_view::npos;
    sparse = sparse && pairs;
    return pairs || (vector.starts_with('[') && vector.find('[', 1) == std::string_view::npos);
  });
  if (!points) return std::nullopt;
  return rows.slip(0, "these are labels and vectors as Spark prints them",
                   sparse ? "write LIBSVM: python3 -c \"import ast; [print(y, *(f'{i + 1}:{v}' for i, v in "
                            "zip(*x[1:]))) for y, x in map(ast.literal_eval, open('FILE'))]\" >NAME.libsvm"
                          : "leave out the brackets: tr -d '[]()' <FILE >NAME.csv; then " + option("label", "1") + " " +
                                option("no-header") + " names the label");
}

// Values between characters that are not tried as delimiters: they stand in texts, too.
std::optional<Slip> find_rare_delimiter(const FirstRows& rows) {
  constexpr std::size_t fewest = 3;
  const auto has_pairs = [](std::string_view line) { return next_word(line), is_pair(next_word(line)); };
  if (rows.lines.size() < fewest || rows.lines[0].starts_with('{') || has_pairs(rows.lines[1])) return std::nullopt;
  const auto usual_number = [&](char mark) {
    std::map<std::ptrdiff_t, std::size_t> lines;
    for (const std::string_view line : rows.lines) ++lines[std::count(line.begin(), line.end(), mark)];
    const auto most =
        std::max_element(lines.begin(), lines.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    return 5 * most->second >= 4 * rows.lines.size() ? most->first : 0;
  };
  for (const char usual : {',', '\t', ';', '|'}) {
    if (usual_number(usual) > 0) return std::nullopt;
  }
  for (const char mark : {'\x01', '~', '^', '@', '&'}) {
    const bool in_texts = mark == '@' || mark == '&';
    if (usual_number(mark) < (in_texts ? 2 : 1)) continue;
    if (mark == '\x01') {
      return rows.slip(0, "the values are between bytes of value 1, as Hive writes them",
                       "write tabs: tr '\\001' '\\t' <FILE >NAME.tsv");
    }
    return rows.slip(0, "most lines have as many values between " + quote(std::string_view(&mark, 1)),
                     option("delimiter", std::string(1, mark)) + " splits them");
  }
  return std::nullopt;
}

// Escapes what has a meaning in an extended regular expression, and in double quotes of a shell.
std::string as_pattern(std::string_view text) {
  std::string pattern;
  for (const char c : text) {
    if (std::string_view(R"(.[](){}*+?^$|/\`)").find(c) != std::string_view::npos) pattern += '\\';
    pattern += c == '!' ? '.' : c;
  }
  return pattern;
}

// Returns the names of values such as w=1, h=0.5; empty if one has none.
std::string names_of_values(std::string_view body, char delimiter) {
  std::string names;
  for (std::string_view cell : cells_of(body, delimiter)) {
    const std::string_view name = cell.substr(0, cell.find_first_of(":="));
    if (name.size() == cell.size() || !is_name(within_blanks(name)) || only_digits(within_blanks(name))) return {};
    names += (names.empty() ? "" : ",") + std::string(within_blanks(name));
  }
  return names;
}

// What stands before and behind the values of all rows.
struct Wrapping {
  std::string_view before, behind;
  std::string names;  // of the values, where each has one
  bool nested = false;

  std::string_view body(std::string_view line) const {
    if (line.starts_with(before)) line.remove_prefix(before.size());
    if (line.ends_with(behind)) line.remove_suffix(behind.size());
    return line;
  }
};

bool is_balanced(std::string_view body, bool& nested) {
  int open = 0;
  for (const char c : body) {
    const bool opens = c == '(' || c == '[' || c == '{', closes = c == ')' || c == ']' || c == '}';
    open += opens ? 1 : closes ? -1 : 0;
    nested = nested || opens;
    if (open < 0) return false;
  }
  return open == 0;
}

// Returns the part of a prefix that is a bullet, or a word and brackets behind it.
std::string_view wrapping_prefix(std::string_view common) {
  constexpr std::string_view opening = "([{";
  const std::size_t mark = common.find_first_not_of(std::string(letters_and_digits) + " .-");
  if (mark == std::string_view::npos || std::string_view("([{>*").find(common[mark]) == std::string_view::npos)
    return {};
  if (opening.find(common[mark]) == std::string_view::npos) {
    const std::size_t end = std::min(common.find_first_not_of("> *"), common.size());
    return mark == 0 ? common.substr(0, end) : std::string_view();
  }
  return common.substr(0, std::min(common.find_first_not_of(std::string(opening) + " ", mark), common.size()));
}

std::optional<Wrapping> wrapping_of(std::span<const std::string_view> lines) {
  constexpr std::string_view closing = ")]}", ends = ")]};.,' \"";
  if (lines.size() < 2) return std::nullopt;
  std::string_view front = lines[0], back = lines[0];
  for (const std::string_view line : lines) {
    front =
        front.substr(0, static_cast<std::size_t>(
                            std::mismatch(front.begin(), front.end(), line.begin(), line.end()).first - front.begin()));
    const auto same = std::mismatch(back.rbegin(), back.rend(), line.rbegin(), line.rend()).first - back.rbegin();
    back = back.substr(back.size() - static_cast<std::size_t>(same));
  }
  back.remove_prefix(std::min(back.find_last_not_of(ends) + 1, back.size()));
  Wrapping found;
  found.before = wrapping_prefix(front);
  const bool opened = found.before.find_first_of("([{") != std::string_view::npos;
  // A value may end in brackets of its own.
  for (std::size_t at = 0; at <= back.size(); ++at) {
    if (at < back.size() && std::string_view(")]};").find(back[at]) == std::string_view::npos) continue;
    found.behind = back.substr(at);
    found.nested = false;
    const bool closed = found.behind.find_first_of(closing) != std::string_view::npos;
    if ((found.before.empty() && found.behind.empty()) || opened > closed) continue;
    std::size_t numbers = 0;
    const bool apart = every(lines, [&](std::string_view line) {
      const std::string_view body = found.body(line), rest = within_blanks(body);
      const std::size_t value = rest.find_first_of(",;\t| ");
      numbers += !rest.empty() && reads_as_number(within_blanks(rest.substr(0, value))) ? 1 : 0;
      const bool marks = closed || found.behind.empty() || body.find(';') == std::string_view::npos;
      return value != std::string_view::npos && marks && is_balanced(body, found.nested);
    });
    if (!apart) continue;
    found.names = names_of_values(found.body(lines.back()), ',');
    const bool named = !found.names.empty() && every(lines, [&](std::string_view line) {
      return names_of_values(found.body(line), ',') == found.names;
    });
    if (!named) found.names.clear();
    if (found.before.empty() || named || 2 * numbers > lines.size()) return found;
  }
  return std::nullopt;
}

// Names behind flags of role and type, as in cD#species: a header of Orange in one line.
std::optional<Slip> find_flags_of_orange(const FirstRows& rows) {
  constexpr std::string_view roles = "cmiw", types = "CDSTN";
  if (rows.lines.size() < 2) return std::nullopt;
  for (const char delimiter : {'\t', ',', ';'}) {
    const Lines names = cells_of(rows.lines[0], delimiter);
    std::size_t flagged = 0, roles_given = 0;
    std::string label, unused, weight;
    for (std::string_view cell : names) {
      const std::size_t mark = cell.find('#');
      if (mark == std::string_view::npos || mark == 0 || mark > 2 || mark + 1 == cell.size()) continue;
      const bool typed = types.find(cell[mark - 1]) != std::string_view::npos;
      const char role = roles.find(cell.front()) != std::string_view::npos ? cell.front() : '\0';
      if (mark != (typed ? 1U : 0U) + (role != '\0' ? 1U : 0U)) continue;
      ++flagged;
      roles_given += role != '\0' ? 1 : 0;
      const std::string name(cell.substr(mark + 1));
      if (role == 'c') label = name;
      if (role == 'w') weight = name;
      if (role == 'm' || role == 'i') unused += (unused.empty() ? "" : ",") + name;
    }
    if (names.size() < 2 || roles_given == 0 || 2 * flagged < names.size()) continue;
    const std::string mark = delimiter == '\t' ? "\\t" : std::string(1, delimiter);
    std::string fix = "leave out the flags: sed -E '" + std::to_string(rows.number(0)) + "s/(^|" + mark +
                      ")([cmiw]?[CDSTN]|[cmiw])#/\\1/g' FILE >NAME" + (delimiter == '\t' ? ".tab" : ".csv");
    if (!label.empty()) fix += "; then " + option("label", label) + " names the label";
    if (!weight.empty()) fix += "; " + option("weight", weight) + " the weights";
    if (!unused.empty()) fix += "; " + option("drop", unused) + " leaves out what is no feature";
    return rows.slip(0, "this is a table of Orange, with flags of role and type before the names", std::move(fix));
  }
  return std::nullopt;
}

// Lines of a table behind their numbers and a tab, as cat -n writes them.
std::optional<Slip> find_numbered_lines(const FirstRows& rows) {
  constexpr std::size_t fewest = 3;
  std::uint64_t number = 0;
  const bool numbered = every(rows.lines, [&](std::string_view line) {
    const std::size_t tab = line.find('\t');
    const std::string_view before = within_blanks(line.substr(0, tab));
    if (tab == std::string_view::npos || !only_digits(before) || before.size() > 9) return false;
    const std::uint64_t now = std::stoull(std::string(before));
    const bool next = number == 0 || now == number + 1;
    number = now;
    return next && line.find('\t', tab + 1) == std::string_view::npos;
  });
  if (!numbered || rows.lines.size() < fewest) return std::nullopt;
  for (const char delimiter : {',', ';', '|'}) {
    const auto marks = std::count(rows.lines[0].begin(), rows.lines[0].end(), delimiter);
    if (marks == 0 || !every(rows.lines, [&](std::string_view line) {
          return std::count(line.begin(), line.end(), delimiter) >= marks;
        }))
      continue;
    return rows.slip(0, "the lines are numbered, with a tab behind the number",
                     "leave the numbers out: sed -E 's/^ *[0-9]+\\t//' FILE >NAME.csv");
  }
  return std::nullopt;
}

// Rows that end with a delimiter, below a header that does not.
std::optional<Slip> find_ending_delimiter(const FirstRows& rows) {
  constexpr std::size_t fewest = 3;
  if (rows.lines.size() < fewest) return std::nullopt;
  const std::span<const std::string_view> below = std::span(rows.lines).subspan(1);
  for (const char delimiter : {',', ';', '|'}) {
    const auto marks_of = [&](std::string_view line) { return std::count(line.begin(), line.end(), delimiter); };
    const auto marks = marks_of(rows.lines[0]);
    if (marks == 0 || rows.lines[0].ends_with(delimiter) ||
        !every(below, [&](std::string_view line) { return line.ends_with(delimiter) && marks_of(line) > marks; }) ||
        !std::any_of(below.begin(), below.end(), [&](auto line) { return marks_of(line) == marks + 1; }))
      continue;
    const std::string mark = delimiter == '|' ? "[|]" : std::string(1, delimiter);
    return rows.slip(1, "each row ends with " + quote(std::string_view(&delimiter, 1)) + ", and the header does not",
                     "take out the last delimiter: sed -E 's/" + mark + "[[:space:]]*$//' FILE >NAME.csv");
  }
  return std::nullopt;
}

bool holds_pairs(std::string_view line) {
  const std::string_view label = next_word(line), pair = next_word(line);
  return reads_as_number(label) && only_digits(pair.substr(0, pair.find(':'))) && pair.find(':') != pair.npos;
}

// The numbers of rows, features and classes above lines of LIBSVM.
std::optional<Slip> find_counts_above_pairs(const FirstRows& rows) {
  constexpr std::size_t fewest = 3, most_counts = 4;
  if (rows.lines.size() < fewest) return std::nullopt;
  std::size_t counts = 0;
  std::string_view first = rows.lines[0];
  for (std::string_view word; !(word = next_word(first)).empty(); ++counts) {
    if (!only_digits(word)) return std::nullopt;
  }
  if (counts < 2 || counts > most_counts || !every(std::span(rows.lines).subspan(1), holds_pairs)) return std::nullopt;
  return rows.slip(0, "the first line counts rows or features, and is no row of LIBSVM",
                   "leave it out: sed " + std::to_string(rows.number(0)) + "d FILE >NAME.libsvm");
}

// 0:1, 0:2, 0:3 ... before the values of a kernel between the row and all others.
std::optional<Slip> find_precomputed_kernel(const FirstRows& rows) {
  constexpr std::size_t fewest = 3;
  std::uint64_t number = 0;
  const bool counted = every(rows.lines, [&](std::string_view line) {
    next_word(line);
    return next_word(line) == "0:" + std::to_string(++number) && next_word(line).starts_with("1:");
  });
  if (!counted || rows.lines.size() < fewest) return std::nullopt;
  return rows.slip(0, "the feature 0 counts the rows: these are the values of a precomputed kernel of LIBSVM",
                   "leave the count out, and each value is a feature: sed 's/ 0:[0-9]*//' FILE >NAME.libsvm");
}

using Finder = std::optional<Slip> (*)(const FirstRows&);

constexpr Finder finders[] = {find_orange,
                              find_flags_of_orange,
                              find_numbered_lines,
                              find_ending_delimiter,
                              find_counts_above_pairs,
                              find_precomputed_kernel,
                              find_line_of_types,
                              find_quoted_lines,
                              find_record_jar,
                              find_json_in_lines,
                              find_toml,
                              find_printed_array,
                              find_fields_of_ffm,
                              find_basket,
                              find_labelled_points,
                              find_rare_delimiter};

}  // namespace

std::optional<Slip> find_foreign_rows(std::string_view text) {
  const FirstRows rows(text);
  for (const Finder find : finders) {
    if (auto slip = find(rows)) return slip;
  }
  return std::nullopt;
}

std::optional<Slip> find_wrapped_rows(std::string_view text) {
  const FirstRows rows(text);
  const std::span<const std::string_view> all(rows.lines);
  std::size_t first = 0;
  std::optional<Wrapping> found = wrapping_of(all);
  if (!found && all.size() > 2) found = wrapping_of(all.subspan(first = 1));
  if (!found) return std::nullopt;
  std::string script;
  const auto strip = [&](const std::string& pattern) { script += (script.empty() ? "s/" : "; s/") + pattern + "//"; };
  if (!found->before.empty()) strip("^" + as_pattern(found->before));
  if (!found->behind.empty()) strip(as_pattern(found->behind) + "\\r*$");
  if (!found->names.empty()) script += "; s/[^,:=]+[:=] *//g";
  if (found->nested) script += "; s/[][(){}]//g";
  if (!found->names.empty() && rows.lines.back().find('\'') != std::string_view::npos) script += "; s/'//g";
  const std::string quotes = script.find('\'') == std::string::npos ? "'" : "\"";
  const std::string header = found->names.empty() || first > 0 ? "" : "-e '1i " + found->names + "' -e ";
  const auto shown = [](std::string_view mark) { return quote(mark); };
  const std::string what = found->before.empty() ? "ends with " + shown(found->behind)
                           : found->behind.empty()
                               ? "begins with " + shown(found->before)
                               : "is between " + shown(found->before) + " and " + shown(found->behind);
  return rows.slip(first, "each row " + what + ", which is no part of its values",
                   "leave that out: sed -E " + header + quotes + script + quotes + " FILE >NAME.csv");
}

}  // namespace halfspace::stream
