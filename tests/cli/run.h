// Runs the built command as a user's shell would, in a folder of its own.
#pragma once

#include <sys/wait.h>

#include "base/json.h"
#include "support/test.h"

namespace halfspace::cli_tests {

struct Output {
  int code = -1;
  std::string out, err;
};

using testing::slurp;

// A test with a temporary folder; every command runs there.
class CommandTest : public ::testing::Test {
 protected:
  std::filesystem::path path(const std::string& name) const { return folder_.path(name); }
  void write(const std::string& name, const std::string& text) const { folder_.write(name, text); }
  std::string read(const std::string& name) const { return slurp(path(name)); }

  // `line` is given to sh with $H as the command.
  Output sh(const std::string& line) const {
    const std::string script = "cd '" + folder_.path() + "' && H='" HALFSPACE_COMMAND "' && { " + line + "\n} >'" +
                               folder_.path(".out") + "' 2>'" + folder_.path(".err") + "' </dev/null";
    const int status = std::system(script.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), read(".out"), read(".err")};
  }
  // halfspace with these arguments.
  Output halfspace(const std::string& arguments) const { return sh("\"$H\" " + arguments); }
  Json json_of(const std::string& arguments) const { return Json::parse(halfspace(arguments + " --json").out); }

  // It ends with this exit code, and stderr has these parts.
  template <typename... Parts>
  ::testing::AssertionResult ends(int code, const std::string& arguments, const Parts&... parts) const {
    const Output output = halfspace(arguments);
    return expected(code, output, output.err, arguments, parts...);
  }
  // It succeeds, and stdout has these parts; or stderr.
  template <typename... Parts>
  ::testing::AssertionResult prints(const std::string& arguments, const Parts&... parts) const {
    const Output output = halfspace(arguments);
    return expected(0, output, output.out, arguments, parts...);
  }
  template <typename... Parts>
  ::testing::AssertionResult notes(const std::string& arguments, const Parts&... parts) const {
    return ends(0, arguments, parts...);
  }

 private:
  template <typename... Parts>
  static ::testing::AssertionResult expected(int code, const Output& output, const std::string& text,
                                             const std::string& arguments, const Parts&... parts) {
    if (output.code == code) return has(text, parts...) << "halfspace " << arguments;
    return ::testing::AssertionFailure() << "exit code " << output.code << " of halfspace " << arguments << "\n"
                                         << output.out << output.err;
  }

  testing::TemporaryFolder folder_;
};

// The embedded sample, and a small LIBSVM file that a line separates.
inline std::string sample() { return HALFSPACE_SOURCE_DIR "/examples/credit.csv"; }
inline std::string separable() {
  return "+1 1:6 2:1\n+1 1:2 2:5\n+1 1:7 2:4\n+1 1:3 2:3\n-1 1:1 2:2\n-1 1:5\n-1 2:4\n+1 1:4 2:2\n";
}

}  // namespace halfspace::cli_tests
