// Compares a run with predicting one class, and selects the notes that matter.
#include "report/results/train_notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/text_table.h"
#include "halfspace/base/error.h"
#include "halfspace/rules/rule_entry.h"
#include "report/results/train_words.h"
#include "report/results/words.h"
#include "stream/formats/format_entry.h"

namespace halfspace::report {
namespace {

constexpr SurveyLimits surveyed = {.rows = 10'000, .values = 250'000, .features = 100'000};

// Errors on some rows, and the errors of the best constant prediction.
struct Errors {
  double rows, own, constant;
  const char* which;
};

std::optional<Errors> errors_of(const TrainResult& result) {
  const Ledger& ledger = result.model.ledger;
  if (result.holdout && result.holdout->rows > 0) {
    return Errors{result.holdout->rows, result.holdout->errors, errors_of_the_most_frequent(*result.holdout),
                  "rows held out"};
  }
  if (result.training_errors && result.learned_rows == result.report.rows) {
    const auto most = std::max_element(result.report.class_rows.begin(), result.report.class_rows.end());
    const auto rows = static_cast<double>(result.report.rows);
    if (most == result.report.class_rows.end() || result.training_rows != rows) return std::nullopt;  // with weights
    return Errors{rows, *result.training_errors, rows - static_cast<double>(*most), "training rows"};
  }
  if (plays_mistakes_only(result.model.composition.order)) return std::nullopt;
  return Errors{ledger.first_pass_weight(), ledger.first_pass_errors(), errors_of_the_most_frequent(ledger),
                "rounds of the first pass"};
}

// A kernel can memorise every row without generalising.
std::optional<Errors> errors_beforehand(const TrainResult& result) {
  const Ledger& ledger = result.model.ledger;
  if (!entry_of(result.model.composition.rule).support_vectors) return std::nullopt;
  if (plays_mistakes_only(result.model.composition.order)) return std::nullopt;
  return Errors{ledger.first_pass_weight(), ledger.first_pass_errors(), errors_of_the_most_frequent(ledger),
                "rows before training on them"};
}

bool drawn(OrderName order) {
  switch (order) {
    case OrderName::stream:
    case OrderName::cyclic:
    case OrderName::first_mistake:
      return false;
    case OrderName::shuffled:
    case OrderName::random:
    case OrderName::random_mistake:
      break;
  }
  return true;
}

// Returns true if scaling columns changes this run and the columns need it.
bool scaling_helps(const TrainOptions& options, const TrainResult& result, bool scales_differ) {
  if (options.resume != nullptr) return false;  // a resumed run keeps its scales
  const bool scaled = options.normalize_columns || options.standard_columns || !result.model.schema.exponents.empty();
  return scales_differ && !scaled && !entry_of(result.model.composition.rule).measures_columns;
}

// Returns whether one of two classes has at most a fifth of the rows: predicting the other is hard to beat by accuracy.
bool rare_class(const TrainResult& result) {
  const std::vector<std::uint64_t>& rows = result.report.class_rows;
  if (result.model.classes() != 2 || rows.size() != 2) return false;
  return 5 * std::min(rows[0], rows[1]) <= rows[0] + rows[1];
}

// Returns what may help a learner no better than a constant prediction, or a little: only options that change it.
std::string what_may_help(const TrainResult& result, bool planned, bool to_scale, bool some) {
  const std::string kernel = entry_of(result.model.composition.rule).support_vectors
                                 ? "; a smaller " + option("gamma") + " lets rows that are far apart count"
                                 : "";
  const bool weights = kernel.empty() && result.model.composition.keep != KeepName::vote;
  if (to_scale)
    return option("normalize", weights ? "standard" : "column") + " brings columns of different scales together" +
           kernel;
  if (planned && rare_class(result))
    return option("metric", "f1") + " " + option("threshold", "auto") +
           " looks for the rare class: it is found by a lower threshold, which accuracy does not ask for";
  if (planned && some) return "several learners were tried: more rows would tell, or other columns";
  if (planned)
    return "several learners were tried: check that the label is the right column, and that the others predict it";
  if (result.minimum) return "try other columns, or another rule" + kernel;
  const Stopped stopped = result.model.ledger.stopped;
  if (stopped == Stopped::updates || stopped == Stopped::time)
    return "try more of " + option(stopped == Stopped::updates ? "updates" : "seconds") + ", or another rule" + kernel;
  const bool shuffled = result.model.composition.order == OrderName::shuffled;
  return "try more passes (" + option("passes", "10") + ")" +
         (shuffled ? "" : ", another order (" + option("order", "shuffled") + ")") + " or another rule" + kernel;
}

// Warns if errors are not clearly fewer than those of a constant prediction, or, if scaling columns helps, not fewer
// than three quarters of them.
std::optional<ReadNote> worse_than_a_guess(const Survey& survey, const TrainOptions& options, const TrainResult& result,
                                           bool planned, bool scales_differ) {
  // Weights of classes or rows ask for other errors, not for fewer, and so does a threshold.
  const bool weighted = !options.read.labels.class_weights.empty() || !result.model.class_weights.empty() ||
                        result.model.threshold.has_value();
  if (weighted || survey.weights_differ()) return std::nullopt;
  const bool to_scale = scaling_helps(options, result, scales_differ);
  const bool kernel = entry_of(result.model.composition.rule).support_vectors;
  for (const auto& errors : {errors_of(result), errors_beforehand(result)}) {
    if (!errors || errors->rows < 20 || errors->constant == 0) continue;
    const bool fewer = clearly_fewer(errors->own, errors->constant);
    if (fewer && (!to_scale || kernel || errors->own * 4 < errors->constant * 3)) continue;
    const bool some = errors->own < errors->constant;
    return ReadNote{fmt::format("the model errs on {} of {} {}; always predicting the most frequent class errs on {}{}",
                                grouped_count(errors->own), grouped_count(errors->rows), errors->which,
                                grouped_count(errors->constant), some && !fewer ? ", which may be chance" : ""),
                    what_may_help(result, planned, to_scale, some)};
  }
  return std::nullopt;
}

// A class whose rows all have weight 0 is none to the learner, although the model can name it.
std::optional<ReadNote> class_without_weight(const TrainResult& result) {
  const Ledger& ledger = result.model.ledger;
  const std::vector<std::uint64_t>& rows = result.report.class_rows;
  const std::vector<double>& weight = result.minimum ? result.minimum->rows_of_class : ledger.class_weight;
  const bool seen_all =
      (result.minimum ? !weight.empty() : ledger.passes > 0) && ledger.stopped != Stopped::interrupted;
  if (!seen_all || result.holdout || plays_mistakes_only(result.model.composition.order)) return std::nullopt;
  for (std::size_t k = 0; k < rows.size() && k < result.model.schema.labels.names.size(); ++k) {
    if (rows[k] == 0 || (k < weight.size() && weight[k] > 0)) continue;
    return ReadNote{"every row of the class '" + shortened(result.model.schema.labels.names[k], 24) +
                        "' has weight zero: the model never saw the class",
                    "give its rows a weight above zero, or remove them"};
  }
  return std::nullopt;
}

// Returns a note where no new row was predicted wrong: mostly a column holds what is known only after the label.
std::optional<ReadNote> too_good(const TrainResult& result) {
  constexpr std::uint64_t fewest = 50;
  const auto& expected = result.expected_error;
  if (!expected || expected->errors > 0 || expected->rows < fewest) return std::nullopt;
  return ReadNote{
      "no new row was predicted wrong, which is rare: a column may hold what is known only after the label",
      "where one does, " + option("drop") + " leaves it out; inspect ranks columns by how they move the score"};
}

// A resumed model whose stream ended accepts any data, including data it was trained on.
std::optional<ReadNote> learned_from_before(const TrainOptions& options, const TrainResult& result) {
  if (options.resume == nullptr || result.model.composition.order != OrderName::stream) return std::nullopt;
  const std::vector<std::string>& before = options.resume->provenance.fingerprints;
  const std::string& now = result.report.fingerprint;
  if (options.resume->position.unfinished != 0 || now.empty() ||
      std::find(before.begin(), before.end(), now) == before.end())
    return std::nullopt;
  return ReadNote{"the model was already trained on these rows (same digest of the text): they now count twice",
                  "train without " + option("resume") + ", or continue with other rows"};
}

}  // namespace

Survey survey_of_run() { return Survey(surveyed); }

std::string label_words(const TrainOptions& options, const Schema& schema) {
  if (options.resume != nullptr || options.read.schema != nullptr || !options.read.columns.label.empty()) return "";
  if (schema.columns.empty() || schema.columns.back().kind != Column::Kind::label) return "";
  const stream::FormatEntry& format = stream::entry_of(schema.format);
  if (!format.columns_are_surveyed || !format.columns_by_position) return "";
  std::string name = schema.columns.back().name;
  std::transform(name.begin(), name.end(), name.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  if (name == "label" || name == "class" || name == "target" || name == "y") return "";
  return "column '" + shortened(schema.columns.back().name, 24) + "', the last one";
}

std::vector<ReadNote> train_notes(const Survey& survey, const TrainOptions& options, const TrainResult& result,
                                  bool planned) {
  std::vector<ReadNote> notes;
  ReadOptions read = options.read;
  if (options.resume != nullptr) read.schema = &result.model.schema;
  std::optional<ReadNote> label_column, missing;
  const bool in_memory = options.read.rows != nullptr || options.read.table_text != nullptr;
  bool scales_differ = false, explained = false;
  for (const SurveyNote& note : survey.notes(result.model.schema, read)) {
    using About = SurveyNote::About;
    scales_differ = scales_differ || note.about == About::scales;
    if (note.about == About::scales || note.about == About::constant) continue;
    if (note.about == About::order && drawn(result.model.composition.order)) continue;
    if (note.about == About::label_column) {
      label_column = note;
      continue;
    }
    if (note.about == About::label_by_name && in_memory) continue;
    if (note.about == About::missing) {
      missing = note;
      continue;
    }
    explained = explained || note.about == About::order || (note.about == About::label && note.grave);
    notes.push_back(note);
  }
  // Rows sorted by class, or a label that is none, are sufficient reasons.
  if (const auto worse = worse_than_a_guess(survey, options, result, planned, scales_differ); worse && !explained)
    notes.insert(notes.begin(), *worse);
  if (const auto good = too_good(result)) notes.insert(notes.begin(), *good);
  if (const auto quotes = note_on_quotes(result.report)) notes.insert(notes.begin(), *quotes);
  if (const auto none = class_without_weight(result)) notes.insert(notes.begin(), *none);
  if (const auto twice = learned_from_before(options, result)) notes.insert(notes.begin(), *twice);
  // If all is well, the ledger is enough; labels in memory are in no column.
  if (notes.empty()) return notes;
  if (label_column && !in_memory) notes.push_back(*label_column);
  if (missing) notes.push_back(*missing);
  return notes;
}

Json notes(const std::vector<ReadNote>& notes, const TextStyle& style) {
  Json list = Json::array();
  for (const ReadNote& note : notes)
    list.push_back(
        {{"text", utf8(style.rendered(note.text))}, {"fix", utf8(style.rendered(note.fix))}, {"grave", note.grave}});
  return list;
}

}  // namespace halfspace::report
