// Reads records ahead of a failure, and begins again.
#include "stream/source/joined_records.h"

#include <algorithm>
#include <iterator>

namespace halfspace::stream {

std::size_t JoinedRecords::read(char* to, std::size_t capacity) {
  if (failure_) std::rethrow_exception(failure_);
  std::size_t given = 0;
  try {
    while (given < capacity && (position_ != record_.size() || next_record())) {
      const std::size_t count = std::min(capacity - given, record_.size() - position_);
      std::copy_n(record_.begin() + static_cast<std::ptrdiff_t>(position_), count, to + given);
      position_ += count;
      given += count;
    }
  } catch (...) {
    position_ = record_.size();
    if (given == 0) throw;
    failure_ = std::current_exception();
  }
  return given;
}

void JoinedRecords::rewind() {
  for (Source* const source : sources_) source->rewind();
  start();
}

bool JoinedRecords::rewindable() const {
  return std::all_of(sources_.begin(), sources_.end(), [](const Source* source) { return source->rewindable(); });
}

bool JoinedRecords::same_file(const std::string& path) const {
  return std::any_of(sources_.begin(), sources_.end(), [&](const Source* source) { return source->same_file(path); });
}

void JoinedRecords::begin(std::initializer_list<Source*> sources) {
  std::copy_if(sources.begin(), sources.end(), std::back_inserter(sources_), [](const Source* one) { return one; });
  start();
}

void JoinedRecords::start() {
  next_ = 0;
  ended_ = false;
  failure_ = nullptr;
  record_.clear();
  position_ = 0;
  records_ = read_headers();
}

bool JoinedRecords::next_record() {
  if (next_ == records_) {
    if (!ended_) expect_ends();
    ended_ = true;
    return false;
  }
  read_record(record_);
  position_ = 0;
  ++next_;
  return true;
}

}  // namespace halfspace::stream
