// A list of names in few bytes.
#include "halfspace/detail/stream/name_list.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <utility>

#include "stream/names/sorted_names.h"

namespace halfspace {
namespace {

constexpr std::size_t least_piece = 64, most_piece = std::size_t{1} << 16;
constexpr std::size_t long_head = 6;

}  // namespace

NameList::NameList(std::shared_ptr<const stream::EncodedNames> encoded)
    : size_(encoded->size()), encoded_(std::move(encoded)) {}

NameList::NameList(const NameList& other)
    : pieces_(other.pieces_),
      groups_(other.groups_),
      size_(other.size_),
      last_piece_(other.last_piece_),
      encoded_(other.encoded_) {}

NameList::NameList(NameList&& other) noexcept
    : pieces_(std::move(other.pieces_)),
      groups_(std::move(other.groups_)),
      size_(std::exchange(other.size_, 0)),
      end_(std::exchange(other.end_, nullptr)),
      room_(std::exchange(other.room_, 0)),
      last_piece_(std::exchange(other.last_piece_, 0)),
      encoded_(std::move(other.encoded_)) {}

NameList& NameList::operator=(NameList other) noexcept {
  std::swap(pieces_, other.pieces_);
  std::swap(groups_, other.groups_);
  std::swap(size_, other.size_);
  std::swap(end_, other.end_);
  std::swap(room_, other.room_);
  std::swap(last_piece_, other.last_piece_);
  std::swap(encoded_, other.encoded_);
  return *this;
}

const NameList& NameList::decoded() const { return encoded_ ? encoded_->names() : *this; }

std::string_view NameList::text_of(const char* record) noexcept {
  const auto size = static_cast<unsigned char>(*record);
  if (size != is_long) return {record + 1, size};
  return stored_at(record + long_head);
}

std::string_view NameList::stored_at(const char* text) noexcept {
  const auto size = static_cast<unsigned char>(text[-1]);
  if (size != is_long) return {text, size};
  std::uint32_t long_size = 0;
  std::memcpy(&long_size, text - 5, sizeof(long_size));
  return {text, long_size};
}

const char* NameList::record(std::size_t k) const noexcept {
  const char* at = groups_[k / group];
  for (std::size_t i = k % group; i > 0; --i) at = next(at);
  return at;
}

NameList::const_iterator& NameList::const_iterator::operator++() {
  ++at_;
  if (at_ % group != 0) {
    record_ = next(record_);
  } else if (at_ < list_->size_) {
    record_ = list_->groups_[at_ / group];
  }
  return *this;
}

// Begins a piece if this one is full, with the records of the last group, which must be adjacent.
void NameList::make_room(std::size_t bytes) {
  if (bytes <= room_) return;
  const char* first = nullptr;
  std::size_t moved = 0;
  if (size_ % group != 0) {
    first = groups_.back();
    moved = static_cast<std::size_t>(next(record(size_ - 1)) - first);
  }
  last_piece_ = std::max(std::clamp(2 * last_piece_, least_piece, most_piece), moved + bytes);
  pieces_.push_back(std::shared_ptr<char[]>(new char[last_piece_]));
  char* const piece = pieces_.back().get();
  if (moved != 0) {
    std::memcpy(piece, first, moved);
    groups_.back() = piece;
  }
  end_ = piece + moved;
  room_ = last_piece_ - moved;
}

std::size_t NameList::head_of(std::size_t size) noexcept { return size < is_long ? 1 : long_head; }

// Writes what stands before a text, and returns where the text goes.
char* NameList::put_head(char* record, std::uint32_t size) noexcept {
  if (size < is_long) {
    *record = static_cast<char>(size);
    return record + 1;
  }
  record[0] = record[5] = static_cast<char>(is_long);
  std::memcpy(record + 1, &size, sizeof(size));
  return record + long_head;
}

NameList::NameList(std::span<const std::uint32_t> sizes, std::vector<char*>& texts) : size_(sizes.size()) {
  texts.resize(sizes.size());
  if (sizes.empty()) return;
  std::size_t bytes = 0;
  for (const std::uint32_t size : sizes) bytes += head_of(size) + size;
  last_piece_ = std::min(bytes, most_piece);
  pieces_.push_back(std::shared_ptr<char[]>(new char[bytes]));
  groups_.reserve(sizes.size() / group + 1);
  char* at = pieces_.back().get();
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    if (k % group == 0) groups_.push_back(at);
    texts[k] = put_head(at, sizes[k]);
    at = texts[k] + sizes[k];
  }
  end_ = at;
}

std::string_view NameList::push_back(std::string_view name) {
  if (name.size() > std::numeric_limits<std::uint32_t>::max()) throw std::length_error("a name of 4 GiB");
  if (encoded_) *this = decoded();
  const std::size_t head = head_of(name.size());
  make_room(head + name.size());
  if (size_ % group == 0) groups_.push_back(end_);
  char* const text = put_head(end_, static_cast<std::uint32_t>(name.size()));
  if (!name.empty()) std::memcpy(text, name.data(), name.size());
  ++size_;
  end_ = text + name.size();
  room_ -= head + name.size();
  return {text, name.size()};
}

// Leaves the bytes alone: a copy may have them.
void NameList::pop_back() {
  if (encoded_) *this = decoded();
  --size_;
  if (size_ % group == 0) groups_.pop_back();
  room_ = 0;
}

bool NameList::operator==(const NameList& other) const {
  return size_ == other.size_ && std::equal(begin(), end(), other.begin());
}

}  // namespace halfspace
