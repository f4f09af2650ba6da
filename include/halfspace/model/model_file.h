// The model on disk: one grammar (docs/formats/model.md), a version, a checksum over the whole file.
//
// Saving is atomic: a temporary file in the target's folder is written, synced and renamed, and the folder synced; the
// path always has the complete old or new model. Loading validates everything: the checksum first, then every field
// before any allocation; an invalid file is rejected with the name of the field and its offset. The same model gives
// the same bytes on every machine.
//
// A path may be a pipe, which waits for its other end. Setting `interrupt`, unless null, ends the wait with
// Interrupted.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "halfspace/train/model.h"

namespace halfspace {

// Throws Error(data), naming the field, for a model that decode would reject: every written model can be read.
std::vector<std::uint8_t> encode(const Model& model);
// Reads a model; `name` is the file's name for errors. Throws Error(data).
Model decode(std::span<const std::uint8_t> bytes, const std::string& name);

// Throws Error(input_output), leaving an existing file unchanged.
void save_model(const Model& model, const std::string& path, const std::atomic<bool>* interrupt = nullptr);
// Throws Error: no_input (missing, a folder, not allowed), input_output, data.
Model load_model(const std::string& path, const std::atomic<bool>* interrupt = nullptr);

// Does the same for predictions, evaluations and exports, in less time and memory: the state of a learner that these do
// not need is skipped. Such a model cannot be saved, resumed or served.
Model load_model_to_predict(const std::string& path, const std::atomic<bool>* interrupt = nullptr);

// Returns whether this is a regular file that begins as a model does. Never reads a pipe.
bool is_model_file(const std::string& path);

// Writes bytes to a path atomically, as above; for every complete file of the project. A new file has the permissions
// that the umask leaves, an existing one keeps its own; links are followed. A path that is not a regular file (a pipe,
// a device, /dev/stdout) is written directly. Throws Error(input_output).
void write_atomically(const std::string& path, std::span<const std::uint8_t> bytes,
                      const std::atomic<bool>* interrupt = nullptr);

}  // namespace halfspace
