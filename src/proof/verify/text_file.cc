// zlib reads gzip and plain files alike; zstd is told by its magic.

#include "proof/verify/text_file.h"

#include <errno.h>
#include <zlib.h>
#include <zstd.h>

#include <array>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <vector>

#include "base/json.h"
#include "proof/verify/sha256.h"

namespace halfspace::proof {
namespace {

constexpr std::size_t piece_bytes = 1 << 18;
constexpr std::size_t longest_line = std::size_t{1} << 28;

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
struct CloseGzip {
  void operator()(gzFile file) const { gzclose(file); }
};
struct FreeZstd {
  void operator()(ZSTD_DStream* stream) const { ZSTD_freeDStream(stream); }
};

}  // namespace

struct TextFile::Impl {
  std::string path;
  std::unique_ptr<std::FILE, CloseFile> file;  // of zstd
  std::unique_ptr<gzFile_s, CloseGzip> gzip;   // of all others
  std::unique_ptr<ZSTD_DStream, FreeZstd> zstd;
  std::vector<char> packed;
  ZSTD_inBuffer input{nullptr, 0, 0};
  bool inside_frame = false;

  std::vector<char> buffer;
  std::size_t begin = 0, end = 0;  // of what is in the buffer and not given out
  bool ended = false;
  Sha256 digest;
  std::string sha256;
  std::uint64_t count = 0;

  explicit Impl(const std::string& p) : path(p) {
    std::error_code ignored;
    file.reset(std::filesystem::is_directory(path, ignored) ? nullptr : std::fopen(path.c_str(), "rb"));
    if (!file) {
      throw Error(ErrorKind::no_input, "cannot be opened: " + std::string(std::strerror(errno == 0 ? EISDIR : errno)))
          .at(path);
    }
    std::array<unsigned char, 4> magic{};
    const bool four = std::fread(magic.data(), 1, 4, file.get()) == 4;
    if (four && magic == std::array<unsigned char, 4>{0x28, 0xb5, 0x2f, 0xfd}) {
      std::rewind(file.get());
      zstd.reset(ZSTD_createDStream());
      packed.resize(piece_bytes);
    } else {
      file.reset();
      gzip.reset(gzopen(path.c_str(), "rb"));
      if (!gzip) throw Error(ErrorKind::no_input, "cannot be opened: " + std::string(std::strerror(errno))).at(path);
      gzbuffer(gzip.get(), piece_bytes);
    }
  }

  std::size_t read_gzip(char* to, std::size_t capacity) {
    const int got = gzread(gzip.get(), to, static_cast<unsigned>(capacity));
    int code = Z_OK;
    const char* message = gzerror(gzip.get(), &code);
    if (got < 0 || (code != Z_OK && code != Z_STREAM_END)) {
      const bool machine = code == Z_ERRNO;
      throw Error(machine ? ErrorKind::input_output : ErrorKind::data,
                  machine ? std::string("cannot be read: ") + std::strerror(errno)
                          : std::string("broken gzip data: ") + message)
          .at(path);
    }
    return static_cast<std::size_t>(got);
  }

  std::size_t read_zstd(char* to, std::size_t capacity) {
    ZSTD_outBuffer output{to, capacity, 0};
    while (output.pos == 0) {
      if (input.pos == input.size) {
        input = {packed.data(), std::fread(packed.data(), 1, packed.size(), file.get()), 0};
        if (std::ferror(file.get()) != 0) throw Error(ErrorKind::input_output, "cannot be read").at(path);
        if (input.size == 0 && !inside_frame) return 0;
        if (input.size == 0) throw Error(ErrorKind::data, "broken zstd data: it ends too early").at(path);
      }
      const std::size_t state = ZSTD_decompressStream(zstd.get(), &output, &input);
      if (ZSTD_isError(state) != 0) {
        throw Error(ErrorKind::data, std::string("broken zstd data: ") + ZSTD_getErrorName(state)).at(path);
      }
      inside_frame = state != 0;
    }
    return output.pos;
  }

  // More text behind what is in the buffer.
  void fill() {
    if (begin > 0) std::memmove(buffer.data(), buffer.data() + begin, end - begin);
    end -= begin;
    begin = 0;
    if (buffer.size() - end < piece_bytes) buffer.resize(end + piece_bytes + buffer.size() / 2);
    const std::size_t got =
        zstd ? read_zstd(buffer.data() + end, piece_bytes) : read_gzip(buffer.data() + end, piece_bytes);
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

const std::string& TextFile::path() const {
  return impl_->path;
}

DataFile TextFile::description() const {
  // A name is any bytes, and JSON wants UTF-8.
  return {utf8(std::filesystem::path(impl_->path).filename().string()), impl_->sha256, impl_->count};
}

std::string labels_beside(const std::string& images) {
  const std::string from = "images-idx3";
  const std::size_t place = images.rfind(from);
  if (place == std::string::npos || images.find('/', place) != std::string::npos) {
    throw Error(ErrorKind::no_input, "where are the labels of these images?")
        .at(images)
        .fix("name the files …images-idx3… and …labels-idx1…, side by side");
  }
  return std::string(images).replace(place, from.size(), "labels-idx1");
}

}  // namespace halfspace::proof
