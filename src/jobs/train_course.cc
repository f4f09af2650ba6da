// Training: the plan, the names, the epochs, what the bound needs.
#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include "base/number_words.h"
#include "halfspace/base/error.h"
#include "halfspace/detail/rules/tournament.h"
#include "halfspace/model/model_file.h"
#include "halfspace/stream/survey.h"
#include "jobs/by_file.h"
#include "jobs/course.h"
#include "jobs/minimum.h"
#include "mixing/result_json.h"
#include "report/results/minimum_text.h"
#include "stream/schema/class_positions.h"

namespace halfspace::jobs {
namespace {

enum TrainStep : std::uint64_t { planning, examining, naming, playing, measuring, minimizing, trained };

TrainSettings settings_of(const Order& order) {
  TrainSettings settings;
  const std::vector<Option> options = options_of(settings);
  for (const auto& [name, value] : order.options.options) set_option(options, name, value);
  settings.data.paths = order.options.paths;
  if (settings.data.paths.empty()) settings.data.paths = {"<memory>"};  // which is not opened: rows are given
  return settings;
}

// Returns the options of an order with an objective; empty: it has a rule.
std::optional<TrainOptions> minimum_options_of(const Order& order) {
  TrainOptions chosen = train_options(settings_of(order));
  if (!chosen.objective) return std::nullopt;
  check_objective(chosen);
  return chosen;
}

MixOptions mix_options_of(const Order& order, const std::optional<TrainOptions>& objective) {
  MixOptions options = objective ? mix_options(*objective) : mix_options(settings_of(order));
  options.mixing = order.mixing;
  return options;
}

// Notes what is odd about the first rows, and rows sorted by class, with what was done about it; no order matters to a
// minimum.
void note_first_rows(const MixOptions& options, const ShardPlan& plan, bool minimum) {
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
  if (!sorted || minimum) return;
  const std::string sorted_rows = "the rows are sorted by class, or nearly so: ";
  if (options.composition.order == OrderName::shuffled) {
    options.read.on_note({sorted_rows + "each shard has rows from all over the files, and shuffles them",
                          option("order", "stream") + " keeps their order"});
  } else {
    options.read.on_note({sorted_rows + "errors while learning are too low", "leave out " + option("order", "stream")});
  }
}

class TrainCourse final : public Course {
 public:
  explicit TrainCourse(const Order& order)
      : order_(order), objective_(minimum_options_of(order)), options_(mix_options_of(order, objective_)) {
    TrainSettings settings;
    std::vector<Option> used = learning_options(settings);
    for (Option& one : data_options(settings)) used.push_back(std::move(one));
    std::erase_if(used, [](const Option& one) { return one.name == "holdout"; });
    refuse_idle(order, used);
    if (order.epochs == 0) throw Error(ErrorKind::usage, option("epochs", "0") + ": nothing is learned").fix("use 1");
    if (objective_ && (order.epochs > 1 || order.mixing != Mixing::uniform)) {
      throw Error(ErrorKind::usage, option("epochs") + " and " + option("mixing") + " have no effect with " +
                                        option("objective") + ": its steps go on until the gap is proved")
          .fix("leave them out");
    }
    if (order.by_file && order.shards == 0) return;  // the fewest
    if (std::has_single_bit(order.shards) && order.shards <= most_shards) return;
    throw Error(ErrorKind::usage, option("shards", std::to_string(order.shards)) + " is not a power of two from 1 to " +
                                      std::to_string(most_shards))
        .fix("use " + option("shards", "64"));
  }

  std::vector<Errand> errands() const override {
    std::vector<Errand> errands;
    if (step_ == planning) {
      errands.push_back({step_, 0, 1, planned_});
    } else if (step_ == examining) {
      for (std::size_t file = 0; file < order_.options.paths.size(); ++file) errands.push_back({step_, 0, 1, file});
    } else if (step_ != trained) {
      const std::uint32_t tasks = order_.by_file ? plan_.shards : std::min(plan_.shards, std::bit_floor(order_.tasks));
      const std::uint32_t each = plan_.shards / tasks;
      for (std::uint32_t first = 0; first < plan_.shards; first += each)
        errands.push_back({step_, first, each, order_.by_file ? file_of_shard(plan_, first) : 0});
    }
    return errands;
  }

  std::string step() const override {
    switch (step_) {
      case planning:
        return "the plan";
      case examining:
        return "the headers of its files";
      case naming:
        return "the names of its shards";
      case playing:
        return "epoch " + std::to_string(state_.epoch + 1);
      case measuring:
        return "the evaluation of its shards";
      case minimizing:
        return minimum_->step();
      case trained:
        break;
    }
    return "the end";
  }

  std::vector<Part> shared() const override {
    if (step_ == planning) return {};
    std::vector<Part> parts{encode(plan_)};
    if (step_ == examining) parts.push_back(beginning_);
    if (step_ == playing) {
      PartialSum begun;  // of the state what a shard begins with
      begun.weights = state_.weights;
      begun.ledger.passes = state_.epoch;
      parts.push_back(encode(begun));
    }
    if (step_ == minimizing) parts.push_back(encode(minimum_->question()));
    if (step_ == measuring) {
      parts.push_back(encode(model_));
      parts.push_back(part_of(state_.epoch));
    }
    return parts;
  }

  void go_on(const std::vector<Part>& results) override {
    switch (step_) {
      case planning:
        return take_plan(without_notes(results.at(0)));
      case examining:
        plan_ = plan_of_files(plan_, results, order_.shards);
        return name_or_begin();
      case naming:
        return take_names(results);
      case playing:
        return end_the_epoch(results);
      case measuring:
        for (const Part& margins : flattened(results)) margins_.push_back(decode_margins(margins));
        step_ = trained;
        return;
      case minimizing:
        return take_sums(results);
      case trained:
        return;
    }
  }

  std::vector<Part> saved() const override {
    std::vector<Part> margins;
    for (const ShardMargins& of_shard : margins_) margins.push_back(encode(of_shard));
    return {part_of(step_),
            step_ > planning ? encode(plan_) : Part(),
            step_ >= playing && !objective_ ? encode(state_) : Part(),
            packed('m', margins),
            beginning_,
            part_of(std::uint64_t{planned_}),
            packed('a', minimum_ ? minimum_->saved() : std::vector<Part>()),
            part_of(state_.rejected)};
  }
  bool restore(const std::vector<Part>& saved) override {
    if (saved.size() != 8 || number_of(saved[0]) > trained) throw damaged("job");
    step_ = static_cast<TrainStep>(number_of(saved[0]));
    if (step_ > planning) plan_ = decode_plan(saved[1]);
    if (objective_ && step_ >= minimizing) {
      minimum_.emplace(*objective_, plan_);
      minimum_->restore(unpacked(saved[6], 'a', "job"));
      if (!minimum_->asks()) model_ = minimum_->model();
      beginning_ = saved[4];
      return true;
    }
    if (step_ >= playing) state_ = decode_state(saved[2]);
    state_.rejected = number_of(saved[7]);
    for (const Part& margins : unpacked(saved[3], 'm', "job")) margins_.push_back(decode_margins(margins));
    beginning_ = saved[4];
    planned_ = number_of(saved[5]);
    if (state_.epoch > order_.epochs) {
      throw Error(ErrorKind::usage, "the job has had " + std::to_string(state_.epoch) + " epochs already")
          .fix("use " + option("epochs", std::to_string(state_.epoch)) + " or more");
    }
    if (step_ > playing && state_.epoch < order_.epochs) {
      step_ = playing;
      margins_.clear();
    }
    if (step_ > playing) model_ = mixed_model(options_, plan_, state_);
    return true;
  }

  const MixState* state() const override { return &state_; }
  const std::vector<FileRows>* files() const override { return &plan_.files; }
  const Model* model() const override { return &model_; }
  const MinimumReached* minimum() const override { return minimum_ ? &minimum_->minimum() : nullptr; }
  std::string json() const override {
    if (minimum_) return minimum_json();
    return mixing::result_json(plan_, state_, model_, margins_, bound_of_mixing(plan_, state_, model_, margins_))
        .dump();
  }

 private:
  static std::vector<Part> flattened(const std::vector<Part>& results) {
    std::vector<Part> all;
    for (const Part& result : results) {
      for (Part& part : unpacked(result, 'l', "result")) all.push_back(std::move(part));
    }
    return all;
  }

  // Of files apart the first with rows decides about the others.
  void take_plan(const Part& result) {
    if (!order_.by_file) {
      plan_ = decode_plan(result);
      return name_or_begin();
    }
    const std::vector<Part> parts = unpacked(result, 'f', "result");
    if (parts.empty()) {
      ++planned_;
      return;
    }
    plan_ = decode_plan(parts.at(0));
    beginning_ = parts.at(1);
    step_ = examining;
  }

  void name_or_begin() {
    if (!has_open_names(plan_)) return begin();
    step_ = naming;
  }
  void take_names(const std::vector<Part>& results) {
    MergedNames names(plan_.schema);
    for (const Part& schema : flattened(results)) names.add(decode_schema(schema));
    plan_.schema = names.schema();
    begin();
  }
  void begin() {
    if (objective_) {
      minimum_.emplace(*objective_, plan_);
      step_ = minimizing;
      return;
    }
    state_ = begin_mixing(options_, plan_);
    step_ = playing;
  }

  void note_few_rows() {
    const std::uint64_t each = state_.ledger.rounds / plan_.shards;
    const std::uint64_t features = state_.weights.w.size() / state_.weights.classes;
    if (plan_.shards == 1 || each >= features) return;
    note({counted(each, "row") + " a shard, on the average, for " + counted(features, "feature") +
              ": shards teach less than all rows do",
          option("objective", "logistic") + " has the minimum over all, " + option("shards", "8") + " more in each"});
  }

  void take_sums(const std::vector<Part>& results) {
    const Asked question = minimum_->question();
    std::vector<Answers> sums;
    for (const Part& result : results) sums.push_back(decode_answers(result));
    for (; sums.size() > 1; sums.resize(sums.size() / 2)) {
      for (std::size_t i = 0; i < sums.size() / 2; ++i) {
        if (i > 0) sums[i] = std::move(sums[2 * i]);
        add(question, sums[i], sums[2 * i + 1]);
      }
    }
    minimum_->take(sums.at(0));
    if (minimum_->asks()) return;
    model_ = minimum_->model();
    step_ = trained;
  }
  std::string minimum_json() const {
    TrainResult result;
    result.model = model_;
    result.minimum = minimum_->minimum();
    Json j;
    j["shards"] = plan_.shards;
    j["features"] = model_.schema.features;
    j["rounds"] = minimum_->rows();
    j["rejected"] = minimum_->rejected();
    j["steps"] = minimum_->steps();
    j["minimum"] = report::minimum(result);
    return j.dump();
  }

  // The tree of sums above the tasks.
  void end_the_epoch(const std::vector<Part>& results) {
    std::vector<PartialSum> sums;
    for (const Part& result : results) sums.push_back(decode_sum(result));
    for (; sums.size() > 1; sums.resize(sums.size() / 2)) {
      for (std::size_t i = 0; i < sums.size() / 2; ++i) sums[i] = add(std::move(sums[2 * i]), sums[2 * i + 1]);
    }
    end_epoch(options_, plan_, state_, sums.at(0));
    if (state_.epoch == 1) note_few_rows();
    if (state_.epoch < order_.epochs) return;
    model_ = mixed_model(options_, plan_, state_);
    step_ = measuring;
  }

  Order order_;
  std::optional<TrainOptions> objective_;
  MixOptions options_;
  TrainStep step_ = planning;
  std::size_t planned_ = 0;  // the file that is looked at first
  Part beginning_;           // its first rows
  ShardPlan plan_;
  MixState state_;
  Model model_;
  std::vector<ShardMargins> margins_;
  std::optional<MinimumSearch> minimum_;
};

// Does the errands of one step on some shards.
class TrainErrand {
 public:
  TrainErrand(const Order& order, const Errand& errand, const std::vector<Part>& shared, const Sources& sources)
      : objective_(minimum_options_of(order)),
        options_(mix_options_of(order, objective_)),
        order_(order),
        errand_(errand),
        shared_(shared),
        sources_(sources) {
    options_.folder = sources.folder;
    if (sources.attend) sources.attend(options_.read);
    if (!order.by_file) return;
    options_.read.path = errand.step == planning || errand.step == examining ? path_of(errand.file) : std::string();
    options_.read.more.clear();
  }

  Part operator()() {
    if (errand_.step == planning) return plan();
    const std::size_t parts = errand_.step == naming ? 1 : errand_.step == measuring ? 3 : 2;
    if (shared_.size() < parts || errand_.step >= trained) throw damaged("task");
    ShardPlan plan = decode_plan(shared_[0]);
    if (errand_.step == examining) return examined(plan, shared_[1], options_.read, name_of_file(), file_count());
    const std::uint64_t end = std::uint64_t{errand_.first} + errand_.shards;
    if (!std::has_single_bit(errand_.shards) || errand_.first % errand_.shards != 0 || end > plan.shards)
      throw damaged("task");
    if (order_.by_file && errand_.file < plan.files.size()) plan.files[errand_.file].path = path_of(errand_.file);
    if (errand_.step == playing) return play(plan);
    if (errand_.step == minimizing) return encode(sums(plan, decode_asked(shared_[1]), errand_.first, errand_.shards));
    std::vector<Part> found;
    for (std::uint32_t shard = errand_.first; shard < end; ++shard)
      found.push_back(errand_.step == naming ? names(plan, shard) : margins(plan, shard));
    return packed('l', found);
  }

 private:
  const std::string& name_of_file() const {
    if (errand_.file >= order_.options.paths.size()) throw damaged("task");
    return order_.options.paths[errand_.file];
  }
  std::size_t file_count() const { return order_.options.paths.size(); }
  std::string path_of(std::size_t file) const {
    if (file >= order_.options.paths.size()) throw damaged("task");
    const std::string& name = order_.options.paths[file];
    return sources_.path ? sources_.path(name) : name;
  }

  Part plan() const {
    return with_notes(options_.read, [&](const ReadOptions& read) {
      if (order_.by_file) return planned_alone(read, name_of_file(), errand_.file + 1 == file_count());
      if (sources_.rows) {
        const Schema schema = Reader(sources_.rows(0, read)).schema();
        return encode(ShardPlan{.shards = order_.shards, .files = {}, .before = {}, .schema = schema});
      }
      const ShardPlan plan = plan_shards(read, order_.shards);
      MixOptions noting = options_;
      noting.read = read;
      note_first_rows(noting, plan, objective_.has_value());
      return encode(plan);
    });
  }

  ReadOptions rows_of(const Schema& schema, std::uint32_t shard, bool grow) const {
    ReadOptions read = sources_.rows(shard, options_.read);
    read.schema = &schema;
    read.grow = grow;
    read.on_note = nullptr;
    return read;
  }

  Part names(const ShardPlan& plan, std::uint32_t shard) const {
    if (!sources_.rows) return encode_schema(names_of_shard(plan, options_.read, shard));
    Reader reader(rows_of(plan.schema, shard, true));
    reader.read([](const Block&) { return true; });
    return encode_schema(reader.schema());
  }

  KeptUpdates* kept(const ShardPlan& plan, std::uint32_t shard) const {
    if (sources_.kept == nullptr || !has_mixing_bound(options_, plan)) return nullptr;
    return &sources_.kept->of(shard, plan.shards);
  }

  Part play(const ShardPlan& plan) const {
    const PartialSum begun = decode_sum(shared_[1]);
    MixState before;
    before.mixing = order_.mixing;
    before.weights = begun.weights;
    before.epoch = begun.ledger.passes;
    return encode(sum_of(plan, before, errand_.first, errand_.shards));
  }
  PartialSum sum_of(const ShardPlan& plan, const MixState& before, std::uint32_t first, std::uint32_t count) const {
    if (count > 1)
      return add(sum_of(plan, before, first, count / 2), sum_of(plan, before, first + count / 2, count / 2));
    if (options_.composition.order != OrderName::shuffled) {
      const std::optional<ReadOptions> read = reading(plan, first);
      return play_rows(options_, plan, before, first, read ? &*read : nullptr, kept(plan, first));
    }
    std::optional<FeatureSpread> spread;
    if (before.epoch == 0) spread.emplace();
    const bool again = before.epoch + 1 < order_.epochs;
    const auto rows = shard_rows(plan, first, before.epoch == 0 ? &spread : nullptr, again);
    return play_kept(options_, plan, before, first, *rows, spread, kept(plan, first));
  }

  // Returns how to read the rows of a shard; empty: it has none.
  std::optional<ReadOptions> reading(const ShardPlan& plan, std::uint32_t shard) const {
    const bool grow = !has_open_names(plan);
    ReadOptions read =
        sources_.rows ? rows_of(plan.schema, shard, grow) : options_of_shard(plan, options_.read, shard, grow);
    if (!sources_.rows && read.parts.empty()) return std::nullopt;
    return read;
  }
  // Returns the rows of a shard, read now or in a step before. `again`: a later step asks for them.
  std::shared_ptr<const KeptShard> shard_rows(const ShardPlan& plan, std::uint32_t shard,
                                              std::optional<FeatureSpread>* spread, bool again) const {
    if (sources_.rows_kept != nullptr && spread == nullptr) {
      if (std::shared_ptr<const KeptShard> kept = sources_.rows_kept->find(errand_.job, shard)) return kept;
    }
    const std::optional<ReadOptions> read = reading(plan, shard);
    const auto rows = std::make_shared<const KeptShard>(rows_of_shard(options_, plan, read ? &*read : nullptr, spread));
    if (sources_.rows_kept != nullptr && again && !rows->rows.spilled())
      sources_.rows_kept->keep(errand_.job, shard, rows, options_.memory);
    return rows;
  }

  Answers sums(const ShardPlan& plan, const Asked& asked, std::uint32_t first, std::uint32_t count) const {
    if (!objective_) throw damaged("task");
    if (count == 1) return sums_of_rows(*shard_rows(plan, first, nullptr, true), *objective_, asked);
    Answers left = sums(plan, asked, first, count / 2);
    add(asked, left, sums(plan, asked, first + count / 2, count / 2));
    return left;
  }

  Part margins(const ShardPlan& plan, std::uint32_t shard) {
    if (!model_) model_ = decode(shared_[1], "<task>");
    ShardEvaluator evaluator(*model_);
    const KeptUpdates* const updates = kept(plan, shard);
    if (updates != nullptr && updates->epochs().size() == number_of(shared_[2]))
      return encode(evaluator.of_updates(*updates));
    if (!sources_.rows) return encode(evaluator.of_shard(options_, plan, shard));
    const ReadOptions read = rows_of(model_->schema, shard, false);
    return encode(evaluator.of_rows(&read));
  }

  std::optional<TrainOptions> objective_;
  MixOptions options_;
  std::optional<Model> model_;
  const Order& order_;
  const Errand& errand_;
  const std::vector<Part>& shared_;
  const Sources& sources_;
};

}  // namespace

void choose_rule(Order& order) {
  if (!leaves_the_plan(settings_of(order))) return;
  const bool once = order.epochs == 1;
  order.options.options.emplace_back(once ? "rule" : "preset", once ? name_of(rule::tournament) : "averaged");
}

std::unique_ptr<Course> course_of_training(const Order& order) { return std::make_unique<TrainCourse>(order); }

Part train_errand(const Order& order, const Errand& errand, const std::vector<Part>& shared, const Sources& sources) {
  return TrainErrand(order, errand, shared, sources)();
}

}  // namespace halfspace::jobs
