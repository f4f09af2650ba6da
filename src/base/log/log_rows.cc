// Segment by segment.
#include "base/log/log_rows.h"

#include <filesystem>
#include <system_error>

#include "base/log/event.h"
#include "base/log/event_log.h"
#include "halfspace/base/error.h"

namespace halfspace::log {

bool is_log(const std::string& path) {
  std::error_code none;
  return std::filesystem::is_regular_file(path + "/" + begin_name, none) &&
         std::filesystem::is_regular_file(path + "/" + header_name, none);
}

LogRows::LogRows(const std::string& path) : storage_(read_folder(path)) {
  for (const std::string& name : storage_->names()) {
    if (EventLog::first_event(name)) segments_.push_back(name);
  }
  for (const std::string& name : segments_) {
    const bool whole = name != segments_.back();
    last_ = EventLog::read_segment(*storage_, name, whole, [&](std::uint64_t, std::string_view record) {
      const Event event = event_of(record);
      forgotten_.insert(event.numbers.begin(), event.numbers.end());
    });
  }
}

bool LogRows::next(std::string& text) {
  if (at_ > segments_.size()) return false;
  if (at_++ == 0) {
    text += storage_->read(header_name);
    return true;
  }
  EventLog::read_segment(*storage_, segments_[at_ - 2], false, [&](std::uint64_t number, std::string_view record) {
    const Event event = event_of(record);
    if (number > last_ || forgotten_.contains(number)) return;
    if (event.kind != EventKind::learn && event.kind != EventKind::truth) return;
    text += event.text;
    text += '\n';
  });
  return true;
}

}  // namespace halfspace::log
