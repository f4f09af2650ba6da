// The loop in your own hands: rows are read block by block, and a learner that is put together at compile time plays
// them one by one.
//
// Run it in this folder: it reads larks.csv.
#include <halfspace/halfspace.h>
#include <halfspace/linear/keep.h>
#include <halfspace/linear/linear.h>
#include <halfspace/rules/perceptron.h>

#include <iostream>

int main() {
  using namespace halfspace;
  ReadOptions read;
  read.path = "larks.csv";
  Reader reader(read);
  // Rule x keeper over weights with a bias coordinate of 1. Nothing is virtual, and a round allocates nothing.
  Linear<Perceptron> learner(Perceptron{}, Weights(BiasOptions{}));

  // A file can be read again; each pass gives the same blocks of rows in the order of the file.
  for (int pass = 1;; ++pass) {
    int mistakes = 0;
    reader.read([&](const Block& block) {
      learner.grow(block.features);
      for (std::size_t i = 0; i < block.rows; ++i) {
        // A row is stored in the smallest type that holds it: this calls back with an example of that type.
        block.with_example(i, [&](const auto& x) { mistakes += learner.round(x).mistake; });
      }
      return true;  // false ends the pass
    });
    std::cout << "pass " << pass << ": " << mistakes << (mistakes == 1 ? " mistake" : " mistakes") << "\n";
    if (mistakes == 0) break;  // the larks are separable: Novikoff's theorem says that it comes to this
  }
  const WeightVector w = learner.result();
  std::cout << reader.schema().labels.names[1] << " where " << w.w[0] << " wing + " << w.w[1] << " tail + " << w.bias
            << " > 0\n";
}
