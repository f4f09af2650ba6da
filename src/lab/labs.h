// The labs: named experiments, each a claim, a run and a table.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "lab/lab_report.h"

namespace halfspace::lab {

struct Lab {
  const char* name;
  const char* purpose;  // one line
  const char* data;     // what the data are; null: none are needed
  LabReport (*run)(const LabSettings&);
  std::uint64_t least_n = 1;          // the smallest size that can show the claim
  std::uint64_t most_n = 10'000'000;  // the largest that takes minutes at most
};

// Returns every lab.
std::span<const Lab> labs();
// Returns a line for each data set of lab plane.
std::string plane_sets();

// perceptron_labs.cc
LabReport lab_analysts(const LabSettings& settings);
LabReport lab_tightness(const LabSettings& settings);
LabReport lab_radius(const LabSettings& settings);
LabReport lab_single_point(const LabSettings& settings);
LabReport lab_bias(const LabSettings& settings);
LabReport lab_minnow(const LabSettings& settings);
LabReport lab_wrong_minnow(const LabSettings& settings);
LabReport lab_knn(const LabSettings& settings);
LabReport lab_cycling(const LabSettings& settings);
// order_labs.cc
LabReport lab_batch(const LabSettings& settings);
LabReport lab_orders(const LabSettings& settings);
LabReport lab_ties(const LabSettings& settings);
LabReport lab_rate(const LabSettings& settings);
LabReport lab_margin(const LabSettings& settings);
LabReport lab_margin_size(const LabSettings& settings);
// noise_labs.cc
LabReport lab_pocket(const LabSettings& settings);
LabReport lab_averaged(const LabSettings& settings);
LabReport lab_losses(const LabSettings& settings);
// plane_lab.cc
LabReport lab_plane(const LabSettings& settings);
// experts_labs.cc
LabReport lab_halving(const LabSettings& settings);
LabReport lab_soa(const LabSettings& settings);
LabReport lab_regret(const LabSettings& settings);
LabReport lab_exploration(const LabSettings& settings);
LabReport lab_tails(const LabSettings& settings);
LabReport lab_doubling(const LabSettings& settings);
LabReport lab_ldim(const LabSettings& settings);
// chooser_lab.cc
LabReport lab_chooser(const LabSettings& settings);

}  // namespace halfspace::lab
