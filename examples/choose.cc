// Rows in memory, and the parameter that does best on rows it has not seen.
#include <halfspace/halfspace.h>
#include <halfspace/rules/passive_aggressive.h>

#include <iostream>
#include <vector>

int main() {
  using namespace halfspace;
  // 400 points around a line that is off the origin; one label in ten is wrong.
  MemoryData data;
  Generator draws(3);
  for (int i = 0; i < 400; ++i) {
    const std::vector<double> x{draws.next(), draws.next()};
    const bool above = x[0] + 2 * x[1] > 1.5;
    data.add((draws.next() < 0.1) != above ? "above" : "below", x);
  }
  TrainOptions options;
  options.read.rows = &data;
  options.read.labels.positive = "above";
  options.composition.rule = rule::pa1;
  options.composition.order = OrderName::shuffled;
  options.composition.keep = KeepName::average;
  options.until.passes = 10;

  std::vector<NamedCandidate> grid{{{}, {options.composition, options.until}}};
  grid = spread(grid, "aggressiveness", logarithmic_grid(0.001, 10, 5),
                [](Candidate& c, double value) { c.composition.set(parameter::aggressiveness, value); });
  const Choice choice = choose(options, grid, 5);
  for (std::size_t i = 0; i < grid.size(); ++i) {
    std::cout << choice.candidates[i].name() << ": " << choice.verdicts[i].accuracy() << "\n";
  }
  // The lead of the best over the next; within two standard errors it is not statistically significant.
  const Lead lead = *choice.ahead();
  std::cout << "best: " << choice.winner().name() << ", ahead by " << lead.by << " +- " << lead.standard_error << "\n";
  take(choice, options);
  const TrainResult result = train(options);  // on all rows
  std::cout << *result.training_errors << " of " << data.rows() << " rows wrong\n";
}
