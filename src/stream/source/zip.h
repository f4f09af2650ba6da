// Members of a zip archive, each its own source, so that several can be read in parallel.
//
// Supports stored and deflated members and zip64. Sizes and CRC are those of the central directory, and are checked: a
// member's text is returned before the CRC is known, and Error(data) then ends the reading. No length is trusted beyond
// the end of the file; rejects a directory of more than 1 MiB, encryption, other methods, and members that overlap or
// share a name. Debian's minizip fails on the central directories of zip64.
//
// Thread-safety: one thread an archive and its members. Ownership: members keep the file open.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "stream/source/source.h"

namespace halfspace::stream {

// Returns the name of the first member if these are the first bytes of a zip archive that has one; else nothing. A name
// that exceeds the bytes is truncated.
std::string_view first_zip_name(std::string_view first_bytes);

class ZipArchive {
 public:
  struct Member {
    std::string name;
    std::uint32_t method = 0, crc = 0;
    std::uint64_t packed = 0, size = 0;   // bytes, compressed and not
    std::uint64_t header = 0, begin = 0;  // offsets of its own header and its bytes in the file
  };

  // Reads the directory of a regular file, and the headers of all members. Throws Error: no_input, input_output, data.
  explicit ZipArchive(const std::string& path);

  const std::vector<Member>& members() const noexcept { return members_; }
  // Opens a member; `shown`: its name in errors. Throws Error(data) for an unsupported method.
  std::unique_ptr<Source> open(const Member& member, std::string shown) const;

  class File;

 private:
  void read_directory();
  void refuse_overlaps() const;
  void read_header(Member& member) const;

  std::shared_ptr<const File> file_;
  std::vector<Member> members_;
};

}  // namespace halfspace::stream
