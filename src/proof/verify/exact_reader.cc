// Reads LIBSVM, CSV and idx as rows of exact decimals, and parses the decimals.

#include "proof/verify/exact_reader.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/whole.h"
#include "proof/verify/text_file.h"

namespace halfspace::proof {
namespace {

constexpr std::int64_t largest_exponent = 100'000;
constexpr std::size_t small_digits = 18;  // digits that fit into 64 bits with a sign

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_blank(char c) { return c == ' ' || c == '\t'; }

std::string in_quotes(std::string_view text) {
  return "'" + std::string(text.substr(0, 60)) + (text.size() > 60 ? "…'" : "'");
}

// Returns the line without its line end.
std::string_view content(std::string_view line) {
  if (!line.empty() && line.back() == '\n') line.remove_suffix(1);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return line;
}

std::string_view without_mark(std::string_view text) {
  return text.starts_with("\xEF\xBB\xBF") ? text.substr(3) : text;
}

}  // namespace

mpz_class Decimal::whole_mantissa() const { return big ? *big : whole(mantissa); }

mpq_class Decimal::value() const {
  mpz_class power;
  mpz_ui_pow_ui(power.get_mpz_t(), 10, static_cast<unsigned long>(std::abs(exponent)));
  mpq_class result = exponent < 0 ? mpq_class(whole_mantissa(), power) : mpq_class(whole_mantissa() * power);
  result.canonicalize();
  return result;
}

std::optional<Decimal> parse_decimal(std::string_view text) {
  const char* p = text.data();
  const char* const end = p + text.size();
  const bool negative = p != end && *p == '-';
  if (p != end && (*p == '-' || *p == '+')) ++p;
  // Finds the significant digits: from the first that is not 0 to the last nonzero one after the point.
  const char* const first = p;
  while (p != end && is_digit(*p)) ++p;
  const char* const point = p;
  const char* last = p;  // after the last digit
  std::int64_t places = 0;
  if (p != end && *p == '.') {
    for (++p; p != end && is_digit(*p); ++p) {
      if (*p != '0') {
        last = p + 1;
        places = p - point;
      }
    }
    if (p - first == 1) return std::nullopt;
  } else if (p == first) {
    return std::nullopt;
  }
  std::int64_t written = 0;
  if (p != end && (*p == 'e' || *p == 'E')) {
    ++p;
    const bool down = p != end && *p == '-';
    if (p != end && (*p == '-' || *p == '+')) ++p;
    if (p == end) return std::nullopt;
    for (; p != end && is_digit(*p); ++p) written = std::min(written * 10 + (*p - '0'), largest_exponent + 1);
    if (down) written = -written;
  }
  if (p != end) return std::nullopt;

  Decimal decimal;
  const char* from = first;
  while (from != last && (*from == '0' || *from == '.')) ++from;
  if (from == last) return decimal;  // 0, whatever the exponent
  if (std::abs(written) > largest_exponent) return std::nullopt;
  decimal.exponent = written - places;
  const std::size_t digits = static_cast<std::size_t>(last - from) - (from < point && point < last ? 1 : 0);
  if (digits <= small_digits) {
    for (; from != last; ++from) {
      if (*from != '.') decimal.mantissa = decimal.mantissa * 10 + (*from - '0');
    }
    if (negative) decimal.mantissa = -decimal.mantissa;
    return decimal;
  }
  std::string all;
  std::copy_if(from, last, std::back_inserter(all), is_digit);
  decimal.big = mpz_class(all, 10);
  if (negative) decimal.big = -*decimal.big;
  return decimal;
}

// ---- the three formats

struct ExactReader::Format {
  explicit Format(const Data& d) : data(d) {}
  virtual ~Format() = default;
  virtual bool next(ExactRow& row) = 0;
  virtual std::vector<DataFile> files() const = 0;
  virtual std::uint32_t features() const { return data.features; }
  virtual std::set<std::string> missing_met() const { return {}; }

  const Data& data;
};

namespace {

class Libsvm final : public ExactReader::Format {
 public:
  Libsvm(const Data& d, const std::string& path) : Format(d), file_(path) {}

  bool next(ExactRow& row) override {
    for (;;) {
      std::string_view line = file_.line();
      if (line.empty()) return false;
      if (line_++ == 0) line = without_mark(line);
      line = content(line);
      text_ = line;
      at_ = 0;
      end_ = std::min(line.find('#'), line.size());
      const std::string_view label = word();
      if (label.empty()) continue;
      if (label.find(':') != std::string_view::npos) refuse(label, "the row has no label");
      row.label = label;
      read_features(row);
      return true;
    }
  }

  std::vector<DataFile> files() const override { return {file_.description()}; }
  std::uint32_t features() const override { return features_; }

 private:
  std::string_view word() {
    while (at_ < end_ && is_blank(text_[at_])) ++at_;
    const std::size_t begin = at_;
    while (at_ < end_ && !is_blank(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }

  void read_features(ExactRow& row) {
    const std::uint64_t base = data.zero_based ? 0 : 1;
    std::uint64_t least = base;
    row.entries.clear();
    for (std::string_view feature = word(); !feature.empty(); feature = word()) {
      const std::size_t colon = feature.find(':');
      if (colon == std::string_view::npos) refuse(feature, in_quotes(feature) + " has no ':'");
      const std::string_view digits = feature.substr(0, colon), number = feature.substr(colon + 1);
      std::uint64_t index = 0;
      for (const char c : digits) {
        if (!is_digit(c)) refuse(digits, in_quotes(digits) + " is not a feature index");
        index = std::min<std::uint64_t>(index * 10 + static_cast<std::uint64_t>(c - '0'), std::uint64_t{1} << 32);
      }
      if (digits.empty()) refuse(feature, "no feature index before the ':'");
      if (index < least)
        refuse(digits, "the index " + in_quotes(digits) + (index < base ? " is too small" : " does not ascend"));
      if (index - base >= data.features) {
        refuse(digits, "the index " + in_quotes(digits) + " is beyond the certificate's " +
                           std::to_string(data.features) + " features");
      }
      least = index + 1;
      features_ = std::max(features_, static_cast<std::uint32_t>(least - base));
      std::optional<Decimal> value = parse_decimal(number);
      if (!value) refuse(number, in_quotes(number) + " is not a decimal number");
      if (!value->zero()) row.entries.push_back({static_cast<std::uint32_t>(index - base), *std::move(value)});
    }
  }

  [[noreturn]] void refuse(std::string_view at, const std::string& why) const {
    throw Error(ErrorKind::data, why)
        .at(file_.path(), line_, static_cast<std::uint64_t>(at.data() - text_.data()) + 1)
        .showing(std::string(text_));
  }

  TextFile file_;
  std::string_view text_;
  std::size_t at_ = 0, end_ = 0;
  std::uint64_t line_ = 0;
  std::uint32_t features_ = 0;
};

class Csv final : public ExactReader::Format {
 public:
  Csv(const Data& d, const std::string& path) : Format(d), file_(path) {
    for (const CsvColumn& column : d.columns) {
      std::map<std::string, std::uint32_t, std::less<>>& map = coordinate_of_.emplace_back();
      for (std::size_t k = 0; k < column.categories.size(); ++k)
        map.emplace(column.categories[k], column.coordinates[k]);
    }
  }

  bool next(ExactRow& row) override {
    if (header_due_) {
      header_due_ = false;
      if (data.header) read_header();
    }
    if (!read_record()) return false;
    row.entries.clear();
    for (std::size_t i = 0; i < fields_.size(); ++i) read_field(i, row);
    return true;
  }

  std::vector<DataFile> files() const override { return {file_.description()}; }
  std::set<std::string> missing_met() const override { return missing_met_; }

 private:
  struct Field {
    std::string text;
    std::size_t begin;  // in the record
  };

  // Splits the next record, skipping blank lines and comments, into fields_. Returns false at the end.
  bool read_record() {
    do {
      std::string_view line = file_.line();
      if (line.empty()) return false;
      first_line_ = ++line_;
      if (line_ == 1) line = without_mark(line);
      record_ = line;
    } while (line_ <= data.skip_lines || no_record());
    fields_.clear();
    std::size_t at = 0;
    do {
      at = cut_field(at);
    } while (at != std::string::npos);
    if (record_.find('\0') != std::string::npos) refuse(record_.find('\0'), "a NUL byte");
    if (fields_.size() != data.columns.size()) {
      refuse(0, std::to_string(fields_.size()) + " fields where the certificate has " +
                    std::to_string(data.columns.size()) + " columns");
    }
    return true;
  }

  bool blank(char c) const { return c == ' ' || (c == '\t' && data.delimiter != '\t'); }
  bool no_record() const {
    const std::string_view text = content(record_);
    const auto first = std::find_if(text.begin(), text.end(), [this](char c) { return !blank(c); });
    return first == text.end() || data.comment.find(*first) != std::string::npos;
  }
  bool delimits(char c) const { return c == data.delimiter || (data.delimiter == ' ' && c == '\t'); }
  // Returns the position after a run of blank delimiters. npos: the record ends.
  std::size_t behind_run(std::size_t at) const {
    while (!at_end(at) && blank(record_[at])) ++at;
    const bool last = at_end(at) || (record_[at] == '\r' && at_end(at + 1));
    return last ? std::string::npos : at;
  }
  bool quotes(std::size_t at) const { return data.quote != '\0' && at < record_.size() && record_[at] == data.quote; }
  bool at_end(std::size_t at) const { return at >= record_.size() || record_[at] == '\n'; }

  // Reads the field that begins at `at`. Returns the position of the next one, or npos after the last.
  std::size_t cut_field(std::size_t at) {
    while (!at_end(at) && blank(record_[at])) ++at;
    Field field{{}, at};
    const bool opened = quotes(at) && !at_end(at);
    if (opened) {
      for (++at;; ++at) {
        if (at == record_.size()) {
          const std::string_view line = file_.line();
          if (line.empty() || record_.size() > (std::size_t{1} << 28))
            refuse(field.begin, "the quote that opens here is never closed");
          ++line_;
          record_ += line;
        }
        if (quotes(at)) {
          if (at + 1 == record_.size() || !quotes(at + 1)) break;
          ++at;
        }
        field.text += record_[at];
      }
      ++at;
    }
    const std::size_t begin = at;
    while (!at_end(at) && !delimits(record_[at])) {
      if (quotes(at)) refuse(at, opened ? "text after the closing quote" : "a quote inside an unquoted field");
      ++at;
    }
    std::size_t stop = at;
    if (at_end(at) && stop > begin && record_[stop - 1] == '\r') --stop;
    while (stop > begin && blank(record_[stop - 1])) --stop;
    if (opened) {
      const std::string_view rest(record_.data() + begin, stop - begin);
      if (!std::all_of(rest.begin(), rest.end(), [this](char c) { return blank(c); }))
        refuse(begin, "text after the closing quote");
    } else {
      field.text.assign(record_, begin, stop - begin);
    }
    fields_.push_back(std::move(field));
    if (data.delimiter == ' ') return behind_run(at);
    return at_end(at) ? std::string::npos : at + 1;
  }

  void read_header() {
    if (!read_record()) return;
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      const std::string name = fields_[i].text.empty() ? std::to_string(i + 1) : fields_[i].text;
      if (name != data.columns[i].name) {
        refuse(fields_[i].begin, "column " + std::to_string(i + 1) + " is named " + in_quotes(name) +
                                     ", in the certificate " + in_quotes(data.columns[i].name));
      }
    }
  }

  void read_field(std::size_t i, ExactRow& row) {
    const CsvColumn& column = data.columns[i];
    const std::string& text = fields_[i].text;
    const bool missing = text.empty() || std::binary_search(data.missing.begin(), data.missing.end(), text);
    const auto set = [&](std::uint32_t coordinate, Decimal value) {
      if (!value.zero()) row.entries.push_back({coordinate, std::move(value)});
    };
    if (column.role == CsvColumn::Role::ignored) return;
    if (column.role == CsvColumn::Role::label) {
      if (missing && text != "-") refuse(fields_[i].begin, "the label is missing");
      row.label = text;
    } else if (missing) {
      if (!column.missing) refuse(fields_[i].begin, "a missing value without a coordinate in the certificate");
      set(*column.missing, {1, 0, {}});
      missing_met_.insert(text);
    } else if (column.role == CsvColumn::Role::numeric) {
      std::optional<Decimal> value = cell(text);
      if (!value) refuse(fields_[i].begin, in_quotes(text) + " is not a decimal number");
      set(*column.coordinate, *std::move(value));
    } else {
      const auto found = coordinate_of_[i].find(text);
      if (found == coordinate_of_[i].end())
        refuse(fields_[i].begin, in_quotes(text) + " is not a category of the certificate");
      set(found->second, {1, 0, {}});
    }
  }

  // Returns 1,234,567 without its commas; nothing if they do not separate groups of three digits.
  static std::optional<std::string> without_marks(const std::string& text, char mark) {
    std::string joined;
    std::size_t digits = 0, groups = 0;  // digits of the current group
    bool whole = true;                   // within the digits before the decimal mark
    for (std::size_t i = 0; i < text.size(); ++i) {
      const char c = text[i];
      if (c == mark) {
        if (!whole || digits == 0 || digits > 3 || (groups > 0 && digits != 3)) return std::nullopt;
        ++groups;
        digits = 0;
        continue;
      }
      joined += c;
      if (i == 0 && (c == '+' || c == '-')) continue;
      if (whole && c >= '0' && c <= '9') {
        ++digits;
      } else if (whole) {
        whole = false;
        if (groups > 0 && digits != 3) return std::nullopt;
      }
    }
    if (whole && groups > 0 && digits != 3) return std::nullopt;
    return joined;
  }

  std::optional<Decimal> cell(const std::string& text) const {
    if (data.thousands == '\0') return marked(text);
    const std::optional<std::string> joined = without_marks(text, data.thousands);
    return joined ? marked(*joined) : std::nullopt;
  }

  std::optional<Decimal> marked(const std::string& text) const {
    if (data.decimal == '.') return parse_decimal(text);
    if (text.find('.') != std::string::npos) return std::nullopt;
    std::string pointed = text;
    std::replace(pointed.begin(), pointed.end(), ',', '.');
    return parse_decimal(pointed);
  }

  [[noreturn]] void refuse(std::size_t at, const std::string& why) const {
    throw Error(ErrorKind::data, why).at(file_.path(), first_line_, at + 1).showing(std::string(content(record_)));
  }

  TextFile file_;
  std::vector<std::map<std::string, std::uint32_t, std::less<>>> coordinate_of_;  // by column
  std::set<std::string> missing_met_;
  std::string record_;
  std::vector<Field> fields_;
  std::uint64_t line_ = 0, first_line_ = 0;
  bool header_due_ = true;
};

class Idx final : public ExactReader::Format {
 public:
  Idx(const Data& d, const std::string& path) : Format(d), images_(path), labels_(labels_beside(path)) {
    if (number(images_) != 0x00000803) refuse(images_, "is not an idx file of images (magic 00000803)");
    if (number(labels_) != 0x00000801) refuse(labels_, "is not an idx file of labels (magic 00000801)");
    count_ = number(images_);
    if (number(labels_) != count_) refuse(labels_, "does not have one label for each image");
    const std::uint64_t rows = number(images_), columns = number(images_);
    if (rows * columns != d.features) {
      refuse(images_, "has " + std::to_string(rows * columns) + " pixels an image, not the certificate's " +
                          std::to_string(d.features));
    }
  }

  bool next(ExactRow& row) override {
    if (row.number > count_) {
      if (!images_.bytes(1).empty()) refuse(images_, "has data after the last image");
      if (!labels_.bytes(1).empty()) refuse(labels_, "has data after the last label");
      return false;
    }
    const std::string_view label = exactly(labels_, 1), pixels = exactly(images_, data.features);
    row.label = std::to_string(static_cast<unsigned char>(label[0]));
    row.entries.clear();
    for (std::size_t j = 0; j < pixels.size(); ++j) {
      if (pixels[j] != 0)
        row.entries.push_back({static_cast<std::uint32_t>(j), {static_cast<unsigned char>(pixels[j]), 0, {}}});
    }
    return true;
  }

  std::vector<DataFile> files() const override { return {images_.description(), labels_.description()}; }

 private:
  static std::string_view exactly(TextFile& file, std::size_t count) {
    const std::string_view bytes = file.bytes(count);
    if (bytes.size() != count) refuse(file, "ends too early");
    return bytes;
  }
  static std::uint32_t number(TextFile& file) {
    std::uint32_t value = 0;
    for (const char byte : exactly(file, 4)) value = value << 8 | static_cast<unsigned char>(byte);
    return value;
  }
  [[noreturn]] static void refuse(const TextFile& file, const std::string& why) {
    throw Error(ErrorKind::data, why).at(file.path());
  }

  TextFile images_, labels_;
  std::uint32_t count_ = 0;
};

}  // namespace

ExactReader::ExactReader(const Data& data, const std::string& path) {
  if (data.format == TextFormat::libsvm) {
    format_ = std::make_unique<Libsvm>(data, path);
  } else if (data.format == TextFormat::csv) {
    format_ = std::make_unique<Csv>(data, path);
  } else {
    format_ = std::make_unique<Idx>(data, path);
  }
}

ExactReader::~ExactReader() = default;

bool ExactReader::next(ExactRow& row) {
  row.number = rows_ + 1;
  if (!format_->next(row)) return false;
  ++rows_;
  return true;
}

std::uint32_t ExactReader::features() const { return format_->features(); }

std::set<std::string> ExactReader::missing_met() const { return format_->missing_met(); }

std::vector<DataFile> ExactReader::files() const { return format_->files(); }

}  // namespace halfspace::proof
