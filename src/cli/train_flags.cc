// Lists the flags of train, and turns them into a composition.
#include "cli/train_flags.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>
#include <utility>

#include "cli/terminal.h"
#include "halfspace/base/error.h"
#include "halfspace/detail/rules/tournament.h"
#include "halfspace/rules/rule_entry.h"
#include "stream/text/number.h"

namespace halfspace::cli {
namespace {

// What a user wants to do, most wanted first, and the flags for it in that order.
struct Purpose {
  const char* group;
  std::vector<std::string_view> flags;
};

std::vector<Purpose> purposes() {
  return {{"Say what to learn, and how (without a flag here the data choose)",
           {"rule",         "preset", "objective", "passes", "until",  "updates",    "seconds",
            "class-weight", "weight", "normalize", "order",  "keep",   "multiclass", "bias",
            "bias-scale",   "tie",    "start",     "seed",   "memory", "single"}},
          {"Find the best settings",
           {"search", "folds", "holdout", "metric", "average", "cost", "confidence", "f-beta", "lift-share"}},
          {"Look at the result",
           {"report", "details", "plot", "trace", "plane", "image", "certify", "certificate", "least-loss",
            "least-loss-norm"}},
          {"Probabilities and decisions", {"calibrate", "threshold", "conformal", "sets"}}};
}

// Flags of formats and of single cases, which `check --help` and `help train all` describe.
std::vector<std::string> rare_flags() {
  return {"thousands",      "quote",  "skip-lines",      "comment",     "table",        "arrays",
          "inference-rows", "ngrams", "text-tokens",     "text-values", "date-order",   "hash-names",
          "quadratic",      "cubic",  "ignore",          "only",        "missing-only", "single",
          "lift-share",     "f-beta", "least-loss-norm", "drift-delta", "false-alarms", "bias-scale"};
}

// Takes the rows with these names out of all, in this order.
std::vector<Row> taken(std::vector<Row>& all, const std::vector<std::string_view>& names) {
  std::vector<Row> rows;
  for (const std::string_view name : names) {
    const auto found = std::find_if(all.begin(), all.end(), [&](const Row& row) { return row.name == name; });
    if (found == all.end()) continue;
    rows.push_back(std::move(*found));
    all.erase(found);
  }
  return rows;
}

// Returns rows apart from the unlisted ones, which it moves to the others.
std::vector<Row> listed(std::vector<Row> rows, std::vector<Row>& others) {
  const auto first = std::stable_partition(rows.begin(), rows.end(), [](const Row& row) { return row.listed; });
  std::move(first, rows.end(), std::back_inserter(others));
  rows.erase(first, rows.end());
  return rows;
}

// Reads "90s", "15m", "2h" or "100000rows".
Checkpoint parse_checkpoint(const std::string& text) {
  static constexpr std::pair<std::string_view, double> units[] = {{"s", 1}, {"m", 60}, {"h", 3600}, {"rows", 0}};
  double number = 0;
  const std::size_t digits = std::min(text.find_first_not_of("0123456789."), text.size());
  const bool read =
      stream::parse_number(std::string_view(text).substr(0, digits), number) == stream::NumberProblem::none;
  const std::string_view unit = std::string_view(text).substr(digits);
  for (const auto& [name, seconds] : units) {
    if (!read || unit != name || !(number > 0 && number <= 1e15)) continue;
    if (seconds > 0) return {.seconds = number * seconds};
    if (number == std::floor(number)) return {.rounds = static_cast<std::uint64_t>(number)};
  }
  throw Error(ErrorKind::usage, "--checkpoint takes a time or a number of rows, not '" + printable(text) + "'")
      .fix("such as 60s, 15m, 2h or 100000rows");
}

std::vector<Row> output_rows(TrainFlags& flags) {
  return {
      needs("output",
            {"--checkpoint", "EVERY",
             "also write MODEL during the run, every 60s, 15m, 2h or 100000rows; --resume MODEL continues from it",
             [&flags](const std::string& text) { flags.checkpoint = parse_checkpoint(text); }}),
      {"--certify", "", "also prove whether the data are separable, and the fewest errors of any halfspace",
       &flags.certify},
      needs("objective",
            {"--certificate", "FILE", "also write the proof of the minimum here: halfspace verify FILE DATA checks it",
             &flags.certificate, output_file()}),
      {"--least-loss", "",
       "also prove a lower bound on the mean loss of any linear model over the rounds; for rules with a convex loss",
       &flags.least_loss},
      needs("least-loss", {"--least-loss-norm", "B",
                           "for models with |w|, bias included, of at most B (default: the norm of the final weights)",
                           &flags.least_loss_norm, at_least(0)}),
      {"--log", "FILE", "write JSON Lines here during the run", &flags.log, growing_file()},
      {"--trace", "FILE",
       "write every round here, as JSON Lines; text: print the rounds of a small run as a table, as by hand",
       &flags.trace, growing_file_or("text")},
      {"--details", "", "print more of the run: composition, radius, time, regret", &flags.details},
      {"-q,--quiet", "", "no running table and no progress", &flags.quiet}};
}

}  // namespace

void add_train_rows(Command& command, TrainFlags& flags) {
  command.add({data_row(flags.data, kAnyFormat),
               {"-o,--output", "MODEL", "write the model here, atomically", &flags.output, output_file()},
               {"--resume", "MODEL",
                "continue this model where it stopped; after the end of its stream, train on all rows of DATA",
                &flags.resume_from, input_file_replaced_by("output")}});
  std::vector<Row> rows, parameters;
  const auto gather = [&rows](std::vector<Row> more) { std::move(more.begin(), more.end(), std::back_inserter(rows)); };
  gather(listed(options_of(flags), parameters));
  gather({search_option(flags.search), json_row(flags.json)});
  gather(output_rows(flags));
  gather(report_rows(flags.report));
  gather(picture_rows(flags.picture));
  for (const Purpose& purpose : purposes()) command.add(purpose.group, taken(rows, purpose.flags));
  command.add(kWatchGroup, watch_rows(flags.watching));
  const std::vector<Row> reading = data_options(flags.data, true);
  std::vector<std::string_view> names;
  for (const Row& row : reading) names.push_back(row.name);
  command.add("Reading files (halfspace check --help has more)", taken(rows, names));
  command.add(kOutputGroup, std::move(rows));
  command.add("Parameters of rules and objectives, better written with them, as in --rule scw1:aggressiveness=0.1",
              std::move(parameters));
  command.rare = rare_flags();
}

void refuse_what_only_rounds_have(const TrainFlags& flags) {
  const auto refuse = [](bool given, const std::string& flag) {
    if (!given) return;
    throw Error(ErrorKind::usage, flag + " has no effect with --objective: it minimizes, and plays no rounds")
        .fix("leave out one of the two");
  };
  refuse(!flags.trace.empty(), "--trace");
  refuse(flags.checkpoint.rounds || flags.checkpoint.seconds, "--checkpoint");
  refuse(flags.least_loss, "--least-loss");
  refuse(flags.watching.any(), "--window, --decay or --drift");
}

void refuse_another_watch(const Given& given) {
  if (!given.any_of_group(kWatchGroup)) return;
  throw Error(ErrorKind::usage, "--resume keeps the model's own window and alarms")
      .fix("leave out --window, --decay and --drift");
}

}  // namespace halfspace::cli
