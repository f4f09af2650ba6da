// Reads the text of the data: plain, or decompressed on a thread of its own.
#include "stream/source/source.h"

#include <bzlib.h>
#include <isa-l/igzip_lib.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <array>
#include <condition_variable>
#include <cstring>
#include <exception>
#include <limits>
#include <mutex>
#include <new>
#include <optional>
#include <thread>
#include <utility>

#include "base/parallel.h"
#include "halfspace/base/error.h"
#include "halfspace/stream/table_text.h"
#include "stream/source/pieces.h"
#include "stream/source/raw_file.h"

namespace halfspace::stream {
namespace {

// Decompresses gzip, zstd, xz and bzip2, detected by their magic: reads the bytes of a RawFile, returns text.
//
// Concatenated members (gzip), frames (zstd) and streams (xz, bzip2) form one text. All text before damage is
enum class Compression : std::uint8_t { none, gzip, zstd, xz, bzip2 };

// The number of leading bytes that identify a format.
constexpr std::size_t compression_magic_bytes = 10;

class Decoder {
 public:
  virtual ~Decoder() = default;
  // Returns up to `capacity` bytes of text; 0 at the end. Throws Error(data), Error(input_output).
  virtual std::size_t decode(char* to, std::size_t capacity) = 0;
};

// The common part: reads input chunk by chunk, and delays a failure until the text before it was delivered.
class ChunkedDecoder : public Decoder {
 public:
  ChunkedDecoder(const char* format, RawFile& file, std::string_view first) : format_(format), file_(file) {
    input_ = first;
  }

  std::size_t decode(char* to, std::size_t capacity) final {
    std::size_t produced = 0;
    while (problem_.empty() && !ended_ && produced < capacity) {
      if (input_.empty() && !exhausted_) {
        input_ = file_.next_chunk();
        exhausted_ = input_.empty();
      }
      if (exhausted_ && between_) {
        ended_ = true;
        break;
      }
      const std::size_t before = produced;
      problem_ = step(to, capacity, produced);
      if (problem_.empty() && exhausted_ && !between_ && produced == before) {
        problem_ = std::string("the ") + format_ + " data ends too early, at byte ";
      }
    }
    if (produced == 0 && !problem_.empty()) {
      throw Error(ErrorKind::data, problem_ + std::to_string(file_.done() - input_.size()))
          .at(file_.name())
          .fix("fetch or compress the file again; `" + std::string(format_) + " -t` tests it");
    }
    return produced;
  }

 protected:
  // Consumes input_, appends to `to` at `produced`, maintains between_. Returns what is wrong, or nothing.
  virtual std::string step(char* to, std::size_t capacity, std::size_t& produced) = 0;

  std::string damaged(const char* detail) const {
    return std::string("the ") + format_ + " data is damaged (" + detail + ") near byte ";
  }

  std::string_view input_;
  bool between_ = false;  // a member or frame has ended and no other has begun

 private:
  const char* format_;
  RawFile& file_;
  std::string problem_;
  bool exhausted_ = false, ended_ = false;
};

// Parses RFC 1952 headers byte by byte: ISA-L's header reader fails if the input is cut inside one.
class GzipHeader {
 public:
  // Consumes `input` until the header ends or is wrong.
  void read(std::string_view& input) {
    while (!input.empty() && state_ != State::ended && problem_ == nullptr) {
      const unsigned char byte = static_cast<unsigned char>(input.front());
      input.remove_prefix(1);
      if (state_ != State::checksum) crc_ = crc32(crc_, &byte, 1);
      take(byte);
    }
  }
  bool ended() const { return state_ == State::ended; }
  const char* problem() const { return problem_; }

 private:
  enum class State : std::uint8_t { fixed, extra_length, extra, name, comment, checksum, ended };
  enum Flag : unsigned { has_checksum = 2, has_extra = 4, has_name = 8, has_comment = 16, unknown = 0xe0 };

  void take(unsigned byte) {
    const std::size_t at = at_++;
    switch (state_) {
      case State::fixed: {
        constexpr unsigned magic[] = {0x1f, 0x8b};
        if (at < 2 && byte != magic[at]) problem_ = "no header where one is expected";
        if (at == 2 && byte != 8) problem_ = "unknown compression method";
        if (at == 3) flags_ = byte;
        if (at == 3 && (byte & unknown) != 0) problem_ = "unknown header flags set";
        if (at == 9) go_on(State::extra_length);
        break;
      }
      case State::extra_length:
        extra_ |= byte << (8 * at);
        if (at == 1) go_on(extra_ == 0 ? State::name : State::extra);
        break;
      case State::extra:
        if (at + 1 == extra_) go_on(State::name);
        break;
      case State::name:
        if (byte == 0) go_on(State::comment);
        break;
      case State::comment:
        if (byte == 0) go_on(State::checksum);
        break;
      case State::checksum:
        if (byte != (crc_ >> (8 * at) & 0xff)) problem_ = "header crc mismatch";
        if (at == 1) go_on(State::ended);
        break;
      case State::ended:
        break;
    }
  }

  // Advances to `next`, or to the first state after it that this header has.
  void go_on(State next) {
    at_ = 0;
    if (next == State::extra_length && (flags_ & has_extra) == 0) next = State::name;
    if (next == State::name && (flags_ & has_name) == 0) next = State::comment;
    if (next == State::comment && (flags_ & has_comment) == 0) next = State::checksum;
    if (next == State::checksum && (flags_ & has_checksum) == 0) next = State::ended;
    state_ = next;
  }

  State state_ = State::fixed;
  std::size_t at_ = 0;  // bytes of this state taken
  unsigned flags_ = 0, extra_ = 0;
  uLong crc_ = crc32(0, nullptr, 0);
  const char* problem_ = nullptr;
};

// Inflates by ISA-L, several times faster than zlib; it checks length and CRC at the end of a member.
class GzipDecoder final : public ChunkedDecoder {
 public:
  GzipDecoder(RawFile& file, std::string_view first)
      : ChunkedDecoder("gzip", file, first), state_(std::make_unique<inflate_state>()) {
    begin();
  }

 private:
  void begin() {
    header_ = {};
    isal_inflate_init(state_.get());
    state_->crc_flag = ISAL_GZIP_NO_HDR_VER;
    between_ = false;
  }

  std::string step(char* to, std::size_t capacity, std::size_t& produced) override {
    if (between_) begin();
    header_.read(input_);
    if (header_.problem() != nullptr) return damaged(header_.problem());
    if (!header_.ended()) return {};
    constexpr std::size_t most = std::numeric_limits<std::uint32_t>::max();
    const std::size_t room = std::min(capacity - produced, most);
    state_->next_in = reinterpret_cast<std::uint8_t*>(const_cast<char*>(input_.data()));
    state_->avail_in = static_cast<std::uint32_t>(input_.size());
    state_->next_out = reinterpret_cast<std::uint8_t*>(to + produced);
    state_->avail_out = static_cast<std::uint32_t>(room);
    const int result = isal_inflate(state_.get());
    // With damaged data, ISA-L may report more remaining input than it was given.
    const std::size_t left = state_->avail_in <= input_.size() ? state_->avail_in : 0;
    input_.remove_prefix(input_.size() - left);
    produced += room - state_->avail_out;
    between_ = state_->block_state == ISAL_BLOCK_FINISH;
    if (result >= 0 && result != ISAL_NEED_DICT) return {};
    between_ = false;
    return damaged(reason(result));
  }

  static const char* reason(int result) {
    switch (result) {
      case ISAL_INVALID_BLOCK:
        return "invalid block";
      case ISAL_INVALID_SYMBOL:
        return "invalid code";
      case ISAL_INVALID_LOOKBACK:
        return "invalid distance";
      case ISAL_INCORRECT_CHECKSUM:
        return "incorrect checksum or length";
      default:
        return "unknown content";
    }
  }

  GzipHeader header_;
  std::unique_ptr<inflate_state> state_;
};

class ZstdDecoder final : public ChunkedDecoder {
 public:
  ZstdDecoder(RawFile& file, std::string_view first)
      : ChunkedDecoder("zstd", file, first), state_(ZSTD_createDStream()) {
    if (state_ == nullptr) throw std::bad_alloc();
  }
  ~ZstdDecoder() override { ZSTD_freeDStream(state_); }
  ZstdDecoder(const ZstdDecoder&) = delete;
  ZstdDecoder& operator=(const ZstdDecoder&) = delete;

 private:
  std::string step(char* to, std::size_t capacity, std::size_t& produced) override {
    ZSTD_inBuffer in{input_.data(), input_.size(), 0};
    ZSTD_outBuffer out{to, capacity, produced};
    const std::size_t result = ZSTD_decompressStream(state_, &out, &in);
    input_.remove_prefix(in.pos);
    produced = out.pos;
    if (ZSTD_getErrorCode(result) == ZSTD_error_memory_allocation) throw std::bad_alloc();
    if (ZSTD_isError(result)) return damaged(ZSTD_getErrorName(result));
    between_ = result == 0;
    return {};
  }

  ZSTD_DStream* state_;
};

// Stream padding consists of zeros, a multiple of four.
class XzDecoder final : public ChunkedDecoder {
 public:
  XzDecoder(RawFile& file, std::string_view first) : ChunkedDecoder("xz", file, first) { begin(); }
  ~XzDecoder() override { lzma_end(&state_); }
  XzDecoder(const XzDecoder&) = delete;
  XzDecoder& operator=(const XzDecoder&) = delete;

 private:
  // Four times the need of `xz -9`; a header may ask for 4 GiB.
  static constexpr std::uint64_t most_memory = std::uint64_t{256} << 20;

  void begin() {
    const lzma_ret result = lzma_stream_decoder(&state_, most_memory, 0);
    if (result != LZMA_OK) throw std::bad_alloc();
    inside_ = true;
    between_ = false;
  }

  std::string step(char* to, std::size_t capacity, std::size_t& produced) override {
    while (!inside_ && !input_.empty() && input_.front() == '\0') {
      input_.remove_prefix(1);
      between_ = ++padding_ % 4 == 0;
    }
    if (!inside_ && input_.empty()) return {};
    // The library parses a header once it has all of it.
    if (!inside_ && (input_.front() != '\xfd' || padding_ % 4 != 0)) return damaged("no header where one is expected");
    if (!inside_) begin();
    state_.next_in = reinterpret_cast<const std::uint8_t*>(input_.data());
    state_.avail_in = input_.size();
    state_.next_out = reinterpret_cast<std::uint8_t*>(to + produced);
    state_.avail_out = capacity - produced;
    const lzma_ret result = lzma_code(&state_, LZMA_RUN);
    input_.remove_prefix(input_.size() - state_.avail_in);
    produced = capacity - state_.avail_out;
    if (result == LZMA_OK || result == LZMA_BUF_ERROR) return {};
    if (result == LZMA_STREAM_END) {
      inside_ = false;
      between_ = true;
      padding_ = 0;
      return {};
    }
    if (result == LZMA_MEM_ERROR) throw std::bad_alloc();
    return damaged(reason(result));
  }

  static const char* reason(lzma_ret result) {
    switch (result) {
      case LZMA_FORMAT_ERROR:
        return "no header where one is expected";
      case LZMA_OPTIONS_ERROR:
        return "unknown options";
      case LZMA_MEMLIMIT_ERROR:
        return "its dictionary needs more than 256 MiB";
      default:
        return "incorrect content or checksum";
    }
  }

  lzma_stream state_ = LZMA_STREAM_INIT;
  bool inside_ = false;
  unsigned padding_ = 0;
};

class Bzip2Decoder final : public ChunkedDecoder {
 public:
  Bzip2Decoder(RawFile& file, std::string_view first) : ChunkedDecoder("bzip2", file, first) { begin(); }
  ~Bzip2Decoder() override { BZ2_bzDecompressEnd(&state_); }
  Bzip2Decoder(const Bzip2Decoder&) = delete;
  Bzip2Decoder& operator=(const Bzip2Decoder&) = delete;

 private:
  void begin() {
    state_ = {};
    if (BZ2_bzDecompressInit(&state_, 0, 0) != BZ_OK) throw std::bad_alloc();
    between_ = false;
  }

  std::string step(char* to, std::size_t capacity, std::size_t& produced) override {
    if (between_) {
      BZ2_bzDecompressEnd(&state_);
      begin();
    }
    constexpr std::size_t most = std::numeric_limits<unsigned>::max();
    const std::size_t room = std::min(capacity - produced, most), given = std::min(input_.size(), most);
    state_.next_in = const_cast<char*>(input_.data());
    state_.avail_in = static_cast<unsigned>(given);
    state_.next_out = to + produced;
    state_.avail_out = static_cast<unsigned>(room);
    const int result = BZ2_bzDecompress(&state_);
    input_.remove_prefix(given - state_.avail_in);
    produced += room - state_.avail_out;
    between_ = result == BZ_STREAM_END;
    if (result == BZ_OK || result == BZ_STREAM_END) return {};
    if (result == BZ_MEM_ERROR) throw std::bad_alloc();
    return damaged(result == BZ_DATA_ERROR_MAGIC ? "no header where one is expected" : "incorrect content or checksum");
  }

  bz_stream state_{};
};

// Returns whether the six bytes after BZh and the block size are those of a block or of the end of an empty stream. A
// table may begin with BZh9.
bool begins_bzip2(std::string_view first) {
  if (!first.starts_with("BZh") || first[3] < '1' || first[3] > '9') return false;
  const std::string_view next = first.substr(4, 6);
  return std::string_view("1AY&SY").starts_with(next) || std::string_view("\x17rE8P\x90").starts_with(next);
}

const char* name_of(Compression compression) {
  switch (compression) {
    case Compression::none:
      break;
    case Compression::gzip:
      return "gzip";
    case Compression::zstd:
      return "zstd";
    case Compression::xz:
      return "xz";
    case Compression::bzip2:
      return "bzip2";
  }
  return "none";
}

Compression recognise_compression(std::string_view first) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(first[i]); };
  if (first.size() >= 2 && byte(0) == 0x1f && byte(1) == 0x8b) return Compression::gzip;
  if (first.size() < 4) return Compression::none;
  const bool frame = byte(0) == 0x28 && byte(1) == 0xb5 && byte(2) == 0x2f && byte(3) == 0xfd;
  const bool skippable = (byte(0) & 0xf0) == 0x50 && byte(1) == 0x2a && byte(2) == 0x4d && byte(3) == 0x18;
  if (frame || skippable) return Compression::zstd;
  if (std::string_view("\xfd\x37zXZ\0", 6).starts_with(first.substr(0, 6))) return Compression::xz;
  return begins_bzip2(first) ? Compression::bzip2 : Compression::none;
}

// `first`: bytes of `file` that were already read; must be valid until the first decode returns. The decoder reads more
// of `file` only once they are consumed.
std::unique_ptr<Decoder> make_decoder(Compression compression, RawFile& file, std::string_view first) {
  switch (compression) {
    case Compression::none:
    case Compression::gzip:
      break;
    case Compression::zstd:
      return std::make_unique<ZstdDecoder>(file, first);
    case Compression::xz:
      return std::make_unique<XzDecoder>(file, first);
    case Compression::bzip2:
      return std::make_unique<Bzip2Decoder>(file, first);
  }
  return std::make_unique<GzipDecoder>(file, first);
}

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

// Progress is counted in rows: how many bytes there will be is unknown.
class TableSource final : public PieceSource {
 public:
  explicit TableSource(const TableText& table) : table_(table) { rewind(); }

  std::string_view peek() override { return std::string_view(piece_).substr(0, 16); }
  std::uint64_t done() const override { return next_; }
  std::uint64_t total() const override { return table_.rows(); }

 private:
  void begin() override {
    next_ = 0;
    table_.append_header(piece_);
  }
  bool make(std::string& piece) override {
    constexpr std::size_t enough = std::size_t{1} << 17;
    next_ = table_.append_rows(next_, enough, piece);
    return !piece.empty();
  }

  const TableText& table_;
  std::atomic<std::uint64_t> next_{0};  // row
};

}  // namespace

std::unique_ptr<Source> open_source(const std::string& path, const std::atomic<bool>* interrupt) {
  return std::make_unique<FileSource>(path, interrupt);
}

std::unique_ptr<Source> open_memory(std::string_view text) { return std::make_unique<MemorySource>(text); }

std::unique_ptr<Source> open_table(const TableText& table) { return std::make_unique<TableSource>(table); }

}  // namespace halfspace::stream
