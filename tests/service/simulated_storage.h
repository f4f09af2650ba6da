// A disk in memory that forgets what was not synced when the power goes, and fails when it is told to.
//
// A crash keeps a random part of what was appended since the last sync: a prefix, or one whose last bytes are garbage,
// as a disk that writes its blocks in any order may leave them. Names that were never synced may vanish.
#pragma once

#include <map>
#include <new>
#include <string>
#include <vector>

#include "base/log/storage.h"
#include "halfspace/base/error.h"
#include "halfspace/base/random.h"

namespace halfspace::service {

class SimulatedStorage final : public log::Storage {
 public:
  explicit SimulatedStorage(Generator& draws) : draws_(draws) {}

  // Operations from now on until one fails, which may have been done in part. 0: none fails.
  void fail_after(std::uint64_t operations) { left_ = operations; }
  void fail_reads_after(std::uint64_t reads) { reads_left_ = reads; }
  // What fails from now on finds no memory.
  void lack_memory() { lacks_memory_ = true; }
  std::uint64_t operations() const { return operations_; }

  void crash() {
    left_ = 0;
    for (auto at = files_.begin(); at != files_.end();) {
      File& file = at->second;
      if (!file.named && pick(draws_, 2) == 0) {
        at = files_.erase(at);
        continue;
      }
      const std::string unsynced = file.now.substr(std::min(file.now.size(), file.synced.size()));
      std::string kept = unsynced.substr(0, pick(draws_, unsynced.size() + 1));
      if (!kept.empty() && pick(draws_, 2) == 0) {
        const std::size_t garbage = 1 + pick(draws_, kept.size());
        for (std::size_t i = kept.size() - garbage; i < kept.size(); ++i)
          kept[i] = static_cast<char>(pick(draws_, 256));
      }
      file.synced = file.now = file.synced + kept;
      file.named = true;
      ++at;
    }
  }

  std::vector<std::string> names() override {
    std::vector<std::string> names;
    for (const auto& [name, file] : files_) names.push_back(name);
    return names;
  }
  std::string read(const std::string& name) override {
    if (reads_left_ > 0 && --reads_left_ == 0) fail(name);
    const auto found = files_.find(name);
    if (found == files_.end()) throw Error(ErrorKind::no_input, "cannot open").at(name).fix("check the path");
    return found->second.now;
  }
  void append(const std::string& name, std::string_view bytes) override {
    File& file = files_[name];
    const std::size_t done = fails() ? pick(draws_, bytes.size() + 1) : bytes.size();
    file.now += bytes.substr(0, done);
    if (done < bytes.size() || failing_) fail(name);
  }
  void sync(const std::string& name) override {
    if (fails() && pick(draws_, 2) == 0) fail(name);
    File& file = files_.at(name);
    file.synced = file.now;
    file.named = true;
    if (failing_) fail(name);
  }
  void truncate(const std::string& name, std::uint64_t bytes) override {
    if (fails()) fail(name);
    File& file = files_.at(name);
    file.now.resize(bytes);
    file.synced.resize(std::min<std::size_t>(file.synced.size(), bytes));
  }
  void replace(const std::string& name, std::string_view bytes) override {
    if (fails() && pick(draws_, 2) == 0) fail(name);
    File& file = files_[name];
    file.now = file.synced = bytes;
    file.named = true;
    if (failing_) fail(name);
  }
  void remove(const std::string& name) override {
    if (fails()) fail(name);
    files_.erase(name);
  }

 private:
  struct File {
    std::string now, synced;
    bool named = false;  // the name is synced
  };

  bool fails() {
    ++operations_;
    failing_ = left_ > 0 && --left_ == 0;
    return failing_;
  }
  [[noreturn]] void fail(const std::string& name) {
    failing_ = false;
    if (lacks_memory_) throw std::bad_alloc();
    throw Error(ErrorKind::input_output, "no space left on the simulated disk").at(name).fix("make room");
  }

  Generator& draws_;
  std::map<std::string, File> files_;
  std::uint64_t left_ = 0, operations_ = 0, reads_left_ = 0;
  bool failing_ = false, lacks_memory_ = false;
};

}  // namespace halfspace::service
