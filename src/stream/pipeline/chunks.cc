// Splits the source's text into chunks of whole records.
#include "stream/pipeline/chunks.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cstring>

#include "stream/text/separators.h"
#include "stream/text/text.h"

namespace halfspace::stream {
namespace {

constexpr std::size_t head_step = std::size_t{256} << 10;

}  // namespace

void TextBuffer::reserve(std::size_t capacity) {
  if (capacity <= capacity_) return;
  auto larger = std::make_unique_for_overwrite<char[]>(capacity + margin);
  if (size_ != 0) std::memcpy(larger.get(), data_.get(), size_);
  data_ = std::move(larger);
  capacity_ = capacity;
}

void TextBuffer::append(std::string_view text) {
  if (text.empty()) return;
  if (text.size() > room()) reserve(std::max(size_ + text.size(), 2 * capacity_));
  std::memmove(end(), text.data(), text.size());
  size_ += text.size();
}

struct Chunks::Digest {
  XXH3_state_t state;
};

Chunks::Chunks(Source& source, std::size_t block_bytes, std::size_t line_limit, bool text)
    : source_(source),
      block_bytes_(std::max<std::size_t>(block_bytes, 1)),
      line_limit_(line_limit),
      text_(text),
      part_(source.part()),
      digest_(std::make_unique<Digest>()) {
  XXH3_128bits_reset(&digest_->state);
}

Chunks::~Chunks() = default;

// Reads up to `count` bytes of the source; returns 0 where it or one of its parts ends. Keeps a failure until its turn.
std::size_t Chunks::read(TextBuffer& to, std::size_t count) {
  if (ended_) return 0;
  to.reserve(to.size() + count);
  std::size_t got = 0;
  try {
    got = source_.read(to.end(), count);
    if (got == 0) go_on();
  } catch (...) {
    failure_ = std::current_exception();
    ended_ = true;
  }
  if (got == 0) return 0;
  XXH3_128bits_update(&digest_->state, to.end(), got);
  bytes_ += got;
  to.grow_by(got);
  return got;
}

// Moves on to the next file, if there is one.
void Chunks::go_on() {
  const Source::Next next = source_.next();
  held_ = next == Source::Next::held;
  ended_ = next == Source::Next::none;
  if (next == Source::Next::begun) beginnings_.push_back({bytes_, source_.part()});
}

// The mark counts for the fingerprint, but belongs to no record.
void Chunks::begin() {
  if (bytes_ != 0 || ended_) return;
  pending_.clear();
  pending_begin_ = 0;
  while (pending_.size() < byte_order_mark.size() && read(pending_, head_step) != 0) {
  }
  if (text_ && pending_.view().starts_with(byte_order_mark)) pending_begin_ = byte_order_mark.size();
}

std::string_view Chunks::head(std::uint64_t lines, std::size_t most, bool& whole) {
  begin();
  held_ = false;
  std::size_t counted = pending_begin_;
  std::uint64_t found = 0;
  for (;;) {
    found += count_line_ends(pending_.view().substr(counted));
    counted = pending_.size();
    if (ended_ || held_ || found >= lines || pending_.size() >= most) break;
    for (std::size_t step = 0; step < head_step && !ended_ && !held_;) {
      // Grows in a few steps, then to the maximum at once: untouched pages cost nothing, and a copy would.
      if (pending_.room() == 0) pending_.reserve((pending_.size() <= head_step ? head_step : most) + head_step);
      step += read(pending_, std::min(head_step - step, pending_.room()));
    }
  }
  if (failure_) std::rethrow_exception(failure_);
  whole = ended_ || held_;
  return pending_.view().substr(pending_begin_);
}

void Chunks::skip(std::size_t count) { pending_begin_ += count; }

// Fills `to` to at least `target` bytes unless the text, or a part of it, ends before.
void Chunks::fill(TextBuffer& to, std::size_t target) {
  const bool last = beginnings_.empty();
  if (to.size() == 0 && pending_begin_ == 0 && ended_ && last && pending_.size() <= target) {
    std::swap(to, pending_);  // a small file is not copied
    return;
  }
  to.reserve(target);
  if (!last)
    target = static_cast<std::size_t>(std::min<std::uint64_t>(target, to.size() + (beginnings_.front().at - cut())));
  if (to.size() < target && pending_begin_ < pending_.size()) {
    const std::size_t count = std::min(target - to.size(), pending_.size() - pending_begin_);
    to.append(pending_.view().substr(pending_begin_, count));
    pending_begin_ += count;
    if (pending_begin_ == pending_.size() && pending_.size() > block_bytes_) {
      pending_ = {};  // the head of a pass is larger than what is ever pending again
      pending_begin_ = 0;
    }
  }
  while (to.size() < target && read(to, target - to.size()) != 0) {
  }
}

// Puts back the last bytes that fill returned.
void Chunks::give_back(std::string_view rest) {
  if (pending_begin_ < pending_.size()) {
    pending_begin_ -= rest.size();
  } else {
    pending_.clear();
    pending_begin_ = 0;
    pending_.append(rest);
  }
}

bool Chunks::next(const Format& format, TextBuffer& chunk) {
  begin();
  chunk.clear();
  std::size_t target = block_bytes_;
  for (;;) {
    for (; chunk.size() == 0 && !beginnings_.empty() && beginnings_.front().at <= cut(); beginnings_.pop_front())
      part_ = beginnings_.front().part;
    fill(chunk, target);
    if (chunk.size() == 0 && !beginnings_.empty()) continue;
    if (chunk.size() < target && (!failure_ || !beginnings_.empty())) return chunk.size() != 0;
    const std::size_t length = format.split(chunk.view());
    if (length != 0) {
      give_back(chunk.view().substr(length));
      chunk.cut(length);
      return true;
    }
    if (chunk.size() < target) std::rethrow_exception(failure_);
    if (chunk.size() > line_limit_ + 2) {
      discard_line(chunk, line_limit_ + 3);
      return true;
    }
    target = std::min(2 * target, line_limit_ + 3);
  }
}

// Keeps the first bytes of an overlong record and drops the text up to the end of its current line.
void Chunks::discard_line(TextBuffer& chunk, std::size_t kept) {
  TextBuffer scratch;
  scratch.append(chunk.view().substr(kept));
  chunk.cut(kept);
  for (;;) {
    const std::size_t line_end = scratch.view().find('\n');
    if (line_end != std::string_view::npos) {
      give_back(scratch.view().substr(line_end + 1));
      return;
    }
    scratch.clear();
    fill(scratch, head_step);
    if (scratch.size() == 0) return;
  }
}

void Chunks::rewind() {
  source_.rewind();
  pending_.clear();
  pending_begin_ = 0;
  ended_ = held_ = false;
  beginnings_.clear();
  part_ = source_.part();
  failure_ = nullptr;
  bytes_ = 0;
  XXH3_128bits_reset(&digest_->state);
}

std::string Chunks::fingerprint() const {
  const XXH128_hash_t hash = XXH3_128bits_digest(&digest_->state);
  static constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (const std::uint64_t half : {hash.high64, hash.low64}) {
    for (int shift = 60; shift >= 0; shift -= 4) text += digits[half >> shift & 15];
  }
  return text;
}

void ParsedChunk::clear() {
  text = {};
  rows.clear();
  line_of_row.clear();
  bad.clear();
  lines = data_rows = unknown_features = 0;
  late_label.reset();
  new_labels.clear();
}

}  // namespace halfspace::stream
