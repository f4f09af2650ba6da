// The light JSON value against nlohmann's, whose texts it must give, and where the two might differ.
#include "base/json.h"

#include <nlohmann/json.hpp>

#include "support/test.h"

namespace halfspace {
namespace {

using Library = nlohmann::ordered_json;

TEST(Json, TextsAreNlohmanns) {
  for (const char* text :
       {"null", "true", "-7", "18446744073709551615", "-9223372036854775808", "1e-7", "0.1", "-0.0", "1e308", "3.0",
        "123456789012345680.0", "[]", "{}", R"({"b": [1, [2.5, {"a": null}]], "a": {"z": "ü\u0000\n\"/"}})"}) {
    for (const int indent : {-1, 0, 2}) {
      EXPECT_EQ(Json::parse(text).dump(indent), Library::parse(text).dump(indent)) << text;
      EXPECT_EQ(Json::parse(text).dump(indent, ' ', true), Library::parse(text).dump(indent, ' ', true)) << text;
    }
  }
}

TEST(Json, ListsAreObjectsWhenAllElementsAreNamed) {
  EXPECT_EQ(Json({{"a", 1}, {"b", {1.5, "x"}}, {"c", {{"d", nullptr}}}}).dump(),
            R"({"a":1,"b":[1.5,"x"],"c":{"d":null}})");
  EXPECT_EQ(Json({{"a", 1}, {2, 3}}).dump(), R"([["a",1],[2,3]])");
  EXPECT_EQ(Json(std::vector<std::string>{"a", "b"}).dump(), R"(["a","b"])");
  EXPECT_EQ(Json::array({Json({1, 2})}).dump(), "[[1,2]]");
}

TEST(Json, KeysKeepTheirOrderAndAMemberMayBeCopiedToANewOne) {
  Json json;
  json["b"] = std::string(100, 'x');
  json["a"] = json["b"];
  json.update({{"b", 2}, {"c", true}});
  EXPECT_EQ(json.dump(), R"({"b":2,"a":")" + std::string(100, 'x') + R"(","c":true})");
  EXPECT_EQ(json.erase("a"), 1U);
  EXPECT_EQ(json.begin().key(), "b");
  EXPECT_EQ(json.find("a"), std::as_const(json).end());
}

TEST(Json, BytesThatAreNoUtf8AreRefusedOrReplacedAsByNlohmann) {
  for (const std::string text : {"a\xff", "\xc3", "\xed\xa0\x80", "\xf0\x9f\x92z", "\xc0\xaf"}) {
    EXPECT_THROW(Json(text).dump(), Json::exception);
    EXPECT_EQ(Json(text).dump(-1, ' ', false, Json::error_handler_t::replace),
              Library(text).dump(-1, ' ', false, Library::error_handler_t::replace));
  }
  EXPECT_EQ(utf8("a\xff"), "a\xef\xbf\xbd");
}

TEST(Json, FaultsOfATextHaveTheirPlace) {
  try {
    Json::parse("{\"a\": 1,\n]");
    FAIL();
  } catch (const Json::parse_error& error) {
    EXPECT_EQ(error.byte, 10U);
    EXPECT_FALSE(error.too_deep);
  }
  EXPECT_THROW(Json::parse(""), Json::parse_error);
  EXPECT_THROW(Json::parse("1 2"), Json::parse_error);
  EXPECT_THROW(Json::parse("1e999"), Json::parse_error);
}

TEST(Json, NothingIsReadThatIsTooDeep) {
  EXPECT_THROW(Json::parse(std::string(1'000'000, '[')), Json::parse_error);
  EXPECT_NO_THROW(Json::parse("[[1]]", {.most_depth = 2}));
  try {
    Json::parse("[[[]]]", {.most_depth = 1});
    FAIL();
  } catch (const Json::parse_error& error) {
    EXPECT_TRUE(error.too_deep);
  }
}

TEST(Json, AKeyThatIsThereTwiceIsToldAndItsLastValueCounts) {
  std::string repeated;
  EXPECT_EQ(Json::parse(R"([{"a": [1], "b": 2, "a": 3}, {"b": 1}])", {.repeated_key = &repeated}).dump(),
            R"([{"a":3,"b":2},{"b":1}])");
  EXPECT_EQ(repeated, "a");
}

TEST(Json, ObjectsOfManyMembersAreReadAsThoseOfFew) {
  Json expected = {{"first", 0}};
  std::string text = R"({"first":0)";
  for (int i = 0; i < 3000; ++i) {
    expected["m" + std::to_string(i)] = Json::array({i, {{"a", i}}});
    text += ",\"m" + std::to_string(i) + "\":[" + std::to_string(i) + ",{\"a\":" + std::to_string(i) + "}]";
  }
  std::string repeated;
  EXPECT_EQ(Json::parse(text + "}", {.repeated_key = &repeated}).dump(), expected.dump());
  EXPECT_EQ(repeated, "");
  for (const char* name : {"first", "m0", "m20", "m2999"}) {
    expected[name] = "again";
    text += std::string(",\"") + name + "\":\"again\"";
    EXPECT_EQ(Json::parse(text + "}", {.repeated_key = &repeated}).dump(), expected.dump());
    EXPECT_EQ(repeated, name);
  }
}

TEST(Json, NumbersCompareByValueAndOtherKindsThrow) {
  EXPECT_EQ(Json(1), Json(1U));
  EXPECT_EQ(Json(1.0), 1);
  EXPECT_LT(Json(-1), 0.5);
  EXPECT_NE(Json(1), Json("1"));
  Json object = Json::object();
  EXPECT_THROW((void)Json("x").get<double>(), Json::exception);
  EXPECT_THROW((void)Json(1).text(), Json::exception);
  EXPECT_THROW((void)std::as_const(object)["a"], Json::exception);
  EXPECT_THROW((void)Json::array()[0], Json::exception);
  EXPECT_THROW(Json("x")["a"], Json::exception);
}

}  // namespace
}  // namespace halfspace
