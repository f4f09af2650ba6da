// Events in, a model out.
#include "service/live_learner.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <exception>
#include <map>
#include <utility>

#include "base/frames.h"
#include "base/little_endian.h"
#include "base/log/event.h"
#include "base/log/log_rows.h"
#include "halfspace/base/error.h"
#include "halfspace/model/model_file.h"
#include "proof/verify/sha256.h"
#include "service/reading.h"

namespace halfspace::service {

using log::Event;
using log::event_of;
using log::EventKind;
using log::record_of;

namespace {

constexpr std::uint32_t snapshot_magic = 0x31535348;  // "HSS1"
constexpr std::string_view snapshot_prefix = "snapshot-";

std::string snapshot_name(std::uint64_t events) {
  return fmt::format("{}{:020}", snapshot_prefix, events);
}

// Returns whether lines of one model mean the same to the other.
bool same_lines(const Schema& a, const Schema& b) {
  const auto label = [](const Schema& schema) {
    const auto column = std::find_if(schema.columns.begin(), schema.columns.end(),
                                     [](const Column& each) { return each.kind == Column::Kind::label; });
    return column == schema.columns.end() ? std::string() : column->name;
  };
  return a.format == b.format && header_of(a) == header_of(b) && label(a) == label(b) && a.delimiter == b.delimiter &&
         a.decimal == b.decimal && a.thousands == b.thousands && a.quote == b.quote && a.comment == b.comment &&
         a.zero_based == b.zero_based;
}

// Returns 1 + the largest feature number of a row.
std::uint32_t features_of(const Block& block, std::size_t row) {
  std::uint32_t features = 0;
  block.with_example(row, [&](const auto& x) {
    for (std::uint32_t i = 0; i < x.size; ++i) features = std::max(features, (x.is_dense ? i : x.index[i]) + 1);
  });
  return features;
}

}  // namespace

LiveLearner::LiveLearner(log::Storage& storage, const Model* model, const LiveOptions& options)
    : storage_(storage), options_(options), log_(storage, options.segment_bytes) {
  open(model);
}
LiveLearner::~LiveLearner() = default;

std::vector<std::uint64_t> LiveLearner::snapshots() const {
  std::vector<std::uint64_t> found;
  for (const std::string& name : storage_.names()) {
    std::uint64_t events = 0;
    const char* const digits = name.data() + std::min(snapshot_prefix.size(), name.size());
    const auto [end, error] = std::from_chars(digits, name.data() + name.size(), events);
    if (error == std::errc() && name == snapshot_name(events)) found.push_back(events);
  }
  return found;
}

void LiveLearner::open(const Model* model) {
  const std::vector<std::string> names = storage_.names();
  const bool exists = std::find(names.begin(), names.end(), log::begin_name) != names.end();
  if (!exists && model == nullptr)
    throw Error(ErrorKind::usage, "there is no log yet").fix("name the model that it begins with");
  if (!exists) {
    const RowLearner goes_on(*model);  // throws for one that does not, before anything is written
    storage_.replace(log::header_name, header_of(model->schema));
    storage_.replace(log::reading_name, reading_of(model->schema));
    storage_.replace(log::begin_name, text_of(encode(*model)));
  } else if (model != nullptr && storage_.read(log::begin_name) != text_of(encode(*model))) {
    throw Error(ErrorKind::usage, "the log began with another model")
        .fix("leave the model out to go on, or begin another log");
  }
  const std::vector<std::uint64_t> found = snapshots();
  cut_ = log_.open(found.empty() ? 1 : found.back() + 1, [](std::uint64_t, std::string_view) {});
  make_state();
  most_bytes_ = most_bytes_of(state_->rows(), options_);
  if (exists) look_for_damage();
}

void LiveLearner::look_for_damage() {
  try {
    const Model begin = model_of(storage_.read(log::begin_name), log::begin_name);
    if (storage_.read(log::header_name) == header_of(begin.schema)) return;
    damage_ = fmt::format("{} is damaged: it does not have the columns of {}", log::header_name, log::begin_name);
  } catch (const Error& error) {
    damage_ = error.what();
  }
}

// Makes the state of all events from the last snapshot on.
void LiveLearner::make_state() {
  std::vector<std::uint64_t> found = snapshots();
  for (;;) {
    const std::uint64_t at = found.empty() ? 0 : found.back();  // events that the state begins with
    // Events that later ones forget are passed over; a snapshot that has one of them goes, too.
    std::set<std::uint64_t> forgotten;
    log_.read(at + 1, [&](std::uint64_t, std::string_view record) {
      const Event each = event_of(record);
      forgotten.insert(each.numbers.begin(), each.numbers.end());
      return true;
    });
    if (!forgotten.empty() && *forgotten.begin() <= at) {
      storage_.remove(snapshot_name(at));
      found.pop_back();
      continue;
    }
    std::unique_ptr<LiveState> state;
    if (at == 0) {
      state =
          std::make_unique<LiveState>(RowLearner(model_of(storage_.read(log::begin_name), log::begin_name)), options_);
    } else if (!(state = read_snapshot(at))) {
      found.pop_back();
      continue;
    }
    log_.read(at + 1, [&](std::uint64_t number, std::string_view record) {
      const Event each = event_of(record);
      if (forgotten.contains(number))
        state->pass_over(each);
      else
        state->replay(number, each);
      return true;
    });
    state->flush();
    state_ = std::move(state);
    check_.reset();
    current_ = true;
    snapshot_at_ = at;
    break;
  }
}

// Returns the state that a snapshot holds; none if it is damaged, or of another version: the log has what it holds.
std::unique_ptr<LiveState> LiveLearner::read_snapshot(std::uint64_t at) const {
  const std::string name = snapshot_name(at), bytes = storage_.read(name);
  const std::optional<Frame> frame = frame_at_front(snapshot_magic, bytes);
  if (!frame || frame->number != at || frame_header + frame->record.size() != bytes.size()) return nullptr;
  try {
    return LiveState::decoded(frame->record, name, options_);
  } catch (const Error&) {
    return nullptr;
  }
}

// Makes the state anew from the log and the pending events, after something failed in the middle of a change.
void LiveLearner::rebuild() {
  current_ = false;
  try {
    make_state();
    for (std::size_t i = 0; i < pending_.size(); ++i) state_->replay(log_.next() + i, event_of(pending_[i]));
    state_->flush();
  } catch (const std::exception&) {  // the log has everything that was acknowledged, and is opened by the next start
    current_ = false;
    log_.stop();
  }
}

// Called before anything is learned: what the disk cannot take is rejected at once.
void LiveLearner::before_change(std::size_t bytes) {
  if (!current() || !writable())
    throw Error(ErrorKind::input_output, "the log takes no more events after an error of the disk")
        .fix("look after the disk, then start again");
  if (!commit_failed_) return;
  log_.try_to_write(bytes + frame_header);
  commit_failed_ = false;
}

// Makes a change of the state and of the pending events, all of it or nothing.
template <class Change>
void LiveLearner::change(const Change& make) {
  const std::size_t before = pending_.size();
  try {
    make();
  } catch (...) {  // out of memory, mostly
    pending_.resize(before);
    rebuild();
    throw;
  }
}

// Adds an event whose row is learned.
void LiveLearner::add(const Event& event, std::string record) {
  const std::uint64_t number = log_.next() + pending_.size();
  pending_.push_back(std::move(record));
  state_->count(number, event);
}

RowLearner::Limits LiveLearner::limits() const {
  return {.bytes = most_bytes_, .refusals = most_refused};
}

// Returns whether the log has this row of the request; of earlier requests it has all.
bool LiveLearner::has(const Sequence& sequence, std::uint64_t row) const {
  if (!sequence) return false;
  const SourcePositions& sources = state_->sources();
  const auto found = sources.find(sequence->source);
  if (found == sources.end()) {
    if (sources.size() < options_.most_sources) return false;
    throw Error(ErrorKind::usage, fmt::format("there are {} sources already", options_.most_sources))
        .fix("name the source by what sends, not by each request");
  }
  const SourcePosition& last = found->second;
  if (sequence->number != last.number) return sequence->number < last.number;
  if (std::find(last.rows.begin(), last.rows.end(), row) != last.rows.end()) return true;
  throw Error(ErrorKind::usage, fmt::format("request {} of this source was another one", last.number))
      .fix("send the same again, or give each request a number of its own");
}

// Takes the rows away that the log has.
void LiveLearner::remove_repeated(const Sequence& sequence, std::vector<Line>& lines, Learned& learned) const {
  if (!sequence) return;
  const SourcePositions& sources = state_->sources();
  const auto found = sources.find(sequence->source);
  if (found == sources.end() || found->second.number != sequence->number) {
    if (has(sequence, 0)) learned.repeated = std::exchange(lines, {}).size();
    return;
  }
  std::unordered_map<std::uint64_t, std::uint64_t> left;  // rows that the log has of this request
  for (const std::uint64_t row : found->second.rows) ++left[row];
  std::erase_if(lines, [&](const Line& line) {
    const auto row = left.find(content_of({.kind = EventKind::learn, .id = line.id, .text = line.text}));
    if (row == left.end() || row->second == 0) return false;
    --row->second;
    return true;
  });
  learned.repeated = found->second.rows.size();
  if (std::all_of(left.begin(), left.end(), [](const auto& row) { return row.second == 0; })) return;
  throw Error(ErrorKind::usage, fmt::format("request {} of this source had other rows", sequence->number))
      .fix("send the same again, or give each request a number of its own");
}

// Numbered features are counted on: their numbers are known before they are learned. Names are not taken up. A parser
// that ran out of memory is not used again.
RowParser::Parsed LiveLearner::parsed_to_check(std::string_view lines) {
  // Namespaces that rows have brought since are known, too.
  if (!check_ || check_->schema().columns.size() < state_->schema().columns.size()) {
    const bool numbered = state_->schema().format == DataFormat::libsvm;
    check_ = std::make_unique<RowParser>(state_->schema(), numbered ? ParseFor::learn : ParseFor::check,
                                         state_->rows().class_weights());
  }
  try {
    return check_->parse(lines);
  } catch (...) {
    check_.reset();
    throw;
  }
}

// Returns why rows with so many features cannot be learned; none: they can.
std::optional<RefusedRow> LiveLearner::check_width(std::uint32_t features) const {
  const std::uint32_t there = state_->schema().features;
  if (features <= there) return std::nullopt;
  const std::string name = fmt::format("feature {}", features);
  if (features > options_.most_features)
    return RefusedRow{1, 0, fmt::format("{} is beyond the {} that are allowed", name, options_.most_features),
                      "number the features from 1 without gaps"};
  const std::uint64_t needed = state_->rows().memory_for(features);
  if (needed <= most_bytes_) return std::nullopt;
  return RefusedRow{1, 0,
                    fmt::format("with {} the learner would take about {} MiB, and {} MiB are allowed", name,
                                needed >> 20, most_bytes_ >> 20),
                    "number the features from 1 without gaps, or let the service have more memory"};
}

// Returns why a line is no row to learn from; none: it is one.
std::optional<RefusedRow> LiveLearner::check_one(std::string_view line) {
  const RowParser::Parsed parsed = parsed_to_check(line);
  if (!parsed.bad.empty()) return RefusedRow{1, parsed.bad[0].column, parsed.bad[0].reason, parsed.bad[0].hint};
  if (parsed.block.rows != 1) return RefusedRow{1, 0, "the line is no row", "leave empty lines and comments out"};
  std::optional<RefusedRow> why = check_width(parsed.block.features);
  if (why) check_.reset();  // it counts on these features from now on
  return why;
}

// Returns the rows to learn from, up to the last line that may be refused; those that are none are told in `learned`. A
// parser that ran out of memory is not used again.
std::vector<LiveLearner::Line> LiveLearner::check(std::string_view lines, Learned& learned) {
  std::vector<Line> good;
  parsed_to_check({});
  bool is_too_wide = false;
  try {
    for (std::uint64_t first = 1; !lines.empty() && learned.refused.size() < most_refused;) {
      const std::string_view before = lines;
      const RowParser::Piece piece = check_->next(lines);
      const std::vector<std::string_view> text = lines_of(before.substr(0, before.size() - lines.size()));
      std::size_t row = 0, bad = 0;
      std::uint64_t i = 0;
      for (; i < piece.lines && learned.refused.size() < most_refused; ++i) {
        if (row < piece.good.size() && piece.good[row] == i) {
          std::optional<RefusedRow> why = check_width(features_of(piece.block, row++));
          if (!why) {
            good.push_back({first + i, text[i]});
            continue;
          }
          is_too_wide = true;
          why->line = first + i;
          learned.refused.push_back(std::move(*why));
        } else if (bad < piece.bad.size() && piece.bad[bad].line == i) {
          const stream::BadRow& why = piece.bad[bad++];
          learned.refused.push_back({first + i, why.column, why.reason, why.hint});
        }
      }
      first += piece.lines;
      learned.refused_more = piece.lines - i;
    }
  } catch (...) {
    check_.reset();
    throw;
  }
  if (is_too_wide) check_.reset();  // it counts on these features from now on
  learned.refused_more += count_lines(lines);
  return good;
}

LiveLearner::Learned LiveLearner::learn(std::string_view lines, std::string_view id, const Sequence& sequence) {
  before_change(lines.size());
  Learned learned;
  std::vector<Line> good = check(lines, learned);
  if (!id.empty() && good.size() > 1)
    throw Error(ErrorKind::usage, "an id is of one row, and there are " + std::to_string(good.size()))
        .fix("send a row at a time, or leave the id out");
  for (Line& line : good) line.id = id.empty() ? id_of(state_->schema(), line.text) : std::string(id);
  remove_repeated(sequence, good, learned);
  std::vector<std::string_view> texts;
  for (const Line& line : good) texts.push_back(line.text);
  change([&] {
    RowLearner::Limits most = limits();
    most.refusals -= std::min(most.refusals - 1, learned.refused.size());
    const RowLearner::Learned taken = state_->rows().learn(texts, most);
    auto refused = taken.refused.begin();
    for (std::size_t i = 0; i < taken.looked_at; ++i) {
      if (refused != taken.refused.end() && refused->line == i + 1) {
        learned.refused.push_back(*refused++);
        learned.refused.back().line = good[i].number;
        continue;
      }
      if (learned.rows++ == 0) learned.first = log_.next() + pending_.size();
      const Event event{.kind = EventKind::learn, .sequence = sequence, .id = good[i].id, .text = texts[i]};
      add(event, record_of(event));
    }
    learned.refused_more += texts.size() - taken.looked_at;
  });
  std::sort(learned.refused.begin(), learned.refused.end(),
            [](const RefusedRow& a, const RefusedRow& b) { return a.line < b.line; });
  return learned;
}

bool LiveLearner::ask(std::string_view id, std::string_view line, std::string_view predicted,
                      const Sequence& sequence) {
  before_change(id.size() + line.size() + predicted.size());
  const Event event{.kind = EventKind::ask, .sequence = sequence, .id = id, .label = predicted, .text = line};
  if (has(sequence, content_of(event))) return false;
  if (id.empty()) throw Error(ErrorKind::usage, "the id is empty").fix("give each row an id of its own");
  if (state_->line_of(id) != nullptr)
    throw Error(ErrorKind::usage, "a row with this id waits for its label already")
        .fix("give each row an id of its own");
  // Any class will do to see whether the row can be learned from later.
  const auto refused = check_one(with_label(state_->schema(), line, state_->schema().labels.names.at(0)));
  if (refused) throw Error(ErrorKind::data, refused->reason).fix(refused->fix);
  change([&] { add(event, record_of(event)); });
  return true;
}

bool LiveLearner::truth(std::string_view id, std::string_view label, const Sequence& sequence) {
  before_change(id.size() + label.size());
  Event event{.kind = EventKind::truth, .sequence = sequence, .id = id, .label = label};
  if (has(sequence, content_of(event))) return false;
  const std::string* const line = state_->line_of(id);
  if (line == nullptr)
    throw Error(ErrorKind::usage, "no row with this id waits for a label")
        .fix("ask for its prediction first; a label is told once, and within the window");
  const std::string row = with_label(state_->schema(), *line, label);
  event.text = row;
  if (const auto refused = check_one(row)) throw Error(ErrorKind::data, refused->reason).fix(refused->fix);
  std::optional<Error> why;
  change([&] {
    const std::string_view text = row;
    const RowLearner::Learned taken = state_->rows().learn(std::span(&text, 1), limits());
    if (taken.refused.empty())
      add(event, record_of(event));
    else
      why = Error(ErrorKind::data, taken.refused[0].reason).fix(taken.refused[0].fix);
  });
  if (why) throw *why;
  return true;
}

void LiveLearner::replace(const Model& model) {
  if (!same_lines(model.schema, state_->schema()))
    throw Error(ErrorKind::usage, "the model's rows have another format or other columns than the log's")
        .fix("begin a new log for it");
  RowLearner rows(model, true, state_->counts().learned);  // throws for a model that cannot go on
  commit();
  const std::vector<std::uint8_t> bytes = encode(model);
  before_change(bytes.size());
  change([&] {
    const Event event{.kind = EventKind::model, .text = text_of(bytes)};
    add(event, record_of(event));
    state_->replace(std::move(rows));
  });
  most_bytes_ = std::max(most_bytes_, most_bytes_of(state_->rows(), options_));
  check_.reset();
  commit();
}

void LiveLearner::commit() {
  if (pending_.empty()) return;
  const std::vector<std::string> events = std::exchange(pending_, {});
  try {
    for (const std::string& record : events) log_.append(record);
    log_.commit();
  } catch (...) {  // what was learned is not in the log, or it is not known whether it is
    log_.take_back();
    commit_failed_ = true;
    if (log_.writable())
      rebuild();
    else
      current_ = false;
    throw;
  }
  if (log_.committed() - snapshot_at_ < options_.snapshot_events) return;
  try {
    snapshot();
    snapshot_error_.clear();
  } catch (const std::exception& error) {  // the log has everything: it is tried again at the next commit
    snapshot_error_ = error.what();
  }
}

std::uint64_t LiveLearner::forget(std::string_view id) {
  commit();
  std::set<std::uint64_t> events, gone;
  log_.read(1, [&](std::uint64_t number, std::string_view record) {
    const Event event = event_of(record);
    if (event.id == id && !id.empty()) events.insert(number);
    gone.insert(event.numbers.begin(), event.numbers.end());
    return true;
  });
  std::erase_if(events, [&](std::uint64_t number) { return gone.contains(number); });
  if (!events.empty()) forget_events(events);
  return events.size();
}

void LiveLearner::forget(std::uint64_t number) {
  commit();
  bool is_row = false;
  log_.read(number, [&](std::uint64_t, std::string_view record) {
    const EventKind kind = event_of(record).kind;
    is_row = kind == EventKind::learn || kind == EventKind::ask || kind == EventKind::truth;
    return false;
  });
  if (!is_row || number > log_.committed())
    throw Error(ErrorKind::usage, "event " + std::to_string(number) + " is no row").fix("name the event of a row");
  forget_events({number});
}

void LiveLearner::forget_events(const std::set<std::uint64_t>& events) {
  log_.append(record_of({.kind = EventKind::forget, .numbers = events}));
  log_.commit();
  try {
    make_state();
  } catch (...) {  // the state still has the rows, and the log has not: nothing may be built on it
    current_ = false;
    log_.stop();
    throw;
  }
}

LiveLearner::Receipt LiveLearner::receipt() const {
  proof::Sha256 log, model;
  log_.read(1, [&](std::uint64_t, std::string_view record) {
    std::string size;
    put_little_endian(size, record.size(), 8);
    log.add(size);
    log.add(record);
    return true;
  });
  model.add(text_of(encode(state_->model())));
  return {log_.committed(), log.finish(), model.finish()};
}

Model LiveLearner::model() const {
  return state_->model();
}
const LiveCounts& LiveLearner::counts() const noexcept {
  return state_->counts();
}
const SourcePositions& LiveLearner::sources() const noexcept {
  return state_->sources();
}
std::uint64_t LiveLearner::waiting() const noexcept {
  return state_->waiting();
}

void LiveLearner::snapshot() {
  if (!current()) throw Error(ErrorKind::input_output, "the state is behind its log").fix("open the log again");
  std::string bytes;
  append_frame(snapshot_magic, log_.committed(), state_->encoded(), bytes);
  storage_.replace(snapshot_name(log_.committed()), bytes);
  snapshot_at_ = log_.committed();
  thin_out();
}

// Removes snapshots whose neighbours are nearer to one another than to the present.
void LiveLearner::thin_out() {
  std::vector<std::uint64_t> kept = snapshots();
  for (std::size_t i = 1; i + 1 < kept.size();) {
    if (kept[i + 1] - kept[i - 1] <= log_.committed() - kept[i + 1]) {
      storage_.remove(snapshot_name(kept[i]));
      kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(i));
    } else {
      ++i;
    }
  }
}

}  // namespace halfspace::service
