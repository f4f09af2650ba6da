// Cells to advice, outcomes and losses, each checked where it stands.
#include "cli/round_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <unordered_map>

#include "cli/commands.h"
#include "cli/terminal.h"
#include "halfspace/base/error.h"
#include "stream/parser.h"
#include "stream/table.h"

namespace halfspace::cli {
namespace {

constexpr std::size_t most_texts = 1000;  // more are no labels
constexpr double asleep = std::numeric_limits<double>::quiet_NaN();

// The columns that are experts or arms.
std::vector<std::size_t> chosen(const stream::TableReader& reader, const TableFlags& flags,
                                std::optional<std::size_t> outcome) {
  std::vector<std::size_t> columns;
  for (const std::string& name : flags.columns) columns.push_back(reader.column(name, "--columns"));
  if (columns.empty()) {
    columns.resize(reader.columns().size());
    std::iota(columns.begin(), columns.end(), std::size_t{0});
  }
  std::vector<std::size_t> leave;
  for (const std::string& name : flags.drop) leave.push_back(reader.column(name, "--drop"));
  std::erase_if(columns,
                [&](std::size_t c) { return c == outcome || std::find(leave.begin(), leave.end(), c) != leave.end(); });
  if (columns.empty())
    throw Error(ErrorKind::usage, "no column is left to choose from").fix("see --columns and --drop");
  return columns;
}

void stop_if_interrupted() {
  if (interrupted()) throw Error(ErrorKind::input_output, "interrupted while reading");
}

// What the values of a table of losses are mapped by.
std::optional<std::pair<double, double>> parse_range(const std::string& text) {
  if (text.empty()) return std::nullopt;
  const std::size_t comma = text.find(',');
  double low = 0;
  double high = 0;
  const bool good =
      comma != std::string::npos &&
      stream::parse_number(std::string_view(text).substr(0, comma), low) == stream::NumberProblem::none &&
      stream::parse_number(std::string_view(text).substr(comma + 1), high) == stream::NumberProblem::none && low < high;
  if (!good)
    throw Error(ErrorKind::usage, "--range takes LOW,HIGH with LOW < HIGH, not '" + text + "'")
        .fix("such as --range 0,100 for losses from 0 to 100");
  return std::pair(low, high);
}

}  // namespace

LoadedTable read_advice(const TableFlags& flags, bool binary_outcomes) {
  stream::TableReader reader(flags.path);
  const std::size_t outcome = reader.column(flags.outcome, "--outcome");
  const std::vector<std::size_t> columns = chosen(reader, flags, outcome);
  LoadedTable loaded;
  RoundTable& table = loaded.table;
  for (const std::size_t c : columns) table.names.push_back(reader.columns()[c]);

  // Outcomes are labels when they are names, or numbers that are no probabilities. What they are is known at the end of
  // the file alone, so outcomes and advice wait as they are written: as numbers, or as entries of a list of texts.
  struct Cell {
    double value;
    std::int32_t text = -1;
  };
  std::vector<std::string> texts;
  std::vector<Error> where;  // of each text: what to say if it turns out to be no label
  std::unordered_map<std::string, std::int32_t> number_of;
  const auto read_cell = [&](std::size_t c) {
    Cell cell{asleep, -1};
    if (reader.missing(c)) return cell;
    if (reader.is_number(c, cell.value) && (cell.value == -1 || (cell.value >= 0 && cell.value <= 1))) return cell;
    const std::string text = reader.text(c);
    const auto [at, fresh] = number_of.emplace(text, static_cast<std::int32_t>(texts.size()));
    if (fresh) {
      where.push_back(reader.error(
          c, "'" + shortened(text, 40) + "' in column '" + reader.columns()[c] + "' is no advice",
          "advice is a probability from 0 to 1, -1 or 1, or one of the outcome's labels; name the experts with "
          "--columns, or leave this column out with --drop"));
      if (texts.size() == most_texts) throw where.back();
      texts.push_back(text);
    }
    cell.text = at->second;
    return cell;
  };

  std::vector<Cell> cells, outcomes;
  bool names = false;
  bool signs = false;
  while (reader.next()) {
    if (reader.row() % 4096 == 0) stop_if_interrupted();
    const Cell result = read_cell(outcome);
    const bool undecided = std::isnan(result.value) || (result.text < 0 && (binary_outcomes || flags.skip_undecided) &&
                                                        result.value != 0 && result.value != 1 && result.value != -1);
    if (undecided && result.text < 0) {
      if (!flags.skip_undecided) {
        throw reader.error(
            outcome,
            std::isnan(result.value) ? "the outcome is missing" : "an outcome between 0 and 1 is neither of two labels",
            std::isnan(result.value)
                ? "add --skip-undecided to leave such rounds out"
                : "add --skip-undecided to leave such rounds out, or use --loss absolute or squared");
      }
      ++loaded.undecided;
      continue;
    }
    names = names || result.text >= 0;
    signs = signs || result.value == -1;
    outcomes.push_back(result);
    for (const std::size_t c : columns) cells.push_back(read_cell(c));
  }
  if (names) {
    std::vector<std::string> distinct;
    for (const Cell& cell : outcomes) {
      const std::string text =
          cell.text >= 0 ? texts[static_cast<std::size_t>(cell.text)] : fmt::format("{}", cell.value);
      if (std::find(distinct.begin(), distinct.end(), text) == distinct.end()) distinct.push_back(text);
      if (distinct.size() > 2) {
        throw Error(ErrorKind::data,
                    fmt::format("the outcomes in column '{}' have more than two labels: '{}', '{}', '{}' ...",
                                flags.outcome, distinct[0], distinct[1], distinct[2]))
            .at(flags.path)
            .fix("an outcome is one of two labels, or a number from 0 to 1");
      }
    }
    loaded.labels = Labels::from(distinct, flags.positive);
    if (loaded.labels.names.size() < 2) {
      throw Error(ErrorKind::usage, "the outcome is always '" + distinct[0] + "': is that the label 1 or 0?")
          .at(flags.path)
          .fix("say it with --positive " + distinct[0]);
    }
  } else if (!flags.positive.empty()) {
    loaded.labels =
        Labels::from(signs ? std::vector<std::string>{"-1", "1"} : std::vector<std::string>{"0", "1"}, flags.positive);
  }
  const bool mapped = !loaded.labels.names.empty();
  const auto value_of = [&](const Cell& cell) {
    if (cell.text < 0 && std::isnan(cell.value)) return asleep;
    if (mapped) {
      const auto label = loaded.labels.find(cell.text >= 0 ? texts[static_cast<std::size_t>(cell.text)]
                                                           : fmt::format("{}", cell.value));
      if (label) return static_cast<double>(*label);
    }
    if (cell.text >= 0) throw where[static_cast<std::size_t>(cell.text)];
    return std::max(0.0, cell.value);  // -1 is the label 0
  };
  table.rounds = outcomes.size();
  table.values.reserve(cells.size());
  for (std::size_t t = 0; t < outcomes.size(); ++t) {
    table.outcomes.push_back(value_of(outcomes[t]));
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const double value = value_of(cells[t * columns.size() + i]);
      loaded.asleep += std::isnan(value);
      table.values.push_back(value);
    }
  }
  if (flags.constants) {
    const std::string& one = loaded.labels.names.size() == 2 ? loaded.labels.names[1] : "1";
    const std::string& zero = loaded.labels.names.size() == 2 ? loaded.labels.names[0] : "0";
    const std::size_t before = table.names.size();
    table.names.push_back("always " + one);
    table.names.push_back("always " + zero);
    std::vector<double> wider;
    wider.reserve(table.rounds * table.names.size());
    for (std::uint64_t t = 0; t < table.rounds; ++t) {
      wider.insert(wider.end(), table.values.begin() + static_cast<std::ptrdiff_t>(t * before),
                   table.values.begin() + static_cast<std::ptrdiff_t>((t + 1) * before));
      wider.push_back(1);
      wider.push_back(0);
    }
    table.values = std::move(wider);
  }
  return loaded;
}

LoadedTable read_losses(const TableFlags& flags, bool may_sleep) {
  stream::TableReader reader(flags.path);
  const std::vector<std::size_t> columns = chosen(reader, flags, std::nullopt);
  LoadedTable loaded;
  RoundTable& table = loaded.table;
  for (const std::size_t c : columns) table.names.push_back(reader.columns()[c]);
  loaded.range = parse_range(flags.range);
  const bool levels = flags.ratios || flags.rises;
  if (flags.rises && loaded.range)
    throw Error(ErrorKind::usage, "--rises needs no --range: a gain is 0 or 1").fix("leave one of them out");
  std::vector<double> before;
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  while (reader.next()) {
    if (reader.row() % 4096 == 0) stop_if_interrupted();
    std::vector<double> now;  // levels, for the ratios of the next record
    for (const std::size_t c : columns) {
      const std::string& name = reader.columns()[c];
      if (reader.missing(c)) {
        if (!may_sleep || levels) {
          throw reader.error(c, "a loss is missing in column '" + name + "'",
                             "give every cell a number, or leave the column out with --drop");
        }
        table.values.push_back(asleep);
        ++loaded.asleep;
        continue;
      }
      double value = reader.number(c);
      if (levels) {
        if (!(value > 0))
          throw reader.error(c, "a level must be above 0 for its ratios",
                             "leave --ratios and --rises out if these are losses already");
        now.push_back(value);
        if (before.empty()) continue;
        value /= before[now.size() - 1];
        if (flags.rises) value = value > 1 ? 1 : 0;
      }
      low = std::min(low, value);
      high = std::max(high, value);
      if (loaded.range) {
        const auto [least, most] = *loaded.range;
        if (value < least || value > most) {
          throw reader.error(c, fmt::format("{} is outside --range {}", short_number(value), flags.range),
                             "widen the range: a bound needs losses within limits known beforehand");
        }
        value = std::clamp((value - least) / (most - least), 0.0, 1.0);
      } else if (!flags.ratios && !(value >= 0 && value <= 1)) {
        throw reader.error(c, fmt::format("{} in column '{}' is not from 0 to 1", short_number(value), name),
                           "add --range LOW,HIGH to rescale all values, or --drop " + name);
      }
      table.values.push_back(value);
    }
    if (!levels || !before.empty()) ++table.rounds;
    before = std::move(now);
  }
  if (flags.ratios && !flags.rises && !loaded.range && table.rounds > 0) {
    throw Error(ErrorKind::usage, fmt::format("the ratios go from {} to {}", short_number(low), short_number(high)))
        .fix(fmt::format("give the limits with --range, such as --range {},{}", short_number(std::floor(low * 10) / 10),
                         short_number(std::ceil(high * 10) / 10)));
  }
  if (flags.gains || flags.rises) {
    for (double& value : table.values) value = 1 - value;
  }
  return loaded;
}

LoggedRounds read_log(const LogFlags& flags) {
  stream::TableReader reader(flags.path);
  const auto find = [&](const std::string& named, std::initializer_list<const char*> usual, const char* flag) {
    if (!named.empty()) return reader.column(named, flag);
    for (const char* name : usual) {
      if (std::find(reader.columns().begin(), reader.columns().end(), name) != reader.columns().end())
        return reader.column(name, flag);
    }
    throw Error(ErrorKind::usage, std::string("no column is named ") + *usual.begin())
        .at(flags.path)
        .fix(std::string("name it with ") + flag);
  };
  const std::size_t action = find(flags.action, {"action", "item_id", "arm"}, "--action");
  const std::size_t reward = find(flags.reward, {"reward", "click"}, "--reward");
  const std::size_t propensity = find(flags.propensity, {"propensity", "propensity_score", "pscore"}, "--propensity");
  LoggedRounds log;
  std::unordered_map<std::string, std::uint32_t> arm_of;
  while (reader.next()) {
    if (reader.row() % 4096 == 0) stop_if_interrupted();
    const double r = reader.number(reward);
    if (!(r >= 0 && r <= 1)) throw reader.error(reward, "a reward is a number from 0 to 1", "rescale the column");
    const double q = reader.number(propensity);
    if (!(q > 0 && q <= 1))
      throw reader.error(propensity, "a propensity is a probability above 0",
                         "an action that could not be drawn says nothing: leave the row out");
    const std::string arm = reader.text(action);
    const auto [at, fresh] = arm_of.emplace(arm, static_cast<std::uint32_t>(log.arms.size()));
    if (fresh) {
      if (log.arms.size() == 100'000)
        throw reader.error(action, "more than 100,000 different actions", "is this the right column?");
      log.arms.push_back(arm);
    }
    log.action.push_back(at->second);
    log.reward.push_back(r);
    log.propensity.push_back(q);
  }
  // Arms in an order that the rows' order does not decide: numbers by value, then names.
  std::vector<std::uint32_t> order(log.arms.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    double x = 0;
    double y = 0;
    const bool a_number = stream::parse_number(log.arms[a], x) == stream::NumberProblem::none;
    const bool b_number = stream::parse_number(log.arms[b], y) == stream::NumberProblem::none;
    if (a_number && b_number && x != y) return x < y;
    if (a_number != b_number) return a_number;
    return log.arms[a] < log.arms[b];
  });
  std::vector<std::uint32_t> place(order.size());
  std::vector<std::string> names;
  for (std::uint32_t k = 0; k < order.size(); ++k) {
    place[order[k]] = k;
    names.push_back(log.arms[order[k]]);
  }
  for (std::uint32_t& a : log.action) a = place[a];
  log.arms = std::move(names);
  return log;
}

}  // namespace halfspace::cli
