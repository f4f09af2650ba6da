// The algorithms as the notes state them, on integers, with nothing clever: exact, slow, obvious. What the library does
// is held against this.
#pragma once

#include <cstdint>
#include <vector>

#include "halfspace/linear/rule.h"

namespace halfspace::testing::oracle {

using Integer = std::int64_t;
using Vector = std::vector<Integer>;

struct Example {
  Vector x;   // bias coordinate included, where the case wants it
  int label;  // +1, -1; multiclass: the class
};
using Examples = std::vector<Example>;

inline Integer inner(const Vector& a, const Vector& b) {
  Integer sum = 0;
  for (std::size_t j = 0; j < a.size(); ++j) sum += a[j] * b[j];
  return sum;
}
inline void add(Vector& w, Integer amount, const Vector& x) {
  for (std::size_t j = 0; j < w.size(); ++j) w[j] += amount * x[j];
}

inline bool wrong(Tie tie, int label, Integer score) {
  if (score > 0) return label < 0;
  if (score < 0) return label > 0;
  if (tie == Tie::mistake) return true;
  return tie == Tie::positive ? label < 0 : label > 0;
}

// Everything a run leaves behind.
struct Run {
  std::vector<std::uint32_t> updates;  // rows, in order
  std::vector<Vector> after_round;     // the weights after every round
  Vector w;
  std::uint64_t rounds = 0, mistakes = 0;
  bool clean = false;
};

// margin < 0: the perceptron; else the margin perceptron, which moves when y s <= margin.
inline bool moves(Tie tie, Integer margin, int label, Integer score) {
  return margin < 0 ? wrong(tie, label, score) : label * score <= margin;
}

inline void round(Run& run, Tie tie, Integer margin, const Examples& examples, std::uint32_t i) {
  const Integer score = inner(run.w, examples[i].x);
  ++run.rounds;
  run.mistakes += wrong(tie, examples[i].label, score);
  if (moves(tie, margin, examples[i].label, score)) {
    add(run.w, examples[i].label, examples[i].x);
    run.updates.push_back(i);
  }
  run.after_round.push_back(run.w);
}

// The loop: passes in order until one changes nothing.
inline Run batch(Tie tie, Integer margin, const Examples& examples, std::size_t dimension, std::uint64_t most_passes) {
  Run run;
  run.w.assign(dimension, 0);
  for (std::uint64_t pass = 0; pass < most_passes && !run.clean; ++pass) {
    const std::size_t before = run.updates.size();
    for (std::uint32_t i = 0; i < examples.size(); ++i) round(run, tie, margin, examples, i);
    run.clean = run.updates.size() == before;
  }
  return run;
}

// The walk: round and round until as many rounds in a row as there are rows changed nothing.
inline Run walk(Tie tie, Integer margin, const Examples& examples, std::size_t dimension, std::uint64_t most_updates) {
  Run run;
  run.w.assign(dimension, 0);
  std::size_t quiet = 0;
  for (std::uint32_t i = 0; quiet < examples.size(); i = (i + 1) % static_cast<std::uint32_t>(examples.size())) {
    const std::size_t before = run.updates.size();
    round(run, tie, margin, examples, i);
    quiet = run.updates.size() == before ? quiet + 1 : 0;
    if (run.updates.size() == most_updates) return run;
  }
  run.clean = true;
  return run;
}

inline std::vector<std::uint32_t> all_that_move(Tie tie, Integer margin, const Examples& examples, const Vector& w) {
  std::vector<std::uint32_t> found;
  for (std::uint32_t i = 0; i < examples.size(); ++i) {
    if (moves(tie, margin, examples[i].label, inner(w, examples[i].x))) found.push_back(i);
  }
  return found;
}

// PLA: the first row that is wrong, or (draws not empty) the one that the draw picks.
inline Run by_mistakes(Tie tie, Integer margin, const Examples& examples, std::size_t dimension,
                       std::uint64_t most_updates, const std::vector<double>& draws = {}) {
  Run run;
  run.w.assign(dimension, 0);
  while (true) {
    const auto found = all_that_move(tie, margin, examples, run.w);
    run.clean = found.empty();
    if (found.empty() || run.updates.size() == most_updates) return run;
    const std::size_t at =
        draws.empty() ? 0 : static_cast<std::size_t>(draws[run.updates.size()] * static_cast<double>(found.size()));
    round(run, tie, margin, examples, found[at]);
  }
}

inline std::uint64_t errors(Tie tie, const Examples& examples, const Vector& w) {
  std::uint64_t count = 0;
  for (const Example& example : examples) count += wrong(tie, example.label, inner(w, example.x));
  return count;
}

// Kesler's multiclass perceptron, passes in order. `uniform`: lowers every class that scored as high as the label's in
// place of the best alone (Tie::mistake); of three classes the shares are 1 and 1/2, and the weights are kept doubled.
struct ClassRun {
  std::vector<Vector> w;  // one a class
  std::vector<std::uint32_t> updates;
  bool clean = false;
};
inline ClassRun multiclass(Tie tie, const Examples& examples, std::size_t dimension, int classes,
                           std::uint64_t most_passes, bool uniform = false) {
  ClassRun run;
  run.w.assign(static_cast<std::size_t>(classes), Vector(dimension, 0));
  for (std::uint64_t pass = 0; pass < most_passes && !run.clean; ++pass) {
    const std::size_t before = run.updates.size();
    for (std::uint32_t i = 0; i < examples.size(); ++i) {
      std::vector<Integer> s;
      for (const Vector& w : run.w) s.push_back(inner(w, examples[i].x));
      const int label = examples[i].label;
      int predicted = 0;
      if (tie == Tie::positive) {  // the lowest of the highest
        for (int k = 1; k < classes; ++k) {
          if (s[static_cast<std::size_t>(k)] > s[static_cast<std::size_t>(predicted)]) predicted = k;
        }
      } else if (tie == Tie::negative) {  // the highest of the highest
        for (int k = 1; k < classes; ++k) {
          if (s[static_cast<std::size_t>(k)] >= s[static_cast<std::size_t>(predicted)]) predicted = k;
        }
      } else {  // the lowest of the highest others, unless the label's class beats them all
        predicted = label == 0 ? 1 : 0;
        for (int k = 0; k < classes; ++k) {
          if (k != label && s[static_cast<std::size_t>(k)] > s[static_cast<std::size_t>(predicted)]) predicted = k;
        }
        if (s[static_cast<std::size_t>(label)] > s[static_cast<std::size_t>(predicted)]) predicted = label;
      }
      if (predicted == label) continue;
      run.updates.push_back(i);
      if (!uniform) {
        add(run.w[static_cast<std::size_t>(label)], 1, examples[i].x);
        add(run.w[static_cast<std::size_t>(predicted)], -1, examples[i].x);
        continue;
      }
      std::vector<std::size_t> above;
      for (std::size_t k = 0; k < s.size(); ++k) {
        if (k != static_cast<std::size_t>(label) && s[k] >= s[static_cast<std::size_t>(label)]) above.push_back(k);
      }
      add(run.w[static_cast<std::size_t>(label)], 2, examples[i].x);
      for (const std::size_t k : above) add(run.w[k], above.size() == 1 ? -2 : -1, examples[i].x);
    }
    run.clean = run.updates.size() == before;
  }
  return run;
}

}  // namespace halfspace::testing::oracle
