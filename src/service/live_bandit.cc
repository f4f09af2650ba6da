// Asks and feedback as events.
#include "service/live_bandit.h"

#include <fmt/format.h>

#include <bit>
#include <optional>
#include <span>
#include <vector>

#include "base/frames.h"
#include "base/little_endian.h"
#include "halfspace/base/error.h"

namespace halfspace::service {
namespace {

constexpr std::size_t tell_bytes = 1 + 8 + 8;

[[noreturn]] void refuse_bandit(const std::string& name, const std::string& why) {
  throw Error(ErrorKind::data, why).at(name).fix("restore a copy, or start with another state");
}

}  // namespace

std::string encode_bandit(const LiveBandit& bandit) {
  std::string bytes;
  append_frame(BanditState::snapshot_magic, 0, BanditState::text_of(bandit), bytes);
  return bytes;
}

LiveBandit decode_bandit(std::string_view bytes, const std::string& name) {
  const std::optional<Frame> frame = frame_at_front(BanditState::snapshot_magic, bytes);
  if (!frame) refuse_bandit(name, "not a bandit's state, or it is damaged");
  const std::unique_ptr<BanditState> state = BanditState::decoded(frame->record, name, {});
  const std::string_view events = bytes.substr(frame_header + frame->record.size());
  if (events.empty()) return std::move(state->bandit());
  const std::uint64_t first = events.size() < frame_header ? 0 : little_endian(events.data() + 8, 8);
  if (first > frame->number + 1) refuse_bandit(name, "events of the bandit are missing");
  const auto [end, next] =
      log::EventLog::each_event(name, first, events, [&](std::uint64_t number, std::string_view event) {
        if (number > frame->number) state->replay(number, event, {});
      });
  if (end < events.size()) refuse_bandit(name, "the events of the bandit end in an incomplete one, or are damaged");
  return std::move(state->bandit());
}

std::unique_ptr<BanditState> BanditState::begun(log::Storage& storage, const BanditLogOptions&) {
  return std::make_unique<BanditState>(decode_bandit(storage.read(begin_name), storage.path_of(begin_name)));
}

std::unique_ptr<BanditState> BanditState::decoded(std::string_view bytes, const std::string& name,
                                                  const BanditLogOptions&) {
  const auto* const first = reinterpret_cast<const std::uint8_t*>(bytes.data());
  return std::make_unique<BanditState>(LiveBandit::restore({first, bytes.size()}, name));
}

std::string BanditState::text_of(const LiveBandit& bandit) {
  const std::vector<std::uint8_t> state = bandit.save();
  return {state.begin(), state.end()};
}

void BanditState::replay(std::uint64_t number, std::string_view record, Passed) {
  try {
    if (record == std::string_view("\0", 1)) {
      bandit_.ask();
      return;
    }
    if (record.size() == tell_bytes && record.front() == 1) {
      bandit_.tell(little_endian(record.data() + 1, 8), std::bit_cast<double>(little_endian(record.data() + 9, 8)));
      return;
    }
  } catch (const Error& error) {
    refuse_bandit("the log", fmt::format("event {} does not follow from the state: {}", number, error.message()));
  }
  refuse_bandit("the log", fmt::format("event {} is none of a bandit", number));
}

DurableBandit::DurableBandit(log::Storage& storage, const BanditOptions& bandit, std::uint64_t seed,
                             const BanditLogOptions& options)
    : Durable(storage, options) {
  if (!exists()) storage.replace(BanditState::begin_name, encode_bandit(LiveBandit(bandit, seed)));
  open();
  const LiveBandit& is = state().bandit();
  const BanditOptions& kept = is.options();
  if (kept == bandit && is.seed() == seed) return;
  throw Error(ErrorKind::usage, fmt::format("the state is of {} over {} arms, rounds {}, delta {}, seed {}",
                                            name_of(kept.name), kept.arms, kept.rounds, kept.delta, is.seed()))
      .fix("give the same options, or another state to start again");
}

// Makes a change, and adds its event. One that the bandit refuses changes nothing.
template <class Make>
void DurableBandit::record(std::string event, const Make& make) {
  before_change(event.size());
  std::optional<Error> refused;
  change([&] {
    try {
      make(state().bandit());
    } catch (const Error& error) {
      refused = error;
      return;
    }
    add(std::move(event));
  });
  if (refused) throw *refused;
}

LiveBandit::Answer DurableBandit::ask() {
  LiveBandit::Answer answer{};
  record(std::string(1, '\0'), [&](LiveBandit& bandit) { answer = bandit.ask(); });
  return answer;
}

void DurableBandit::tell(std::uint64_t ticket, double loss) {
  std::string event(1, '\1');
  put_little_endian(event, ticket, 8);
  put_little_endian(event, std::bit_cast<std::uint64_t>(loss), 8);
  record(std::move(event), [&](LiveBandit& bandit) { bandit.tell(ticket, loss); });
}

}  // namespace halfspace::service
