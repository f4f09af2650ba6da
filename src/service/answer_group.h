// Answers to a group of requests whose changes have one commit.
//
// Thread-safety: pure functions, but for the state that they are given.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "service/answers.h"

namespace halfspace::service {

// Returns the answer to a request whose exception is being handled. `unknown`: a change may have happened.
Answer failure(bool unknown) noexcept;

// Answers in the order of the requests, after a commit of `state`, which has commit() and writable(). `answer_one(request)`
// makes a change or throws; `alone(request)`: it commits by itself. If a commit fails, all that it was for fail.
template <class State, class Alone, class AnswerOne>
std::vector<Answer> answer_group(State& state, std::span<const Request> group, const Alone& alone,
                                 const AnswerOne& answer_one) {
  std::vector<Answer> answers(group.size());
  std::size_t answered = 0, committed = 0;  // requests whose changes are durable
  const auto commit = [&] {
    const bool was_writable = state.writable();
    try {
      state.commit();
    } catch (...) {
      for (std::size_t i = committed; i < answered; ++i) {
        if (answers[i].status < 300) answers[i] = failure(was_writable && !state.writable());
      }
    }
    committed = answered;
  };
  for (; answered < group.size(); ++answered) {
    const Request& request = group[answered];
    if (alone(request)) commit();
    const bool was_writable = state.writable();
    try {
      answers[answered] = answer_one(request);
    } catch (...) {
      answers[answered] = failure(was_writable && !state.writable());
    }
    if (alone(request)) committed = answered + 1;
  }
  commit();
  return answers;
}

}  // namespace halfspace::service
