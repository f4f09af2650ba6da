// A chooser as a service: one thread takes all requests that wait as a group, and ends waits for rewards that are over.
//
// Thread-safety: any thread. Ownership: keeps a reference to the chooser, which belongs to the thread until finish() has
// returned.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "http/application.h"
#include "http/group_thread.h"
#include "service/choice_answers.h"

namespace halfspace::http {

class ChooserApplication final : public Application, GroupThread::Work {
 public:
  // `better`: as ChoosingAnswers'. `most_waiting`: requests that are not answered.
  ChooserApplication(service::DurableChooser& chooser, const std::string& better, std::size_t most_waiting);
  ~ChooserApplication() override;

  std::optional<service::Answer> refuse(const service::Request& request) const override;
  bool changes(const service::Request& request) const override;
  std::optional<service::Answer> answer(const service::Request& request) override;
  void answer_later(service::Request request, std::unique_ptr<Reply> reply) override;
  void add_metrics(std::string& text) const override;
  bool writable() const override { return writable_; }
  bool snapshot_failed() const override { return snapshot_failed_; }
  void finish() override { thread_->finish(); }

 private:
  std::vector<service::Answer> answer(std::vector<service::Request> group) override;
  std::optional<Clock::time_point> due() const override { return expire_at_; }
  void act() override;
  void note();

  service::DurableChooser& chooser_;
  service::ChoosingAnswers answers_;
  std::atomic<bool> writable_{true}, snapshot_failed_{false};
  std::atomic<std::uint64_t> version_{0}, choices_{0}, rewards_{0}, defaults_{0}, choices_waiting_{0}, groups_{0};
  std::atomic<double> reward_{0}, group_seconds_{0};
  Clock::time_point expire_at_ = Clock::now();
  std::optional<GroupThread> thread_;  // the last member: it ends first
};

}  // namespace halfspace::http
