// Labels without a model: named by the options, or inferred from the rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "halfspace/stream/schema.h"
#include "stream/formats/parser.h"
#include "stream/names/cell_dictionary.h"

namespace halfspace::stream {

// Collects the labels of good rows, in file order, until they suffice.
class LabelInference {
 public:
  // `lines`: the number of lines before the first row. `column`: the label's column, if it has a name. Throws
  // Error(usage) if the options name classes, but fewer than two distinct ones.
  LabelInference(const ReadOptions& options, LabelsAre are, std::uint64_t lines = 0, std::string column = {});

  // Adds a chunk parsed with no label known.
  void add(const ParsedChunk& chunk);

  bool enough() const;
  bool any_labels() const { return !distinct_.empty(); }
  bool any_rows() const { return any_rows_; }  // good or bad
  // Throws the first bad row's Error(data) if no row so far was good: it is more specific than the lack of labels.
  void refuse_if_none_is_good() const;

  // Returns the labels and notes doubts about them. `everything`: schema inference has seen all rows. Throws
  // Error(data) if --positive is needed, or if the labels are no classes.
  Labels labels(bool everything);

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };
  struct Seen {
    std::uint64_t rows = 0, first_row = 0;
  };
  void look(bool everything);

  const ReadOptions& options_;
  LabelsAre are_;
  std::uint64_t lines_;  // lines before the next chunk
  std::string column_;
  std::vector<std::string> distinct_;
  std::unordered_map<std::string, Seen, Hash, std::equal_to<>> texts_;
  std::optional<BadRow> first_bad_;
  std::uint64_t rows_ = 0;       // good ones that were looked at
  std::uint64_t looked_at_ = 0;  // of them, when they were looked at for what is odd
  bool noted_ = false;
  bool left_out_ = false;  // there were more
  bool any_rows_ = false;
  bool several_ = false;  // more than one label: two texts may be one number
};

// Infers the labels of text whose records are lines: from the first rows and, while these do not suffice, from `more`.
// `parse(lines, chunk)` reads whole lines with no label known. Throws Error(data) if there are no rows, or none of the
// first is good. `lines_before`: the number of lines before `text`. `column`: the label's column, if it has a name.
Labels learn_labels(const ReadOptions& options, LabelsAre are, std::string_view text, bool whole,
                    const std::function<std::string_view()>& more,
                    const std::function<void(std::string_view, ParsedChunk&)>& parse, std::uint64_t lines_before = 0,
                    std::string column = {});

// Returns whether a text can be no label for its line breaks: predictions are a label a line.
inline bool has_line_break(std::string_view text) { return text.find_first_of("\r\n") != std::string_view::npos; }

// Throws Error(data) for the name of a class in memory that has a line break.
void refuse_line_break(std::string_view name);

// Maps the label texts of one chunk to classes, looking each up once.
class ChunkLabels {
 public:
  // The result of find for a text that is no label.
  static constexpr std::int32_t none = std::numeric_limits<std::int32_t>::min();

  void clear();
  // Returns the class of a text, which must outlive the chunk. An unknown text gets the number of a new label if labels
  // are `open`; else it becomes the chunk's late label.
  std::int32_t find(std::string_view text, const Labels& labels, bool open, ParsedChunk& chunk);
  // The same of a label that is a number where it is written.
  std::int32_t find_number(std::string_view text, const Labels& labels, bool open, ParsedChunk& chunk);

 private:
  std::int32_t find(bool number, std::string_view text, const Labels& labels, bool open, ParsedChunk& chunk);

  CellDictionary texts_;
  std::vector<std::int32_t> class_of_;  // by number in `texts_`
};

// Returns the two classes of data whose only label is a number of a common pair: -1 and +1 for -1. Empty: no such pair.
std::optional<Labels> default_pair_of(const std::string& only, LabelsAre are);

// Returns the classes of labels that are all there are, in the order of their appearance; `positive`: as in the options.
Labels labels_of_all(const std::vector<std::string>& distinct, const std::string& positive, LabelsAre are);
// Returns the labels that the options name. Throws Error(usage) if there are fewer than two.
Labels named_labels(const ReadOptions& options, LabelsAre are);
// Returns a fix for a label that is not among `known`.
std::string hint_for_unknown(std::string_view label, const Labels& known, const ReadOptions& options);

// Returns the problem of a label that is not among `known`, with a fix.
struct LabelProblem {
  std::string reason, hint;
};
LabelProblem describe_unknown(std::string_view label, const Labels& known, const ReadOptions& options);

// Returns whether one of two classes has no name yet.
bool has_nameless_class(const Labels& labels);

// Assigns classes to rows with new labels; the first new label names the class that has no name yet. Returns the
// positions and texts of the labels that are not classes.
struct RefusedLabel {
  std::size_t row;
  std::string_view text;
};
std::vector<RefusedLabel> commit_new_labels(ParsedChunk& chunk, Labels& labels);

}  // namespace halfspace::stream
