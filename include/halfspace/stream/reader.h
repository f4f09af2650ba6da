// Reads examples from LIBSVM, CSV, ARFF, JSON Lines, Vowpal Wabbit text, idx files, SQLite and NumPy arrays, plain or
// compressed, from files or standard input.
//
//   Reader reader(options);                          // opens, detects the format, infers labels and columns
//   reader.read([&](const Block& block) { ...; return true; });   // one pass, in file order
//
// One pass: text is read in large chunks (serially), parsed in parallel, and passed to `consume` serially and in file
// order, while later chunks are read and parsed. Memory does not grow with the number of rows. Rows do not depend on
// the number of threads; block boundaries may.
//
// Formats are detected by content, never by name: gzip, zstd, xz and bzip2 by magic (concatenated members too), idx by
// magic (the label file is the sibling whose name has `labels-idx1` for `images-idx3`), .npy by magic, .npz as a zip
// archive whose first member is an .npy (docs/formats/npy.md). Text has the format that most of its first lines fit:
// ARFF by its first declaration, JSON Lines by the leading brace and quote, Vowpal Wabbit text by its bar, LIBSVM by a
// label and index:value, CSV by equal numbers of values. Where two fit as well, or none, it is Error(data). Accepts LF
// and CRLF line ends, a UTF-8 byte order mark, blank lines and, in LIBSVM, comments from # to the end of the line.
//
// Several files form one stream in the given order: row numbers continue over them, and the result is that of one file
// with all the rows below one header. They share one format, and tables share one header: each file has that of the
// first, or none. Each file may be compressed in its own way or be a pipe; idx files, NumPy arrays and caches cannot be
// combined. An empty file is skipped with a note; a file named twice is read twice, with a note. The first file decides
// whether there is a header, and the delimiter.
//
// A bad row stops the pass with Error(data) that names file, line, column, text, reason and fix; no block with the bad
// row or a later one reaches `consume`. With on_error = skip the row is skipped and counted instead. Infinities and
// numbers too large for a double are bad input; NaN is a missing value where tables have those.
//
// Thread-safety: use a Reader from one thread, which also calls `consume` and `progress`.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "halfspace/base/error.h"
#include "halfspace/kernels/example.h"
#include "halfspace/stream/read_options.h"
#include "halfspace/stream/rows.h"
#include "halfspace/stream/schema.h"

namespace halfspace {

// Thrown at a label that the first rows of a file did not have.
class LateLabel : public Error {
 public:
  LateLabel(std::string message, const std::string& path)
      : Error(Error(ErrorKind::data, std::move(message)).at(path).fix("scan the whole file for labels")) {}
};

struct ReadReport {
  std::uint64_t rows = 0;        // data rows accepted
  std::uint64_t rejected = 0;    // data rows skipped
  std::uint64_t bad_quotes = 0;  // of the rejected rows, those with an unclosed quote or a quote within a value
  std::uint64_t stored = 0;      // values passed to the learner, explicit zeros included
  std::uint64_t nonzeros = 0;
  std::vector<std::uint64_t> class_rows;  // rows of each class
  std::uint64_t unknown_features = 0;     // values dropped because the schema may not grow
  std::uint64_t hashed_in_use = 0;        // features of the table of hashed names that the rows have
  std::uint64_t bytes = 0;                // of text, after decompression; idx: of the images with their labels
  std::string fingerprint;                // XXH3-128 of that text, as 32 hex digits; empty unless the pass was complete
  std::string compression;                // "none", "gzip", "zstd", "xz" or "bzip2"; of files that differ "mixed"
};

// Returns the companion files that reading `path` may open, by name alone: the labels of idx images, and those of an
// array named X. They need not exist.
std::vector<std::string> files_beside(const std::string& path);

// Where the rows of a text file or of a cache are.
struct FileRows {
  std::string path;
  std::uint64_t begin = 0, end = 0;  // bytes, the header, if there is one, before them; of a cache rows, from 0
  bool compressed = false;           // bytes are those of the file; only the whole file can be read
  bool cached = false;
  bool operator==(const FileRows&) const = default;
};

// How well the first lines of a text fit a format.
struct FormatGuess {
  DataFormat format = DataFormat::automatic;
  double share = 0;      // of the lines; those that fit another format as well count a half
  std::string evidence;  // "40 of 40 lines look like label index:value ..."
};

class Reader {
 public:
  // Opens the data and infers the schema. Throws Error: no_input, data (empty file, unclosed quote ...), usage (no such
  // column ...).
  explicit Reader(ReadOptions options);
  // Reads `text` as the content of a file, which errors name by the path; `text` must outlive the Reader.
  Reader(ReadOptions options, std::string_view text);
  ~Reader();
  Reader(Reader&&) noexcept;
  Reader& operator=(Reader&&) noexcept;

  // Grows during a pass as new categories and indices appear.
  const Schema& schema() const;

  // Returns how the format was detected: the guesses by their shares, the best first; none if it was given or shows in
  // the first bytes.
  const std::vector<FormatGuess>& format_guesses() const;

  // Returns whether a second pass is possible (a regular file).
  bool rewindable() const;

  // Passes once over all data rows. `consume` returns false to stop early. Throws Error as above and whatever `consume`
  // throws. A second call is Error(usage) unless the source is rewindable.
  void read(const std::function<bool(const Block&)>& consume);

  // Returns where the rows of each file are, for ReadOptions::parts; and the text before the rows of the first file.
  // Throws Error(usage) for what is neither lines of text in regular files nor a cache.
  std::vector<FileRows> files() const;
  // Returns the same of more files of text, which must have the format and the header of those that were opened. A later
  // read() begins at the first row. Throws Error(data), and as above.
  std::vector<FileRows> files(const std::vector<std::string>& more);
  std::string before_rows() const;

  // Returns the names of the columns in ColumnOptions::keep, without duplicates.
  std::vector<std::string> kept() const;

  // Returns the lasting memory, if any, that blocks point into: that of a cache or of rows in memory. For Rows::borrow.
  Mapping mapping() const;

  // Returns the report of the last pass, as far as it went.
  const ReadReport& report() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace halfspace
