// Exceptions to the error struct of C.
#include <cstdlib>
#include <cstring>
#include <new>

#include "c/handles.h"
#include "halfspace/base/error.h"

namespace halfspace::c {
namespace {

// Null when memory has run out, too.
char* text_or_null(const std::string& text) noexcept {
  if (text.empty()) return nullptr;
  char* const copy = static_cast<char*>(std::malloc(text.size() + 1));
  if (copy != nullptr) std::memcpy(copy, text.c_str(), text.size() + 1);
  return copy;
}

void store(halfspace_error* error, int kind, const char* message) noexcept {
  if (error == nullptr) return;
  halfspace_error_clear(error);
  error->kind = kind;
  error->message = static_cast<char*>(std::malloc(std::strlen(message) + 1));
  if (error->message != nullptr) std::strcpy(error->message, message);
}

}  // namespace

int report(const std::exception_ptr& thrown, halfspace_error* error) noexcept {
  try {
    std::rethrow_exception(thrown);
  } catch (const Interrupted& interrupted) {
    store(error, HALFSPACE_INTERRUPTED, interrupted.what());
    return HALFSPACE_INTERRUPTED;
  } catch (const Error& e) {
    const int kind = static_cast<int>(e.kind());
    if (error == nullptr) return kind;
    try {
      const std::string message = render_options(e.message()), fix = render_options(e.hint());
      store(error, kind, message.c_str());
      error->line = e.line();
      error->column = e.column();
      error->file = text_or_null(e.file());
      error->text = text_or_null(e.text());
      error->fix = text_or_null(fix);
    } catch (...) {
      store(error, kind, "an error, and no memory to say which");
    }
    return kind;
  } catch (const std::bad_alloc&) {
    store(error, HALFSPACE_NO_MEMORY, "memory ran out");
    return HALFSPACE_NO_MEMORY;
  } catch (const std::exception& e) {
    store(error, HALFSPACE_INTERNAL, e.what());
  } catch (...) {
    store(error, HALFSPACE_INTERNAL, "an unknown exception");
  }
  return HALFSPACE_INTERNAL;
}

char* copied(const std::string& text) { return static_cast<char*>(copied(text.c_str(), text.size() + 1)); }

void* copied(const void* bytes, std::size_t size) {
  void* const copy = std::malloc(size == 0 ? 1 : size);
  if (copy == nullptr) throw std::bad_alloc();
  if (size != 0) std::memcpy(copy, bytes, size);
  return copy;
}

}  // namespace halfspace::c

extern "C" {

void halfspace_error_clear(halfspace_error* error) {
  if (error == nullptr) return;
  for (char* const text : {error->message, error->file, error->text, error->fix}) std::free(text);
  *error = {};
}

void halfspace_free(void* memory) { std::free(memory); }

uint32_t halfspace_c_version(void) { return HALFSPACE_C_VERSION; }

const char* halfspace_version(void) { return HALFSPACE_VERSION; }

}  // extern "C"
