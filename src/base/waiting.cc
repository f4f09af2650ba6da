// Waits in poll(), a tenth of a second at a time.
#include "base/waiting.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>

#include "base/retried.h"

namespace halfspace {
namespace {

constexpr int look_every = 100, patience = 500, reader_every = 20;  // milliseconds

bool is_set(const std::atomic<bool>* interrupt) {
  return interrupt != nullptr && interrupt->load(std::memory_order_relaxed);
}

// Waits until the next call would not block. Returns false `patience_left` milliseconds after the flag was set.
bool wait_for(int file, short events, const std::atomic<bool>* interrupt, int patience_left) {
  for (;;) {
    const bool leaving = is_set(interrupt);
    ::pollfd waited{file, events, 0};
    const int timeout = leaving ? std::min(patience_left, look_every) : interrupt != nullptr ? look_every : -1;
    const int answer = ::poll(&waited, 1, timeout);
    if (answer > 0 || (answer < 0 && errno != EINTR)) return true;  // the call itself reports an error
    if (answer < 0 || !leaving) continue;
    patience_left -= timeout;
    if (patience_left > 0) continue;
    errno = ECANCELED;
    return false;
  }
}

// Returns how much can be written without blocking once poll() reports room.
std::size_t without_waiting(int file, std::size_t size) {
  struct stat status {};
  const bool pipe = ::fstat(file, &status) == 0 && S_ISFIFO(status.st_mode);
  return pipe && (::fcntl(file, F_GETFL) & O_NONBLOCK) == 0 ? std::min<std::size_t>(size, PIPE_BUF) : size;
}

int open_at_once(const std::string& path, int flags) {
  const int file = retried([&] { return ::open(path.c_str(), flags | O_NONBLOCK | O_CLOEXEC, 0666); });
  // Another process holds a lease on the file, which the kernel breaks while this waits.
  if (file >= 0 || errno != EWOULDBLOCK) return file;
  return retried([&] { return ::open(path.c_str(), flags | O_CLOEXEC, 0666); });
}

}  // namespace

int open_to_read(const std::string& path) { return open_at_once(path, O_RDONLY); }

::ssize_t read_or_leave(int file, void* to, std::size_t capacity, const std::atomic<bool>* interrupt) {
  for (;;) {
    if (is_set(interrupt) || !wait_for(file, POLLIN, interrupt, 0)) {
      errno = ECANCELED;
      return -1;
    }
    const ::ssize_t got = ::read(file, to, capacity);
    if (got >= 0 || (errno != EINTR && errno != EAGAIN)) return got;
  }
}

int open_to_write(const std::string& path, int flags, const std::atomic<bool>* interrupt) {
  for (int left = patience;;) {
    const int file = open_at_once(path, O_WRONLY | flags);
    if (file >= 0 || errno != ENXIO) return file;
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0 || !S_ISFIFO(status.st_mode)) {
      errno = ENXIO;
      return -1;
    }
    if (is_set(interrupt) && (left -= reader_every) <= 0) {
      errno = ECANCELED;
      return -1;
    }
    ::poll(nullptr, 0, reader_every);
  }
}

::ssize_t write_or_leave(int file, const void* from, std::size_t size, const std::atomic<bool>* interrupt) {
  size = without_waiting(file, size);
  for (;;) {
    if (!wait_for(file, POLLOUT, interrupt, patience)) return -1;
    const ::ssize_t written = ::write(file, from, size);
    if (written >= 0 || (errno != EINTR && errno != EAGAIN)) return written;
  }
}

}  // namespace halfspace
