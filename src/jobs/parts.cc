// Each part after its length, in 8 bytes; the XXH3 of all before it at the end.
#include "jobs/parts.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace halfspace::jobs {
namespace {

constexpr std::size_t word = 8, head = 2;
constexpr std::uint8_t parts_version = 1;

void put_word(Part& bytes, std::uint64_t number) {
  for (std::size_t i = 0; i < word; ++i) bytes.push_back(static_cast<std::uint8_t>(number >> (8 * i)));
}

std::uint64_t word_at(std::span<const std::uint8_t> bytes, std::size_t at) {
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < word; ++i) number |= std::uint64_t{bytes[at + i]} << (8 * i);
  return number;
}

}  // namespace

Error damaged(const std::string& what) {
  return Error(ErrorKind::data, "the bytes of the " + what + " are damaged").fix("make them again");
}

Part packed(char kind, const std::vector<Part>& parts) {
  Part bytes{static_cast<std::uint8_t>(kind), parts_version};
  for (const Part& part : parts) {
    put_word(bytes, part.size());
    bytes.insert(bytes.end(), part.begin(), part.end());
  }
  put_word(bytes, XXH3_64bits(bytes.data(), bytes.size()));
  return bytes;
}

std::vector<Part> unpacked(std::span<const std::uint8_t> bytes, char kind, const char* what) {
  if (bytes.size() < head + word) throw damaged(what);
  const std::size_t end = bytes.size() - word;
  if (word_at(bytes, end) != XXH3_64bits(bytes.data(), end)) throw damaged(what);
  if (bytes[0] != static_cast<std::uint8_t>(kind) || bytes[1] != parts_version)
    throw Error(ErrorKind::data, "these are not the bytes of a " + std::string(what) + " of this version")
        .fix("use the same version of Halfspace everywhere");
  std::vector<Part> parts;
  for (std::size_t at = head; at < end;) {
    if (end - at < word) throw damaged(what);
    const std::uint64_t size = word_at(bytes, at);
    at += word;
    if (size > end - at) throw damaged(what);
    parts.emplace_back(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                       bytes.begin() + static_cast<std::ptrdiff_t>(at + size));
    at += size;
  }
  return parts;
}

Part part_of(std::uint64_t number) {
  Part part;
  put_word(part, number);
  return part;
}

std::uint64_t number_of(const Part& part) {
  if (part.size() != word) throw damaged("number");
  return word_at(part, 0);
}

Part part_of(const std::string& text) { return {text.begin(), text.end()}; }
std::string text_of(const Part& part) { return {part.begin(), part.end()}; }

std::uint64_t fingerprint_of(const Part& part) { return XXH3_64bits(part.data(), part.size()); }

}  // namespace halfspace::jobs
