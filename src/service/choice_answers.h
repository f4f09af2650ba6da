// Requests to a chooser, and what they answer: docs/choose.md.
//
//   POST /rank                   a choice: the actions with their probabilities, and the one that was drawn (201)
//   POST /events/ID/reward       {"value": 1} or 1: the reward of a choice (204)
//   POST /events/ID/activate     a deferred choice was shown (204)
//   PUT  /run                    the name of the policy that runs from now on
//   GET  /policies, /ledger, /settings, and / (a page)
//
// The same under /personalizer/v1.0/ and v1.1, where errors have the form {"error": {"code", "message"}} and bad requests the
// status 400, for clients of that interface.
//
// Thread-safety: one thread, the chooser's. Times are in milliseconds since 1970.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "service/answers.h"
#include "service/live_chooser.h"

namespace halfspace::service {

class ChoosingAnswers {
 public:
  // Keeps a reference to the chooser. `better`: the policy that runs once it is proved better than what runs; empty: none.
  ChoosingAnswers(DurableChooser& chooser, std::string better);

  // Answers in the order of the requests, after one commit.
  std::vector<Answer> answer(std::span<const Request> group, std::uint64_t time);
  // Returns the answer to a request that there is not; nothing for others.
  static std::optional<Answer> refuse(const Request& request);
  static bool changes(const Request& request) { return request.method != "GET" && request.method != "HEAD"; }

  // Ends waits that are over, and commits. Returns whether more are.
  bool expire(std::uint64_t time);

 private:
  Answer answer_one(const Request& request, std::uint64_t time);
  Answer rank(const Request& request, std::uint64_t time);
  Answer reward(const Request& request, std::string_view id, std::uint64_t time);
  void open_the_gate(std::uint64_t time);
  Json json_of_policies() const;
  Json json_of_ledger() const;

  DurableChooser& chooser_;
  std::string better_;
  std::uint64_t next_look_ = 1;  // at this number of rewards the gate is looked at
};

}  // namespace halfspace::service
