// A library to be preloaded: numbers the calls that a process makes to the system, and lets one of them go wrong.
//
//   FAULT_TRACE=FILE          a line for every call: its number is the line's, "write 5"
//   FAULT_AT=N FAULT_KIND=K   call N fails: K is an errno by number, "short" (reads and writes one byte, mostly),
//                             "kill" (the process dies before it), or "killed" (it dies behind it);
//                             "rounding": none fails, but the rounding mode stays what it is
//   FAULT_FOR_EVER=1          so does every later call of the same name
//   FAULT_NAME=NAME           only calls of this name have numbers and lines. Those of a socket, the start of a thread and
//                             some others have them no other way: see "By name alone" below; *: all
//
// Requests for memory have numbers of their own: malloc and its kin (operator new calls them), mmap, and the start of a
// thread, while main runs. Behind main nothing goes wrong: what is written there is how often code ran, if that is measured.
//
//   FAULT_REQUESTS=FILE       its first 8 bytes become the number of requests, those behind them their sizes, 8 bytes each
//   FAULT_REQUEST=N           request N finds no memory; with FAULT_FOR_EVER=1, nor does any later one
//
// Calls that the C library makes of itself are not seen (fwrite, mkstemp's open): the few that matter are wrapped whole.
// No call allocates, and none of the wrappers is told from the real one when nothing is asked for.
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <initializer_list>

#define EXPORTED extern "C" __attribute__((visibility("default")))

namespace {

std::atomic<long> number{0};
long fails_at = -1;
int fault_error = 0;  // 0: one of the others
bool is_short = false, dies = false, dies_behind = false, for_ever = false, always_nearest = false;
int trace = -1;
const char* first_name = nullptr;
const char* only_name = nullptr;       // of the calls that count; null: all but those by name alone
std::atomic<std::uint64_t> events{0};  // bits: descriptors of eventfd, at which nothing goes wrong
thread_local bool own = false;         // inside a wrapper, whose own calls do not count

std::atomic<std::uint64_t> requests{0};
std::uint64_t request_fails = 0;         // 0: none
std::uint64_t* request_sizes = nullptr;  // in a file, which outlives the process
std::uint64_t most_request_sizes = 0;
std::atomic<bool> in_main{false}, behind_main{false};

__attribute__((constructor)) void begin() {
  if (const char* path = getenv("FAULT_TRACE")) {
    const long file = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    trace = static_cast<int>(syscall(SYS_fcntl, file, F_DUPFD_CLOEXEC, 500));
    syscall(SYS_close, file);
  }
  if (const char* at = getenv("FAULT_REQUEST")) request_fails = strtoull(at, nullptr, 10);
  for_ever = getenv("FAULT_FOR_EVER") != nullptr;
  if (const char* path = getenv("FAULT_REQUESTS")) {
    const long file = syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC, 0);
    const long size = syscall(SYS_lseek, file, 0, SEEK_END);
    const long at = syscall(SYS_mmap, nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    request_sizes = reinterpret_cast<std::uint64_t*>(at);
    most_request_sizes = static_cast<std::uint64_t>(size) / sizeof(std::uint64_t) - 1;
    syscall(SYS_close, file);
  }
  only_name = getenv("FAULT_NAME");
  const char* at = getenv("FAULT_AT");
  const char* kind = getenv("FAULT_KIND");
  if (at == nullptr || kind == nullptr) return;
  always_nearest = strcmp(kind, "rounding") == 0;
  if (always_nearest) return;
  fails_at = strtol(at, nullptr, 10);
  is_short = strcmp(kind, "short") == 0;
  dies = strcmp(kind, "kill") == 0;
  dies_behind = strcmp(kind, "killed") == 0;
  fault_error = atoi(kind);
}

void note(const char* name, long detail) {
  if (trace < 0) return;
  char line[64];
  char* to = line;
  for (const char* from = name; *from != '\0';) *to++ = *from++;
  *to++ = ' ';
  if (detail < 0) *to++ = '-', detail = -detail;
  char digits[20];
  int count = 0;
  do digits[count++] = static_cast<char>('0' + detail % 10);
  while ((detail /= 10) != 0);
  while (count > 0) *to++ = digits[--count];
  *to++ = '\n';
  syscall(SYS_write, trace, line, to - line);
}

// Whose manual pages know of no interruption. With several threads, call N is not always the same.
bool is_interrupted(const char* name) {
  for (const char* never : {"stat", "lstat", "fstat", "lseek", "rename", "unlink", "link", "mkdir", "mmap"}) {
    if (strcmp(name, never) == 0) return false;
  }
  return true;
}

enum class Fate { fine, error, cut_short, last };

// Counts a call and says what becomes of it; errno is set for an error.
Fate fate(const char* name, long detail, bool by_name_alone = false) {
  if (own || behind_main) return Fate::fine;
  if (only_name == nullptr ? by_name_alone : *only_name != '*' && strcmp(only_name, name) != 0) return Fate::fine;
  note(name, detail);
  const long mine = number.fetch_add(1) + 1;
  if (mine == fails_at) first_name = name;
  const bool chosen =
      mine == fails_at || (for_ever && mine > fails_at && first_name != nullptr && strcmp(first_name, name) == 0);
  if (!chosen || ((is_short || fault_error == EINTR) && !is_interrupted(name))) return Fate::fine;
  if (dies) kill(getpid(), SIGKILL);
  if (dies_behind) return Fate::last;
  if (is_short) return Fate::cut_short;
  errno = fault_error;
  return Fate::error;
}

bool is_event(int file) { return file >= 0 && file < 64 && (events >> file & 1) != 0; }

// Counts a request for memory and tells whether there is none.
bool refused(std::size_t size) {
  if (!in_main.load(std::memory_order_relaxed)) return false;
  const std::uint64_t mine = requests.fetch_add(1) + 1;
  if (request_sizes != nullptr) {
    __atomic_fetch_add(request_sizes, 1, __ATOMIC_RELAXED);
    if (mine <= most_request_sizes) request_sizes[mine] = size;
  }
  return request_fails != 0 && (mine == request_fails || (for_ever && mine > request_fails));
}

template <class F>
F* real(const char* name) {
  return reinterpret_cast<F*>(dlsym(RTLD_NEXT, name));
}

template <class Result>
Result ended(Fate fate, Result result) {
  if (fate == Fate::last) kill(getpid(), SIGKILL);
  return result;
}

}  // namespace

// A call that fails with `failed`; a short one is told as an interruption, which every call must outlive.
#define WRAPPED(result, name, parameters, arguments, failed, detail) \
  EXPORTED result name parameters {                                  \
    static const auto next = real<result parameters>(#name);         \
    const Fate what = fate(#name, detail);                           \
    if (what == Fate::error) return failed;                          \
    if (what == Fate::cut_short) return errno = EINTR, failed;       \
    own = true;                                                      \
    const auto answer = next arguments;                              \
    own = false;                                                     \
    return ended(what, answer);                                      \
  }

// One that moves bytes: a short one moves a part of them.
#define MOVES(name, parameters, arguments, detail, less)                 \
  EXPORTED ssize_t name parameters {                                     \
    static const auto next = real<ssize_t parameters>(#name);            \
    const Fate what = is_event(file) ? Fate::fine : fate(#name, detail); \
    if (what == Fate::error) return -1;                                  \
    if (what == Fate::cut_short) less;                                   \
    return ended(what, next arguments);                                  \
  }

MOVES(read, (int file, void* to, size_t size), (file, to, size), file, size = size > 1 ? 1 + size / 7919 : size)
MOVES(pread, (int file, void* to, size_t size, off_t at), (file, to, size, at), file, size = size > 1 ? 1 : size)
MOVES(write, (int file, const void* from, size_t size), (file, from, size), file, size = size > 1 ? 1 : size)
MOVES(pwrite, (int file, const void* from, size_t size, off_t at), (file, from, size, at), file,
      size = size > 1 ? 1 : size)
MOVES(writev, (int file, const iovec* from, int count), (file, from, count), file, count = count > 1 ? 1 : count)

WRAPPED(int, fsync, (int file), (file), -1, file)
WRAPPED(int, fdatasync, (int file), (file), -1, file)
WRAPPED(int, ftruncate, (int file, off_t size), (file, size), -1, file)
WRAPPED(int, flock, (int file, int how), (file, how), -1, file)
WRAPPED(off_t, lseek, (int file, off_t at, int from), (file, at, from), -1, file)
WRAPPED(int, fstat, (int file, struct stat* status), (file, status), -1, file)
WRAPPED(int, stat, (const char* path, struct stat* status), (path, status), -1, 0)
WRAPPED(int, lstat, (const char* path, struct stat* status), (path, status), -1, 0)
WRAPPED(int, rename, (const char* from, const char* to), (from, to), -1, 0)
WRAPPED(int, unlink, (const char* path), (path), -1, 0)
WRAPPED(int, link, (const char* from, const char* to), (from, to), -1, 0)
WRAPPED(int, mkdir, (const char* path, mode_t mode), (path, mode), -1, 0)
WRAPPED(int, mkstemp, (char* path), (path), -1, 0)
WRAPPED(int, mkostemp, (char* path, int flags), (path, flags), -1, 0)
WRAPPED(FILE*, fopen, (const char* path, const char* mode), (path, mode), nullptr, 0)
WRAPPED(FILE*, fopen64, (const char* path, const char* mode), (path, mode), nullptr, 0)

EXPORTED void* mmap(void* at, size_t size, int protection, int flags, int file, off_t offset) {
  static const auto next = real<void*(void*, size_t, int, int, int, off_t)>("mmap");
  const Fate what = fate("mmap", file);
  if (what == Fate::error) return MAP_FAILED;
  if (refused(size)) return errno = ENOMEM, MAP_FAILED;
  return ended(what, next(at, size, protection, flags, file, offset));
}

// What is closed is closed, whatever the answer: so it is on Linux.
EXPORTED int close(int file) {
  static const auto next = real<int(int)>("close");
  if (file == trace && trace >= 0) return 0;
  if (is_event(file)) events &= ~(std::uint64_t{1} << file);
  const Fate what = fate("close", file);
  const int answer = next(file);
  if (what == Fate::error || what == Fate::cut_short) {
    errno = what == Fate::error ? fault_error : EINTR;
    return -1;
  }
  return ended(what, answer);
}

EXPORTED int fclose(FILE* file) {
  static const auto next = real<int(FILE*)>("fclose");
  const Fate what = fate("fclose", 0);
  own = true;
  const int answer = next(file);
  own = false;
  if (what == Fate::error || what == Fate::cut_short) {
    errno = what == Fate::error ? fault_error : EINTR;
    return EOF;
  }
  return ended(what, answer);
}

EXPORTED int open(const char* path, int flags, ...) {
  static const auto next = real<int(const char*, int, ...)>("open");
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  const Fate what = fate("open", flags);
  if (what == Fate::error) return -1;
  if (what == Fate::cut_short) return errno = EINTR, -1;
  return ended(what, next(path, flags, mode));
}

EXPORTED int open64(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  return open(path, flags, mode);
}

// Memory. The C library's own names for its functions need no look-up, which would ask for memory itself.
EXPORTED void* __libc_malloc(size_t size);
EXPORTED void* __libc_calloc(size_t count, size_t size);
EXPORTED void* __libc_realloc(void* before, size_t size);
EXPORTED void* __libc_memalign(size_t alignment, size_t size);

EXPORTED void* malloc(size_t size) {
  if (refused(size)) return errno = ENOMEM, nullptr;
  return __libc_malloc(size);
}

EXPORTED void* calloc(size_t count, size_t size) {
  if (refused(count * size)) return errno = ENOMEM, nullptr;
  return __libc_calloc(count, size);
}

EXPORTED void* realloc(void* before, size_t size) {
  if (refused(size)) return errno = ENOMEM, nullptr;
  return __libc_realloc(before, size);
}

EXPORTED void* aligned_alloc(size_t alignment, size_t size) {
  if (refused(size)) return errno = ENOMEM, nullptr;
  return __libc_memalign(alignment, size);
}

EXPORTED int posix_memalign(void** to, size_t alignment, size_t size) {
  if (refused(size)) return ENOMEM;
  *to = __libc_memalign(alignment, size);
  return *to != nullptr ? 0 : ENOMEM;
}

EXPORTED int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*work)(void*), void* of) {
  static const auto next = real<int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*)>("pthread_create");
  if (refused(0)) return EAGAIN;
  if (fate("pthread_create", 0, true) == Fate::error) return fault_error;
  return next(thread, attributes, work, of);
}

// By name alone: what serves connections, and lists and cuts files.
#define BY_NAME(result, name, parameters, arguments, failed)                                    \
  EXPORTED result name parameters {                                                             \
    static const auto next = real<result parameters>(#name);                                    \
    if (const Fate what = fate(#name, 0, true); what == Fate::error || what == Fate::cut_short) \
      return errno = what == Fate::error ? fault_error : EINTR, failed;                         \
    own = true;                                                                                 \
    const auto answer = next arguments;                                                         \
    own = false;                                                                                \
    return answer;                                                                              \
  }

BY_NAME(int, socket, (int family, int kind, int protocol), (family, kind, protocol), -1)
BY_NAME(int, bind, (int file, const sockaddr* to, socklen_t size), (file, to, size), -1)
BY_NAME(int, listen, (int file, int most), (file, most), -1)
BY_NAME(int, getsockname, (int file, sockaddr* to, socklen_t* size), (file, to, size), -1)
BY_NAME(int, accept4, (int file, sockaddr* from, socklen_t* size, int flags), (file, from, size, flags), -1)
BY_NAME(ssize_t, recv, (int file, void* to, size_t size, int flags), (file, to, size, flags), -1)
BY_NAME(ssize_t, send, (int file, const void* from, size_t size, int flags), (file, from, size, flags), -1)
BY_NAME(ssize_t, sendmsg, (int file, const msghdr* message, int flags), (file, message, flags), -1)
BY_NAME(int, epoll_create1, (int flags), (flags), -1)
BY_NAME(int, epoll_wait, (int file, epoll_event* to, int most, int wait), (file, to, most, wait), -1)
BY_NAME(int, poll, (pollfd * files, nfds_t count, int wait), (files, count, wait), -1)
BY_NAME(int, dup, (int file), (file), -1)
BY_NAME(int, truncate, (const char* path, off_t size), (path, size), -1)
BY_NAME(DIR*, opendir, (const char* path), (path), nullptr)
BY_NAME(dirent*, readdir, (DIR * folder), (folder), nullptr)

// Taking a descriptor out again cannot fail.
EXPORTED int epoll_ctl(int file, int change, int of, epoll_event* event) {
  static const auto next = real<int(int, int, int, epoll_event*)>("epoll_ctl");
  if (change != EPOLL_CTL_DEL && fate("epoll_ctl", change, true) == Fate::error) return -1;
  return next(file, change, of, event);
}

EXPORTED int eventfd(unsigned value, int flags) {
  static const auto next = real<int(unsigned, int)>("eventfd");
  if (fate("eventfd", 0, true) == Fate::error) return -1;
  const int file = next(value, flags);
  if (file >= 0 && file < 64) events |= std::uint64_t{1} << file;
  return file;
}

EXPORTED int fesetround(int mode) {
  static const auto next = real<int(int)>("fesetround");
  return always_nearest ? 0 : next(mode);
}

// What the libraries set up before the program begins is theirs.
EXPORTED int __libc_start_main(int (*main)(int, char**, char**), int count, char** words,
                               int (*init)(int, char**, char**), void (*fini)(), void (*loader_fini)(),
                               void* stack_end) {
  static int (*begun)(int, char**, char**) = nullptr;
  begun = main;
  const auto counted = [](int c, char** w, char** e) {
    in_main = true;
    const int code = begun(c, w, e);
    in_main = false;
    behind_main = true;
    return code;
  };
  using Start =
      int(int (*)(int, char**, char**), int, char**, int (*)(int, char**, char**), void (*)(), void (*)(), void*);
  return real<Start>("__libc_start_main")(counted, count, words, init, fini, loader_fini, stack_end);
}
