// What a kind of job does, step by step: the tasks of a step, and what follows from their results.
//
// Thread-safety: one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "halfspace/jobs/job.h"
#include "jobs/parts.h"

namespace halfspace::jobs {

// What a task is about.
struct Errand {
  std::uint64_t step = 0;               // of its kind of job
  std::uint32_t first = 0, shards = 0;  // of the rows, as in Task
  std::size_t file = 0;
  std::uint64_t job = 0;  // its number
};

class Course {
 public:
  virtual ~Course() = default;
  Course() = default;
  Course(const Course&) = delete;
  Course& operator=(const Course&) = delete;

  // The errands of the step that the course is at; none: it is done.
  virtual std::vector<Errand> errands() const = 0;
  virtual std::string step() const = 0;  // in words
  // What all errands of the step need to know besides the order.
  virtual std::vector<Part> shared() const = 0;
  // Goes on with the results of all errands, in their order. Throws Error(data) for damaged ones.
  virtual void go_on(const std::vector<Part>& results) = 0;
  virtual std::vector<Part> saved() const = 0;
  // Returns whether the course is where it was saved, so that results of that step count.
  virtual bool restore(const std::vector<Part>& saved) = 0;
  virtual void set_on_wait(std::function<void()>) {}

  const std::vector<ReadNote>& notes() const noexcept { return notes_; }
  virtual const MixState* state() const { return nullptr; }
  virtual const std::vector<FileRows>* files() const { return nullptr; }
  virtual const Model* model() const { return nullptr; }
  virtual const MinimumReached* minimum() const { return nullptr; }
  virtual const CertifyResult* certified() const { return nullptr; }
  virtual const proof::Verification* verified() const { return nullptr; }
  virtual std::string json() const { return {}; }
  virtual std::string* lines() { return nullptr; }  // so far

 protected:
  void note(ReadNote one) { notes_.push_back(std::move(one)); }
  // Keeps the notes of a first look, and returns what else was found.
  Part without_notes(const Part& look);

 private:
  std::vector<ReadNote> notes_;
};

// Runs look(read) and packs what it returns with the notes that came meanwhile.
Part with_notes(ReadOptions read, const std::function<Part(const ReadOptions& read)>& look);

// Names the rule of an order that leaves it open: the averaged perceptron, which mixes after every epoch; for a single
// one the tournament, which is the better choice then, as on one machine.
void choose_rule(Order& order);
// Throws Error(usage) for an option of an order that is not among `used`.
void refuse_idle(const Order& order, const std::vector<Option>& used);

std::unique_ptr<Course> course_of_training(const Order& order);
std::unique_ptr<Course> course_of_evaluation(const Order& order);
std::unique_ptr<Course> course_of_prediction(const Order& order);
std::unique_ptr<Course> course_of_certification(const Order& order);
std::unique_ptr<Course> course_of_verification(const Order& order);

// Do an errand, anywhere.
Part train_errand(const Order& order, const Errand& errand, const std::vector<Part>& shared, const Sources& sources);
Part use_errand(const Order& order, const Errand& errand, const std::vector<Part>& shared, const Sources& sources);
Part proof_errand(const Order& order, const Errand& errand, const std::vector<Part>& shared, const Sources& sources);

}  // namespace halfspace::jobs
