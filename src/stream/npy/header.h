// The header of an .npy file: type, order and shape of its values. docs/formats/npy.md has the grammar.
//
// Thread-safety: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "stream/source/source.h"

namespace halfspace::stream {

struct NpyType {
  enum class Kind : std::uint8_t { boolean, signed_integer, unsigned_integer, real, bytes, text };
  Kind kind = Kind::real;
  bool big_endian = false;
  std::uint32_t size = 8;  // bytes of a value

  // Returns the value at `p`. Not for bytes and texts.
  double number(const char* p) const;
  // Returns the whole number at `p`, exactly; one out of range becomes negative.
  std::int64_t integer(const char* p) const;
  bool is_integer() const { return kind == Kind::signed_integer || kind == Kind::unsigned_integer; }
  // Writes the value as a label or a category: the shortest decimal, true, or the text. Returns false for a text that
  // is not Unicode.
  // that is not Unicode.
  bool write(const char* p, std::string& out) const;
  bool is_number() const { return kind != Kind::bytes && kind != Kind::text; }
};

struct NpyHeader {
  NpyType type;
  std::vector<std::uint64_t> shape;
  std::uint64_t rows = 0, columns = 0;  // columns: values of a row, whatever the dimensions behind the first
  bool fortran_order = false;           // and it makes a difference
};

// Reads the header of any array from a source. `name` is for errors. Throws Error(data): another file, truncated, an
// unsupported type.
NpyHeader read_npy_array(Source& source, const std::string& name);
// Returns the type and shape of any array, for display. Throws Error(data): another file, truncated.
std::string describe_npy(Source& source, const std::string& name);

// Reads the header of an array of rows as read_npy_array does. Throws Error(data) for no rows, too.
NpyHeader read_npy_header(Source& source, const std::string& name);

// Returns whether a file begins as .npy does.
bool recognise_npy(std::string_view first_bytes);

// Reads exactly this many bytes. Throws Error(data) if the file ends before.
void read_exactly(Source& source, const std::string& name, char* to, std::size_t size);

}  // namespace halfspace::stream
