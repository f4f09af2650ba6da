// Assembles a page: limits, head, sections, the JSON itself, style, scripts, policy.
#include "report/pages/page.h"

#include <fmt/format.h>
#include <nettle/base64.h>
#include <nettle/sha2.h>

#include <algorithm>
#include <array>

#include "halfspace/base/error.h"
#include "report/figures/html.h"
#include "report/figures/plane.h"
#include "report/pages/assets.h"
#include "report/pages/sections.h"
#include "report/results/words.h"

namespace halfspace::report {
namespace {

constexpr std::size_t most_depth = 24, largest_page = 2'000'000;

// Returns the JSON within the limits of a page; `cuts` lists the omissions.
class Limits {
 public:
  explicit Limits(std::vector<std::string>& cuts) : cuts_(cuts) {}

  Json bounded(const Json& json, const std::string& path, std::size_t depth = 0) {
    if (depth > most_depth) {
      throw Error(ErrorKind::data, path + ": nested deeper than any run's JSON")
          .fix("give the JSON as a command wrote it with " + option("json"));
    }
    if (json.is_string()) return text(json.text(), path);
    if (json.is_array()) {
      const std::size_t size = json.size(), kept = std::min(size, most_entries);
      if (kept < size)
        cut(fmt::format("{} of the {} entries of {}, evenly spread", grouped(kept), grouped(size), path));
      Json list = Json::array();
      for (std::size_t i = 0; i < kept; ++i) {
        const std::size_t at = kept < 2 ? i : i * (size - 1) / (kept - 1);
        list.push_back(bounded(json[at], path, depth + 1));
      }
      return list;
    }
    if (json.is_object()) {
      Json object = Json::object();
      for (auto it = json.begin(); it != json.end(); ++it) {
        if (object.size() == most_entries) {
          cut(fmt::format("the first {} of the {} entries of {}", grouped(most_entries), grouped(json.size()), path));
          break;
        }
        const std::string key = text(it.key(), path);
        object[key] = bounded(it.value(), path + "." + key.substr(0, 80), depth + 1);
      }
      return object;
    }
    return json;
  }

 private:
  std::string text(const std::string& whole, const std::string& path) {
    std::string text = utf8(whole);
    if (text.size() <= most_letters) return text;
    std::size_t end = most_letters;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
    cut(fmt::format("the first {} letters of a text in {}", grouped(most_letters), path));
    return text.substr(0, end) + "…";
  }
  void cut(std::string what) {
    if (cuts_.size() < 10 && std::find(cuts_.begin(), cuts_.end(), what) == cuts_.end())
      cuts_.push_back(std::move(what));
  }

  std::vector<std::string>& cuts_;
};

std::string_view asset(std::string_view name) {
  for (const Asset& asset : assets()) {
    if (asset.name == name) return asset.text;
  }
  return "";
}

// A script, and its hash for the content security policy.
std::string policy_word(std::string_view script) {
  std::array<std::uint8_t, SHA256_DIGEST_SIZE> digest{};
  sha256_ctx hash;
  sha256_init(&hash);
  sha256_update(&hash, script.size(), reinterpret_cast<const std::uint8_t*>(script.data()));
  sha256_digest(&hash, digest.size(), digest.data());
  std::array<char, BASE64_ENCODE_RAW_LENGTH(SHA256_DIGEST_SIZE)> text{};
  base64_encode_raw(text.data(), digest.size(), digest.data());
  return "'sha256-" + std::string(text.data(), text.size()) + "'";
}

Section section_of(const View& run) {
  const std::string command = run.text("command");
  if (command == "train") return train_section(run);
  if (command == "evaluate") return evaluate_section(run);
  if (command == "certify") return run.has("answers") ? pairs_section(run) : certify_section(run);
  if (command == "experts") return regret_section(run);
  if (command == "bandit" && run.has("policies")) return events_section(run);
  if (command == "bandit") return run.has("logger") ? log_section(run) : regret_section(run);
  if (command == "choose") return choose_section(run);
  if (command == "compare") return compare_section(run);
  if (command == "explain") return explain_section(run);
  if (command == "serve") return service_section(run);
  if (command == "lab") return run.has("answers") ? pairs_section(run) : lab_section(run);
  throw Error(ErrorKind::data, "run.command: '" + command.substr(0, 40) + "' has no report")
      .fix("give the JSON of train, evaluate, explain, certify, compare, experts, bandit or lab, or of a service");
}

std::string facts_html(const std::vector<Fact>& facts) {
  std::string text;
  for (const Fact& fact : facts) {
    text += fmt::format("<div><dt>{}</dt><dd>{}{}</dd></div>\n", escaped(fact.label), escaped_short(fact.value, 48),
                        fact.note.empty() ? "" : "<small>" + escaped_short(fact.note, 60) + "</small>");
  }
  return text.empty() ? "" : "<dl class=\"facts\">\n" + text + "</dl>\n";
}

// Returns the command with its flags protected from line breaks at hyphens.
std::string command_html(const std::string& command) {
  std::string html;
  for (std::size_t begin = 0; begin <= command.size();) {
    const std::size_t end = std::min(command.find(' ', begin), command.size());
    const std::string word = command.substr(begin, end - begin);
    const bool flag = word.starts_with('-') && word.size() < 32;
    html += (begin > 0 ? " " : "") + (flag ? "<span>" + escaped(word) + "</span>" : escaped(word));
    begin = end + 1;
  }
  return html;
}

// Writes the run's provenance and how to reproduce it.
std::string provenance(const View& run) {
  std::string text;
  const auto entry = [&text](std::string_view name, const std::string& html) {
    text += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", name, html);
  };
  if (run.has("composition")) {
    std::string parts;
    for (const auto& [name, value] : run.entries("composition")) {
      const std::string word = value.json().is_string() ? value.text() : value.json().dump();
      parts += fmt::format("{}{} {}", parts.empty() ? "" : " · ", escaped(name), escaped_short(word, 40));
    }
    entry("Composition", parts);
  }
  if (run.has("fingerprint"))
    entry("Data", fmt::format("XXH3-128 of the text <code>{}</code>", escaped(run.text("fingerprint"))));
  if (run.has("seconds") && run["seconds"].is_object()) {
    std::string parts;
    for (const auto& [name, value] : run.entries("seconds"))
      parts += fmt::format("{}{} {}", parts.empty() ? "" : " · ", escaped(name),
                           value.number() < 1e9 ? duration(value.number()) : "–");
    entry("Time", parts);
  }
  entry("Written by", "Halfspace " + escaped(run.text("version", "")));
  return "<dl class=\"provenance\">\n" + text + "</dl>\n";
}

std::string plane_html(const View& run) {
  const bool votes = run.has("composition") && run["composition"].text("keep") == "vote";
  return plane_section(run["plane"].json()) +
         (votes ? missing_html("The line is that of the final weights. The model is a vote of all weights: rows are "
                               "ringed if the vote is wrong. With one or two features, a moment has the lines of the "
                               "weights so far, darker the more rounds they lasted, and the rings of their vote.")
                : "");
}

}  // namespace

std::string page(const Json& given, const OptionStyle& style) {
  if (!given.is_object()) {
    throw Error(ErrorKind::data, "run: an object is expected")
        .fix("give the JSON as a command wrote it with " + option("json"));
  }
  std::vector<std::string> cuts;
  const Json json = Limits(cuts).bounded(given, "run");
  const View run(json, "run");
  Section section = section_of(run);
  if (run.has("plane")) {
    // One or two features are seen whole, so their picture comes first; a projection says less than the curves.
    const bool first = run["plane"].is_object() && run["plane"].text("kind", "").starts_with("feature");
    section.body = first ? plane_html(run) + section.body : section.body + plane_html(run);
  }

  std::string scripts, words;
  const bool moves = run.has("plane") || section.rounds;
  for (const auto& [name, wanted] : {std::pair{"page.js", true}, std::pair{"player.js", moves},
                                     std::pair{"plane.js", run.has("plane")}, std::pair{"rounds.js", section.rounds}}) {
    const std::string_view script = asset(name);
    if (script.empty() || !wanted) continue;
    scripts += fmt::format("<script>{}</script>\n", script);
    words += " " + policy_word(script);
  }
  std::string cut;
  for (const std::string& what : cuts) cut += "<li>" + escaped(what) + "</li>";
  if (!cut.empty())
    cut =
        "<section class=\"cuts\"><h2>The run does not fit on one page. Shown are</h2><ul>" + cut + "</ul></section>\n";
  const auto assembled = [&](const std::string& data) {
    return fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
        "img-src data:; script-src{}; base-uri 'none'; form-action 'none'\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta name=\"color-scheme\" content=\"light "
        "dark\">\n<title>{}</title>\n<style>\n{}{}</style>\n</head>\n<body>\n"
        "<svg class=\"patterns\" aria-hidden=\"true\" width=\"0\" height=\"0\"><defs><pattern id=\"hatch\" width=\"5\" "
        "height=\"5\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\"><path d=\"M0 0V5\"/></pattern>"
        "</defs></svg>\n<main>\n<header>\n<p class=\"kicker\">Halfspace · {}</p>\n<h1>{}</h1>\n{}{}{}</header>\n{}{}{}"
        "<footer>\n{}</footer>\n</main>\n{}{}</body>\n</html>\n",
        words, escaped(section.head.title), asset("page.css"), moves ? asset("plane.css") : "",
        escaped(run.text("command")), section.head.finding,
        section.head.because.empty() ? "" : "<p class=\"because\">" + section.head.because + "</p>\n",
        section.head.composition.empty() ? "" : "<p class=\"how\">" + section.head.composition + "</p>\n",
        run.has("invocation")
            ? fmt::format("<pre class=\"invocation\" aria-label=\"the command\"><code>{}</code></pre>\n",
                          command_html(run.text("invocation")))
            : "",
        facts_html(section.facts), section.body, cut, provenance(run), data, scripts);
  };
  std::string text =
      assembled("<script type=\"application/json\" id=\"run\">" + inert_json(json.dump()) + "</script>\n");
  if (text.size() > largest_page) text = assembled("");
  if (text.size() > largest_page) {
    throw Error(ErrorKind::data, "run: too large for one page")
        .fix("give the JSON as a command wrote it with " + option("json"));
  }
  return render_options(text, style);
}

Json parse_run(std::string_view text, const std::string& name) {
  // Bounds the depth before any recursive function sees the value.
  try {
    return Json::parse(text, {.most_depth = most_depth + 1});
  } catch (const Json::parse_error& error) {
    if (error.too_deep) {
      throw Error(ErrorKind::data, "nested deeper than any run's JSON")
          .at(name)
          .fix("give the JSON as a command wrote it with " + option("json"));
    }
    const std::string_view before = text.substr(0, error.byte == 0 ? 0 : std::min(error.byte - 1, text.size()));
    const auto line = static_cast<std::uint64_t>(std::count(before.begin(), before.end(), '\n')) + 1;
    const std::size_t begin = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
    throw Error(ErrorKind::data, text.empty() ? "the file is empty" : "not JSON")
        .at(name, line, before.size() - begin + 1)
        .fix("give the JSON as a command wrote it with " + option("json"));
  }
}

}  // namespace halfspace::report
