// Requests to the learner and its model, and what they answer.
#include "service/answers.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <new>
#include <utility>

#include "base/json.h"
#include "base/version.h"
#include "halfspace/base/error.h"
#include "halfspace/bounds/expected_error.h"
#include "halfspace/model/model_file.h"
#include "halfspace/train/calibration.h"
#include "report/evaluation_json.h"
#include "report/figures.h"
#include "report/page.h"

namespace halfspace::service {
namespace {

constexpr std::string_view row_path = "/row/";

Error out_of_memory() {
  return Error(ErrorKind::input_output, "out of memory").fix("free some memory");
}

// Returns JSON, in which what is not UTF-8 is replaced.
std::string text_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Answer json_answer(const Json& json, int status = 200) {
  return {status, text_of(json) + "\n", "application/json"};
}

std::string given(const Request& request, const std::string& name) {
  const auto found = request.query.find(name);
  return found == request.query.end() ? std::string() : found->second;
}

// Returns the request's number at its source; none: it has none. Throws Error(data) for a number that is none.
LiveLearner::Sequence sequence_of(const Request& request) {
  const auto found = request.query.find("sequence");
  if (found == request.query.end()) {
    if (!request.query.contains("source")) return std::nullopt;
    throw Error(ErrorKind::data, "a source without a sequence").fix("number its requests: ?source=A&sequence=17");
  }
  const std::string& text = found->second;
  log::Sequence sequence;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), sequence.number);
  if (text.empty() || error != std::errc() || end != text.data() + text.size())
    throw Error(ErrorKind::data, "the sequence is no number").fix("number the requests of a source from 0 to 2^64 - 1");
  if (const auto source = request.query.find("source"); source != request.query.end()) sequence.source = source->second;
  return sequence;
}

Json json_of(const RefusedRow& row) {
  Json j = {{"line", row.line}};
  if (row.column > 0) j["column"] = row.column;
  j["error"] = row.reason;
  j["fix"] = row.fix;
  return j;
}

// Bounds on the error of served predictions, over rows whose label came; and what it is at most if those that wait, and
// those that never came, were all wrong.
Json json_of_served(const Published& now) {
  const LiveCounts& counts = now.counts;
  Json j = {{"asked", counts.asked},
            {"labels", counts.truths},
            {"mistakes", counts.mistakes},
            {"waiting", now.waiting},
            {"missing", counts.missing}};
  const std::uint64_t unknown = now.waiting + counts.missing, all = counts.truths + unknown;
  if (all == 0) return j;
  const ErrorBounds low = expected_error(all, counts.mistakes), high = expected_error(all, counts.mistakes + unknown);
  j["error_bounds"] = {{"lower", low.lower},
                       {"upper", high.upper},
                       {"confidence", 0.95},
                       {"of", "all asked rows, whatever the labels that did not come"}};
  return j;
}

Json json_of_ledger(const Published& now) {
  const Ledger& ledger = now.model.ledger;
  Json j = {{"version", now.version},
            {"learned", now.counts.learned},
            {"forgotten", now.counts.forgotten},
            {"rounds", ledger.rounds},
            {"mistakes", ledger.mistakes},
            {"updates", ledger.updates},
            {"features", now.model.schema.features},
            {"writable", now.writable}};
  if (ledger.watch) report::add_watch(j, *ledger.watch);
  j["served"] = json_of_served(now);
  for (const auto& [source, position] : now.sources) j["sequences"][source] = position.number;
  return j;
}

// Returns what the page of the service is drawn from.
Json json_of_page(const Published& now) {
  const Model& model = now.model;
  Json j = {{"command", "serve"}, {"version", kVersion}, {"ledger", json_of_ledger(now)}};
  for (const std::string& name : model.schema.labels.names) j["classes"][name] = nullptr;
  j["normalize"] = model.schema.row_normalised ? "row" : model.schema.exponents.empty() ? "none" : "column";
  j["composition"] = report::composition(model.composition);
  Json& progress = j["progress"] = {{"rounds", Json::array()}, {"mistakes", Json::array()}};
  for (const ErrorMoment& moment : now.progress) {
    progress["rounds"].push_back(moment.rounds);
    progress["mistakes"].push_back(moment.mistakes);
  }
  if (!model.weights.w.empty()) j["figures"]["weights"] = report::weights_figures(model);
  return j;
}

}  // namespace

Answer refusal(int status, const std::string& error, const std::string& fix) {
  return json_answer({{"error", error}, {"fix", fix}}, status);
}

Answer refusal(const Error& error, bool unknown) {
  if (unknown) {
    return refusal(500, render_options(error.message()) + ": it is not known whether the change happened",
                   "restart the service, and look whether it did: GET /ledger");
  }
  const int status = error.kind() == ErrorKind::usage ? 409 : error.kind() == ErrorKind::data ? 422 : 503;
  return refusal(status, render_options(error.message()), render_options(error.hint()));
}

Answer model_answer(const Published& published) {
  const std::vector<std::uint8_t> bytes = encode(published.model);
  return {200, std::string(bytes.begin(), bytes.end()), "application/octet-stream"};
}

Answer page_answer(const Published& published) {
  return {200, report::page(json_of_page(published)), "text/html; charset=utf-8"};
}

struct PredictionAnswers::Prepared {
  explicit Prepared(std::shared_ptr<const Published> now)
      : published(std::move(now)),
        parser(published->model.schema, ParseFor::predict),
        predictor(published->model),
        curves(probability_curves(published->model)) {
    names = published->model.schema.labels.names;
    names.resize(std::max<std::size_t>(2, names.size()), "?");
    for (const std::string& name : names) quoted.push_back(text_of(Json(name)));
  }

  // Appends the predictions of the block's rows, as JSON objects between commas.
  void append(const Block& block, std::string& to) {
    const std::uint32_t vectors = predictor.score_all(block, classes, scores);
    for (std::size_t i = 0; i < block.rows; ++i) {
      if (to.back() != '[') to += ',';
      const auto label = static_cast<std::size_t>(classes[i]);
      const std::span<const double> of_row(scores.data() + i * vectors, vectors);
      fmt::format_to(std::back_inserter(to), R"({{"label":{},"score":{})", quoted[label],
                     vectors == 1 ? of_row[0] : of_row[label]);
      if (curves.fitted()) {
        probabilities.resize(names.size());
        curves.probabilities(of_row, probabilities);
        fmt::format_to(std::back_inserter(to), R"(,"probability":{})", probabilities[label]);
      }
      to += '}';
    }
  }

  std::shared_ptr<const Published> published;
  RowParser parser;
  Predictor predictor;
  Calibration curves;
  std::vector<std::string> names, quoted;
  std::vector<std::int32_t> classes;
  std::vector<double> scores, probabilities;
};

PredictionAnswers::PredictionAnswers(std::shared_ptr<const Published> published) {
  take(std::move(published));
}
PredictionAnswers::~PredictionAnswers() = default;
PredictionAnswers::PredictionAnswers(PredictionAnswers&&) noexcept = default;
PredictionAnswers& PredictionAnswers::operator=(PredictionAnswers&&) noexcept = default;

void PredictionAnswers::take(std::shared_ptr<const Published> published) {
  prepared_ = std::make_unique<Prepared>(std::move(published));
}

bool PredictionAnswers::answers(const Request& request) {
  return request.method == "GET" || request.method == "HEAD" ||
         (request.method == "POST" && request.path == "/predict" && !request.query.contains("id"));
}

Answer PredictionAnswers::answer(const Request& request) {
  const Published& now = *prepared_->published;
  if (request.path == "/predict") {
    if (request.method == "POST") return predict(request.body);
    return refusal(405, "predictions are asked for by POST", "send the rows as the body of a POST");
  }
  if (request.path == "/") return page_answer(now);
  if (request.path == "/ledger") return json_answer(json_of_ledger(now));
  if (request.path == "/model") return model_answer(now);
  return refusal(404, "there is nothing at " + request.path,
                 "GET /, /ledger or /model; POST /predict, /learn or /truth");
}

Answer PredictionAnswers::predict(std::string_view lines) {
  std::string body = fmt::format(R"({{"version":{},"predictions":[)", prepared_->published->version);
  const std::vector<std::string_view> all = lines_of(lines);
  if (all.empty()) return refusal(422, "there is no row", "send one row a line");
  {
    const RowParser::Parsed parsed = prepared_->parser.parse(lines);
    if (parsed.bad.empty() && parsed.block.rows == all.size()) {
      prepared_->append(parsed.block, body);
      return {200, body + "]}\n", "application/json"};
    }
  }
  std::size_t good = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const RowParser::Parsed parsed = prepared_->parser.parse(all[i]);
    if (parsed.bad.empty() && parsed.block.rows == 1) {
      prepared_->append(parsed.block, body);
      ++good;
      continue;
    }
    if (body.back() != '[') body += ',';
    const RefusedRow refused = parsed.bad.empty()
                                   ? RefusedRow{i + 1, 0, "the line is no row", "leave empty lines and comments out"}
                                   : RefusedRow{i + 1, parsed.bad[0].column, parsed.bad[0].reason, parsed.bad[0].hint};
    body += text_of(json_of(refused));
  }
  return {good == 0 ? 422 : 200, body + "]}\n", "application/json"};
}

LearningAnswers::LearningAnswers(LiveLearner& learner) : learner_(learner) {}
LearningAnswers::~LearningAnswers() = default;

std::shared_ptr<const Published> LearningAnswers::publish() {
  if (!learner_.current() && published_) {
    auto before = std::make_shared<Published>(*published_);
    before->writable = false;
    return published_ = std::move(before);
  }
  auto published = std::make_shared<Published>();
  published->model = learner_.model();
  published->version = learner_.events();
  published->counts = learner_.counts();
  published->waiting = learner_.waiting();
  published->sources = learner_.sources();
  progress_.add({published->model.ledger.rounds, published->model.ledger.mistakes});
  published->progress = progress_.moments();
  published->writable = learner_.writable();
  published_ = std::move(published);
  predictions_.reset();
  is_outdated_ = false;
  return published_;
}

std::vector<Answer> LearningAnswers::answer(std::span<const Request> group) {
  std::vector<Answer> answers;
  std::size_t committed = 0;  // requests whose changes are durable
  const auto commit = [&] {
    const bool was_writable = learner_.writable();
    const auto refuse = [&](const Error& error) {
      for (std::size_t i = committed; i < answers.size(); ++i) {
        if (answers[i].status < 300) answers[i] = refusal_of(error, was_writable);
      }
    };
    try {
      learner_.commit();
    } catch (const Error& error) {
      refuse(error);
    } catch (const std::bad_alloc&) {
      refuse(out_of_memory());
    }
    committed = answers.size();
  };
  for (const Request& request : group) {
    const bool alone = request.method == "DELETE" || request.method == "PUT";  // it commits
    if (alone) commit();
    const bool was_writable = learner_.writable();
    try {
      answers.push_back(answer_one(request));
    } catch (const Error& error) {
      answers.push_back(refusal_of(error, was_writable));
    } catch (const std::bad_alloc&) {  // a part of the request may wait for the commit
      answers.push_back(refusal(out_of_memory(), true));
    }
    if (alone) committed = answers.size();
  }
  commit();
  return answers;
}

Answer LearningAnswers::refusal_of(const Error& error, bool was_writable) const {
  return refusal(error, was_writable && !learner_.writable());
}

namespace {

// Returns the id and the label of a truth: of the query and the body, or of a JSON object {"id": ..., "label": ...}.
std::pair<std::string, std::string> truth_of(const Request& request, std::string_view line) {
  if (const std::string id = given(request, "id"); !id.empty()) return {id, std::string(line)};
  std::string id, label;
  try {
    const Json json = Json::parse(std::string(line));
    const auto text = [](const Json& value) { return value.is_string() ? value.get<std::string>() : text_of(value); };
    id = text(json.at("id"));
    label = text(json.at("label"));
  } catch (const Json::exception&) {
    throw Error(ErrorKind::data, "a truth is an object with an id and a label")
        .fix(R"(send {"id": "case-17", "label": "yes"}, one a line, or the label alone to /truth?id=case-17)");
  }
  return {id, label};
}

}  // namespace

Answer LearningAnswers::take_labels(const Request& request, const LiveLearner::Sequence& sequence) {
  const std::vector<std::string_view> lines = lines_of(request.body);
  if (sequence && lines.size() > 1)
    return refusal(422, "a sequence is of one label, and there are " + std::to_string(lines.size()),
                   "send a label at a time, or leave the sequence out: a label is taken once");
  std::uint64_t taken = 0, repeated = 0;
  Json refused = Json::array();
  for (std::size_t i = 0; i < lines.size(); ++i) {
    try {
      const auto [of, label] = truth_of(request, lines[i]);
      ++(learner_.truth(of, label, sequence) ? taken : repeated);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::data && error.kind() != ErrorKind::usage) throw;
      refused.push_back(json_of(RefusedRow{i + 1, 0, render_options(error.message()), render_options(error.hint())}));
    }
  }
  Json j = {{"taken", taken}};
  if (sequence) j["repeated"] = repeated;
  const std::size_t count = refused.size();
  j["refused"] = std::move(refused);
  Answer answer = json_answer(j, taken + repeated == 0 ? 422 : 200);
  answer.refused = count;
  return answer;
}

Answer LearningAnswers::forget(const std::string& id) {
  const std::uint64_t forgotten = learner_.forget(id);
  if (forgotten == 0) return refusal(404, "no row has this id", "name the id that it was sent with");
  is_outdated_ = true;
  try {
    const LiveLearner::Receipt receipt = learner_.receipt();
    return json_answer({{"forgotten", forgotten},
                        {"receipt", {{"events", receipt.events}, {"log", receipt.log}, {"model", receipt.model}}}});
  } catch (const Error& error) {
    return refusal(500, "forgotten, but without a receipt: " + render_options(error.message()), "check the disk");
  }
}

// Predicts with the published model. A parser that ran out of memory is not used again.
Answer LearningAnswers::predict(const std::string& line) {
  if (is_outdated_) publish();
  if (!predictions_) predictions_ = std::make_unique<PredictionAnswers>(published_);
  try {
    return predictions_->predict(line);
  } catch (...) {
    predictions_.reset();
    throw;
  }
}

Answer LearningAnswers::answer_one(const Request& request) {
  const std::string id = given(request, "id");
  const LiveLearner::Sequence sequence = sequence_of(request);
  if (request.method == "POST" && request.path == "/learn") {
    const LiveLearner::Learned learned = learner_.learn(request.body, id, sequence);
    Json j = {{"rows", learned.rows}};
    if (learned.rows > 0) j["first"] = learned.first;
    if (sequence) j["repeated"] = learned.repeated;
    Json& refused = j["refused"] = Json::array();
    for (const RefusedRow& row : learned.refused) refused.push_back(json_of(row));
    Answer answer = json_answer(j, learned.rows + learned.repeated == 0 && !learned.refused.empty() ? 422 : 200);
    answer.refused = learned.refused.size();
    return answer;
  }
  if (request.method == "POST" && request.path == "/predict") {
    const std::vector<std::string_view> lines = lines_of(request.body);
    if (lines.size() != 1) return refusal(422, "an id is of one row", "send one row with each id");
    Answer answer = predict(request.body);
    if (answer.status == 200) {
      const Json json = Json::parse(answer.body);
      learner_.ask(id, lines[0], json.at("predictions").at(0).at("label").get<std::string>(), sequence);
    }
    return answer;
  }
  if (request.method == "POST" && request.path == "/truth") return take_labels(request, sequence);
  if (request.method == "DELETE" && request.path.starts_with(row_path) && request.path.size() > row_path.size()) {
    return forget(request.path.substr(row_path.size()));
  }
  if (request.method == "PUT" && request.path == "/model") {
    const auto* const first = reinterpret_cast<const std::uint8_t*>(request.body.data());
    learner_.replace(decode({first, first + request.body.size()}, "the request"));
    is_outdated_ = true;
    return json_answer({{"version", learner_.events()}});
  }
  return refusal(404, "there is nothing to " + request.method + " at " + request.path,
                 "POST /predict, /learn or /truth, DELETE /row/ID, or PUT /model");
}

}  // namespace halfspace::service
