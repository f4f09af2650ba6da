// The table of what other programs make of LIBSVM text, and the classes of lines that it is about.
#include "cli/elsewhere.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <limits>
#include <utility>

#include "cli/commands.h"
#include "halfspace/base/error.h"
#include "halfspace/stream/cache.h"
#include "stream/parser.h"
#include "stream/source/source.h"

namespace halfspace::cli {
namespace {

struct OtherProgram {
  std::string_view name, words, help;
};
constexpr std::array<OtherProgram, 4> kOtherPrograms = {{
    {"liblinear", "liblinear-train 2.3.0", "liblinear-train 2.3.0"},
    {"libsvm", "svm-train 3.24", "svm-train 3.24"},
    {"sklearn", "scikit-learn 1.2.1", "load_svmlight_file of scikit-learn 1.2.1"},
    {"xgboost", "XGBoost 1.7.4", "DMatrix of XGBoost 1.7.4"},
}};

enum class LineKind : std::uint8_t {
  byte_order_mark,
  blank,
  comment_line,
  comment_row,
  comment_with_colon,
  bare_label,
  fraction_label,
  wide_label,
  rounded_label,
  name_label,
  odd_label,
  several_labels,
  weight,
  query,
  index_0,
  descending,
  twice,
  index_31_bits,
  index_32_bits,
  index_64_bits,
  bad_index,
  bare_index,
  last_bare_index,
  no_value,
  blank_after_colon,
  hexadecimal,
  underscore,
  not_finite,
  overflow,
  large,
  many_digits,
  small,
  tiny,
  no_number,
  count
};

constexpr std::string_view kReads, kRefuses = "refuses the file", kUntried = "was not tried with it: mend the lines";
constexpr std::string_view kRefusesOr0 = "refuses the file, or reads 0";

struct LineFacts {
  std::string_view what;
  std::array<std::string_view, kOtherPrograms.size()> then;  // in their order; empty: reads what is meant
};
constexpr std::string_view kCuts = "cuts it to a whole number: 0.5 and -0.5 are one class, 0";
constexpr std::string_view kWraps = "takes the remainder modulo 2^32: index 4294967299 is index 3";
constexpr std::array<LineFacts, static_cast<std::size_t>(LineKind::count)> kLineFacts = {{
    {"a byte order mark", {kRefuses, kRefuses, kRefuses, kReads}},
    {"a blank line", {kRefuses, kRefuses, kReads, kReads}},
    {"a line of comment", {kRefuses, kRefuses, kReads, kReads}},
    {"a line of comment with a digit, a point, a sign or an e",
     {kReads, kReads, kReads, "makes it a row, or refuses the file"}},
    {"a comment with a colon behind a row", {kRefuses, kRefuses, kReads, kReads}},
    {"a row without features that ends in CRLF", {kRefuses, kRefuses, kReads, kReads}},
    {"a label that is not a whole number", {kCuts, kCuts, kReads, kReads}},
    {"a label beyond 32 bits", {"makes it -2147483648", "makes it -2147483648", kReads, kReads}},
    {"a label that needs more than 24 bits", {kReads, kReads, kReads, "rounds it: 16777217 is 16777216"}},
    {"a name as label", {kRefuses, kRefuses, kRefuses, "takes a number from within the line for the label"}},
    {"a label that is not finite", {kUntried, kUntried, kUntried, kUntried}},
    {"several labels", {kRefuses, kRefuses, kRefuses, kRefuses}},
    {"a colon in the first word", {kRefuses, kRefuses, kRefuses, "takes what follows the colon for the row's weight"}},
    {"a qid", {kRefuses, kRefuses, "leaves it out (query_id=True keeps it)", "groups the rows by it"}},
    {"index 0", {kRefuses, kReads, "moves all columns by one", kReads}},
    {"indices that do not ascend", {kRefuses, kRefuses, kRefuses, kReads}},
    {"an index twice in a row", {kRefuses, kRefuses, kRefuses, "keeps both values"}},
    {"an index above 2147483647", {kRefuses, kRefuses, kRefuses, kReads}},
    {"an index above 4294967295", {kWraps, kWraps, kRefuses, kWraps}},
    {"an index above 9223372036854775807", {kRefuses, kRefuses, kRefuses, kWraps}},
    {"an index that is not a whole number, or negative",
     {kRefuses, kRefuses, kRefuses, "refuses the file, or reads another index"}},
    {"an index without a value", {kRefuses, kRefuses, kRefuses, "refuses the file, or reads 1 if none has a value"}},
    {"an index without a value at the end of a row",
     {"leaves it out", "leaves it out", kRefuses, "refuses the file, or reads 1 if none has a value"}},
    {"a colon without a value", {kRefuses, kRefuses, kRefuses, kRefusesOr0}},
    {"a blank between colon and value",
     {"reads the value behind the blank", "reads the value behind the blank", kRefuses,
      "reads the value behind the blank"}},
    {"a hexadecimal value", {"reads 16 for 0x10", "reads 16 for 0x10", kRefuses, kRefuses}},
    {"an underscore in a value", {kRefuses, kRefuses, "reads 10 for 1_0", kRefuses}},
    {"a value that is not finite", {kUntried, kReads, kReads, kRefusesOr0}},
    {"a value above 1.8e308", {kRefuses, kRefuses, "reads inf", "reads 1e38, or refuses the file"}},
    {"a value above 3.4e38", {kReads, kReads, kReads, "reads 1e38, or refuses the file"}},
    {"a value with more than 19 digits before its point", {kReads, kReads, kReads, "reads another number"}},
    {"a value other than 0 below 1.2e-38", {kReads, kReads, kReads, "reads 1.2e-38, or 0"}},
    {"a value other than 0 below 2.3e-308", {kRefuses, kRefuses, kReads, kReads}},
    {"a value that is not a number",
     {kRefuses, kRefuses, kRefuses, "refuses the file, or reads the number that it begins with, else 0"}},
}};

bool is_blank_of_line(char c) {
  return c == ' ' || c == '\t';
}

bool has_digits_of(std::string_view text, std::string_view digits) {
  return !text.empty() && text.find_first_not_of(digits) == std::string_view::npos;
}

// Sorts the lines of one text into their kinds.
class LineSorter {
 public:
  using Found = std::array<bool, static_cast<std::size_t>(LineKind::count)>;

  // `first`: of its file. Returns the kinds of the line, which has no line end but perhaps a CR.
  const Found& sort(std::string_view line, bool first) {
    found_.fill(false);
    if (first && line.starts_with("\xef\xbb\xbf")) {
      add(LineKind::byte_order_mark);
      line.remove_prefix(3);
    }
    const bool returns = line.ends_with('\r');
    if (returns) line.remove_suffix(1);
    const std::size_t hash = line.find('#');
    const std::string_view comment = hash == std::string_view::npos ? std::string_view() : line.substr(hash);
    cut(line.substr(0, hash));
    if (words_.empty()) {
      add(comment.empty() ? LineKind::blank : LineKind::comment_line);
      if (!first && comment.find_first_of("0123456789.+-eE") != std::string_view::npos) add(LineKind::comment_row);
      return found_;
    }
    if (comment.find(':') != std::string_view::npos) add(LineKind::comment_with_colon);
    if (returns && words_.size() == 1 && words_.front().data() + words_.front().size() == line.data() + line.size())
      add(LineKind::bare_label);
    sort_label(words_.front());
    indices_.clear();
    for (std::size_t i = 1; i < words_.size(); ++i) i += sort_feature(i);
    sort_order();
    return found_;
  }

 private:
  void add(LineKind kind) { found_[static_cast<std::size_t>(kind)] = true; }

  void cut(std::string_view text) {
    words_.clear();
    for (std::size_t at = 0; at < text.size();) {
      if (is_blank_of_line(text[at])) {
        ++at;
        continue;
      }
      const std::size_t end = std::min(text.find_first_of(" \t", at), text.size());
      words_.push_back(text.substr(at, end - at));
      at = end;
    }
  }

  void sort_label(std::string_view label) {
    if (label.find(':') != std::string_view::npos) return add(LineKind::weight);
    double value = 0;
    switch (stream::parse_number(label, value)) {
      case stream::NumberProblem::none:
        break;
      case stream::NumberProblem::not_a_number:
        return add(has_digits_of(label, "0123456789.+-eE,") && label.find(',') != std::string_view::npos
                       ? LineKind::several_labels
                       : LineKind::name_label);
      case stream::NumberProblem::not_finite:
      case stream::NumberProblem::overflow:
        return add(LineKind::odd_label);
    }
    if (std::abs(value) >= 2147483648.0) {
      add(LineKind::wide_label);
    } else if (value != std::trunc(value)) {
      add(LineKind::fraction_label);
    }
    if (value == std::trunc(value) && std::abs(value) > 16777216.0 && std::abs(value) < 3e38 &&
        static_cast<double>(static_cast<float>(value)) != value)
      add(LineKind::rounded_label);
  }

  // Returns how many words after this one belong to it.
  std::size_t sort_feature(std::size_t i) {
    const std::string_view word = words_[i];
    const std::size_t colon = word.find(':');
    if (colon == std::string_view::npos) {
      const bool last = std::none_of(words_.begin() + static_cast<std::ptrdiff_t>(i), words_.end(),
                                     [](std::string_view w) { return w.find(':') != std::string_view::npos; });
      add(last ? LineKind::last_bare_index : LineKind::bare_index);
      return 0;
    }
    if (word.starts_with("qid:")) {
      add(LineKind::query);
      return 0;
    }
    sort_index(word.substr(0, colon));
    const std::string_view value = word.substr(colon + 1);
    if (!value.empty()) {
      sort_value(value);
      return 0;
    }
    const bool follows = i + 1 < words_.size() && words_[i + 1].find(':') == std::string_view::npos;
    add(follows ? LineKind::blank_after_colon : LineKind::no_value);
    return follows ? 1 : 0;
  }

  void sort_index(std::string_view text) {
    if (text.starts_with('+')) text.remove_prefix(1);
    if (!has_digits_of(text, "0123456789")) return add(LineKind::bad_index);
    std::int64_t index = 0;
    if (std::from_chars(text.data(), text.data() + text.size(), index).ec != std::errc())
      return add(LineKind::index_64_bits);
    if (index == 0) add(LineKind::index_0);
    if (index > 4294967295) return add(LineKind::index_32_bits);
    if (index > 2147483647) add(LineKind::index_31_bits);
    indices_.push_back(index);
  }

  void sort_order() {
    if (!std::is_sorted(indices_.begin(), indices_.end())) {
      add(LineKind::descending);
      std::sort(indices_.begin(), indices_.end());
    }
    if (std::adjacent_find(indices_.begin(), indices_.end()) != indices_.end()) add(LineKind::twice);
  }

  void sort_value(std::string_view text) {
    double value = 0;
    switch (stream::parse_number(text, value)) {
      case stream::NumberProblem::none:
        break;
      case stream::NumberProblem::not_finite:
        return add(LineKind::not_finite);
      case stream::NumberProblem::overflow:
        return add(LineKind::overflow);
      case stream::NumberProblem::not_a_number:
        return add(kind_of_word(text));
    }
    if (std::abs(value) > static_cast<double>(std::numeric_limits<float>::max())) add(LineKind::large);
    const std::size_t digits = text.find_first_not_of("0123456789", text.find_first_not_of("+-0"));
    if (std::min(digits, text.size()) - std::min(text.find_first_not_of("+-0"), text.size()) > 19)
      add(LineKind::many_digits);
    const bool zero = text.substr(0, text.find_first_of("eE")).find_first_of("123456789") == std::string_view::npos;
    if (zero) return;
    if (std::abs(value) < static_cast<double>(std::numeric_limits<float>::min())) add(LineKind::small);
    if (std::abs(value) < std::numeric_limits<double>::min()) add(LineKind::tiny);
  }

  static LineKind kind_of_word(std::string_view text) {
    if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
    if ((text.starts_with("0x") || text.starts_with("0X")) && has_digits_of(text.substr(2), "0123456789abcdefABCDEF"))
      return LineKind::hexadecimal;
    const bool grouped_digits = has_digits_of(text, "0123456789_") && text.front() != '_' && text.back() != '_' &&
                                text.find("__") == std::string_view::npos;
    return grouped_digits ? LineKind::underscore : LineKind::no_number;
  }

  std::vector<std::string_view> words_;
  std::vector<std::int64_t> indices_;
  Found found_{};
};

constexpr std::size_t kMostOfLine = std::size_t{64} << 20;  // bytes that are looked at, of one without end

// Calls use(line) for each line of a file, decompressed, without its line end.
template <class F>
void for_each_line(const std::string& file, F&& use) {
  const std::unique_ptr<stream::Source> source = stream::open_source(file, &interrupted());
  std::vector<char> room(std::size_t{1} << 20);
  std::string rest;  // of a line whose end is not read yet
  for (std::size_t size; (size = source->read(room.data(), room.size())) > 0;) {
    std::string_view text(room.data(), size);
    for (std::size_t end; (end = text.find('\n')) != std::string_view::npos; text.remove_prefix(end + 1)) {
      if (rest.empty()) {
        use(text.substr(0, end));
      } else {
        rest += text.substr(0, end);
        use(std::string_view(rest));
        rest.clear();
      }
    }
    rest += text.substr(0, kMostOfLine - std::min(kMostOfLine, rest.size()));
  }
  if (!rest.empty()) use(std::string_view(rest));
}

}  // namespace

std::vector<FlagChoice> elsewhere_programs() {
  std::vector<FlagChoice> choices;
  for (const OtherProgram& program : kOtherPrograms)
    choices.push_back({std::string(program.name), std::string(program.help)});
  return choices;
}

ElsewhereReading read_elsewhere(std::string_view program, const std::vector<std::string>& files) {
  const auto which = std::find_if(kOtherPrograms.begin(), kOtherPrograms.end(),
                                  [&](const OtherProgram& each) { return each.name == program; });
  const std::size_t column = static_cast<std::size_t>(which - kOtherPrograms.begin());
  std::array<ElsewhereLines, kLineFacts.size()> all;
  LineSorter sorter;
  for (const std::string& file : files) {
    if (!std::filesystem::is_regular_file(file) || is_cache(file)) {
      throw Error(ErrorKind::usage,
                  "for " + std::string(which->words) + " the text is read twice: it must be a file of text")
          .at(file)
          .fix("write the text to a file, and check that");
    }
    std::uint64_t number = 0;
    for_each_line(file, [&](std::string_view line) {
      const LineSorter::Found& found = sorter.sort(line, ++number == 1);
      for (std::size_t kind = 0; kind < all.size(); ++kind) {
        if (!found[kind] || kLineFacts[kind].then[column].empty()) continue;
        if (all[kind].lines++ > 0) continue;
        all[kind].what = kLineFacts[kind].what;
        all[kind].then = kLineFacts[kind].then[column];
        all[kind].file = file;
        all[kind].line = number;
      }
    });
  }
  ElsewhereReading reading{which->words, {}};
  for (ElsewhereLines& lines : all) {
    if (lines.lines > 0) reading.lines.push_back(std::move(lines));
  }
  if (files.size() == 1)
    std::stable_sort(reading.lines.begin(), reading.lines.end(),
                     [](const ElsewhereLines& a, const ElsewhereLines& b) { return a.lines != 0 && a.line < b.line; });
  return reading;
}

}  // namespace halfspace::cli
