// Lines of text as rows of a model: requests of a few rows, and outside of a pass over data.
//
// Lines are in the format that the model was trained on (LIBSVM, CSV without its header, Vowpal Wabbit, JSON Lines), and
// mean what they mean to a Reader with the model's schema. A bad line is told with its number and column; the others
// are used.
//
// A row that does not fit the model is bad, as a file of such rows is for a Reader: an object with none of the members
// that the model was trained on, and a line of Vowpal Wabbit whose namespaces are all unknown.
//
// Thread-safety: one thread. Ownership: copies the schema.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "halfspace/kernels/example.h"
#include "halfspace/stream/read_options.h"
#include "halfspace/stream/schema.h"
#include "stream/formats/parser.h"
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
  ~RowParser();

  // Parses whole lines, a copy of which it keeps. Valid until the next call.
  struct Parsed {
    Block block;                             // the good rows
    const std::vector<stream::BadRow>& bad;  // ascending; lines from 0; hints are of rows, and name no options
    std::uint64_t lines;
  };
  Parsed parse(std::string_view lines);

  // A row of more bytes is refused by next().
  static constexpr std::size_t longest_row = std::size_t{1} << 20;

  // Parses the next lines of a text, some hundreds at a time: memory stays small whatever the text. A row is a line.
  // Valid until the next call.
  struct Piece {
    std::uint64_t lines = 0;              // taken from the front of the text
    Block block;                          // the good rows
    std::span<const std::uint64_t> good;  // their lines, from 0
    std::span<const stream::BadRow> bad;  // the lines that are no rows, but for blank ones; ascending, from 0
  };
  Piece next(std::string_view& text);

  const Schema& schema() const noexcept { return schema_; }

 private:
  void know_columns();
  void refuse_unfit();
  void refuse_long();
  bool sort_out_lines(std::size_t rows);

  Schema given_, schema_;
  ReadOptions options_;
  std::unique_ptr<stream::Format> format_;
  stream::Transforms transforms_;
  std::vector<double> class_factors_;
  stream::TextBuffer text_;  // formats look ahead of what they parse
  stream::ParsedChunk chunk_;
  std::vector<std::string_view> lines_;  // of the text
  std::vector<std::uint64_t> good_;      // of these, the rows
  std::uint64_t singly_ = 0;             // lines that next() parses one at a time
  struct Known;
  std::unique_ptr<Known> known_;  // null: every row fits
};

// Returns a fix for a row, made of a hint that may be about options of a reader or about a file: without these.
std::string fix_of_row(DataFormat format, std::string_view hint);

// Takes the next line off the front of a text, and returns it without its end.
std::string_view next_line(std::string_view& text);
// Returns the lines of a text, without their ends.
std::vector<std::string_view> lines_of(std::string_view text);
// Returns how many they are.
std::uint64_t count_lines(std::string_view text);

// Returns the text of the row's identifier column; empty: the model has none, or the row.
std::string id_of(const Schema& schema, std::string_view line);

// Returns the line of a model of CSV that a JSON object stands for, columns by name. Throws Error(data) for another
// text, and for members that are no columns.
std::string csv_of_json(const Schema& schema, std::string_view object);

// Returns the line, of a format that RowParser takes, with this label, as learning reads it. `line` has none, or an empty cell in its place. Throws
// Error(data) for a line that already has one, or that is no row of the format.
std::string with_label(const Schema& schema, std::string_view line, std::string_view label);

// Returns the text that comes before the rows in a file of this format: a CSV header with a line end, or nothing.
std::string header_of(const Schema& schema);

}  // namespace halfspace::service
