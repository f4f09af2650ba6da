// Counts, rows that wait, and rows that are learned.
#include "service/live_state.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/frames.h"
#include "base/little_endian.h"
#include "halfspace/base/error.h"
#include "halfspace/model/model_file.h"

namespace halfspace::service {

using log::Event;
using log::EventKind;

namespace {

constexpr std::size_t replayed_at_once = std::size_t{1} << 18;  // bytes of lines

// Notes that the log has an event of this number, which is the last one or later.
void advance(SourcePositions& sources, const Event& event) {
  if (!event.sequence) return;
  auto found = sources.find(event.sequence->source);
  if (found == sources.end()) found = sources.emplace(std::string(event.sequence->source), SourcePosition()).first;
  SourcePosition& position = found->second;
  if (position.number != event.sequence->number) position = {event.sequence->number, {}};
  position.rows.push_back(content_of(event));
}

bool has_row(EventKind kind) { return kind == EventKind::learn || kind == EventKind::truth; }

}  // namespace

std::uint64_t content_of(const Event& event) {
  const std::string head = std::string(1, static_cast<char>(event.kind)) + std::string(event.id) + '\n';
  return checksum(head, event.kind == EventKind::truth ? event.label : event.text);
}

std::uint64_t most_bytes_of(const RowLearner& rows, const LiveOptions& options) {
  return std::max(options.most_state_bytes, 4 * rows.memory_for(rows.schema().features));
}

std::string_view text_of(const std::vector<std::uint8_t>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Model model_of(std::string_view bytes, const std::string& name) {
  const auto* const first = reinterpret_cast<const std::uint8_t*>(bytes.data());
  return decode({first, first + bytes.size()}, name);
}

void LiveState::Passed::note(std::string_view record) {
  const Event each = log::event_of(record);
  forgotten.insert(each.numbers.begin(), each.numbers.end());
}

bool LiveState::Passed::covers(std::uint64_t at) const { return !forgotten.empty() && *forgotten.begin() <= at; }

std::unique_ptr<LiveState> LiveState::begun(log::Storage& storage, const LiveOptions& options) {
  return std::make_unique<LiveState>(RowLearner(model_of(storage.read(begin_name), storage.path_of(begin_name))),
                                     options);
}

void LiveState::count(std::uint64_t number, const Event& event) {
  advance(sources_, event);
  if (has_row(event.kind)) ++counts_.learned;
  switch (event.kind) {
    case EventKind::learn:
    case EventKind::model:
      return;
    case EventKind::ask:
      ++counts_.asked;
      waits_by_id_.insert_or_assign(std::string(event.id), number);
      add_wait(number, {std::string(event.id), std::string(event.label), std::string(event.text)});
      return;
    case EventKind::truth:
      // Its ask may be forgotten, or have given way in a replay without other events.
      if (const auto found = waits_by_id_.find(std::string(event.id)); found != waits_by_id_.end()) {
        ++counts_.truths;
        counts_.mistakes += same_class(waits_.at(found->second).predicted, event.label) ? 0 : 1;
        remove_wait(waits_.find(found->second));
      }
      return;
    case EventKind::forget:
      counts_.forgotten += event.numbers.size();
      return;
  }
}

void LiveState::replay(std::uint64_t number, std::string_view record, const Passed& passed) {
  const Event event = log::event_of(record);
  if (passed.forgotten.contains(number)) return advance(sources_, event);  // its source need not send it again
  count(number, event);
  if (event.kind == EventKind::model) {
    flush();
    rows_ = RowLearner(model_of(event.text, "<log>"), true, counts_.learned);
  }
  if (!has_row(event.kind)) return;
  replayed_.push_back({number, std::string(event.text)});
  replayed_bytes_ += event.text.size();
  if (replayed_bytes_ >= std::max(replayed_at_once, rows_.model_bytes())) flush();
}

void LiveState::flush() {
  if (replayed_.empty()) return;
  std::vector<std::string_view> lines;
  for (const Replayed& row : replayed_) lines.push_back(row.line);
  const RowLearner::Learned learned = rows_.learn(lines, {.bytes = UINT64_MAX, .check_always = true});
  for (const RefusedRow& refused : learned.refused) {
    if (refused.lacks_memory)
      throw Error(ErrorKind::input_output,
                  fmt::format("event {} of the log: {}", replayed_[refused.line - 1].event, refused.reason))
          .fix(refused.fix);
    --counts_.learned;
    ++counts_.set_aside;
  }
  replayed_.clear();
  replayed_bytes_ = 0;
}

// Numbered features are counted on: their numbers are known before they are learned. Names are not taken up.
RowParser& LiveState::parser() {
  // Namespaces that rows have brought since are known, too.
  if (!check_ || check_->schema().columns.size() < schema().columns.size()) {
    const bool numbered = schema().format == DataFormat::libsvm;
    check_ = std::make_unique<RowParser>(schema(), numbered ? ParseFor::learn : ParseFor::check, rows_.class_weights());
  }
  return *check_;
}

const std::string* LiveState::line_of(std::string_view id) const {
  const auto found = waits_by_id_.find(std::string(id));
  return found == waits_by_id_.end() ? nullptr : &waits_.at(found->second).line;
}

std::string LiveState::encoded() const {
  std::string bytes(1, rows_.untouched() ? '\1' : '\0');
  const std::vector<std::uint8_t> model_bytes = encode(model());
  put_little_endian(bytes, model_bytes.size(), 8);
  bytes += text_of(model_bytes);
  for (const std::uint64_t count : {counts_.learned, counts_.asked, counts_.truths, counts_.mistakes, counts_.missing,
                                    counts_.forgotten, counts_.set_aside, waits_.size()})
    put_little_endian(bytes, count, 8);
  for (const auto& [number, row] : waits_) {
    put_little_endian(bytes, number, 8);
    for (const std::string& text : {row.id, row.predicted, row.line}) {
      put_little_endian(bytes, text.size(), 4);
      bytes += text;
    }
  }
  put_little_endian(bytes, sources_.size(), 8);
  for (const auto& [source, position] : sources_) {
    put_little_endian(bytes, position.number, 8);
    put_little_endian(bytes, position.rows.size(), 8);
    for (const std::uint64_t row : position.rows) put_little_endian(bytes, row, 8);
    put_little_endian(bytes, source.size(), 4);
    bytes += source;
  }
  return bytes;
}

std::unique_ptr<LiveState> LiveState::decoded(std::string_view bytes, const std::string& name,
                                              const LiveOptions& options) {
  const auto take = [&](std::uint64_t size) {
    if (bytes.size() < size) throw Error(ErrorKind::data, "the snapshot is cut off").at(name);
    const std::string_view taken = bytes.substr(0, size);
    bytes.remove_prefix(size);
    return taken;
  };
  const auto number = [&](std::size_t size) { return little_endian(take(size).data(), size); };
  const bool untouched = number(1) != 0;
  Model model = model_of(take(number(8)), name);
  LiveCounts counts;
  for (std::uint64_t* const count : {&counts.learned, &counts.asked, &counts.truths, &counts.mistakes, &counts.missing,
                                     &counts.forgotten, &counts.set_aside})
    *count = number(8);
  auto state = std::make_unique<LiveState>(RowLearner(std::move(model), untouched, counts.learned), options);
  state->counts_ = counts;
  for (std::uint64_t left = number(8); left > 0; --left) {
    const std::uint64_t event = number(8);
    Waiting row;
    for (std::string* const field : {&row.id, &row.predicted, &row.line}) *field = take(number(4));
    state->waits_by_id_.emplace(row.id, event);
    state->waits_bytes_ += row.bytes();
    state->waits_.emplace(event, std::move(row));
  }
  for (std::uint64_t left = number(8); left > 0; --left) {
    SourcePosition position{number(8), {}};
    for (std::uint64_t rows = number(8); rows > 0; --rows) position.rows.push_back(number(8));
    state->sources_.emplace(take(number(4)), std::move(position));
  }
  return state;
}

// The row that waits longest gives way.
void LiveState::add_wait(std::uint64_t number, Waiting row) {
  waits_bytes_ += row.bytes();
  waits_.emplace(number, std::move(row));
  while (waits_.size() > options_.most_waiting || (waits_bytes_ > options_.most_waiting_bytes && waits_.size() > 1)) {
    ++counts_.missing;
    remove_wait(waits_.begin());
  }
}

void LiveState::remove_wait(Waits::iterator row) {
  waits_bytes_ -= row->second.bytes();
  waits_by_id_.erase(row->second.id);
  waits_.erase(row);
}

// Labels of numeric formats are equal as numbers: +1 is 1.
bool LiveState::same_class(std::string_view a, std::string_view b) const {
  const Labels& labels = schema().labels;
  const auto first = labels.find(a), second = labels.find(b);
  return first && second ? *first == *second : a == b;
}

}  // namespace halfspace::service
