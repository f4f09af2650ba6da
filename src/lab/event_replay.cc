// Replays events.
#include "lab/event_replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "bandits/logged_events.h"
#include "base/printable.h"
#include "base/stop.h"
#include "base/text_table.h"
#include "halfspace/base/error.h"
#include "halfspace/detail/bandits/policy.h"
#include "report/results/words.h"
#include "stream/source/source.h"

namespace halfspace::lab {
namespace {

class EventReplay : public Experiment {
 public:
  explicit EventReplay(const ReplaySettings& settings) : settings_(settings.chooser) {
    style = settings.style;
    ChooserOptions& options = settings_.chooser;
    options.policies = settings.policies.empty() ? ChooserOptions::default_policies() : settings.policies;
    options.run = options.policies.front();
    options.delta = settings.delta;
    options.seed = settings.seed;
    chooser_.emplace(options);
    for (const std::string& name : options.policies) {
      policy::Policy parsed = policy::parse(name);
      if (parsed.kind == policy::Kind::arm) arms_.push_back({name, std::move(parsed.action)});
    }
    const std::string& path = settings.table.path;
    bandits::LoggedEvents events(path, settings_.bits, settings_.products, settings.interrupt);
    while (const bandits::LoggedEvent* const event = events.next()) {
      if (rounds_++ % 1024 == 0) stop_if(settings.interrupt);
      dropped_ += event->weight != 1;
      for (Arm& arm : arms_)
        arm.absent += std::find(event->names.begin(), event->names.end(), arm.action) == event->names.end();
      try {
        if (-event->cost < settings_.least_reward || -event->cost > settings_.most_reward)
          throw Error(ErrorKind::data,
                      "the cost " + short_number(event->cost) + " is outside the rewards' range, negated")
              .fix("of costs from 0 to 1: " + option("reward-range", "-1,0"));
        const double reward = settings_.normalized(-event->cost);
        const Chooser::Actions actions{event->rows, event->names, {}};
        if (event->propensity < settings.log.floor)
          throw Error(ErrorKind::data, "the probability is below " + option("floor", short_number(settings.log.floor)))
              .fix("state the least probability of the log, or none");
        chooser_->learn(
            chooser_->choose_logged(actions, event->id, event->action, event->propensity, settings.log.floor), reward);
      } catch (Error& error) {
        throw std::move(error).at(path, event->line);
      }
    }
    left_out_ = events.left_out();
  }

 private:
  Json json_of(const std::string& name, const PolicyValue& value) const {
    const Interval worth = settings_.in_units(value.value());
    const Interval gain = settings_.difference_in_units(value.gain());
    Json j = {{"name", name}};
    j["value"] = {{"value", worth.value}, {"lower", worth.lower}, {"upper", worth.upper}};
    j["gain"] = {{"value", gain.value}, {"lower", gain.lower}, {"upper", gain.upper}};
    j["snips"] = settings_.in_units(value.estimate().snips()).value;
    j["doubly_robust"] = settings_.in_units({value.doubly_robust(), 0, 1}).value;
    j["effective_rows"] = value.estimate().effective_rows();
    j["rounds_to_prove_a_gain"] = value.rounds_to_prove_a_gain();
    for (const Arm& arm : arms_) {
      if (arm.policy == name) j["events_without_its_action"] = arm.absent;
    }
    return j;
  }

  Json json(Json j) const override {
    j["rounds"] = rounds_;
    j["proved_confidence"] = 1 - settings_.chooser.delta;
    j["left_out"] = {{"no_cost", left_out_.no_cost},
                     {"no_probability", left_out_.no_probability},
                     {"no_action", left_out_.no_action},
                     {"skipped", left_out_.skipped},
                     {"not_events", left_out_.not_events}};
    j["logger"] = json_of("the logger", chooser_->value_of_what_runs());
    for (const std::string& name : settings_.chooser.policies)
      j["policies"].push_back(json_of(name, chooser_->value(name)));
    j["policies"].push_back(json_of("exp4", chooser_->value("exp4")));
    return j;
  }

  std::vector<std::string> row(const std::string& name, const PolicyValue& value) const {
    const Interval worth = settings_.in_units(value.value());
    const Interval gain = settings_.difference_in_units(value.gain());
    return {shortened(name, 32),
            fmt::format("{:.5f}", worth.value),
            fmt::format("{:.5f}", settings_.in_units(value.estimate().snips()).value),
            fmt::format("[{}, {}]", report::fixed_down(worth.lower, 5), report::fixed_up(worth.upper, 5)),
            fmt::format("[{}, {}]", report::fixed_down(gain.lower, 5), report::fixed_up(gain.upper, 5)),
            grouped(static_cast<std::uint64_t>(value.estimate().effective_rows()))};
  }

  std::string counts() const {
    std::string text;
    const auto add = [&](std::uint64_t count, const char* what) {
      if (count > 0) text += fmt::format("  note: left out {} {}\n", counted(count, "event"), what);
    };
    add(left_out_.no_cost, "without a cost");
    add(left_out_.no_probability, "without a probability, or of probability 0");
    add(left_out_.no_action, "without an action");
    add(left_out_.skipped, "that are not to be learned (_skipLearn)");
    if (left_out_.not_events > 0)
      text += fmt::format("  note: left out {} without actions\n", counted(left_out_.not_events, "line"));
    if (dropped_ > 0)
      text += fmt::format("  note: {} with pdrop stand for several; the bounds are of the events in the log\n",
                          counted(dropped_, "event"));
    for (const Arm& arm : arms_) {
      if (arm.absent == 0) continue;
      const std::string where =
          arm.absent == rounds_ ? "of no event" : fmt::format("not of {}", counted(arm.absent, "event"));
      text += fmt::format("  note: '{}' is an action {}: there {} chooses uniformly\n", shortened(arm.action, 32),
                          where, shortened(arm.policy, 32));
    }
    return text;
  }

  std::string text() const override {
    std::string text = fmt::format("  {:<10} {}   {}\n{}", "log", counted(rounds_, "event"),
                                   dim("each policy learns from them, one after the other"), counts());
    if (rounds_ == 0) return text + "\n  " + bold("No event to learn from.") + "\n";
    TextTable rows({true, false, false, false, false, false});
    rows.add({dim("policy"), dim("unbiased (IPS)"), dim("self-normalised"), dim("proved value"),
              dim("proved gain over the logger"), dim("effective")});
    std::vector<std::string> logger = row("the logger itself", chooser_->value_of_what_runs());
    logger[4].clear();  // it has no gain over itself
    rows.add(std::move(logger));
    std::vector<std::string> names = settings_.chooser.policies;
    names.emplace_back(ChooserOptions::exp4);
    const std::string* best = &names.front();
    for (const std::string& name : names) {
      rows.add(row(name, chooser_->value(name)));
      if (chooser_->value(name).gain().lower > chooser_->value(*best).gain().lower) best = &name;
    }
    text += "\n" + rows.text() +
            dim(fmt::format("  proved: all of them together at every time with probability {}, whatever drifts\n",
                            short_number(1 - settings_.chooser.delta)));
    return text + verdict(*best);
  }

  std::string verdict(const std::string& best) const {
    const PolicyValue& value = chooser_->value(best);
    const double gain = settings_.difference_in_units(value.gain()).lower;
    if (gain > 0)
      return "\n  " + bold(fmt::format("{} is better than the logger", best)) +
             fmt::format(": by at least {} a round.\n", report::fixed_down(gain, 5));
    const std::uint64_t more = value.rounds_to_prove_a_gain();
    return "\n  " + bold("No policy is proved better than the logger") +
           (more == 0 ? std::string(".\n")
                      : fmt::format("; for {} about {} more events would.\n", best, grouped(more)));
  }

  // A policy that always chooses one action, where it is offered.
  struct Arm {
    std::string policy, action;
    std::uint64_t absent = 0;  // events without it
  };

  ChooserSettings settings_;
  std::optional<Chooser> chooser_;
  std::vector<Arm> arms_;
  bandits::EventCounts left_out_;
  std::uint64_t rounds_ = 0, dropped_ = 0;
};

}  // namespace

bool is_log_of_events(const ReplaySettings& settings) {
  if (!settings.policies.empty()) return true;
  const std::string& path = settings.table.path;
  return path != "-" && bandits::LoggedEvents::recognises(stream::open_source(path, settings.interrupt)->peek());
}

std::unique_ptr<Experiment> replay_events(const ReplaySettings& settings) {
  return std::make_unique<EventReplay>(settings);
}

}  // namespace halfspace::lab
