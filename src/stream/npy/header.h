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
  // Writes the value as a label or a category has it: the shortest decimal, true, or the text. Gives false for a text
  // that is not Unicode.
  bool write(const char* p, std::string& out) const;
  bool is_number() const { return kind != Kind::bytes && kind != Kind::text; }
};

struct NpyHeader {
  NpyType type;
  std::vector<std::uint64_t> shape;
  std::uint64_t rows = 0, columns = 0;  // columns: values of a row, whatever the dimensions behind the first
};

// Reads the header off a source. `name` is for errors. Throws Error(data): another file, cut, values that are no numbers,
// Fortran's order, no rows.
NpyHeader read_npy_header(Source& source, const std::string& name);

// Tells whether a file begins as .npy does.
bool recognise_npy(std::string_view first_bytes);

// Reads exactly so many bytes. Throws Error(data) where the file ends before.
void read_exactly(Source& source, const std::string& name, char* to, std::size_t size);

}  // namespace halfspace::stream
