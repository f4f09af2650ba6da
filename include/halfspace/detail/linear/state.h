// The state that a learner needs to continue bit for bit, in shapes that a model file can hold. No templates.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "halfspace/base/random.h"
#include "halfspace/detail/base/domain.h"
#include "halfspace/kernels/example.h"

namespace halfspace {

// A point of weight space: a result, a comparator, a stored vector.
struct WeightVector {
  std::vector<double> w;
  double bias = 0;  // the weight of the bias coordinate; it adds bias * scale to a score

  void grow(std::uint32_t features) {
    if (features > w.size()) w.resize(features, 0.0);
  }
  // Subtracts other / divisor, where other may be shorter.
  void subtract(const WeightVector& other, double divisor) {
    for (std::size_t j = 0; j < other.w.size(); ++j) w[j] -= other.w[j] / divisor;
    bias -= other.bias / divisor;
  }
  bool operator==(const WeightVector&) const = default;
};

// Weights of K classes, feature by feature: w[j * classes + k]. The weights of one feature for all classes are
// adjacent, and sums run over the row's features in order, class by class, with fused products: the same bits on every
// machine.
struct ClassWeightVector {
  std::uint32_t classes = 0;
  std::vector<double> w;
  std::vector<double> bias;  // one a class

  void grow(std::uint32_t features) {
    const std::size_t size = static_cast<std::size_t>(features) * classes;
    if (size > w.size()) w.resize(size, 0.0);
  }
  void subtract(const ClassWeightVector& other, double divisor) {
    for (std::size_t i = 0; i < w.size(); ++i) w[i] -= (i < other.w.size() ? other.w[i] : 0.0) / divisor;
    for (std::size_t k = 0; k < bias.size(); ++k) bias[k] -= other.bias[k] / divisor;
  }
  bool operator==(const ClassWeightVector&) const = default;
};

// The classes whose vectors an update moved; both 0 outside multiclass learning.
struct Moved {
  std::uint32_t raised = 0, lowered = 0;
  bool operator==(const Moved&) const = default;
};

// The vectors of a vote are stored as the steps that made them: replaying the steps from the start weights reproduces
// every vector bit for bit. (For exponential weights that grew on the way, up to the rounding of their common scale:
// the replay has all the features from the start.)
struct VoteStep {
  double amount = 0;
  std::uint64_t begin = 0;  // its row's values: [begin, next step's begin)
  Moved moved;
  bool restart = false;   // back to the start weights instead of a step
  std::uint64_t age = 0;  // rounds after which the vector made by this step was current

  bool operator==(const VoteStep&) const = default;
};

struct VoteHistory {
  std::uint64_t first_age = 0;  // of the start weights
  std::uint64_t counted = 0;    // rounds counted so far
  std::vector<VoteStep> steps;
  std::vector<std::uint32_t> index;
  std::vector<double> value;

  // Returns the row of step k.
  Example<double, false> row(std::size_t k) const {
    const std::uint64_t begin = steps[k].begin;
    const std::uint64_t end = k + 1 < steps.size() ? steps[k + 1].begin : index.size();
    return {index.data() + begin, value.data() + begin, static_cast<std::uint32_t>(end - begin), 0, 1.0, 0.0, 0};
  }
  bool operator==(const VoteHistory&) const = default;
};

// The state of a kernel learner: its support vectors, in order.
struct KernelState {
  std::vector<std::uint64_t> begin;  // of each support vector's values
  std::vector<std::uint32_t> index;
  std::vector<double> value;
  std::vector<double> coefficient;
  std::vector<double> lag;      // keep average: one each, else none
  std::vector<double> numbers;  // with a budget, see kernel_numbers; else none
  Generator::State draws{};     // with a budget
  bool operator==(const KernelState&) const = default;
};

// The state that a learner needs to continue bit for bit, as the model file stores it. All kinds of weights share the
// shape of ClassWeightVector: a binary learner has one "class".
struct LearnerState {
  std::uint64_t finished = 0;   // rounds
  ClassWeightVector weights;    // current weights; logarithms for exponential weights
  std::vector<double> numbers;  // of weights, rule and keeper, in this order: NumberArchive; docs/formats/model.md
  KernelState kernel;           // support vectors of the kernel rule, which has no weights
  std::vector<double> moments;  // second moments: a number a coordinate, or a matrix; rules that have them
  // Keepers: average (`kept` is the lag, or the sum for exponential weights), pocket (`kept` is the best).
  ClassWeightVector kept;
  std::vector<std::uint64_t> kept_counts;
  VoteHistory votes;
  bool operator==(const LearnerState&) const = default;
};

// The shape of a learner's state, to validate a file before it is used.
struct NumberField {
  std::string name;
  Domain domain;
};
struct StateShape {
  std::vector<NumberField> numbers;
  std::size_t counts = 0;        // numbers of the keeper: 5 for a pocket, 1 for a mean that counts its rounds
  bool lag = true;               // a mean over rounds keeps a vector
  bool matrix = false;           // moments: the triangle of a matrix over the coordinates,
  std::size_t moments_each = 0;  // or this many per coordinate
  std::size_t learners = 1;      // of which each has its own, one after another
  bool moments_not_negative = false;
  bool restarts = false;         // a vote may return to the start weights
  bool support_vectors = false;  // instead of weights

  std::uint64_t moments(std::uint64_t coordinates) const {
    return learners * (matrix ? coordinates * (coordinates + 1) / 2 : coordinates * moments_each);
  }
};

// The outcome of one round.
struct Outcome {
  double score = 0;   // <w, x>; multiclass: of the label's class
  double margin = 0;  // y <w, x>; multiclass: score of the label's class less the best of the others
  // A mistake is what the theorems count: at a tie the tie rule decides. An error is a prediction that is not the label.
  // Rows of weight 0 make neither.
  bool mistake = false;
  bool error = false;
  bool updated = false;
  double step = 0;             // how far along y x the weights moved, in the rule's own units
  std::int32_t predicted = 0;  // class; at a tie under Tie::mistake the positive one, of several the lowest
};

// Throws Error(data): the weights overflowed at this data row.
[[noreturn]] void throw_overflow(std::uint64_t row);

inline double checked_score(double score, std::uint64_t row) {
  if (std::isnan(score)) [[unlikely]]
    throw_overflow(row);
  return score;
}

// Throws Error(data): the composition cannot produce this state.
[[noreturn]] void refuse_state(const std::string& what);

// The numbers of a learner's state, in order: what weights, rules and keepers with numbers of their own describe once,
// in a static member `fields(self, archive)`, for writing, reading and listing.
//
//   template <class Self, class Archive>
//   static void fields(Self& self, Archive& archive) {
//     archive.number("scale", self.scale_, domain::positive);
//   }
class NumberWriter {
 public:
  explicit NumberWriter(std::vector<double>& numbers) : numbers_(numbers) {}
  template <class Number>
  void number(const char*, const Number& value, const Domain&) {
    numbers_.push_back(static_cast<double>(value));
  }

 private:
  std::vector<double>& numbers_;
};

// Throws Error(data) for a number that is missing or outside its domain.
class NumberReader {
 public:
  explicit NumberReader(const std::vector<double>& numbers) : numbers_(numbers) {}
  template <class Number>
  void number(const char* name, Number& value, const Domain& domain) {
    value = static_cast<Number>(next(name, domain));
  }
  // Throws Error(data) unless all were read.
  void finish() const;

 private:
  double next(const char* name, const Domain& domain);

  const std::vector<double>& numbers_;
  std::size_t at_ = 0;
};

class NumberNames {
 public:
  explicit NumberNames(std::vector<NumberField>& fields) : fields_(fields) {}
  template <class Number>
  void number(const char* name, const Number&, const Domain& domain) {
    fields_.push_back({name, domain});
  }

 private:
  std::vector<NumberField>& fields_;
};

// Describes the numbers of a part to an archive; nothing for a part without numbers.
template <class Part, class Archive>
void describe_numbers(Part& part, Archive& archive) {
  if constexpr (requires { std::remove_const_t<Part>::fields(part, archive); }) {
    std::remove_const_t<Part>::fields(part, archive);
  }
}

// Convert between the shapes of weights. There may be many: what the caller moves in is not copied.
inline ClassWeightVector flat(WeightVector v) { return {1, std::move(v.w), {v.bias}}; }
inline ClassWeightVector flat(ClassWeightVector v) { return v; }
// Throws Error(data) if the shape does not match.
void unflatten(const ClassWeightVector& flat, WeightVector& v);
void unflatten(const ClassWeightVector& flat, ClassWeightVector& v);

}  // namespace halfspace
