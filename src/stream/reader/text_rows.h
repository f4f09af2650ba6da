// The rows of text or of a binary file: their source, format and header, and passes over them.
//
// Thread-safety: an object is for one thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "halfspace/stream/reader.h"
#include "halfspace/stream/schema.h"
#include "stream/formats/format_entry.h"
#include "stream/formats/parser.h"
#include "stream/pipeline/chunks.h"
#include "stream/pipeline/rejects.h"
#include "stream/source/file_list.h"
#include "stream/source/source.h"

namespace halfspace::stream {

// Returns the kind of a binary file; null for text, including unsupported text. `several`: it is among other files.
const FileKind* kind_of_file(Source& source, const std::string& path, bool several);

// Throws Error(usage): only a text file can be one of several.
[[noreturn]] void refuse_among_files(std::string_view what, const std::string& file);
// Throws Error(usage): these rows cannot be divided into shards.
[[noreturn]] void refuse_division(const std::string& path);

class TextRows {
 public:
  // Detects the format and infers the schema. `kind`: of a binary file, or null. `list`: the source, if it is several
  // files, or null. The options and the schema must outlive the object. Throws as Reader does.
  TextRows(const ReadOptions& options, Schema& schema, std::unique_ptr<Source> source, FileList* list,
           const FileKind* kind);

  const std::vector<FormatGuess>& guesses() const noexcept { return guesses_; }
  const std::string& header() const noexcept { return header_; }  // the text before the rows of the first file
  const Source& source() const noexcept { return *source_; }
  const Chunks& chunks() const noexcept { return *chunks_; }
  std::vector<std::string> kept_names() const { return format_->kept_names(); }

  // Goes to the first row. Throws Error(usage) for a second pass over a pipe.
  void begin_pass();
  // Runs the pass that has begun, as run_pass() does. `rejects`: null, or a file for bad rows.
  bool run(const ReadOptions& options, const std::vector<double>& class_factors, Rejects* rejects, ReadReport& report,
           const std::function<bool(const Block&)>& consume);

  // Return where the rows are, of the files that were opened and of others like them.
  std::vector<FileRows> files() const;
  std::vector<FileRows> more_files(const std::vector<std::string>& paths);

 private:
  void open_records(const FileKind& kind);
  void open_text();
  void infer_schema();
  void count_documents();
  std::string_view first_of_file(bool& whole);
  void go_to_first_row();
  Error placed(const Error& error) const;
  std::optional<std::size_t> accept(const Format& first, std::string_view text, bool whole,
                                    const std::string& file) const;
  FileRows rows_of(const std::string& path,
                   const std::function<std::optional<std::size_t>(std::string_view, bool)>& size) const;
  void check_division() const;

  const ReadOptions& options_;
  Schema& schema_;
  FileList* list_;
  std::unique_ptr<Source> source_;
  std::unique_ptr<Format> format_;
  std::optional<Chunks> chunks_;
  std::vector<FormatGuess> guesses_;
  bool of_bytes_ = false;                       // binary records, not lines
  DataFormat read_as_ = DataFormat::automatic;  // of text
  std::uint64_t header_bytes_ = 0, header_lines_ = 0;
  std::string header_;
  std::uint64_t passes_ = 0;
};

}  // namespace halfspace::stream
