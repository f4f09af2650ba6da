/* The C interface from C11: training, prediction, files, errors, proofs. Prints what fails; the exit status says so.
 * usage: c_test FOLDER    a folder to write to */
#include <halfspace_c.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int failures = 0;
static halfspace_error error;

#define EXPECT(condition)                                                                                    \
  do {                                                                                                       \
    if (!(condition)) {                                                                                      \
      ++failures;                                                                                            \
      printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #condition, error.message ? error.message : "no error"); \
    }                                                                                                        \
  } while (0)

enum { ROWS = 5000, COLUMNS = 3 };
static double values[ROWS * COLUMNS], stored[ROWS * COLUMNS];
static float narrow[ROWS * COLUMNS];
static int32_t classes[ROWS], indices[ROWS * COLUMNS];
static int64_t offsets[ROWS + 1];
static const char* const class_names[] = {"no", "yes"};
static const char* const column_names[] = {"a", "b", "c"};
static const halfspace_labels labels = {classes, class_names, 2, NULL, 0};

static uint64_t seed = 42;
static double draw(void) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(seed >> 40) / (1 << 24) - 0.5;
}

static void make_data(void) {
  uint64_t count = 0;
  for (int i = 0; i < ROWS; ++i) {
    double sum = 0;
    for (int j = 0; j < COLUMNS; ++j) {
      const double x = draw() < -0.2 ? 0 : draw();
      values[i * COLUMNS + j] = x;
      narrow[i * COLUMNS + j] = (float)x;
      sum += x * (j + 1);
      if (x == 0) continue;
      stored[count] = x;
      indices[count++] = j;
    }
    offsets[i + 1] = (int64_t)count;
    classes[i] = sum + 0.2 * draw() > 0;
  }
}

static halfspace_dense dense(void) {
  const halfspace_dense array = {.values = values, .value_type = HALFSPACE_FLOAT64, .rows = ROWS, .columns = COLUMNS};
  return array;
}
static halfspace_sparse sparse(void) {
  const halfspace_sparse array = {.values = stored,
                                  .indices = indices,
                                  .offsets = offsets,
                                  .value_type = HALFSPACE_FLOAT64,
                                  .index_type = HALFSPACE_INT32,
                                  .offset_type = HALFSPACE_INT64,
                                  .stored = (uint64_t)offsets[ROWS],
                                  .rows = ROWS,
                                  .columns = COLUMNS};
  return array;
}

static halfspace_settings* settings_of(const char* what, const char* const* options) {
  halfspace_settings* settings = halfspace_settings_new(what, &error);
  EXPECT(settings != NULL);
  for (; options != NULL && *options != NULL; options += 2)
    EXPECT(halfspace_settings_set(settings, options[0], options[1], &error) == HALFSPACE_OK);
  return settings;
}

static void count_note(void* context, const char* text, const char* fix) {
  if (text != NULL && fix != NULL) ++*(int*)context;
}

/* Frees a text, which must hold these words. */
static void expect_text(char* text, const char* words) {
  EXPECT(text != NULL);
  if (text == NULL || strstr(text, words) == NULL) {
    ++failures;
    printf("not said: %s, but: %s\n", words, text ? text : "nothing");
  }
  halfspace_free(text);
}

/* The same model from arrays, named or not, and from a file of the same numbers. */
static void test_training(const char* folder) {
  char path[4096];
  const halfspace_dense array = dense();
  halfspace_rows* rows = halfspace_rows_dense(&array, &labels, column_names, NULL, &error);
  EXPECT(rows != NULL);
  snprintf(path, sizeof path, "%s/rows.csv", folder);
  EXPECT(halfspace_rows_write(rows, path, &error) == HALFSPACE_OK);

  halfspace_settings* settings = settings_of("train", NULL);
  halfspace_settings* of_file = settings_of("train", NULL);
  EXPECT(halfspace_settings_add_path(of_file, path, &error) == HALFSPACE_OK);
  halfspace_model *model = NULL, *same = NULL;
  int notes = 0;
  const halfspace_watch watch = {.context = &notes, .on_note = count_note};
  EXPECT(halfspace_train(settings, rows, NULL, &watch, &model, NULL, &error) == HALFSPACE_OK);
  EXPECT(halfspace_train(of_file, NULL, NULL, NULL, &same, NULL, &error) == HALFSPACE_OK);

  EXPECT(halfspace_model_classes(model) == 2 && halfspace_model_vectors(model) == 1);
  EXPECT(halfspace_model_features(model) == COLUMNS);
  EXPECT(strcmp(halfspace_model_class_name(model, 1), "yes") == 0);
  EXPECT(halfspace_model_class_name(model, 2) == NULL);
  double w[COLUMNS], v[COLUMNS], b, c;
  EXPECT(halfspace_model_weights(model, w, &b, &error) == HALFSPACE_OK);
  EXPECT(halfspace_model_weights(same, v, &c, &error) == HALFSPACE_OK);
  EXPECT(memcmp(w, v, sizeof w) == 0 && b == c);

  static int32_t predicted[ROWS];
  static double scores[ROWS], probabilities[2 * ROWS];
  halfspace_predictor* predictor = halfspace_predictor_new(model, &error);
  EXPECT(halfspace_predict(predictor, rows, predicted, scores, probabilities, &error) == HALFSPACE_OK);
  int right = 0;
  for (int i = 0; i < ROWS; ++i) {
    right += predicted[i] == classes[i];
    const uint32_t features[COLUMNS] = {0, 1, 2};
    int32_t one;
    double score, two[2];
    EXPECT(halfspace_predict_row(predictor, COLUMNS, features, values + i * COLUMNS, &one, &score, two, &error) == 0);
    EXPECT(one == predicted[i] && score == scores[i] && two[1] == probabilities[2 * i + 1]);
    EXPECT(fabs(probabilities[2 * i] + probabilities[2 * i + 1] - 1) < 1e-12);
  }
  EXPECT(right > 0.9 * ROWS);
  halfspace_predictor_free(predictor);

  snprintf(path, sizeof path, "%s/c.model", folder);
  EXPECT(halfspace_model_save(model, path, &error) == HALFSPACE_OK);
  halfspace_model* loaded = halfspace_model_load(path, &error);
  size_t size = 0, saved = 0;
  void *bytes = halfspace_model_encode(model, &size, &error), *again = halfspace_model_encode(loaded, &saved, &error);
  EXPECT(size == saved && memcmp(bytes, again, size) == 0);
  halfspace_model* decoded = halfspace_model_decode(bytes, size, &error);
  EXPECT(decoded != NULL);
  EXPECT(halfspace_model_decode(bytes, size / 2, &error) == NULL && error.kind == HALFSPACE_DATA);
  char* described = halfspace_model_describe(decoded, &error);
  EXPECT(strstr(described, "\"feature_names\":[\"a\",\"b\",\"c\"]") != NULL);

  halfspace_settings* evaluating = settings_of("evaluate", NULL);
  halfspace_result* evaluation = halfspace_evaluate(model, evaluating, rows, NULL, &error);
  expect_text(halfspace_result_json(evaluation, &error), "\"accuracy\":0.9");
  expect_text(halfspace_result_text(evaluation, &error), "\n  accuracy           9");
  char* evaluated = halfspace_result_json(evaluation, &error);
  expect_text(halfspace_page(evaluated, &error), "<figure id=\"metrics\">");
  halfspace_free(evaluated);

  halfspace_result_free(evaluation);
  halfspace_free(described);
  halfspace_free(bytes);
  halfspace_free(again);
  halfspace_settings_free(evaluating);
  halfspace_settings_free(settings);
  halfspace_settings_free(of_file);
  halfspace_model_free(model);
  halfspace_model_free(same);
  halfspace_model_free(loaded);
  halfspace_model_free(decoded);
  halfspace_rows_free(rows);
}

/* Blocks of any size, and single rows, end in the bits of one call. */
static void test_trainer(void) {
  const char* const options[] = {"rule", "pa1", "passes", "1", "order", "stream", NULL};
  halfspace_settings* settings = settings_of("train", options);
  const halfspace_sparse array = sparse();
  halfspace_rows* rows = halfspace_rows_sparse(&array, &labels, &error);
  halfspace_model* whole = NULL;
  EXPECT(halfspace_train(settings, rows, NULL, NULL, &whole, NULL, &error) == HALFSPACE_OK);
  double w[COLUMNS], b;
  EXPECT(halfspace_model_weights(whole, w, &b, &error) == HALFSPACE_OK);
  const int steps[] = {1, 700, ROWS};
  for (int s = 0; s < 4; ++s) {
    halfspace_trainer* trainer = halfspace_trainer_new(settings, rows, NULL, &error);
    EXPECT(trainer != NULL);
    for (int from = 0; from < ROWS;) {
      if (s == 3) { /* row by row, without an array */
        const size_t count = (size_t)(offsets[from + 1] - offsets[from]);
        const uint32_t* features = (const uint32_t*)indices + offsets[from];
        EXPECT(halfspace_trainer_learn_row(trainer, count, features, stored + offsets[from], classes[from], 1,
                                           &error) == HALFSPACE_OK);
        ++from;
        continue;
      }
      const int to = from + steps[s] < ROWS ? from + steps[s] : ROWS;
      int64_t own[ROWS + 1];
      for (int i = from; i <= to; ++i) own[i - from] = offsets[i] - offsets[from];
      halfspace_sparse part = sparse();
      part.values = stored + offsets[from];
      part.indices = indices + offsets[from];
      part.offsets = own;
      part.stored = (uint64_t)own[to - from];
      part.rows = (uint64_t)(to - from);
      const halfspace_labels some = {classes + from, class_names, 2, NULL, 0};
      halfspace_rows* piece = halfspace_rows_sparse(&part, &some, &error);
      EXPECT(halfspace_trainer_learn(trainer, piece, &error) == HALFSPACE_OK);
      halfspace_rows_free(piece);
      from = to;
    }
    halfspace_model* model = halfspace_trainer_model(trainer, &error);
    double v[COLUMNS], c;
    EXPECT(halfspace_model_weights(model, v, &c, &error) == HALFSPACE_OK);
    EXPECT(memcmp(w, v, sizeof w) == 0 && b == c);
    halfspace_model_free(model);
    halfspace_trainer_free(trainer);
  }
  halfspace_model_free(whole);
  halfspace_rows_free(rows);
  halfspace_settings_free(settings);
}

/* Columns that are added on the way give the model of an array that had them from the beginning. */
static void test_added_features(void) {
  const char* const options[] = {"rule", "pa1", NULL};
  halfspace_settings* settings = settings_of("train", options);
  const halfspace_labels names = {NULL, class_names, 2, NULL, 0};
  halfspace_trainer* trainer = halfspace_trainer_new_named(settings, &names, &error);
  EXPECT(trainer != NULL);
  uint32_t feature = 9;
  EXPECT(halfspace_trainer_learn_row(trainer, 0, NULL, NULL, 1, 1, &error) == HALFSPACE_OK);
  EXPECT(halfspace_trainer_add_feature(trainer, "a", &feature, &error) == HALFSPACE_OK && feature == 0);
  const double x[] = {1.5, -2};
  const uint32_t both[] = {0, 1};
  EXPECT(halfspace_trainer_learn_row(trainer, 1, both, x, 0, 1, &error) == HALFSPACE_OK);
  EXPECT(halfspace_trainer_add_feature(trainer, "b", &feature, &error) == HALFSPACE_OK && feature == 1);
  EXPECT(halfspace_trainer_learn_row(trainer, 2, both, x, 1, 1, &error) == HALFSPACE_OK);
  EXPECT(halfspace_trainer_add_feature(trainer, "b", NULL, &error) == HALFSPACE_USAGE);
  halfspace_error_clear(&error);
  halfspace_model* model = halfspace_trainer_model(trainer, &error);
  char* described = halfspace_model_describe(model, &error);
  EXPECT(described != NULL && strstr(described, "\"feature_names\":[\"a\",\"b\"]") != NULL);
  EXPECT(strstr(described, "\"probabilities\":false") != NULL);

  const double rows_of_both[] = {0, 0, 1.5, 0, 1.5, -2};
  const int32_t y[] = {1, 0, 1};
  const halfspace_dense array = {.values = rows_of_both, .rows = 3, .columns = 2};
  const halfspace_labels given = {y, class_names, 2, NULL, 0};
  halfspace_rows* rows = halfspace_rows_dense(&array, &given, column_names, NULL, &error);
  halfspace_model* same = NULL;
  EXPECT(halfspace_train(settings, rows, NULL, NULL, &same, NULL, &error) == HALFSPACE_OK);
  double w[2], v[2], b, c;
  EXPECT(halfspace_model_weights(model, w, &b, &error) == HALFSPACE_OK);
  EXPECT(halfspace_model_weights(same, v, &c, &error) == HALFSPACE_OK);
  EXPECT(memcmp(w, v, sizeof w) == 0 && b == c);
  halfspace_free(described);
  halfspace_model_free(model);
  halfspace_model_free(same);
  halfspace_rows_free(rows);
  halfspace_trainer_free(trainer);
  halfspace_settings_free(settings);
}

/* Prediction sets come from the scores of all rows, or of one. */
static void test_prediction_sets(void) {
  const char* const options[] = {"rule", "pa1", "holdout", "0.5", "conformal", "true", NULL};
  halfspace_settings* settings = settings_of("train", options);
  const double x[] = {1, -1, 2, -2, 3, -3, 1.5, -1.5, 2.5, -2.5, 1, -1};
  const int32_t y[] = {1, 0, 1, 0, 1, 0, 0, 0, 1, 0, 1, 1};
  const halfspace_dense array = {.values = x, .rows = 12, .columns = 1};
  const halfspace_labels given = {y, class_names, 2, NULL, 0};
  halfspace_rows* rows = halfspace_rows_dense(&array, &given, NULL, NULL, &error);
  halfspace_model* model = NULL;
  EXPECT(halfspace_train(settings, rows, NULL, NULL, &model, NULL, &error) == HALFSPACE_OK);
  char* described = halfspace_model_describe(model, &error);
  EXPECT(described != NULL && strstr(described, "\"conformal\":{\"rows\":6}") != NULL);
  halfspace_predictor* predictor = halfspace_predictor_new(model, &error);
  double scores[12], one = 0;
  uint8_t sets[24];
  EXPECT(halfspace_predict(predictor, rows, NULL, scores, NULL, &error) == HALFSPACE_OK);
  const uint32_t feature = 0;
  EXPECT(halfspace_score_row(predictor, 1, &feature, x + 4, &one, &error) == HALFSPACE_OK && one == scores[4]);
  EXPECT(halfspace_model_sets(model, 0.99, 0, scores, 12, sets, &error) == HALFSPACE_OK);
  for (int i = 0; i < 24; ++i) EXPECT(sets[i] == 1);
  scores[1] = NAN;
  EXPECT(halfspace_model_sets(model, 0.5, 0, scores, 12, sets, &error) == HALFSPACE_OK);
  EXPECT(sets[2] == 0 && sets[3] == 0);
  for (int i = 0; i < 12; ++i) EXPECT(i == 1 || sets[2 * i] + sets[2 * i + 1] <= 2);
  EXPECT(halfspace_model_sets(model, 1, 0, scores, 12, sets, &error) == HALFSPACE_USAGE);
  halfspace_error_clear(&error);
  EXPECT(halfspace_model_sets(model, 0.5, 0, NULL, 12, sets, &error) == HALFSPACE_USAGE);
  halfspace_error_clear(&error);
  EXPECT(halfspace_model_sets(model, 0.5, 1, NULL, 0, NULL, &error) == HALFSPACE_OK);
  halfspace_free(described);
  halfspace_predictor_free(predictor);
  halfspace_model_free(model);
  halfspace_rows_free(rows);
  halfspace_settings_free(settings);
}

/* Digits of weights, by hand: a digit is certain if the radius is at most half a unit of it. */
static void test_certain_digits(void) {
  const double weights[] = {123.4, -123.4, 0.001, 0, 1000};
  const struct {
    double radius;
    uint8_t digits[5];
  } cases[] = {{0, {17, 17, 17, 0, 17}}, {4.9, {2, 2, 0, 0, 3}}, {51, {0, 0, 0, 0, 1}}, {4.9e-4, {6, 6, 1, 0, 7}}};
  for (int i = 0; i < 4; ++i) {
    uint8_t digits[5] = {99, 99, 99, 99, 99};
    EXPECT(halfspace_certain_digits(weights, 5, cases[i].radius, digits, &error) == HALFSPACE_OK);
    EXPECT(memcmp(digits, cases[i].digits, 5) == 0);
  }
  uint8_t digits[1] = {99};
  EXPECT(halfspace_certain_digits(weights, 1, INFINITY, digits, &error) == HALFSPACE_OK && digits[0] == 0);
  EXPECT(halfspace_certain_digits(NULL, 0, 1, NULL, &error) == HALFSPACE_OK);
  EXPECT(halfspace_certain_digits(weights, 1, NAN, digits, &error) == HALFSPACE_USAGE);
  halfspace_error_clear(&error);
  EXPECT(halfspace_certain_digits(weights, 1, -1, digits, &error) == HALFSPACE_USAGE);
  halfspace_error_clear(&error);
  EXPECT(halfspace_certain_digits(weights, 1, 1, NULL, &error) == HALFSPACE_USAGE);
  halfspace_error_clear(&error);
}

/* A model of the log loss has probabilities without a calibration. */
static void test_own_probabilities(void) {
  const char* const options[] = {"rule", "ftrl", NULL};
  halfspace_settings* settings = settings_of("train", options);
  const halfspace_dense array = dense();
  halfspace_rows* rows = halfspace_rows_dense(&array, &labels, column_names, NULL, &error);
  halfspace_model* model = NULL;
  EXPECT(halfspace_train(settings, rows, NULL, NULL, &model, NULL, &error) == HALFSPACE_OK);
  halfspace_predictor* predictor = halfspace_predictor_new(model, &error);
  static double scores[ROWS], probabilities[2 * ROWS];
  EXPECT(halfspace_predict(predictor, rows, NULL, scores, probabilities, &error) == HALFSPACE_OK);
  for (int i = 0; i < ROWS; ++i) EXPECT(fabs(probabilities[2 * i + 1] - 1 / (1 + exp(-scores[i]))) < 1e-12);
  const uint32_t features[COLUMNS] = {0, 1, 2};
  double two[2];
  EXPECT(halfspace_predict_row(predictor, COLUMNS, features, values, NULL, NULL, two, &error) == HALFSPACE_OK);
  EXPECT(two[1] == probabilities[1]);
  halfspace_predictor_free(predictor);
  halfspace_model_free(model);
  halfspace_rows_free(rows);
  halfspace_settings_free(settings);
}

static void expect_error(int kind, const char* words) {
  EXPECT(error.kind == kind && error.message != NULL && error.fix != NULL);
  if (error.message == NULL || strstr(error.message, words) == NULL) {
    ++failures;
    printf("not said: %s, but: %s\n", words, error.message ? error.message : "nothing");
  }
  halfspace_error_clear(&error);
  EXPECT(error.kind == 0 && error.message == NULL && error.fix == NULL);
}

/* A rule takes its parameters in its name. */
static void test_rule_words(void) {
  const char* const words[] = {"rule", "pa1:aggressiveness=0.5", NULL};
  const char* const options[] = {"rule", "pa1", "aggressiveness", "0.5", NULL};
  const char* const* const both[] = {words, options};
  const halfspace_dense array = dense();
  void* bytes[2] = {NULL, NULL};
  size_t sizes[2] = {0, 0};
  for (int k = 0; k < 2; ++k) {
    halfspace_settings* settings = settings_of("train", both[k]);
    halfspace_rows* rows = halfspace_rows_dense(&array, &labels, NULL, NULL, &error);
    halfspace_model* model = NULL;
    EXPECT(halfspace_train(settings, rows, NULL, NULL, &model, NULL, &error) == HALFSPACE_OK);
    bytes[k] = halfspace_model_encode(model, &sizes[k], &error);
    halfspace_model_free(model);
    halfspace_rows_free(rows);
    halfspace_settings_free(settings);
  }
  EXPECT(bytes[0] != NULL && sizes[0] == sizes[1] && memcmp(bytes[0], bytes[1], sizes[0]) == 0);
  halfspace_free(bytes[0]);
  halfspace_free(bytes[1]);
  halfspace_settings* settings = settings_of("train", NULL);
  EXPECT(halfspace_settings_set(settings, "rule", "pa1:rate=1", &error) == HALFSPACE_USAGE);
  expect_error(HALFSPACE_USAGE, "pa1 has no parameter 'rate'");
  halfspace_settings_free(settings);
}

static void test_errors(void) {
  halfspace_settings* settings = settings_of("train", NULL);
  EXPECT(halfspace_settings_set(settings, "no-such", "1", &error) != HALFSPACE_OK);
  expect_error(HALFSPACE_USAGE, "no-such");
  EXPECT(halfspace_settings_set(settings, "passes", "x", &error) != HALFSPACE_OK);
  expect_error(HALFSPACE_USAGE, "passes");
  EXPECT(halfspace_settings_new("nothing", &error) == NULL);
  expect_error(HALFSPACE_USAGE, "nothing");
  EXPECT(halfspace_settings_add_path(settings, "/no/such/file.csv", &error) == HALFSPACE_OK);
  halfspace_model* model = NULL;
  EXPECT(halfspace_train(settings, NULL, NULL, NULL, &model, NULL, &error) == HALFSPACE_NO_INPUT && model == NULL);
  EXPECT(error.file != NULL && strcmp(error.file, "/no/such/file.csv") == 0);
  halfspace_error_clear(&error);
  EXPECT(halfspace_train(NULL, NULL, NULL, NULL, &model, NULL, &error) != HALFSPACE_OK);
  expect_error(HALFSPACE_USAGE, "settings is null");
  EXPECT(halfspace_train(settings, NULL, NULL, NULL, NULL, NULL, NULL) == HALFSPACE_USAGE);

  double bad[] = {1, 2, NAN, 4};
  const int32_t two[] = {0, 1};
  halfspace_dense array = {.values = bad, .rows = 2, .columns = 2};
  const halfspace_labels given = {two, class_names, 2, NULL, 0};
  halfspace_rows* rows = halfspace_rows_dense(&array, &given, NULL, NULL, &error);
  EXPECT(rows != NULL);
  EXPECT(halfspace_train(settings, rows, NULL, NULL, &model, NULL, &error) == HALFSPACE_DATA);
  expect_error(HALFSPACE_DATA, "row 2, column 1: NaN");
  halfspace_rows_free(rows);
  array.values = NULL;
  EXPECT(halfspace_rows_dense(&array, &given, NULL, NULL, &error) == NULL);
  expect_error(HALFSPACE_USAGE, "null");
  array.values = bad;
  array.value_type = 7;
  EXPECT(halfspace_rows_dense(&array, &given, NULL, NULL, &error) == NULL);
  expect_error(HALFSPACE_USAGE, "7");
  EXPECT(halfspace_model_load("/no/such.model", &error) == NULL);
  expect_error(HALFSPACE_NO_INPUT, "");
  EXPECT(halfspace_evaluate(NULL, settings, NULL, NULL, &error) == NULL);
  expect_error(HALFSPACE_USAGE, "kind");
  halfspace_settings_free(settings);

  halfspace_settings_free(NULL);
  halfspace_rows_free(NULL);
  halfspace_model_free(NULL);
  halfspace_trainer_free(NULL);
  halfspace_predictor_free(NULL);
  halfspace_stop_free(NULL);
  halfspace_free(NULL);
  halfspace_error_clear(NULL);
}

/* Draws the page of a result, which must hold these words. */
static void expect_page(const halfspace_result* result, const char* words) {
  char* json = halfspace_result_json(result, &error);
  expect_text(halfspace_page(json, &error), words);
  halfspace_free(json);
}

static void test_proofs(const char* folder) {
  const double x[] = {1, 0, 2, 1, -1, 0, -2, 1};
  const int32_t y[] = {1, 1, 0, 0};
  const halfspace_dense array = {.values = x, .rows = 4, .columns = 2};
  const halfspace_labels given = {y, class_names, 2, NULL, 0};
  halfspace_rows* rows = halfspace_rows_dense(&array, &given, column_names, NULL, &error);
  halfspace_settings* settings = settings_of("certify", NULL);
  const halfspace_watch watch = {.figures = HALFSPACE_ALL_FIGURES};
  halfspace_result* verdict = halfspace_certify(settings, rows, &watch, &error);
  expect_text(halfspace_result_json(verdict, &error), "\"verdict\":\"separable\"");
  expect_text(halfspace_result_text(verdict, &error),
              "\n  Separable. Proved, and the proof was checked in exact arithmetic.\n");
  expect_page(verdict, "the separator");
  char* certificate = halfspace_result_certificate(verdict, &error);
  EXPECT(certificate != NULL);
  char path[4096];
  snprintf(path, sizeof path, "%s/proved.csv", folder);
  EXPECT(halfspace_rows_write(rows, path, &error) == HALFSPACE_OK);
  const char* const paths[] = {path};
  halfspace_result* checked = halfspace_verify(certificate, paths, 1, &error);
  expect_text(halfspace_result_json(checked, &error), "\"valid\":true");
  expect_text(halfspace_result_text(checked, &error), "\nvalid: separable\n");
  EXPECT(halfspace_result_certificate(checked, &error) == NULL && error.kind == HALFSPACE_OK);
  halfspace_result_free(checked);
  halfspace_result_free(verdict);
  halfspace_free(certificate);
  halfspace_settings_free(settings);
  halfspace_rows_free(rows);
}

/* Copies what the JSON of a result says of a minimum, but for the seconds. */
static void copy_minimum(const halfspace_result* result, char* text, size_t size) {
  char* json = halfspace_result_json(result, &error);
  const char* begin = json == NULL ? NULL : strstr(json, "\"minimum\":{");
  const char* end = begin == NULL ? NULL : strstr(begin, "\"seconds\"");
  snprintf(text, size, "%.*s", end == NULL ? 0 : (int)(end - begin), end == NULL ? "" : begin);
  halfspace_free(json);
}

/* The certificate of a minimum is about the text of the rows, whatever holds them, and about the weights that are learned
 * without one. */
static void test_minimum(const char* folder) {
  const double x[] = {0.1, 0, 2, 1, -1, 0.3, -2, 1, 1, 5};
  const int32_t y[] = {1, 1, 0, 0, 1};
  const halfspace_dense array = {.values = x, .rows = 5, .columns = 2};
  const halfspace_labels given = {y, class_names, 2, NULL, 0};
  halfspace_rows* rows = halfspace_rows_dense(&array, &given, column_names, NULL, &error);
  const char* const options[] = {"objective", "svm", "C", "0.1", "positive", "yes", NULL};
  halfspace_settings* settings = settings_of("train", options);
  halfspace_result* proved = halfspace_certify_minimum(settings, rows, NULL, &error);
  expect_text(halfspace_result_json(proved, &error), "\"primal\":");
  halfspace_model* model = NULL;
  halfspace_result* trained = NULL;
  EXPECT(halfspace_train(settings, rows, NULL, NULL, &model, &trained, &error) == HALFSPACE_OK);
  char own[2048], others[2048];
  copy_minimum(proved, own, sizeof own);
  copy_minimum(trained, others, sizeof others);
  EXPECT(own[0] != 0 && strcmp(own, others) == 0);
  halfspace_model_free(model);
  halfspace_result_free(trained);
  char* certificate = halfspace_result_certificate(proved, &error);
  EXPECT(certificate != NULL && strstr(certificate, "\"costs\":[\"1/10\",\"1/10\"]") != NULL);
  char path[4096];
  snprintf(path, sizeof path, "%s/minimum.csv", folder);
  EXPECT(halfspace_rows_write(rows, path, &error) == HALFSPACE_OK);
  const char* const paths[] = {path};
  halfspace_result* checked = halfspace_verify(certificate, paths, 1, &error);
  expect_text(halfspace_result_json(checked, &error), "\"valid\":true");
  halfspace_result_free(checked);
  halfspace_result_free(proved);
  halfspace_free(certificate);
  halfspace_settings_free(settings);
  settings = settings_of("train", NULL);
  EXPECT(halfspace_certify_minimum(settings, rows, NULL, &error) == NULL && error.kind == HALFSPACE_USAGE);
  halfspace_error_clear(&error);
  halfspace_settings_free(settings);
  halfspace_rows_free(rows);
}

/* Which coefficients are infinite: the second column separates the row that has it, the first overlaps. */
static void test_separation(void) {
  const double x[] = {1, 0, 1, 0, 2, 0, 2, 0, 1, 1};
  const int32_t y[] = {1, 0, 1, 0, 1};
  const halfspace_dense array = {.values = x, .rows = 5, .columns = 2};
  const halfspace_labels given = {y, class_names, 2, NULL, 0};
  halfspace_rows* rows = halfspace_rows_dense(&array, &given, column_names, NULL, &error);
  const char* const options[] = {"coefficients", "true", "positive", "yes", NULL};
  halfspace_settings* settings = settings_of("certify", options);
  halfspace_result* result = halfspace_certify(settings, rows, NULL, &error);
  expect_text(halfspace_result_json(result, &error), "\"kind\":\"quasi-complete\"");
  const halfspace_separation* found = halfspace_result_separation(result);
  EXPECT(found != NULL);
  if (found != NULL) {
    EXPECT(found->kind == HALFSPACE_QUASI_COMPLETE && found->separated_rows == 1);
    EXPECT(found->rows_count == 1 && found->rows[0] == 5 && found->rows_are_separated);
    EXPECT(found->coefficients_count == 3);
    EXPECT(strcmp(found->coefficients[0].name, "(intercept)") == 0);
    EXPECT(found->coefficients[0].estimate == HALFSPACE_FINITE);
    EXPECT(found->coefficients[1].estimate == HALFSPACE_FINITE);
    EXPECT(strcmp(found->coefficients[2].name, "b") == 0);
    EXPECT(found->coefficients[2].estimate == HALFSPACE_PLUS_INFINITE);
  }
  halfspace_result_free(result);
  halfspace_settings_free(settings);
  settings = settings_of("certify", NULL);
  result = halfspace_certify(settings, rows, NULL, &error);
  EXPECT(result != NULL && halfspace_result_separation(result) == NULL && halfspace_result_separation(NULL) == NULL);
  halfspace_result_free(result);
  halfspace_settings_free(settings);
  halfspace_rows_free(rows);
}

/* Weights of another program make a model that predicts by them, and is exported; a tie is the first class. */
static void test_exchange(void) {
  const double weights[] = {2, -1, 0.5}, bias[] = {0.25};
  halfspace_linear given = {.weights = weights,
                            .biases = bias,
                            .vectors = 1,
                            .features = COLUMNS,
                            .classes = class_names,
                            .classes_count = 2,
                            .columns = column_names,
                            .probabilities = HALFSPACE_LOGISTIC};
  halfspace_model* model = halfspace_model_linear(&given, &error);
  EXPECT(model != NULL && halfspace_model_check_linear(model, &error) == HALFSPACE_OK);
  double w[COLUMNS], b;
  EXPECT(halfspace_model_weights(model, w, &b, &error) == HALFSPACE_OK);
  EXPECT(memcmp(w, weights, sizeof w) == 0 && b == bias[0]);
  const halfspace_dense array = dense();
  halfspace_rows* rows = halfspace_rows_dense(&array, NULL, column_names, NULL, &error);
  static int32_t predicted[ROWS];
  static double scores[ROWS], probabilities[2 * ROWS];
  halfspace_predictor* predictor = halfspace_predictor_new(model, &error);
  EXPECT(halfspace_predict(predictor, rows, predicted, scores, probabilities, &error) == HALFSPACE_OK);
  for (int i = 0; i < ROWS; ++i) {
    double sum = bias[0];
    for (int j = 0; j < COLUMNS; ++j) sum += weights[j] * values[i * COLUMNS + j];
    EXPECT(fabs(sum - scores[i]) < 1e-12 && predicted[i] == (scores[i] > 0));
    EXPECT(fabs(probabilities[2 * i + 1] - 1 / (1 + exp(-scores[i]))) < 1e-12);
  }
  const uint32_t second[] = {1};
  const double border[] = {0.25};
  int32_t one = 9;
  double score = 9;
  EXPECT(halfspace_predict_row(predictor, 1, second, border, &one, &score, NULL, &error) == HALFSPACE_OK);
  EXPECT(score == 0 && one == 0);
  char* described = halfspace_model_describe(model, &error);
  EXPECT(strstr(described, "\"link\":\"logistic\"") != NULL && strstr(described, "\"expected_error\":null") != NULL);

  size_t size = 0;
  unsigned char* onnx = halfspace_model_export(model, "onnx", &size, &error);
  EXPECT(onnx != NULL && size > 100 && onnx[0] == 8); /* field 1, ir_version */
  char* pmml = halfspace_model_export(model, "pmml", &size, &error);
  EXPECT(pmml != NULL && size > 100 && strncmp(pmml, "<?xml", 5) == 0);
  char* sql = halfspace_model_sql(model, "sqlite", "t", "v", column_names, 1, 1, &error);
  EXPECT(sql != NULL && strstr(sql, "CREATE VIEW \"v\"") != NULL && strstr(sql, "FROM \"t\" AS halfspace") != NULL);
  halfspace_free(sql);
  EXPECT(halfspace_model_sql(model, "oracle", NULL, NULL, NULL, 0, 0, &error) == NULL);
  expect_error(HALFSPACE_USAGE, "oracle");
  char* source = halfspace_model_c_source(model, "score", &error);
  EXPECT(source != NULL && strstr(source, "int score(const double *x") != NULL);
  halfspace_free(source);
  EXPECT(halfspace_model_c_source(model, "2x", &error) == NULL);
  expect_error(HALFSPACE_USAGE, "2x");
  EXPECT(halfspace_model_export(model, "csv", &size, &error) == NULL);
  expect_error(HALFSPACE_USAGE, "csv");
  const char* const again[] = {"rule", "perceptron", NULL};
  halfspace_settings* settings = settings_of("train", again);
  EXPECT(halfspace_trainer_new(settings, NULL, model, &error) == NULL);
  expect_error(HALFSPACE_USAGE, "given, not learned");

  given.vectors = 2;
  EXPECT(halfspace_model_linear(&given, &error) == NULL);
  expect_error(HALFSPACE_USAGE, "2 vectors of weights for 2 classes");
  given.vectors = 1;
  given.probabilities = 7;
  EXPECT(halfspace_model_linear(&given, &error) == NULL);
  expect_error(HALFSPACE_USAGE, "7");
  given.weights = NULL;
  given.probabilities = HALFSPACE_SCORES_ONLY;
  EXPECT(halfspace_model_linear(&given, &error) == NULL);
  expect_error(HALFSPACE_USAGE, "weights is null");

  const char* const vote[] = {"preset", "voted", NULL};
  halfspace_settings* voting = settings_of("train", vote);
  halfspace_rows* labelled = halfspace_rows_dense(&array, &labels, column_names, NULL, &error);
  halfspace_model* voted = NULL;
  EXPECT(halfspace_train(voting, labelled, NULL, NULL, &voted, NULL, &error) == HALFSPACE_OK);
  EXPECT(halfspace_model_check_linear(voted, &error) == HALFSPACE_USAGE);
  expect_error(HALFSPACE_USAGE, "not linear");
  EXPECT(halfspace_model_export(voted, "onnx", &size, &error) == NULL);
  expect_error(HALFSPACE_USAGE, "ONNX");

  halfspace_settings_free(voting);
  halfspace_settings_free(settings);
  halfspace_model_free(voted);
  halfspace_rows_free(labelled);
  halfspace_rows_free(rows);
  halfspace_free(onnx);
  halfspace_free(pmml);
  halfspace_free(described);
  halfspace_predictor_free(predictor);
  halfspace_model_free(model);
}

/* Predictions for a file, collected block by block, are those for its rows in memory. */
struct collected {
  uint64_t rows, bad;
  int32_t classes[ROWS];
  double scores[ROWS], probabilities[2 * ROWS];
  halfspace_stop* stop;
};
static void collect(void* context, const halfspace_predictions* found) {
  struct collected* to = context;
  for (uint64_t i = 0; i < found->rows && to->rows < ROWS; ++i, ++to->rows) {
    to->classes[to->rows] = found->classes[i];
    to->scores[to->rows] = found->scores[i];
    to->bad += found->classes[i] == -1 && isnan(found->scores[i]);
    for (int k = 0; k < 2 && found->probabilities != NULL; ++k)
      to->probabilities[2 * to->rows + k] = found->probabilities[2 * i + k];
  }
  if (to->stop != NULL) halfspace_stop_set(to->stop);
}
static void test_predict_files(const char* folder) {
  const char* const options[] = {"rule", "ftrl", NULL};
  halfspace_settings* training = settings_of("train", options);
  const halfspace_dense array = dense();
  halfspace_rows* rows = halfspace_rows_dense(&array, &labels, column_names, NULL, &error);
  halfspace_model* model = NULL;
  EXPECT(halfspace_train(training, rows, NULL, NULL, &model, NULL, &error) == HALFSPACE_OK);
  char path[4096];
  snprintf(path, sizeof path, "%s/predicted.csv", folder);
  EXPECT(halfspace_rows_write(rows, path, &error) == HALFSPACE_OK);

  static int32_t predicted[ROWS];
  static double scores[ROWS], probabilities[2 * ROWS];
  halfspace_predictor* predictor = halfspace_predictor_new(model, &error);
  EXPECT(halfspace_predict(predictor, rows, predicted, scores, probabilities, &error) == HALFSPACE_OK);
  static struct collected found;
  halfspace_settings* reading = settings_of("predict", NULL);
  EXPECT(halfspace_settings_add_path(reading, path, &error) == HALFSPACE_OK);
  EXPECT(halfspace_predict_files(predictor, reading, 1, collect, &found, NULL, &error) == HALFSPACE_OK);
  EXPECT(found.rows == ROWS && found.bad == 0);
  EXPECT(memcmp(predicted, found.classes, sizeof predicted) == 0 && memcmp(scores, found.scores, sizeof scores) == 0);
  EXPECT(memcmp(probabilities, found.probabilities, sizeof probabilities) == 0);

  /* A bad row is an error, or has its place among the predictions. */
  FILE* file = fopen(path, "w");
  EXPECT(file != NULL);
  fputs("c,a,b\n3,1,2\nwrong\n6,4,5\n", file);
  fclose(file);
  found.rows = 0;
  EXPECT(halfspace_predict_files(predictor, reading, 0, collect, &found, NULL, &error) == HALFSPACE_DATA);
  EXPECT(error.line == 3);
  halfspace_error_clear(&error);
  EXPECT(halfspace_settings_set(reading, "on-error", "skip", &error) == HALFSPACE_OK);
  found.rows = 0;
  EXPECT(halfspace_predict_files(predictor, reading, 0, collect, &found, NULL, &error) == HALFSPACE_OK);
  EXPECT(found.rows == 3 && found.bad == 1 && found.classes[1] == -1);
  const uint32_t features[COLUMNS] = {0, 1, 2};
  const double last[COLUMNS] = {4, 5, 6};
  double score = 0;
  EXPECT(halfspace_predict_row(predictor, COLUMNS, features, last, NULL, &score, NULL, &error) == HALFSPACE_OK);
  EXPECT(score == found.scores[2]);

  found.stop = halfspace_stop_new(&error);
  const halfspace_watch watch = {.stop = found.stop};
  EXPECT(halfspace_predict_files(predictor, reading, 0, collect, &found, &watch, &error) == HALFSPACE_INTERRUPTED);
  halfspace_error_clear(&error);
  EXPECT(halfspace_predict_files(predictor, training, 0, collect, &found, NULL, &error) == HALFSPACE_USAGE);
  expect_error(HALFSPACE_USAGE, "another kind");
  EXPECT(halfspace_predict_files(predictor, reading, 0, NULL, NULL, NULL, &error) == HALFSPACE_USAGE);
  expect_error(HALFSPACE_USAGE, "on_predictions is null");
  halfspace_stop_free(found.stop);
  halfspace_settings_free(reading);
  halfspace_settings_free(training);
  halfspace_predictor_free(predictor);
  halfspace_model_free(model);
  halfspace_rows_free(rows);
}

/* A run that is stopped gives the model so far. */
static void stop_it(void* context, const halfspace_progress* now) {
  EXPECT(now->rounds >= now->mistakes);
  halfspace_stop_set((halfspace_stop*)context);
}
static void test_stop(void) {
  const char* const options[] = {"rule", "perceptron", "passes", "1000000", NULL};
  halfspace_settings* settings = settings_of("train", options);
  halfspace_stop* stop = halfspace_stop_new(&error);
  const halfspace_dense array = dense();
  halfspace_rows* rows = halfspace_rows_dense(&array, &labels, NULL, NULL, &error);
  const halfspace_watch watch = {.context = stop, .on_progress = stop_it, .stop = stop};
  halfspace_model* model = NULL;
  EXPECT(halfspace_train(settings, rows, NULL, &watch, &model, NULL, &error) == HALFSPACE_OK && model != NULL);
  halfspace_model_free(model);
  halfspace_rows_free(rows);
  halfspace_stop_free(stop);
  halfspace_settings_free(settings);
}

/* Arrays that change while a run goes on spoil its result, and nothing else: their numbers lead nowhere. */
typedef struct spoiler {
  int calls;
} spoiler;
static void spoil(void* context, const halfspace_progress* now) {
  ++((spoiler*)context)->calls;
  EXPECT(now->rounds >= now->mistakes);
  for (int i = 0; i < ROWS * COLUMNS; ++i) indices[i] = INT32_MAX;
  for (int i = 1; i < ROWS; ++i) offsets[i] = INT64_MAX / 2;
  for (int i = 0; i < ROWS; ++i) classes[i] = INT32_MAX;
}
static void test_arrays_that_change(void) {
  static int32_t own_indices[ROWS * COLUMNS], own_classes[ROWS];
  static int64_t own_offsets[ROWS + 1];
  memcpy(own_indices, indices, sizeof indices);
  memcpy(own_classes, classes, sizeof classes);
  memcpy(own_offsets, offsets, sizeof offsets);
  const char* const options[] = {"rule", "perceptron", "order", "shuffled", "passes", "2000", NULL};
  halfspace_settings* settings = settings_of("train", options);
  double weights[2][COLUMNS], bias[2];
  for (int spoiled = 0; spoiled < 2; ++spoiled) {
    const halfspace_sparse array = sparse();
    halfspace_rows* rows = halfspace_rows_sparse(&array, &labels, &error);
    spoiler so_far = {0};
    const halfspace_watch watch = {.context = &so_far, .on_progress = spoiled ? spoil : NULL};
    halfspace_model* model = NULL;
    EXPECT(halfspace_train(settings, rows, NULL, &watch, &model, NULL, &error) == HALFSPACE_OK);
    EXPECT(halfspace_model_weights(model, weights[spoiled], &bias[spoiled], &error) == HALFSPACE_OK);
    EXPECT(so_far.calls > 0 || !spoiled);
    halfspace_model_free(model);
    halfspace_rows_free(rows);
  }
  EXPECT(memcmp(weights[0], weights[1], sizeof weights[0]) == 0 && bias[0] == bias[1]);
  memcpy(indices, own_indices, sizeof indices);
  memcpy(classes, own_classes, sizeof classes);
  memcpy(offsets, own_offsets, sizeof offsets);
  halfspace_settings_free(settings);
}

/* The bits of a table are those of the file that is written of it; rows come back in their number. */
static void test_tables(const char* folder) {
  static int32_t codes[ROWS];
  static const char* const colours[] = {"red", "light, green"};
  static double gapped[ROWS];
  for (int i = 0; i < ROWS; ++i) {
    codes[i] = i % 3 - 1;
    gapped[i] = i % 5 == 0 ? NAN : values[(size_t)i * COLUMNS];
  }
  const halfspace_column columns[] = {
      {.name = "a", .use = HALFSPACE_NUMERIC, .values = gapped, .value_type = HALFSPACE_FLOAT64},
      {.name = "b", .use = HALFSPACE_NUMERIC, .values = narrow + 1, .value_type = HALFSPACE_FLOAT32, .stride = COLUMNS},
      {.name = "colour", .use = HALFSPACE_CATEGORICAL, .values = codes, .texts = colours, .texts_count = 2}};
  halfspace_rows* rows = halfspace_rows_table(columns, 3, ROWS, &labels, NULL, &error);
  EXPECT(rows != NULL && halfspace_rows_count(rows) == ROWS && halfspace_rows_columns(rows) == 3);
  EXPECT(strcmp(halfspace_rows_column_name(rows, 2), "colour") == 0 && halfspace_rows_column_name(rows, 3) == NULL);
  char path[4096];
  snprintf(path, sizeof path, "%s/table.csv", folder);
  EXPECT(halfspace_rows_write(rows, path, &error) == HALFSPACE_OK);
  halfspace_settings *memory = halfspace_settings_new("train", &error), *file = halfspace_settings_new("train", &error);
  EXPECT(halfspace_settings_add_path(file, path, &error) == HALFSPACE_OK);
  halfspace_model *of_memory = NULL, *of_file = NULL;
  EXPECT(halfspace_train(memory, rows, NULL, NULL, &of_memory, NULL, &error) == HALFSPACE_OK);
  EXPECT(halfspace_train(file, NULL, NULL, NULL, &of_file, NULL, &error) == HALFSPACE_OK);
  EXPECT(halfspace_model_features(of_memory) == halfspace_model_features(of_file));
  double weights[2][16], bias[2];
  EXPECT(halfspace_model_features(of_memory) <= 16);
  EXPECT(halfspace_model_weights(of_memory, weights[0], &bias[0], &error) == HALFSPACE_OK);
  EXPECT(halfspace_model_weights(of_file, weights[1], &bias[1], &error) == HALFSPACE_OK);
  EXPECT(memcmp(weights[0], weights[1], halfspace_model_features(of_memory) * sizeof(double)) == 0);
  EXPECT(bias[0] == bias[1]);
  static int32_t predicted[ROWS];
  halfspace_predictor* predictor = halfspace_predictor_new(of_file, &error);
  EXPECT(halfspace_predict(predictor, rows, predicted, NULL, NULL, &error) == HALFSPACE_OK);
  int right = 0;
  for (int i = 0; i < ROWS; ++i) right += predicted[i] == classes[i];
  EXPECT(right > ROWS / 2);
  codes[7] = 9;
  EXPECT(halfspace_predict(predictor, rows, predicted, NULL, NULL, &error) == HALFSPACE_DATA);
  EXPECT(strstr(error.message, "row 8, column 'colour'") != NULL);
  halfspace_error_clear(&error);
  EXPECT(halfspace_rows_arrow(NULL, &error) == NULL && error.kind == HALFSPACE_USAGE);
  halfspace_error_clear(&error);
  EXPECT(halfspace_rows_table(columns, 0, ROWS, NULL, NULL, &error) == NULL && error.kind == HALFSPACE_USAGE);
  halfspace_error_clear(&error);
  halfspace_predictor_free(predictor);
  halfspace_model_free(of_memory);
  halfspace_model_free(of_file);
  halfspace_settings_free(memory);
  halfspace_settings_free(file);
  halfspace_rows_free(rows);
}

/* Answers of late, reordered and missing losses: the same from a bandit that was encoded and decoded at every step. */
static void test_bandit(void) {
  enum { ARMS = 3, STEPS = 400 };
  const char* const options[] = {"algorithm", "exp3-ix", "rounds", "1000", "seed", "7", NULL};
  halfspace_settings* settings = settings_of("bandit", options);
  halfspace_bandit* bandit = halfspace_bandit_new(settings, ARMS, &error);
  halfspace_bandit* copy = halfspace_bandit_new(settings, ARMS, &error);
  EXPECT(bandit != NULL && copy != NULL);
  uint64_t waiting = 0;
  double told = 0;
  for (int i = 0; i < STEPS; ++i) {
    uint64_t ticket = 0, same_ticket = 0;
    uint32_t arm = 9, same_arm = 9;
    double p = 0, q = 0, of_arms[ARMS];
    EXPECT(halfspace_bandit_distribution(bandit, of_arms, &error) == HALFSPACE_OK);
    EXPECT(fabs(of_arms[0] + of_arms[1] + of_arms[2] - 1) < 1e-12);
    EXPECT(halfspace_bandit_ask(bandit, &ticket, &arm, &p, &error) == HALFSPACE_OK);
    EXPECT(halfspace_bandit_ask(copy, &same_ticket, &same_arm, &q, &error) == HALFSPACE_OK);
    EXPECT(ticket == (uint64_t)i + 1 && arm < ARMS && p == of_arms[arm]);
    EXPECT(ticket == same_ticket && arm == same_arm && p == q);
    if (i % 3 == 0) waiting = ticket; /* told two rounds later, or never */
    if (i % 3 != 0) {
      const uint64_t answered = i % 6 == 2 ? waiting : ticket;
      const double loss = arm == 1 ? 0.125 : 0.75;
      EXPECT(halfspace_bandit_tell(bandit, answered, loss, &error) == HALFSPACE_OK);
      EXPECT(halfspace_bandit_tell(copy, answered, loss, &error) == HALFSPACE_OK);
      told += loss;
    }
    size_t size = 0, other = 0;
    void *bytes = halfspace_bandit_encode(copy, &size, &error), *same = halfspace_bandit_encode(bandit, &other, &error);
    EXPECT(bytes != NULL && size == other && memcmp(bytes, same, size) == 0);
    halfspace_bandit_free(copy);
    copy = halfspace_bandit_decode(bytes, size, &error);
    EXPECT(copy != NULL);
    halfspace_free(bytes);
    halfspace_free(same);
  }
  double of_arms[ARMS];
  EXPECT(halfspace_bandit_distribution(bandit, of_arms, &error) == HALFSPACE_OK);
  EXPECT(of_arms[1] > of_arms[0] && of_arms[1] > of_arms[2]);

  char *described = halfspace_bandit_describe(bandit, &error), expected[200];
  EXPECT(strstr(described, "\"algorithm\":\"exp3-ix\",\"arms\":3,\"rounds\":1000,") != NULL);
  snprintf(expected, sizeof expected, "\"seed\":7,\"asks\":400,\"tells\":266,\"open\":134,\"loss\":%g,", told);
  EXPECT(strstr(described, expected) != NULL);
  EXPECT(strstr(described, "\"bound\":{\"value\":") != NULL && strstr(described, "Neu 2015, Theorem 1\"") != NULL);
  halfspace_free(described);

  /* Any byte that is changed, and any that is missing, is noticed. */
  size_t size = 0;
  unsigned char* bytes = halfspace_bandit_encode(bandit, &size, &error);
  for (size_t at = 0; at < size; ++at) {
    bytes[at] ^= 1;
    EXPECT(halfspace_bandit_decode(bytes, size, &error) == NULL && error.kind == HALFSPACE_DATA && error.fix != NULL);
    bytes[at] ^= 1;
    EXPECT(halfspace_bandit_decode(bytes, at, &error) == NULL && error.kind == HALFSPACE_DATA);
  }
  EXPECT(halfspace_bandit_decode(NULL, 0, &error) == NULL && error.kind == HALFSPACE_DATA);
  halfspace_error_clear(&error);
  halfspace_free(bytes);
  halfspace_bandit_free(bandit);
  halfspace_bandit_free(copy);
  halfspace_settings_free(settings);
}

static void test_errors_of_bandits(void) {
  halfspace_settings *settings = settings_of("bandit", NULL), *training = settings_of("train", NULL);
  EXPECT(halfspace_settings_set(settings, "algorithm", "exp4", &error) == HALFSPACE_USAGE);
  expect_error(HALFSPACE_USAGE, "exp4");
  EXPECT(halfspace_settings_set(settings, "algorithm", "all", &error) == HALFSPACE_USAGE);
  expect_error(HALFSPACE_USAGE, "all");
  EXPECT(halfspace_settings_add_path(settings, "losses.csv", &error) == HALFSPACE_USAGE);
  expect_error(HALFSPACE_USAGE, "read no file");
  EXPECT(halfspace_bandit_new(training, 2, &error) == NULL);
  expect_error(HALFSPACE_USAGE, "another kind");
  EXPECT(halfspace_bandit_new(settings, 0, &error) == NULL);
  expect_error(HALFSPACE_USAGE, "arms");
  halfspace_bandit* bandit = halfspace_bandit_new(settings, 2, &error);
  EXPECT(bandit != NULL);
  uint64_t ticket = 0;
  EXPECT(halfspace_bandit_tell(bandit, 1, 0.5, &error) == HALFSPACE_USAGE);
  expect_error(HALFSPACE_USAGE, "ticket 1 was never issued");
  EXPECT(halfspace_bandit_ask(bandit, NULL, NULL, NULL, &error) == HALFSPACE_USAGE);
  expect_error(HALFSPACE_USAGE, "ticket is null");
  EXPECT(halfspace_bandit_ask(bandit, &ticket, NULL, NULL, &error) == HALFSPACE_OK && ticket == 1);
  const double wrong[] = {-0.1, 1.1, NAN, INFINITY};
  for (int i = 0; i < 4; ++i) {
    EXPECT(halfspace_bandit_tell(bandit, 1, wrong[i], &error) == HALFSPACE_USAGE);
    expect_error(HALFSPACE_USAGE, "from 0 to 1");
  }
  EXPECT(halfspace_bandit_tell(bandit, 1, 1, &error) == HALFSPACE_OK);
  EXPECT(halfspace_bandit_tell(bandit, 1, 1, &error) == HALFSPACE_USAGE);
  expect_error(HALFSPACE_USAGE, "already has its loss");
  EXPECT(halfspace_bandit_distribution(NULL, NULL, &error) == HALFSPACE_USAGE);
  expect_error(HALFSPACE_USAGE, "bandit is null");
  halfspace_bandit_free(bandit);
  EXPECT(halfspace_settings_set(settings, "algorithm", "exp3", &error) == HALFSPACE_OK);
  EXPECT(halfspace_bandit_new(settings, 2, &error) == NULL);
  expect_error(HALFSPACE_USAGE, "needs the number of rounds");
  halfspace_bandit_free(NULL);
  halfspace_settings_free(settings);
  halfspace_settings_free(training);
}

/* The ledger, its JSON and its page; figures where they are asked for. */
static void test_words_of_a_run(void) {
  const char* const options[] = {"rule", "pa1", "passes", "3", "holdout", "0.2", NULL};
  halfspace_settings* settings = settings_of("train", options);
  const halfspace_dense array = dense();
  halfspace_rows* rows = halfspace_rows_dense(&array, &labels, column_names, NULL, &error);
  for (int figures = HALFSPACE_NO_FIGURES; figures <= HALFSPACE_ALL_FIGURES; ++figures) {
    const halfspace_watch watch = {.figures = figures};
    halfspace_model* model = NULL;
    halfspace_result* result = NULL;
    EXPECT(halfspace_train(settings, rows, NULL, &watch, &model, &result, &error) == HALFSPACE_OK);
    expect_text(halfspace_result_text(result, &error), "  data         5,000 rows, 3 features");
    expect_text(halfspace_result_text(result, &error), "  new rows     ");
    char* json = halfspace_result_json(result, &error);
    EXPECT(json != NULL && strstr(json, "{\"command\":\"train\",\"version\":") == json);
    EXPECT((strstr(json, "\"figures\":{") != NULL) == (figures != HALFSPACE_NO_FIGURES));
    EXPECT((strstr(json, "\"plane\":{") != NULL) == (figures == HALFSPACE_ALL_FIGURES));
    EXPECT((strstr(json, "\"notes\":[") != NULL) == (figures == HALFSPACE_ALL_FIGURES));
    expect_text(halfspace_page(json, &error), figures == HALFSPACE_NO_FIGURES ? "was not recorded" : "<figure");
    EXPECT(halfspace_result_certificate(result, &error) == NULL && error.kind == HALFSPACE_OK);
    halfspace_free(json);
    halfspace_result_free(result);
    halfspace_model_free(model);
  }
  halfspace_rows_free(rows);
  halfspace_settings_free(settings);

  EXPECT(halfspace_page("{", &error) == NULL);
  expect_error(HALFSPACE_DATA, "JSON");
  EXPECT(halfspace_page("{\"command\":\"predict\"}", &error) == NULL);
  expect_error(HALFSPACE_DATA, "no report");
  EXPECT(halfspace_result_text(NULL, &error) == NULL);
  expect_error(HALFSPACE_USAGE, "null");
  halfspace_result_free(NULL);
}

/* Rules on rows in memory by folds, and models on files. */
static void test_comparison(const char* folder) {
  char path[4096];
  const halfspace_dense array = dense();
  halfspace_rows* rows = halfspace_rows_dense(&array, &labels, column_names, NULL, &error);
  const char* const options[] = {"rules", "averaged,perceptron:updates=1", "folds", "4", NULL};
  halfspace_settings* settings = settings_of("compare", options);
  halfspace_result* found = halfspace_compare(settings, rows, NULL, NULL, 0, NULL, &error);
  expect_text(halfspace_result_json(found, &error), "\"significantly_better_than\":[\"perceptron:updates=1\"]");
  expect_text(halfspace_result_text(found, &error), "\n  best         averaged");
  char* json = halfspace_result_json(found, &error);
  expect_text(halfspace_page(json, &error), "Who beats whom");
  halfspace_free(json);
  halfspace_result_free(found);
  halfspace_settings_free(settings);

  /* The file's digest is not that of the rows, so the models are run on it. */
  halfspace_settings *training = settings_of("train", NULL), *plain = settings_of("compare", NULL);
  halfspace_model* model = NULL;
  EXPECT(halfspace_train(training, rows, NULL, NULL, &model, NULL, &error) == HALFSPACE_OK);
  const halfspace_model* const models[] = {model, model};
  const char* const names[] = {"one", "two"};
  snprintf(path, sizeof path, "%s/compare.csv", folder);
  EXPECT(halfspace_rows_write(rows, path, &error) == HALFSPACE_OK);
  EXPECT(halfspace_settings_add_path(plain, path, &error) == HALFSPACE_OK);
  found = halfspace_compare(plain, NULL, models, names, 2, NULL, &error);
  expect_text(halfspace_result_json(found, &error), "\"best\":\"one\",\"significantly_better_than\":[]");
  halfspace_result_free(found);
  EXPECT(halfspace_compare(plain, NULL, NULL, names, 2, NULL, &error) == NULL);
  expect_error(HALFSPACE_USAGE, "models is null");
  EXPECT(halfspace_compare(training, rows, NULL, NULL, 0, NULL, &error) == NULL);
  expect_error(HALFSPACE_USAGE, "another kind");
  halfspace_model_free(model);
  halfspace_settings_free(plain);
  halfspace_settings_free(training);
  halfspace_rows_free(rows);
}

/* Returns the result of an experiment on a file, or null. */
static halfspace_result* run(const char* what, const char* path, const char* const* options, halfspace_stop* stop) {
  halfspace_settings* settings = settings_of(what, options);
  const halfspace_watch watch = {.stop = stop, .figures = HALFSPACE_CURVES};
  if (path != NULL) EXPECT(halfspace_settings_add_path(settings, path, &error) == HALFSPACE_OK);
  halfspace_result* found = halfspace_run(settings, &watch, &error);
  halfspace_settings_free(settings);
  return found;
}

/* Experts and bandits on a table, and labs: JSON, text, page, status, errors, and an end by a stop. */
static void test_experiments(const char* folder) {
  char path[4096];
  snprintf(path, sizeof path, "%s/losses.csv", folder);
  FILE* file = fopen(path, "w");
  EXPECT(file != NULL && fputs("left,right\n0,1\n0.25,1\n0,0.5\n", file) >= 0 && fclose(file) == 0);

  const char *const losses[] = {"losses", "true", NULL}, *const repeated[] = {"repeat", "20", NULL};
  const char* const labs[][5] = {{"lab", "halving"}, {"lab", "single-point", "n", "100"}, {"lab", "plane", "n", "60"}};
  const struct {
    const char *what, *path, *const *options, *json, *text;
    int status;
  } cases[] = {
      {"experts", path, losses, "\"best\":{\"name\":\"left\",\"loss\":0.25}", "Follow left", 0},
      {"replay", path, repeated, "\"repeat\":{\"runs\":20", "  20 runs each, seeds 1 to 20", 0},
      {"lab", NULL, labs[0], "\"holds\":true", "The claim held in every row.", 0},
      {"lab", "xor", labs[2], "{\"command\":\"train\"", "four clouds", 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    halfspace_result* found = run(cases[i].what, cases[i].path, cases[i].options, NULL);
    char* json = halfspace_result_json(found, &error);
    EXPECT(json != NULL && strstr(json, cases[i].json) != NULL);
    expect_text(halfspace_page(json, &error), "<!DOCTYPE html>");
    expect_text(halfspace_result_text(found, &error), cases[i].text);
    EXPECT(halfspace_result_status(found) == cases[i].status);
    halfspace_free(json);
    halfspace_result_free(found);
  }
  const char* const unlucky[] = {"lab", "single-point", "n", "100", "seed", "421", NULL};
  halfspace_result* found = run("lab", NULL, unlucky, NULL);
  EXPECT(found != NULL && halfspace_result_status(found) == 1);
  expect_text(halfspace_result_text(found, &error), "THE CLAIM DID NOT HOLD.");
  halfspace_result_free(found);

  const char *const idle[] = {"losses", "true", "loss", "log", NULL}, *const small[] = {"lab", "minnow", "n", "3",
                                                                                        NULL};
  EXPECT(run("experts", path, idle, NULL) == NULL);
  expect_error(HALFSPACE_USAGE, "loss does nothing without outcome");
  EXPECT(run("experts", "/nowhere.csv", losses, NULL) == NULL);
  expect_error(HALFSPACE_NO_INPUT, "");
  EXPECT(run("experts", NULL, losses, NULL) == NULL);
  expect_error(HALFSPACE_USAGE, "no data given");
  EXPECT(run("lab", NULL, small, NULL) == NULL);
  expect_error(HALFSPACE_USAGE, "n 3 is too small for the claim");
  EXPECT(run("bandit", NULL, NULL, NULL) == NULL);
  expect_error(HALFSPACE_USAGE, "of no experiment");
  halfspace_settings* two = settings_of("replay", NULL);
  EXPECT(halfspace_settings_add_path(two, path, &error) == HALFSPACE_OK);
  EXPECT(halfspace_settings_add_path(two, path, &error) == HALFSPACE_USAGE);
  expect_error(HALFSPACE_USAGE, "read one file");
  halfspace_settings_free(two);
  EXPECT(halfspace_run(NULL, NULL, &error) == NULL);
  expect_error(HALFSPACE_USAGE, "settings is null");
  EXPECT(halfspace_result_status(NULL) == 0);

  halfspace_stop* stop = halfspace_stop_new(&error);
  halfspace_stop_set(stop);
  EXPECT(run("replay", path, repeated, stop) == NULL);
  EXPECT(error.kind == HALFSPACE_INTERRUPTED);
  halfspace_error_clear(&error);
  EXPECT(run("lab", NULL, labs[1], stop) == NULL);
  EXPECT(error.kind == HALFSPACE_INTERRUPTED);
  halfspace_error_clear(&error);
  halfspace_stop_free(stop);
}

/* Calls back at most ten times a second, with a share that grows. */
typedef struct seen {
  int calls, training;
  double share;
  uint64_t rounds;
} seen;
static void look(void* context, const halfspace_progress* now) {
  seen* so_far = (seen*)context;
  ++so_far->calls;
  if (strcmp(now->stage, "training") != 0) return;
  ++so_far->training;
  EXPECT(now->share >= so_far->share && now->share <= 1);
  EXPECT(now->rounds >= so_far->rounds && now->mistakes <= now->rounds);
  so_far->share = now->share;
  so_far->rounds = now->rounds;
}
static void test_progress(void) {
  const char* const options[] = {"rule", "perceptron", "order", "shuffled", "passes", "3000", NULL};
  halfspace_settings* settings = settings_of("train", options);
  const halfspace_dense array = dense();
  halfspace_rows* rows = halfspace_rows_dense(&array, &labels, NULL, NULL, &error);
  seen so_far = {0};
  const halfspace_watch watch = {.context = &so_far, .on_progress = look};
  halfspace_model* model = NULL;
  const time_t begin = time(NULL);
  EXPECT(halfspace_train(settings, rows, NULL, &watch, &model, NULL, &error) == HALFSPACE_OK);
  EXPECT(so_far.training > 0 && so_far.training == so_far.calls && so_far.share == 1);
  EXPECT(so_far.rounds == 3000u * ROWS);
  EXPECT(so_far.calls <= 10 * (time(NULL) - begin + 1) + 2);
  halfspace_model_free(model);
  halfspace_rows_free(rows);
  halfspace_settings_free(settings);
}

/* A job saved and loaded at every step, whose tasks are done twice and backwards. */
static void test_jobs(const char* folder) {
  char path[4096];
  snprintf(path, sizeof path, "%s/jobs.svm", folder);
  FILE* file = fopen(path, "w");
  for (int i = 0; i < ROWS; ++i)
    fprintf(file, "%d 1:%g 2:%g\n", classes[i], values[COLUMNS * i], values[COLUMNS * i + 1]);
  fclose(file);
  halfspace_settings* settings = halfspace_settings_new("train", &error);
  EXPECT(halfspace_settings_add_path(settings, path, &error) == 0);
  halfspace_job_order order = {.kind = "train", .shards = 8, .epochs = 2};
  halfspace_job* job = halfspace_job_new(&order, settings, &error);
  EXPECT(job != NULL);
  const halfspace_task* tasks = NULL;
  size_t open = 0, size = 0;
  int refused = 0;
  while (halfspace_job_tasks(job, &tasks, &open, &error) == 0 && open > 0) {
    void* shared = halfspace_job_shared(job, &size, &error);
    size_t shared_size = size, result_size = 0;
    for (size_t i = open; i-- > 0;) {
      void* result = halfspace_run_task(tasks[i].bytes, tasks[i].size, shared, shared_size, NULL, 0, &result_size, &error);
      EXPECT(result != NULL);
      refused += halfspace_job_take(job, tasks[i].number, result, result_size - 1, NULL, &error) != 0;
      halfspace_error_clear(&error);
      EXPECT(halfspace_job_take(job, tasks[i].number, result, result_size, NULL, &error) == 0);
      EXPECT(halfspace_job_take(job, tasks[i].number, result, result_size, NULL, &error) == 0);
      halfspace_free(result);
    }
    halfspace_free(shared);
    void* saved = halfspace_job_save(job, &size, &error);
    halfspace_job_free(job);
    job = halfspace_job_load(saved, size, &error);
    EXPECT(job != NULL);
    halfspace_free(saved);
  }
  EXPECT(refused > 8 && halfspace_job_epoch(job) == 2);
  char* json = halfspace_job_json(job, &error);
  EXPECT(json != NULL && strstr(json, "\"shards\":8") != NULL);
  halfspace_free(json);
  halfspace_model* model = halfspace_job_model(job, &error);
  EXPECT(model != NULL && halfspace_model_features(model) == 2);
  halfspace_model_free(model);
  order.shards = 12;
  EXPECT(halfspace_job_new(&order, settings, &error) == NULL && error.kind == HALFSPACE_USAGE);
  halfspace_error_clear(&error);
  halfspace_job_free(job);
  halfspace_settings_free(settings);
}

int main(int count, char** arguments) {
  if (count != 2) return 2;
  make_data();
  EXPECT(halfspace_c_version() >= HALFSPACE_C_VERSION && strlen(halfspace_version()) > 0);
  const char* const described[] = {"train",  "evaluate", "predict", "certify", "compare", "rules",
                                   "bandit", "bandits",  "experts", "replay",  "lab"};
  for (int i = 0; i < 11; ++i) {
    char* json = halfspace_describe(described[i], &error);
    EXPECT(json != NULL && json[0] == '[' && strstr(json, "\"name\":") != NULL);
    halfspace_free(json);
  }
  test_training(arguments[1]);
  test_trainer();
  test_added_features();
  test_certain_digits();
  test_prediction_sets();
  test_own_probabilities();
  test_rule_words();
  test_errors();
  test_proofs(arguments[1]);
  test_minimum(arguments[1]);
  test_separation();
  test_tables(arguments[1]);
  test_exchange();
  test_predict_files(arguments[1]);
  test_stop();
  test_bandit();
  test_errors_of_bandits();
  test_words_of_a_run();
  test_comparison(arguments[1]);
  test_experiments(arguments[1]);
  test_arrays_that_change();
  test_progress();
  test_jobs(arguments[1]);
  if (failures == 0) puts("ok");
  return failures != 0;
}
