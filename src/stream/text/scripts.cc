// Ranges of code points.
#include "stream/text/scripts.h"

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace halfspace::stream {
namespace {

struct ScriptRange {
  std::uint32_t first, last;
};

// Thai and Lao, Burmese, Khmer, kana, Han.
constexpr ScriptRange without_blanks[] = {{0xe00, 0xeff},   {0x1000, 0x109f}, {0x1780, 0x17ff}, {0x3040, 0x30ff},
                                          {0x3400, 0x4dbf}, {0x4e00, 0x9fff}, {0xf900, 0xfaff}, {0x20000, 0x3ffff}};

bool is_without_blanks(std::uint32_t point) {
  return std::any_of(std::begin(without_blanks), std::end(without_blanks),
                     [&](const ScriptRange& range) { return point >= range.first && point <= range.last; });
}

}  // namespace

bool lacks_blanks(std::string_view text) {
  constexpr std::size_t fewest = 6;
  std::size_t points = 0, found = 0;
  for (std::size_t at = 0; at < text.size(); ++points) {
    const auto byte = [&](std::size_t i) {
      return at + i < text.size() ? static_cast<std::uint32_t>(static_cast<unsigned char>(text[at + i])) : 0U;
    };
    const std::size_t bytes = byte(0) < 0x80 ? 1 : byte(0) < 0xe0 ? 2 : byte(0) < 0xf0 ? 3 : 4;
    std::uint32_t point = bytes == 1 ? byte(0) : byte(0) & (0x7fU >> bytes);
    for (std::size_t i = 1; i < bytes; ++i) point = point << 6 | (byte(i) & 0x3f);
    found += is_without_blanks(point) ? 1 : 0;
    at += bytes;
  }
  return found >= fewest && found * 2 >= points;
}

}  // namespace halfspace::stream
