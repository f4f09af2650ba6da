// Tells the slips apart by the words of the lines.
#include "stream/formats/slips.h"

#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include "halfspace/base/error.h"
#include "stream/text/first_lines.h"
#include "stream/text/number.h"
#include "stream/text/shapes.h"

namespace halfspace::stream {
namespace {

bool is_number(std::string_view word) {
  double ignored = 0;
  return parse_number(word, ignored) != NumberProblem::not_a_number;
}

bool is_whole(std::string_view word) {
  return !word.empty() && word.find_first_not_of("0123456789") == std::string_view::npos;
}

std::string_view name_of_pair(std::string_view word) { return word.substr(0, word.find_first_of(":=")); }

std::string_view value_of_pair(std::string_view word) { return word.substr(word.find_first_of(":=") + 1); }

struct Line {
  std::vector<std::string_view> words;
  std::size_t pairs_at = 0;  // the first word that is a pair
  bool indices = true;       // the names of the pairs are whole numbers

  explicit Line(std::string_view line) {
    for (std::string_view word; !(word = next_word(line)).empty();) words.push_back(word);
    pairs_at = static_cast<std::size_t>(std::find_if(words.begin(), words.end(), is_pair) - words.begin());
    for (std::size_t i = pairs_at; i < words.size(); ++i) indices = indices && is_whole(name_of_pair(words[i]));
  }
  bool has_pairs() const { return pairs_at < words.size(); }
  // A factor of the costs, as SVMlight has it.
  bool has_costs() const {
    constexpr std::array<std::string_view, 4> names = {"cost", "weight", "importance", "w"};
    return pairs_at == 1 && has_pairs() &&
           std::find(names.begin(), names.end(), name_of_pair(words[1])) != names.end() &&
           is_number(value_of_pair(words[1])) && std::all_of(words.begin() + 2, words.end(), [](std::string_view word) {
             return is_whole(name_of_pair(word));
           });
  }
  bool has_decimal_commas() const {
    return has_pairs() && std::any_of(words.begin(), words.end(), [](std::string_view word) {
             std::string point(value_of_pair(word));
             const std::size_t comma = point.find(',');
             if (comma == std::string::npos || comma + 1 == point.size() || !is_pair(word)) return false;
             point[comma] = '.';
             return is_number(point);
           });
  }
};

// Adds the parts of a line between some characters. Returns their number.
std::size_t add_parts(std::string_view line, std::string_view between, Pairs& pairs) {
  std::size_t parts = 0;
  for (std::size_t end = 0; end != std::string_view::npos; ++parts) {
    end = line.find_first_of(between);
    pairs.add(line.substr(0, end), parts == 0);
    if (end != std::string_view::npos) line.remove_prefix(end + 1);
  }
  return parts;
}

// 1,3:0.5,7:2, with pairs between commas or semicolons. `whole`: the first is a pair, too.
bool splits_by_commas(std::string_view line, bool whole = false) {
  Pairs pairs;
  const std::size_t parts = add_parts(line, ",;", pairs);
  return parts > 1 && pairs.pairs() == pairs.values() && pairs.pairs() >= (whole ? parts : 1);
}

// Returns the names of a line of pairs between commas, in their order.
std::vector<std::string_view> names_between_commas(std::string_view line) {
  std::vector<std::string_view> names;
  for (std::size_t end = 0; end != std::string_view::npos;) {
    end = line.find_first_of(",;");
    names.push_back(name_of_pair(line.substr(0, end)));
    if (end != std::string_view::npos) line.remove_prefix(end + 1);
  }
  return names;
}

// Returns the line of names for a table of these columns.
std::string header_of(const std::vector<std::string_view>& names, char delimiter = ',') {
  std::string header;
  for (std::string_view name : names) {
    name.remove_prefix(std::min(name.find_first_not_of(line_blanks), name.size()));
    if (!header.empty()) header += delimiter;
    header += name;
  }
  return header;
}

// Returns the names of a line of name=value between blanks; none if a word is something else, or its name is a number.
std::vector<std::string_view> names_between_blanks(std::string_view text) {
  const Line line(text);
  std::vector<std::string_view> names;
  for (const std::string_view word : line.words) {
    if (!is_pair(word) || word[name_of_pair(word).size()] != '=' || is_number(name_of_pair(word))) return {};
    names.push_back(name_of_pair(word));
  }
  return names;
}

Pairs pairs_of(const std::vector<std::string_view>& lines) {
  Pairs words, fields;
  for (const std::string_view line : lines) {
    add_parts(line, line_blanks, words);
    add_parts(line, ",;|\t", fields);
  }
  return words.are_most() ? words : fields;
}

constexpr const char* libsvm = "LIBSVM is a label and index:value between blanks";

struct Advice {
  std::string what, fix;
};

template <class T, class F>
bool most(const std::vector<T>& all, F&& is) {
  return 2 * static_cast<std::size_t>(std::count_if(all.begin(), all.end(), is)) > all.size();
}

// Two words before the pairs: an id and a label, or a label and a weight. Ids are more various than labels, which are
// more various than weights.
Advice about_two_words(const std::vector<Line>& lines, bool indices) {
  std::set<std::string_view> first, second;
  bool weights = true;
  for (const Line& line : lines) {
    if (line.pairs_at != 2 || !line.has_pairs()) continue;
    first.insert(line.words[0]);
    second.insert(line.words[1]);
    weights = weights && is_number(line.words[1]);
  }
  if (second.size() > 1 && first.size() > second.size()) {
    return {std::string(libsvm) + ", without an id before the label",
            indices ? "leave it out: sed -E 's/^\\s*\\S+\\s+//' FILE >NAME"
                    : "as Vowpal Wabbit text: sed -E 's/^\\s*\\S+\\s+(\\S+)\\s+/\\1 | /' FILE >NAME.vw"};
  }
  return {std::string(libsvm) + ", without a weight behind the label",
          weights ? "as Vowpal Wabbit text, which has weights: sed -E 's/^\\s*(\\S+)\\s+(\\S+)\\s+/\\1 \\2 | /' FILE "
                    ">NAME.vw"
                  : "leave it out: sed -E 's/^\\s*(\\S+)\\s+\\S+/\\1/' FILE >NAME"};
}

Advice about_words(const std::vector<std::string_view>& texts) {
  std::vector<Line> lines;
  for (const std::string_view text : texts) lines.emplace_back(text);
  if (most(lines, [](const Line& line) { return line.has_decimal_commas(); })) {
    return {"decimal commas in LIBSVM or Vowpal Wabbit text",
            "write decimal points: sed -E 's/([0-9]),([0-9])/\\1.\\2/g' FILE >NAME"};
  }
  if (most(texts, [](std::string_view line) { return splits_by_commas(line); })) {
    return {std::string(libsvm) + ", not commas",
            is_whole(names_between_commas(texts[texts.size() / 2]).back())
                ? "sed 's/[,;]/ /g' FILE >NAME"
                : "as Vowpal Wabbit text: sed -E 's/[,;]\\s*/ /g; s/^\\s*(\\S+)\\s+/\\1 | /' FILE >NAME.vw"};
  }
  if (most(lines, [](const Line& line) { return line.has_costs(); })) {
    return {
        std::string(libsvm) + ", without a weight or cost",
        "as Vowpal Wabbit text, which has weights: sed -E 's/^\\s*(\\S+)\\s+[a-z]+:(\\S+)/\\1 \\2 |/' FILE >NAME.vw"};
  }
  if (most(lines, [](const Line& line) { return line.pairs_at == 2 && line.has_pairs(); }))
    return about_two_words(lines, most(lines, [](const Line& line) { return line.indices; }));
  if (most(lines, [](const Line& line) { return line.pairs_at <= 1 && line.has_pairs(); })) {
    return {"name:value as in Vowpal Wabbit text without its bar; " + std::string(libsvm),
            "as Vowpal Wabbit text: sed -E 's/^\\s*(\\S+)\\s+/\\1 | /' FILE >NAME.vw"};
  }
  return {"no table, and neither LIBSVM (label index:value) nor Vowpal Wabbit text (label | name:value)",
          "write one of these"};
}

Advice about_marks_between(const std::vector<std::string_view>& texts) {
  if (most(texts, [](std::string_view line) { return line.find('|') != std::string_view::npos; })) {
    return {"no table, and not Vowpal Wabbit text (label |namespace name:value ...)",
            option("format", "vw") + " reports what is wrong in its lines"};
  }
  const auto usual_names = names_between_commas(texts[texts.size() / 2]);
  if (most(texts, [&](std::string_view line) {
        return splits_by_commas(line, true) && names_between_commas(line) == usual_names;
      })) {
    return {"each value has its column's name before it", "write them as a header: sed -E -e '1i " +
                                                              header_of(usual_names) +
                                                              "' -e 's/[^,;:=]+[:=]//g; s/;/,/g' FILE >NAME.csv"};
  }
  const auto names = names_between_blanks(texts[texts.size() / 2]);
  if (names.size() > 1 && most(texts, [&](std::string_view line) { return names_between_blanks(line) == names; })) {
    return {"each value has its column's name before it", "write them as a header: sed -E -e '1i " +
                                                              header_of(names, ' ') +
                                                              "' -e 's/(^| +)[^ :=]+[:=]/\\1/g' FILE >NAME.csv"};
  }
  if (most(texts, [](std::string_view line) {
        return line.find('=') != std::string_view::npos && line.find(':') == std::string_view::npos;
      })) {
    return {"LIBSVM and Vowpal Wabbit text have name:value, not name=value", "sed 's/=/:/g' FILE >NAME"};
  }
  return about_words(texts);
}

}  // namespace

std::optional<Slip> find_slip(std::string_view text) {
  const std::vector<std::string_view> texts = first_lines_of(text);
  const Pairs pairs = pairs_of(texts);
  if (!pairs.are_most()) return std::nullopt;
  const Advice advice = about_marks_between(texts);
  return Slip{advice.what + ": " + std::to_string(pairs.pairs()) + " of " + std::to_string(pairs.values()) +
                  " values are name:value",
              advice.fix, static_cast<std::uint64_t>(std::count(text.data(), texts.front().data(), '\n')) + 1,
              std::string(texts.front())};
}

std::optional<Slip> find_weighted_labels(std::string_view text) {
  std::size_t rows = 0, pairs = 0, behind = 0;
  std::set<std::string_view> labels, indices;
  const std::vector<std::string_view> texts = first_lines_of(text);
  for (const std::string_view one : texts) {
    const Line line(one.substr(0, one.find('#')));
    if (line.words.empty()) continue;
    ++rows;
    if (line.pairs_at != 0 || !line.has_pairs()) continue;
    ++pairs;
    labels.insert(name_of_pair(line.words[0]));
    for (std::size_t i = 1; i < line.words.size(); ++i) indices.insert(name_of_pair(line.words[i]));
    double first = 0, second = 0;
    if (line.words.size() > 1 && is_whole(name_of_pair(line.words[1]))) {
      parse_number(name_of_pair(line.words[1]), second);
      const bool number = parse_number(name_of_pair(line.words[0]), first) == NumberProblem::none;
      behind += !number || first >= second ? 1 : 0;
    }
  }
  const bool apart = labels.size() > 1 && std::none_of(labels.begin(), labels.end(),
                                                       [&](std::string_view label) { return indices.contains(label); });
  if (rows == 0 || 2 * pairs <= rows || (behind == 0 && !apart) || 4 * labels.size() > std::max<std::size_t>(rows, 8))
    return std::nullopt;
  Slip slip;
  slip.what = std::string(libsvm) + ", and the lines begin with label:weight";
  slip.fix = "as Vowpal Wabbit text, which has weights: sed -E 's/^\\s*([^: ]+):(\\S+)/\\1 \\2 |/' FILE >NAME.vw";
  slip.line = static_cast<std::uint64_t>(std::count(text.data(), texts.front().data(), '\n')) + 1;
  slip.text = texts.front();
  return slip;
}

}  // namespace halfspace::stream
