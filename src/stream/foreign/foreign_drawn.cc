// Each form is a row of a table: what it is, how it is known by the first lines, and the command that converts it.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "halfspace/base/error.h"
#include "stream/foreign/foreign_slips.h"
#include "stream/text/first_lines.h"
#include "stream/text/number.h"

namespace halfspace::stream {
namespace {

using FormLines = std::vector<std::string_view>;

template <class F>
std::size_t count_lines(const FormLines& lines, F&& is) {
  return static_cast<std::size_t>(std::count_if(lines.begin(), lines.end(), is));
}

std::string_view without_indent(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(line_blanks), line.size()));
  return line;
}

std::size_t words_in(std::string_view line) {
  std::size_t words = 0;
  while (!next_word(line).empty()) ++words;
  return words;
}

bool is_a_number(std::string_view word) {
  double ignored = 0;
  return parse_number(word, ignored) != NumberProblem::not_a_number;
}

// ====  === or ----  ---, with a rule over each column.
bool rules_columns(std::string_view line) {
  std::size_t rules = 0;
  for (std::string_view word; !(word = next_word(line)).empty(); ++rules) {
    if (word.size() < 2 || (word[0] != '=' && word[0] != '-') ||
        word.find_first_not_of(word[0]) != std::string_view::npos)
      return false;
  }
  return rules > 1;
}

// Returns the first rule, which may have a title and the names above it; the number of lines if there is none.
std::size_t first_rule(const FormLines& lines) {
  constexpr std::size_t above = 3;
  const auto end = lines.begin() + static_cast<std::ptrdiff_t>(std::min(lines.size(), above));
  const auto found = std::find_if(lines.begin(), end, rules_columns);
  return found == end ? lines.size() : static_cast<std::size_t>(found - lines.begin());
}

bool is_ruled(const FormLines& lines) { return first_rule(lines) + 1 < lines.size(); }

// Without blanks in its values, such a table needs no command.
bool is_ruled_by_words(const FormLines& lines) {
  return is_ruled(lines) && rules_columns(lines[0]) && lines[0].starts_with('=') &&
         std::all_of(lines.begin(), lines.end(), [&](std::string_view line) {
           return words_in(line) == words_in(lines[0]) && (!line.starts_with('=') || rules_columns(line));
         });
}

bool is_latex(const FormLines& lines) {
  const std::size_t rows = count_lines(lines, [](std::string_view line) {
    return line.find('&') != std::string_view::npos && line.find("\\\\") != std::string_view::npos;
  });
  return rows > 1 && 2 * rows >= count_lines(lines, [](std::string_view line) { return !line.starts_with('\\'); });
}

bool is_wiki(const FormLines& lines) {
  const std::size_t rows = count_lines(
      lines, [](std::string_view line) { return line == "|-" || line.starts_with("|- ") || line.starts_with("|-\t"); });
  const bool begun = lines[0].starts_with("{|") || lines[0].starts_with('!') || lines[0].starts_with("|-");
  return rows > 1 && begun && count_lines(lines, [](std::string_view line) {
                                return std::string_view("|!{").find(line[0]) != std::string_view::npos;
                              }) == lines.size();
}

bool is_jira(const FormLines& lines) {
  return lines.size() > 1 && lines[0].starts_with("||") && lines[0].ends_with("||") && lines[0].size() > 4 &&
         std::all_of(lines.begin() + 1, lines.end(), [](std::string_view line) {
           return line.size() > 2 && line.starts_with('|') && line[1] != '|' && line.ends_with('|');
         });
}

bool is_asciidoc(const FormLines& lines) {
  constexpr std::size_t above = 4;
  const auto end = lines.begin() + static_cast<std::ptrdiff_t>(std::min(lines.size(), above));
  return std::find(lines.begin(), end, "|===") != end;
}

// U+2500 to U+257F, more than once.
bool begins_with_box(std::string_view line) {
  constexpr std::string_view some = "\xe2\x94", others = "\xe2\x95";
  line = without_indent(line);
  return (line.starts_with(some) || line.starts_with(others)) &&
         (line.find(some, 1) != std::string_view::npos || line.find(others, 1) != std::string_view::npos);
}

bool is_boxed(const FormLines& lines) {
  return lines.size() > 2 && lines.size() <= count_lines(lines, begins_with_box) + 2;
}

bool are_records_of_mysql(const FormLines& lines) {
  return lines[0].starts_with("***") && lines[0].find(". row ***") != std::string_view::npos;
}

bool are_records_of_psql(const FormLines& lines) { return lines[0].starts_with("-[ RECORD "); }

// name = value, the same names again and again, and a blank line behind each row.
bool are_records_of_sqlite(const FormLines& lines) {
  const auto name_of = [](std::string_view line) {
    const std::size_t equal = line.find(" = ");
    const std::string_view name = without_indent(line.substr(0, equal));
    return equal == std::string_view::npos || name.find_first_of(",;|\"'[{") != std::string_view::npos
               ? std::string_view()
               : name;
  };
  const std::string_view first = name_of(lines[0]);
  std::size_t names = 1;
  while (names < lines.size() && name_of(lines[names]) != first) ++names;
  if (first.empty() || names < 2 || names == lines.size()) return false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (name_of(lines[i]).empty() || name_of(lines[i]) != name_of(lines[i % names])) return false;
    const char* const end = lines[i].data() + lines[i].size();
    const bool apart = i + 1 < lines.size() && std::count(end, lines[i + 1].data(), '\n') > 1;
    if (i + 1 < lines.size() && apart != ((i + 1) % names == 0)) return false;
  }
  return true;
}

// Names and values behind other words: name=value name="a value".
struct LoggedLine {
  std::vector<std::string_view> names;
  std::size_t words_before = 0;
  std::string_view before;
  bool plain = true;  // its values are numbers
  bool pairs_alone = true;

  explicit LoggedLine(std::string_view line) {
    constexpr std::string_view in_names = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";
    const std::string_view all = line;
    for (std::string_view word; !(word = next_word(line)).empty();) {
      const std::size_t equal = word.find_first_not_of(in_names);
      const bool letter = (word[0] >= 'a' && word[0] <= 'z') || (word[0] >= 'A' && word[0] <= 'Z') || word[0] == '_';
      if (equal == std::string_view::npos || word[equal] != '=' || equal == 0 || !letter) {
        words_before += names.empty() ? 1 : 0;
        pairs_alone = pairs_alone && names.empty();
        continue;
      }
      if (names.empty()) before = all.substr(0, static_cast<std::size_t>(word.data() - all.data()));
      names.push_back(word.substr(0, equal));
      std::string_view value = word.substr(equal + 1);
      if (value.starts_with('"') && value.find('"', 1) == std::string_view::npos) {
        const std::size_t end = line.find('"');
        line.remove_prefix(end == std::string_view::npos ? line.size() : end + 1);
      }
      value = value.substr(0, value.find_first_of(",;"));
      plain = plain && is_a_number(value);
    }
  }
};

std::size_t usual_words_before(const FormLines& lines) { return LoggedLine(lines[lines.size() / 2]).words_before; }

bool is_logged(const FormLines& lines) {
  if (lines.size() < 3) return false;
  const LoggedLine usual(lines[lines.size() / 2]);
  if (usual.names.size() < 2 || usual.before.find_first_of(",;\t|\"{") != std::string_view::npos) return false;
  std::size_t alike = 0;
  bool quoted = false;
  for (const std::string_view line : lines) {
    const LoggedLine logged(line);
    alike += logged.names == usual.names && logged.words_before == usual.words_before ? 1 : 0;
    quoted = quoted || line.find("=\"") != std::string_view::npos || !logged.pairs_alone;
    if (line.find('|') != std::string_view::npos) return false;
  }
  const bool labelled = usual.words_before == 1 && usual.plain;  // a label, and names for LIBSVM
  return 5 * alike >= 4 * lines.size() && !labelled && (usual.words_before > 0 || quoted);
}

// One word before the pairs that is often the same may be a label, or a level.
bool is_logged_behind_a_class(const FormLines& lines) {
  if (!is_logged(lines) || usual_words_before(lines) != 1) return false;
  std::set<std::string_view> classes;
  for (const std::string_view line : lines) classes.insert(LoggedLine(line).before);
  return classes.size() > 1 && 2 * classes.size() <= lines.size();
}

// Comments above the rows, one of which names the columns, as IIS writes.
bool is_w3c_log(const FormLines& lines) {
  for (const std::string_view line : lines) {
    if (!line.starts_with('#')) return false;
    if (line.starts_with("#Fields: ")) return true;
  }
  return false;
}

// The name and type of each of several matrices above its rows.
bool is_octave(const FormLines& lines) {
  std::size_t matrices = 0;
  for (std::size_t i = 0; i + 1 < lines.size(); ++i)
    matrices += lines[i].starts_with("# name: ") && lines[i + 1] == "# type: matrix" ? 1 : 0;
  return matrices > 1 && lines[0].starts_with('#');
}

struct DrawnForm {
  bool (*is)(const FormLines&);
  const char *what, *fix;
};

// In the order in which they are tried.
constexpr DrawnForm drawn_forms[] = {
    {is_ruled, "a table whose columns are under lines of = or -",
     R"~(write a table: python3 -c "import csv, re, sys; t = [s.rstrip() for s in open('FILE')]; w = [m.start() )~"
     R"~(for m in re.finditer('[-=]+', next(s for s in t if re.fullmatch('[-= ]*(--|==)[-= ]*', s)))]; )~"
     R"~(csv.writer(sys.stdout).writerows([s[a:b].strip() for a, b in zip(w, w[1:] + [None])] for s in t )~"
     R"~(if s.strip('-= ') and not re.match(r' *(\.\. |\([0-9]+ row)', s))" >NAME.csv)~"},
    {is_latex, "a table of LaTeX",
     R"~(write a table: sed -nE '/&/{s/\\\\.*//; s/\\(hline|[a-z]+rule)//g; s/\\&/\x01/g; s/\s*&\s*/\t/g; )~"
     R"~(s/^\s+|\s+$//g; s/\x01/\&/g; s/\\([%_#$])/\1/g; p}' FILE >NAME.tsv)~"},
    {is_wiki, "a table of a wiki",
     R"~(write a table: awk '/^(\{\||\|-|\|\})/ { if (o != "") print substr(o, 2); o = ""; next } /^\|\+/ { next } )~"
     R"~(/^[|!]/ { sub(/^[|!] */, ""); n = split($0, c, / *(\|\||!!) */); for (i = 1; i <= n; i++) )~"
     R"~({ sub(/^[a-z]+=[^|]*\| */, "", c[i]); o = o "\t" c[i] } } END { if (o != "") print substr(o, 2) }' )~"
     R"~(FILE >NAME.tsv)~"},
    {is_jira, "a table of a wiki, with the names between double bars",
     R"~(write a table: sed -E '/^\|\|/s/\|\|/|/g; s/^\| *//; s/ *\|\s*$//; s/ *\| */\t/g' FILE >NAME.tsv)~"},
    {is_asciidoc, "a table of AsciiDoc",
     R"~(write a table: sed -nE '/^\|[^=]/{s/^\| *//; s/ *\| */\t/g; p}' FILE >NAME.tsv)~"},
    {is_boxed, "a table drawn with lines",
     R"~(write a table: awk 'NR == FNR { m = m || /^ *(├|┡|╞|╠|┣)/; next } /^ *┌.*[A-Za-z]/ { b = 1; )~"
     R"~(gsub(/─|┌|┐/, ""); gsub(/┬/, "\t"); print; next } /^ *(├|┡|╞|╠|┣)/ { b = 1 } )~"
     R"~(/^ *(│|┃|║).*(│|┃|║|┆).*(│|┃|║)/ && (b || !m || !k++) { sub(/^ *(│|┃|║) */, ""); )~"
     R"~(sub(/ *(│|┃|║) *$/, ""); gsub(/ *(│|┃|║|┆) */, "\t"); print }' FILE FILE >NAME.tsv)~"},
    {is_w3c_log, "a log of a web server, with the names of its columns behind #Fields",
     R"~(write a table: awk '/^#Fields: / && !k++ { sub(/^#Fields: /, ""); gsub(/ /, "\t"); print; next } )~"
     R"~(!/^#/ && NF { gsub(/ /, "\t"); print }' FILE >NAME.tsv)~"},
    {is_octave, "a text of Octave with several matrices",
     R"~(write the columns of its matrices side by side: awk '/^# name: / { v++; r = 0 } !/^#/ && NF { r++; )~"
     R"~(gsub(/^ +| +$/, ""); gsub(/ +/, "\t"); a[r] = a[r] (v > 1 ? "\t" : "") $0; if (r > m) m = r } )~"
     R"~(END { for (i = 1; i <= m; i++) print a[i] }' FILE >NAME.tsv)~"},
    {is_logged_behind_a_class, "a log, with the name before each value and a word before them",
     R"~(write a table, with that word in the column 'before': python3 -c "import csv, re, sys; )~"
     R"~(t = [dict([('before', re.split(r'\s*\S+=', s)[0]), )~"
     R"~(*re.findall(r'([A-Za-z_][\w.-]*)=(\"[^\"]*\"|[^\s,;]*)', s)]) )~"
     R"~(for s in open('FILE') if '=' in s]; w = csv.DictWriter(sys.stdout, dict.fromkeys(k for r in t for k in r)); )~"
     R"~(w.writeheader(); w.writerows({k: v.strip(chr(34)) for k, v in r.items()} for r in t)" >NAME.csv)~"},
    {is_logged, "a log, with the name before each value",
     R"~(write a table of these: python3 -c "import csv, re, sys; )~"
     R"~(t = [dict(re.findall(r'([A-Za-z_][\w.-]*)=(\"[^\"]*\"|[^\s,;]*)', s)) for s in open('FILE') if '=' in s]; )~"
     R"~(w = csv.DictWriter(sys.stdout, dict.fromkeys(k for r in t for k in r)); w.writeheader(); )~"
     R"~(w.writerows({k: v.strip(chr(34)) for k, v in r.items()} for r in t)" >NAME.csv)~"},
};

// The numbers of values in the lines of a row, and which of the lines are none of such rows.
struct BrokenRows {
  std::size_t whole = 0, uneven = 0;
  std::size_t first_uneven = 0;  // line, if there is one
};

BrokenRows rows_of_pattern(const std::vector<std::size_t>& counts, std::span<const std::size_t> pattern) {
  BrokenRows rows;
  const auto fits = [&](std::size_t at) {
    const std::size_t size = std::min(pattern.size(), counts.size() - at);
    return std::equal(counts.begin() + static_cast<std::ptrdiff_t>(at),
                      counts.begin() + static_cast<std::ptrdiff_t>(at + size), pattern.begin());
  };
  for (std::size_t at = 0; at < counts.size();) {
    if (fits(at)) {
      rows.whole += at + pattern.size() <= counts.size() ? 1 : 0;
      at += pattern.size();
      continue;
    }
    if (rows.uneven++ == 0) rows.first_uneven = at;
    do {
      ++at;
    } while (at < counts.size() && !fits(at));
  }
  return rows;
}

// The values of a line between a delimiter; none behind the last.
std::size_t count_values(std::string_view line, char delimiter) {
  if (delimiter == ' ') return words_in(line);
  if (line.ends_with(delimiter)) line.remove_suffix(1);
  return static_cast<std::size_t>(std::count(line.begin(), line.end(), delimiter)) + 1;
}

// Returns whether nearly all values are numbers.
bool are_numbers(const FormLines& lines, char delimiter) {
  std::size_t values = 0, numbers = 0;
  for (std::string_view line : lines) {
    for (std::size_t end = 0; end != std::string_view::npos && !line.empty();) {
      end = line.find(delimiter);
      std::string_view value = line.substr(0, end);
      const std::string_view word = next_word(value);
      values += word.empty() ? 0 : 1;
      numbers += !word.empty() && is_a_number(word) ? 1 : 0;
      line.remove_prefix(end == std::string_view::npos ? line.size() : end + 1);
    }
  }
  return values > 0 && 5 * numbers >= 4 * values;
}

// Returns the pattern of a table whose rows are broken at the same values; empty if it is none.
std::vector<std::size_t> pattern_of(const std::vector<std::size_t>& counts) {
  constexpr std::size_t most_drawn_lines = 8, fewest_rows = 5;
  for (std::size_t size = 2; size <= most_drawn_lines; ++size) {
    for (std::size_t begin = 0; begin < size && begin + fewest_rows * size <= counts.size(); ++begin) {
      const std::span<const std::size_t> pattern = std::span(counts).subspan(begin, size);
      if (std::all_of(pattern.begin(), pattern.end(), [&](std::size_t count) { return count == pattern[0]; })) continue;
      const BrokenRows rows = rows_of_pattern(counts, pattern);
      if (rows.whole >= fewest_rows && fewest_rows * rows.uneven <= rows.whole) return {pattern.begin(), pattern.end()};
    }
  }
  return {};
}

// Records of a name and a value in each line; patterns of awk for the line between two, and for a name.
struct RecordForm {
  bool (*is)(const FormLines&);
  const char *program, *between, *name;
};

constexpr RecordForm record_forms[] = {
    {are_records_of_mysql, "MySQL's \\G", R"(/^\*\*\*+ [0-9]+\. row/)", "[^:]+:"},
    {are_records_of_psql, "psql's \\x", R"(/^-\[ RECORD/)", R"([^|]+\|)"},
    {are_records_of_sqlite, "SQLite's .mode line", "!NF", "[^=]+="},
};

}  // namespace

std::optional<Slip> find_drawn_rows(std::string_view text) {
  const FormLines lines = first_lines_of(text);
  if (lines.empty()) return std::nullopt;
  Slip slip;
  slip.line = static_cast<std::uint64_t>(std::count(text.data(), lines[0].data(), '\n')) + 1;
  slip.text = lines[0];
  for (const RecordForm& form : record_forms) {
    if (!form.is(lines)) continue;
    slip.what = "these are records with a value in each line, as " + std::string(form.program) + " prints them";
    slip.fix = R"~(write a row a line: awk 'function put() { if (r != "") { if (!k++) print substr(n, 2); )~"
               R"~(print substr(r, 2) } n = r = "" } )~" +
               std::string(form.between) + R"~( { put(); next } match($0, /^)~" + form.name +
               R"~(/) { s = substr($0, 1, RLENGTH - 1); gsub(/^ +| +$/, "", s); n = n "\t" s; )~"
               R"~(s = substr($0, RLENGTH + 1); sub(/^ /, "", s); r = r "\t" s } END { put() }' FILE >NAME.tsv)~";
    return slip;
  }
  for (const DrawnForm& form : drawn_forms) {
    if (!form.is(lines)) continue;
    slip.what = "this is " + std::string(form.what);
    slip.fix = is_ruled_by_words(lines)
                   ? option("delimiter", "space") + " " + option("comment", "=") + " reads it: no value holds a blank"
                   : form.fix;
    return slip;
  }
  return std::nullopt;
}

std::optional<Slip> find_broken_rows(std::string_view text) {
  const FormLines first = first_lines_of(text);
  for (const char delimiter : {',', ';', '\t', ' '}) {
    const auto count = [&](std::string_view line) { return count_values(line, delimiter); };
    std::vector<std::size_t> counts;
    std::transform(first.begin(), first.end(), std::back_inserter(counts), count);
    const std::vector<std::size_t> pattern = pattern_of(counts);
    if (pattern.empty() || !are_numbers(first, delimiter)) continue;
    counts.clear();
    FormLines lines;
    std::string_view rest = text;
    for (std::string_view line; !(line = next_line_with_words(rest)).empty();) {
      lines.push_back(line);
      counts.push_back(count(line));
    }
    const BrokenRows rows = rows_of_pattern(counts, pattern);
    const std::string_view at = lines[rows.first_uneven];
    const std::string values = std::to_string(std::accumulate(pattern.begin(), pattern.end(), std::size_t{0}));
    const std::string mark = delimiter == ' '    ? ""
                             : delimiter == '\t' ? " -F'\\t'"
                             : delimiter == ';'  ? " -F';'"
                                                 : " -F,";
    Slip slip;
    slip.what = "each row runs over " + std::to_string(pattern.size()) + " lines" +
                (rows.uneven > 0 ? ", but for the one that begins here" : "");
    slip.fix = std::string(rows.uneven > 0 ? "has it all its values? " : "") + "join them: awk" + mark +
               R"( 'NF { sub(/[,;\t\r ]+$/, ""); r = r (n ? FS : "") $0; n += NF } n > )" + values +
               R"( { print "line " NR ": " n " values" >"/dev/stderr"; exit 1 } n == )" + values +
               R"( { print r; r = ""; n = 0 } END { if (n && n < )" + values +
               R"() print "last row: " n " values" >"/dev/stderr" }' FILE >NAME.csv)";
    slip.line = static_cast<std::uint64_t>(std::count(text.data(), at.data(), '\n')) + 1;
    slip.text = at;
    return slip;
  }
  return std::nullopt;
}

std::optional<std::string> find_labelled_words(std::string_view text) {
  constexpr std::size_t fewest = 4;
  const FormLines lines = first_lines_of(text);
  std::set<std::string_view> first, second;
  std::set<std::size_t> lengths;
  std::size_t words = 0, numbers = 0;
  for (std::string_view line : lines) {
    const std::size_t length = words_in(line);
    if (length < 3) return std::nullopt;
    lengths.insert(length);
    first.insert(next_word(line));
    second.insert(next_word(line));
    for (std::string_view word; !(word = next_word(line)).empty(); ++words) numbers += is_a_number(word) ? 1 : 0;
  }
  if (lines.size() < fewest || lengths.size() < 2 || 5 * numbers > words) return std::nullopt;
  const auto are_classes = [&](const std::set<std::string_view>& labels) {
    constexpr std::size_t often = 10;
    return labels.size() > 1 && (labels.size() == 2 || often * labels.size() <= lines.size());
  };
  const std::string as_words =
      "words behind a label, as Vowpal Wabbit text: sed -E 's/[:|]+( |$)/ /g; s/[:|]+/_/g; s/^";
  if (are_classes(first)) return as_words + R"(\s*(\S+)\s+/\1 |w /' FILE >NAME.vw)";
  if (first.size() == lines.size() && are_classes(second)) {
    return as_words + R"(\s*\S+\s+(\S+)\s+/\1 |w /' FILE >NAME.vw)";
  }
  return std::nullopt;
}

}  // namespace halfspace::stream
