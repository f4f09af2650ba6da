// halfspace choose: a contextual bandit over HTTP.
#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/atomic_file.h"
#include "base/log/event_log.h"
#include "base/log/storage.h"
#include "base/number_words.h"
#include "base/printable.h"
#include "cli/commands.h"
#include "cli/request_lines.h"
#include "cli/service_flags.h"
#include "cli/terminal.h"
#include "halfspace/bandits/chooser_settings.h"
#include "http/chooser_application.h"
#include "service/choice_export.h"
#include "service/live_chooser.h"

namespace halfspace::cli {
namespace {

using takes::between;

constexpr std::size_t bytes_at_once = std::size_t{1} << 20;

struct ChooseFlags : ServiceFlags {
  ChooserSettings settings;
  std::string switch_to, exported;
  std::uint64_t choices = 1'000'000, choices_memory = std::uint64_t{512} << 20;
};

// Returns the settings, unless no option states one: then the log has them.
const ChooserSettings* stated(ChooseFlags& flags, const Given& given) {
  for (const Option& option : options_of(flags.settings)) {
    if (given(option.name)) return &flags.settings;
  }
  return nullptr;
}

int write_choices(const ChooseFlags& flags) {
  const std::unique_ptr<log::Storage> storage = log::read_folder(flags.log);
  AtomicFile file(flags.exported == "-" ? "/dev/stdout" : flags.exported, &interrupted());
  std::string text;
  const auto write = [&] {
    file.write({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
    text.clear();
  };
  const std::uint64_t lines = service::export_choices(*storage, [&](std::string_view line) {
    text += line;
    if (text.size() >= bytes_at_once) write();
  });
  write();
  file.commit();
  print_message(fmt::format("{}: {}, with rewards\n", printable(flags.exported), counted(lines, "choice")));
  return 0;
}

int run_choose(ChooseFlags& flags, const Given& given) {
  if (!flags.exported.empty()) return write_choices(flags);
  Service service(flags, given);
  const std::unique_ptr<log::Storage> storage = log::open_folder(flags.log);
  const bool begun = log::EventLog::begun(*storage, service::ChooserState::begin_name);
  service::DurableChooser chooser(
      *storage, begun ? stated(flags, given) : &flags.settings,
      {.snapshot_events = flags.snapshot, .most_waiting = flags.choices, .most_waiting_bytes = flags.choices_memory});
  report_cut(flags.log, chooser.cut());
  const std::string& runs = chooser.now().chooser().options().run;
  const double floor = chooser.now().settings().chooser.floor;
  if (floor == 0)
    service.warn("without uniform draws (--floor 0) no policy is sure to be measured: begin a log with --floor 0.02");
  http::ChooserApplication application(chooser, flags.switch_to, flags.waiting);
  service.run(application,
              fmt::format("{} runs, version {}; POST /rank, /events/ID/reward; GET /policies", runs, chooser.events()),
              "nothing is chosen, requests are answered 503. Restart the service to go on");
  count_signal_as_end();
  if (chooser.writable()) chooser.snapshot();
  return 0;
}

}  // namespace

Command choose_command() {
  auto flags = std::make_shared<ChooseFlags>();
  Command command(
      "choose", "a contextual bandit over HTTP: chooses actions, learns from rewards, proves what policies are worth",
      {{"halfspace choose --log news.log", "http://127.0.0.1:8080, its state in the folder news.log"},
       {"curl -d '{\"eventId\": \"v1\", \"actions\": [{\"id\": \"a\"}, {\"id\": \"b\"}]}' localhost:8080/rank",
        "a choice: {\"ranking\": ..., \"rewardActionId\": \"a\"}"},
       {"curl -d 1 localhost:8080/events/v1/reward", "its reward, now or later"},
       {"curl localhost:8080/policies", "what each policy is worth, with bounds that hold at any time"},
       {"halfspace choose --log news.log --run first --policies first,squarecb --switch-to squarecb",
        "the first action, mostly, until squarecb is proved better"}});
  command.common = {"help", "log", "run", "policies", "floor", "switch-to", "port"};
  command.add({required({"--log", "FOLDER", "the state: every choice and reward that was acknowledged", &flags->log}),
               {"--switch-to", "POLICY",
                "the policy that runs from the moment on when it is proved better than what runs", &flags->switch_to},
               {"--export", "FILE",
                "instead of serving: write the choices of the log and their rewards as decision-service JSON",
                &flags->exported, output_file_or_stdout()}});
  command.add("Choices", options_of(flags->settings));
  command.add("Address", address_rows(*flags));
  command.add("Limits", service_limit_rows(*flags));
  command.add("Limits", {{"--choices", "N",
                          "choices that may wait for their reward, or with one for a choice before them; more: status "
                          "409 (default 1000000)",
                          &flags->choices, between(1, 1e9)},
                         {"--choices-memory", "SIZE", "what they take in memory; more: status 409 (default 512M)",
                          &flags->choices_memory, size()}});
  command.run = [flags](const Given& given) { return run_choose(*flags, given); };
  return command;
}

}  // namespace halfspace::cli
