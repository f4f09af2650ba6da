// Dates: which texts are, what they say, and what features columns of them give.
#include "stream/text/dates.h"

#include <chrono>

#include "halfspace/stream/cache.h"
#include "stream/csv_driver.h"
#include "stream/stream_support.h"

namespace halfspace::stream {
namespace {

using namespace testing_stream;

// Against the calendar of the standard library: every day of 800 years, written in every order.
TEST(Dates, AreThoseOfTheCalendar) {
  using namespace std::chrono;
  for (sys_days day = 1600y / January / 1; day < sys_days(2400y / January / 1); day += days(1)) {
    const year_month_day ymd(day);
    const int y = static_cast<int>(ymd.year()), weekday_number = static_cast<int>(weekday(day).iso_encoding()) - 1;
    const auto m = std::to_string(static_cast<unsigned>(ymd.month())),
               d = std::to_string(static_cast<unsigned>(ymd.day()));
    const auto check = [&](const std::string& text, DateOrder order) {
      Date date;
      ASSERT_TRUE(read_date(text, order, date)) << text;
      ASSERT_EQ(std::tuple(date.year, date.month, date.day, date.weekday, date.timed),
                std::tuple(y, static_cast<int>(static_cast<unsigned>(ymd.month())),
                           static_cast<int>(static_cast<unsigned>(ymd.day())), weekday_number, false))
          << text;
    };
    check(std::to_string(y) + "-" + m + "-" + d, DateOrder::ymd);
    check(d + "." + m + "." + std::to_string(y), DateOrder::dmy);
    check(m + "/" + d + "/" + std::to_string(y), DateOrder::mdy);
  }
}

TEST(Dates, TimesAreSecondsAsWritten) {
  const auto seconds = [](const std::string& text) {
    Date date;
    return read_date("2026-11-22" + text, DateOrder::ymd, date) ? (date.timed ? date.seconds : -1) : -2;
  };
  EXPECT_EQ(seconds(""), -1);
  EXPECT_EQ(seconds("T10:00:00Z"), 36000);
  EXPECT_EQ(seconds(" 10:00:01.25+01:00"), 36001.25);
  EXPECT_EQ(seconds("T23:59:60-0330"), 86400);
  EXPECT_EQ(seconds(" 12:30 AM"), 1800);
  EXPECT_EQ(seconds("  1:05:00 pm"), 47100);
  EXPECT_EQ(seconds("T00:00:00.123456789999+01"), 0.123456789);
  for (const char* wrong :
       {"T", " ", "10:00", "T24:00", "T10:60", "T10:00:61", "T10", "T1000", "T10:00:00.", "T10:00 13", " 13:00 PM",
        " 0:30 AM", "T10:00+1", "T10:00+01:", "T10:00+16:00", "T10:00+01:60", "T10:00ZZ", "x"})
    EXPECT_EQ(seconds(wrong), -2) << wrong;
}

TEST(Dates, TextsThatAreNone) {
  for (const char* wrong : {"", "2026", "2026-11", "2026-13-01", "2026-02-29", "1900-02-29", "2026-11-31", "2026-11/22",
                            "0000-01-01", "2026-00-10", "2026-1-0", "26-11-22", "202-11-22", "20261122x", "2026112",
                            "-2026-11-22", "2026-11-022", "2026 11 22", "Nov 22 2026"}) {
    Date date;
    EXPECT_FALSE(read_date(wrong, DateOrder::ymd, date)) << wrong;
  }
  Date date;
  EXPECT_TRUE(read_date("2000-02-29", DateOrder::ymd, date));
  EXPECT_TRUE(read_date("20240229", DateOrder::ymd, date));
  EXPECT_FALSE(read_date("13/14/2026", DateOrder::dmy, date));
  EXPECT_FALSE(read_date("11.22.2026", DateOrder::mdy, date)) << "points part days from months";
  EXPECT_TRUE(read_date("1/2/69", DateOrder::dmy, date) && date.year == 1969 && date.day == 1 && date.month == 2);
  EXPECT_TRUE(read_date("1/2/68", DateOrder::mdy, date) && date.year == 2068 && date.day == 2 && date.month == 1);
  EXPECT_FALSE(read_date("1/2/123", DateOrder::mdy, date));
}

// Whatever stands there, it is read or not, and nothing else.
TEST(Dates, DamagedTexts) {
  std::mt19937_64 random(31);
  const std::string alphabet = "0123456789-/.:T +ZAPM\xff";
  for (int round = 0; round < 200'000; ++round) {
    std::string text = round % 2 == 0 ? "2026-11-22T10:00:00.5+01:00" : "22/11/2026 10:00 PM";
    for (std::size_t i = random() % 4; i > 0; --i) text[random() % text.size()] = alphabet[random() % alphabet.size()];
    text.resize(random() % (text.size() + 1));
    for (const DateOrder order : {DateOrder::ymd, DateOrder::dmy, DateOrder::mdy}) {
      Date date;
      if (!read_date(text, order, date)) continue;
      EXPECT_TRUE(date.year >= 1 && date.month >= 1 && date.month <= 12 && date.day >= 1 && date.day <= 31 &&
                  date.weekday >= 0 && date.weekday < 7 && date.seconds >= 0 && date.seconds < 86401)
          << text;
    }
  }
}

ReadOptions dated(std::optional<DateOrder> order = {}) {
  ReadOptions options{.columns = {.label = "y", .dates = {"t"}, .date_order = order}};
  return options;
}

TEST(DateColumns, GiveTheirParts) {
  const CsvResult r = read_csv("t,n,y\n2026-11-22,5,p\n2026-11-23T00:01:00Z,6,q\n,7,p\nsoon,8,q\n", dated());
  EXPECT_EQ(r.schema.feature_names(),
            (Names{"t.year", "t.month", "t.day", "n", "t.weekday=Sun", "t.weekday=Mon", "t.seconds", "t=?"}));
  EXPECT_EQ(r.rows[0].values, (Values{{0, 2026}, {1, 11}, {2, 22}, {4, 1}, {3, 5}}));
  EXPECT_EQ(r.rows[1].values, (Values{{0, 2026}, {1, 11}, {2, 23}, {5, 1}, {6, 60}, {3, 6}}));
  EXPECT_EQ(r.rows[2].values, (Values{{7, 1}, {3, 7}}));
  ASSERT_EQ(r.bad.size(), 1U);
  EXPECT_EQ(r.bad.begin()->column, 1U);
  EXPECT_TRUE(has(r.bad.begin()->reason, "'soon' in column 't' is not a date"));
}

TEST(DateColumns, TheFirstRowsShowTheOrder) {
  const auto order = [](const std::string& dates, std::optional<DateOrder> said = {}) {
    std::string text = "t,y\n", cell;
    for (const char c : dates + " ") {
      if (c == ' ') text += cell + ",p\n" + cell + ",q\n";
      c == ' ' ? cell.clear() : cell.push_back(c);
    }
    return read_csv(text, dated(said)).schema.columns[0].date_order;
  };
  EXPECT_EQ(order("2026-01-02 2026-03-04"), DateOrder::ymd);
  EXPECT_EQ(order("1/2/2026 13/2/2026"), DateOrder::dmy);
  EXPECT_EQ(order("1/2/2026 1/13/2026"), DateOrder::mdy);
  EXPECT_EQ(order("1.2.2026 3.4.2026"), DateOrder::dmy);
  EXPECT_EQ(order("1/2/2026 3/4/2026", DateOrder::mdy), DateOrder::mdy);
  EXPECT_THROW(order("1/2/2026 3/4/2026"), Error);
  EXPECT_THROW(order("one two"), Error);
  EXPECT_THROW(order("NA"), Error);
}

TEST(DateColumns, OfLaterDataAndOfAnyCut) {
  std::mt19937_64 random(32);
  std::string text = "t,n,y\n2026-11-22,5,p\n";
  for (int row = 0; row < 200; ++row) {
    const auto two = [&](std::uint64_t most) { return std::to_string(10 + random() % (most - 9)); };
    text += (random() % 9 == 0 ? "NA"
                               : "20" + two(30) + "-" + two(13) + "-" + two(31) +
                                     (random() % 2 == 0 ? " " + two(24) + ":" + two(60) : "")) +
            "," + two(50) + (random() % 2 == 0 ? ",p\n" : ",q\n");
  }
  const CsvResult whole = read_csv(text, dated());
  EXPECT_FALSE(whole.bad.empty());
  for (const std::size_t chunk : {1U, 64U, 300U}) EXPECT_EQ(read_csv(text, dated(), chunk), whole);
  const Schema schema = read_csv("t,n,y\n2026-11-22,5,p\n2026-11-22,5,q\n", dated()).schema;
  ReadOptions later{.schema = &schema, .grow = false};
  const CsvResult kept = read_csv("n,t,y\n4,2026-11-23 01:00,p\n", later);
  EXPECT_EQ(kept.rows[0].values, (Values{{0, 2026}, {1, 11}, {2, 23}, {3, 4}}));
  EXPECT_EQ(kept.unknown_features, 2U) << "Monday and the seconds";
  later.columns.date_order = DateOrder::dmy;
  EXPECT_THROW(read_csv("n,t,y\n4,2026-11-23 01:00,p\n", later), Error);

  const testing_stream::Folder folder;
  ReadOptions options = dated();
  options.on_error = OnError::skip;
  options.path = folder.write("d.csv", text);
  convert(options, folder.path("d.cache"));
  ReadOptions cached, of_text;
  cached.path = folder.path("d.cache");
  testing_stream::expect_read_alike(cached, options);
  of_text.path = options.path;
  of_text.on_error = OnError::skip;
  of_text.schema = cached.schema = &schema;
  for (const bool grow : {false, true}) {
    of_text.grow = cached.grow = grow;
    testing_stream::expect_read_alike(cached, of_text);
  }
}

}  // namespace
}  // namespace halfspace::stream
