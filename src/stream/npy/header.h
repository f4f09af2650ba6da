// What stands before the values of an .npy file: their type, order and shape. docs/formats/npy.md has the grammar.
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

  // The value at `p`. Not of bytes and texts.
  double number(const char* p) const;
  // The same of a whole number, exactly; one beyond the range is negative.
  std::int64_t integer(const char* p) const;
  bool is_integer() const { return kind == Kind::signed_integer || kind == Kind::unsigned_integer; }
  // Writes the value as a label or a category has it: the shortest decimal, true, or the text. Gives false for a text
  // that is not Unicode.
  bool write(const char* p, std::string& out) const;
  bool is_number() const { return kind != Kind::bytes && kind != Kind::text; }
};

struct NpyHeader {
  NpyType type;
  std::vector<std::uint64_t> shape;
  std::uint64_t rows = 0, columns = 0;  // columns: values of a row, whatever the dimensions behind the first
  bool fortran_order = false;           // and it matters
};

// Reads the header of any array off a source. `name` is for errors. Throws Error(data): another file, cut, a type that is
// not read.
NpyHeader read_npy_array(Source& source, const std::string& name);
// Returns the type and shape of any array, to be shown. Throws Error(data): another file, cut.
std::string describe_npy(Source& source, const std::string& name);

// As read_npy_array, of an array of rows. Throws Error(data) for Fortran's order and no rows, too.
NpyHeader read_npy_header(Source& source, const std::string& name);

// Tells whether a file begins as .npy does.
bool recognise_npy(std::string_view first_bytes);

// Reads exactly so many bytes. Throws Error(data) where the file ends before.
void read_exactly(Source& source, const std::string& name, char* to, std::size_t size);

}  // namespace halfspace::stream
