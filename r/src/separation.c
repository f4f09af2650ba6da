/* .Call onto the C interface of halfspace. Objects of the library are freed before an error leaves for R. */
#define R_NO_REMAP
#include <R.h>
#include <R_ext/Rdynload.h>
#include <R_ext/Utils.h>
#include <Rinternals.h>
#include <halfspace_c.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static const char* const class_names[] = {"0", "1"};

/* Copies the error into memory of R, frees the library's, and raises it. */
static void NORET raise_error(halfspace_error* error) {
  char text[2000];
  snprintf(text, sizeof text, "%s%s%s", error->message ? error->message : "an error", error->fix ? "; " : "",
           error->fix ? error->fix : "");
  halfspace_error_clear(error);
  Rf_error("%s", text);
}

/* Returns rows that borrow the matrix and the classes. */
static halfspace_rows* rows_of(SEXP x, SEXP classes, SEXP names, halfspace_error* error) {
  const int* const size = INTEGER(Rf_getAttrib(x, R_DimSymbol));
  const char** const columns = (const char**)R_alloc(size[1], sizeof *columns);
  for (int j = 0; j < size[1]; ++j) columns[j] = Rf_translateCharUTF8(STRING_ELT(names, j));
  const halfspace_dense array = {.values = REAL(x),
                                 .value_type = HALFSPACE_FLOAT64,
                                 .rows = (uint64_t)size[0],
                                 .columns = (uint32_t)size[1],
                                 .row_stride = 1,
                                 .column_stride = size[0]};
  const halfspace_labels labels = {INTEGER(classes), class_names, 2, NULL, 0};
  const char* label = "y";
  char free_name[32];
  for (int k = 0, j = 0; j < size[1];) {
    if (strcmp(columns[j], label) != 0) {
      ++j;
      continue;
    }
    snprintf(free_name, sizeof free_name, "y.%d", ++k);
    label = free_name;
    j = 0;
  }
  return halfspace_rows_dense(&array, &labels, columns, label, error);
}

static int set(halfspace_settings* settings, const char* name, const char* value, halfspace_error* error) {
  return halfspace_settings_set(settings, name, value, error) == HALFSPACE_OK;
}

static halfspace_settings* settings_of(double seconds, halfspace_error* error) {
  char limit[40];
  snprintf(limit, sizeof limit, "%.9f", seconds);
  halfspace_settings* const settings = halfspace_settings_new("certify", error);
  if (settings == NULL) return NULL;
  if (set(settings, "coefficients", "true", error) && set(settings, "bias", "none", error) &&
      set(settings, "positive", "1", error) && set(settings, "extra-seconds", "0", error) &&
      (seconds <= 0 || set(settings, "seconds", limit, error)))
    return settings;
  halfspace_settings_free(settings);
  return NULL;
}

/* A call of the library on a thread of its own, while R's thread waits and looks for interrupts. */
typedef struct call {
  const halfspace_settings* settings;
  const halfspace_rows* rows;
  halfspace_stop* stop;
  halfspace_error* error;
  halfspace_result* result;
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  int done;
} call;

static void* run(void* argument) {
  call* const own = argument;
  const halfspace_watch watch = {.stop = own->stop};
  own->result = halfspace_certify(own->settings, own->rows, &watch, own->error);
  pthread_mutex_lock(&own->mutex);
  own->done = 1;
  pthread_cond_signal(&own->changed);
  pthread_mutex_unlock(&own->mutex);
  return NULL;
}

/* Waits a twentieth of a second at most. Returns whether the call has returned. */
static int wait_for(call* own) {
  struct timespec until;
  timespec_get(&until, TIME_UTC);
  until.tv_nsec += 50000000;
  until.tv_sec += until.tv_nsec / 1000000000;
  until.tv_nsec %= 1000000000;
  pthread_mutex_lock(&own->mutex);
  if (!own->done) pthread_cond_timedwait(&own->changed, &own->mutex, &until);
  const int done = own->done;
  pthread_mutex_unlock(&own->mutex);
  return done;
}

static void look(void* unused) { R_CheckUserInterrupt(); }

/* Runs the call. Returns 0 if the user interrupted it. */
static int finish(call* own) {
  pthread_t thread;
  int wanted = 1;
  if (pthread_create(&thread, NULL, run, own) != 0) {
    run(own);
    return wanted;
  }
  while (!wait_for(own)) {
    if (R_ToplevelExec(look, NULL)) continue;
    wanted = 0;
    halfspace_stop_set(own->stop);
  }
  pthread_join(thread, NULL);
  return wanted;
}

/* Returns null with an error, or with none if the user interrupted the call. */
static halfspace_result* certify(const halfspace_rows* rows, double seconds, halfspace_error* error) {
  halfspace_settings* const settings = settings_of(seconds, error);
  if (settings == NULL) return NULL;
  call own = {.settings = settings, .rows = rows, .stop = halfspace_stop_new(error), .error = error};
  if (own.stop != NULL) {
    pthread_mutex_init(&own.mutex, NULL);
    pthread_cond_init(&own.changed, NULL);
    if (!finish(&own)) {
      halfspace_error_clear(error);
      halfspace_result_free(own.result);
      own.result = NULL;
    }
    pthread_cond_destroy(&own.changed);
    pthread_mutex_destroy(&own.mutex);
  }
  halfspace_stop_free(own.stop);
  halfspace_settings_free(settings);
  return own.result;
}

/* Frees what an R object points to: a result outlives errors of R's allocator. */
static void free_result(SEXP pointer) {
  halfspace_result_free(R_ExternalPtrAddr(pointer));
  R_ClearExternalPtr(pointer);
}

static SEXP text_of(char* text) {
  SEXP copy = PROTECT(text == NULL ? R_NilValue : Rf_ScalarString(Rf_mkCharCE(text, CE_UTF8)));
  halfspace_free(text);
  UNPROTECT(1);
  return copy;
}

/* Copies a JSON string, which begins at the quote, to `to` unless that is null. Returns its end, behind the quote. */
static const char* copy_string(const char* at, char* to) {
  static const char escapes[] = "bfnrt", meant[] = "\b\f\n\r\t";
  for (++at; *at != '"' && *at != '\0'; ++at) {
    char c = *at;
    if (c == '\\') {
      const char* const escape = strchr(escapes, c = *++at);
      if (c == '\0') break;
      if (c == 'u') { /* the library writes all but control characters as they are */
        c = '?';
        for (int k = 0; k < 4 && at[1] != '"' && at[1] != '\0'; ++k) ++at;
      } else if (escape != NULL) {
        c = meant[escape - escapes];
      }
    }
    if (to != NULL) *to++ = c;
  }
  if (to != NULL) *to = '\0';
  return *at == '"' ? at + 1 : at;
}

/* Returns the notes on columns that rounding alone tells apart, which the JSON has. */
static SEXP notes_of(const halfspace_result* result) {
  SEXP json = PROTECT(text_of(halfspace_result_json(result, NULL)));
  const char* at = json == R_NilValue ? NULL : strstr(CHAR(STRING_ELT(json, 0)), "\"separation\":");
  at = at == NULL ? NULL : strstr(at, "\"notes\":[");
  at = at == NULL ? "" : strchr(at, '[') + 1;
  R_xlen_t count = 0;
  const char* end = at;
  for (; *end == '"' || *end == ','; ++count) end = copy_string(end + (*end == ','), NULL);
  SEXP notes = PROTECT(Rf_allocVector(STRSXP, count));
  char* const text = R_alloc((size_t)(end - at) + 1, 1);
  for (R_xlen_t k = 0; k < count; ++k) {
    at = copy_string(at + (*at == ','), text);
    SET_STRING_ELT(notes, k, Rf_mkCharCE(text, CE_UTF8));
  }
  UNPROTECT(2);
  return notes;
}

static SEXP list_of(const halfspace_result* result, const halfspace_separation* found) {
  const char* fields[] = {"kind",  "estimates", "separated_rows", "rows", "rows_are_separated", "certificate",
                          "notes", ""};
  SEXP list = PROTECT(Rf_mkNamed(VECSXP, fields));
  SET_VECTOR_ELT(list, 0, Rf_ScalarInteger(found->kind));
  SEXP estimates = Rf_allocVector(INTSXP, (R_xlen_t)found->coefficients_count);
  SET_VECTOR_ELT(list, 1, estimates);
  for (size_t j = 0; j < found->coefficients_count; ++j) INTEGER(estimates)[j] = found->coefficients[j].estimate;
  SET_VECTOR_ELT(list, 2, Rf_ScalarReal((double)found->separated_rows));
  SEXP rows = Rf_allocVector(REALSXP, (R_xlen_t)found->rows_count);
  SET_VECTOR_ELT(list, 3, rows);
  for (size_t i = 0; i < found->rows_count; ++i) REAL(rows)[i] = (double)found->rows[i];
  SET_VECTOR_ELT(list, 4, Rf_ScalarLogical(found->rows_are_separated));
  SET_VECTOR_ELT(list, 5, text_of(halfspace_result_certificate(result, NULL)));
  SET_VECTOR_ELT(list, 6, notes_of(result));
  UNPROTECT(1);
  return list;
}

/* Returns what is known of the coefficients: a list; null where time ran out. */
static SEXP separation(SEXP x, SEXP classes, SEXP names, SEXP seconds) {
  halfspace_error error = {0};
  halfspace_rows* rows = rows_of(x, classes, names, &error);
  if (rows == NULL) raise_error(&error);
  halfspace_result* result = certify(rows, Rf_asReal(seconds), &error);
  halfspace_rows_free(rows);
  if (result == NULL && error.kind == HALFSPACE_OK) Rf_error("interrupted");
  if (result == NULL) raise_error(&error);
  SEXP kept = PROTECT(R_MakeExternalPtr(result, R_NilValue, R_NilValue));
  R_RegisterCFinalizerEx(kept, free_result, TRUE);
  const halfspace_separation* found = halfspace_result_separation(result);
  SEXP list = PROTECT(found == NULL ? R_NilValue : list_of(result, found));
  free_result(kept);
  UNPROTECT(2);
  return list;
}

/* Writes the rows as the text that the certificate is about. */
static SEXP write_rows(SEXP x, SEXP classes, SEXP names, SEXP path) {
  halfspace_error error = {0};
  halfspace_rows* rows = rows_of(x, classes, names, &error);
  if (rows == NULL) raise_error(&error);
  const int failed = halfspace_rows_write(rows, Rf_translateChar(STRING_ELT(path, 0)), &error);
  halfspace_rows_free(rows);
  if (failed) raise_error(&error);
  return R_NilValue;
}

/* Returns whether a certificate is valid for a file, with the verifier's text. */
static SEXP verify(SEXP certificate, SEXP path) {
  halfspace_error error = {0};
  const char* const paths[] = {Rf_translateChar(STRING_ELT(path, 0))};
  halfspace_result* result = halfspace_verify(Rf_translateCharUTF8(STRING_ELT(certificate, 0)), paths, 1, &error);
  if (result == NULL) raise_error(&error);
  char* json = halfspace_result_json(result, NULL);
  const int valid = json != NULL && strstr(json, "\"valid\":true") != NULL;
  halfspace_free(json);
  SEXP kept = PROTECT(R_MakeExternalPtr(result, R_NilValue, R_NilValue));
  R_RegisterCFinalizerEx(kept, free_result, TRUE);
  SEXP answer = PROTECT(Rf_allocVector(LGLSXP, 1)); /* its own: R shares its TRUE, which takes no attributes */
  LOGICAL(answer)[0] = valid;
  Rf_setAttrib(answer, Rf_install("text"), text_of(halfspace_result_text(result, NULL)));
  free_result(kept);
  UNPROTECT(2);
  return answer;
}

static const R_CallMethodDef calls[] = {{"separation", (DL_FUNC)&separation, 4},
                                        {"write_rows", (DL_FUNC)&write_rows, 4},
                                        {"verify", (DL_FUNC)&verify, 2},
                                        {NULL, NULL, 0}};

void R_init_halfspace(DllInfo* library) {
  R_registerRoutines(library, NULL, calls, NULL, NULL);
  R_useDynamicSymbols(library, FALSE);
  R_forceSymbols(library, TRUE);
}
