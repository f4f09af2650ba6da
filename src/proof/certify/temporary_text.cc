// Writes rows in memory to a file that a verifier can read again.
#include "proof/certify/temporary_text.h"

#include <unistd.h>

#include <cstdlib>
#include <utility>

#include "halfspace/base/error.h"
#include "halfspace/stream/table_text.h"
#include "stream/arrays/row_text.h"

namespace halfspace::proof {

TemporaryText::TemporaryText(ReadOptions options, const std::string& folder)
    : read_(std::move(options)), path_((folder.empty() ? "/tmp" : folder) + "/halfspace-XXXXXX") {
  const int file = ::mkstemp(path_.data());
  if (file < 0) throw Error(ErrorKind::input_output, "cannot make a temporary file").at(path_);
  ::close(file);
  try {
    write();
  } catch (...) {
    ::unlink(path_.c_str());
    throw;
  }
  if (read_.rows != nullptr) {
    read_ = stream::read_text_of(*read_.rows, path_, std::move(read_));
  } else {
    read_.table_text = nullptr;
    read_.path = path_;
  }
}

void TemporaryText::write() const {
  if (read_.rows != nullptr) {
    write_text(*read_.rows, path_);
  } else {
    write_text(*read_.table_text, path_);
  }
}

TemporaryText::~TemporaryText() { ::unlink(path_.c_str()); }

}  // namespace halfspace::proof
