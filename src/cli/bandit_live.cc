// Serves a bandit over standard input and output.
#include "cli/bandit_live.h"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "bandits/live_protocol.h"
#include "base/clock.h"
#include "base/log/storage.h"
#include "cli/commands.h"
#include "cli/request_lines.h"
#include "cli/terminal.h"
#include "halfspace/base/error.h"
#include "service/live_bandit.h"

namespace halfspace::cli {
namespace {

constexpr double seconds_between_lines = 600;  // on stderr, while there are requests

class LiveServer {
 public:
  LiveServer(const LiveFlags& flags, BanditOptions options, std::uint64_t seed) {
    const std::vector<std::string> arms = live_arms(flags.arms);
    options.arms = arms.size();
    if (flags.state.empty()) {
      unkept_.emplace(options, seed);
      protocol_.emplace(arms, *unkept_, as_flag);
    } else {
      storage_ = log::open_folder(flags.state);
      try {
        log_.emplace(*storage_, options, seed, service::BanditLogOptions{.sync = flags.sync});
      } catch (const Error& error) {
        if (!error.file().empty()) throw;
        throw Error(error).at(flags.state);
      }
      protocol_.emplace(arms, *log_, as_flag);
      report_cut(flags.state, log_->cut());
    }
    what_ = fmt::format("{} over {}", name_of(options.name), counted(arms.size(), "arm"));
    print_status();
  }

  int run() {
    serve_request_lines("-", LiveProtocol::longest_line,
                        {[this](std::string_view line) { take(line); }, [this] { return answers(); }});
    if (log_) log_->snapshot();
    print_status();
    return 0;
  }

 private:
  // Prints a line for a terminal or a log of the service.
  void print_status() {
    const LiveBandit& bandit = log_ ? log_->bandit() : *unkept_;
    print_message(fmt::format(
        "{}\n", dim(fmt::format("{}: {} and {} so far, {} open", what_, counted(bandit.asks(), "ask"),
                                counted(bandit.tells(), "loss", "losses"), counted(bandit.open(), "ticket")),
                    false)));
    printed_ = Clock::now();
  }

  void take(std::string_view line) {
    const std::string answer = protocol_->answer(line);
    if (!answer.empty()) output_ += answer + "\n";
  }

  std::string answers() {
    if (log_) log_->commit();
    if (seconds_since(printed_) >= seconds_between_lines) print_status();
    return std::exchange(output_, {});
  }

  std::optional<LiveBandit> unkept_;  // without a state
  std::unique_ptr<log::Storage> storage_;
  std::optional<service::DurableBandit> log_;
  std::optional<LiveProtocol> protocol_;
  std::string what_, output_;
  Clock::time_point printed_;
};

}  // namespace

int serve_live(const LiveFlags& flags, BanditOptions options, std::uint64_t seed) {
  return LiveServer(flags, options, seed).run();
}

}  // namespace halfspace::cli
