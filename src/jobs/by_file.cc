// What one file must know of the first: its schema, and its first rows, which show the format.
#include "jobs/by_file.h"

#include <optional>
#include <utility>

#include "halfspace/base/error.h"
#include "stream/source/source.h"

namespace halfspace::jobs {
namespace {

// The first rows, which show the format and whether there is a header.
constexpr std::size_t beginning_bytes = std::size_t{64} << 10;

// Returns the text of a file from its first byte to a line end some rows behind the header.
std::string beginning_of(const std::string& path, std::uint64_t header_bytes, const std::atomic<bool>* interrupt) {
  const std::unique_ptr<stream::Source> file = stream::open_source(path, interrupt);
  std::string text;
  for (std::size_t target = header_bytes + beginning_bytes;; target *= 2) {
    std::size_t got = text.size();
    text.resize(target);
    for (std::size_t more = 1; got < target && more != 0; got += more)
      more = file->read(text.data() + got, target - got);
    text.resize(got);
    if (got < target) return text;
    const std::size_t end = text.rfind('\n') + 1;
    if (end <= header_bytes) continue;
    text.resize(end);
    return text;
  }
}

// Returns nothing for a file that is a header alone.
std::optional<ShardPlan> plan_with_rows(const ReadOptions& read) {
  try {
    return plan_shards(read, 1);
  } catch (const Error& error) {
    if (error.message() != "no data rows") throw;
  }
  return std::nullopt;
}

}  // namespace

Part planned_alone(const ReadOptions& read, const std::string& name, bool last) {
  std::optional<ShardPlan> plan = last ? plan_shards(read, 1) : plan_with_rows(read);
  if (!plan) return packed('f', {});
  std::string beginning;
  if (!plan->files.front().cached) beginning = beginning_of(read.path, plan->files.front().begin, read.interrupt);
  plan->files.front().path = name;
  return packed('f', {encode(*plan), part_of(beginning)});
}

Part examined(const ShardPlan& first, const Part& beginning, const ReadOptions& read, const std::string& name,
              std::size_t count) {
  if (first.files.front().cached) {
    if (count == 1) return encode_files(first.files);
    throw Error(ErrorKind::usage, "is a cache, which cannot be combined with other files")
        .at(first.files.front().path)
        .fix("give it by itself, or only the text files");
  }
  ReadOptions as_first = read;
  as_first.path = first.files.front().path;
  as_first.schema = &first.schema;
  as_first.rejects.clear();
  as_first.on_note = nullptr;
  std::vector<FileRows> rows = Reader(std::move(as_first), text_of(beginning)).files({read.path});
  for (FileRows& of_file : rows) of_file.path = name;
  return encode_files(rows);
}

ShardPlan plan_of_files(const ShardPlan& first, const std::vector<Part>& found, std::uint32_t shards) {
  std::vector<FileRows> files;
  for (const Part& rows : found) {
    for (FileRows& file : decode_files(rows)) files.push_back(std::move(file));
  }
  return plan_by_file(first, std::move(files), shards);
}

}  // namespace halfspace::jobs
