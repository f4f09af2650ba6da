// Model files that earlier builds wrote, one a preset in tests/model/old, are read, and are the only encoding of what they
// hold. What they predict, and how they go on, is compared by tests/same_bits/digests.py.

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

TEST(OldModels, OneOfEveryPresetIsReadAndWrittenAgain) {
  for (const Preset& preset : presets()) {
    SCOPED_TRACE(std::string(preset.name));
    const std::filesystem::path path = kTests / "model/old" / (std::string(preset.name) + ".model");
    ASSERT_TRUE(std::filesystem::exists(path)) << "write it with tests/same_bits/digests.py make";
    std::ifstream file(path, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    const Model model = load_model(path.string());
    const auto again = encode(model);
    EXPECT_EQ(std::string(again.begin(), again.end()), bytes);
  }
}

TEST(OldModels, DigestsOfEveryPresetAreStored) {
  std::ifstream file(kTests / "same_bits/digests.json");
  const std::string stored{std::istreambuf_iterator<char>(file), {}};
  for (const Preset& preset : presets()) {
    for (const char* set : {"larks", "credit", "ones"}) {
      const std::string name = std::string(preset.name) + " " + set;
      EXPECT_NE(stored.find("\n\"" + name + "\": {"), std::string::npos)
          << name << ": add it with tests/same_bits/digests.py make";
    }
  }
}

}  // namespace
}  // namespace halfspace::testing
