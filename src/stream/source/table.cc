// Serves the text of a table in memory.
#include <algorithm>
#include <atomic>
#include <cstring>

#include "halfspace/stream/table_text.h"
#include "stream/source/source.h"

namespace halfspace::stream {
namespace {

// Progress is counted in rows: how many bytes there will be is unknown.
class TableSource final : public Source {
 public:
  explicit TableSource(const TableText& table) : table_(table) { rewind(); }

  std::size_t read(char* to, std::size_t capacity) override {
    if (taken_ == text_.size()) refill();
    const std::size_t count = std::min(capacity, text_.size() - taken_);
    std::memcpy(to, text_.data() + taken_, count);
    taken_ += count;
    return count;
  }
  std::string_view peek() override { return std::string_view(text_).substr(0, 16); }
  void rewind() override {
    text_.clear();
    taken_ = 0;
    next_ = 0;
    table_.append_header(text_);
  }
  bool rewindable() const override { return true; }
  std::uint64_t done() const override { return next_; }
  std::uint64_t total() const override { return table_.rows(); }
  std::string compression() const override { return "none"; }
  bool same_file(const std::string&) const override { return false; }

 private:
  static constexpr std::size_t piece = std::size_t{1} << 17;

  void refill() {
    text_.clear();
    taken_ = 0;
    next_ = table_.append_rows(next_, piece, text_);
  }

  const TableText& table_;
  std::string text_;
  std::size_t taken_ = 0;
  std::atomic<std::uint64_t> next_{0};  // row
};

}  // namespace

std::unique_ptr<Source> open_table(const TableText& table) {
  return std::make_unique<TableSource>(table);
}

}  // namespace halfspace::stream
