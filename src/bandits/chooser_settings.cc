// The options of a chooser, for people and for the beginning of a log.
#include "halfspace/bandits/chooser_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "base/json.h"
#include "base/number_words.h"
#include "base/printable.h"
#include "halfspace/base/error.h"
#include "stream/text/number.h"

namespace halfspace {
namespace {

using takes::between, takes::commas, takes::needs, takes::usually;

void set_reward_range(ChooserSettings& settings, const std::string& text) {
  const auto range = stream::parse_range(text);
  if (!range || !(range->second - range->first <= 1e300))
    throw Error(ErrorKind::usage,
                option("reward-range") + " takes LOW,HIGH with LOW < HIGH, not '" + printable(text) + "'")
        .fix("such as " + option("reward-range", "-1,1"));
  std::tie(settings.least_reward, settings.most_reward) = *range;
}

// Returns origin + scale * value, with bounds that hold.
Interval mapped(const Interval& value, double origin, double scale) {
  if (origin == 0 && scale == 1) return value;
  constexpr double infinite = std::numeric_limits<double>::infinity();
  const auto outward = [&](double bound, double towards) {
    const double slack = (std::abs(origin) + std::abs(scale)) * 0x1p-50;
    return std::nextafter(origin + scale * bound + (towards > 0 ? slack : -slack), towards);
  };
  return {origin + scale * value.value, outward(value.lower, -infinite), outward(value.upper, infinite)};
}

}  // namespace

Interval ChooserSettings::in_units(const Interval& value) const {
  Interval own = mapped(value, least_reward, most_reward - least_reward);
  own.lower = std::max(own.lower, least_reward);
  own.upper = std::min(own.upper, most_reward);
  return own;
}

Interval ChooserSettings::difference_in_units(const Interval& difference) const {
  const double span = most_reward - least_reward;
  Interval own = mapped(difference, 0, span);
  own.lower = std::max(own.lower, -span);
  own.upper = std::min(own.upper, span);
  return own;
}

double ChooserSettings::normalized(double reward) const {
  if (!(reward >= least_reward && reward <= most_reward))
    throw Error(ErrorKind::data, fmt::format("the reward {} is outside ", reward) + short_number(least_reward) +
                                     " to " + short_number(most_reward))
        .fix("send a reward of this range, or begin a service with another one");
  return std::fmin(1.0, (reward - least_reward) / (most_reward - least_reward));
}

std::vector<Option> options_of(ChooserSettings& settings) {
  ChooserOptions& chooser = settings.chooser;
  return {
      usually("exp4", {"run", "POLICY",
                       "the policy that chooses: one of those valued, or exp4 (default), their mixture", &chooser.run}),
      {"policies", "POLICY,...",
       "policies to value: greedy, epsilon:rate=R, softmax:rate=R, squarecb:scale=S, thompson:samples=N, "
       "linucb:width=W, "
       "exp3-ix, uniform, first, arm:NAME (default squarecb,epsilon,greedy,exp3-ix,uniform)",
       &chooser.policies, commas()},
      usually("0.02", {"floor", "SHARE",
                       "the share of uniform draws, which narrows every bound and costs as much (default 0.02)",
                       &chooser.floor, between(0, 0.99)}),
      usually("0.05", {"delta", "D", "the probability that any of the printed bounds ever fails (default 0.05)",
                       &chooser.delta, between(1e-12, 0.5)}),
      usually("0,1", {"reward-range", "LOW,HIGH", "the least and the largest reward (default 0,1)",
                      [&settings](const std::string& text) { set_reward_range(settings, text); }}),
      usually("600", {"wait", "SECONDS", "how long a choice waits for its reward (default 600)", &settings.wait_seconds,
                      between(0.001, 1e9)}),
      usually("0", {"default-reward", "R", "the reward of a choice that got none in time (default 0)",
                    &settings.default_reward}),
      usually("18", {"bits", "B", "each model has 2^B weights for the features (default 18)", &settings.bits,
                     between(4, 28)}),
      {"no-products", "", "leave out the products of the context's features with the actions'",
       [&settings] { settings.products = false; }},
      usually("1", {"seed", "N", "seed of the draws (default 1)", &chooser.seed})};
}

void validate(const ChooserSettings& settings) {
  if (!(settings.default_reward >= settings.least_reward && settings.default_reward <= settings.most_reward))
    throw Error(ErrorKind::usage, option("default-reward") + " is outside " + option("reward-range"))
        .fix("give both: " + option("reward-range", "-1,1") + " " + option("default-reward", "0"));
  const Chooser checked(settings.chooser);
}

std::string json_of(const ChooserSettings& settings) {
  const ChooserOptions& chooser = settings.chooser;
  Json j = {{"format", "halfspace chooser"}, {"version", 1}};
  const std::vector<std::string> policies =
      chooser.policies.empty() ? ChooserOptions::default_policies() : chooser.policies;
  for (const std::string& policy : policies) j["policies"].push_back(policy);
  j["run"] = chooser.run;
  j["floor"] = chooser.floor;
  j["delta"] = chooser.delta;
  j["seed"] = chooser.seed;
  j["reward_range"] = Json::array();
  j["reward_range"].push_back(settings.least_reward);
  j["reward_range"].push_back(settings.most_reward);
  j["wait_seconds"] = settings.wait_seconds;
  j["default_reward"] = settings.default_reward;
  j["bits"] = settings.bits;
  j["products"] = settings.products;
  return j.dump(2) + "\n";
}

ChooserSettings chooser_settings_of(std::string_view json, const std::string& name) {
  try {
    const Json j = Json::parse(std::string(json));
    if (j.at("format").get<std::string>() != "halfspace chooser" || j.at("version").get<std::uint64_t>() != 1)
      throw Error(ErrorKind::data, "not the settings of a chooser that this version reads");
    ChooserSettings settings;
    ChooserOptions& chooser = settings.chooser;
    chooser.policies.clear();
    for (const Json& policy : j.at("policies")) chooser.policies.push_back(policy.get<std::string>());
    chooser.run = j.at("run").get<std::string>();
    chooser.floor = j.at("floor").get<double>();
    chooser.delta = j.at("delta").get<double>();
    chooser.seed = j.at("seed").get<std::uint64_t>();
    settings.least_reward = j.at("reward_range").at(0).get<double>();
    settings.most_reward = j.at("reward_range").at(1).get<double>();
    settings.wait_seconds = j.at("wait_seconds").get<double>();
    settings.default_reward = j.at("default_reward").get<double>();
    settings.bits = j.at("bits").get<std::uint32_t>();
    settings.products = j.at("products").get<bool>();
    if (!(settings.least_reward < settings.most_reward) || settings.bits < 4 || settings.bits > 28 ||
        !(settings.wait_seconds > 0))
      throw Error(ErrorKind::data, "the settings of the chooser are out of range");
    validate(settings);
    return settings;
  } catch (const Json::exception& error) {
    throw Error(ErrorKind::data, std::string("not the settings of a chooser: ") + error.what())
        .at(name)
        .fix("restore a copy of the file");
  } catch (Error& error) {
    throw Error(ErrorKind::data, error.message()).at(name).fix("restore a copy of the file");
  }
}

}  // namespace halfspace
