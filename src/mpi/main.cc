// halfspace-mpi: trains and certifies on the workers of an MPI job, as `mpirun -n 2 halfspace-mpi train DATA...` starts
// them.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/atomic_file.h"
#include "base/clock.h"
#include "base/whole_file.h"
#include "cli/commands.h"
#include "cli/help.h"
#include "cli/report_flags.h"
#include "cli/terminal.h"
#include "halfspace/base/error.h"
#include "halfspace/model/model_file.h"
#include "halfspace/train/settings.h"
#include "mpi/engine.h"
#include "mpi/proof_commands.h"
#include "report/results/minimum_text.h"

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

constexpr std::uint32_t default_shards = 64;
constexpr double between_checkpoints = 5;  // seconds

// Returns how many tasks of a step keep so many workers about equally busy. Of training one each, or a few: a result has
// the weights.
std::uint32_t tasks_for(jobs::Kind kind, int workers) {
  const auto count = static_cast<std::uint32_t>(workers);
  if (kind != jobs::Kind::train) return std::max(16U, count);
  return std::has_single_bit(count) ? count : 4 * std::bit_ceil(count);
}

// Returns the order, with the options that are given, in the words of settings.
template <class Settings>
jobs::Order order_of(jobs::Kind kind, const Engine& engine, const DataFlags& data, bool local, const Given& given,
                     const Workers& workers) {
  Settings settings;
  jobs::Order order;
  order.kind = kind;
  order.options = {engine.paths(data.paths), given.options(options_of(settings))};
  order.by_file = local;
  order.tasks = tasks_for(kind, workers.size());
  return order;
}

std::string skipped_line(const report::Json& result) {
  const std::uint64_t rejected = result.at("rejected").get<std::uint64_t>();
  return rejected == 0 ? "" : fmt::format("  {:<12} {}\n", "skipped", counted(rejected, "bad row"));
}

// Of a minimum.
std::string text_of(const TrainFlags& flags, const jobs::Job& job, const report::Json& found, int workers) {
  TrainResult result;
  result.model = job.model();
  result.minimum = *job.minimum();
  std::string text;
  const auto line = [&](std::string_view name, const std::string& value, const std::string& note) {
    text += fmt::format("  {:<12} {}{}{}\n", name, value, note.empty() ? "" : "   ", note);
  };
  line("data",
       fmt::format("{}, {}", counted(found.at("rounds").get<std::uint64_t>(), "row"),
                   counted(result.model.schema.features, "feature")),
       "");
  text += skipped_line(found);
  line("workers", fmt::format("{}, {}", workers, counted(found.at("steps").get<std::uint64_t>(), "step")), "");
  if (!flags.output.empty()) line("model", printable(flags.output), "");
  report::minimum_lines(result, line);
  return text;
}

std::string text_of(const TrainFlags& flags, const report::Json& result, int workers) {
  std::string text;
  const auto line = [&](const char* name, const std::string& value) {
    text += fmt::format("  {:<12} {}\n", name, value);
  };
  const report::Json& epochs = result.at("ledger");
  std::uint64_t rows = 0;
  for (const report::Json& shard : epochs.at(0)) rows += shard.at("rounds").get<std::uint64_t>();
  line("data", fmt::format("{}, {} in {} shards", counted(rows, "row"),
                           counted(result.at("features").get<std::uint64_t>(), "feature"),
                           result.at("shards").get<std::uint64_t>()));
  text += skipped_line(result);
  line("workers", fmt::format("{}   their number changes no bit of the model", workers));
  for (std::size_t n = 0; n < epochs.size(); ++n) {
    if (epochs.size() > most_lines && n == most_lines / 2) {
      line("", "  …");
      n = epochs.size() - most_lines / 2;
    }
    double weight = 0, errors = 0;
    for (const report::Json& shard : epochs.at(n)) {
      weight += shard.at("weight").get<double>();
      errors += shard.at("errors").get<double>();
    }
    line(n == 0 ? "epochs" : "",
         fmt::format("{:>3}   {} wrong, each row predicted before training on it", n + 1, percent(errors, weight)));
  }
  if (!flags.output.empty()) line("model", printable(flags.output));
  const std::string mistakes = grouped(result.at("mistakes").get<std::uint64_t>());
  const report::Json& bound = result.at("bound");
  if (bound.is_null()) {
    line("mistakes", mistakes + "   no bound is known for this rule over several shards");
  } else {
    const double value = std::min(bound.at("value").get<double>(), 0x1p63);
    line("mistakes", fmt::format("{} of at most {}   bound: {}", mistakes, grouped(static_cast<std::uint64_t>(value)),
                                 bound.at("theorem").get<std::string>()));
  }
  return text;
}

// Returns the job to do: a new one, or the one of a checkpoint.
jobs::Job job_of(const TrainFlags& flags, jobs::Order order, const Engine& engine) {
  jobs::Job job(std::move(order));
  if (flags.resume_from.empty()) return job;
  const auto refuse = [&](const std::string& what) {
    throw Error(ErrorKind::data, what)
        .at(flags.resume_from)
        .fix("give the checkpoint that " + option("checkpoint") + " wrote");
  };
  const std::string text = whole_file(flags.resume_from, &interrupted());
  const std::span bytes(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
  std::optional<jobs::Job> saved;
  const auto open = [&](std::optional<std::uint64_t> epochs) {
    try {
      saved.emplace(bytes, epochs);
    } catch (const Error& error) {
      refuse(error.message());
    }
  };
  open(std::nullopt);
  const jobs::Order &now = job.order(), before = saved->order();
  if (now.by_file != before.by_file)
    refuse("the checkpoint is of a run with" + std::string(flags.local ? "out " : " ") + option("local"));
  if (now.options.options != before.options.options || now.mixing != before.mixing)
    refuse("the checkpoint is of a run with another rule, objective, or other options");
  if (!now.by_file && now.options.paths != before.options.paths)
    refuse("the checkpoint is of a run on other data: " + printable(before.options.paths.front()));
  if (flags.shards && *flags.shards != before.shards)
    refuse("the checkpoint is of a run with " + counted(before.shards, "shard"));
  if (saved->minimum() == nullptr) open(flags.epochs);
  engine.check(*saved);
  return std::move(*saved);
}

int train(Workers& workers, TrainFlags flags, const Given& given) {
  workers.set_time_out(flags.time_out);
  workers.set_interrupt(&interrupted());
  const OwnFiles own = own_files(flags.data, flags.local);
  Engine engine(workers, own, &interrupted(), temporary_folder(), flags.memory.memory);
  if (!workers.leads()) {
    engine.run(nullptr);
    return 0;
  }
  jobs::Order order = order_of<TrainSettings>(jobs::Kind::train, engine, flags.data, flags.local, given, workers);
  order.shards = flags.shards.value_or(flags.local ? 0 : default_shards);
  order.epochs = flags.epochs;
  order.mixing = *value_named<Mixing>(flags.mixing);
  jobs::Job job = job_of(flags, std::move(order), engine);
  Progress progress(!flags.quiet && !flags.json);
  engine.run(&job, [&, epoch = job.epoch(), shown = job.notes().size(), written = Clock::now()]() mutable {
    show_notes(job, shown);
    if (progress.due()) progress.show(job.step());
    if (job.epoch() == epoch && job.minimum() == nullptr) return;
    epoch = job.epoch();
    // Steps of a minimum are many and short.
    if (job.minimum() != nullptr && !job.done() && seconds_since(written) < between_checkpoints) return;
    written = Clock::now();
    if (!flags.checkpoint_path.empty()) write_atomically(flags.checkpoint_path, job.save(), &interrupted());
  });
  progress.clear();
  if (!flags.output.empty()) save_model(job.model(), flags.output, &interrupted());
  const report::Json result = report::Json::parse(job.json());
  if (flags.json) {
    report::Json j = run_json("train", {});
    j["workers"] = workers.size();
    if (job.minimum() != nullptr) {
      j["bytes_sent"] = engine.bytes_of_all();
    } else {
      j["bytes_sent_per_epoch"] = engine.bytes_of_epoch();
    }
    j.update(result);
    print_result(dumped(j));
  } else {
    print_result(job.minimum() != nullptr ? text_of(flags, job, result, workers.size())
                                          : text_of(flags, result, workers.size()));
  }
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
       {"--memory", "SIZE",
        "for the rows of a shard, else a temporary file; and for the mistakes of all shards, which the bound needs, "
        "else it "
        "reads twice (default 1G)",
        &flags->memory.memory, takes::size()},
       {"--time-out", "SECONDS", "how long a worker may give no sign of life (default 60)", &flags->time_out,
        takes::above(0)}});
  command.add("Learning", learning_options(*flags));
  command.add(kOutputGroup, {json_row(flags->json), quiet_row(flags->quiet)});
  std::vector<Row> reading = data_options(static_cast<TrainSettings&>(*flags));
  std::erase_if(reading, [](const Row& row) { return row.name == "holdout" || row.name == "memory"; });
  command.add(kDataGroup, std::move(reading));
  command.run = [flags, &workers](const Given& given) { return train(workers, *flags, given); };
  return command;
}

struct UseFlags : EvaluateSettings {
  std::string model, output;
  bool local = false, scores = false, json = false;
  double time_out = 60;
};

// Does a job with a model. Returns it, done, on worker 0.
std::optional<jobs::Job> with_model(jobs::Kind kind, Workers& workers, UseFlags flags, const Given& given,
                                    const std::function<void(jobs::Job&)>& on_step = {}) {
  workers.set_time_out(flags.time_out);
  workers.set_interrupt(&interrupted());
  const OwnFiles own = own_files(flags.data, flags.local);
  Engine engine(workers, own, &interrupted(), temporary_folder());
  if (!workers.leads()) {
    engine.run(nullptr);
    return std::nullopt;
  }
  jobs::Order order = order_of<EvaluateSettings>(kind, engine, flags.data, flags.local, given, workers);
  order.model = encode(load_model(flags.model, &interrupted()));
  order.scores = flags.scores;
  jobs::Job job(std::move(order));
  engine.run(&job, [&, shown = std::size_t{0}]() mutable {
    show_notes(job, shown);
    if (on_step) on_step(job);
  });
  return job;
}

int evaluate(Workers& workers, const UseFlags& flags, const Given& given) {
  const std::optional<jobs::Job> job = with_model(jobs::Kind::evaluate, workers, flags, given);
  if (!job) return 0;
  const report::Json result = report::Json::parse(job->json());
  if (flags.json) {
    report::Json j = run_json("evaluate", {});
    j["workers"] = workers.size();
    j.update(result);
    print_result(dumped(j));
    return 0;
  }
  const std::vector<std::string> names = decode(job->order().model, flags.model).schema.labels.names;
  const report::Json& confusion = result.at("confusion");
  const auto classes = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(confusion.size()))));
  const double rows = result.at("rows").get<double>(), right = rows - result.at("errors").get<double>();
  std::string text = fmt::format("  {:<12} {}\n", "data", rows_counted(rows));
  for (std::size_t truth = 0; truth < classes && classes <= 20; ++truth) {
    const std::string name = truth < names.size() ? names[truth] : "?";
    text += fmt::format("  {:<12} {:<12} predicted", truth == 0 ? "truth" : "", shortened(name, 12));
    for (std::size_t guess = 0; guess < classes; ++guess)
      text += fmt::format(" {:>12}", grouped_count(confusion.at(truth * classes + guess).get<double>()));
    text += "\n";
  }
  const std::uint64_t rejected = result.at("rejected").get<std::uint64_t>();
  if (rejected > 0) text += fmt::format("  {:<12} {}\n", "skipped", counted(rejected, "bad row"));
  text += fmt::format("  {:<12} {}   {} of {} right\n", "accuracy", percent(right, rows), grouped_count(right),
                      rows_counted(rows));
  print_result(text);
  return 0;
}

int predict(Workers& workers, const UseFlags& flags, const Given& given) {
  std::optional<AtomicFile> file;
  if (workers.leads() && !flags.output.empty() && flags.output != "-") file.emplace(flags.output, &interrupted());
  with_model(jobs::Kind::predict, workers, flags, given, [&](jobs::Job& job) {
    const std::string lines = job.take_lines();
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
  command.run = [flags, &workers](const Given& given) { return evaluate(workers, *flags, given); };
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
  command.run = [flags, &workers](const Given& given) { return predict(workers, *flags, given); };
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
