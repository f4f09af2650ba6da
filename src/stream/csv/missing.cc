// Names of missing values: as they were given, and as they are looked up.
#include "stream/csv/missing.h"

#include <algorithm>
#include <utility>

#include "base/utf8.h"
#include "halfspace/base/error.h"
#include "stream/parser.h"
#include "stream/source/raw_file.h"
#include "stream/text/text.h"

namespace halfspace::stream {

MissingNames::MissingNames(std::vector<std::string> names) : names_(std::move(names)) {
  for (const std::string& name : names_) {
    longest_ = std::max(longest_, name.size());
    (name.size() == 1 ? alone_ : begins_)[static_cast<unsigned char>(name.front())] = true;
    double ignored = 0;
    any_number_ = any_number_ || parse_number(name, ignored) == NumberProblem::none;
  }
}

bool MissingNames::named(std::string_view text) const {
  return std::find(names_.begin(), names_.end(), text) != names_.end();
}

namespace {

// The names in the order and spelling of a schema.
std::vector<std::string> canonical_missing(std::vector<std::string> given) {
  for (std::string& name : given) {
    if (!valid_utf8(name)) {
      throw Error(ErrorKind::usage, option("missing") + ": " + quote(name) + " is not valid UTF-8")
          .fix("text is read as UTF-8");
    }
    const std::size_t begin = std::min(name.find_first_not_of(" \t"), name.size());
    name = name.substr(begin, name.find_last_not_of(" \t") + 1 - begin);
  }
  std::erase(given, "");
  std::sort(given.begin(), given.end());
  given.erase(std::unique(given.begin(), given.end()), given.end());
  return given;
}

}  // namespace

void learn_missing(const ReadOptions& options, Schema& schema) {
  if (!options.missing) return;
  std::vector<std::string> given = canonical_missing(*options.missing);
  if (options.schema != nullptr && given != schema.missing) {
    throw Error(ErrorKind::usage, "the model has its own texts for missing values")
        .at(shown_name(options.path))
        .fix("leave out " + option("missing"));
  }
  schema.missing = std::move(given);
}

MissingNames missing_labels(const Schema& schema) {
  std::vector<std::string> names = schema.missing;
  if (names == usual_missing()) std::erase(names, "-");
  std::erase_if(names, [&](const std::string& name) {
    return std::find(schema.labels.names.begin(), schema.labels.names.end(), name) != schema.labels.names.end();
  });
  return MissingNames(std::move(names));
}

}  // namespace halfspace::stream
