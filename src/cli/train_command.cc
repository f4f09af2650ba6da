// halfspace train: trains, prints the ledger, writes the model.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>

#include "base/clock.h"
#include "base/line_file.h"
#include "cli/hand_trace.h"
#include "cli/proposals.h"
#include "cli/terminal.h"
#include "cli/train_flags.h"
#include "halfspace/base/error.h"
#include "halfspace/bounds/formulas.h"
#include "halfspace/model/model_file.h"
#include "halfspace/proof/certify.h"
#include "halfspace/proof/minimum.h"
#include "halfspace/rules/kernel_perceptron.h"
#include "halfspace/rules/rule_entry.h"
#include "halfspace/rules/tournament.h"
#include "halfspace/train/plan.h"
#include "halfspace/train/train.h"
#include "report/choice_text.h"
#include "report/evaluation_json.h"
#include "report/figures.h"
#include "report/json.h"
#include "report/ledger_text.h"
#include "report/train_notes.h"
#include "report/watch_text.h"
#include "train/share_done.h"

namespace halfspace::cli {
namespace {

// Writes lines of JSON to a file.
class JsonLines {
 public:
  explicit JsonLines(const std::string& path) : path_(path) {
    if (!path.empty()) file_.emplace(path, &interrupted());
  }
  bool wanted() const { return file_.has_value(); }
  void write(const report::Json& line) {
    unless_nobody_reads(
        [&] { file_->write(line.dump(-1, ' ', false, report::Json::error_handler_t::replace) + "\n"); });
  }
  void flush() {
    unless_nobody_reads([&] { file_->flush(); });
  }

 private:
  // Saving the model matters more than a pipe without a reader: the run continues.
  template <class Step>
  void unless_nobody_reads(const Step& step) {
    if (!wanted()) return;
    try {
      step();
    } catch (const Interrupted&) {
      file_.reset();
      print_message(fmt::format("{} {} has no reader any more; its last lines are lost\n", bold("note:", false),
                                printable(path_)));
    }
  }

  std::string path_;
  std::optional<LineFile> file_;
};

// Returns the size of a file; empty if it is not a file, such as /dev/stdout, or the system does not report it.
std::string size_of(const std::string& path) {
  std::error_code unknown;
  if (path.empty() || !std::filesystem::is_regular_file(path, unknown)) return "";
  const std::uint64_t size = std::filesystem::file_size(path, unknown);
  return unknown ? "" : byte_size(size);
}

class TrainCommand {
 public:
  TrainCommand(const TrainFlags& flags, const Given& given)
      : flags_(flags),
        given_(given),
        progress_(!flags.quiet && !flags.json),
        log_(flags.log),
        trace_(flags.trace == "text" ? "" : flags.trace),
        picture_(flags.picture, flags.report, flags.json, flags.quiet) {
    if (flags.trace != "text") return;
    if (flags.json)
      throw Error(ErrorKind::usage, "--trace text prints on stdout, where --json prints").fix("give one of the two");
    by_hand_.emplace();
  }

  int run() {
    TrainOptions options = chosen_options();
    Selection selection(flags_, options);
    if (!left_to_the_plan(flags_) || !flags_.folds) selection.run(options, progress_);
    if (!flags_.json) print_result(selection.text());
    watch_the_run(options);
    std::optional<TrainResult> learned = learn(options, selection);
    progress_.clear();
    if (!learned || ended_before_it_began(*learned)) return report_nothing_learned();
    TrainResult& result = *learned;
    selection.set_expected_error(result, flags_.confidence);
    if (plan_ && plan_->choice && !result.holdout) {
      if (const auto expected = plan_->choice->expected_error(flags_.confidence, result.model.threshold))
        result.expected_error = expected;
    }
    print_alarms(result.model.ledger);
    end_table(result.model.ledger);
    const report::Json plane = picture_.plane(result, options.resume), image = picture_.image(result.model);
    if (!flags_.output.empty()) save_model(result.model, flags_.output, &interrupted());
    end_logs(result, selection);
    if (!flags_.certificate.empty()) write_certificate(options, result);
    if (flags_.certify && result.model.ledger.stopped != Stopped::interrupted) certify_errors(options, result);
    finish(
        flags_.json, flags_.report, [&] { return json(options, result, selection, plane, image); },
        [&] { return text(result, report::label_words(options, result.model.schema)); });
    if (!flags_.json) print_hints(options, result);
    refuse_an_exceeded_bound(result);
    return 0;
  }

 private:
  TrainOptions chosen_options() {
    if (!flags_.resume.empty()) {
      resumed_ = load_model(flags_.resume, &interrupted());
      refuse_another_watch(given_);
    }
    TrainSettings settings = flags_;
    for (const std::string& search : flags_.search) settings.searched.push_back(search.substr(0, search.find('=')));
    TrainOptions options = train_options(settings, resumed_ ? &*resumed_ : nullptr);
    if (flags_.certify) refuse_what_no_proof_is_about(options);
    if (options.objective) refuse_what_only_rounds_have();
    if (!flags_.certificate.empty()) {
      refuse_unprovable_minimum(options);
      options.objective->keep_dual_variables = true;
    }
    scales_first_ = options.normalize_columns && !resumed_ && flags_.order.empty() && options.until.passes == 1;
    attend(options.read);
    options.memory.folder = temporary_folder();
    options.interrupt = &interrupted();
    options.record = flags_.report.wanted();
    options.read.progress = [this](std::uint64_t done, std::uint64_t total) {
      bytes_done_ = done;
      bytes_total_ = total;
    };
    options.on_ledger_row = [this](const Ledger& ledger) { row(ledger); };
    options.on_errors = [this](double share) { rows_wrong_ = share; };
    options.on_progress = [this](const Ledger& ledger) { show_progress(ledger); };
    options.on_minimizing = [this](const OptimumProgress& now) {
      if (progress_.due()) progress_.show(fmt::format("pass {} · gap {:.1e}", grouped(now.passes), now.relative_gap));
    };
    options.watch = watch_of(flags_.watch);
    balance_classes(options);
    return options;
  }

  void make_a_plan(TrainOptions& options, Selection& selection) {
    if (progress_.due()) progress_.show("comparing learners");
    options.until = {.passes = flags_.passes};
    plan_ = plan_training(std::move(options), flags_.folds);
    options = plan_->options;
    note_end(options);
    progress_.clear();
    if (!flags_.folds || !plan_->choice) return;
    selection.adopt(*plan_->choice);
    if (!flags_.json) print_result(selection.text());
  }

  void note_end(const TrainOptions& options) {
    until_ = options.until;
    order_ = options.composition.order;
    one_pass_ = until_.passes == 1 || order_ == OrderName::stream;
  }

  void watch_the_run(TrainOptions& options) {
    if (resumed_) alarms_.begin(resumed_->ledger.watch);
    picture_.watch(options, trace_.wanted() ? [this](const RoundView& round) { trace(round); }
                            : by_hand_      ? [this](const RoundView& round) { by_hand_->round(round); }
                                            : std::function<void(const RoundView&)>());
    options.on_rows = [this, shown = options.on_rows](const Block& block) {
      survey_.add(block);
      if (shown) shown(block);
    };
    options.least_loss = flags_.least_loss;
    options.least_loss_norm = flags_.least_loss_norm;
    note_end(options);
    options.checkpoint = flags_.checkpoint;
    if (options.checkpoint.rounds || options.checkpoint.seconds)
      options.on_checkpoint = [this](const Model& model) { save_checkpoint(model); };
  }

  // A failed checkpoint does not end the run: the disk may only be full for a while.
  void save_checkpoint(const Model& model) {
    try {
      save_model(model, flags_.output, &interrupted());
      checkpoint_ = model.ledger.rounds;
    } catch (const Error& error) {
      progress_.clear();
      print_message(fmt::format("{} no checkpoint at {} rounds: {}\n", bold("warning:", false),
                                grouped(model.ledger.rounds), printable(error.message())));
    }
  }

  void end_logs(const TrainResult& result, const Selection& selection) {
    if (log_.wanted()) {
      report::Json line = report::train_result(result);
      selection.add_to(line);
      line["event"] = "end";
      log_.write(line);
    }
    log_.flush();
    trace_.flush();
  }

  report::Json json(const TrainOptions& options, const TrainResult& result, const Selection& selection,
                    const report::Json& plane, const report::Json& image) const {
    report::Json j = run_json("train", flags_.report);
    j.update(report::train_result(result));
    if (result.recording) j["figures"] = report::train_figures(result);
    if (!image.is_null()) j["figures"]["weights"]["image"] = image;
    selection.add_to(j);
    if (plan_) report::add_plan(j, plan_->words, plan_->choice, style_of());
    if (flags_.certify) add_certified(j);
    if (!plane.is_null()) j["plane"] = plane;
    j["notes"] = report::notes(report::train_notes(survey_, options, result, plan_ && plan_->choice), style_of());
    return j;
  }

  static void refuse_an_exceeded_bound(const TrainResult& result) {
    if (!result.bound || !result.bound->exceeded) return;
    throw Error(ErrorKind::internal,
                fmt::format("a bug in Halfspace: {} mistakes exceed the bound of {} ({})", result.model.ledger.mistakes,
                            whole_mistakes(result.bound->value), result.bound->theorem))
        .fix("please report it with the command line and, if you can, the data");
  }

  // Adds to an error what became of the model. Returns nothing if interrupted while waiting for the first rows.
  std::optional<TrainResult> learn(TrainOptions& options, Selection& selection) {
    try {
      if (left_to_the_plan(flags_)) make_a_plan(options, selection);
      return train(options);
    } catch (const LateLabel&) {
      progress_.clear();
      throw;
    } catch (const Interrupted&) {
      return std::nullopt;
    } catch (const Error& error) {
      progress_.clear();
      if (error.kind() != ErrorKind::data) throw;
      if (checkpoint_) {
        throw Error(error).note(fmt::format("{} holds the model after {} rounds: continue with --resume", flags_.output,
                                            grouped(*checkpoint_)));
      }
      const std::string model = flags_.output.empty() ? "" : "; " + flags_.output + " is unchanged";
      throw Error(error).note("no model was trained" + model +
                              (error.last_line().empty() ? "" : "; " + error.last_line()));
    }
  }

  // Writes no model without a round: it would be no better than the one it overwrites.
  bool ended_before_it_began(const TrainResult& result) const {
    const Ledger& ledger = result.model.ledger;
    return ledger.stopped == Stopped::interrupted && !result.minimum &&
           ledger.rounds == (resumed_ ? resumed_->ledger.rounds : 0);
  }

  int report_nothing_learned() const {
    const std::string model = flags_.output.empty() ? "" : "; " + printable(flags_.output) + " is unchanged";
    print_message(
        fmt::format("{} interrupted before the first round: no model was trained{}\n", bold("note:", false), model));
    return 0;
  }

  // Rejects options that no proof of the fewest errors covers: the proof is about all rows of the file, with the file's
  // numbers. Scaling columns, or rows without a bias, changes no halfspace's errors; scaling rows with a bias does.
  void refuse_what_no_proof_is_about(const TrainOptions& options) const {
    const auto refuse = [](const std::string& why, const std::string& fix) {
      throw Error(ErrorKind::usage, "--certify needs " + why).fix(fix);
    };
    if (flags_.data.paths.size() > 1)
      refuse("one file, not several", "join them into one file, keeping only the first header");
    if (flags_.data.paths.front() == "-")
      refuse("data that can be read again, not standard input", "save the data to a file first");
    if (flags_.holdout != 0) refuse("all rows, so it excludes --holdout", "leave out --holdout or --certify");
    if (!flags_.resume.empty()) refuse("a new run on one file, not a resumed one", "run halfspace certify on the file");
    if (entry_of(options.composition.rule).support_vectors)
      refuse("a linear rule, not a kernel", "leave out --certify");
    if (options.read.on_error == OnError::skip)
      refuse("every row, so bad rows cannot be skipped", "correct the rows, or remove them from the file");
    if (options.read.single) refuse("the file's own numbers, not rounded ones", "leave out --single or --certify");
    if (options.read.row_normalised && options.composition.bias.position != Bias::none)
      refuse("unscaled rows: after dividing by norms, the bias differs between rows",
             "add --bias none, or use --normalize column");
  }

  void refuse_what_only_rounds_have() const {
    const auto refuse = [](bool given, const std::string& flag) {
      if (!given) return;
      throw Error(ErrorKind::usage, flag + " has no effect with --objective: it minimizes, and plays no rounds")
          .fix("leave out one of the two");
    };
    refuse(!flags_.trace.empty(), "--trace");
    refuse(flags_.checkpoint.rounds || flags_.checkpoint.seconds, "--checkpoint");
    refuse(flags_.least_loss, "--least-loss");
    refuse(flags_.watch.any(), "--window, --decay or --drift");
  }

  // Writes the proof of the minimum, unless the run or the proof is interrupted.
  void write_certificate(const TrainOptions& options, const TrainResult& result) {
    certificate_note_ = "not written: the run was interrupted";
    if (result.model.ledger.stopped == Stopped::interrupted) return;
    if (progress_.due()) progress_.show("computing the certificate");
    std::optional<CertifiedMinimum> proof;
    try {
      proof = certify_minimum(options, result);
    } catch (const Error&) {
      progress_.clear();
      if (!interrupted().load()) throw;
      return;
    }
    progress_.clear();
    const std::string text = proof::encode_certificate(proof->certificate);
    write_atomically(flags_.certificate, {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()},
                     &interrupted());
    certificate_note_ = fmt::format("{}; gap at most {}, in rational arithmetic", size_of(flags_.certificate),
                                    rounded_up(proof->widest().gap, 3));
  }

  void certify_errors(const TrainOptions& options, TrainResult& result) {
    CertifyOptions question;
    question.read = options.read;
    question.read.row_normalised = false;
    question.read.progress = nullptr;
    const BiasOptions& bias = options.composition.bias;
    question.bias = bias.position == Bias::none    ? proof::BiasPosition::none
                    : bias.position == Bias::first ? proof::BiasPosition::first
                                                   : proof::BiasPosition::last;
    question.bias_scale = fmt::format("{}", bias.scale);
    question.tie = options.composition.tie;
    question.memory = options.memory;
    question.interrupt = options.interrupt;
    question.on_progress = [this](const CertifyProgress& now) {
      if (progress_.due()) progress_.show(fmt::format("certify: {}, {}", now.stage, duration(now.seconds)));
    };
    if (result.model.classes() == 2 && result.model.weights.classes == 1) {
      question.weights = report::weights_on_own_values(result.model);
      question.weights_bias = bias.position == Bias::none ? 0 : result.model.weights.bias.at(0) * bias.scale;
    }
    certified_ = certify(question);
    progress_.clear();
    if (!certified_->read_whole) {
      certified_.reset();
      why_no_proof_ = "the rows take more memory than --memory allows";
      return;
    }
    if (!options.normalize_columns) take_what_was_proved(options, result);
  }

  // Novikoff's theorem holds for every separator, including the proof's, whose margin is nearly the largest. The run
  // used doubles, so its norms may have grown by rounding.
  void take_what_was_proved(const TrainOptions& options, TrainResult& result) const {
    const Composition& c = result.model.composition;
    if (certified_->verdict != proof::Verdict::separable || !entry_of(c.rule).ceiling_of_margins || c.start.small)
      return;
    if (certified_->margin_upper > 0 && result.margin_ceiling)
      result.margin_ceiling = std::min(*result.margin_ceiling, certified_->margin_upper);
    const bool weighted = !options.read.columns.weight.empty() || !options.read.labels.class_weights.empty();
    if (!(certified_->margin_lower > 0) || weighted) return;
    const Ledger& ledger = result.model.ledger;
    const double rounding =
        static_cast<double>(ledger.largest_row + 8) * static_cast<double>(ledger.updates + 1) * 0x1p-50;
    const double ratio = certified_->radius / certified_->margin_lower;
    const double value = ratio * ratio * (1 + 0x1p-40 + rounding);
    if (!std::isfinite(value) || (result.bound && result.bound->value <= value)) return;
    result.bound = MistakeBound{value,
                                "novikoff",
                                "proof",
                                certified_->margin_lower,
                                certified_->radius,
                                0,
                                ledger.mistakes > whole_mistakes(value)};
  }

  void add_certified(report::Json& j) const {
    j["separable"] = nullptr;
    j["fewest_errors"] = nullptr;
    if (!certified_) return;
    if (certified_->verdict != proof::Verdict::undecided)
      j["separable"] = certified_->verdict == proof::Verdict::separable;
    j["fewest_errors"] = {{"lower", certified_->errors_lower}, {"upper", certified_->errors_upper}};
    if (certified_->errors_tie) j["fewest_errors"]["tie"] = name_of(*certified_->errors_tie);
  }

  double seconds() const { return seconds_since(began_); }
  bool shows_table() const { return !flags_.json && !flags_.quiet && !by_hand_; }

  // Prints the running table: one line at rounds 1, 2, 4, 8 ...
  void row(const Ledger& ledger) {
    print_alarms(ledger);
    picture_.row(ledger);
    if (log_.wanted()) {
      report::Json line = report::ledger_line(ledger, seconds(), flags_.confidence);
      line["event"] = "row";
      if (rows_wrong_) line["rows_wrong"] = report::number(*rows_wrong_);
      log_.write(line);
      log_.flush();
    }
    if (shows_table()) print_row(ledger);
  }

  // Returns the error so far; of an order that visits mistakes alone, whose rounds say nothing, that on all rows.
  double error_so_far(const Ledger& ledger) const { return rows_wrong_.value_or(ledger.errors() / ledger.weight()); }

  // Prints alarms before later rows, wherever blocks end.
  void print_alarms(const Ledger& ledger) {
    alarms_.each(ledger.watch, [&](const DriftAlarm& alarm) {
      if (log_.wanted()) {
        report::Json line = report::alarm(alarm);
        line["event"] = "drift";
        log_.write(line);
      }
      if (flags_.json || flags_.quiet) return;
      progress_.clear();
      print_result(fmt::format("{:>13} {}\n", grouped(alarm.round), bold(report::alarm_words(alarm, *ledger.watch))));
    });
  }

  void print_row(const Ledger& ledger, bool timed = true) {
    progress_.clear();
    if (!table_begun_) {
      print_result(
          fmt::format("{}\n", dim(fmt::format("{:>13} {:>6} {:>12} {:>12} {:>13} {:>12} {:>12}", "rounds", "pass",
                                              rows_wrong_ ? "" : "errors", rows_wrong_ ? "rows wrong" : "error",
                                              rows_wrong_ ? "" : "error since", "updates", "rounds/s") +
                                  (ledger.watch ? watch_heads(*ledger.watch) : "") + new_rows_head(ledger))));
      table_begun_ = true;
    }
    const std::uint64_t rounds = ledger.rounds - last_rounds_;
    const double errors = ledger.errors(), weight = ledger.weight();
    const double time = seconds();
    const double rate = static_cast<double>(rounds) / std::max(1e-9, time - last_seconds_);
    print_result(fmt::format(
        "{:>13} {:>6} {:>12} {:>12} {:>13} {:>12} {:>12}{}{}\n", grouped(ledger.rounds), ledger.begun_passes(),
        rows_wrong_ ? "" : report::grouped_count(errors), percent(error_so_far(ledger), 1),
        rows_wrong_ ? "" : percent(errors - last_errors_, weight - last_weight_), grouped(ledger.updates),
        rounds < 1000 || !timed ? "" : grouped(static_cast<std::uint64_t>(rate)),
        ledger.watch ? watch_cells(*ledger.watch) : "", new_rows_cell(ledger)));
    last_rounds_ = ledger.rounds;
    last_errors_ = errors;
    last_weight_ = weight;
    last_seconds_ = time;
  }

  // Prints bounds on the error on new rows if all rows were new, that is in one pass. For few rows they are vacuous.
  std::string new_rows_head(const Ledger& ledger) const {
    return one_pass_ && ledger.new_rows == NewRows::yes ? fmt::format(" {:>16}", "new rows wrong") : "";
  }
  std::string new_rows_cell(const Ledger& ledger) const {
    constexpr std::uint64_t few = 100;
    if (!one_pass_ || ledger.rounds < few) return "";
    const auto expected = expected_error(ledger, flags_.confidence);
    return expected ? fmt::format(" {:>16}", report::error_range(expected->bounds)) : "";
  }

  void end_table(const Ledger& ledger) {
    if (shows_table() && ledger.rounds > last_rounds_) print_row(ledger, false);
  }

  void show_progress(const Ledger& ledger) {
    print_alarms(ledger);
    if (!progress_.due()) return;
    std::optional<double> read;
    if (bytes_total_ > 0) read = static_cast<double>(bytes_done_) / static_cast<double>(bytes_total_);
    std::string line = fmt::format(
        "{}pass {} · {} · {}", read && *read < 1 ? fmt::format("{:.0f} % read · ", 100 * *read) : "",
        ledger.begun_passes(), counted(ledger.rounds, "round"), percent(error_so_far(ledger), 1) + " wrong");
    const std::string left = time_left(share_done(order_, until_, ledger, read).value_or(0), seconds());
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
                         {"error", round.outcome.error},
                         {"updated", round.outcome.updated},
                         {"step", report::number(round.outcome.step)}};
    trace_.write(line);
  }

  std::string text(const TrainResult& result, const std::string& label) {
    report::LedgerNotes notes{.output = flags_.output,
                              .output_size = size_of(flags_.output),
                              .certificate = flags_.certificate,
                              .certificate_note = certificate_note_,
                              .label = label,
                              .chosen = plan_ ? plan_->words : "",
                              .details = flags_.details};
    if (certified_) {
      notes.proved = {certified_->errors_lower, certified_->errors_upper, certified_->margin_upper,
                      certified_->verdict == proof::Verdict::undecided
                          ? "separable or not: undecided"
                          : std::string(name_of(certified_->verdict)) + ", proved"};
      const bool weighted = result.training_errors && result.training_rows != static_cast<double>(result.learned_rows);
      if (weighted) notes.proved->verdict += "; each row once, whatever its weight";
    } else if (flags_.certify) {
      notes.why_no_proof = why_no_proof_;
    }
    return (table_begun_ ? "\n" : "") + (by_hand_ ? by_hand_->text(result) : "") +
           report::ledger_text(result, notes, style_of()) + picture_.plot(result);
  }

  // Prints the proposals of several notes as one line.
  void print_line_to_try(const std::vector<ReadNote>& notes) const {
    if (notes.size() < 2) return;
    const Command command = train_command();
    Proposals proposals(command, given_);
    for (const ReadNote& note : notes) proposals.add(note.fix);
    if (!proposals.empty()) print_message(fmt::format("{} {}\n", bold("try:", false), printable(proposals.line())));
  }

  void print_hints(const TrainOptions& options, const TrainResult& result) const {
    if (scales_first_) {
      print_message(fmt::format(
          "{} --normalize column reads all rows before training: they were kept, and trained on in their order\n",
          bold("note:", false)));
    }
    constexpr std::size_t most = 6;
    std::size_t more = 0, printed = 0;
    const std::vector<ReadNote> notes = report::train_notes(survey_, options, result, plan_ && plan_->choice);
    for (const ReadNote& note : notes) {
      if (printed == most) {
        ++more;
      } else {
        printed += print_note(note) ? 1 : 0;
      }
    }
    if (more > 0) {
      print_message(
          fmt::format("{} {} more: halfspace check {}\n", bold("note:", false), more, data_words(flags_.data)));
    }
    print_line_to_try(notes);
    const auto& per_class = result.report.class_rows;
    if (std::count_if(per_class.begin(), per_class.end(), [](std::uint64_t rows) { return rows > 0; }) < 2)
      print_message(fmt::format("{} the data hold one class only: nothing to separate\n", bold("warning:", false)));
    const Stopped stopped = result.model.ledger.stopped;
    if (stopped == Stopped::cycling || stopped == Stopped::budget) {
      print_message(
          fmt::format("{} {}, as happens if no halfspace separates the rows. Whether that is so, halfspace "
                      "certify {} proves\n",
                      bold("note:", false),
                      stopped == Stopped::cycling ? "a walk that returns to earlier weights never ends"
                                                  : "the run found no clean pass",
                      data_words(flags_.data)));
    }
    if ((stderr_is_terminal() || flags_.output.empty()) && !flags_.quiet) {
      const std::string hint = flags_.output.empty()
                                   ? "-o FILE saves the model, which this run did not; then halfspace predict FILE NEW"
                                   : fmt::format("halfspace evaluate {} DATA, or halfspace inspect {}",
                                                 printable(flags_.output), printable(flags_.output));
      print_message(fmt::format("{}\n", dim("next: " + hint + "; halfspace help words explains the words", false)));
    }
  }

  const TrainFlags& flags_;
  const Given& given_;
  std::optional<Model> resumed_;
  std::optional<TrainPlan> plan_;
  std::optional<CertifyResult> certified_;
  std::string why_no_proof_ = "the run was interrupted";
  std::string certificate_note_;
  Progress progress_;
  JsonLines log_, trace_;
  std::optional<HandTrace> by_hand_;
  NewAlarms alarms_;
  RunPicture picture_;
  Survey survey_ = report::survey_of_run();
  bool scales_first_ = false;
  std::atomic<std::uint64_t> bytes_done_{0}, bytes_total_{0};
  Until until_;
  OrderName order_ = OrderName::stream;
  bool one_pass_ = false;
  std::optional<std::uint64_t> checkpoint_;  // rounds of the last one written
  bool table_begun_ = false;
  std::uint64_t last_rounds_ = 0;
  double last_errors_ = 0, last_weight_ = 0, last_seconds_ = 0;
  std::optional<double> rows_wrong_;  // Game::on_errors
  Clock::time_point began_ = Clock::now();
};

}  // namespace

Command train_command() {
  auto flags = std::make_shared<TrainFlags>();
  Command command(
      "train", "train a model and print the ledger",
      {{"halfspace train credit.csv -o credit.model", "the data choose the learner; the label column is recognised"},
       {"halfspace train a9a --preset averaged --passes 10 --holdout 0.2",
        "ten passes; every fifth row is held out for evaluation"},
       {"halfspace train small.csv --preset batch --trace text", "every round of a small run, as by hand"},
       {"halfspace train data.svm --preset cyclic-pla --seconds 60", "the perceptron until a pass makes no mistake"},
       {"halfspace train a9a --rule pa1 --search aggressiveness=0.001..10 --folds 5 --calibrate platt -o a9a.model",
        "seven values, each scored by five folds; the best trains on all rows, with probabilities"},
       {"zcat log.svm.gz | halfspace train - -o log.model", "a stream of any length, in constant memory"},
       {"halfspace train 'log-*.csv' today.csv.gz -o log.model",
        "several files as one stream, each with its own header"},
       {"halfspace train log.svm --window 1000 --drift adwin",
        "the error of the last 1,000 rounds, with alarms when it rises"},
       {"halfspace train more.svm --resume log.model -o log.model", "continue, bit for bit as if never stopped"}});
  command.common = {"help", "output", "label", "id", "rule", "passes", "holdout", "class-weight", "report"};
  add_train_rows(command, *flags);
  command.run = [flags](const Given& given) {
    return rerun_at_late_label(
        flags->data, [&] { return TrainCommand(*flags, given).run(); },
        [](const LateLabel& late) {
          print_message(fmt::format("{} {}: {}; restarting with the labels of the whole file\n", bold("note:", false),
                                    printable(late.file()), printable(late.message())));
        });
  };
  return command;
}

}  // namespace halfspace::cli
