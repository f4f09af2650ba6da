// Distributes rows to binary learners and combines their scores to class scores.
#include "halfspace/detail/game/class_learners.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "halfspace/base/error.h"
#include "halfspace/detail/linear/rival.h"
#include "halfspace/detail/linear/vote.h"

namespace halfspace {
namespace {

constexpr std::size_t rows_at_once = 256;

// Joins vectors of one class each, features outermost.
ClassWeightVector side_by_side(const std::vector<ClassWeightVector>& vectors) {
  if (vectors.front().classes == 0) return {};  // a keeper that keeps none
  ClassWeightVector all;
  all.classes = static_cast<std::uint32_t>(vectors.size());
  std::size_t features = 0;
  for (const ClassWeightVector& vector : vectors) features = std::max(features, vector.w.size());
  all.w.assign(features * vectors.size(), 0.0);
  for (std::size_t p = 0; p < vectors.size(); ++p) {
    for (std::size_t j = 0; j < vectors[p].w.size(); ++j) all.w[j * vectors.size() + p] = vectors[p].w[j];
    if (!vectors[p].bias.empty()) all.bias.push_back(vectors[p].bias[0]);
  }
  return all;
}

ClassWeightVector one_of(const ClassWeightVector& all, std::size_t p) {
  if (all.classes == 0) return {};
  ClassWeightVector one;
  one.classes = 1;
  one.w.resize(all.w.size() / all.classes);
  for (std::size_t j = 0; j < one.w.size(); ++j) one.w[j] = all.w[j * all.classes + p];
  if (p < all.bias.size()) one.bias = {all.bias[p]};
  return one;
}

template <class Number>
void append(std::vector<Number>& all, const std::vector<Number>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

// Returns the p-th of `count` equal parts.
template <class Number>
std::vector<Number> share_of(const std::vector<Number>& all, std::size_t p, std::size_t count) {
  if (all.size() % count != 0) refuse_state("the numbers do not divide evenly among the learners");
  const auto size = static_cast<std::ptrdiff_t>(all.size() / count), at = static_cast<std::ptrdiff_t>(p) * size;
  return std::vector<Number>(all.begin() + at, all.begin() + at + size);
}

std::unique_ptr<BinaryLearner> binary(std::unique_ptr<Learner> learner) {
  auto* const found = dynamic_cast<BinaryLearner*>(learner.get());
  if (found == nullptr) throw Error(ErrorKind::internal, "only binary learners combine for several classes");
  static_cast<void>(learner.release());
  return std::unique_ptr<BinaryLearner>(found);
}

}  // namespace

std::uint64_t learners_of(SeveralClasses how, std::uint32_t classes) {
  return how == SeveralClasses::one_against_one ? std::uint64_t{classes} * (classes - 1) / 2 : classes;
}

ClassLearners::ClassLearners(std::vector<std::unique_ptr<Learner>> learners, SeveralClasses how, std::uint32_t classes,
                             Tie tie, BiasOptions bias)
    : how_(how),
      classes_(classes),
      tie_(tie),
      bias_(bias),
      outcomes_(learners.size() * rows_at_once),
      scores_(classes) {
  const auto last = static_cast<std::int32_t>(classes);
  auto next = learners.begin();
  for (std::int32_t k = 0; k < last; ++k) {
    if (how == SeveralClasses::one_against_rest) parts_.push_back({binary(std::move(*next++)), {k, Sides::rest}});
    for (std::int32_t other = k + 1; how == SeveralClasses::one_against_one && other < last; ++other)
      parts_.push_back({binary(std::move(*next++)), {k, other}});
  }
}

void ClassLearners::grow(std::uint32_t features) {
  for (Part& part : parts_) part.learner->grow(features);
}

void ClassLearners::play_all(const Block& block, std::size_t from, std::size_t to) {
  for (std::size_t p = 0; p < parts_.size(); ++p)
    parts_[p].learner->play_sides(block, from, to, parts_[p].sides, &outcomes_[p * rows_at_once]);
}

void ClassLearners::look_at_all(const Block& block, std::size_t from, std::size_t to) const {
  for (std::size_t p = 0; p < parts_.size(); ++p)
    parts_[p].learner->look_sides(block, from, to, parts_[p].sides, &outcomes_[p * rows_at_once]);
}

Outcome ClassLearners::outcome_of(const Block& block, std::size_t from, std::size_t i) const {
  Outcome outcome;
  std::fill(scores_.begin(), scores_.end(), 0.0);
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    const SidedOutcome& sided = outcomes_[p * rows_at_once + i - from];
    scores_[static_cast<std::size_t>(parts_[p].sides.positive)] += sided.score;
    if (parts_[p].sides.negative != Sides::rest)
      scores_[static_cast<std::size_t>(parts_[p].sides.negative)] -= sided.score;
    outcome.step += std::abs(sided.step);
    outcome.updated = outcome.updated || sided.step != 0;
  }
  const auto label = static_cast<std::uint32_t>(block.label[i]);
  for (const double score : scores_) {
    if (std::isnan(score)) throw_overflow(block.row[i]);
  }
  const double weight = block.weight == nullptr ? 1 : block.weight[i];
  compare_with_rival(scores_.data(), classes_, label, tie_, weight, outcome);
  return outcome;
}

std::size_t ClassLearners::at_once(const Limits& limits, const Ledger& ledger) const {
  if (observer) return 1;
  std::uint64_t most = rows_at_once;
  if (recorder != nullptr) most = std::min(most, std::max(recorder->due, ledger.rounds + 1) - ledger.rounds);
  most = std::min(most, limits.updates - std::min(limits.updates - 1, ledger.updates));
  const std::uint64_t still = ledger.rounds - ledger.last_update_round;
  return static_cast<std::size_t>(std::min(most, limits.clean_run - std::min(limits.clean_run - 1, still)));
}

bool ClassLearners::finish_round(const Block& block, std::size_t from, std::size_t i, std::size_t position,
                                 const Limits& limits, Ledger& ledger) {
  const Outcome outcome = outcome_of(block, from, i);
  return block.with_storage([&]<class Value, bool dense>() {
    const auto x = block.example<Value, dense>(i);
    return book_.finish(*this, outcome, x.squared_norm + bias_.squared(), x, position, limits, ledger);
  });
}

std::size_t ClassLearners::play(const Block& given, std::size_t from, const Limits& limits, Ledger& ledger) {
  book_.begin(*this, classes_, ledger);
  const Block block = given.packed() ? given.plain(room_) : given;
  std::size_t i = from;
  bool more = true;
  while (more && i < block.rows) {
    const std::size_t to = std::min(block.rows, i + at_once(limits, ledger));
    play_all(block, i, to);
    for (const std::size_t begin = i; i < to; ++i) more = finish_round(block, begin, i, i, limits, ledger);
  }
  return i - from;
}

std::size_t ClassLearners::play(const Rows& rows, std::span<const std::uint32_t> order, const Limits& limits,
                                Ledger& ledger) {
  book_.begin(*this, classes_, ledger);
  std::size_t played = 0;
  bool more = true;
  while (more && played < order.size()) {
    gathered_.clear();
    const std::size_t count = std::min(order.size() - played, at_once(limits, ledger));
    for (std::size_t i = 0; i < count; ++i) {
      rows.with_row(order[played + i], room_, [this](const auto& x) {
        for (std::uint32_t j = 0; j < x.size; ++j) gathered_.add(x.index[j], static_cast<double>(x.value_at(j)));
        gathered_.end_row(x.label, x.row, x.weight);
      });
    }
    const Block block = gathered_.finish();
    play_all(block, 0, count);
    for (std::size_t i = 0; i < count; ++i) more = finish_round(block, 0, i, order[played + i], limits, ledger);
    played += count;
  }
  return played;
}

std::uint64_t ClassLearners::find_updates(const Block& given, std::vector<std::uint32_t>* out, double& errors,
                                          bool first_only) const {
  const Block block = given.packed() ? given.plain(room_) : given;
  std::uint64_t found = 0;
  for (std::size_t from = 0; from < block.rows; from += rows_at_once) {
    const std::size_t to = std::min(block.rows, from + rows_at_once);
    look_at_all(block, from, to);
    for (std::size_t i = from; i < to; ++i) {
      const Outcome outcome = outcome_of(block, from, i);
      if (outcome.error) errors += block.weight == nullptr ? 1 : block.weight[i];
      if (!outcome.updated) continue;
      ++found;
      if (out != nullptr) out->push_back(static_cast<std::uint32_t>(i));
      if (first_only) return found;
    }
  }
  return found;
}

// Never called: validate() rejects keep pocket here, since a pocket counts the errors of one halfspace.
void ClassLearners::enable_ratchet() {}

bool ClassLearners::offer_to_pocket(double) { return false; }

void ClassLearners::finish() {
  for (Part& part : parts_) part.learner->finish();
}

ClassWeightVector ClassLearners::of_classes(const std::vector<ClassWeightVector>& vectors) const {
  if (how_ == SeveralClasses::one_against_rest) return side_by_side(vectors);
  std::vector<ClassWeightVector> sums(classes_, ClassWeightVector{1, {}, {0.0}});
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    const ClassWeightVector& v = vectors[p];
    for (const bool plus : {true, false}) {
      const std::int32_t k = plus ? parts_[p].sides.positive : parts_[p].sides.negative;
      ClassWeightVector& sum = sums[static_cast<std::size_t>(k)];
      sum.grow(static_cast<std::uint32_t>(v.w.size()));
      for (std::size_t j = 0; j < v.w.size(); ++j) sum.w[j] += plus ? v.w[j] : -v.w[j];
      sum.bias[0] += plus ? v.bias[0] : -v.bias[0];
    }
  }
  return side_by_side(sums);
}

ClassWeightVector ClassLearners::result() const {
  std::vector<ClassWeightVector> vectors;
  for (const Part& part : parts_) vectors.push_back(part.learner->result());
  return of_classes(vectors);
}

ClassWeightVector ClassLearners::present() const {
  std::vector<ClassWeightVector> vectors;
  for (const Part& part : parts_) vectors.push_back(part.learner->present());
  return of_classes(vectors);
}

LearnerState ClassLearners::save() const {
  LearnerState all;
  std::vector<ClassWeightVector> weights, kept;
  for (const Part& part : parts_) {
    LearnerState state = part.learner->save();
    all.finished = state.finished;
    append(all.numbers, state.numbers);
    append(all.moments, state.moments);
    append(all.kept_counts, state.kept_counts);
    weights.push_back(std::move(state.weights));
    kept.push_back(std::move(state.kept));
  }
  all.weights = side_by_side(weights);
  all.kept = side_by_side(kept);
  return all;
}

void ClassLearners::restore(const LearnerState& all) {
  const std::size_t count = parts_.size();
  if (all.weights.classes != count) refuse_state("the number of vectors is not that of the learners");
  for (std::size_t p = 0; p < count; ++p) {
    LearnerState state;
    state.finished = all.finished;
    state.numbers = share_of(all.numbers, p, count);
    state.moments = share_of(all.moments, p, count);
    state.kept_counts = share_of(all.kept_counts, p, count);
    state.weights = one_of(all.weights, p);
    state.kept = one_of(all.kept, p);
    parts_[p].learner->restore(state);
  }
}

StateShape ClassLearners::state_shape() const {
  StateShape shape = parts_.front().learner->state_shape();
  const std::vector<NumberField> numbers = shape.numbers;
  for (std::size_t p = 1; p < parts_.size(); ++p) append(shape.numbers, numbers);
  shape.counts *= parts_.size();
  shape.learners = parts_.size();
  return shape;
}

std::optional<RegretOfExperts> ClassLearners::regret() const {
  RegretOfExperts sum;
  for (const Part& part : parts_) {
    const std::optional<RegretOfExperts> regret = part.learner->regret();
    if (!regret) return std::nullopt;
    sum.most += regret->most;
    sum.theorem += regret->theorem;
    sum.weight = regret->weight;
  }
  return sum;
}

std::vector<MixtureMember> ClassLearners::followed() const {
  std::vector<MixtureMember> all;
  for (const Part& part : parts_) {
    for (const MixtureMember& one : part.learner->followed()) {
      const auto known =
          std::find_if(all.begin(), all.end(), [&](const MixtureMember& other) { return other.name == one.name; });
      MixtureMember& member = known != all.end() ? *known : all.emplace_back(MixtureMember{one.name, 0});
      member.probability += one.probability / static_cast<double>(parts_.size());
    }
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const MixtureMember& a, const MixtureMember& b) { return a.probability > b.probability; });
  return all;
}

}  // namespace halfspace
