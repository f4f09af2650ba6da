// Flags and words of the kernel rule.
#include "cli/kernel_flags.h"

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/terminal.h"
#include "halfspace/rules/kernel_perceptron.h"

namespace halfspace::cli {

KernelOptions KernelFlags::chosen() const {
  KernelOptions all = options;
  if (!name.empty()) all.kernel.name = *kernel_named(name);
  if (!eviction.empty()) all.eviction = *eviction_named(eviction);
  return all;
}

void add_kernel_flags(CLI::App* command, KernelFlags& flags, const std::string& group) {
  command->add_option("--kernel", flags.name, "kernel: linear, polynomial or gaussian (default)")
      ->check(one_of({"linear", "polynomial", "gaussian"}))
      ->type_name("KERNEL")
      ->group(group);
  command
      ->add_option("--gamma", flags.options.kernel.gamma,
                   "gaussian: e^(-gamma |x - x'|^2); polynomial: factor of <x, x'> (default 1)")
      ->type_name("G")
      ->group(group);
  command
      ->add_option("--degree", flags.options.kernel.degree, "polynomial: (gamma <x, x'> + offset)^degree (default 2)")
      ->type_name("D")
      ->group(group);
  command->add_option("--offset", flags.options.kernel.offset, "polynomial (default 1)")->type_name("O")->group(group);
  command->add_option("--budget", flags.options.budget, "kernel: at most N support vectors")
      ->type_name("N")
      ->group(group);
  command
      ->add_option("--eviction", flags.eviction,
                   "what makes room in a full budget: random (default), forgetron or projectron")
      ->check(one_of({"random", "forgetron", "projectron"}))
      ->type_name("HOW")
      ->group(group);
  command
      ->add_option("--residual", flags.options.residual,
                   "projectron: projects when it leaves out at most this share (default 0.1)")
      ->type_name("R")
      ->group(group);
}

std::string kernel_words(const Kernel& kernel) {
  switch (kernel.name) {
    case KernelName::linear:
      return "linear";
    case KernelName::polynomial:
      return fmt::format("({} <x, x'> + {})^{}", short_number(kernel.gamma), short_number(kernel.offset),
                         kernel.degree);
    default:
      return fmt::format("gaussian, gamma {}", short_number(kernel.gamma));
  }
}

std::string support_words(const Model& model) {
  const KernelOptions& k = model.composition.kernel;
  const KernelState& support = model.learner.kernel;
  std::string words = grouped(support.coefficient.size()) + " support vectors";
  if (!k.budget) return words;
  return words + fmt::format(" of at most {}, {} {} {}", grouped(*k.budget), name_of(k.eviction),
                             k.eviction == Eviction::projectron ? "projected" : "removed",
                             grouped(static_cast<std::uint64_t>(forgotten_in(support).removed)));
}

}  // namespace halfspace::cli
