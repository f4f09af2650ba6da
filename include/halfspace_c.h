/* Halfspace from C, and so from every language that calls C: learn linear classifiers online, predict, certify.
 *
 *   halfspace_error error = {0};
 *   halfspace_settings *settings = halfspace_settings_new("train", &error);
 *   halfspace_settings_add_path(settings, "credit.csv", &error);
 *   halfspace_settings_set(settings, "id", "applicant", &error);
 *   halfspace_model *model = NULL;
 *   if (halfspace_train(settings, NULL, NULL, NULL, &model, NULL, &error) != HALFSPACE_OK) puts(error.message);
 *   halfspace_model_save(model, "credit.model", &error);
 *
 * Options have the names and values of the command's flags, without dashes: halfspace_describe() lists them, and the
 * rules. A result is what the command prints: JSON (docs/formats/json.md), text, and a page of figures.
 *
 * Errors. A function that can fail takes a halfspace_error as its last argument, which may be null, and returns its kind
 * (HALFSPACE_OK is 0) or, where it returns an object, null. The error's texts belong to the caller until
 * halfspace_error_clear(); a call that succeeds leaves the error as it was. Nothing is thrown across this interface, and
 * nothing is printed. A failed call changes nothing but what its comment says.
 *
 * Ownership. An object belongs to the caller from its function `..._new`, `..._load` and so on to `..._free`, which takes
 * null, too. Texts and bytes that a function returns are freed by halfspace_free(). Arrays are borrowed: rows point into
 * them and copy nothing, so that they must stay as they are until halfspace_rows_free().
 *
 * Threads. Different objects may be used by different threads at once. A halfspace_model and halfspace_rows never change:
 * any number of threads may use one. Settings, a trainer, a predictor and a bandit are one thread's at a time.
 * halfspace_stop_set() may be called from any thread and from a signal handler. halfspace_train(),
 * halfspace_trainer_learn(), halfspace_predict(), halfspace_predict_files(), halfspace_evaluate(), halfspace_compare(),
 * halfspace_run(), halfspace_certify() and halfspace_verify() take long; reading uses threads of its own (option
 * "threads"), and callbacks are called on the calling thread.
 *
 * Versions. Functions and fields are added, never changed: a program that was compiled with HALFSPACE_C_VERSION n runs
 * with every library whose halfspace_c_version() is at least n. */
#ifndef HALFSPACE_C_H
#define HALFSPACE_C_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HALFSPACE_C_VERSION 1
uint32_t halfspace_c_version(void);
/* The version of the library, such as "0.1.0". Not to be freed. */
const char* halfspace_version(void);

/* ---- Errors ---- */

enum {
  HALFSPACE_OK = 0,
  HALFSPACE_USAGE = 2,         /* an option or an argument is invalid */
  HALFSPACE_DATA = 65,         /* the input is wrong: a row, a model, a certificate */
  HALFSPACE_NO_INPUT = 66,     /* the input is not there or may not be read */
  HALFSPACE_INTERNAL = 70,     /* a bug of the library */
  HALFSPACE_NO_MEMORY = 71,    /* memory ran out */
  HALFSPACE_INPUT_OUTPUT = 74, /* the machine failed: disk full, read error */
  HALFSPACE_INTERRUPTED = 130  /* a halfspace_stop was set before there was any result */
};

typedef struct halfspace_error {
  int32_t kind;    /* one of the above */
  uint64_t line;   /* of the file, from 1; 0: not about a line */
  uint64_t column; /* byte in the line, from 1; 0: not about a column */
  char* message;   /* what is wrong; null while there was no error */
  char* file;      /* null or the file */
  char* text;      /* null or the offending line */
  char* fix;       /* null or what to do about it */
} halfspace_error;

/* Frees the texts and sets all fields to 0. */
void halfspace_error_clear(halfspace_error* error);
/* Frees a text or bytes that a function returned. */
void halfspace_free(void* memory);

/* ---- Options ---- */

/* Returns JSON that describes, by name: "train", "evaluate", "predict", "explain", "certify", "compare", "bandit",
 * "experts", "replay" or "lab", the options of such settings; "rules", every rule with its parameters; "bandits", every bandit
 * algorithm. Null: no such name. */
char* halfspace_describe(const char* what, halfspace_error* error);

/* Options by name. `what`: "train", "evaluate", "predict", "explain", "certify" or "compare", as the commands of these
 * names; "bandit", for arms whose losses come one by one; "choose", for choosers; "experts", "replay" or "lab", for
 * halfspace_run(). */
typedef struct halfspace_settings halfspace_settings;
halfspace_settings* halfspace_settings_new(const char* what, halfspace_error* error);
void halfspace_settings_free(halfspace_settings* settings);
/* Sets an option: "true" for one without a value, texts with commas between them for one that takes several. */
int halfspace_settings_set(halfspace_settings* settings, const char* name, const char* value, halfspace_error* error);
/* Adds a file to read; several are read as one. Rows in memory need none. */
int halfspace_settings_add_path(halfspace_settings* settings, const char* path, halfspace_error* error);

/* ---- Rows in memory ---- */

enum { HALFSPACE_FLOAT64 = 0, HALFSPACE_FLOAT32 = 1 }; /* of values */
enum { HALFSPACE_INT32 = 0, HALFSPACE_INT64 = 1 };     /* of indices and offsets */

/* A matrix: value (i, j) is values[i * row_stride + j * column_stride], strides counted in values. */
typedef struct halfspace_dense {
  const void* values;
  int32_t value_type;
  uint64_t rows;
  uint32_t columns;
  int64_t row_stride, column_stride; /* both 0: columns, 1 */
} halfspace_dense;

/* A matrix in compressed sparse rows: row i is [offsets[i], offsets[i + 1]) of indices (columns from 0 on) and values. */
typedef struct halfspace_sparse {
  const void *values, *indices, *offsets;
  int32_t value_type, index_type, offset_type;
  uint64_t stored; /* length of values and indices */
  uint64_t rows;
  uint32_t columns;
} halfspace_sparse;

/* What each row has besides its values. */
typedef struct halfspace_labels {
  const int32_t* classes;   /* numbers into `names`; null: rows to predict for */
  const char* const* names; /* of the classes, UTF-8; copied */
  size_t names_count;
  const double* weights; /* from 0 to 1e100; null: all 1 */
  int32_t are_numbers;   /* not 0: of a model, a class is found by the number that its name is: 1 is 1.0 */
} halfspace_labels;

typedef struct halfspace_rows halfspace_rows;

/* Use of a column. HALFSPACE_INFERRED: numeric or categorical, as of the same texts in CSV. */
enum { HALFSPACE_NUMERIC = 0, HALFSPACE_CATEGORICAL = 1, HALFSPACE_DATE = 2, HALFSPACE_INFERRED = 3 };

/* A column of a table. NaN and the code -1 are missing values. */
typedef struct halfspace_column {
  const char* name; /* UTF-8; copied */
  int32_t use;
  const void* values;       /* numeric: doubles or floats; else int32_t, codes into `texts` */
  int32_t value_type;       /* numeric only */
  int64_t stride;           /* numeric only, in values; 0: 1 */
  const char* const* texts; /* categories, or dates such as 2026-11-22 or 2026-11-22 13:05:00, UTF-8; copied */
  size_t texts_count;
} halfspace_column;

/* `columns`: names, one a column, or null. `label`: the label's name, or null for "y". `labels` may be null. Values are
 * checked when they are read: what is not finite is HALFSPACE_DATA then, naming row and column. */
halfspace_rows* halfspace_rows_dense(const halfspace_dense* array, const halfspace_labels* labels,
                                     const char* const* columns, const char* label, halfspace_error* error);
halfspace_rows* halfspace_rows_sparse(const halfspace_sparse* array, const halfspace_labels* labels,
                                      halfspace_error* error);
/* A table with categories, dates and missing values, read as the CSV text that halfspace_rows_write() makes of it: what
 * its columns mean, and every bit of a result, are as for that file. */
halfspace_rows* halfspace_rows_table(const halfspace_column* columns, size_t columns_count, uint64_t rows,
                                     const halfspace_labels* labels, const char* label, halfspace_error* error);
/* Takes over an Arrow C stream (struct ArrowArrayStream*) and reads its batches in place. Numbers, decimals and booleans
 * are numeric; texts and dictionaries categorical; dates and timestamps dates; null is a missing value. */
halfspace_rows* halfspace_rows_arrow(void* stream, halfspace_error* error);
/* Sets the labels of a table, before the rows are used. */
int halfspace_rows_set_labels(halfspace_rows* rows, const halfspace_labels* labels, const char* label,
                              halfspace_error* error);
uint64_t halfspace_rows_count(const halfspace_rows* rows);
/* The number of columns; 0 where it is not fixed. The name of a table's column, valid while the rows are; null: none. */
uint32_t halfspace_rows_columns(const halfspace_rows* rows);
const char* halfspace_rows_column_name(const halfspace_rows* rows, uint32_t column);
void halfspace_rows_free(halfspace_rows* rows);

/* ---- Results ---- */

/* What a call found out. Never changes: any number of threads may use one. */
typedef struct halfspace_result halfspace_result;
void halfspace_result_free(halfspace_result* result);
/* Returns the JSON of the command with `--json`; with `--figures`, where halfspace_watch.figures asked for it. */
char* halfspace_result_json(const halfspace_result* result, halfspace_error* error);
/* Returns what the command prints for people: train its ledger, certify its verdict. No colours; options by name. */
char* halfspace_result_text(const halfspace_result* result, halfspace_error* error);
/* Returns the exit status of the command with this result: 0; 1 where a lab's claim did not hold. */
int halfspace_result_status(const halfspace_result* result);
/* Returns the certificate's text; null without an error where certify() proved nothing, and for calls that prove nothing. */
char* halfspace_result_certificate(const halfspace_result* result, halfspace_error* error);
/* Returns the page that `halfspace report` makes of a run's JSON: one HTML file that loads nothing else. All have
 * one but mixing and verifying. */
char* halfspace_page(const char* json, halfspace_error* error);

/* ---- Long calls ---- */

/* Ends what is under way, soon. */
typedef struct halfspace_stop halfspace_stop;
halfspace_stop* halfspace_stop_new(halfspace_error* error);
void halfspace_stop_free(halfspace_stop* stop);
void halfspace_stop_set(halfspace_stop* stop);

/* How far a call is. */
typedef struct halfspace_progress {
  const char* stage;     /* what is under way, such as "training"; valid during the callback */
  double share;          /* done, from 0 to 1; -1: not known */
  uint64_t rounds;       /* training: so far; evaluating: rows */
  uint64_t mistakes;     /* training: of these rounds, as the theorems count them */
  double lower, upper;   /* certifying: bounds on the largest margin; 0 while there are none */
  double errors, weight; /* training: the weight of the rows predicted wrong before learning, and of all so far */
} halfspace_progress;

/* The figures of a run's page. Curves are those of the ledger, the weights and the margins: about 0.2 microseconds a row,
 * however many passes there are. All are those of `--report`: also the bounds over time, the rows and the run in a plane,
 * and notes on the rows; they may take as long as training. Certifying records all, or none. */
enum { HALFSPACE_NO_FIGURES = 0, HALFSPACE_CURVES = 1, HALFSPACE_ALL_FIGURES = 2 };

/* Whom to call on the way, and what to record. Unused fields are 0. */
typedef struct halfspace_watch {
  void* context;                                                     /* given to the callbacks */
  void (*on_note)(void* context, const char* text, const char* fix); /* what was assumed, and how to change it */
  void (*on_progress)(void* context, const halfspace_progress* now); /* at most ten times a second, and at the end */
  halfspace_stop* stop;
  int32_t figures; /* what halfspace_page() is to draw */
} halfspace_watch;

/* ---- Training ---- */

typedef struct halfspace_model halfspace_model;

/* Trains as the command does with these options: on `rows`, or, where they are null, on the files of the settings.
 * `resume`: the model to go on with, or null. `watch` may be null, and so may `result`. A run that `watch->stop` ends
 * gives the model of the rounds so far. */
int halfspace_train(const halfspace_settings* settings, const halfspace_rows* rows, const halfspace_model* resume,
                    const halfspace_watch* watch, halfspace_model** model, halfspace_result** result,
                    halfspace_error* error);

/* Training on blocks of rows as they come: one pass, a model at any time. */
typedef struct halfspace_trainer halfspace_trainer;
/* `rows`: their labels and columns are the model's (they are not learned yet); may be null with `resume`. */
halfspace_trainer* halfspace_trainer_new(const halfspace_settings* settings, const halfspace_rows* rows,
                                         const halfspace_model* resume, halfspace_error* error);
/* A trainer without columns: halfspace_trainer_add_feature() adds them, before rows have them. Of `labels` only the names
 * are used. */
halfspace_trainer* halfspace_trainer_new_named(const halfspace_settings* settings, const halfspace_labels* labels,
                                               halfspace_error* error);
void halfspace_trainer_free(halfspace_trainer* trainer);
/* Adds a numeric column with this name, which must be new, behind the others; `feature`: null, or set to its number. */
int halfspace_trainer_add_feature(halfspace_trainer* trainer, const char* name, uint32_t* feature,
                                  halfspace_error* error);
/* Learns from all rows. An error in the middle leaves a trainer that has learned from the blocks of rows before. */
int halfspace_trainer_learn(halfspace_trainer* trainer, const halfspace_rows* rows, halfspace_error* error);
/* Learns from one row: distinct feature numbers in ascending order, finite values, the class as the model numbers it. */
int halfspace_trainer_learn_row(halfspace_trainer* trainer, size_t count, const uint32_t* features,
                                const double* values, int32_t class_number, double weight, halfspace_error* error);
/* Copies the model as it is now. */
halfspace_model* halfspace_trainer_model(const halfspace_trainer* trainer, halfspace_error* error);

/* ---- Models ---- */

halfspace_model* halfspace_model_load(const char* path, halfspace_error* error);
halfspace_model* halfspace_model_decode(const void* bytes, size_t size, halfspace_error* error);
void halfspace_model_free(halfspace_model* model);
/* Writes the file atomically. */
int halfspace_model_save(const halfspace_model* model, const char* path, halfspace_error* error);
/* Returns the bytes of the file, and how many. */
void* halfspace_model_encode(const halfspace_model* model, size_t* size, halfspace_error* error);
/* Returns JSON: composition, classes, format, features, feature_names, probabilities (whether it has them), link (what
 * scores become probabilities by: platt, clipped-platt, isotonic, temperature, logistic, softmax or null), ledger,
 * deviations (of the features over the training rows, or null), expected_error. */
char* halfspace_model_describe(const halfspace_model* model, halfspace_error* error);
/* How many classes (2 where there is one label) and features a model has; how many weight vectors: 1 of two classes, but 2
 * where the rule compares one a class (multiclass); else one a class. */
uint32_t halfspace_model_classes(const halfspace_model* model);
uint32_t halfspace_model_features(const halfspace_model* model);
uint32_t halfspace_model_vectors(const halfspace_model* model);
/* The class's name. Valid while the model is. Null: no such class. */
const char* halfspace_model_class_name(const halfspace_model* model, uint32_t class_number);
/* Copies the weights, vectors x features, and the biases, one a vector, as they act on the data's own values. */
int halfspace_model_weights(const halfspace_model* model, double* weights, double* biases, halfspace_error* error);
/* Writes how many significant decimal digits of each weight are certain, 0 to 17: the most k such that a value within
 * `radius` of the weight differs from it by at most half a unit of digit k. The radius of a vector of weights is in the
 * JSON of training with the option "objective", minimum.of_vector. A weight of 0 has no digits. */
int halfspace_certain_digits(const double* weights, size_t count, double radius, uint8_t* digits,
                             halfspace_error* error);

/* ---- Prediction ---- */

typedef struct halfspace_predictor halfspace_predictor;
/* Copies what it needs of the model. */
halfspace_predictor* halfspace_predictor_new(const halfspace_model* model, halfspace_error* error);
void halfspace_predictor_free(halfspace_predictor* predictor);
/* Predicts for all rows. Each output may be null: classes, one a row; scores, vectors a row; probabilities, classes a row,
 * of a model that is calibrated or minimized the log loss, else HALFSPACE_USAGE. Columns are matched to the model's by
 * name. */
int halfspace_predict(halfspace_predictor* predictor, const halfspace_rows* rows, int32_t* classes, double* scores,
                      double* probabilities, halfspace_error* error);
/* Does so for one row, as halfspace_trainer_learn_row() takes it. */
int halfspace_predict_row(halfspace_predictor* predictor, size_t count, const uint32_t* features, const double* values,
                          int32_t* class_number, double* score, double* probabilities, halfspace_error* error);
/* Writes all scores of one row: vectors of them. */
int halfspace_score_row(halfspace_predictor* predictor, size_t count, const uint32_t* features, const double* values,
                        double* scores, halfspace_error* error);

/* Prediction sets (see halfspace/detail/train/prediction_sets.h) of rows whose scores halfspace_predict() returned: writes 1 for
 * each class in a row's set and 0 for the others, classes a row. `coverage`: the probability with which a set has the true
 * class, above 0 and below 1; `each_class`: not 0 for sets with this probability for the rows of each class. A row with
 * NaN among its scores has no class. HALFSPACE_USAGE for a model that was not trained with the option "conformal". */
int halfspace_model_sets(const halfspace_model* model, double coverage, int32_t each_class, const double* scores,
                         uint64_t rows, uint8_t* sets, halfspace_error* error);

/* Evaluates as `halfspace evaluate` does: on `rows`, or on the files of the settings. */
halfspace_result* halfspace_evaluate(const halfspace_model* model, const halfspace_settings* settings,
                                     const halfspace_rows* rows, const halfspace_watch* watch, halfspace_error* error);

/* Explains one row as `halfspace explain` does, by settings "explain": of `rows`, whose row is given by its number, or of
 * the files of the settings. */
halfspace_result* halfspace_explain(const halfspace_model* model, const halfspace_settings* settings,
                                    const halfspace_rows* rows, const halfspace_watch* watch, halfspace_error* error);

/* ---- Comparisons ---- */

/* Compares as `halfspace compare` does: the rules and models of the settings ("compare"), on their files, one data set
 * each, or on `rows`, a single one. `models`: models_count more, with the names they are compared by; both may be null if
 * it is 0. A run that `watch->stop` ends after a data set has the result of those that were finished. */
halfspace_result* halfspace_compare(const halfspace_settings* settings, const halfspace_rows* rows,
                                    const halfspace_model* const* models, const char* const* names, size_t models_count,
                                    const halfspace_watch* watch, halfspace_error* error);

/* ---- Games and labs ---- */

/* Runs an experiment, as the command does with these options: "experts", `halfspace experts` on the one file of the
 * settings; "replay", `halfspace bandit` on it; "lab", `halfspace lab` with the lab of option "lab", and its data as a
 * file of the settings. The result's JSON is what `--save-run` writes, and its text what the command prints, to the
 * byte. An option that has no effect with the others is HALFSPACE_USAGE. A run that `watch->stop` ends is
 * HALFSPACE_INTERRUPTED; of the lab "all" it has the result of the labs before. */
halfspace_result* halfspace_run(const halfspace_settings* settings, const halfspace_watch* watch,
                                halfspace_error* error);

/* ---- Jobs: training, evaluation, prediction and proofs on several machines ---- */

/* A job is tasks, bytes in and bytes out, which anything with a map can do, anywhere and again; results come in any order.
 * The outcome has the same bits whoever does the tasks (docs/cluster.md; halfspace/jobs/job.h). Use a job from one thread at
 * a time. */
typedef struct halfspace_job halfspace_job;

typedef struct halfspace_job_order {
  const char*
      kind;       /* "train"; "evaluate" or "predict", with settings of "evaluate"; "certify" or "verify", with settings
                          of "certify" */
  uint32_t tasks; /* at most so many at once; 0: 16 */
  uint32_t shards;     /* of training: a power of two; 0: 64 */
  uint64_t epochs;     /* of training; 0: 1 */
  int32_t by_mistakes; /* of training: a shard counts as it made mistakes; 0: all alike */
  int32_t scores;      /* of prediction: the score that decides instead of the label */
  const void* model;   /* of evaluation and prediction: the bytes of a model file */
  size_t model_size;
  const char* certificate; /* of verification: its text */
} halfspace_job_order;

/* The paths of the settings are the data, which whoever does a task can read; without paths the rows are given to
 * halfspace_run_task(). */
halfspace_job* halfspace_job_new(const halfspace_job_order* order, const halfspace_settings* settings,
                                 halfspace_error* error);
/* Goes on with a job that halfspace_job_save() saved, there or elsewhere. */
halfspace_job* halfspace_job_load(const void* bytes, size_t size, halfspace_error* error);
void halfspace_job_free(halfspace_job* job);
void* halfspace_job_save(const halfspace_job* job, size_t* size, halfspace_error* error);

/* A task: [first, first + shards) are those whose rows it reads, or the number of its slice. `bytes` are valid until the
 * next call of halfspace_job_tasks() or until the job is freed. */
typedef struct halfspace_task {
  uint64_t number;
  uint32_t first, shards;
  const void* bytes;
  size_t size;
} halfspace_task;

/* Sets `tasks` to those of this step without a result, and `count` to their number; 0: the job is done. */
int halfspace_job_tasks(halfspace_job* job, const halfspace_task** tasks, size_t* count, halfspace_error* error);
/* Returns what the tasks of this step have in common, such as the weights. */
void* halfspace_job_shared(const halfspace_job* job, size_t* size, halfspace_error* error);
/* Takes the result of a task; the last one of a step of a certification may take as long as its search,
 * which `stop`, unless null, ends together with the job. Nothing happens where it has one already, or its step is over. An error of kind data: bytes
 * that are damaged, or of another task or job. */
int halfspace_job_take(halfspace_job* job, uint64_t task, const void* bytes, size_t size, halfspace_stop* stop,
                       halfspace_error* error);
uint64_t halfspace_job_epoch(const halfspace_job* job); /* finished */
/* Returns what whoever looked at the data first found odd about them: JSON, a list of {"text", "fix"}. */
char* halfspace_job_notes(const halfspace_job* job, halfspace_error* error);
/* Does a task of a step: returns its result, and how many bytes. `rows`: of a job without paths, those of its shards in
 * order: of all shards, null for those that the task does not read. Any number of threads. */
void* halfspace_run_task(const void* task, size_t task_size, const void* shared, size_t shared_size,
                         const halfspace_rows* const* rows, size_t rows_count, size_t* size, halfspace_error* error);
/* Frees the rows that this process keeps of the last job whose tasks it did, so that steps after the first do not read them
 * again: at most as many bytes as the job's option `memory` says. */
void halfspace_forget_rows(void);
/* Of a job that is done: the model of a training; the certificate of a certification, empty if the data were not read to
 * their end; JSON of a training (ledger, errors, bound), an evaluation (rows, errors, confusion), a certification or a
 * verification (as of `halfspace certify --json` and `verify --json`). */
halfspace_model* halfspace_job_model(const halfspace_job* job, halfspace_error* error);
char* halfspace_job_certificate(const halfspace_job* job, halfspace_error* error);
char* halfspace_job_json(const halfspace_job* job, halfspace_error* error);
/* Takes the lines of a prediction so far, one a row, in the order of the rows: after each step, or in the end. */
char* halfspace_job_take_lines(halfspace_job* job, halfspace_error* error);

/* ---- Prediction from files ---- */

/* Predictions for consecutive rows. The arrays are valid during the call. */
typedef struct halfspace_predictions {
  uint64_t rows;
  const int32_t* classes;      /* one a row; -1: a bad row, which the option "on-error" skips */
  const double* scores;        /* vectors a row; NaN of a bad row */
  const double* probabilities; /* classes a row, likewise; null unless they were asked for */
} halfspace_predictions;
typedef void halfspace_on_predictions(void* context, const halfspace_predictions* predictions);

/* Predicts for the rows of the settings' files ("predict"), with the bits of `halfspace predict`: calls on_predictions with
 * block after block, in the order of the rows, until the end or an error. Labels may be in the files; they are ignored.
 * `probabilities`: not 0 to ask for them, as in halfspace_predict(). `watch` may be null; a run that `watch->stop` ends is
 * HALFSPACE_INTERRUPTED. */
int halfspace_predict_files(halfspace_predictor* predictor, const halfspace_settings* settings, int32_t probabilities,
                            halfspace_on_predictions* on_predictions, void* context, const halfspace_watch* watch,
                            halfspace_error* error);

/* ---- Exchange ---- */

/* What turns scores into probabilities: nothing; the logistic function, of several classes of each score, divided by their
 * sum; the softmax of the scores, which of two classes is the logistic function. */
enum { HALFSPACE_SCORES_ONLY = 0, HALFSPACE_LOGISTIC = 1, HALFSPACE_SOFTMAX = 2 };

/* The weights of another program's linear classifier. Everything is copied. */
typedef struct halfspace_linear {
  const double* weights; /* vectors x features, finite: one vector of two classes, else one a class */
  const double* biases;  /* one a vector */
  uint32_t vectors, features;
  const char* const* classes; /* names, UTF-8; of two, scores are the second's */
  size_t classes_count;
  const char* const* columns; /* names of the features, or null */
  const char* label;          /* the name of the label's column, or null for "y" */
  int32_t sparse;             /* not 0: rows will be sparse, without names of columns; else dense */
  int32_t probabilities;      /* one of the above */
} halfspace_linear;

/* Makes a model that predicts by these weights: a score of exactly 0 is the first of two classes, and of several with the
 * highest score the first wins. It is a perceptron's before its first round: its ledger is empty, nothing bounds its error,
 * and it cannot be resumed. */
halfspace_model* halfspace_model_linear(const halfspace_linear* linear, halfspace_error* error);
/* Returns the bytes of the model as "onnx", "pmml", "sql" or "c" (docs/formats/export.md), and how many. What a format cannot
 * express is HALFSPACE_USAGE. */
void* halfspace_model_export(const halfspace_model* model, const char* format, size_t* size, halfspace_error* error);
/* Returns the model as a query (docs/formats/sql.md). Null is the default: of `dialect` "postgresql" (others are "sqlite",
 * "duckdb" and "mysql"), of `table` "data", of `view` a query alone, of `keep` the column of train --id. `plain`, not 0: a shorter query, whose scores
 * may differ in their last digits. */
char* halfspace_model_sql(const halfspace_model* model, const char* dialect, const char* table, const char* view,
                          const char* const* keep, size_t keep_count, int32_t plain, halfspace_error* error);
/* Returns the model as a C99 function of this name (docs/formats/export.md). */
char* halfspace_model_c_source(const halfspace_model* model, const char* function, halfspace_error* error);
/* Returns HALFSPACE_OK if scores are the weights and biases of halfspace_model_weights() on the values of a row; else
 * HALFSPACE_USAGE, with the reason: a vote, a kernel, rows that are normalised or rounded before. */
int halfspace_model_check_linear(const halfspace_model* model, halfspace_error* error);

/* ---- Proofs ---- */

/* Decides as `halfspace certify` does. Rows in memory are certified as the text that halfspace_rows_write() makes of
 * them: numbers are the shortest decimals that read back as the caller's. */
halfspace_result* halfspace_certify(const halfspace_settings* settings, const halfspace_rows* rows,
                                    const halfspace_watch* watch, halfspace_error* error);

/* Minimizes as halfspace_train() does with these settings, whose option "objective" is set, to the same weights, and
 * proves how near the minimum is as `halfspace train --certificate` does: the result has a certificate. Rows in memory are
 * certified as by halfspace_certify(); with weights they are HALFSPACE_USAGE. */
halfspace_result* halfspace_certify_minimum(const halfspace_settings* settings, const halfspace_rows* rows,
                                            const halfspace_watch* watch, halfspace_error* error);

/* Whether a hyperplane separates the classes: no; some rows, with the others on it; all rows. */
enum { HALFSPACE_OVERLAP = 0, HALFSPACE_QUASI_COMPLETE = 1, HALFSPACE_COMPLETE = 2 };
/* What maximum likelihood makes of a coefficient: finite; infinite, with this sign; undetermined, finite or infinite of
 * either sign; infinite or undetermined, which was not decided in time; not identified, since the columns before it
 * determine its own. */
enum {
  HALFSPACE_FINITE = 0,
  HALFSPACE_PLUS_INFINITE = 1,
  HALFSPACE_MINUS_INFINITE = 2,
  HALFSPACE_UNDETERMINED = 3,
  HALFSPACE_UNDECIDED_SIGN = 4,
  HALFSPACE_ALIASED = 5
};

typedef struct halfspace_coefficient {
  const char* name; /* of the feature; "(intercept)" comes first, unless the option "bias" is "none" */
  int32_t estimate; /* for the positive class */
} halfspace_coefficient;

typedef struct halfspace_separation {
  int32_t kind;
  uint64_t separated_rows; /* off the hyperplane */
  const uint64_t* rows;    /* from 1, off the hyperplane or on it, whichever are fewer; at most 1,000 */
  size_t rows_count;
  int32_t rows_are_separated; /* not 0: `rows` are off the hyperplane */
  const halfspace_coefficient* coefficients;
  size_t coefficients_count;
} halfspace_separation;

/* Returns what halfspace_certify() proved with the option "coefficients": `separation` of the result's JSON. Valid while
 * the result is. Null: the option was not set, or time ran out. */
const halfspace_separation* halfspace_result_separation(const halfspace_result* result);
/* Checks a certificate against files, as `halfspace verify` does: the result says whether it is valid. */
halfspace_result* halfspace_verify(const char* certificate, const char* const* paths, size_t paths_count,
                                   halfspace_error* error);
/* Writes rows as text in which every number reads back as the same double: CSV where columns have names, else LIBSVM. */
int halfspace_rows_write(const halfspace_rows* rows, const char* path, halfspace_error* error);

/* ---- Bandits ---- */

/* Chooses one of several arms again and again, and learns from the loss of the chosen arm alone. Feedback may come late,
 * out of order, or never. The arms drawn depend on the options, the seed, and the order of asks and feedback, on every
 * machine alike. One thread's at a time, also to encode it and to describe it. */
typedef struct halfspace_bandit halfspace_bandit;
/* `settings`: those of "bandit". `arms`: how many, numbered from 0. */
halfspace_bandit* halfspace_bandit_new(const halfspace_settings* settings, uint64_t arms, halfspace_error* error);
/* Continues the bandit that halfspace_bandit_encode() made bytes of, as if there had been no interruption. They may
 * also be the last snapshot of `halfspace bandit --live --state`, followed by the log's segments since then. Bytes
 * that are damaged, or not a bandit's, are HALFSPACE_DATA. */
halfspace_bandit* halfspace_bandit_decode(const void* bytes, size_t size, halfspace_error* error);
void halfspace_bandit_free(halfspace_bandit* bandit);
/* Draws an arm. `ticket`: 1, 2, 3 ..., to report the loss with. `arm` and `probability` (with which it was drawn) may be
 * null. */
int halfspace_bandit_ask(halfspace_bandit* bandit, uint64_t* ticket, uint32_t* arm, double* probability,
                         halfspace_error* error);
/* Reports the loss of a ticket, from 0 to 1, once. */
int halfspace_bandit_tell(halfspace_bandit* bandit, uint64_t ticket, double loss, halfspace_error* error);
/* Copies the probabilities of the next draw, one an arm. */
int halfspace_bandit_distribution(halfspace_bandit* bandit, double* probabilities, halfspace_error* error);
/* Returns JSON: algorithm, arms, rounds (0: no horizon), delta, seed, asks, tells, open (asks without a loss), loss (the
 * sum of the reported), bound (on the regret of the asks so far if every loss was reported before the next ask: value,
 * theorem, bounds; null before the first ask and beyond the horizon). */
char* halfspace_bandit_describe(const halfspace_bandit* bandit, halfspace_error* error);
/* Returns the whole state as bytes, and how many: the file "begin.bandit" with which a folder of `halfspace bandit
 * --live --state` may begin. */
void* halfspace_bandit_encode(const halfspace_bandit* bandit, size_t* size, halfspace_error* error);

/* ---- Choosers ---- */

/* A contextual bandit whose state is the log in a folder, as that of `halfspace choose`: what was answered survives a
 * crash. One process has a folder open. One thread's at a time. */
typedef struct halfspace_chooser halfspace_chooser;
/* Opens the log in the folder, or begins one. `settings`: those of "choose"; null, or without an option: the log's own,
 * which must be there if null. Others than those that the log began with are HALFSPACE_USAGE. */
halfspace_chooser* halfspace_chooser_open(const char* folder, const halfspace_settings* settings,
                                          halfspace_error* error);
void halfspace_chooser_free(halfspace_chooser* chooser);
/* Answers a request of the service (docs/choose.md): method "POST", path "/rank", body as there, for example. Returns the
 * answer's body and its status, 200 to 299 if it was done; free it with halfspace_free(). Changes are durable when it
 * returns. `body` and `status` may be null. Waits for rewards that are over end first. */
char* halfspace_chooser_ask(halfspace_chooser* chooser, const char* method, const char* path, const char* body,
                            int* status, halfspace_error* error);

#ifdef __cplusplus
}
#endif
#endif
