// Rows set aside, as a CSV file.
#include "stream/rejects.h"

#include <cerrno>
#include <system_error>

#include "halfspace/base/error.h"
#include "stream/text/text.h"

namespace halfspace::stream {
Rejects::Rejects(const std::string& path) : path_(path), out_(path, std::ios::binary | std::ios::trunc) {
  out_ << "file,line,column,reason,text\n";
  check();
}

void Rejects::write(std::string_view file, std::uint64_t line, std::uint64_t column, std::string_view reason,
                    std::string_view text) {
  out_ << csv_field(file) << ',' << line << ',' << column << ',' << csv_field(reason) << ',' << csv_field(text) << '\n';
  check();
}

void Rejects::finish() {
  out_.flush();
  check();
}

void Rejects::check() {
  if (out_) return;
  const int error = errno;
  throw Error(ErrorKind::input_output,
              "cannot write the rejected rows" + (error == 0 ? "" : ": " + std::generic_category().message(error)))
      .at(path_)
      .fix("name a file in a folder that can be written to and has room");
}

}  // namespace halfspace::stream
