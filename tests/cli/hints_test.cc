// Every hint followed to its end: the flags that a fix names first are given, on the file that provoked it, and the same
// complaint does not come again.
#include <regex>

#include "cli/commands.h"
#include "cli/run.h"

namespace halfspace::cli_tests {
namespace {

using cli::Command;
using cli::Row;

// A table of 40 rows: two columns of numbers, a cell, and one of two labels, in no order.
std::string table_of(const std::function<std::string(int)>& cell, const std::string& header = "p,q,r,label\n",
                     int rows = 40, char between = ',') {
  std::string text = header;
  for (int i = 0; i < rows; ++i) {
    const bool a = i * 7 % 11 % 2 == 0;
    text += std::to_string(i * 31 % 17) + between + std::to_string(i * 13 % 7 + (a ? 3 : 0)) + between + cell(i) +
            between + (a ? "x" : "y") + "\n";
  }
  return text;
}

std::string small(int i) { return std::to_string(i * 5 % 9); }

// A Chinese sentence, another for each number.
std::string sentence(int i) {
  static constexpr const char* words[] = {"今天", "天气", "很好", "我们", "学习", "机器", "明天", "下雨"};
  std::string text;
  for (int k = 0; k < 6; ++k) text += words[(i * (k + 3) + i / 8 * (k * k + 1)) % 8];
  return text;
}

struct Hint {
  std::string name;        // of the case
  std::string file, text;  // what provokes it
  std::string command;     // with FILE for the file
  std::string complaint;   // what is said
  std::string flags;       // that the fix proposes
};

std::vector<Hint> hints() {
  const std::string check = "check FILE", train = "train FILE -q";
  const auto numbers = [](int i) { return std::to_string(i * 7 % 23); };
  std::string late = table_of(small, "p,q,r,label\n", 10'050), dates, times;
  late += "1,2,odd,x\n";
  std::string commented = table_of(small), lone_quotes, sorted = "a,b,label\n", one_based = "1 1:2 2:1\n-1 1:3\n";
  commented.insert(commented.find('\n', 200) + 1, "# the second day\n");
  for (int i = 0; i < 40; ++i)
    lone_quotes +=
        std::to_string(i) + (i % 4 == 1 ? "\tso \"it\" goes\t" : "\tso it goes\t") + (i % 3 == 0 ? "x" : "y") + "\n";
  lone_quotes += "41\t\"never closed\tx\n42\tand on\ty\n";
  for (int i = 0; i < 40; ++i)
    sorted += std::to_string(i % 7) + "," + std::to_string(i % 5) + (i < 20 ? ",x\n" : ",y\n");
  const std::string iris = table_of(small, "p,q,r,Species\n");
  std::string europe = "Date;Time;CO;T;AH;;\n";
  for (int i = 0; i < 60; ++i) {
    const std::string day = std::to_string(10 + i % 20), hour = std::to_string(10 + i % 14);
    europe += day + "/03/2004;" + hour + ".0" + std::to_string(i % 6) + ".00;" + std::to_string(i % 4) + "," +
              std::to_string(i % 9) + ";" + std::to_string(10 + i % 9) + "," + std::to_string(i % 7) + ";" +
              (i * 7 % 3 == 0 ? "low" : "high") + ";;\n";
  }
  europe += ";;;;;;\n;;;;;;\n";
  std::vector<Hint> all = {
      // Where a table begins.
      {"preamble", "p.csv", "Iris\nof 1936\n\n" + iris, train, "the first 3 lines are not part of the table",
       "--skip-lines 3"},
      {"preamble_skip", "p.csv", "Iris\nof 1936\n\n" + iris, "train FILE -q --on-error skip",
       "the first 3 lines are not part of the table", "--skip-lines 3"},
      {"preamble_check", "p.csv", "Iris,,,\n" + iris, check, "the first line is not part of the table",
       "--skip-lines 1"},
      {"two_headers", "p.csv", "a,b,c,label\n" + iris, check, "two lines above numbers look like column names",
       "--skip-lines 1"},
      {"equal_names", "p.csv", table_of(small, "a,a,b,label\n"), check, "are both named 'a'",
       "--skip-lines 1 --no-header"},
      {"numbered", "p.csv", table_of(small, "1,1,2,3\n"), check, "are both named '1'", "--skip-lines 1 --no-header"},
      {"numbered_and_named", "p.csv", "1,1,2,\n" + iris, check, "the first line is not part of the table",
       "--skip-lines 1"},
      {"row_before", "p.csv", "8,9,7,z\n" + table_of(small, ""), check, "the first line was taken as a row",
       "--header"},
      {"equal_row", "p.csv", table_of(small, ""), check, "the first line was taken as a row", "--no-header"},
      {"counted", "p.csv", table_of(small, "0,1,2,3\n"), check, "the first line was taken as the names", "--no-header"},
      {"row_names", "p.csv", "p q y\na 1 2 x\nb 2 3 y\nc 4 1 x\nd 3 3 y\n", check, "has one name fewer than the others",
       "--categorical 1"},
      {"of_experts", "p.csv", "Losses\nof 2026\n\na,b\n0,1\n1,0\n0,0\n", "experts FILE --losses",
       "the first 3 lines are not part of the table", "--skip-lines 3"},
      {"of_bandits", "p.csv", "Losses,\na,b\n0,1\n1,0\n0,0\n", "bandit FILE", "Losses", ""},
      // Columns and cells of experts and arms.
      {"named_rounds", "p.csv", "day,a,b\n2024-01-01,0,1\n2024-01-02,1,0\n", "experts FILE --losses", "is not a number",
       "--drop day"},
      {"named_pulls", "p.csv", "day,a,b\n2024-01-01,0,1\n2024-01-02,1,0\n", "bandit FILE", "is not a number",
       "--drop day"},
      {"named_advice", "p.csv", "day,a,b,out\nmon,0,1,1\ntue,1,0,0\n", "experts FILE --outcome out", "is not advice",
       "--drop day"},
      {"no_loss", "p.csv", "a,b\n0,NULL\n1,0\n", "experts FILE --losses", "'NULL' in column 'b' is not a number",
       "--missing NULL"},
      {"loss_in_nines", "p.csv", "a,b\n0,-99\n1,0\n", "experts FILE --losses", "-99 in column 'b' is not from 0 to 1",
       "--missing -99"},
      {"no_advice", "p.csv", "a,b,out\n0,-99,1\n1,0,0\n", "experts FILE --outcome out", "is not advice",
       "--missing -99"},
      {"declared_losses", "p.csv", "sep=;\na;b\n0,5;1\n1;0,5\n", "bandit FILE", "is not a number with a decimal point",
       "--decimal comma"},
      {"declared_advice", "p.csv", "sep=;\na;b;out\n0,5;1;1\n1;0,5;0\n", "experts FILE --outcome out", "is not advice",
       "--decimal comma"},
      {"numbered_rounds", "p.csv", "n,a,b\n1,5,6\n2,6,5\n3,5,6\n4,6,5\n5,5,6\n6,6,5\n7,5,6\n8,6,5\n9,5,6\n10,6,5\n",
       "experts FILE --rises", "is taken as a choice", "--drop n"},
      {"leading_zeros", "c.csv", table_of([](int i) { return std::to_string(i * 7 % 23 + 1000).replace(0, 1, "0"); }),
       check, "leading zeros may be codes", "--categorical r"},
      {"two_marks", "c.csv", table_of([](int i) { return i == 5 || i == 9 ? "-9" : std::to_string(i + 20); }), check,
       "may mean a missing value: -9", "--missing -9"},
      // How lines are cut.
      {"comment", "c.csv", commented, train, "1 field where 4 are expected", "--comment '#'"},
      {"delimiter", "c.csv", table_of(small, "p:q:r:label\n", 40, ':'), "check FILE --format csv",
       "splits the lines into equal numbers", "--delimiter :"},
      {"lone_quotes", "c.csv", lone_quotes, "train FILE -q --no-header --delimiter tab",
       "a quote inside an unquoted field", "--quote none"},
      {"lone_quotes_set_aside", "c.csv", lone_quotes, "check FILE --no-header --delimiter tab",
       "rows are bad for a quote", "--quote none"},
      {"single_quotes", "c.csv", table_of([](int i) { return i % 2 == 0 ? "'a, b'" : "'c'"; }), train,
       "5 fields where 4 are expected", "--quote single"},
      {"quotes_within_single", "c.csv",
       table_of([](int i) { return i % 2 == 0 ? "'a, <d=\"e\">'" : "'c <d=\"f\">'"; }, "p,q,r,label\n"), train,
       "a quote inside an unquoted field", "--quote single"},
      {"within_single", "c.csv", table_of([](int i) { return i % 2 == 0 ? "'5'" : "'6'"; }), check,
       "has values in single quotes", "--quote single"},
      {"quoted_commas", "c.csv",
       table_of([](int i) { return "\"" + std::to_string(i * 7 % 13) + "," + std::to_string(1 + i % 4) + "\""; }),
       check, "numbers with a decimal comma", "--decimal comma"},
      {"commas", "c.csv",
       table_of([](int i) { return std::to_string(i * 7 % 13) + "," + std::to_string(1 + i % 4); }, "p;q;r;label\n", 40,
                ';'),
       check, "numbers with a decimal comma", "--decimal comma"},
      {"unsure_commas", "c.csv", table_of([](int i) {
         return "\"" + std::to_string(100 + i * 7 % 13) + "," + std::to_string(101 + i % 4) + "\"";
       }),
       check, "numbers with commas", "--decimal comma"},
      {"commas_asked_for", "c.csv",
       table_of([](int i) { return std::to_string(i * 7 % 13) + ",5"; }, "p;q;r;label\n", 40, ';'),
       "train FILE -q --numeric r", "is not a number with a decimal point", "--decimal comma"},
      {"points_asked_for", "c.csv", table_of([](int i) { return std::to_string(i) + ".5"; }, "p;q;r;label\n", 40, ';'),
       "train FILE -q --decimal comma --numeric r", "is not a number with a decimal comma", "--decimal point"},
      {"comma_thousands", "c.csv", table_of([](int i) { return "\"1," + std::to_string(100 + i) + ".5\""; }), check,
       "marks between thousands", "--thousands comma"},
      {"point_thousands", "c.csv",
       table_of([](int i) { return "1." + std::to_string(100 + i) + ",5"; }, "p;q;r;label\n", 40, ';'), check,
       "marks between thousands", "--thousands point --decimal comma"},
      {"space_thousands", "c.csv", table_of([](int i) { return "1 " + std::to_string(100 + i); }), check,
       "marks between thousands", "--thousands space"},
      {"apostrophe_thousands", "c.csv", table_of([](int i) { return "1'" + std::to_string(100 + i); }), check,
       "marks between thousands", "--thousands apostrophe"},
      {"thousands_asked_for", "c.csv", table_of([](int i) { return "\"1," + std::to_string(100 + i) + ".5\""; }),
       "train FILE -q --numeric r", "is not a number without marks", "--thousands comma"},
      // What columns are.
      {"odd", "d.csv", table_of([&](int i) { return i == 20 ? "abc" : numbers(i); }), check,
       "of the column 'r' are numbers", "--missing abc"},
      {"many_odd", "d.csv", table_of([&](int i) { return i % 6 == 5 ? "odd" + std::to_string(i) : numbers(i); }), check,
       "of the column 'r' are numbers", "--numeric r --on-error skip"},
      {"odd_of_many", "d.csv",
       [&] {
         std::string text = "a,b,c,d,e,f,g,label\n";
         for (int i = 0; i < 40; ++i) {
           for (int k = 0; k < 7; ++k) text += (i == 20 + k ? "u" : std::to_string(i * (k + 3) % 11)) + ",";
           text += i * 7 % 11 % 2 == 0 ? "x\n" : "y\n";
         }
         return text;
       }(),
       check, "2 more columns are mostly numbers", "--numeric f,g --on-error skip"},
      {"late_text", "d.csv", late, train, "is not a number", "--categorical r"},
      {"own_name", "d.csv", table_of([&](int i) { return i == 20 ? "r" : numbers(i); }), check, "holds its own name",
       "--numeric r --on-error skip"},
      {"headers_between", "d.csv", iris + iris, check, "holds the names of the columns", "awk"},
      {"totals", "d.csv", iris + "8,9,7,Grand Total\n", check, "as totals of other rows are called", "grep"},
      {"rows_in_quotes", "d.csv", "p,t,y\n1,a,x\n2,\"b,y\n3,a,x\n4,b\",y\n5,a,x\n6,b,y\n", check, "is one quoted value",
       "--quote none"},
      {"backslashes", "d.csv", "p,t,y\n1,\"a \\\"b\\\", c\",x\n2,a,y\n3,a,x\n4,b,y\n", check, "behind a backslash",
       "sed"},
      {"numbered_lines", "d.csv", "     1\tp,y\n     2\t1,x\n     3\t2,y\n     4\t2,x\n", check, "lines are numbered",
       "sed"},
      {"ending_delimiter", "d.csv", "p,y\n1,x,\n2,y,\n1,x,\n", check, "and the header does not", "sed"},
      {"kernel", "d.libsvm", "1 0:1 1:0.5 2:1\n-1 0:2 1:2 2:3\n1 0:3 1:1 2:2\n", check, "precomputed kernel", "sed"},
      {"array", "d.jsonl", "{\"f\":[1,2],\"label\":\"x\"}\n{\"f\":[2,2],\"label\":\"y\"}\n", check, "is an array",
       "jq"},
      {"web_log", "d.log", "#Software: S\n#Fields: w y\n1 no\n2 yes\n3 no\n", check, "log of a web server", "awk"},
      {"groups_of_two", "d.csv",
       table_of([](int i) { return "\"2," + std::to_string(10 + i) + ",6" + std::to_string(10 + i % 9) + "\""; }),
       check, "groups of two digits", "perl"},
      {"unread_dates", "d.csv", table_of([](int i) { return std::to_string(10 + i % 20) + "APR2024"; }), check,
       "written otherwise than they are read", "--drop r"},
      {"dates", "d.csv", table_of([](int i) { return "2024-05-" + std::to_string(10 + i % 20); }), check,
       "looks like dates", "--dates r"},
      {"unsure_dates", "d.csv", table_of([](int i) { return "0" + std::to_string(1 + i % 9) + "/05/2024"; }), check,
       "may begin with the day or the month", "--dates r --date-order dmy"},
      {"unsure_dates_asked_for", "d.csv", table_of([](int i) { return "0" + std::to_string(1 + i % 9) + "/05/2024"; }),
       "train FILE -q --dates r", "whether day or month comes first", "--date-order dmy"},
      {"odd_dates", "d.csv",
       table_of([](int i) { return i == 7 ? "never" : "2024-05-" + std::to_string(10 + i % 20); }), check,
       "looks like dates, but for some values", "--drop r"},
      {"months", "d.csv", table_of([](int i) { return "2024-0" + std::to_string(1 + i % 9); }), check,
       "looks like months", "--drop r"},
      {"times", "d.csv",
       table_of([](int i) { return std::to_string(10 + i % 13) + ".0" + std::to_string(i % 7) + ".00"; }), check,
       "looks like times of day", "--drop r"},
      {"counting", "d.csv", table_of([](int i) { return std::to_string(1000 + i); }), check, "counts the rows",
       "--id r"},
      {"numbering", "d.csv",
       table_of([](int i) { return std::to_string(100 + i * 7919 % 10'007); }, "p,q,row_id,label\n", 300), check,
       "a different whole number in nearly every row", "--id row_id"},
      {"naming", "d.csv", table_of([](int i) { return "id" + std::to_string(i); }, "p,q,\"r, s\",label\n"), check,
       "has a different value in nearly every row", "--id 3"},
      {"prose", "d.csv", table_of([](int i) { return "call me: " + std::to_string(i % 30); }), check,
       "has texts of several words", "--text r"},
      {"unspaced", "d.csv", table_of(sentence), check, "has texts without blanks between words",
       "--text r --text-tokens characters --ngrams 2"},
      {"long_tokens", "d.csv", table_of(sentence), "check FILE --text r", "is a token from mark to mark",
       "--text-tokens characters --ngrams 2"},
      {"scattered", "d.csv", table_of([](int i) { return "s" + std::to_string(i % 30); }), check,
       "has mostly different texts", "--drop r"},
      {"empty", "d.csv", table_of([](int) { return ""; }), check, "has no value", "--drop r"},
      {"constant", "d.csv", table_of([](int) { return "7"; }), check, "is the same in every row", "--drop r"},
      {"scales", "d.csv", table_of([](int i) { return std::to_string(i % 7 * 50'000); }), check,
       "the largest values of the features differ", "--normalize column"},
      {"sorted", "d.csv", sorted, check, "the rows are sorted by class", "--order shuffled --passes 10"},
      // Labels.
      {"missing_label", "l.csv", "p,label\n1,NA\n2,b\n3,NA\n4,b\n", train, "the label in column 'label' is missing",
       "--missing-only '-,?,N/A,NaN,None,nan,null'"},
      {"class_of_no_label", "l.csv", table_of(small) + "1,2,3,NULL\n", check, "a class is called 'NULL'",
       "--missing NULL --on-error skip"},
      {"bad_rows", "l.csv", table_of(small) + "1,2,3,\n", train, "the label in column 'label' is missing",
       "--on-error skip"},
      // Other formats.
      {"zero_based", "z.svm", "1 0:2 2:1\n-1 1:3\n1 0:1\n-1 2:2\n", train, "index", "--zero-based"},
      {"foreign_flags", "z.svm", one_based, "train FILE -q --drop a --no-header", "CSV data may have a header",
       "leave out"},
      {"foreign_columns", "z.svm", one_based, "train FILE -q --drop a --label b", "columns can be named", "leave out"},
      {"foreign_marks", "z.arff", "@relation r\n@attribute a numeric\n@attribute class {x,y}\n@data\n1,x\n2,y\n",
       "train FILE -q --decimal comma --skip-lines 0 --comment '%'", "defines itself how it is read", "leave out"},
      {"foreign_making", "z.arff", "@relation r\n@attribute a numeric\n@attribute class {x,y}\n@data\n1,x\n2,y\n",
       "train FILE -q --dates a", "become features in CSV", "leave out"},
      {"tags", "z.vw", "1 'a|f x\n-1 'b|f y\n", "predict MODEL FILE --id a", "columns can be named", ""},
      // Shell commands.
      {"array", "a.json", "[{\"a\":1,\"label\":\"x\"},{\"a\":2,\"label\":\"y\"}]\n", train, "this is a JSON array",
       "jq"},
      {"arrays_in_lines", "a.json", "[\n[1,\"x\"],\n[2,\"y\"],\n[3,\"x\"]\n]\n", train, "a JSON array of arrays", "jq"},
      {"array_lines", "a.json", "[1,2,\"x\"]\n[2,1,\"y\"]\n[3,1,\"x\"]\n", train, "this is JSON arrays", "jq"},
      {"many_lines", "a.json", "{\n\"a\":1,\n\"label\":\"x\"\n}\n{\n\"a\":2,\n\"label\":\"y\"\n}\n", train,
       "JSON that goes over several lines", "jq"},
      {"late_array", "a.jsonl", "{\"a\":1,\"label\":\"x\"}\n[{\"a\":2,\"label\":\"y\"}]\n", train,
       "an array, where a row is", "jq"},
      {"member_arrays", "a.jsonl",
       "{\"a\":[\"u\",{\"b\":1}],\"c\":1,\"label\":\"x\"}\n{\"a\":null,\"c\":2,\"label\":\"y\"}\n{\"c\":1,\"label\":"
       "\"x\"}\n",
       train, "is an array, and a column has one value", "--drop a"},
      {"rows_in_an_array", "a.json",
       "{\"type\":\"all\",\"rows\": [{\"a\":1,\"label\":\"x\"},{\"a\":2,\"label\":\"y\"}],\"label\":1}\n", train,
       "the member 'rows' is an array", "--drop rows"},
      {"utf16", "u.csv", "", train, "this is UTF-16", "iconv"},
      {"infinite", "d.csv", table_of([](int i) { return i == 20 ? "inf" : "7" + std::to_string(i); }), train,
       "is not finite", "--missing inf"},
  };
  for (Hint& hint : all) {
    if (hint.name != "utf16") continue;
    hint.text = "\xff\xfe";
    for (const char c : table_of(small)) hint.text += {c, '\0'};
  }
  std::erase_if(all, [](const Hint& hint) { return hint.flags.empty(); });
  return all;
}

// Words of a command line, with the quotes of a shell.
std::vector<std::string> parts_of(const std::string& line) {
  std::vector<std::string> words;
  bool quoted = false, open = false;
  for (const char c : line) {
    if (c == '\'') quoted = !quoted;
    if (c == ' ' && !quoted) {
      open = false;
      continue;
    }
    if (!open) words.emplace_back();
    open = true;
    words.back() += c;
  }
  return words;
}

class Hints : public CommandTest {
 protected:
  // The fix that stands behind what is said.
  static std::string fix_behind(const std::string& said, const std::string& complaint) {
    const std::size_t at = said.find(complaint);
    const std::size_t fix = at == std::string::npos ? at : said.find("fix: ", at);
    return fix == std::string::npos ? "" : said.substr(fix + 5, said.find('\n', fix) - fix - 5);
  }

  static const Row* row_of(const Command& command, const std::string& word) {
    return word.starts_with("--") ? command.flag(std::string_view(word).substr(2)) : nullptr;
  }

  // The flags that a text proposes first: those side by side.
  static std::string proposed(const std::string& fix) {
    const std::vector<std::string> words = parts_of(fix);
    const Command train = cli::train_command();
    std::string flags;
    const auto first =
        std::find_if(words.begin(), words.end(), [](const std::string& word) { return word.starts_with("--"); });
    for (auto word = first; word != words.end();) {
      const Row* const row = row_of(train, *word);
      if (row == nullptr) break;
      const bool value = row->takes_value();
      if (value && word + 1 == words.end()) break;
      flags += (flags.empty() ? "" : " ") + *word + (value ? " " + *(word + 1) : "");
      word += value ? 2 : 1;
    }
    return flags;
  }

  // The command line without some of its flags.
  static std::string without(const std::string& line, const std::set<std::string>& flags) {
    const Command train = cli::train_command();
    const std::vector<std::string> words = parts_of(line);
    std::string left;
    for (std::size_t i = 0; i < words.size(); ++i) {
      const Row* const row = flags.contains(words[i]) ? row_of(train, words[i]) : nullptr;
      if (row == nullptr) {
        left += (left.empty() ? "" : " ") + words[i];
      } else if (row->takes_value()) {
        ++i;
      }
    }
    return left;
  }

  // The command line with what a fix proposes; train takes flags that check has not.
  static std::string followed(const std::string& line, const std::string& flags) {
    std::set<std::string> names;
    bool unknown = false;
    const Command check = cli::check_command();
    for (const std::string& word : parts_of(flags)) {
      if (!word.starts_with("--")) continue;
      names.insert(word);
      unknown = unknown || row_of(check, word) == nullptr;
    }
    std::string now = without(line, names) + " " + flags;
    if (unknown && now.starts_with("check ")) now = "train " + now.substr(6) + " -q";
    return now;
  }
};

TEST_F(Hints, AreCommandLinesThatWork) {
  std::set<std::string> named;
  for (const Hint& hint : hints()) {
    SCOPED_TRACE(hint.name);
    write(hint.file, hint.text);
    const auto with_file = [&](std::string line) { return std::regex_replace(line, std::regex("FILE"), hint.file); };
    const std::string line = with_file(hint.command);
    const Output first = halfspace(line);
    const std::string said = first.err + first.out, fix = fix_behind(said, hint.complaint);
    ASSERT_FALSE(fix.empty()) << line << "\n" << said;
    Output then;
    std::string now;
    if (hint.flags == "leave out") {
      EXPECT_TRUE(fix.starts_with("leave out --")) << fix;
      std::set<std::string> flags;
      for (std::string word : parts_of(fix)) {
        while (!word.empty() && (word.back() == ',' || word.back() == ';')) word.pop_back();
        if (word.starts_with("--")) flags.insert(word);
      }
      now = without(line, flags);
      then = halfspace(now);
    } else if (!hint.flags.starts_with("--")) {
      const std::string tool = hint.flags;
      if (sh("command -v " + tool).code != 0) {
        std::cerr << "skipped: there is no " << tool << "\n";
        continue;
      }
      std::string command = fix.substr(fix.find(tool + " "));
      for (const char* const behind : {"; is it a table", "; or --"})
        command.resize(std::min(command.size(), command.find(behind)));
      now = with_file(command) + " >followed && \"$H\" " + std::regex_replace(line, std::regex(hint.file), "followed");
      then = sh(now);
    } else {
      const bool of_error = hint.name == "bad_rows";
      const std::string flags = of_error ? "--on-error skip" : proposed(fix);
      EXPECT_EQ(flags, hint.flags) << fix;
      for (const std::string& word : parts_of(flags)) named.insert(word);
      now = followed(line, flags);
      then = halfspace(now);
    }
    EXPECT_EQ(then.code, 0) << now << "\n" << then.err << then.out;
    EXPECT_EQ((then.err + then.out).find(hint.complaint), hint.complaint.empty() ? 0U : std::string::npos)
        << now << "\n"
        << then.err << then.out;
  }

  // No flag that the reading code names is forgotten here.
  const std::map<std::string, std::string> not_followed = {
      {"--label", "which column holds the class is not to be seen in a table"},
      {"--arrays", "npz_test follows its hints on arrays"},
      {"--interactions", "is named in errors about itself"},
      {"--quadratic", "likewise"},
      {"--ignore", "likewise"},
      {"--only", "likewise"},
      {"--hash", "is named in errors about itself, and to be left out"},
      {"--hash-names", "likewise"},
      {"--keep", "is for predict, which keeps what it is asked for"},
      {"--classes", "which classes come later is not to be seen"},
      {"--positive", "likewise"},
      {"--weight", "is to be left out"},
      {"--single", "is to be left out"},
      {"--text-values", "is named for pipes, whose rows are read once"},
      {"--format", "is to be left out, or is about several files"},
  };
  const std::regex option(R"re(option\("([a-z-]+)")re");
  for (const auto& entry : std::filesystem::recursive_directory_iterator(HALFSPACE_SOURCE_DIR "/src/stream")) {
    const std::string path = entry.path().string();
    if (!path.ends_with(".cc")) continue;
    const std::string source = slurp(path);
    for (auto match = std::sregex_iterator(source.begin(), source.end(), option); match != std::sregex_iterator();
         ++match) {
      const std::string flag = "--" + (*match)[1].str();
      EXPECT_TRUE(named.contains(flag) || not_followed.contains(flag)) << flag << " of " << path << " is not followed";
    }
  }
  for (const auto& [flag, why] : not_followed) EXPECT_FALSE(named.contains(flag)) << flag << ": " << why;
}

// A table of the air, as a spreadsheet of Italy writes it: all that is odd is said at once, with one line that reads it.
TEST_F(Hints, OfOneTableAreOneLine) {
  std::string air = "Date;Time;CO(GT);T;AH;;\n";
  for (int i = 0; i < 60; ++i) {
    air += std::to_string(10 + i % 20) + "/03/2004;" + std::to_string(10 + i % 13) + ".0" + std::to_string(i % 6) +
           ".00;" + std::to_string(i % 4) + "," + std::to_string(i % 9) + ";" + std::to_string(10 + i % 9) + "," +
           std::to_string(i % 7) + ";" + (i * 7 % 3 == 0 ? "low" : "high") + ";;\n";
  }
  air += ";;;;;;\n;;;;;;\n";
  write("air.csv", air);
  const Output checked = halfspace("check air.csv");
  EXPECT_EQ(checked.code, 65);
  EXPECT_TRUE(has(checked.out, "decimal comma", "looks like dates", "looks like times of day",
                  "taken from the column 'AH'", "have no value", "2 of 62 rows are bad"));
  const std::size_t at = checked.out.find("try: halfspace ");
  ASSERT_NE(at, std::string::npos) << checked.out;
  const std::string line = checked.out.substr(at + 15, checked.out.find('\n', at) - at - 15);
  EXPECT_EQ(line, "check air.csv --decimal comma --dates Date --drop Time --on-error skip");
  const Output again = halfspace(line);
  EXPECT_EQ(again.code, 0) << again.out;
  EXPECT_TRUE(lacks(again.out, "look:"));
  EXPECT_EQ(halfspace("train" + line.substr(5) + " -q -o m").code, 0);
  // The same of train, which has learned from it all the same.
  const Output trained = halfspace("train air.csv -q --on-error skip");
  EXPECT_EQ(trained.code, 0) << trained.err;
  EXPECT_TRUE(
      has(trained.err, "try: halfspace train air.csv -q --on-error skip --decimal comma --dates Date --drop Time"));
}

}  // namespace
}  // namespace halfspace::cli_tests
