// Lists the flags of train, and turns them into a composition.
#include "cli/train_flags.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "cli/terminal.h"
#include "halfspace/base/error.h"
#include "halfspace/detail/rules/tournament.h"
#include "halfspace/rules/rule_entry.h"
#include "stream/text/number.h"

namespace halfspace::cli {
namespace {

constexpr const char* kLearningGroup = "Learner";
constexpr const char* kEvaluationGroup = "Evaluation and parameter search";

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
  command.add(kLearningGroup, learning_options(flags));
  command.add("When to stop (at the first of these)", stop_options(flags));
  command.add(kEvaluationGroup,
              {confidence_option(flags.confidence), folds_option(flags.folds), search_option(flags.search),
               calibrate_option(flags.calibrate), threshold_option(flags.threshold)});
  command.add(kEvaluationGroup, ranking_options(flags.metric, flags.metric_options));
  command.add(kEvaluationGroup, {conformal_option(flags.conformal), sets_option(flags.sets)});
  command.add(kWatchGroup, watch_rows(flags.watching));
  command.add(kDataGroup, data_options(flags));
  command.add(kOutputGroup, {json_row(flags.json)});
  command.add(kOutputGroup, output_rows(flags));
  command.add(kOutputGroup, report_rows(flags.report));
  command.add(kOutputGroup, picture_rows(flags.picture));
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
