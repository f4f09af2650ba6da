// Runs the built command as a user's shell would, in a folder of its own.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace halfspace::cli_tests {

struct Output {
  int code = -1;
  std::string out, err;
};

inline std::string slurp(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// A test with a temporary folder; every command runs there.
class CommandTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "halfspace-cli-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  std::filesystem::path path(const std::string& name) const { return folder_ / name; }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
  }
  std::string read(const std::string& name) const { return slurp(path(name)); }

  // `line` is given to sh with $H as the command.
  Output sh(const std::string& line) const {
    const std::string script = "cd '" + folder_.string() + "' && H='" HALFSPACE_COMMAND "' && { " + line + "\n} >'" +
                               path(".out").string() + "' 2>'" + path(".err").string() + "' </dev/null";
    const int status = std::system(script.c_str());
    Output output;
    output.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    output.out = slurp(path(".out"));
    output.err = slurp(path(".err"));
    return output;
  }
  // halfspace with these arguments.
  Output halfspace(const std::string& arguments) const { return sh("\"$H\" " + arguments); }

 private:
  std::filesystem::path folder_;
};

// The embedded sample, and a small LIBSVM file that a line separates.
inline std::string sample() {
  return HALFSPACE_SOURCE_DIR "/examples/credit.csv";
}
inline std::string separable() {
  return "+1 1:6 2:1\n+1 1:2 2:5\n+1 1:7 2:4\n+1 1:3 2:3\n-1 1:1 2:2\n-1 1:5\n-1 2:4\n+1 1:4 2:2\n";
}

}  // namespace halfspace::cli_tests
