// Options by name, and no word on how to learn: what `halfspace train credit.csv --id applicant` does. Run it in this
// folder: it reads credit.csv.
#include <halfspace/halfspace.h>

#include <iostream>

int main() {
  using namespace halfspace;
  TrainSettings settings;
  settings.data.paths = {"credit.csv"};
  set_option(options_of(settings), "id", "applicant");
  const TrainResult result = train(settings);  // cross-validates several learners, and trains the best on all rows

  std::cout << (result.minimum ? "logistic regression" : name_of(result.model.composition.rule)) << ": "
            << *result.training_errors << " of " << result.learned_rows << " rows wrong\n";
  std::cout << "at most " << 100 * result.expected_error->bounds.upper << " % of new rows, 95 % confidence\n";
}
