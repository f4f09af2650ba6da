// halfspace train: trains, prints the ledger, writes the model.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "cli/proposals.h"
#include "cli/running_table.h"
#include "cli/train_proof.h"
#include "halfspace/base/error.h"
#include "halfspace/bounds/formulas.h"
#include "halfspace/model/model_file.h"
#include "report/results/choice_text.h"
#include "report/results/train_record.h"

namespace halfspace::cli {
namespace {

class TrainCommand {
 public:
  TrainCommand(const TrainFlags& flags, const Given& given)
      : flags_(flags),
        given_(given),
        table_(flags),
        proof_(flags),
        picture_(flags.picture, flags.report, flags.json, flags.quiet),
        record_(
            {.figures = flags.report.wanted(), .plane = picture_.plane_limits(), .choice = picture_.plane_choice()}) {
    if (flags.trace == "text" && flags.json)
      throw Error(ErrorKind::usage, "--trace text prints on stdout, where --json prints").fix("give one of the two");
  }

  int run() {
    if (!flags_.resume_from.empty()) {
      resumed_ = load_model(flags_.resume_from, &interrupted());
      refuse_another_watch(given_);
    }
    const bool learned = learn();
    table_.progress().clear();
    if (!learned || record_.learned_nothing()) return report_nothing_learned();
    TrainResult& result = record_.run().result;
    table_.end(result.model.ledger);
    record_.draw();
    const report::Json image = picture_.image(result.model);
    if (!flags_.output.empty()) save_model(result.model, flags_.output, &interrupted());
    table_.end_logs([this] { return record_.result_json(); });
    proof_.prove(record_.run().options, result, table_.progress());
    finish(
        flags_.json, flags_.report,
        [&] {
          report::Json j = run_json("train", flags_.report);
          j.update(record_.json(proof_.json(), style_of()));
          if (!image.is_null()) j["figures"]["weights"]["image"] = image;
          return j;
        },
        [&] { return text(result); });
    if (!flags_.json) print_hints();
    refuse_an_exceeded_bound(result);
    return 0;
  }

 private:
  // Adds to an error what became of the model. Returns whether the run learned, before a signal ended it.
  bool learn() {
    bool plans = false, learns = false;
    TrainSteps steps;
    steps.begin = [this](TrainOptions& options) { begin(options); };
    steps.validate = [&](std::size_t candidates) {
      plans = candidates == 0;
      show_validation(candidates);
    };
    steps.chosen = [this](const Choice& choice) {
      table_.progress().clear();
      if (!flags_.json) print_result(report::choice_text(choice, !flags_.search.empty(), style_of()));
    };
    steps.prepare = [&](TrainOptions& options) {
      learns = true;
      table_.progress().clear();
      table_.begin(options);
    };
    try {
      record_.train(flags_, resumed_ ? &*resumed_ : nullptr, std::move(steps));
      return true;
    } catch (const LateLabel&) {
      throw;
    } catch (const Interrupted&) {
      if (!plans && !learns) throw;
      return false;
    } catch (const Error& error) {
      table_.progress().clear();
      if (error.kind() != ErrorKind::data || (!plans && !learns)) throw;
      if (checkpoint_) {
        throw Error(error).note(fmt::format("{} holds the model after {} rounds: continue with --resume", flags_.output,
                                            grouped(*checkpoint_)));
      }
      const std::string model = flags_.output.empty() ? "" : "; " + flags_.output + " is unchanged";
      throw Error(error).note("no model was trained" + model +
                              (error.last_line().empty() ? "" : "; " + error.last_line()));
    }
  }

  void begin(TrainOptions& options) {
    if (options.objective) refuse_what_only_rounds_have(flags_);
    proof_.begin(options);
    scales_first_ = (options.normalize_columns || options.standard_columns) && !resumed_ && flags_.order.empty() &&
                    options.until.passes == 1;
    attend(options.read);
    options.memory.folder = temporary_folder();
    options.interrupt = &interrupted();
    options.watch = watch_of(flags_.watching);
    if (options.checkpoint.rounds || options.checkpoint.seconds)
      options.on_checkpoint = [this](const Model& model) { save_checkpoint(model); };
    table_.observe(options);
    picture_.watch(options);
  }

  void show_validation(std::size_t candidates) {
    if (!table_.progress().due()) return;
    table_.progress().show(
        candidates == 0 ? "comparing learners"
                        : fmt::format("validating {} {}", counted(candidates, "candidate"),
                                      flags_.folds ? fmt::format("by {} folds", *flags_.folds) : "by held-out rows"));
  }

  // A failed checkpoint does not end the run: the disk may only be full for a while.
  void save_checkpoint(const Model& model) {
    try {
      save_model(model, flags_.output, &interrupted());
      checkpoint_ = model.ledger.rounds;
    } catch (const Error& error) {
      table_.progress().clear();
      print_message(fmt::format("{} no checkpoint at {} rounds: {}\n", bold("warning:", false),
                                grouped(model.ledger.rounds), printable(error.message())));
    }
  }

  static void refuse_an_exceeded_bound(const TrainResult& result) {
    if (!result.bound || !result.bound->exceeded) return;
    throw Error(ErrorKind::internal,
                fmt::format("a bug in Halfspace: {} mistakes exceed the bound of {} ({})", result.model.ledger.mistakes,
                            whole_mistakes(result.bound->value), result.bound->theorem))
        .fix("please report it with the command line and, if you can, the data");
  }

  int report_nothing_learned() const {
    const std::string model = flags_.output.empty() ? "" : "; " + printable(flags_.output) + " is unchanged";
    print_message(
        fmt::format("{} interrupted before the first round: no model was trained{}\n", bold("note:", false), model));
    return 0;
  }

  std::string text(const TrainResult& result) {
    report::LedgerNotes notes{
        .output = flags_.output, .output_size = size_words(flags_.output), .details = flags_.details};
    proof_.add_to(notes, result);
    return table_.text(result) + record_.text(std::move(notes), style_of()) + picture_.plot(result);
  }

  // Prints the proposals of several notes as one line.
  void print_line_to_try(const std::vector<ReadNote>& notes) const {
    if (notes.size() < 2) return;
    const Command command = train_command();
    Proposals proposals(command, given_);
    for (const ReadNote& note : notes) proposals.add(note.fix);
    if (!proposals.empty()) print_message(fmt::format("{} {}\n", bold("try:", false), printable(proposals.line())));
  }

  void print_hints() const {
    const TrainResult& result = record_.run().result;
    if (scales_first_) {
      print_message(fmt::format(
          "{} --normalize {} reads all rows before training: they were kept, and trained on in their order\n",
          bold("note:", false), record_.run().options.standard_columns ? "standard" : "column"));
    }
    constexpr std::size_t most = 6;
    std::size_t more = 0, printed = 0;
    const std::vector<ReadNote> notes = record_.notes();
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
  RunningTable table_;
  TrainProof proof_;
  RunPicture picture_;
  report::TrainRecord record_;
  bool scales_first_ = false;
  std::optional<std::uint64_t> checkpoint_;  // rounds of the last one written
};

}  // namespace

Command train_command() {
  auto flags = std::make_shared<TrainFlags>();
  Command command(
      "train", "train a model and print the ledger",
      {{"halfspace train credit.csv -o credit.model", "the data choose the learner; the label column is recognised"},
       {"halfspace train a9a --preset averaged --passes 10 --holdout 0.2",
        "ten passes; every fifth row is held out for evaluation"},
       {"halfspace train a9a --rule scw1:aggressiveness=0.1 --passes 3",
        "a rule, with a parameter of its own; halfspace rules scw1 lists these"},
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
    flags->unplanned = flags->watching.any() || flags->certify || flags->least_loss;
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
