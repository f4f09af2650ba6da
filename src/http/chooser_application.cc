// Groups of choices and rewards.
#include "http/chooser_application.h"

#include <chrono>
#include <exception>
#include <utility>

#include "http/metrics.h"

namespace halfspace::http {
namespace {

using service::Answer;
using service::Request;

}  // namespace

ChooserApplication::ChooserApplication(service::DurableChooser& chooser, const std::string& better,
                                       std::size_t most_waiting)
    : chooser_(chooser), answers_(chooser, better) {
  note();
  thread_.emplace(static_cast<GroupThread::Work&>(*this), most_waiting);
}

ChooserApplication::~ChooserApplication() { thread_->finish(); }

std::optional<Answer> ChooserApplication::refuse(const Request& request) const {
  return service::ChoosingAnswers::refuse(request);
}

bool ChooserApplication::changes(const Request& request) const { return service::ChoosingAnswers::changes(request); }

std::optional<Answer> ChooserApplication::answer(const Request& request) {
  if (changes(request) && thread_->full())
    return service::refusal(429, "too many requests wait for the chooser", "send the request again in a second");
  return std::nullopt;
}

void ChooserApplication::answer_later(Request request, std::unique_ptr<Reply> reply) {
  thread_->take(std::move(request), std::move(reply));
}

std::vector<Answer> ChooserApplication::answer(std::vector<Request> group) {
  const Clock::time_point begin = Clock::now();
  std::vector<Answer> answers = answers_.answer(group, milliseconds_since_1970());
  note();
  group_seconds_ = seconds_since(begin);
  ++groups_;
  return answers;
}

void ChooserApplication::act() {
  bool more = false;
  try {
    if (chooser_.writable()) more = answers_.expire(milliseconds_since_1970());
  } catch (const std::exception&) {  // the waits are there at the next time, too
  }
  note();
  expire_at_ = Clock::now() + (more ? std::chrono::milliseconds(1) : std::chrono::milliseconds(100));
}

void ChooserApplication::note() {
  version_ = chooser_.events();
  writable_ = chooser_.writable();
  snapshot_failed_ = !chooser_.snapshot_error().empty();
  if (!chooser_.current()) return;
  const service::ChooserCounts& counts = chooser_.now().counts();
  choices_ = counts.choices;
  rewards_ = counts.rewards;
  defaults_ = counts.defaults;
  reward_ = counts.reward;
  choices_waiting_ = chooser_.now().waiting();
}

void ChooserApplication::add_metrics(std::string& text) const {
  add_counter(text, "choices_total", "Choices made.", choices_);
  add_counter(text, "rewards_total", "Choices that got a reward.", rewards_);
  add_counter(text, "default_rewards_total", "Choices that got the default reward.", defaults_);
  add_gauge(text, "reward", "The sum of all rewards.", reward_);
  add_gauge(text, "rewards_awaited", "Choices that wait for their reward.", static_cast<double>(choices_waiting_));
  add_gauge(text, "version", "Events in the log.", static_cast<double>(version_));
  add_gauge(text, "writable", "0 after a failure of the disk: nothing is chosen until a restart.", writable_ ? 1 : 0);
  add_gauge(text, "snapshot_failed", "1 after a snapshot that could not be written.", snapshot_failed_ ? 1 : 0);
  add_gauge(text, "requests_waiting", "Requests that wait for the chooser.",
            static_cast<double>(thread_->unanswered()));
  add_counter(text, "commits_total", "Groups of requests that were committed.", groups_);
  add_gauge(text, "commit_seconds", "Time of the last group of requests, with its commit.", group_seconds_);
}

}  // namespace halfspace::http
