// Formats options as JSON.
#include "report/results/option_json.h"

#include "halfspace/base/error.h"

namespace halfspace::report {

Json option_json(const Option& option) {
  Json j = {{"name", option.name},
            {"help", utf8(render_options(option.help))},
            {"placeholder", option.placeholder},
            {"takes_value", option.takes_value()},
            {"number", option.number()},
            {"repeats", option.repeats()},
            {"takes", option.takes_words()},
            {"default", option.usual.empty() ? Json(nullptr) : Json(option.usual)}};
  j["choices"] = Json::array();
  for (const OptionChoice& choice : option.takes.choices) j["choices"].push_back(choice.name);
  return j;
}

}  // namespace halfspace::report
