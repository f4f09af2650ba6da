// Lines of text as rows of a model: requests of a few rows, and outside of a pass over data.
//
// Lines are in the format that the model was trained on (LIBSVM, CSV without its header, Vowpal Wabbit, JSON Lines), and
// mean what they mean to a Reader with the model's schema. A bad line is told with its number and column; the others
// are used.
//
// Thread-safety: one thread. Ownership: copies the schema.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "halfspace/kernels/example.h"
#include "halfspace/stream/read_options.h"
#include "halfspace/stream/schema.h"
#include "stream/parser.h"
#include "stream/pipeline/chunks.h"
#include "stream/pipeline/transform.h"

namespace halfspace::service {

// predict: rows without labels, or whose labels are ignored. check: rows to learn from, whose new names are not taken up.
// learn: new names become features, numbered in order of first appearance.
enum class ParseFor : std::uint8_t { predict, check, learn };

class RowParser {
 public:
  using ClassWeights = std::vector<std::pair<std::string, double>>;

  // Throws Error(usage) for a model of another format.
  RowParser(const Schema& schema, ParseFor purpose, const ClassWeights& class_weights = {});

  // Parses whole lines, a copy of which it keeps. Valid until the next call.
  struct Parsed {
    Block block;                             // the good rows
    const std::vector<stream::BadRow>& bad;  // ascending; lines from 0
    std::uint64_t lines;
  };
  Parsed parse(std::string_view lines);

  const Schema& schema() const noexcept { return schema_; }

 private:
  Schema given_, schema_;
  ReadOptions options_;
  std::unique_ptr<stream::Format> format_;
  stream::Transforms transforms_;
  std::vector<double> class_factors_;
  stream::TextBuffer text_;  // formats look ahead of what they parse
  stream::ParsedChunk chunk_;
};

// Returns the lines of a text, without their ends.
std::vector<std::string_view> lines_of(std::string_view text);

// Returns the line, of a format that RowParser takes, with this label, as learning reads it. `line` has none, or an empty cell in its place. Throws
// Error(data) for a line that already has one, or that is no row of the format.
std::string with_label(const Schema& schema, std::string_view line, std::string_view label);

// Returns the text that comes before the rows in a file of this format: a CSV header with a line end, or nothing.
std::string header_of(const Schema& schema);

}  // namespace halfspace::service
