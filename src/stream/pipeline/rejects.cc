// Writes rejected rows as a CSV file.
#include "stream/pipeline/rejects.h"

#include "stream/text/text.h"

namespace halfspace::stream {
namespace {

constexpr std::size_t most_pending_rejects = std::size_t{1} << 16;

}  // namespace

Rejects::Rejects(const std::string& path, const std::atomic<bool>* interrupt)
    : out_(path, interrupt), pending_("file,line,column,reason,text\n") {}

void Rejects::write(std::string_view file, std::uint64_t line, std::uint64_t column, std::string_view reason,
                    std::string_view text) {
  pending_ += csv_field(file);
  pending_ += "," + std::to_string(line) + "," + std::to_string(column) + ",";
  pending_ += csv_field(reason);
  pending_ += ',';
  pending_ += csv_field(text);
  pending_ += '\n';
  if (pending_.size() >= most_pending_rejects) flush();
}

void Rejects::flush() {
  out_.write({reinterpret_cast<const std::uint8_t*>(pending_.data()), pending_.size()});
  pending_.clear();
}

void Rejects::finish() {
  flush();
  out_.commit();
}

}  // namespace halfspace::stream
