// gzip and zstd streams to text, members and frames one after another; damage is named with its byte.
#include "stream/decompress.h"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <limits>
#include <new>
#include <string>

#include "halfspace/error.h"

namespace halfspace::stream {
namespace {

// What the two have in common: input chunk by chunk, and a failure that waits until the text before it was delivered.
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
  // Consumes from input_, appends to `to` at `produced`, keeps between_ true. Returns what is wrong, or nothing.
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

class GzipDecoder final : public ChunkedDecoder {
 public:
  GzipDecoder(RawFile& file, std::string_view first) : ChunkedDecoder("gzip", file, first) {
    if (inflateInit2(&state_, 15 + 16) != Z_OK) throw std::bad_alloc();
  }
  ~GzipDecoder() override { inflateEnd(&state_); }
  GzipDecoder(const GzipDecoder&) = delete;
  GzipDecoder& operator=(const GzipDecoder&) = delete;

 private:
  std::string step(char* to, std::size_t capacity, std::size_t& produced) override {
    if (between_) {
      inflateReset(&state_);
      between_ = false;
    }
    constexpr std::size_t most = std::numeric_limits<uInt>::max();
    const std::size_t room = std::min(capacity - produced, most);
    state_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(input_.data()));
    state_.avail_in = static_cast<uInt>(input_.size());
    state_.next_out = reinterpret_cast<Bytef*>(to + produced);
    state_.avail_out = static_cast<uInt>(room);
    const int result = inflate(&state_, Z_NO_FLUSH);
    input_.remove_prefix(input_.size() - state_.avail_in);
    produced += room - state_.avail_out;
    if (result == Z_MEM_ERROR) throw std::bad_alloc();
    between_ = result == Z_STREAM_END;
    if (result == Z_OK || result == Z_STREAM_END || result == Z_BUF_ERROR) return {};
    return damaged(state_.msg == nullptr ? "unknown content" : state_.msg);
  }

  z_stream state_{};
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
    if (ZSTD_isError(result)) return damaged(ZSTD_getErrorName(result));
    between_ = result == 0;
    return {};
  }

  ZSTD_DStream* state_;
};

}  // namespace

Compression recognise_compression(std::string_view first) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(first[i]); };
  if (first.size() >= 2 && byte(0) == 0x1f && byte(1) == 0x8b) return Compression::gzip;
  if (first.size() < 4) return Compression::none;
  const bool frame = byte(0) == 0x28 && byte(1) == 0xb5 && byte(2) == 0x2f && byte(3) == 0xfd;
  const bool skippable = (byte(0) & 0xf0) == 0x50 && byte(1) == 0x2a && byte(2) == 0x4d && byte(3) == 0x18;
  return frame || skippable ? Compression::zstd : Compression::none;
}

std::unique_ptr<Decoder> make_decoder(Compression compression, RawFile& file, std::string_view first) {
  if (compression == Compression::gzip) return std::make_unique<GzipDecoder>(file, first);
  return std::make_unique<ZstdDecoder>(file, first);
}

}  // namespace halfspace::stream
