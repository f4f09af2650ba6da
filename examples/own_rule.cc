// A rule of your own, registered at run time: training, folds, bounds and model files know it as they know the others.
//
// The eager perceptron steps along every row with y <w, x> <= eagerness * step * |x|^2, mistake or not. Such a step adds
// at most (1 + 2 eagerness) step^2 |x|^2 to |w|^2, and step * y <u, x> to <w, u> as the perceptron's does: its theorems
// hold with (1 + 2 eagerness) |x|^2 for |x|^2. That is what `norm_factor` says. Run it in this folder.
#include <halfspace/halfspace.h>

#include <filesystem>
#include <iostream>

using namespace halfspace;

constexpr Parameter eagerness{.name = "eagerness", .placeholder = "E"};

struct Eager {
  Tie tie = Tie::mistake;
  double eagerness = 0;

  // How far to go along y x; 0 leaves the weights alone.
  double step(double sign, double score, double squared_norm, double weight) const {
    const bool moves = is_mistake(tie, sign, score) || sign * score <= eagerness * weight * squared_norm;
    return moves ? weight : 0.0;
  }
};

std::unique_ptr<Learner> make_eager(const Composition& c, const LearnerOptions&) {
  return make_linear(Eager{c.tie, c.value(eagerness)}, c);
}

void offer_bounds(const Composition& c, BoundSearch& search) {
  const BoundSearch::Steps steps{.norm_factor = 1 + 2 * c.value(eagerness)};
  search.offer_novikoff(steps);
  search.offer_perceptron_hinge(steps);
}

int main() {
  const RuleName eager{200};  // yours are 128 to 255; model files keep the number
  register_rule({.id = eager,
                 .name = "eager",
                 .words = "eager perceptron",
                 .help = "steps along rows that are right by too little, too",
                 .parameters = {{&eagerness, "the margin asked for, in steps", domain::not_negative, 0.5}},
                 .make = make_eager,
                 .bounds = offer_bounds});
  TrainOptions options;
  options.read.path = "larks.csv";
  options.until = {.clean = Clean::pass, .passes = 100};
  options.composition.rule = eager;
  for (const OrderName order : {OrderName::stream, OrderName::shuffled}) {
    options.composition.order = order;
    options.composition.keep = order == OrderName::stream ? KeepName::average : KeepName::last;
    const TrainResult result = train(options);
    std::cout << name_of(order) << ": " << result.model.ledger.mistakes << " mistakes of at most "
              << result.bound->value << " by " << result.bound->theorem << "\n";
  }
  const Folds folds(options, 5);
  for (const double value : {0.0, 0.5, 2.0}) {
    options.composition.set(eagerness, value);
    const Candidate candidate{options.composition, options.until};
    std::cout << "eagerness " << value << ": " << folds.cross_validate({&candidate, 1})[0].accuracy() << " right\n";
  }
  const Model trained = train(options).model;
  const std::string path = (std::filesystem::temp_directory_path() / "halfspace-example-eager.model").string();
  save_model(trained, path);
  const Model loaded = load_model(path);  // refused, with the reason, where the rule is not registered
  std::filesystem::remove(path);
  const double lark[] = {2.5, 3};
  std::cout << "a " << Predictor(loaded).predict(lark).label << ", says the "
            << (loaded == trained ? "same model\n" : "wrong model\n");
}
