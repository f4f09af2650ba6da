// Step by step: what tasks share is broadcast, each worker gets its tasks and gives their results.
#include "mpi/engine.h"

#include <algorithm>
#include <utility>

#include "cli/commands.h"
#include "jobs/parts.h"

namespace halfspace::mpi {
namespace {

enum EngineTag : int { tasks_tag = 1, results_tag };

}  // namespace

void show_notes(const jobs::Job& job, std::size_t& shown) {
  const std::function<void(const ReadNote&)> print = cli::note_printer();
  for (; shown < job.notes().size(); ++shown) print(job.notes()[shown]);
}

Engine::Engine(Workers& workers, const OwnFiles& own, const std::atomic<bool>* interrupt, std::string folder,
               std::uint64_t memory)
    : workers_(workers), kept_(memory) {
  if (own) files_.emplace(workers, *own);
  sources_.folder = std::move(folder);
  sources_.attend = [this, interrupt](ReadOptions& read) {
    read.interrupt = interrupt;
    read.progress = [this](std::uint64_t, std::uint64_t) { workers_.tick(); };
  };
  if (files_) sources_.path = [this](const std::string& name) { return files_->path(name); };
  sources_.kept = &kept_;
  sources_.rows_kept = &rows_kept_;
}

std::vector<std::string> Engine::paths(const std::vector<std::string>& given) const {
  if (!files_) return given;
  std::vector<std::string> names;
  for (const LocalFile& file : files_->all()) names.push_back(file.name);
  return names;
}

void Engine::check(const jobs::Job& job) const {
  if (files_) files_->check(job.files());
}

std::vector<int> Engine::workers_of(const std::vector<jobs::Task>& tasks) const {
  if (files_) {
    std::vector<std::size_t> files;
    for (const jobs::Task& task : tasks) files.push_back(task.file);
    return files_->deal(files);
  }
  std::vector<int> workers;
  for (std::size_t i = 0; i < tasks.size(); ++i)
    workers.push_back(static_cast<int>(i * static_cast<std::size_t>(workers_.size()) / tasks.size()));
  return workers;
}

Bytes Engine::done(const std::string& step, const std::vector<Bytes>& tasks, const Bytes& shared) {
  std::vector<Bytes> results;
  for (const Bytes& task : tasks) {
    workers_.set_task(step + ", task " + std::to_string(results.size() + 1) + " of its " +
                      std::to_string(tasks.size()));
    results.push_back(jobs::run_task(task, shared, sources_));
    workers_.tick();
  }
  workers_.set_task(step + ", waiting for others");
  return jobs::packed('w', results);
}

void Engine::run(jobs::Job* job, const std::function<void()>& on_step) {
  if (workers_.leads()) return lead(*job, on_step);
  follow();
  workers_.set_task("the end");
  workers_.flush();
}

void Engine::lead(jobs::Job& job, const std::function<void()>& on_step) {
  job.set_on_wait([&] {
    workers_.set_task("the search");
    workers_.tick();
    if (on_step) on_step();
  });
  for (std::vector<jobs::Task> tasks = job.tasks(); !tasks.empty(); tasks = job.tasks()) {
    const Bytes shared = job.shared();
    workers_.broadcast(shared);
    const std::vector<int> worker_of = workers_of(tasks);
    std::vector<std::vector<Bytes>> bytes(static_cast<std::size_t>(workers_.size()));
    std::vector<std::vector<std::uint64_t>> numbers(bytes.size());
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      bytes[static_cast<std::size_t>(worker_of[i])].push_back(std::move(tasks[i].bytes));
      numbers[static_cast<std::size_t>(worker_of[i])].push_back(tasks[i].number);
    }
    const std::string step = job.step();
    for (int other = 1; other < workers_.size(); ++other) {
      std::vector<Bytes> order{jobs::part_of(step)};
      for (Bytes& task : bytes[static_cast<std::size_t>(other)]) order.push_back(std::move(task));
      workers_.send(other, tasks_tag, jobs::packed('w', order));
    }
    const std::uint64_t epoch = job.epoch();
    std::uint64_t moved = shared.size() * static_cast<std::uint64_t>(workers_.size() - 1);
    for (int worker = 0; worker < workers_.size(); ++worker) {
      const Bytes answer = worker == 0 ? done(step, bytes[0], shared) : workers_.receive(worker, results_tag);
      if (worker > 0) moved += answer.size();
      const std::vector<Bytes> results = jobs::unpacked(answer, 'w', "results");
      const std::vector<std::uint64_t>& own = numbers[static_cast<std::size_t>(worker)];
      for (std::size_t i = 0; i < own.size(); ++i) job.take(own[i], results.at(i));
    }
    if (job.epoch() != epoch) bytes_of_epoch_ = moved;
    bytes_of_all_ += moved;
    if (on_step) on_step();
  }
  workers_.broadcast({});
}

void Engine::follow() {
  for (;;) {
    const Bytes shared = workers_.broadcast({});
    if (shared.empty()) return;
    std::vector<Bytes> tasks = jobs::unpacked(workers_.receive(0, tasks_tag), 'w', "tasks");
    const std::string step = jobs::text_of(tasks.at(0));
    tasks.erase(tasks.begin());
    workers_.send(0, results_tag, done(step, tasks, shared));
  }
}

}  // namespace halfspace::mpi
