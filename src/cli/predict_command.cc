// halfspace predict: a label, or a score, for every row.
#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <system_error>

#include "cli/commands.h"
#include "cli/terminal.h"
#include "halfspace/base/error.h"
#include "halfspace/model/model_file.h"

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
  explicit Lines(const std::string& path) : path_(path) {
    if (path.empty() || path == "-") {
      file_ = stdout;
      return;
    }
    // A pipe or a device cannot be renamed over: it is written to directly.
    std::error_code none;
    const auto status = std::filesystem::status(path, none);
    temporary_ = std::filesystem::exists(status) && !std::filesystem::is_regular_file(status) ? "" : path + ".partial";
    file_ = std::fopen((temporary_.empty() ? path : temporary_).c_str(), "wb");
    if (file_ == nullptr) fail();
  }
  ~Lines() {
    if (file_ == nullptr || file_ == stdout) return;
    std::fclose(file_);
    if (!temporary_.empty()) std::remove(temporary_.c_str());
  }
  Lines(const Lines&) = delete;
  Lines& operator=(const Lines&) = delete;

  void write(const std::string& text) {
    if (std::fwrite(text.data(), 1, text.size(), file_) != text.size()) fail();
  }
  void finish() {
    if (std::fflush(file_) != 0) fail();
    if (file_ == stdout) return;
    std::FILE* file = std::exchange(file_, nullptr);
    if (std::fclose(file) != 0) fail();
    if (!temporary_.empty() && std::rename(temporary_.c_str(), path_.c_str()) != 0) fail();
  }

 private:
  [[noreturn]] void fail() const {
    throw Error(ErrorKind::input_output, std::string("cannot write: ") + std::strerror(errno))
        .at(path_.empty() ? "standard output" : path_);
  }

  std::string path_, temporary_;
  std::FILE* file_ = nullptr;
};

int predict(const PredictFlags& flags) {
  const Model model = load_model(flags.model);
  if (flags.probability && model.calibration.method == CalibrationMethod::none) {
    throw Error(ErrorKind::usage, "the model has scores, and nothing that turns them into probabilities")
        .at(flags.model)
        .fix("train it with --calibrate platt and --holdout 0.2 (or --folds 5)");
  }
  ReadOptions read = read_options(flags.data);
  read.schema = &model.schema;
  read.grow = false;
  read.labels_optional = true;
  read.row_normalised = model.schema.row_normalised;
  read.single = model.schema.single;
  std::uint64_t done = 0;
  std::uint64_t total = 0;
  read.progress = [&](std::uint64_t d, std::uint64_t t) {
    done = d;
    total = t;
  };
  Progress progress(!flags.output.empty());
  Lines lines(flags.output);
  Predictor predictor(model);
  std::vector<std::int32_t> classes;
  std::vector<double> scores;
  std::string text;
  Reader reader(read);
  std::vector<std::string> names;
  for (const std::string& name : model.schema.labels.names) names.push_back(name + "\n");
  names.resize(std::max<std::size_t>(2, names.size()), "?\n");  // a lone class has an opposite without a name
  std::uint64_t rows = 0;
  reader.read([&](const Block& block) {
    std::uint32_t vectors = 1;
    if (flags.probability) {
      vectors = predictor.score_all(block, classes, scores);
    } else {
      predictor.predict(block, classes, scores);
    }
    text.clear();
    for (std::size_t i = 0; i < block.rows; ++i) {
      if (flags.probability) {
        // Two classes: of the positive one. Several: of each, in the order of the labels.
        const auto p = model.calibration.probabilities(std::span(scores).subspan(i * vectors, vectors));
        for (std::size_t k = vectors == 1 ? 1 : 0; k < p.size(); ++k)
          fmt::format_to(std::back_inserter(text), "{}{}", p[k], k + 1 == p.size() ? "\n" : " ");
      } else if (flags.scores) {
        fmt::format_to(std::back_inserter(text), "{}\n", scores[i]);
      } else {
        text += names[static_cast<std::size_t>(classes[i])];
      }
    }
    lines.write(text);
    rows += block.rows;
    if (progress.due() && total > 0) {
      progress.show(fmt::format("{:.0f} % · {} rows", 100 * static_cast<double>(done) / static_cast<double>(total),
                                grouped(rows)));
    }
    return !interrupted();
  });
  progress.clear();
  if (interrupted())
    throw Error(ErrorKind::input_output, "interrupted: the predictions are not complete and were not kept");
  lines.finish();
  const ReadReport& report = reader.report();
  if (report.unknown_features > 0) {
    fmt::print(stderr, "{} {} values belong to features the model has never seen; they count nothing\n",
               bold("note:", false), grouped(report.unknown_features));
  }
  if (report.rejected > 0) {
    fmt::print(stderr, "{} {} bad rows were set aside: they have no line in the output\n", bold("note:", false),
               grouped(report.rejected));
  }
  if (!flags.output.empty() && flags.output != "-" && stderr_is_terminal()) {
    fmt::print(stderr, "{} rows predicted to {}\n", grouped(rows), flags.output);
  }
  return 0;
}

}  // namespace

void add_predict(CLI::App& app, Action& action) {
  auto flags = std::make_shared<PredictFlags>();
  CLI::App* command = add_command(
      app, "predict", "a label (or --scores, or --probability) per line",
      {{"halfspace predict credit.model new.csv -o decisions.txt", "one label a line, in the data's own names"},
       {"halfspace predict a9a.model a9a.t --scores | head", "the scores behind the labels"}});
  command->add_option("MODEL", flags->model, "a model that train wrote")->required();
  command->add_option("DATA", flags->data.read.path, "rows, with or without labels; - is standard input")->required();
  command->add_option("-o,--output", flags->output, "write the lines here instead of stdout")->type_name("FILE");
  CLI::Option* scores = command->add_flag("--scores", flags->scores, "the score of the row instead of its label");
  command
      ->add_flag("--probability", flags->probability,
                 "of a calibrated model the probability of the positive class; of several classes that of each")
      ->excludes(scores);
  add_data_flags(command, flags->data, false);
  command->callback([flags, &action] { action = [flags] { return predict(*flags); }; });
}

}  // namespace halfspace::cli
