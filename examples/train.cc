// Learns from a CSV file who gets credit, says how good that is, saves the model and asks it about an applicant.
//
// Run it in this folder: it reads credit.csv.
#include <halfspace/halfspace.h>

#include <filesystem>
#include <iomanip>
#include <iostream>
#include <vector>

int main() {
  using namespace halfspace;
  // What to read. Columns of names become indicator features; the label is the last column.
  TrainOptions options;
  options.read.path = "credit.csv";
  options.read.columns.identifier = "applicant";  // names the row and says nothing about it
  // What to learn: rule x order x keeper. The average of all weights does better than the last ones on noisy data.
  options.composition.rule = rule::perceptron;
  options.composition.order = OrderName::shuffled;
  options.composition.keep = KeepName::average;
  options.until.passes = 30;
  options.normalize_columns = true;  // incomes are thousands, years are not
  options.holdout = 0.2;             // every fifth row is not learned from
  options.calibrate = CalibrationMethod::platt;

  try {
    const TrainResult result = train(options);
    const Ledger& ledger = result.model.ledger;
    std::cout << ledger.mistakes << " mistakes in " << ledger.rounds << " rounds over " << result.learned_rows
              << " rows\n";
    std::cout << result.holdout->errors << " errors on " << result.holdout->rows << " rows held out\n";

    // A model is a value; its file holds all that it takes to predict, and to go on learning.
    const std::string path = (std::filesystem::temp_directory_path() / "halfspace-example.model").string();
    save_model(result.model, path);
    const Model model = load_model(path);
    std::filesystem::remove(path);

    // One row: a value for each feature, in the order of their names. What is not said is 0.
    const std::vector<std::string> names = model.schema.feature_names();
    std::vector<double> applicant(names.size(), 0.0);
    for (std::size_t j = 0; j < names.size(); ++j) {
      if (names[j] == "income") applicant[j] = 2900;
      if (names[j] == "credit_score") applicant[j] = 640;
      if (names[j] == "employed=yes" || names[j] == "housing=family") applicant[j] = 1;
    }
    Predictor predictor(model);
    const Prediction prediction = predictor.predict(applicant);
    std::cout << std::fixed << std::setprecision(3) << "the applicant: " << prediction.label << ", "
              << model.schema.labels.names[1] << " with probability " << prediction.probabilities[1] << "\n";
  } catch (const Error& error) {
    std::cerr << error.what() << "\n";  // file, line and column, the reason, and what to do
    return static_cast<int>(error.kind());
  }
}
