// The labs: named experiments, each a claim, a run and a table. A lab is one line of the table in lab_command.cc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "cli/report_flags.h"

namespace halfspace::cli {

struct LabFlags {
  std::string data;        // the file or the name of data, for labs that need one
  std::string output;      // the file of lab plane's rows; empty: none
  std::uint64_t n = 0;     // the size of the experiment; 0: the lab's default
  std::uint64_t seed = 1;  // of its draws
  bool json = false;
  bool list = false;  // list the data sets of lab plane
  bool plot = false;  // end with a small plot
  ReportFlags report;
  // Receives the number of rows, and whether the claim held, instead of printing the report; empty: print it.
  std::function<void(std::size_t rows, bool holds)> summarize{};
};

struct Lab {
  const char* name;
  const char* purpose;  // one line
  const char* data;     // what DATA is; null: none is needed
  int (*run)(const LabFlags&);
  std::uint64_t least_n = 1;          // the smallest size that can show the claim
  std::uint64_t most_n = 10'000'000;  // the largest that takes minutes at most
};

// Returns every lab.
std::span<const Lab> labs();

// lab_perceptron.cc
int lab_analysts(const LabFlags& flags);
int lab_tightness(const LabFlags& flags);
int lab_single_point(const LabFlags& flags);
int lab_bias(const LabFlags& flags);
int lab_minnow(const LabFlags& flags);
int lab_wrong_minnow(const LabFlags& flags);
int lab_knn(const LabFlags& flags);
int lab_cycling(const LabFlags& flags);
// lab_orders.cc
int lab_batch(const LabFlags& flags);
int lab_orders(const LabFlags& flags);
int lab_ties(const LabFlags& flags);
int lab_rate(const LabFlags& flags);
int lab_margin(const LabFlags& flags);
// lab_noise.cc
int lab_pocket(const LabFlags& flags);
int lab_averaged(const LabFlags& flags);
// lab_plane.cc
int lab_plane(const LabFlags& flags);
// lab_experts.cc
int lab_halving(const LabFlags& flags);
int lab_soa(const LabFlags& flags);
int lab_regret(const LabFlags& flags);
int lab_exploration(const LabFlags& flags);
int lab_doubling(const LabFlags& flags);
int lab_ldim(const LabFlags& flags);

}  // namespace halfspace::cli
