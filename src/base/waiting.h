// Opens, reads and writes files that may block: pipes without another end, terminals, sockets. Setting an interrupt
// flag ends every wait.
//
// A signal handler sets the flag. EINTR alone is not enough: the signal may arrive just before the call, or on another
// thread. So no function sleeps for more than a tenth of a second without checking the flag. A null flag is never set.
//
// All return what the system call returns, and set errno; ECANCELED means that the flag ended the wait.
// Thread-safety: functions of their arguments.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstddef>
#include <string>

#include "halfspace/base/error.h"

namespace halfspace {

// Opens for reading. Never waits: the first read of a pipe waits for its writer.
int open_to_read(const std::string& path);
// Reads up to `capacity` bytes; 0 is the end. Fails as soon as the flag is set, whether data are available or not.
::ssize_t read_or_leave(int file, void* to, std::size_t capacity, const std::atomic<bool>* interrupt);

// Opens for writing, with `flags` added to O_WRONLY. Waits for the reader of a pipe.
int open_to_write(const std::string& path, int flags, const std::atomic<bool>* interrupt);
// Writes up to `size` bytes. After the flag is set, keeps writing while the reader takes data at least every half
// second.
::ssize_t write_or_leave(int file, const void* from, std::size_t size, const std::atomic<bool>* interrupt);

}  // namespace halfspace
