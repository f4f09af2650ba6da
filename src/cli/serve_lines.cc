// Lines in, lines out.
#include "cli/serve_lines.h"

#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "base/json.h"
#include "cli/request_lines.h"
#include "halfspace/base/error.h"
#include "stream/text/text.h"

namespace halfspace::cli {
namespace {

using service::Answer;
using service::Request;

[[noreturn]] void refuse_line(const std::string& why) {
  throw Error(ErrorKind::data, why)
      .fix(R"(send {"learn": "1 3:0.5"}, {"predict": "3:0.5"} or {"truth": "1", "id": "17"})");
}

// Puts a member of the line, a text or a whole number, into the query, and returns how many members it is; of an empty
// name none. Throws Error(data) if the line lacks it.
std::size_t take_member(const Json& json, const std::string& name, const char* as, Request& request) {
  if (name.empty()) return 0;
  if (!json.contains(name)) refuse_line("there is no \"" + name + "\"");
  const Json& value = json.at(name);
  if (!value.is_string() && !value.is_number_integer()) refuse_line("\"" + name + "\" is neither a text nor a number");
  request.query[as] = value.is_string() ? value.text() : value.dump();
  return 1;
}

class LineServer {
 public:
  LineServer(service::LiveLearner& learner, const SequenceFields& fields, std::size_t longest_line)
      : learner_(learner), learning_(learner), fields_(fields), longest_line_(longest_line) {}

  void take(std::string_view line) {
    if (line.size() > longest_line_)
      return refuse(service::refusal(413, "the line is longer than " + std::to_string(longest_line_) + " bytes",
                                     "send the rows in several lines"));
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) return;
    try {
      Request request = request_of_line(line, fields_);
      if (!service::PredictionAnswers::answers(request)) {
        group_.push_back(std::move(request));
        return;
      }
      commit();
      output_ += predictions().answer(request).text();
    } catch (const Error& error) {
      refuse(service::refusal(error));
    } catch (const std::bad_alloc&) {
      refuse(service::memory_refusal(false));
    }
  }

  std::string answers() {
    commit();
    return std::exchange(output_, {});
  }

 private:
  void refuse(const Answer& answer) {
    commit();  // answers come in the order of the lines
    output_ += answer.text();
  }

  void commit() {
    if (group_.empty()) return;
    for (const Answer& answer : learning_.answer(group_)) output_ += answer.text();
    group_.clear();
  }

  service::PredictionAnswers& predictions() {
    if (!predictions_ || version_ != learner_.events()) {
      predictions_ = std::make_unique<service::PredictionAnswers>(learning_.publish());
      version_ = learner_.events();
    }
    return *predictions_;
  }

  service::LiveLearner& learner_;
  service::LearningAnswers learning_;
  const SequenceFields& fields_;
  std::size_t longest_line_;
  std::unique_ptr<service::PredictionAnswers> predictions_;
  std::uint64_t version_ = 0;
  std::vector<Request> group_;  // to commit together
  std::string output_;
};

}  // namespace

Request request_of_line(std::string_view line, const SequenceFields& fields) {
  Json json;
  std::string repeated;
  try {
    json = Json::parse(line, {.repeated_key = &repeated});
  } catch (const Json::exception&) {
    refuse_line("the line is no JSON");
  }
  if (!json.is_object()) refuse_line("the line is no JSON object");
  if (!repeated.empty()) refuse_line("the member " + stream::quote(repeated) + " is there twice");
  const auto text = [&](std::string_view key) {
    if (!json.at(key).is_string()) refuse_line("\"" + std::string(key) + "\" is no text");
    return json.at(key).text();
  };
  Request request;
  if (json.contains("id")) request.query["id"] = text("id");
  std::size_t known = request.query.size();
  known += take_member(json, fields.sequence, "sequence", request);
  known += take_member(json, fields.source, "source", request);
  const std::size_t about = known;  // members that do not say what to do
  for (const std::string_view key : {"learn", "predict", "truth"}) {
    if (!json.contains(key)) continue;
    request.method = "POST";
    request.path = "/" + std::string(key);
    request.body = text(key);
    ++known;
  }
  if (json.contains("forget")) {
    request.method = "DELETE";
    request.path = "/row/" + text("forget");
    ++known;
  }
  if (json.contains("ledger")) {
    request.method = "GET";
    request.path = "/ledger";
    ++known;
  }
  if (request.path.empty() || known != json.size() || known != about + 1)
    refuse_line("the line is no request, or several");
  // Every line has its number, also one that adds nothing.
  const bool adds = request.method == "POST" && (request.path != "/predict" || request.query.contains("id"));
  for (const char* const name : {"sequence", "source"}) {
    if (!adds) request.query.erase(name);
  }
  return request;
}

void serve_lines(const std::string& path, service::LiveLearner& learner, const SequenceFields& fields,
                 std::size_t longest_line) {
  LineServer server(learner, fields, longest_line);
  serve_request_lines(path, longest_line,
                      {[&](std::string_view line) { server.take(line); }, [&] { return server.answers(); }});
}

}  // namespace halfspace::cli
