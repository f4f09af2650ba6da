// The sections of a model file that do not affect predictions: calibration, and the ledger's watch. Part of the same
// description as fields.h.
#pragma once

#include <bit>
#include <cmath>
#include <string>

#include "base/fields/checks.h"
#include "halfspace/train/model.h"

namespace halfspace::model {

using namespace fields;
// Declares only this room's functions.
using fields::Reader, fields::shown;

// ---- calibration ----

template <class A, class M>
void describe_calibration(A& archive, M& model) {
  auto& calibration = model.calibration;
  const std::uint32_t vectors = model.weights.classes > 2 ? model.weights.classes : 1;  // of scores
  archive.choice("method", calibration.method, 6, "a method of calibration");
  const bool softmax = calibration.method == CalibrationMethod::softmax;
  const bool tempered = calibration.method == CalibrationMethod::temperature;
  if ((softmax || tempered) && vectors < 3) archive.refuse("the softmax is of three classes or more");
  bool fitted = calibration.fitted();
  archive.flag("fitted", fitted, [&](bool on) -> std::string {
    if (on && calibration.method == CalibrationMethod::none) return "no method is named";
    return !on && softmax ? "the softmax is not fitted" : "";
  });
  archive.flag("by_folds", calibration.by_folds, [&](bool on) {
    const bool possible = fitted && model.holdout > 0 && !softmax;
    return std::string(on && !possible ? "no rows are held out, or there are no curves" : "");
  });
  archive.value("rows", calibration.rows,
                fitted && !softmax ? at_most(UINT64_MAX, "all") : at_most(0, "none without curves"));
  const auto curves = [&](CalibrationMethod method) {
    return exactly(fitted && calibration.method == method ? vectors : 0, "the method");
  };
  const bool clipped = calibration.method == CalibrationMethod::clipped_platt;
  const CalibrationMethod with_platt = tempered || clipped ? calibration.method : CalibrationMethod::platt;
  archive.list("platt", calibration.platt, clipped ? 32 : 16, curves(with_platt), [&](auto& curve, std::uint64_t k) {
    archive.value("a", curve.a, [&](double a) {
      const bool another = tempered && (a > 0 || (k > 0 && a != calibration.platt[0].a));
      return another ? shown(a) + " is not the temperature of all classes" : finite(a);
    });
    archive.value("b", curve.b, finite);
    if (!clipped) return;
    archive.value("low", curve.low,
                  [](double low) { return low < HUGE_VAL ? std::string() : shown(low) + " is not the lowest score"; });
    archive.value("high", curve.high, [&](double high) {
      const bool both = std::isinf(high) == std::isinf(curve.low);
      return both && high > curve.low ? std::string() : shown(high) + " is not the highest score";
    });
  });
  archive.list(
      "isotonic", calibration.isotonic, 16, curves(CalibrationMethod::isotonic), [&](auto& curve, std::uint64_t) {
        archive.numbers("score", curve.score, at_least_one, [&](double score, std::uint64_t position) {
          return position == 0 || score > curve.score[position - 1] ? finite(score) : shown(score) + " does not ascend";
        });
        archive.numbers("probability", curve.probability, exactly(curve.score.size(), "the list of scores"),
                        [&](double probability, std::uint64_t position) {
                          if (!(probability >= 0 && probability <= 1))
                            return shown(probability) + " is not a probability";
                          return position == 0 || probability >= curve.probability[position - 1]
                                     ? std::string()
                                     : shown(probability) + " descends";
                        });
      });
}

// ---- scores for prediction sets ----

template <class A, class M>
void describe_conformal(A& archive, M& model, std::uint32_t classes) {
  if (!(model.holdout > 0)) archive.refuse("no rows are held out");
  archive.list("classes", model.conformal->of_class, 16, exactly(classes, "the labels"), [&](auto& one, std::uint64_t) {
    archive.value("rows", one.rows, at_most(std::uint64_t{1} << 48, "the rows of a run"));
    const std::uint64_t kept = one.rows < ConformalScores::most_scores ? one.rows : ConformalScores::most_scores;
    archive.numbers("scores", one.scores, exactly(kept, "the rows"), [&](double score, std::uint64_t position) {
      if (position > 0 && score < one.scores[position - 1]) return shown(score) + " descends";
      return score == 0 && std::signbit(score) ? std::string("-0 is stored as 0") : finite(score);
    });
  });
}

// ---- the decision threshold ----

template <class A, class M>
void describe_threshold(A& archive, M& model, std::uint32_t classes) {
  if (classes != 2) archive.refuse("a threshold is of two classes");
  archive.value("score", *model.threshold, finite);
}

// ---- what the ledger watches ----

// Describes a part that may be absent: a flag, then its fields.
template <class A, class Optional, class Body>
void describe_if_present(A& archive, Optional& part, Body&& body) {
  bool present = part.has_value();
  archive.flag("present", present);
  if (!present) return;
  if constexpr (A::reads) part.emplace();
  body(*part);
}
template <class A, class Optional, class Body>
void describe_optional(A& archive, const char* name, Optional& part, Body&& body) {
  archive.group(name, [&] { describe_if_present(archive, part, body); });
}

inline constexpr std::uint64_t most_window = std::uint64_t{1} << 40;

template <class A, class V>
void describe_window(A& archive, V& window, std::uint64_t rounds) {
  archive.value("size", window.size, [](std::uint64_t size) {
    return size == 0 ? std::string("a window must hold at least one round")
                     : at_most(most_window, "the largest window")(size);
  });
  archive.value("rounds", window.rounds, at_most(rounds, "the rounds of the first pass"));
  archive.numbers("bits", window.bits, exactly((window.size + 63) / 64, "the size"), anything);
  std::uint64_t mistakes = 0;
  for (const std::uint64_t word : window.bits) mistakes += static_cast<std::uint64_t>(std::popcount(word));
  archive.value("mistakes", window.mistakes, exactly(mistakes, "the bits"));
  const std::uint64_t counted = window.counted();
  for (std::uint64_t word = counted / 64; word < window.bits.size(); ++word) {
    const std::uint64_t beyond = word == counted / 64 ? window.bits[word] >> (counted % 64) : window.bits[word];
    if (beyond != 0) archive.refuse("a mistake in a round that did not happen");
  }
}

template <class A, class D>
void describe_adwin(A& archive, D& adwin, std::uint64_t rounds) {
  archive.value("delta", adwin.delta,
                [](double d) { return d > 0 && d < 1 ? std::string() : shown(d) + " does not lie between 0 and 1"; });
  archive.value("rounds", adwin.rounds, at_most(rounds, "the rounds of the first pass"));
  archive.value("checks", adwin.checks, exactly(adwin.rounds / Adwin::kEvery, "the number of rounds"));
  archive.list("buckets", adwin.buckets, 8, at_most(58, "the sizes of buckets"), [&](auto& row, std::uint64_t i) {
    archive.numbers("mistakes", row, at_most(Adwin::kEach, "the buckets of one size"),
                    at_most(std::uint64_t{1} << i, "the rounds of the bucket"));
  });
  if (adwin.width() > adwin.rounds) archive.refuse("the buckets hold more rounds than happened");
}

template <class A, class T>
void describe_error_alarm(A& archive, T& alarm, std::uint64_t rounds) {
  archive.value("above", alarm.above, [](double above) {
    return above > 0 && above < 1 ? std::string() : shown(above) + " is not above 0 and below 1";
  });
  archive.value("false_alarms", alarm.false_alarms, [](double mean) {
    return mean >= 1 && std::isfinite(mean) ? std::string() : shown(mean) + " is not a number of rounds";
  });
  archive.group("evidence", [&] {
    for (auto& one : alarm.evidence) archive.value("number", one, not_negative);
  });
  archive.value("excess", alarm.excess, not_negative);
  archive.value("rounds", alarm.rounds, at_most(rounds, "the rounds of the first pass"));
  archive.value("mistakes", alarm.mistakes, at_most(alarm.rounds, "the rounds of the alarm"));
}

template <class A, class W>
void describe_watch(A& archive, W& parts, std::uint64_t rounds) {
  describe_optional(archive, "window", parts.window, [&](auto& window) { describe_window(archive, window, rounds); });
  describe_optional(archive, "faded", parts.faded, [&](auto& faded) {
    archive.value("decay", faded.decay, [](double decay) {
      return decay > 0 && decay <= 1 ? std::string() : shown(decay) + " is not above 0 and at most 1";
    });
    archive.value("rounds", faded.rounds, not_negative);
    archive.value("mistakes", faded.mistakes, [&](double mistakes) {
      return mistakes >= 0 && mistakes <= faded.rounds ? std::string() : shown(mistakes) + " is not within its rounds";
    });
  });
  describe_optional(archive, "adwin", parts.adwin, [&](auto& adwin) { describe_adwin(archive, adwin, rounds); });
  describe_optional(archive, "error_alarm", parts.error_alarm,
                    [&](auto& alarm) { describe_error_alarm(archive, alarm, rounds); });
  archive.value("alarms", parts.alarms, at_most(rounds, "the rounds of the first pass"));
  const std::uint64_t kept = parts.alarms < Watch::kKept ? parts.alarms : Watch::kKept;
  archive.list("latest_alarms", parts.latest_alarms, 32, exactly(kept, "the number of alarms"),
               [&](auto& alarm, std::uint64_t) {
                 archive.value("round", alarm.round, at_most(rounds, "the rounds of the first pass"));
                 archive.value("row", alarm.row, anything);
                 const auto share = [](double error) {
                   return error >= 0 && error <= 1 ? std::string() : shown(error) + " is not a share";
                 };
                 archive.value("before", alarm.before, share);
                 archive.value("after", alarm.after, share);
               });
}

}  // namespace halfspace::model
