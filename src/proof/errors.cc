// Packing, branching, and weights that err little.
#include "proof/errors.h"

#include <algorithm>

#include "proof/search/coordinate_descent.h"
#include "proof/search/duplicates.h"

namespace halfspace::proof {
namespace {

constexpr unsigned depth_limit = 60;  // the certificate's trees are at most 64 deep

const auto silent = [](const char*, Bracket) {};

// The question without some rows, and where its members were.
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

std::uint64_t errors_of(const Judgement& judgement) { return judgement.wrong + judgement.zero_negative + judgement.zero_positive; }

class Search {
 public:
  Search(const Problem& problem, const Deadline& deadline) : problem_(problem), deadline_(deadline) {}

  FewestErrors run(const WeightedMembers& witness) {
    weigh();
    pack(witness);
    branch();
    return std::move(result_);
  }

 private:
  void offer(const std::vector<mpz_class>& v) {
    const std::uint64_t count = errors_of(judge(problem_, v));
    if (!result_.weights.empty() && count >= result_.upper) return;
    result_.upper = count;
    result_.weights = v;
  }

  void weigh() {
    std::vector<mpz_class> v(problem_.dimension());
    offer(v);
    if (problem_.biased) {
      for (const int sign : {1, -1}) {
        v.back() = sign;
        offer(v);
      }
    }
    const SignedPoints points(problem_.points->rows(), problem_.members, problem_.points->features(), problem_.biased);
    for (const double price : {0.1, 1.0, 10.0, 100.0}) {
      if (deadline_.passed()) return;
      offer(round_weights(coordinate_descent(points, 25, deadline_, price).unscaled, 40));
    }
  }

  void use(const WeightedMembers& witness, std::vector<std::uint8_t>& gone) {
    for (const WeightedMember& w : witness) gone[w.member] = 1;
    result_.tree.packing.push_back(static_cast<std::uint32_t>(result_.witnesses.size()));
    result_.witnesses.push_back(witness);
    ++result_.lower;
  }

  void pack(const WeightedMembers& known) {
    std::vector<std::uint8_t> gone(problem_.size(), 0);
    const SignedPoints points(problem_.points->rows(), problem_.members, problem_.points->features(), problem_.biased);
    const Conflicts conflicts = find_conflicts(points);
    for (const std::uint32_t i : conflicts.zeros) {
      if (is_witness(problem_, {{i, 1}})) use({{i, 1}}, gone);
    }
    for (const auto& [a, b] : conflicts.pairs) {
      if (is_witness(problem_, {{a, 1}, {b, 1}})) use({{a, 1}, {b, 1}}, gone);
    }
    if (result_.lower == 0) use(known, gone);
    while (!deadline_.passed() && result_.lower < result_.upper) {
      const Part part = without(problem_, gone);
      Decision decision = decide(part.problem, deadline_, silent);
      if (decision.separator) {
        offer(*decision.separator);
        return;
      }
      if (decision.witness.empty()) return;
      in_original(decision.witness, part);
      use(decision.witness, gone);
    }
  }

  // Deeper trees while there is time, until the two sides meet.
  void branch() {
    while (result_.lower < result_.upper && result_.lower < depth_limit && !deadline_.passed()) {
      std::vector<std::uint8_t> gone(problem_.size(), 0);
      const std::size_t kept = result_.witnesses.size();
      failed_ = false;
      ErrorTree tree = force(gone, static_cast<unsigned>(result_.lower) + 1);
      if (failed_) {
        result_.witnesses.resize(kept);
        return;  // out of time, or weights that err on `lower` rows were found: the two sides have met
      }
      ++result_.lower;
      result_.tree = std::move(tree);
      result_.witnesses.erase(result_.witnesses.begin(), result_.witnesses.begin() + static_cast<std::ptrdiff_t>(kept));
      std::vector<std::uint32_t> position(kept + result_.witnesses.size());
      for (std::size_t k = kept; k < position.size(); ++k) position[k] = static_cast<std::uint32_t>(k - kept);
      renumber(result_.tree, position);
    }
  }

  // A tree of at least this value when the rows `gone` are not counted; or failed_ is set.
  ErrorTree force(std::vector<std::uint8_t>& gone, unsigned errors) {
    ErrorTree tree;
    if (errors == 0 || failed_) return tree;
    const Part part = without(problem_, gone);
    Decision decision = decide(part.problem, deadline_, silent);
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
  const Deadline& deadline_;
  FewestErrors result_;
  bool failed_ = false;
};

}  // namespace

FewestErrors fewest_errors(const Problem& problem, const WeightedMembers& witness, const Deadline& deadline) {
  return Search(problem, deadline).run(witness);
}

void renumber(ErrorTree& tree, const std::vector<std::uint32_t>& position) {
  for (std::uint32_t& k : tree.packing) k = position[k];
  if (tree.witness) tree.witness = position[*tree.witness];
  for (ErrorTree& then : tree.then) renumber(then, position);
}

}  // namespace halfspace::proof
