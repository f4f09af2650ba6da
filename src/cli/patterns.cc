// Expands patterns with glob(3).
#include "cli/patterns.h"

#include <glob.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <new>
#include <string_view>
#include <system_error>

#include "halfspace/base/error.h"

namespace halfspace::cli {
namespace {

// XGBoost names the format and the label's column, counted from 0, behind the file: FILE?format=csv&label_column=0.
std::string fix_for_no_match(const std::string& word) {
  constexpr std::string_view address = "?format=";
  const std::size_t at = word.rfind(address);
  if (at == std::string::npos)
    return "check the folder and the pattern: * stands for any text, ? for one byte, [ab] for one of those";
  const auto value_of = [&](std::string_view name) {
    const std::size_t begin = word.find(name, at);
    return begin == std::string::npos ? std::string()
                                      : word.substr(begin + name.size(), word.find('&', begin) - begin - name.size());
  };
  std::string flags;
  if (const std::string format = value_of("format="); format == "libsvm" || format == "csv")
    flags = " --format " + format;
  const std::string column = value_of("label_column=");
  unsigned number = 0;
  if (std::from_chars(column.data(), column.data() + column.size(), number).ec == std::errc() && number < 1000000)
    flags += " --label " + std::to_string(number + 1);
  return "XGBoost's address of a file: leave out " + word.substr(at) + (flags.empty() ? "" : ", and add" + flags);
}

}  // namespace

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
    throw Error(ErrorKind::no_input, "no file matches this pattern").at(word).fix(fix_for_no_match(word));
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace halfspace::cli
