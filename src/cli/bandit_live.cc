// A bandit served over standard input and output.
//
// Lines are taken as they come, as many as one read gives; their events are committed in one frame, and only then are
// the replies written. So a reply is an acknowledgement: what it speaks of survives a kill.
#include "cli/bandit_live.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <iterator>
#include <system_error>
#include <utility>

#include "bandits/live_request.h"
#include "base/json.h"
#include "base/waiting.h"
#include "cli/commands.h"
#include "cli/terminal.h"
#include "halfspace/base/error.h"
#include "halfspace/model/bandit_store.h"
#include "stream/parser.h"

namespace halfspace::cli {
namespace {

constexpr std::size_t read_bytes = std::size_t{1} << 16;

std::string quoted_json(const std::string& text) {
  return Json(text).dump(-1, ' ', true, Json::error_handler_t::replace);
}

class LiveServer {
 public:
  LiveServer(const LiveFlags& flags, BanditOptions options, std::uint64_t seed)
      : arms_(arm_texts(flags.arms)), store_(flags.state, with_arms(options), seed, flags.sync) {
    if (const std::optional<BanditStore::Cut>& cut = store_.cut()) {
      tell(fmt::format(
          "{} {}: the journal ended in {} of no whole frame, as a process killed while it writes "
          "leaves them. Unless the file is damaged, nothing of them was acknowledged. They are kept in {}\n",
          bold("note:", false), printable(flags.state), counted(cut->bytes, "byte"), printable(cut->kept_in)));
    }
    if (stderr_is_terminal() || store_.resumed_events() > 0) {
      const LiveBandit& bandit = store_.bandit();
      tell(fmt::format("{}\n",
                       dim(fmt::format("{} over {}: {} and {} so far, {} open", name_of(options.name),
                                       counted(arms_.size(), "arm"), counted(bandit.asks(), "ask"),
                                       counted(bandit.tells(), "loss", "losses"), counted(bandit.open(), "ticket")),
                           false)));
    }
  }

  int run() {
    std::string input;
    std::vector<char> chunk(read_bytes);
    bool skipping = false;  // the rest of a line that was too long
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
        ++line_;
        if (!std::exchange(skipping, false)) handle(std::string_view(input).substr(at, end - at));
        if (end == input.size()) {
          at = end;
          break;
        }
      }
      input.erase(0, at);
      if (!skipping && input.size() > LiveRequest::longest_line) {
        ++line_;
        handle(input);  // which says that it is too long
        --line_;
        skipping = true;
      }
      if (skipping) input.clear();
      if (ended) break;
      store_.commit();
      flush();
    }
    store_.close();
    flush();
    return 0;
  }

 private:
  static std::vector<std::string> arm_texts(const std::string& arms) {
    const std::string fix = "--arms 5, or their names: --arms red,green,blue";
    if (arms.empty()) throw Error(ErrorKind::usage, "how many arms?").fix(fix);
    std::vector<std::string> texts;
    if (arms.find(',') == std::string::npos) {
      double count = 0;
      const bool whole = arms.find_first_not_of("0123456789") == std::string::npos &&
                         stream::parse_number(arms, count) == stream::NumberProblem::none;
      if (!(whole && count >= 1 && count <= static_cast<double>(BanditOptions::most_arms)))
        throw Error(ErrorKind::usage, "--arms takes 1 to " + std::to_string(BanditOptions::most_arms) +
                                          " arms, or their names with commas, not '" + printable(arms) + "'")
            .fix(fix);
      for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) texts.push_back(std::to_string(i));
      return texts;
    }
    for (std::size_t at = 0; at <= arms.size();) {
      const std::size_t comma = std::min(arms.find(',', at), arms.size());
      if (comma == at) throw Error(ErrorKind::usage, "--arms: an arm has no name").fix(fix);
      const std::string text = quoted_json(arms.substr(at, comma - at));
      if (std::find(texts.begin(), texts.end(), text) != texts.end())
        throw Error(ErrorKind::usage, "--arms: two arms have the name " + text).fix("name each arm once");
      texts.push_back(text);
      at = comma + 1;
    }
    return texts;
  }

  BanditOptions with_arms(BanditOptions options) const {
    options.arms = arms_.size();
    return options;
  }

  void refuse(const std::string& message) {
    fmt::format_to(std::back_inserter(output_), "{{\"error\":{},\"line\":{}}}\n", quoted_json(message), line_);
  }

  // One line; an error changes nothing but the output.
  void handle(std::string_view line) {
    try {
      const LiveRequest request = read_live_request(line);
      switch (request.kind) {
        case LiveRequest::Kind::none:
          break;
        case LiveRequest::Kind::ask:
          ask(request);
          break;
        case LiveRequest::Kind::status:
          status();
          break;
        case LiveRequest::Kind::tell:
          store_.tell(request.ticket, request.loss);
          fmt::format_to(std::back_inserter(output_), "{{\"ticket\":{},\"learned\":true}}\n", request.ticket);
          break;
      }
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::usage) throw;
      refuse(with_flags(error.message()));
    }
  }

  void ask(const LiveRequest& request) {
    const LiveBandit::Answer answer = store_.ask();
    const std::string echo = request.echo.empty() ? "" : "\"ask\":" + request.echo + ",";
    fmt::format_to(std::back_inserter(output_), "{{{}\"arm\":{},\"p\":{},\"ticket\":{}}}\n", echo, arms_[answer.arm],
                   answer.probability, answer.ticket);
  }

  // Tells how much is known: where a client goes on after a break.
  void status() {
    const LiveBandit& bandit = store_.bandit();
    fmt::format_to(std::back_inserter(output_), "{{\"asks\":{},\"learned\":{},\"open\":{},\"loss\":{}}}\n",
                   bandit.asks(), bandit.tells(), bandit.open(), bandit.loss());
  }

  void flush() {
    if (output_.empty()) return;
    print_result(output_);
    output_.clear();
  }

  std::vector<std::string> arms_;  // as JSON
  BanditStore store_;
  std::string output_;
  std::uint64_t line_ = 0;
};

}  // namespace

int serve_live(const LiveFlags& flags, BanditOptions options, std::uint64_t seed) {
  return LiveServer(flags, options, seed).run();
}

}  // namespace halfspace::cli
