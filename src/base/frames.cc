// Frames as bytes.
#include "base/frames.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/little_endian.h"

namespace halfspace {
namespace {

constexpr std::size_t checksum_at = 4 + 4 + 8;

}  // namespace

std::uint64_t checksum(std::string_view before, std::string_view after) {
  return XXH3_64bits_withSeed(after.data(), after.size(), XXH3_64bits(before.data(), before.size()));
}

void append_frame(std::uint32_t magic, std::uint64_t number, std::string_view record, std::string& bytes) {
  const std::size_t begin = bytes.size();
  put_little_endian(bytes, magic, 4);
  put_little_endian(bytes, record.size(), 4);
  put_little_endian(bytes, number, 8);
  put_little_endian(bytes, checksum(std::string_view(bytes).substr(begin), record), 8);
  bytes += record;
}

std::optional<Frame> frame_at_front(std::uint32_t magic, std::string_view bytes) {
  if (bytes.size() < frame_header || little_endian(bytes.data(), 4) != magic) return std::nullopt;
  const std::size_t size = little_endian(bytes.data() + 4, 4);
  if (bytes.size() - frame_header < size) return std::nullopt;
  const std::string_view record = bytes.substr(frame_header, size);
  if (little_endian(bytes.data() + checksum_at, 8) != checksum(bytes.substr(0, checksum_at), record))
    return std::nullopt;
  return Frame{little_endian(bytes.data() + 8, 8), record};
}

}  // namespace halfspace
