// Experiments: games with experts and bandits on a table, and the labs. Settings describe one; made from them, it has
// run, and gives what a command prints of it.
//
//   ExpertsSettings settings;
//   settings.table.path = "losses.csv";
//   set_option(options_of(settings), "losses", "true");
//   const std::unique_ptr<Experiment> run = run(settings);
//   run->text();
//
// Thread-safety: value types; a finished experiment never changes. Options point into the settings.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/text_style.h"
#include "halfspace/bandits/chooser_settings.h"
#include "halfspace/bandits/logged_rounds.h"
#include "halfspace/bandits/settings.h"
#include "halfspace/experts/experts_game.h"
#include "halfspace/experts/round_table.h"
#include "halfspace/train/settings.h"

namespace halfspace::lab {

// How an experiment is run and shown.
struct Conduct {
  TextStyle style{};       // of its texts
  std::size_t width = 80;  // of plots, in columns
  bool figures = false;    // records the data of a page's figures
  const std::atomic<bool>* interrupt = nullptr;
  std::function<void(const ReadNote&)> on_note{};
  std::function<void(const std::string& what)> on_stage{};  // receives what is under way
};

// Experts, or choices with losses, in a table.
struct ExpertsSettings : Conduct {
  static constexpr const char* command = "experts";
  RoundTableOptions table;
  std::string algorithm = "all", loss;
  bool losses = false;
  FollowOptions follow;
};

// A table of the losses of every arm, or a log.
struct ReplaySettings : Conduct, BanditSettings {
  static constexpr const char* command = "bandit";
  RoundTableOptions table;
  LogOptions log;  // its path is that of the table
  std::uint64_t repeat = 1;
  bool logged = false;
  ChooserSettings chooser;            // of a log of events with features
  std::vector<std::string> policies;  // to value on it; empty: those of the chooser
};

struct LabSettings : Conduct {
  static constexpr const char* command = "lab";
  std::string lab;
  std::string data;        // the file or folder of data, for labs that need one
  std::string output;      // the file for the rows of lab plane; empty: none
  std::uint64_t n = 0;     // the size of the experiment; 0: the lab's default
  std::uint64_t seed = 1;  // of its draws
  bool plot = false;       // ends with a small plot
};

std::vector<Option> options_of(ExpertsSettings& settings);
std::vector<Option> options_of(ReplaySettings& settings);
std::vector<Option> options_of(LabSettings& settings);

// Adds options below a heading of the help.
inline void add_group(std::vector<Option>& options, const char* heading, std::vector<Option> more) {
  for (Option& option : more) {
    option.group = heading;
    options.push_back(std::move(option));
  }
}

// Throws Error(usage) for an empty path.
inline void refuse_no_table(const std::string& path) {
  if (path.empty()) throw Error(ErrorKind::usage, "no data given").fix("name a CSV file");
}

class Experiment {
 public:
  virtual ~Experiment() = default;
  // Return a run's JSON, which begins as `head`: what --json prints, and what a page is drawn from.
  virtual Json json(Json head) const = 0;
  virtual Json page(Json head) const { return json(std::move(head)); }
  virtual std::string text() const = 0;
  // Returns whether a lab's claim held.
  virtual bool holds() const { return true; }
  // Throws Error(internal) if a result contradicts its theorem.
  virtual void check() const {}

 protected:
  std::string bold(std::string_view text) const { return style.bold(text); }
  std::string dim(std::string_view text) const { return style.dim(text); }

  TextStyle style{};
};

// Run the experiment. Throw Error; input_output if they are interrupted.
std::unique_ptr<Experiment> run(const ExpertsSettings& settings);
std::unique_ptr<Experiment> run(const ReplaySettings& settings);
std::unique_ptr<Experiment> run(const LabSettings& settings);

}  // namespace halfspace::lab
