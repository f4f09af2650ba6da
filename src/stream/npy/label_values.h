// Maps labels that are array values to classes; builds each text once a chunk.
//
// Thread-safety: a NpyLabels is read by all threads once it knows its labels; a scratch is a chunk's own.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stream/columns/cell_names.h"
#include "stream/formats/parser.h"
#include "stream/labels/label_inference.h"
#include "stream/names/cell_dictionary.h"
#include "stream/npy/header.h"

namespace halfspace::stream {

struct NpyProblem {
  std::string reason, hint;
};

struct NpyLabelScratch {
  CellDictionary bytes;
  struct Label {
    std::int32_t number = ChunkLabels::none;
    std::string_view text;
  };
  std::vector<Label> label_of;  // by number in `bytes`
  ChunkLabels labels;
  std::deque<std::string> own;
  std::string text;
  std::vector<NewLabelRow> new_rows;

  void clear();
};

class NpyLabels {
 public:
  explicit NpyLabels(const ReadOptions& options) : options_(&options) {}  // which must outlive it

  // Starts with no labels, so that every label is new; or with these, one of which may have no name yet.
  void forget();
  void know(const Labels& labels);

  // Reads the label of the row that is about to end. `column` is for errors.
  std::optional<NpyProblem> read(const NpyType& type, std::string_view bytes, std::string_view column,
                                 NpyLabelScratch& scratch, ParsedChunk& chunk, std::int32_t& label) const;

 private:
  NpyLabelScratch::Label find(const NpyType& type, std::string_view bytes, NpyLabelScratch& scratch,
                              ParsedChunk& chunk) const;

  const ReadOptions* options_;
  Labels labels_;
  bool open_ = true;  // a label that is not among them may be new
};

// Learns the labels of records that the format parses, which knows none yet.
Labels learn_array_labels(const Format& format, const ReadOptions& options, std::string_view text, bool whole,
                          const std::function<std::string_view()>& more);

// Ends the current row, or rejects it.
void end_array_row(std::optional<NpyProblem> problem, std::int32_t label, double weight, ParsedChunk& chunk);

}  // namespace halfspace::stream
