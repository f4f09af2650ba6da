// Reads plain files directly; recognises gzip, zstd, xz and bzip2 by their magic. The libraries only decompress: one
// loop does all reading, and a signal does not break it.

#include "proof/verify/text_file.h"

#include <bzlib.h>
#include <fcntl.h>
#include <lzma.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <new>
#include <vector>

#include "base/json.h"
#include "base/retried.h"
#include "base/waiting.h"
#include "proof/verify/sha256.h"

namespace halfspace::proof {
namespace {

constexpr std::size_t piece_bytes = 1 << 18;
constexpr std::size_t longest_line = std::size_t{1} << 28;

// A file as bytes. Rejects pipes, because the file is read twice.
class RawBytes {
 public:
  explicit RawBytes(const std::string& path) : file_(open_to_read(path)), path_(path) {
    struct stat status {};
    const bool known = file_ >= 0 && ::fstat(file_, &status) == 0;
    if (known && S_ISREG(status.st_mode)) return;
    const int error = !known ? errno : S_ISDIR(status.st_mode) ? EISDIR : 0;
    if (file_ >= 0) ::close(file_);
    if (error != 0) throw Error(ErrorKind::no_input, "cannot be opened: " + std::string(std::strerror(error))).at(path);
    throw Error(ErrorKind::usage, "is read twice, and is not a file").at(path).fix("save it to a file first");
  }
  ~RawBytes() {
    if (file_ >= 0) ::close(file_);
  }
  RawBytes(const RawBytes&) = delete;
  RawBytes& operator=(const RawBytes&) = delete;

  // Fills the buffer; less than requested means the end of the file.
  std::size_t read(char* to, std::size_t capacity) {
    std::size_t have = 0;
    while (have < capacity) {
      const ::ssize_t got = retried([&] { return ::read(file_, to + have, capacity - have); });
      if (got < 0) fail();
      if (got == 0) break;
      have += static_cast<std::size_t>(got);
    }
    return have;
  }
  void rewind() {
    if (::lseek(file_, 0, SEEK_SET) != 0) fail();
  }

 private:
  [[noreturn]] void fail() const {
    throw Error(ErrorKind::input_output, std::string("cannot be read: ") + std::strerror(errno)).at(path_);
  }

  int file_;
  std::string path_;
};

// Undoes one kind of compression; concatenated streams are read in sequence.
class Unpacker {
 public:
  explicit Unpacker(const char* kind) : kind_(kind) {}
  virtual ~Unpacker() = default;
  Unpacker(const Unpacker&) = delete;
  Unpacker& operator=(const Unpacker&) = delete;

  // Consumes from the front of `input` and returns the bytes written. An empty `input` means that nothing follows.
  virtual std::size_t step(std::string_view& input, char* to, std::size_t capacity) = 0;
  // Returns true if the data end within a stream.
  bool inside() const { return inside_; }
  const char* kind() const { return kind_; }

 protected:
  [[noreturn]] void refuse(const std::string& why) const {
    throw Error(ErrorKind::data, std::string("broken ") + kind_ + " data: " + why);
  }
  bool inside_ = false;

 private:
  const char* kind_;
};

class UnpackGzip final : public Unpacker {
 public:
  UnpackGzip() : Unpacker("gzip") {
    constexpr int gzip_alone = 16;
    if (inflateInit2(&stream_, MAX_WBITS + gzip_alone) != Z_OK) throw std::bad_alloc();
  }
  ~UnpackGzip() override { inflateEnd(&stream_); }
  std::size_t step(std::string_view& input, char* to, std::size_t capacity) override {
    if (!inside_ && inflateReset(&stream_) != Z_OK) throw std::bad_alloc();
    inside_ = true;
    stream_.next_in = reinterpret_cast<unsigned char*>(const_cast<char*>(input.data()));
    stream_.avail_in = static_cast<unsigned>(input.size());
    stream_.next_out = reinterpret_cast<unsigned char*>(to);
    stream_.avail_out = static_cast<unsigned>(capacity);
    const int result = inflate(&stream_, Z_NO_FLUSH);
    input.remove_prefix(input.size() - stream_.avail_in);
    if (result == Z_MEM_ERROR) throw std::bad_alloc();
    if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR)
      refuse(stream_.msg != nullptr ? stream_.msg : "a dictionary is needed");
    inside_ = result != Z_STREAM_END;
    return capacity - stream_.avail_out;
  }

 private:
  z_stream stream_{};
};

class UnpackZstd final : public Unpacker {
 public:
  UnpackZstd() : Unpacker("zstd"), stream_(ZSTD_createDStream()) {
    if (!stream_) throw std::bad_alloc();
  }
  std::size_t step(std::string_view& input, char* to, std::size_t capacity) override {
    ZSTD_inBuffer in{input.data(), input.size(), 0};
    ZSTD_outBuffer out{to, capacity, 0};
    const std::size_t state = ZSTD_decompressStream(stream_.get(), &out, &in);
    if (ZSTD_getErrorCode(state) == ZSTD_error_memory_allocation) throw std::bad_alloc();
    if (ZSTD_isError(state) != 0) refuse(ZSTD_getErrorName(state));
    inside_ = state != 0;
    input.remove_prefix(in.pos);
    return out.pos;
  }

 private:
  struct Free {
    void operator()(ZSTD_DStream* stream) const { ZSTD_freeDStream(stream); }
  };
  std::unique_ptr<ZSTD_DStream, Free> stream_;
};

class UnpackXz final : public Unpacker {
 public:
  UnpackXz() : Unpacker("xz") {
    constexpr std::uint64_t most_memory = std::uint64_t{256} << 20;
    if (lzma_stream_decoder(&stream_, most_memory, LZMA_CONCATENATED) != LZMA_OK) throw std::bad_alloc();
    inside_ = true;
  }
  ~UnpackXz() override { lzma_end(&stream_); }
  std::size_t step(std::string_view& input, char* to, std::size_t capacity) override {
    stream_.next_in = reinterpret_cast<const std::uint8_t*>(input.data());
    stream_.avail_in = input.size();
    stream_.next_out = reinterpret_cast<std::uint8_t*>(to);
    stream_.avail_out = capacity;
    const lzma_ret result = lzma_code(&stream_, input.empty() ? LZMA_FINISH : LZMA_RUN);
    input.remove_prefix(input.size() - stream_.avail_in);
    inside_ = result != LZMA_STREAM_END;
    if (result == LZMA_MEM_ERROR) throw std::bad_alloc();
    if (inside_ && result != LZMA_OK && result != LZMA_BUF_ERROR) {
      refuse(result == LZMA_MEMLIMIT_ERROR ? "it needs more than 256 MiB to unpack" : "incorrect content or checksum");
    }
    return capacity - stream_.avail_out;
  }

 private:
  lzma_stream stream_ = LZMA_STREAM_INIT;
};

class UnpackBzip2 final : public Unpacker {
 public:
  UnpackBzip2() : Unpacker("bzip2") {}
  ~UnpackBzip2() override {
    if (inside_) BZ2_bzDecompressEnd(&stream_);
  }
  std::size_t step(std::string_view& input, char* to, std::size_t capacity) override {
    if (!inside_) {
      stream_ = {};
      if (BZ2_bzDecompressInit(&stream_, 0, 0) != BZ_OK) throw std::bad_alloc();
      inside_ = true;
    }
    stream_.next_in = const_cast<char*>(input.data());
    stream_.avail_in = static_cast<unsigned>(input.size());
    stream_.next_out = to;
    stream_.avail_out = static_cast<unsigned>(capacity);
    const int result = BZ2_bzDecompress(&stream_);
    input.remove_prefix(input.size() - stream_.avail_in);
    const std::size_t got = capacity - stream_.avail_out;
    if (result == BZ_MEM_ERROR) throw std::bad_alloc();
    if (result == BZ_STREAM_END) {
      BZ2_bzDecompressEnd(&stream_);
      inside_ = false;
    } else if (result != BZ_OK) {
      refuse("incorrect content or checksum");
    }
    return got;
  }

 private:
  bz_stream stream_{};
};

std::unique_ptr<Unpacker> unpacker_for(std::string_view magic) {
  if (magic.starts_with("\x1f\x8b")) return std::make_unique<UnpackGzip>();
  if (magic.size() < 4) return nullptr;
  if (magic == "\x28\xb5\x2f\xfd") return std::make_unique<UnpackZstd>();
  if (magic == "\xfd\x37zX") return std::make_unique<UnpackXz>();
  if (magic.starts_with("BZh") && magic[3] >= '1' && magic[3] <= '9') return std::make_unique<UnpackBzip2>();
  return nullptr;
}

}  // namespace

struct TextFile::Impl {
  std::string path;
  RawBytes file;
  std::unique_ptr<Unpacker> unpacker;
  std::vector<char> packed;
  std::string_view input;  // compressed bytes not yet unpacked

  std::vector<char> buffer;
  std::size_t begin = 0, end = 0;  // the unread part of the buffer
  bool ended = false;
  Sha256 digest;
  std::string sha256;
  std::uint64_t count = 0;

  explicit Impl(const std::string& p) : path(p), file(p) {
    std::array<char, 4> magic{};
    const std::string_view first(magic.data(), file.read(magic.data(), magic.size()));
    file.rewind();
    unpacker = unpacker_for(first);
    if (unpacker) packed.resize(piece_bytes);
  }

  std::size_t read_packed(char* to, std::size_t capacity) {
    for (;;) {
      bool ends = false;
      if (input.empty()) {
        input = {packed.data(), file.read(packed.data(), packed.size())};
        ends = input.empty();
        if (ends && !unpacker->inside()) return 0;
      }
      std::size_t got = 0;
      try {
        got = unpacker->step(input, to, capacity);
      } catch (Error& error) {
        throw std::move(error).at(path);
      }
      if (got != 0) return got;
      if (ends && unpacker->inside()) {
        throw Error(ErrorKind::data, std::string("broken ") + unpacker->kind() + " data: it ends too early").at(path);
      }
    }
  }

  // Appends more text to the buffer.
  void fill() {
    if (begin > 0) std::memmove(buffer.data(), buffer.data() + begin, end - begin);
    end -= begin;
    begin = 0;
    if (buffer.size() - end < piece_bytes) buffer.resize(end + piece_bytes + buffer.size() / 2);
    char* const to = buffer.data() + end;
    const std::size_t got = unpacker ? read_packed(to, piece_bytes) : file.read(to, piece_bytes);
    if (got == 0) {
      ended = true;
      sha256 = digest.finish();
    }
    digest.add({buffer.data() + end, got});
    count += got;
    end += got;
  }

  std::string_view give(std::size_t size) {
    const std::string_view text(buffer.data() + begin, size);
    begin += size;
    return text;
  }
};

TextFile::TextFile(const std::string& path) : impl_(std::make_unique<Impl>(path)) {}
TextFile::~TextFile() = default;

std::string_view TextFile::line() {
  Impl& t = *impl_;
  for (std::size_t looked = 0;;) {
    const std::size_t have = t.end - t.begin;
    const void* const found =
        have == looked ? nullptr : std::memchr(t.buffer.data() + t.begin + looked, '\n', have - looked);
    if (found != nullptr) {
      return t.give(static_cast<std::size_t>(static_cast<const char*>(found) - t.buffer.data()) + 1 - t.begin);
    }
    if (t.ended) return t.give(have);
    if (have > longest_line) throw Error(ErrorKind::data, "a line is longer than 256 MiB").at(t.path);
    looked = have;
    t.fill();
  }
}

std::string_view TextFile::bytes(std::size_t count) {
  Impl& t = *impl_;
  while (t.end - t.begin < count && !t.ended) t.fill();
  return t.give(std::min(count, t.end - t.begin));
}

const std::string& TextFile::path() const { return impl_->path; }

DataFile TextFile::description() const {
  // File names are arbitrary bytes, and JSON requires UTF-8.
  return {utf8(std::filesystem::path(impl_->path).filename().string()), impl_->sha256, impl_->count};
}

std::string labels_beside(const std::string& images) {
  const std::string from = "images-idx3";
  const std::size_t found = images.rfind(from);
  if (found == std::string::npos || images.find('/', found) != std::string::npos) {
    throw Error(ErrorKind::no_input, "the labels of these images are missing")
        .at(images)
        .fix("name the files …images-idx3… and …labels-idx1…, side by side");
  }
  return std::string(images).replace(found, from.size(), "labels-idx1");
}

}  // namespace halfspace::proof
