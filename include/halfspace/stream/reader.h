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

  // Returns the names of the columns in ColumnOptions::keep, each once.
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
