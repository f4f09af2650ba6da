// Requests of every kind, in each format whose rows come as lines.
#include "service/answers.h"

#include <gtest/gtest.h>

#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/json.h"
#include "halfspace/base/error.h"
#include "halfspace/base/random.h"
#include "halfspace/bounds/expected_error.h"
#include "halfspace/model/model_file.h"
#include "halfspace/train/evaluate.h"
#include "service/models.h"
#include "service/simulated_storage.h"

namespace halfspace::service {
namespace {

// Rows of one format, with and without their label.
struct Rows {
  std::string name, text, preset, label;
  std::vector<std::string> labelled, unlabelled, labels;
};

std::vector<Rows> formats() {
  return {{"a.svm",
           "1 1:1 2:3\n-1 1:2 3:1\n1 2:5\n-1 4:1\n",
           "averaged",
           "",
           {"1 2:4", "-1 1:3 9:1"},
           {"2:4", "1:3 9:1"},
           {"1", "-1"}},
          {"a.csv",
           "age,colour,class\n3,red,yes\n8,blue,no\n4,red,yes\n9,green,no\n",
           "averaged",
           "class",
           {"5,red,yes", "7,\"dark blue\",no"},
           {"5,red,", "7,\"dark blue\","},
           {"yes", "no"}},
          {"a.vw",
           "1 |a x y:2\n-1 |a z |b u\n1 |a x\n-1 |b u:3\n",
           "averaged",
           "",
           {"1 |a x new", "-1 |b u"},
           {"|a x new", "|b u"},
           {"1", "-1"}},
          {"a.jsonl",
           "{\"age\":3,\"colour\":\"red\",\"class\":\"yes\"}\n{\"age\":8,\"colour\":\"blue\",\"class\":\"no\"}\n"
           "{\"age\":4,\"colour\":\"red\",\"class\":\"yes\"}\n{\"age\":9,\"colour\":\"green\",\"class\":\"no\"}\n",
           "averaged",
           "class",
           {"{\"class\":\"yes\",\"age\":5,\"colour\":\"red\"}", "{\"class\":\"no\",\"age\":7}"},
           {"{\"age\":5,\"colour\":\"red\"}", "{\"age\":7}"},
           {"yes", "no"}}};
}

class Service {
 public:
  explicit Service(const Model& model) : storage_(draws_), learner_(storage_, &model, {}), learning_(learner_) {}

  Answer send(const std::string& method, const std::string& path, const std::string& body, const std::string& id = {}) {
    Request request{method, path, {}, body};
    if (!id.empty()) request.query["id"] = id;
    if (PredictionAnswers::answers(request)) return PredictionAnswers(learning_.publish()).answer(request);
    return learning_.answer(std::span(&request, 1)).at(0);
  }
  Json ledger() { return Json::parse(send("GET", "/ledger", {}).body); }
  LiveLearner& learner() { return learner_; }
  SimulatedStorage& storage() { return storage_; }
  LearningAnswers& learning() { return learning_; }

 private:
  Generator draws_{1};
  SimulatedStorage storage_;
  LiveLearner learner_;
  LearningAnswers learning_;
};

// A row whose label comes late is learned as the one with its label, bit for bit.
TEST(Answers, LateLabelsAreLabels) {
  for (const Rows& rows : formats()) {
    SCOPED_TRACE(rows.name);
    const Model model = model_on(rows.text, rows.preset, rows.name, rows.label);
    Service late(model), at_once(model);
    for (std::size_t i = 0; i < rows.labelled.size(); ++i) {
      const std::string id = "row " + std::to_string(i);
      const Answer predicted = late.send("POST", "/predict", rows.unlabelled[i] + "\n", id);
      ASSERT_EQ(predicted.status, 200) << predicted.body;
      EXPECT_EQ(late.send("POST", "/predict", rows.unlabelled[i], id).status, 409);  // it waits already
      const Answer told = late.send("POST", "/truth", R"({"id":")" + id + R"(","label":")" + rows.labels[i] + "\"}\n");
      ASSERT_EQ(told.status, 200) << told.body;
      EXPECT_EQ(late.send("POST", "/truth", rows.labels[i], id).status, 422);  // told once
      const Answer learned = at_once.send("POST", "/learn", rows.labelled[i] + "\n");
      ASSERT_EQ(learned.status, 200) << learned.body;
      EXPECT_EQ(Json::parse(learned.body)["rows"].get<int>(), 1) << learned.body;
    }
    EXPECT_EQ(encode(late.learner().model()), encode(at_once.learner().model()));
    const Json served = late.ledger()["served"];
    EXPECT_EQ(served["asked"].get<int>(), 2);
    EXPECT_EQ(served["labels"].get<int>(), 2);
    EXPECT_EQ(served["waiting"].get<int>(), 0);
  }
}

// The predictions are those of the model, and a bad line does not keep the others from theirs.
TEST(Answers, PredictionsAreTheModels) {
  for (const Rows& rows : formats()) {
    SCOPED_TRACE(rows.name);
    const Model model = model_on(rows.text, rows.preset, rows.name, rows.label);
    Service service(model);
    RowParser parser(model.schema, ParseFor::predict);
    Predictor predictor(model);
    std::vector<std::int32_t> classes;
    std::vector<double> scores;
    const std::string lines = rows.unlabelled[0] + "\n" + rows.unlabelled[1] + "\n";
    predictor.predict(parser.parse(lines).block, classes, scores);
    const Answer whole = service.send("POST", "/predict", lines);
    ASSERT_EQ(whole.status, 200) << whole.body;
    const Json predictions = Json::parse(whole.body)["predictions"];
    ASSERT_EQ(predictions.size(), 2U);
    const Answer torn = service.send("POST", "/predict", rows.unlabelled[0] + "\n\x01{\n" + rows.unlabelled[1]);
    ASSERT_EQ(torn.status, 200) << torn.body;
    const Json of_torn = Json::parse(torn.body)["predictions"];
    ASSERT_EQ(of_torn.size(), 3U) << torn.body;
    EXPECT_EQ(of_torn[1]["line"].get<int>(), 2);
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_EQ(predictions[i]["score"].get<double>(), scores[i]);
      EXPECT_EQ(predictions[i]["label"].get<std::string>(),
                model.schema.labels.names[static_cast<std::size_t>(classes[i])]);
      EXPECT_EQ(of_torn[2 * i].dump(), predictions[i].dump());
    }
    EXPECT_EQ(service.send("POST", "/predict", "").status, 422);
    EXPECT_EQ(service.learner().events(), 0U);
  }
}

TEST(Answers, ForgottenRowsWereNeverThere) {
  for (const Rows& rows : formats()) {
    SCOPED_TRACE(rows.name);
    const Model model = model_on(rows.text, rows.preset, rows.name, rows.label);
    Service service(model), never(model);
    EXPECT_EQ(service.send("POST", "/learn", rows.labelled[1], "gone").status, 200);
    EXPECT_EQ(service.send("POST", "/predict", rows.unlabelled[1], "late").status, 200);
    for (Service* const each : {&service, &never}) each->send("POST", "/learn", rows.labelled[0]);
    EXPECT_EQ(service.send("POST", "/truth", rows.labels[1], "late").status, 200);
    EXPECT_EQ(service.send("DELETE", "/row/late", {}).status, 200);
    const Answer forgotten = service.send("DELETE", "/row/gone", {});
    EXPECT_EQ(forgotten.status, 200);
    EXPECT_EQ(Json::parse(forgotten.body)["receipt"]["log"].get<std::string>().size(), 64U);
    EXPECT_EQ(service.send("DELETE", "/row/gone", {}).status, 404);
    EXPECT_EQ(encode(service.learner().model()), encode(never.learner().model()));
    EXPECT_EQ(service.ledger()["served"]["labels"].get<int>(), 0);
  }
}

// A row must not take all memory, now or at every later start.
TEST(Answers, FarFeaturesAreRefused) {
  const Rows rows = formats()[0];
  Service service(model_on(rows.text, "averaged"));
  const Answer answer =
      service.send("POST", "/learn", "1 2000000000:1\n1 100000:1\n-1 16777217:1\n1 16777216:1\n-1 2:1\n");
  const Json json = Json::parse(answer.body);
  EXPECT_EQ(json["rows"].get<int>(), 2);
  ASSERT_EQ(json["refused"].size(), 3U);
  EXPECT_EQ(json["refused"][1]["line"].get<int>(), 3);
  EXPECT_NE(json["refused"][2]["error"].get<std::string>().find("MiB"), std::string::npos) << answer.body;
  EXPECT_EQ(service.send("POST", "/predict", "2000000000:1", "far").status, 422);
  EXPECT_EQ(service.learner().model().schema.features, 100000U);
}

// Of scores that are not finite JSON knows nothing.
TEST(Answers, InfiniteScoresRefuseTheirRowAlone) {
  Service service(model_on(formats()[0].text, "averaged"));
  const std::string huge = "1:1.7e308 2:-1.7e308 3:1.7e308 4:-1.7e308";
  const Json predictions = Json::parse(service.send("POST", "/predict", "1:1\n" + huge + "\n2:1").body)["predictions"];
  ASSERT_EQ(predictions.size(), 3U);
  EXPECT_EQ(predictions[1]["line"].get<int>(), 2);
  EXPECT_FALSE(predictions[1]["fix"].get<std::string>().empty());
  EXPECT_TRUE(predictions[0].contains("label") && predictions[2].contains("label"));
  const std::vector<Request> group{{"POST", "/learn", {}, "1 1:1"},
                                   {"POST", "/predict", {{"id", "e"}}, huge},
                                   {"POST", "/predict", {{"id", "f"}}, "1:1"},
                                   {"POST", "/learn", {}, "-1 2:1"}};
  const std::vector<Answer> answers = service.learning().answer(group);
  std::vector<int> statuses;
  for (const Answer& answer : answers) {
    statuses.push_back(answer.status);
    EXPECT_TRUE(Json::accept(answer.text())) << answer.text();
  }
  EXPECT_EQ(statuses, (std::vector{200, 422, 200, 200}));
  EXPECT_EQ(service.learner().events(), 3U);
}

// After a hundred refused lines none is read, and the answer says which: those after the last that it names.
TEST(Answers, AfterAHundredRefusedLinesTheOthersAreCounted) {
  for (const Rows& rows : formats()) {
    SCOPED_TRACE(rows.name);
    Service service(model_on(rows.text, rows.preset, rows.name, rows.label));
    std::string lines = rows.labelled[0] + "\n", unlabelled = rows.unlabelled[0] + "\n", bad, truths;
    for (int i = 0; i < 400; ++i) {
      lines += "\x01{\n" + (i == 50 ? rows.labelled[1] + "\n" : "");
      unlabelled += "\x01{\n" + (i == 50 ? rows.unlabelled[1] + "\n" : "");
      truths += "x\n";
    }
    lines += rows.labelled[1];
    unlabelled += rows.unlabelled[1];
    const Json predicted = Json::parse(service.send("POST", "/predict", unlabelled).body);
    EXPECT_EQ(predicted["predictions"].size(), 102U);
    EXPECT_EQ(predicted["predictions"].back()["line"].get<int>(), 102);
    EXPECT_EQ(predicted["refused_more"].get<int>(), 301);
    const Json learned = Json::parse(service.send("POST", "/learn", lines).body);
    EXPECT_EQ(learned["rows"].get<int>(), 2) << learned.dump();
    EXPECT_EQ(learned["refused"].size(), 100U);
    EXPECT_EQ(learned["refused"].back()["line"].get<int>(), 102);
    EXPECT_EQ(learned["refused_more"].get<int>(), 301);
    EXPECT_EQ(service.learner().events(), 2U);
    const Json told = Json::parse(service.send("POST", "/truth", truths).body);
    EXPECT_EQ(told["refused"].size(), 100U);
    EXPECT_EQ(told["refused_more"].get<int>(), 300);
  }
}

// Also where a good row, or its class, has a long text.
TEST(Answers, AreNotMuchLongerThanTheirRequests) {
  const std::string name(20'000, 'n'), other(20'000, 'm');
  Service service(model_on("age,class\n1," + name + "\n2," + other + "\n1," + name + "\n3," + other + "\n", "averaged",
                           "long.csv", "class"));
  std::string rows;
  for (int i = 0; i < 200; ++i) rows += "1,\n2,\n";
  EXPECT_EQ(service.send("POST", "/predict", rows).status, 413);
  EXPECT_EQ(service.send("POST", "/predict", "1,\n2,\n").status, 200);
  for (const std::string& body :
       {std::string(1'000'000, 'x'), std::string(1'000'000, '\n'), std::string(1'000'000, '"')}) {
    for (const char* path : {"/predict", "/learn", "/truth"}) {
      EXPECT_LT(service.send("POST", path, body).body.size(), 100'000U) << path << body[0];
      EXPECT_LT(service.send("POST", path, body, "id").body.size(), 100'000U) << path << body[0];
    }
  }
  EXPECT_LT(service.send("POST", "/predict", "1,", std::string(100'000, 'i')).body.size(), 2'000U);
  EXPECT_LT(service.send("GET", "/" + std::string(100'000, 'i'), "").body.size(), 2'000U);
}

// Parsing a row takes a multiple of its size.
TEST(Answers, RowsOfMoreThanAMegabyteAreRefused) {
  for (const Rows& rows : formats()) {
    SCOPED_TRACE(rows.name);
    Service service(model_on(rows.text, rows.preset, rows.name, rows.label));
    const std::string blanks(RowParser::longest_row, ' ');
    const std::string lines = rows.labelled[0] + "\n" + rows.labelled[1] + blanks + "\n" + rows.labelled[0] + "\n";
    const Json learned = Json::parse(service.send("POST", "/learn", lines).body);
    EXPECT_EQ(learned["rows"].get<int>(), 2) << learned.dump();
    ASSERT_EQ(learned["refused"].size(), 1U);
    EXPECT_EQ(learned["refused"][0]["line"].get<int>(), 2);
    EXPECT_EQ(service.send("POST", "/predict", rows.unlabelled[0] + blanks).status, 422);
    EXPECT_EQ(service.send("POST", "/predict", rows.unlabelled[0] + blanks, "id").status, 422);
  }
}

// Rows that were learned in bulk are forgotten by their value in the column that --id named.
TEST(Answers, RowsHaveTheIdsOfTheirColumn) {
  Model model = model_on("who,age,class\na,3,yes\nb,8,no\nc,4,yes\nd,9,no\n", "averaged", "ids.csv", "class");
  for (Column& column : model.schema.columns) {
    if (column.name == "who") column.kind = Column::Kind::identifier;
  }
  Service service(model), never(model);
  EXPECT_EQ(service.send("POST", "/learn", "x,5,yes\n\"y, z\",7,no\n,2,yes\nx,6,no\n").status, 200);
  EXPECT_EQ(service.send("POST", "/learn", "w,5,yes", "named").status, 200);
  EXPECT_EQ(service.send("DELETE", "/row/w", {}).status, 404);
  for (const char* id : {"x", "y, z", "named"})
    EXPECT_EQ(service.send("DELETE", std::string("/row/") + id, {}).status, 200) << id;
  never.send("POST", "/learn", ",2,yes");
  EXPECT_EQ(encode(service.learner().model()), encode(never.learner().model()));
}

TEST(Answers, UnknownNamesPathsAndMethodsAreRefused) {
  Service service(model_on(formats()[0].text, "averaged"));
  const auto answer = [&](const std::string& method, const std::string& path,
                          std::map<std::string, std::string> query) {
    const Request request{method, path, std::move(query), "1 1:1"};
    if (PredictionAnswers::answers(request)) return PredictionAnswers(service.learning().publish()).answer(request);
    return service.learning().answer(std::span(&request, 1)).at(0);
  };
  for (const char* path : {"/predict", "/learn", "/truth"}) {
    for (const char* name : {"ID", "seq", "Sequence", "ids", "", "label"}) {
      const Answer refused = answer("POST", path, {{name, "1"}});
      EXPECT_EQ(refused.status, 400) << path << name;
      EXPECT_NE(refused.body.find("id, sequence, source"), std::string::npos) << refused.body;
    }
    EXPECT_EQ(answer("POST", path, {{"id", ""}}).status, 400) << path;
    for (const char* method : {"GET", "PUT", "DELETE", "PATCH"}) {
      EXPECT_EQ(answer(method, path, {}).status, 405) << method << path;
      EXPECT_EQ(answer(method, path, {}).allow, "POST");
    }
  }
  EXPECT_EQ(answer("POST", "/predict", {{"sequence", "5"}}).status, 400);
  EXPECT_EQ(answer("GET", "/ledger", {{"x", "1"}}).status, 400);
  EXPECT_EQ(answer("DELETE", "/row/1", {{"id", "1"}}).status, 400);
  EXPECT_EQ(answer("POST", "/model", {}).allow, "GET, HEAD, PUT");
  for (const char* path : {"/row", "/row/", "/Predict", "/predict/", "/rows", ""})
    EXPECT_EQ(answer("POST", path, {}).status, 404) << path;
  EXPECT_EQ(service.learner().events(), 0U);
}

TEST(Answers, RowsThatHaveNothingThatTheModelKnowsAreRefused) {
  const std::vector<std::pair<std::size_t, std::vector<std::string>>> unfit{
      {2, {"|zz foo", "|A x y:2", "|a2:3 x |b2 u", "'tag |zz x"}},
      {3,
       {"{}", R"({"Age":3})", R"({"row":{"age":3}})", R"({"class":"yes"})", R"({"age ":3,"colour.x":"red"})",
        R"({"Age":null})"}}};
  for (const auto& [format, lines] : unfit) {
    const Rows rows = formats()[format];
    SCOPED_TRACE(rows.name);
    Service service(model_on(rows.text, rows.preset, rows.name, rows.label));
    for (const std::string& line : lines) {
      const std::string labelled = format == 2 ? "1 " + line
                                   : line == "{}" || line.find("class") != std::string::npos
                                       ? R"({"class":"yes"})"
                                       : R"({"class":"yes",)" + line.substr(1);
      EXPECT_EQ(service.send("POST", "/predict", line).status, 422) << line;
      EXPECT_EQ(service.send("POST", "/predict", line, "i").status, 422) << line;
      EXPECT_EQ(service.send("POST", "/learn", labelled).status, 422) << labelled;
    }
    EXPECT_EQ(service.learner().events(), 0U);
  }
  Service vw(model_on(formats()[2].text, "averaged", "a.vw"));
  for (const char* fit : {"|a unseen", "|zz foo |b unseen", "|", "| |a x"})
    EXPECT_EQ(vw.send("POST", "/predict", fit).status, 200) << fit;
  Service jsonl(model_on(formats()[3].text, "averaged", "a.jsonl", "class"));
  for (const char* fit : {R"({"age":null})", R"({"age":0})", R"({"colour":"unseen"})", R"({"x":1,"age":3})"})
    EXPECT_EQ(jsonl.send("POST", "/predict", fit).status, 200) << fit;
}

// The fixes are about rows: a client has no options.
TEST(Answers, FixesAreAboutRows) {
  const std::vector<std::vector<std::string>> bad{
      {"0:1 1:2", "1:x", "a:1", "2:1 1:1", "1 1:1e999", "nan:1"},
      {"x,red,", "\"5,red,", "1;red;", "5,red,,", "5,5 \"x\",", "1e999,red,", "5,red,purple"},
      {"a b", "1 2 3 4 5 |a x", "|a x:y", "x |a y:nan"},
      {R"({"age":"x"})", R"({"age":[1,2]})", R"({"age":{"x":[1]},"colour":["a"]})", "[1]", R"({"age":1e999})", "{"}};
  for (std::size_t format = 0; format < bad.size(); ++format) {
    const Rows rows = formats()[format];
    SCOPED_TRACE(rows.name);
    Service service(model_on(rows.text, rows.preset, rows.name, rows.label));
    for (const std::string& line : bad[format]) {
      for (const char* path : {"/predict", "/learn"}) {
        const Json json = Json::parse(service.send("POST", path, line).body);
        const Json& list = json[path == std::string("/predict") ? "predictions" : "refused"];
        for (const Json& each : list) {
          if (!each.contains("error")) continue;
          EXPECT_EQ(each.dump().find("\\u001f"), std::string::npos) << each.dump();
          EXPECT_EQ(each.dump().find("--"), std::string::npos) << each.dump();
          EXPECT_FALSE(each["fix"].get<std::string>().empty()) << each.dump();
        }
      }
    }
  }
}

// A row as an object is the row as a line, whatever the order of its members.
TEST(Answers, ObjectsAreRowsOfATable) {
  const Rows rows = formats()[1];
  const Model model = model_on(rows.text, rows.preset, rows.name, rows.label);
  Service lines(model), objects(model);
  const auto send = [&](const std::string& path, const std::string& body, bool json) {
    Request request{"POST", path, {}, body, json};
    if (path == "/predict") return PredictionAnswers(objects.learning().publish()).answer(request);
    return objects.learning().answer(std::span(&request, 1)).at(0);
  };
  const std::string expected = lines.send("POST", "/predict", "5,red,\n7,\"dark blue\",\n,green,\n").body;
  const std::string as_lines = "{\"colour\":\"red\",\"age\":5}\n7,\"dark blue\",\n {\"colour\":\"green\"} \n";
  EXPECT_EQ(send("/predict", as_lines, false).body, expected);
  const std::string as_array =
      "[{\"colour\": \"red\",\n \"age\": 5},\n{\"age\":\"7\",\"colour\":\"dark blue\",\"class\":null},"
      "{\"colour\":\"green\",\"age\":null}]\n";
  EXPECT_EQ(send("/predict", as_array, true).body, expected);
  lines.send("POST", "/learn", "5,red,yes\n7,\"a, \"\"b\"\" {c}\",no\n");
  const Answer learned = send("/learn", R"({"class":"yes","age":5,"colour":"red"} {"age":1,"color":"red","class":"no"}
      {"colour":"a, \"b\" {c}","class":"no","age":7} 17)",
                              true);
  const Json json = Json::parse(learned.body);
  EXPECT_EQ(json["rows"].get<int>(), 2) << learned.body;
  ASSERT_EQ(json["refused"].size(), 2U) << learned.body;
  EXPECT_EQ(json["refused"][0]["line"].get<int>(), 2);
  EXPECT_NE(json["refused"][0]["error"].get<std::string>().find("'color'"), std::string::npos);
  EXPECT_EQ(json["refused"][1]["line"].get<int>(), 4);
  EXPECT_EQ(encode(lines.learner().model()), encode(objects.learner().model()));
}

TEST(Answers, TheSchemaTellsTheColumnsInTheOrderOfARow) {
  for (const Rows& rows : formats()) {
    SCOPED_TRACE(rows.name);
    const Model model = model_on(rows.text, rows.preset, rows.name, rows.label);
    Service service(model);
    const Json schema = Json::parse(service.send("GET", "/schema", {}).body);
    EXPECT_EQ(schema["format"].get<std::string>(), name_of(model.schema.format));
    EXPECT_EQ(schema["classes"].dump(), Json(model.schema.labels.names).dump());
    ASSERT_EQ(schema["columns"].size(), model.schema.columns.size());
    for (std::size_t i = 0; i < model.schema.columns.size(); ++i)
      EXPECT_EQ(schema["columns"][i]["name"].get<std::string>(), model.schema.columns[i].name);
  }
}

// The model is the given one until a row is learned; its threshold and its probabilities are for good.
TEST(Answers, AGivenModelIsServedAsItIs) {
  const Rows rows = formats()[0];
  Model model = model_on(rows.text, "averaged");
  model.threshold = 1e6;
  model.calibration.method = CalibrationMethod::platt;
  model.calibration.rows = 4;
  model.calibration.platt = {Platt{1, 0}};
  Service service(model);
  const std::vector<std::uint8_t> bytes = encode(model);
  EXPECT_EQ(service.send("GET", "/model", {}).body, std::string(bytes.begin(), bytes.end()));
  const auto label = [&] {
    return Json::parse(service.send("POST", "/predict", "2:9").body)["predictions"][0]["label"].get<std::string>();
  };
  EXPECT_EQ(label(), "-1");  // below the threshold
  service.learner().snapshot();
  service.send("POST", "/learn", rows.labelled[0], "row");
  EXPECT_EQ(label(), "-1");
  EXPECT_EQ(service.learner().model().threshold, model.threshold);
  EXPECT_EQ(service.learner().model().calibration, model.calibration);
  service.learner().snapshot();
  service.send("DELETE", "/row/row", {});
  EXPECT_EQ(encode(service.learner().model()), bytes);
}

TEST(Answers, AnotherModelTakesOver) {
  const Rows rows = formats()[0];
  const Model first = model_on(rows.text, "averaged"), second = model_on("1 1:1\n-1 2:1\n", "pa1");
  Service service(first), other(second);
  service.send("POST", "/learn", rows.labelled[0]);
  const std::vector<std::uint8_t> bytes = encode(second);
  EXPECT_EQ(service.send("PUT", "/model", std::string(bytes.begin(), bytes.end())).status, 200);
  for (Service* const each : {&service, &other}) each->send("POST", "/learn", rows.labelled[1]);
  EXPECT_EQ(service.send("GET", "/model", {}).body, other.send("GET", "/model", {}).body);
  EXPECT_EQ(service.send("PUT", "/model", "no model").status, 422);
  const Model table = model_on(formats()[1].text, "averaged", "a.csv", "class");
  const std::vector<std::uint8_t> table_bytes = encode(table);
  EXPECT_EQ(service.send("PUT", "/model", std::string(table_bytes.begin(), table_bytes.end())).status, 409);
  EXPECT_EQ(service.send("GET", "/model", {}).body, other.send("GET", "/model", {}).body);
}

// A group is durable as a whole before it is answered, or none of it happened.
TEST(Answers, AFullDiskIsToldToAll) {
  const Rows rows = formats()[0];
  const Model model = model_on(rows.text, "averaged");
  Service service(model);
  const std::vector<Request> group{{"POST", "/learn", {}, rows.labelled[0]},
                                   {"POST", "/learn", {}, "nonsense"},
                                   {"POST", "/predict", {{"id", "a"}}, rows.unlabelled[0]}};
  service.storage().fail_after(1);
  const std::vector<Answer> answers = service.learning().answer(group);
  ASSERT_EQ(answers.size(), 3U);
  const int failed = service.learner().writable() ? 503 : 500;
  EXPECT_EQ(answers[0].status, failed);
  EXPECT_EQ(answers[1].status, 422);
  EXPECT_EQ(answers[2].status, failed);
  EXPECT_EQ(service.learner().events(), 0U);
  EXPECT_EQ(service.learner().waiting(), 0U);
  if (service.learner().writable()) {
    EXPECT_EQ(service.learning().answer(group)[0].status, 200);
    EXPECT_EQ(service.learner().events(), 2U);
  }
}

// The bounds on the error of what was served hold although labels come late, or never when the prediction was wrong: over
// many histories they miss the mean probability of error no more often than they say. Counting labels that came alone
// would miss it nearly always.
TEST(Answers, TheBoundsHoldWhateverLabelsAreMissing) {
  const Model model = model_on("1 1:1 2:1\n-1 1:1 3:1\n", "averaged");
  Generator draws(7);
  int missed = 0, naive_missed = 0;
  constexpr int histories = 60, asked = 150;
  for (int history = 0; history < histories; ++history) {
    Service service(model);
    double error = 0;  // the sum of the probabilities of error
    int came = 0, came_wrong = 0;
    for (int i = 0; i < asked; ++i) {
      const bool two = pick(draws, 2) == 0;  // rows of two kinds, which are positive with probability 0.7 and 0.3
      const std::string row = std::string("1:1 ") + (two ? "2:1" : "3:1"), id = std::to_string(i);
      const Json answer = Json::parse(service.send("POST", "/predict", row, id).body);
      const bool says_positive = answer["predictions"][0]["label"].get<std::string>() == "1";
      error += (says_positive == two) ? 0.3 : 0.7;
      const bool positive = draws.next() < (two ? 0.7 : 0.3);
      const bool wrong = positive != says_positive;
      if (wrong && pick(draws, 5) > 0) continue;  // four of five mistakes are never told
      ++came;
      came_wrong += wrong ? 1 : 0;
      if (i % 10 == 9) service.learning().publish();
      EXPECT_EQ(service.send("POST", "/truth", positive ? "1" : "-1", id).status, 200);
    }
    const Json bounds = service.ledger()["served"]["error_bounds"];
    const double mean = error / asked;
    const bool inside = bounds["lower"].get<double>() <= mean && mean <= bounds["upper"].get<double>();
    missed += inside ? 0 : 1;
    const ErrorBounds naive = expected_error(static_cast<std::uint64_t>(came), static_cast<std::uint64_t>(came_wrong));
    naive_missed += naive.lower <= mean && mean <= naive.upper ? 0 : 1;
  }
  EXPECT_LE(missed, histories / 20);
  EXPECT_GE(naive_missed, histories / 2);
}

struct Failure {
  std::uint64_t operation, seed;
  bool of_reads, of_memory;
};

// A change during which the disk or the memory fails, and another that it must not spoil. Returns the status of the first.
int status_of_change(const Model& model, const Request& change, const Failure& failure) {
  const Rows rows = formats()[0];
  constexpr LiveOptions options{.snapshot_events = 2};
  const auto answered = [](LearningAnswers& learning, const Request& request) {
    return learning.answer(std::span(&request, 1)).at(0).status;
  };
  const auto begin = [&](LearningAnswers& learning) {
    for (const char* const id : {"a", "b", "c"})
      EXPECT_EQ(answered(learning, {"POST", "/learn", {{"id", id}}, rows.labelled[0]}), 200);
  };
  Generator draws(failure.seed), other_draws(1);
  SimulatedStorage storage(draws), other_storage(other_draws);
  LiveLearner other(other_storage, &model, options);
  LearningAnswers other_learning(other);
  begin(other_learning);
  EXPECT_EQ(answered(other_learning, change), 200);
  const std::vector<std::uint8_t> after = encode(other.model());
  auto learner = std::make_unique<LiveLearner>(storage, &model, options);
  LearningAnswers learning(*learner);
  begin(learning);
  learning.publish();
  const std::vector<std::uint8_t> before = encode(learner->model());
  if (failure.of_memory) storage.lack_memory();
  if (failure.of_reads)
    storage.fail_reads_after(failure.operation);
  else
    storage.fail_after(failure.operation);
  const int status = answered(learning, change);
  storage.fail_after(0);
  storage.fail_reads_after(0);
  EXPECT_TRUE(status == 200 || status == 500 || (status == 503 && learner->writable())) << status;
  EXPECT_TRUE(status == 500 || encode(learner->model()) == (status == 200 ? after : before));
  if (!learner->writable()) {
    EXPECT_EQ(answered(learning, {"POST", "/learn", {}, rows.labelled[1]}), 503);
    EXPECT_NE(answered(learning, {"DELETE", "/row/b", {}, {}}), 200);
    EXPECT_FALSE(learning.publish()->writable);
    EXPECT_EQ(encode(learning.publish()->model), before);
  }
  if (status == 503) {
    EXPECT_EQ(answered(learning, {"POST", "/learn", {}, rows.labelled[1]}), 200);
    EXPECT_EQ(learner->events(), 4U);  // nothing that was refused comes with it
  }
  const std::vector<std::uint8_t> now = encode(learner->model());
  learner = std::make_unique<LiveLearner>(storage, nullptr, options);
  const std::vector<std::uint8_t> again = encode(learner->model());
  EXPECT_TRUE(status == 500 || again == now);
  EXPECT_TRUE(status != 500 || again == (learner->events() == other.events() ? after : before));
  return status;
}

// Whatever operation of the disk fails, an answer tells the truth: done, not done, or not known; and what is known holds
// after a restart.
TEST(Answers, FailuresAreToldAsWhatTheyAre) {
  const Rows rows = formats()[0];
  const Model model = model_on(rows.text, "averaged");
  const std::vector<std::uint8_t> other = encode(model_on("1 1:1\n-1 2:1\n", "pa1"));
  const std::vector<Request> changes{{"POST", "/learn", {{"id", "d"}}, rows.labelled[1]},
                                     {"DELETE", "/row/a", {}, {}},
                                     {"PUT", "/model", {}, std::string(other.begin(), other.end())}};
  int unknown = 0, refused = 0;
  for (const Request& change : changes) {
    for (std::uint64_t failing = 1; failing <= 12; ++failing) {
      for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        for (const auto& [reads, memory] : {std::pair(false, false), {false, true}, {true, false}, {true, true}}) {
          SCOPED_TRACE(change.path + " " + std::to_string(failing) + " " + std::to_string(seed) +
                       (reads ? " read" : "") + (memory ? " memory" : ""));
          const int status = status_of_change(model, change, {failing, seed, reads, memory});
          unknown += status == 500 ? 1 : 0;
          refused += status == 503 ? 1 : 0;
        }
      }
    }
  }
  EXPECT_GT(unknown, 10);
  EXPECT_GT(refused, 10);
}

TEST(Answers, MissingLabelsCountAsErrorsInTheBound) {
  const Rows rows = formats()[0];
  const Model model = model_on(rows.text, "averaged");
  Service service(model);
  for (int i = 0; i < 40; ++i) service.send("POST", "/predict", "2:4", "r" + std::to_string(i));
  for (int i = 0; i < 20; ++i) service.send("POST", "/truth", "1", "r" + std::to_string(i));
  const Json served = service.ledger()["served"];
  const int mistakes = served["mistakes"].get<int>();
  EXPECT_EQ(served["waiting"].get<int>(), 20);
  EXPECT_LE(served["error_bounds"]["lower"].get<double>(), mistakes / 40.0);
  EXPECT_GE(served["error_bounds"]["upper"].get<double>(), (mistakes + 20) / 40.0);
}

// A source sends its requests again: none of them is learned, asked or labelled twice, also after a restart.
TEST(Answers, NumberedRequestsCountOnce) {
  const Rows rows = formats()[0];
  const Model model = model_on(rows.text, "averaged");
  Generator draws(1);
  SimulatedStorage storage(draws);
  auto learner = std::make_unique<LiveLearner>(storage, &model, LiveOptions{});
  const auto send = [&](const std::string& path, const std::string& body, const std::string& number,
                        const std::string& source, const std::string& id) {
    Request request{"POST", path, {{"sequence", number}, {"source", source}}, body};
    if (!id.empty()) request.query["id"] = id;
    LearningAnswers learning(*learner);
    return learning.answer(std::span(&request, 1)).at(0);
  };
  const auto all = [&] {
    for (const std::string source : {"a", "b"}) {
      const std::string id = "of " + source;
      ASSERT_EQ(send("/learn", "1 2:4\n-1 x\n-1 1:3\n", "7", source, "").status, 200);
      ASSERT_EQ(send("/predict", "2:4\n", "8", source, id).status, 200);
      ASSERT_EQ(send("/truth", "-1\n", "18446744073709551615", source, id).status, 200);
    }
  };
  all();
  const std::vector<std::uint8_t> once = encode(learner->model());
  const std::uint64_t events = learner->events();
  EXPECT_EQ(events, 8U);
  all();
  learner->snapshot();
  learner = std::make_unique<LiveLearner>(storage, nullptr, LiveOptions{});
  all();
  EXPECT_EQ(learner->events(), events);
  EXPECT_EQ(encode(learner->model()), once);
  const Json json =
      Json::parse(PredictionAnswers(LearningAnswers(*learner).publish()).answer({"GET", "/ledger", {}, {}}).body);
  EXPECT_EQ(json["sequences"]["b"].get<std::uint64_t>(), 18446744073709551615U);
  // What a source may not say.
  EXPECT_EQ(send("/learn", "1 2:4\n", "-1", "a", "").status, 422);
  EXPECT_EQ(send("/learn", "1 2:4\n", "", "a", "").status, 422);
  EXPECT_EQ(send("/truth",
                 R"({"id":"a","label":"1"})"
                 "\n"
                 R"({"id":"b","label":"1"})",
                 "9", "c", "")
                .status,
            422);
  EXPECT_EQ(Json::parse(send("/learn", "1 2:4\n", "0", "c", "").body)["rows"].get<int>(), 1);
}

TEST(Answers, ThePageShowsTheState) {
  for (const Rows& rows : formats()) {
    SCOPED_TRACE(rows.name);
    Service service(model_on(rows.text, rows.preset, rows.name, rows.label));
    const Answer before = service.send("GET", "/", {});
    EXPECT_EQ(before.status, 200);
    EXPECT_NE(before.body.find("No row has been learned since"), std::string::npos);
    for (int i = 0; i < 3; ++i) service.send("POST", "/learn", rows.labelled[i % 2]);
    const Answer after = service.send("GET", "/", {});
    EXPECT_EQ(after.type, "text/html; charset=utf-8");
    EXPECT_NE(after.body.find("wrong</strong> while learning, each of 3 rows"), std::string::npos);
  }
}

TEST(Answers, PredictionsHaveReasonsWhenAskedFor) {
  std::size_t found = 0;
  for (const Rows& rows : formats()) {
    SCOPED_TRACE(rows.name);
    Service service(model_on(rows.text, rows.preset, rows.name, rows.label));
    const auto ask = [&](const std::string& reasons) {
      Request request{"POST", "/predict", {}, rows.unlabelled[0] + "\n" + rows.unlabelled[1]};
      if (!reasons.empty()) request.query["reasons"] = reasons;
      return PredictionAnswers(service.learning().publish()).answer(request);
    };
    const Json plain = Json::parse(ask("").body).at("predictions"), with = Json::parse(ask("2").body).at("predictions");
    const std::string positive = service.learner().model().schema.labels.names[1];
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_EQ(plain[i].at("label"), with[i].at("label"));
      EXPECT_EQ(plain[i].at("score"), with[i].at("score"));
      EXPECT_FALSE(plain[i].contains("reasons"));
      const Json& reasons = with[i].at("reasons");
      EXPECT_LE(reasons.size(), 2U);
      found += reasons.size();
      for (const Json& reason : reasons) {
        EXPECT_NE(reason.at("column").get<std::string>(), "");
        EXPECT_EQ(reason.at("contribution").get<double>() > 0, with[i].at("label").get<std::string>() == positive);
      }
    }
    for (const std::string wrong : {"0", "x", "101", "-1", "2.5"}) EXPECT_EQ(ask(wrong).status, 400) << wrong;
  }
  EXPECT_GE(found, 8U);
}

}  // namespace
}  // namespace halfspace::service
