// Choosers in the caller's process: the requests of the service, without HTTP.
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/log/event_log.h"
#include "c/handles.h"
#include "halfspace/bandits/chooser_settings.h"
#include "service/choice_answers.h"

using namespace halfspace;
using namespace halfspace::c;

struct halfspace_chooser {
  std::unique_ptr<halfspace::log::Storage> storage;
  halfspace::service::DurableChooser chooser;
  halfspace::service::ChoosingAnswers answers;

  halfspace_chooser(std::unique_ptr<halfspace::log::Storage> folder, const halfspace::ChooserSettings* settings)
      : storage(std::move(folder)), chooser(*storage, settings, {}), answers(chooser, {}) {}
};

extern "C" {

halfspace_chooser* halfspace_chooser_open(const char* folder, const halfspace_settings* settings,
                                          halfspace_error* error) {
  return made(error, [&] {
    std::unique_ptr<log::Storage> storage = log::open_folder(&checked(folder, "folder"));
    const ChooserSettings* given = nullptr;
    if (settings != nullptr) {
      refuse_useless(settings->given);
      given = &settings_of<ChooserSettings>(settings, "choose");
      if (settings->given.empty() && log::EventLog::begun(*storage, service::ChooserState::begin_name)) given = nullptr;
    }
    return new halfspace_chooser(std::move(storage), given);
  });
}

void halfspace_chooser_free(halfspace_chooser* chooser) {
  if (chooser == nullptr) return;
  try {
    if (chooser->chooser.writable()) chooser->chooser.snapshot();
  } catch (...) {  // the log has everything
  }
  delete chooser;
}

char* halfspace_chooser_ask(halfspace_chooser* chooser, const char* method, const char* path, const char* body,
                            int* status, halfspace_error* error) {
  return made(error, [&] {
    halfspace_chooser& own = checked(chooser, "chooser");
    const std::vector<service::Request> group{
        {&checked(method, "method"), &checked(path, "path"), {}, body == nullptr ? "" : body}};
    const std::uint64_t now = milliseconds_since_1970();
    while (own.answers.expire(now)) {
    }
    std::optional<service::Answer> answer = service::ChoosingAnswers::refuse(group[0]);
    if (!answer) answer = own.answers.answer(group, now)[0];
    if (status != nullptr) *status = answer->status;
    return copied(answer->text());
  });
}

}  // extern "C"
