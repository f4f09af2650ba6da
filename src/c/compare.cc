// Comparisons of rules and models.
#include "halfspace/train/compare.h"

#include <memory>
#include <thread>

#include "c/handles.h"
#include "c/progress.h"
#include "halfspace/model/model_file.h"
#include "report/results/comparison_text.h"

using namespace halfspace;
using namespace halfspace::c;

extern "C" {

halfspace_result* halfspace_compare(const halfspace_settings* settings, const halfspace_rows* rows,
                                    const halfspace_model* const* models, const char* const* names, size_t models_count,
                                    const halfspace_watch* watch, halfspace_error* error) {
  return made(error, [&] {
    CompareSettings own = settings_of<CompareSettings>(settings, "compare");
    attend(own.common.data.read, rows, watch);
    own.common.interrupt = own.common.data.read.interrupt;
    std::vector<NamedModel> named;
    for (const std::string& path : own.models)
      named.push_back({path, std::make_shared<const Model>(load_model(path, own.common.interrupt))});
    for (size_t i = 0; i < models_count; ++i) {
      const Model& model = checked((&checked(models, "models"))[i], "a model").model;
      named.push_back({&checked((&checked(names, "names"))[i], "a name"), std::make_shared<const Model>(model)});
    }
    CompareOptions options = compare_options(own, named);
    Progress progress(watch);
    // This thread takes part in the work: it reports often enough.
    options.on_progress = [&, caller = std::this_thread::get_id()](const CompareProgress& now) {
      if (std::this_thread::get_id() == caller) progress.report({"comparing", now.share});
    };
    const Comparison found = compare(options);
    progress.finish({"comparing", 1});
    auto result = std::make_unique<halfspace_result>();
    result->json = run_json("compare");
    result->json.update(halfspace::report::comparison_json(found));
    result->text = halfspace::report::comparison_text(found);
    return result.release();
  });
}

}  // extern "C"
