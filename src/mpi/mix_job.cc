// The epochs of a distributed run.
#include "mpi/mix_job.h"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "base/whole_file.h"
#include "halfspace/base/error.h"
#include "halfspace/model/model_file.h"
#include "halfspace/stream/survey.h"
#include "mpi/local_files.h"
#include "stream/schema/class_positions.h"

namespace halfspace::mpi {
namespace {

enum Tag : int { plan_tag = 1, names_tag, sum_tag, margins_tag, traffic_tag };

constexpr std::uint32_t default_shards = 64;

// Returns the worker of each shard: each has a run of adjacent ones, worker 0 the first. Workers beyond the shards have
// none.
std::vector<int> runs_of_shards(std::uint32_t shards, int workers) {
  std::vector<int> worker_of;
  for (std::uint64_t shard = 0; shard < shards; ++shard)
    worker_of.push_back(static_cast<int>(shard * static_cast<std::uint64_t>(workers) / shards));
  return worker_of;
}

Bytes bytes_of(std::uint64_t number) {
  Bytes bytes;
  put_number(bytes, number);
  return bytes;
}

// Notes what is odd about the first rows, and rows sorted by class: a shard learns little from one class.
void note_first_rows(const MixOptions& options, const ShardPlan& plan) {
  if (!options.read.on_note) return;
  ReadOptions read = options.read;
  read.schema = &plan.schema;
  read.rejects.clear();
  read.on_reject = nullptr;
  read.on_note = nullptr;
  constexpr std::uint64_t enough = 10'000;
  Survey first({.rows = enough, .values = 250'000, .features = 100'000});
  bool sorted = false;
  try {
    Reader reader(read);
    reader.read([&](const Block& block) {
      first.add(block);
      return first.rows() < enough;
    });
    for (const SurveyNote& note : first.notes(reader.schema(), options.read)) {
      if (note.grave && note.about != SurveyNote::About::order) options.read.on_note(note);
    }
    const auto positions = stream::sample_classes(read);
    sorted = first.sorted_by_class() || (positions && positions->differ());
  } catch (const Error&) {
    return;  // the epoch meets the error as well, and reports where
  }
  if (sorted) {
    options.read.on_note(
        {"the rows are sorted by class, or nearly so: a shard of one class teaches little, and errors "
         "while learning are too low",
         "shuffle the lines first: " + std::string(read.schema->header && !read.schema->columns.empty()
                                                       ? "(head -n 1 FILE; tail -n +2 FILE | shuf) >NAME"
                                                       : "shuf FILE >NAME")});
  }
}

class Run {
 public:
  Run(Workers& workers, const MixJob& job) : workers_(workers), job_(job), options_(job.options) {
    options_.read.progress = [this](std::uint64_t, std::uint64_t) { workers_.tick(); };
  }

  MixResult operator()() {
    begin();
    while (result_.state.epoch < job_.epochs) epoch();
    conclude();
    return std::move(result_);
  }

 private:
  bool mine(std::uint32_t shard) const { return worker_of_[shard] == workers_.rank(); }

  // Agrees on the shards, the schema and the state to begin with.
  void begin() {
    if (!job_.resume.empty()) {
      if (workers_.leads()) read_checkpoint();
      share_plan();
    }
    if (job_.local) {
      plan_local_files();
    } else if (job_.resume.empty()) {
      if (workers_.leads()) result_.plan = plan_shards(options_.read, job_.shards.value_or(default_shards));
      share_plan();
    }
    if (job_.resume.empty() && !job_.local && workers_.leads()) note_first_rows(options_, result_.plan);
    if (!job_.local) worker_of_ = runs_of_shards(result_.plan.shards, workers_.size());
    if (job_.resume.empty() && has_open_names(result_.plan)) agree_on_names();
    const MixState fresh = begin_mixing(options_, result_.plan);
    if (job_.resume.empty()) result_.state = fresh;
    share_weights();
  }

  void share_plan() {
    result_.plan = decode_plan(workers_.broadcast(workers_.leads() ? encode(result_.plan) : Bytes()));
  }

  void plan_local_files() {
    const LocalFiles files(workers_, *job_.local);
    if (job_.resume.empty()) {
      result_.plan = files.plan(options_.read, job_.shards.value_or(0));
    } else {
      files.check(result_.plan);
    }
    std::vector<std::size_t> file_of;
    for (std::uint32_t shard = 0; shard < result_.plan.shards; ++shard)
      file_of.push_back(file_of_shard(result_.plan, shard));
    worker_of_ = files.deal(file_of);
    for (const LocalFile& file : files.all()) names_.push_back(file.name);
    files.find(result_.plan);
  }

  // Returns the plan without paths of this machine.
  ShardPlan plan_of_names() const {
    ShardPlan plan = result_.plan;
    for (std::size_t i = 0; i < names_.size(); ++i) plan.files[i].path = names_[i];
    return plan;
  }

  void read_checkpoint() {
    const std::string text = whole_file(job_.resume, options_.read.interrupt);
    const Bytes bytes(text.begin(), text.end());
    const auto refuse = [&](const std::string& what) {
      throw Error(ErrorKind::data, what)
          .at(job_.resume)
          .fix("give the checkpoint that " + option("checkpoint") + " wrote");
    };
    std::size_t at = 0;
    const auto next = [&]() -> Bytes {
      if (bytes.size() - at < 8) refuse("the checkpoint is cut off");
      const std::uint64_t size = number_at(bytes, at);
      at += 8;
      if (size > bytes.size() - at) refuse("the checkpoint is cut off");
      Bytes part(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                 bytes.begin() + static_cast<std::ptrdiff_t>(at + size));
      at += size;
      return part;
    };
    const Bytes plan = next(), settings = next(), state = next();
    if (at != bytes.size()) refuse("bytes follow the end of the checkpoint");
    try {
      result_.plan = decode_plan(plan);
      result_.state = decode_state(state);
    } catch (const Error& error) {
      refuse(error.message());
    }
    if (settings != settings_bytes()) refuse("the checkpoint is of a run with another rule or mixing");
    if (job_.local.has_value() == result_.plan.shards_of_file.empty())
      refuse("the checkpoint is of a run with" + std::string(job_.local ? "out " : " ") + option("local"));
    // All epochs and no more: the job died between the last checkpoint and the model.
    if (result_.state.epoch > job_.epochs)
      refuse("the checkpoint has " + std::to_string(result_.state.epoch) + " epochs already");
  }

  // Returns what must be the same when a run goes on: the composition and the mixing.
  Bytes settings_bytes() const {
    const Composition& c = options_.composition;
    std::string text = fmt::format("{} {} {} {} {} {}", name_of(c.rule), name_of(c.keep), name_of(c.tie),
                                   name_of(c.bias.position), c.bias.scale, name_of(job_.options.mixing));
    for (const auto& [name, value] : c.parameters) text += fmt::format(" {}={}", name, value);
    return {text.begin(), text.end()};
  }

  void save_checkpoint() const {
    if (job_.checkpoint.empty()) return;
    Bytes bytes;
    for (const Bytes& part : {encode(plan_of_names()), settings_bytes(), encode(result_.state)}) {
      const Bytes size = bytes_of(part.size());
      bytes.insert(bytes.end(), size.begin(), size.end());
      bytes.insert(bytes.end(), part.begin(), part.end());
    }
    write_atomically(job_.checkpoint, bytes, options_.read.interrupt);
  }

  // Names get numbers in the order of shards.
  void agree_on_names() {
    for (std::uint32_t shard = 0; shard < result_.plan.shards; ++shard) {
      if (!mine(shard)) continue;
      workers_.set_task("the names of shard " + std::to_string(shard));
      const Schema schema = names_of_shard(result_.plan, options_.read, shard);
      if (!workers_.leads()) {
        workers_.send(0, names_tag, encode_schema(schema));
        continue;
      }
      of_shards_.emplace(shard, schema);
    }
    Bytes agreed;
    if (workers_.leads()) {
      MergedNames names(result_.plan.schema);
      for (std::uint32_t shard = 0; shard < result_.plan.shards; ++shard) {
        const int worker = worker_of_[shard];
        names.add(worker == 0 ? of_shards_.at(shard) : decode_schema(workers_.receive(worker, names_tag)));
        of_shards_.erase(shard);
      }
      agreed = encode_schema(names.schema());
    }
    result_.plan.schema = decode_schema(workers_.broadcast(std::move(agreed)));
  }

  void share_weights() {
    Bytes bytes;
    if (workers_.leads()) {
      PartialSum shared;
      shared.weights = result_.state.weights;
      shared.ledger.passes = result_.state.epoch;
      bytes = encode(shared);
    }
    const PartialSum shared = decode_sum(workers_.broadcast(std::move(bytes)));
    if (workers_.leads()) return;
    result_.state.weights = shared.weights;
    result_.state.epoch = shared.ledger.passes;
  }

  void epoch() {
    Nodes nodes;
    for (std::uint32_t shard = 0; shard < result_.plan.shards; ++shard) {
      if (!mine(shard)) continue;
      workers_.set_task("epoch " + std::to_string(result_.state.epoch + 1) + ", shard " + std::to_string(shard));
      put(nodes, play_shard(options_, result_.plan, result_.state, shard, kept_for(shard)));
      workers_.tick();
    }
    workers_.set_task("mixing after epoch " + std::to_string(result_.state.epoch + 1));
    const std::uint64_t sent_before = workers_.bytes_sent();
    climb(nodes);
    if (workers_.leads()) {
      end_epoch(options_, result_.plan, result_.state, nodes.at(0));
      save_checkpoint();
      if (job_.on_epoch) job_.on_epoch(result_.state);
    }
    share_weights();
    result_.bytes_sent = workers_.bytes_sent() - sent_before;
  }

  // Returns where a shard's rows with updates are kept for the bound; null if it has none.
  KeptUpdates* kept_for(std::uint32_t shard) {
    if (!has_mixing_bound(options_, result_.plan)) return nullptr;
    return &kept_.try_emplace(shard, options_.memory / result_.plan.shards).first->second;
  }

  // Partial sums by their first shard.
  using Nodes = std::map<std::uint32_t, PartialSum>;

  // Adds a sum, and then every node whose halves are both here.
  static void put(Nodes& nodes, PartialSum sum) {
    for (;;) {
      const auto size = static_cast<std::uint32_t>(sum.records.size());
      const bool is_left = sum.first % (2 * size) == 0;
      const auto other = nodes.find(is_left ? sum.first + size : sum.first - size);
      if (other == nodes.end() || other->second.records.size() != size) break;
      sum = is_left ? add(std::move(sum), other->second) : add(std::move(other->second), sum);
      nodes.erase(other);
    }
    nodes.insert_or_assign(sum.first, std::move(sum));
  }

  // Level by level, sends right halves to the workers of the left ones; at last the whole to worker 0.
  void climb(Nodes& nodes) {
    const std::uint32_t shards = result_.plan.shards;
    for (std::uint32_t size = 1; size < shards; size *= 2) {
      for (std::uint32_t left = 0; left < shards; left += 2 * size) {
        const std::uint32_t right = left + size;
        const int adder = worker_of_[left], sender = worker_of_[right];
        move(nodes, right, sender, adder);
      }
    }
    move(nodes, 0, worker_of_[0], 0);
  }

  void move(Nodes& nodes, std::uint32_t first, int from, int to) {
    if (from == to) return;
    if (from == workers_.rank()) {
      workers_.send(to, sum_tag, encode(nodes.at(first)));
      nodes.erase(first);
    } else if (to == workers_.rank()) {
      put(nodes, decode_sum(workers_.receive(from, sum_tag)));
    }
  }

  // Makes the model. For the bound, if there is one, evaluates it on the mistakes of every shard.
  void conclude() {
    if (workers_.leads()) result_.model = mixed_model(options_, result_.plan, result_.state);
    if (has_mixing_bound(options_, result_.plan)) evaluate_shards();
    workers_.set_task("the end");
    if (!workers_.leads()) {
      workers_.send(0, traffic_tag, bytes_of(result_.bytes_sent));
      return workers_.flush();
    }
    for (int worker = 1; worker < workers_.size(); ++worker)
      result_.bytes_sent += number_at(workers_.receive(worker, traffic_tag), 0);
  }

  void evaluate_shards() {
    Bytes model;
    if (workers_.leads()) model = encode(result_.model);
    result_.model = decode(workers_.broadcast(std::move(model)), "<workers>");
    ShardEvaluator evaluator(result_.model);
    std::map<std::uint32_t, ShardMargins> margins;
    for (std::uint32_t shard = 0; shard < result_.plan.shards; ++shard) {
      if (!mine(shard)) continue;
      workers_.set_task("the evaluation of shard " + std::to_string(shard));
      const KeptUpdates& kept = *kept_for(shard);
      const bool whole = kept.epochs().size() == result_.state.epoch;
      const ShardMargins found = whole ? evaluator.of_updates(kept) : evaluator.of_shard(options_, result_.plan, shard);
      if (workers_.leads()) {
        margins.emplace(shard, found);
      } else {
        workers_.send(0, margins_tag, encode(found));
      }
      workers_.tick();
    }
    if (!workers_.leads()) return;
    for (std::uint32_t shard = 0; shard < result_.plan.shards; ++shard) {
      const int worker = worker_of_[shard];
      result_.margins.push_back(worker == 0 ? margins.at(shard)
                                            : decode_margins(workers_.receive(worker, margins_tag)));
    }
    result_.bound = bound_of_mixing(result_.plan, result_.state, result_.model, result_.margins);
  }

  Workers& workers_;
  const MixJob& job_;
  MixOptions options_;
  MixResult result_;
  std::vector<int> worker_of_;      // of each shard
  std::vector<std::string> names_;  // of the plan's local files
  std::map<std::uint32_t, Schema> of_shards_;
  std::map<std::uint32_t, KeptUpdates> kept_;  // of this worker's shards
};

}  // namespace

MixResult run(Workers& workers, const MixJob& job) { return Run(workers, job)(); }

}  // namespace halfspace::mpi
