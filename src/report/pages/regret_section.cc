// experts, bandit and choose: the best choice, the regret, and what policies are worth.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text_table.h"
#include "report/figures/chart.h"
#include "report/figures/html.h"
#include "report/pages/sections.h"
#include "report/results/words.h"

namespace halfspace::report {
namespace {

std::string bounded_quantity(const View& player) {
  if (player.has("bound")) return player["bound"].text("bounds");
  return player["path"].text("quantity", player.has("mistakes") ? "mistakes" : "expected regret");
}

// Returns the bound at the end of the path; NaN without one.
double last_bound(const View& player) {
  if (player["path"].has("bound")) {
    const std::vector<double> bound = player["path"].numbers("bound");
    return bound.empty() ? NAN : bound.back();
  }
  return player.has("bound") ? player["bound"].number("value") : NAN;
}

// Returns true if the bound is so far above the path that on its axis the path would be flat.
bool is_far(const View& player) {
  double largest = 0;
  for (const double value : player["path"].numbers("observed")) largest = std::max(largest, std::abs(value));
  return last_bound(player) > 3 * largest;
}

// Draws the quantity that a player's theorem bounds, round by round; `bounded`: under the bound.
std::string path_picture(const View& player, bool bounded) {
  const View path = player["path"];
  const std::string what = bounded_quantity(player);
  Chart chart(player.text("algorithm") + ": " + what + (bounded ? " under its bound" : ""), "rounds", what);
  chart.add(series_of(what, path, "rounds", "observed"));
  if (bounded && path.has("bound")) {
    chart.add(series_of("anytime bound", path, "rounds", "bound", 1));
  } else if (bounded && player.has("bound")) {
    const double bound = player["bound"].number("value");
    chart.level(fmt::format("bound over all rounds: {}", bound_at_most(bound)), bound, 1);
  }
  chart.hold_y(0);
  return chart.svg();
}

// Returns the last value of a path, and the bound if it is not in the picture.
std::string ends_at(const View& player) {
  const std::vector<double> observed = player["path"].numbers("observed");
  if (observed.empty()) return "";
  return fmt::format(" It ends at {}.", plain(observed.back())) +
         (is_far(player) ? fmt::format(" The bound, {} at the end, is too far above for this axis.",
                                       bound_at_most(last_bound(player)))
                         : "");
}

class RegretPage : PageOfRun {
 public:
  explicit RegretPage(const View& run) : PageOfRun(run), bandit_(run.text("command") == "bandit") {}

  Section section() {
    head();
    facts();
    std::string course;
    if (run_.has("path")) {
      section_.rounds = can_step(run_);
      course += figure("regret", "Regret", path_picture(run_, !is_far(run_)), regret_caption());
      if (is_far(run_)) course += figure("regret-bound", "Under its bound", path_picture(run_, true), bound_caption());
      course += weights_over_time();
    }
    if (section_.rounds) section_.body += rounds_player();
    section_.body += group("The run", course);
    section_.body += group(bandit_ ? "The arms" : "The experts", choices());
    players();
    if (!run_.has("path")) section_.body += not_recorded();
    return std::move(section_);
  }

 private:
  // Returns whether a player can be stepped through; checks the numbers that rounds.js reads.
  static bool can_step(const View& player) {
    if (!player.has("path") || !player["path"].has("weights") || !player["path"].has("loss")) return false;
    const View path = player["path"];
    for (const char* key : {"rounds", "observed", "loss", "bound"})
      if (path.has(key)) path.numbers(key);
    for (const char* key : {"weights", "pulls"}) {
      if (!path.has(key)) continue;
      for (const auto& [name, values] : path.entries(key)) values.numbers();
    }
    return true;
  }

  // Returns the section that rounds.js fills.
  static std::string rounds_player() {
    return "<section class=\"plane rounds\" id=\"rounds\" aria-labelledby=\"rounds-title\" hidden>\n"
           "<h2 id=\"rounds-title\">Round by round</h2>\n<div class=\"plane-controls\" hidden></div>\n"
           "<p class=\"plane-live\" aria-live=\"polite\"></p>\n<figure class=\"rounds-bars\"></figure>\n</section>\n";
  }

  std::string loss_word() const { return run_.has("mistakes") ? "mistakes" : "loss"; }

  void head() {
    const std::string algorithm = run_.text("algorithm");
    section_.head.title = fmt::format("Halfspace {}: {}", run_.text("command"), algorithm);
    const auto weights = run_.has("weights") ? run_.entries("weights") : std::vector<std::pair<std::string, View>>{};
    const char* verb = bandit_ ? "Pull" : "Follow";
    if (weights.empty()) {
      section_.head.finding = "No rounds, nothing to learn.";
      return;
    }
    const std::string first = "<em>" + escaped_short(weights[0].first, 60) + "</em>";
    const double weight = weights[0].second.number();
    const std::string rounds = counted(run_.count("rounds"), "round"), player = escaped(algorithm);
    if (bandit_ && weight < 0.5) {
      section_.head.finding =
          fmt::format("No arm stands out after {}: {} would pull {} most often, with probability {:.2f}.", rounds,
                      player, first, weight);
    } else if (weight > 1) {  // the perceptron's weights are not shares
      section_.head.finding =
          fmt::format("{} {}: after {} {} gives it the largest weight.", verb, first, rounds, player);
    } else {
      const bool alone = bandit_ || weight >= 0.5;
      section_.head.finding = fmt::format(
          "{} {}{}: after {} {} gives it {}{}.", verb, first, alone ? "" : ", but not alone", rounds, player,
          bandit_ ? fmt::format("a probability of {:.2f}", weight) : share_of(weight, 1) + " of its weight",
          alone ? "" : ", the largest share");
    }
    const double regret = run_.number("regret", 0);
    const View best = run_["best"];
    const double expected = run_.number("expected_regret", regret);
    section_.head.because =
        fmt::format("In hindsight <em>{}</em> was best. The player paid {} {} than {} it throughout{}",
                    escaped_short(best.text("name"), 60), plain(std::abs(regret)), regret >= 0 ? "more" : "less",
                    bandit_ ? "pulling" : "following",
                    expected == regret ? "" : fmt::format(" ({} in expectation)", plain(expected)));
    if (run_.has("bound")) {
      const View bound = run_["bound"];
      const bool mistakes = bound.text("bounds") == "mistakes";
      // "regret, with high probability" is "a regret of 3,661, with high probability".
      const std::string what = bound.text("bounds");
      const std::size_t comma = std::min(what.find(','), what.size());
      const bool vacuous = bound.has("vacuous") && bound["vacuous"].boolean();
      section_.head.because += fmt::format(
          "; the theorem allows {}<strong>{}</strong>{} ({}){}.",
          mistakes ? "" : fmt::format("{} {} of ", what[0] == 'e' ? "an" : "a", escaped(what.substr(0, comma))),
          mistakes ? plain(std::floor(bound.number("value"))) : bound_at_most(bound.number("value")),
          mistakes ? " mistakes" : escaped(what.substr(comma)), escaped(bound.text("theorem")),
          vacuous ? ", which says nothing of so few rounds" : "");
    } else {
      section_.head.because += run_.has("note") ? "; " + escaped(run_.text("note")) + "." : ".";
    }
  }

  void facts() {
    fact("Rounds", grouped(run_.count("rounds")));
    if (run_.has("weights")) fact(bandit_ ? "Arms" : "Choices", grouped(run_["weights"].json().size()));
    if (run_.has("loss")) fact(run_.has("mistakes") ? "Mistakes" : "Loss", plain(run_.number("loss")));
    fact("Of the best", plain(run_["best"].number("loss", NAN)), run_["best"].text("name").substr(0, 40));
    if (run_.has("regret"))
      fact("Regret", plain(run_.number("regret")),
           run_.has("expected_regret") && run_.number("expected_regret") != run_.number("regret")
               ? "expected: " + plain(run_.number("expected_regret"))
               : "");
    if (run_.has("bound"))
      fact("Bound", bound_at_most(run_["bound"].number("value")), "of " + run_["bound"].text("bounds"));
    if (run_.has("repeat"))
      fact("Runs", plain(run_["repeat"].number("runs")), "mean regret " + plain(run_["repeat"].number("mean_regret")));
  }

  std::string regret_caption() const {
    std::string text =
        fmt::format("{}: what {} costs beyond the best of the rounds so far", escaped(run_.text("algorithm")),
                    bandit_ ? "seeing one arm a round" : "learning whom to follow");
    if (run_.has("bound") && run_["bound"].text("bounds") == "mistakes")
      text = escaped(run_.text("algorithm")) + ": cumulative mistakes";
    return text + "." + (is_far(run_) || !run_.has("bound") ? "" : " " + bound_caption()) + ends_at(run_);
  }

  std::string bound_caption() const {
    if (!run_.has("bound")) return "";
    const bool vacuous = run_["bound"].has("vacuous") && run_["bound"]["vacuous"].boolean();
    return std::string(run_["path"].has("bound") ? "The dashed line is the theorem's bound after each round."
                                                 : "The dashed line is the theorem's bound over all rounds.") +
           (vacuous ? " With so few rounds it is not informative." : "");
  }

  std::string weights_over_time() const {
    const View path = run_["path"];
    if (!path.has("weights")) return "";
    Chart chart(bandit_ ? "Probabilities as the rounds go" : "Weights as the rounds go", "rounds",
                bandit_ ? "probability" : "weight");
    const std::vector<double> rounds = path.numbers("rounds");
    int look = 0;
    for (const auto& [name, values] : path.entries("weights")) {
      if (look == 8) break;
      std::string pointer;
      for (const char c : name) pointer += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
      chart.add({.name = name,
                 .x = rounds,
                 .y = values.numbers(),
                 .look = look++,
                 .x_at = "/path/rounds",
                 .y_at = "/path/weights/" + pointer});
    }
    chart.hold_y(0);
    return figure("weights", bandit_ ? "Probabilities of the arms" : "Weights of the experts", chart.svg(),
                  fmt::format("The {} that end with the largest {}, of {}.", path["weights"].json().size(),
                              bandit_ ? "probability" : "weight", grouped(run_["weights"].json().size())));
  }

  std::string choices() const {
    std::string html;
    std::vector<Bar> bars;
    for (const auto& [name, weight] :
         run_.has("weights") ? run_.entries("weights") : std::vector<std::pair<std::string, View>>{}) {
      if (bars.size() == 20) break;
      if (!weight.json().is_null()) bars.push_back({name, weight.number(), fmt::format("{:.4f}", weight.number())});
    }
    html += figure("choices", bandit_ ? "Probability for the next round" : "Weight for the next round",
                   bars_svg("The largest weights", bars),
                   run_.has("weights") && run_["weights"].json().size() > bars.size()
                       ? fmt::format("The largest {} of {}; an equal share would be {:.4f}.", bars.size(),
                                     grouped(run_["weights"].json().size()),
                                     1 / static_cast<double>(run_["weights"].json().size()))
                       : "");
    if (run_.has("experts")) {
      std::vector<std::pair<double, std::string>> losses;
      for (const View& expert : run_.list("experts")) {
        if (expert.has("loss")) losses.emplace_back(expert.number("loss"), expert.text("name"));
      }
      std::stable_sort(losses.begin(), losses.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
      bars.clear();
      for (std::size_t i = 0; i < losses.size() && i < 20; ++i) {
        const double more = losses[i].first - losses[0].first;
        bars.push_back({losses[i].second, more, "+" + plain(more)});
      }
      html += figure(
          "losses", "Losses beyond the best", bars_svg("Losses of the experts beyond the best one's", bars),
          losses.empty()
              ? ""
              : fmt::format("Beyond the {} {} of <em>{}</em>.{}", plain(losses[0].first), loss_word(),
                            escaped_short(losses[0].second, 60),
                            losses.size() > 20 ? fmt::format(" The best 20 of {}.", grouped(losses.size())) : ""));
    } else if (run_.has("pulls")) {
      std::vector<std::pair<double, std::string>> pulls;
      for (const auto& [name, count] : run_.entries("pulls")) pulls.emplace_back(count.number(), name);
      std::stable_sort(pulls.begin(), pulls.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
      bars.clear();
      for (std::size_t i = 0; i < pulls.size() && i < 20; ++i)
        bars.push_back({pulls[i].second, pulls[i].first, plain(pulls[i].first)});
      html += figure("pulls", "Pulls of each arm", bars_svg("Pulls", bars),
                     pulls.size() > 20 ? fmt::format("The 20 most pulled of {}.", grouped(pulls.size())) : "");
    }
    return html;
  }

  // Writes every player of the table, in a table and each under its bound.
  void players() {
    if (!run_.has("algorithms")) return;
    std::vector<std::vector<std::string>> rows;
    std::string pictures;
    std::size_t k = 0;
    for (const View& player : run_.list("algorithms")) {
      can_step(player);
      if (k == 40) break;
      const bool bound = player.has("bound");
      rows.push_back({player.text("algorithm"), plain(player.number("loss", NAN)), plain(player.number("regret", NAN)),
                      bound ? bound_at_most(player["bound"].number("value")) : "none",
                      bound ? player["bound"].text("bounds") : "",
                      bound ? plain(player["bound"].number("observed", NAN)) : "",
                      bound ? player["bound"].text("theorem") : player.text("note", "")});
      // The run's own player is drawn above.
      if (player.has("path") && k < 12 && !(run_.has("path") && player.text("algorithm") == run_.text("algorithm")))
        pictures += figure(fmt::format("player-{}", k + 1), player.text("algorithm"),
                           path_picture(player, !is_far(player)), ends_at(player));
      ++k;
    }
    section_.body += "<section>\n<h2>All players</h2>\n" +
                     table_html({"player", loss_word(), "regret", "bound", "quantity", "observed", "theorem"}, rows) +
                     "\n</section>\n";
    section_.body += group("", pictures);
  }

  bool bandit_;
};

// The value of a policy or an arm with its interval.
struct LogLine {
  std::string name;
  double value, lower, upper, rows;
};

LogLine log_line(const std::string& name, const View& estimate) {
  const View snips = estimate["snips"];
  return {name, snips.number("value", NAN), snips.number("lower", NAN), snips.number("upper", NAN),
          estimate.number("effective_rows", NAN)};
}

Chart log_chart(const std::vector<LogLine>& lines,
                const char* title = "Estimated reward of each policy with its interval") {
  Chart chart(title, "position in the table", "reward a round");
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const double x = static_cast<double>(i + 1);
    chart.add({.name = i == 0 ? "estimate" : "",
               .x = {x},
               .y = {lines[i].value},
               .shape = Series::Shape::circles,
               .titles = {lines[i].name}});
    chart.add({.name = i == 0 ? "interval" : "", .x = {x, x}, .y = {lines[i].lower, lines[i].upper}, .look = 7});
  }
  return chart;
}

}  // namespace

Section regret_section(const View& run) { return RegretPage(run).section(); }

Section log_section(const View& run) {
  Section section;
  section.head.title = "Halfspace bandit: a log";
  const View best = run["best"];
  section.head.finding = fmt::format("In a log of {}, arm <em>{}</em> looks best.",
                                     counted(run.count("rounds"), "round"), escaped_short(best.text("name"), 60));
  const std::string confidence = fmt::format("{:.3g}\u00a0%", 100 * run.number("confidence"));
  section.head.because = fmt::format(
      "Estimated from the log, with {} intervals: a log does not show the rewards of the other arms.", confidence);
  for (const auto& [name, estimate] : run.entries("arms")) {
    if (name != best.text("name") || !estimate["snips"].has("lower") || !run["logger"]["snips"].has("value")) continue;
    if (estimate["snips"].number("lower") <= run["logger"]["snips"].number("value"))
      section.head.because +=
          " Its interval contains the logger’s own value: the log is too short to distinguish them.";
  }
  section.facts.push_back({"Rounds", grouped(run.count("rounds")), ""});
  section.facts.push_back({"Arms", grouped(run["arms"].json().size()), ""});
  section.facts.push_back({"Mean importance weight", short_number(run.number("mean_importance"), 3),
                           "near 1 when the propensities are right"});
  std::vector<LogLine> lines;
  for (const auto& [name, estimate] : run.entries("arms")) lines.push_back(log_line(name, estimate));
  std::stable_sort(lines.begin(), lines.end(), [](const LogLine& a, const LogLine& b) { return a.value > b.value; });
  const std::size_t arms = lines.size();
  if (lines.size() > 20) lines.resize(20);
  const std::size_t shown = lines.size();
  for (const char* name : {"policy", "uniform", "logger"})
    lines.insert(lines.begin(), log_line(name == std::string_view("policy") ? "exp3-ix, learning" : name, run[name]));
  std::vector<std::vector<std::string>> rows;
  const auto five = [](double value, const std::string& digits) { return std::isfinite(value) ? digits : "–"; };
  rows.reserve(lines.size());
  for (const LogLine& l : lines)
    rows.push_back({rows.size() < 3 ? l.name : "arm " + l.name, five(l.value, fmt::format("{:.5f}", l.value)),
                    five(l.lower, fixed_down(l.lower, 5)), five(l.upper, fixed_up(l.upper, 5)),
                    plain(std::floor(l.rows))});
  section.body = group(
      "The value of each policy",
      figure("values", "Self-normalised estimates", log_chart(lines).svg(),
             fmt::format("In the order of the table: the logger itself, two policies, then the arms, best first{}. "
                         "Lines are {} intervals; few rows make them wide.",
                         shown < arms ? fmt::format(" (the first {} of {})", shown, arms) : "", confidence)) +
          "<div>" + table_html({"policy", "value", "lower", "upper", "effective rows"}, rows) + "</div>");
  return section;
}

namespace {

// What policies are worth, and what their bounds are relative to.
struct WorthOfPolicies {
  std::string runs;  // "what ran", or "the logger"
  std::vector<LogLine> gains{};
  std::vector<std::vector<std::string>> rows{};
  const LogLine* best = nullptr;  // of those that are proved better

  WorthOfPolicies(std::string what_runs, const std::vector<View>& policies) : runs(std::move(what_runs)) {
    gains.reserve(policies.size());
    for (const View& policy : policies) add(policy);
  }

  void add(const View& policy) {
    const View value = policy["value"], gain = policy["gain"];
    const LogLine& line = gains.emplace_back(
        LogLine{policy.text("name"), gain.number("value", NAN), gain.number("lower"), gain.number("upper"), NAN});
    if (line.lower > 0 && (best == nullptr || line.lower > best->lower)) best = &line;
    const auto four = [](double number) { return std::isfinite(number) ? fmt::format("{:.4f}", number) : "–"; };
    const auto from_to = [](const View& of) {
      return fmt::format("{} to {}", fixed_down(of.number("lower"), 4), fixed_up(of.number("upper"), 4));
    };
    const double more = policy.number("rounds_to_prove_a_gain", 0);
    rows.push_back({std::to_string(gains.size()), shortened(line.name, 40), four(value.number("value", NAN)),
                    from_to(value), four(line.value), from_to(gain), four(policy.number("snips", NAN)),
                    four(policy.number("doubly_robust", NAN)), more > 0 ? plain(more) : "–"});
  }

  std::string finding(std::uint64_t rounds) const {
    if (best == nullptr)
      return fmt::format("No policy is proved better than {}, after {}.", runs, counted(rounds, "reward"));
    return fmt::format("<strong>{} is better</strong> than {}: by at least {} a round.", escaped_short(best->name, 60),
                       runs, fixed_down(best->lower, 4));
  }

  std::string html() const {
    const std::string title = fmt::format("The gain over {}", runs);
    return group(
               "What the policies are worth",
               figure("gains", title, log_chart(gains, "Gain of each policy, with its bounds").svg(),
                      "Numbered as in the table. A line wholly above 0 is a proof that the policy is better. The "
                      "estimate is unbiased: where actions are drawn seldom it is far off, and may be off its line.")) +
           "<section>\n<h2>Each policy</h2>\n" +
           table_html({"no.", "policy", "value", "bounds", "gain", "its bounds", "self-normalised", "doubly robust",
                       "rounds to prove a gain"},
                      rows) +
           "\n</section>\n";
  }
};

std::string all_hold(const View& run, const char* key) {
  return fmt::format(
      "All bounds on this page hold together, at any time, with probability {:.3g}\u00a0%, whatever drifts.",
      100 * run.number(key));
}

}  // namespace

Section choose_section(const View& run) {
  Section section;
  const View now = run["policies"], ledger = run["ledger"];
  const WorthOfPolicies worth("what ran", now.list("policies"));
  const double mean = now["what_runs"].number("value", NAN);
  section.head.title = "Halfspace choose";
  section.head.composition = fmt::format("<em>{}</em> runs now", escaped_short(now.text("run"), 60));
  section.head.because = all_hold(now, "confidence");
  section.head.finding = ledger["writable"].boolean()
                             ? worth.finding(now.count("rewards"))
                             : "<strong>The disk failed.</strong> Nothing is chosen or learned: restart the service.";
  section.facts = {{"Choices", grouped(ledger.count("choices")), ""},
                   {"Rewards", grouped(ledger.count("rewards")), "that came within the wait"},
                   {"Waiting", grouped(ledger.count("waiting")), "for their reward"},
                   {"Defaults", grouped(ledger.count("defaults")), "no reward within the wait"},
                   {"Mean reward", std::isfinite(mean) ? short_number(mean, 4) : "–", "of what ran"}};
  section.body = worth.html();
  return section;
}

Section events_section(const View& run) {
  Section section;
  const WorthOfPolicies worth("the logger", run.list("policies"));
  section.head.title = "Halfspace bandit: a log of events";
  section.head.finding = worth.finding(run.count("rounds"));
  section.head.because = all_hold(run, "proved_confidence");
  section.facts = {{"Events", grouped(run.count("rounds")), ""}};
  for (const auto& [why, count] : run["left_out"].entries()) {
    if (count.number() > 0) section.facts.push_back({"Left out", plain(count.number()), why});
  }
  section.body = worth.html();
  return section;
}

}  // namespace halfspace::report
