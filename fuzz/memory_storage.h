// The files of a log in memory.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/log/storage.h"
#include "halfspace/base/error.h"

namespace halfspace::log {

class MemoryStorage final : public Storage {
 public:
  std::map<std::string, std::string> files;

  std::vector<std::string> names() override {
    std::vector<std::string> names;
    for (const auto& [name, bytes] : files) names.push_back(name);
    return names;
  }
  std::string read(const std::string& name) override {
    const auto found = files.find(name);
    if (found == files.end()) throw Error(ErrorKind::no_input, "cannot open").at(name).fix("check the path");
    return found->second;
  }
  void append(const std::string& name, std::string_view bytes) override { files[name] += bytes; }
  void sync(const std::string&) override {}
  void truncate(const std::string& name, std::uint64_t bytes) override { files.at(name).resize(bytes); }
  void replace(const std::string& name, std::string_view bytes) override { files[name] = bytes; }
  void remove(const std::string& name) override { files.erase(name); }
};

}  // namespace halfspace::log
