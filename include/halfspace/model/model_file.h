// The model on disk: one grammar (docs/formats/model.md), a version, a checksum over the whole file.
//
// Saving is atomic: a temporary file in the target's folder, written, synced, renamed, and the folder synced; the path
// always has the old model or the new one, whole. Loading validates everything: the checksum first, then every field
// before anything is allocated; an invalid file is rejected with the name of the field and its offset. The same model
// gives the same bytes on every machine.
//
// A path may be a pipe, which waits for its other end. Setting `interrupt`, unless it is null, ends the wait with
// Interrupted.
//
// Thread-safety: functions of their arguments.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "halfspace/train/model.h"

namespace halfspace {

// Throws Error(data), naming the field, for a model that decode would refuse: what is written can be read.
std::vector<std::uint8_t> encode(const Model& model);
// Reads a model; `name` is the file's name for errors. Throws Error(data).
Model decode(std::span<const std::uint8_t> bytes, const std::string& name);

// Throws Error(input_output), leaving what was there.
void save_model(const Model& model, const std::string& path, const std::atomic<bool>* interrupt = nullptr);
// Throws Error: no_input (missing, a folder, not allowed), input_output, data.
Model load_model(const std::string& path, const std::atomic<bool>* interrupt = nullptr);

// Writes bytes to a path atomically, as above; for every file the project writes whole. A new file has the permissions
// that the umask leaves, one that was there keeps its own; links are followed. What is no regular file (a pipe, a
// device, /dev/stdout) is written to directly. Throws Error(input_output).
void write_atomically(const std::string& path, std::span<const std::uint8_t> bytes,
                      const std::atomic<bool>* interrupt = nullptr);

}  // namespace halfspace
