// Does the error change over a stream? Views of the progressive error, and an alarm that reports and never acts.
//
// The input is one bit a round: whether the prediction, made before learning, was wrong. Only rounds of the first pass
// count, each once, whatever its weight; a row of weight 0 is no round. The views: the error over the last N rounds
// (Window), and the error with weight A^i for the round i rounds ago (Faded). The alarms: Adwin and ErrorAlarm;
// both report a rise of the error. A fall is what learning is for: Adwin then drops the old rounds, too, without an
// alarm.
//
// Cost: O(1) a round for the views, N bits for a window; for Adwin see there. All state is stored in
// the model, so that a resumed run continues exactly.
//
// The round loop calls see() of a Watch, once a round; `--window`, `--drift adwin` make its parts. Alone:
//
//   Adwin adwin{.delta = 0.002};
//   if (const std::optional<Rise> rise = adwin.see(wrong)) ...
//
// Thread-safety: value types; one thread writes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace halfspace {

// The error over the last `size` rounds (over all, before there are that many).
struct Window {
  std::uint64_t size = 0;
  std::uint64_t rounds = 0;         // seen in total
  std::uint64_t mistakes = 0;       // within the window
  std::vector<std::uint64_t> bits;  // round r (0-based) is bit r % size; (size + 63) / 64 words

  explicit Window(std::uint64_t rounds_kept = 1) : size(rounds_kept), bits((rounds_kept + 63) / 64, 0) {}
  void see(bool mistake);
  std::uint64_t counted() const noexcept { return rounds < size ? rounds : size; }
  double error() const { return static_cast<double>(mistakes) / static_cast<double>(counted()); }
  bool operator==(const Window&) const = default;
};

// The faded error: sum of decay^i over the mistakes i rounds ago, over the same sum over all rounds (Gama, Sebastiao
// and Rodrigues, "On evaluating stream learning algorithms", Machine Learning 90, 2013).
struct Faded {
  double decay = 1;
  double mistakes = 0, rounds = 0;  // faded sums

  void see(bool mistake) {
    mistakes = decay * mistakes + (mistake ? 1.0 : 0.0);
    rounds = decay * rounds + 1;
  }
  double error() const { return mistakes / rounds; }
  bool operator==(const Faded&) const = default;
};

// An alarm: the round and row at which it was raised, and the error before and after the change.
struct DriftAlarm {
  std::uint64_t round = 0, row = 0;
  double before = 0, after = 0;
  bool operator==(const DriftAlarm&) const = default;
};

// The error in a detector's memory before a change, and after it.
struct Rise {
  double before = 0, after = 0;
};

// ADWIN, adaptive windowing (Bifet and Gavalda, "Learning from time-changing data with adaptive windowing", SDM 2007):
// a window of the latest rounds that grows while nothing changes; if some cut divides it into two parts whose errors
// differ by more than chance explains, the part before the cut is dropped.
//
// Memory O(log W) for a window of W rounds, and as much time a check: an exponential histogram, at most kEach buckets
// of every size 2^i, the oldest two merged when there is one too many; cuts are tried where buckets meet, every kEvery
// rounds.
//
// Guarantee: when mistakes are independent and their probability never changes, the probability that there is ever an
// alarm, however long the stream, is at most delta. Proof: until the first cut the window is the whole stream and the
// buckets' borders do not depend on the data. For one border, between n0 rounds and n1, with p0, p1 and p the
// errors before, after and over both, G = n0 kl(p0, p) + n1 kl(p1, p) is at most the same sum with the true
// probability for p, whose two terms are independent and exceed x with probability at most 2 e^-x each (Chernoff); so
// P(G >= x) <= 4 e^-x (1 + x - 2 ln 2) for x >= 2 ln 2. A cut is made where this is at most
// delta / (borders * j * (j + 1)) at check j: summed over borders and checks, at most delta. (The article's own cut
// compares |p0 - p1| with Hoeffding's bound, and promises delta for each single step; the likelihood ratio G sees small
// changes of small errors sooner, and delta is for the whole stream.)
struct Adwin {
  static constexpr std::uint32_t kEach = 5, kEvery = 32;

  double delta = 0.01;
  std::uint64_t rounds = 0, checks = 0;
  // Mistakes of the buckets of 2^i rounds, oldest first.
  std::vector<std::vector<std::uint64_t>> buckets;

  // Adds the outcome of a round; returns the rise if an alarm is due.
  std::optional<Rise> see(bool mistake);
  std::uint64_t width() const;  // rounds in the window
  bool operator==(const Adwin&) const = default;

 private:
  std::optional<Rise> check();
};

// Alarms when the error exceeds a stated one, with a stated rate of false alarms, whatever the dependence between
// rounds.
//
// For each slope a,  e = exp(a l) / (1 + (exp(a) - 1) r)  of a round with loss l, where r is the stated error, and M <-
// (M + 1) e from 0. An alarm when the mean of M over the slopes reaches A; then everything begins again.
//
// Guarantee: as long as the conditional probability of a mistake, given all that came before, is at most r, the mean
// number of rounds to an alarm is at least A. Proof: exp(a l) <= 1 + (exp(a) - 1) l on [0, 1] by convexity, so E[e |
// past] <= 1 and M_t - t is a supermartingale from 0; so is its mean over the slopes. Optional stopping: E[T] >= E[M_T]
// >= A. No rounds need be independent (Adwin asks for that), and r is the error of interest, not the learner's own.
// The factors e are rounded down, so that rounding never brings an alarm forward.
//
// Cost: O(1) a round. Source: e-detectors, Shin, Ramdas and Rinaldo 2024; the mixture is Shiryaev's and Roberts'.
struct ErrorAlarm {
  static constexpr std::size_t kSlopes = 4;
  static constexpr double slope[kSlopes] = {0.1, 0.2, 0.4, 0.8};

  double above = 0.5;           // r, in (0, 1)
  double false_alarms = 10000;  // A, at least 1
  std::array<double, kSlopes> evidence{};
  // Since the error was last at most `above`, by Page's sum with the third slope: what an alarm reports.
  double excess = 0;
  std::uint64_t rounds = 0, mistakes = 0;

  // Adds the outcome of a round; returns the stated error and the observed one if an alarm is due.
  std::optional<Rise> see(bool mistake);
  bool operator==(const ErrorAlarm&) const = default;
};

// The views and alarms that a ledger keeps.
struct Watch {
  std::optional<Window> window;
  std::optional<Faded> faded;
  std::optional<Adwin> adwin;
  std::optional<ErrorAlarm> error_alarm;
  std::uint64_t alarms = 0;               // raised
  std::vector<DriftAlarm> latest_alarms;  // the last kKept of them

  static constexpr std::size_t kKept = 1000;
  void see(bool mistake, std::uint64_t round, std::uint64_t row);
  bool detects() const { return adwin || error_alarm; }
  bool operator==(const Watch&) const = default;
};

}  // namespace halfspace
