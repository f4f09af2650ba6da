// Keeps the records of passes, in bounded memory.
#include "halfspace/game/ledger.h"

#include <algorithm>
#include <numeric>

namespace halfspace {

double Ledger::errors() const {
  return std::accumulate(pass.begin(), pass.end(), 0.0,
                         [](double sum, const PassRecord& record) { return sum + record.errors; });
}

double Ledger::weight() const {
  return std::accumulate(pass.begin(), pass.end(), 0.0,
                         [](double sum, const PassRecord& record) { return sum + record.weight; });
}

void Ledger::begin_pass() {
  if (pass.size() > recorded_passes + 1) {
    const auto shared = pass.begin() + recorded_passes;
    *shared = std::accumulate(shared + 1, pass.end(), *shared, [](PassRecord sum, const PassRecord& more) {
      sum.rounds += more.rounds;
      sum.mistakes += more.mistakes;
      sum.updates += more.updates;
      sum.criterion += more.criterion;
      sum.errors += more.errors;
      sum.weight += more.weight;
      return sum;
    });
    pass.erase(shared + 1, pass.end());
  }
  pass.emplace_back();
  no_new_rows(NewRows::again);
}

// Passes over the same rows have equal numbers of rounds.
std::uint64_t Ledger::passes_of(std::size_t record) const {
  const bool shared = record == recorded_passes && record + 1 < pass.size();
  return shared ? pass[record].rounds / std::max<std::uint64_t>(1, pass[record - 1].rounds) : 1;
}

std::uint64_t Ledger::begun_passes() const {
  return pass.size() <= recorded_passes + 1 ? pass.size() : pass.size() - 1 + passes_of(recorded_passes);
}

}  // namespace halfspace
