// halfspace train: learn, print the ledger, write the model.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>

#include "cli/commands.h"
#include "cli/kernel_flags.h"
#include "cli/ledger_lines.h"
#include "cli/report_flags.h"
#include "cli/run_picture.h"
#include "cli/selection.h"
#include "cli/terminal.h"
#include "cli/watch_flags.h"
#include "halfspace/base/error.h"
#include "halfspace/model/model_file.h"
#include "halfspace/proof/certify.h"
#include "halfspace/train/train.h"
#include "report/evaluation_json.h"
#include "report/figures.h"
#include "report/json.h"

namespace halfspace::cli {
namespace {

struct TrainFlags {
  DataFlags data;
  std::string output, resume;
  std::string preset, rule, order, keep, until, tie, bias, start = "zero", normalize = "none", class_update;
  double bias_scale = 1, margin = 1, aggressiveness = 1, regularization = 1;
  std::optional<double> rate, relative_margin, radius, ball, alpha, threshold, seconds;
  std::optional<std::uint64_t> passes, updates;
  KernelFlags kernel;
  std::uint64_t seed = 1;
  bool positive_weights = false;
  double holdout = 0;
  std::string memory = "1G", log, trace;
  bool json = false, quiet = false, certify = false;
  ReportFlags report;
  SelectionFlags selection;
  WatchFlags watch;
  PictureFlags picture;
};

// Lines of JSON to a file, each written as it comes.
class JsonLines {
 public:
  explicit JsonLines(const std::string& path) : path_(path) {
    if (path.empty()) return;
    file_.open(path, std::ios::binary | std::ios::trunc);
    if (!file_) throw Error(ErrorKind::input_output, "cannot write").at(path);
  }
  bool wanted() const { return !path_.empty(); }
  void write(const report::Json& line) {
    file_ << line.dump(-1, ' ', false, report::Json::error_handler_t::replace) << '\n';
    if (!file_) throw Error(ErrorKind::input_output, "cannot write").at(path_);
  }
  void flush() {
    if (wanted() && !file_.flush()) throw Error(ErrorKind::input_output, "cannot write").at(path_);
  }

 private:
  std::string path_;
  std::ofstream file_;
};

// The composition and the stops that the flags come to: the preset first, then what was named one by one.
void compose(const TrainFlags& flags, TrainOptions& options) {
  Composition& c = options.composition;
  const Preset* preset = find_preset(flags.preset.empty() ? "averaged" : flags.preset);
  if (!flags.rule.empty() && flags.preset.empty())
    preset = find_preset(flags.rule == "perceptron" ? "rosenblatt" : flags.rule);
  c.rule = preset->rule;
  c.order = preset->order;
  c.keep = preset->keep;
  c.tie = preset->tie;
  options.until.clean = preset->clean;
  if (!flags.rule.empty()) c.rule = *rule_named(flags.rule);
  if (!flags.order.empty()) c.order = *order_named(flags.order);
  if (!flags.keep.empty()) c.keep = *keep_named(flags.keep);
  if (!flags.tie.empty()) c.tie = *tie_named(flags.tie);
  c.kernel = flags.kernel.chosen();
  // A kernel that is not linear has its own curved ways of standing off from 0.
  const bool curved = c.rule == RuleName::kernel && c.kernel.kernel.name != KernelName::linear;
  c.bias.place = flags.bias.empty() ? (curved ? Bias::none : Bias::last) : *bias_named(flags.bias);
  c.bias.scale = flags.bias_scale;
  c.start.small = flags.start == "small";
  c.start.seed = flags.seed;
  c.seed = flags.seed;
  c.rate = flags.rate;
  c.margin = flags.margin;
  c.aggressiveness = flags.aggressiveness;
  c.regularization = flags.regularization;
  if (!flags.class_update.empty()) c.class_update = *class_update_named(flags.class_update);
  c.ball = flags.ball;
  c.alpha = flags.alpha;
  c.threshold = flags.threshold;
  c.both_signs = !flags.positive_weights;
  c.relative_margin = flags.relative_margin;
  c.radius = flags.radius;
  Until& until = options.until;
  until.passes = flags.passes;
  until.updates = flags.updates;
  until.seconds = flags.seconds;
  const bool several_passes = flags.passes.value_or(1) > 1 || flags.until == "clean";
  if (c.order == OrderName::stream && several_passes) {
    if (flags.order == "stream") {
      throw Error(ErrorKind::usage, "--order stream goes once through the data")
          .fix("use --order cyclic or --order shuffled with --passes or --until clean");
    }
    c.order = OrderName::cyclic;
  }
  if (flags.until == "clean") {
    until.clean = c.order == OrderName::cyclic && preset->clean != Clean::pass ? Clean::cycle : Clean::pass;
  } else if (!flags.order.empty() && c.order == OrderName::stream) {
    until.clean = Clean::no;
  }
  const bool only_mistakes = c.order == OrderName::first_mistake || c.order == OrderName::random_mistake;
  if (only_mistakes && until.passes && !until.updates && !until.seconds) {
    throw Error(ErrorKind::usage,
                "--passes would not stop this run: its order plays mistakes alone, and ends no pass "
                "while there is one")
        .fix("give --updates N or --seconds S");
  }
  if (c.order != OrderName::stream && until.clean == Clean::no && !until.passes && !until.updates && !until.seconds) {
    throw Error(ErrorKind::usage, "nothing would stop this run")
        .fix(only_mistakes ? "give --updates N, --seconds S or --until clean"
                           : "give --passes N, --updates N, --seconds S or --until clean");
  }
}

class TrainCommand {
 public:
  explicit TrainCommand(const TrainFlags& flags)
      : flags_(flags),
        progress_(!flags.quiet && !flags.json),
        log_(flags.log),
        trace_(flags.trace),
        picture_(flags.picture, flags.report, flags.json, flags.quiet) {}

  int run() {
    TrainOptions options;
    options.read = read_options(flags_.data);
    options.read.row_normalised = flags_.normalize == "row";
    options.normalize_columns = flags_.normalize == "column";
    options.holdout = flags_.holdout;
    options.memory = {parse_size(flags_.memory, "--memory"), temporary_folder()};
    options.interrupt = &interrupted();
    options.record = flags_.report.wanted();
    if (!flags_.resume.empty()) {
      resumed_ = load_model(flags_.resume);
      options.resume = &*resumed_;
      refuse_changes();
    }
    compose(flags_, options);
    if (flags_.certify) refuse_what_no_proof_is_about(options);
    if (resumed_) options.composition = resumed_->composition;
    if (options.normalize_columns && options.composition.order == OrderName::stream) {
      throw Error(ErrorKind::usage, "--normalize column needs the whole data before it learns")
          .fix("add --order cyclic --passes 1, or use --normalize row");
    }
    options.read.progress = [this](std::uint64_t done, std::uint64_t total) {
      bytes_done_ = done;
      bytes_total_ = total;
    };
    options.on_ledger_row = [this](const Ledger& ledger) { row(ledger); };
    options.on_progress = [this](const Ledger& ledger) { show_progress(ledger); };
    options.watch = watch_of(flags_.watch);
    Selection selection(flags_.selection, options);
    selection.run(options, progress_);
    if (!flags_.json) print_result(selection.text());
    if (resumed_) alarms_.begin(resumed_->ledger.watch);
    picture_.watch(options, trace_.wanted() ? [this](const RoundView& round) { trace(round); }
                                            : std::function<void(const RoundView&)>());
    passes_ = options.until.passes.value_or(0);
    TrainResult result = learn(options);
    selection.calibrate(result.model);
    progress_.clear();
    tell_alarms(result.model.ledger);
    end_table(result.model.ledger);
    report::Json plane = picture_.plane(result, options.resume);
    if (!flags_.output.empty()) save_model(result.model, flags_.output);
    if (log_.wanted()) {
      report::Json line = report::train_result(result);
      selection.add_to(line);
      line["event"] = "end";
      log_.write(line);
    }
    log_.flush();
    trace_.flush();
    if (flags_.certify && result.model.ledger.stopped != Stopped::interrupted) certify_errors(options, result);
    if (flags_.json || flags_.report.wanted()) {
      report::Json j = run_json("train", flags_.report);
      j.update(report::train_result(result));
      if (result.recording) j["figures"] = report::train_figures(result);
      selection.add_to(j);
      if (flags_.certify) add_certified(j);
      if (!plane.is_null()) j["plane"] = std::move(plane);
      write_report(flags_.report, j);
      if (flags_.json) print_result(dumped(j));
    }
    if (!flags_.json) print_ledger(result);
    if (result.bound && result.bound->exceeded) {
      throw Error(ErrorKind::internal,
                  fmt::format("a bug in Halfspace: {} mistakes exceed the bound of {} ({})",
                              result.model.ledger.mistakes, whole_mistakes(result.bound->value), result.bound->theorem))
          .fix("please report it with the command line and, if you can, the data");
    }
    return 0;
  }

 private:
  // An error leaves nothing half-done, and says so.
  TrainResult learn(const TrainOptions& options) {
    try {
      return train(options);
    } catch (const Error& error) {
      progress_.clear();
      if (error.kind() != ErrorKind::data) throw;
      const std::string model = flags_.output.empty() ? "" : "; " + flags_.output + " was not touched";
      throw Error(error).note("nothing was learned" + model);
    }
  }

  // What the fewest errors are asked of: all rows of the file, with the numbers that the file says. Scaling columns, or
  // rows without a bias, changes no halfspace's errors; scaling rows with one does.
  void refuse_what_no_proof_is_about(const TrainOptions& options) const {
    const auto refuse = [](const std::string& why, const std::string& fix) {
      throw Error(ErrorKind::usage, "--certify is about " + why).fix(fix);
    };
    if (flags_.data.read.path == "-")
      refuse("data that can be read again, not standard input", "save the data to a file first");
    if (flags_.holdout != 0) refuse("all rows: none can be held out", "leave out --holdout or --certify");
    if (!flags_.resume.empty())
      refuse("one run on one file, not a resumed one", "ask halfspace certify about the file itself");
    if (options.composition.rule == RuleName::kernel)
      refuse("halfspaces, and a kernel draws other borders", "leave out --certify");
    if (options.read.on_error == OnError::skip)
      refuse("every row: bad rows cannot be skipped", "mend the rows, or take them out of the file");
    if (options.read.single)
      refuse("the numbers that the file says, not rounded ones", "leave out --single or --certify");
    if (options.read.row_normalised && options.composition.bias.place != Bias::none)
      refuse("the rows as they are: divided by their norms, a bias weighs differently in each",
             "add --bias none, or use --normalize column");
  }

  void certify_errors(const TrainOptions& options, const TrainResult& result) {
    CertifyOptions question;
    question.read = options.read;
    question.read.row_normalised = false;
    question.read.progress = nullptr;
    const BiasOptions& bias = options.composition.bias;
    question.bias = bias.place == Bias::none    ? proof::BiasPlace::none
                    : bias.place == Bias::first ? proof::BiasPlace::first
                                                : proof::BiasPlace::last;
    question.bias_scale = fmt::format("{}", bias.scale);
    question.memory = options.memory;
    question.interrupt = options.interrupt;
    question.on_progress = [this](const CertifyProgress& now) {
      if (progress_.due()) progress_.show(fmt::format("certify: {}, {}", now.stage, duration(now.seconds)));
    };
    if (result.model.classes() == 2 && result.model.weights.classes == 1) {
      question.weights = report::weights_on_own_values(result.model);
      question.weights_bias = bias.place == Bias::none ? 0 : result.model.weights.bias.at(0) * bias.scale;
    }
    certified_ = certify(question);
    progress_.clear();
  }

  void add_certified(report::Json& j) const {
    j["separable"] = nullptr;
    j["fewest_errors"] = nullptr;
    if (!certified_) return;
    if (certified_->verdict != proof::Verdict::undecided)
      j["separable"] = certified_->verdict == proof::Verdict::separable;
    j["fewest_errors"] = {{"lower", certified_->errors_lower}, {"upper", certified_->errors_upper}};
  }

  // What a resumed run takes from its model may not be said again differently.
  void refuse_changes() const {
    const bool changed =
        !flags_.preset.empty() || !flags_.rule.empty() || !flags_.order.empty() || !flags_.keep.empty() ||
        !flags_.tie.empty() || !flags_.bias.empty() || flags_.bias_scale != 1 || flags_.rate ||
        flags_.normalize != "none" || flags_.holdout != 0 || flags_.start != "zero" || flags_.seed != 1 ||
        flags_.margin != 1 || flags_.aggressiveness != 1 || !flags_.class_update.empty() || flags_.kernel.any() ||
        flags_.regularization != 1 || flags_.ball || flags_.alpha || flags_.threshold || flags_.relative_margin ||
        flags_.radius || flags_.positive_weights || flags_.data.read.single || !flags_.data.class_weights.empty();
    if (changed || flags_.watch.any()) {
      throw Error(ErrorKind::usage, "--resume goes on with the model's own composition and normalisation")
          .fix("leave out the flags that say how to learn; --passes, --updates, --seconds and --until may be given");
    }
  }

  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count(); }

  // The running table: one line when 1, 2, 4, 8 ... rounds are done.
  void row(const Ledger& ledger) {
    tell_alarms(ledger);
    picture_.row(ledger);
    if (log_.wanted()) {
      report::Json line = report::ledger_line(ledger, seconds());
      line["event"] = "row";
      log_.write(line);
      log_.flush();
    }
    if (!flags_.json && !flags_.quiet) print_row(ledger);
  }

  // Alarms come before the rows that are later, wherever blocks end.
  void tell_alarms(const Ledger& ledger) {
    alarms_.each(ledger.watch, [this](const DriftAlarm& alarm) {
      if (log_.wanted()) {
        report::Json line = report::alarm(alarm);
        line["event"] = "drift";
        log_.write(line);
      }
      if (flags_.json || flags_.quiet) return;
      progress_.clear();
      fmt::print("{:>13} {}\n", grouped(alarm.round), bold(told(alarm)));
    });
  }

  void print_row(const Ledger& ledger, bool timed = true) {
    progress_.clear();
    if (!table_begun_) {
      fmt::print("{}\n", dim(fmt::format("{:>13} {:>6} {:>12} {:>12} {:>13} {:>12} {:>12}", "rounds", "pass",
                                         "mistakes", "error", "error since", "updates", "rounds/s") +
                             (ledger.watch ? watch_heads(*ledger.watch) : "")));
      table_begun_ = true;
    }
    const std::uint64_t rounds = ledger.rounds - last_rounds_;
    const double time = seconds();
    const double rate = static_cast<double>(rounds) / std::max(1e-9, time - last_seconds_);
    fmt::print("{:>13} {:>6} {:>12} {:>12} {:>13} {:>12} {:>12}{}\n", grouped(ledger.rounds), ledger.pass.size(),
               grouped(ledger.mistakes),
               percent(static_cast<double>(ledger.mistakes), static_cast<double>(ledger.rounds)),
               percent(static_cast<double>(ledger.mistakes - last_mistakes_), static_cast<double>(rounds)),
               grouped(ledger.updates), rounds < 1000 || !timed ? "" : grouped(static_cast<std::uint64_t>(rate)),
               ledger.watch ? watch_cells(*ledger.watch) : "");
    std::fflush(stdout);
    last_rounds_ = ledger.rounds;
    last_mistakes_ = ledger.mistakes;
    last_seconds_ = time;
  }

  void end_table(const Ledger& ledger) {
    if (!flags_.json && !flags_.quiet && ledger.rounds > last_rounds_) print_row(ledger, false);
  }

  void show_progress(const Ledger& ledger) {
    tell_alarms(ledger);
    if (!progress_.due()) return;
    double share = bytes_total_ > 0 ? static_cast<double>(bytes_done_) / static_cast<double>(bytes_total_) : 0;
    const bool reading = share < 1;
    if (passes_ > 1)
      share = (static_cast<double>(ledger.passes) + (ledger.passes == 0 ? share : 0)) / static_cast<double>(passes_);
    std::string line = fmt::format("{}pass {} · {} rounds · {} mistakes",
                                   reading && bytes_total_ > 0
                                       ? fmt::format("{:.0f} % read · ", 100 * static_cast<double>(bytes_done_) /
                                                                             static_cast<double>(bytes_total_))
                                       : "",
                                   ledger.pass.size(), grouped(ledger.rounds), grouped(ledger.mistakes));
    const std::string left = time_left(share, seconds());
    if (!left.empty()) line += " · " + left;
    progress_.show(line);
  }

  void trace(const RoundView& round) {
    report::Json line = {{"round", round.round},
                         {"row", round.row},
                         {"label", round.label},
                         {"predicted", round.outcome.predicted},
                         {"score", report::number(round.outcome.score)},
                         {"margin", report::number(round.outcome.margin)},
                         {"mistake", round.outcome.mistake},
                         {"updated", round.outcome.updated},
                         {"step", report::number(round.outcome.step)}};
    trace_.write(line);
  }

  void print_ledger(const TrainResult& result) const {
    std::string text = table_begun_ ? "\n" : "";
    text += ledger_lines(result, {.output = flags_.output,
                                  .certified = certified_ ? &*certified_ : nullptr,
                                  .proof_interrupted = flags_.certify && !certified_});
    text += picture_.plot(result);
    print_result(text);
    const auto& per_class = result.report.class_rows;
    if (std::count_if(per_class.begin(), per_class.end(), [](std::uint64_t rows) { return rows > 0; }) < 2)
      fmt::print(stderr, "{} the data hold one class only: nothing can be told apart\n", bold("warning:", false));
    if (stderr_is_terminal() && !flags_.quiet) {
      const std::string hint =
          flags_.output.empty()
              ? "add -o MODEL to keep what was learned"
              : fmt::format("halfspace evaluate {} DATA, or halfspace inspect {}", flags_.output, flags_.output);
      fmt::print(stderr, "{}\n", dim("next: " + hint, false));
    }
  }

  const TrainFlags& flags_;
  std::optional<Model> resumed_;
  std::optional<CertifyResult> certified_;
  Progress progress_;
  JsonLines log_, trace_;
  NewAlarms alarms_;
  RunPicture picture_;
  std::atomic<std::uint64_t> bytes_done_{0}, bytes_total_{0};
  std::uint64_t passes_ = 0;
  bool table_begun_ = false;
  std::uint64_t last_rounds_ = 0, last_mistakes_ = 0;
  double last_seconds_ = 0;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

std::vector<std::string> preset_names() {
  std::vector<std::string> names;
  for (const Preset& preset : presets()) names.emplace_back(preset.name);
  return names;
}

std::vector<std::string> rule_names() {
  std::vector<std::string> names;
  for (int i = 0; !name_of(static_cast<RuleName>(i)).empty(); ++i)
    names.emplace_back(name_of(static_cast<RuleName>(i)));
  return names;
}

}  // namespace

void add_train(CLI::App& app, Action& action) {
  auto flags = std::make_shared<TrainFlags>();
  CLI::App* command = add_command(
      app, "train", "learn; prints the ledger",
      {{"halfspace train credit.csv -o credit.model", "one averaged pass; the label column is recognised"},
       {"halfspace train a9a --preset averaged --passes 10 --holdout 0.2",
        "ten passes, every fifth row kept to judge them"},
       {"halfspace train data.svm --preset cyclic-pla --seconds 60", "the perceptron until nothing is left to learn"},
       {"halfspace train a9a --rule pa1 --search aggressiveness=0.001..10 --folds 5 --calibrate platt -o a9a.model",
        "seven values, each judged by five folds; the best learns from all rows, with probabilities"},
       {"zcat log.svm.gz | halfspace train - -o log.model", "a stream of any length, in constant memory"},
       {"halfspace train log.svm --window 1000 --drift adwin", "the error of the last 1,000 rounds, and when it rises"},
       {"halfspace train more.svm --resume log.model -o log.model", "go on, bit for bit as if never stopped"}});
  command->add_option("DATA", flags->data.read.path, "LIBSVM, CSV or idx; plain, gzip or zstd; - is standard input")
      ->required();
  command->add_option("-o,--output", flags->output, "write the model here, atomically")->type_name("MODEL");
  command->add_option("--resume", flags->resume, "go on with this model where it stopped")->type_name("MODEL");

  std::string preset_help = "a composition by name (default averaged):";
  for (const Preset& preset : presets()) preset_help += fmt::format("\n{:<13} {}", preset.name, preset.what);
  const std::string group = "What to learn with";
  command->add_option("--preset", flags->preset, preset_help)
      ->check(one_of(preset_names()))
      ->type_name("NAME")
      ->group(group);
  std::string rule_help;
  for (const std::string& rule : rule_names()) {
    rule_help += (rule_help.empty() ? "" : rule == rule_names().back() ? " or " : ", ") + rule;
  }
  command->add_option("--rule", flags->rule, rule_help)->check(one_of(rule_names()))->type_name("RULE")->group(group);
  command->add_option("--order", flags->order, "stream, cyclic, shuffled, first-mistake, random-mistake or random")
      ->check(one_of({"stream", "cyclic", "shuffled", "first-mistake", "random-mistake", "random"}))
      ->type_name("ORDER")
      ->group(group);
  command->add_option("--keep", flags->keep, "which weights are handed out: last, average, pocket or vote")
      ->check(one_of({"last", "average", "pocket", "vote"}))
      ->type_name("KEEP")
      ->group(group);
  command->add_option("--tie", flags->tie, "what a score of 0 is: positive, mistake or negative")
      ->check(one_of({"positive", "mistake", "negative"}))
      ->type_name("TIE")
      ->group(group);
  command->add_option("--bias", flags->bias, "none, first or last (default; of curved kernels none)")
      ->check(one_of({"none", "first", "last"}))
      ->type_name("PLACE")
      ->group(group);
  command->add_option("--bias-scale", flags->bias_scale, "value of the bias coordinate (default 1)")
      ->type_name("C")
      ->group(group);
  command->add_option("--rate", flags->rate, "learning rate (default 1; eg 0.1; minnow: chosen or guessed)")
      ->type_name("R")
      ->group(group);
  command->add_option("--start", flags->start, "start weights: zero, or small and random by the seed")
      ->check(one_of({"zero", "small"}))
      ->type_name("START")
      ->group(group);
  command->add_option("--seed", flags->seed, "seed of every random choice (default 1)")->type_name("N")->group(group);
  command->add_option("--margin", flags->margin, "margin perceptron: the functional margin to reach (default 1)")
      ->type_name("B")
      ->group(group);
  command->add_option("--aggressiveness", flags->aggressiveness, "pa1, pa2: C (default 1)")
      ->type_name("C")
      ->group(group);
  command->add_option("--regularization", flags->regularization, "second-order: a; arow, arow-diagonal: r (default 1)")
      ->type_name("R")
      ->group(group);
  command
      ->add_option(
          "--class-update", flags->class_update,
          "multiclass: whom a mistake lowers: max-score (the best rival, default), uniform or\nproportional (all "
          "that scored too high); or pa, pa1, pa2")
      ->check(one_of({"max-score", "uniform", "proportional", "pa", "pa1", "pa2"}))
      ->type_name("HOW")
      ->group(group);
  add_kernel_flags(command, flags->kernel, group);
  command
      ->add_option("--ball", flags->ball,
                   "what the weights stay in: adagrad, the largest |w_j| (default 1); projected, their norm (10); eg, "
                   "their 1-norm (10)")
      ->type_name("U")
      ->group(group);
  command
      ->add_option("--alpha", flags->alpha,
                   "alma: how near the largest margin, in (0, 1], smaller is nearer (default 0.9); winnow1, winnow2: "
                   "what a promotion multiplies by (2, 1.5)")
      ->type_name("A")
      ->group(group);
  command
      ->add_option("--threshold", flags->threshold,
                   "winnow1, winnow2: what a sum of weights must exceed (default half the number of features)")
      ->type_name("T")
      ->group(group);
  command
      ->add_option("--relative-margin", flags->relative_margin,
                   "minnow: the margin over |u|_1 times --radius, when known")
      ->type_name("R")
      ->group(group);
  command->add_option("--radius", flags->radius, "minnow: the largest |x_j|, with --relative-margin (default 1)")
      ->type_name("R")
      ->group(group);
  command->add_flag("--positive-weights", flags->positive_weights, "minnow: weights of one sign only")->group(group);

  const std::string stops = "When to stop (the first that comes)";
  command->add_option("--until", flags->until, "clean: nothing is left to learn from")
      ->check(one_of({"clean"}))
      ->type_name("clean")
      ->group(stops);
  command->add_option("--passes", flags->passes, "after N passes")->check(at_least_one())->type_name("N")->group(stops);
  command->add_option("--updates", flags->updates, "after N updates")
      ->check(at_least_one())
      ->type_name("N")
      ->group(stops);
  command->add_option("--seconds", flags->seconds, "after S seconds")
      ->check(CLI::Validator(CLI::PositiveNumber).description(""))
      ->type_name("S")
      ->group(stops);

  add_selection_flags(command, flags->selection);
  add_watch_flags(command, flags->watch);
  add_data_flags(command, flags->data, true);
  const std::string group_data = "Data";
  command->add_option("--weight", flags->data.read.weight, "CSV column with the rows' weights")
      ->type_name("COL")
      ->group(group_data);
  command->add_option("--class-weight", flags->data.class_weights, "NAME=W: rows of this class weigh W")
      ->type_name("NAME=W")
      ->group(group_data);
  command
      ->add_option("--normalize", flags->normalize,
                   "none, row (divide by its norm) or column (by its largest power of two)")
      ->check(one_of({"none", "row", "column"}))
      ->type_name("HOW")
      ->group(group_data);
  command->add_flag("--single", flags->data.read.single, "round values to single precision, on purpose")
      ->group(group_data);
  command->add_option("--holdout", flags->holdout, "keep this share of the rows out of learning, to judge it")
      ->type_name("SHARE")
      ->group(group_data);
  command
      ->add_option("--memory", flags->memory, "for rows kept for more passes; beyond it a temporary file (default 1G)")
      ->type_name("SIZE")
      ->group(group_data);

  const std::string out = "Output";
  command
      ->add_flag("--certify", flags->certify,
                 "also prove whether the data are separable, and how few errors any halfspace makes")
      ->group(out);
  command->add_flag("--json", flags->json, "one JSON object on stdout")->group(out);
  add_report_flags(command, flags->report);
  add_picture_flags(command, flags->picture);
  command->add_option("--log", flags->log, "write JSON Lines here as the run goes")->type_name("FILE")->group(out);
  command->add_option("--trace", flags->trace, "write every round here, as JSON Lines")->type_name("FILE")->group(out);
  command->add_flag("-q,--quiet", flags->quiet, "no running table and no progress")->group(out);
  command->callback([flags, &action] { action = [flags] { return TrainCommand(*flags).run(); }; });
}

}  // namespace halfspace::cli
