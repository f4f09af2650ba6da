// The protocol of a live bandit (docs/formats/json.md): a line of JSON in, a line of JSON out.
//
//   LiveProtocol protocol(live_arms("red,green"), store);     // or a LiveBandit
//   protocol.answer(R"({"ask":true})")                        // {"arm":"red","p":0.5,"ticket":1}
//
// Whoever carries the lines, standard input or another transport, splits them, commits what they changed, and only then
// delivers the answers.
//
// Thread-safety: one thread. Keeps a reference to the bandit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "halfspace/bandits/live.h"
#include "halfspace/base/error.h"

namespace halfspace {

// Reads the option "arms": how many, which then are 0, 1 ..., or their names, with commas. Returns each as JSON. Throws
// Error(usage).
std::vector<std::string> live_arms(const std::string& text);

class LiveProtocol {
 public:
  static constexpr std::size_t longest_line = std::size_t{1} << 16;

  // `arms`: as JSON, one for each arm. `bandit`: a LiveBandit, or what has one and keeps its events.
  template <class Bandit>
  LiveProtocol(std::vector<std::string> arms, Bandit& bandit, OptionStyle style = {})
      : arms_(std::move(arms)),
        bandit_(bandit_of(bandit)),
        ask_([&bandit] { return bandit.ask(); }),
        tell_([&bandit](std::uint64_t ticket, double loss) { bandit.tell(ticket, loss); }),
        style_(std::move(style)) {}

  // Takes the next line, without its end. Returns its answer, without an end; empty for a blank line. What is wrong with
  // a line is an answer, and changes nothing; other errors of the bandit are thrown.
  std::string answer(std::string_view line);

 private:
  template <class Bandit>
  static const LiveBandit& bandit_of(const Bandit& bandit) {
    if constexpr (std::is_same_v<Bandit, LiveBandit>) {
      return bandit;
    } else {
      return bandit.bandit();
    }
  }
  std::string asked(const std::string& echo);
  std::string status() const;

  std::vector<std::string> arms_;
  const LiveBandit& bandit_;
  std::function<LiveBandit::Answer()> ask_;
  std::function<void(std::uint64_t ticket, double loss)> tell_;
  OptionStyle style_;
  std::uint64_t line_ = 0;
};

}  // namespace halfspace
