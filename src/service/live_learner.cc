// Events in, a model out.
#include "service/live_learner.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <exception>
#include <limits>
#include <map>
#include <utility>

#include "base/frames.h"
#include "base/little_endian.h"
#include "base/log/event.h"
#include "base/log/log_rows.h"
#include "halfspace/base/error.h"
#include "halfspace/model/model_file.h"
#include "halfspace/train/settings.h"
#include "halfspace/train/trainer.h"
#include "proof/verify/sha256.h"

namespace halfspace::service {

using log::Event;
using log::event_of;
using log::EventKind;
using log::record_of;

namespace {

constexpr std::uint32_t snapshot_magic = 0x4e535348;  // "HSSN"
constexpr std::string_view snapshot_prefix = "snapshot-";
constexpr std::size_t learn_at_once = std::size_t{1} << 18;  // bytes of lines

std::string snapshot_name(std::uint64_t events) {
  return fmt::format("{}{:020}", snapshot_prefix, events);
}

TrainOptions stream_options(const Model& before) {
  TrainSettings settings;
  settings.data.paths = {"<log>"};  // which is not read: rows are given
  TrainOptions options = train_options(settings, &before);
  options.composition.order = OrderName::stream;
  options.shuffle_sorted = options.guard_stream = false;
  options.stream_memory = 0;
  options.resume = &before;
  return options;
}

std::string_view text_of(const std::vector<std::uint8_t>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Model model_of(std::string_view bytes, const std::string& name) {
  const auto* const first = reinterpret_cast<const std::uint8_t*>(bytes.data());
  return decode({first, first + bytes.size()}, name);
}

// Notes that the log has an event of this number, which is the last one or later.
void advance(SourcePositions& sources, const log::Sequence& sequence) {
  auto found = sources.find(sequence.source);
  if (found == sources.end()) found = sources.emplace(std::string(sequence.source), SourcePosition()).first;
  SourcePosition& position = found->second;
  if (position.number != sequence.number) position = {sequence.number, 0};
  ++position.events;
}

}  // namespace

class LiveLearner::State {
 public:
  State(Model model, std::uint64_t most_waiting)
      : most_waiting_(most_waiting), start_(std::make_unique<Model>(std::move(model))) {
    begin();
    passes_ = start_->ledger.passes + 1;
  }

  // Passes over an event that is forgotten: its source need not send it again.
  void pass_over(const Event& event) {
    if (event.sequence) advance(sources_, *event.sequence);
  }

  // Takes an event that is not forgotten.
  void apply(std::uint64_t number, const Event& event) {
    pass_over(event);
    switch (event.kind) {
      case EventKind::learn:
        learn(event.text);
        break;
      case EventKind::ask:
        ++counts_.asked;
        waits_by_id_.insert_or_assign(std::string(event.id), number);
        waits_.emplace(number, Waiting{std::string(event.id), std::string(event.label), std::string(event.text)});
        if (waits_.size() > most_waiting_) {
          ++counts_.missing;
          waits_by_id_.erase(waits_.begin()->second.id);
          waits_.erase(waits_.begin());
        }
        break;
      case EventKind::truth:
        // Its ask may be forgotten, or have given way in a replay without other events.
        if (const auto found = waits_by_id_.find(std::string(event.id)); found != waits_by_id_.end()) {
          ++counts_.truths;
          counts_.mistakes += waits_.at(found->second).predicted == event.label ? 0 : 1;
          waits_.erase(found->second);
          waits_by_id_.erase(found);
        }
        learn(event.text);
        break;
      case EventKind::forget:
        counts_.forgotten += event.numbers.size();
        break;
      case EventKind::model:
        flush();
        start_ = std::make_unique<Model>(model_of(event.text, "<log>"));
        begin();
        passes_ = start_->ledger.passes + 1;
        break;
    }
  }

  // Learns what was taken.
  void flush() {
    if (lines_.empty()) return;
    const RowParser::Parsed parsed = parser_->parse(lines_);
    if (!parsed.bad.empty())
      throw Error(ErrorKind::data, "the log has a row that was accepted and cannot be read: " + parsed.bad[0].reason)
          .showing(parsed.bad[0].text)
          .fix("use the version of Halfspace that wrote the log");
    Block block = parsed.block;
    block.row = nullptr;
    trainer_->learn(block);
    lines_.clear();
  }

  // Until a row is learned, the model as it was given, with its threshold and calibration.
  Model model() const {
    if (untouched_) return *start_;
    Model model = trainer_->model();
    model.ledger.passes = passes_;
    if (model.ledger.watch) {  // the trainer numbers rows from its own first one
      for (DriftAlarm& alarm : model.ledger.watch->latest_alarms)
        alarm.row += alarm.round > start_->ledger.rounds ? rows_before_ : 0;
    }
    const std::uint32_t features = model.schema.features;
    model.schema = parser_->schema();
    model.schema.features = std::max(model.schema.features, features);
    return model;
  }

  const Schema& schema() const { return start_->schema; }
  const RowParser::ClassWeights& class_weights() const { return start_->class_weights; }
  const LiveCounts& counts() const noexcept { return counts_; }
  const SourcePositions& sources() const noexcept { return sources_; }
  std::uint64_t waiting() const noexcept { return waits_.size(); }
  const std::string* line_of(std::string_view id) const {
    const auto found = waits_by_id_.find(std::string(id));
    return found == waits_by_id_.end() ? nullptr : &waits_.at(found->second).line;
  }

  std::string encoded() const {
    std::string bytes(1, untouched_ ? '\1' : '\0');
    const std::vector<std::uint8_t> model_bytes = encode(model());
    put_little_endian(bytes, model_bytes.size(), 8);
    bytes += text_of(model_bytes);
    for (const std::uint64_t count : {counts_.learned, counts_.asked, counts_.truths, counts_.mistakes, counts_.missing,
                                      counts_.forgotten, waits_.size()})
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
      for (const std::uint64_t count : {position.number, position.events}) put_little_endian(bytes, count, 8);
      put_little_endian(bytes, source.size(), 4);
      bytes += source;
    }
    return bytes;
  }

  // `bytes`: checked by the frame that they came in.
  static std::unique_ptr<State> decoded(std::string_view bytes, const std::string& name, std::uint64_t most_waiting) {
    const auto number = [&](std::size_t size) {
      if (bytes.size() < size) throw Error(ErrorKind::data, "the snapshot is cut off").at(name);
      const std::uint64_t value = little_endian(bytes.data(), size);
      bytes.remove_prefix(size);
      return value;
    };
    const auto text = [&](std::uint64_t size) {
      if (bytes.size() < size) throw Error(ErrorKind::data, "the snapshot is cut off").at(name);
      const std::string_view taken = bytes.substr(0, size);
      bytes.remove_prefix(size);
      return taken;
    };
    const bool untouched = number(1) != 0;
    auto state = std::make_unique<State>(model_of(text(number(8)), name), most_waiting);
    state->untouched_ = untouched;
    if (!untouched) state->passes_ = state->start_->ledger.passes;
    LiveCounts& counts = state->counts_;
    for (std::uint64_t* const count :
         {&counts.learned, &counts.asked, &counts.truths, &counts.mistakes, &counts.missing, &counts.forgotten})
      *count = number(8);
    state->rows_before_ = counts.learned;
    for (std::uint64_t left = number(8); left > 0; --left) {
      const std::uint64_t event = number(8);
      Waiting row;
      for (std::string* const field : {&row.id, &row.predicted, &row.line}) *field = text(number(4));
      state->waits_by_id_.emplace(row.id, event);
      state->waits_.emplace(event, std::move(row));
    }
    if (bytes.empty()) return state;  // of a version without sources
    for (std::uint64_t left = number(8); left > 0; --left) {
      const std::uint64_t last = number(8), events = number(8);
      state->sources_.emplace(text(number(4)), SourcePosition{last, events});
    }
    return state;
  }

 private:
  struct Waiting {
    std::string id, predicted, line;
  };

  void begin() {
    parser_ = std::make_unique<RowParser>(start_->schema, ParseFor::learn, start_->class_weights);
    trainer_ = std::make_unique<Trainer>(stream_options(*start_), start_->schema);
    untouched_ = true;
    rows_before_ = counts_.learned;
  }

  void learn(std::string_view line) {
    ++counts_.learned;
    untouched_ = false;
    lines_ += line;
    lines_ += '\n';
    if (lines_.size() >= learn_at_once) flush();
  }

  std::uint64_t most_waiting_;
  std::unique_ptr<Model> start_;   // which the trainer goes on from
  std::uint64_t passes_ = 0;       // all rows of the log are one, however often it was opened
  bool untouched_ = true;          // no row was learned since
  std::uint64_t rows_before_ = 0;  // learned before it went on
  std::unique_ptr<RowParser> parser_;
  std::unique_ptr<Trainer> trainer_;
  LiveCounts counts_;
  std::unordered_map<std::string, std::uint64_t> waits_by_id_;
  std::map<std::uint64_t, Waiting> waits_;  // by event
  SourcePositions sources_;
  std::string lines_;  // to learn
};

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
    storage_.replace(log::header_name, header_of(model->schema));
    storage_.replace(log::begin_name, text_of(encode(*model)));
  } else if (model != nullptr && storage_.read(log::begin_name) != text_of(encode(*model))) {
    throw Error(ErrorKind::usage, "the log began with another model")
        .fix("leave the model out to go on, or begin another log");
  }
  const std::vector<std::uint64_t> found = snapshots();
  cut_ = log_.open(found.empty() ? 1 : found.back() + 1, [](std::uint64_t, std::string_view) {});
  make_state_before(log_.next());
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

// Makes the state from the last snapshot that covers no event from this one on; later ones are removed.
void LiveLearner::make_state_before(std::uint64_t event) {
  std::vector<std::uint64_t> found = snapshots();
  for (;;) {
    if (!found.empty() && found.back() >= event) {
      storage_.remove(snapshot_name(found.back()));
      found.pop_back();
      continue;
    }
    const std::uint64_t at = found.empty() ? 0 : found.back();  // events that the state begins with
    // Events that later ones forget are passed over; a snapshot that has one of them goes, too.
    std::set<std::uint64_t> forgotten;
    log_.read(at + 1, [&](std::uint64_t, std::string_view record) {
      const Event each = event_of(record);
      forgotten.insert(each.numbers.begin(), each.numbers.end());
      return true;
    });
    if (!forgotten.empty() && *forgotten.begin() <= at) {
      event = *forgotten.begin();
      continue;
    }
    std::unique_ptr<State> state =
        at == 0
            ? std::make_unique<State>(model_of(storage_.read(log::begin_name), log::begin_name), options_.most_waiting)
            : read_snapshot(at);
    log_.read(at + 1, [&](std::uint64_t number, std::string_view record) {
      if (forgotten.contains(number))
        state->pass_over(event_of(record));
      else
        state->apply(number, event_of(record));
      return true;
    });
    state->flush();
    state_ = std::move(state);
    applied_ = log_.committed();
    snapshot_at_ = at;
    return;
  }
}

std::unique_ptr<LiveLearner::State> LiveLearner::read_snapshot(std::uint64_t at) const {
  const std::string name = snapshot_name(at), bytes = storage_.read(name);
  const std::optional<Frame> frame = frame_at_front(snapshot_magic, bytes);
  if (!frame || frame->number != at || frame_header + frame->record.size() != bytes.size())
    throw Error(ErrorKind::data, "the snapshot is damaged").at(name).fix("remove it: the log has what it holds");
  return State::decoded(frame->record, name, options_.most_waiting);
}

// Adds an event, or nothing if memory is short.
void LiveLearner::add(const Event& event) {
  if (event.sequence && !pending_sources_.contains(event.sequence->source))
    pending_sources_.emplace(event.sequence->source, position_of(event.sequence->source));
  pending_.push_back(record_of(event));
  if (event.sequence) advance(pending_sources_, *event.sequence);
}

// Adds an event after which the id waits with this line, or no more; neither, if memory is short.
void LiveLearner::add_wait(const Event& event, std::optional<std::string> line) {
  std::string id(event.id);
  auto found = pending_waits_.find(id);
  const bool is_new = found == pending_waits_.end();
  if (is_new) found = pending_waits_.emplace(std::move(id), std::nullopt).first;
  try {
    add(event);
  } catch (...) {
    if (is_new) pending_waits_.erase(found);
    throw;
  }
  found->second = std::move(line);
}

// Returns how far the log has a source, or will have after the commit.
SourcePosition LiveLearner::position_of(std::string_view source) const {
  for (const SourcePositions* const positions : {&pending_sources_, &state_->sources()}) {
    const auto found = positions->find(source);
    if (found != positions->end()) return found->second;
  }
  return {};
}

// Returns how many events of a request the log has, or will have after the commit; those of earlier requests all.
std::uint64_t LiveLearner::events_of(const Sequence& sequence) const {
  if (!sequence) return 0;
  for (const SourcePositions* const positions : {&pending_sources_, &state_->sources()}) {
    const auto found = positions->find(sequence->source);
    if (found == positions->end()) continue;
    const SourcePosition& last = found->second;
    if (sequence->number == last.number) return last.events;
    return sequence->number < last.number ? std::numeric_limits<std::uint64_t>::max() : 0;
  }
  if (state_->sources().size() + pending_sources_.size() < options_.most_sources) return 0;
  throw Error(ErrorKind::usage, fmt::format("there are {} sources already", options_.most_sources))
      .fix("name the source by what sends, not by each request");
}

// Numbered features are counted on: their numbers are known before they are learned. Names are not taken up.
std::unique_ptr<RowParser> LiveLearner::check_of(const Schema& schema, const RowParser::ClassWeights& weights) {
  const bool numbered = schema.format == DataFormat::libsvm;
  return std::make_unique<RowParser>(schema, numbered ? ParseFor::learn : ParseFor::check, weights);
}

// A parser that ran out of memory is not used again.
RowParser::Parsed LiveLearner::parsed_to_check(std::string_view lines) {
  if (!check_) check_ = check_of(state_->schema(), state_->class_weights());
  try {
    return check_->parse(lines);
  } catch (...) {
    check_.reset();
    throw;
  }
}

// Returns why a line is no row to learn from; none: it is one.
std::optional<RefusedRow> LiveLearner::check_one(std::string_view line) {
  const RowParser::Parsed parsed = parsed_to_check(line);
  if (!parsed.bad.empty()) return RefusedRow{1, parsed.bad[0].column, parsed.bad[0].reason, parsed.bad[0].hint};
  if (parsed.block.rows != 1) return RefusedRow{1, 0, "the line is no row", "leave empty lines and comments out"};
  const std::uint32_t most = std::max(options_.most_features, state_->schema().features);
  if (parsed.block.features <= most) return std::nullopt;
  return RefusedRow{1, 0, fmt::format("feature {} is beyond the {} that are allowed", parsed.block.features, most),
                    "number the features from 1 without gaps"};
}

// Returns the rows that cannot be learned from; `good` gets the others.
std::vector<RefusedRow> LiveLearner::check(std::string_view lines, std::vector<std::string_view>& good) {
  std::vector<std::string_view> all = lines_of(lines);
  {
    const RowParser::Parsed parsed = parsed_to_check(lines);
    if (parsed.bad.empty() && parsed.block.rows == all.size() && parsed.block.features <= options_.most_features) {
      good = std::move(all);
      return {};
    }
  }
  std::vector<RefusedRow> refused;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].find_first_not_of(" \t") == std::string_view::npos) continue;
    if (std::optional<RefusedRow> why = check_one(all[i])) {
      why->line = i + 1;
      refused.push_back(std::move(*why));
    } else {
      good.push_back(all[i]);
    }
  }
  return refused;
}

LiveLearner::Learned LiveLearner::learn(std::string_view lines, std::string_view id, const Sequence& sequence) {
  std::vector<std::string_view> good;
  Learned learned;
  learned.refused = check(lines, good);
  if (!id.empty() && good.size() > 1)
    throw Error(ErrorKind::usage, "an id is of one row, and there are " + std::to_string(good.size()))
        .fix("send a row at a time, or leave the id out");
  learned.repeated = std::min<std::uint64_t>(good.size(), events_of(sequence));
  learned.rows = good.size() - learned.repeated;
  learned.first = learned.rows == 0 ? 0 : next();
  const std::size_t before = pending_.size();
  const SourcePosition position = sequence ? position_of(sequence->source) : SourcePosition{};
  try {
    for (std::size_t i = learned.repeated; i < good.size(); ++i)
      add({.kind = EventKind::learn, .sequence = sequence, .id = id, .text = good[i]});
  } catch (...) {  // out of memory: all of them, or none
    pending_.resize(before);
    if (sequence && pending_sources_.contains(sequence->source))
      pending_sources_.find(sequence->source)->second = position;
    throw;
  }
  return learned;
}

std::optional<std::string_view> LiveLearner::waiting_line(std::string_view id) const {
  if (const auto found = pending_waits_.find(std::string(id)); found != pending_waits_.end()) {
    if (!found->second) return std::nullopt;
    return *found->second;
  }
  const std::string* const line = state_->line_of(id);
  if (line == nullptr) return std::nullopt;
  return *line;
}

bool LiveLearner::ask(std::string_view id, std::string_view line, std::string_view predicted,
                      const Sequence& sequence) {
  if (events_of(sequence) > 0) return false;
  if (id.empty()) throw Error(ErrorKind::usage, "the id is empty").fix("give each row an id of its own");
  if (waiting_line(id))
    throw Error(ErrorKind::usage, "a row with this id waits for its label already")
        .fix("give each row an id of its own");
  // Any class will do to see whether the row can be learned from later.
  const auto refused = check_one(with_label(state_->schema(), line, state_->schema().labels.names.at(0)));
  if (refused) throw Error(ErrorKind::data, refused->reason).fix(refused->fix);
  add_wait({.kind = EventKind::ask, .sequence = sequence, .id = id, .label = predicted, .text = line},
           std::string(line));
  return true;
}

bool LiveLearner::truth(std::string_view id, std::string_view label, const Sequence& sequence) {
  if (events_of(sequence) > 0) return false;
  const auto line = waiting_line(id);
  if (!line)
    throw Error(ErrorKind::usage, "no row with this id waits for a label")
        .fix("ask for its prediction first; a label is told once, and within the window");
  const std::string row = with_label(state_->schema(), *line, label);
  if (const auto refused = check_one(row)) throw Error(ErrorKind::data, refused->reason).fix(refused->fix);
  add_wait({.kind = EventKind::truth, .sequence = sequence, .id = id, .label = label, .text = row}, std::nullopt);
  return true;
}

void LiveLearner::replace(const Model& model) {
  const RowParser parser(model.schema, ParseFor::check);  // throws for one whose rows cannot come as lines
  if (model.schema.format != state_->schema().format)
    throw Error(ErrorKind::usage, "the model's rows are of another format").fix("begin a new log for it");
  commit();
  std::unique_ptr<RowParser> check = check_of(model.schema, model.class_weights);
  const std::vector<std::uint8_t> bytes = encode(model);
  add({.kind = EventKind::model, .text = text_of(bytes)});
  commit();
  check_ = std::move(check);
}

void LiveLearner::commit() {
  const std::vector<std::string> events = std::exchange(pending_, {});
  pending_waits_.clear();
  pending_sources_.clear();
  const std::uint64_t first = log_.committed() + 1;
  const bool was_current = current();
  write_pending(events);
  if (!was_current) return;
  try {
    for (std::size_t i = 0; i < events.size(); ++i) state_->apply(first + i, event_of(events[i]));
    state_->flush();
  } catch (...) {  // out of memory: the log has events that the state has not
    log_.stop();
    throw;
  }
  applied_ = log_.committed();
  if (applied_ - snapshot_at_ < options_.snapshot_events) return;
  try {
    snapshot();
    snapshot_error_.clear();
  } catch (const std::exception& error) {  // the log has everything: it is tried again at the next commit
    snapshot_error_ = error.what();
  }
}

// Makes the events durable, or none of them a part of the log.
void LiveLearner::write_pending(const std::vector<std::string>& events) {
  try {
    for (const std::string& record : events) log_.append(record);
  } catch (...) {  // out of memory
    log_.take_back();
    throw;
  }
  log_.commit();
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
  log_.append(log::record_of({.kind = EventKind::forget, .numbers = events}));
  log_.commit();
  try {
    make_state_before(*events.begin());
  } catch (...) {  // the state still has the rows, and the log has not: nothing may be built on it
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
