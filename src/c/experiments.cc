// Games with experts and bandits on a table, and labs.
#include <memory>
#include <string>
#include <type_traits>
#include <variant>

#include "c/handles.h"
#include "halfspace/base/error.h"
#include "lab/experiment.h"

using namespace halfspace;
using namespace halfspace::c;

namespace {

// The texts are the command's, which name options as flags.
std::string written_as_flag(std::string_view name, std::string_view value) {
  return "--" + std::string(name) + (value.empty() ? "" : " ") + std::string(value);
}

template <class Settings>
halfspace_result* run_watched(Settings settings, const halfspace_watch* watch) {
  ReadOptions read;
  attend(read, nullptr, watch);
  settings.style.options = written_as_flag;
  settings.figures = watch != nullptr && watch->figures != HALFSPACE_NO_FIGURES;
  settings.interrupt = read.interrupt;
  settings.on_note = read.on_note;
  try {
    const std::unique_ptr<lab::Experiment> found = run(settings);
    found->check();
    auto result = std::make_unique<halfspace_result>();
    result->json = found->page(run_json(Settings::command));
    result->text = found->text();
    result->holds = found->holds();
    return result.release();
  } catch (const Error& error) {
    if (settings.interrupt == nullptr || !*settings.interrupt || error.kind() != ErrorKind::input_output) throw;
    throw Interrupted(error.file());
  }
}

}  // namespace

extern "C" {

halfspace_result* halfspace_run(const halfspace_settings* settings, const halfspace_watch* watch,
                                halfspace_error* error) {
  return made(error, [&] {
    refuse_useless(checked(settings, "settings").given);
    return std::visit(
        [&](const auto& values) -> halfspace_result* {
          if constexpr (std::is_base_of_v<lab::Conduct, std::decay_t<decltype(values)>>) {
            return run_watched(values, watch);
          } else {
            throw Error(ErrorKind::usage, "these settings are of no experiment")
                .fix("make them with \"experts\", \"replay\" or \"lab\"");
          }
        },
        settings->values);
  });
}

int halfspace_result_status(const halfspace_result* result) { return result == nullptr || result->holds ? 0 : 1; }

}  // extern "C"
