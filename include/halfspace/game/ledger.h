// The ledger: what happened in a run. It observes the game and never interferes.
//
// Thread-safety: value types; one thread writes.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "halfspace/detail/base/names.h"
#include "halfspace/detail/game/drift.h"
#include "halfspace/detail/game/loss_sums.h"

namespace halfspace {

// Why a run stopped. `end`: the stream was over. `budget`: of a run without limits of its own (Until::by_default).
enum class Stopped : std::uint8_t { running, clean, end, passes, updates, time, interrupted, cycling, budget };

template <>
struct NamesOf<Stopped> {
  static constexpr Name<Stopped> table[] = {
      {Stopped::running, "running", ""},
      {Stopped::clean, "clean", "clean: nothing left to learn from"},
      {Stopped::end, "end", "the data ended"},
      {Stopped::passes, "passes", "the passes asked for are done"},
      {Stopped::updates, "updates", "the updates asked for are done"},
      {Stopped::time, "time", "the time was up"},
      {Stopped::interrupted, "interrupted", "interrupted"},
      {Stopped::cycling, "cycling", "the weights came back: from here on it would go round for ever"},
      {Stopped::budget, "budget", "the default limit, before a pass was clean"},
  };
};

// Whether the errors of a run bound the error on new rows (bounds/expected_error.h), and why not.
enum class NewRows : std::uint8_t { yes, again, chosen, weighted, scaled, searched, minimized, standard };

template <>
struct NamesOf<NewRows> {
  static constexpr Name<NewRows> table[] = {
      {NewRows::yes, "yes", ""},
      {NewRows::again, "again", "rows were trained on more than once, and only the first time are they new"},
      {NewRows::chosen, "chosen", "the order plays the rows that it finds mistaken, and passes over the others"},
      {NewRows::weighted, "weighted", "rows have weights, so that a count of errors is no share of the rows"},
      {NewRows::scaled, "scaled", "values or parameters were scaled by rows that came later"},
      {NewRows::searched, "searched", "these rows chose the settings, too"},
      {NewRows::minimized, "minimized", "a minimum is of all rows at once, and none of them is new to it"},
      {NewRows::standard, "standard", "columns were standardised by rows that came later"},
  };
};

// One pass over the data. `mistakes` is J1 of the lecture notes, `criterion` is J: each row is predicted before
// training on it. Errors are sums of weights: a row of weight k is k rows.
struct PassRecord {
  std::uint64_t rounds = 0, mistakes = 0, updates = 0;
  double criterion = 0;           // sum over mistakes of -y <w, x>
  double errors = 0, weight = 0;  // of rows predicted wrong, of all rows
  bool operator==(const PassRecord&) const = default;
};

struct Ledger {
  // The first passes have a record each; later ones share one, except the last.
  static constexpr std::size_t recorded_passes = 1024;

  std::uint64_t rounds = 0;    // predict, reveal, update: once each
  std::uint64_t mistakes = 0;  // as the theorems count them: a tie may be one whatever the label
  std::uint64_t updates = 0;
  std::uint64_t passes = 0;       // finished
  std::uint64_t inspections = 0;  // rows searched for a mistake, in addition to the rounds: scored or cached
  Stopped stopped = Stopped::running;
  std::vector<PassRecord> pass{PassRecord{}};  // the last one may be unfinished; at most recorded_passes + 2

  double largest_squared_norm = 0;  // of the rows seen, bias coordinate included
  std::uint32_t largest_row = 0;    // stored values of the longest row seen
  double update_steps = 0;          // sum over updates of the step
  double update_squares = 0;        // sum over updates of (step |x|)^2
  double smallest_mistake_weight = std::numeric_limits<double>::infinity();

  // Baselines on the first pass: the most frequent class so far, and the previous label. Rounds without a past are not
  // errors of either. Errors are weights, as in PassRecord.
  double constant_errors = 0, previous_errors = 0;
  std::uint64_t first_pass_rounds = 0, first_pass_mistakes = 0;
  std::vector<double> class_weight;  // of the rows of each class, first pass
  std::int32_t previous_label = -1;

  NewRows new_rows = NewRows::yes;

  std::uint64_t last_update_round = 0;  // rounds finished when the weights last changed
  std::uint64_t next_row = 1;           // when the next line of the running table (1, 2, 4, 8 ... rounds) is due

  std::optional<Watch> watch;      // changes of the progressive error, on the first pass, if requested
  std::optional<LossSums> losses;  // of all rounds, if requested

  // Return the weight of the rows predicted wrong before learning from them, and of all rows: over all passes, and over
  // the first.
  double errors() const;
  double weight() const;
  double first_pass_errors() const { return pass.empty() ? 0 : pass.front().errors; }
  double first_pass_weight() const { return pass.empty() ? 0 : pass.front().weight; }
  // Records that the errors do not bound the error on new rows. Keeps the reason that comes first in NewRows.
  void no_new_rows(NewRows why) {
    if (why == NewRows::yes) return;
    if (new_rows == NewRows::yes || why < new_rows) new_rows = why;
  }
  // Adds a record for another pass, over the rows of the one before.
  void begin_pass();
  // Returns the number of passes in the record.
  std::uint64_t passes_of(std::size_t record) const;
  // Returns the number of passes, an unfinished one included.
  std::uint64_t begun_passes() const;

  bool operator==(const Ledger&) const = default;
};

}  // namespace halfspace
