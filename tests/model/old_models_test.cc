// Model files that earlier builds wrote, in tests/model/old, are read, and are the only encoding of what they hold. What
// they predict, and how they go on, is compared by tests/same_bits/digests.py. A preset that came later has no file of an
// earlier build, and needs none.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "halfspace/model/model_file.h"
#include "halfspace/rules/composition.h"
#include "model/fields.h"

namespace halfspace::testing {
namespace {

const std::filesystem::path kTests = std::filesystem::path(HALFSPACE_SOURCE_DIR) / "tests";

// The names of the files: each is the preset that wrote it.
std::vector<std::string> old_presets() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(kTests / "model/old")) {
    if (entry.path().extension() == ".model") names.push_back(entry.path().stem().string());
  }
  return names;
}

TEST(OldModels, AreReadAndWrittenAgain) {
  EXPECT_GE(old_presets().size(), 24U);
  for (const std::string& preset : old_presets()) {
    SCOPED_TRACE(preset);
    EXPECT_TRUE(find_preset(preset)) << "its name is kept for ever";
    const std::filesystem::path path = kTests / "model/old" / (preset + ".model");
    std::ifstream file(path, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    const Model model = load_model(path.string());
    const auto again = encode(model);
    EXPECT_EQ(std::string(again.begin(), again.end()), bytes);
  }
}

TEST(OldModels, HaveDigestsOfTheirPresets) {
  std::ifstream file(kTests / "same_bits/digests.json");
  const std::string stored{std::istreambuf_iterator<char>(file), {}};
  for (const std::string& preset : old_presets()) {
    for (const char* set : {"larks", "credit", "ones"}) {
      const std::string name = preset + " " + set;
      EXPECT_NE(stored.find("\n\"" + name + "\": {"), std::string::npos)
          << name << ": add it to tests/same_bits/digests.json";
    }
  }
}

}  // namespace
}  // namespace halfspace::testing
