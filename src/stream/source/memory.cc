// Serves text that is in memory already.
#include <algorithm>
#include <atomic>
#include <cstring>

#include "stream/source/source.h"

namespace halfspace::stream {
namespace {

class MemorySource final : public Source {
 public:
  explicit MemorySource(std::string_view text) : text_(text) {}

  std::size_t read(char* to, std::size_t capacity) override {
    const std::size_t count = std::min(capacity, text_.size() - done_);
    std::memcpy(to, text_.data() + done_, count);
    done_ += count;
    return count;
  }
  std::string_view peek() override { return text_.substr(0, 16); }
  void rewind() override { done_ = 0; }
  bool rewindable() const override { return true; }
  std::uint64_t done() const override { return done_; }
  std::uint64_t total() const override { return text_.size(); }
  std::string compression() const override { return "none"; }
  bool same_file(const std::string&) const override { return false; }

 private:
  std::string_view text_;
  std::atomic<std::size_t> done_{0};
};

}  // namespace

std::unique_ptr<Source> open_memory(std::string_view text) {
  return std::make_unique<MemorySource>(text);
}

}  // namespace halfspace::stream
