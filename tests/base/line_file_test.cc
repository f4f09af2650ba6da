// Files that grow: what was there stays until the first flush, and lines are whole.
#include "base/line_file.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/whole_file.h"
#include "halfspace/base/error.h"
#include "support/test.h"

namespace halfspace {
namespace {

class LineFiles : public ::testing::Test, public testing::TemporaryFolder {};

TEST_F(LineFiles, WhatWasThereStaysUntilTheFirstFlush) {
  std::ofstream(path("l")) << "old\n";
  {
    LineFile file(path("l"), nullptr);
    file.write("new\n");
    EXPECT_EQ(whole_file(path("l"), nullptr), "old\n");
    file.flush();
    EXPECT_EQ(whole_file(path("l"), nullptr), "new\n");
    file.write("newer\n");
    file.flush();
  }
  EXPECT_EQ(whole_file(path("l"), nullptr), "new\nnewer\n");
  { LineFile unused(path("l"), nullptr); }
  EXPECT_EQ(whole_file(path("l"), nullptr), "new\nnewer\n");
  { LineFile(path("l"), nullptr).flush(); }
  EXPECT_EQ(whole_file(path("l"), nullptr), "");
  { LineFile unused(path("fresh"), nullptr); }
  EXPECT_FALSE(std::filesystem::exists(path("fresh")));
}

TEST_F(LineFiles, AFullDiskLeavesWholeLines) {
  const ::pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    ::signal(SIGXFSZ, SIG_IGN);
    const ::rlimit limit{1000, 1000};  // of bytes in a file
    ::setrlimit(RLIMIT_FSIZE, &limit);
    try {
      LineFile file(path("l"), nullptr);
      for (int i = 0; i < 100; ++i) {
        file.write("a line of 20 letters\n");
        if (i % 10 == 9) file.flush();
      }
    } catch (const Error& error) {
      ::_exit(error.kind() == ErrorKind::input_output && error.file() == path("l") ? 0 : 2);
    }
    ::_exit(1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  const std::string text = whole_file(path("l"), nullptr);
  EXPECT_EQ(text.size(), 840U);
}

TEST_F(LineFiles, ErrorsAreTheMachines) {
  const auto kind_of = [](const auto& f) {
    try {
      f();
    } catch (const Error& error) {
      EXPECT_FALSE(error.file().empty());
      return error.kind();
    }
    return ErrorKind::internal;
  };
  EXPECT_EQ(kind_of([&] { LineFile(path("no/such"), nullptr); }), ErrorKind::input_output);
  EXPECT_EQ(kind_of([&] { LineFile(path(), nullptr); }), ErrorKind::input_output);
  EXPECT_EQ(kind_of([&] { whole_file(path("nowhere"), nullptr); }), ErrorKind::no_input);
  EXPECT_EQ(kind_of([&] { whole_file(path(), nullptr); }), ErrorKind::no_input);
  std::ofstream(path("long")) << std::string(300'000, 'x');
  EXPECT_EQ(whole_file(path("long"), nullptr).size(), 300'000U);
  EXPECT_GT(whole_file(path("long"), nullptr, 1000).size(), 1000U);
  EXPECT_LT(whole_file(path("long"), nullptr, 1000).size(), 300'000U);
}

}  // namespace
}  // namespace halfspace
