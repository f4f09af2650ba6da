// Surveys the first block, and asks for the sizes of files.
#include "train/run/first_look.h"

#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "halfspace/stream/survey.h"

namespace halfspace::training {

void survey_first_rows(const Block& block, const Schema& schema, const ReadOptions& options) {
  if (!options.on_note) return;
  Survey first({.rows = 10'000, .values = 250'000, .features = 100'000});
  first.add(block);
  for (const SurveyNote& note : first.notes(schema, options)) {
    if (note.about == SurveyNote::About::column && note.grave) options.on_note(note);
  }
}

std::uint64_t bytes_of_files(const ReadOptions& read) {
  std::vector<std::string> paths = read.more;
  paths.push_back(read.path);
  std::uint64_t bytes = 0;
  for (const std::string& path : paths) {
    std::error_code unknown;
    const std::uint64_t size = std::filesystem::file_size(path, unknown);
    if (!unknown) bytes += size;
  }
  return bytes;
}

}  // namespace halfspace::training
