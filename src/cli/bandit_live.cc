// Serves a bandit over standard input and output.
//
// One read may return many lines. Their events are committed in one frame before the replies are written: a reply is an
// acknowledgement, so what it acknowledges survives a kill.
#include "cli/bandit_live.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>
#include <system_error>
#include <utility>

#include "bandits/live_protocol.h"
#include "base/clock.h"
#include "base/waiting.h"
#include "cli/commands.h"
#include "cli/terminal.h"
#include "halfspace/base/error.h"
#include "halfspace/model/bandit_store.h"

namespace halfspace::cli {
namespace {

constexpr std::size_t read_bytes = std::size_t{1} << 16;
constexpr double seconds_between_lines = 600;  // on stderr, while there are requests

BanditOptions with_arms(BanditOptions options, const std::vector<std::string>& arms) {
  options.arms = arms.size();
  return options;
}

class LiveServer {
 public:
  LiveServer(const LiveFlags& flags, BanditOptions options, std::uint64_t seed)
      : LiveServer(live_arms(flags.arms), flags, options, seed) {}

  int run() {
    std::string input;
    std::vector<char> chunk(read_bytes);
    bool skipping = false;  // skips the rest of a line that is too long
    for (;;) {
      const ::ssize_t read = read_or_leave(STDIN_FILENO, chunk.data(), chunk.size(), &interrupted());
      const ::ssize_t got = read < 0 && errno == ECANCELED ? 0 : read;
      if (got < 0)
        throw Error(ErrorKind::input_output, "cannot read standard input: " + std::generic_category().message(errno));
      const bool ended = got == 0;
      input.append(chunk.data(), static_cast<std::size_t>(got));
      std::size_t at = 0;
      for (std::size_t end; (end = input.find('\n', at)) != std::string::npos || (ended && at < input.size());
           at = end + 1) {
        if (end == std::string::npos) end = input.size();
        if (!std::exchange(skipping, false)) handle(std::string_view(input).substr(at, end - at));
        if (end == input.size()) {
          at = end;
          break;
        }
      }
      input.erase(0, at);
      if (!skipping && input.size() > LiveProtocol::longest_line) {
        handle(input);  // the reply reports that it is too long
        skipping = true;
      }
      if (skipping) input.clear();
      if (ended) break;
      store_.commit();
      flush();
      if (seconds_since(printed_) >= seconds_between_lines) print_status();
    }
    store_.close();
    flush();
    print_status();
    return 0;
  }

 private:
  LiveServer(const std::vector<std::string>& arms, const LiveFlags& flags, const BanditOptions& options,
             std::uint64_t seed)
      : store_(flags.state, with_arms(options, arms), seed, flags.sync), protocol_(arms, store_, as_flag) {
    if (const std::optional<BanditStore::Cut>& cut = store_.cut()) {
      print_message(fmt::format(
          "{} {}: the journal ended in {} of an incomplete frame, as after a kill during a write. Unless the file is "
          "damaged, nothing in them was acknowledged. They are kept in {}\n",
          bold("note:", false), printable(flags.state), counted(cut->bytes, "byte"), printable(cut->kept_in)));
    }
    what_ = fmt::format("{} over {}", name_of(options.name), counted(arms.size(), "arm"));
    print_status();
  }

  // Prints a line for a terminal or a log of the service.
  void print_status() {
    const LiveBandit& bandit = store_.bandit();
    print_message(fmt::format(
        "{}\n", dim(fmt::format("{}: {} and {} so far, {} open", what_, counted(bandit.asks(), "ask"),
                                counted(bandit.tells(), "loss", "losses"), counted(bandit.open(), "ticket")),
                    false)));
    printed_ = Clock::now();
  }

  // Handles one line. An error changes only the output.
  void handle(std::string_view line) {
    const std::string answer = protocol_.answer(line);
    if (!answer.empty()) output_ += answer + "\n";
  }

  void flush() {
    if (output_.empty()) return;
    print_result(output_);
    output_.clear();
  }

  BanditStore store_;
  LiveProtocol protocol_;
  std::string what_, output_;
  Clock::time_point printed_;
};

}  // namespace

int serve_live(const LiveFlags& flags, BanditOptions options, std::uint64_t seed) {
  return LiveServer(flags, options, seed).run();
}

}  // namespace halfspace::cli
