// Live use: tickets, and the state as bytes.
//
// state = version:u8 name:u8 arms:u64 rounds:u64 delta:f64 seed:u64 generator:4*u64 asks:u64 tells:u64 loss:f64
//         totals:arms*f64 open:u64 (ticket:u64 arm:u32 probability:f64)*open       little endian; tickets ascend
#include "halfspace/bandits/live.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "halfspace/base/error.h"

namespace halfspace {
namespace {

constexpr std::uint8_t state_version = 1;
constexpr std::size_t open_bytes = 8 + 4 + 8;

class Writer {
 public:
  template <class Int>
  void put(Int value) {
    for (std::size_t i = 0; i < sizeof(Int); ++i) bytes.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
  }
  void put_double(double value) { put(std::bit_cast<std::uint64_t>(value)); }

  std::vector<std::uint8_t> bytes;
};

class FieldReader {
 public:
  FieldReader(std::span<const std::uint8_t> bytes, const std::string& name) : bytes_(bytes), name_(name) {}

  [[noreturn]] void refuse(const char* field, const char* why) const {
    throw Error(ErrorKind::data,
                "bandit state: " + std::string(field) + " at byte " + std::to_string(begin_) + " " + why)
        .at(name_)
        .fix("the file is not a bandit's state, or is damaged: restore a copy, or start with another file");
  }
  template <class Int>
  Int get(const char* field) {
    begin_ = at_;
    if (left() < sizeof(Int)) refuse(field, "is truncated");
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < sizeof(Int); ++i) value |= std::uint64_t{bytes_[at_ + i]} << (8 * i);
    at_ += sizeof(Int);
    return static_cast<Int>(value);
  }
  double get_double(const char* field) {
    const double value = std::bit_cast<double>(get<std::uint64_t>(field));
    if (std::isnan(value)) refuse(field, "is not a number");
    return value;
  }
  std::size_t left() const { return bytes_.size() - at_; }

 private:
  std::span<const std::uint8_t> bytes_;
  const std::string& name_;
  std::size_t at_ = 0, begin_ = 0;
};

}  // namespace

LiveBandit::LiveBandit(const BanditOptions& options, std::uint64_t seed)
    : options_(options), seed_(seed), bandit_(options), draws_(seed) {}

LiveBandit::Answer LiveBandit::ask() {
  if (open_.size() >= most_open) {
    throw Error(ErrorKind::usage, std::to_string(most_open) + " tickets are open: no more are issued")
        .fix("report losses, or start a new state");
  }
  const Play play = bandit_.play(draws_.next());
  open_.emplace(play.round, play);
  return {play.round, play.arm, play.probability};
}

void LiveBandit::tell(std::uint64_t ticket, double loss) {
  if (!(loss >= 0 && loss <= 1)) throw Error(ErrorKind::usage, "a loss must be a number from 0 to 1").fix("rescale it");
  const auto found = open_.find(ticket);
  if (found == open_.end()) {
    const bool given = ticket >= 1 && ticket <= asks();
    throw Error(ErrorKind::usage,
                "ticket " + std::to_string(ticket) + (given ? " already has its loss" : " was never issued"))
        .fix(given ? "report a loss once" : "give a ticket that this bandit issued");
  }
  bandit_.learn(found->second, loss);
  open_.erase(found);
  ++tells_;
  loss_ += loss;
}

std::vector<std::uint8_t> LiveBandit::save() const {
  Writer to;
  to.put(state_version);
  to.put(static_cast<std::uint8_t>(options_.name));
  to.put(options_.arms);
  to.put(options_.rounds);
  to.put_double(options_.delta);
  to.put(seed_);
  for (const std::uint64_t word : draws_.state()) to.put(word);
  to.put(bandit_.rounds());
  to.put(tells_);
  to.put_double(loss_);
  for (const double total : bandit_.totals()) to.put_double(total);
  to.put(static_cast<std::uint64_t>(open_.size()));
  std::vector<std::uint64_t> tickets;
  tickets.reserve(open_.size());
  for (const auto& [ticket, play] : open_) tickets.push_back(ticket);
  std::sort(tickets.begin(), tickets.end());
  for (const std::uint64_t ticket : tickets) {
    const Play& play = open_.at(ticket);
    to.put(ticket);
    to.put(play.arm);
    to.put_double(play.probability);
  }
  return std::move(to.bytes);
}

LiveBandit LiveBandit::restore(std::span<const std::uint8_t> bytes, const std::string& name) {
  FieldReader from(bytes, name);
  if (from.get<std::uint8_t>("version") != state_version) from.refuse("version", "is unknown");
  BanditOptions options;
  options.name = static_cast<BanditName>(from.get<std::uint8_t>("algorithm"));
  if (name_of(options.name).empty()) {
    from.refuse("algorithm", "is unknown");
  }
  options.arms = from.get<std::uint64_t>("arms");
  if (options.arms == 0 || options.arms > BanditOptions::most_arms || options.arms > from.left() / 8) {
    from.refuse("arms", "is out of range");
  }
  options.rounds = from.get<std::uint64_t>("rounds");
  if (options.rounds == 0 && needs_horizon(options.name)) from.refuse("rounds", "is 0 for an algorithm with a horizon");
  options.delta = from.get_double("delta");
  if (!(options.delta > 0 && options.delta < 1)) from.refuse("delta", "is not a probability between 0 and 1");
  LiveBandit live(options, from.get<std::uint64_t>("seed"));
  Generator::State generator{};
  for (std::uint64_t& word : generator) word = from.get<std::uint64_t>("generator");
  if (generator == Generator::State{}) from.refuse("generator", "is all zero");
  live.draws_.restore(generator);
  const auto asks = from.get<std::uint64_t>("asks");
  live.tells_ = from.get<std::uint64_t>("tells");
  if (live.tells_ > asks) from.refuse("tells", "is more than the asks");
  live.loss_ = from.get_double("loss");
  if (!(live.loss_ >= 0 && live.loss_ <= static_cast<double>(live.tells_))) from.refuse("loss", "is out of range");
  std::vector<double> totals(options.arms);
  for (double& total : totals) {
    total = from.get_double("total");
    if (!(total >= 0) || std::isinf(total)) from.refuse("total", "is not a finite number >= 0");
  }
  live.bandit_.restore(totals, asks);
  const auto open = from.get<std::uint64_t>("open");
  if (open != asks - live.tells_ || open > most_open || open != from.left() / open_bytes ||
      from.left() % open_bytes != 0) {
    from.refuse("open", "does not match the asks, the tells and the size of the file");
  }
  live.open_.reserve(open);
  std::uint64_t before = 0;
  for (std::uint64_t i = 0; i < open; ++i) {
    Play play;
    play.round = from.get<std::uint64_t>("ticket");
    if (play.round <= before || play.round > asks) from.refuse("ticket", "is out of order or was never issued");
    before = play.round;
    play.arm = from.get<std::uint32_t>("arm");
    if (play.arm >= options.arms) from.refuse("arm", "is out of range");
    play.probability = from.get_double("probability");
    if (!(play.probability > 0 && play.probability <= 1)) from.refuse("probability", "is out of range");
    live.open_.emplace(play.round, play);
  }
  return live;
}

}  // namespace halfspace
