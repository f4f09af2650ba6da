// A fractional knapsack of numbers for every choice of categories, against every other class.
#include "reasons/cheapest.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "halfspace/base/error.h"
#include "reasons/decimal_towards.h"

namespace halfspace::reasons {
namespace {

constexpr std::uint64_t most_choices = 4096;  // of categories together

[[noreturn]] void refuse(const std::string& column, const std::string& why, const std::string& fix) {
  throw Error(ErrorKind::usage, "column '" + column + "' " + why).fix(fix);
}

// A number that may change.
struct Number {
  std::uint32_t column;
  double x;
  mpq_class cost;  // of a unit
  std::optional<double> least, most;
};

// A column of categories that may change.
struct Swap {
  std::uint32_t column;
  mpq_class cost;
  std::vector<std::size_t> categories;
};

struct Move {
  const Number* number;
  mpq_class target;
  bool partial;  // not to a limit
  bool rises;
};

struct Plan {
  mpq_class cost;
  std::vector<Move> moves;
  std::vector<std::pair<const Swap*, std::size_t>> swaps;
};

// A plan in doubles.
struct Realised {
  mpq_class cost;
  NewValues values;
  std::vector<Change> changes;
};

class Search {
 public:
  Search(const RowColumns& row, const ChangeOptions& options) : row_(row), options_(options) {
    check_names();
    for (std::uint32_t c = 0; c < row.columns().columns.size(); ++c) gather(c);
  }

  CheapestChange run() {
    for (std::size_t r = 0; r < row_.exact().rivals().size(); ++r) against(r);
    for (const Number& number : curved_) alone(number);
    if (best_) {
      result_.found = true;
      result_.cost = best_->cost.get_d();
      result_.changes = best_->changes;
      result_.label = row_.exact().label(best_->values);
    } else {
      result_.label = row_.exact().label();
      result_.least_margin = nearest_ ? decimal_towards(std::max(*nearest_, mpq_class(0)), false, 6) : 0;
    }
    // Where columns could not be changed, a change of them may be one.
    result_.cheapest = result_.cheapest && curved_.empty() && (result_.found || result_.unmoved.empty());
    return std::move(result_);
  }

 private:
  const std::string& name(std::uint32_t column) const { return row_.columns().columns[column].name; }

  std::uint32_t column_called(const std::string& name) const {
    const auto& all = row_.columns().columns;
    const auto found = std::find_if(all.begin(), all.end(), [&](const auto& column) { return column.name == name; });
    if (found == all.end()) refuse(name, "is none of the model's", "name a column that the model learned from");
    return static_cast<std::uint32_t>(found - all.begin());
  }

  void check_names() const {
    for (const std::string& column : options_.fixed) column_called(column);
    for (const auto& [column, cost] : options_.costs) {
      column_called(column);
      if (!(cost > 0) || !std::isfinite(cost)) refuse(column, "has no cost above 0", "give a number above 0");
    }
    for (const ChangeOptions::Limits& limits : options_.limits) {
      const std::uint32_t column = column_called(limits.column);
      if (row_.columns().columns[column].feature == Column::no_feature)
        refuse(limits.column, "is no number, and has no limits", "leave it out of the limits, or fix the column");
      if (!row_.is_number(column)) continue;  // it is missing
      const double x = row_.number(column);
      if ((limits.least && x < *limits.least) || (limits.most && x > *limits.most))
        refuse(limits.column, "has a value beyond its limits in this row", "widen the limits");
    }
  }

  std::optional<double> cost_of(std::uint32_t column) const {
    for (const auto& [of, cost] : options_.costs) {
      if (of == name(column)) return cost;
    }
    return std::nullopt;
  }

  void gather(std::uint32_t c) {
    const SourceColumns::Column& column = row_.columns().columns[c];
    const bool fixed = std::find(options_.fixed.begin(), options_.fixed.end(), column.name) != options_.fixed.end();
    if (fixed || !row_.has_weight(c)) return;
    const bool alone = !column.in_products && column.from.size() <= 1;
    if (alone && row_.is_number(c)) {
      const double deviation = row_.deviation(c);
      Number number{c, row_.number(c), mpq_class(1), std::nullopt, std::nullopt};
      if (deviation > 0) number.cost = 1 / mpq_class(deviation);
      if (const auto given = cost_of(c)) number.cost = mpq_class(*given);
      for (const ChangeOptions::Limits& limits : options_.limits) {
        if (limits.column != column.name) continue;
        number.least = limits.least;
        number.most = limits.most;
      }
      (row_.is_curved(c) ? curved_ : numbers_).push_back(std::move(number));
    } else if (alone && row_.categories(c) != nullptr) {
      Swap swap{c, mpq_class(cost_of(c).value_or(1)), {}};
      const Column& from = *row_.categories(c);
      for (std::size_t k = 0; k < from.features.size(); ++k) {
        if (from.features[k] != Column::no_feature && row_.exact().value(from.features[k]) == 0)
          swap.categories.push_back(k);
      }
      swaps_.push_back(std::move(swap));
    } else {
      result_.unmoved.push_back(column.name);
    }
  }

  void against(std::size_t rival) {
    std::vector<std::pair<mpq_class, const Number*>> by_worth;
    for (const Number& number : numbers_) {
      const mpq_class slope = row_.slope(number.column, rival);
      if (slope != 0) by_worth.emplace_back(abs(slope) / number.cost, &number);
    }
    std::stable_sort(by_worth.begin(), by_worth.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    order_.clear();
    for (const auto& [worth, number] : by_worth) order_.push_back(number);
    std::uint64_t choices = 1;
    for (const Swap& swap : swaps_) choices = std::min(most_choices + 1, choices * (swap.categories.size() + 1));
    Plan plan;
    if (choices <= most_choices) return choose(rival, 0, plan, row_.exact().lead(rival));
    best_first(rival);
  }

  // Changes categories in falling order of gain by cost, and the numbers after each. If all cost the same, no others of
  // as many gain more.
  void best_first(std::size_t rival) {
    struct Best {
      const Swap* swap;
      std::size_t category;
      mpq_class gain;
    };
    std::vector<Best> best;
    for (const Swap& swap : swaps_) {
      if (swap.cost != swaps_.front().cost) result_.cheapest = false;
      Best own{&swap, 0, 0};
      for (const std::size_t category : swap.categories) {
        const mpq_class gain = gain_of(rival, swap, category);
        if (gain > own.gain) own = {&swap, category, gain};
      }
      if (own.gain > 0) best.push_back(std::move(own));
    }
    std::stable_sort(best.begin(), best.end(), [](const Best& a, const Best& b) {
      return mpq_class(a.gain / a.swap->cost) > mpq_class(b.gain / b.swap->cost);
    });
    Plan plan;
    mpq_class lead = row_.exact().lead(rival);
    fill(rival, plan, lead);
    for (const Best& one : best) {
      if (!row_.exact().holds(rival, lead)) return;
      plan.swaps.emplace_back(one.swap, one.category);
      plan.cost += one.swap->cost;
      lead -= one.gain;
      fill(rival, plan, lead);
    }
  }

  mpq_class gain_of(std::size_t rival, const Swap& swap, std::size_t category) const {
    return row_.exact().lead(rival) - row_.exact().lead(rival, row_.features_with(swap.column, category));
  }

  void with_each(std::size_t rival, const Swap& swap, Plan& plan, const mpq_class& lead,
                 const std::function<void(const mpq_class&)>& next) {
    for (const std::size_t category : swap.categories) {
      const mpq_class gain = gain_of(rival, swap, category);
      if (gain <= 0) continue;
      plan.swaps.emplace_back(&swap, category);
      plan.cost += swap.cost;
      next(lead - gain);
      plan.cost -= swap.cost;
      plan.swaps.pop_back();
    }
  }

  // Chooses a category for each column from `at` on, then the numbers.
  void choose(std::size_t rival, std::size_t at, Plan& plan, const mpq_class& lead) {
    if (at == swaps_.size()) return fill(rival, plan, lead);
    choose(rival, at + 1, plan, lead);
    with_each(rival, swaps_[at], plan, lead, [&](const mpq_class& left) { choose(rival, at + 1, plan, left); });
  }

  // Changes numbers until the rival is level, the most effective for its cost first.
  void fill(std::size_t rival, const Plan& chosen, mpq_class lead) {
    Plan plan = chosen;
    for (const Number* number : order_) {
      if (!row_.exact().holds(rival, lead)) break;
      const mpq_class slope = row_.slope(number->column, rival), x(number->x);
      const std::optional<double>& limit = slope > 0 ? number->least : number->most;
      const mpq_class level = x - lead / slope;
      const bool partial = !limit || (slope > 0 ? mpq_class(*limit) < level : mpq_class(*limit) > level);
      const mpq_class target = partial ? level : mpq_class(*limit);
      const mpq_class distance = abs(target - x);
      if (!partial && distance == 0) continue;
      plan.moves.push_back({number, target, partial, slope < 0});
      plan.cost += number->cost * distance;
      if (best_ && plan.cost >= best_->cost) return;
      lead -= abs(slope) * distance;
      if (partial) return realise(plan);
    }
    if (row_.exact().holds(rival, lead)) {
      if (!nearest_ || lead < *nearest_) nearest_ = lead;
      return;
    }
    realise(plan);
  }

  // Keeps the plan, with a number of few digits at the boundary or just beyond it, if it flips the label.
  void realise(const Plan& plan) {
    for (const int digits : digits_to_try) {
      for (const auto& rounded : {decimal_at, decimal_further}) {
        Realised to{0, {}, {}};
        if (!add_moves(plan, digits, rounded, to)) continue;
        for (const auto& [swap, category] : plan.swaps) {
          const NewValues values = row_.features_with(swap->column, category);
          to.values.insert(to.values.end(), values.begin(), values.end());
          to.changes.push_back({swap->column, 0, 0, *row_.category(swap->column),
                                std::string(row_.categories(swap->column)->categories[category])});
          to.cost += swap->cost;
        }
        if (keep(to)) return;
      }
    }
    result_.cheapest = false;  // no double lies beyond the boundary and within the limits
  }

  static double decimal_at(const Move& move, bool up, int digits) { return decimal_towards(move.target, up, digits); }
  static double decimal_further(const Move& move, bool up, int digits) {
    return decimal_beyond(move.target, up, digits, move.target.get_d() - move.number->x);
  }

  // Returns false if a number is beyond its limits.
  bool add_moves(const Plan& plan, int digits, double (*rounded)(const Move&, bool, int), Realised& to) const {
    for (const Move& move : plan.moves) {
      const mpq_class x(move.number->x);
      const bool up = move.target == x ? move.rises : move.target > x;
      const double value = move.partial ? rounded(move, up, digits) : move.target.get_d();
      if (!std::isfinite(value) || beyond(*move.number, value)) return false;
      add(*move.number, value, to);
    }
    return true;
  }

  static bool beyond(const Number& number, double value) {
    return (number.least && value < *number.least) || (number.most && value > *number.most);
  }

  void add(const Number& number, double value, Realised& to) const {
    const NewValues values = row_.features_at(number.column, value);
    to.values.insert(to.values.end(), values.begin(), values.end());
    to.changes.push_back({number.column, number.x, value, {}, {}});
    to.cost += number.cost * abs(mpq_class(value) - mpq_class(number.x));
  }

  bool keep(Realised& to) {
    if (!are_finite(to.values) || row_.exact().label(to.values) == row_.exact().label()) return false;
    if (!best_ || to.cost < best_->cost) best_ = std::move(to);
    return true;
  }

  // A number with a logarithm, by itself.
  void alone(const Number& number) {
    if (!row_.is_monotone(number.column)) return;
    for (const bool up : {false, true}) {
      const auto ends = row_.last_that_holds(number.column, up);
      if (!ends) continue;
      const double beyond_rounding = ends->second + (ends->second - number.x) * 0x1p-40;
      if (!std::isfinite(beyond_rounding)) continue;
      for (const int digits : digits_to_try) {
        const double value = decimal_towards(mpq_class(beyond_rounding), up, digits);
        if (!std::isfinite(value) || beyond(number, value)) continue;
        Realised to{0, {}, {}};
        add(number, value, to);
        if (keep(to)) break;
      }
    }
  }

  const RowColumns& row_;
  const ChangeOptions& options_;
  std::vector<Number> numbers_, curved_;
  std::vector<Swap> swaps_;
  std::vector<const Number*> order_;  // of the rival at hand
  std::optional<Realised> best_;
  std::optional<mpq_class> nearest_;  // the least lead that could not be overcome
  CheapestChange result_;
};

}  // namespace

CheapestChange cheapest_change(const RowColumns& row, const ChangeOptions& options) {
  return Search(row, options).run();
}

}  // namespace halfspace::reasons
