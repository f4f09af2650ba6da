// Segments of frames.
#include "base/log/event_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <exception>
#include <utility>

#include "base/frames.h"
#include "halfspace/base/error.h"

namespace halfspace::log {
namespace {

constexpr std::uint32_t magic = 0x474c5348;  // "HSLG"
constexpr std::string_view suffix = ".log";
constexpr std::size_t digits = 20;
constexpr const char* list_name = "segments";

[[noreturn]] void damaged(const std::string& file, const std::string& what) {
  throw Error(ErrorKind::data, what).at(file).fix("restore the file from a copy");
}

}  // namespace

std::optional<std::uint64_t> EventLog::first_event(const std::string& name) {
  if (name.size() != digits + suffix.size() || !name.ends_with(suffix)) return std::nullopt;
  std::uint64_t first = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + digits, first);
  if (error != std::errc() || end != name.data() + digits) return std::nullopt;
  return first;
}

bool EventLog::begun(Storage& storage, std::string_view begin_name) {
  bool has_more = false;
  for (const std::string& name : storage.names()) {
    if (name == begin_name) return true;
    has_more = has_more || first_event(name);
  }
  if (has_more) damaged(storage.path_of(std::string(begin_name)), "the beginning of the log is missing");
  return false;
}

std::pair<std::size_t, std::uint64_t> EventLog::each_event(const std::string& name, std::uint64_t first,
                                                           std::string_view text, const Each& each) {
  std::uint64_t number = first;
  std::size_t at = 0;
  for (std::optional<Frame> frame; (frame = frame_at_front(magic, text.substr(at))); ++number) {
    if (frame->number != number)
      damaged(name, fmt::format("byte {}: event {} where {} should be", at, frame->number, number));
    each(number, frame->record);
    at += frame_header + frame->record.size();
  }
  return {at, number};
}

std::uint64_t EventLog::read_segment(Storage& storage, const std::string& name, bool whole, const Each& each) {
  const std::string text = storage.read(name);
  const auto [end, next] = each_event(storage.path_of(name), first_event(name).value(), text, each);
  if (whole && end < text.size()) damaged(storage.path_of(name), fmt::format("the log is damaged at byte {}", end));
  return next - 1;
}

EventLog::EventLog(Storage& storage, std::uint64_t segment_bytes, bool sync)
    : storage_(storage), segment_bytes_(segment_bytes), sync_(sync) {}

std::optional<EventLog::Cut> EventLog::open(std::uint64_t from, const Each& each) {
  const std::vector<std::string> names = storage_.names();
  for (const std::string& name : names) {
    if (const auto first = first_event(name)) segments_.push_back({*first, name});
  }
  if (std::find(names.begin(), names.end(), list_name) != names.end()) list_ = storage_.read(list_name);
  for (std::size_t at = 0; at < list_.size();) {
    const std::size_t end = std::min(list_.find('\n', at), list_.size());
    const std::string name = list_.substr(at, end - at);
    if (std::find(names.begin(), names.end(), name) == names.end())
      damaged(storage_.path_of(name), "this segment of the log is missing");
    at = end + 1;
  }
  std::optional<Cut> cut;
  for (std::size_t i = 0; i < segments_.size(); ++i) {
    const Segment& segment = segments_[i];
    const bool last = i + 1 == segments_.size();
    if (!last && segments_[i + 1].first <= from) continue;
    const std::string text = storage_.read(segment.name);
    const auto [at, number] =
        each_event(storage_.path_of(segment.name), segment.first, text, [&](std::uint64_t n, std::string_view r) {
          if (n >= from) each(n, r);
        });
    if (at < text.size() && !last)
      damaged(storage_.path_of(segment.name), fmt::format("the log is damaged at byte {}", at));
    if (!last && segments_[i + 1].first != number)
      damaged(storage_.path_of(segment.name),
              fmt::format("events {} to {} are missing", number, segments_[i + 1].first - 1));
    if (at < text.size()) cut = cut_off(segment, text, at);
    last_bytes_ = at;
    next_ = number;
  }
  if (from > next_)
    damaged(storage_.path_of(segments_.empty() ? std::string() : segments_.back().name),
            fmt::format("events {} to {} are missing", next_, from - 1));
  // What a process wrote and did not sync before it ended may be in memory alone; from now on it counts.
  if (!segments_.empty()) storage_.sync(segments_.back().name);
  committed_ = next_ - 1;
  list_segments();
  return cut;
}

// Rewrites the list if it is not that of the segments. An error is no loss: the next segment, or start, tries again.
void EventLog::list_segments() noexcept {
  try {
    std::string list;
    for (const Segment& segment : segments_) list += segment.name + "\n";
    if (list == list_) return;
    storage_.replace(list_name, list);
    list_ = std::move(list);
  } catch (const std::exception&) {
  }
}

EventLog::Cut EventLog::cut_off(const Segment& segment, std::string_view text, std::size_t from) {
  for (std::size_t at = from + 1; at < text.size(); ++at) {
    if (frame_at_front(magic, text.substr(at)))
      damaged(storage_.path_of(segment.name),
              fmt::format("the log is damaged at byte {}, and events follow from byte {}", from, at));
  }
  const std::vector<std::string> names = storage_.names();
  std::string name;
  for (int number = 1; name.empty() || std::find(names.begin(), names.end(), name) != names.end(); ++number)
    name = segment.name + ".cut-" + std::to_string(number);
  storage_.replace(name, text.substr(from));
  storage_.truncate(segment.name, from);
  storage_.sync(segment.name);
  return {text.size() - from, name};
}

void EventLog::read(std::uint64_t from, const std::function<bool(std::uint64_t, std::string_view)>& each) const {
  if (!segments_.empty() && from < segments_.front().first)
    damaged(storage_.path_of(segments_.front().name),
            fmt::format("events {} to {} are missing", from, segments_.front().first - 1));
  for (std::size_t i = 0; i < segments_.size(); ++i) {
    if (i + 1 < segments_.size() && segments_[i + 1].first <= from) continue;
    const std::string text = storage_.read(segments_[i].name);
    std::size_t at = 0;
    for (std::uint64_t number = segments_[i].first; number <= committed_ && at < text.size(); ++number) {
      const std::optional<Frame> frame = frame_at_front(magic, std::string_view(text).substr(at));
      if (!frame || frame->number != number)
        damaged(storage_.path_of(segments_[i].name), fmt::format("event {} is damaged, at byte {}", number, at));
      if (number >= from && !each(number, frame->record)) return;
      at += frame_header + frame->record.size();
    }
  }
}

std::uint64_t EventLog::append(std::string_view record) {
  const std::size_t before = pending_.size();
  try {
    append_frame(magic, next_, record, pending_);
  } catch (...) {  // out of memory
    pending_.resize(before);
    throw;
  }
  return next_++;
}

void EventLog::take_back() noexcept {
  pending_.clear();
  next_ = committed_ + 1;
}

void EventLog::commit() {
  if (pending_.empty()) return;
  const bool begins = segments_.empty() || last_bytes_ >= segment_bytes_;
  try {
    if (!writable_)
      throw Error(ErrorKind::input_output, "the log takes no more events after an error of the disk")
          .fix("look after the disk, then start again");
    std::string name = begins ? fmt::format("{:020}{}", committed_ + 1, suffix) : segments_.back().name;
    segments_.reserve(segments_.size() + 1);  // what is durable is taken note of without fail
    write(name, begins);
    if (begins) {
      segments_.push_back({committed_ + 1, std::move(name)});
      last_bytes_ = 0;
    }
  } catch (...) {
    take_back();
    throw;
  }
  last_bytes_ += pending_.size();
  committed_ = next_ - 1;
  pending_.clear();
  if (begins) list_segments();
}

void EventLog::sync() {
  if (!sync_ && !segments_.empty()) storage_.sync(segments_.back().name);
}

void EventLog::remove_before(std::uint64_t event) {
  std::vector<Segment> old;
  while (segments_.size() > 1 && segments_[1].first <= event) {
    old.push_back(std::move(segments_.front()));
    segments_.erase(segments_.begin());
  }
  list_segments();
  for (const Segment& segment : old) {
    if (list_.find(segment.name) == std::string::npos) storage_.remove(segment.name);
  }
}

void EventLog::try_to_write(std::size_t bytes) {
  const bool begins = segments_.empty();
  const std::string name = begins ? fmt::format("{:020}{}", committed_ + 1, suffix) : segments_.back().name;
  const std::string zeros(bytes, '\0');
  writable_ = false;
  try {
    storage_.append(name, zeros);
  } catch (...) {
    undo(name, begins);
    writable_ = true;
    throw;
  }
  undo(name, begins);
  writable_ = true;
}

// Appends what is pending to the segment, which it may begin, and syncs it.
void EventLog::write(const std::string& name, bool begins) {
  writable_ = false;  // what a failed sync left on the disk is unknown; a failed append is undone
  bool appended = false;
  try {
    if (begins) sync();
    storage_.append(name, pending_);
    appended = true;
    if (sync_ || begins) storage_.sync(name);
  } catch (...) {
    if (appended) throw;
    try {
      undo(name, begins);
      writable_ = true;
    } catch (const std::exception&) {
    }
    throw;
  }
  writable_ = true;
}

// Takes away what was appended to the last segment, which it may have begun.
void EventLog::undo(const std::string& name, bool begins) {
  if (begins)
    storage_.remove(name);
  else
    storage_.truncate(name, last_bytes_);
}

}  // namespace halfspace::log
