// Texts of missing values: as given, and as a lookup table.
#include "stream/columns/missing.h"

#include <algorithm>
#include <utility>

#include "base/utf8.h"
#include "halfspace/base/error.h"
#include "stream/source/raw_file.h"
#include "stream/text/number.h"
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

std::string MissingNames::list_without(std::string_view name) const {
  std::string list;
  for (const std::string& other : names_) {
    if (other != name && other.find(',') == std::string::npos) list += (list.empty() ? "" : ",") + other;
  }
  return list;
}

namespace {

// Returns the texts in the order and spelling of a schema.
std::vector<std::string> canonical_missing(std::vector<std::string> given, const char* name_of_option) {
  for (std::string& name : given) {
    if (!valid_utf8(name)) {
      throw Error(ErrorKind::usage, option(name_of_option) + ": " + quote(name) + " is not valid UTF-8")
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
  if (!names_missing(options)) return;
  std::vector<std::string> given = canonical_missing(options.table.missing, "missing");
  const std::vector<std::string> base =
      options.table.missing_only ? canonical_missing(*options.table.missing_only, "missing-only") : default_missing();
  if (options.schema != nullptr) {
    const bool held = std::includes(schema.missing.begin(), schema.missing.end(), given.begin(), given.end());
    if (held && (!options.table.missing_only || base == schema.missing)) return;
    throw Error(ErrorKind::usage, "the model has its own texts for missing values")
        .at(shown_name(options.path))
        .fix("leave out " + option(options.table.missing_only ? "missing-only" : "missing"));
  }
  given.insert(given.end(), base.begin(), base.end());
  schema.missing = canonical_missing(std::move(given), "missing");
}

MissingNames missing_labels(const ReadOptions& options, const Schema& schema) {
  std::vector<std::string> names = schema.missing;
  const std::vector<std::string> usual = default_missing();
  const bool by_default = std::includes(names.begin(), names.end(), usual.begin(), usual.end());
  if (by_default &&
      std::find(options.table.missing.begin(), options.table.missing.end(), "-") == options.table.missing.end())
    std::erase(names, "-");
  for (const std::vector<std::string>* classes : {&schema.labels.names, &options.labels.classes}) {
    std::erase_if(names, [&](const std::string& name) {
      return std::find(classes->begin(), classes->end(), name) != classes->end();
    });
  }
  return MissingNames(std::move(names));
}

std::string fix_of_missing_label(std::string_view text, const MissingNames& missing) {
  const std::string others = missing.list_without(text);
  return others.empty() ? "" : option("missing-only", others) + " makes a class of " + quote(text) + "; else ";
}

}  // namespace halfspace::stream
