// The run of a stream whose rows the caller gives.
#include "halfspace/train/trainer.h"

#include <algorithm>
#include <unordered_set>
#include <utility>
#include <vector>

#include "halfspace/base/error.h"
#include "stream/pipeline/transform.h"
#include "stream/reader/block_pass.h"
#include "train/run/stream_run.h"
#include "train/run/verdict.h"

namespace halfspace {
namespace {

// So few that threads to read them cost more than they gain.
constexpr std::uint64_t few_rows = 1000;

TrainOptions checked(TrainOptions options) {
  const auto refuse = [](bool wrong, const std::string& what) {
    if (wrong) throw Error(ErrorKind::usage, what + " needs all rows, and a Trainer sees each once").fix("use train()");
  };
  if (options.resume == nullptr)
    refuse(options.composition.order != OrderName::stream, option("order", name_of(options.composition.order)));
  refuse(options.until.passes.value_or(1) > 1, option("passes"));
  refuse(options.objective.has_value(), option("objective"));
  refuse(options.normalize_columns, option("normalize", "column"));
  refuse(options.standard_columns, option("normalize", "standard"));
  refuse(options.read.labels.balanced, option("class-weight", "balanced"));
  refuse(options.shuffle_sorted, "shuffling rows that are sorted by class");
  options.until.passes = std::nullopt;
  return options;
}

}  // namespace

struct Trainer::Impl {
  Impl(TrainOptions given, Schema schema)
      : options(checked(std::move(given))), run(options, std::move(schema)), kept(options), stream(run, kept) {
    stream.begin();
  }

  // Records the name of a new column; false: there is one of that name.
  bool named(const std::string& name) {
    if (names.empty()) {
      for (const Column& column : run.model.schema.columns) names.insert(column.name);
    }
    return names.insert(name).second;
  }

  TrainOptions options;
  training::Run run;
  training::KeptRows kept;
  training::StreamRun stream;
  std::vector<std::uint64_t> numbers;  // of rows without numbers
  std::uint64_t rows = 0;
  std::unordered_set<std::string> names;  // of columns, once one is added
};

Trainer::Trainer(TrainOptions options, Schema schema)
    : impl_(std::make_unique<Impl>(std::move(options), std::move(schema))) {}
Trainer::~Trainer() = default;
Trainer::Trainer(Trainer&&) noexcept = default;
Trainer& Trainer::operator=(Trainer&&) noexcept = default;

bool Trainer::learn(const Block& block) {
  Impl& impl = *impl_;
  if (block.rows == 0) return true;
  Block numbered = block;
  if (block.row == nullptr) {
    impl.numbers.resize(block.rows);
    for (std::size_t i = 0; i < block.rows; ++i) impl.numbers[i] = impl.rows + i + 1;
    numbered.row = impl.numbers.data();
  }
  const auto classes = static_cast<std::int32_t>(std::max(2U, impl.run.model.classes()));
  const auto none = [&](std::int32_t label) { return label < 0 || label >= classes; };
  if (const auto* bad = std::find_if(block.label, block.label + block.rows, none); bad != block.label + block.rows) {
    throw Error(ErrorKind::data, "row " + std::to_string(numbered.row[bad - block.label]) + " has the label " +
                                     std::to_string(*bad) + ", and there are " + std::to_string(classes) + " classes")
        .fix("number the classes from 0 on, as in the schema's labels");
  }
  impl.rows = numbered.row[block.rows - 1];
  impl.run.model.schema.features = std::max(impl.run.model.schema.features, block.features);
  return impl.run.take(numbered, [&](const Block& rows) { return impl.stream.take(rows); });
}

bool Trainer::learn(const RowSource& rows) {
  Impl& impl = *impl_;
  ReadOptions read;
  read.threads = rows.blocks() == 1 ? 1 : impl.options.read.threads;
  read.labels.class_weights = impl.run.model.class_weights;
  read.schema = &impl.run.model.schema;
  stream::BlockPass pass(rows, nullptr, read, impl.run.model.schema);
  return pass.run(stream::class_factors(read, impl.run.model.schema.labels), nullptr, [&](const Block& block) {
    Block counted = block;
    counted.row = nullptr;
    return learn(counted);
  });
}

bool Trainer::learn(const TableText& table) {
  Impl& impl = *impl_;
  Schema& schema = impl.run.model.schema;
  ReadOptions read;
  read.threads = table.rows() <= few_rows ? 1 : impl.options.read.threads;
  read.labels.class_weights = impl.run.model.class_weights;
  read.schema = &schema;
  Reader reader(table.read(read));
  bool more = true;
  reader.read([&](const Block& block) {
    if (reader.schema().features > schema.features) schema = reader.schema();
    Block counted = block;
    counted.row = nullptr;
    return more = learn(counted);
  });
  return more;
}

std::uint32_t Trainer::add_feature(const std::string& name) {
  Schema& schema = impl_->run.model.schema;
  if (schema.format != DataFormat::csv)
    throw Error(ErrorKind::usage, "the model's columns have no names").fix("train on named columns from the beginning");
  if (name.empty() || !impl_->named(name))
    throw Error(ErrorKind::usage, "the feature name \"" + name + "\" is empty or there twice").fix("give a new name");
  schema.columns.push_back({.name = name, .feature = schema.features, .categories = {}, .features = {}});
  return schema.features++;
}

std::uint64_t Trainer::memory_for(std::uint64_t features) const { return impl_->run.memory_for(features); }

Model Trainer::model() const { return impl_->stream.model(); }

TrainResult Trainer::result(const Reader* source) {
  Impl& impl = *impl_;
  if (source != nullptr) impl.run.note_source(source->schema(), source->report());
  impl.stream.end(true);
  impl.run.learner->finish();
  return training::Verdict(impl.run, impl.kept).conclude();
}

}  // namespace halfspace
