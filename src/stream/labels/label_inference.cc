// Infers the labels of the data from the first rows or, if these do not suffice, from all rows.
#include "stream/labels/label_inference.h"

#include <algorithm>
#include <span>
#include <utility>

#include "halfspace/base/error.h"
#include "stream/labels/label_doubts.h"
#include "stream/source/raw_file.h"
#include "stream/text/number.h"
#include "stream/text/separators.h"
#include "stream/text/text.h"

namespace halfspace::stream {
namespace {

constexpr std::size_t survey_bytes = std::size_t{256} << 10;  // text parsed at a time, into memory that is used again

// A single label reveals its side only if it is a common number. 1 without a sign may be the positive one of {-1,+1}
// and {0,1} or the negative one of {1,2}.
bool one_label_settles(const std::string& text) {
  double value = 0;
  if (parse_number(text, value) != NumberProblem::none) return false;
  return value == -1 || value == 0 || value == 2 || (value == 1 && text.front() == '+');
}

}  // namespace

LabelInference::LabelInference(const ReadOptions& options, LabelsAre are, std::uint64_t lines, std::string column)
    : options_(options), are_(are), lines_(lines), column_(std::move(column)) {
  if (options.labels.classes.empty()) return;
  distinct_ = named_labels(options, are).names;
  several_ = true;
}

void LabelInference::add(const ParsedChunk& chunk) {
  any_rows_ |= chunk.data_rows != 0;
  if (!first_bad_ && !chunk.bad.empty()) {
    first_bad_ = chunk.bad.front();
    first_bad_->line += lines_;
  }
  lines_ += chunk.lines;
  for (const std::int32_t label : chunk.rows.labels()) {
    if (enough()) {
      left_out_ = true;
      return;
    }
    if (rows_ == options_.inference_rows && looked_at_ == 0) look(false);
    ++rows_;
    if (label > first_new_label || !options_.labels.classes.empty()) continue;
    const std::string_view name = chunk.new_labels[static_cast<std::size_t>(first_new_label - label)];
    auto seen = texts_.find(name);
    if (seen != texts_.end()) {
      ++seen->second.rows;
      continue;
    }
    texts_.emplace(name, Seen{1, rows_});
    distinct_.emplace_back(name);
    several_ = several_ || Labels::from({distinct_.front(), distinct_.back()}, {}, are_).names.size() > 1;
    if (distinct_.size() == most_classes) {
      throw Error(ErrorKind::data, "more than " + std::to_string(most_classes - 1) + " different labels" +
                                       (column_.empty() ? "" : " in column " + quote(column_)))
          .at(shown_name(options_.path))
          .fix("the label of a row must be its class, not a measured number or its name" +
               (column_.empty() ? "" : "; " + option("label") + " names another column"));
    }
  }
}

// Before anything is learned: thousands of classes take long, and it was for nothing.
void LabelInference::look(bool everything) {
  if (looked_at_ == rows_ || !options_.labels.classes.empty()) return;
  looked_at_ = rows_;
  std::vector<LabelCount> counts;
  for (const auto& [text, seen] : texts_) counts.push_back({text, seen.rows, seen.first_row});
  std::sort(counts.begin(), counts.end(),
            [](const LabelCount& a, const LabelCount& b) { return a.first_row < b.first_row; });
  const LabelSource source{column_, !column_.empty(), !everything || left_out_, are_};
  std::vector<LabelDoubt> doubts;
  if (!options_.labels.any_value) doubts = doubts_of(counts, rows_, source);
  if (are_ == LabelsAre::numbers) {
    if (std::optional<LabelDoubt> doubt = doubt_of_one_class(counts)) doubts.push_back(std::move(*doubt));
  }
  for (const LabelDoubt& doubt : doubts) {
    if (doubt.too_many) throw Error(ErrorKind::data, doubt.text).at(shown_name(options_.path)).fix(doubt.fix);
    if (!noted_ && options_.on_note) options_.on_note({doubt.text, doubt.fix, doubt.about == SurveyNote::About::label});
  }
  noted_ = true;
}

void LabelInference::refuse_if_none_is_good() const {
  if (rows_ != 0 || !first_bad_) return;
  throw Error(ErrorKind::data, "no row can be used; the first: " + first_bad_->reason)
      .at(shown_name(options_.path), first_bad_->line + 1, first_bad_->column)
      .showing(first_bad_->text)
      .fix(first_bad_->hint);
}

bool LabelInference::enough() const {
  if (!options_.labels.classes.empty()) return rows_ > 0;
  if (options_.labels.scan_all || rows_ < options_.inference_rows) return false;
  return several_ ||
         (options_.labels.positive.empty() && distinct_.size() == 1 && one_label_settles(distinct_.front()));
}

std::optional<Labels> default_pair_of(const std::string& only, LabelsAre are) {
  double value = 0;
  if (parse_number(only, value) != NumberProblem::none) return std::nullopt;
  if (value == -1) return Labels{{only, "+1"}, are};
  if (value == 0) return Labels{{only, "1"}, are};
  if (value == 2) return Labels{{"1", only}, are};
  if (value == 1) return Labels{{"-1", only}, are};
  return std::nullopt;
}

Labels labels_of_all(const std::vector<std::string>& distinct, const std::string& positive, LabelsAre are) {
  Labels labels = Labels::from(distinct, positive, are);
  if (labels.names.size() != 1 || !positive.empty()) return labels;
  if (const std::optional<Labels> pair = default_pair_of(distinct.front(), are)) return *pair;
  return Labels::from(distinct, distinct.front(), are);
}

Labels LabelInference::labels(bool everything) {
  look(everything);
  const bool known = several_ || distinct_.empty() || !options_.labels.positive.empty();
  if (known || everything || default_pair_of(distinct_.front(), are_))
    return labels_of_all(distinct_, options_.labels.positive, are_);
  const std::string& only = distinct_.front();
  throw Error(ErrorKind::data, "the first " + std::to_string(rows_) + " rows of a pipe all have the label " +
                                   quote(only) + ": is it the positive class?")
      .at(shown_name(options_.path))
      .fix("name the positive label with " + option("positive", "NAME") + ", or read from a file");
}

Labels learn_labels(const ReadOptions& options, LabelsAre are, std::string_view text, bool whole,
                    const std::function<std::string_view()>& more,
                    const std::function<void(std::string_view, ParsedChunk&)>& parse, std::uint64_t lines_before,
                    std::string column) {
  LabelInference labels(options, are, lines_before, std::move(column));
  ParsedChunk chunk;
  const auto add = [&](std::string_view lines) {
    while (!lines.empty()) {
      const std::string_view some = first_lines(lines, survey_bytes);
      chunk.clear();
      parse(some, chunk);
      labels.add(chunk);
      lines.remove_prefix(some.size());
    }
  };
  add(text);
  labels.refuse_if_none_is_good();
  while (!whole && more && !labels.enough()) {
    const std::string_view next = more();
    whole = next.empty();
    add(next);
  }
  if (whole && !labels.any_rows()) {
    throw Error(ErrorKind::data, "no data rows").at(shown_name(options.path)).fix("check that it is the right file");
  }
  return labels.labels(whole);
}

void ChunkLabels::clear() {
  texts_.clear();
  class_of_.clear();
}

std::int32_t ChunkLabels::find(std::string_view text, const Labels& labels, bool open, ParsedChunk& chunk) {
  return find(false, text, labels, open, chunk);
}

std::int32_t ChunkLabels::find_number(std::string_view text, const Labels& labels, bool open, ParsedChunk& chunk) {
  return find(true, text, labels, open, chunk);
}

std::int32_t ChunkLabels::find(bool number, std::string_view text, const Labels& labels, bool open,
                               ParsedChunk& chunk) {
  const CellDictionary::Found found = texts_.find_or_insert(number ? 1 : 0, text);
  if (found.inserted) {
    std::int32_t known = labels.find(text).value_or(none);
    if (known == none && number) known = labels.find_number(text).value_or(none);
    if (known == none && open && !has_line_break(text)) {
      known = first_new_label - static_cast<std::int32_t>(chunk.new_labels.size());
      chunk.new_labels.push_back(text);
    }
    class_of_.push_back(known);
  }
  const std::int32_t known = class_of_[found.number];
  if (known == none && !chunk.late_label && !has_line_break(text)) chunk.late_label = text;
  return known;
}

Labels named_labels(const ReadOptions& options, LabelsAre are) {
  if (Labels::from(options.labels.classes, {}, are).names.size() < 2) {
    throw Error(ErrorKind::usage, option("classes") + " takes all classes, at least two")
        .fix("name them all, or leave it out: the classes are inferred then");
  }
  return Labels::from(options.labels.classes, options.labels.positive, are);
}

std::string hint_for_unknown(std::string_view label, const Labels& known, const ReadOptions& options) {
  constexpr std::size_t most = 5;
  if (const Spelling alike = spelled_alike(label, known.names); !alike.known.empty()) {
    return "it differs from " + quote(alike.known) + " by " + alike.how + " alone: write it so" +
           (alike.how == "the dot at its end" ? ", such as with sed 's/\\.$//' FILE" : "");
  }
  const bool learned = options.schema == nullptr && options.labels.classes.empty();
  std::string hint = learned ? "the first rows have " : "the labels are ";
  for (std::size_t i = 0; i < std::min(most, known.names.size()); ++i) {
    hint += (i == 0 ? "" : ", ") + quote(known.names[i]);
  }
  if (known.names.size() > most) hint += " and " + std::to_string(known.names.size() - most) + " more";
  if (learned) hint += "; if it is right, " + option("classes") + " names all classes";
  return hint;
}

namespace {

LabelProblem describe_line_break(std::string_view label) {
  return {"the label " + quote(label) + " has a line break, and predictions are a label a line",
          "name the class without it"};
}

}  // namespace

void refuse_line_break(std::string_view name) {
  if (!has_line_break(name)) return;
  LabelProblem problem = describe_line_break(name);
  throw Error(ErrorKind::data, std::move(problem.reason)).fix(std::move(problem.hint));
}

LabelProblem describe_unknown(std::string_view label, const Labels& known, const ReadOptions& options) {
  if (has_line_break(label)) return describe_line_break(label);
  return {quote(label) + " is not a label of this data", hint_for_unknown(label, known, options)};
}

bool has_nameless_class(const Labels& labels) {
  return std::find(labels.names.begin(), labels.names.end(), "") != labels.names.end();
}

std::vector<RefusedLabel> commit_new_labels(ParsedChunk& chunk, Labels& labels) {
  std::vector<RefusedLabel> refused;
  if (chunk.new_labels.empty()) return refused;
  const std::span<std::int32_t> numbers = chunk.rows.labels();
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i] > first_new_label) continue;
    const std::string_view text = chunk.new_labels[static_cast<std::size_t>(first_new_label - numbers[i])];
    std::optional<std::int32_t> known = labels.find(text);
    const auto nameless = std::find(labels.names.begin(), labels.names.end(), "");
    if (!known && nameless != labels.names.end()) {
      *nameless = text;
      known = static_cast<std::int32_t>(nameless - labels.names.begin());
    }
    if (known) {
      numbers[i] = *known;
    } else {
      refused.push_back({i, text});
    }
  }
  return refused;
}

}  // namespace halfspace::stream
