// Jobs, their tasks and results.
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "c/handles.h"
#include "halfspace/jobs/job.h"
#include "halfspace/proof/certify_settings.h"

struct halfspace_job {
  halfspace::jobs::Job job;
  std::vector<halfspace::jobs::Task> open{};
  std::vector<halfspace_task> shown{};  // of `open`
};

using namespace halfspace;
using namespace halfspace::c;

namespace {

jobs::KeptRows rows_kept;  // of tasks in this process

std::span<const std::uint8_t> span_of(const void* bytes, std::size_t size) {
  const auto* const first = static_cast<const std::uint8_t*>(bytes);
  if (size > 0) checked(first, "bytes");
  return {first, size};
}

jobs::Kind kind_of(const std::string& name) {
  if (name == "train") return jobs::Kind::train;
  if (name == "evaluate") return jobs::Kind::evaluate;
  if (name == "predict") return jobs::Kind::predict;
  if (name == "certify") return jobs::Kind::certify;
  if (name == "verify") return jobs::Kind::verify;
  throw Error(ErrorKind::usage, "there are no jobs \"" + name + "\"")
      .fix("use train, evaluate, predict, certify or verify");
}

jobs::NamedOptions named_options(const halfspace_settings& settings, jobs::Kind kind) {
  jobs::NamedOptions named;
  const bool proof = kind == jobs::Kind::certify || kind == jobs::Kind::verify;
  named.paths = kind == jobs::Kind::train ? settings_of<TrainSettings>(&settings, "train").data.paths
                : proof                   ? settings_of<CertifySettings>(&settings, "certify").data.paths
                                          : settings_of<EvaluateSettings>(&settings, "evaluate").data.paths;
  for (const auto& [set, text] : settings.given) named.options.emplace_back(set->name, text);
  return named;
}

jobs::Order order_of(const halfspace_job_order& given, const halfspace_settings& settings) {
  jobs::Order order;
  order.kind = kind_of(&checked(given.kind, "kind"));
  order.options = named_options(settings, order.kind);
  if (given.tasks != 0) order.tasks = given.tasks;
  if (given.shards != 0) order.shards = given.shards;
  if (given.epochs != 0) order.epochs = given.epochs;
  if (given.by_mistakes != 0) order.mixing = Mixing::mistakes;
  order.scores = given.scores != 0;
  const std::span<const std::uint8_t> model = span_of(given.model, given.model_size);
  order.model.assign(model.begin(), model.end());
  if (given.certificate != nullptr) order.certificate = given.certificate;
  return order;
}

}  // namespace

extern "C" {

halfspace_job* halfspace_job_new(const halfspace_job_order* order, const halfspace_settings* settings,
                                 halfspace_error* error) {
  return made(error, [&] {
    return std::make_unique<halfspace_job>(
               halfspace_job{jobs::Job(order_of(checked(order, "order"), checked(settings, "settings")))})
        .release();
  });
}

halfspace_job* halfspace_job_load(const void* bytes, size_t size, halfspace_error* error) {
  return made(
      error, [&] { return std::make_unique<halfspace_job>(halfspace_job{jobs::Job(span_of(bytes, size))}).release(); });
}

void halfspace_job_free(halfspace_job* job) { delete job; }

void* halfspace_job_save(const halfspace_job* job, size_t* size, halfspace_error* error) {
  return made(error, [&] {
    const std::vector<std::uint8_t> bytes = checked(job, "job").job.save();
    checked(size, "size") = bytes.size();
    return copied(bytes.data(), bytes.size());
  });
}

int halfspace_job_tasks(halfspace_job* job, const halfspace_task** tasks, size_t* count, halfspace_error* error) {
  return guarded(error, [&] {
    halfspace_job& own = checked(job, "job");
    own.open = own.job.tasks();
    own.shown.clear();
    for (const jobs::Task& task : own.open)
      own.shown.push_back({task.number, task.first, task.shards, task.bytes.data(), task.bytes.size()});
    checked(tasks, "tasks") = own.shown.data();
    checked(count, "count") = own.shown.size();
  });
}

void* halfspace_job_shared(const halfspace_job* job, size_t* size, halfspace_error* error) {
  return made(error, [&] {
    const std::vector<std::uint8_t> bytes = checked(job, "job").job.shared();
    checked(size, "size") = bytes.size();
    return copied(bytes.data(), bytes.size());
  });
}

int halfspace_job_take(halfspace_job* job, uint64_t task, const void* bytes, size_t size, halfspace_stop* stop,
                       halfspace_error* error) {
  return guarded(error, [&] {
    jobs::Job& own = checked(job, "job").job;
    own.set_on_wait([stop] {
      if (stop != nullptr && stop->set) throw Interrupted("the search");
    });
    own.take(task, span_of(bytes, size));
  });
}

uint64_t halfspace_job_epoch(const halfspace_job* job) { return job == nullptr ? 0 : job->job.epoch(); }

void* halfspace_run_task(const void* task, size_t task_size, const void* shared, size_t shared_size,
                         const halfspace_rows* const* rows, size_t rows_count, size_t* size, halfspace_error* error) {
  return made(error, [&] {
    if (rows_count > 0) checked(rows, "rows");
    jobs::Sources sources{.rows_kept = &rows_kept};
    if (rows_count > 0) {
      sources.rows = [&](std::uint32_t number, ReadOptions read) {
        if (number >= rows_count)
          throw Error(ErrorKind::usage, "the task needs the rows of more shards").fix("give those of all, in order");
        return checked(rows[number], "rows").read(std::move(read));
      };
    }
    const std::vector<std::uint8_t> result =
        jobs::run_task(span_of(task, task_size), span_of(shared, shared_size), sources);
    checked(size, "size") = result.size();
    return copied(result.data(), result.size());
  });
}

void halfspace_forget_rows(void) { rows_kept.forget(); }

char* halfspace_job_notes(const halfspace_job* job, halfspace_error* error) {
  return made(error, [&] {
    Json notes = Json::array();
    for (const ReadNote& note : checked(job, "job").job.notes())
      notes.push_back({{"text", render_options(note.text)}, {"fix", render_options(note.fix)}});
    return copied(notes.dump());
  });
}

halfspace_model* halfspace_job_model(const halfspace_job* job, halfspace_error* error) {
  return made(error, [&] {
    return std::make_unique<halfspace_model>(halfspace_model{checked(job, "job").job.model()}).release();
  });
}

char* halfspace_job_json(const halfspace_job* job, halfspace_error* error) {
  return made(error, [&] { return copied(checked(job, "job").job.json()); });
}

char* halfspace_job_certificate(const halfspace_job* job, halfspace_error* error) {
  return made(error, [&]() -> char* {
    const CertifyResult& result = checked(job, "job").job.certified();
    return copied(result.certified ? proof::encode_certificate(result.certificate) : std::string());
  });
}

char* halfspace_job_take_lines(halfspace_job* job, halfspace_error* error) {
  return made(error, [&] { return copied(checked(job, "job").job.take_lines()); });
}

}  // extern "C"
