// Sources whose text is made piece by piece: from a table in memory, a database or a log, or from several files side by
// side, such as rows with the labels in a file of their own.
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

class PieceSource : public Source {
 public:
  // What is there goes out before a failure does.
  std::size_t read(char* to, std::size_t capacity) final;
  std::string_view peek() override { return {}; }  // recognised already
  void rewind() override;
  bool rewindable() const override { return true; }
  std::uint64_t done() const override { return 0; }
  std::uint64_t total() const override { return 0; }  // not known
  std::string compression() const override { return "none"; }
  bool same_file(const std::string&) const override { return false; }

 protected:
  virtual void begin() = 0;  // may set the first piece
  // Makes the next piece of an empty text. Returns false at the end.
  virtual bool make(std::string& piece) = 0;

  std::string piece_;

 private:
  std::size_t position_ = 0;  // in the piece
  bool ended_ = false;
  std::exception_ptr failure_;  // occurred after the last returned bytes
};

// Records of several files, a piece each.
class JoinedRecords : public PieceSource {
 public:
  void rewind() final;
  bool rewindable() const final;
  std::uint64_t done() const final { return sources_.front()->done(); }
  std::uint64_t total() const final { return sources_.front()->total(); }
  std::string compression() const final { return sources_.front()->compression(); }
  bool same_file(const std::string& path) const final;

 protected:
  // Takes the sources, which must live as long, and reads the headers. The first is that of the values, whose progress
  // counts; null ones are left out.
  void join(std::initializer_list<Source*> sources);

  // The files begin: returns the number of records.
  virtual std::uint64_t read_headers() = 0;
  virtual void read_record(std::string& record) = 0;
  virtual void expect_ends() = 0;

  std::uint64_t next_ = 0;  // record

 private:
  void begin() final;
  bool make(std::string& record) final;

  std::vector<Source*> sources_;
  std::uint64_t records_ = 0;
};

}  // namespace halfspace::stream
