// A line for each request that was answered, as JSON:
//
//   {"time":"2026-11-27T15:04:05.678Z","client":"127.0.0.1","method":"POST","path":"/learn","status":200,
//    "seconds":0.0012,"bytes":34}                                                            (in one line)
//
// Lines are appended. If the file was renamed or removed, as a rotation does, the next line begins a new one.
//
// Thread-safety: any thread. Errors: Error(input_output) for a file that cannot be opened; what cannot be written later
// is lost.
#pragma once

#include <mutex>
#include <string>

#include "http/server.h"

namespace halfspace::http {

class AccessLog {
 public:
  // "-": standard error; empty: nothing is logged.
  explicit AccessLog(std::string path);
  ~AccessLog();
  AccessLog(const AccessLog&) = delete;
  AccessLog& operator=(const AccessLog&) = delete;

  void add(const Answered& answered) noexcept;

 private:
  bool is_open_at_path() const;

  std::string path_;
  std::mutex mutex_;
  int file_ = -1;
};

}  // namespace halfspace::http
