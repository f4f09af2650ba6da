// GNU libmicrohttpd, loaded when a server starts.
//
// It is not linked: it depends on GnuTLS, and the dynamic linker and GnuTLS's own start would more than double the time
// in which every other command starts.
//
// Thread-safety: the table is immutable once it is loaded, and loaded once.
#pragma once

#include <microhttpd.h>

namespace halfspace::http {

// The functions of the library that a server calls.
struct Microhttpd {
  decltype(&MHD_start_daemon) start_daemon;
  decltype(&MHD_stop_daemon) stop_daemon;
  decltype(&MHD_quiesce_daemon) quiesce_daemon;
  decltype(&MHD_get_daemon_info) get_daemon_info;
  decltype(&MHD_get_connection_info) get_connection_info;
  decltype(&MHD_get_connection_values) get_connection_values;
  decltype(&MHD_create_response_from_buffer) create_response_from_buffer;
  decltype(&MHD_add_response_header) add_response_header;
  decltype(&MHD_queue_response) queue_response;
  decltype(&MHD_destroy_response) destroy_response;
  decltype(&MHD_suspend_connection) suspend_connection;
  decltype(&MHD_resume_connection) resume_connection;
};

// Returns the loaded library. Throws Error(usage) if it is not installed.
const Microhttpd& microhttpd();

}  // namespace halfspace::http
