// Several files read side by side as one stream of records, such as rows with the labels in a file of their own.
//
// Thread-safety: as Source.
#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <vector>

#include "stream/source/source.h"

namespace halfspace::stream {

class JoinedRecords : public Source {
 public:
  // What is there goes out before a failure does.
  std::size_t read(char* to, std::size_t capacity) final;
  std::string_view peek() final { return {}; }  // recognised already
  void rewind() final;
  bool rewindable() const final;
  std::uint64_t done() const final { return sources_.front()->done(); }
  std::uint64_t total() const final { return sources_.front()->total(); }
  std::string compression() const final { return sources_.front()->compression(); }
  bool same_file(const std::string& path) const final;

 protected:
  // The first source is that of the values, whose progress counts; null ones are left out. They must live as long.
  // Reads the headers.
  void begin(std::initializer_list<Source*> sources);

  virtual std::uint64_t read_headers() = 0;  // returns the number of records
  virtual void read_record(std::vector<char>& record) = 0;
  virtual void expect_ends() = 0;

  std::uint64_t next_ = 0;  // record

 private:
  void start();
  bool next_record();  // returns false at the end

  std::vector<Source*> sources_;
  std::uint64_t records_ = 0;
  std::vector<char> record_;
  std::size_t position_ = 0;  // in it
  bool ended_ = false;
  std::exception_ptr failure_;  // occurred after the last returned bytes
};

}  // namespace halfspace::stream
