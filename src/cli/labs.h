// The labs: named experiments, each a claim, a run and a table. A lab is one line of the table in lab_command.cc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "cli/report_flags.h"

namespace halfspace::cli {

struct LabFlags {
  std::string data;    // the file or folder of data, for labs that need one
  std::string output;  // the folder of results; empty: none
  double seconds = 0;
  unsigned threads = 0;
  std::uint64_t n = 0;     // the size of the experiment; 0: the lab's default
  std::uint64_t seed = 1;  // of its draws
  bool json = false;
  bool plot = false;  // end with a small plot
  ReportFlags report;
};

struct Lab {
  const char* name;
  const char* purpose;  // one line
  const char* data;     // what DATA is; null: none is needed
  int (*run)(const LabFlags&);
  std::uint64_t least_n = 1;  // the smallest size that can show the claim
};

// Returns every lab.
std::span<const Lab> labs();

int lab_mnist(const LabFlags& flags);
// lab_perceptron.cc
int lab_analysts(const LabFlags& flags);
int lab_tightness(const LabFlags& flags);
int lab_single_point(const LabFlags& flags);
int lab_bias(const LabFlags& flags);
int lab_minnow(const LabFlags& flags);
int lab_wrong_minnow(const LabFlags& flags);
int lab_knn(const LabFlags& flags);
int lab_cycling(const LabFlags& flags);
// lab_experts.cc
int lab_halving(const LabFlags& flags);
int lab_soa(const LabFlags& flags);
int lab_regret(const LabFlags& flags);
int lab_ldim(const LabFlags& flags);

}  // namespace halfspace::cli
