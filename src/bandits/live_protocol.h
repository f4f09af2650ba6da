// The protocol of a live bandit (docs/formats/json.md): one line of JSON in, one line of JSON out.
//
//   LiveProtocol protocol(live_arms("red,green"), store);     // or a LiveBandit
//   protocol.answer(R"({"ask":true})")                        // {"arm":"red","p":0.5,"ticket":1}
//
// The transport, standard input or another, splits the lines, commits their changes, and only then delivers the
// answers.
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

// Parses the option "arms": the number of arms (named 0, 1 ...), or their names, separated by commas. Returns each as
// JSON. Throws Error(usage).
std::vector<std::string> live_arms(const std::string& text);

class LiveProtocol {
 public:
  static constexpr std::size_t longest_line = std::size_t{1} << 16;

  // `arms`: as JSON, one for each arm. `bandit`: a LiveBandit, or an object that has one and stores its events.
  template <class Bandit>
  LiveProtocol(std::vector<std::string> arms, Bandit& bandit, OptionStyle style = {})
      : arms_(std::move(arms)),
        bandit_([&bandit]() -> const LiveBandit& { return bandit_of(bandit); }),
        ask_([&bandit] { return bandit.ask(); }),
        tell_([&bandit](std::uint64_t ticket, double loss) { bandit.tell(ticket, loss); }),
        style_(std::move(style)) {}

  // Processes a line, without its end. Returns the answer, without an end; empty for a blank line. An error in a line
  // is an answer and changes nothing; other errors of the bandit are thrown.
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
  std::function<const LiveBandit&()> bandit_;
  std::function<LiveBandit::Answer()> ask_;
  std::function<void(std::uint64_t ticket, double loss)> tell_;
  OptionStyle style_;
  std::uint64_t line_ = 0;
};

}  // namespace halfspace
