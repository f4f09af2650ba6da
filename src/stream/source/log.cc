// Serves the rows of a learner's log as text.
#include <algorithm>
#include <atomic>
#include <cstring>
#include <string>

#include "base/log/log_rows.h"
#include "stream/source/source.h"

namespace halfspace::stream {
namespace {

class LogSource final : public Source {
 public:
  explicit LogSource(const std::string& path) : path_(path), rows_(path) {}

  std::size_t read(char* to, std::size_t capacity) override {
    while (read_ == text_.size()) {
      text_.clear();
      read_ = 0;
      if (!rows_.next(text_)) return 0;
      done_ = rows_.done();
    }
    const std::size_t count = std::min(capacity, text_.size() - read_);
    std::memcpy(to, text_.data() + read_, count);
    read_ += count;
    return count;
  }
  std::string_view peek() override {
    while (text_.size() < looked_at && rows_.next(text_)) done_ = rows_.done();
    return std::string_view(text_).substr(0, looked_at);
  }
  void rewind() override {
    text_.clear();
    read_ = 0;
    done_ = 0;
    rows_.rewind();
  }
  bool rewindable() const override { return true; }
  std::uint64_t done() const override { return done_; }
  std::uint64_t total() const override { return rows_.total(); }
  std::string compression() const override { return "none"; }
  bool same_file(const std::string& path) const override { return path == path_; }

 private:
  static constexpr std::size_t looked_at = 16;

  std::string path_;
  log::LogRows rows_;
  std::string text_;
  std::size_t read_ = 0;
  std::atomic<std::uint64_t> done_{0};
};

}  // namespace

std::unique_ptr<Source> open_log(const std::string& path) {
  return std::make_unique<LogSource>(path);
}

}  // namespace halfspace::stream
