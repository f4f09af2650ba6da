// kill -9 in the middle of saves: the path holds the old model or the new one, whole, always.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <thread>
#include <vector>

#include "halfspace/base/error.h"
#include "halfspace/model/model_file.h"
#include "halfspace/stream/cache.h"
#include "model/models.h"

namespace halfspace::testing {
namespace {

namespace fs = std::filesystem;

class Folder {
 public:
  Folder() {
    std::string name = ::testing::TempDir() + "halfspace_crash_XXXXXX";
    path_ = ::mkdtemp(name.data());
  }
  ~Folder() { fs::remove_all(path_); }
  std::string file(const std::string& name) const { return (path_ / name).string(); }
  const fs::path& path() const { return path_; }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(path_), fs::directory_iterator()));
  }

 private:
  fs::path path_;
};

// Two models whose files have several pages, and different sizes.
Model big(std::uint64_t seed) {
  Composition composition;
  composition.keep = KeepName::vote;
  return played(composition, seed, seed == 1 ? 400 : 700);
}

TEST(Kill, NeverLeavesAnythingButTheOldOrTheNewModel) {
  const Folder folder;
  const std::string path = folder.file("m.model");
  const Model a = big(1), b = big(2);
  const std::vector<std::uint8_t> bytes_a = encode(a), bytes_b = encode(b);
  ASSERT_NE(bytes_a.size(), bytes_b.size());
  save_model(a, path);
  Generator draws(3);
  std::size_t kills_between = 0;
  for (int round = 0; round < 60; ++round) {
    const ::pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      try {
        while (true) {
          write_atomically(path, bytes_b);
          write_atomically(path, bytes_a);
        }
      } catch (...) {
        ::_exit(1);
      }
    }
    // The moment of death is chance; whatever it is, the assertions below must hold.
    std::this_thread::sleep_for(std::chrono::microseconds(static_cast<int>(draws.next() * 6000)));
    ASSERT_EQ(::kill(child, SIGKILL), 0);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status)) << "the child failed to save";
    const Model found = load_model(path);
    ASSERT_TRUE(found == a || found == b);
    kills_between += folder.files() > 1;
  }
  // What a killed saver leaves behind, at most one file, is named as documented, and goes with the next save.
  for (const auto& entry : fs::directory_iterator(folder.path())) {
    const std::string name = entry.path().filename().string();
    EXPECT_TRUE(name == "m.model" || (name.starts_with(".halfspace-") && name.ends_with(".tmp"))) << name;
  }
  RecordProperty("leftovers", static_cast<int>(kills_between));
  save_model(b, path);
  EXPECT_TRUE(load_model(path) == b);
  EXPECT_EQ(folder.files(), 1U);
}

// A cache is written piece by piece, and yet it is there whole or not at all.
TEST(Kill, NeverLeavesAnythingButTheOldOrTheNewCache) {
  const Folder folder;
  const std::string path = folder.file("c.cache");
  const auto text = [&](const char* name, int rows) {
    std::ofstream out(folder.file(name));
    for (int i = 0; i < rows; ++i) out << (i % 2 == 0 ? "+1" : "-1") << " 1:" << i << " 2:0.1\n";
    ReadOptions read;
    read.path = folder.file(name);
    read.threads = 1;
    return read;
  };
  const ReadOptions a = text("a", 9'000), b = text("b", 14'000);
  convert(a, path);
  Generator draws(4);
  for (int round = 0; round < 40; ++round) {
    const ::pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      try {
        while (true) {
          convert(b, path);
          convert(a, path);
        }
      } catch (...) {
        ::_exit(1);
      }
    }
    std::this_thread::sleep_for(std::chrono::microseconds(static_cast<int>(draws.next() * 20000)));
    ASSERT_EQ(::kill(child, SIGKILL), 0);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status)) << "the child failed to convert";
    ReadOptions read;
    read.path = path;
    Reader reader(read);
    std::uint64_t rows = 0;
    reader.read([&](const Block& block) {
      rows += block.rows;
      return true;
    });
    ASSERT_TRUE(rows == 9'000 || rows == 14'000) << rows;
  }
}

// What a dead process left of this target is removed; what somebody writes, or what is no file, is stepped over.
TEST(Atomic, ALeftoverOfTheTargetIsRemoved) {
  const Folder folder;
  const std::string path = folder.file("m.model");
  const Model model = played({}, 1);
  const auto left = [&](const char* target, int number) {
    const XXH64_hash_t hash = XXH3_64bits(target, std::strlen(target));
    char name[64];
    std::snprintf(name, sizeof name, ".halfspace-%016llx-%d.tmp", static_cast<unsigned long long>(hash), number);
    return folder.file(name);
  };
  for (const int number : {0, 1, 3}) std::ofstream(left("m.model", number)) << "left over";
  std::ofstream(left("other.model", 0)) << "left over";
  fs::create_symlink("other", left("m.model", 2));
  const int held = ::open(left("m.model", 1).c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_EQ(::flock(held, LOCK_EX), 0);
  save_model(model, path);
  save_model(model, path);
  EXPECT_TRUE(load_model(path) == model);
  EXPECT_FALSE(fs::exists(left("m.model", 0)));
  EXPECT_TRUE(fs::exists(left("m.model", 1))) << "somebody writes it";
  EXPECT_TRUE(fs::exists(left("other.model", 0))) << "it is of another target";
  ::close(held);
  std::vector<std::thread> savers;
  for (int k = 0; k < 4; ++k) {
    savers.emplace_back([&] {
      for (int i = 0; i < 50; ++i) save_model(model, path);
    });
  }
  for (std::thread& saver : savers) saver.join();
  EXPECT_TRUE(load_model(path) == model);
}

ErrorKind kind_of(const std::function<void()>& f, const std::string& path) {
  try {
    f();
  } catch (const Error& error) {
    EXPECT_EQ(error.file(), path);
    return error.kind();
  }
  return ErrorKind::internal;
}

TEST(Atomic, AFullDeviceIsAnErrorThatLeavesTheOldModel) {
  const Folder folder;
  const std::string path = folder.file("m.model");
  const Model old = played({}, 1);
  save_model(old, path);
  const Model next = big(2);
  const ::pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    // No file may grow beyond 4096 bytes: the write fails in its middle, as on a full disk.
    ::signal(SIGXFSZ, SIG_IGN);
    const ::rlimit limit{4096, 4096};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    try {
      save_model(next, path);
    } catch (const Error& error) {
      ::_exit(error.kind() == ErrorKind::input_output && error.file() == path ? 0 : 2);
    }
    ::_exit(1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_TRUE(load_model(path) == old);
  EXPECT_EQ(folder.files(), 1U) << "the temporary file is left";

  EXPECT_EQ(kind_of([&] { save_model(old, "/dev/full"); }, "/dev/full"), ErrorKind::input_output);
}

TEST(Atomic, FoldersThatAreNotThereAndFoldersForFiles) {
  const Folder folder;
  const std::string missing = folder.file("no/such/m.model");
  EXPECT_EQ(kind_of([&] { save_model(played({}, 1), missing); }, missing), ErrorKind::input_output);
  const std::string itself = folder.path().string();
  EXPECT_EQ(kind_of([&] { save_model(played({}, 1), itself); }, itself), ErrorKind::input_output);
  EXPECT_EQ(folder.files(), 0U);
}

TEST(Atomic, APathWithoutAFolder) {
  const Folder folder;
  const fs::path before = fs::current_path();
  fs::current_path(folder.path());
  save_model(played({}, 1), "m.model");
  EXPECT_TRUE(load_model("m.model") == played({}, 1));
  EXPECT_EQ(folder.files(), 1U);
  fs::current_path(before);
}

TEST(Atomic, PermissionsFollowTheUmaskAndThenTheFile) {
  const Folder folder;
  const std::string path = folder.file("m.model");
  const auto mode = [&] {
    struct stat status {};
    ::stat(path.c_str(), &status);
    return status.st_mode & 0777;
  };
  const ::mode_t umask_before = ::umask(027);
  save_model(played({}, 1), path);
  EXPECT_EQ(mode(), 0640U);
  ::chmod(path.c_str(), 0606);
  save_model(played({}, 2), path);
  EXPECT_EQ(mode(), 0606U);
  ::umask(umask_before);
}

TEST(Atomic, ALinkStaysALink) {
  const Folder folder;
  fs::create_directory(folder.file("there"));
  fs::create_symlink("there/m.model", folder.file("direct"));
  fs::create_symlink("direct", folder.file("chain"));
  for (const char* name : {"chain", "direct"}) {  // first while the target is missing, then over it
    const Model model = played({}, name[0] == 'c' ? 1 : 2);
    save_model(model, folder.file(name));
    EXPECT_TRUE(fs::is_symlink(folder.file(name)));
    EXPECT_TRUE(load_model(folder.file("there/m.model")) == model);
  }
  fs::create_symlink("round", folder.file("round"));
  EXPECT_EQ(kind_of([&] { save_model(played({}, 1), folder.file("round")); }, folder.file("round")),
            ErrorKind::input_output);
}

TEST(Atomic, WhatIsNoRegularFileIsWrittenDirectly) {
  const Folder folder;
  const Model model = played({}, 1);
  save_model(model, "/dev/null");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));

  const std::string pipe = folder.file("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&] { save_model(model, pipe); });
  EXPECT_TRUE(load_model(pipe) == model);
  writer.join();
  EXPECT_TRUE(fs::is_fifo(pipe));

  // An open file by its number (/dev/stdout is such a link): what is written follows what is there, in the same file.
  const std::string path = folder.file("out");
  const int file = ::open(path.c_str(), O_CREAT | O_WRONLY, 0600);
  ASSERT_EQ(::write(file, "before", 6), 6);
  save_model(model, "/proc/self/fd/" + std::to_string(file));
  struct stat open_status {
  }, path_status{};
  ::fstat(file, &open_status);
  ::stat(path.c_str(), &path_status);
  EXPECT_EQ(open_status.st_ino, path_status.st_ino);
  EXPECT_EQ(fs::file_size(path), 6 + encode(model).size());
  ::close(file);
}

}  // namespace
}  // namespace halfspace::testing
