// Events in, a model out.
#include "service/live_learner.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

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

void begin_log(log::Storage& storage, const Model& model) {
  const RowLearner goes_on(model);  // throws for one that does not, before anything is written
  storage.replace(log::header_name, header_of(model.schema));
  storage.replace(log::reading_name, reading_of(model.schema));
  storage.replace(log::begin_name, text_of(encode(model)));
}

// Returns what is wrong with files that the state did not need; empty: nothing.
std::string damage_of(log::Storage& storage) {
  try {
    const Model begin = model_of(storage.read(log::begin_name), storage.path_of(log::begin_name));
    if (storage.read(log::header_name) == header_of(begin.schema)) return "";
    return fmt::format("{} is damaged: it does not have the columns of {}", log::header_name, log::begin_name);
  } catch (const Error& error) {
    return error.what();
  }
}

// Returns whether the log has this row of the request; of earlier requests it has all.
bool log_has(const SourcePositions& sources, std::size_t most_sources, const LiveLearner::Sequence& sequence,
             std::uint64_t row) {
  if (!sequence) return false;
  const auto found = sources.find(sequence->source);
  if (found == sources.end()) {
    if (sources.size() < most_sources) return false;
    throw Error(ErrorKind::usage, fmt::format("there are {} sources already", most_sources))
        .fix("name the source by what sends, not by each request");
  }
  const SourcePosition& last = found->second;
  if (sequence->number != last.number) return sequence->number < last.number;
  if (std::find(last.rows.begin(), last.rows.end(), row) != last.rows.end()) return true;
  throw Error(ErrorKind::usage, fmt::format("request {} of this source was another one", last.number))
      .fix("send the same again, or give each request a number of its own");
}

// Takes the rows away that the log has. Returns how many.
std::uint64_t remove_repeated(const SourcePositions& sources, std::size_t most_sources,
                              const LiveLearner::Sequence& sequence, std::vector<RequestLine>& lines) {
  if (!sequence) return 0;
  const auto found = sources.find(sequence->source);
  if (found == sources.end() || found->second.number != sequence->number) {
    return log_has(sources, most_sources, sequence, 0) ? std::exchange(lines, {}).size() : 0;
  }
  std::unordered_map<std::uint64_t, std::uint64_t> left;  // rows that the log has of this request
  for (const std::uint64_t row : found->second.rows) ++left[row];
  std::erase_if(lines, [&](const RequestLine& line) {
    const auto row = left.find(content_of({.kind = EventKind::learn, .id = line.id, .text = line.text}));
    if (row == left.end() || row->second == 0) return false;
    --row->second;
    return true;
  });
  if (std::all_of(left.begin(), left.end(), [](const auto& row) { return row.second == 0; }))
    return found->second.rows.size();
  throw Error(ErrorKind::usage, fmt::format("request {} of this source had other rows", sequence->number))
      .fix("send the same again, or give each request a number of its own");
}

}  // namespace

LiveLearner::LiveLearner(log::Storage& storage, const Model* model, const LiveOptions& options)
    : Durable(storage, options) {
  const bool existed = exists();
  if (!existed && model == nullptr)
    throw Error(ErrorKind::usage, "there is no log yet").fix("name the model that it begins with");
  if (!existed) begin_log(storage_, *model);
  if (existed && model != nullptr && storage_.read(log::begin_name) != text_of(encode(*model)))
    throw Error(ErrorKind::usage, "the log began with another model")
        .fix("leave the model out to go on, or begin another log");
  open();
  most_bytes_ = most_bytes_of(state().rows(), options_);
  if (existed) damage_ = damage_of(storage_);
}

// Adds an event whose row is learned. Returns its number.
std::uint64_t LiveLearner::add(const Event& event) {
  const std::uint64_t number = Durable::add(record_of(event));
  state().count(number, event);
  return number;
}

RowLearner::Limits LiveLearner::limits() const { return {.bytes = most_bytes_, .refusals = most_refused}; }

// Returns why rows with so many features cannot be learned; none: they can.
std::optional<RefusedRow> LiveLearner::check_width(std::uint32_t features) const {
  const std::uint32_t there = state().schema().features;
  if (features <= there) return std::nullopt;
  const std::string name = fmt::format("feature {}", features);
  if (features > options_.most_features)
    return RefusedRow{1, 0, fmt::format("{} is beyond the {} that are allowed", name, options_.most_features),
                      "number the features from 1 without gaps"};
  const std::uint64_t needed = state().rows().memory_for(features);
  if (needed <= most_bytes_) return std::nullopt;
  return RefusedRow{1, 0,
                    fmt::format("with {} the learner would take about {} MiB, and {} MiB are allowed", name,
                                needed >> 20, most_bytes_ >> 20),
                    "number the features from 1 without gaps, or let the service have more memory"};
}

// Returns why a line is no row to learn from; none: it is one. A parser that ran out of memory is not used again.
std::optional<RefusedRow> LiveLearner::check_one(std::string_view line) {
  const RowParser::Parsed parsed = [&] {
    try {
      return state().parser().parse(line);
    } catch (...) {
      state().forget_parser();
      throw;
    }
  }();
  if (!parsed.bad.empty()) return RefusedRow{1, parsed.bad[0].column, parsed.bad[0].reason, parsed.bad[0].hint};
  if (parsed.block.rows != 1) return RefusedRow{1, 0, "the line is no row", "leave empty lines and comments out"};
  std::optional<RefusedRow> why = check_width(parsed.block.features);
  if (why) state().forget_parser();  // it counts on these features from now on
  return why;
}

// Returns the rows to learn from, up to the last line that may be refused; those that are none are told in `learned`. A
// parser that ran out of memory is not used again.
std::vector<RequestLine> LiveLearner::check(std::string_view lines, Learned& learned) {
  std::vector<RequestLine> good;
  RowParser& parser = state().parser();
  bool is_too_wide = false;
  try {
    for (std::uint64_t first = 1; !lines.empty() && learned.refused.size() < most_refused;) {
      const std::string_view before = lines;
      const RowParser::Piece piece = parser.next(lines);
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
    state().forget_parser();
    throw;
  }
  if (is_too_wide) state().forget_parser();  // it counts on these features from now on
  learned.refused_more += count_lines(lines);
  return good;
}

LiveLearner::Learned LiveLearner::learn(std::string_view lines, std::string_view id, const Sequence& sequence) {
  before_change(lines.size());
  Learned learned;
  std::vector<RequestLine> good = check(lines, learned);
  if (!id.empty() && good.size() > 1)
    throw Error(ErrorKind::usage, "an id is of one row, and there are " + std::to_string(good.size()))
        .fix("send a row at a time, or leave the id out");
  for (RequestLine& line : good) line.id = id.empty() ? id_of(state().schema(), line.text) : std::string(id);
  learned.repeated = remove_repeated(sources(), options_.most_sources, sequence, good);
  std::vector<std::string_view> texts;
  for (const RequestLine& line : good) texts.push_back(line.text);
  change([&] {
    RowLearner::Limits most = limits();
    most.refusals -= std::min(most.refusals - 1, learned.refused.size());
    const RowLearner::Learned taken = state().rows().learn(texts, most);
    auto refused = taken.refused.begin();
    for (std::size_t i = 0; i < taken.looked_at; ++i) {
      if (refused != taken.refused.end() && refused->line == i + 1) {
        learned.refused.push_back(*refused++);
        learned.refused.back().line = good[i].number;
        continue;
      }
      const std::uint64_t number =
          add({.kind = EventKind::learn, .sequence = sequence, .id = good[i].id, .text = texts[i]});
      if (learned.rows++ == 0) learned.first = number;
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
  if (log_has(sources(), options_.most_sources, sequence, content_of(event))) return false;
  if (id.empty()) throw Error(ErrorKind::usage, "the id is empty").fix("give each row an id of its own");
  if (state().line_of(id) != nullptr)
    throw Error(ErrorKind::usage, "a row with this id waits for its label already")
        .fix("give each row an id of its own");
  // Any class will do to see whether the row can be learned from later.
  const auto refused = check_one(with_label(state().schema(), line, state().schema().labels.names.at(0)));
  if (refused) throw Error(ErrorKind::data, refused->reason).fix(refused->fix);
  change([&] { add(event); });
  return true;
}

bool LiveLearner::truth(std::string_view id, std::string_view label, const Sequence& sequence) {
  before_change(id.size() + label.size());
  Event event{.kind = EventKind::truth, .sequence = sequence, .id = id, .label = label};
  if (log_has(sources(), options_.most_sources, sequence, content_of(event))) return false;
  const std::string* const line = state().line_of(id);
  if (line == nullptr)
    throw Error(ErrorKind::usage, "no row with this id waits for a label")
        .fix("ask for its prediction first; a label is told once, and within the window");
  const std::string row = with_label(state().schema(), *line, label);
  event.text = row;
  if (const auto refused = check_one(row)) throw Error(ErrorKind::data, refused->reason).fix(refused->fix);
  std::optional<Error> why;
  change([&] {
    const std::string_view text = row;
    const RowLearner::Learned taken = state().rows().learn(std::span(&text, 1), limits());
    if (taken.refused.empty())
      add(event);
    else
      why = Error(ErrorKind::data, taken.refused[0].reason).fix(taken.refused[0].fix);
  });
  if (why) throw *why;
  return true;
}

void LiveLearner::replace(const Model& model) {
  if (!same_lines(model.schema, state().schema()))
    throw Error(ErrorKind::usage, "the model's rows have another format or other columns than the log's")
        .fix("begin a new log for it");
  RowLearner rows(model, true, state().counts().learned);  // throws for a model that cannot go on
  commit();
  const std::vector<std::uint8_t> bytes = encode(model);
  before_change(bytes.size());
  change([&] {
    add({.kind = EventKind::model, .text = text_of(bytes)});
    state().replace(std::move(rows));
  });
  most_bytes_ = std::max(most_bytes_, most_bytes_of(state().rows(), options_));
  commit();
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
    make();
  } catch (...) {  // the state still has the rows, and the log has not: nothing may be built on it
    stop();
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
  model.add(text_of(encode(state().model())));
  return {log_.committed(), log.finish(), model.finish()};
}

}  // namespace halfspace::service
