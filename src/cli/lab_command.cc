// halfspace lab: run a theorem.
#include <fmt/format.h>

#include <array>
#include <memory>

#include "base/nearest.h"
#include "cli/commands.h"
#include "cli/labs.h"
#include "cli/terminal.h"
#include "halfspace/base/error.h"

namespace halfspace::cli {
namespace {

constexpr std::array table = {
    Lab{"analysts", "a majority of k among n analysts is always right: mistakes against n k", nullptr, lab_analysts},
    Lab{"tightness", "orthogonal streams that meet (R / margin)^2 exactly", nullptr, lab_tightness},
    Lab{"single-point", "one point repeated: the formula against the run", nullptr, lab_single_point},
    Lab{"bias", "what the bias coordinate costs, and its best scale", nullptr, lab_bias},
    Lab{"minnow", "few relevant features: Minnow against the perceptron as d grows", nullptr, lab_minnow},
    Lab{"wrong-minnow", "the textbook slip, defeated", nullptr, lab_wrong_minnow},
    Lab{"halving", "halving and the first survivor at their bounds", nullptr, lab_halving},
    Lab{"soa", "the adversary that forces exactly the Littlestone dimension", nullptr, lab_soa},
    Lab{"regret", "Hedge and the Exp3 family against their bounds", nullptr, lab_regret},
    Lab{"knn", "nearest neighbours against the perceptron: accuracy and cost", nullptr, lab_knn},
    Lab{"cycling", "inseparable data: the weights stay bounded and come back", nullptr, lab_cycling},
    Lab{"ldim", "the Littlestone dimension of a class, with a shattered tree",
        "a CSV table: a row a hypothesis, a column a point, cells 0 or 1", lab_ldim},
    Lab{"mnist", "which of MNIST's digits a line can tell apart: 165 questions, each with a proof",
        "the folder of the idx files", lab_mnist},
};

int list() {
  std::string text;
  for (const Lab& lab : labs())
    text += fmt::format("  {:<12} {}{}\n", lab.name, lab.purpose,
                        lab.data == nullptr ? "" : dim(fmt::format("   DATA: {}", lab.data)));
  print_result(text);
  return 0;
}

int run(const std::string& name, const LabFlags& flags) {
  std::vector<std::string> names;
  for (const Lab& lab : labs()) {
    if (name == lab.name) {
      if (lab.data != nullptr && flags.data.empty()) {
        throw Error(ErrorKind::usage, fmt::format("lab {} needs data: {}", name, lab.data))
            .fix(fmt::format("halfspace lab {} DATA", name));
      }
      if (flags.plot && flags.json)
        throw Error(ErrorKind::usage, "--plot draws on stdout, where --json prints").fix("give one of the two");
      return lab.run(flags);
    }
    names.emplace_back(lab.name);
  }
  const std::vector<std::string> near = nearest(name, names);
  throw Error(ErrorKind::usage,
              fmt::format("no lab is called '{}'{}", name, near.empty() ? "" : "; did you mean " + near.front() + "?"))
      .fix("halfspace lab --list names them");
}

}  // namespace

std::span<const Lab> labs() {
  return table;
}

void add_lab(CLI::App& app, Action& action) {
  struct Given {
    LabFlags flags;
    std::string name;
    bool list = false;
  };
  auto given = std::make_shared<Given>();
  CLI::App* command =
      add_command(app, "lab", "run a theorem: the claim, the experiment, the table",
                  {{"halfspace lab --list", "what there is"},
                   {"halfspace lab minnow --n 4096", "Minnow against the perceptron, up to 4,096 features"},
                   {"halfspace lab mnist FOLDER -o PROOFS", "settles MNIST and keeps the 165 certificates"}});
  command->add_option("NAME", given->name, "which lab");
  command->add_option("DATA", given->flags.data, "its data, if it needs any");
  command->add_flag("--list", given->list, "list the labs");
  command->add_option("-o,--output", given->flags.output, "keep what it makes in this folder")->type_name("FOLDER");
  command->add_option("--seconds", given->flags.seconds, "for one question, at most (default: as long as it takes)")
      ->type_name("S")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--threads", given->flags.threads, "questions at once (default: all cores)")->type_name("N");
  command->add_option("--n", given->flags.n, "its size (default: so that it takes seconds at most)")
      ->type_name("N")
      ->check(CLI::Range(std::size_t{1}, std::size_t{10'000'000}));
  command->add_option("--seed", given->flags.seed, "seed of its draws (default 1)")->type_name("N");
  command->add_flag("--json", given->flags.json, "one JSON object on stdout")->group("Output");
  add_report_flags(command, given->flags.report);
  command->add_flag("--plot", given->flags.plot, "end with a small plot: each number as a share of its bound")
      ->group("Output");
  command->callback([given, &action] {
    action = [given] {
      if (given->list) return list();
      if (given->name.empty()) throw Error(ErrorKind::usage, "which lab?").fix("halfspace lab --list names them");
      return run(given->name, given->flags);
    };
  });
}

}  // namespace halfspace::cli
