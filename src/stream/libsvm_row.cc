// One line of LIBSVM text to one row: a quick reader for what is usual, a careful one for the rest and for all
// errors.
#include "stream/libsvm_row.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "stream/boundaries.h"
#include "stream/number.h"
#include "stream/text.h"

namespace halfspace::stream {
namespace {

constexpr std::int64_t largest_index = 2'147'483'647;

bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

// A label of at most 7 bytes and its length as one number.
std::uint64_t label_key(const char* p, std::size_t length) {
  std::uint64_t bytes;
  std::memcpy(&bytes, p, 8);
  if constexpr (std::endian::native == std::endian::big) bytes = __builtin_bswap64(bytes);
  return (bytes & ((std::uint64_t{1} << (8 * length)) - 1)) | std::uint64_t{length} << 56;
}

std::size_t cache_slot(std::uint64_t key) {
  return static_cast<std::size_t>(key * 0x9e3779b97f4a7c15u >> 58);
}

}  // namespace

LabelTable::LabelTable(Labels labels, bool learning) : labels_(std::move(labels)), learning_(learning) {
  for (std::size_t i = 0; i < labels_.names.size(); ++i) {
    if (!labels_.names[i].empty()) by_text_.emplace(labels_.names[i], static_cast<std::int32_t>(i));
  }
}

std::int32_t LabelTable::find(std::string_view text) const {
  const auto known = by_text_.find(std::string(text));
  if (known != by_text_.end()) return known->second;
  return labels_.find(text).value_or(not_found);
}

RowReader::Outcome RowReader::read(std::string_view line, std::size_t readable) {
  if (line.empty()) return Outcome::nothing;
  if (line.size() > rules_.line_limit) {
    return refuse(line, rules_.line_limit + 1,
                  "the line is longer than " + std::to_string(rules_.line_limit) + " bytes",
                  "check that lines end where rows do, or raise the limit");
  }
  unknown_ = 0;
  if (readable >= boundary_margin) {
    if (read_quickly(line.data(), line.size())) return Outcome::row;
    piece_.rows.drop_row();
    unknown_ = 0;
  }
  return read_carefully(line);
}

// Tokens are found from the positions of all bytes that are no digits: where a token ends does not have to be known
// before the next one can be read, so that the processor reads several at once.
bool RowReader::read_quickly(const char* line, std::size_t size) {
  if (boundaries_.size() < size + boundary_margin) boundaries_.resize(2 * size + boundary_margin);
  const std::size_t count = find_boundaries(line, size, boundaries_.data());
  // The end of the line is a boundary too; more of them, so that looking a token ahead stays inside.
  for (std::size_t i = 0; i < 8; ++i) boundaries_[count + i] = static_cast<std::uint32_t>(size);

  std::size_t label_begin = 0;
  while (label_begin < size && is_blank(line[label_begin])) ++label_begin;
  std::size_t label_end = label_begin;
  while (label_end < size && !is_blank(line[label_end]) && line[label_end] != '#' && line[label_end] != ':')
    ++label_end;
  const std::size_t label_length = label_end - label_begin;
  if (label_length == 0 || label_length > 7) return false;
  const std::uint64_t key = label_key(line + label_begin, label_length);
  const Cached& cached = cache_[cache_slot(key)];
  if (cached.key != key) return false;

  const std::uint32_t* at = boundaries_.data();
  while (*at < label_end) ++at;
  const std::uint64_t base = rules_.zero_based ? 0 : 1;
  const std::uint64_t limit = rules_.feature_limit;
  std::uint64_t least = base;  // the next index may not be smaller
  for (std::size_t blank = *at; blank != size; blank = *at) {
    if (!is_blank(line[blank])) return false;
    const std::size_t colon = *++at;
    if (colon == blank + 1) continue;  // another blank, the end, or what is refused above
    const std::size_t index_length = colon - blank - 1;
    if (line[colon] != ':' || index_length > 7) return false;
    const std::uint64_t index = digits_value(line + blank + 1, index_length);
    if (index < least) return false;
    least = index + 1;

    std::size_t whole = colon + 1;
    std::size_t end = *++at;
    const bool negative = end == whole && line[whole] == '-';
    if (negative) {
      ++whole;
      end = *++at;
    }
    const std::size_t whole_length = end - whole;
    if (whole_length - 1 > 7) return false;
    std::uint64_t mantissa =
        whole_length == 1 ? static_cast<std::uint64_t>(line[whole] - '0') : digits_value(line + whole, whole_length);
    double value;
    if (line[end] == '.') {
      const std::size_t fraction = end + 1;
      end = *++at;
      const std::size_t places = end - fraction;
      if (places - 1 > 15) return false;
      const std::size_t first = std::min<std::size_t>(places, 8);
      mantissa = mantissa * small_powers_of_ten[first] + digits_value(line + fraction, first);
      if (places > 8) {
        const std::size_t second = places - 8;
        if (mantissa >= largest_exact_mantissa / small_powers_of_ten[second]) return false;
        mantissa = mantissa * small_powers_of_ten[second] + digits_value(line + fraction + 8, second);
      }
      if (mantissa > largest_exact_mantissa) return false;
      value = static_cast<double>(static_cast<std::int64_t>(mantissa)) / powers_of_ten[places];
    } else {
      value = static_cast<double>(static_cast<std::int64_t>(mantissa));
    }
    const std::uint64_t feature = index - base;
    if (feature < limit) {
      piece_.rows.add(static_cast<std::uint32_t>(feature), negative ? -value : value);
    } else {
      ++unknown_;
    }
  }
  finish_row(cached.label);
  return true;
}

RowReader::Outcome RowReader::read_carefully(std::string_view line) {
  const std::string_view content = line.substr(0, line.find('#'));
  std::int32_t label = LabelTable::not_found;
  std::int64_t previous = -1;
  bool first = true;
  for (std::size_t at = 0;;) {
    while (at < content.size() && is_blank(content[at])) ++at;
    if (at == content.size()) break;
    std::size_t stop = at;
    while (stop < content.size() && !is_blank(content[stop])) ++stop;
    const std::string_view token = content.substr(at, stop - at);
    at = stop;
    Outcome outcome = Outcome::row;
    if (first && token.find(':') == std::string_view::npos) {
      outcome = read_label(line, token, label);
    } else if (first && !rules_.labels_optional) {
      outcome = refuse(line, static_cast<std::size_t>(token.data() - line.data()) + 1, "the row has no label",
                       "begin it with its label, such as +1 " + std::string(token.substr(0, 40)));
    } else {
      outcome = read_feature(line, token, previous);
    }
    if (outcome != Outcome::row) return outcome;
    first = false;
  }
  if (first) return Outcome::nothing;
  finish_row(label);
  return Outcome::row;
}

RowReader::Outcome RowReader::refuse(std::string_view line, std::size_t column, std::string reason, std::string hint) {
  piece_.rows.drop_row();
  BadRow bad;
  bad.line = piece_.lines;
  bad.row = piece_.data_rows;
  bad.column = column;
  bad.reason = std::move(reason);
  bad.hint = std::move(hint);
  bad.text = line.substr(0, rules_.line_limit);
  piece_.bad.push_back(std::move(bad));
  return Outcome::bad;
}

RowReader::Outcome RowReader::read_label(std::string_view line, std::string_view text, std::int32_t& label) {
  label = resolve(text);
  if (label != LabelTable::not_found) return Outcome::row;
  const std::size_t column = static_cast<std::size_t>(text.data() - line.data()) + 1;
  double ignored = 0;
  const NumberProblem problem = parse_number(text, ignored);
  if (problem == NumberProblem::not_finite || problem == NumberProblem::overflow) {
    return refuse(line, column, "the label " + quoted(text) + " is not a finite number", "give the row its label");
  }
  if (!valid_utf8(text)) {
    return refuse(line, column, "the label " + quoted(text) + " is not valid UTF-8", "convert the file to UTF-8");
  }
  if (!table_.learning()) {
    std::string known;
    const auto& names = table_.labels().names;
    for (std::size_t i = 0; i < names.size() && i < 10; ++i) known += (i == 0 ? "" : ", ") + quoted(names[i]);
    if (names.size() > 10) known += ", …";
    return refuse(line, column, "the label " + quoted(text) + " is not one of the known labels: " + known,
                  "correct it; if it is right, let the whole file be searched for labels");
  }
  label = first_new_label - static_cast<std::int32_t>(piece_.new_labels.size());
  piece_.new_labels.push_back(text);
  seen_.emplace(text, label);
  return Outcome::row;
}

RowReader::Outcome RowReader::read_feature(std::string_view line, std::string_view token, std::int64_t& previous) {
  const std::size_t column = static_cast<std::size_t>(token.data() - line.data()) + 1;
  const std::size_t colon = token.find(':');
  if (colon == std::string_view::npos) {
    return refuse(line, column, quoted(token) + " has no ':'", "write a feature as index:value, such as 3:0.5");
  }
  const std::string_view index_text = token.substr(0, colon);
  const std::string_view value_text = token.substr(colon + 1);
  if (index_text == "qid") {
    return refuse(line, column, "'qid:' is about ranking, which is not learned here", "take the qid tokens out");
  }
  const bool negative = !index_text.empty() && index_text.front() == '-';
  const std::string_view digits = index_text.substr(negative ? 1 : 0);
  if (digits.empty() || !std::all_of(digits.begin(), digits.end(), is_digit)) {
    return refuse(line, column, quoted(index_text) + " is not a feature index", "write a whole number before the ':'");
  }
  std::int64_t index = 0;
  for (const char c : digits) index = std::min(index * 10 + (c - '0'), largest_index + 1);
  if (negative) {
    return refuse(line, column, "the index " + quoted(index_text) + " is negative",
                  rules_.zero_based ? "indices start at 0" : "indices start at 1");
  }
  if (index > largest_index) {
    return refuse(line, column, "the index " + quoted(index_text) + " is greater than 2147483647",
                  "number the features from 1 on");
  }
  if (index == 0 && !rules_.zero_based) {
    return refuse(line, column, "index 0, but indices start at 1", "say --zero-based if the file counts from 0");
  }
  if (index == previous) {
    return refuse(line, column, "index " + std::to_string(index) + " stands twice in the row", "keep one of them");
  }
  if (index < previous) {
    return refuse(line, column, "index " + std::to_string(index) + " after index " + std::to_string(previous),
                  "write the indices of a row in ascending order");
  }
  previous = index;

  const std::size_t value_column = column + colon + 1;
  if (value_text.empty()) {
    return refuse(line, value_column, "index " + std::to_string(index) + " has no value",
                  "write the value right after the ':', or leave the feature out");
  }
  double value = 0;
  switch (parse_number(value_text, value)) {
    case NumberProblem::none:
      break;
    case NumberProblem::not_a_number:
      return refuse(line, value_column, quoted(value_text) + " is not a number", "write a decimal such as 1.5");
    case NumberProblem::not_finite:
      return refuse(line, value_column, quoted(value_text) + " is not a finite number",
                    "leave the feature out, or give it a value");
    case NumberProblem::overflow:
      return refuse(line, value_column, quoted(value_text) + " is too large for a double", "scale the feature down");
  }
  const std::uint64_t feature = static_cast<std::uint64_t>(index) - (rules_.zero_based ? 0 : 1);
  if (feature < rules_.feature_limit) {
    piece_.rows.add(static_cast<std::uint32_t>(feature), value);
  } else {
    ++unknown_;
  }
  return Outcome::row;
}

// The class or the provisional number of a label met before, else not_found. Fills the cache of the quick reader.
std::int32_t RowReader::resolve(std::string_view text) {
  const auto met = seen_.find(text);
  std::int32_t label = LabelTable::not_found;
  if (met != seen_.end()) {
    label = met->second;
  } else {
    label = table_.find(text);
    if (label != LabelTable::not_found) seen_.emplace(text, label);
  }
  if (label != LabelTable::not_found && text.size() <= 7) {
    std::array<char, 8> bytes{};
    std::copy(text.begin(), text.end(), bytes.begin());
    const std::uint64_t key = label_key(bytes.data(), text.size());
    cache_[cache_slot(key)] = {key, label};
  }
  return label;
}

void RowReader::finish_row(std::int32_t label) {
  piece_.line_of_row.push_back(piece_.lines);
  piece_.rows.end_row(label, piece_.data_rows);
  piece_.unknown_features += unknown_;
}

}  // namespace halfspace::stream
