// Evaluation and prediction, slice by slice.
#include "mpi/model_job.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <utility>

#include "halfspace/base/error.h"
#include "halfspace/train/evaluate.h"

namespace halfspace::mpi {
namespace {

enum ModelTag : int { counts_tag = 11, lines_tag };
constexpr std::size_t lines_at_once = std::size_t{4} << 20;

// Returns how this worker reads its slice; empty if it has no rows. Worker 0 looks at the files.
std::optional<ReadOptions> slice(Workers& workers, const Model& model, const ReadOptions& read) {
  Bytes bytes;
  if (workers.leads()) {
    ShardPlan plan{.shards = 1, .files = {}, .before = {}, .schema = model.schema};
    const Reader reader(read);
    plan.files = reader.files();
    plan.before = reader.before_rows();
    bytes = encode(plan);
  }
  const ShardPlan plan = decode_plan(workers.broadcast(std::move(bytes)));
  ReadOptions own = read;
  own.parts =
      slice_of(plan.files, static_cast<std::uint32_t>(workers.rank()), static_cast<std::uint32_t>(workers.size()));
  own.before_parts = plan.before;
  own.more.clear();
  own.on_note = nullptr;
  own.progress = [&workers](std::uint64_t, std::uint64_t) { workers.tick(); };
  if (own.parts.empty()) return std::nullopt;
  return own;
}

void put(Bytes& bytes, std::uint64_t number) {
  for (std::size_t i = 0; i < 8; ++i) bytes.push_back(static_cast<std::uint8_t>(number >> (8 * i)));
}
std::uint64_t get(const Bytes& bytes, std::size_t place) {
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < 8; ++i) number |= std::uint64_t{bytes.at(8 * place + i)} << (8 * i);
  return number;
}

}  // namespace

Counts evaluate(Workers& workers, const Model& model, const ReadOptions& given) {
  workers.set_task("the evaluation of its slice");
  ReadOptions read = read_for(model, given);
  read.labels.ignore_weights = true;
  const std::size_t classes = std::max<std::size_t>(2, model.classes());
  Counts counts;
  counts.confusion.assign(classes * classes, 0);
  if (const auto own = slice(workers, model, read)) {
    Predictor predictor(model);
    std::vector<std::int32_t> predicted;
    std::vector<double> scores;
    Reader reader(*own);
    reader.read([&](const Block& block) {
      predictor.predict(block, predicted, scores);
      for (std::size_t i = 0; i < block.rows; ++i) {
        const auto truth = static_cast<std::size_t>(block.label[i]), guess = static_cast<std::size_t>(predicted[i]);
        ++counts.confusion[truth * classes + guess];
        counts.errors += truth == guess ? 0 : 1;
      }
      counts.rows += block.rows;
      return true;
    });
    counts.rejected = reader.report().rejected;
  }
  workers.set_task("the end");
  if (!workers.leads()) {
    Bytes bytes;
    for (const std::uint64_t number : {counts.rows, counts.errors, counts.rejected}) put(bytes, number);
    for (const std::uint64_t number : counts.confusion) put(bytes, number);
    workers.send(0, counts_tag, std::move(bytes));
    workers.flush();
    return counts;
  }
  for (int other = 1; other < workers.size(); ++other) {
    const Bytes bytes = workers.receive(other, counts_tag);
    counts.rows += get(bytes, 0);
    counts.errors += get(bytes, 1);
    counts.rejected += get(bytes, 2);
    for (std::size_t k = 0; k < counts.confusion.size(); ++k) counts.confusion[k] += get(bytes, 3 + k);
  }
  return counts;
}

std::uint64_t predict(Workers& workers, const Model& model, const ReadOptions& given, bool scores_wanted,
                      const std::function<void(const std::string&)>& write) {
  workers.set_task("the predictions of its slice");
  ReadOptions read = read_for(model, given);
  read.labels.ignore = true;
  std::vector<std::string> names = model.schema.labels.names;
  names.resize(std::max<std::size_t>(2, names.size()), "?");
  std::uint64_t rows = 0;
  std::string text;
  const auto give = [&] {
    if (workers.leads()) {
      write(text);
    } else if (!text.empty()) {
      workers.send(0, lines_tag, Bytes(text.begin(), text.end()));
    }
    text.clear();
  };
  if (const auto own = slice(workers, model, read)) {
    Predictor predictor(model);
    std::vector<std::int32_t> predicted;
    std::vector<double> scores;
    Reader(*own).read([&](const Block& block) {
      predictor.predict(block, predicted, scores);
      for (std::size_t i = 0; i < block.rows; ++i) {
        if (scores_wanted) {
          fmt::format_to(std::back_inserter(text), "{}\n", scores[i]);
        } else {
          text += names[static_cast<std::size_t>(predicted[i])];
          text += '\n';
        }
      }
      rows += block.rows;
      if (text.size() >= lines_at_once) give();
      return true;
    });
  }
  give();
  workers.set_task("the end");
  if (!workers.leads()) {
    Bytes end;  // no text has 8 bytes of zeros at its beginning
    put(end, 0);
    put(end, rows);
    workers.send(0, lines_tag, std::move(end));
    workers.flush();
    return rows;
  }
  for (int other = 1; other < workers.size(); ++other) {
    for (;;) {
      const Bytes lines = workers.receive(other, lines_tag);
      if (lines.size() == 16 && get(lines, 0) == 0) {
        rows += get(lines, 1);
        break;
      }
      write(std::string(lines.begin(), lines.end()));
    }
  }
  return rows;
}

}  // namespace halfspace::mpi
