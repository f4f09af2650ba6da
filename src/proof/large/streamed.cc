// Grows the working set.
#include "proof/large/streamed.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/clock.h"
#include "halfspace/base/error.h"
#include "proof/large/resume.h"

namespace halfspace::proof {
namespace {

constexpr std::uint64_t least_memory = std::uint64_t{1} << 20;
constexpr std::size_t first_rows = 4000, fewest_added = 500;

std::uint32_t rivals_of(std::size_t classes) { return classes > 2 ? static_cast<std::uint32_t>(classes) - 1 : 0; }

}  // namespace

Streamed::Streamed(const Loaded& described, RowPasses& passes, const RowsOptions& memory)
    : passes_(passes),
      features_(described.data.features),
      rivals_(rivals_of(described.schema.labels.names.size())),
      memory_(memory),
      set_(rivals_) {
  memory_.memory = std::max(memory_.memory, least_memory);
  capacity_ = memory_.memory / 10 * 6;
}

void Streamed::survey(Loaded& loaded, const std::vector<RowPosition>& wanted, const Budget& budget) {
  const Clock::time_point begin = Clock::now();
  std::vector<ScannedSource> scanned;
  std::vector<KeptRow> kept, sample;
  std::uint64_t bytes = 0;
  loaded.rows_read = 0;
  passes_.survey({capacity_ / 4, first_rows, wanted}, budget, loaded.rows_read, [&](SourceSurvey found) {
    largest_square_ = std::max(largest_square_, found.largest_square);
    std::move(found.sample.begin(), found.sample.end(), std::back_inserter(sample));
    for (KeptRow& row : found.wanted) {
      bytes += bytes_in_search(row, rivals_);
      kept.push_back(std::move(row));
    }
    scanned.push_back(std::move(found.scanned));
  });
  if (bytes > capacity_) {
    throw Error(ErrorKind::usage, "the rows of the certificate to resume exceed " + option("memory"))
        .fix("raise " + option("memory") + ", or leave out " + option("resume"));
  }
  complete(loaded.data, std::move(scanned));
  rows_ = loaded.rows_read;
  loaded.exact_seconds = seconds_since(begin);
  set_.add(std::move(kept));
  if (set_.bytes() < capacity_ / 2) set_.add(std::move(sample));
}

mpq_class Streamed::squared_radius(const Asked& asked) const {
  const mpq_class bias = asked.biased ? asked.bias_scale : mpq_class(0);
  return largest_square_ + bias * bias;
}

// Makes the points of the working rows; if they exceed the memory, of every second of them.
void Streamed::pose_working_rows(StreamedDecision& decision, const Budget& budget) {
  for (;;) {
    RowsOptions memory = memory_;
    // A row of each class was in memory anyway.
    const bool few = set_.size() <= std::max<std::size_t>(2, asked_.classes);
    if (few) memory.memory = std::uint64_t{1} << 40;
    decision.posed = {};
    try {
      decision.points = set_.points(features_, memory);
      decision.posed = pose(*decision.points, asked_, memory, budget);
      return;
    } catch (const GaveUp& why) {
      if (!why.for_memory || few) throw;
    }
    std::vector<std::uint32_t> half;
    for (std::uint32_t i = 0; i < set_.size(); i += 2) half.push_back(i);
    set_.keep(half);
  }
}

// Keeps the better bound.
void Streamed::take_near(const WeightedMembers& near, StreamedDecision& decision) const {
  if (near.empty()) return;
  Combination combination = shown_combination(decision.posed, *decision.points, near);
  if (combination.squared_distance == "0") return;
  if (decision.near.empty() ||
      mpq_class(combination.squared_distance) < mpq_class(decision.near.front().squared_distance))
    decision.near = {std::move(combination)};
}

// Evaluates a separator on all rows. Returns those that it gets wrong, or that are nearer to its boundary than all
// working rows: the worst, within these limits.
std::vector<KeptRow> Streamed::price(Separator separator, StreamedDecision& decision, std::uint64_t most_bytes,
                                     std::size_t most_rows, const Budget& budget) const {
  WorstRows worst(most_bytes, most_rows, asked_.rivals());
  FactsOfRows facts;
  passes_.price({separator, asked_, most_bytes, most_rows}, budget, [&](SourcePrices found) {
    facts.add(found.facts);
    for (RatedRow& row : found.worst) worst.offer(std::move(row));
  });
  facts.describe(separator);
  const std::uint64_t errors = facts.errors();
  const auto errors_of = [](const Separator& s) { return s.wrong + s.zero_negative + s.zero_positive; };
  const auto squared_margin = [](const Separator& s) {
    const mpq_class minimum(s.minimum);
    return mpq_class(minimum * minimum / mpq_class(s.squared_norm));
  };
  if (errors == 0 && (!decision.separator || squared_margin(separator) > squared_margin(*decision.separator)))
    decision.separator = separator;
  if (!decision.fewest || errors < errors_of(*decision.fewest)) decision.fewest = std::move(separator);
  std::vector<KeptRow> rows;
  for (RatedRow& rated : worst.take()) rows.push_back(std::move(rated.row));
  return rows;
}

// Lets the rows leave that do not hold the margin, if more than half of the memory is used and the margin fell since
// the last time.
void Streamed::make_room(const Margin& margin, const StreamedDecision& decision) {
  if (set_.bytes() * 2 < capacity_ || margin.near.empty()) return;
  const mpq_class bound = squared_distance(decision.posed.problem, margin.near);
  if (bound_at_drop_ >= 0 && bound > bound_at_drop_ * mpq_class(9999, 10000)) return;
  std::vector<std::uint32_t> holding;
  for (const WeightedMember& w : margin.near)
    holding.push_back(decision.posed.many ? decision.posed.many->origins[w.member].row : w.member);
  std::sort(holding.begin(), holding.end());
  holding.erase(std::unique(holding.begin(), holding.end()), holding.end());
  if (holding.size() == set_.size()) return;
  bound_at_drop_ = bound;
  set_.keep(holding);
}

// Decides the working rows and prices what separates them; returns whether the decision is final.
bool Streamed::round(StreamedDecision& decision, const Start& start, const Budget& budget, const OnProgress& progress) {
  const Clock::time_point begin = Clock::now();
  Decision found = proof::decide(decision.posed.problem, budget, progress, start);
  if (!found.witness.empty()) {
    decision.witness = std::move(found.witness);
    return true;
  }
  if (!found.separator) {
    for (const WeightedMembers& near : found.near) take_near(near, decision);
    for (const WeightedMembers& near : start.near) take_near(near, decision);
    decision.for_memory = found.for_memory;
    return true;
  }
  Budget part = budget;
  const auto share = std::max<Clock::duration>(std::chrono::milliseconds(300), Clock::now() - begin);
  part.end = std::min(budget.end, Clock::now() + share);
  const Margin margin = tighten(decision.posed.problem, *found.separator, part, progress, start);
  take_near(margin.near, decision);
  progress("all rows, by a pass over the data", {});
  const Separator separator = shown_separator(decision.posed, margin.separator);
  const std::size_t most = std::max(fewest_added, set_.size());
  make_room(margin, decision);
  const std::uint64_t room = capacity_ - std::min(capacity_, set_.bytes());
  std::vector<KeptRow> joining = price(separator, decision, room, most, budget);
  decision.for_memory = joining.empty();
  if (joining.empty()) return true;
  set_.add(std::move(joining));
  return false;
}

// Maps the certificate to the working rows; a separator of its is priced before any search.
Start Streamed::resumed_start(const Certificate& resume, StreamedDecision& decision, const Budget& budget) {
  const Known known =
      known_of(resume, decision.posed.problem, *decision.points, decision.posed.many ? &*decision.posed.many : nullptr);
  const Start start = start_of(resume, known);
  for (const WeightedMembers& near : start.near) take_near(near, decision);
  if (!start.separator.empty()) {
    price(shown_separator(decision.posed, start.separator), decision, 0, 0, budget);
  }
  return start;
}

StreamedDecision Streamed::decide(const Asked& asked, const Certificate* resume, double extra_seconds,
                                  const Budget& budget, const OnProgress& progress) {
  asked_ = asked;
  StreamedDecision decision;
  Budget part = budget;
  const Clock::time_point begin = Clock::now();
  // A separator ends the search after the extra time.
  auto limit_extra = [&, limited = false]() mutable {
    if (!decision.separator || limited) return;
    limited = true;
    decision.seconds = seconds_since(begin);
    const double extra = extra_seconds > 0 ? std::max(extra_seconds, decision.seconds) : 0;
    part.end = std::min(part.end, Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                                     std::chrono::duration<double>(std::min(extra, 1e9))));
  };
  try {
    Budget untimed = budget;
    untimed.end = Clock::time_point::max();
    untimed.interrupt = nullptr;
    pose_working_rows(decision, untimed);
    Start start;
    if (resume != nullptr) start = resumed_start(*resume, decision, budget);
    for (limit_extra(); !decision.separator || !part.passed(); limit_extra()) {
      if (round(decision, start, part, progress)) break;
      start = {};
      if (!decision.separator || !part.passed()) pose_working_rows(decision, part);
    }
  } catch (const GaveUp& why) {
    decision.for_memory = why.for_memory;
  }
  if (!decision.separator) decision.seconds = seconds_since(begin);
  return decision;
}

}  // namespace halfspace::proof
