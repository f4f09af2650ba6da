// Runs of everything that can be asked for, drawn at random: no figure of the verdict is exceeded by what it bounds, and
// where there is no bound, what is said of it is so. HALFSPACE_RUNS=N plays N runs instead of some hundred.

#include "halfspace/base/error.h"
#include "halfspace/bounds/formulas.h"
#include "halfspace/model/model_file.h"
#include "halfspace/rules/rule_entry.h"
#include "halfspace/train/train.h"
#include "support/every.h"
#include "support/test.h"
#include "support/world.h"

namespace halfspace::testing {
namespace {

using Number = long double;

std::uint64_t runs_wanted() {
  const char* wanted = std::getenv("HALFSPACE_RUNS");
  return wanted == nullptr ? 500 : std::strtoull(wanted, nullptr, 10);
}

// HALFSPACE_FIRST_RUN=N: the seed to begin with.
std::uint64_t first_run() {
  const char* wanted = std::getenv("HALFSPACE_FIRST_RUN");
  return wanted == nullptr ? 1 : std::strtoull(wanted, nullptr, 10);
}

// A number of any size above 0, subnormal ones too.
double any_size(Chance& chance, int low = -323, int high = 300) {
  return std::pow(10, chance.between(low, high)) * chance.of({1.0, 1.0, 3.7});
}

// A composition of any rule, with any of its parameters, that validate() lets through.
Composition any_composition(Chance& chance, const RuleEntry& entry) {
  const auto valid = [](const Composition& c) {
    try {
      validate(c);
      return true;
    } catch (const Error&) {
      return false;
    }
  };
  Composition c;
  c.rule = entry.id;
  c.bias.position = entry.default_bias != nullptr ? entry.default_bias(c) : Bias::last;
  const auto try_out = [&](const auto& change) {
    Composition next = c;
    change(next);
    if (valid(next)) c = next;
  };
  const auto orders = every<OrderName>();
  const auto keeps = every<KeepName>();
  const auto index = [&](std::size_t size) {
    return static_cast<std::size_t>(chance.between(0, static_cast<int>(size) - 1));
  };
  for (const ParameterUse& use : entry.parameters) {
    if (chance.one_in(2)) continue;
    const Parameter& parameter = *use.parameter;
    const double value =
        parameter.kind == Parameter::Kind::choice  ? static_cast<double>(index(parameter.choices.size()))
        : parameter.kind == Parameter::Kind::flag  ? chance.between(0, 1)
        : parameter.kind == Parameter::Kind::count ? chance.between(1, 6)
        : chance.one_in(6)                         ? any_size(chance)
                           : chance.of({0.0, 0.1, 0.5, 1.0, 1.5, 2.0, 10.0, 1e-8, 1e8, std::exp2(chance.real(-9, 9))});
    try_out([&](Composition& next) { next.set(parameter, value); });
  }
  try_out([&](Composition& next) { next.order = orders[index(orders.size())]; });
  try_out([&](Composition& next) { next.keep = keeps[index(keeps.size())]; });
  try_out([&](Composition& next) { next.tie = chance.of({Tie::positive, Tie::mistake, Tie::negative}); });
  try_out([&](Composition& next) { next.bias.position = chance.of({Bias::none, Bias::first, Bias::last}); });
  try_out([&](Composition& next) {
    next.bias.scale = chance.of({1.0, 1.0, 1.0, 0.1, 3.0, any_size(chance, -323, 150)});
  });
  try_out([&](Composition& next) { next.start.small = chance.one_in(4); });
  if (!entry.several_classes && chance.one_in(2)) {
    c.several_classes = chance.of({SeveralClasses::one_against_rest, SeveralClasses::one_against_one});
  }
  c.seed = c.start.seed = static_cast<std::uint64_t>(chance.between(1, 1000));
  return c;
}

// A table with a label, a weight and some features; some are separable, some of any size.
struct Table {
  std::vector<std::vector<double>> x;
  std::vector<int> label;
  std::vector<double> weight, teacher;
  bool separable = false, weighted = false;
};

Table any_table(Chance& chance, const RuleEntry& entry, int rows, int features) {
  Table table;
  table.separable = chance.one_in(2);
  table.weighted = chance.one_in(3);
  const bool ones = takes_ones_only(entry.id), whole = chance.one_in(2);
  const int classes = entry.support_vectors ? 2 : chance.between(2, 3);
  const double common = chance.one_in(2) ? 1 : any_size(chance);
  const bool each = chance.one_in(5), far = chance.one_in(4);
  for (int j = 0; j <= features; ++j) table.teacher.push_back(whole ? chance.between(-3, 3) : chance.normal());
  for (int i = 0; i < rows; ++i) {
    std::vector<double> x;
    double score = 0;
    for (int j = 0; j < features; ++j) {
      x.push_back(ones ? chance.between(0, 1) : whole ? chance.between(-3, 3) : 2 * chance.normal());
      score += x.back() * table.teacher[static_cast<std::size_t>(j)];
    }
    int label = score > 0 ? 1 : 0;
    if (classes == 3 && score > 3) label = 2;
    if (table.separable && std::abs(score) < 0.01) continue;
    if (!table.separable && chance.one_in(5)) label = chance.between(0, classes - 1);
    const double size = ones ? 1 : each && chance.one_in(2) ? any_size(chance) : common;
    for (double& value : x) value *= size;
    table.x.push_back(x);
    table.label.push_back(label);
    table.weight.push_back(!table.weighted           ? 1.0
                           : far && chance.one_in(4) ? any_size(chance)
                                                     : chance.of({0.0, 0.5, 1.0, 1.5, 4.0}));
  }
  return table;
}

std::string text_of(const Table& table, std::size_t begin, std::size_t end) {
  std::string text = "label,weight";
  for (std::size_t j = 0; j + 1 < table.teacher.size(); ++j) text += ",x" + std::to_string(j);
  text += "\n";
  char number[32];
  for (std::size_t i = begin; i < end; ++i) {
    std::snprintf(number, sizeof number, "%.17g", table.weight[i]);
    text += "c" + std::to_string(table.label[i]) + "," + number;
    for (const double value : table.x[i]) {
      std::snprintf(number, sizeof number, ",%.17g", value);
      text += number;
    }
    text += "\n";
  }
  return text;
}

// What was asked of a run beside its composition.
TrainOptions any_options(Chance& chance, const Composition& c, const std::string& path) {
  TrainOptions options;
  options.read.path = path;
  options.read.threads = 1;
  options.read.table.header = true;
  options.read.columns.label = "label";
  options.read.columns.weight = "weight";
  options.composition = c;
  options.until.clean = chance.of({Clean::no, Clean::pass, Clean::cycle});
  options.until.passes = static_cast<std::uint64_t>(chance.between(1, 8));
  if (c.order == OrderName::stream) options.until = {};
  // A search for mistakes knows no passes, and finds some for ever where nothing separates the rows.
  if (plays_mistakes_only(c.order) || chance.one_in(2))
    options.until.updates = static_cast<std::uint64_t>(chance.between(1, 60));
  if (chance.one_in(6)) options.read.row_normalised = true;
  if (chance.one_in(6) && c.order != OrderName::stream) options.normalize_columns = true;
  if (chance.one_in(5)) options.holdout = 0.25;
  if (chance.one_in(6)) options.read.labels.class_weights = {{"c1", chance.of({0.5, 2.0, 3.0})}};
  if (chance.one_in(6)) options.read.single = true;
  if (chance.one_in(3)) options.stream_memory = static_cast<std::uint64_t>(chance.between(100, 3000));
  if (chance.one_in(3)) options.memory.memory = 3000;  // then in a file; a stream's in segments
  if (chance.one_in(3)) options.read.block_bytes = 64;
  return options;
}

class AnyRun : public ::testing::Test, public TemporaryFolder {};

// The reason is the one that holds.
void expect_reason(const TrainResult& result, const RuleEntry& entry, const std::string& what) {
  const std::string& why = result.why_no_bound;
  const bool can = bounds_can_tell(result.model.ledger.largest_squared_norm);
  if (why.starts_with("no theorem")) {
    EXPECT_EQ(entry.bounds, nullptr) << what;
  } else if (why.starts_with("squares")) {
    EXPECT_FALSE(can) << what;
  } else if (why.starts_with("the weights")) {
    EXPECT_EQ(result.weight_norm, 0) << what;
  } else {
    EXPECT_FALSE(why.empty()) << what;
  }
}

// |w| as the sum of its squares in numbers of a wider range.
void expect_norm(const TrainResult& result, const std::string& what) {
  const Model& model = result.model;
  if (entry_of(model.composition.rule).support_vectors) return;
  Number squares = 0;
  for (const double w : model.weights.w) squares += Number(w) * w;
  if (model.composition.bias.position != Bias::none) {
    for (const double w : model.weights.bias) squares += Number(w) * w;
  }
  const Number norm = std::sqrt(squares);
  ASSERT_TRUE(std::isfinite(norm)) << what;
  if (norm > 1e308L) return;
  EXPECT_LE(std::abs(result.weight_norm - norm), norm * 1e-12L + 0x1p-1070L) << what;
}

// The teacher separates rows that were not touched: no ceiling is below its margin on those that were learned from.
void expect_ceiling(const TrainResult& result, const TrainOptions& options, const Table& table,
                    const std::string& what) {
  if (!result.margin_ceiling) return;
  EXPECT_GE(*result.margin_ceiling, 0) << what;
  if (!table.separable || options.normalize_columns || options.read.row_normalised || options.read.single ||
      result.model.classes() != 2 || result.model.schema.labels.names.size() != 2)
    return;
  Number squares = 0, least = std::numeric_limits<Number>::infinity();
  for (std::size_t j = 0; j + 1 < table.teacher.size(); ++j) squares += Number(table.teacher[j]) * table.teacher[j];
  for (std::size_t i = 0; i < table.x.size(); ++i) {
    Number score = 0;
    for (std::size_t j = 0; j < table.x[i].size(); ++j) score += Number(table.teacher[j]) * table.x[i][j];
    const Number margin = (table.label[i] == 1 ? score : -score) / std::sqrt(squares);
    if (table.label[i] > 1) return;  // of three classes, which one direction does not tell apart
    least = std::min(least, margin);
  }
  EXPECT_GE(*result.margin_ceiling, least * (1 - 1e-9L)) << what;
}

// The margin that is printed is that of the weights, and no more; where it is 0, nothing is said of it.
void expect_margin(const TrainResult& result, const TrainOptions& options, const Table& table, bool resumed,
                   const std::string& what) {
  const Model& model = result.model;
  if (!result.evaluation || result.evaluation->rows != table.x.size() || resumed || model.weights.classes != 1 ||
      options.holdout > 0 || options.normalize_columns || options.read.row_normalised || options.read.single ||
      model.classes() != 2 || model.schema.labels.names.size() != 2 ||
      model.schema.features != table.teacher.size() - 1 || entry_of(model.composition.rule).support_vectors)
    return;
  const bool biased = model.composition.bias.position != Bias::none;
  const Number bias = biased ? Number(model.weights.bias[0]) : 0;
  Number squares = bias * bias, least = std::numeric_limits<Number>::infinity(), terms = 0;
  for (const double w : model.weights.w) squares += Number(w) * w;
  for (std::size_t i = 0; i < table.x.size(); ++i) {
    Number score = bias * model.composition.bias.scale, size = std::abs(score);
    for (std::size_t j = 0; j < model.weights.w.size(); ++j) {
      score += Number(model.weights.w[j]) * table.x[i][j];
      size += std::abs(Number(model.weights.w[j]) * table.x[i][j]);
    }
    least = std::min(least, model.schema.labels.names[1] == "c" + std::to_string(table.label[i]) ? score : -score);
    terms = std::max(terms, size);
  }
  const double margin = result.evaluation->margin();
  if (!(squares > 0) || !std::isfinite(margin) || margin == 0) return;
  const Number norm = std::sqrt(squares), slack = terms / norm * 1e-12L + 0x1p-1000L, exact = least / norm;
  EXPECT_LE(margin, exact + slack) << what;
  EXPECT_TRUE(exact <= 0 || margin >= exact * (1 - 1e-9L) - slack) << what << ": " << margin << " of " << exact;
}

TEST_F(AnyRun, KeepsEveryBound) {
  std::map<std::string, int> outcome;
  std::uint64_t bounded = 0, played = 0;
  for (std::uint64_t seed = first_run(); seed < first_run() + runs_wanted(); ++seed) {
    Chance chance(seed);
    const std::span<const RuleEntry> rules = all_rules();
    const RuleEntry& entry = rules[seed % rules.size()];
    const Composition c = any_composition(chance, entry);
    const auto columns = chance.between(1, 5), wanted = chance.between(1, 60);  // one after the other
    const Table table = any_table(chance, entry, wanted, columns);
    const std::size_t rows = table.x.size();
    const bool resumes = chance.one_in(4) && rows > 4;
    const std::string path = write("d.csv", text_of(table, 0, resumes ? rows / 2 : rows));
    TrainOptions options = any_options(chance, c, path);
    const std::string what = "seed " + std::to_string(seed) + ", " + std::string(entry.name) + ", " +
                             std::string(name_of(c.order)) + ", " + std::string(name_of(c.keep));
    std::uint64_t mistakes = 0;
    options.observer = [&](const RoundView& round) { mistakes += round.outcome.mistake; };
    std::optional<TrainResult> first;
    std::optional<TrainResult> result;
    try {
      result.emplace(train(options));
      if (resumes) {
        first = std::move(result);
        options.read.path = write("more.csv", text_of(table, rows / 2, rows));
        options.resume = &first->model;
        if (options.until.updates) *options.until.updates += first->model.ledger.updates;
        options.read.labels.class_weights.clear();
        result.emplace(train(options));
      }
    } catch (const Error& error) {
      EXPECT_TRUE(error.kind() == ErrorKind::data || error.kind() == ErrorKind::usage) << what << error.what();
      ++outcome[std::string(error.message()).substr(0, 60)];
      continue;
    }
    ++played;
    const Ledger& ledger = result->model.ledger;
    EXPECT_EQ(ledger.mistakes, mistakes) << what;
    if (result->bound) {
      ++bounded;
      ++outcome["bound"];
      EXPECT_LE(mistakes, whole_mistakes(result->bound->value)) << what << ", " << result->bound->theorem;
      EXPECT_FALSE(result->bound->exceeded) << what << ", " << result->bound->theorem;
      EXPECT_TRUE(std::isfinite(result->bound->value)) << what;
    } else {
      ++outcome[std::string(entry.name) + ": " + result->why_no_bound];
      expect_reason(*result, entry_of(result->model.composition.rule), what);
    }
    expect_norm(*result, what);
    expect_ceiling(*result, options, table, what);
    expect_margin(*result, options, table, resumes, what);
    if (HasFailure()) return;
  }
  EXPECT_GT(played, runs_wanted() / 2);
  EXPECT_GT(bounded, played / 4);
  if (std::getenv("HALFSPACE_RUNS") == nullptr) return;
  for (const auto& [words, count] : outcome) std::printf("%8d  %s\n", count, words.c_str());
}

// Whatever is drawn, a run that goes on from a model handed out on the way ends in the bits of the one that went on.
TEST_F(AnyRun, GoesOnFromEveryCheckpoint) {
  std::uint64_t resumed = 0;
  std::set<std::string> rules, orders;
  for (std::uint64_t seed = 1; seed <= runs_wanted() / 2; ++seed) {
    Chance chance(seed + 1'000'000);
    const RuleEntry& entry = all_rules()[seed % all_rules().size()];
    const Composition c = any_composition(chance, entry);
    const auto columns = chance.between(1, 5), wanted = chance.between(10, 120);
    const Table table = any_table(chance, entry, wanted, columns);
    TrainOptions options = any_options(chance, c, write("d.csv", text_of(table, 0, table.x.size())));
    options.until.passes = static_cast<std::uint64_t>(chance.between(2, 8));
    std::vector<Model> checkpoints;
    options.checkpoint.rounds = static_cast<std::uint64_t>(chance.between(1, 60));
    options.on_checkpoint = [&](const Model& model) {
      if (checkpoints.size() < 3) checkpoints.push_back(model);
    };
    std::vector<std::uint8_t> whole;
    try {
      whole = encode(train(options).model);
    } catch (const Error&) {
      continue;
    }
    options.on_checkpoint = nullptr;
    options.checkpoint = {};
    for (const Model& model : checkpoints) {
      options.resume = &model;
      ASSERT_TRUE(encode(train(options).model) == whole)
          << "seed " << seed << ", " << entry.name << ", " << name_of(c.order) << ", " << name_of(c.keep) << ", after "
          << model.ledger.rounds << " rounds";
      ++resumed;
      rules.insert(std::string(entry.name));
      orders.insert(std::string(name_of(c.order)));
    }
  }
  EXPECT_GT(resumed, runs_wanted() / 4);
  EXPECT_EQ(rules.size(), all_rules().size());
  EXPECT_EQ(orders.size(), every<OrderName>().size());
}

}  // namespace
}  // namespace halfspace::testing
