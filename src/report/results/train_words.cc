// Maps names to words.
#include "report/results/train_words.h"

#include <algorithm>
#include <string_view>

#include "report/results/words.h"

namespace halfspace::report {

RuleEntry rule_of(const View& run) {
  const auto known = rule_named(run["composition"].text("rule", ""));
  return known ? entry_of(*known) : RuleEntry{};
}

std::string learner_words(const View& composition) {
  std::string rule = composition.text("rule");
  if (const auto known = rule_named(rule)) rule = entry_of(*known).words;
  const std::string keep = composition.text("keep");
  const std::string kept = keep == "average"  ? "averaged "
                           : keep == "pocket" ? "pocket "
                           : keep == "vote"   ? "voted "
                                              : "";
  return kept + rule;
}

std::string minimizer_words(const std::string& objective) {
  return objective == "svm"             ? "support vector machine"
         : objective == "squared-hinge" ? "support vector machine of squared losses"
         : objective == "logistic"      ? "logistic regression"
                                        : objective;
}

std::string with_article(const std::string& noun) {
  const bool vowel = !noun.empty() && std::string_view("aeiouAEIOU").find(noun[0]) != std::string_view::npos;
  return (vowel ? "An " : "A ") + noun;
}

std::string theorem_words(const std::string& theorem) {
  std::string text = theorem;
  for (const RuleEntry& entry : all_rules()) {
    for (const auto& [name, words] : entry.theorem_words) {
      if (const std::size_t at = text.find(name); at != std::string::npos) text.replace(at, name.size(), words);
    }
  }
  return text;
}

StopWords stop_words(const View& run) {
  const std::string reason = run.text("stopped");
  std::uint64_t begun = 0;
  for (const View& pass : run.list("pass")) begun += passes_of(pass);
  const std::string passes = passes_made(run.count("passes"), begun),
                    rounds = counted(run.count("rounds"), "round", "rounds");
  const std::string after = "after " + (run.count("passes") > 0 ? passes : rounds);
  if (reason == "clean") return {"nothing left to learn", after};
  if (reason == "end") return {"data ended", after};
  if (reason == "passes") return {passes, "the limit"};
  if (reason == "budget") return {"the default limit", after};
  if (reason == "updates") return {counted(run.count("updates"), "update", "updates"), "the limit"};
  if (reason == "cycling") return {"cycles", after + " the weights returned to earlier ones"};
  if (reason == "time") return {"time was up", after};
  return {reason, after};
}

bool plays_mistakes_only(const View& run) {
  if (!run.has("composition")) return false;
  const std::string order = run["composition"].text("order");
  return order == "first-mistake" || order == "random-mistake";
}

bool is_weighted(const View& part) { return part.number("weight") != part.number("rounds"); }

double errors_of_the_most_frequent(const Ledger& ledger) {
  double all = 0, most = 0;
  for (const double weight : ledger.class_weight) {
    all += weight;
    most = std::max(most, weight);
  }
  return all - most;
}

namespace {

std::vector<double> class_weights_of(const Holdout& holdout) {
  const auto classes = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(holdout.confusion.size()))));
  std::vector<double> weights(classes);
  for (std::size_t i = 0; i < holdout.confusion.size(); ++i) weights[i / classes] += holdout.confusion[i];
  return weights;
}

}  // namespace

std::size_t most_frequent(const Holdout& holdout) {
  const std::vector<double> weights = class_weights_of(holdout);
  return static_cast<std::size_t>(std::max_element(weights.begin(), weights.end()) - weights.begin());
}

double errors_of_the_most_frequent(const Holdout& holdout) {
  return holdout.rows - class_weights_of(holdout)[most_frequent(holdout)];
}

}  // namespace halfspace::report
