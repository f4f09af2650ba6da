// Parts of files as one text: the whole lines that begin in each, behind a header that the first part shares.
//
// One file is open at a time. A part of a compressed file is the whole file.
//
// Thread-safety: as of any source.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "halfspace/stream/read_options.h"
#include "stream/source/source.h"

namespace halfspace::stream {

class FileParts final : public Source {
 public:
  // `parts`: at least one. `before`: text that precedes the first. Throws Error: no_input, input_output.
  FileParts(const std::vector<FilePart>& parts, std::string before, const std::atomic<bool>* interrupt);
  ~FileParts() override;

  std::size_t read(char* to, std::size_t capacity) override;
  std::string_view peek() override;
  void rewind() override;
  bool rewindable() const override { return true; }
  Next next() override;
  Part part() const override;
  std::uint64_t lines_before(const Part& part) const override;
  std::uint64_t done() const override { return done_.load(std::memory_order_relaxed); }
  std::uint64_t total() const override { return total_; }
  std::string compression() const override { return compression_; }
  bool same_file(const std::string& path) const override;

 private:
  struct Open;

  void open(std::size_t part);

  std::vector<FilePart> parts_;
  std::deque<std::string> names_;  // of each part, as errors show it; where each is tells parts apart
  std::string before_;
  const std::atomic<bool>* interrupt_;
  std::uint64_t total_ = 0;
  std::size_t at_ = 0;           // the current part
  std::size_t header_read_ = 0;  // bytes of before_ returned
  std::string ahead_;            // text of the current part that was peeked at
  std::size_t ahead_read_ = 0;
  std::unique_ptr<Open> open_;
  std::string compression_ = "none";
  std::atomic<std::uint64_t> done_{0};
};

}  // namespace halfspace::stream
