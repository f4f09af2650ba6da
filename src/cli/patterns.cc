// Expands patterns with glob(3).
#include "cli/patterns.h"

#include <glob.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <new>
#include <system_error>

#include "halfspace/base/error.h"

namespace halfspace::cli {

std::vector<std::string> expanded(const std::string& word, bool none_too) {
  struct stat status {};
  if (word.find_first_of("*?[") == std::string::npos || ::lstat(word.c_str(), &status) == 0) return {word};
  glob_t found{};
  errno = 0;
  const int problem = ::glob(word.c_str(), GLOB_ERR | GLOB_NOSORT, nullptr, &found);
  const int error = errno;
  std::vector<std::string> names;
  if (problem == 0) names.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  ::globfree(&found);
  if (problem == GLOB_NOSPACE) throw std::bad_alloc();
  if (problem == GLOB_ABORTED) {
    throw Error(ErrorKind::no_input,
                "cannot look into a folder of the pattern: " + std::generic_category().message(error))
        .at(word)
        .fix("check the permissions of the folders");
  }
  if (names.empty() && !none_too) {
    throw Error(ErrorKind::no_input, "no file matches this pattern")
        .at(word)
        .fix("check the folder and the pattern: * stands for any text, ? for one byte, [ab] for one of those");
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace halfspace::cli
