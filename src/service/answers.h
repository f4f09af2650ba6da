// Requests and answers of the service, whatever carries them: HTTP, or lines on standard input.
//
//   LearningAnswers learning(learner, settings);                  // one thread, the learner's
//   PredictionAnswers predictions(learning.publish());            // another, or several with one each
//   const std::vector<Answer> answers = learning.answer(group);   // one commit for all of them
//   predictions.take(learning.publish());                         // from now on, of the new model
//
// What each request takes and returns is in docs/service.md. Answers are bounded by what was asked: after a hundred
// refused lines the others are counted alone. An answer to a request that changes the state is given when
// the change is durable: if the commit fails, all of its group are answered 503, and none of them happened; or 500, if it is
// not known whether they will count when the log is opened again.
//
// Thread-safety: each object is for one thread; a Published is immutable and may be shared.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "halfspace/train/model.h"
#include "service/live_learner.h"
#include "service/progress.h"
#include "service/row_parser.h"

namespace halfspace::service {

struct Request {
  std::string method, path;                  // "POST", "/learn"; the path is decoded, without the query
  std::map<std::string, std::string> query;  // decoded
  std::string body;
  bool is_json = false;  // the body's type is application/json
};

struct Answer {
  int status = 200;
  std::string body;
  std::string_view type = "application/json";   // a literal
  std::uint64_t refused = 0;                    // rows and labels that a change refused
  std::string allow{};                          // of status 405: the methods
  std::shared_ptr<const std::string> shared{};  // the body, if several answers have the same
  const std::string& text() const { return shared ? *shared : body; }
};

// Returns an answer that tells of an error: {"error": "...", "fix": "..."}. Long texts are cut.
Answer refusal(int status, const std::string& error, const std::string& fix);
// Returns the answer to a request for which memory is short; `unknown`: a part of a change may have happened. Allocates
// nothing.
Answer memory_refusal(bool unknown) noexcept;
// Maps an Error to a status: usage 409, data 422, others 503. `unknown`: a change may have happened; others are 500.
Answer refusal(const Error& error, bool unknown = false);

// A model that predictions are made with, and what is known of the state that it is of.
struct Published {
  Model model;
  std::uint64_t version = 0;  // events of the log that it has learned
  LiveCounts counts;
  std::uint64_t waiting = 0;
  SourcePositions sources;
  std::vector<ErrorMoment> progress;
  bool writable = true;
};

// Return the answers to GET /model and to GET /. Cost: O(weights and names).
Answer model_answer(const Published& published);
Answer page_answer(const Published& published);

// The requests that are answered from a published model: POST /predict without an id, and every GET.
class PredictionAnswers {
 public:
  explicit PredictionAnswers(std::shared_ptr<const Published> published);
  ~PredictionAnswers();
  PredictionAnswers(PredictionAnswers&&) noexcept;
  PredictionAnswers& operator=(PredictionAnswers&&) noexcept;
  // Goes on with another model.
  void take(std::shared_ptr<const Published> published);

  // Returns whether the request is one of these; others go to LearningAnswers.
  static bool answers(const Request& request);
  Answer answer(const Request& request);
  // Returns the predictions for the rows of the request, as POST /predict does. `label`: gets that of the last row.
  Answer predict(const Request& request, std::string* label = nullptr);

 private:
  struct Prepared;
  std::unique_ptr<Prepared> prepared_;
};

// The requests that change the state, one group after the other.
class LearningAnswers {
 public:
  // Keeps a reference to the learner.
  explicit LearningAnswers(LiveLearner& learner);
  ~LearningAnswers();

  // Answers in the order of the requests, after one commit; those that need a commit of their own (DELETE, PUT) get it.
  // What one request throws is its answer alone; a commit that fails answers all that it was for.
  std::vector<Answer> answer(std::span<const Request> group);
  // Returns the model as it is now, with which rows with an id are predicted from then on; if an error has left the state
  // behind its log, the one before. Cost: O(weights and names).
  std::shared_ptr<const Published> publish();

 private:
  Answer answer_one(const Request& request);
  Answer learn(const Request& request, const std::string& id, const LiveLearner::Sequence& sequence);
  Answer ask(const Request& request, const std::string& id, const LiveLearner::Sequence& sequence);
  Answer take_labels(const Request& request, const LiveLearner::Sequence& sequence);
  Answer forget(const std::string& id);
  const Schema& schema();

  LiveLearner& learner_;
  Progress progress_;
  std::shared_ptr<const Published> published_;      // the last; null: none yet
  bool is_outdated_ = true;                         // another model, or one without forgotten rows, took its place
  std::unique_ptr<PredictionAnswers> predictions_;  // with it; null: not needed yet
};

}  // namespace halfspace::service
