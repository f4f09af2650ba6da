// Files with a number in their names.
#include "base/log/snapshots.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/frames.h"

namespace halfspace::log {
namespace {

constexpr std::string_view snapshot_prefix = "snapshot-";

}  // namespace

std::string Snapshots::name(std::uint64_t events) { return fmt::format("{}{:020}", snapshot_prefix, events); }

std::vector<std::uint64_t> Snapshots::all() const {
  std::vector<std::uint64_t> found;
  for (const std::string& each : storage_.names()) {
    std::uint64_t events = 0;
    const char* const digits = each.data() + std::min(snapshot_prefix.size(), each.size());
    const auto [end, error] = std::from_chars(digits, each.data() + each.size(), events);
    if (error == std::errc() && each == name(events)) found.push_back(events);
  }
  return found;
}

std::optional<std::string> Snapshots::read(std::uint64_t events) const {
  std::string bytes = storage_.read(name(events));
  const std::optional<Frame> frame = frame_at_front(magic_, bytes);
  if (!frame || frame->number != events || frame_header + frame->record.size() != bytes.size()) return std::nullopt;
  bytes.erase(0, frame_header);
  return bytes;
}

void Snapshots::write(std::uint64_t events, std::string_view state) {
  std::string bytes;
  append_frame(magic_, events, state, bytes);
  storage_.replace(name(events), bytes);
}

void Snapshots::thin_out(std::uint64_t events) {
  std::vector<std::uint64_t> kept = all();
  for (std::size_t i = 1; i + 1 < kept.size();) {
    if (kept[i + 1] - kept[i - 1] <= events - kept[i + 1]) {
      remove(kept[i]);
      kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(i));
    } else {
      ++i;
    }
  }
}

std::uint64_t Snapshots::keep(std::size_t count) {
  const std::vector<std::uint64_t> found = all();
  const std::size_t first = found.size() - std::min(count, found.size());
  for (std::size_t i = 0; i < first; ++i) remove(found[i]);
  return found.size() < count ? 0 : found[first];
}

}  // namespace halfspace::log
