// The table of labs, and running one or all.
#include "lab/labs.h"

#include <fmt/format.h>

#include <array>
#include <memory>
#include <vector>

#include "base/printable.h"
#include "base/stop.h"
#include "halfspace/base/error.h"

namespace halfspace::lab {
namespace {

constexpr std::array every_lab = {
    Lab{"analysts", "the majority of k of n analysts is always right: mistakes against n k", nullptr, lab_analysts},
    Lab{"batch", "passes until one is clean, against a single pass", nullptr, lab_batch, 16, 100'000},
    Lab{"orders", "first mistake, random, cyclic and shuffled: updates until clean", nullptr, lab_orders, 16, 100'000},
    Lab{"pocket", "the weights with the fewest errors, by ratchet and by run length", nullptr, lab_pocket, 10, 5'000},
    Lab{"averaged", "averaged and voted against last weights, with wrong labels", nullptr, lab_averaged, 800, 10'000},
    Lab{"margin", "the margin perceptron's guaranteed margin", nullptr, lab_margin, 1, 10'000},
    Lab{"margin-size", "large margins against small ones: which data are learned quickly", nullptr, lab_margin_size, 10,
        100'000},
    Lab{"losses", "the perceptron's criterion against the count of errors", nullptr, lab_losses, 20, 100'000},
    Lab{"ties", "three meanings of a score of 0", nullptr, lab_ties, 3, 300},
    Lab{"rate", "the learning rate, from zero and from another start", nullptr, lab_rate, 3, 200},
    Lab{"tightness", "orthogonal streams that meet (R / margin)^2 exactly", nullptr, lab_tightness, 4, 8192},
    Lab{"radius", "a textbook error, refuted: the largest coordinate is no radius", nullptr, lab_radius, 2, 8192},
    Lab{"single-point", "one point repeated: the formula against the run", nullptr, lab_single_point, 100},
    Lab{"bias", "the cost of the bias coordinate, and its best scale", nullptr, lab_bias},
    Lab{"minnow", "few relevant features: Minnow against the perceptron as d grows", nullptr, lab_minnow, 16},
    Lab{"wrong-minnow", "four textbook errors, refuted", nullptr, lab_wrong_minnow},
    Lab{"halving", "halving and the first survivor at their bounds", nullptr, lab_halving, 1, 4096},
    Lab{"soa", "the adversary that forces exactly the Littlestone dimension", nullptr, lab_soa, 1, 4096},
    Lab{"regret", "Hedge and the Exp3 family against their bounds", nullptr, lab_regret},
    Lab{"tails", "how far single runs of Exp3, Exp3.P and Exp3-IX stray from the mean", nullptr, lab_tails, 400,
        100'000},
    Lab{"exploration", "gamma in Exp3: how much to explore", nullptr, lab_exploration, 1, 200'000},
    Lab{"chooser", "what policies are worth while the world drifts: bounds at any time", nullptr, lab_chooser, 100,
        20'000},
    Lab{"doubling", "the doubling trick against a known horizon", nullptr, lab_doubling},
    Lab{"knn", "nearest neighbours against the perceptron: accuracy and cost", nullptr, lab_knn, 1, 100'000},
    Lab{"cycling", "inseparable data: the weights stay bounded and repeat", nullptr, lab_cycling, 10},
    Lab{"plane", "a data set in the plane, drawn: is it separable?",
        "larks, xor, spirals, touching or nearly-separable", lab_plane, 1, 100'000},
    Lab{"ldim", "the Littlestone dimension of a class, with a shattered tree",
        "a CSV table: a row a hypothesis, a column a point, cells 0 or 1", lab_ldim},
};

// Runs every lab that needs no data, at its default size.
LabReport run_all(const LabSettings& settings) {
  const auto refuse = [](const std::string& what, const char* why) {
    throw Error(ErrorKind::usage, fmt::format("lab all does not take {}: {}", what, why))
        .fix(fmt::format("leave out {}", what));
  };
  if (settings.n != 0) refuse(option("n"), "each lab has its own size");
  if (settings.plot) refuse(option("plot"), "each lab has its own plot");
  if (!settings.data.empty()) refuse("DATA", "it runs the labs that need none");
  LabReport report("all", "Every claim holds: of each lab that needs no data, at its default size.",
                   "halfspace lab NAME shows a lab's own claim, source and table", {"lab", "rows", "held"});
  for (const Lab& lab : labs()) {
    if (lab.data != nullptr) continue;
    if (settings.on_stage) settings.on_stage(fmt::format("lab {}", lab.name));
    LabSettings one;
    one.seed = settings.seed;
    one.interrupt = settings.interrupt;
    try {
      stop_if(settings.interrupt);
      const LabReport found = lab.run(one);
      report.add({lab.name, found.rows(), found.holds()}, found.holds());
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::input_output) throw;
      report.conclude(fmt::format("Interrupted before lab {}.", lab.name));
      break;
    }
  }
  return report;
}

LabReport run_one(const Lab& lab, const LabSettings& settings) {
  if (lab.data != nullptr && settings.data.empty()) {
    throw Error(ErrorKind::usage, fmt::format("lab {} needs data: {}", lab.name, lab.data))
        .fix(fmt::format("halfspace lab {} DATA", lab.name));
  }
  const auto refuse = [&](const char* why, const char* fix, std::uint64_t limit) {
    throw Error(ErrorKind::usage, fmt::format("lab {}: {} {}", lab.name, option("n", std::to_string(settings.n)), why))
        .fix(fmt::format("give {} or {}, or omit it", option("n", std::to_string(limit)), fix));
  };
  if (settings.n != 0 && settings.n < lab.least_n) refuse("is too small for the claim", "more", lab.least_n);
  if (settings.n > lab.most_n) refuse("would take too long", "less", lab.most_n);
  return lab.run(settings);
}

LabReport run_named(const LabSettings& settings) {
  if (settings.lab == "all") return run_all(settings);
  for (const Lab& lab : labs()) {
    if (settings.lab == lab.name) return run_one(lab, settings);
  }
  throw Error(ErrorKind::usage,
              settings.lab.empty() ? "no lab given" : "no lab is called '" + printable(settings.lab) + "'")
      .fix("halfspace lab " + option("list") + " names them");
}

}  // namespace

std::span<const Lab> labs() { return every_lab; }

std::vector<Option> options_of(LabSettings& settings) {
  std::vector<OptionChoice> choices;
  for (const Lab& lab : labs()) choices.push_back({lab.name, lab.purpose});
  choices.push_back({"all", "every lab that needs no data, with a summary"});
  return {{"lab", "LAB", "the lab", &settings.lab, takes::one_of(std::move(choices))},
          {"output", "FILE", "lab plane: write the rows as CSV into this file", &settings.output, takes::output_file()},
          {"n", "N", "the size of the experiment (default: takes seconds at most)", &settings.n,
           takes::between(1, 10'000'000)},
          {"seed", "N", "seed of the draws (default 1)", &settings.seed},
          {"plot", "", "end with a small plot: each number as a share of its bound", &settings.plot}};
}

std::unique_ptr<Experiment> run(const LabSettings& settings) {
  auto report = std::make_unique<LabReport>(run_named(settings));
  report->show(settings);
  return report;
}

}  // namespace halfspace::lab
