// halfspace-mpi: trains and certifies on the workers of an MPI job, as `mpirun -n 2 halfspace-mpi train DATA...` starts
// them.
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/atomic_file.h"
#include "cli/commands.h"
#include "cli/help.h"
#include "cli/report_flags.h"
#include "cli/terminal.h"
#include "halfspace/base/error.h"
#include "halfspace/detail/rules/tournament.h"
#include "halfspace/model/model_file.h"
#include "halfspace/train/settings.h"
#include "mixing/result_json.h"
#include "mpi/mix_job.h"
#include "mpi/model_job.h"
#include "mpi/proof_commands.h"

namespace halfspace::mpi {
namespace {

using namespace cli;

constexpr std::size_t most_lines = 10;  // of epochs
constexpr const char* purpose =
    "halfspace-mpi trains, predicts and certifies on the workers of an MPI job: the same results for any number.";

struct TrainFlags : TrainSettings {
  std::string output, checkpoint_path, resume_from, mixing = "uniform";
  std::optional<std::uint32_t> shards;
  std::uint64_t epochs = 1;
  double time_out = 60;
  bool local = false, json = false, quiet = false;
};

// Returns the files of this worker alone, if --local is given.
OwnFiles own_files(DataFlags& data, bool local) {
  if (!local) return std::nullopt;
  OwnFiles files = std::exchange(data.paths, {"<local>"});  // which is not opened
  return files;
}

// The averaged perceptron mixes after every epoch; for a single one the tournament is the better choice, as on one
// machine.
void choose_rule(TrainFlags& flags) {
  if (!leaves_the_plan(flags)) return;
  if (flags.epochs == 1) {
    flags.rule = name_of(rule::tournament);
  } else {
    flags.preset = "averaged";
  }
}

report::Json json_of(const MixResult& result, int workers) {
  report::Json j = run_json("train", {});
  j["workers"] = workers;
  j["bytes_sent_per_epoch"] = result.bytes_sent;
  j.update(mixing::result_json(result.plan, result.state, result.model, result.margins, result.bound));
  return j;
}

std::string text_of(const TrainFlags& flags, const MixResult& result, int workers) {
  const Ledger& ledger = result.state.ledger;
  std::string text;
  const auto line = [&](const char* name, const std::string& value) {
    text += fmt::format("  {:<12} {}\n", name, value);
  };
  const std::uint64_t rows = ledger.first_pass_rounds;
  line("data", fmt::format("{}, {} in {} shards", counted(rows, "row"),
                           counted(result.model.schema.features, "feature"), result.plan.shards));
  line("workers", fmt::format("{}   their number changes no bit of the model", workers));
  const std::size_t epochs = result.state.records.size();
  for (std::size_t n = 0; n < epochs; ++n) {
    if (epochs > most_lines && n == most_lines / 2) {
      line("", "  …");
      n = epochs - most_lines / 2;
    }
    double weight = 0, errors = 0;
    for (const ShardRecord& record : result.state.records[n]) {
      weight += record.weight;
      errors += record.errors;
    }
    line(n == 0 ? "epochs" : "",
         fmt::format("{:>3}   {} wrong, each row predicted before training on it", n + 1, percent(errors, weight)));
  }
  if (!flags.output.empty()) line("model", printable(flags.output));
  if (result.bound) {
    line("mistakes", fmt::format("{} of at most {}   bound: {}", grouped(ledger.mistakes),
                                 grouped(static_cast<std::uint64_t>(std::min(result.bound->value, 0x1p63))),
                                 result.bound->theorem));
  } else {
    line("mistakes", fmt::format("{}   no bound is known for this rule over several shards", grouped(ledger.mistakes)));
  }
  return text;
}

int train(Workers& workers, TrainFlags flags) {
  workers.set_time_out(flags.time_out);
  workers.set_interrupt(&interrupted());
  choose_rule(flags);
  MixJob job;
  job.local = own_files(flags.data, flags.local);
  const TrainOptions chosen = train_options(flags);
  job.options.read = chosen.read;
  job.options.read.interrupt = &interrupted();
  if (workers.leads() || job.local) job.options.read.on_note = note_printer();
  job.options.composition = chosen.composition;
  job.options.mixing = *value_named<Mixing>(flags.mixing);
  job.options.memory = chosen.memory.memory;
  job.shards = flags.shards;
  job.epochs = flags.epochs;
  job.checkpoint = flags.checkpoint_path;
  job.resume = flags.resume_from;
  Progress progress(workers.leads() && !flags.quiet && !flags.json);
  job.on_epoch = [&](const MixState& state) {
    progress.show(fmt::format("epoch {} of {}", state.epoch, flags.epochs));
  };
  const MixResult result = run(workers, job);
  if (!workers.leads()) return 0;
  progress.clear();
  if (!flags.output.empty()) save_model(result.model, flags.output, &interrupted());
  print_result(flags.json ? dumped(json_of(result, workers.size())) : text_of(flags, result, workers.size()));
  return 0;
}

Row time_out_row(double& seconds) {
  return {"--time-out", "SECONDS", "how long a worker may give no sign of life (default 60)", &seconds,
          takes::above(0)};
}

Row local_row(bool& local) {
  return {"--local", "", "DATA are files that this worker alone can read; each worker may have others, or none",
          &local};
}

// `local`: there may be no file.
Row rows_row(DataFlags& flags, const std::string& what, bool local) {
  Row row = data_row(flags, what);
  row.required = !local;
  return row;
}

Command train_command(Workers& workers, bool local) {
  auto flags = std::make_shared<TrainFlags>();
  Command command(
      "train", "train on the workers of an MPI job: the same model for any number of them",
      {{"mpirun -n 2 halfspace-mpi train data/part-* -o big.model", "files that all workers can read"},
       {"mpirun --hostfile HOSTS halfspace-mpi train --local '/disk/part-*' -o big.model", "each machine's own files"},
       {"srun --mpi=pmix halfspace-mpi train big.svm --epochs 5", "under Slurm, five epochs"},
       {"mpirun -n 2 halfspace-mpi train big.svm --epochs 9 --resume run.mix", "goes on after a failure"}});
  command.program = "halfspace-mpi";
  command.common = {"help", "output", "local", "epochs", "checkpoint", "resume", "rule", "quiet", "label", "format"};
  command.add({rows_row(flags->data, "rows of all shards, which every worker can read", local),
               local_row(flags->local),
               {"-o,--output", "FILE", "write the model here", &flags->output, output_file()}});
  command.add(
      "Mixing",
      {{"--shards", "N",
        "a power of two: the data are divided so, whatever the workers (default 64; with --local the fewest, one a "
        "file)",
        &flags->shards},
       {"--epochs", "N", "passes over the data; weights are mixed after each (default 1)", &flags->epochs, at_least(1)},
       {"--mixing", "HOW", "what a shard's weights count", &flags->mixing, one_of(choices_of<Mixing>())},
       {"--checkpoint", "FILE", "written after each epoch", &flags->checkpoint_path, output_file()},
       {"--resume", "FILE", "a checkpoint to go on from, with any number of workers", &flags->resume_from,
        input_file_replaced_by("checkpoint")},
       {"--memory", "SIZE", "for the mistakes of all shards, which the bound needs; else it reads twice (default 1G)",
        &flags->memory.memory, takes::size()},
       {"--time-out", "SECONDS", "how long a worker may give no sign of life (default 60)", &flags->time_out,
        takes::above(0)}});
  command.add("Learning", learning_options(*flags));
  command.add(kOutputGroup, {json_row(flags->json), quiet_row(flags->quiet)});
  add_data_flags(command, flags->data, true);
  command.run = [flags, &workers](const Given&) { return train(workers, *flags); };
  return command;
}

struct UseFlags : EvaluateSettings {
  std::string model, output;
  bool local = false, scores = false, json = false;
  double time_out = 60;
};

struct Use {
  Model model;  // which every worker reads
  ReadOptions read;
  OwnFiles local;
};

Use opened(Workers& workers, UseFlags flags) {
  workers.set_time_out(flags.time_out);
  workers.set_interrupt(&interrupted());
  OwnFiles local = own_files(flags.data, flags.local);
  ReadOptions read = read_options(flags.data);
  read.interrupt = &interrupted();
  if (workers.leads() || local) read.on_note = note_printer();
  return {load_model(flags.model, &interrupted()), std::move(read), std::move(local)};
}

int evaluate(Workers& workers, const UseFlags& flags) {
  const auto [model, read, local] = opened(workers, flags);
  const Counts counts = evaluate(workers, model, read, local, flags.weighted);
  const ConfusionTable& confusion = counts.confusion;
  if (!workers.leads()) return 0;
  if (flags.json) {
    report::Json j = run_json("evaluate", {});
    j["workers"] = workers.size();
    j["rows"] = report::sum_of_weights(confusion.rows());
    j["errors"] = report::sum_of_weights(confusion.errors());
    j["rejected"] = counts.rejected;
    j["confusion"] = report::Json::array();
    for (const double sum : confusion.counts()) j["confusion"].push_back(report::sum_of_weights(sum));
    print_result(dumped(j));
    return 0;
  }
  const std::size_t classes = confusion.classes();
  std::string text = fmt::format("  {:<12} {}\n", "data", rows_counted(confusion.rows()));
  for (std::size_t truth = 0; truth < classes && classes <= 20; ++truth) {
    const std::string name = truth < model.schema.labels.names.size() ? model.schema.labels.names[truth] : "?";
    text += fmt::format("  {:<12} {:<12} predicted", truth == 0 ? "truth" : "", shortened(name, 12));
    for (std::size_t guess = 0; guess < classes; ++guess)
      text += fmt::format(" {:>12}", grouped_count(confusion.at(truth, guess)));
    text += "\n";
  }
  if (counts.rejected > 0) text += fmt::format("  {:<12} {}\n", "skipped", counted(counts.rejected, "bad row"));
  text += fmt::format("  {:<12} {}   {} of {} right\n", "accuracy", percent(confusion.right(), confusion.rows()),
                      grouped_count(confusion.right()), rows_counted(confusion.rows()));
  print_result(text);
  return 0;
}

int predict(Workers& workers, const UseFlags& flags) {
  const auto [model, read, local] = opened(workers, flags);
  std::optional<AtomicFile> file;
  if (workers.leads() && !flags.output.empty() && flags.output != "-") file.emplace(flags.output, &interrupted());
  predict(workers, model, read, local, flags.scores, [&](const std::string& lines) {
    if (!file) return print_result(lines);
    file->write({reinterpret_cast<const std::uint8_t*>(lines.data()), lines.size()});
  });
  if (file) file->commit();
  return 0;
}

Command evaluate_command(Workers& workers, bool local) {
  auto flags = std::make_shared<UseFlags>();
  Command command("evaluate", "accuracy and confusion on rows of any size, each worker a slice",
                  {{"mpirun -n 2 halfspace-mpi evaluate big.model test/part-*", "files that all workers can read"}});
  command.program = "halfspace-mpi";
  command.common = {"help", "local", "unweighted", "json", "label", "format"};
  command.add({required({"MODEL", "", "a model that train wrote", &flags->model, input_file()}),
               rows_row(flags->data, "labelled rows", local), local_row(flags->local), time_out_row(flags->time_out)});
  std::vector<Row> weights = evaluation_options(*flags);
  std::erase_if(weights, [](const Row& row) { return row.name != "weight" && row.name != "unweighted"; });
  command.add(std::move(weights));
  command.add(kOutputGroup, {json_row(flags->json)});
  add_data_flags(command, flags->data, false);
  command.run = [flags, &workers](const Given&) { return evaluate(workers, *flags); };
  return command;
}

Command predict_command(Workers& workers, bool local) {
  auto flags = std::make_shared<UseFlags>();
  Command command("predict",
                  "a label a row, in the order of the rows (with --local, of file names), each worker a slice",
                  {{"mpirun -n 2 halfspace-mpi predict big.model new/part-* -o labels.txt", "one label a line"}});
  command.program = "halfspace-mpi";
  command.add(
      {required({"MODEL", "", "a model that train wrote", &flags->model, input_file()}),
       rows_row(flags->data, "rows, with or without labels", local),
       local_row(flags->local),
       {"-o,--output", "FILE", "write the lines here instead of stdout", &flags->output, output_file_or_stdout()},
       {"--scores", "", "the score that decides, instead of the label", &flags->scores},
       time_out_row(flags->time_out)});
  add_data_flags(command, flags->data, false);
  command.run = [flags, &workers](const Given&) { return predict(workers, *flags); };
  return command;
}

int run_words(Workers& workers, const std::vector<std::string>& words) {
  const bool local = std::find(words.begin(), words.end(), "--local") != words.end();
  const std::vector<Command> commands{train_command(workers, local), evaluate_command(workers, local),
                                      predict_command(workers, local), certify_command(workers),
                                      verify_command(workers)};
  const bool help_wanted = words.empty() || words[0] == "--help" || words[0] == "-h";
  if (help_wanted || words[0] == "--version") {
    if (workers.leads())
      print_result(help_wanted ? overview(purpose, commands, help_width()) : "halfspace-mpi " HALFSPACE_VERSION "\n");
    return 0;
  }
  for (const Command& command : commands) {
    if (command.name != words[0]) continue;
    const Given given = parse(command, std::span(words).subspan(1));
    if (given("help")) {
      if (workers.leads()) print_result(help_asked(command, words));
      return 0;
    }
    if (workers.leads()) {
      print_notes(given);
      prove_writable(given.files());
    }
    return command.run(given);
  }
  throw Error(ErrorKind::usage, "unknown command '" + printable(words[0]) + "'").fix("halfspace-mpi --help lists them");
}

int run_and_report(Workers& workers, const std::vector<std::string>& words) {
  const auto fail = [&](const Error& error) {
    workers.fail(fmt::format("halfspace-mpi, worker {}: {}\n", workers.rank(), error.what(as_flag)),
                 exit_code(static_cast<int>(error.kind())));
  };
  try {
    return run_words(workers, words);
  } catch (const Error& error) {
    fail(error);
  } catch (const std::bad_alloc&) {
    fail(Error(ErrorKind::input_output, "out of memory").fix("use fewer workers on a machine"));
  } catch (const std::exception& error) {
    fail(Error(ErrorKind::internal, std::string("a bug in Halfspace: ") + error.what())
             .fix("please report it with the command line and the version"));
  }
  return 1;
}

}  // namespace
}  // namespace halfspace::mpi

int main(int argc, char** argv) {
  halfspace::cli::hold_standard_streams();
  halfspace::mpi::Workers workers(argc, argv);
  halfspace::cli::catch_signals();
  halfspace::cli::set_invocation(argc, argv);
  return halfspace::mpi::run_and_report(workers, {argv + std::min(argc, 1), argv + argc});
}
