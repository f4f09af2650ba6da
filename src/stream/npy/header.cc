// The header of .npy: a Python dictionary, of which NumPy writes one form.
#include "stream/npy/header.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <optional>
#include <utility>

#include "halfspace/base/error.h"
#include "stream/text/text.h"

namespace halfspace::stream {
namespace {

constexpr std::string_view npy_magic = "\x93NUMPY";
constexpr std::uint64_t most_npy_header = 1 << 20, most_row_values = 1 << 20;

template <class T>
T number_at(const char* p, bool big_endian) {
  T value;
  std::memcpy(&value, p, sizeof(T));
  if (big_endian != (std::endian::native == std::endian::big)) {
    char bytes[sizeof(T)];
    for (std::size_t i = 0; i < sizeof(T); ++i) bytes[i] = p[sizeof(T) - 1 - i];
    std::memcpy(&value, bytes, sizeof(T));
  }
  return value;
}

Error wrong(const std::string& name, std::string reason, std::string fix = "write it again with numpy.save") {
  return Error(ErrorKind::data, std::move(reason)).at(name).fix(std::move(fix));
}

// Returns the text after 'key': up to the next comma outside brackets.
std::optional<std::string_view> value_of(std::string_view header, std::string_view key) {
  const std::size_t at = header.find("'" + std::string(key) + "'");
  if (at == std::string_view::npos) return std::nullopt;
  std::string_view rest = header.substr(at + key.size() + 2);
  const std::size_t colon = rest.find_first_not_of(' ');
  if (colon == std::string_view::npos || rest[colon] != ':') return std::nullopt;
  rest.remove_prefix(colon + 1);
  const std::size_t begin = rest.find_first_not_of(' ');
  if (begin == std::string_view::npos) return std::nullopt;
  rest.remove_prefix(begin);
  int depth = 0;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    if (rest[i] == '(' || rest[i] == '[') ++depth;
    if (rest[i] == ')' || rest[i] == ']') --depth;
    if (depth == 0 && (rest[i] == ',' || rest[i] == '}')) return rest.substr(0, i);
  }
  return std::nullopt;
}

NpyType read_type(std::string_view text, const std::string& name) {
  const std::string way_out = "write numbers: numpy.save(NAME, array.astype(float))";
  if (text.starts_with('['))
    throw wrong(
        name, "the rows are records of several types",
        "write a table: python3 -c \"import numpy, pandas; pandas.DataFrame(numpy.load('FILE')).to_csv('NAME.csv', "
        "index=False)\"");
  if (text.size() < 4 || (text.front() != '\'' && text.front() != '"'))
    throw wrong(name, "the header has no type of values");
  text = text.substr(1, text.size() - 2);
  if (text.find('O') != std::string_view::npos) {
    throw wrong(name, "the values are Python objects, and to read these may run any program",
                way_out + ", or of labels array.astype(str)");
  }
  NpyType type;
  type.big_endian = text.front() == '>';
  const std::string_view size = text.substr(2);
  const auto [end, problem] = std::from_chars(size.data(), size.data() + size.size(), type.size);
  const bool numbered = problem == std::errc() && end == size.data() + size.size() && type.size < most_npy_header;
  struct Letter {
    char letter;
    NpyType::Kind kind;
    std::string_view sizes;  // as digits; empty: any
  };
  constexpr Letter letters[] = {{'b', NpyType::Kind::boolean, "1"},
                                {'i', NpyType::Kind::signed_integer, "1248"},
                                {'u', NpyType::Kind::unsigned_integer, "1248"},
                                {'f', NpyType::Kind::real, "48"},
                                {'S', NpyType::Kind::bytes, ""},
                                {'U', NpyType::Kind::text, ""}};
  bool known = false;
  for (const Letter& one : letters) {
    if (one.letter != text[1]) continue;
    type.kind = one.kind;
    known = numbered && std::string_view("<>|=").find(text.front()) != std::string_view::npos &&
            (one.sizes.empty() || (size.size() == 1 && one.sizes.find(size.front()) != std::string_view::npos));
  }
  if (type.kind == NpyType::Kind::text) type.size *= 4;
  if (!known) throw wrong(name, "values of the type " + quote(text) + " are not read", way_out);
  return type;
}

void read_shape(std::string_view text, const std::string& name, NpyHeader& header) {
  if (text.size() < 2 || text.front() != '(' || text.back() != ')') throw wrong(name, "the header has no shape");
  text = text.substr(1, text.size() - 2);
  header.columns = 1;
  while (text.find_first_not_of(' ') != std::string_view::npos) {
    text.remove_prefix(text.find_first_not_of(' '));
    std::uint64_t length = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), length);
    if (problem != std::errc()) throw wrong(name, "the header has no shape");
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (text.starts_with('L')) text.remove_prefix(1);
    if (text.starts_with(',')) text.remove_prefix(1);
    if (!header.shape.empty()) {
      if (length > most_row_values || header.columns * length > most_row_values)
        throw wrong(name, "more than " + std::to_string(most_row_values) + " values in a row",
                    "is it the right array?");
      header.columns *= length;
    }
    header.shape.push_back(length);
  }
  header.rows = header.shape.empty() ? 1 : header.shape.front();
}

// The dictionary as text, and its values as views of it.
struct NpyDictionary {
  std::string text;
  std::optional<std::string_view> type, order, shape;
};

void read_dictionary(Source& source, const std::string& name, NpyDictionary& dictionary) {
  char start[8];
  read_exactly(source, name, start, sizeof(start));
  if (!recognise_npy({start, sizeof(start)})) throw wrong(name, "this is no array that numpy.save has written");
  const int version = static_cast<unsigned char>(start[6]);
  if (version < 1 || version > 3)
    throw wrong(name, "the .npy file has version " + std::to_string(version) + ", and 1 to 3 are known");
  char length[4] = {};
  read_exactly(source, name, length, version == 1 ? 2 : 4);
  const std::uint32_t size = number_at<std::uint32_t>(length, false);
  if (size > most_npy_header) throw wrong(name, "the header of the .npy file is longer than 1 MiB");
  dictionary.text.assign(size, '\0');
  read_exactly(source, name, dictionary.text.data(), size);
  dictionary.type = value_of(dictionary.text, "descr");
  dictionary.order = value_of(dictionary.text, "fortran_order");
  dictionary.shape = value_of(dictionary.text, "shape");
  if (!dictionary.type || !dictionary.order || !dictionary.shape)
    throw wrong(name, "the header of the .npy file lacks a type, an order or a shape");
}

void append_point(std::uint32_t point, std::string& out) {
  const auto put = [&](std::uint32_t byte) { out += static_cast<char>(static_cast<unsigned char>(byte)); };
  if (point < 0x80) return put(point);
  if (point < 0x800) {
    put(0xc0 | point >> 6);
  } else {
    if (point < 0x10000) {
      put(0xe0 | point >> 12);
    } else {
      put(0xf0 | point >> 18);
      put(0x80 | (point >> 12 & 0x3f));
    }
    put(0x80 | (point >> 6 & 0x3f));
  }
  put(0x80 | (point & 0x3f));
}

}  // namespace

double NpyType::number(const char* p) const {
  switch (kind) {
    case Kind::boolean:
      return *p != 0 ? 1 : 0;
    case Kind::signed_integer:
      return size == 1   ? static_cast<double>(static_cast<signed char>(*p))
             : size == 2 ? static_cast<double>(number_at<std::int16_t>(p, big_endian))
             : size == 4 ? static_cast<double>(number_at<std::int32_t>(p, big_endian))
                         : static_cast<double>(number_at<std::int64_t>(p, big_endian));
    case Kind::unsigned_integer:
      return size == 1   ? static_cast<double>(static_cast<unsigned char>(*p))
             : size == 2 ? static_cast<double>(number_at<std::uint16_t>(p, big_endian))
             : size == 4 ? static_cast<double>(number_at<std::uint32_t>(p, big_endian))
                         : static_cast<double>(number_at<std::uint64_t>(p, big_endian));
    case Kind::real:
      return size == 4 ? static_cast<double>(number_at<float>(p, big_endian)) : number_at<double>(p, big_endian);
    case Kind::bytes:
    case Kind::text:
      break;
  }
  return 0;
}

bool NpyType::write(const char* p, std::string& out) const {
  out.clear();
  switch (kind) {
    case Kind::boolean:
      out = *p != 0 ? "true" : "false";
      return true;
    case Kind::signed_integer:
      if (size == 8) {
        out = std::to_string(number_at<std::int64_t>(p, big_endian));
        return true;
      }
      break;
    case Kind::unsigned_integer:
      if (size == 8) {
        out = std::to_string(number_at<std::uint64_t>(p, big_endian));
        return true;
      }
      break;
    case Kind::real:
      if (size == 4) {
        fmt::format_to(std::back_inserter(out), "{}", number_at<float>(p, big_endian));
        return true;
      }
      break;
    case Kind::bytes:
      out.assign(p, size);
      out.resize(out.find_last_not_of('\0') + 1);
      return true;
    case Kind::text:
      for (std::uint32_t i = 0; i < size; i += 4) {
        const auto point = number_at<std::uint32_t>(p + i, big_endian);
        if (point > 0x10ffff || (point >= 0xd800 && point < 0xe000)) return false;
        append_point(point, out);
      }
      out.resize(out.find_last_not_of('\0') + 1);
      return true;
  }
  fmt::format_to(std::back_inserter(out), "{}", number(p));
  return true;
}

std::int64_t NpyType::integer(const char* p) const {
  if (size == 8) return number_at<std::int64_t>(p, big_endian);
  return static_cast<std::int64_t>(number(p));
}

NpyHeader read_npy_array(Source& source, const std::string& name) {
  NpyDictionary dictionary;
  read_dictionary(source, name, dictionary);
  NpyHeader header;
  header.type = read_type(*dictionary.type, name);
  read_shape(*dictionary.shape, name, header);
  const auto sizes_above_1 =
      std::count_if(header.shape.begin(), header.shape.end(), [](auto size) { return size > 1; });
  header.fortran_order = dictionary.order->starts_with("True") && sizes_above_1 > 1;
  return header;
}

NpyHeader read_npy_header(Source& source, const std::string& name) {
  NpyHeader header = read_npy_array(source, name);
  if (header.shape.empty()) throw wrong(name, "the array is a single value", "save an array with a row an example");
  if (header.rows == 0 || header.columns == 0)
    throw wrong(name, "no data rows: the array is empty", "is it the right file?");
  return header;
}

std::string describe_npy(Source& source, const std::string& name) {
  NpyDictionary dictionary;
  read_dictionary(source, name, dictionary);
  const std::string_view type = *dictionary.type;
  return (type.starts_with('[') ? "records" : quote(type.substr(1, type.size() < 2 ? 0 : type.size() - 2))) + " of " +
         std::string(dictionary.shape->substr(0, 40));
}

bool recognise_npy(std::string_view first_bytes) {
  return first_bytes.size() >= 4 && npy_magic.starts_with(first_bytes.substr(0, npy_magic.size()));
}

void read_exactly(Source& source, const std::string& name, char* to, std::size_t size) {
  for (std::size_t have = 0; have < size;) {
    const std::size_t got = source.read(to + have, size - have);
    if (got == 0) throw wrong(name, "the file ends before its array does", "fetch the file again");
    have += got;
  }
}

}  // namespace halfspace::stream
