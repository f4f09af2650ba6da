// halfspace serve: a model that predicts and learns over HTTP.
#include <fmt/format.h>

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/log/log_rows.h"
#include "base/log/storage.h"
#include "base/printable.h"
#include "cli/commands.h"
#include "cli/request_lines.h"
#include "cli/serve_begin.h"
#include "cli/serve_lines.h"
#include "cli/service_flags.h"
#include "cli/terminal.h"
#include "halfspace/base/error.h"
#include "halfspace/model/model_file.h"
#include "http/learner_application.h"
#include "http/learner_thread.h"
#include "service/live_learner.h"

namespace halfspace::cli {
namespace {

struct ServeFlags : ServiceFlags {
  std::string model, ingest;
  std::uint64_t ids = 1'000'000, publish = 100;
  std::uint64_t state_memory = std::uint64_t{128} << 20, ids_memory = std::uint64_t{256} << 20;
  BeginFlags begin;
  SequenceFields fields;
};

class ServeCommand {
 public:
  ServeCommand(const ServeFlags& flags, const Given& given) : flags_(flags) {
    if (flags.ingest.empty()) service_.emplace(flags, given);
  }

  int run() {
    std::optional<Model> model;
    if (!flags_.model.empty()) model = load_model(flags_.model, &interrupted());
    if (!flags_.begin.like.empty()) model = untrained_model(flags_.begin);
    if (!model && !log::is_log(flags_.log))
      throw Error(ErrorKind::usage, "there is no log yet")
          .at(flags_.log)
          .fix("name the model that it begins with, or --like FILE");
    const std::unique_ptr<log::Storage> storage = log::open_folder(flags_.log);
    service::LiveLearner learner(*storage, model ? &*model : nullptr,
                                 {.snapshot_events = flags_.snapshot,
                                  .most_waiting = flags_.ids,
                                  .most_waiting_bytes = flags_.ids_memory,
                                  .most_state_bytes = flags_.state_memory});
    model.reset();
    report_cut(flags_.log, learner.cut());
    report_set_aside(learner);
    report_decisions(learner);
    if (!learner.damage().empty()) warn(learner.damage() + ". Restore the file from a copy of the folder");
    if (flags_.ingest.empty())
      serve(learner);
    else
      serve_lines(flags_.ingest, learner, flags_.fields, flags_.body);
    if (flags_.ingest.empty()) count_signal_as_end();
    if (learner.writable()) learner.snapshot();
    return 0;
  }

 private:
  // What does not change with the weights.
  void report_decisions(const service::LiveLearner& learner) const {
    const Model model = learner.model();
    std::vector<std::string> kept;
    if (model.threshold) kept.push_back(fmt::format("the threshold of {}", *model.threshold));
    if (model.calibration.fitted()) kept.emplace_back("the curve of its probabilities");
    if (kept.empty()) return;
    const bool one = kept.size() == 1;
    print_message(fmt::format("{} {}{} {} while rows are learned; PUT /model renews {}\n", bold("note:", false),
                              kept[0], one ? "" : " and " + kept[1], one ? "stays" : "stay", one ? "it" : "them"));
  }

  void report_set_aside(const service::LiveLearner& learner) const {
    if (const std::uint64_t rows = learner.counts().set_aside)
      warn(counted(rows, "row") + " cannot be learned any more, since others were forgotten");
  }

  void warn(std::string_view text) const {
    print_message(fmt::format("{} {}: {}\n", bold("warning:", false), printable(flags_.log), text));
  }

  void serve(service::LiveLearner& learner) {
    http::LearnerThread thread(
        learner, {.most_waiting = flags_.waiting, .publish_seconds = static_cast<double>(flags_.publish) / 1000});
    http::LearnerApplication application(thread, flags_.threads);
    service_->run(application,
                  fmt::format("model version {}; POST /predict, /learn, /truth", thread.figures().version.load()),
                  "predictions go on, changes are answered 503. Restart the service to learn on");
  }

  const ServeFlags& flags_;
  std::optional<Service> service_;  // none: lines are read
};

std::vector<Row> limit_rows(ServeFlags& flags) {
  constexpr auto most = static_cast<double>(std::numeric_limits<std::uint32_t>::max());
  return {
      {"--ids", "N", "rows that may wait for their label; the oldest gives way (default 1000000)", &flags.ids,
       takes::between(1, most)},
      {"--ids-memory", "SIZE", "their ids and rows in memory; the oldest give way (default 256M)", &flags.ids_memory,
       size()},
      {"--state-memory", "SIZE",
       "memory of what is learned; rows that need more, and more than four times what the model takes at the start, "
       "are refused (default 128M)",
       &flags.state_memory, size()},
      {"--publish", "MS",
       "milliseconds between two models that predictions are made with, while rows come (default 100)", &flags.publish,
       takes::between(0, 3'600'000)},
  };
}

}  // namespace

Command serve_command() {
  auto flags = std::make_shared<ServeFlags>();
  Command command(
      "serve", "a model over HTTP: predicts, learns, forgets; survives crashes",
      {{"halfspace serve credit.model --log credit.log", "http://127.0.0.1:8080, its state in the folder credit.log"},
       {"halfspace serve --log credit.log", "the same later: the model and all it learned are in the log"},
       {"curl -d '1 3:0.5 7:1' localhost:8080/learn", "a row with its label, in the format that the model knows"},
       {"curl -d '3:0.5 7:1' 'localhost:8080/predict?id=17'", "a row whose label comes later"},
       {"curl -d 1 'localhost:8080/truth?id=17'", "the label; curl -X DELETE localhost:8080/row/17 forgets the row"},
       {"halfspace serve --like rows.csv --preset arow --log credit.log",
        "begins untrained: rows.csv only shows the columns and classes of the rows to come"},
       {"echo '{\"learn\": \"1 3:0.5 7:1\"}' | halfspace serve --log credit.log --ingest -",
        "the same requests as lines: learn, predict, truth with \"id\", forget, ledger"},
       {"halfspace serve --log credit.log --socket /run/halfspace.sock --token-file token",
        "on a Unix socket, behind a server that encrypts; changes need the token"}});
  command.common = {"help", "log", "like", "ingest", "port", "socket", "token-file"};
  command.add(
      {idle_with("like", {"MODEL", "", "the model that a new log begins with", &flags->model, input_file()}),
       required({"--log", "FOLDER", "the state: every event that was acknowledged", &flags->log}),
       {"--ingest", "FILE", "instead of HTTP: requests as JSON Lines, answers on standard output; - is standard input",
        &flags->ingest, input_file()},
       needs("ingest", {"--sequence", "FIELD",
                        "the member that numbers the lines, such as an offset: what the log has is not learned again",
                        &flags->fields.sequence}),
       needs("sequence", {"--source", "FIELD", "the member that names the source of a line, such as a partition",
                          &flags->fields.source})});
  std::vector<Row> address = address_rows(*flags);
  for (Row& row : address) row = idle_with("ingest", std::move(row));
  command.add("Address", std::move(address));
  command.add("Limits", service_limit_rows(*flags));
  command.add("Limits", limit_rows(*flags));
  add_begin_rows(command, flags->begin);
  command.run = [flags](const Given& given) { return ServeCommand(*flags, given).run(); };
  return command;
}

}  // namespace halfspace::cli
