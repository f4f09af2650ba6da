// Reads the text of the data: plain, or decompressed on a thread of its own.
#include "stream/source/source.h"

#include <algorithm>
#include <array>
#include <condition_variable>
#include <cstring>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "base/parallel.h"
#include "stream/source/decompress.h"
#include "stream/source/raw_file.h"

namespace halfspace::stream {
namespace {

// Runs a decoder on its own thread, a few buffers ahead of the reader.
class ReadAhead {
 public:
  explicit ReadAhead(Decoder& decoder) : decoder_(decoder), worker_(start_thread([this] { work(); })) {}
  ~ReadAhead() {
    {
      const std::lock_guard lock(mutex_);
      stop_ = true;
    }
    changed_.notify_all();
    worker_.join();
  }
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;

  std::size_t read(char* to, std::size_t capacity) {
    Slot& slot = slots_[taken_ % slots_.size()];
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return filled_ > taken_; });
    }
    if (slot.failure) std::rethrow_exception(slot.failure);
    const std::size_t count = std::min(capacity, slot.size - position_);
    std::memcpy(to, slot.data.get() + position_, count);
    position_ += count;
    if (position_ == slot.size && slot.size != 0) {
      position_ = 0;
      {
        const std::lock_guard lock(mutex_);
        ++taken_;
      }
      changed_.notify_all();
    }
    return count;
  }

 private:
  static constexpr std::size_t slot_bytes = std::size_t{512} << 10;
  // The last filled slot is empty (the end) or holds the failure; it is never recycled.
  struct Slot {
    std::unique_ptr<char[]> data;
    std::size_t size = 0;
    std::exception_ptr failure;
  };

  void work() {
    for (bool last = false; !last;) {
      {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return stop_ || filled_ - taken_ < slots_.size(); });
        if (stop_) return;
      }
      Slot& slot = slots_[filled_ % slots_.size()];
      try {
        if (!slot.data) slot.data = std::make_unique_for_overwrite<char[]>(slot_bytes);
        slot.size = decoder_.decode(slot.data.get(), slot_bytes);
        last = slot.size == 0;
      } catch (...) {
        slot.size = 0;
        slot.failure = std::current_exception();
        last = true;
      }
      {
        const std::lock_guard lock(mutex_);
        ++filled_;
      }
      changed_.notify_all();
    }
  }

  Decoder& decoder_;
  std::array<Slot, 4> slots_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t filled_ = 0, taken_ = 0;  // slots; filled_ changes on the worker, taken_ on the reader
  bool stop_ = false;
  std::size_t position_ = 0;
  std::thread worker_;  // last: it uses all of the above
};

class FileSource final : public Source {
 public:
  FileSource(const std::string& path, const std::atomic<bool>* interrupt) : file_(path, interrupt) { start(); }

  std::size_t read(char* to, std::size_t capacity) override {
    if (position_ < ahead_.size()) {
      const std::size_t count = std::min(capacity, ahead_.size() - position_);
      std::memcpy(to, ahead_.data() + position_, count);
      position_ += count;
      return count;
    }
    return read_on(to, capacity);
  }

  std::string_view peek() override {
    while (ahead_.size() < peek_bytes) {
      std::array<char, peek_bytes> more;
      const std::size_t got = read_on(more.data(), more.size());
      if (got == 0) break;
      ahead_.append(more.data(), got);
    }
    return ahead_;
  }

  void rewind() override {
    thread_.reset();
    decoder_.reset();
    file_.rewind();
    start();
  }

  bool rewindable() const override { return file_.regular(); }
  std::uint64_t done() const override { return file_.done(); }
  std::uint64_t total() const override { return file_.total(); }
  std::string compression() const override { return name_of(compression_); }
  bool same_file(const std::string& path) const override { return file_.same_file(path); }

 private:
  static constexpr std::size_t peek_bytes = 16;

  void start() {
    ahead_.clear();
    position_ = 0;
    magic_.clear();
    while (magic_.size() < compression_magic_bytes) {
      std::array<char, peek_bytes> more;
      const std::size_t got = file_.read(more.data(), more.size());
      if (got == 0) break;
      magic_.append(more.data(), got);
    }
    compression_ = recognise_compression(magic_);
    if (compression_ == Compression::none) {
      ahead_.swap(magic_);
    } else {
      decoder_ = make_decoder(compression_, file_, magic_);
    }
  }

  std::size_t read_on(char* to, std::size_t capacity) {
    if (compression_ == Compression::none) return file_.read(to, capacity);
    if (!thread_) thread_.emplace(*decoder_);
    return thread_->read(to, capacity);
  }

  RawFile file_;
  Compression compression_ = Compression::none;
  std::string magic_;  // the first bytes of the file, which the decoder reads from
  std::string ahead_;  // text read but not yet returned
  std::size_t position_ = 0;
  std::unique_ptr<Decoder> decoder_;
  std::optional<ReadAhead> thread_;  // last: it uses the decoder
};

}  // namespace

std::unique_ptr<Source> open_source(const std::string& path, const std::atomic<bool>* interrupt) {
  return std::make_unique<FileSource>(path, interrupt);
}

}  // namespace halfspace::stream
