// What the library takes inside, where no process starts and nothing is written: one JSON line, seconds of each repeat.
//
//   in_memory parse FILE THREADS REPEATS              the whole file through Reader, every check on, rows dropped
//   in_memory passes FILE double|single PASSES [RULE] rows in memory; one pass unmeasured, then the rule's
//   (perceptron's)
//
// "bytes" are of the text for parse; for passes, of what one pass reads: values, and indices where rows have them.
// "unpacked_bytes": the same were the rows not packed.
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "halfspace/game/game.h"
#include "halfspace/rules/rule_entry.h"
#include "halfspace/stream/reader.h"

namespace {

using namespace halfspace;

template <class F>
double seconds_of(F&& run) {
  const auto begin = std::chrono::steady_clock::now();
  run();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// What a pass reads of the rows' values and, where rows have them, indices; and what it would, were they not packed.
struct PassBytes {
  std::uint64_t read = 0, unpacked = 0;
};
PassBytes bytes_of_a_pass(const Rows& rows) {
  PassBytes bytes;
  for (std::size_t i = 0; i < rows.blocks(); ++i) {
    const Block block = rows.block(i);
    const auto bytes_of = [](const auto* array) { return array == nullptr ? 0 : sizeof *array; };
    const std::uint64_t value = block.value_type == ValueType::float64   ? sizeof(double)
                                : block.value_type == ValueType::float32 ? sizeof(float)
                                                                         : 0;
    const std::uint64_t stored_value = block.value == nullptr ? bytes_of(block.decimal) : value;
    const std::uint64_t stored_index = block.dense ? 0 : bytes_of(block.index) + bytes_of(block.narrow_index);
    bytes.read += block.stored() * (stored_value + stored_index);
    bytes.unpacked += block.stored() * (value + (block.dense ? 0 : sizeof *block.index));
  }
  return bytes;
}

void print(const ReadReport& report, PassBytes bytes, const std::vector<double>& seconds) {
  fmt::print("{{\"rows\": {}, \"nonzeros\": {}, \"bytes\": {}, \"unpacked_bytes\": {}, \"seconds\": [{:.6f}]}}\n",
             report.rows, report.nonzeros, bytes.read, bytes.unpacked, fmt::join(seconds, ", "));
}

void parse(const std::string& path, unsigned threads, int repeats) {
  ReadOptions options;
  options.path = path;
  options.threads = threads;
  std::vector<double> seconds;
  ReadReport report;
  for (int i = 0; i < repeats; ++i) {
    seconds.push_back(seconds_of([&] {
      Reader reader(options);
      reader.read([](const Block&) { return true; });
      report = reader.report();
    }));
  }
  print(report, {report.bytes, report.bytes}, seconds);
}

void passes(const std::string& path, bool single, int count, std::string_view rule) {
  ReadOptions options;
  options.path = path;
  options.single = single;
  Reader reader(options);
  Rows rows(RowsOptions{.memory = std::uint64_t{16} << 30, .folder = {}, .packed = true});
  reader.read([&](const Block& block) {
    rows.append(block);
    return true;
  });
  rows.seal();
  Composition composition;
  const std::optional<RuleName> named = rule_named(rule);
  if (!named) throw std::invalid_argument("no rule has the name " + std::string(rule));
  composition.rule = *named;
  const auto learner =
      make_learner(composition, std::max(2U, static_cast<std::uint32_t>(reader.schema().labels.names.size())));
  learner->grow(rows.features());
  Ledger ledger;
  Generator draws;
  std::vector<double> seconds;
  for (int pass = 1; pass <= count + 1; ++pass) {
    Game game;
    game.until.passes = static_cast<std::uint64_t>(pass);
    const double took = seconds_of([&] { play(*learner, rows, game, draws, ledger); });
    if (pass > 1) seconds.push_back(took);
  }
  print(reader.report(), bytes_of_a_pass(rows), seconds);
}

}  // namespace

int main(int count, char** words) try {
  const std::string_view what = count == 5 || count == 6 ? words[1] : "";
  const int number = count >= 5 ? std::atoi(words[4]) : 0;
  if (what == "parse" && count == 5 && number > 0) {
    parse(words[2], static_cast<unsigned>(std::atoi(words[3])), number);
  } else if (what == "passes" && number > 0) {
    passes(words[2], std::string_view(words[3]) == "single", number, count == 6 ? words[5] : "perceptron");
  } else {
    fmt::print(stderr,
               "usage: in_memory parse FILE THREADS REPEATS, or in_memory passes FILE double|single PASSES [RULE]\n");
    return 2;
  }
} catch (const std::exception& error) {
  fmt::print(stderr, "in_memory: {}\n", error.what());
  return 1;
}
