// Replays the fuzz corpus of LIBSVM files in the ordinary test run.

#include <gtest/gtest.h>

#include <algorithm>

#include "stream_support.h"

#define LLVMFuzzerTestOneInput libsvm_fuzz_one_input  // every target has this name
#include "../../fuzz/libsvm_fuzz.cc"

namespace {

TEST(FuzzCorpus, LibsvmFilesAreReadOrRefused) {
  std::size_t files = 0;
  const std::filesystem::path corpus = std::filesystem::path(HALFSPACE_SOURCE_DIR) / "fuzz" / "corpus" / "libsvm";
  for (const auto& entry : std::filesystem::directory_iterator(corpus)) {
    SCOPED_TRACE(entry.path().string());
    const std::string bytes = halfspace::testing_stream::content(entry.path().string());
    EXPECT_EQ(libsvm_fuzz_one_input(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()), 0);
    // The name says whether it is good.
    const Input input(reinterpret_cast<const std::uint8_t*>(bytes.data()) + 1, bytes.size() - 1);
    const ReadOptions options = options_of(static_cast<std::uint8_t>(bytes[0]), input);
    EXPECT_EQ(read(options).error.empty(), entry.path().filename().string().starts_with("good_"));
    ++files;
  }
  EXPECT_GE(files, 40u);
}

}  // namespace
