// Choices and rewards as events.
#include "service/live_chooser.h"

#include <fmt/format.h>

#include <bit>
#include <utility>

#include "base/fields/archive.h"
#include "base/fields/checks.h"
#include "base/frames.h"
#include "base/little_endian.h"
#include "base/printable.h"
#include "halfspace/base/error.h"
#include "halfspace/detail/base/archived_map.h"

namespace halfspace::service {
namespace {

constexpr std::size_t most_ended = 100'000;
constexpr std::uint8_t state_version = 1;
enum class ChoiceEvent : char { rank = 1, reward = 2, activate = 3, expire = 4, run = 5 };

void put_text(std::string& to, std::string_view text) {
  put_little_endian(to, text.size(), 4);
  to += text;
}

std::string event_of(ChoiceEvent kind, std::uint64_t time) {
  std::string event(1, static_cast<char>(kind));
  put_little_endian(event, time, 8);
  return event;
}
std::string event_of(ChoiceEvent kind, std::uint64_t time, std::string_view id) {
  std::string event = event_of(kind, time);
  put_text(event, id);
  return event;
}

[[noreturn]] void refuse_event(std::uint64_t number, const std::string& why) {
  throw Error(ErrorKind::data, fmt::format("event {} {}", number, why))
      .at("the log")
      .fix("restore a copy of the folder, or use the version of Halfspace that wrote it");
}

// Takes an event apart.
class EventReader {
 public:
  EventReader(std::uint64_t number, std::string_view record) : number_(number), rest_(record) {}

  std::uint64_t integer(std::size_t bytes) { return little_endian(take(bytes).data(), bytes); }
  double real() { return std::bit_cast<double>(integer(8)); }
  std::string_view text() { return take(integer(4)); }
  std::string_view rest() { return std::exchange(rest_, {}); }
  void end() const {
    if (!rest_.empty()) refuse_event(number_, "is longer than its kind");
  }

 private:
  std::string_view take(std::uint64_t bytes) {
    if (bytes > rest_.size()) refuse_event(number_, "is shorter than its kind");
    const std::string_view taken = rest_.substr(0, bytes);
    rest_.remove_prefix(bytes);
    return taken;
  }

  std::uint64_t number_;
  std::string_view rest_;
};

Error not_waiting(std::string_view id) {
  return Error(ErrorKind::usage, "no choice waits with the id " + printable(std::string(id)))
      .fix("name the event id of a choice, within the time that a reward is waited for");
}

}  // namespace

std::uint64_t ChooserState::Waiting::bytes() const noexcept {
  return 200 + id.size() + chosen.name.size() + 8 * chosen.probability.size() + 12 * chosen.row.index.size() +
         sizeof(ChosenAction::Policy) * chosen.policies.size();
}

ChooserState::ChooserState(ChooserSettings settings, const ChooserLogOptions& options)
    : settings_(std::move(settings)),
      options_(options),
      chooser_(settings_.chooser),
      reader_(settings_.bits, settings_.products) {}

std::unique_ptr<ChooserState> ChooserState::begun(log::Storage& storage, const ChooserLogOptions& options) {
  return std::make_unique<ChooserState>(chooser_settings_of(storage.read(begin_name), storage.path_of(begin_name)),
                                        options);
}

const ChooserState::Waiting* ChooserState::find(std::string_view id) const {
  const auto found = waits_by_id_.find(std::string(id));
  return found == waits_by_id_.end() ? nullptr : &waits_.at(found->second);
}

ChooserState::Waits::iterator ChooserState::at(std::string_view id) {
  const auto found = waits_by_id_.find(std::string(id));
  if (found == waits_by_id_.end()) throw not_waiting(id);
  return waits_.find(found->second);
}

const ChooserState::Waiting& ChooserState::rank(const bandits::RankRequest& request, std::string_view id,
                                                std::string_view text, std::uint64_t time) {
  Waiting waiting{
      .id = std::string(id), .chosen = {}, .time = time, .content = checksum(text, ""), .active = !request.deferred};
  waiting.chosen = chooser_.choose({request.rows, request.names, request.excluded}, id);
  waits_bytes_ += waiting.bytes();
  waits_by_id_.emplace(waiting.id, next_);
  by_time_.emplace(waiting.time, next_);
  ++counts_.choices;
  return waits_.emplace(next_++, std::move(waiting)).first->second;
}

bool ChooserState::full() const {
  const std::uint64_t held = chooser_.held_rounds();
  const std::uint64_t held_bytes = held * (64 + sizeof(PolicyRound) * (settings_.chooser.policies.size() + 2));
  return waits_.size() + held >= options_.most_waiting || waits_bytes_ + held_bytes >= options_.most_waiting_bytes;
}

void ChooserState::end(Waits::iterator wait) {
  waits_bytes_ -= wait->second.bytes();
  by_time_.erase({wait->second.time, wait->first});
  waits_by_id_.erase(wait->second.id);
  if (ended_ids_.insert(wait->second.id).second) ended_.push_back(wait->second.id);
  if (ended_.size() > most_ended) {
    ended_ids_.erase(ended_.front());
    ended_.pop_front();
  }
  waits_.erase(wait);
}

void ChooserState::reward(std::string_view id, double reward) {
  const double normalized = settings_.normalized(reward);
  const Waits::iterator wait = at(id);
  chooser_.learn(wait->second.chosen, normalized);
  ++counts_.rewards;
  counts_.reward += reward;
  end(wait);
}

void ChooserState::activate(std::string_view id) { at(id)->second.active = true; }

void ChooserState::expire(std::string_view id) {
  const Waits::iterator wait = at(id);
  if (wait->second.active) {
    chooser_.learn(wait->second.chosen, settings_.normalized(settings_.default_reward));
    ++counts_.defaults;
    counts_.reward += settings_.default_reward;
  } else {
    chooser_.forget(wait->second.chosen);
    ++counts_.inactive;
  }
  end(wait);
}

void ChooserState::replay(std::uint64_t number, std::string_view record, Passed) {
  EventReader event(number, record);
  const auto kind = static_cast<ChoiceEvent>(event.integer(1));
  const std::uint64_t time = event.integer(8);
  try {
    switch (kind) {
      case ChoiceEvent::rank: {
        const std::uint64_t action = event.integer(4);
        const double propensity = event.real();
        const std::string_view id = event.text(), text = event.rest();
        const Waiting& made = rank(reader_.read(text), id, text, time);
        if (made.chosen.action != action || made.chosen.propensity() != propensity)
          refuse_event(number, "was another choice, or of another probability, than the state gives");
        return;
      }
      case ChoiceEvent::reward: {
        const double value = event.real();
        reward(event.text(), value);
        return event.end();
      }
      case ChoiceEvent::activate:
        activate(event.text());
        return event.end();
      case ChoiceEvent::expire:
        expire(event.text());
        return event.end();
      case ChoiceEvent::run: {
        const bool gate = event.integer(1) != 0;
        run(std::string(event.text()), gate);
        return event.end();
      }
    }
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::data) throw;
    refuse_event(number, "does not follow from the state: " + error.message());
  }
  refuse_event(number, "is none of a chooser");
}

ChoiceRecord choice_record(std::uint64_t number, std::string_view record) {
  EventReader event(number, record);
  const auto kind = static_cast<ChoiceEvent>(event.integer(1));
  event.integer(8);
  ChoiceRecord made;
  made.chooses = kind == ChoiceEvent::rank;
  made.rewards = kind == ChoiceEvent::reward;
  made.ends = made.rewards || kind == ChoiceEvent::expire;
  if (made.chooses) {
    event.integer(4);
    event.real();
  }
  if (made.rewards) made.reward = event.real();
  if (kind == ChoiceEvent::run) return made;
  made.id = event.text();
  if (made.chooses) made.request = event.rest();
  return made;
}

template <class Self, class Archive>
void ChooserState::fields(Self& self, Archive& archive) {
  using fields::anything, fields::finite;
  archive.file = "chooser's snapshot";
  archive.implied("version", state_version, [](std::uint8_t stored) {
    return stored == state_version ? std::string() : std::to_string(stored) + " is unknown";
  });
  std::string settings = json_of(self.settings_), run = self.chooser_.options().run;
  archive.text("settings", settings);
  archive.text("run", run);
  std::vector<std::uint8_t> chooser = self.chooser_.save();
  archive.numbers("chooser", chooser, anything, anything);
  if constexpr (Archive::reads) {
    self.chooser_.run(run);
    self.chooser_.restore(chooser);
  }
  archive.flag("gate used", self.gate_used_);
  ChooserCounts counts = self.counts_;
  for (std::uint64_t* const count : {&counts.choices, &counts.rewards, &counts.defaults, &counts.inactive})
    archive.value("count", *count, anything);
  archive.value("reward", counts.reward, finite);
  archive.value("next", self.next_, anything);
  describe_map(archive, "waits", self.waits_, 8, anything,
               [&](auto& wait, std::uint64_t) { wait_fields(wait, archive); });
  std::vector<std::string> ended(self.ended_.begin(), self.ended_.end());
  archive.names("ended", ended);
  if constexpr (Archive::reads) {
    self.counts_ = counts;
    for (const auto& [number, wait] : self.waits_) {
      self.waits_bytes_ += wait.bytes();
      self.waits_by_id_.emplace(wait.id, number);
      self.by_time_.emplace(wait.time, number);
    }
    self.ended_ = {ended.begin(), ended.end()};
    self.ended_ids_ = {ended.begin(), ended.end()};
  }
}

template <class Numbered, class Archive>
void ChooserState::wait_fields(Numbered& numbered, Archive& archive) {
  using fields::anything, fields::finite;
  auto& [number, wait] = numbered;
  auto& chosen = wait.chosen;
  archive.value("number", number, anything);
  archive.text("id", wait.id);
  archive.value("time", wait.time, anything);
  archive.value("content", wait.content, anything);
  archive.flag("active", wait.active);
  archive.value("round", chosen.round, anything);
  archive.numbers("probabilities", chosen.probability, fields::at_least_one, finite);
  std::uint64_t action = chosen.action;
  archive.value("action", action, fields::at_most(chosen.probability.size() - 1, "the actions"));
  if constexpr (Archive::reads) chosen.action = action;
  archive.text("name", chosen.name);
  archive.value("actions", chosen.actions, anything);
  archive.value("model reward", chosen.model_reward, fields::not_negative);
  archive.numbers("indices", chosen.row.index, anything, anything);
  archive.array("values", chosen.row.value, chosen.row.index.size(), finite);
  archive.list("policies", chosen.policies, 24, anything, [&](auto& policy, std::uint64_t) {
    archive.value("probability", policy.probability, finite);
    archive.value("largest ratio", policy.largest_ratio, fields::sum_of_positives);
    archive.value("model value", policy.model_value, fields::not_negative);
  });
}

std::string ChooserState::encoded() const {
  fields::Writer writer;
  fields(*this, writer);
  const std::vector<std::uint8_t>& bytes = writer.bytes();
  return {bytes.begin(), bytes.end()};
}

std::unique_ptr<ChooserState> ChooserState::decoded(std::string_view bytes, const std::string& name,
                                                    const ChooserLogOptions& options) {
  const auto* const first = reinterpret_cast<const std::uint8_t*>(bytes.data());
  fields::Reader settings_reader({first, bytes.size()}, 1);
  std::string settings;
  settings_reader.file = "chooser's snapshot";
  settings_reader.text("settings", settings);
  auto state = std::make_unique<ChooserState>(chooser_settings_of(settings, name), options);
  fields::Reader reader({first, bytes.size()}, 0);
  fields(*state, reader);
  if (reader.at() != bytes.size()) reader.refuse("more bytes follow");
  return state;
}

DurableChooser::DurableChooser(log::Storage& storage, const ChooserSettings* settings, const ChooserLogOptions& options)
    : Durable(storage, options) {
  if (!exists()) {
    if (settings == nullptr)
      throw Error(ErrorKind::usage, "there is no log of choices yet").at(storage.path_of("")).fix("begin one");
    validate(*settings);
    storage.replace(ChooserState::begin_name, json_of(*settings));
  } else if (settings != nullptr && storage.read(ChooserState::begin_name) != json_of(*settings)) {
    throw Error(ErrorKind::usage, "the log began with other options")
        .at(storage.path_of(ChooserState::begin_name))
        .fix("leave them out, or begin another log");
  }
  open();
}

// Makes a change, and adds its event. What may be refused is refused before: an error in the middle costs a replay.
template <class Make>
void DurableChooser::record(std::string event, const Make& make) {
  before_change(event.size());
  change([&] {
    make(event);
    add(std::move(event));
  });
}

const ChooserState::Waiting& DurableChooser::rank(std::string_view request, std::string_view id, std::uint64_t time,
                                                  bool* repeated) {
  const bandits::RankRequest& read = state().read(request);
  const std::string_view named = read.event.empty() ? id : std::string_view(read.event);
  if (const ChooserState::Waiting* const before = state().find(named)) {
    if (before->content != checksum(request, ""))
      throw Error(ErrorKind::usage, "another choice waits with the id " + printable(std::string(named)))
          .fix("give each choice an event id of its own");
    if (repeated != nullptr) *repeated = true;
    return *before;
  }
  if (state().ended(named))
    throw Error(ErrorKind::usage, "a choice with the id " + printable(std::string(named)) + " has its reward already")
        .fix("give each choice an event id of its own");
  if (state().full())
    throw Error(
        ErrorKind::usage,
        fmt::format("of the choices made {} wait for their rewards, and {} for one before them: no more are made",
                    state().waiting(), state().chooser().held_rounds()))
        .fix("send rewards, or begin a log with a shorter " + option("wait"));
  const ChooserState::Waiting* made = nullptr;
  record(event_of(ChoiceEvent::rank, time), [&](std::string& event) {
    made = &state().rank(read, named, request, time);
    put_little_endian(event, made->chosen.action, 4);
    put_little_endian(event, std::bit_cast<std::uint64_t>(made->chosen.propensity()), 8);
    put_text(event, named);
    event += request;
  });
  return *made;
}

bool DurableChooser::reward(std::string_view id, double reward, std::uint64_t time) {
  if (state().find(id) == nullptr) {
    if (!state().ended(id)) throw not_waiting(id);
    state().count_repeated();
    return false;
  }
  state().settings().normalized(reward);  // a check
  std::string event = event_of(ChoiceEvent::reward, time);
  put_little_endian(event, std::bit_cast<std::uint64_t>(reward), 8);
  put_text(event, id);
  record(std::move(event), [&](const std::string&) { state().reward(id, reward); });
  return true;
}

bool DurableChooser::activate(std::string_view id, std::uint64_t time) {
  if (const ChooserState::Waiting* const waiting = state().find(id)) {
    if (waiting->active) return true;
    record(event_of(ChoiceEvent::activate, time, id), [&](const std::string&) { state().activate(id); });
    return true;
  }
  if (!state().ended(id)) throw not_waiting(id);
  return false;
}

std::uint64_t DurableChooser::expire(std::uint64_t time, std::uint64_t most) {
  const auto wait = static_cast<std::uint64_t>(1000 * state().settings().wait_seconds);
  std::uint64_t expired = 0;
  for (; expired < most; ++expired) {
    const ChooserState::Waiting* const oldest = state().oldest();
    if (oldest == nullptr || time < oldest->time || time - oldest->time < wait) break;
    const std::string id = oldest->id;
    record(event_of(ChoiceEvent::expire, time, id), [&](const std::string&) { state().expire(id); });
  }
  return expired;
}

void DurableChooser::run(const std::string& policy, std::uint64_t time, bool gate) {
  state().chooser().value(policy);  // a check
  std::string event = event_of(ChoiceEvent::run, time);
  event += static_cast<char>(gate);
  put_text(event, policy);
  record(std::move(event), [&](const std::string&) { state().run(policy, gate); });
}

}  // namespace halfspace::service
