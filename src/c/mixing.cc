// Steps of iterative parameter mixing, bytes in and bytes out.
#include "halfspace/mixing/mixing.h"

#include <span>
#include <string>
#include <vector>

#include "c/handles.h"
#include "halfspace/model/model_file.h"
#include "mixing/result_json.h"

using namespace halfspace;
using namespace halfspace::c;

namespace {

using Bytes = std::vector<std::uint8_t>;

class Step {
 public:
  Step(const halfspace_settings* settings, std::span<const halfspace_bytes> inputs, std::uint32_t number,
       const halfspace_rows* rows)
      : inputs_(inputs), number_(number), rows_(rows) {
    TrainSettings own = settings_of<TrainSettings>(settings, "train");
    if (own.data.paths.empty()) own.data.paths = {"<memory>"};  // which is not read: rows are given
    const TrainOptions chosen = train_options(own);
    options_.read = chosen.read;
    options_.composition = chosen.composition;
    options_.memory = chosen.memory.memory;
  }

  Bytes plan() const {
    if (rows_ == nullptr) return encode(plan_shards(options_.read, number_));
    ShardPlan plan{.shards = number_, .files = {}, .before = {}, .schema = Reader(rows_->read(options_.read)).schema()};
    return encode(plan);
  }
  Bytes names() const {
    const ShardPlan plan = decode_plan(input(0));
    return encode_schema(rows_ == nullptr ? names_of_shard(plan, options_.read, number_) : names_of_rows(plan));
  }
  Bytes merge() const {
    ShardPlan plan = decode_plan(input(0));
    MergedNames names(plan.schema);
    for (std::size_t i = 1; i < inputs_.size(); ++i) names.add(decode_schema(input(i)));
    plan.schema = names.schema();
    return encode(plan);
  }
  Bytes begin() {
    options_.mixing = number_ == 0 ? Mixing::uniform : Mixing::mistakes;
    return encode(begin_mixing(options_, decode_plan(input(0))));
  }
  Bytes play() const {
    const ShardPlan plan = decode_plan(input(0));
    const MixState before = decode_state(input(1));
    if (rows_ == nullptr) return encode(play_shard(options_, plan, before, number_));
    const ReadOptions read = read_rows(plan, !has_open_names(plan));
    return encode(play_rows(options_, plan, before, number_, &read));
  }
  Bytes add() const { return encode(halfspace::add(decode_sum(input(0)), decode_sum(input(1)))); }
  Bytes end() const {
    const ShardPlan plan = decode_plan(input(0));
    MixState state = decode_state(input(1));
    end_epoch(options_, plan, state, decode_sum(input(2)));
    return encode(state);
  }
  Bytes model() const { return encode(mixed_model(options_, decode_plan(input(0)), decode_state(input(1)))); }
  Bytes margins() const {
    const ShardPlan plan = decode_plan(input(0));
    const Model model = decode(input(1), "<model>");
    ShardEvaluator evaluator(model);
    if (rows_ == nullptr) return encode(evaluator.of_shard(options_, plan, number_));
    ReadOptions read = read_rows(plan, false);
    read.schema = &model.schema;
    return encode(evaluator.of_rows(&read));
  }
  Bytes result() const {
    const ShardPlan plan = decode_plan(input(0));
    const MixState state = decode_state(input(1));
    const Model model = decode(input(2), "<model>");
    std::vector<ShardMargins> margins;
    for (std::size_t i = 3; i < inputs_.size(); ++i) margins.push_back(decode_margins(input(i)));
    const std::string text =
        mixing::result_json(plan, state, model, margins, bound_of_mixing(plan, state, model, margins)).dump();
    return {text.begin(), text.end()};
  }

 private:
  Bytes input(std::size_t i) const {
    if (i >= inputs_.size())
      throw Error(ErrorKind::usage, "the step needs input " + std::to_string(i + 1)).fix("see halfspace_c.h");
    const auto* const first = static_cast<const std::uint8_t*>(inputs_[i].data);
    return {first, first + inputs_[i].size};
  }
  ReadOptions read_rows(const ShardPlan& plan, bool grow) const {
    ReadOptions read = rows_->read(options_.read);
    read.schema = &plan.schema;
    read.grow = grow;
    read.on_note = nullptr;
    return read;
  }
  Schema names_of_rows(const ShardPlan& plan) const {
    Reader reader(read_rows(plan, true));
    reader.read([](const Block&) { return true; });
    return reader.schema();
  }

  MixOptions options_;
  std::span<const halfspace_bytes> inputs_;
  std::uint32_t number_;
  const halfspace_rows* rows_;
};

Bytes done(Step& step, const std::string& name) {
  if (name == "plan") return step.plan();
  if (name == "names") return step.names();
  if (name == "merge") return step.merge();
  if (name == "begin") return step.begin();
  if (name == "play") return step.play();
  if (name == "add") return step.add();
  if (name == "end") return step.end();
  if (name == "model") return step.model();
  if (name == "margins") return step.margins();
  if (name == "result") return step.result();
  throw Error(ErrorKind::usage, "there is no step \"" + name + "\" of mixing").fix("see halfspace_c.h");
}

}  // namespace

extern "C" {

void* halfspace_mix(const halfspace_settings* settings, const char* step, const halfspace_bytes* inputs,
                    size_t inputs_count, uint32_t number, const halfspace_rows* rows, size_t* size,
                    halfspace_error* error) {
  return made(error, [&] {
    if (inputs_count > 0) checked(inputs, "inputs");
    Step own(settings, {inputs, inputs_count}, number, rows);
    const Bytes bytes = done(own, &checked(step, "step"));
    checked(size, "size") = bytes.size();
    return copied(bytes.data(), bytes.size());
  });
}

}  // extern "C"
