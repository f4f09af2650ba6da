// Reads the records of a log, and orders its arms.
#include "halfspace/bandits/logged_rounds.h"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <numeric>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/number_words.h"
#include "base/stop.h"
#include "halfspace/base/error.h"
#include "stream/csv/table.h"
#include "stream/labels/label_doubts.h"
#include "stream/text/number.h"
#include "stream/text/text.h"

namespace halfspace {
namespace {

constexpr std::size_t most_arms = 100'000;

// Returns the column with this name; without a name, the first of the default names that exists.
std::size_t find(const stream::TableReader& reader, const LogOptions& options, const std::string& named,
                 std::initializer_list<const char*> usual, const std::string& asked_by) {
  if (!named.empty()) return reader.column(named, asked_by);
  for (const char* name : usual) {
    if (std::find(reader.columns().begin(), reader.columns().end(), name) != reader.columns().end())
      return reader.column(name, asked_by);
  }
  throw Error(ErrorKind::usage, std::string("no column is named ") + *usual.begin())
      .at(options.path)
      .fix("name it with " + option(asked_by));
}

std::string rescale(const stream::TableReader& reader, std::size_t column) {
  const std::string percent = reader.fix_of_percent(column, {column});
  return percent.empty() ? "rescale the column" : percent;
}

// Notes the first two arms that differ in spelling alone.
void note_arms(const LoggedRounds& log, const LogOptions& options) {
  constexpr std::size_t most_compared = 1000;
  if (!options.on_note || log.arms.size() > most_compared) return;
  for (std::size_t a = 1; a < log.arms.size(); ++a) {
    const auto [known, how] = stream::spelled_alike(log.arms[a], std::span(log.arms).first(a));
    if (known.empty()) continue;
    options.on_note({"the arms " + stream::quote(known) + " and " + stream::quote(log.arms[a]) + " differ by " + how +
                         " alone, and are two arms",
                     "write them alike in the file"});
    return;
  }
}

// Orders arms independently of the rows: numbers by value, then names.
void sort_arms(LoggedRounds& log) {
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
  std::vector<std::uint32_t> rank(order.size());
  std::vector<std::string> names;
  for (std::uint32_t k = 0; k < order.size(); ++k) {
    rank[order[k]] = k;
    names.push_back(log.arms[order[k]]);
  }
  for (std::uint32_t& a : log.action) a = rank[a];
  log.arms = std::move(names);
}

}  // namespace

LoggedRounds read_log(const LogOptions& options) {
  stream::TableReader reader(options);
  const std::size_t action = find(reader, options, options.action, {"action", "item_id", "arm"}, "action");
  const std::size_t reward = find(reader, options, options.reward, {"reward", "click"}, "reward");
  const std::size_t propensity =
      find(reader, options, options.propensity, {"propensity", "propensity_score", "pscore"}, "propensity");
  LoggedRounds log;
  log.floor = options.floor;
  log.action_column = reader.columns()[action];
  log.reward_column = reader.columns()[reward];
  log.propensity_column = reader.columns()[propensity];
  std::unordered_map<std::string, std::uint32_t> arm_of;
  while (reader.next()) {
    if (reader.row() % 4096 == 0) stop_if(options.interrupt, "interrupted while reading");
    const double r = reader.number(reward);
    if (!(r >= 0 && r <= 1))
      throw reader.error(reward, "a reward must be a number from 0 to 1", rescale(reader, reward));
    const double q = reader.number(propensity, reader.fix_of_percent(propensity, {propensity}));
    if (q > 1) throw reader.error(propensity, "a propensity is a probability, at most 1", rescale(reader, propensity));
    if (!(q >= 1e-30))
      throw reader.error(propensity, "a propensity must be a probability above 0 (of at least 1e-30)",
                         "remove the row: an action of probability 0 cannot be drawn");
    if (q < options.floor)
      throw reader.error(propensity, "the propensity is below " + option("floor", short_number(options.floor)),
                         "state the least propensity of the log, or none");
    const std::string arm = reader.text(action);
    const auto [at, fresh] = arm_of.emplace(arm, static_cast<std::uint32_t>(log.arms.size()));
    if (fresh) {
      if (log.arms.size() == most_arms)
        throw reader.error(action, "more than 100,000 different actions", "check that this is the right column");
      log.arms.push_back(arm);
    }
    log.action.push_back(at->second);
    log.reward.push_back(r);
    log.propensity.push_back(q);
  }
  sort_arms(log);
  note_arms(log, options);
  return log;
}

}  // namespace halfspace
