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

bool exists(const std::string& path) {
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0;
}

constexpr std::string_view kScheme = "file://";

// Where XGBoost's words behind a file begin, npos if there are none: FILE?indexing_mode=1&format=libsvm, FILE#CACHE.
std::size_t end_of_file_name(const std::string& word) {
  const std::size_t query = word.rfind('?');
  if (query != std::string::npos) {
    for (const std::string_view name : {"format=", "indexing_mode=", "label_column="}) {
      const std::size_t at = word.find(name, query);
      if (at != std::string::npos && (word[at - 1] == '?' || word[at - 1] == '&')) return query;
    }
  }
  const std::size_t hash = word.find('#');
  const std::size_t begin = word.starts_with(kScheme) ? kScheme.size() : 0;
  if (hash == std::string::npos || hash < begin || !exists(word.substr(begin, hash - begin))) return std::string::npos;
  return hash;
}

// Returns whether a word that names no file is one that XGBoost reads: it names the format and the label's column,
// counted from 0, behind the file: FILE?format=csv&label_column=0.
bool is_address(const std::string& word) {
  return word.starts_with(kScheme) || end_of_file_name(word) != std::string::npos;
}

std::string fix_for_address(const std::string& word) {
  const std::size_t at = end_of_file_name(word);
  const auto value_of = [&](std::string_view name) {
    const std::size_t begin = word.find(name, at);
    if (begin == std::string::npos) return std::string();
    const std::size_t end = word.find_first_of("&#", begin);
    return word.substr(begin + name.size(), end == std::string::npos ? end : end - begin - name.size());
  };
  std::string flags;
  if (const std::string format = value_of("format="); format == "libsvm" || format == "csv")
    flags = " --format " + format;
  const std::string column = value_of("label_column=");
  unsigned number = 0;
  if (std::from_chars(column.data(), column.data() + column.size(), number).ec == std::errc() && number < 1000000)
    flags += " --label " + std::to_string(number + 1);
  std::string extra(word.starts_with(kScheme) ? kScheme : "");
  if (at != std::string::npos) extra += (extra.empty() ? "" : " and ") + word.substr(at);
  return "XGBoost's address of a file: leave out " + extra + (flags.empty() ? "" : ", and add" + flags);
}

}  // namespace

std::vector<std::string> expanded(const std::string& word, bool none_too) {
  if (exists(word)) return {word};
  const bool address = !none_too && is_address(word);
  if (word.find_first_of("*?[") == std::string::npos) {
    if (!address) return {word};
    throw Error(ErrorKind::no_input, "no such file").at(word).fix(fix_for_address(word));
  }
  glob_t found{};
  errno = 0;
  const int problem = ::glob(word.c_str(), GLOB_ERR | GLOB_NOSORT, nullptr, &found);
  const int error = errno;
  std::vector<std::string> names;
  if (problem == 0) names.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  ::globfree(&found);
  if (problem == GLOB_NOSPACE) throw std::bad_alloc();
  if (problem == GLOB_ABORTED && !address) {
    throw Error(ErrorKind::no_input,
                "cannot look into a folder of the pattern: " + std::generic_category().message(error))
        .at(word)
        .fix("check the permissions of the folders");
  }
  if (names.empty() && !none_too) {
    throw Error(ErrorKind::no_input, "no file matches this pattern")
        .at(word)
        .fix(address
                 ? fix_for_address(word)
                 : "check the folder and the pattern: * stands for any text, ? for one byte, [ab] for one of those");
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace halfspace::cli
