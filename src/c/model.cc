// Models: files, what they know, what they predict.
#include <algorithm>
#include <cmath>
#include <mutex>
#include <span>

#include "base/parallel.h"
#include "c/handles.h"
#include "c/progress.h"
#include "halfspace/model/model_file.h"
#include "halfspace/optimum/optimum.h"
#include "halfspace/train/evaluate.h"
#include "reasons/explanation_words.h"
#include "report/results/evaluation_json.h"
#include "report/results/evaluation_text.h"
#include "report/results/hash_words.h"
#include "report/results/json.h"
#include "report/results/sets_text.h"
#include "stream/formats/parser.h"
#include "stream/reader/block_pass.h"

using namespace halfspace;
using namespace halfspace::c;

namespace {

std::uint32_t classes_of(const Model& model) { return std::max(2U, model.classes()); }

// Returns the standard deviation of each feature on the data's own values; null if the model has none.
Json deviations(const Model& model) {
  if (!model.spread || model.schema.features > FeatureSpread::most_features) return nullptr;
  Json list = Json::array();
  const std::vector<std::int16_t>& exponents = model.schema.exponents;
  for (std::uint32_t f = 0; f < model.schema.features; ++f)
    list.push_back(report::number(std::ldexp(model.spread->deviation(f), f < exponents.size() ? -exponents[f] : 0)));
  return list;
}

Json described(const Model& model) {
  Json j;
  j["composition"] = report::composition(model.composition);
  j["classes"] = Json::array();
  for (const std::string& name : model.schema.labels.names) j["classes"].push_back(utf8(name));
  j["format"] = name_of(model.schema.format);
  j["features"] = model.schema.features;
  if (const HashUse use = hash_use(model.schema, {}); use.bits > 0) j["hashed"] = report::hashed(use, false);
  j["feature_names"] = Json::array();
  for (const std::string& name : model.schema.feature_names()) j["feature_names"].push_back(utf8(name));
  if (Json logarithms = report::logarithms(model.schema); !logarithms.empty()) j["logarithms"] = std::move(logarithms);
  j["calibrated"] = model.calibration.fitted();
  const std::string_view link = link_of(model);
  j["probabilities"] = !link.empty();
  j["threshold"] = model.threshold ? report::threshold(model) : Json(nullptr);
  j["conformal"] = model.conformal ? report::conformal(*model.conformal) : Json(nullptr);
  j["link"] = link.empty() ? Json(nullptr) : Json(link);
  j["ledger"] = report::ledger_line(model.ledger, 0);
  j["deviations"] = deviations(model);
  const auto expected = expected_error(model.ledger);
  j["expected_error"] = expected ? report::expected_error(*expected) : Json(nullptr);
  return j;
}

}  // namespace

namespace halfspace::c {

std::string_view link_of(const Model& model) {
  const Calibration calibration = probability_curves(model);
  if (!calibration.fitted()) return {};
  const auto& curves = calibration.platt;
  const bool logistic = !curves.empty() && std::all_of(curves.begin(), curves.end(), [](const Platt& curve) {
    return curve == Platt{.a = -1, .b = 0};
  });
  return logistic ? "logistic" : name_of(calibration.method);
}

void check_probabilities(const Model& model, bool wanted) {
  if (!wanted || !link_of(model).empty()) return;
  throw Error(ErrorKind::usage, "the model has no probabilities")
      .fix("train it with " + option("calibrate", "platt") + ", or by the default");
}

std::uint32_t vectors_of(const Model& model) { return model.weights.classes > 2 ? model.weights.classes : 1; }

void predict_block(const Model& model, Predictor& predictor, const Block& block, std::int32_t* classes, double* scores,
                   double* probabilities) {
  std::vector<std::int32_t> predicted;
  std::vector<double> scored;
  const std::uint32_t vectors = predictor.score_all(block, predicted, scored);
  if (classes != nullptr) std::copy(predicted.begin(), predicted.end(), classes);
  if (scores != nullptr) std::copy(scored.begin(), scored.end(), scores);
  if (probabilities == nullptr) return;
  const std::uint32_t count = classes_of(model);
  const Calibration curves = probability_curves(model);
  for (std::size_t i = 0; i < block.rows; ++i)
    curves.probabilities(std::span(scored).subspan(i * vectors, vectors), std::span(probabilities + i * count, count));
}

}  // namespace halfspace::c

namespace {

// Where predictions go: for row i from classes[i], scores[i * vectors] and probabilities[i * count] on, each if not null.
class Output {
 public:
  Output(const Model& model, std::int32_t* classes, double* scores, double* probabilities)
      : model_(model),
        classes_(classes),
        scores_(scores),
        probabilities_(probabilities),
        vectors_(vectors_of(model)),
        count_(classes_of(model)) {}

  void predict(Predictor& predictor, const Block& block, std::size_t first) const {
    predict_block(model_, predictor, block, classes_ == nullptr ? nullptr : classes_ + first,
                  scores_ == nullptr ? nullptr : scores_ + first * vectors_,
                  probabilities_ == nullptr ? nullptr : probabilities_ + first * count_);
  }

 private:
  const Model& model_;
  std::int32_t* classes_;
  double *scores_, *probabilities_;
  std::size_t vectors_, count_;
};

void predict_text(halfspace_predictor& own, const ReadOptions& read, std::size_t rows, const Output& output) {
  std::size_t done = 0;
  const auto check_count = [](bool right) {
    if (!right) throw Error(ErrorKind::internal, "rows were lost or added while they were read");
  };
  Reader(read).read([&](const Block& block) {
    check_count(done + block.rows <= rows);
    output.predict(own.predictor, block, done);
    done += block.rows;
    return true;
  });
  check_count(done == rows);
}

// What a thread predicts with.
struct Worker {
  explicit Worker(const Model& model) : predictor(model) {}
  Predictor predictor;
  SourceBuffer buffer;
  stream::ParsedChunk changed;
};

// Blocks of an array are independent of one another: many threads predict for them.
class ArrayPredictions {
 public:
  ArrayPredictions(halfspace_predictor& own, const ReadOptions& read, const Output& output)
      : own_(own),
        read_(read),
        schema_(own.model.schema),
        pass_(*read.rows, nullptr, read_, schema_),
        output_(output) {}

  void run() {
    const std::size_t parts = read_.rows->blocks() * quarters;
    if (parts < few_parts) {
      SourceBuffer buffer;
      stream::ParsedChunk changed;
      for (std::size_t i = 0; i < parts; ++i) predict(own_.predictor, i, buffer, changed);
      return;
    }
    in_parallel(parts, 1, [this](std::size_t begin, std::size_t) { predict_apart(begin); });
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  static constexpr std::size_t quarters = 4;    // of a block: they stay in a cache between their check and their scores
  static constexpr std::size_t few_parts = 12;  // so few that threads cost more than they gain

  void predict(Predictor& predictor, std::size_t i, SourceBuffer& buffer, stream::ParsedChunk& changed) const {
    const Block given = read_.rows->quarter(i / quarters, i % quarters, buffer);
    if (given.rows == 0) return;
    output_.predict(predictor, pass_.adapt(given, {}, changed), static_cast<std::size_t>(given.row[0] - 1));
  }

  // The error of the first bad block is the one that is thrown, whatever the threads do.
  void predict_apart(std::size_t i) {
    std::unique_ptr<Worker> worker;
    try {
      worker = take();
      predict(worker->predictor, i, worker->buffer, worker->changed);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failure_ || i < failed_) {
        failure_ = std::current_exception();
        failed_ = i;
      }
    }
    const std::lock_guard lock(mutex_);
    if (worker) idle_.push_back(std::move(worker));
  }

  std::unique_ptr<Worker> take() {
    {
      const std::lock_guard lock(mutex_);
      if (!idle_.empty()) {
        std::unique_ptr<Worker> worker = std::move(idle_.back());
        idle_.pop_back();
        return worker;
      }
    }
    return std::make_unique<Worker>(own_.model);
  }

  halfspace_predictor& own_;
  const ReadOptions& read_;
  Schema schema_;
  stream::BlockPass pass_;
  const Output& output_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Worker>> idle_;
  std::exception_ptr failure_;
  std::size_t failed_ = 0;
};

}  // namespace

extern "C" {

halfspace_model* halfspace_model_load(const char* path, halfspace_error* error) {
  return made(error, [&] { return new halfspace_model{load_model(&checked(path, "path"))}; });
}

halfspace_model* halfspace_model_decode(const void* bytes, size_t size, halfspace_error* error) {
  return made(error, [&] {
    return new halfspace_model{decode(std::span(static_cast<const std::uint8_t*>(bytes), bytes == nullptr ? 0 : size),
                                      "the bytes of a model")};
  });
}

void halfspace_model_free(halfspace_model* model) { delete model; }

int halfspace_model_save(const halfspace_model* model, const char* path, halfspace_error* error) {
  return guarded(error, [&] { save_model(checked(model, "model").model, &checked(path, "path")); });
}

void* halfspace_model_encode(const halfspace_model* model, size_t* size, halfspace_error* error) {
  return made(error, [&] {
    const std::vector<std::uint8_t> bytes = encode(checked(model, "model").model);
    checked(size, "size") = bytes.size();
    return copied(bytes.data(), bytes.size());
  });
}

char* halfspace_model_describe(const halfspace_model* model, halfspace_error* error) {
  return made(error, [&] { return copied(described(checked(model, "model").model).dump()); });
}

uint32_t halfspace_model_classes(const halfspace_model* model) {
  return model == nullptr ? 0 : classes_of(model->model);
}

uint32_t halfspace_model_features(const halfspace_model* model) {
  return model == nullptr ? 0 : model->model.schema.features;
}

uint32_t halfspace_model_vectors(const halfspace_model* model) {
  return model == nullptr ? 0 : vectors_of(model->model);
}

const char* halfspace_model_class_name(const halfspace_model* model, uint32_t class_number) {
  if (model == nullptr || class_number >= model->model.classes()) return nullptr;
  return model->model.schema.labels.names[class_number].c_str();
}

int halfspace_model_weights(const halfspace_model* model, double* weights, double* biases, halfspace_error* error) {
  return guarded(error, [&] {
    Model own = report::weighed_by_feature(checked(model, "model").model);
    own.weights = vectors_of_scores(own.weights);
    checked(weights, "weights");
    checked(biases, "biases");
    const std::uint32_t vectors = own.weights.classes, features = own.schema.features;
    const std::vector<double> values = report::weights_on_own_values(own);
    for (std::uint32_t k = 0; k < vectors; ++k) {
      for (std::uint32_t j = 0; j < features; ++j) {
        const std::size_t at = std::size_t{j} * vectors + k;
        weights[std::size_t{k} * features + j] = at < values.size() ? values[at] : 0;
      }
      const BiasOptions& bias = own.composition.bias;
      biases[k] = bias.position == Bias::none ? 0.0 : own.weights.bias[k] * bias.scale;
    }
  });
}

int halfspace_certain_digits(const double* weights, size_t count, double radius, uint8_t* digits,
                             halfspace_error* error) {
  return guarded(error, [&] {
    if (!(radius >= 0)) throw Error(ErrorKind::usage, "the radius is not a number >= 0").fix("give that of a minimum");
    if (count == 0) return;
    checked(weights, "weights");
    checked(digits, "digits");
    for (std::size_t i = 0; i < count; ++i) digits[i] = static_cast<std::uint8_t>(certain_digits(weights[i], radius));
  });
}

halfspace_predictor* halfspace_predictor_new(const halfspace_model* model, halfspace_error* error) {
  return made(error, [&] {
    const Model& own = checked(model, "model").model;
    return new halfspace_predictor{own, Predictor(own), {}};
  });
}

void halfspace_predictor_free(halfspace_predictor* predictor) { delete predictor; }

int halfspace_predict(halfspace_predictor* predictor, const halfspace_rows* rows, int32_t* classes, double* scores,
                      double* probabilities, halfspace_error* error) {
  return guarded(error, [&] {
    halfspace_predictor& own = checked(predictor, "predictor");
    check_probabilities(own.model, probabilities != nullptr);
    ReadOptions read = read_for(own.model, {});
    read.labels.ignore = true;
    read = checked(rows, "rows").read(std::move(read));
    const Output output(own.model, classes, scores, probabilities);
    if (read.rows != nullptr) {
      ArrayPredictions(own, read, output).run();
    } else {
      predict_text(own, read, halfspace_rows_count(rows), output);
    }
  });
}

int halfspace_predict_row(halfspace_predictor* predictor, size_t count, const uint32_t* features, const double* values,
                          int32_t* class_number, double* score, double* probabilities, halfspace_error* error) {
  return guarded(error, [&] {
    halfspace_predictor& own = checked(predictor, "predictor");
    check_probabilities(own.model, probabilities != nullptr);
    if (count != 0) {
      checked(features, "features");
      checked(values, "values");
    }
    const Prediction found = own.predictor.predict(std::span(features, count), std::span(values, count));
    if (class_number != nullptr) *class_number = found.class_number;
    if (score != nullptr) *score = found.score;
    if (probabilities != nullptr) std::copy(found.probabilities.begin(), found.probabilities.end(), probabilities);
  });
}

int halfspace_score_row(halfspace_predictor* predictor, size_t count, const uint32_t* features, const double* values,
                        double* scores, halfspace_error* error) {
  return guarded(error, [&] {
    halfspace_predictor& own = checked(predictor, "predictor");
    if (count != 0) {
      checked(features, "features");
      checked(values, "values");
    }
    checked(scores, "scores");
    const Prediction found = own.predictor.predict(std::span(features, count), std::span(values, count));
    std::copy(found.scores.begin(), found.scores.end(), scores);
  });
}

int halfspace_model_sets(const halfspace_model* model, double coverage, int32_t each_class, const double* scores,
                         uint64_t rows, uint8_t* sets, halfspace_error* error) {
  return guarded(error, [&] {
    const Model& own = checked(model, "model").model;
    check_conformal(own);
    const PredictionSets made(*own.conformal, coverage, each_class != 0);
    if (rows == 0) return;
    checked(scores, "scores");
    checked(sets, "sets");
    const std::size_t vectors = halfspace_model_vectors(model), classes = classes_of(own);
    const auto unknown = [](double score) { return std::isnan(score); };
    for (std::size_t i = 0; i < rows; ++i) {
      const std::span of_row(scores + i * vectors, vectors);
      const std::span set(sets + i * classes, classes);
      if (std::any_of(of_row.begin(), of_row.end(), unknown)) {
        std::fill(set.begin(), set.end(), std::uint8_t{0});
      } else {
        made.contains(of_row, set);
      }
    }
  });
}

halfspace_result* halfspace_evaluate(const halfspace_model* model, const halfspace_settings* settings,
                                     const halfspace_rows* rows, const halfspace_watch* watch, halfspace_error* error) {
  return made(error, [&] {
    EvaluateSettings own = settings_of<EvaluateSettings>(settings, "evaluate");
    attend(own.data.read, rows, watch);
    EvaluateOptions options = evaluate_options(own);
    options.interrupt = options.read.interrupt;
    Progress progress(watch);
    std::optional<double> read;
    options.read.progress = [&](std::uint64_t done, std::uint64_t total) { read = share_of(done, total); };
    options.on_progress = [&](std::uint64_t rows_done) { progress.report({"evaluating", read, rows_done}); };
    const ModelEvaluation found = evaluate(checked(model, "model").model, options);
    progress.finish({"evaluating", 1, rounded_rows(found.confusion.rows())});
    Json json = run_json("evaluate");
    json.update(halfspace::report::evaluation(found));
    return new halfspace_result{std::move(json), halfspace::report::evaluation_text(found), {}};
  });
}

halfspace_result* halfspace_explain(const halfspace_model* model, const halfspace_settings* settings,
                                    const halfspace_rows* rows, const halfspace_watch* watch, halfspace_error* error) {
  return made(error, [&] {
    ExplainSettings own = settings_of<ExplainSettings>(settings, "explain");
    attend(own.data.read, rows, watch);
    const Explanation found = explain(checked(model, "model").model, own, read_options(own.data));
    Json json = run_json("explain");
    json.update(reasons::explanation_json(found));
    return new halfspace_result{std::move(json), reasons::explanation_text(found, found.columns.size(), {}), {}};
  });
}

}  // extern "C"
