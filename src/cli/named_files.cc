// Compares files by device and inode where they are there, by where their names lead where they are not yet.
#include "cli/named_files.h"

#include <sys/stat.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "cli/terminal.h"
#include "halfspace/base/error.h"

namespace halfspace::cli {
namespace {

// Where a file would be made: links are followed, the last of which leads nowhere yet.
std::filesystem::path where(std::filesystem::path path) {
  std::error_code problem;
  for (int link = 0; link < 40 && std::filesystem::is_symlink(path, problem); ++link)
    path = path.parent_path() / std::filesystem::read_symlink(path, problem);
  const std::filesystem::path there = std::filesystem::weakly_canonical(path, problem);
  return problem ? path.lexically_normal() : there;
}

// Where the machine does not say which file it is, nothing is overwritten unseen.
bool is_there(const std::string& path, struct stat& status) {
  if (::stat(path.c_str(), &status) == 0) return true;
  if (errno != EIO && errno != ENOMEM) return false;
  throw Error(ErrorKind::input_output, "cannot look at it: " + std::generic_category().message(errno))
      .at(path)
      .fix("check the disk");
}

bool same_file(const std::string& a, const std::string& b) {
  struct stat of_a {
  }, of_b{};
  const bool a_exists = is_there(a, of_a), b_exists = is_there(b, of_b);
  if (a_exists != b_exists) return false;
  if (!a_exists) return where(a) == where(b);
  return S_ISREG(of_a.st_mode) && of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
}

}  // namespace

void refuse_lost_files(std::span<const NamedFile> files) {
  for (const NamedFile& output : files) {
    if (!output.written) continue;
    if (output.path == "-") {
      if (output.stdout_too) continue;
      throw Error(ErrorKind::usage, output.flag + " does not take - for standard output")
          .fix("name a file; /dev/stdout is standard output, ./- a file of that name");
    }
    for (const NamedFile& other : files) {
      if (&other == &output || other.path == "-" || !(other.written || other.read)) continue;
      if (!same_file(output.path, other.path)) continue;
      throw Error(ErrorKind::usage, output.flag + " " + printable(output.path) + " would overwrite " +
                                        (other.written ? "what " + other.flag + " writes" : other.flag) +
                                        (other.path == output.path ? "" : ", " + printable(other.path)))
          .fix("name another file for " + output.flag);
    }
  }
}

}  // namespace halfspace::cli
