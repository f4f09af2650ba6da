// Evaluation and prediction, piece by piece.
#include "mpi/model_job.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <iterator>
#include <numeric>
#include <optional>
#include <utility>

#include "halfspace/base/error.h"
#include "halfspace/train/evaluate.h"
#include "mpi/local_files.h"

namespace halfspace::mpi {
namespace {

enum ModelTag : int { counts_tag = 11, lines_tag };
constexpr std::size_t lines_at_once = std::size_t{4} << 20;

// Rows that one worker reads. Pieces come in the order of the rows.
struct ModelPiece {
  int worker = 0;
  std::optional<ReadOptions> read{};  // on that worker; none if there are no rows
};

// Worker 0 looks at the files.
std::vector<ModelPiece> slices(Workers& workers, const Model& model, const ReadOptions& read) {
  Bytes bytes;
  if (workers.leads()) {
    ShardPlan plan{.shards = 1, .files = {}, .before = {}, .schema = model.schema};
    const Reader reader(read);
    plan.files = reader.files();
    plan.before = reader.before_rows();
    bytes = encode(plan);
  }
  const ShardPlan plan = decode_plan(workers.broadcast(std::move(bytes)));
  std::vector<ModelPiece> pieces;
  for (int worker = 0; worker < workers.size(); ++worker) {
    pieces.push_back({worker});
    if (worker != workers.rank()) continue;
    ReadOptions own = read;
    own.parts = slice_of(plan.files, static_cast<std::uint32_t>(worker), static_cast<std::uint32_t>(workers.size()));
    own.before_parts = plan.before;
    own.more.clear();
    own.on_note = nullptr;
    if (!own.parts.empty()) pieces.back().read = std::move(own);
  }
  return pieces;
}

std::vector<ModelPiece> whole_files(Workers& workers, const ReadOptions& read, const std::vector<std::string>& local) {
  const LocalFiles files(workers, local);
  std::vector<std::size_t> numbers(files.all().size());
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  std::vector<ModelPiece> pieces;
  for (const int worker : files.deal(numbers)) {
    ModelPiece piece{worker};
    if (worker == workers.rank()) {
      piece.read = read;
      piece.read->path = files.path(files.all()[pieces.size()].name);
      piece.read->more.clear();
      if (!pieces.empty()) piece.read->on_note = nullptr;
    }
    pieces.push_back(std::move(piece));
  }
  return pieces;
}

std::vector<ModelPiece> pieces_of(Workers& workers, const Model& model, ReadOptions read, const OwnFiles& local) {
  read.progress = [&workers](std::uint64_t, std::uint64_t) { workers.tick(); };
  return local ? whole_files(workers, read, *local) : slices(workers, model, read);
}

// Passes the lines of some rows to `give`, many at a time. Returns the number of rows.
std::uint64_t predict_lines(const Model& model, const ReadOptions& read, bool scores_wanted,
                            const std::function<void(const std::string&)>& give) {
  std::vector<std::string> names = model.schema.labels.names;
  names.resize(std::max<std::size_t>(2, names.size()), "?");
  std::uint64_t rows = 0;
  std::string text;
  Predictor predictor(model);
  std::vector<std::int32_t> predicted;
  std::vector<double> scores;
  Reader(read).read([&](const Block& block) {
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
    if (text.size() < lines_at_once) return true;
    give(text);
    text.clear();
    return true;
  });
  give(text);
  return rows;
}

// Passes on the lines of another worker's piece. Returns the number of rows.
std::uint64_t receive_lines(Workers& workers, int worker, const std::function<void(const std::string&)>& write) {
  for (;;) {
    const Bytes lines = workers.receive(worker, lines_tag);
    if (lines.size() == 16 && number_at(lines, 0) == 0) return number_at(lines, 8);
    write(std::string(lines.begin(), lines.end()));
  }
}

}  // namespace

Counts evaluate(Workers& workers, const Model& model, const ReadOptions& given, const OwnFiles& local, bool weighted) {
  const ReadOptions read = read_for(model, given, weighted);
  const std::size_t classes = std::max<std::size_t>(2, model.classes());
  Counts counts{.confusion = ConfusionTable(classes)};
  const std::vector<ModelPiece> pieces = pieces_of(workers, model, read, local);
  workers.set_task("the evaluation of its rows");
  for (const ModelPiece& piece : pieces) {
    if (!piece.read) continue;
    Predictor predictor(model);
    std::vector<std::int32_t> predicted;
    std::vector<double> scores;
    Reader reader(*piece.read);
    reader.read([&](const Block& block) {
      predictor.predict(block, predicted, scores);
      for (std::size_t i = 0; i < block.rows; ++i) {
        const double weight = weighted && block.weight != nullptr ? block.weight[i] : 1;
        if (weight > 0) counts.confusion.add(block.label[i], predicted[i], weight);
      }
      return true;
    });
    counts.rejected += reader.report().rejected;
  }
  workers.set_task("the end");
  if (!workers.leads()) {
    Bytes bytes;
    put_number(bytes, counts.rejected);
    for (const double sum : counts.confusion.counts()) put_number(bytes, std::bit_cast<std::uint64_t>(sum));
    workers.send(0, counts_tag, std::move(bytes));
    workers.flush();
    return counts;
  }
  for (int other = 1; other < workers.size(); ++other) {
    const Bytes bytes = workers.receive(other, counts_tag);
    counts.rejected += number_at(bytes, 0);
    for (std::size_t k = 0; k < classes * classes; ++k)
      counts.confusion.add(static_cast<std::int32_t>(k / classes), static_cast<std::int32_t>(k % classes),
                           std::bit_cast<double>(number_at(bytes, 8 * (1 + k))));
  }
  return counts;
}

std::uint64_t predict(Workers& workers, const Model& model, const ReadOptions& given, const OwnFiles& local,
                      bool scores_wanted, const std::function<void(const std::string&)>& write) {
  ReadOptions read = read_for(model, given);
  read.labels.ignore = true;
  std::uint64_t rows = 0;
  const std::vector<ModelPiece> pieces = pieces_of(workers, model, read, local);
  workers.set_task("the predictions of its rows");
  for (const ModelPiece& piece : pieces) {
    if (workers.leads() && piece.worker != 0) {
      rows += receive_lines(workers, piece.worker, write);
    } else if (workers.leads()) {
      if (piece.read) rows += predict_lines(model, *piece.read, scores_wanted, write);
    } else if (piece.worker == workers.rank()) {
      const auto send = [&](const std::string& text) {
        if (!text.empty()) workers.send(0, lines_tag, Bytes(text.begin(), text.end()));
      };
      const std::uint64_t own = piece.read ? predict_lines(model, *piece.read, scores_wanted, send) : 0;
      Bytes end;  // no text has 8 bytes of zeros at its beginning
      put_number(end, 0);
      put_number(end, own);
      workers.send(0, lines_tag, std::move(end));
      rows += own;
    }
  }
  workers.set_task("the end");
  if (!workers.leads()) workers.flush();
  return rows;
}

}  // namespace halfspace::mpi
