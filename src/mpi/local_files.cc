// Lists the files of all workers, plans their shards and deals them out.
#include "mpi/local_files.h"

#include <fmt/format.h>
#include <mpi.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

#include "base/fields/archive.h"
#include "halfspace/base/error.h"

namespace halfspace::mpi {
namespace {

constexpr int list_tag = 21;

template <class A, class F>
void describe_local_files(A& archive, F& files) {
  archive.list("files", files, 24, fields::anything, [&](auto& file, std::uint64_t) {
    archive.text("name", file.name);
    archive.value("bytes", file.bytes, fields::anything);
    archive.text("identity", file.identity);
    archive.numbers("readers", file.readers, fields::anything, fields::anything);
  });
}

Bytes encode_local(const std::vector<LocalFile>& files) {
  fields::Writer writer;
  writer.file = "list of local files";
  describe_local_files(writer, files);
  return std::move(writer.bytes());
}

std::vector<LocalFile> decode_local(const Bytes& bytes) {
  fields::Reader reader(bytes, 0);
  reader.file = "list of local files";
  std::vector<LocalFile> files;
  describe_local_files(reader, files);
  reader.finish("list of local files");
  return files;
}

std::string machine() {
  std::array<char, MPI_MAX_PROCESSOR_NAME> name{};
  int size = 0;
  MPI_Get_processor_name(name.data(), &size);
  return {name.data(), static_cast<std::size_t>(size)};
}

LocalFile look_at(const std::string& path, std::uint32_t worker) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0 || ::access(path.c_str(), R_OK) != 0) {
    throw Error(ErrorKind::no_input, "cannot open: " + std::generic_category().message(errno))
        .at(path)
        .fix("check the path and the permissions on the machine of this worker");
  }
  if (!S_ISREG(status.st_mode)) {
    throw Error(ErrorKind::no_input, "is no regular file")
        .at(path)
        .fix("with " + option("local") + ", name files of rows on the machine of this worker");
  }
  LocalFile file{.name = path.substr(path.rfind('/') + 1),
                 .bytes = static_cast<std::uint64_t>(status.st_size),
                 .identity = {},
                 .readers = {worker}};
  file.identity = fmt::format("{} {} {} {} {}", machine(), status.st_dev, status.st_ino, status.st_mtim.tv_sec,
                              status.st_mtim.tv_nsec);
  return file;
}

// Adds the files of a worker, which come in the order of workers.
void merge(std::map<std::string, LocalFile>& all, const std::vector<LocalFile>& of_worker) {
  for (const LocalFile& file : of_worker) {
    const auto [there, is_new] = all.emplace(file.name, file);
    if (is_new) continue;
    const std::uint32_t before = there->second.readers.front(), now = file.readers.front();
    if (there->second.identity != file.identity) {
      throw Error(ErrorKind::usage, fmt::format("workers {} and {} each have a file of this name", before, now))
          .at(file.name)
          .fix("give the files different names, or leave out " + option("local") +
               " if all workers can read all files");
    }
    there->second.readers.push_back(now);
  }
}

}  // namespace

LocalFiles::LocalFiles(Workers& workers, const std::vector<std::string>& paths) : workers_(workers) {
  workers_.set_task("the list of its files");
  std::vector<LocalFile> own;
  for (const std::string& path : paths) {
    LocalFile file = look_at(path, static_cast<std::uint32_t>(workers_.rank()));
    if (file.bytes == 0) continue;
    const auto [there, is_new] = paths_.emplace(file.name, path);
    if (!is_new) {
      throw Error(ErrorKind::usage, "has the same name as " + there->second)
          .at(path)
          .fix("give the files different names, and name each once");
    }
    own.push_back(std::move(file));
  }
  Bytes bytes;
  if (!workers_.leads()) {
    workers_.send(0, list_tag, encode_local(own));
  } else {
    std::map<std::string, LocalFile> all;
    merge(all, own);
    for (int other = 1; other < workers_.size(); ++other) merge(all, decode_local(workers_.receive(other, list_tag)));
    for (auto& [name, file] : all) all_.push_back(std::move(file));
    if (all_.empty())
      throw Error(ErrorKind::usage, "no worker has a file with rows").fix("check the file names and patterns");
    bytes = encode_local(all_);
  }
  all_ = decode_local(workers_.broadcast(std::move(bytes)));
}

void LocalFiles::check(const std::vector<FileRows>& planned) const {
  std::map<std::string, std::uint64_t> here;
  for (const LocalFile& file : all_) here.emplace(file.name, file.bytes);
  for (const FileRows& file : planned) {
    const auto found = here.find(file.path);
    if (found == here.end()) {
      throw Error(ErrorKind::no_input, "the run began with this file, and no worker has it")
          .at(file.path)
          .fix("name it on a worker that can read it");
    }
    if (!file.cached && found->second != file.end) {
      throw Error(ErrorKind::data, fmt::format("had {} bytes when the run began, and has {}", file.end, found->second))
          .at(file.path)
          .fix("restore the file, or begin again without " + option("resume"));
    }
    here.erase(found);
  }
  if (here.empty()) return;
  throw Error(ErrorKind::usage, "the run began without this file")
      .at(here.begin()->first)
      .fix("leave it out, or begin again without " + option("resume"));
}

std::vector<int> LocalFiles::deal(const std::vector<std::size_t>& files) const {
  struct Share {
    std::uint64_t items = 0, dealt = 0;
  };
  std::map<std::vector<std::uint32_t>, Share> shares;
  const std::vector<std::uint32_t> leader{0};
  const auto readers = [&](std::size_t file) -> const std::vector<std::uint32_t>& {
    return file < all_.size() ? all_[file].readers : leader;
  };
  for (const std::size_t file : files) ++shares[readers(file)].items;
  std::vector<int> workers;
  for (const std::size_t file : files) {
    const std::vector<std::uint32_t>& able = readers(file);
    Share& share = shares[able];
    workers.push_back(static_cast<int>(able[share.dealt++ * able.size() / share.items]));
  }
  return workers;
}

}  // namespace halfspace::mpi
