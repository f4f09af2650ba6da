// Pipes without another end: nothing is waited for once the flag is set, and everything is until then.
#include "base/waiting.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "base/atomic_file.h"
#include "base/line_file.h"
#include "base/whole_file.h"
#include "support/test.h"

namespace halfspace {
namespace {

namespace fs = std::filesystem;

class Waiting : public ::testing::Test, public testing::TemporaryFolder {
 protected:
  Waiting() { EXPECT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0); }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(path()), fs::directory_iterator()));
  }

  // Sets the flag while the other thread waits, or before it does: either must do.
  template <class Wait>
  void expect_to_leave(const Wait& wait) {
    std::thread setter([this] {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      flag_ = true;
    });
    EXPECT_THROW(wait(), Interrupted);
    setter.join();
    EXPECT_THROW(wait(), Interrupted);
    flag_ = false;
  }

  std::atomic<bool> flag_{false};
};

TEST_F(Waiting, EndsForTheFlag) {
  expect_to_leave([this] { whole_file(path("pipe"), &flag_); });
  expect_to_leave([this] { AtomicFile(path("pipe"), &flag_); });
  expect_to_leave([this] { LineFile(path("pipe"), &flag_); });
  const int kept = ::open(path("pipe").c_str(), O_RDWR);  // both ends, of which nobody uses either
  expect_to_leave([this] { whole_file(path("pipe"), &flag_); });
  expect_to_leave([this] {
    LineFile lines(path("pipe"), &flag_);
    for (int i = 0; i < 3; ++i) lines.write(std::string(60'000, 'x') + "\n");
    lines.flush();
  });
  ::close(kept);
}

TEST_F(Waiting, BringsAllThatComes) {
  const std::string text(300'000, 'a');
  std::thread late([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    AtomicFile out(path("pipe"), &flag_);
    out.write({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
    out.commit();
  });
  EXPECT_EQ(whole_file(path("pipe"), &flag_), text);
  late.join();
}

// Who reads is given the rest, though the run was interrupted.
TEST_F(Waiting, GivesAReaderWhatIsLeft) {
  std::string got;
  std::thread reader([&] { got = whole_file(path("pipe"), nullptr); });
  AtomicFile out(path("pipe"), &flag_);
  flag_ = true;
  const std::string text(300'000, 'b');
  out.write({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
  out.commit();
  reader.join();
  EXPECT_EQ(got, text);
}

// A proof touches nothing, leaves nothing, and waits for nobody.
TEST_F(Waiting, ProofsLeaveNothingBehind) {
  std::ofstream(path("old")) << "what was there";
  fs::create_symlink("to-be", path("link"));
  const std::size_t before = files();
  for (const char* name : {"pipe", "old", "fresh", "link"}) {
    AtomicFile::prove(path(name));
    LineFile::prove(path(name));
  }
  EXPECT_EQ(files(), before);
  EXPECT_EQ(whole_file(path("old"), nullptr), "what was there");
  for (const std::string& name :
       {std::string("no/such"), std::string("old/x"), std::string("."), std::string("new/")}) {
    EXPECT_THROW(AtomicFile::prove(path(name)), Error) << name;
    EXPECT_THROW(LineFile::prove(path(name)), Error) << name;
  }
  EXPECT_EQ(files(), before);
}

}  // namespace
}  // namespace halfspace
