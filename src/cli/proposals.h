// One command line from the proposals of several notes.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/flags.h"

namespace halfspace::cli {

// Gathers the flags that fixes propose first (halfspace/base/error.h), if they are flags of the command and do not
// conflict with each other or with given ones. Thread-safety: one thread.
class Proposals {
 public:
  // `command` must outlive this.
  Proposals(const Command& command, const Given& given) : command_(command), given_(given) {}

  // Adds the whole proposal of a fix, or nothing.
  void add(std::string_view fix);
  void add_flag(const std::string& name, const std::string& value);

  bool empty() const noexcept { return flags_.empty(); }
  // Returns the command line of this run, followed by the flags.
  std::string line() const;

 private:
  bool fits(const std::string& name, const std::string& value) const;

  const Command& command_;
  const Given& given_;
  std::vector<std::pair<std::string, std::string>> flags_;  // the values of lists are joined by commas
  std::vector<std::string> columns_;                        // columns with a role
};

}  // namespace halfspace::cli
