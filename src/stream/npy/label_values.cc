// Labels of arrays: the shortest decimals, texts, true and false.
#include "stream/npy/label_values.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/utf8.h"
#include "halfspace/base/error.h"
#include "stream/text/text.h"

namespace halfspace::stream {
namespace {

constexpr std::size_t array_survey_bytes = std::size_t{32} << 10;  // parsed at a time, into memory that is used again

}  // namespace

void NpyLabelScratch::clear() {
  bytes.clear();
  label_of.clear();
  labels.clear();
  own.clear();
  new_rows.clear();
}

void NpyLabels::forget() {
  labels_ = {};
  open_ = true;
}

void NpyLabels::know(const Labels& labels) {
  labels_ = labels;
  open_ = has_nameless_class(labels_);
}

std::optional<NpyProblem> NpyLabels::read(const NpyType& type, std::string_view bytes, std::string_view column,
                                          NpyLabelScratch& scratch, ParsedChunk& chunk, std::int32_t& label) const {
  const NpyLabelScratch::Label found = find(type, bytes, scratch, chunk);
  label = found.number;
  if (label == ChunkLabels::none) {
    const std::string place = "the label in column " + quote(column);
    if (found.text.data() == nullptr) return NpyProblem{place + " is not valid UTF-8", "convert the labels to UTF-8"};
    if (found.text.empty()) {
      return NpyProblem{place + " is missing",
                        "give the row its label, or name another column with " + option("label")};
    }
    if (!chunk.late_label && !has_line_break(found.text)) chunk.late_label = found.text;
    LabelProblem problem = describe_unknown(found.text, labels_, *options_);
    return NpyProblem{std::move(problem.reason), std::move(problem.hint)};
  }
  if (label <= first_new_label) scratch.new_rows.push_back({chunk.rows.rows(), 0, {}});
  return std::nullopt;
}

// The label that these bytes are. A text without data: none, as it is not UTF-8.
NpyLabelScratch::Label NpyLabels::find(const NpyType& type, std::string_view bytes, NpyLabelScratch& scratch,
                                       ParsedChunk& chunk) const {
  const CellDictionary::Found found = scratch.bytes.find_or_insert(0, bytes);
  if (!found.inserted) return scratch.label_of[found.number];
  NpyLabelScratch::Label label;
  if (type.write(bytes.data(), scratch.text) && valid_utf8(scratch.text)) {
    const bool missing = type.is_number() && !std::isfinite(type.number(bytes.data()));
    label.text = missing ? std::string_view("") : scratch.own.emplace_back(scratch.text);
    if (!label.text.empty())
      label.number = type.is_number() ? scratch.labels.find_number(label.text, labels_, open_, chunk)
                                      : scratch.labels.find(label.text, labels_, open_, chunk);
  }
  scratch.label_of.push_back(label);
  return label;
}

Labels learn_array_labels(const Format& format, const ReadOptions& options, std::string_view text, bool whole,
                          const std::function<std::string_view()>& more) {
  LabelInference inference(options, LabelsAre::texts);
  ParsedChunk chunk;
  const auto add = [&](std::string_view records) {
    while (!records.empty()) {
      std::size_t size = 0;
      for (std::size_t piece = array_survey_bytes; size == 0; piece *= 2) {
        size = format.split(records.substr(0, piece));
        if (size == 0 && piece >= records.size()) return;  // no whole record is left
      }
      chunk.clear();
      format.parse(records.substr(0, size), false, chunk);
      inference.add(chunk);
      records.remove_prefix(size);
    }
  };
  add(text);
  inference.refuse_if_none_is_good();
  while (!whole && more && !inference.enough()) {
    const std::string_view next = more();
    whole = next.empty();
    add(next);
  }
  return inference.labels(whole);
}

void end_array_row(std::optional<NpyProblem> problem, std::int32_t label, double weight, ParsedChunk& chunk) {
  if (problem) {
    chunk.rows.drop_row();
    BadRow bad;
    bad.line = chunk.lines;
    bad.row = chunk.data_rows;
    bad.reason = std::move(problem->reason);
    bad.hint = std::move(problem->hint);
    chunk.bad.push_back(std::move(bad));
  } else {
    chunk.line_of_row.push_back(chunk.lines);
    chunk.rows.end_row(label, chunk.data_rows, weight);
  }
  ++chunk.lines;
  ++chunk.data_rows;
}

}  // namespace halfspace::stream
