// Replays the fuzz corpus of CSV files in the ordinary test run.

#include <gtest/gtest.h>

#include <filesystem>

#include "stream_support.h"

#define LLVMFuzzerTestOneInput csv_fuzz_one_input  // every target has this name
#include "../../fuzz/csv_fuzz.cc"

namespace {

TEST(FuzzCorpus, CsvFilesAreReadOrRefused) {
  std::size_t files = 0;
  const std::filesystem::path corpus = std::filesystem::path(HALFSPACE_SOURCE_DIR) / "fuzz" / "corpus" / "csv";
  for (const auto& entry : std::filesystem::directory_iterator(corpus)) {
    SCOPED_TRACE(entry.path().string());
    const std::string bytes = testing_stream::content(entry.path().string());
    EXPECT_EQ(csv_fuzz_one_input(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()), 0);
    // The name says whether it is good.
    const Outcome seen = whole_outcome(bytes);
    EXPECT_EQ(seen.error.empty() && seen.result.bad.empty(), entry.path().filename().string().starts_with("good_"));
    ++files;
  }
  EXPECT_GE(files, 50U);
}

}  // namespace
