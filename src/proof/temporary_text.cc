// Writes rows in memory to a file that a verifier can read again.
#include "proof/temporary_text.h"

#include <unistd.h>

#include <cstdlib>
#include <utility>

#include "halfspace/base/error.h"
#include "stream/arrays/row_text.h"

namespace halfspace::proof {

TemporaryText::TemporaryText(const RowSource& source, const std::string& folder)
    : source_(source), path_((folder.empty() ? "/tmp" : folder) + "/halfspace-XXXXXX") {
  const int file = ::mkstemp(path_.data());
  if (file < 0) throw Error(ErrorKind::input_output, "cannot make a temporary file").at(path_);
  ::close(file);
  try {
    write_text(source, path_);
  } catch (...) {
    ::unlink(path_.c_str());
    throw;
  }
}

TemporaryText::~TemporaryText() {
  ::unlink(path_.c_str());
}

ReadOptions TemporaryText::read(ReadOptions options) const {
  return stream::read_text_of(source_, path_, std::move(options));
}

}  // namespace halfspace::proof
