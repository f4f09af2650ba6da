// The flags of an untrained learner, and its model.
#include "cli/serve_begin.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/commands.h"
#include "halfspace/stream/reader.h"
#include "halfspace/train/trainer.h"

namespace halfspace::cli {
namespace {

constexpr const char* kLikeGroup = "A learner that has seen no row (with --like)";

// Options of training that say nothing about a learner of a stream.
bool of_files_alone(std::string_view name) {
  constexpr std::array names{"on-error", "rejects", "arrays", "holdout", "memory", "threads", "order"};
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

void add_begin_rows(Command& command, BeginFlags& flags) {
  const auto add = [&](const char* group, std::vector<Row> rows) {
    std::erase_if(rows, [](const Row& row) { return of_files_alone(row.name); });
    for (Row& row : rows) {
      if (row.needs.empty()) row = needs("like", std::move(row));
    }
    command.add(group, std::move(rows));
  };
  command.add(kLikeGroup, {{"--like", "FILE",
                            "begin the log with an untrained learner of the columns and classes of these rows, which "
                            "are not learned",
                            &flags.like, data_file()}});
  add(kLikeGroup, learning_options(flags.settings));
  add(kWatchGroup, watch_rows(flags.watch));
  add(kDataGroup, data_options(flags.settings));
}

Model untrained_model(const BeginFlags& flags) {
  TrainSettings settings = flags.settings;
  settings.data.paths = {flags.like};
  TrainOptions options = train_options(settings);
  options.composition.order = OrderName::stream;
  options.watch = watch_of(flags.watch);
  options.shuffle_sorted = false;
  options.stream_memory = 0;
  options.read.interrupt = &interrupted();
  const Reader reader(options.read);
  return Trainer(options, reader.schema()).model();
}

}  // namespace halfspace::cli
