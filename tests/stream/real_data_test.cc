// Counts of real data sets against what is known of them. Skipped, saying so, where the sets are not.

#include <gtest/gtest.h>

#include <cctype>

#include "stream_support.h"
#include "support/test_name.h"

namespace halfspace {
namespace {

using namespace testing_stream;

struct Known {
  const char* file;
  bool zero_based;
  std::uint64_t rows, nonzeros;
  std::uint32_t features;
  std::vector<std::string> labels;
  std::vector<std::uint64_t> class_rows;
};
void PrintTo(const Known& known, std::ostream* out) {
  *out << known.file;
}

class RealData : public ::testing::TestWithParam<Known> {};

TEST_P(RealData, HasItsKnownCounts) {
  const Known& known = GetParam();
  ReadOptions options;
  options.path = real_data(known.file);
  if (options.path.empty()) GTEST_SKIP() << known.file << " is not here; set HALFSPACE_DATA to the folder of data sets";
  options.zero_based = known.zero_based;
  Reader reader(options);
  reader.read([](const Block&) { return true; });
  EXPECT_EQ(reader.report().rows, known.rows);
  EXPECT_EQ(reader.report().rejected, 0u);
  EXPECT_EQ(reader.report().nonzeros, known.nonzeros);
  EXPECT_EQ(reader.schema().features, known.features);
  EXPECT_EQ(reader.schema().labels.names, known.labels);
  EXPECT_EQ(reader.report().class_rows, known.class_rows);
}

INSTANTIATE_TEST_SUITE_P(
    Sets, RealData,
    ::testing::Values(Known{"a9a/a9a", false, 32561, 451592, 123, {"-1", "+1"}, {24720, 7841}},
                      Known{"agaricus/agaricus.txt.train", true, 6513, 143286, 127, {"0", "1"}, {3373, 3140}},
                      Known{"imdb/imdb.libsvm.gz", false, 25000, 3544197, 81056, {"-1", "+1"}, {12500, 12500}},
                      Known{"mnist/train-images-idx3-ubyte.gz",
                            false,
                            60000,
                            8994156,
                            784,
                            {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"},
                            {5923, 6742, 5958, 6131, 5842, 5421, 5918, 6265, 5851, 5949}}),
    [](const auto& known) { return testing::test_name(known.param.file); });

}  // namespace
}  // namespace halfspace
