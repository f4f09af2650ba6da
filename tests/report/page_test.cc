// The page as a function of JSON: hostile texts stay texts, sizes stay bounded, broken JSON is named.
#include "report/page.h"

#include <gtest/gtest.h>

#include <functional>

#include "halfspace/base/error.h"
#include "report/html.h"

namespace halfspace::report {
namespace {

Json train_run() {
  Json j =
      Json::parse(R"({"command": "train", "version": "0.1.0", "invocation": "halfspace train d.svm --report r.html",
    "rounds": 8, "mistakes": 3, "updates": 3, "passes": 1, "stopped": "end", "rows": 8, "rejected": 0, "features": 2,
    "nonzeros": 12, "classes": {"-1": 3, "+1": 5}, "radius": 7, "weight_norm": 2, "training_errors": 1,
    "bound": {"value": 40, "theorem": "novikoff", "comparator": "last", "margin": 1, "radius": 7, "hinge": 0},
    "progressive": {"rounds": 8, "mistakes": 3, "constant_mistakes": 2, "previous_mistakes": 4},
    "pass": [{"rounds": 8, "mistakes": 3, "updates": 3, "criterion": 2.5}, {"rounds": 8, "mistakes": 0, "updates": 0, "criterion": 0}],
    "composition": {"rule": "perceptron", "order": "stream", "keep": "last"}, "seconds": {"total": 0.1},
    "figures": {
      "progress": {"rounds": [1, 2, 4, 8], "mistakes": [1, 2, 2, 3], "updates": [1, 2, 2, 3],
        "constant_mistakes": [0, 1, 1, 2], "previous_mistakes": [0, 1, 2, 4]},
      "norms": {"rounds": [1, 8], "squared_norm": [9, 16.5], "squares": [9, 60]},
      "projection": {"comparator": "last", "margin": 0.5, "rounds": [1, 8], "projection": [1, 3], "floor": [0.5, 1.5]},
      "training": {"of": "training", "rows": 8, "margins": {"edges": [-1, 0, 1], "right": [0, 7], "wrong": [1, 0]},
        "worst": [{"row": 4, "label": "+1", "margin": -0.5}],
        "confusion": {"-1": {"-1": 3, "+1": 0}, "+1": {"-1": 1, "+1": 4}},
        "roc": {"rows": 8, "area": 0.9, "false_positive": [0, 0, 1], "true_positive": [0, 0.8, 1]}},
      "weights": {"nonzero": 2, "shown": [{"feature": "age", "weight": 2}, {"feature": "debt", "weight": -1}]}}})");
  return j;
}

Json experts_run() {
  return Json::parse(
      R"({"command": "experts", "algorithm": "hedge", "rounds": 4, "loss": 2, "best": {"name": "a", "loss": 1},
    "regret": 1, "bound": {"value": 2.5, "theorem": "T", "bounds": "expected regret", "observed": 1, "holds": true},
    "weights": {"a": 0.7, "b": 0.3}, "experts": [{"name": "a", "loss": 1, "rounds": 4}, {"name": "b", "loss": 3, "rounds": 4}],
    "path": {"rounds": [1, 2, 4], "observed": [0, 0.5, 1], "weights": {"a": [0.5, 0.6, 0.7], "b": [0.5, 0.4, 0.3]}}})");
}

Json lab_run() {
  return Json::parse(R"({"command": "lab", "lab": "regret", "claim": "C", "source": "S", "seed": 1, "holds": true,
    "rows": [{"player": "hedge", "rounds": 100, "regret": 4, "bound": 9}, {"player": "hedge", "rounds": 800, "regret": 9, "bound": 30}],
    "figure": {"x": "rounds", "lines": ["regret"], "bounds": ["bound"], "by": "player", "logarithmic": true}})");
}

Json certify_run() {
  return Json::parse(R"({"command": "certify", "verdict": "not separable", "rows": 4, "features": 2,
    "margin": {"lower": 0, "upper": 0}, "radius": 2, "mistake_bound": null, "witness": [1, 2, 3, 4],
    "fewest_errors": {"lower": 1, "upper": 1}, "verified": true, "seconds": {"total": 0.1},
    "figures": {"bracket": [{"stage": "s", "seconds": [0, 1], "lower": [0, 0], "upper": [2, 0.001]}],
      "witness": [{"row": 1, "label": "a", "weight": 0.25, "sign": 1, "values": {"x": 1, "y": 0}}],
      "points": {"features": ["x", "y"], "rows": 4, "shown": 4, "classes": {"a": {"x": [0, 1], "y": [0, 1]}, "b": {"x": [0, 1], "y": [1, 0]}}},
      "hulls": {"a": {"x": [0, 1, 0], "y": [0, 1, 0]}, "b": {"x": [0, 1, 0], "y": [1, 0, 1]}}, "meet": {"x": 0.5, "y": 0.5}}})");
}

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t times = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++times;
  return times;
}

TEST(Page, StandsAlone) {
  for (const Json& run : {train_run(), experts_run(), lab_run(), certify_run()}) {
    const std::string html = page(run);
    EXPECT_NE(html.find("Content-Security-Policy\" content=\"default-src 'none'"), std::string::npos);
    for (const char* abroad : {"http://", "https://", "src=", "@import", "url(//", "<link", "<iframe"})
      EXPECT_EQ(html.find(abroad), std::string::npos) << abroad;
    EXPECT_GT(count(html, "<figure"), 0U);
    EXPECT_EQ(count(html, "<figure"), count(html, "</figure>"));
    EXPECT_EQ(html, page(Json::parse(run.dump(2)))) << "a function of the JSON";
  }
}

TEST(Page, HoldsTheJsonItWasDrawnFrom) {
  const Json run = train_run();
  const std::string html = page(run);
  const std::string open = "<script type=\"application/json\" id=\"run\">";
  const std::size_t begin = html.find(open) + open.size();
  EXPECT_EQ(Json::parse(html.substr(begin, html.find("</script>", begin) - begin)), run);
}

TEST(Page, ShowsTheNumbers) {
  const std::string html = page(train_run());
  for (const char* figure : {"mistakes", "error", "passes-mistakes", "passes-criterion", "norm", "projection",
                             "weights", "margins", "confusion", "roc"})
    EXPECT_NE(html.find(std::string("<figure id=\"") + figure + "\""), std::string::npos) << figure;
  EXPECT_NE(html.find("at most <strong>40</strong>"), std::string::npos);
  EXPECT_NE(html.find("row 4 (+1, −0.5)"), std::string::npos);
}

// Every text of a run, one after the other, turned hostile.
void poison(Json& json, const std::string& poison_text, const std::function<void()>& check) {
  if (json.is_string()) {
    const Json before = json;
    json = poison_text;
    check();
    json = before;
  } else if (json.is_array()) {
    for (Json& entry : json) poison(entry, poison_text, check);
  } else if (json.is_object()) {
    std::vector<std::string> keys;
    for (auto it = json.begin(); it != json.end(); ++it) keys.push_back(it.key());
    for (const std::string& key : keys) poison(json[key], poison_text, check);
    if (keys.empty()) return;
    Json more = json;
    more[poison_text] = json[keys.back()];
    std::swap(json, more);
    check();
    std::swap(json, more);
  }
}

TEST(Page, HostileTextsStayTexts) {
  for (const char* text : {"\"><img onerror=alert(1) src=x>", "</script><!--<script>alert(1)</script>"}) {
    for (Json run : {train_run(), experts_run(), lab_run(), certify_run()}) {
      const std::size_t scripts = count(page(run), "<script");
      poison(run, text, [&] {
        std::string html;
        try {
          html = page(run);
        } catch (const Error& error) {
          EXPECT_EQ(error.kind(), ErrorKind::data);
          return;
        }
        EXPECT_EQ(count(html, "<script"), scripts) << run.dump();
        EXPECT_EQ(html.find("<img"), std::string::npos) << run.dump();
        EXPECT_EQ(html.find("<!--"), std::string::npos) << run.dump();
      });
    }
  }
}

// Every value, one after the other, of another kind: an error that names the place, or a page.
void distort(Json& json, const std::function<void()>& check) {
  const Json before = json;
  for (const Json& other : {Json(), Json("text"), Json(-1.5), Json::array(), Json::object(), Json(true),
                            Json({1, "two", nullptr}), Json(1e308)}) {
    json = other;
    check();
  }
  json = before;
  if (json.is_structured()) {
    for (Json& entry : json) distort(entry, check);
  }
}

TEST(Page, BrokenJsonIsNamed) {
  for (Json run : {train_run(), experts_run(), lab_run(), certify_run()}) {
    std::size_t refused = 0;
    distort(run, [&] {
      try {
        const std::string html = page(run);
        for (const char* none : {"\"nan", " nan", ">nan", "\"inf", " inf ", ">inf"}) {
          EXPECT_EQ(html.find(none), std::string::npos) << none << run.dump();
        }
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::data) << error.what();
        EXPECT_EQ(error.message().rfind("run", 0), 0U) << error.what();
        ++refused;
      }
    });
    EXPECT_GT(refused, 40U);
  }
  try {
    Json run = train_run();
    run["bound"]["value"] = "forty";
    page(run);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "run.bound.value: a number is expected, not a text");
  }
}

TEST(Page, TextThatIsNoJsonIsPlaced) {
  try {
    parse_run("{\"command\":\n  \"train\",, }", "run.json");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    EXPECT_EQ(error.file(), "run.json");
    EXPECT_EQ(error.line(), 2U);
    EXPECT_EQ(error.column(), 11U);
  }
  EXPECT_THROW(parse_run("", "r"), Error);
  EXPECT_THROW(parse_run(std::string(100'000, '['), "r"), Error);
  EXPECT_THROW(page(Json::array()), Error);
  EXPECT_THROW(page(Json{{"command", "predict"}}), Error);
}

// Lists, objects and texts of a size that no page could hold.
TEST(Page, StaysBelowTwoMegabytes) {
  Json run = train_run();
  Json rounds = Json::array(), mistakes = Json::array();
  for (int i = 1; i <= 30'000; ++i) rounds.push_back(i), mistakes.push_back(i / 3);
  Json& figures = run["figures"];
  for (const char* key : {"mistakes", "updates", "constant_mistakes", "previous_mistakes"})
    figures["progress"][key] = mistakes;
  figures["progress"]["rounds"] = rounds;
  run["rounds"] = 18'000'000'000'000'000'000U;
  run["rows"] = 10'000'000'000U;
  for (int k = 0; k < 5'000; ++k) {
    run["classes"]["class " + std::to_string(k)] = k;
    figures["training"]["confusion"]["class " + std::to_string(k)] = {{"-1", 3}, {"+1", k}};
    figures["weights"]["shown"].push_back({{"feature", std::string(500, 'x')}, {"weight", k}});
    run["pass"].push_back({{"mistakes", k}, {"criterion", k}});
  }
  figures["weights"]["nonzero"] = 1e9;
  run["invocation"] = std::string(5'000'000, '<');
  const std::string html = page(run);
  EXPECT_LT(html.size(), 2'000'000U);
  EXPECT_NE(html.find("Not all of the run fits one page"), std::string::npos);
  EXPECT_NE(html.find("2,000 of the 30,000 entries of run.figures.progress.rounds"), std::string::npos);

  Json experts = experts_run();
  for (int k = 0; k < 3'000; ++k) experts["algorithms"].push_back(experts_run());
  EXPECT_LT(page(experts).size(), 2'000'000U);
  Json lab = lab_run();
  for (int k = 0; k < 3'000; ++k)
    lab["rows"].push_back({{"player", std::to_string(k)}, {"rounds", 3}, {"regret", 1}, {"bound", 2}});
  EXPECT_LT(page(lab).size(), 2'000'000U);
  Json certify = certify_run();
  for (int k = 0; k < 10'000; ++k) {
    certify["witness"].push_back(k);
    certify["figures"]["witness"].push_back(certify["figures"]["witness"][0]);
    for (const char* axis : {"x", "y"}) certify["figures"]["points"]["classes"]["a"][axis].push_back(k);
  }
  EXPECT_LT(page(certify).size(), 2'000'000U);
}

TEST(Html, EscapesAndCuts) {
  EXPECT_EQ(escaped("a<b>&\"'\x01"), "a&lt;b&gt;&amp;&quot;&#39;\xef\xbf\xbd");
  EXPECT_EQ(escaped("\xff"), "\xef\xbf\xbd");
  EXPECT_EQ(escaped_short("abcdefghij", 5), "ab…ij");
  EXPECT_EQ(escaped_short("äöüäöüäöü", 5), "äö…öü");
  EXPECT_EQ(inert_json("\"</script>\""), "\"\\u003c/script\\u003e\"");
}

}  // namespace
}  // namespace halfspace::report
