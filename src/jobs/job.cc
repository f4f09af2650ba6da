// Tasks with their numbers, results, and what is saved of a job.
#include "halfspace/jobs/job.h"

#include <map>
#include <random>
#include <utility>

#include "base/json.h"
#include "halfspace/base/error.h"
#include "jobs/course.h"

namespace halfspace::jobs {
namespace {

constexpr std::uint32_t most_tasks = 1 << 16;
constexpr int step_bits = 32;  // a task's number is its step, and its position in that

Part encoded(const Order& order) {
  Json options = Json::array();
  for (const auto& [name, value] : order.options.options) options.push_back(Json::array({Json(name), Json(value)}));
  Json j;
  j["kind"] = static_cast<unsigned>(order.kind);
  j["paths"] = order.options.paths;
  j["options"] = options;
  j["shards"] = order.shards;
  j["tasks"] = order.tasks;
  j["epochs"] = order.epochs;
  j["mixing"] = name_of(order.mixing);
  j["scores"] = order.scores;
  j["by_file"] = order.by_file;
  return packed('o', {part_of(j.dump()), order.model, part_of(order.certificate)});
}

Order order_of(const Json& j) {
  Order order;
  order.kind = static_cast<Kind>(j.at("kind").get<unsigned>());
  for (const Json& path : j.at("paths")) order.options.paths.push_back(path.get<std::string>());
  for (const Json& option : j.at("options"))
    order.options.options.emplace_back(option.at(0).get<std::string>(), option.at(1).get<std::string>());
  order.shards = j.at("shards").get<std::uint32_t>();
  order.tasks = j.at("tasks").get<std::uint32_t>();
  order.epochs = j.at("epochs").get<std::uint64_t>();
  order.mixing = value_named<Mixing>(j.at("mixing").get<std::string>()).value_or(Mixing::uniform);
  order.scores = j.at("scores").get<bool>();
  order.by_file = j.at("by_file").get<bool>();
  return order;
}

Order decoded_order(const Part& bytes) {
  const std::vector<Part> parts = unpacked(bytes, 'o', "order");
  if (parts.size() != 3) throw damaged("order");
  try {
    Order order = order_of(Json::parse(text_of(parts[0])));
    order.model = parts[1];
    order.certificate = text_of(parts[2]);
    return order;
  } catch (const Json::exception&) {
    throw damaged("order");
  }
}

// Returns a number that no other job has.
std::uint64_t drawn_id() {
  std::random_device device;
  return std::uint64_t{device()} << 32 | device();
}

std::unique_ptr<Course> course_of(const Order& order) {
  if (order.tasks == 0 || order.tasks > most_tasks)
    throw Error(ErrorKind::usage, std::to_string(order.tasks) + " tasks at once: 1 to " + std::to_string(most_tasks))
        .fix("use 16");
  switch (order.kind) {
    case Kind::train:
      return course_of_training(order);
    case Kind::evaluate:
      return course_of_evaluation(order);
    case Kind::predict:
      return course_of_prediction(order);
    case Kind::certify:
      return course_of_certification(order);
    case Kind::verify:
      return course_of_verification(order);
  }
  throw damaged("job");
}

}  // namespace

Part with_notes(ReadOptions read, const std::function<Part(const ReadOptions& read)>& look) {
  std::vector<Part> parts(1);
  read.on_note = [&](const ReadNote& note) {
    parts.push_back(part_of(note.text));
    parts.push_back(part_of(note.fix));
  };
  parts[0] = look(read);
  return packed('n', parts);
}

void refuse_idle(const Order& order, const std::vector<Option>& used) {
  for (const auto& [name, value] : order.options.options) {
    if (find_option(used, name) == nullptr)
      throw Error(ErrorKind::usage, option(name) + " has no effect on this job").fix("leave it out");
  }
}

Part Course::without_notes(const Part& look) {
  const std::vector<Part> parts = unpacked(look, 'n', "result");
  if (parts.size() % 2 != 1) throw damaged("result");
  for (std::size_t i = 1; i < parts.size(); i += 2) notes_.push_back({text_of(parts[i]), text_of(parts[i + 1])});
  return parts[0];
}

std::shared_ptr<const KeptShard> KeptRows::find(std::uint64_t job, std::uint32_t shard) const {
  const std::lock_guard lock(mutex_);
  const auto found = rows_.find(shard);
  return job != job_ || found == rows_.end() ? nullptr : found->second;
}

void KeptRows::keep(std::uint64_t job, std::uint32_t shard, std::shared_ptr<const KeptShard> rows,
                    std::uint64_t memory) {
  const std::lock_guard lock(mutex_);
  if (job != job_) {
    rows_.clear();
    used_ = 0;
    job_ = job;
  }
  const std::uint64_t bytes = rows->rows.bytes();
  if (used_ + bytes <= memory && rows_.emplace(shard, std::move(rows)).second) used_ += bytes;
}

void KeptRows::forget() {
  const std::lock_guard lock(mutex_);
  rows_.clear();
  used_ = 0;
}

struct Job::Impl {
  explicit Impl(Order given)
      : order(std::move(given)),
        encoded_order(encoded(order)),
        fingerprint(fingerprint_of(encoded_order)),
        course(course_of(order)) {
    plan_step();
  }

  void plan_step() {
    results.clear();
    errands = course->errands();
  }
  void go_on_if_complete() {
    if (results.size() < errands.size()) return;
    std::vector<Part> all;
    for (auto& [index, result] : results) all.push_back(std::move(result));
    results.clear();  // a step whose results are wrong is to be done again
    course->go_on(all);
    ++step;
    plan_step();
  }
  std::uint64_t number(std::size_t index) const { return (step << step_bits) + index; }
  void demand_done(bool is_kind) const {
    if (is_kind && !errands.empty()) throw Error(ErrorKind::usage, "the job is not done").fix("do its tasks first");
    if (!is_kind) throw Error(ErrorKind::usage, "a job of this kind has no such result").fix("ask for another");
  }

  Order order;
  Part encoded_order;
  std::uint64_t fingerprint;
  std::unique_ptr<Course> course;
  std::uint64_t id = drawn_id();
  std::uint64_t step = 0;
  std::vector<Errand> errands;
  std::map<std::size_t, Part> results;  // by position
};

Job::Job(Order order) {
  if (order.kind == Kind::train) choose_rule(order);
  impl_ = std::make_unique<Impl>(std::move(order));
}

Job::Job(std::span<const std::uint8_t> saved, std::optional<std::uint64_t> epochs) {
  const std::vector<Part> parts = unpacked(saved, 'j', "job");
  if (parts.size() < 4) throw damaged("job");
  Order order = decoded_order(parts[0]);
  bool same = !epochs || *epochs == order.epochs;
  if (epochs) order.epochs = *epochs;
  impl_ = std::make_unique<Impl>(std::move(order));
  impl_->id = number_of(parts[2]);
  same = impl_->course->restore(unpacked(parts[3], 'c', "job")) && same;
  impl_->step = number_of(parts[1]) + (same ? 0 : 1);  // results that are on their way are of the other job
  impl_->plan_step();
  for (std::size_t i = 4; same && i + 1 < parts.size(); i += 2) {
    const std::uint64_t index = number_of(parts[i]);
    if (index >= impl_->errands.size()) throw damaged("job");
    impl_->results[index] = parts[i + 1];
  }
}

Job::~Job() = default;
Job::Job(Job&&) noexcept = default;
Job& Job::operator=(Job&&) noexcept = default;

bool Job::done() const { return impl_->errands.empty(); }

std::vector<Task> Job::tasks() const {
  std::vector<Task> tasks;
  for (std::size_t i = 0; i < impl_->errands.size(); ++i) {
    if (impl_->results.contains(i)) continue;
    const Errand& errand = impl_->errands[i];
    const Part bytes =
        packed('t', {part_of(impl_->fingerprint), part_of(impl_->number(i)), part_of(errand.step),
                     part_of(errand.first), part_of(errand.shards), part_of(std::uint64_t{errand.file})});
    tasks.push_back({impl_->number(i), errand.first, errand.shards, errand.file, bytes});
  }
  return tasks;
}

void Job::set_on_wait(std::function<void()> on_wait) { impl_->course->set_on_wait(std::move(on_wait)); }
std::string Job::step() const { return impl_->course->step(); }

std::vector<std::uint8_t> Job::shared() const {
  std::vector<Part> parts{impl_->encoded_order, part_of(impl_->step), part_of(impl_->id)};
  for (Part& part : impl_->course->shared()) parts.push_back(std::move(part));
  return packed('s', parts);
}

bool Job::take(std::uint64_t task, std::span<const std::uint8_t> result) {
  const std::vector<Part> parts = unpacked(result, 'r', "result");
  if (parts.size() != 3 || number_of(parts[0]) != impl_->fingerprint || number_of(parts[1]) != task)
    throw Error(ErrorKind::data, "the result is of another task or job").fix("give each task the result of its bytes");
  const std::uint64_t step = task >> step_bits, index = task & ((std::uint64_t{1} << step_bits) - 1);
  if (step > impl_->step || (step == impl_->step && index >= impl_->errands.size()))
    throw Error(ErrorKind::data, "the job has no task " + std::to_string(task)).fix("give results of its tasks()");
  if (step < impl_->step || impl_->results.contains(index)) return false;
  impl_->results[index] = parts[2];
  impl_->go_on_if_complete();
  return true;
}

std::vector<std::uint8_t> Job::save() const {
  std::vector<Part> parts{impl_->encoded_order, part_of(impl_->step), part_of(impl_->id),
                          packed('c', impl_->course->saved())};
  for (const auto& [index, result] : impl_->results) {
    parts.push_back(part_of(index));
    parts.push_back(result);
  }
  return packed('j', parts);
}

const std::vector<ReadNote>& Job::notes() const { return impl_->course->notes(); }
const Order& Job::order() const { return impl_->order; }
std::uint64_t Job::epoch() const { return impl_->course->state() == nullptr ? 0 : impl_->course->state()->epoch; }
const MixState& Job::state() const {
  if (impl_->course->state() == nullptr) impl_->demand_done(false);
  return *impl_->course->state();
}
const std::vector<FileRows>& Job::files() const {
  static const std::vector<FileRows> none;
  return impl_->course->files() == nullptr ? none : *impl_->course->files();
}

const Model& Job::model() const {
  impl_->demand_done(impl_->course->model() != nullptr);
  return *impl_->course->model();
}
const MinimumReached* Job::minimum() const { return impl_->course->minimum(); }
const CertifyResult& Job::certified() const {
  impl_->demand_done(impl_->course->certified() != nullptr);
  return *impl_->course->certified();
}
const proof::Verification& Job::verified() const {
  impl_->demand_done(impl_->course->verified() != nullptr);
  return *impl_->course->verified();
}
std::string Job::json() const {
  impl_->demand_done(impl_->order.kind != Kind::predict);
  return impl_->course->json();
}
std::string Job::take_lines() {
  if (impl_->course->lines() == nullptr) impl_->demand_done(false);
  return std::exchange(*impl_->course->lines(), {});
}

std::vector<std::uint8_t> run_task(std::span<const std::uint8_t> task, std::span<const std::uint8_t> shared,
                                   const Sources& sources) {
  const std::vector<Part> parts = unpacked(task, 't', "task");
  std::vector<Part> known = unpacked(shared, 's', "step");
  if (parts.size() != 6 || known.size() < 3 || number_of(parts[0]) != fingerprint_of(known[0]) ||
      number_of(parts[1]) >> step_bits != number_of(known[1]))
    throw Error(ErrorKind::data, "the task is of another step").fix("give what the job shares at that step");
  const Order order = decoded_order(known[0]);
  const std::uint64_t id = number_of(known[2]);
  known.erase(known.begin(), known.begin() + 3);
  const Errand errand{number_of(parts[2]), static_cast<std::uint32_t>(number_of(parts[3])),
                      static_cast<std::uint32_t>(number_of(parts[4])), number_of(parts[5]), id};
  if (order.options.paths.empty() && !sources.rows)
    throw Error(ErrorKind::usage, "the task needs rows").fix("give those of its shards");
  const auto do_errand = order.kind == Kind::train                                   ? train_errand
                         : order.kind == Kind::certify || order.kind == Kind::verify ? proof_errand
                                                                                     : use_errand;
  return packed('r', {parts[0], parts[1], do_errand(order, errand, known, sources)});
}

}  // namespace halfspace::jobs
