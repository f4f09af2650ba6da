// Labels that no model brings: those the options name, or learned from the first rows, or named by the first row that has one.
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
#include "stream/parser.h"
#include "stream/text/cell_dictionary.h"

namespace halfspace::stream {

// Collects the labels of good rows, in file order, until it knows enough.
class LabelInference {
 public:
  // `lines`: so many stand before the first row. `column`: where the labels stand, if that has a name.
  // Throws Error(usage) where the options name classes, and not two of them are different.
  explicit LabelInference(const ReadOptions& options, std::uint64_t lines = 0, std::string column = {});

  // Takes a chunk parsed with no label known.
  void add(const ParsedChunk& chunk);

  bool enough() const;
  bool any_labels() const { return !distinct_.empty(); }
  bool any_rows() const { return any_rows_; }  // good or bad
  // Throws the first bad row's Error(data) when no row so far was good: it says more than that no label is known.
  void refuse_if_none_is_good() const;

  // Returns the labels. `everything`: schema inference has seen all rows there are. Notes what is odd about them. Throws
  // Error(data) when it takes --positive to know, and where they are no classes.
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
  std::uint64_t lines_;  // before the next chunk
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

// Learns the labels of text whose records are lines: of the first rows, and of `more` while these do not tell.
// `parse(lines, chunk)` reads whole lines with no label known. Throws Error(data) when there is no row at all, or none
// of the first is good. `lines_before`: so many stand before `text`. `column`: where the labels stand, if that has a name.
Labels learn_labels(const ReadOptions& options, std::string_view text, bool whole,
                    const std::function<std::string_view()>& more,
                    const std::function<void(std::string_view, ParsedChunk&)>& parse, std::uint64_t lines_before = 0,
                    std::string column = {});

// The classes of the label texts of one chunk, each looked up once.
class ChunkLabels {
 public:
  // What find gives for a text that is no label.
  static constexpr std::int32_t none = std::numeric_limits<std::int32_t>::min();

  void clear();
  // Returns the class of a text, which must outlive the chunk. A text that is not among the labels gets the number of a
  // new label where these are `open`; else it is none, and the chunk's late label.
  std::int32_t find(std::string_view text, const Labels& labels, bool open, ParsedChunk& chunk);

 private:
  CellDictionary texts_;
  std::vector<std::int32_t> class_of_;  // by number in `texts_`
};

// Returns the two classes of data whose only label is a number of a usual pair: -1 and +1 of -1. Empty: it is none.
std::optional<Labels> usual_pair_of(const std::string& only);

// Returns the labels that the options name. Throws Error(usage) when they are fewer than two.
Labels named_labels(const ReadOptions& options);
// Returns what to do about a label that is none of `known`.
std::string hint_for_unknown(std::string_view label, const Labels& known, const ReadOptions& options);

// What is wrong with a label that is none of `known`, and what to do about it.
struct LabelProblem {
  std::string reason, hint;
};
LabelProblem describe_unknown(std::string_view label, const Labels& known, const ReadOptions& options);

// Tells whether one class of two still waits for its name.
bool has_nameless_class(const Labels& labels);

// Gives rows with new labels their class; the first label that is new names the class that has no name yet. Returns the
// positions of the rows whose label is none, with its text.
struct RefusedLabel {
  std::size_t row;
  std::string_view text;
};
std::vector<RefusedLabel> commit_new_labels(ParsedChunk& chunk, Labels& labels);

}  // namespace halfspace::stream
