// The file of rejected rows: CSV (RFC 4180 quoting) with the header file,line,column,reason,text.
//
// The text is the record as in the data, byte for byte, without its line end. The file is written atomically.
// Thread-safety: one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/atomic_file.h"
#include "stream/formats/parser.h"

namespace halfspace::stream {

class Rejects {
 public:
  // Replaces the file at `path` on finish. Throws Error(input_output), as all members do; Interrupted.
  Rejects(const std::string& path, const std::atomic<bool>* interrupt);

  void write(std::string_view file, std::uint64_t line, std::uint64_t column, std::string_view reason,
             std::string_view text);
  void finish();  // commits the file

 private:
  void flush();

  AtomicFile out_;
  std::string pending_;
};

// All data rows of a chunk, good and bad, for ReadOptions::on_rows.
//
// Thread-safety: one thread at a time; the chunk must not change between collect and give.
class RowTexts {
 public:
  // Collects the parsed rows and their kept texts. Call it before commit, which may turn good rows into bad ones.
  void collect(ParsedChunk& parsed, const Format& format);

  // Calls on_rows with them once `bad` is final; without the rows from the first bad one on if that stops the pass.
  struct Before {
    std::string_view file;  // the chunk's
    std::uint64_t rows, lines;
  };
  void give(const std::vector<BadRow>& bad, bool stop_at_bad, const Before& before,
            const std::function<void(std::span<const RowText>)>& on_rows);

 private:
  std::vector<RowText> rows_;
  std::vector<std::string_view> records_;
  KeptTexts kept_;
};

}  // namespace halfspace::stream
