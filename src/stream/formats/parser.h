// The interface between the pipeline (source, threads, order, errors) and a text format.
//
//    schema inference   once, serially: examines the first text, infers the schema (header, column kinds, labels)
//    split              serially: finds where a chunk of text may end
//    parse              in parallel: turns whole lines into rows with provisional numbers, or bad rows with reasons
//    commit             serially, in file order: replaces provisional numbers by the schema's (categories, labels)
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

// A row that cannot be used: kept apart from the good ones until it is reported in file order.
struct BadRow {
  std::uint64_t line = 0;    // within the chunk
  std::uint64_t row = 0;     // within the chunk, good and bad rows counted
  std::uint64_t column = 0;  // 1-based byte; 0: the whole line
  std::string reason;        // "'x' is not a number"
  std::string hint;          // "write the value as a decimal such as 1.5"
  std::string text;          // the record as in the file, without its line end
  bool quote = false;        // the reason is an unclosed quote, or a quote within a value
};

// New labels are numbered downwards in a chunk: the k-th is first_new_label - k. -1 is a row without a label.
inline constexpr std::int32_t first_new_label = -2;

// The result of parsing one chunk. Reused from chunk to chunk.
struct ParsedChunk {
  std::string_view text;  // the chunk itself, set by the pipeline; outlives commit
  BlockBuffer
      rows;  // labels and, for CSV categories, indices are provisional until commit; row numbers are within chunk
  std::vector<std::uint64_t> line_of_row;  // where each good row begins, within the chunk
  std::vector<BadRow> bad;                 // ascending
  std::uint64_t lines = 0;                 // in the chunk
  std::uint64_t data_rows = 0;             // good and bad
  std::uint64_t unknown_features = 0;
  std::optional<std::string> late_label;  // the first unknown label; its row is bad
  // New label texts of this chunk in order of first appearance: views into the chunk's text, which outlives commit.
  std::vector<std::string_view> new_labels;
  void clear();

  // Memory of the format's own, of one type, kept by clear(): reused buffers, texts that are not in the chunk. Created
  // on first use.
  template <class T>
  T& scratch() {
    if (!scratch_) scratch_ = std::make_unique<ScratchOf<T>>();
    return static_cast<ScratchOf<T>&>(*scratch_).value;
  }
  // Numbers of a parsed chunk.
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

// Texts of the columns in ColumnOptions::keep, row by row.
struct KeptTexts {
  std::vector<std::string_view> texts;
  std::deque<std::string> own;  // texts that differ from those in the chunk
};

class Format {
 public:
  virtual ~Format() = default;

  // Returns the number of lines before the rows, as far as `text`, the first of the data, shows; if it ends before the
  // rows begin, more lines than it has.
  virtual std::uint64_t lines_before_rows(std::string_view) const { return 0; }

  // Returns the names of the columns in ColumnOptions::keep, without duplicates; known after schema inference.
  virtual std::vector<std::string> kept_names() const { return {}; }
  // Adds the kept texts of each record; the views begin at a record and extend beyond it. Thread-safe.
  virtual void keep(std::span<const std::string_view>, KeptTexts&) const {}

  // Several files: learns the shared header from the text of the first, split as for infer_schema, before that call.
  virtual void begin_files(std::string_view, bool, const Schema&) {}
  // Returns the size in bytes of the header of a further file, or nothing if more text is needed, which never happens
  // if the text is `whole`. Throws Error(data) for a header that differs from the first file's. Thread-safe after
  // begin_files.
  virtual std::optional<std::size_t> header_of_file(std::string_view, bool, const std::string&) const { return 0; }

  // Examines the first text of the data (at least `inference_rows` records, or all there are; `whole`: it is
  // everything) and fills the schema's format, columns and labels, or matches them if `schema` is the model's. The text
  // ends at a record's end unless its only record is longer. Returns the number of bytes at the front that are no data
  // (a header). `more` returns the following text in chunks of whole records, for a label search beyond the first
  // records, and an empty view at the end of the data; it is null for a pipe.
  virtual std::size_t infer_schema(std::string_view text, bool whole, const std::function<std::string_view()>& more,
                                   Schema& schema) = 0;

  // Returns the length of the longest prefix of `text` that ends at a record's end, by default a line's; 0 if there is
  // none. Called serially, in order, on text that begins at a record.
  virtual std::size_t split(std::string_view text) const { return text.rfind('\n') + 1; }  // npos + 1 is 0

  // Begins a pass; called serially, before any chunk of it is parsed.
  virtual void begin_pass(const Schema&) {}

  // Parses whole records to rows. Thread-safe; reads the schema as of schema inference and nothing that commit changes.
  // Stops at the first bad row if `stop_at_bad`.
  virtual void parse(std::string_view text, bool stop_at_bad, ParsedChunk& chunk) const = 0;

  // Replaces provisional numbers by final ones; may add bad rows (an unknown label), in any order, and grow the schema.
  // The pipeline removes rows named in `bad` from `rows`.
  virtual void commit(ParsedChunk& chunk, Schema& schema) = 0;

  // Returns whether parse has made the rows of this chunk final, so that commit is skipped and the rest runs in
  // parallel.
  virtual bool final_after_parse(const ParsedChunk& chunk) const = 0;
};

std::unique_ptr<Format> make_libsvm(const ReadOptions& options);
std::unique_ptr<Format> make_csv(const ReadOptions& options);
std::unique_ptr<Format> make_arff(const ReadOptions& options);
std::unique_ptr<Format> make_vw(const ReadOptions& options);
std::unique_ptr<Format> make_jsonl(const ReadOptions& options);

// Limit of distinct label texts; a column with more is numeric, and no label.
inline constexpr std::size_t most_classes = 65'536;

// Limit of adjacent tokens in one feature.
inline constexpr std::uint32_t most_ngrams = 16;

}  // namespace halfspace::stream
