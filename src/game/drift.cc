// Windows, fading and alarms over the bits of a run.
#include "halfspace/detail/game/drift.h"

#include <algorithm>
#include <cmath>

#include "halfspace/detail/base/elementary.h"

namespace halfspace {
namespace {

// n kl(a / n, p) for a mistakes in n rounds.
double divergence(double a, double n, double p) {
  const double good = n - a;
  return (a > 0 ? a * elementary::log(a / (n * p)) : 0.0) +
         (good > 0 ? good * elementary::log(good / (n * (1 - p))) : 0.0);
}

// Returns the logarithm of the bound on P(G >= g); 0 if there is none.
double log_chance(double g) {
  const double x = g - 2 * elementary::log(2.0);
  return x <= 0 ? 0.0 : std::min(0.0, elementary::log1p(x) - x);
}

}  // namespace

void Window::see(bool mistake) {
  const std::uint64_t place = rounds % size;
  std::uint64_t& word = bits[place / 64];
  const std::uint64_t bit = std::uint64_t{1} << (place % 64);
  mistakes -= (word & bit) != 0;  // the round that leaves the window
  mistakes += mistake;
  word = mistake ? word | bit : word & ~bit;
  ++rounds;
}

std::uint64_t Adwin::width() const {
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < buckets.size(); ++i) total += buckets[i].size() << i;
  return total;
}

std::optional<Rise> Adwin::see(bool mistake) {
  if (buckets.empty()) buckets.emplace_back();
  buckets[0].push_back(mistake);
  for (std::size_t i = 0; i < buckets.size() && buckets[i].size() > kEach; ++i) {
    const std::uint64_t merged = buckets[i][0] + buckets[i][1];
    buckets[i].erase(buckets[i].begin(), buckets[i].begin() + 2);
    if (i + 1 == buckets.size()) buckets.emplace_back();
    buckets[i + 1].push_back(merged);
  }
  if (++rounds % kEvery != 0) return std::nullopt;
  return check();
}

std::optional<Rise> Adwin::check() {
  ++checks;
  double all = 0;
  double wrong = 0;
  double borders = -1;
  for (std::size_t i = 0; i < buckets.size(); ++i) {
    for (const std::uint64_t mistakes : buckets[i]) {
      all += std::ldexp(1.0, static_cast<int>(i));
      wrong += static_cast<double>(mistakes);
      borders += 1;
    }
  }
  if (wrong == 0 || wrong == all) return std::nullopt;
  const double j = static_cast<double>(checks);
  const double most = elementary::log(delta) - elementary::log(borders) - elementary::log(j) - elementary::log1p(j);
  // Finds the border that chance explains least.
  double least = 0;
  double before_rounds = 0, before_wrong = 0;
  double n0 = 0, a0 = 0;
  std::size_t cut_size = 0, cut = 0;
  for (std::size_t i = buckets.size(); i-- > 0;) {
    for (std::size_t k = 0; k < buckets[i].size(); ++k) {
      n0 += std::ldexp(1.0, static_cast<int>(i));
      a0 += static_cast<double>(buckets[i][k]);
      if (n0 == all) break;
      const double p = wrong / all;
      const double chance = log_chance(divergence(a0, n0, p) + divergence(wrong - a0, all - n0, p));
      if (chance >= least) continue;
      least = chance;
      before_rounds = n0;
      before_wrong = a0;
      cut_size = i;
      cut = k + 1;
    }
  }
  if (least > most || before_rounds == 0) return std::nullopt;
  buckets[cut_size].erase(buckets[cut_size].begin(), buckets[cut_size].begin() + static_cast<std::ptrdiff_t>(cut));
  buckets.resize(cut_size + 1);
  while (buckets.size() > 1 && buckets.back().empty()) buckets.pop_back();
  const Rise change{before_wrong / before_rounds, (wrong - before_wrong) / (all - before_rounds)};
  return change.after > change.before ? std::optional(change) : std::nullopt;
}

std::optional<Rise> ErrorAlarm::see(bool mistake) {
  double mean = 0;
  for (std::size_t k = 0; k < kSlopes; ++k) {
    const double rest = 1 / (1 + elementary::expm1(slope[k]) * above);
    const double factor = (mistake ? elementary::exp(slope[k]) * rest : rest) * (1 - 0x1p-48);
    evidence[k] = (evidence[k] + 1) * factor;
    mean += evidence[k] / kSlopes;
  }
  excess += (mistake ? slope[2] : 0.0) - elementary::log1p(elementary::expm1(slope[2]) * above);
  ++rounds;
  mistakes += mistake;
  if (mean >= false_alarms) {
    const Rise rise{above, static_cast<double>(mistakes) / static_cast<double>(rounds)};
    *this = ErrorAlarm{above, false_alarms};
    return rise;
  }
  if (excess <= 0) {
    excess = 0;
    rounds = mistakes = 0;
  }
  return std::nullopt;
}

void Watch::see(bool mistake, std::uint64_t round, std::uint64_t row) {
  if (window) window->see(mistake);
  if (faded) faded->see(mistake);
  std::optional<Rise> rise;
  if (adwin) rise = adwin->see(mistake);
  if (error_alarm) rise = error_alarm->see(mistake);
  if (!rise) return;
  ++alarms;
  if (latest_alarms.size() == kKept) latest_alarms.erase(latest_alarms.begin());
  latest_alarms.push_back({round, row, rise->before, rise->after});
}

}  // namespace halfspace
