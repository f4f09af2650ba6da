// Requests to the learner and its model, and what they answer.
#include "service/answers.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <new>
#include <utility>

#include "base/json.h"
#include "base/version.h"
#include "halfspace/base/error.h"
#include "halfspace/bounds/expected_error.h"
#include "halfspace/model/model_file.h"
#include "halfspace/reasons/reasons.h"
#include "halfspace/train/calibration.h"
#include "report/pages/page.h"
#include "report/results/evaluation_json.h"
#include "report/results/figures.h"
#include "service/answer_group.h"
#include "service/request_rows.h"
#include "service/routes.h"
#include "stream/schema/column_kind.h"
#include "stream/text/text.h"

namespace halfspace::service {
namespace {

constexpr std::string_view row_path = "/row/";

// Bytes of an answer to a prediction, besides twice those of the request.
constexpr std::size_t least_answer = std::size_t{1} << 20;
constexpr std::size_t longest_name = 1024;  // of a row or a source
constexpr std::size_t longest_text = 400;   // of an error or its fix

// Returns the text, or its beginning.
std::string shortened(const std::string& text) {
  if (text.size() <= longest_text) return text;
  std::size_t end = longest_text;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  return text.substr(0, end) + "…";
}

// Returns JSON, in which what is not UTF-8 is replaced.
std::string text_of_json(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

Answer json_answer(const Json& json, int status = 200) {
  return {status, text_of_json(json) + "\n", "application/json"};
}

// Returns what the request says, as long as it lives.
const std::string& given(const Request& request, const std::string& name) {
  static const std::string nothing;
  const auto found = request.query.find(name);
  if (found == request.query.end()) return nothing;
  if (found->second.size() > longest_name)
    throw Error(ErrorKind::data, fmt::format("the {} has {} bytes", name, found->second.size()))
        .fix(fmt::format("use at most {}", longest_name));
  return found->second;
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
  sequence.source = given(request, "source");
  return sequence;
}

Json json_of(const RefusedRow& row) {
  Json j = {{"line", row.line}};
  if (row.column > 0) j["column"] = row.column;
  j["error"] = shortened(row.reason);
  j["fix"] = shortened(row.fix);
  return j;
}

RefusedRow refused_row(std::uint64_t line, const Error& error) {
  return {line, 0, render_options(error.message()), render_options(error.hint())};
}

// What a client must know to send rows and to read predictions. Columns are in the order of the rows' cells.
Json json_of_schema(const Published& now) {
  const Schema& schema = now.model.schema;
  Json j = {{"version", now.version}, {"format", name_of(schema.format)}, {"features", schema.features}};
  if (schema.format == DataFormat::csv) j["delimiter"] = std::string(1, schema.delimiter);
  Json& columns = j["columns"] = Json::array();
  for (const Column& column : schema.columns) {
    const bool of_rows = column.kind != Column::Kind::product && factors_of_product(column.name) == 1;
    if (of_rows && !(schema.format == DataFormat::jsonl && column.name.empty()))
      columns.push_back({{"name", column.name}, {"kind", stream::kind_name(schema, column)}});
  }
  const auto label = std::find_if(schema.columns.begin(), schema.columns.end(),
                                  [](const Column& column) { return column.kind == Column::Kind::label; });
  if (label != schema.columns.end()) j["label"] = label->name;
  j["classes"] = schema.labels.names;
  j["threshold"] = now.model.threshold ? Json(*now.model.threshold) : Json();
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
            {"set_aside", now.counts.set_aside},
            {"rounds", ledger.rounds},
            {"mistakes", ledger.mistakes},
            {"errors", report::sum_of_weights(ledger.errors())},
            {"weight", report::sum_of_weights(ledger.weight())},
            {"updates", ledger.updates},
            {"features", now.model.schema.features},
            {"writable", now.writable}};
  if (now.model.threshold) j["threshold"] = *now.model.threshold;
  j["calibrated"] = now.model.calibration.fitted();
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
  j["normalize"] = report::name_of_scaling(model);
  j["composition"] = report::composition(model.composition);
  Json& progress = j["progress"];
  for (const char* const key : {"rounds", "mistakes", "errors", "weight"}) progress[key] = Json::array();
  for (const ErrorMoment& moment : now.progress) {
    progress["rounds"].push_back(moment.rounds);
    progress["mistakes"].push_back(moment.mistakes);
    progress["errors"].push_back(report::sum_of_weights(moment.errors));
    progress["weight"].push_back(report::sum_of_weights(moment.weight));
  }
  if (!model.weights.w.empty()) j["figures"]["weights"] = report::weights_figures(model);
  return j;
}

}  // namespace

Answer refusal(int status, const std::string& error, const std::string& fix) {
  return json_answer({{"error", shortened(error)}, {"fix", shortened(fix)}}, status);
}

Answer memory_refusal(bool unknown) noexcept {
  static const auto none = std::make_shared<const std::string>(
      "{\"error\":\"out of memory\",\"fix\":\"free some memory, and send the request again\"}\n");
  static const auto some = std::make_shared<const std::string>(
      "{\"error\":\"out of memory: it is not known whether the change happened\","
      "\"fix\":\"free some memory, and look whether it did: GET /ledger\"}\n");
  Answer answer;
  answer.status = unknown ? 500 : 503;
  answer.shared = unknown ? some : none;
  return answer;
}

namespace {
// Makes its texts while there is memory.
[[maybe_unused]] const bool has_memory_refusal = memory_refusal(false).status == 503;

// Returns how many reasons a request wants for each row, 0 without a word of them; nothing if it is no number.
std::optional<std::size_t> reasons_of(const Request& request) {
  constexpr std::size_t most = 100;
  const auto found = request.query.find("reasons");
  if (found == request.query.end()) return 0;
  const std::string& text = found->second;
  std::size_t number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = problem == std::errc() && end == text.data() + text.size();
  return whole && number >= 1 && number <= most ? std::optional(number) : std::nullopt;
}

}  // namespace

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
    for (const std::string& name : names) quoted.push_back(text_of_json(Json(name)));
  }

  // Scores the rows of a block; append() appends them.
  void score(const Block& block) { vectors = predictor.score_all(block, classes, scores); }
  // Returns whether a row's scores are numbers: of values near the largest double they are not.
  bool is_finite(std::size_t row) const {
    const double* const first = scores.data() + row * vectors;
    return std::all_of(first, first + vectors, [](double score) { return std::isfinite(score); });
  }
  // From now on append() adds so many reasons. Throws Error(usage) for a model that gives none.
  void explain(std::size_t most) {
    most_reasons = most;
    if (most > 0 && !reasons)
      reasons.emplace(published->model,
                      published->model.spread ? reference_at_means(published->model) : reference_at_zero());
  }
  // Appends the prediction for a row of the block that was scored last as a JSON object.
  void append(const Block& block, std::size_t row, std::string& to) {
    const auto label = static_cast<std::size_t>(classes[row]);
    const std::span<const double> of_row(scores.data() + row * vectors, vectors);
    fmt::format_to(std::back_inserter(to), R"({{"label":{},"score":{})", quoted[label],
                   vectors == 1 ? of_row[0] : of_row[label]);
    if (curves.fitted()) {
      probabilities.resize(names.size());
      curves.probabilities(of_row, probabilities);
      if (std::isfinite(probabilities[label]))
        fmt::format_to(std::back_inserter(to), R"(,"probability":{})", probabilities[label]);
    }
    if (most_reasons > 0) append_reasons(block, row, to);
    to += '}';
  }
  void append_reasons(const Block& block, std::size_t row, std::string& to) {
    const std::span<const double> of_row(scores.data() + row * vectors, vectors);
    reasons->of(block, row, Reasons::with_runner_up(classes[row], of_row), row_reasons);
    to += R"(,"reasons":[)";
    for (const Contribution& c : reasons->for_the_label(row_reasons, most_reasons)) {
      if (to.back() != '[') to += ',';
      fmt::format_to(std::back_inserter(to), R"({{"column":{},"contribution":{}}})",
                     text_of_json(Json(utf8(reasons->columns().columns[c.column].name))), c.value);
    }
    to += ']';
  }

  std::shared_ptr<const Published> published;
  RowParser parser;
  Predictor predictor;
  Calibration curves;
  std::vector<std::string> names, quoted;
  std::vector<std::int32_t> classes;
  std::vector<double> scores, probabilities;
  std::uint32_t vectors = 1;
  std::optional<Reasons> reasons;  // made when they are first asked for
  std::size_t most_reasons = 0;
  RowReasons row_reasons;
};

PredictionAnswers::PredictionAnswers(std::shared_ptr<const Published> published) { take(std::move(published)); }
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
  if (std::optional<Answer> refused = refuse_target(request, learner_routes())) return *std::move(refused);
  if (request.path == "/predict") return predict(request);
  if (request.path == "/") return page_answer(now);
  if (request.path == "/ledger") return json_answer(json_of_ledger(now));
  if (request.path == "/schema") return json_answer(json_of_schema(now));
  return model_answer(now);
}

Answer PredictionAnswers::predict(const Request& request, std::string* label) {
  Prepared& of = *prepared_;
  const RequestRows rows = rows_of(of.published->model.schema, request);
  std::string_view lines = rows.lines();
  if (lines.empty()) return refusal(422, "there is no row", "send one row a line");
  const std::optional<std::size_t> reasons = reasons_of(request);
  if (!reasons) return refusal(400, "reasons is no number from 1 to 100", "write /predict?reasons=3");
  of.explain(*reasons);
  const std::size_t most = (least_answer + 2 * request.body.size()) * (1 + *reasons);
  std::string body = fmt::format(R"({{"version":{},"predictions":[)", of.published->version);
  std::size_t taken = 0, refused = 0;
  std::uint64_t line = 0, more = 0;
  auto made = rows.refused.begin();
  while (!lines.empty() && refused < LiveLearner::most_refused) {
    const RowParser::Piece piece = of.parser.next(lines);
    of.score(piece.block);
    std::size_t good = 0, bad = 0;
    std::uint64_t i = 0;
    for (; i < piece.lines && refused < LiveLearner::most_refused; ++i) {
      ++line;
      if (body.back() != '[') body += ',';
      std::optional<RefusedRow> why;
      if (good < piece.good.size() && piece.good[good] == i) {
        if (of.is_finite(good)) {
          of.append(piece.block, good, body);
          if (label != nullptr) *label = of.names[static_cast<std::size_t>(of.classes[good])];
        } else {
          why = {line, 0, "the score of the row is not finite",
                 "send values of the size that the model was trained on"};
        }
        ++good;
      } else if (bad < piece.bad.size() && piece.bad[bad].line == i) {
        const stream::BadRow& row = piece.bad[bad++];
        why = {line, row.column, row.reason, row.hint};
      } else if (made != rows.refused.end() && made->line == line) {
        why = *made++;
      } else {
        why = {line, 0, "the line is no row", "leave empty lines and comments out"};
      }
      if (why) {
        body += text_of_json(json_of(*why));
        ++refused;
      } else {
        ++taken;
      }
    }
    more = piece.lines - i;
    if (body.size() > most)
      return refusal(413, fmt::format("the predictions take more than {} bytes", most),
                     "send the rows in several requests");
  }
  more += count_lines(lines) + rows.more;
  body += ']';
  if (more > 0) body += fmt::format(R"(,"refused_more":{})", more);
  return {taken == 0 ? 422 : 200, body + "}\n"};
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
  const Ledger& ledger = published->model.ledger;
  progress_.add({ledger.rounds, ledger.mistakes, ledger.errors(), ledger.weight()});
  published->progress = progress_.moments();
  published->writable = learner_.writable();
  published_ = std::move(published);
  predictions_.reset();
  is_outdated_ = false;
  return published_;
}

std::vector<Answer> LearningAnswers::answer(std::span<const Request> group) {
  const auto alone = [](const Request& request) { return request.method == "DELETE" || request.method == "PUT"; };
  return answer_group(learner_, group, alone, [this](const Request& request) { return answer_one(request); });
}

Answer failure(bool unknown) noexcept {
  try {
    throw;
  } catch (const std::bad_alloc&) {  // a part of the request may wait for the commit
    return memory_refusal(true);
  } catch (...) {
  }
  try {
    try {
      throw;
    } catch (const Error& error) {
      return refusal(error, unknown);
    } catch (const std::exception& error) {
      return refusal(500, std::string(error.what()) + ": it is not known whether the change happened",
                     "report this as a bug");
    }
  } catch (...) {
    return memory_refusal(true);
  }
}

namespace {

// Returns the id and the label of a truth: of the query and the body, or of a JSON object {"id": ..., "label": ...}.
std::pair<std::string, std::string> truth_of(const Request& request, std::string_view line) {
  if (const std::string id = given(request, "id"); !id.empty()) return {id, std::string(line)};
  std::string id, label, repeated;
  try {
    const Json json = Json::parse(line, {.repeated_key = &repeated});
    const auto text = [](const Json& value) {
      return value.is_string() ? value.get<std::string>() : text_of_json(value);
    };
    id = text(json.at("id"));
    label = text(json.at("label"));
  } catch (const Json::exception&) {
    throw Error(ErrorKind::data, "a truth is an object with an id and a label")
        .fix(R"(send {"id": "case-17", "label": "yes"}, one a line, or the label alone to /truth?id=case-17)");
  }
  if (!repeated.empty())
    throw Error(ErrorKind::data, "a truth has " + stream::quote(repeated) + " twice").fix("keep one of them");
  return {id, label};
}

}  // namespace

Answer LearningAnswers::take_labels(const Request& request, const LiveLearner::Sequence& sequence) {
  std::string_view lines = request.body;
  if (const std::uint64_t labels = count_lines(lines); sequence && labels > 1)
    return refusal(422, "a sequence is of one label, and there are " + std::to_string(labels),
                   "send a label at a time, or leave the sequence out: a label is taken once");
  std::uint64_t taken = 0, repeated = 0;
  Json refused = Json::array();
  for (std::uint64_t number = 1; !lines.empty() && refused.size() < LiveLearner::most_refused; ++number) {
    try {
      const std::string_view line = next_line(lines);
      if (line.size() > RowParser::longest_row)
        throw Error(ErrorKind::data, "the label is too long").fix("give one of the model's classes");
      const auto [of, label] = truth_of(request, line);
      ++(learner_.truth(of, label, sequence) ? taken : repeated);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::data && error.kind() != ErrorKind::usage) throw;
      refused.push_back(json_of(refused_row(number, error)));
    }
  }
  Json j = {{"taken", taken}};
  if (sequence) j["repeated"] = repeated;
  const std::uint64_t count = refused.size(), more = count_lines(lines);
  j["refused"] = std::move(refused);
  if (more > 0) j["refused_more"] = more;
  Answer answer = json_answer(j, taken + repeated == 0 ? 422 : 200);
  answer.refused = count + more;
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

// Returns the schema that rows with JSON are read by: of the model as it was last published.
const Schema& LearningAnswers::schema() {
  if (is_outdated_) publish();
  return published_->model.schema;
}

Answer LearningAnswers::learn(const Request& request, const std::string& id, const LiveLearner::Sequence& sequence) {
  const RequestRows rows = rows_of(schema(), request);
  LiveLearner::Learned learned = learner_.learn(rows.lines(), id, sequence);
  // Objects that are no rows are empty lines to the learner, which may have stopped before them.
  const std::uint64_t read = count_lines(rows.lines()) - learned.refused_more;
  for (const RefusedRow& row : rows.refused) {
    if (row.line <= read) learned.refused.push_back(row);
  }
  std::stable_sort(learned.refused.begin(), learned.refused.end(),
                   [](const RefusedRow& a, const RefusedRow& b) { return a.line < b.line; });
  learned.refused_more += rows.more;
  Json j = {{"rows", learned.rows}};
  if (learned.rows > 0) j["first"] = learned.first;
  if (sequence) j["repeated"] = learned.repeated;
  Json& refused = j["refused"] = Json::array();
  for (const RefusedRow& row : learned.refused) refused.push_back(json_of(row));
  if (learned.refused_more > 0) j["refused_more"] = learned.refused_more;
  Answer answer = json_answer(j, learned.rows + learned.repeated == 0 && !learned.refused.empty() ? 422 : 200);
  answer.refused = learned.refused.size() + learned.refused_more;
  return answer;
}

// Predicts with the published model. A parser that ran out of memory is not used again.
Answer LearningAnswers::ask(const Request& request, const std::string& id, const LiveLearner::Sequence& sequence) {
  const RequestRows rows = rows_of(schema(), request);
  if (count_lines(rows.lines()) + rows.more != 1)
    return refusal(422, "an id is of one row", "send one row with each id");
  if (!predictions_) predictions_ = std::make_unique<PredictionAnswers>(published_);
  std::string label;
  Answer answer;
  try {
    answer = predictions_->predict(request, &label);
  } catch (...) {
    predictions_.reset();
    throw;
  }
  if (answer.status == 200) learner_.ask(id, lines_of(rows.lines())[0], label, sequence);
  return answer;
}

Answer LearningAnswers::answer_one(const Request& request) {
  if (std::optional<Answer> refused = refuse_target(request, learner_routes())) return *std::move(refused);
  const std::string id = given(request, "id");
  const LiveLearner::Sequence sequence = sequence_of(request);
  if (request.path == "/learn") return learn(request, id, sequence);
  if (request.path == "/predict") return ask(request, id, sequence);
  if (request.path == "/truth") return take_labels(request, sequence);
  if (request.method == "DELETE") return forget(request.path.substr(row_path.size()));
  const auto* const first = reinterpret_cast<const std::uint8_t*>(request.body.data());
  learner_.replace(decode({first, first + request.body.size()}, "the request"));
  is_outdated_ = true;
  return json_answer({{"version", learner_.events()}});
}

}  // namespace halfspace::service
