// What several notes propose, as one command line.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/flags.h"

namespace halfspace::cli {

// Gathers the flags that fixes propose first (halfspace/base/error.h), those of a command that stand beside one another
// and beside what was given. Thread-safety: one thread.
class Proposals {
 public:
  // `command` must outlive this.
  Proposals(const Command& command, const Given& given) : command_(command), given_(given) {}

  // Adds what a fix proposes, all of it or nothing.
  void add(std::string_view fix);
  void add_flag(const std::string& name, const std::string& value);

  bool empty() const noexcept { return flags_.empty(); }
  // Returns the command line by which the program was called, and the flags behind it.
  std::string line() const;

 private:
  bool fits(const std::string& name, const std::string& value) const;

  const Command& command_;
  const Given& given_;
  std::vector<std::pair<std::string, std::string>> flags_;  // of lists the values, with commas between them
  std::vector<std::string> columns_;                        // that have a role
};

}  // namespace halfspace::cli
