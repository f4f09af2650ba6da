// Checks everything a command reads and writes before it opens anything: the files that flags name, separate label
// files, the files of a folder, and standard streams that are files. No output may be another file of the list, and every
// output must be writable.
//
// Thread-safety: functions of their arguments.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace halfspace::cli {

struct NamedFile {
  enum class Use : std::uint8_t {
    input,    // read; of a folder, all files in it
    data,     // read, with its labels (files_beside())
    output,   // written atomically
    growing,  // written in place, line by line
    folder,   // *.json files are written to it
  };

  std::string flag, path;
  Use use = Use::input;
  std::string replaced_by{};  // of an input: the flag (no dashes) of an output that may be the same file
  bool stdout_too = false;    // of an output: "-" is standard output

  bool written() const noexcept { return use != Use::input && use != Use::data; }
};

// Throws Error(usage) if an output is also read, or written by another flag, through any names and links; or if it is
// "-" although the flag takes no standard output. An existing file is identified by device and inode, a new one by
// those of its folder and by its name. Pipes and devices may be named twice.
void refuse_lost_files(std::span<const NamedFile> files);

// Throws Error(input_output) if an output cannot be written: its folder is missing or write-protected, it is a folder,
// the file system is read-only. Creates no file.
void prove_writable(std::span<const NamedFile> files);

}  // namespace halfspace::cli
