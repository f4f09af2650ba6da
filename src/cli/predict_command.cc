// halfspace predict: writes a label, a score or a table line for every row.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/atomic_file.h"
#include "base/utf8.h"
#include "cli/commands.h"
#include "cli/prediction_table.h"
#include "cli/terminal.h"
#include "halfspace/base/error.h"
#include "halfspace/model/model_file.h"
#include "halfspace/reasons/explanation.h"
#include "halfspace/stream/cache.h"
#include "halfspace/train/evaluate.h"
#include "report/results/sets_text.h"
#include "stream/formats/format_entry.h"

namespace halfspace::cli {
namespace {

struct PredictFlags {
  DataFlags data;
  std::string model, output, as;
  std::vector<std::string> keep;
  std::string against = "means";
  bool scores = false, probability = false, each_class = false, tags = false, quiet = false;
  std::optional<double> sets;
  std::uint64_t reasons = 0;

  bool table() const { return !as.empty() || !keep.empty() || reasons > 0 || !data.read.columns.identifier.empty(); }
};

// Writes lines to stdout, or to a file that appears only when it is complete.
class Lines {
 public:
  explicit Lines(const std::string& path) {
    if (!path.empty() && path != "-") file_.emplace(path, &interrupted());
  }

  void write(const std::string& text) {
    if (!file_) return print_result(stdout_is_terminal() ? printable(text, LineEnds::kept) : text);
    file_->write({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
  }
  void finish() {
    if (file_) file_->commit();
  }

 private:
  std::optional<AtomicFile> file_;
};

// The reasons of the rows of a block.
class BlockReasons {
 public:
  BlockReasons(const Model& model, Reference reference, std::size_t most)
      : reasons_(model, std::move(reference)), most_(most) {}

  void find(const Block& block, std::span<const std::int32_t> classes, std::span<const double> scores) {
    largest_.clear();
    begin_.assign(1, 0);
    const std::size_t vectors = block.rows == 0 ? 0 : scores.size() / block.rows;
    for (std::size_t i = 0; i < block.rows; ++i) {
      reasons_.of(block, i, Reasons::with_runner_up(classes[i], scores.subspan(i * vectors, vectors)), row_);
      for (const Contribution& c : reasons_.for_the_label(row_, most_))
        largest_.push_back({reasons_.columns().columns[c.column].name, c.value});
      begin_.push_back(largest_.size());
    }
  }
  std::span<const NamedContribution> of(std::size_t i) const {
    return std::span(largest_).subspan(begin_[i], begin_[i + 1] - begin_[i]);
  }

 private:
  Reasons reasons_;
  std::size_t most_;
  RowReasons row_;
  std::vector<NamedContribution> largest_;
  std::vector<std::size_t> begin_;  // of each row's, and the end
};

class PredictCommand {
 public:
  explicit PredictCommand(const PredictFlags& flags)
      : flags_(flags),
        model_(load_model_to_predict(flags.model, &interrupted())),
        curves_(probability_curves(model_)),
        progress_(!flags.output.empty() && !flags.quiet),
        predictor_(model_) {
    names_ = model_.schema.labels.names;
    names_.resize(std::max<std::size_t>(2, names_.size()), "?");  // a single class has an unnamed opposite
  }

  int run() {
    if (flags_.probability && !curves_.fitted()) {
      if (model_.calibration.method != CalibrationMethod::none) {
        throw Error(ErrorKind::usage, "the model's run was interrupted before its probabilities were fitted")
            .at(flags_.model)
            .fix("continue with train --resume");
      }
      throw Error(ErrorKind::usage, "the model has scores but no calibration to turn them into probabilities")
          .at(flags_.model)
          .fix("train it with --calibrate platt and --holdout 0.2 (or --folds 5)");
    }
    if (flags_.sets) make_sets();
    if (flags_.reasons > 0) {
      reasons_.emplace(model_, reference_named(model_, flags_.against, options_to_read(flags_.data)), flags_.reasons);
    }
    Reader reader(options());
    if (flags_.table()) table_.emplace(columns(reader));
    Lines lines(flags_.output);
    lines_ = &lines;
    reader.read([&](const Block& block) {
      consume(block);
      return !interrupted();
    });
    progress_.clear();
    if (interrupted())
      throw Error(ErrorKind::input_output, "interrupted: the predictions are incomplete and were discarded");
    lines.finish();
    print_notes(reader.report());
    return 0;
  }

 private:
  void make_sets() {
    if (!model_.conformal) {
      throw Error(ErrorKind::usage, "the model has no scores of held-out rows for prediction sets")
          .at(flags_.model)
          .fix("train it with --holdout 0.2 --conformal");
    }
    sets_.emplace(*model_.conformal, *flags_.sets, flags_.each_class);
    set_.resize(names_.size());
    for (const std::string& name : names_) {
      if (flags_.table() || (name.find_first_of(" \t\r\n") == std::string::npos && !name.empty())) continue;
      throw Error(ErrorKind::usage,
                  "the class '" + printable(name) + "' has a blank, which separates the classes of a set")
          .fix("write a table: --as jsonl or --as csv");
    }
  }

  ReadOptions options() {
    ReadOptions read = read_for(model_, options_to_read(flags_.data));
    read.labels.ignore = true;
    read.columns.keep = flags_.keep;
    if (flags_.tags) read.columns.keep = {tag_of_model()};
    const bool table_alone = !flags_.as.empty() || flags_.reasons > 0;
    if (table_alone && read.columns.keep.empty() && read.columns.identifier.empty()) name_rows(model_, read);
    if (!read.columns.identifier.empty()) read.columns.keep.insert(read.columns.keep.begin(), read.columns.identifier);
    skips_ = read.on_error == OnError::skip;
    by_rows_ = flags_.table() || skips_ || flags_.tags;
    if (by_rows_) read.on_rows = [this](std::span<const RowText> rows) { write(rows); };
    read.progress = [this](std::uint64_t done, std::uint64_t total) {
      done_ = done;
      total_ = total;
    };
    return read;
  }

  // Returns what the format of the model's data calls the tag of a row.
  std::string tag_of_model() const {
    const stream::FormatEntry& format = stream::entry_of(model_.schema.format);
    if (std::any_of(flags_.data.paths.begin(), flags_.data.paths.end(), is_cache)) {
      throw Error(ErrorKind::usage, "--tags: a cache keeps no tags").fix("give the text that it was made from");
    }
    if (!format.tag.empty()) return std::string(format.tag);
    throw Error(ErrorKind::usage, "--tags: rows have no tags in the data of this model, " + std::string(format.words))
        .at(flags_.model)
        .fix("write a table with a column that names the rows: --id COL");
  }

  PredictionColumns columns(const Reader& reader) const {
    return {.json = flags_.as == "jsonl",
            .kept = reader.kept(),
            .class_names = names_,
            .several = names_.size() > 2,
            .scores = flags_.scores,
            .probabilities = flags_.probability,
            .sets = sets_.has_value(),
            .reasons = flags_.reasons,
            .reason = skips_,
            .files = flags_.data.paths.size() > 1};
  }

  void consume(const Block& block) {
    vectors_ = 1;
    if (flags_.probability || sets_ || reasons_ || (table_ && flags_.scores)) {
      vectors_ = predictor_.score_all(block, classes_, scores_);
    } else {
      predictor_.predict(block, classes_, scores_);
    }
    if (flags_.scores || flags_.probability || sets_) check_scores(block);
    if (reasons_) reasons_->find(block, classes_, scores_);
    rows_ += block.rows;
    if (!by_rows_) {
      std::string text;
      for (std::size_t i = 0; i < block.rows; ++i) add_line(text, i);
      lines_->write(text);
    }
    show_progress();
  }

  // A score that is not finite is no number in a table, and no probability.
  void check_scores(const Block& block) const {
    const auto beyond =
        std::find_if(scores_.begin(), scores_.end(), [](double score) { return !std::isfinite(score); });
    if (beyond == scores_.end()) return;
    const auto i = static_cast<std::size_t>(beyond - scores_.begin()) / vectors_;
    throw Error(ErrorKind::data, fmt::format("the score of data row {} is beyond the range of doubles", block.row[i]))
        .fix("scale the values of the row, or predict its label alone");
  }

  // Writes the rows of a block; the good ones are those last consumed, in their order.
  void write(std::span<const RowText> rows) {
    std::string text;
    if (table_ && !begun_) table_->add_header(text);
    begun_ = true;
    std::size_t good = 0;
    for (const RowText& row : rows) {
      const bool bad = !row.reason.empty();
      if (table_) {
        check_text(row);
        table_->add(text, bad ? PredictedRow{row, {}, {}, {}, {}, {}} : predicted(row, good));
      } else if (bad) {
        text += '\n';
      } else {
        add_line(text, good);
        if (flags_.tags) add_tag(text, row);
      }
      good += bad ? 0 : 1;
    }
    lines_->write(text);
  }

  std::span<const double> scores_of(std::size_t i) const {
    return std::span<const double>(scores_).subspan(i * vectors_, vectors_);
  }

  // Writes the probability of the positive class for two classes, else of every class in the order of the labels.
  std::span<const double> probabilities_of(std::size_t i) {
    probabilities_.resize(std::max<std::size_t>(2, vectors_));
    curves_.probabilities(scores_of(i), probabilities_);
    return std::span<const double>(probabilities_).subspan(vectors_ == 1 ? 1 : 0);
  }

  PredictedRow predicted(const RowText& row, std::size_t i) {
    const std::string& label = names_[static_cast<std::size_t>(classes_[i])];
    return {row,
            label,
            scores_of(i),
            flags_.probability ? probabilities_of(i) : std::span<const double>(),
            sets_ ? set_of(i) : std::span<const std::uint8_t>(),
            reasons_ ? reasons_->of(i) : std::span<const NamedContribution>()};
  }

  std::span<const std::uint8_t> set_of(std::size_t i) {
    sets_->contains(scores_of(i), set_);
    return set_;
  }

  void add_set(std::string& text, std::span<const std::uint8_t> set) const {
    const std::size_t before = text.size();
    for (std::size_t k = 0; k < set.size(); ++k) {
      if (set[k] != 0) text += (text.size() == before ? "" : " ") + names_[k];
    }
    if (text.size() == before) text += "{}";
  }

  void add_line(std::string& text, std::size_t i) {
    if (sets_) {
      add_set(text, set_of(i));
    } else if (flags_.probability) {
      const std::span<const double> p = probabilities_of(i);
      for (std::size_t k = 0; k < p.size(); ++k)
        fmt::format_to(std::back_inserter(text), "{}{}", k == 0 ? "" : " ", p[k]);
    } else if (flags_.scores) {
      fmt::format_to(std::back_inserter(text), "{}", scores_[i]);
    } else {
      text += names_[static_cast<std::size_t>(classes_[i])];
    }
    text += '\n';
  }

  // Adds the tag to the line, as Vowpal Wabbit does: 1 tag.
  static void add_tag(std::string& text, const RowText& row) {
    if (row.kept.empty() || row.kept[0].empty()) return;
    text.back() = ' ';
    text += row.kept[0];
    text += '\n';
  }

  void check_text(const RowText& row) {
    if (flags_.as != "jsonl") return;
    for (const std::string_view kept : row.kept) {
      if (valid_utf8(kept)) continue;
      if (!skips_) {
        throw Error(ErrorKind::data, "a text to keep is not UTF-8, as JSON requires")
            .at(std::string(row.file), row.line)
            .fix("use --as csv, which keeps the bytes, or --on-error skip, which writes null");
      }
      ++not_utf8_;
    }
  }

  void show_progress() {
    if (!progress_.due() || total_ == 0) return;
    progress_.show(fmt::format("{:.0f} % · {}", 100 * static_cast<double>(done_) / static_cast<double>(total_),
                               counted(rows_, "row")));
  }

  void print_notes(const ReadReport& report) const {
    const auto note = [](const std::string& text) { print_message(bold("note:", false) + " " + text + "\n"); };
    if (report.unknown_features > 0) note(unknown_features_note(report.unknown_features));
    if (report.rejected > 0) {
      note(fmt::format("{} skipped: {}", counted(report.rejected, "bad row"),
                       table_     ? "in the output, without a prediction"
                       : by_rows_ ? "an empty line in the output for each"
                                  : "without a line in the output"));
    }
    if (sets_) note(report::sets_words(*sets_, model_.schema.labels.names));
    if (flags_.probability && !table_ && names_.size() == 2 && names_[1] != "?")
      note("the number is the probability of '" + printable(names_[1]) + "'");
    if (not_utf8_ > 0) note(fmt::format("{} not in UTF-8, and written as null", counted(not_utf8_, "text")));
    if (!flags_.output.empty() && flags_.output != "-" && stderr_is_terminal() && !flags_.quiet)
      print_message(fmt::format("{} predicted to {}\n", counted(rows_, "row"), printable(flags_.output)));
  }

  const PredictFlags& flags_;
  Model model_;
  Calibration curves_;
  Progress progress_;
  Predictor predictor_;
  std::vector<std::string> names_;  // of the classes
  std::optional<PredictionSets> sets_;
  std::vector<std::uint8_t> set_;  // of a row
  std::optional<BlockReasons> reasons_;
  std::optional<PredictionTable> table_;
  Lines* lines_ = nullptr;
  bool skips_ = false, by_rows_ = false, begun_ = false;
  // About the block last consumed.
  std::uint32_t vectors_ = 1;  // scores a row
  std::vector<std::int32_t> classes_;
  std::vector<double> scores_, probabilities_;
  std::uint64_t rows_ = 0, done_ = 0, total_ = 0, not_utf8_ = 0;
};

int predict(const PredictFlags& flags) {
  if (flags.tags && flags.table()) {
    throw Error(ErrorKind::usage, "--tags adds tags to lines, and this is a table")
        .fix("write --keep tag instead, for a column of tags");
  }
  const auto refuse_both = [&](bool one, const char* flag, bool other, const char* other_flag) {
    if (!one || !other || flags.table()) return;
    throw Error(ErrorKind::usage, std::string(flag) + " contradicts " + other_flag + ", as lines hold one value")
        .fix("leave one out, or write a table: --as csv");
  };
  refuse_both(flags.scores, "--scores", flags.probability, "--probability");
  refuse_both(flags.scores, "--scores", flags.sets.has_value(), "--sets");
  refuse_both(flags.probability, "--probability", flags.sets.has_value(), "--sets");
  return PredictCommand(flags).run();
}

}  // namespace

Command predict_command() {
  auto flags = std::make_shared<PredictFlags>();
  Command command(
      "predict", "predict labels, scores or probabilities, as lines or a table",
      {{"halfspace predict credit.model new.csv -o decisions.txt", "one label a line, in the data's own names"},
       {"halfspace predict a9a.model a9a.t --scores | head", "the scores that decide the labels"},
       {"halfspace predict credit.model new.csv --id applicant --scores", "CSV to join: applicant,prediction,score"},
       {"halfspace predict credit.model new.csv --sets 0.9", "all classes that a row may have, at 90 % coverage"},
       {"halfspace predict credit.model new.csv --reasons 3", "CSV with the columns behind each label"}});
  command.common = {"help", "output", "as", "keep", "id", "on-error", "rejects"};
  command.add(
      {required({"MODEL", "", "a model that train wrote", &flags->model, input_file()}),
       data_row(flags->data, "rows, with or without labels; - is standard input"),
       {"-o,--output", "FILE", "write the lines here instead of stdout", &flags->output, output_file_or_stdout()},
       {"--as", "FORMAT",
        "a table, one line a row: the columns of --id (default: the model's) and --keep, prediction, score ...",
        &flags->as,
        one_of({{"csv", "with a header (default with --id or --keep)"}, {"jsonl", "JSON Lines: an object a row"}})},
       {"--keep", "COL,COL...",
        "columns of " + stream::formats_that_take(stream::about_keeping) +
            " to write with the predictions; the model need not use them; for VW: tag",
        &flags->keep, commas()},
       {"--tags", "", "after each prediction the tag of the row, as Vowpal Wabbit writes it; of VW", &flags->tags},
       {"--scores", "", "the score instead of the label; in a table with it, for multiclass models one a class",
        &flags->scores},
       {"--probability", "",
        "the probability of the positive class, from a calibrated model; for multiclass models of each class",
        &flags->probability},
       {"--reasons", "K",
        "the K columns that speak most for the label, each with its contribution to the score; a table",
        &flags->reasons, at_least(1)},
       against_option(flags->against),
       coverage_option(flags->sets),
       each_class_option(flags->each_class)});
  command.add(kOutputGroup, {quiet_row(flags->quiet)});
  add_data_flags(command, flags->data, false);
  command.run = [flags](const Given&) { return predict(*flags); };
  return command;
}

}  // namespace halfspace::cli
