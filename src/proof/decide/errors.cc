// Packing, branching, and weights with few errors.
#include "proof/decide/errors.h"

#include <algorithm>
#include <random>

#include "proof/decide/weak.h"
#include "proof/search/coordinate_descent.h"
#include "proof/search/duplicates.h"

namespace halfspace::proof {
namespace {

constexpr unsigned depth_limit = 60;             // the certificate's trees are at most 64 deep
constexpr std::size_t most_witnesses = 1 << 16;  // of a tree: it may double with each level
constexpr unsigned pocket_steps = 2000;          // and at most a quarter of the time

const auto silent = [](const char*, Bracket) {};

// A question without some of its rows, and the original positions of its members.
struct Part {
  Problem problem;
  std::vector<std::uint32_t> original;
};

Part without(const Problem& problem, const std::vector<std::uint8_t>& gone) {
  Part part{problem, {}};
  part.problem.members.clear();
  for (std::uint32_t i = 0; i < problem.size(); ++i) {
    if (gone[i] != 0) continue;
    part.problem.members.push_back(problem.members[i]);
    part.original.push_back(i);
  }
  return part;
}

void in_original(WeightedMembers& witness, const Part& part) {
  for (WeightedMember& w : witness) w.member = part.original[w.member];
}

class Search {
 public:
  Search(const Problem& problem, Tie tie, const Budget& budget) : problem_(problem), tie_(tie), budget_(budget) {}

  FewestErrors run(const WeightedMembers& witness, const KnownErrors& known) {
    weigh(known.weights);
    pack(witness, known.packing);
    branch();
    return std::move(result_);
  }

 private:
  // Takes weights; returns true if they err on fewer rows than the best so far. A score of 0 takes the better side if a
  // bias can push it there: scores are integers, so doubling v and moving the bias by one leaves the signs of all
  // others.
  bool offer(std::vector<mpz_class> v) { return offer(std::move(v), budget_); }
  bool offer(std::vector<mpz_class> v, const Budget& budget) {
    SeparatorMargins measured;
    try {
      measured = measure_separator(problem_, v, 0, {}, budget);
    } catch (const GaveUp&) {
      return false;
    }
    std::uint64_t count = errors_of(problem_, tie_, measured.wrong, measured.zero_negative, measured.zero_positive);
    if (problem_.biased && measured.zero_negative != measured.zero_positive) {
      const bool up = measured.zero_positive > measured.zero_negative;
      count -= up ? measured.zero_positive : measured.zero_negative;
      for (mpz_class& x : v) x *= 2;
      v.back() += up ? 1 : -1;
    }
    if (!result_.weights.empty() && count >= result_.upper) return false;
    result_.upper = count;
    result_.weights = std::move(v);
    return true;
  }

  void weigh(const std::vector<std::vector<mpz_class>>& known) {
    std::vector<mpz_class> v(problem_.dimension());
    // Each makes one pass over the rows, whatever the budget, so there is always a result.
    offer(v, unlimited);
    for (const std::vector<mpz_class>& weights : known) offer(weights, unlimited);
    if (problem_.biased) {
      for (const int sign : {1, -1}) {
        v.back() = sign;
        offer(v, unlimited);
      }
    }
    const SignedPoints points(problem_.points->rows(), problem_.members, problem_.points->features(), problem_.biased);
    std::vector<double> best;
    for (const double price : {0.1, 1.0, 10.0, 100.0}) {
      if (budget_.passed()) return;
      std::vector<double> w = coordinate_descent(points, 25, budget_, price).unscaled;
      if (offer(round_weights(w, 40)) || best.empty()) best = std::move(w);
    }
    pocket(points, std::move(best));
  }

  // Improves these weights: a step corrects one wrong row, and is kept unless it errs on more rows.
  void pocket(const SignedPoints& points, std::vector<double> w) {
    Budget part = budget_;
    if (part.end != std::chrono::steady_clock::time_point::max()) {
      const auto now = std::chrono::steady_clock::now();
      part.end = std::min(part.end, now + (part.end - now) / 4);
    }
    std::mt19937_64 generator(1);
    std::vector<std::uint32_t> wrong, candidate_wrong;
    const auto count = [this, &points](const std::vector<double>& weights, std::vector<std::uint32_t>& rows) {
      rows.clear();
      for (std::uint32_t i = 0; i < points.size(); ++i) {
        const double score = points.dot_unscaled(i, weights.data());
        if (!(score > 0) && !(score == 0 && right_at_zero(i))) rows.push_back(i);
      }
    };
    count(w, wrong);
    std::vector<double> candidate;
    bool improved = false;
    for (unsigned step = 0; step < pocket_steps && !wrong.empty() && !part.passed(); ++step) {
      // Picks the less wrong of two rows: its step is shorter.
      std::uint32_t row = wrong[generator() % wrong.size()];
      const std::uint32_t other = wrong[generator() % wrong.size()];
      if (points.dot_unscaled(other, w.data()) > points.dot_unscaled(row, w.data())) row = other;
      if (!(points.squared_norm(row) > 0)) continue;
      candidate = w;
      const double score = points.dot_unscaled(row, w.data());
      points.add_twice_scaled(row, (0.01 - 1.01 * score) / points.squared_norm(row), candidate.data());
      count(candidate, candidate_wrong);
      if (candidate_wrong.size() > wrong.size()) continue;
      improved = improved || candidate_wrong.size() < wrong.size();
      w.swap(candidate);
      wrong.swap(candidate_wrong);
    }
    if (improved) offer(round_weights(w, 50));
  }

  bool right_at_zero(std::uint32_t member) const {
    return !problem_.biased && problem_.members[member].sign != wrong_at_zero(tie_);
  }

  // Decides some of the rows: the witness forces an error, or the separator makes none.
  Decision decided(const Part& part) const {
    Decision decision = decide(part.problem, budget_, silent);
    if (decision.witness.empty() || forces_error(part.problem, tie_, decision.witness)) return decision;
    const auto answer = decide_half_open(part.problem, wrong_at_zero(tie_), decision.witness, budget_);
    decision = {};
    if (!answer) return decision;
    if (answer->witness.empty()) {
      decision.separator = answer->separator;
    } else {
      decision.witness = answer->witness;
    }
    return decision;
  }

  // A witness that forces an error.
  bool forces(const WeightedMembers& witness) const {
    return is_witness(problem_, witness) && forces_error(problem_, tie_, witness);
  }

  void use(const WeightedMembers& witness, std::vector<std::uint8_t>& gone) {
    for (const WeightedMember& w : witness) gone[w.member] = 1;
    result_.tree.packing.push_back(static_cast<std::uint32_t>(result_.witnesses.size()));
    result_.witnesses.push_back(witness);
    ++result_.lower;
  }

  void pack(const WeightedMembers& known, const std::vector<WeightedMembers>& packing) {
    std::vector<std::uint8_t> gone(problem_.size(), 0);
    const auto counted = [&](const WeightedMembers& witness) {
      return std::none_of(witness.begin(), witness.end(), [&](const auto& w) { return gone[w.member] != 0; });
    };
    for (const WeightedMembers& witness : packing) {
      if (counted(witness) && forces(witness)) use(witness, gone);
    }
    const SignedPoints points(problem_.points->rows(), problem_.members, problem_.points->features(), problem_.biased);
    const Conflicts conflicts = find_conflicts(points);
    for (const std::uint32_t i : conflicts.zeros) {
      if (gone[i] == 0 && forces({{i, 1}})) use({{i, 1}}, gone);
    }
    for (const auto& [a, b] : conflicts.pairs) {
      const WeightedMembers pair = {{a, 1}, {b, 1}};
      if (counted(pair) && forces(pair)) use(pair, gone);
    }
    if (result_.lower == 0 && forces_error(problem_, tie_, known)) use(known, gone);
    while (!budget_.passed() && result_.lower < result_.upper) {
      const Part part = without(problem_, gone);
      Decision decision = decided(part);
      if (decision.separator) {
        offer(*decision.separator);
        return;
      }
      if (decision.witness.empty()) return;
      in_original(decision.witness, part);
      use(decision.witness, gone);
    }
  }

  // Searches deeper trees while there is time, until both bounds meet.
  void branch() {
    while (result_.lower < result_.upper && result_.lower < depth_limit && !budget_.passed()) {
      std::vector<std::uint8_t> gone(problem_.size(), 0);
      const std::size_t kept = result_.witnesses.size();
      failed_ = false;
      ErrorTree tree = force(gone, static_cast<unsigned>(result_.lower) + 1);
      if (failed_) {
        result_.witnesses.resize(kept);
        return;  // out of time, or the bounds meet
      }
      ++result_.lower;
      result_.tree = std::move(tree);
      result_.witnesses.erase(result_.witnesses.begin(), result_.witnesses.begin() + static_cast<std::ptrdiff_t>(kept));
      std::vector<std::uint32_t> position(kept + result_.witnesses.size());
      for (std::size_t k = kept; k < position.size(); ++k) position[k] = static_cast<std::uint32_t>(k - kept);
      renumber(result_.tree, position);
    }
  }

  // Returns a tree of at least this value without the rows `gone`; or sets failed_.
  ErrorTree force(std::vector<std::uint8_t>& gone, unsigned errors) {
    ErrorTree tree;
    if (errors == 0 || failed_) return tree;
    // Deciding may take almost no time, and happens at every node.
    if (budget_.passed() || result_.witnesses.size() >= most_witnesses) {
      failed_ = true;
      return tree;
    }
    const Part part = without(problem_, gone);
    Decision decision = decided(part);
    if (decision.separator) offer(*decision.separator);
    if (decision.witness.empty()) {
      failed_ = true;
      return tree;
    }
    in_original(decision.witness, part);
    const std::uint32_t position = static_cast<std::uint32_t>(result_.witnesses.size());
    result_.witnesses.push_back(decision.witness);
    if (errors == 1) {
      tree.packing.push_back(position);
      return tree;
    }
    tree.witness = position;
    for (const WeightedMember& w : decision.witness) {
      gone[w.member] = 1;
      tree.then.push_back(force(gone, errors - 1));
      gone[w.member] = 0;
      if (failed_) break;
    }
    return tree;
  }

  const Problem& problem_;
  const Tie tie_;
  const Budget& budget_;
  FewestErrors result_;
  bool failed_ = false;
};

}  // namespace

bool forces_error(const Problem& problem, Tie tie, const WeightedMembers& witness) {
  return problem.biased || std::any_of(witness.begin(), witness.end(), [&](const WeightedMember& w) {
           return problem.members[w.member].sign == wrong_at_zero(tie);
         });
}

std::uint64_t errors_of(const Problem& problem, Tie tie, std::uint64_t wrong, std::uint64_t zero_negative,
                        std::uint64_t zero_positive) {
  if (problem.biased) return wrong + zero_negative + zero_positive;
  return wrong + (wrong_at_zero(tie) < 0 ? zero_negative : zero_positive);
}

FewestErrors fewest_errors(const Problem& problem, Tie tie, const WeightedMembers& witness, const Budget& budget,
                           const KnownErrors& known) {
  return Search(problem, tie, budget).run(witness, known);
}

void renumber(ErrorTree& tree, const std::vector<std::uint32_t>& position) {
  for (std::uint32_t& k : tree.packing) k = position[k];
  if (tree.witness) tree.witness = position[*tree.witness];
  for (ErrorTree& then : tree.then) renumber(then, position);
}

}  // namespace halfspace::proof
