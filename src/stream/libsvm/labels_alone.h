// Labels without a feature are hardly LIBSVM. Thread-safety: a pure function.
#pragma once

#include <string>
#include <string_view>

#include "halfspace/stream/schema.h"

namespace halfspace::stream {

// Throws Error(data) if the rows of LIBSVM are labels alone: text, or a table of one column. `known`: the model's
// labels, which all of them may be; null: there is no model.
void refuse_labels_alone(const std::string& file, std::string_view text, const Labels* known);

}  // namespace halfspace::stream
