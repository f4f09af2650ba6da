// Whom to believe about tomorrow's rain? Hedge follows several experts and does nearly as well as the best of them,
// whoever that turns out to be.
#include <halfspace/halfspace.h>

#include <iostream>

int main() {
  using namespace halfspace;
  // Advice is the probability of rain that each expert gives; the outcome is 1 when it rained.
  RoundTable table;
  table.names = {"always half", "as yesterday", "the almanac"};
  Generator draws(7);
  double yesterday = 0;
  for (int day = 0; day < 365; ++day) {
    const double rained = draws.next() < (yesterday == 1 ? 0.7 : 0.2) ? 1 : 0;
    const double almanac = draws.next() < 0.75 ? rained : 1 - rained;
    table.values.insert(table.values.end(), {0.5, yesterday == 1 ? 0.7 : 0.2, 0.1 + 0.8 * almanac});
    table.outcomes.push_back(rained);
    yesterday = rained;
    ++table.rounds;
  }
  // Squared loss is convex: Hedge forecasts the weighted mean of the advice, and needs no luck.
  FollowOptions options;
  options.algorithm = ExpertsAlgorithm::hedge;
  options.loss = Loss::squared;
  const FollowResult result = follow(table, options);
  for (std::size_t i = 0; i < table.names.size(); ++i) {
    std::cout << table.names[i] << ": loss " << result.ledger.loss(i) << ", weight " << result.weights[i] << "\n";
  }
  std::cout << "Hedge: loss " << result.ledger.paid() << ", regret " << result.ledger.regret() << "\n";
  std::cout << "the theorem allows a regret of " << result.bound->value << " (" << result.bound->theorem << ")\n";
}
