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
#include "stream/source/source.h"
#include "stream/text/number.h"

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
  compressed,
  misnamed,
  byte_order_mark,
  blank,
  comment_line,
  comment_row,
  comment_with_colon,
  glued_comment,
  other_blank,
  nul,
  bare_label,
  fraction_label,
  wide_label,
  rounded_label,
  long_label,
  sized_label,
  name_label,
  odd_label,
  comma_label,
  weight,
  query,
  late_query,
  index_0,
  descending,
  twice,
  index_31_bits,
  index_32_bits,
  index_64_bits,
  bad_index,
  odd_index,
  bare_index,
  last_bare_index,
  no_value,
  blank_after_colon,
  hexadecimal,
  underscore,
  odd_number,
  not_finite,
  overflow,
  large,
  rounded,
  many_digits,
  many_zeros,
  far_exponent,
  small,
  tiny,
  no_number,
  count
};

constexpr std::string_view kReads, kRefuses = "refuses the file", kUntried = "was not tried with it: mend the lines";
constexpr std::string_view kRefusesOr0 = "refuses the file, or reads 0";
constexpr std::string_view kRefusesOrLeaves = "refuses the file, or leaves it out";
constexpr std::string_view kMayCrash = "refuses the file, or may crash: do not hand it over";
constexpr std::string_view kCutsRow = "refuses the file, or may leave out what follows";

struct LineFacts {
  std::string_view what;
  std::array<std::string_view, kOtherPrograms.size()> then;  // in their order; empty: reads what is meant
};
constexpr std::string_view kCuts = "cuts it to a whole number: 0.5 and -0.5 are one class, 0";
constexpr std::string_view kWraps = "takes the remainder modulo 2^32: index 4294967299 is index 3; or refuses the file";
constexpr std::array<LineFacts, static_cast<std::size_t>(LineKind::count)> kLineFacts = {{
    {"a compressed file",
     {kRefuses, kRefuses, "decompresses by the ending of the name alone, .gz or .bz2, and refuses other files",
      "reads garbage, or refuses the file: decompress it first"}},
    {"a file that is named .gz or .bz2 and is not compressed", {kReads, kReads, kRefuses, kReads}},
    {"a byte order mark", {kRefuses, kRefuses, kRefuses, kReads}},
    {"a blank line", {kRefuses, kRefuses, kReads, kReads}},
    {"a line of comment", {kRefuses, kRefuses, kReads, kReads}},
    {"a line of comment with a digit, a point, a sign or an e",
     {kReads, kReads, kReads, "makes it a row, or refuses the file"}},
    {"a comment with a colon behind a row", {kRefuses, kRefuses, kReads, kReads}},
    {"a comment without a blank before it", {kRefuses, kRefuses, kReads, kReads}},
    {"a CR or other white space within a line",
     {kCutsRow, kCutsRow, "may read it as a blank, or refuse the file",
      "begins a line at a CR, reads others as a blank, or refuses the file"}},
    {"a NUL byte", {kUntried, kUntried, kUntried, kUntried}},
    {"a row without features that ends in CRLF", {kRefuses, kRefuses, kReads, kReads}},
    {"a label that is not a whole number", {kCuts, kCuts, kReads, kReads}},
    {"a label beyond 32 bits", {"makes it -2147483648", "makes it -2147483648", kReads, kReads}},
    {"a label that needs more than 24 bits", {kReads, kReads, kReads, "rounds it: 16777217 is 16777216"}},
    {"a label with a fraction and more than 6 digits",
     {kReads, kReads, kReads, "rounds it: 0.1 and 0.1000000001 are one class"}},
    {"a label of unusual size or notation",
     {kReads, kReads, kReads, "may read another number: 0 for 36893488147419103232"}},
    {"a name as label",
     {kRefuses, kRefuses, kRefuses, "takes a number from within the line for the label, or refuses the file"}},
    {"an unusual number as label", {kUntried, kUntried, kUntried, kUntried}},
    {"a comma in the first word: several labels, or CSV",
     {kRefuses, kRefuses, kRefuses,
      "refuses the file, takes a number of it for the label, or may crash: do not hand it over"}},
    {"a colon in the first word",
     {kRefuses, kRefuses, kRefuses,
      "takes weights from it, for other rows where some have none, or refuses the file: do not hand it over"}},
    {"a qid", {kRefuses, kRefuses, "leaves it out (query_id=True keeps it)", "groups the rows by it"}},
    {"a qid that is not directly behind the label",
     {kRefuses, kRefuses, kRefuses, "refuses the file, or groups the rows by it"}},
    {"index 0", {kRefuses, kReads, "moves all columns by one", kReads}},
    {"indices that do not ascend", {kRefuses, kRefuses, kRefuses, kReads}},
    {"an index twice in a row", {kRefuses, kRefuses, kRefuses, "keeps both values"}},
    {"an index above 2147483647", {kRefuses, kRefuses, kRefuses, kReads}},
    {"an index above 4294967295", {kWraps, kWraps, kRefuses, kWraps}},
    {"an index above 9223372036854775807", {kRefuses, kRefuses, kRefuses, kWraps}},
    {"an index that is not a whole number, or negative",
     {kRefuses, kRefuses, kRefuses, "refuses the file, or reads another index"}},
    {"an unusual index", {kUntried, kUntried, kUntried, kUntried}},
    {"an index without a value", {kRefuses, kRefuses, kRefuses, kMayCrash}},
    {"an index without a value at the end of a row", {"leaves it out", "leaves it out", kRefuses, kMayCrash}},
    {"a colon without a value", {kRefusesOrLeaves, kRefusesOrLeaves, kRefuses, kRefusesOr0}},
    {"a blank between colon and value",
     {"reads the value behind the blank", "reads the value behind the blank", kRefuses,
      "reads the value behind the blank"}},
    {"a hexadecimal value", {"reads 16 for 0x10", "reads 16 for 0x10", kRefuses, kRefuses}},
    {"an underscore in a value", {kRefuses, kRefuses, "reads 10 for 1_0", kRefuses}},
    {"an unusual number as value", {kUntried, kUntried, kUntried, kUntried}},
    {"a value that is not finite", {kUntried, kReads, kReads, "refuses the file, or reads 0 or nothing"}},
    {"a value above 1.8e308", {kRefuses, kRefuses, "reads inf", "reads another number, or refuses the file"}},
    {"a value above 3.4e38", {kReads, kReads, kReads, "reads another number, or refuses the file"}},
    {"a whole number as value that needs more than 24 bits",
     {kReads, kReads, kReads, "rounds it: 16777217 is 16777216"}},
    {"a value with more than 19 digits before its point", {kReads, kReads, kReads, "reads another number"}},
    {"a value with more than 10 zeros after its point",
     {kReads, kReads, kReads, "may lose digits, or read 0: it keeps 19 digits after the point"}},
    {"a value with an exponent beyond 38", {kReads, kReads, kReads, "reads another number: 1e-35 for 1000e-40"}},
    {"a value other than 0 below 1.2e-38", {kReads, kReads, kReads, "may read another number, or 0"}},
    {"a value other than 0 below 2.3e-308", {kRefuses, kRefuses, kReads, kReads}},
    {"a value that is not a number",
     {kRefuses, kRefuses, kRefuses, "refuses the file, or reads the number that it begins with, else 0"}},
}};

bool is_blank_of_line(char c) { return c == ' ' || c == '\t'; }

bool has_digits_of(std::string_view text, std::string_view digits) {
  return !text.empty() && text.find_first_not_of(digits) == std::string_view::npos;
}

constexpr double kMostOfFloat = std::numeric_limits<float>::max(), kLeastOfFloat = std::numeric_limits<float>::min();

bool rounds(double value) { return static_cast<double>(static_cast<float>(value)) != value; }

// Returns whether a word that is no decimal is a number of C or Python: 0x1.8p3, 1_0.5, nan(1).
bool may_be_number(std::string_view text) {
  if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
  if (text.empty()) return false;
  const auto is = [&](std::size_t at, char small) { return at < text.size() && (text[at] | 0x20) == small; };
  if (is(0, 'n') && is(1, 'a') && is(2, 'n')) return text.size() == 3 || text[3] == '(';
  const bool digit = text.find_first_of("0123456789.") == 0;
  return digit && (is(1, 'x') || text.find('_') != std::string_view::npos);
}

// Returns whether every program takes a word for no index, or for one that is cut at a point: 3.5, -3, a.
bool is_no_index(std::string_view text) {
  if (text.starts_with('-')) return has_digits_of(text.substr(1), "0123456789") && text.find_first_of("123456789") == 1;
  const std::size_t point = text.find('.');
  if (point != std::string_view::npos)
    return has_digits_of(text.substr(0, point), "0123456789") && has_digits_of(text.substr(point + 1), "0123456789");
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  return !text.empty() && std::all_of(text.begin(), text.end(), is_letter);
}

// How a decimal is written.
struct Digits {
  std::size_t whole = 0;        // digits before the point, without zeros that lead
  std::size_t zeros = 0;        // directly after the point, where no digit is before it
  std::size_t significant = 0;  // digits but zeros that lead
  bool far = false;             // its exponent is beyond 38

  explicit Digits(std::string_view text) {
    const std::size_t e = text.find_first_of("eE");
    std::string_view mantissa = text.substr(0, e);
    mantissa.remove_prefix(std::min(mantissa.find_first_not_of("+-0"), mantissa.size()));
    const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
    whole = point;
    std::string_view behind = mantissa.substr(std::min(point + 1, mantissa.size()));
    if (whole == 0) {
      zeros = std::min(behind.find_first_not_of('0'), behind.size());
      behind.remove_prefix(zeros);
    }
    significant = whole + behind.size();
    if (e == std::string_view::npos) return;
    std::string_view power = text.substr(e + 1);
    power.remove_prefix(std::min(power.find_first_not_of("+-0"), power.size()));
    far = power.size() > 2 || (power.size() == 2 && power > "38");
  }

  // Returns whether XGBoost may read another number than the nearest.
  bool misread() const { return whole > 19 || zeros > 10 || far; }
};

// Sorts the lines of one text into their kinds.
class LineSorter {
 public:
  using Found = std::array<bool, static_cast<std::size_t>(LineKind::count)>;

  // `first`: of its file. Returns the kinds of the line, which has no line end but perhaps a CR.
  const Found& sort(std::string_view line, bool first) {
    found_.fill(false);
    const bool marked = first && line.starts_with("\xef\xbb\xbf");
    if (marked) {
      add(LineKind::byte_order_mark);
      line.remove_prefix(3);
    }
    const bool returns = line.ends_with('\r');
    if (returns) line.remove_suffix(1);
    if (add_odd_bytes(line)) return found_;
    const std::size_t hash = line.find('#');
    const std::string_view comment = hash == std::string_view::npos ? std::string_view() : line.substr(hash);
    cut(line.substr(0, hash));
    if (words_.empty()) {
      add(comment.empty() ? LineKind::blank : LineKind::comment_line);
      if ((!first || marked) && comment.find_first_of("0123456789.+-eE") != std::string_view::npos)
        add(LineKind::comment_row);
      return found_;
    }
    if (comment.find(':') != std::string_view::npos) add(LineKind::comment_with_colon);
    if (!comment.empty() && !is_blank_of_line(line[hash - 1])) add(LineKind::glued_comment);
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

  // Returns whether the line has bytes that each program takes otherwise: what is between them is not looked at.
  bool add_odd_bytes(std::string_view line) {
    if (line.find('\0') != std::string_view::npos) add(LineKind::nul);
    if (line.find_first_of("\r\v\f") != std::string_view::npos) add(LineKind::other_blank);
    return line.find_first_of(std::string_view("\0\r\v\f", 4)) != std::string_view::npos;
  }

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
        if (label.find(',') != std::string_view::npos) return add(LineKind::comma_label);
        return add(may_be_number(label) ? LineKind::odd_label : LineKind::name_label);
      case stream::NumberProblem::not_finite:
      case stream::NumberProblem::overflow:
        return add(LineKind::odd_label);
    }
    const bool whole = value == std::trunc(value);
    if (value >= 2147483648.0 || value < -2147483648.0) {
      add(LineKind::wide_label);
    } else if (!whole) {
      add(LineKind::fraction_label);
    }
    const Digits digits(label);
    if (digits.misread() || (value != 0 && (std::abs(value) > kMostOfFloat || std::abs(value) < kLeastOfFloat)))
      return add(LineKind::sized_label);
    if (whole && rounds(value)) add(LineKind::rounded_label);
    if (!whole && digits.significant > 6) add(LineKind::long_label);
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
      add(i == 1 ? LineKind::query : LineKind::late_query);
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
    if (!has_digits_of(text, "0123456789")) return add(is_no_index(text) ? LineKind::bad_index : LineKind::odd_index);
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
        return add(text.find('(') == std::string_view::npos ? LineKind::not_finite : LineKind::odd_number);
      case stream::NumberProblem::overflow:
        return add(LineKind::overflow);
      case stream::NumberProblem::not_a_number:
        return add(kind_of_word(text));
    }
    if (value == 0) {
      if (text.substr(0, text.find_first_of("eE")).find_first_of("123456789") == std::string_view::npos) return;
      add(LineKind::small);
      return add(LineKind::tiny);
    }
    const Digits digits(text);
    if (std::abs(value) > kMostOfFloat) {
      add(LineKind::large);
    } else if (std::abs(value) < kLeastOfFloat) {
      add(LineKind::small);
      if (std::abs(value) < std::numeric_limits<double>::min()) add(LineKind::tiny);
    } else if (digits.far) {
      add(LineKind::far_exponent);
    } else if (digits.whole <= 19 && value == std::trunc(value) && rounds(value)) {
      add(LineKind::rounded);
    }
    if (digits.whole > 19) add(LineKind::many_digits);
    if (digits.zeros > 10) add(LineKind::many_zeros);
  }

  static LineKind kind_of_word(std::string_view text) {
    if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
    if ((text.starts_with("0x") || text.starts_with("0X")) && has_digits_of(text.substr(2), "0123456789abcdefABCDEF"))
      return LineKind::hexadecimal;
    const bool grouped_digits = has_digits_of(text, "0123456789_") && text.front() != '_' && text.back() != '_' &&
                                text.find("__") == std::string_view::npos;
    if (grouped_digits) return LineKind::underscore;
    return may_be_number(text) ? LineKind::odd_number : LineKind::no_number;
  }

  std::vector<std::string_view> words_;
  std::vector<std::int64_t> indices_;
  Found found_{};
};

constexpr std::size_t kMostOfLine = std::size_t{64} << 20;  // bytes that are looked at, of one without end

// Calls use(line) for each line, without its line end.
template <class F>
void for_each_line(stream::Source& source, F&& use) {
  std::vector<char> room(std::size_t{1} << 20);
  std::string rest;  // of a line whose end is not read yet
  for (std::size_t size; (size = source.read(room.data(), room.size())) > 0;) {
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

// Returns what is odd about a file as a whole, `count` for nothing.
LineKind kind_of_file(std::string_view program, const std::string& file, const std::string& compression) {
  const bool gz = file.ends_with(".gz"), bz2 = file.ends_with(".bz2");
  if (compression == "none") return gz || bz2 ? LineKind::misnamed : LineKind::count;
  const bool as_named = (gz && compression == "gzip") || (bz2 && compression == "bzip2");
  return program == "sklearn" && as_named ? LineKind::count : LineKind::compressed;
}

// Returns whether each word behind the first of a line is index:value or qid:number, and there is one.
bool is_row_of_libsvm(std::string_view line) {
  std::size_t words = 0;
  line = line.substr(0, line.find('#'));
  for (std::size_t at = 0; (at = line.find_first_not_of(" \t\r", at)) != std::string_view::npos; ++words) {
    const std::size_t end = std::min(line.find_first_of(" \t\r", at), line.size());
    const std::string_view word = line.substr(at, end - at);
    at = end;
    const std::string_view name = word.substr(0, word.find(':'));
    if (words > 0 && (name.size() == word.size() || (name != "qid" && !has_digits_of(name, "0123456789"))))
      return false;
  }
  return words > 1;
}

}  // namespace

bool is_for_elsewhere(const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    if (!std::filesystem::is_regular_file(file) || is_cache(file)) return false;
  }
  if (files.empty()) return false;
  std::string text(std::size_t{1} << 16, '\0');
  text.resize(stream::open_source(files.front(), &interrupted())->read(text.data(), text.size()));
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const std::size_t begin = line.find_first_not_of(" \t\r");
    if (begin != std::string_view::npos && line[begin] != '#') return is_row_of_libsvm(line);
  }
  return false;
}

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
    const auto note = [&](std::size_t kind, std::uint64_t line) {
      if (kLineFacts[kind].then[column].empty() || all[kind].lines++ > 0) return;
      all[kind].what = kLineFacts[kind].what;
      all[kind].then = kLineFacts[kind].then[column];
      all[kind].file = file;
      all[kind].line = line;
    };
    const std::unique_ptr<stream::Source> source = stream::open_source(file, &interrupted());
    const LineKind whole = kind_of_file(program, file, source->compression());
    if (whole != LineKind::count) note(static_cast<std::size_t>(whole), 0);
    std::uint64_t number = 0;
    for_each_line(*source, [&](std::string_view line) {
      const LineSorter::Found& found = sorter.sort(line, ++number == 1);
      for (std::size_t kind = 0; kind < all.size(); ++kind) {
        if (found[kind]) note(kind, number);
      }
    });
  }
  ElsewhereReading reading{which->words, program == "xgboost" ? ", as 32-bit floats" : "", {}};
  for (ElsewhereLines& lines : all) {
    if (lines.lines > 0) reading.lines.push_back(std::move(lines));
  }
  if (files.size() == 1)
    std::stable_sort(reading.lines.begin(), reading.lines.end(),
                     [](const ElsewhereLines& a, const ElsewhereLines& b) { return a.lines != 0 && a.line < b.line; });
  return reading;
}

}  // namespace halfspace::cli
