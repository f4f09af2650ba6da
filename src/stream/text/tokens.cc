// Code points that are letters, their lower case, and the runs of them.
#include "stream/text/tokens.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace halfspace::stream {
namespace {

struct CodePoints {
  std::uint32_t first, last;
};

// Marks, blanks, symbols and what is not seen, beyond ASCII. Ascending.
constexpr CodePoints no_letters[] = {
    {0x80, 0xa9},       {0xab, 0xb1},     {0xb4, 0xb4},     {0xb6, 0xb8},     {0xbb, 0xbb},     {0xbf, 0xbf},
    {0xd7, 0xd7},       {0xf7, 0xf7},     {0x37e, 0x37e},   {0x387, 0x387},   {0x55a, 0x55f},   {0x589, 0x58f},
    {0x5be, 0x5be},     {0x5c0, 0x5c0},   {0x5c3, 0x5c3},   {0x5c6, 0x5c6},   {0x5f3, 0x5f4},   {0x600, 0x60f},
    {0x61b, 0x61f},     {0x66a, 0x66d},   {0x6d4, 0x6d4},   {0x964, 0x965},   {0x970, 0x970},   {0xe3f, 0xe3f},
    {0xe4f, 0xe4f},     {0xe5a, 0xe5b},   {0x2000, 0x206f}, {0x207a, 0x207e}, {0x208a, 0x208e}, {0x20a0, 0x20cf},
    {0x2190, 0x245f},   {0x2500, 0x2bff}, {0x2e00, 0x2e7f}, {0x3000, 0x3004}, {0x3008, 0x3020}, {0x3030, 0x3030},
    {0x303d, 0x303f},   {0x30a0, 0x30a0}, {0x30fb, 0x30fb}, {0xfe00, 0xfe1f}, {0xfe30, 0xfe6f}, {0xfeff, 0xfeff},
    {0xff01, 0xff0f},   {0xff1a, 0xff20}, {0xff3b, 0xff40}, {0xff5b, 0xff65}, {0xffe0, 0xffff}, {0x1f000, 0x1faff},
    {0xe0000, 0x10ffff}};

bool is_letter(std::uint32_t point) {
  const auto* const next = std::upper_bound(std::begin(no_letters), std::end(no_letters), point,
                                            [](std::uint32_t p, const CodePoints& range) { return p < range.first; });
  return next == std::begin(no_letters) || point > std::prev(next)->last;
}

constexpr bool within(std::uint32_t point, std::uint32_t first, std::uint32_t last) {
  return point >= first && point <= last;
}

// As many bytes as before.
std::uint32_t lower(std::uint32_t point) {
  if (within(point, 0xc0, 0xde)) return point + 32;
  // A capital, then its small letter.
  if (within(point, 0x100, 0x12f) || within(point, 0x132, 0x137) || within(point, 0x14a, 0x177) ||
      within(point, 0x460, 0x481) || within(point, 0x48a, 0x4bf) || within(point, 0x4d0, 0x52f) ||
      within(point, 0x1e00, 0x1e95) || within(point, 0x1ea0, 0x1eff))
    return point | 1;
  if (within(point, 0x139, 0x148) || within(point, 0x179, 0x17e)) return point + (point & 1);
  if (point == 0x178) return 0xff;
  if (point == 0x386) return 0x3ac;
  if (within(point, 0x388, 0x38a)) return point + 37;
  if (point == 0x38c) return 0x3cc;
  if (within(point, 0x38e, 0x38f)) return point + 63;
  if (within(point, 0x391, 0x3ab)) return point + 32;
  if (within(point, 0x400, 0x40f)) return point + 80;
  if (within(point, 0x410, 0x42f)) return point + 32;
  if (within(point, 0x531, 0x556)) return point + 48;
  return point;
}

struct Decoded {
  std::uint32_t point;
  std::size_t bytes;
};

// Of valid UTF-8, beyond ASCII.
Decoded decode(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(text[at + i])); };
  if (byte(0) < 0xe0) return {(byte(0) & 0x1f) << 6 | (byte(1) & 0x3f), 2};
  if (byte(0) < 0xf0) return {(byte(0) & 0x0f) << 12 | (byte(1) & 0x3f) << 6 | (byte(2) & 0x3f), 3};
  return {(byte(0) & 0x07) << 18 | (byte(1) & 0x3f) << 12 | (byte(2) & 0x3f) << 6 | (byte(3) & 0x3f), 4};
}

void encode(std::uint32_t point, std::size_t bytes, std::string& out) {
  const auto rest = [&](int shift) { return static_cast<char>(0x80 | (point >> shift & 0x3f)); };
  if (bytes == 2) {
    out += static_cast<char>(0xc0 | point >> 6);
  } else if (bytes == 3) {
    out += static_cast<char>(0xe0 | point >> 12);
    out += rest(6);
  } else {
    out += static_cast<char>(0xf0 | point >> 18);
    out += rest(12);
    out += rest(6);
  }
  out += rest(0);
}

}  // namespace

void Tokens::read(std::string_view text, TextTokens tokens) {
  lower_.clear();
  bounds_.clear();
  bool within_token = false;
  // Called before each letter.
  const auto begin = [&] {
    if (within_token) return;
    within_token = true;
    if (!lower_.empty()) lower_ += ' ';
    bounds_.push_back({lower_.size(), 0, 0});
  };
  const auto end = [&] {
    if (within_token) bounds_.back().end = lower_.size();
    within_token = false;
  };
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (static_cast<unsigned char>(c) < 0x80) {
      const bool capital = c >= 'A' && c <= 'Z';
      if (capital || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) {
        begin();
        lower_ += capital ? static_cast<char>(c + 32) : c;
      } else {
        end();
      }
      ++at;
      continue;
    }
    const Decoded decoded = decode(text, at);
    if (is_letter(decoded.point)) {
      begin();
      encode(lower(decoded.point), decoded.bytes, lower_);
    } else {
      end();
    }
    at += decoded.bytes;
  }
  end();
  for (Bounds& word : bounds_) word.last = bounds_.size();
  if (tokens == TextTokens::characters) make_characters();
}

// Cuts words into code points.
void Tokens::make_characters() {
  std::swap(bounds_, words_);
  bounds_.clear();
  for (const Bounds& word : words_) {
    const std::size_t first = bounds_.size();
    for (std::size_t at = word.begin; at < word.end;) {
      const std::size_t bytes = static_cast<unsigned char>(lower_[at]) < 0x80 ? 1 : decode(lower_, at).bytes;
      bounds_.push_back({at, at + bytes, 0});
      at += bytes;
    }
    for (std::size_t i = first; i < bounds_.size(); ++i) bounds_[i].last = bounds_.size();
  }
}

}  // namespace halfspace::stream
