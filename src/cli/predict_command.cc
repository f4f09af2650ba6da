// halfspace predict: a label, or a score, for every row.
#include <fmt/format.h>

#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "base/atomic_file.h"
#include "cli/commands.h"
#include "cli/terminal.h"
#include "halfspace/base/error.h"
#include "halfspace/model/model_file.h"
#include "halfspace/train/evaluate.h"

namespace halfspace::cli {
namespace {

struct PredictFlags {
  DataFlags data;
  std::string model, output;
  bool scores = false, probability = false;
};

// Lines to stdout, or to a file that takes its name only when it is whole.
class Lines {
 public:
  explicit Lines(const std::string& path) {
    if (!path.empty() && path != "-") file_.emplace(path);
  }

  void write(const std::string& text) {
    if (!file_) return print_result(text);
    file_->write({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
  }
  void finish() {
    if (file_) file_->commit();
  }

 private:
  std::optional<AtomicFile> file_;
};

class PredictCommand {
 public:
  explicit PredictCommand(const PredictFlags& flags)
      : flags_(flags), model_(load_model(flags.model)), progress_(!flags.output.empty()), predictor_(model_) {
    for (const std::string& name : model_.schema.labels.names) names_.push_back(name + "\n");
    names_.resize(std::max<std::size_t>(2, names_.size()), "?\n");  // a lone class has an opposite without a name
  }

  int run() {
    if (flags_.probability && model_.calibration.method == CalibrationMethod::none) {
      throw Error(ErrorKind::usage, "the model has scores, and nothing that turns them into probabilities")
          .at(flags_.model)
          .fix("train it with --calibrate platt and --holdout 0.2 (or --folds 5)");
    }
    Reader reader(options());
    Lines lines(flags_.output);
    reader.read([&](const Block& block) {
      lines.write(text_of(block));
      rows_ += block.rows;
      show_progress();
      return !interrupted();
    });
    progress_.clear();
    if (interrupted())
      throw Error(ErrorKind::input_output, "interrupted: the predictions are not complete and were not kept");
    lines.finish();
    print_notes(reader.report());
    return 0;
  }

 private:
  ReadOptions options() {
    ReadOptions read = read_for(model_, read_options(flags_.data));
    read.labels_optional = true;
    read.progress = [this](std::uint64_t done, std::uint64_t total) {
      done_ = done;
      total_ = total;
    };
    return read;
  }

  std::string text_of(const Block& block) {
    std::string text;
    if (flags_.probability) {
      const std::uint32_t vectors = predictor_.score_all(block, classes_, scores_);
      for (std::size_t i = 0; i < block.rows; ++i)
        add_probabilities(text, std::span<const double>(scores_).subspan(i * vectors, vectors));
      return text;
    }
    predictor_.predict(block, classes_, scores_);
    for (std::size_t i = 0; i < block.rows; ++i) {
      if (flags_.scores) {
        fmt::format_to(std::back_inserter(text), "{}\n", scores_[i]);
      } else {
        text += names_[static_cast<std::size_t>(classes_[i])];
      }
    }
    return text;
  }

  // Two classes: of the positive one. Several: of each, in the order of the labels.
  void add_probabilities(std::string& text, std::span<const double> scores) const {
    const auto p = model_.calibration.probabilities(scores);
    for (std::size_t k = scores.size() == 1 ? 1 : 0; k < p.size(); ++k)
      fmt::format_to(std::back_inserter(text), "{}{}", p[k], k + 1 == p.size() ? "\n" : " ");
  }

  void show_progress() {
    if (!progress_.due() || total_ == 0) return;
    progress_.show(fmt::format("{:.0f} % · {} rows", 100 * static_cast<double>(done_) / static_cast<double>(total_),
                               grouped(rows_)));
  }

  void print_notes(const ReadReport& report) const {
    if (report.unknown_features > 0) {
      tell(fmt::format("{} {} values belong to features the model has never seen; they count nothing\n",
                       bold("note:", false), grouped(report.unknown_features)));
    }
    if (report.rejected > 0) {
      tell(fmt::format("{} {} bad rows were set aside: they have no line in the output\n", bold("note:", false),
                       grouped(report.rejected)));
    }
    if (!flags_.output.empty() && flags_.output != "-" && stderr_is_terminal())
      tell(fmt::format("{} rows predicted to {}\n", grouped(rows_), flags_.output));
  }

  const PredictFlags& flags_;
  Model model_;
  Progress progress_;
  Predictor predictor_;
  std::vector<std::string> names_;  // of the classes, as lines
  std::vector<std::int32_t> classes_;
  std::vector<double> scores_;
  std::uint64_t rows_ = 0, done_ = 0, total_ = 0;
};

int predict(const PredictFlags& flags) {
  if (flags.scores && flags.probability)
    throw Error(ErrorKind::usage, "--scores and --probability do not go together").fix("leave one of them out");
  return PredictCommand(flags).run();
}

}  // namespace

Command predict_command() {
  auto flags = std::make_shared<PredictFlags>();
  Command command(
      "predict", "a label (or --scores, or --probability) per line",
      {{"halfspace predict credit.model new.csv -o decisions.txt", "one label a line, in the data's own names"},
       {"halfspace predict a9a.model a9a.t --scores | head", "the scores behind the labels"}});
  command.add(
      {required({"MODEL", "", "a model that train wrote", &flags->model, input_file()}),
       required(
           {"DATA", "", "rows, with or without labels; - is standard input", &flags->data.read.path, input_file()}),
       {"-o,--output", "FILE", "write the lines here instead of stdout", &flags->output, output_file_or_stdout()},
       {"--scores", "", "the score of the row instead of its label", &flags->scores},
       {"--probability", "",
        "of a calibrated model the probability of the positive class; of several classes that of each",
        &flags->probability}});
  add_data_flags(command, flags->data, false);
  command.run = [flags](const Given&) { return predict(*flags); };
  return command;
}

}  // namespace halfspace::cli
