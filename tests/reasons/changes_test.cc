// Ranges, radii and changes: exact on both sides of their ends, and no cheaper change anywhere on a grid.
#include "halfspace/reasons/changes.h"

#include "reasons/explanation_words.h"
#include "reasons/reasons_support.h"

namespace halfspace {
namespace {

using namespace testing_reasons;

// The cells of a row with another one, as a file would have it.
Cells with(Cells cells, const std::string& column, const std::string& cell) {
  const Names names{"a", "b", "c", "kind", "shape"};
  cells[static_cast<std::size_t>(std::find(names.begin(), names.end(), column) - names.begin())] = cell;
  return cells;
}

ChangeOptions without(Names columns) {
  ChangeOptions options;
  options.fixed = std::move(columns);
  return options;
}

std::string text(double number) { return fmt::format("{}", number); }

TEST(Changes, RangesHoldUpToTheirEnds) {
  Generator draws(15);
  std::size_t ends = 0, open = 0, refused = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    const RandomModel of(seed, kind_of(seed));
    const Cells cells = of.row(draws);
    const FoundRow row = of.found(cells);
    const RowChanges changes(of.model, row.block, 0);
    ASSERT_EQ(changes.label(), of.label(row.block));
    for (std::uint32_t c = 0; c < changes.columns().columns.size(); ++c) {
      const std::string& name = changes.columns().columns[c].name;
      const auto range = changes.range(c);
      if (!range) {
        ++refused;
        continue;
      }
      const auto label_at = [&](double value) { return of.label(of.found(with(cells, name, text(value))).block); };
      for (const bool up : {false, true}) {
        const std::optional<double>& end = up ? range->most : range->least;
        if (!end) {
          ++open;
          EXPECT_EQ(label_at(up ? 1e12 : -1e12), changes.label()) << name << " of " << seed;
          continue;
        }
        ++ends;
        EXPECT_TRUE(up ? *end >= range->value : *end <= range->value);
        EXPECT_EQ(label_at(*end), changes.label()) << name << " at " << *end << " of " << seed;
        EXPECT_EQ(label_at((*end + range->value) / 2), changes.label());
        const double beyond = 2e-5 * (std::abs(*end) + std::abs(range->value)) + 1e-9;
        EXPECT_NE(label_at(up ? *end + beyond : *end - beyond), changes.label())
            << name << " beyond " << *end << " of " << seed << ": the range is too narrow";
      }
    }
  }
  EXPECT_GT(ends, 200U);
  EXPECT_GT(open, 100U);
  EXPECT_GT(refused, 100U) << "categories, products";
}

TEST(Changes, RadiiHoldAndAreTight) {
  Generator draws(16);
  std::size_t found = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const RandomModel of(seed, kind_of(seed));
    Cells cells = of.row(draws);
    const FoundRow row = of.found(cells);
    const RowChanges changes(of.model, row.block, 0);
    const auto radius = changes.radius();
    if (!radius) continue;
    ++found;
    // The nearest row by the sum of differences differs in one column.
    double nearest = std::numeric_limits<double>::infinity();
    for (std::uint32_t c = 0; c < 3; ++c) {
      const auto range = changes.range(c);
      if (!range) continue;
      if (range->least) nearest = std::min(nearest, range->value - *range->least);
      if (range->most) nearest = std::min(nearest, *range->most - range->value);
    }
    EXPECT_LE(radius->l1, nearest * (1 + 1e-4) + 1e-9);
    EXPECT_GE(radius->l1, nearest * (1 - 1e-4) - 1e-4 * std::abs(nearest)) << seed;
    EXPECT_LE(radius->infinity, radius->l2 * (1 + 1e-5));
    EXPECT_LE(radius->l2, radius->l1 * (1 + 1e-5));
    for (int k = 0; k < 20; ++k) {
      Cells moved = cells;
      double squares = 0;
      std::array<double, 3> step{};
      for (double& s : step) {
        s = gaussian(draws);
        squares += s * s;
      }
      for (std::size_t c = 0; c < 3; ++c) {
        if (!cells[c].empty()) moved[c] = text(std::stod(cells[c]) + 0.999 * radius->l2 * step[c] / std::sqrt(squares));
      }
      EXPECT_EQ(of.label(of.found(moved).block), changes.label());
    }
  }
  EXPECT_GT(found, 30U);
}

constexpr std::array<double, 3> unit_costs{1, 2, 0.5};  // of a, b and c

// The cost of a grid of changes, the cheapest that flips the label: numbers in steps within limits, every category.
double cheapest_on_a_grid(const RandomModel& of, const Cells& cells, std::int32_t label, double limit) {
  std::vector<Cells> all{cells};
  std::vector<double> cost{0};
  for (std::size_t c = 0; c < 3; ++c) {
    for (std::size_t i = 0, count = all.size(); i < count && !cells[c].empty(); ++i) {
      for (double step = -limit; step <= limit; step += limit / 6) {
        if (step == 0) continue;
        all.push_back(all[i]);
        all.back()[c] = text(std::stod(cells[c]) + step);
        cost.push_back(cost[i] + unit_costs[c] * std::abs(step));
      }
    }
  }
  for (const auto& [c, names] : std::map<std::size_t, Names>{{3, {"u", "v", "w"}}, {4, {"round", "flat"}}}) {
    for (std::size_t i = 0, count = all.size(); i < count; ++i) {
      for (const std::string& name : names) {
        if (name == cells[c]) continue;
        all.push_back(all[i]);
        all.back()[c] = name;
        cost.push_back(cost[i] + 2);
      }
    }
  }
  ReadOptions read;
  read.path = of.folder.write("grid.csv", of.text_of(all, nullptr));
  read.labels.ignore = true;
  Reader reader(read_for(of.model, read));
  double least = std::numeric_limits<double>::infinity();
  std::size_t at = 0;
  reader.read([&](const Block& block) {
    for (std::size_t i = 0; i < block.rows; ++i, ++at) {
      BlockBuffer one;
      one.append(block, i);
      if (cost[at] < least && of.label(one.finish()) != label) least = cost[at];
    }
    return true;
  });
  EXPECT_EQ(at, all.size());
  return least;
}

TEST(Changes, NoneOnAGridIsCheaper) {
  Generator draws(17);
  std::size_t flipped = 0, impossible = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Kind kind = kind_of(seed);
    kind.products = kind.logarithm = false;
    const RandomModel of(seed, kind);
    const Cells cells = of.row(draws);
    const FoundRow row = of.found(cells);
    const RowChanges changes(of.model, row.block, 0);
    const double limit = kind.whole ? 3 : 0.5;
    ChangeOptions options;
    for (std::size_t c = 0; c < 3; ++c) {
      options.costs.emplace_back(of.columns[c], unit_costs[c]);
      if (cells[c].empty()) continue;
      const double x = std::stod(cells[c]);
      options.limits.push_back({of.columns[c], x - limit * (1 + 1e-9), x + limit * (1 + 1e-9)});
    }
    options.costs.emplace_back("kind", 2);
    options.costs.emplace_back("shape", 2);
    const CheapestChange change = changes.cheapest(options);
    ASSERT_TRUE(change.cheapest || (!change.found && !change.unmoved.empty()));
    const double on_grid = cheapest_on_a_grid(of, cells, changes.label(), limit);
    if (!change.found) {
      ++impossible;
      EXPECT_GE(change.least_margin, 0);
      EXPECT_EQ(on_grid, std::numeric_limits<double>::infinity()) << seed;
      continue;
    }
    ++flipped;
    EXPECT_LE(change.cost, on_grid + 1e-4 * (1 + on_grid)) << seed;
    Cells changed = cells;
    double cost = 0;
    for (const Change& one : change.changes) {
      const std::string& name = changes.columns().columns[one.column].name;
      const bool category = !one.to_category.empty();
      changed = with(changed, name, category ? one.to_category : text(one.to));
      cost += category ? 2 : unit_costs[static_cast<std::size_t>(name[0] - 'a')] * std::abs(one.to - one.from);
    }
    EXPECT_NEAR(cost, change.cost, 1e-9 * (1 + cost));
    EXPECT_EQ(of.label(of.found(changed).block), change.label) << seed;
    EXPECT_NE(change.label, changes.label());
  }
  EXPECT_GT(flipped, 15U);
  EXPECT_GT(impossible, 3U);
}

TEST(Changes, OfLogarithmsFlipTheLabel) {
  Generator draws(18);
  std::size_t by_logarithm = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const RandomModel of(seed, {.logarithm = true});
    const Cells cells = of.row(draws);
    const FoundRow row = of.found(cells);
    const RowChanges changes(of.model, row.block, 0);
    const CheapestChange change = changes.cheapest(without({"a", "b", "kind", "shape"}));
    EXPECT_FALSE(change.cheapest) << "a number with a logarithm is tried alone";
    if (!change.found) continue;
    ++by_logarithm;
    ASSERT_EQ(change.changes.size(), 1U);
    EXPECT_NE(of.label(of.found(with(cells, "c", text(change.changes[0].to))).block), changes.label());
  }
  EXPECT_GT(by_logarithm, 15U);
}

TEST(Changes, ARowOnTheBorderFlips) {
  RandomModel of(7, {.whole = true});
  std::fill(of.model.weights.w.begin(), of.model.weights.w.end(), 0.0);
  of.model.weights.w[0] = 1;
  of.model.weights.bias[0] = 0;
  const FoundRow row = of.found(Cells{"0", "0", "0", "u", "flat"});
  const RowChanges changes(of.model, row.block, 0);
  EXPECT_EQ(changes.label(), 1);
  const CheapestChange change = changes.cheapest({});
  ASSERT_TRUE(change.found);
  EXPECT_LT(change.changes.at(0).to, 0);
  EXPECT_EQ(changes.range(0)->least, 0);
}

// Weights and values of any size: what is said is said of doubles, and nothing ends the program.
TEST(Changes, HoldAtTheEndsOfTheDoubles) {
  Generator draws(31);
  const auto power = [&] { return static_cast<int>(draws.next() * 2000) - 1000; };
  std::size_t ends = 0, infinite = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    RandomModel of(seed, kind_of(seed));
    for (double& w : of.model.weights.w) {
      const double sized = std::ldexp(w, power());
      if (std::isfinite(sized)) w = sized;
    }
    Cells cells = of.row(draws);
    for (std::size_t c = 0; c < 3; ++c) cells[c] = fmt::format("{:.3g}e{}", gaussian(draws), power() / 10 * 3);
    std::optional<FoundRow> row;
    try {
      row.emplace(of.found(cells));
      const Explanation found = explain(of.model, *row, {reference_at_zero(), {}, {}});
      EXPECT_FALSE(reasons::explanation_text(found, 20, {}).empty());
      infinite += found.radius && std::isinf(found.radius->l1) ? 1U : 0U;
    } catch (const Error& error) {  // a value, or a score, beyond the doubles
      EXPECT_NE(error.kind(), ErrorKind::internal) << error.what();
      continue;
    }
    const RowChanges changes(of.model, row->block, 0);
    for (std::uint32_t c = 0; c < changes.columns().columns.size(); ++c) {
      const auto range = changes.range(c);
      for (const std::optional<double> end :
           {range ? range->least : std::nullopt, range ? range->most : std::nullopt}) {
        if (!end) continue;
        ++ends;
        ASSERT_TRUE(std::isfinite(*end));
        const std::string& name = changes.columns().columns[c].name;
        EXPECT_EQ(of.label(of.found(with(cells, name, text(*end))).block), changes.label()) << seed << ", " << name;
      }
    }
  }
  EXPECT_GT(ends, 100U);
  EXPECT_GT(infinite, 0U);
}

TEST(Changes, AnEndBeyondTheDoublesIsNone) {
  RandomModel of(7, {.whole = true});
  std::fill(of.model.weights.w.begin(), of.model.weights.w.end(), 0.0);
  of.model.weights.w[0] = 1e-200;
  of.model.weights.bias[0] = 1e200;  // the label holds down to a = -1e400
  const FoundRow row = of.found(Cells{"1", "0", "0", "u", "flat"});
  const RowChanges changes(of.model, row.block, 0);
  EXPECT_EQ(changes.range(0)->least, std::nullopt);
  EXPECT_EQ(changes.range(0)->most, std::nullopt);
  of.model.weights.bias[0] = 1;
  EXPECT_NEAR(*RowChanges(of.model, row.block, 0).range(0)->least, -1e200, 1e195);
}

// The label is that of predict: where its rounding decides, nothing is said that another label would have.
TEST(Changes, WhereRoundingDecidesThereAreReasonsAlone) {
  Generator draws(23);
  std::size_t differ = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    RandomModel of(seed, {});
    const FoundRow row = of.found(of.row(draws));
    std::vector<std::int32_t> labels;
    std::vector<double> scores;
    of.model.weights.bias[0] = 0;
    Predictor(of.model).predict(row.block, labels, scores);
    of.model.weights.bias[0] = -scores[0];
    Predictor(of.model).predict(row.block, labels, scores);
    const Explanation found = explain(of.model, row, {reference_at_zero(), {}, {}});
    EXPECT_EQ(found.label, of.model.schema.labels.names[static_cast<std::size_t>(labels[0])]);
    const bool exact = RowChanges(of.model, row.block, 0).label() == labels[0];
    differ += exact ? 0U : 1U;
    EXPECT_EQ(found.change.has_value(), exact);
    EXPECT_EQ(found.why_no_change.empty(), exact);
  }
  EXPECT_GT(differ, 5U);
}

// Of many categories, as many as must change are those that gain most.
TEST(Changes, OfManyCategoriesAreTheFewest) {
  const TemporaryFolder folder;
  Generator draws(21);
  std::string text = "c1,c2,c3,c4,c5,c6,c7,c8,y\n";
  for (int i = 0; i < 80; ++i) {
    for (int c = 0; c < 8; ++c) text += std::string(1, static_cast<char>('a' + below(draws, 4))) + ",";
    text += fmt::format("k{}\n", i % 2);
  }
  TrainOptions options;
  options.read.path = folder.write("d.csv", text);
  options.until.passes = 1;
  Model model = train(options).model;
  std::size_t found = 0;
  for (int trial = 0; trial < 20; ++trial) {
    for (double& w : model.weights.w) w = gaussian(draws);
    const std::size_t i = below(draws, 80);
    ReadOptions read;
    read.path = options.read.path;
    const FoundRow row = find_row(model, read, std::to_string(i + 1));
    const RowChanges changes(model, row.block, 0);
    double lead = model.weights.bias[0];
    std::vector<double> gains;
    for (const Column& column : model.schema.columns) {
      double own = 0;
      std::vector<double> all;
      row.block.with_example(0, [&](const auto& x) {
        for (const std::uint32_t feature : column.features) {
          all.push_back(model.weights.w[feature]);
          for (std::uint32_t k = 0; k < x.size; ++k) own = x.index[k] == feature ? all.back() : own;
        }
      });
      if (all.empty()) continue;
      lead += own;
      const double other =
          changes.label() == 1 ? *std::min_element(all.begin(), all.end()) : *std::max_element(all.begin(), all.end());
      gains.push_back(std::abs(own - other));
    }
    std::sort(gains.rbegin(), gains.rend());
    double left = std::abs(lead);
    std::size_t count = 0;
    while (left > 0 && count < gains.size()) left -= gains[count++];
    const CheapestChange change = changes.cheapest({});
    EXPECT_TRUE(change.cheapest);
    EXPECT_EQ(change.found, left < 0);
    if (!change.found) continue;
    ++found;
    EXPECT_EQ(change.changes.size(), count);
    EXPECT_EQ(change.cost, static_cast<double>(count));
  }
  EXPECT_GT(found, 10U);
}

TEST(Changes, ProductsOfNamespacesDoNotMoveByThemselves) {
  const TemporaryFolder folder;
  Generator draws(22);
  std::string text;
  for (int i = 0; i < 40; ++i)
    text += fmt::format("{} |n a:{:.3g} |c {}\n", i % 2 == 0 ? 1 : -1, gaussian(draws), i % 3 == 0 ? "x" : "z");
  TrainOptions options;
  options.read.path = folder.write("d.vw", text);
  options.read.columns.interactions = {"n:c"};
  options.until.passes = 2;
  options.composition.order = OrderName::cyclic;
  const Model model = train(options).model;
  ReadOptions read;
  read.path = options.read.path;
  const RowChanges changes(model, find_row(model, read, "1").block, 0);
  EXPECT_FALSE(changes.radius());
  for (std::uint32_t c = 0; c < changes.columns().columns.size(); ++c) EXPECT_FALSE(changes.range(c));
  const CheapestChange change = changes.cheapest({});
  EXPECT_FALSE(change.found || change.cheapest) << "nothing could be tried, and nothing is proved";
  EXPECT_FALSE(change.unmoved.empty());
}

TEST(Changes, FixedColumnsStayAndOthersAreNamed) {
  const RandomModel of(3, {.products = true});
  Generator draws(19);
  const FoundRow row = of.found(of.row(draws));
  const RowChanges changes(of.model, row.block, 0);
  const CheapestChange change = changes.cheapest(without({"c"}));
  for (const Change& one : change.changes) EXPECT_NE(changes.columns().columns[one.column].name, "c");
  for (const std::string name : {"a", "a:b", "a:kind"})
    EXPECT_NE(std::find(change.unmoved.begin(), change.unmoved.end(), name), change.unmoved.end()) << name;
  EXPECT_THROW(changes.cheapest(without({"none"})), Error);
  ChangeOptions free;
  free.costs.emplace_back("c", 0.0);
  EXPECT_THROW(changes.cheapest(free), Error);
}

TEST(Changes, LimitsHoldTheRow) {
  const RandomModel of(4, {});
  const FoundRow row = of.found(Cells{"1", "2", "3", "u", "flat"});
  const RowChanges changes(of.model, row.block, 0);
  ChangeOptions beyond;
  beyond.limits.push_back({"a", 2.0, std::nullopt});
  EXPECT_THROW(changes.cheapest(beyond), Error);
  ChangeOptions of_category;
  of_category.limits.push_back({"kind", 0.0, 1.0});
  EXPECT_THROW(changes.cheapest(of_category), Error);
}

TEST(Changes, RowsChangedAsAWholeAreRefused) {
  RandomModel of(5, {});
  const FoundRow row = of.found(Cells{"1", "2", "3", "u", "flat"});
  of.model.schema.row_normalised = true;
  EXPECT_THROW(RowChanges(of.model, row.block, 0), Error);
}

}  // namespace
}  // namespace halfspace
