// Converts text to a cache.
#include <algorithm>
#include <filesystem>
#include <system_error>

#include "halfspace/base/error.h"
#include "halfspace/stream/cache.h"
#include "stream/cache/cache.h"
#include "stream/source/raw_file.h"

namespace halfspace {

ReadReport convert(const ReadOptions& options, const std::string& path) {
  if (options.row_normalised || options.single || !options.labels.class_weights.empty()) {
    throw Error(ErrorKind::usage, "a cache holds the data as they are: normalisation and weights of classes come later")
        .fix("leave them out here, and give them to train");
  }
  if (path == "-")
    throw Error(ErrorKind::usage, "a cache is mapped when it is read: it needs a file of its own").fix("name a file");
  const auto replaces = [&](const std::string& read) {
    std::error_code none;
    return read != "-" && std::filesystem::equivalent(read, path, none);
  };
  if (options.rows == nullptr &&
      (replaces(options.path) || std::any_of(options.more.begin(), options.more.end(), replaces))) {
    throw Error(ErrorKind::usage, "the cache would replace the data it is made from").at(path).fix("name another file");
  }
  ReadOptions read = options;
  read.labels.scan_all = true;
  Reader reader(read);
  stream::CacheWriter writer(path, reader.schema(), options.interrupt);
  reader.read([&](const Block& block) {
    writer.append(block);
    return true;
  });
  writer.commit(reader.schema(), reader.report());
  return reader.report();
}

bool is_cache(const std::string& path) {
  if (path == "-") return false;
  std::error_code problem;
  const std::filesystem::file_status status = std::filesystem::status(path, problem);
  if (status.type() == std::filesystem::file_type::none) {
    throw Error(ErrorKind::input_output, "cannot be examined: " + problem.message())
        .at(path)
        .fix("check the disk and the permissions");
  }
  return std::filesystem::is_regular_file(status) &&
         stream::recognise_cache(stream::RawFile(path, nullptr).next_chunk());
}

}  // namespace halfspace
