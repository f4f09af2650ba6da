// The way a text format plugs into the reader: the seam between the pipeline (source, threads, order, errors) and a
// format.
//
//   schema inference  once, serially: look at the first text, learn what the format needs (header, column kinds,
//   labels) split   serially: where may this chunk of text be cut? parse   in parallel: a chunk of whole lines becomes
//   rows with provisional numbers, or bad rows with their reason commit  serially, in file order: provisional numbers
//   become the schema's (new categories, labels)
//
// Lines and rows are counted from 0 within a chunk; the pipeline adds where the chunk began. Columns are 1-based bytes.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "halfspace/kernels/example.h"
#include "halfspace/stream/reader.h"
#include "halfspace/stream/schema.h"

namespace halfspace::stream {

// A row that cannot be used: kept apart from the good ones until its turn in file order comes.
struct BadRow {
  std::uint64_t line = 0;    // within the chunk
  std::uint64_t row = 0;     // within the chunk, good and bad rows counted
  std::uint64_t column = 0;  // 1-based byte, 0 when the whole line is meant
  std::string reason;        // "'x' is not a number"
  std::string hint;          // "write the value as a decimal such as 1.5"
  std::string text;          // the record as it stands in the file, without its line end
  bool quote = false;        // it is bad for a quote: one that is not closed, or stands within a value
};

// New labels are numbered down from here in a chunk: the k-th is first_new_label - k. -1 is a row without a label.
inline constexpr std::int32_t first_new_label = -2;

// The result of parsing one chunk. Reused from chunk to chunk.
struct ParsedChunk {
  std::string_view text;  // the chunk itself, set by the pipeline; outlives commit
  BlockBuffer
      rows;  // labels and, for CSV categories, indices are provisional until commit; row numbers are within chunk
  std::vector<std::uint64_t> line_of_row;  // where each good row began, within the chunk
  std::vector<BadRow> bad;                 // ascending
  std::uint64_t lines = 0;                 // in the chunk
  std::uint64_t data_rows = 0;             // good and bad
  std::uint64_t unknown_features = 0;
  std::optional<std::string> late_label;  // the first that is none of those known; its row is bad
  // Provisional numbers, e.g. new label texts or category texts of this chunk in order of first appearance; the meaning
  // is the format's own. Views into the chunk's text, which outlives commit.
  std::vector<std::string_view> new_labels;
  struct NewCategory {
    std::uint32_t column;
    std::string_view text;
    std::uint64_t hash;  // CellDictionary's
  };
  std::vector<NewCategory> new_categories;
  void clear();

  // The format's own, of one type, kept by clear(): reused memory, texts that are not in the chunk. Made when it is first
  // asked for.
  template <class T>
  T& scratch() {
    if (!scratch_) scratch_ = std::make_unique<ScratchOf<T>>();
    return static_cast<ScratchOf<T>&>(*scratch_).value;
  }
  // Of a chunk that is parsed.
  template <class T>
  const T& scratch() const {
    return static_cast<const ScratchOf<T>&>(*scratch_).value;
  }

 private:
  struct Scratch {
    virtual ~Scratch() = default;
  };
  template <class T>
  struct ScratchOf final : Scratch {
    T value;
  };
  std::unique_ptr<Scratch> scratch_;
};

// Texts of the columns in ColumnOptions::keep, row by row, as many each.
struct KeptTexts {
  std::vector<std::string_view> texts;
  std::deque<std::string> own;  // texts that do not stand so in the chunk
};

class Format {
 public:
  virtual ~Format() = default;

  // Returns how many lines stand before the rows, as far as `text`, the first of the data, tells; where it ends before
  // the rows begin, more lines than it has.
  virtual std::uint64_t lines_before_rows(std::string_view) const { return 0; }

  // Returns the names of the columns in ColumnOptions::keep, each once; known after schema inference.
  virtual std::vector<std::string> kept_names() const { return {}; }
  // Adds their texts of each record; the views begin with a record and go on behind it. Thread-safe.
  virtual void keep(std::span<const std::string_view>, KeptTexts&) const {}

  // Several files: learns from the text of the first, cut as infer_schema's, what all have in common, before that.
  virtual void begin_files(std::string_view, bool, const Schema&) {}
  // Returns how many bytes at the front of a further file are its header, or nothing when more text is needed to tell;
  // that is never so when the text is `whole`. Throws Error(data) for a header that is not the first file's. Thread-safe
  // once begin_files is done.
  virtual std::optional<std::size_t> header_of_file(std::string_view, bool, const std::string&) const { return 0; }

  // Looks at the first text of the data (at least `inference_rows` records or all there are; `whole` when it is
  // everything) and fills the schema's format, columns and labels, or agrees with them when `schema` is the model's.
  // The text ends at a record's end unless its one record is longer. Returns how many bytes at the front are not data
  // (a header). `more` gives the text that follows, in chunks of whole records, for a label search beyond the first
  // records; it is null for a pipe. It returns an empty view at the end of the data.
  virtual std::size_t infer_schema(std::string_view text, bool whole, const std::function<std::string_view()>& more,
                                   Schema& schema) = 0;

  // Returns the length of the longest prefix of `text` that ends at a record's end; 0 when there is none. Called
  // serially, in order, on text that begins at a record.
  virtual std::size_t split(std::string_view text) const = 0;

  // Parses whole records to rows. Thread-safe; reads the schema as schema inference left it and nothing that commit
  // changes. Stops at the first bad row when `stop_at_bad`.
  virtual void parse(std::string_view text, bool stop_at_bad, ParsedChunk& chunk) const = 0;

  // Gives the rows their final numbers; may add bad rows (an unknown label), in any order, and grow the schema. A row
  // that is named in `bad` is taken out of `rows` by the pipeline.
  virtual void commit(ParsedChunk& chunk, Schema& schema) = 0;

  // Tells whether parse alone has made the rows of this chunk final, so that commit is skipped and the rest is done in
  // parallel.
  virtual bool final_after_parse(const ParsedChunk& chunk) const = 0;
};

std::unique_ptr<Format> make_libsvm(const ReadOptions& options);
std::unique_ptr<Format> make_csv(const ReadOptions& options);
std::unique_ptr<Format> make_arff(const ReadOptions& options);
std::unique_ptr<Format> make_vw(const ReadOptions& options);
std::unique_ptr<Format> make_jsonl(const ReadOptions& options);

// One distinct label text per class; more is taken for a column of numbers that is no label.
inline constexpr std::size_t most_classes = 65'536;

// Adjacent tokens of a text that are one feature.
inline constexpr std::uint32_t most_ngrams = 16;

// A decimal number, correctly rounded, or why it is not one. Shared by the formats. Accepts what C's strtod accepts but
// hexadecimal, NaN and infinities: a leading +, digits with or without a point, an exponent; the whole of `text`.
enum class NumberProblem : std::uint8_t { none, not_a_number, not_finite, overflow };
NumberProblem parse_number(std::string_view text, double& value);

// Reads a weight, which is a finite number >= 0.
inline bool parse_weight(std::string_view text, double& weight) {
  return parse_number(text, weight) == NumberProblem::none && weight >= 0;
}

}  // namespace halfspace::stream
