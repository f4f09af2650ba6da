// Reads examples from LIBSVM, CSV, ARFF, JSON Lines and Vowpal Wabbit's text and from idx files and NumPy's arrays, plain or
// compressed, from files or standard input.
//
//   Reader reader(options);                          // opens, recognises the format, learns labels and columns
//   reader.read([&](const Block& block) { ...; return true; });   // one pass, in file order
//
// One pass: text is read in large chunks (serial), parsed in parallel, and given to `consume` serially and in file
// order, while later chunks are read and parsed. Memory does not grow with the number of rows. Nothing that `consume`
// sees depends on the number of threads; where the blocks begin and end may.
//
// What is recognised, by content and never by name: gzip, zstd, xz and bzip2 by magic (concatenated members too), idx by
// magic (the label file is the sibling whose name has `labels-idx1` for `images-idx3`), .npy by magic, .npz as a zip archive
// whose first member is an .npy (docs/formats/npy.md), ARFF by @relation, JSON Lines by the brace and quote that begin them,
// Vowpal Wabbit's text by its bar, LIBSVM when the first line is a label
// followed by nothing or by index:value, else CSV. LF and CRLF line ends, a UTF-8 byte order mark, blank lines and, in
// LIBSVM, comments from # to the end of the line are accepted.
//
// Several files are one stream, in the order given: rows are numbered on over them, and results are those of one file that
// has the rows of all behind one header. They have one format, and tables one header: each has that of the first, or none.
// They are compressed each in its own way, opened one after the other, and may be pipes; idx files, NumPy's arrays and caches
// are read alone. A file of 0 bytes is passed over with a note, one named twice is read twice with a note. Whether there is a
// header, and what parts the values, is told by the first.
//
// A bad row stops the pass with Error(data) naming file, line, column, text, reason and fix; no block that contains the
// bad row or a later one reaches `consume`; or, with on_error = skip, the row is set aside and counted. NaN, infinities
// and numbers too large for a double are bad input.
//
// Thread-safety: one thread uses a Reader. `consume` and `progress` are called on that thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "halfspace/base/error.h"
#include "halfspace/kernels/example.h"
#include "halfspace/stream/rows.h"
#include "halfspace/stream/schema.h"

namespace halfspace {

class RowSource;

enum class OnError : std::uint8_t { stop, skip };

// What was taken for granted when data were read, and how to say otherwise.
struct ReadNote {
  std::string text, fix;
  bool on_label = false;  // the labels are hardly classes: said of the first rows, and perhaps again of all
};

// A data row as it stands in the file, good or bad.
struct RowText {
  std::uint64_t row = 0;                     // its number, as in Block::row
  std::string_view file{};                   // its name, as errors call it; empty: of a cache
  std::uint64_t line = 0;                    // of the file, where it begins, from 1; 0: a cache knows no lines
  std::uint64_t column = 0;                  // byte of its text where it is bad, from 1; 0: all of it
  std::string_view reason{};                 // why it is bad; empty: it is good
  std::span<const std::string_view> kept{};  // its texts of Reader::kept(); empty where a bad row has none
};

struct ReadOptions {
  std::string path;                 // "-": standard input
  std::vector<std::string> more;    // files that follow, all as one stream
  const RowSource* rows = nullptr;  // instead of the path: rows in memory (row_source.h); must outlive the Reader
  DataFormat format = DataFormat::automatic;
  unsigned threads = 0;               // 0: as many as the process may run at once
  std::size_t block_bytes = 1 << 18;  // text per block; results do not depend on it
  std::size_t line_limit = 64 << 20;  // a longer line is bad input
  OnError on_error = OnError::stop;
  std::string rejects;  // with skip: rows set aside go here, as CSV: file,line,column,reason,text

  std::function<void(const Error&)>
      on_reject;  // with skip: called for each, as the error that `stop` would have thrown

  std::function<void(const ReadNote&)> on_note;  // called while the Reader is made

  // LIBSVM
  bool zero_based = false;

  // CSV: what parts the values, and the mark in numbers ('.' or ','). None: what the model says, if it fits, else what
  // the first lines show; a point. A space stands for runs of blanks. Where the comma is both, numbers that hold it are quoted.
  std::optional<char> delimiter, decimal;
  // CSV: what stands between groups of three digits in numbers, as in 1,234.5: a comma, point, space or apostrophe; NUL:
  // nothing. None: what the model says, else nothing.
  std::optional<char> thousands;
  std::optional<Quote> quote;  // CSV; none: what the model says, else double quotes
  // CSV: so many lines of each file stand before the table, and are passed over; places in errors count them. None: as
  // many as of the model's data where the table does not begin with the first line, else 0. Given, it says where the table
  // begins, and nothing is made of how its first lines look.
  std::optional<std::uint64_t> skip_lines;
  // CSV: lines whose first byte behind blanks is one of these are no rows. None: what the model says, else no line is.
  std::optional<std::string> comment;

  // CSV, ARFF, JSON Lines and .npy. A column is named by its header name or its 1-based position; a member by its dotted name.
  std::optional<bool> header;  // none: recognised by what stands below the first line
  // Empty: a column named label, class, target or y (any case), else the last; members have no last.
  std::string label;
  std::string identifier, weight;  // empty: none
  std::vector<std::string> drop, categorical, numeric;
  // Columns whose tokens are features, each by itself and in runs of up to `ngrams` adjacent ones. tf-idf takes a pass
  // over all rows while the Reader is made, and is refused for a pipe. A model has its own ngrams, values and tokens.
  std::vector<std::string> text;
  std::optional<std::uint32_t> ngrams;  // 1 to 16; none: 1
  std::optional<TextValues> text_values;
  std::optional<TextTokens> text_tokens;
  // CSV: columns of dates, and what they begin with; none: what the first rows show. A model has its own.
  std::vector<std::string> dates;
  std::optional<DateOrder> date_order;
  // Pairs whose products are features, too: of CSV columns of numbers and categories, `age:size`; of Vowpal Wabbit's
  // namespaces, of each feature of one with each of the other. A model has its own.
  std::vector<std::string> interactions;
  // Texts that stand for a missing value, exactly as they are, beside the empty cell and usual_missing(), or, where
  // `missing_only` is given, beside the empty cell and those. In the label column the usual - is a class. Data for a model
  // are read with the model's.
  std::vector<std::string> missing;
  std::optional<std::vector<std::string>> missing_only;

  // Options that one format has alone, by their names, such as {{"table", "customers"}}.
  std::map<std::string, std::string> of_format;

  // .npz: the array of the rows, and that of the labels where it is there, too. Empty: their names tell.
  std::vector<std::string> arrays;

  // Labels. Learned from the first `inference_rows` good data rows, or those in the first 64 MiB; a file (not a pipe)
  // is scanned on while they hold one label only, and, with `all_labels`, to its end. A label outside them is then bad
  // input. `classes`: all there are, at least two; nothing is learned of them then, so that one of them may come late in
  // a pipe, or never.
  std::string positive;
  std::vector<std::string> classes;
  // A label of more than 100 values that look like a quantity (numbers, amounts, dates, times of day), or of a value in
  // every other row of all, is Error(data) before a row is given; of fewer it is noted. With `any_label`, or `classes`,
  // each value is a class.
  bool any_label = false;
  bool all_labels = false;  // scan a whole file for labels: more than two classes are wanted
  // Throws LateLabel at a label outside them in a file, whatever on_error says: whoever catches it may begin again with
  // all_labels.
  bool stop_at_late_label = false;
  std::uint64_t inference_rows = 10'000;
  bool ignore_labels = false;  // predict: labels and weights are not looked at, need not be there, and mean nothing
  std::vector<std::pair<std::string, double>> class_weights;  // label name, factor

  bool row_normalised = false;
  bool single = false;

  // Data for an existing model or a resumed run: columns, categories and labels are the model's. A category or a LIBSVM
  // index the model has not seen is kept when `grow`, else ignored and counted (its weight is zero). Columns that the
  // schema has and the data lacks are Error(data) that names them. Null: learn the schema. Must live until the Reader
  // is made.
  const Schema* schema = nullptr;
  bool grow = true;

  // Called with all rows of a block, good and bad, in file order, once `consume` has seen the good ones, if there are any:
  // for whoever writes something for every row. Rows that are bad end the pass, or are among them, as on_error says. The
  // texts are valid during the call.
  std::function<void(std::span<const RowText> rows)> on_rows;
  // Columns of CSV and ARFF, by name or position, or members, whose texts on_rows is given, whatever else they are for; a
  // model need not know them. Of Vowpal Wabbit's text "tag" alone.
  std::vector<std::string> keep;

  // Bytes of the source read so far and in all (0: not known, a pipe).
  std::function<void(std::uint64_t done, std::uint64_t total)> progress;

  // Setting it ends a wait for a pipe, a terminal or anything else that is no regular file: the Reader delivers the
  // complete rows it has read, then throws Interrupted. Not owned.
  const std::atomic<bool>* interrupt = nullptr;
};

// A label that the first rows of a file did not have.
class LateLabel : public Error {
 public:
  LateLabel(std::string message, const std::string& path)
      : Error(Error(ErrorKind::data, std::move(message)).at(path).fix("let the whole file be searched for labels")) {}
};

struct ReadReport {
  std::uint64_t rows = 0;        // data rows accepted
  std::uint64_t rejected = 0;    // data rows set aside
  std::uint64_t bad_quotes = 0;  // of them for a quote that is not closed, or stands within a value
  std::uint64_t stored = 0;      // values given to the learner; explicit zeros are among them
  std::uint64_t nonzeros = 0;
  std::vector<std::uint64_t> class_rows;  // rows of each class
  std::uint64_t unknown_features = 0;     // values dropped because the schema may not grow
  std::uint64_t bytes = 0;                // of text, after decompression; idx: of the images with their labels
  std::string fingerprint;                // XXH3-128 of that text, as 32 hex digits; empty unless the pass was complete
  std::string compression;                // "none", "gzip", "zstd", "xz" or "bzip2"; of files that differ "mixed"
};

// Returns the files that reading `path` may open as well, judging by its name alone: the labels of idx images, and those
// of an array named X. The files need not exist.
std::vector<std::string> files_beside(const std::string& path);

class Reader {
 public:
  // Opens and infers. Throws Error: no_input, data (empty file, unclosed quote ...), usage (no such column ...).
  explicit Reader(ReadOptions options);
  // Reads this text, as that of a file; it must outlive the Reader.
  Reader(ReadOptions options, std::string_view text);
  ~Reader();
  Reader(Reader&&) noexcept;
  Reader& operator=(Reader&&) noexcept;

  // Grows during a pass as categories and indices appear.
  const Schema& schema() const;

  // Tells whether a second pass over the source is possible (a regular file).
  bool rewindable() const;

  // Passes once over all data rows. `consume` returns false to stop early. Throws Error as above; whatever `consume`
  // throws passes through. A second call on something not rewindable is Error(usage).
  void read(const std::function<bool(const Block&)>& consume);

  // Returns the names of the columns in ReadOptions::keep, each once.
  std::vector<std::string> kept() const;

  // Returns the memory, if any, in which blocks may lie and stay: that of a cache or of rows in memory. For Rows::borrow.
  Mapping mapping() const;

  // Reports on the last pass, as far as it went; complete when the pass was.
  const ReadReport& report() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace halfspace
