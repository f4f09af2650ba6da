// Returns pieces, and joins records.
#include "stream/source/pieces.h"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace halfspace::stream {

std::size_t PieceSource::read(char* to, std::size_t capacity) {
  if (failure_) std::rethrow_exception(failure_);
  std::size_t given = 0;
  try {
    while (given < capacity) {
      if (position_ == piece_.size()) {
        if (ended_) break;
        piece_.clear();
        position_ = 0;
        ended_ = !make(piece_);
        continue;
      }
      const std::size_t count = std::min(capacity - given, piece_.size() - position_);
      std::memcpy(to + given, piece_.data() + position_, count);
      position_ += count;
      given += count;
    }
  } catch (...) {
    position_ = piece_.size();
    if (given == 0) throw;
    failure_ = std::current_exception();
  }
  return given;
}

void PieceSource::rewind() {
  piece_.clear();
  position_ = 0;
  ended_ = false;
  failure_ = nullptr;
  begin();
}

void JoinedRecords::join(std::initializer_list<Source*> sources) {
  std::copy_if(sources.begin(), sources.end(), std::back_inserter(sources_), [](const Source* one) { return one; });
  PieceSource::rewind();
}

void JoinedRecords::rewind() {
  for (Source* const source : sources_) source->rewind();
  PieceSource::rewind();
}

bool JoinedRecords::rewindable() const {
  return std::all_of(sources_.begin(), sources_.end(), [](const Source* source) { return source->rewindable(); });
}

bool JoinedRecords::same_file(const std::string& path) const {
  return std::any_of(sources_.begin(), sources_.end(), [&](const Source* source) { return source->same_file(path); });
}

void JoinedRecords::begin() {
  next_ = 0;
  records_ = read_headers();
}

bool JoinedRecords::make(std::string& record) {
  if (next_ == records_) {
    expect_ends();
    return false;
  }
  read_record(record);
  ++next_;
  return true;
}

}  // namespace halfspace::stream
