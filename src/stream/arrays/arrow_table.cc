// Reads the cells of Arrow arrays.
#include "stream/arrays/arrow_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstring>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/read_once.h"
#include "halfspace/base/error.h"
#include "stream/text/text.h"

// The layout that the specification fixes.
extern "C" {

struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  std::int64_t flags;
  std::int64_t n_children;
  ArrowSchema** children;
  ArrowSchema* dictionary;
  void (*release)(ArrowSchema*);
  void* private_data;
};

struct ArrowArray {
  std::int64_t length;
  std::int64_t null_count;
  std::int64_t offset;
  std::int64_t n_buffers;
  std::int64_t n_children;
  const void** buffers;
  ArrowArray** children;
  ArrowArray* dictionary;
  void (*release)(ArrowArray*);
  void* private_data;
};

struct ArrowArrayStream {
  int (*get_schema)(ArrowArrayStream*, ArrowSchema* out);
  int (*get_next)(ArrowArrayStream*, ArrowArray* out);
  const char* (*get_last_error)(ArrowArrayStream*);
  void (*release)(ArrowArrayStream*);
  void* private_data;
};

}  // extern "C"

namespace halfspace {
namespace {

// Releases what a producer lent.
template <class Lent>
struct Released {
  Lent lent{};
  Released() = default;
  Released(const Released&) = delete;
  Released& operator=(const Released&) = delete;
  ~Released() {
    if (lent.release != nullptr) lent.release(&lent);
  }
};
using Batch = Released<ArrowArray>;

// The cells of a column in a batch. `first`: the position of row 0 in the array's buffers. `text_bytes`: how long its
// buffers of text are, or those of its dictionary; offsets that lead beyond, by mistake or since another thread writes
// them, are refused.
struct Cells {
  const ArrowArray* array;
  std::uint64_t first;
  std::span<const std::uint64_t> text_bytes;

  bool missing(std::uint64_t i) const {
    const auto* const valid = array->n_buffers > 0 ? static_cast<const std::uint8_t*>(array->buffers[0]) : nullptr;
    const std::uint64_t at = first + i;
    return valid != nullptr && ((valid[at / 8] >> (at % 8)) & 1) == 0;
  }
  template <class Value>
  Value value(std::uint64_t i) const {
    return read_once(static_cast<const Value*>(array->buffers[1])[first + i]);
  }
};

// Appends a cell that is there. Returns false for a value that no cell can hold.
using Append = std::function<bool(const Cells& cells, std::uint64_t i, std::string& text)>;

template <class Integer>
bool append_integer(const Cells& cells, std::uint64_t i, std::string& text) {
  fmt::format_to(std::back_inserter(text), "{}", cells.value<Integer>(i));
  return true;
}

template <class Value>
bool append_number(const Cells& cells, std::uint64_t i, std::string& text) {
  return NumberColumn<Value>(static_cast<const Value*>(cells.array->buffers[1]) + cells.first).append(i, text);
}

bool append_bit(const Cells& cells, std::uint64_t i, std::string& text) {
  const std::uint64_t at = cells.first + i;
  text += ((static_cast<const std::uint8_t*>(cells.array->buffers[1])[at / 8] >> (at % 8)) & 1) != 0 ? '1' : '0';
  return true;
}

template <class Offset>
std::optional<std::string_view> text_at(const Cells& cells, std::uint64_t i) {
  const auto begin = static_cast<std::uint64_t>(cells.value<Offset>(i));
  const auto end = static_cast<std::uint64_t>(cells.value<Offset>(i + 1));
  if (begin > end || end > cells.text_bytes[0]) return std::nullopt;
  return std::string_view(static_cast<const char*>(cells.array->buffers[2]) + begin, end - begin);
}

template <class Offset>
std::vector<std::uint64_t> text_bytes_by_offsets(const ArrowArray& array) {
  const auto last = static_cast<std::uint64_t>(array.offset + array.length);
  const Offset bytes = last == 0 ? 0 : read_once(static_cast<const Offset*>(array.buffers[1])[last]);
  return {bytes < 0 ? 0 : static_cast<std::uint64_t>(bytes)};
}

// A view: the length, then the text itself, or its first 4 bytes, the number of a buffer, and an offset there.
std::optional<std::string_view> text_of_view(const Cells& cells, std::uint64_t i) {
  const auto* const view = static_cast<const std::int32_t*>(cells.array->buffers[1]) + 4 * (cells.first + i);
  const auto length = static_cast<std::uint32_t>(read_once(view[0]));
  if (length <= 12) return std::string_view(reinterpret_cast<const char*>(view + 1), length);
  const auto buffer = static_cast<std::uint32_t>(read_once(view[2]));
  const auto at = static_cast<std::uint32_t>(read_once(view[3]));
  if (buffer >= cells.text_bytes.size() || std::uint64_t{at} + length > cells.text_bytes[buffer]) return std::nullopt;
  return std::string_view(static_cast<const char*>(cells.array->buffers[2 + buffer]) + at, length);
}

// The last buffer of views has the lengths of those with text.
std::vector<std::uint64_t> text_bytes_of_views(const ArrowArray& array) {
  std::vector<std::uint64_t> bytes;
  const std::int64_t texts = array.n_buffers - 3;
  for (std::int64_t k = 0; k < texts; ++k) {
    const std::int64_t length = read_once(static_cast<const std::int64_t*>(array.buffers[array.n_buffers - 1])[k]);
    bytes.push_back(length < 0 ? 0 : static_cast<std::uint64_t>(length));
  }
  return bytes;
}

struct TextKind {
  std::optional<std::string_view> (*at)(const Cells& cells, std::uint64_t i);
  std::vector<std::uint64_t> (*text_bytes)(const ArrowArray& array);
};

std::optional<TextKind> text_named(std::string_view format) {
  if (format == "u") return TextKind{text_at<std::int32_t>, text_bytes_by_offsets<std::int32_t>};
  if (format == "U") return TextKind{text_at<std::int64_t>, text_bytes_by_offsets<std::int64_t>};
  if (format == "vu") return TextKind{text_of_view, text_bytes_of_views};
  return std::nullopt;
}

bool append_text(const TextKind& kind, const Cells& cells, std::uint64_t i, std::string& text) {
  const std::optional<std::string_view> found = kind.at(cells, i);
  if (found) text += stream::csv_field(*found);
  return found.has_value();
}

// A code into the dictionary of the array.
template <class Code>
Append code_of(const TextKind& kind) {
  return [kind](const Cells& cells, std::uint64_t i, std::string& text) {
    const ArrowArray& dictionary = *cells.array->dictionary;
    const auto code = static_cast<std::uint64_t>(cells.value<Code>(i));
    if (code >= static_cast<std::uint64_t>(dictionary.length)) return false;
    const Cells texts{&dictionary, static_cast<std::uint64_t>(dictionary.offset), cells.text_bytes};
    return texts.missing(code) || append_text(kind, texts, code, text);
  };
}

__extension__ using Int128 = __int128;
__extension__ using UInt128 = unsigned __int128;

// Appends a 128-bit integer over 10^scale, digit for digit.
Append decimal(int scale) {
  return [scale](const Cells& cells, std::uint64_t i, std::string& text) {
    Int128 value = 0;
    std::memcpy(&value, static_cast<const char*>(cells.array->buffers[1]) + 16 * (cells.first + i), sizeof value);
    auto rest = value < 0 ? -static_cast<UInt128>(value) : static_cast<UInt128>(value);
    std::string digits;
    while (rest != 0 || digits.empty()) {
      digits += static_cast<char>('0' + static_cast<int>(rest % 10));
      rest /= 10;
    }
    if (value < 0) digits += '-';
    std::reverse(digits.begin(), digits.end());
    text += fmt::format("{}e{}", digits, -scale);
    return true;
  };
}

void append_date(std::int64_t days, std::string& text) {
  const std::chrono::year_month_day date{std::chrono::sys_days{std::chrono::days{days}}};
  fmt::format_to(std::back_inserter(text), "{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                 static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
}

// Days of which there are `a_day` units: dates alone, or with the time to the second.
template <class Count>
Append moment(std::int64_t a_day, bool with_time) {
  return [a_day, with_time](const Cells& cells, std::uint64_t i, std::string& text) {
    const std::int64_t count = cells.value<Count>(i);
    const std::int64_t days = count / a_day - (count % a_day < 0 ? 1 : 0);
    constexpr std::int64_t most_days = 2'932'896;  // 9999-12-31
    if (days < -719'162 || days > most_days) return false;
    append_date(days, text);
    if (!with_time) return true;
    const std::int64_t seconds = (count - days * a_day) / (a_day / 86'400);
    fmt::format_to(std::back_inserter(text), " {:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
    return true;
  };
}

struct Reading {
  ColumnUse use;
  Append append;
  std::optional<TextKind> texts{};  // of the cells, or of the dictionary
};

template <class Code>
std::optional<Reading> dictionary_of(const ArrowSchema& texts) {
  const std::optional<TextKind> kind = text_named(texts.format);
  if (!kind) return std::nullopt;
  return Reading{ColumnUse::categorical, code_of<Code>(*kind), kind};
}

std::optional<Reading> reading_of_dictionary(std::string_view format, const ArrowSchema& texts) {
  switch (format.size() == 1 ? format.front() : ' ') {
    case 'c':
      return dictionary_of<std::int8_t>(texts);
    case 'C':
      return dictionary_of<std::uint8_t>(texts);
    case 's':
      return dictionary_of<std::int16_t>(texts);
    case 'S':
      return dictionary_of<std::uint16_t>(texts);
    case 'i':
      return dictionary_of<std::int32_t>(texts);
    case 'I':
      return dictionary_of<std::uint32_t>(texts);
    case 'l':
      return dictionary_of<std::int64_t>(texts);
    case 'L':
      return dictionary_of<std::uint64_t>(texts);
    default:
      return std::nullopt;
  }
}

std::optional<Append> number_named(char format) {
  switch (format) {
    case 'c':
      return append_integer<std::int8_t>;
    case 'C':
      return append_integer<std::uint8_t>;
    case 's':
      return append_integer<std::int16_t>;
    case 'S':
      return append_integer<std::uint16_t>;
    case 'i':
      return append_integer<std::int32_t>;
    case 'I':
      return append_integer<std::uint32_t>;
    case 'l':
      return append_integer<std::int64_t>;
    case 'L':
      return append_integer<std::uint64_t>;
    case 'f':
      return append_number<float>;
    case 'g':
      return append_number<double>;
    case 'b':
      return append_bit;
    default:
      return std::nullopt;
  }
}

// Returns how many of a unit a second has.
std::int64_t units_of_second(char unit) {
  return unit == 's' ? 1 : unit == 'm' ? 1'000 : unit == 'u' ? 1'000'000 : 1'000'000'000;
}

// Formats: the specification's "Data type description".
std::optional<Reading> reading_of(const ArrowSchema& schema) {
  const std::string_view format = schema.format;
  if (schema.dictionary != nullptr) return reading_of_dictionary(format, *schema.dictionary);
  if (const std::optional<TextKind> kind = text_named(format)) {
    return Reading{ColumnUse::inferred,
                   [kind = *kind](const Cells& cells, std::uint64_t i, std::string& text) {
                     return append_text(kind, cells, i, text);
                   },
                   kind};
  }
  if (format.size() == 1) {
    if (const auto append = number_named(format.front())) return Reading{ColumnUse::numeric, *append};
    return std::nullopt;
  }
  constexpr std::int64_t seconds_a_day = 86'400;
  if (format == "tdD") return Reading{ColumnUse::date, moment<std::int32_t>(1, false)};
  if (format == "tdm") return Reading{ColumnUse::date, moment<std::int64_t>(seconds_a_day * 1'000, false)};
  if (format.size() >= 4 && format.starts_with("ts") && format[3] == ':')
    return Reading{ColumnUse::date, moment<std::int64_t>(seconds_a_day * units_of_second(format[2]), true)};
  if (format.starts_with("d:")) {
    const std::size_t comma = format.find(',');
    int scale = 0, bits = 128;
    if (comma == std::string_view::npos) return std::nullopt;
    const char* const end = format.data() + format.size();
    const auto [rest, error] = std::from_chars(format.data() + comma + 1, end, scale);
    if (error == std::errc() && rest != end) std::from_chars(rest + 1, end, bits);
    if (error == std::errc() && bits == 128) return Reading{ColumnUse::numeric, decimal(scale)};
  }
  return std::nullopt;
}

class ArrowColumn final : public TableColumn {
 public:
  ArrowColumn(std::shared_ptr<const Batch> batch, std::size_t child, const Reading& reading)
      : batch_(std::move(batch)), append_(reading.append) {
    const ArrowArray& array = *batch_->lent.children[child];
    if (reading.texts) text_bytes_ = reading.texts->text_bytes(array.dictionary == nullptr ? array : *array.dictionary);
    cells_ = {&array, static_cast<std::uint64_t>(batch_->lent.offset + array.offset), text_bytes_};
  }
  bool append(std::uint64_t i, std::string& text) const override {
    return cells_.missing(i) || append_(cells_, i, text);
  }

 private:
  std::shared_ptr<const Batch> batch_;
  Append append_;
  std::vector<std::uint64_t> text_bytes_;
  Cells cells_{};
};

void check(ArrowArrayStream& stream, int failure, const char* what) {
  if (failure == 0) return;
  const char* const why = stream.get_last_error(&stream);
  throw Error(ErrorKind::data,
              fmt::format("the table's {} cannot be read: {}", what, why == nullptr ? std::strerror(failure) : why))
      .at("<memory>")
      .fix("collect the table before it is given");
}

void check_batch(const ArrowArray& batch, std::size_t columns) {
  if (static_cast<std::size_t>(batch.n_children) == columns && batch.null_count <= 0 && batch.length >= 0) return;
  throw Error(ErrorKind::data, "a batch of the table has other columns, or rows that are null as a whole")
      .at("<memory>")
      .fix("give a table whose batches are alike");
}

}  // namespace

TableText arrow_table(void* stream) {
  if (stream == nullptr || static_cast<ArrowArrayStream*>(stream)->release == nullptr)
    throw Error(ErrorKind::usage, "the Arrow stream is null or used up").fix("export the table again");
  Released<ArrowArrayStream> own;
  own.lent = *static_cast<ArrowArrayStream*>(stream);
  static_cast<ArrowArrayStream*>(stream)->release = nullptr;
  Released<ArrowSchema> schema;
  check(own.lent, own.lent.get_schema(&own.lent, &schema.lent), "schema");
  if (std::string_view(schema.lent.format) != "+s")
    throw Error(ErrorKind::usage, "the Arrow stream is no table, but one array").fix("give a table of named columns");
  std::vector<TableText::Field> fields;
  std::vector<Reading> readings;
  for (std::int64_t c = 0; c < schema.lent.n_children; ++c) {
    const ArrowSchema& column = *schema.lent.children[c];
    const std::string name = column.name == nullptr ? "" : column.name;
    std::optional<Reading> reading = reading_of(column);
    if (!reading) {
      throw Error(ErrorKind::usage, fmt::format("column {} has Arrow's type '{}', which is no number, text or date",
                                                stream::quote(name), column.format))
          .fix("convert or drop the column");
    }
    fields.push_back({name, reading->use});
    readings.push_back(std::move(*reading));
  }
  TableText table(std::move(fields), {});
  for (;;) {
    const auto batch = std::make_shared<Batch>();
    check(own.lent, own.lent.get_next(&own.lent, &batch->lent), "rows");
    if (batch->lent.release == nullptr) return table;
    check_batch(batch->lent, readings.size());
    std::vector<std::unique_ptr<TableColumn>> columns;
    for (std::size_t c = 0; c < readings.size(); ++c)
      columns.push_back(std::make_unique<ArrowColumn>(batch, c, readings[c]));
    table.add_rows(static_cast<std::uint64_t>(batch->lent.length), std::move(columns));
  }
}

}  // namespace halfspace
