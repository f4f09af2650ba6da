// certify killed and interrupted at any moment: what is at CERT is nothing, the old certificate, or a new one, and what
// is there verifies.
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "certificate_support.h"
#include "halfspace/proof/verify/verify.h"
#include "support/test.h"

namespace halfspace::proof {
namespace {

// More features than rows: separable, with a certificate of several pages.
std::string wide_data() {
  std::mt19937 draws(5);
  std::string text;
  for (int row = 0; row < 30; ++row) {
    text += row % 2 == 0 ? "+1" : "-1";
    for (int j = 1; j <= 600; ++j) text += " " + std::to_string(j) + ":" + std::to_string(1 + draws() % 99);
    text += "\n";
  }
  return text;
}

std::string bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(CertifyCommand, KilledOrInterruptedLeavesNothingThatDoesNotVerify) {
  const TemporaryFolder folder;
  const std::string data = folder.write("data", wide_data()), path = folder.path() + "/proof.json";
  std::mt19937 draws(11);
  std::size_t written = 0;
  std::string last;
  for (int round = 0; round < 60; ++round) {
    const int signal = round % 3 == 0 ? SIGINT : SIGKILL;
    const char* bias = round % 2 == 0 ? "none" : "last";
    const ::pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      const int nowhere = ::open("/dev/null", O_WRONLY);
      ::dup2(nowhere, STDOUT_FILENO);
      ::execl(HALFSPACE_COMMAND, HALFSPACE_COMMAND, "certify", data.c_str(), "-o", path.c_str(), "--bias", bias,
              "--json", static_cast<char*>(nullptr));
      ::_exit(127);
    }
    // The moment is chance; whatever it is, the assertions below must hold. Every tenth run may end by itself.
    if (round % 10 != 9) {
      std::this_thread::sleep_for(std::chrono::microseconds(draws() % 45'000));
      ::kill(child, signal);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_FALSE(WIFEXITED(status) && WEXITSTATUS(status) == 127);
    if (!std::filesystem::exists(path)) {
      ASSERT_TRUE(last.empty()) << "the old certificate is gone";
      continue;
    }
    const std::string text = bytes_of(path);
    if (text == last) continue;
    ++written;
    last = text;
    const Verification verification = verify(decode_certificate(text, path), {data});
    ASSERT_TRUE(verification.valid) << verification.reason;
  }
  EXPECT_GT(written, 0u);
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    const std::string name = entry.path().filename().string();
    EXPECT_TRUE(name == "data" || name == "proof.json" || (name.starts_with(".halfspace-") && name.ends_with(".tmp")))
        << name;
  }
}

}  // namespace
}  // namespace halfspace::proof
