// The page as a function of JSON: hostile texts stay texts, sizes stay bounded, broken JSON is named.
#include "report/pages/page.h"

#include <regex>

#include "halfspace/base/error.h"
#include "report/figures/html.h"
#include "report/results/words.h"
#include "report/runs.h"
#include "support/test.h"

namespace halfspace::report {
namespace {

std::vector<Json> every_run() {
  Json images = train_run();
  images["figures"]["weights"]["image"] =
      Json::parse(R"({"width": 2, "height": 1, "features": 2, "largest": 2, "classes": {"+1": [[2, -1]]}})");
  return {train_run(), images,        evaluate_run(), experts_run(),   service_run(), choose_run(), events_run(),
          lab_run(),   explain_run(), certify_run(),  separable_run(), pairs_run(),   compare_run()};
}

TEST(Page, StandsAlone) {
  for (const Json& run : every_run()) {
    const std::string html = page(run);
    EXPECT_TRUE(has(html, "Content-Security-Policy\" content=\"default-src 'none'"));
    for (const char* abroad : {"http://", "https://", "src=", "@import", "url(//", "<link", "<iframe"})
      EXPECT_TRUE(lacks(html, abroad));
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
    EXPECT_TRUE(has(html, std::string("<figure id=\"") + figure + "\"")) << figure;
  EXPECT_TRUE(has(html, "at most <strong>40</strong>", "row 4 (+1, −0.5)"));
}

// The figure of this id; empty if the page has none.
std::string figure_in(const std::string& html, const std::string& id) {
  const std::size_t begin = html.find("<figure id=\"" + id + "\"");
  return begin == std::string::npos ? "" : html.substr(begin, html.find("</figure>", begin) - begin);
}

// The numbers that a pattern with one group finds.
std::vector<double> numbers_in(const std::string& text, const std::string& pattern) {
  const std::regex expression(pattern);
  std::vector<double> found;
  for (std::sregex_iterator it(text.begin(), text.end(), expression), end; it != end; ++it)
    found.push_back(std::stod((*it)[1]));
  return found;
}

// The ends of a range and the value between them are where the numbers are.
TEST(Page, ExplainsARow) {
  const Json run = explain_run();
  const std::string html = page(run);
  EXPECT_TRUE(has(html, "A0002 is predicted to be <em>declined</em>, with probability <strong>0.8750</strong>."));
  EXPECT_TRUE(has(html, "Of the 100 rows with the nearest scores 7 are labelled otherwise.", "trained on them"));
  EXPECT_TRUE(has(html, "Credit score too low <small>(R05)</small>", "by less than 20.5 (by Euclid 20.25)"));
  const std::string change = figure_in(html, "change");
  EXPECT_TRUE(has(change, "<em>approved</em> with credit = 551.75 instead of 422, and purpose = home instead of car."));
  EXPECT_TRUE(has(change, "Proved", "Not changed: notes."));
  const std::string ranges = figure_in(html, "ranges");
  EXPECT_TRUE(has(ranges, "credit: 422; at most 551.5", "years: 5.5; from −3 to 26.25"));
  const std::vector<double> values = numbers_in(ranges, "<circle[^>]* cx=\"([0-9.]+)\""),
                            ends = numbers_in(ranges, "class=\"s0\" d=\"M([0-9.]+) ");
  ASSERT_EQ(values.size(), 2U);
  ASSERT_EQ(ends.size(), 3U) << "one of the first, two of the second";
  EXPECT_NEAR((values[1] - ends[1]) / (ends[2] - ends[1]), 8.5 / 29.25, 0.01);
  EXPECT_LT(values[0], ends[0]);
  EXPECT_EQ(count(ranges, "<polygon"), 1U) << "an arrow for the one end that is none";
}

TEST(Page, ExplainsWhatIsNotThere) {
  Json run = explain_run();
  run["change"] = {{"found", false}, {"cheapest", true}, {"least_margin", 0.5}, {"unmoved", Json::array()}};
  EXPECT_TRUE(has(page(run), "the lead stays at least 0.5"));
  run["change"]["cheapest"] = false;
  EXPECT_TRUE(has(page(run), "None was found", "There may be one."));
  run["change"] = nullptr;
  run["no_change"] = "the model changes each row as a whole before it is scored";
  run["radius"] = nullptr;
  for (const char* const key : {"nearest", "probabilities", "reasons", "id", "positive", "threshold"}) run.erase(key);
  run["other"] = "approved";
  const std::string html = page(run);
  EXPECT_TRUE(has(html, "Row 2 is predicted to be <em>declined</em>.", "ahead of approved", "No ranges and no change"));
  EXPECT_TRUE(lacks(html, "labelled otherwise", "<figure id=\"reasons\""));
}

// Of every column the bars on both sides of 0 touch it and are as long as one another: here 127 on each side.
TEST(Page, TheColumnsOfAWitnessCancel) {
  const std::string columns = figure_in(page(certify_run()), "columns");
  const std::vector<double> x = numbers_in(columns, "<rect class=\"part c\\d\" x=\"([0-9.]+)\""),
                            width = numbers_in(columns, "<rect class=\"part [^>]* width=\"([0-9.]+)\"");
  ASSERT_EQ(x.size(), 5U) << columns;
  // Column x: row 1 has a quarter of the right side, the other rows the rest, row 2 all of the left side.
  const double middle = x[0], half = width[1];
  EXPECT_NEAR(width[0], half / 4, 0.11);
  EXPECT_NEAR(x[1], middle - half, 0.11);
  EXPECT_NEAR(x[2], middle + width[0], 0.11);
  EXPECT_NEAR(width[0] + width[2], half, 0.21);
  EXPECT_NEAR(width[3], half, 0.11);
  EXPECT_NEAR(width[4], half, 0.11);
  EXPECT_TRUE(has(columns, "row 1 (a): 0.25", "the other rows", ">±1<", "2 of 3 columns"));
}

// Rows with the margin lie on the borders of the strip, on the side of their class, and farther rows outside.
TEST(Page, TheStripOfTheMarginHasItsRowsOnItsBorders) {
  const std::string html = page(separable_run()), strip = figure_in(html, "strip");
  const std::vector<double> left = numbers_in(strip, "<rect class=\"strip\" x=\"([0-9.]+)\""),
                            width = numbers_in(strip, "<rect class=\"strip\"[^>]* width=\"([0-9.]+)\""),
                            circles = numbers_in(strip, "<circle class=\"o m0\" cx=\"([0-9.]+)\""),
                            crosses = numbers_in(strip, "<path class=\"x m1\" d=\"M([0-9.]+) ");
  ASSERT_EQ(left.size(), 1U);
  ASSERT_EQ(circles.size(), 3U) << "two rows of the data, and row 3";
  ASSERT_EQ(crosses.size(), 2U) << "one of the data, the other being too far away, and row 4";
  EXPECT_NEAR(circles[2], left[0] + width[0], 0.11);
  EXPECT_NEAR(crosses[1] + 4.5, left[0], 0.11);
  EXPECT_NEAR(circles[1], left[0] + 1.25 * width[0], 0.11) << "0.75 is a half beyond the margin of 0.5";
  EXPECT_TRUE(has(strip, "row 3 (a)", "3 of 4 rows"));
  const std::string plane = figure_in(html, "hulls");
  EXPECT_EQ(count(plane, "r=\"7\""), 2U) << "both are ringed in the plane";
  EXPECT_TRUE(has(plane, ">row 4</text>"));
  EXPECT_TRUE(has(html, "<th scope=\"row\">4</th><td>b</td><td>0.5000</td><td>0.5</td>"));
}

// The error of the window, and a line for each alarm at its round: rounds 0 .. 8 are 52 .. 438 across.
TEST(Page, AlarmsLieOnTheChartOfTheRecentError) {
  Json run = train_run();
  run["figures"]["progress"]["window_error"] = {1, 0.5, 0.25, 0.75};
  run["window"] = {{"size", 4}, {"rounds", 4}, {"error", 0.75}};
  EXPECT_EQ(count(figure_in(page(run), "recent"), "data-y=\"/figures/progress/window_error\""), 1U);
  Json longer = run;  // of which the first pass is half
  longer["progressive"]["rounds"] = 4;
  EXPECT_TRUE(has(figure_in(page(longer), "recent"), "data-x-axis=\"1 4 0 "));
  run["drift"] = Json::parse(R"({"detector": "adwin", "delta": 0.01, "width": 3, "alarms": 2,
    "latest": [{"round": 4, "row": 4, "before": 0.1, "after": 0.5}, {"round": 6, "row": 6, "before": 0.1, "after": 0.5}]})");
  const std::string recent = figure_in(page(run), "recent");
  EXPECT_TRUE(has(recent, "error of the last 4 rounds"));
  EXPECT_EQ(numbers_in(recent, "<path class=\"s5\" d=\"M([0-9.]+) [0-9.]+V"), (std::vector<double>{245, 341.5}))
      << recent;
  EXPECT_EQ(count(recent, ">drift alarm</text>"), 1U) << "one entry in the legend";
  EXPECT_TRUE(has(recent, "2 drift alarms at the upright lines."));

  // Without a window, the error between moments: 1 of the first round, 1 of the second, none of 3 and 4, 1 of the last 4.
  run["figures"]["progress"].erase("window_error");
  run.erase("window");
  const std::string blocks = figure_in(page(run), "recent");
  EXPECT_TRUE(has(blocks, "in 4 blocks of rounds"));
  EXPECT_EQ(numbers_in(blocks, "<path class=\"s5\" d=\"M([0-9.]+) [0-9.]+V").size(), 2U);
  const std::vector<double> limits = numbers_in(blocks, "data-y-axis=\"0 1 0 [0-9.]+ ([0-9.]+)\"");
  const std::vector<double> begins = numbers_in(blocks, "<g class=\"series\"><path class=\"s0\" d=\"M52 ([0-9.]+)L");
  EXPECT_EQ(begins, limits) << "the first block begins at an error of 1: " << blocks;
  EXPECT_EQ(figure_in(page(train_run()), "recent"), "");
}

// A bound far above the regret has a chart of its own, and the regret its own axis.
TEST(Page, TheRegretIsSeenBesideAFarBound) {
  Json run = experts_run();
  EXPECT_EQ(figure_in(page(run), "regret-bound"), "");
  EXPECT_TRUE(has(figure_in(page(run), "regret"), "bound over all rounds: 2.5"));
  run["bound"]["value"] = 250;
  const std::string html = page(run), regret = figure_in(html, "regret"), bound = figure_in(html, "regret-bound");
  EXPECT_TRUE(has(regret, "data-y-axis=\"0 1 0 "));
  EXPECT_TRUE(lacks(regret, "class=\"s1\""));
  EXPECT_TRUE(has(regret, "The bound, 250 at the end, is too far above for this axis."));
  EXPECT_TRUE(has(bound, "data-y-axis=\"0 250 0 ", "bound over all rounds: 250"));
}

// The player of rounds needs the weights and the loss of each; older runs lack the loss.
TEST(Page, RoundsCanBeSteppedThrough) {
  Json run = experts_run();
  EXPECT_TRUE(lacks(page(run), "id=\"rounds\""));
  EXPECT_EQ(count(page(run), "<script>"), 1U);
  run["path"]["loss"] = {0, 1, 2};
  for (const char* command : {"experts", "bandit"}) {
    run["command"] = command;
    const std::string html = page(run);
    EXPECT_TRUE(has(html, "<section class=\"plane rounds\" id=\"rounds\" aria-labelledby=\"rounds-title\" hidden>"));
    EXPECT_EQ(count(html, "<script>"), 3U);
    EXPECT_EQ(count(html, "'sha256-"), 3U);
    EXPECT_TRUE(has(html, "const halfspacePlayer"));
    EXPECT_TRUE(lacks(html, "getElementById(\"plane\")"));
  }
  for (const char* key : {"loss", "pulls"}) {
    Json broken = run;
    broken["path"][key] = Json::parse(R"({"a": ["much"]})");
    EXPECT_THROW(page(broken), Error) << key;
  }
}

// A row and a column a class: margins by size, witnesses of what is not separable, nothing on the diagonal.
TEST(Page, PairsOfClassesAreAMatrix) {
  const std::string html = page(pairs_run()), pairs = figure_in(html, "pairs-1");
  const std::string ab = "<td class=\"right\" style=\"--share:1.000\" title=\"a against b: separable, 7 rows\">2</td>";
  const std::string ac =
      "<td class=\"right\" style=\"--share:0.250\" title=\"a against c: separable, 8 rows\">0.5</td>";
  const std::string bc =
      "<td class=\"wrong\" style=\"--share:0.600\" title=\"b against c: not separable, 9 rows\">5<i "
      "aria-hidden=\"true\">×</i></td>";
  EXPECT_TRUE(has(pairs, "<th scope=\"row\">a</th><td></td>" + ab + ac + "</tr>",
                  "<th scope=\"row\">b</th>" + ab + "<td></td>" + bc + "</tr>",
                  "<th scope=\"row\">c</th>" + ac + bc + "<td></td></tr>"));
  EXPECT_TRUE(has(html, "Each class against the rest"));
  EXPECT_EQ(count(html, "the rest</td>"), 1U) << "the list has no pair";
}

TEST(Page, DrawsTheCurvesOfAnEvaluation) {
  const std::string html = page(evaluate_run());
  const auto figure_of = [&](const std::string& id) { return figure_in(html, id); };
  EXPECT_TRUE(has(
      html, "The model is right on 80.00\u00a0% of 10 rows: expect <strong>20.0 %</strong> of new rows to be wrong.",
      "The error on new rows is <strong>2.5 to 55.7 %</strong> with 95 % confidence"));
  EXPECT_TRUE(has(figure_of("metrics"), "<th scope=\"row\">F1</th><td>0.7500</td><td>0.3000</td><td>0.9500</td>"));
  EXPECT_TRUE(has(figure_of("confusion"), "<td class=\"wrong\" style=\"--share:0.250\">1<i"));

  // From (0, 0) at the lower left of the frame to (1, 1) at its upper right: 52 .. 438 across.
  const std::string roc = figure_of("roc");
  EXPECT_TRUE(has(roc, "data-x-axis=\"0 1 0 52 438\"", "d=\"M52 ", "data-y=\"/curve/recall\""));
  // 1 of 6 negative rows is predicted positive: 52 + 386 / 6.
  EXPECT_TRUE(has(roc, "<circle class=\"o m1\" cx=\"116.3\"", "Area: 0.8750."));
  EXPECT_TRUE(has(figure_of("precision-recall"), "Average precision: 0.8300."));
  // Recall 3/4 at the model's own threshold: 52 + 386 * 0.75.
  EXPECT_TRUE(has(figure_of("precision-recall"), "<circle class=\"o m1\" cx=\"341.5\""));

  const std::string thresholds = figure_of("thresholds");
  for (const char* key : {"error", "precision", "recall"})
    EXPECT_TRUE(has(thresholds, std::string("data-x=\"/curve/score\" data-y=\"/curve/") + key + "\""));
  EXPECT_TRUE(has(thresholds, "The error is least, 20\u00a0%, at 2:"));
  EXPECT_TRUE(has(figure_of("costs"), "The cost is least, 0.3, at −1:"));

  // A circle and an interval a bin, and its rows as a column. Exact bounds of 3 of 6: 11.81 to 88.19 %.
  const std::string reliability = figure_of("reliability");
  EXPECT_EQ(count(reliability, "<circle class=\"o m0\" cx=\""), 3U) << "two bins and the legend";
  EXPECT_TRUE(has(reliability, "0.1 to 0.2: 6 rows, mean 0.1500, observed 0.5000"));
  EXPECT_EQ(count(figure_of("reliability-rows"), "<rect class=\"c0\""), 2U);
}

// The error to report comes first, and weights are ranked by what they do.
TEST(Page, SaysWhatToExpectOfNewRows) {
  Json run = train_run();
  run["expected_error"] = {{"lower", 0.05},     {"upper", 0.2}, {"confidence", 0.95}, {"of", "held_out"},
                           {"assumption", "a"}, {"rows", 100},  {"errors", 12}};
  const std::string html = page(run);
  EXPECT_TRUE(has(html, "expect <strong>12.0 %</strong> of new rows to be wrong.</h1>",
                  "<dl class=\"facts\">\n<div><dt>Wrong on new rows</dt><dd>12.0 %"));
  run["expected_error"] = nullptr;
  run["no_expected_error"] = "rows were trained on more than once";
  EXPECT_TRUE(has(page(run), "The error on new rows is unknown: rows were trained on more than once."));
  run["figures"]["weights"]["shown"] = {{{"feature", "debt"}, {"weight", -0.001}, {"effect", -3}},
                                        {{"feature", "age"}, {"weight", 2}, {"effect", 1.5}}};
  const std::string weights = figure_in(page(run), "weights");
  EXPECT_TRUE(has(weights, "<title>debt: −3</title>",
                  ">−3</text><text class=\"figure\" x=\"460\" y=\"17\">−0.001</text>",
                  "Weight times standard deviation"));
}

TEST(Page, AnEvaluationOfSeveralClassesHasNoCurve) {
  Json run = evaluate_run();
  run.erase("curve");
  run["classes"].push_back({{"class", "maybe"}, {"precision", nullptr}, {"recall", 0}, {"f1", 0}, {"rows", 0}});
  run["expected_error"] = nullptr;
  run["no_expected_error"] = "the model was trained on these data, so every figure here is optimistic";
  const std::string html = page(run);
  for (const char* id : {"roc", "precision-recall", "thresholds", "costs"})
    EXPECT_FALSE(has(html, std::string("<figure id=\"") + id + "\"")) << id;
  EXPECT_TRUE(has(html, "The error on new rows is unknown: the model was trained on these data",
                  "<th scope=\"row\">maybe</th><td>–</td>"));
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

TEST(Page, OfAMinimumSpeaksOfNoRounds) {
  Json run = train_run();
  run["minimum"] = Json::parse(R"({"objective": "logistic", "C": 2, "primal": 10.5, "dual": 10.25, "gap": 0.02381})");
  run["bound"] = nullptr;
  run["progressive"]["rounds"] = run["rounds"] = run["mistakes"] = 0;
  const std::string html = page(run);
  EXPECT_TRUE(has(html, "A logistic regression tells",
                  "at most <strong>10.5</strong>, and no weights have less than <strong>10.25</strong>"));
  EXPECT_TRUE(lacks(html, "perceptron ×", "It made ", ">Mistakes<", "A perceptron", "data ended"));
}

// A search over the price of an objective shows what is proved of each candidate, and another search nothing of it.
TEST(Page, CandidatesThatMinimizeShowTheirGaps) {
  Json run = train_run();
  run["search"] = Json::parse(R"({"judged_by": "folds", "best": {"C": 10}, "lead": null, "candidates": [
    {"parameters": {"C": 1}, "accuracy": 0.8, "spread": 0.1, "standard_error": 0.05,
     "minimum": {"primal": 123.456, "gap": 1.234e-7, "passes": 9}},
    {"parameters": {"C": 10}, "accuracy": 0.9, "spread": 0.1, "standard_error": 0.05,
     "minimum": {"primal": 987.654, "gap": 2e-9, "passes": 9}}]})");
  const std::string html = page(run);
  for (const char* part : {">gap at most<", ">123.456<", ">1.3e-07<", ">987.654<"})
    EXPECT_EQ(count(html, part), 1U) << part;
  for (Json& candidate : run["search"]["candidates"]) candidate.erase("minimum");
  EXPECT_EQ(count(page(run), "gap at most"), 0U);
}

TEST(Page, OfAServiceCountsFromItsStart) {
  Json run = service_run();
  std::string html = page(run);
  EXPECT_TRUE(has(html, "<strong>30.00 % wrong</strong> while learning, each of 10 rows",
                  "The mean error over 4 asked rows is " + error_range({0.01, 0.99}) + ", with 95 %",
                  "labels of the 2 that did not come"));
  run["progress"] = {{"rounds", {20}}, {"mistakes", {3}}, {"errors", {3}}, {"weight", {20}}};
  EXPECT_TRUE(has(page(run), "No row has been learned since"));
  run["ledger"]["writable"] = false;
  EXPECT_TRUE(has(page(run), "The disk failed."));
}

TEST(Page, OfAChooserSaysWhichPolicyIsProvedBetter) {
  Json run = choose_run();
  EXPECT_TRUE(has(page(run), "<strong>squarecb is better</strong> than what ran: by at least 0.0625 a round"));
  run["policies"]["policies"][0]["gain"]["lower"] = 0.0;
  EXPECT_TRUE(has(page(run), "No policy is proved better than what ran, after 10 rewards"));
  run["ledger"]["writable"] = false;
  EXPECT_TRUE(has(page(run), "The disk failed."));
  EXPECT_TRUE(has(page(events_run()), "<strong>first is better</strong> than the logger: by at least 0.2500 a round"));
}

TEST(Page, HostileTextsStayTexts) {
  for (const char* text : {"\"><img onerror=alert(1) src=x>", "</script><!--<script>alert(1)</script>"}) {
    for (Json run : every_run()) {
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
        EXPECT_FALSE(has(html, "<img")) << run.dump();
        EXPECT_FALSE(has(html, "<!--")) << run.dump();
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
  for (Json run : every_run()) {
    std::size_t refused = 0;
    distort(run, [&] {
      try {
        const std::string whole = page(run), html = whole.substr(0, whole.find("<script type=\"application/json\""));
        for (const char* none : {"\"nan", " nan", ">nan", "\"inf", " inf ", ">inf"}) {
          EXPECT_FALSE(has(html, none)) << run.dump();
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
  EXPECT_TRUE(
      has(html, "The run does not fit on one page", "2,000 of the 30,000 entries of run.figures.progress.rounds"));

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
