// The flags of the kernel rule, and its options in words.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "halfspace/linear/kernel_function.h"
#include "halfspace/train/model.h"

namespace halfspace::cli {

struct KernelFlags {
  std::string name, eviction;
  KernelOptions options;

  bool any() const { return !name.empty() || !eviction.empty() || !(options == KernelOptions{}); }
  KernelOptions chosen() const;
};

void add_kernel_flags(CLI::App* command, KernelFlags& flags, const std::string& group);

// A kernel: "gaussian, gamma 0.5".
std::string kernel_words(const Kernel& kernel);
// What a kernel model is made of: "395 support vectors of at most 1,000, random removed 0".
std::string support_words(const Model& model);

}  // namespace halfspace::cli
