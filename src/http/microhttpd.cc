// Loads libmicrohttpd.
#include "http/microhttpd.h"

#include <dlfcn.h>

#include <cerrno>
#include <string>

#include "halfspace/base/error.h"

namespace halfspace::http {
namespace {

constexpr const char* shared_object = "libmicrohttpd.so.12";  // the ABI of 0.9.71 and later

class LoadedLibrary {
 public:
  LoadedLibrary() {
    errno = 0;
    handle_ = ::dlopen(shared_object, RTLD_NOW | RTLD_LOCAL);
    if (handle_ == nullptr && (errno == ENOMEM || errno == EMFILE || errno == EIO))
      throw Error(ErrorKind::input_output, std::string("cannot load GNU libmicrohttpd: ") + ::dlerror())
          .fix("free some memory, and check the system's limits");
    if (handle_ == nullptr)
      throw Error(ErrorKind::usage, std::string("cannot load GNU libmicrohttpd: ") + ::dlerror())
          .fix("install it: apt install libmicrohttpd12");
  }

  // Never unloaded: threads and GnuTLS may outlive any use of it.
  template <class Function>
  void find(Function& function, const char* name) const {
    function = reinterpret_cast<Function>(::dlsym(handle_, name));
    if (function == nullptr)
      throw Error(ErrorKind::usage, std::string(shared_object) + " has no function " + name)
          .fix("install Debian's libmicrohttpd12, version 0.9.71 or later");
  }

 private:
  void* handle_ = nullptr;
};

Microhttpd loaded() {
  const LoadedLibrary library;
  Microhttpd functions{};
  library.find(functions.start_daemon, "MHD_start_daemon");
  library.find(functions.stop_daemon, "MHD_stop_daemon");
  library.find(functions.quiesce_daemon, "MHD_quiesce_daemon");
  library.find(functions.get_daemon_info, "MHD_get_daemon_info");
  library.find(functions.get_connection_info, "MHD_get_connection_info");
  library.find(functions.get_connection_values, "MHD_get_connection_values");
  library.find(functions.create_response_from_buffer, "MHD_create_response_from_buffer");
  library.find(functions.add_response_header, "MHD_add_response_header");
  library.find(functions.queue_response, "MHD_queue_response");
  library.find(functions.destroy_response, "MHD_destroy_response");
  library.find(functions.suspend_connection, "MHD_suspend_connection");
  library.find(functions.resume_connection, "MHD_resume_connection");
  return functions;
}

}  // namespace

const Microhttpd& microhttpd() {
  static const Microhttpd functions = loaded();
  return functions;
}

}  // namespace halfspace::http
