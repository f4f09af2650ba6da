// Models from and for other programs.
#include <span>

#include "c/handles.h"
#include "halfspace/model/export.h"
#include "model/linear_part.h"
#include "train/predict/linear_model.h"

using namespace halfspace;
using namespace halfspace::c;

namespace {

GivenProbabilities probabilities_numbered(int32_t number) {
  if (number == HALFSPACE_SCORES_ONLY) return GivenProbabilities::none;
  if (number == HALFSPACE_LOGISTIC) return GivenProbabilities::logistic;
  if (number == HALFSPACE_SOFTMAX) return GivenProbabilities::softmax;
  throw Error(ErrorKind::usage, "no kind of probabilities is " + std::to_string(number))
      .fix("HALFSPACE_SCORES_ONLY, _LOGISTIC or _SOFTMAX");
}

std::vector<std::uint8_t> exported(const Model& model, const std::string& format) {
  if (format == "onnx") return to_onnx(model);
  if (format == "pmml") return to_pmml(model);
  if (format != "sql" && format != "c")
    throw Error(ErrorKind::usage, "there is no format \"" + format + "\" of models").fix("use onnx, pmml, sql or c");
  const std::string text = format == "sql" ? to_sql(model).text : to_c(model);
  return {text.begin(), text.end()};
}

}  // namespace

extern "C" {

void* halfspace_model_export(const halfspace_model* model, const char* format, size_t* size, halfspace_error* error) {
  return made(error, [&] {
    const Model& own = checked(model, "model").model;
    const std::string name = &checked(format, "format");
    const std::vector<std::uint8_t> bytes = exported(own, name);
    checked(size, "size") = bytes.size();
    return copied(bytes.data(), bytes.size());
  });
}

char* halfspace_model_sql(const halfspace_model* model, const char* dialect, const char* table, const char* view,
                          const char* const* keep, size_t keep_count, int32_t plain, halfspace_error* error) {
  return made(error, [&] {
    SqlOptions options;
    options.plain = plain != 0;
    if (dialect != nullptr) {
      const std::optional<SqlDialect> named = value_named<SqlDialect>(dialect);
      if (!named)
        throw Error(ErrorKind::usage, "there is no dialect \"" + std::string(dialect) + "\" of SQL")
            .fix("use postgresql, sqlite, duckdb or mysql");
      options.dialect = *named;
    }
    if (table != nullptr) options.table = table;
    if (view != nullptr) options.view = view;
    for (std::size_t k = 0; k < keep_count; ++k)
      options.columns.emplace_back(&checked((&checked(keep, "keep"))[k], "a column's name"));
    return copied(to_sql(checked(model, "model").model, options).text);
  });
}

char* halfspace_model_c_source(const halfspace_model* model, const char* function, halfspace_error* error) {
  return made(error, [&] { return copied(to_c(checked(model, "model").model, &checked(function, "function"))); });
}

int halfspace_model_check_linear(const halfspace_model* model, halfspace_error* error) {
  return guarded(error, [&] {
    const Model& own = checked(model, "model").model;
    model::refuse_changed_rows(own, "weights alone");
    model::linear_part(own, "weights alone");
  });
}

halfspace_model* halfspace_model_linear(const halfspace_linear* linear, halfspace_error* error) {
  return made(error, [&] {
    const halfspace_linear& given = checked(linear, "linear");
    GivenWeights own{
        .weights = std::span(&checked(given.weights, "weights"), std::size_t{given.vectors} * given.features),
        .biases = std::span(&checked(given.biases, "biases"), given.vectors),
        .features = given.features,
        .sparse = given.sparse != 0,
        .probabilities = probabilities_numbered(given.probabilities)};
    for (std::size_t k = 0; k < given.classes_count; ++k)
      own.classes.emplace_back(&checked((&checked(given.classes, "classes"))[k], "a class's name"));
    for (std::uint32_t j = 0; given.columns != nullptr && j < given.features; ++j)
      own.columns.emplace_back(&checked(given.columns[j], "a column's name"));
    if (given.label != nullptr) own.label = given.label;
    return new halfspace_model{linear_model(own)};
  });
}

}  // extern "C"
