// The shortest program that learns, predicts and proves. Run it in this folder: it reads larks.csv.
#include <halfspace/halfspace.h>

#include <iostream>

int main() {
  using namespace halfspace;
  TrainOptions options;  // the perceptron, unless another rule is named
  options.read.path = "larks.csv";
  options.composition.order = OrderName::cyclic;
  options.until.clean = Clean::pass;  // until a pass has no mistake
  const TrainResult result = train(options);
  std::cout << result.model.ledger.mistakes << " mistakes of at most " << result.bound->value << "\n";

  const double wing_and_tail[] = {2.5, 3};
  std::cout << "a " << Predictor(result.model).predict(wing_and_tail).label << "\n";

  CertifyOptions question;
  question.read.path = "larks.csv";
  std::cout << (certify(question).verdict == proof::Verdict::separable ? "separable, proved\n" : "not separable\n");
}
