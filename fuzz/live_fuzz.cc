// The live protocol and the live state. The first byte chooses the algorithm, and what the rest is.
//
// Below 128, lines: what is refused changes nothing, and a bandit restored from its state goes on as the one that was
// saved. From 128 on, a state: refused with Error(data), or a bandit that saves these very bytes and can be played.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bandits/live_protocol.h"
#include "base/json.h"
#include "halfspace/bandits/live.h"
#include "halfspace/base/error.h"

namespace {

using namespace halfspace;

void demand(bool holds) {
  if (!holds) std::abort();
}

// Of all lines, given to the bandit and to one that is saved and restored before each of them.
void play_lines(std::string_view text, const BanditOptions& options) {
  LiveBandit bandit(options, 7);
  const std::vector<std::string> arms = live_arms(std::to_string(options.arms));
  LiveProtocol protocol(arms, bandit);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    at = end + 1;
    const auto before = bandit.save();
    LiveBandit twin = LiveBandit::restore(before, "twin");
    const std::string answer = protocol.answer(line);
    demand(std::all_of(answer.begin(), answer.end(), [](char c) { return c >= ' ' && c < 0x7f; }));
    if (answer.empty() || Json::parse(answer).contains("error")) {
      demand(bandit.save() == before);
    } else {
      demand(LiveProtocol(arms, twin).answer(line) == answer);
    }
    demand(bandit.save() == twin.save());
  }
}

void play_state(std::span<const std::uint8_t> bytes) {
  try {
    LiveBandit bandit = LiveBandit::restore(bytes, "fuzz");
    const auto saved = bandit.save();
    demand(std::equal(saved.begin(), saved.end(), bytes.begin(), bytes.end()));
    for (int i = 0; i < 3; ++i) {
      const auto answer = bandit.ask();
      demand(answer.arm < bandit.options().arms && answer.probability > 0);
      bandit.tell(answer.ticket, 1);
      LiveBandit::restore(bandit.save(), "again");
    }
  } catch (const Error& error) {
    demand(error.kind() == ErrorKind::data);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::span<const std::uint8_t> rest(data + 1, size - 1);
  if (data[0] >= 128) {
    play_state(rest);
    return 0;
  }
  constexpr auto names = values<BanditName>();
  play_lines({reinterpret_cast<const char*>(rest.data()), rest.size()},
             {.name = names[data[0] % names.size()], .arms = 3, .rounds = 20, .delta = 0.05});
  return 0;
}
