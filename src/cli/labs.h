// The labs: named experiments, each a claim, a run and a table. A lab is one line of the table in lab_command.cc.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace halfspace::cli {

struct LabFlags {
  std::string data;    // a file or a folder, for labs that need one
  std::string output;  // a folder to keep what was made; empty: nothing is kept
  double seconds = 0;
  unsigned threads = 0;
  bool json = false;
};

struct Lab {
  const char* name;
  const char* purpose;  // one line
  const char* data;     // what DATA is; null: none is needed
  int (*run)(const LabFlags&);
};

// Every lab there is.
std::span<const Lab> labs();

int lab_mnist(const LabFlags& flags);

}  // namespace halfspace::cli
