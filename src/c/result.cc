// Results: JSON, text, certificate; and the page of a run.
#include "base/version.h"
#include "c/handles.h"
#include "report/pages/page.h"

namespace halfspace::c {

Json run_json(const char* command) { return {{"command", command}, {"version", kVersion}}; }

}  // namespace halfspace::c

using namespace halfspace;
using namespace halfspace::c;

extern "C" {

void halfspace_result_free(halfspace_result* result) { delete result; }

char* halfspace_result_json(const halfspace_result* result, halfspace_error* error) {
  return made(error, [&] {
    return copied(checked(result, "result").json.dump(-1, ' ', false, Json::error_handler_t::replace));
  });
}

char* halfspace_result_text(const halfspace_result* result, halfspace_error* error) {
  return made(error, [&] { return copied(checked(result, "result").text); });
}

char* halfspace_result_certificate(const halfspace_result* result, halfspace_error* error) {
  return made(error, [&]() -> char* {
    const auto& certificate = checked(result, "result").certificate;
    return certificate ? copied(proof::encode_certificate(*certificate)) : nullptr;
  });
}

char* halfspace_page(const char* json, halfspace_error* error) {
  return made(error, [&] {
    return copied(halfspace::report::page(halfspace::report::parse_run(&checked(json, "json"), "the JSON")));
  });
}

}  // extern "C"
