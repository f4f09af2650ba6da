// Models for the tests of the service.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <optional>
#include <string>

#include "halfspace/train/settings.h"
#include "halfspace/train/train.h"

namespace halfspace::service {

// Trains on this text, as a file of this name would have it.
inline Model model_on(const std::string& text, const std::string& preset, const std::string& name = "first.svm",
                      const std::string& label = {}, const std::optional<Watch>& watch = {}) {
  const std::string path = testing::TempDir() + "/" + std::to_string(::getpid()) + name;
  std::FILE* const file = std::fopen(path.c_str(), "wb");
  std::fwrite(text.data(), 1, text.size(), file);
  std::fclose(file);
  TrainSettings settings;
  settings.data.paths = {path};
  settings.preset = preset;
  if (!label.empty()) settings.data.read.columns.label = label;
  TrainOptions options = train_options(settings);
  options.watch = watch;
  Model model = train(options).model;
  std::remove(path.c_str());
  return model;
}

}  // namespace halfspace::service
