// Decides a question about rows that exceed the memory: a working set of them, priced by passes over the text.
//
// Idea: a witness among the working rows is one of the data. A separator of the working rows is evaluated on all rows,
// exactly; those it gets wrong join, the worst first, until there are none. When the memory is full, the rows that do
// not hold the margin leave, as long as the margin falls: so no set comes twice. At any time the combination that
// bounds the margin of the working rows bounds that of the data. Once a separator is right on all rows, those nearer to
// its boundary than the working rows join, so that both bounds of the margin approach it. Cost: a round is one pass at
// reading speed and a search within the memory.
//
// Thread-safety: an object is for one thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "proof/decide/decide.h"
#include "proof/decide/load.h"
#include "proof/decide/posed.h"
#include "proof/large/row_passes.h"
#include "proof/large/working_set.h"

namespace halfspace::proof {

struct StreamedDecision {
  std::optional<Separator> separator;  // of all rows, with its facts; the one with the largest margin
  WeightedMembers witness;             // of the working rows
  std::vector<Combination> near;       // bounds on the margin: at most one, after a separator or undecided
  std::optional<Separator> fewest;     // of those evaluated on all rows, the one with the fewest errors
  double seconds = 0;                  // until a separator or a witness was found
  bool for_memory = false;             // undecided because more working rows need more memory
  std::unique_ptr<Points> points;      // the working rows
  Posed posed;                         // about them
};

class Streamed {
 public:
  // `described`: as load() left it when it gave up. `passes`: over its rows; must outlive the object. Less memory than
  // 1 MiB counts as that much.
  Streamed(const Loaded& described, RowPasses& passes, const RowsOptions& memory);

  // Reads all rows once: completes the description as load() does, and draws the first working set, with the rows in
  // `wanted` (ascending). Throws as load() does, GaveUp for time.
  void survey(Loaded& loaded, const std::vector<RowPosition>& wanted, const Budget& budget);
  std::uint64_t rows() const noexcept { return rows_; }
  // Returns the memory that the working rows leave to the search.
  std::uint64_t memory_of_search() const noexcept { return memory_.memory - capacity_; }
  // Returns the largest |z|^2 of the question.
  mpq_class squared_radius(const Asked& asked) const;

  // `extra_seconds`: for the margin, once a separator was found; or as long as that took. `resume`: null, or a
  // certificate of the same question. Throws Error(usage) if its rows exceed the memory.
  using OnProgress = std::function<void(const char* stage, Bracket)>;
  StreamedDecision decide(const Asked& asked, const Certificate* resume, double extra_seconds, const Budget& budget,
                          const OnProgress& progress);

 private:
  void pose_working_rows(StreamedDecision& decision, const Budget& budget);
  Start resumed_start(const Certificate& resume, StreamedDecision& decision, const Budget& budget);
  bool round(StreamedDecision& decision, const Start& start, const Budget& budget, const OnProgress& progress);
  std::vector<KeptRow> price(Separator separator, StreamedDecision& decision, std::uint64_t most_bytes,
                             std::size_t most_rows, const Budget& budget) const;
  void make_room(const Margin& margin, const StreamedDecision& decision);
  void take_near(const WeightedMembers& near, StreamedDecision& decision) const;

  RowPasses& passes_;
  std::uint32_t features_;
  std::uint32_t rivals_;
  RowsOptions memory_;
  std::uint64_t capacity_;  // bytes of the working rows in a search
  Asked asked_;
  std::uint64_t rows_ = 0;
  mpq_class largest_square_;  // of the rows' lengths, without the bias
  WorkingSet set_;
  mpq_class bound_at_drop_ = -1;  // the squared bound when rows last left the set; -1: never
};

}  // namespace halfspace::proof
