// A bandit in live use: ask for an arm and a ticket; report the loss for the ticket when it is known.
//
// Feedback may come late, out of order, or never. The arms drawn depend only on the options, the seed, and the order of
// asks and feedback. save() and restore() continue bit for bit.
//
// Thread-safety: one thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "halfspace/bandits/bandit.h"
#include "halfspace/base/random.h"

namespace halfspace {

class LiveBandit {
 public:
  static constexpr std::uint64_t most_open = 10'000'000;

  struct Answer {
    std::uint64_t ticket;  // 1, 2, 3 ...
    std::uint32_t arm;
    double probability;
  };

  LiveBandit(const BanditOptions& options, std::uint64_t seed);

  // Throws Error(usage) if most_open tickets are open.
  Answer ask();
  // Takes the loss in [0, 1] of a ticket, once. Throws Error(usage), changing nothing, for an unknown or answered
  // ticket or a loss out of range.
  void tell(std::uint64_t ticket, double loss);

  const BanditOptions& options() const noexcept { return options_; }
  std::uint64_t seed() const noexcept { return seed_; }
  std::uint64_t asks() const noexcept { return bandit_.rounds(); }
  std::uint64_t tells() const noexcept { return tells_; }
  std::uint64_t open() const noexcept { return open_.size(); }
  double loss() const noexcept { return loss_; }  // reported so far
  std::span<const double> distribution() { return bandit_.distribution(); }

  // Returns the whole state, in a machine-independent form; about 8 bytes an arm and 28 an open ticket.
  std::vector<std::uint8_t> save() const;
  // Restores a state from save(); `name` is for errors. Throws Error(data), naming the field and its offset; checks
  // sizes before any allocation.
  static LiveBandit restore(std::span<const std::uint8_t> bytes, const std::string& name);

 private:
  BanditOptions options_;
  std::uint64_t seed_;
  Bandit bandit_;
  Generator draws_;
  std::unordered_map<std::uint64_t, Play> open_;
  std::uint64_t tells_ = 0;
  double loss_ = 0;
};

}  // namespace halfspace
