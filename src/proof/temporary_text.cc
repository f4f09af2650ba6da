// Writes rows in memory where a proof can read them again.
#include "proof/temporary_text.h"

#include <unistd.h>

#include <cstdlib>

#include "halfspace/base/error.h"

namespace halfspace::proof {

TemporaryText::TemporaryText(const MemoryData& data, const std::string& folder)
    : path_((folder.empty() ? "/tmp" : folder) + "/halfspace-XXXXXX") {
  const int file = ::mkstemp(path_.data());
  if (file < 0) throw Error(ErrorKind::input_output, "cannot make a temporary file").at(path_);
  ::close(file);
  try {
    write_libsvm(data, path_);
  } catch (...) {
    ::unlink(path_.c_str());
    throw;
  }
}

TemporaryText::~TemporaryText() {
  ::unlink(path_.c_str());
}

ReadOptions TemporaryText::read(ReadOptions options) const {
  options.data = nullptr;
  options.path = path_;
  options.format = DataFormat::libsvm;
  options.zero_based = false;
  return options;
}

}  // namespace halfspace::proof
