// What every fuzz target of a text format asks of the reader: it delivers sound blocks or says what is wrong; nothing
// depends on the block size; setting bad rows aside changes nothing about the rows before them.
#pragma once

#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "halfspace/base/error.h"
#include "halfspace/stream/reader.h"
#include "stream/cache/cache.h"

namespace halfspace::fuzzing {

inline void require(bool condition) {
  if (!condition) std::abort();
}

// The bytes in a file without a name, reached through its descriptor.
class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size) {
    std::string path = (std::filesystem::temp_directory_path() / "halfspace-fuzz-XXXXXX").string();
    descriptor_ = ::mkstemp(path.data());
    require(descriptor_ >= 0);
    ::unlink(path.c_str());
    for (std::size_t written = 0; written < size;) {
      const ssize_t count = ::write(descriptor_, data + written, size - written);
      require(count > 0);
      written += static_cast<std::size_t>(count);
    }
  }
  ~Input() { ::close(descriptor_); }
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;

  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

struct Result {
  std::string rows;  // every bit of them
  std::string error;
  std::uint64_t count = 0, rejected = 0;
};

template <class T>
void put(std::string& to, const T& value) {
  to.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

inline Result read(const ReadOptions& options, bool is_cache, bool ascending) {
  Result result;
  try {
    Reader reader(options);
    std::uint64_t last_row = 0;
    reader.read([&](const Block& block) {
      require(block.rows > 0 && block.offset[0] == 0);
      const std::int32_t classes = static_cast<std::int32_t>(reader.schema().labels.names.size());
      for (std::size_t i = 0; i < block.rows; ++i) {
        require(block.offset[i] <= block.offset[i + 1]);
        require(block.label[i] < classes && block.label[i] >= (options.labels.ignore ? -1 : 0));
        require(block.row[i] > last_row);
        last_row = block.row[i];
        put(result.rows, block.row[i]);
        put(result.rows, block.label[i]);
        put(result.rows, block.squared_norm[i]);
        put(result.rows, block.weight == nullptr ? 1.0 : block.weight[i]);
        block.with_example(i, [&](const auto& x) {
          for (std::uint32_t k = 0; k < x.size; ++k) {
            require(x.index[k] < block.features);
            require(!ascending || k == 0 || x.index[k - 1] < x.index[k]);
            double value = 1;
            if constexpr (!std::is_same_v<typename std::decay_t<decltype(x)>::value_type, One>) value = x.value[k];
            require(std::isfinite(value));
            put(result.rows, x.index[k]);
            put(result.rows, value);
          }
        });
      }
      result.count += block.rows;
      return true;
    });
    require(reader.report().rows == result.count);
    require(reader.report().fingerprint.size() == 32);
    result.rejected = reader.report().rejected;
  } catch (const Error& error) {
    // What is a cache by its first bytes is not read as text because someone says so: that is an error of usage.
    require(error.kind() == (is_cache ? ErrorKind::usage : ErrorKind::data));
    result.error = error.what();
    require(!result.error.empty());
  }
  return result;
}

// The options that the first byte of an input stands for.
inline ReadOptions options_of(std::uint8_t choice, DataFormat format) {
  ReadOptions options;
  options.format = format;
  options.threads = 1;
  options.inference_rows = choice % 4 == 0 ? 2 : 1000;
  options.zero_based = format == DataFormat::libsvm && (choice & 4) != 0;
  options.labels.ignore = (choice & 8) != 0;
  options.row_normalised = (choice & 16) != 0;
  options.single = (choice & 32) != 0;
  options.labels.scan_all = (choice & 64) != 0;
  if (format == DataFormat::vw && (choice & 4) != 0) options.columns.interactions = {"a:b", "a:a"};
  if ((choice & 64) != 0 && choice % 4 == 3) options.labels.classes = {"1", "-1", "a"};
  options.line_limit = (choice & 128) != 0 ? 40 : 1 << 20;
  return options;
}

// Reads any bytes as a file of that format; the first byte chooses the options.
inline int reads_alike(const std::uint8_t* data, std::size_t size, DataFormat format) {
  if (size == 0) return 0;
  const std::uint8_t choice = data[0];
  const Input input(data + 1, size - 1);
  const bool is_cache = stream::recognise_cache({reinterpret_cast<const char*>(data) + 1, size - 1});
  const bool ascending = format == DataFormat::libsvm;  // the indices of a row
  ReadOptions options = options_of(choice, format);
  options.path = input.path();
  options.block_bytes = 1 << 16;
  const Result stopped = read(options, is_cache, ascending);
  options.block_bytes = 1 + choice % 29;
  const Result in_small_blocks = read(options, is_cache, ascending);
  require(stopped.rows == in_small_blocks.rows && stopped.error == in_small_blocks.error);

  options.on_error = OnError::skip;
  const Result skipped = read(options, is_cache, ascending);
  options.block_bytes = 1 << 16;
  const Result skipped_in_one = read(options, is_cache, ascending);
  require(skipped.rows == skipped_in_one.rows && skipped.error == skipped_in_one.error);
  require(skipped.rejected == skipped_in_one.rejected);
  require(skipped.rows.starts_with(stopped.rows));
  if (stopped.error.empty()) require(skipped.rejected == 0 && skipped.rows == stopped.rows);
  return 0;
}

}  // namespace halfspace::fuzzing
