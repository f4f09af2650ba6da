// Fits Platt's curve by Newton's method, temperatures by turns, and the isotonic curve by pooling; combines
// multiclass curves.
#include "halfspace/train/calibration.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "halfspace/base/error.h"
#include "halfspace/detail/base/elementary.h"
#include "halfspace/detail/base/softmax.h"
#include "halfspace/detail/train/new_rows.h"

namespace halfspace {
namespace {

double times(std::span<const double> count, std::size_t i) { return count.empty() ? 1 : count[i]; }

// The cross entropy of Platt's curve at scores divided by `scale`, with smoothed targets.
struct Entropy {
  std::span<const double> score;
  std::span<const std::uint8_t> positive;
  std::span<const double> count;
  double scale, target_positive, target_negative;

  double target(std::size_t i) const { return positive[i] != 0 ? target_positive : target_negative; }

  double at(double a, double b) const {
    double sum = 0;
    for (std::size_t i = 0; i < score.size(); ++i) {
      const double f = a * (score[i] / scale) + b;
      const double t = target(i);
      sum += times(count, i) * (f >= 0 ? t * f + elementary::log1p(elementary::exp(-f))
                                       : (t - 1) * f + elementary::log1p(elementary::exp(f)));
    }
    return sum;
  }

  struct Slope {
    double a = 0, b = 0;            // gradient
    double aa = 0, ab = 0, bb = 0;  // Hessian
  };
  // Returns what no curve's curvature exceeds.
  Slope most() const {
    Slope s;
    for (std::size_t i = 0; i < score.size(); ++i) {
      const double x = score[i] / scale, n = times(count, i) / 4;
      s.aa += n * (x * x);
      s.ab += n * x;
      s.bb += n;
    }
    return s;
  }
  Slope slope(double a, double b) const {
    Slope s;
    for (std::size_t i = 0; i < score.size(); ++i) {
      const double x = score[i] / scale;
      const double f = a * x + b;
      const double e = elementary::exp(-std::abs(f));
      const double p = (f >= 0 ? e : 1) / (1 + e);  // 1 / (1 + e^f)
      const double q = (f >= 0 ? 1 : e) / (1 + e);
      const double n = times(count, i);
      s.a += n * (x * (target(i) - p));
      s.b += n * (target(i) - p);
      s.aa += n * (x * x * p * q);
      s.ab += n * (x * p * q);
      s.bb += n * (p * q);
    }
    return s;
  }
};

// Finds where scores are clipped, if some are far out. Neither a shift of all scores nor a factor, also below 0, changes
// which: the classes may change their names.
void clip_far_scores(std::span<const double> score, std::span<const double> count, Platt& curve) {
  constexpr double share = 0.01, far = 10, kept = 2;
  std::vector<std::size_t> order;
  double rows = 0;
  for (std::size_t i = 0; i < score.size(); ++i) {
    if (!(times(count, i) > 0)) continue;
    order.push_back(i);
    rows += times(count, i);
  }
  if (order.empty()) return;
  std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t k) { return score[i] < score[k]; });
  // Returns the score that a share of the rows reaches, from one end.
  const auto reached = [&](double part, auto from, auto to) {
    double passed = 0;
    for (; from != to; ++from) {
      if ((passed += times(count, *from)) >= part * rows) return score[*from];
    }
    return score[*std::prev(to)];
  };
  const auto from_below = [&](double part) { return reached(part, order.begin(), order.end()); };
  const auto from_above = [&](double part) { return reached(part, order.rbegin(), order.rend()); };
  const double median = from_below(0.5) / 2 + from_above(0.5) / 2;
  const double distance = std::max(median - from_below(share), from_above(share) - median);
  const double farthest = std::max(median - score[order.front()], score[order.back()] - median);
  const double low = median - kept * distance, high = median + kept * distance;
  if (!(distance > 0 && farthest > far * distance) || !std::isfinite(low) || !std::isfinite(high)) return;
  curve.low = low;
  curve.high = high;
}

// Rows of one score, or several pooled: `positive` of `rows` are positive.
struct Pool {
  double low, high;
  double positive, rows;
};

// Returns whether the first pool's share is at least the second's: of whole numbers in exact integers.
bool not_below(const Pool& first, const Pool& second) {
  __extension__ using Wide = unsigned __int128;
  const auto whole = [](double value) { return value == std::floor(value) && value < 0x1p63; };
  if (!whole(first.positive) || !whole(first.rows) || !whole(second.positive) || !whole(second.rows))
    return first.positive * second.rows >= second.positive * first.rows;
  return static_cast<Wide>(first.positive) * static_cast<Wide>(second.rows) >=
         static_cast<Wide>(second.positive) * static_cast<Wide>(first.rows);
}

}  // namespace

double Platt::probability(double score) const {
  const double f = a * std::clamp(score, low, high) + b;
  const double e = elementary::exp(-std::abs(f));
  return (f >= 0 ? e : 1) / (1 + e);
}

namespace {

// Minimizes the cross entropy by Newton's method, and returns it as `least`, too. A step that does not lower it is damped by the curvature that no curve
// exceeds, a quarter, which makes it shorter and turns it to the gradient; where the curve is 0 or 1, its own curvature is
// none.
Platt curve_of_least_entropy(std::span<const double> score, std::span<const std::uint8_t> positive,
                             std::span<const double> count, double& least) {
  double n = 0, above = 0;
  for (std::size_t i = 0; i < score.size(); ++i) {
    n += times(count, i);
    above += positive[i] != 0 ? times(count, i) : 0;
  }
  double largest = 0;
  for (const double s : score) largest = std::max(largest, std::abs(s));
  int exponent = 0;
  std::frexp(largest, &exponent);
  // Scales scores into [-1, 1] by a power of two, so that gradient and curvature are of the order of the number of
  // rows.
  const double scale = largest == 0 ? 1 : std::ldexp(1.0, std::min(exponent, 1023));
  const Entropy entropy{score, positive, count, scale, (above + 1) / (above + 2), 1 / (n - above + 2)};
  double a = 0;
  double b = elementary::log((n - above + 1) / (above + 1));
  double now = entropy.at(a, b);
  const Entropy::Slope most = entropy.most();
  constexpr double ridge = 1e-12, least_damping = 1e-9, most_damping = 1e3;
  double damping = 0;
  for (int step = 0; step < 200; ++step) {
    const Entropy::Slope s = entropy.slope(a, b);
    if (std::abs(s.a) <= 1e-12 * n && std::abs(s.b) <= 1e-12 * n) break;
    double da = 0, db = 0, next = now;
    for (;; damping = std::max(least_damping, 10 * damping)) {
      const double aa = s.aa + ridge + damping * most.aa, ab = s.ab + damping * most.ab,
                   bb = s.bb + ridge + damping * most.bb;
      const double determinant = aa * bb - ab * ab;
      da = -(bb * s.a - ab * s.b) / determinant;
      db = -(aa * s.b - ab * s.a) / determinant;
      next = entropy.at(a + da, b + db);
      if (next < now + 1e-4 * (s.a * da + s.b * db) || damping > most_damping) break;
      // At the last digits the entropy stalls, but its gradient still distinguishes better from worse.
      const bool short_step = std::abs(da) <= 1e-6 * (1 + std::abs(a)) && std::abs(db) <= 1e-6 * (1 + std::abs(b));
      if (!short_step) continue;
      const Entropy::Slope there = entropy.slope(a + da, b + db);
      if (elementary::hypot(there.a, there.b) < elementary::hypot(s.a, s.b)) break;
      damping = 2 * most_damping;
    }
    if (damping > most_damping) break;
    a += da;
    b += db;
    now = next;
    damping = damping > least_damping ? damping / 10 : 0;
  }
  least = now;
  return {.a = a / scale, .b = b};
}

}  // namespace

Platt fit_platt(std::span<const double> score, std::span<const std::uint8_t> positive, std::span<const double> count) {
  double least = 0, least_clipped = 0;
  const Platt curve = curve_of_least_entropy(score, positive, count, least);
  Platt ends;
  clip_far_scores(score, count, ends);
  if (!ends.clips()) return curve;
  std::vector<double> clipped;
  for (const double s : score) clipped.push_back(std::clamp(s, ends.low, ends.high));
  const Platt shorter = curve_of_least_entropy(clipped, positive, count, least_clipped);
  // Far scores may be what tells a rare class from the others.
  if (!(least_clipped < least)) return curve;
  return {.a = shorter.a, .b = shorter.b, .low = ends.low, .high = ends.high};
}

namespace {

// The cross entropy of a softmax of t s + c, and its slopes.
class TemperedEntropy {
 public:
  TemperedEntropy(std::uint32_t classes, std::span<const double> scores, std::span<const std::int32_t> label,
                  std::span<const double> count)
      : scores_(scores.begin(), scores.end()), label_(label), count_(count), rows_(classes, 0), p_(classes) {
    double largest = 0;
    for (const double s : scores_) largest = std::max(largest, std::abs(s));
    int exponent = 0;
    std::frexp(largest, &exponent);
    if (largest > 0) scale_ = std::ldexp(1.0, std::min(exponent, 1023));  // as of Platt's curve
    for (double& s : scores_) s /= scale_;
    for (std::size_t i = 0; i < label.size(); ++i) rows_[static_cast<std::size_t>(label[i])] += times(count, i);
  }

  struct At {
    double entropy = 0, slope = 0, curvature = 0;  // by t
    std::vector<double> slopes, curvatures;        // by the biases; of these the diagonal
  };
  At at(double t, std::span<const double> c) {
    const std::size_t classes = rows_.size();
    At now{.slopes = std::vector<double>(classes), .curvatures = std::vector<double>(classes)};
    for (std::size_t i = 0; i < label_.size(); ++i) {
      const double* const s = scores_.data() + i * classes;
      const auto y = static_cast<std::size_t>(label_[i]);
      const double own = target(y), other = (1 - own) / static_cast<double>(classes - 1), n = times(count_, i);
      double largest = -HUGE_VAL, wanted = 0, all = 0;
      for (std::size_t k = 0; k < classes; ++k) {
        p_[k] = t * s[k] + c[k];
        largest = std::max(largest, p_[k]);
        wanted += (k == y ? own : other) * p_[k];
      }
      for (double& p : p_) all += p = elementary::exp(p - largest);
      now.entropy += n * (elementary::log(all) + (largest - wanted));
      double mean = 0, square = 0, along = 0;
      for (std::size_t k = 0; k < classes; ++k) {
        const double p = p_[k] / all, more = p - (k == y ? own : other);
        mean += p * s[k];
        square += p * (s[k] * s[k]);
        along += more * s[k];
        now.slopes[k] += n * more;
        now.curvatures[k] += n * (p * (1 - p));
      }
      now.slope += n * along;
      now.curvature += n * std::max(0.0, square - mean * mean);
    }
    return now;
  }
  double rows(std::size_t k) const { return rows_[k]; }
  double scale() const { return scale_; }

 private:
  double target(std::size_t y) const { return (rows_[y] + 1) / (rows_[y] + 2); }

  std::vector<double> scores_;
  std::span<const std::int32_t> label_;
  std::span<const double> count_;
  std::vector<double> rows_, p_;
  double scale_ = 1;
};

}  // namespace

std::vector<Platt> fit_temperature(std::uint32_t classes, std::span<const double> scores,
                                   std::span<const std::int32_t> label, std::span<const double> count) {
  TemperedEntropy entropy(classes, scores, label, count);
  double n = 0, t = 1;
  std::vector<double> c(classes);
  for (std::size_t k = 0; k < classes; ++k) {
    n += entropy.rows(k);
    c[k] = elementary::log(entropy.rows(k));
  }
  constexpr double ridge = 1e-12, enough = 1e-10;
  constexpr int most = 100, halvings = 30;
  TemperedEntropy::At now = entropy.at(t, c);
  // Goes along, half as far while the entropy rises; returns false if it rises however little.
  const auto move = [&](double dt, const std::vector<double>& dc) {
    for (double length = 1; length > std::ldexp(1.0, -halvings); length /= 2) {
      const double to = std::max(0.0, t + length * dt);
      std::vector<double> biases = c;
      for (std::size_t k = 0; k < classes; ++k) biases[k] += length * dc[k];
      TemperedEntropy::At next = entropy.at(to, biases);
      if (!(next.entropy <= now.entropy)) continue;
      t = to;
      c = std::move(biases);
      now = std::move(next);
      return true;
    }
    return false;
  };
  std::vector<double> dc(classes);
  for (int step = 0; step < most; ++step) {
    const double before = now.entropy;
    const bool cooled = move(-now.slope / (now.curvature + ridge * n), std::vector<double>(classes, 0.0));
    for (std::size_t k = 0; k < classes; ++k) dc[k] = -now.slopes[k] / (2 * now.curvatures[k] + ridge * n);
    if ((!move(0, dc) && !cooled) || before - now.entropy <= enough * n) break;
  }
  const double mean = std::accumulate(c.begin(), c.end(), 0.0) / static_cast<double>(classes);
  std::vector<Platt> curves;
  for (const double bias : c) curves.push_back({-t / entropy.scale(), mean - bias});
  return curves;
}

Isotonic fit_isotonic(std::span<const double> score, std::span<const std::uint8_t> positive,
                      std::span<const double> count) {
  std::vector<std::size_t> order(score.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t k) { return score[i] < score[k]; });
  std::vector<Pool> pools;
  for (const std::size_t i : order) {
    const double rows = times(count, i), one = positive[i] != 0 ? rows : 0;
    if (rows == 0) continue;
    if (!pools.empty() && pools.back().high == score[i] && pools.back().low == score[i]) {
      pools.back().positive += one;
      pools.back().rows += rows;
    } else {
      pools.push_back({score[i], score[i], one, rows});
    }
  }
  // Merges pools until their shares strictly increase.
  std::size_t kept = 0;
  for (const Pool& pool : pools) {
    pools[kept++] = pool;
    while (kept > 1 && not_below(pools[kept - 2], pools[kept - 1])) {
      Pool& left = pools[kept - 2];
      const Pool& right = pools[kept - 1];
      left.high = right.high;
      left.positive += right.positive;
      left.rows += right.rows;
      --kept;
    }
  }
  Isotonic curve;
  for (std::size_t k = 0; k < kept; ++k) {
    const double share = pools[k].positive / pools[k].rows;
    curve.score.push_back(pools[k].low);
    curve.probability.push_back(share);
    if (pools[k].high == pools[k].low) continue;
    curve.score.push_back(pools[k].high);
    curve.probability.push_back(share);
  }
  return curve;
}

double Isotonic::at(double s) const {
  const auto above = static_cast<std::size_t>(std::upper_bound(score.begin(), score.end(), s) - score.begin());
  if (above == 0) return probability.front();
  if (above == score.size()) return probability.back();
  const double low = probability[above - 1];
  const double high = probability[above];
  if (low == high) return low;
  // Divides by 2 first, so that no difference of scores overflows.
  const double share = (s / 2 - score[above - 1] / 2) / (score[above] / 2 - score[above - 1] / 2);
  return std::clamp(low + share * (high - low), low, high);
}

std::vector<double> Calibration::probabilities(std::span<const double> scores) const {
  std::vector<double> result(std::max<std::size_t>(2, scores.size()));
  probabilities(scores, result);
  return result;
}

void Calibration::probabilities(std::span<const double> scores, std::span<double> result) const {
  const auto curve = [this](std::size_t k, double score) {
    return method == CalibrationMethod::isotonic ? isotonic[k].at(score)
           : by_platt()                          ? platt[k].probability(score)
                                                 : Platt{.a = -1, .b = 0}.probability(score);
  };
  if (scores.size() == 1) {
    result[1] = curve(0, scores[0]);
    result[0] = 1 - result[1];
    return;
  }
  if (method == CalibrationMethod::softmax) return softmax(scores, 1, result);
  if (method == CalibrationMethod::temperature) {
    constexpr double far = 1e300;  // no sum of two overflows
    for (std::size_t k = 0; k < scores.size(); ++k)
      result[k] = std::clamp(-(platt[k].a * scores[k] + platt[k].b), -far, far);
    return softmax(result, 1, result);
  }
  double sum = 0;
  for (std::size_t k = 0; k < scores.size(); ++k) sum += result[k] = curve(k, scores[k]);
  for (double& p : result) p = sum > 0 ? p / sum : 1 / static_cast<double>(scores.size());
}

Calibration calibrate(CalibrationMethod method, std::uint32_t vectors, std::span<const double> scores,
                      std::span<const std::int32_t> label, std::span<const std::string> names,
                      std::span<const double> count) {
  Calibration calibration;
  calibration.method = method;
  std::vector<double> rows(std::max<std::size_t>(2, vectors), 0);
  for (std::size_t i = 0; i < label.size(); ++i) rows[static_cast<std::size_t>(label[i])] += times(count, i);
  calibration.rows = rounded_rows(std::accumulate(rows.begin(), rows.end(), 0.0));
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (rows[k] > 0) continue;
    throw Error(ErrorKind::usage, "none of the " + std::to_string(label.size()) + " calibration rows has the class '" +
                                      (k < names.size() ? names[k] : "?") + "'")
        .fix("hold out more rows with " + option("holdout") + ", or calibrate by " + option("folds"));
  }
  if (method == CalibrationMethod::temperature) {
    if (vectors < 3)
      throw Error(ErrorKind::usage, option("calibrate", "temperature") + " is of three classes or more")
          .fix("use platt, whose curve is the same for two");
    calibration.platt = fit_temperature(vectors, scores, label, count);
    return calibration;
  }
  std::vector<double> score(label.size());
  std::vector<std::uint8_t> positive(label.size());
  for (std::uint32_t k = 0; k < vectors; ++k) {
    for (std::size_t i = 0; i < label.size(); ++i) {
      score[i] = scores[i * vectors + k];
      positive[i] = label[i] == static_cast<std::int32_t>(vectors == 1 ? 1 : k);
    }
    if (calibration.by_platt()) calibration.platt.push_back(fit_platt(score, positive, count));
    if (method == CalibrationMethod::isotonic) calibration.isotonic.push_back(fit_isotonic(score, positive, count));
  }
  if (calibration.by_platt()) {
    const bool clips =
        std::any_of(calibration.platt.begin(), calibration.platt.end(), [](auto& c) { return c.clips(); });
    calibration.method = clips ? CalibrationMethod::clipped_platt : CalibrationMethod::platt;
  }
  return calibration;
}

}  // namespace halfspace
