// Decompresses gzip, zstd, xz and bzip2, detected by their magic: reads the bytes of a RawFile, returns text.
//
// Concatenated members (gzip), frames (zstd) and streams (xz, bzip2) form one text. All text before damage is
// delivered; then Error(data) names the byte of the file. Thread-safety: one thread.
#pragma once

#include <memory>
#include <string_view>

#include "stream/source/raw_file.h"

namespace halfspace::stream {

enum class Compression : std::uint8_t { none, gzip, zstd, xz, bzip2 };

const char* name_of(Compression compression);

// The number of leading bytes that identify a format.
inline constexpr std::size_t compression_magic_bytes = 10;

Compression recognise_compression(std::string_view first_bytes);

class Decoder {
 public:
  virtual ~Decoder() = default;
  // Returns up to `capacity` bytes of text; 0 at the end. Throws Error(data), Error(input_output).
  virtual std::size_t decode(char* to, std::size_t capacity) = 0;
};

// `first`: bytes of `file` that were already read; must be valid until the first decode returns. The decoder reads more
// of `file` only once they are consumed.
std::unique_ptr<Decoder> make_decoder(Compression compression, RawFile& file, std::string_view first);

}  // namespace halfspace::stream
