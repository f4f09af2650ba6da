// Windows against counting, ADWIN's promise about false alarms, and that changes are found.
#include "halfspace/detail/game/drift.h"

#include <gtest/gtest.h>

#include <cmath>
#include <deque>
#include <vector>

#include "halfspace/base/random.h"

namespace halfspace {
namespace {

TEST(Window, IsTheShareOfTheLastRounds) {
  Generator draws(3);
  for (const std::uint64_t size : {1U, 2U, 63U, 64U, 65U, 200U}) {
    Window window(size);
    std::deque<bool> last;
    for (int round = 0; round < 700; ++round) {
      const bool mistake = draws.next() < 0.3;
      window.see(mistake);
      last.push_back(mistake);
      if (last.size() > size) last.pop_front();
      double mistakes = 0;
      for (const bool m : last) mistakes += m;
      ASSERT_EQ(window.error(), mistakes / static_cast<double>(last.size())) << size << " " << round;
    }
  }
}

TEST(Faded, IsTheSumItSays) {
  Generator draws(5);
  Faded faded{0.9};
  std::vector<bool> seen;
  for (int round = 0; round < 200; ++round) {
    seen.push_back(draws.next() < 0.5);
    faded.see(seen.back());
    double mistakes = 0, rounds = 0;
    for (std::size_t i = 0; i < seen.size(); ++i) {
      const double weight = std::pow(0.9, static_cast<double>(i));
      mistakes += weight * seen[seen.size() - 1 - i];
      rounds += weight;
    }
    EXPECT_NEAR(faded.error(), mistakes / rounds, 1e-12);
  }
}

// The share of stationary streams on which there ever is a cut, alarm or not: delta promises it for both directions.
double share_of_false_cuts(double delta, double error, int streams, int rounds, std::uint64_t seed) {
  Generator draws(seed);
  int cut = 0;
  for (int s = 0; s < streams; ++s) {
    Adwin adwin;
    adwin.delta = delta;
    for (int t = 0; t < rounds; ++t) adwin.see(draws.next() < error);
    cut += adwin.width() < adwin.rounds;
  }
  return static_cast<double>(cut) / streams;
}

// The promise is for ever; here for 10,000 rounds, at errors small and large. With 300 streams a true probability of
// 0.3 stays below the limit of 0.36 in all but about one experiment in a hundred. Far out in the tail an exponent that is
// too large shows: with 1,000 streams, 0.01 stays below 0.02 in all but about one in five hundred.
TEST(Adwin, FalseAlarmsAreWithinDelta) {
  for (const double error : {0.02, 0.2, 0.5}) EXPECT_LE(share_of_false_cuts(0.3, error, 300, 10'000, 7), 0.36) << error;
  EXPECT_LE(share_of_false_cuts(0.01, 0.5, 1000, 10'000, 9), 0.02);
}

TEST(Adwin, FindsARiseAndSaysWhatItWas) {
  for (const auto& [before, after] : std::vector<std::pair<double, double>>{{0.01, 0.05}, {0.1, 0.2}, {0.3, 0.45}}) {
    Generator draws(9);
    Adwin adwin;
    std::vector<int> alarms;
    Rise rise;
    for (int t = 0; t < 10'000; ++t) {
      const auto found = adwin.see(draws.next() < (t < 5000 ? before : after));
      if (!found) continue;
      alarms.push_back(t);
      rise = *found;
    }
    ASSERT_EQ(alarms.size(), 1U) << before;
    EXPECT_GT(alarms[0], 5000);
    EXPECT_LT(alarms[0], 6500);
    EXPECT_NEAR(rise.before, before, 0.05);
    EXPECT_GT(rise.after, rise.before);
    EXPECT_LT(adwin.width(), 7000U);  // what was before is forgotten
  }
}

TEST(Adwin, AFallIsForgottenWithoutAnAlarm) {
  Generator draws(15);
  Adwin adwin;
  for (int t = 0; t < 10'000; ++t) EXPECT_FALSE(adwin.see(draws.next() < (t < 5000 ? 0.4 : 0.1)));
  EXPECT_LT(adwin.width(), 6000U);
}

// The histogram holds the rounds it says, in logarithmic memory.
TEST(Adwin, MemoryIsLogarithmic) {
  Adwin adwin;
  std::size_t most = 0;
  for (int t = 0; t < 1'000'000; ++t) {
    adwin.see(t % 3 == 0);
    std::size_t buckets = 0;
    for (const auto& row : adwin.buckets) buckets += row.size();
    most = std::max(most, buckets);
  }
  EXPECT_EQ(adwin.width(), 1'000'000U);
  EXPECT_LE(most, 5U * 19U);
}

TEST(Watch, KeepsTheLatestAlarmsAndCountsAll) {
  Watch watch;
  watch.error_alarm = ErrorAlarm{0.1, 10};
  for (std::uint64_t t = 1; t <= 100'000; ++t) watch.see(t % 60 > 40, t, 2 * t);
  EXPECT_GT(watch.alarms, Watch::kKept);
  EXPECT_EQ(watch.latest_alarms.size(), Watch::kKept);
  for (const DriftAlarm& alarm : watch.latest_alarms) EXPECT_EQ(alarm.row, 2 * alarm.round);
}

// Rounds to the first alarm, or `most`, of mistakes whose conditional probability `probability` gives by the mistake before.
template <class Detector, class Probability>
double rounds_to_alarm(Detector detector, Generator& draws, const Probability& probability, int most) {
  bool mistake = false;
  for (int t = 1; t <= most; ++t) {
    mistake = draws.next() < probability(mistake, t);
    if (detector.see(mistake)) return t;
  }
  return most;
}

// A mean time of at least A, by the errors of 200 runs cut off at 8 A (which only lowers the mean): independent mistakes at
// the stated error, and mistakes that follow one another and never exceed it given what came before.
TEST(ErrorAlarm, FalseAlarmsAreAsRareAsPromised) {
  constexpr int promised = 1000;
  for (const double quiet : {0.2, 0.01}) {
    Generator draws(31);
    double sum = 0, squares = 0;
    constexpr int runs = 200;
    for (int run = 0; run < runs; ++run) {
      const double rounds = rounds_to_alarm(
          ErrorAlarm{0.2, promised}, draws, [&](bool mistake, int) { return mistake ? 0.2 : quiet; }, 8 * promised);
      sum += rounds;
      squares += rounds * rounds;
    }
    const double mean = sum / runs, error = std::sqrt((squares / runs - mean * mean) / runs);
    EXPECT_GE(mean + 3 * error, promised) << quiet;
  }
}

// Mistakes that come in a row, never likelier than 20 % given what came before: each cut of Adwin takes them for change.
TEST(ErrorAlarm, NeedsNoIndependenceWhereAdwinDoes) {
  const auto slow_waves = [](bool, int t) { return t / 400 % 2 == 0 ? 0.2 : 0.02; };
  Generator draws(33);
  int adwin = 0, stated = 0;
  for (int run = 0; run < 50; ++run) {
    adwin += rounds_to_alarm(Adwin{}, draws, slow_waves, 5000) < 5000;
    stated += rounds_to_alarm(ErrorAlarm{0.2, 10'000}, draws, slow_waves, 5000) < 5000;
  }
  EXPECT_GE(adwin, 45);
  EXPECT_LE(stated, 10);
}

TEST(ErrorAlarm, FindsARiseAndSaysWhatItWas) {
  Generator draws(35);
  double delay = 0, found = 0;
  for (int run = 0; run < 20; ++run) {
    ErrorAlarm alarm{0.1, 10'000};
    int first = 0;
    for (int t = 0; t < 3000 && first == 0; ++t) {
      const auto rise = alarm.see(draws.next() < (t < 1000 ? 0.05 : 0.3));
      if (!rise) continue;
      first = t;
      EXPECT_EQ(rise->before, 0.1);
      EXPECT_GT(rise->after, 0.1);
      EXPECT_EQ(alarm, (ErrorAlarm{0.1, 10'000})) << "everything begins again";
      found += rise->after / 20;
    }
    ASSERT_GE(first, 1000);
    delay += (first - 1000) / 20.0;
  }
  EXPECT_LT(delay, 100);
  EXPECT_NEAR(found, 0.35, 0.1);  // the alarm comes sooner where there are more mistakes
}

}  // namespace
}  // namespace halfspace
