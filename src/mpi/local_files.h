// The files that each worker of a job has to itself, on a disk that the others cannot read.
//
// A file is known by its base name, whichever worker has it, so that a plan of such files is the same however they are
// spread. Workers of one machine may name the same file: it counts once, and each of them can read it. Two files of one
// name are refused.
//
// Thread-safety: the thread that made the workers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "halfspace/mixing/shards.h"
#include "mpi/workers.h"

namespace halfspace::mpi {

struct LocalFile {
  std::string name;
  std::uint64_t bytes = 0;
  std::string identity;                // what tells it from another file of this name
  std::vector<std::uint32_t> readers;  // the workers that can read it, ascending
};

class LocalFiles {
 public:
  // Collective. `paths`: of this worker, perhaps none; empty files are left out. Throws Error: no_input for what is no
  // regular file; usage for two files of one name, or if no worker has a file.
  LocalFiles(Workers& workers, const std::vector<std::string>& paths);

  // Returns the files of all workers, by name.
  const std::vector<LocalFile>& all() const noexcept { return all_; }
  // Returns the path of a file that this worker can read.
  const std::string& path(const std::string& name) const { return paths_.at(name); }

  // Throws Error unless the files are those of a plan that was made before: no_input, data.
  void check(const std::vector<FileRows>& planned) const;

  // Returns the worker for each item of a list, which are of these files, by number: one that can read the file. Of
  // workers that can read the same files each gets adjacent items, about equally many. An item of no file is worker 0's.
  std::vector<int> deal(const std::vector<std::size_t>& files) const;

 private:
  Workers& workers_;
  std::vector<LocalFile> all_;
  std::map<std::string, std::string> paths_;  // of this worker's files, by name
};

}  // namespace halfspace::mpi
