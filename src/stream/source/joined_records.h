// Several files read side by side as one stream of records, such as rows with the labels in a file of their own.
//
// Thread-safety: as Source.
#pragma once

#include <cstdint>
#include <exception>
#include <initializer_list>
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
  // Takes the sources, which must live as long, and reads the headers. The first is that of the values, whose progress
  // counts; null ones are left out.
  void begin(std::initializer_list<Source*> sources);

  // The files begin: returns the number of records.
  virtual std::uint64_t read_headers() = 0;
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
