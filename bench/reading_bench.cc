// How many bytes of text a second become rows, every check on, by format and threads: whole passes of Reader over a
// file of some megabytes in the page cache.

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include "halfspace/base/random.h"
#include "halfspace/stream/reader.h"

namespace halfspace {
namespace {

constexpr std::size_t text_bytes = std::size_t{16} << 20;

// Text of `row()` again and again, in a file that goes with this object.
class TextFile {
 public:
  template <class Row>
  TextFile(const std::string& name, std::string header, Row&& row)
      : path_(std::filesystem::temp_directory_path() / (name + "." + std::to_string(::getpid()))) {
    std::string text = std::move(header);
    while (text.size() < text_bytes) row(text);
    std::ofstream(path_, std::ios::binary) << text;
  }
  ~TextFile() { std::filesystem::remove(path_); }
  TextFile(const TextFile&) = delete;
  TextFile& operator=(const TextFile&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// 75 values of 47,236 features a row; `value` writes one value.
template <class Value>
TextFile sparse(const std::string& name, Value&& value) {
  Generator draws;
  return TextFile(name, "", [&](std::string& text) {
    text += draws.next() < 0.5 ? "-1" : "+1";
    std::uint64_t index = 0;
    for (int k = 0; k < 75; ++k) {
      index += 1 + pick(draws, 1250 - index / 75);
      fmt::format_to(std::back_inserter(text), " {}:", index);
      value(text, draws);
    }
    text += '\n';
  });
}

TextFile csv() {
  Generator draws;
  std::string header = "label";
  for (int k = 1; k <= 100; ++k) header += ",x" + std::to_string(k);
  return TextFile("halfspace-csv", header + '\n', [&](std::string& text) {
    text += draws.next() < 0.5 ? "-1" : "1";
    for (int k = 0; k < 100; ++k) fmt::format_to(std::back_inserter(text), ",{:.6g}", gaussian(draws));
    text += '\n';
  });
}

void read(benchmark::State& state, const TextFile& file) {
  ReadOptions options;
  options.path = file.path();
  options.threads = static_cast<unsigned>(state.range(0));
  std::uint64_t bytes = 0;
  for (auto _ : state) {
    Reader reader(options);
    reader.read([](const Block&) { return true; });
    bytes += reader.report().bytes;
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes));
}

template <class Make>
void enlist(const std::string& name, Make&& make) {
  benchmark::RegisterBenchmark(("read/" + name).c_str(), [make](benchmark::State& state) { read(state, make()); })
      ->Arg(1)
      ->Arg(2)
      ->UseRealTime();
}

const bool enlisted = [] {
  enlist("libsvm/ones", [] { return sparse("halfspace-ones", [](std::string& text, Draws&) { text += '1'; }); });
  enlist("libsvm/short", [] {
    return sparse("halfspace-short", [](std::string& text, Draws& draws) {
      fmt::format_to(std::back_inserter(text), "{:.6g}", draws.next());
    });
  });
  enlist("libsvm/long", [] {
    return sparse("halfspace-long", [](std::string& text, Draws& draws) {
      fmt::format_to(std::back_inserter(text), "{}", draws.next());
    });
  });
  enlist("csv", csv);
  return true;
}();

}  // namespace
}  // namespace halfspace
