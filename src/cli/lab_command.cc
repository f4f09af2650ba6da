// halfspace lab: checks a theorem by experiment.
#include <fmt/format.h>

#include <array>
#include <memory>

#include "cli/commands.h"
#include "cli/lab_report.h"
#include "cli/labs.h"
#include "cli/terminal.h"
#include "halfspace/base/error.h"

namespace halfspace::cli {
namespace {

constexpr std::array every_lab = {
    Lab{"analysts", "the majority of k of n analysts is always right: mistakes against n k", nullptr, lab_analysts},
    Lab{"batch", "passes until one is clean, against a single pass", nullptr, lab_batch, 16, 100'000},
    Lab{"orders", "first mistake, random, cyclic and shuffled: updates until clean", nullptr, lab_orders, 16, 100'000},
    Lab{"pocket", "the weights with the fewest errors, by ratchet and by run length", nullptr, lab_pocket, 10, 5'000},
    Lab{"averaged", "averaged and voted against last weights, with wrong labels", nullptr, lab_averaged, 800, 10'000},
    Lab{"margin", "the margin perceptron's guaranteed margin", nullptr, lab_margin, 1, 10'000},
    Lab{"ties", "three meanings of a score of 0", nullptr, lab_ties, 3, 300},
    Lab{"rate", "the learning rate, from zero and from another start", nullptr, lab_rate, 3, 200},
    Lab{"tightness", "orthogonal streams that meet (R / margin)^2 exactly", nullptr, lab_tightness, 4},
    Lab{"single-point", "one point repeated: the formula against the run", nullptr, lab_single_point, 100},
    Lab{"bias", "the cost of the bias coordinate, and its best scale", nullptr, lab_bias},
    Lab{"minnow", "few relevant features: Minnow against the perceptron as d grows", nullptr, lab_minnow, 16},
    Lab{"wrong-minnow", "a textbook error, refuted", nullptr, lab_wrong_minnow},
    Lab{"halving", "halving and the first survivor at their bounds", nullptr, lab_halving},
    Lab{"soa", "the adversary that forces exactly the Littlestone dimension", nullptr, lab_soa},
    Lab{"regret", "Hedge and the Exp3 family against their bounds", nullptr, lab_regret},
    Lab{"exploration", "gamma in Exp3: how much to explore", nullptr, lab_exploration, 1, 200'000},
    Lab{"doubling", "the doubling trick against a known horizon", nullptr, lab_doubling},
    Lab{"knn", "nearest neighbours against the perceptron: accuracy and cost", nullptr, lab_knn},
    Lab{"cycling", "inseparable data: the weights stay bounded and repeat", nullptr, lab_cycling, 10},
    Lab{"plane", "a data set in the plane, drawn: is it separable?",
        "larks, xor, spirals, touching or nearly-separable", lab_plane, 1, 100'000},
    Lab{"ldim", "the Littlestone dimension of a class, with a shattered tree",
        "a CSV table: a row a hypothesis, a column a point, cells 0 or 1", lab_ldim},
};

int list() {
  std::string text;
  for (const Lab& lab : labs())
    text += fmt::format("  {:<12} {}{}\n", lab.name, lab.purpose,
                        lab.data == nullptr ? "" : dim(fmt::format("   DATA: {}", lab.data)));
  text += fmt::format("  {:<12} every lab that needs no data, with a summary\n", "all");
  print_result(text);
  return 0;
}

// Runs every lab that needs no data, at its default size.
int run_all(const LabFlags& flags) {
  const auto refuse = [](const char* flag, const char* why) {
    throw Error(ErrorKind::usage, fmt::format("lab all does not take {}: {}", flag, why))
        .fix(fmt::format("leave out {}", flag));
  };
  if (flags.n != 0) refuse("--n", "each lab has its own size");
  if (flags.plot) refuse("--plot", "each lab has its own plot");
  if (!flags.data.empty()) refuse("DATA", "it runs the labs that need none");
  LabReport report("all", "Every claim holds: of each lab that needs no data, at its default size.",
                   "halfspace lab NAME shows a lab's own claim, source and table", {"lab", "rows", "held"});
  Progress progress(!flags.json);
  for (const Lab& lab : labs()) {
    if (lab.data != nullptr) continue;
    if (interrupted()) {
      report.conclude(fmt::format("Interrupted before lab {}.", lab.name));
      break;
    }
    if (progress.due()) progress.show(fmt::format("lab {}", lab.name));
    LabFlags one;
    one.seed = flags.seed;
    one.summarize = [&](std::size_t rows, bool holds) { report.add({lab.name, rows, holds}, holds); };
    lab.run(one);
  }
  progress.clear();
  return report.print(flags);
}

int run(const std::string& name, const LabFlags& flags) {
  if (name == "all") return run_all(flags);
  for (const Lab& lab : labs()) {
    if (name != lab.name) continue;
    if (lab.data != nullptr && flags.data.empty() && !flags.list) {
      throw Error(ErrorKind::usage, fmt::format("lab {} needs data: {}", name, lab.data))
          .fix(fmt::format("halfspace lab {} DATA", name));
    }
    if (flags.n != 0 && flags.n < lab.least_n) {
      throw Error(ErrorKind::usage, fmt::format("lab {}: --n {} is too small for the claim", name, flags.n))
          .fix(fmt::format("give --n {} or more, or omit it", lab.least_n));
    }
    if (flags.n > lab.most_n) {
      throw Error(ErrorKind::usage, fmt::format("lab {}: --n {} would take too long", name, flags.n))
          .fix(fmt::format("give --n {} or less, or omit it", lab.most_n));
    }
    if (flags.plot && flags.json)
      throw Error(ErrorKind::usage, "--plot draws on stdout, where --json prints").fix("give one of the two");
    return lab.run(flags);
  }
  throw Error(ErrorKind::usage, "no lab is called '" + name + "'").fix("halfspace lab --list names them");
}

}  // namespace

std::span<const Lab> labs() {
  return every_lab;
}

Command lab_command() {
  struct LabCommand {
    LabFlags flags;
    std::string name;
  };
  auto asked = std::make_shared<LabCommand>();
  LabFlags& flags = asked->flags;
  Command command(
      "lab", "check a theorem by experiment: claim, runs, table",
      {{"halfspace lab --list", "the list of labs"},
       {"halfspace lab all", "every lab that needs no data: which claims held"},
       {"halfspace lab minnow --n 4096", "Minnow against the perceptron, up to 4,096 features"},
       {"halfspace lab plane xor --report xor.html", "four clouds that no line separates, drawn step by step"}});
  command.exits = {{1, "the claim did not hold"}};
  std::vector<FlagChoice> choices;
  for (const Lab& lab : labs()) choices.push_back({lab.name, lab.purpose});
  choices.push_back({"all", "every lab that needs no data, with a summary"});
  command.add(
      {{"LAB", "", "the lab", &asked->name, one_of(std::move(choices))},
       {"DATA", "", "the lab's data, if it needs any", &flags.data, input_file()},
       {"--list", "", "list the labs; lab plane --list its data sets", &flags.list},
       {"-o,--output", "FILE", "lab plane: write the rows as CSV into this file", &flags.output, output_file()},
       {"--n", "N", "the size of the experiment (default: takes seconds at most)", &flags.n, between(1, 10'000'000)},
       {"--seed", "N", "seed of the draws (default 1)", &flags.seed}});
  command.add(kOutputGroup, {json_row(flags.json)});
  command.add(kOutputGroup, report_rows(flags.report));
  command.add(kOutputGroup,
              {{"--plot", "", "end with a small plot: each number as a share of its bound", &flags.plot}});
  command.run = [asked](const Given&) {
    if (asked->flags.list && asked->name != "plane") return list();
    if (asked->name.empty()) throw Error(ErrorKind::usage, "no lab given").fix("halfspace lab --list names them");
    return run(asked->name, asked->flags);
  };
  return command;
}

}  // namespace halfspace::cli
