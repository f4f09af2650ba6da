// What a command line does to files, looked at before anything is opened: no output may overwrite an input, or another
// output.
#pragma once

#include <span>
#include <string>

namespace halfspace::cli {

struct NamedFile {
  std::string flag, path;
  bool written = false;
  bool read = false;        // and to be kept as it is; both: a state, which is this command's alone
  bool stdout_too = false;  // "-" is standard output
};

// Throws Error(usage) where an output is a file that another flag names (whatever the names and links that lead to it), or
// is "-" where that would be a file's name. Pipes and devices may be named twice.
void refuse_lost_files(std::span<const NamedFile> files);

}  // namespace halfspace::cli
