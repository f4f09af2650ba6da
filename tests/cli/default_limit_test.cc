// Runs that wait for a clean pass, and name no limit.

#include "cli/run.h"

namespace halfspace::cli_tests {
namespace {

class DefaultLimit : public CommandTest {};

// Where nothing separates the rows, a run that waits for a clean pass ends by itself and says how.
TEST_F(DefaultLimit, ARunWithoutALimitEnds) {
  std::string rows;
  for (int i = 0; i < 40; ++i)
    rows += (i % 7 == 0 ? "-1" : "+1") + std::string(" 1:") + std::to_string(i * 37 % 100 / 10.0) +
            " 2:" + std::to_string(i * 61 % 100 / 10.0) + "\n";
  write("d.svm", rows);
  for (const char* preset : {"pocket", "pla", "batch", "cyclic-pla", "random-pla"}) {
    const std::string line = "train d.svm --preset " + std::string(preset);
    const Output output = halfspace(line);
    EXPECT_EQ(output.code, 0) << output.err;
    const Json j = json_of(line);
    EXPECT_TRUE(j["stopped"] == "budget" || j["stopped"] == "cycling") << preset << j["stopped"];
    EXPECT_EQ(output.out.find("the default limit") != std::string::npos, j["stopped"] == "budget") << output.out;
    EXPECT_TRUE(has(output.err, "halfspace certify d.svm proves"));
    EXPECT_EQ(halfspace(line + " --folds 4 -q").code, 0) << preset;
    const bool only_mistakes = std::string_view(preset) == "pocket" || std::string_view(preset) == "pla";
    EXPECT_EQ(output.out.find("rows wrong  ") != std::string::npos, only_mistakes) << output.out;
    EXPECT_EQ(output.out.find("100.00 %") != std::string::npos && only_mistakes, false) << output.out;
  }
  EXPECT_EQ(json_of("train d.svm --preset pocket --updates 60 --report r.html")["stopped"], "updates");
  EXPECT_TRUE(has(read("r.html"), "of the 40 rows it was trained on"));
}

}  // namespace
}  // namespace halfspace::cli_tests
