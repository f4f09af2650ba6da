// Reads the central directory of a zip archive, and its members: stored, or inflated by ISA-L.
#include "stream/source/zip.h"

#include <fcntl.h>
#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <unordered_set>
#include <utility>

#include "base/retried.h"
#include "halfspace/base/error.h"
#include "stream/source/raw_file.h"
#include "stream/text/text.h"

namespace halfspace::stream {

// Random access to a file.
class ZipArchive::File {
 public:
  explicit File(const std::string& path) : name_(shown_name(path)) {
    descriptor_ = retried([&] { return ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC); });
    if (descriptor_ < 0) {
      throw Error(ErrorKind::no_input, "cannot open: " + std::generic_category().message(errno))
          .at(name_)
          .fix("check the path and the permissions");
    }
    struct stat status {};
    if (::fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode)) {
      ::close(descriptor_);
      throw Error(ErrorKind::data, "must be a regular file: its arrays are read in parallel")
          .at(name_)
          .fix("save it to a file first");
    }
    size_ = static_cast<std::uint64_t>(status.st_size);
    device_ = status.st_dev;
    inode_ = status.st_ino;
  }
  ~File() { ::close(descriptor_); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  const std::string& name() const noexcept { return name_; }
  std::uint64_t size() const noexcept { return size_; }
  bool is(const std::string& path) const {
    struct stat status {};
    return ::stat(path.c_str(), &status) == 0 && status.st_dev == device_ && status.st_ino == inode_;
  }

  // Reads exactly this many bytes.
  void read(std::uint64_t at, char* to, std::size_t count) const {
    while (count != 0) {
      const ssize_t got = retried([&] { return ::pread(descriptor_, to, count, static_cast<off_t>(at)); });
      if (got < 0) {
        throw Error(ErrorKind::input_output,
                    "cannot read at byte " + std::to_string(at) + ": " + std::generic_category().message(errno))
            .at(name_)
            .fix("check the disk");
      }
      if (got == 0) throw wrong("the file has become shorter, it ends at byte " + std::to_string(at));
      to += got;
      at += static_cast<std::uint64_t>(got);
      count -= static_cast<std::size_t>(got);
    }
  }

  std::string read(std::uint64_t at, std::size_t count) const {
    std::string bytes(count, '\0');
    read(at, bytes.data(), count);
    return bytes;
  }

  Error wrong(std::string reason) const {
    return Error(ErrorKind::data, std::move(reason)).at(name_).fix("fetch or write the file again");
  }

 private:
  std::string name_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
  dev_t device_ = 0;
  ino_t inode_ = 0;
};

namespace {

constexpr std::size_t end_bytes = 22, end64_bytes = 56, locator_bytes = 20, entry_bytes = 46, local_bytes = 30;
constexpr std::size_t most_comment = 0xffff, most_directory = std::size_t{1} << 20;
constexpr std::uint32_t stored = 0, deflated = 8;
constexpr std::uint64_t elsewhere = 0xffffffff;  // too large for its field: the zip64 field has it
constexpr std::string_view end_magic = "PK\x05\x06", end64_magic = "PK\x06\x06", locator_magic = "PK\x06\x07",
                           entry_magic = "PK\x01\x02", local_magic = "PK\x03\x04";

std::uint64_t little_endian(std::string_view bytes, std::size_t at, std::size_t count) {
  std::uint64_t value = 0;
  for (std::size_t i = count; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

struct Directory {
  std::uint64_t at = 0, size = 0, entries = 0;
  std::uint64_t end = 0;  // end of what may precede the records after the directory
};

// Finds the record at the end of the file; a comment may follow it.
Directory find_directory(const ZipArchive::File& file) {
  const std::size_t tail_size =
      static_cast<std::size_t>(std::min<std::uint64_t>(file.size(), end_bytes + most_comment));
  const std::string tail = file.read(file.size() - tail_size, tail_size);
  std::size_t at = tail.size();
  bool found = false;
  while (!found && at != 0) {
    at = tail.rfind(end_magic, at - 1);
    if (at == std::string::npos) break;
    found = tail.size() - at >= end_bytes && little_endian(tail, at + 20, 2) == tail.size() - at - end_bytes;
  }
  if (!found) throw file.wrong("the zip archive is cut: it has no directory at its end");
  const std::uint64_t end = file.size() - tail.size() + at;
  Directory directory{little_endian(tail, at + 16, 4), little_endian(tail, at + 12, 4), little_endian(tail, at + 10, 2),
                      end};
  std::uint64_t disks = little_endian(tail, at + 4, 2) | little_endian(tail, at + 6, 2);
  if (end >= locator_bytes) {
    const std::string locator = file.read(end - locator_bytes, locator_bytes);
    if (locator.starts_with(locator_magic)) {
      directory.end = little_endian(locator, 8, 8);
      if (directory.end > end - locator_bytes || end - locator_bytes - directory.end < end64_bytes)
        throw file.wrong("the zip64 record is not at byte " + std::to_string(directory.end) + ", where it should be");
      const std::string record = file.read(directory.end, end64_bytes);
      if (!record.starts_with(end64_magic))
        throw file.wrong("the zip64 record is not at byte " + std::to_string(directory.end) + ", where it should be");
      disks = little_endian(record, 16, 4) | little_endian(record, 20, 4);
      directory.entries = little_endian(record, 32, 8);
      directory.size = little_endian(record, 40, 8);
      directory.at = little_endian(record, 48, 8);
    }
  }
  if (disks != 0) throw file.wrong("the zip archive is one of several parts");
  if (directory.at > directory.end || directory.size > directory.end - directory.at) {
    throw file.wrong("the directory of the zip archive is said to be " + std::to_string(directory.size) +
                     " bytes at byte " + std::to_string(directory.at) + ", beyond what the file holds");
  }
  if (directory.size > most_directory) throw file.wrong("the directory of the zip archive is longer than 1 MiB");
  return directory;
}

// Reads the numbers that did not fit into the entry from its extra field.
bool read_zip64(std::string_view extra, ZipArchive::Member& member) {
  while (extra.size() >= 4) {
    const std::uint64_t tag = little_endian(extra, 0, 2), size = little_endian(extra, 2, 2);
    extra.remove_prefix(4);
    if (size > extra.size()) return false;
    if (tag == 1) {
      std::string_view field = extra.substr(0, size);
      for (std::uint64_t* const number : {&member.size, &member.packed, &member.header}) {
        if (*number != elsewhere) continue;
        if (field.size() < 8) return false;
        *number = little_endian(field, 0, 8);
        field.remove_prefix(8);
      }
      return true;
    }
    extra.remove_prefix(size);
  }
  return member.size != elsewhere && member.packed != elsewhere && member.header != elsewhere;
}

// One member, in pieces that do not depend on what its reader requests.
class MemberSource final : public Source {
 public:
  MemberSource(std::shared_ptr<const ZipArchive::File> file, const ZipArchive::Member& member, std::string shown)
      : file_(std::move(file)),
        member_(member),
        shown_(std::move(shown)),
        out_(std::make_unique_for_overwrite<char[]>(piece)) {
    if (member_.method == deflated) {
      in_ = std::make_unique_for_overwrite<char[]>(piece);
      state_ = std::make_unique<inflate_state>();
    }
    MemberSource::rewind();
  }

  std::size_t read(char* to, std::size_t capacity) override {
    if (position_ == filled_ && !fill()) return 0;
    const std::size_t count = std::min(capacity, filled_ - position_);
    std::memcpy(to, out_.get() + position_, count);
    position_ += count;
    return count;
  }

  std::string_view peek() override { return {}; }  // recognised already

  void rewind() override {
    taken_ = given_ = 0;
    position_ = filled_ = 0;
    ended_ = false;
    crc_ = 0;
    if (!state_) return;
    isal_inflate_init(state_.get());
    state_->crc_flag = ISAL_DEFLATE;
  }
  bool rewindable() const override { return true; }
  std::uint64_t done() const override { return taken_; }
  std::uint64_t total() const override { return member_.packed; }
  std::string compression() const override { return "none"; }
  bool same_file(const std::string& path) const override { return file_->is(path); }

 private:
  static constexpr std::size_t piece = std::size_t{64} << 10;

  Error wrong(const std::string& reason) const {
    return Error(ErrorKind::data, reason + ", near byte " + std::to_string(member_.begin + taken_))
        .at(shown_)
        .fix("fetch or write the file again; `unzip -t` tests it");
  }

  // Returns false at the end.
  bool fill() {
    if (ended_) return false;
    position_ = 0;
    filled_ = state_ ? inflate() : copy();
    given_ += filled_;
    if (given_ > member_.size) throw wrong("the array holds more than the directory says");
    crc_ = crc32_gzip_refl(crc_, reinterpret_cast<const unsigned char*>(out_.get()), filled_);
    if (!ended_) return true;
    if (given_ != member_.size) throw wrong("the array holds less than the directory says");
    if (crc_ != member_.crc) throw wrong("the checksum is incorrect: the array is damaged");
    return filled_ != 0;
  }

  std::size_t take(char* to) {
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(piece, member_.packed - taken_));
    file_->read(member_.begin + taken_, to, count);
    taken_ += count;
    return count;
  }

  std::size_t copy() {
    const std::size_t count = take(out_.get());
    ended_ = taken_ == member_.packed;
    return count;
  }

  std::size_t inflate() {
    state_->next_out = reinterpret_cast<std::uint8_t*>(out_.get());
    state_->avail_out = piece;
    while (state_->avail_out != 0) {
      if (state_->avail_in == 0) {
        state_->next_in = reinterpret_cast<std::uint8_t*>(in_.get());
        state_->avail_in = static_cast<std::uint32_t>(take(in_.get()));
      }
      const bool starved = state_->avail_in == 0;
      const std::uint32_t room = state_->avail_out, input = state_->avail_in;
      const int result = isal_inflate(state_.get());
      if (result < 0 || result == ISAL_NEED_DICT) throw wrong("the compressed array is damaged");
      if (state_->block_state == ISAL_BLOCK_FINISH) {
        const std::uint64_t left = member_.packed - taken_ + state_->avail_in +
                                   static_cast<std::uint64_t>(std::max(state_->read_in_length, 0) / 8);
        if (left != 0) throw wrong("the compressed array ends before the directory says");
        ended_ = true;
        break;
      }
      if (starved && state_->avail_out == room && state_->avail_in == input) throw wrong("the compressed array is cut");
    }
    return piece - state_->avail_out;
  }

  std::shared_ptr<const ZipArchive::File> file_;
  ZipArchive::Member member_;
  std::string shown_;
  std::uint64_t taken_ = 0, given_ = 0;  // bytes of the file, and of the array
  std::unique_ptr<char[]> in_, out_;
  std::size_t position_ = 0, filled_ = 0;  // of out_
  bool ended_ = false;
  std::uint32_t crc_ = 0;
  std::unique_ptr<inflate_state> state_;  // none: it is stored
};

}  // namespace

std::string_view first_zip_name(std::string_view first) {
  if (!first.starts_with(local_magic) || first.size() <= local_bytes) return {};
  return first.substr(local_bytes, little_endian(first, 26, 2));
}

ZipArchive::ZipArchive(const std::string& path) : file_(std::make_shared<File>(path)) {
  read_directory();
  refuse_overlaps();
  for (Member& member : members_) read_header(member);
}

void ZipArchive::read_directory() {
  const Directory directory = find_directory(*file_);
  const std::string bytes = file_->read(directory.at, static_cast<std::size_t>(directory.size));
  std::string_view rest = bytes;
  std::unordered_set<std::string> names;
  while (!rest.empty()) {
    const auto place = std::to_string(directory.at + (bytes.size() - rest.size()));
    if (rest.size() < entry_bytes || !rest.starts_with(entry_magic))
      throw file_->wrong("the directory of the zip archive has no entry at byte " + place);
    const std::size_t name = little_endian(rest, 28, 2), extra = little_endian(rest, 30, 2),
                      comment = little_endian(rest, 32, 2);
    if (rest.size() - entry_bytes < name + extra + comment)
      throw file_->wrong("the entry at byte " + place + " is longer than the directory of the zip archive");
    Member member;
    member.name = rest.substr(entry_bytes, name);
    member.method = static_cast<std::uint32_t>(little_endian(rest, 10, 2));
    member.crc = static_cast<std::uint32_t>(little_endian(rest, 16, 4));
    member.packed = little_endian(rest, 20, 4);
    member.size = little_endian(rest, 24, 4);
    member.header = little_endian(rest, 42, 4);
    const bool whole = read_zip64(rest.substr(entry_bytes + name, extra), member);
    const std::string shown = quote(member.name) + ", byte " + place + " of the directory";
    if ((little_endian(rest, 8, 2) & 1) != 0) throw file_->wrong("an array is encrypted: " + shown);
    if (!whole || member.header > directory.at || directory.at - member.header < local_bytes + name ||
        directory.at - member.header - local_bytes - name < member.packed ||
        (member.method == stored && member.packed != member.size)) {
      throw file_->wrong("the sizes do not fit into the file: " + shown);
    }
    if (!names.insert(member.name).second) throw file_->wrong("two arrays have the same name: " + shown);
    members_.push_back(std::move(member));
    rest.remove_prefix(entry_bytes + name + extra + comment);
  }
  if (members_.size() != directory.entries) {
    throw file_->wrong("the directory of the zip archive is said to have " + std::to_string(directory.entries) +
                       " entries, and has " + std::to_string(members_.size()));
  }
}

void ZipArchive::refuse_overlaps() const {
  std::vector<const Member*> sorted;
  for (const Member& member : members_) sorted.push_back(&member);
  std::sort(sorted.begin(), sorted.end(), [](const Member* a, const Member* b) { return a->header < b->header; });
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    const Member& before = *sorted[i - 1];
    if (before.header + local_bytes + before.name.size() + before.packed <= sorted[i]->header) continue;
    throw file_->wrong("the arrays " + quote(before.name) + " and " + quote(sorted[i]->name) +
                       " lie in the same bytes, from byte " + std::to_string(sorted[i]->header) + " on");
  }
}

// A member has a header of its own, too, of another length.
void ZipArchive::read_header(Member& member) const {
  const std::string local = file_->read(member.header, local_bytes + member.name.size());
  const std::uint64_t name = little_endian(local, 26, 2), extra = little_endian(local, 28, 2);
  member.begin = member.header + local_bytes + name + extra;
  if (!local.starts_with(local_magic) || name != member.name.size() || !local.ends_with(member.name) ||
      little_endian(local, 8, 2) != member.method || member.begin > file_->size() ||
      file_->size() - member.begin < member.packed) {
    throw file_->wrong("what stands at byte " + std::to_string(member.header) + " is not the header of " +
                       quote(member.name) + ", as the directory of the zip archive says");
  }
}

std::unique_ptr<Source> ZipArchive::open(const Member& member, std::string shown) const {
  if (member.method != stored && member.method != deflated) {
    throw Error(ErrorKind::data, "is compressed by method " + std::to_string(member.method) +
                                     " of zip, and stored (0) and deflated (8) are read")
        .at(shown)
        .fix("write it with numpy.savez or numpy.savez_compressed");
  }
  return std::make_unique<MemberSource>(file_, member, std::move(shown));
}

}  // namespace halfspace::stream
