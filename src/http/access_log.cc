// Appends lines to a file.
#include "http/access_log.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <ctime>
#include <exception>
#include <system_error>
#include <utility>

#include "base/json.h"
#include "base/retried.h"
#include "halfspace/base/error.h"

namespace halfspace::http {
namespace {

int opened(const std::string& path) {
  return retried([&] { return ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600); });
}

std::string time_now() {
  const auto now = std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now());
  const auto milliseconds = now.time_since_epoch().count();
  const auto seconds = static_cast<std::time_t>(milliseconds / 1000);
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", parts.tm_year + 1900, parts.tm_mon + 1,
                     parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec, milliseconds % 1000);
}

}  // namespace

AccessLog::AccessLog(std::string path) : path_(std::move(path)) {
  if (path_.empty()) return;
  file_ = path_ == "-" ? ::dup(STDERR_FILENO) : opened(path_);
  if (file_ < 0)
    throw Error(ErrorKind::input_output, "cannot open: " + std::generic_category().message(errno))
        .at(path_)
        .fix("check the path and the permissions");
}

AccessLog::~AccessLog() {
  if (file_ >= 0) ::close(file_);
}

bool AccessLog::is_open_at_path() const {
  struct stat open {
  }, named{};
  return path_ == "-" || (::fstat(file_, &open) == 0 && ::stat(path_.c_str(), &named) == 0 &&
                          open.st_dev == named.st_dev && open.st_ino == named.st_ino);
}

void AccessLog::add(const Answered& answered) noexcept {
  if (path_.empty()) return;
  try {
    const Json json = {{"time", time_now()},
                       {"client", answered.client},
                       {"method", answered.request.method},
                       {"path", answered.request.path},
                       {"status", answered.status},
                       {"seconds", answered.seconds},
                       {"bytes", answered.bytes}};
    const std::string line = json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
    const std::lock_guard lock(mutex_);
    if (!is_open_at_path()) {
      if (const int file = opened(path_); file >= 0) ::close(std::exchange(file_, file));
    }
    static_cast<void>(retried([&] { return ::write(file_, line.data(), line.size()); }));
  } catch (const std::exception&) {  // out of memory
  }
}

}  // namespace halfspace::http
