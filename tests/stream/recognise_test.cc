// Which format a text is: what the formats write is recognised as itself, damaged or not; what fits none, or two, is
// refused with the way on.
#include "stream/formats/recognise.h"

#include "stream/foreign/foreign_slips.h"
#include "stream/formats/format_entry.h"
#include "stream/stream_support.h"

namespace halfspace {
namespace {

using namespace testing_stream;
using stream::guess_formats;
using stream::recognise_text;

std::string repeated(std::string_view lines, int times = 10) {
  std::string text;
  for (int i = 0; i < times; ++i) text += lines;
  return text;
}

TEST(Recognise, LinesOfVowpalWabbit) {
  for (const char* lines :
       {"1 'r0| steel brass copper\n-1 'r1| tin lead\n", "scrap | lead bronze silver\nkeep | tin brass\n",
        "-1 my tag|n x:0 y\n1 my tag|n x:1 y\n", "-1 2 'user 0|n x:0 y\n1 2 'user 1|n x:1\n",
        "bronze |f a:1\ntin |f a:2\n", "1 2 0.5 |f a:1\n", "0 2.0 'second_house |price:.18 sqft:.15\n",
        "keep r1|f a:1 b\nscrap r2|f a:2 b\n", "1:-1:0.5 | a\n2:-1:0.5 | b\n",
        "det:0 noun:1 | the\ndet:1 noun:0 | monster\n", "1 a/1| a b c\n unlabeled/2| a b c\n-1 a/3| d e\n",
        "label | words\n1 | a:1 b:2\n-1 | a:2 b:1\n1 | a:1 b:2\n",
        "43,1 '43:vmod|w in |p in\n5,2 '5:nmod|w an |p dt\n"}) {
    EXPECT_EQ(recognise_text(repeated(lines)), DataFormat::vw) << lines;
  }
  for (const char* lines :
       {"'Bob Smith'|'good film'|1\n'Ann Jones'|'bad film'|0\n", "red|size big|1\nblue|shape small|0\n",
        "id | word\n1 | one\n2 | two\n", "3 Main Street|York|a\n4 High Street|Leeds|b\n"}) {
    EXPECT_EQ(recognise_text(lines), DataFormat::csv) << lines;
  }
}

TEST(Recognise, WhatTwoFormatsFitNamesBoth) {
  for (const char* lines : {"1 | 2\n2 | 3\n", "det | the\nnoun | monster\ndet | a\n",
                            "red | size big\nblue | size small\n"
                            "red | size tiny\n"}) {
    const std::string text = repeated(lines);
    EXPECT_EQ(recognise_text(text), DataFormat::automatic) << lines;
    const Reading unclear = read_text(text);
    EXPECT_EQ(unclear.error.kind(), ErrorKind::data);
    for (const char* format : {"vw", "csv"}) EXPECT_TRUE(has(unclear.error.hint(), option("format", format)));
    EXPECT_FALSE(read_text(text, {.format = DataFormat::csv}).failed) << lines;
  }
}

struct SlipCase {
  const char *lines, *what, *fix;
};

void expect_slip(const Reading& rows, const SlipCase& one) {
  EXPECT_EQ(rows.error.kind(), ErrorKind::data);
  EXPECT_TRUE(has(rows.error.message(), one.what)) << one.lines;
  EXPECT_TRUE(has(rows.error.hint(), one.fix)) << one.lines;
}

TEST(Recognise, LinesWithASlipAreNoTable) {
  constexpr std::array<SlipCase, 22> cases = {{
      {"-1 1=0.5 3=2\n+1 1=0.1 3=3\n", "not name=value", "s/=/:/g"},
      {"a=0.5,b=2,y=no\na=0.1,b=3,y=yes\n", "column's name", "//g"},
      {"a:0.5,b:2,y:no\na:0.1,b:3,y:yes\n", "column's name", "//g"},
      {"w=1 h=0.5 buys=no\nw=2 h=0.7 buys=yes\n", "column's name", "'1i w h buys' -e 's/(^| +)"},
      {"a=0.5;b=2;y=no\na=0.1;b=3;y=yes\n", "column's name", "'1i a,b,y'"},
      {"-1 ||f a:0.5 b:2\n+1 ||f a:0.1 b:3\n", "not Vowpal Wabbit text", "reports what is wrong"},
      {"0 5 1:0.9 4:0.1\n1 5 1:0.8 4:0.7\n", "a weight behind the label", "\\1 \\2 | /"},
      {"0:0.5 101:0.7 103:0.6\n1:0.25 102:1.3 103:0.4\n", "label:weight", "\\1 \\2 |"},
      {"-1 age:0.5 income:2\n+1 age:0.1 income:3\n", "Vowpal Wabbit", "\\1 | /"},
      {"+1 2:0,714 5:0,927\n-1 2:0,1 5:0,9\n", "decimal commas", "\\1.\\2"},
      {"+1 2:0,714\n-1 2:0,1\n", "decimal commas", "\\1.\\2"},
      {"+1,2:0.7,5:0.9\n-1,3:0.1,5:0.9\n", "not commas", "s/[,;]/ /g"},
      {"+1;2:0.7;5:0.9\n-1;3:0.1;5:0.9\n", "not commas", "s/[,;]/ /g"},
      {"-1\tage:0.5\tincome:2\n+1\tage:0.1\tincome:3\n", "Vowpal Wabbit", "\\1 | /"},
      {"yes, age:3, size:2\nno, age:4, size:1\n", "not commas", "\\1 | /"},
      {"1 cost:2.5 2:0.7 5:0.9\n0 cost:1 3:0.1 5:0.9\n", "weight or cost", "\\1 \\2 |"},
      {"u0 0 1:0.9 4:0.1\nu1 1 1:0.8 4:0.7\nu2 1 1:0.8 4:0.7\n", "an id before the label", "S+\\s+//"},
      {"u0 0 1:15 4:20\nu1 1 1:18 4:77\nu2 1 1:8 4:7\n", "an id before the label", "S+\\s+//"},
      {"1 2.5 1:0.9 4:0.1\n0 1 1:0.8 4:0.7\n1 2.5 1:0.8 4:0.7\n0 1 1:0.8 4:0.7\n", "a weight behind the label",
       "\\1 \\2 | /"},
      {"0:2.0 1:0.7 3:0.6\n1:2.0 1:1.3 3:0.4\n", "label:weight", "\\1 \\2 |"},
      {"spam:2.0 1:0.7 3:0.6\nham:2.0 1:1.3 3:0.4\n", "label:weight", "\\1"},
      {"age:41 city:York\nage:30 city:Leeds\n", "Vowpal Wabbit", "|"},
  }};
  for (const SlipCase& one : cases) {
    for (const int times : {1, 30}) expect_slip(read_text(repeated(one.lines, times)), one);
  }
}

TEST(Recognise, RowsOfOtherProgramsAreNoTable) {
  const std::string dropped = option("drop", "id"), labelled = option("label", "label");
  const SlipCase cases[] = {
      {"size,colour,label\ndiscrete,discrete,discrete\n,,class\nbig,red,no\n", "Orange", "sed 2,3d FILE >NAME.csv"},
      {"id;w;label\nstring;;d\nmeta;;class\nk1;1;x\n", "Orange", dropped.c_str()},
      {"id,w,label\nstring,c,d\nmeta,a=1,class\nk1,1,x\n", "Orange", labelled.c_str()},
      {"label\tw\nbig small\tc\nclass\nbig\t1\nsmall\t2\n", "Orange", labelled.c_str()},
      {"id\tw\tkind\tlabel\nstring\tc\tred\tno yes\nmeta\t\t\tclass\nk\t1\tred\tno\nl\t2\tred\tyes\n", "Orange",
       labelled.c_str()},
      {"w,h,label\nc,c,yes\n,,class\n1,2,yes\n2,3,yes\n", "Orange", "sed 2,3d"},
      {"mS#id,C#w,cD#label\nk1,1,x\nk2,2,y\n", "flags of role and type", dropped.c_str()},
      {"cD#label\tC#w\nx\t1\ny\t2\n", "flags of role and type", "sed -E '1s/(^|\\t)([cmiw]?[CDSTN]|[cmiw])#/\\1/g'"},
      {"     1\tw,label\n     2\t1,x\n     3\t2,y\n", "the lines are numbered", "sed -E 's/^ *[0-9]+\\t//'"},
      {"w,label\n1,x,\n2,y,\n3,x,\n", "each row ends with ','", "sed -E 's/,[[:space:]]*$//'"},
      {"w;h;label\n1;2;x;\n2;3;y;\n3;4;x;\n", "each row ends with ';'", "sed -E 's/;[[:space:]]*$//'"},
      {"60 4 2\n-1 1:0.5 2:1\n1 1:0.25\n", "the first line counts", "sed 1d FILE"},
      {"-1 0:1 1:0.5 2:1\n1 0:2 1:0.5 2:0.25\n1 0:3 1:1 2:2\n", "precomputed kernel", "sed 's/ 0:[0-9]*//'"},
      {"w,h,buys\nfloat,float,str\n8,4.25,yes\n7,3,no\n", "types of the columns", "sed 2d"},
      {"w\tbuys\n8\tyes\n7\tno\nINT64\tvarchar(20)\n", "types of the columns", "sed 4d"},
      {"\"w,buys\"\n\"8,yes\"\n\"7,no\"\n", "in quotes as a whole", "s/\"\"/\"/g"},
      {"\"w,buys\"\n\"8,\"\"a, b\"\"\"\n\"7,no\"\n", "in quotes as a whole", "s/\"\"/\"/g"},
      {"w: 1\nlabel: 0\n\nw: 2\nlabel: 1\n\nw: 3\nlabel: 1\n", "a line of its own", "awk -v RS="},
      {"INFO {\"a\":1,\"y\":0}\nINFO {\"a\":2,\"y\":1}\n", "JSON Lines", "s/^[^{]*//"},
      {"\x1e{\"a\":1,\"y\":0}\n\x1e{\"a\":2,\"y\":1}\n", "JSON Lines", "s/^[^{]*//"},
      {"{\"a\":1,\"y\":0},\n{\"a\":2,\"y\":1}\n", "JSON Lines", "s/}[^}]*$/}/"},
      {"[[row]]\nw = 1\ny = 0\n\n[[row]]\nw = 2\ny = 1\n", "TOML", "tomllib"},
      {"[[8.   4.25 1.  ]\n [7.   3.25 0.  ]]\n", "NumPy prints", "tr -d '[]'"},
      {"1 0:3:0.5 1:2:1\n0 0:1:0.5 1:4:1\n", "libffm", "\\1 |/"},
      {"\"a\"=5.1,\"b\"=3.5|x\n\"a\"=4.1|y\n", "baskets", "\\2 |f \\1"},
      {"(0.0,(9,[1,3],[1.0,0.5]))\n(1.0,(9,[0,3],[1.0,0.25]))\n", "Spark", "NAME.libsvm"},
      {"(0.0,[1.0,0.5])\n(1.0,[1.0,0.25])\n", "Spark", "tr -d '[]()'"},
      {"1~0.5~no\n2~0.7~yes\n3~0.2~no\n4~1~0.9~yes\n5~0.9~yes\n6~0.3~yes\n", "as many values between '~'", "splits"},
      {"1\x01"
       "0.5\x01no\n2\x01"
       "0.7\x01yes\n3\x01"
       "0.2\x01no\n",
       "Hive", "tr '\\001' '\\t'"},
      {"row(1,0.5,no).\nrow(2,0.7,yes).\n", "between 'row(' and ').'", "s/^row\\(//; s/\\)\\.\\r*$//"},
      {"Row(w=1, buys='no')\nRow(w=2, buys='yes')\n", "between 'Row(' and ')'", "'1i w,buys'"},
      {"w,h,buys\n[1,0.5,no]\n[2,0.7,yes]\n", "between '[' and ']'", "s/^\\[//"},
      {"(1,0.5,no)\n(2,0.7,yes)\n", "between '(' and ')'", "s/^\\(//"},
      {"{1,0.5,no}\n{2,0.7,yes}\n", "between '{' and '}'", "s/^\\{//"},
      {"[1 0.5 0]\n[2 0.7 1]\n", "between '[' and ']'", "s/^\\[//"},
      {"[1,0.5,no]\n[2,0.7,yes]\n", "between '[' and ']'", "s/^\\[//"},
      {"- {w: 1, buys: no}\n- {w: 2, buys: yes}\n", "YAML", "yaml"},
      {"> 1,0.5,no\n> 2,0.7,yes\n", "begins with '> '", "s/^> //"},
      {"1 0.5 0;\n2 0.7 1;\n", "ends with ';'", "s/;\\r*$//"},
      {"w,h,buys;;;\n8,4.25,yes;;;\n7,3,no;;;\n", "ends with ';;;'", "s/;;;\\r*$//"},
      {"1,0.5,no}\n2,0.7,yes}\n", "ends with '}'", "s/\\}\\r*$//"},
  };
  for (const SlipCase& one : cases) expect_slip(read_text(one.lines), one);
}

// Each document of JSON with a part of the message, and of the command that converts it.
TEST(Recognise, TablesMayHoldMarksOfOthers) {
  for (const std::string text : {"C#,D#,label\n1,2,x\n2,3,y\n3,4,x\n", "C#a,D#b,label\n1,2,x\n2,3,y\n3,4,x\n",
                                 "1\t0.5\tx\n2\t0.25\ty\n3\t1\tx\n", "w,h,label\n1,2,x\n2,3,\n3,4,x\n",
                                 "1 0:0.5 1:1\n-1 0:2 1:0.5\n1 0:3 1:2\n", "1 0:1 2:1\n-1 0:2 3:0.5\n1 0:4 1:2\n"}) {
    const Reading rows = read_text(text, {.zero_based = text[1] == ' '});
    EXPECT_TRUE(!rows.failed || rows.error.message().find("label") != std::string::npos)
        << text << rows.error.message();
  }
}

TEST(Recognise, DocumentsOfJsonAreNoRows) {
  const SlipCase cases[] = {
      {R"~({"columns":["a","y"],"index":[0,1],"data":[[1,0],[2,1]]})~", "names of the columns",
       "[t['columns'], *t['data']]"},
      {"{\n \"index\": [0, 1],\n \"columns\": [\"a\", \"y\"],\n \"data\": [[1, 0], [2, 1]]\n}\n",
       "names of the columns", "[t['columns'], *t['data']]"},
      {R"~({"rows": [[1, 2], [3, 4], [5, 6]], "names": ["a", "y"]})~", "names of the columns",
       "[t['names'], *t['rows']]"},
      {R"~({"X": [[1, 2], [3, 4], [5, 6]], "y": [0, 1, 1]})~", "labels in another", "zip(t['X'], t['y'], strict=True)"},
      {R"~({"names": ["a", "b"], "kinds": ["n", "p"], "d": [[1, 2], [3, 4], [5, 6]], "y": [0, 1, 1]})~",
       "names of the columns", "[[*t['names'], 'y'], *([*x, y] for x, y in zip(t['d'], t['y'], strict=True))]"},
      {R"~({"d": [[1, 2], [3, 4]]})~", "one of its members", "writerows(t['d'])"},
      {R"~({"schema":{"fields":[{"name":"a"}]},"data":[{"a":1},{"a":2}]})~", "one of its members", "['data']]\""},
      {"{\n \"n\": 2,\n \"rows\": [\n {\"a\": 1},\n {\"a\": 2}\n ]\n}\n", "one of its members", "['rows']]\""},
      {R"~({"a": [1, 2], "b": ["x", "z]"], "y": [0, 1]})~", "each column in an array",
       "[t, *zip(*t.values(), strict=True)]"},
      {"{\n  \"a\": [\n    1,\n    2\n  ],\n  \"y\": [\n    0,\n    1\n  ]\n}\n", "each column in an array",
       "[t, *zip(*t.values(), strict=True)]"},
      {"{\n\"name\": \"flowers\",\n\"a\": [1, 2],\n\"y\": [0, 1]\n}\n", "each column in an array",
       "isinstance(v, list)"},
      {R"~({"a":{"0":1,"1":2},"y":{"0":0,"1":1}})~", "each column in an object", "c.get(i)"},
      {R"~({"a": {"17": 1, "3": 2}, "y": {"17": 0, "3": 1}})~", "each column in an object", "c.get(i)"},
      {R"~({"0":{"a":1,"y":0},"1":{"a":2,"y":1}})~", "each row under a name", ".values()]"},
      {"{a: 1, y: \"x\"}\n{a: 2, y: \"z\"}\n", "names without quotes", ">NAME.json"},
      {"{\"a\": 1, \"y\": 0,}\n{\"a\": 2, \"y\": 1,}\n{\"a\": 3, \"y\": 1,}\n", "a comma behind the last value",
       ">NAME.json"},
      {"[\n  {\"a\": 1, \"y\": 0},\n  {\"a\": 2, \"y\": 1},\n]\n", "a comma behind the last value", ">NAME.json"},
      {"// rows\n[\n  {\"a\": 1, \"y\": 0}\n]\n", "comments", ">NAME.json"},
      {"{\"a\": 1, \"y\": 0} // first\n{\"a\": 2, \"y\": 1}\n", "comments", ">NAME.json"},
      {"[\n  {\"a\": 1, 'y': 'no'}\n]\n", "single quotes", ">NAME.json"},
  };
  for (const SlipCase& one : cases) {
    const Reading rows = read_text(one.lines);
    expect_slip(rows, one);
    EXPECT_TRUE(rows.error.message().starts_with("this is ")) << one.lines << rows.error.message();
  }
  // Rows may hold arrays and objects, and one line may be damaged.
  for (const char* text : {R"~({"a":1,"y":0,"t":[1,2],"u":[3,4]})~", R"~({"f":{"a":1,"b":2},"g":{"a":3,"b":4},"y":1})~",
                           R"~({"f":{"a":1},"g":{"a":3}})~", "{\"t\":[1,2],\"u\":[3,4]}\n{\"t\":[1,2],\"u\":[3,4]}\n",
                           R"~({"a":1,"y":"http://x.org"})~", "{\"a\":1,}\n{\"a\":2,\"y\":1}\n{\"a\":3,\"y\":0}\n",
                           "[0,10),2:1\n[10,20),3:4\n"})
    EXPECT_FALSE(stream::find_json_document(text)) << text;
}

TEST(Recognise, DrawnTablesAndLogsAreNoRows) {
  const std::string by_blanks = option("delimiter", "space") + " " + option("comment", "=");
  const SlipCase cases[] = {
      {"===  ==\nw    y\n===  ==\n1    no\n2    no\n===  ==\n", "lines of = or -", by_blanks.c_str()},
      {"===  =====\nw    y\n===  =====\n1    no no\n2    no\n===  =====\n", "lines of = or -", "re.finditer('[-=]+'"},
      {".. table:: T\n\n   ===  ==\n   w    y\n   ===  ==\n   1    no\n   ===  ==\n", "lines of = or -",
       "re.finditer("},
      {"w    y\n---  -----\n1    no no\n2    yes\n", "lines of = or -", "re.finditer("},
      {"\\begin{tabular}{lr}\n\\hline\nw & y \\\\\n1 & no \\\\ \\hline\n2 & yes \\\\\n\\end{tabular}\n", "LaTeX",
       "sed -nE '/&/{"},
      {"w & y \\\\\n1 & no \\\\\n2 & yes \\\\\n", "LaTeX", "sed -nE '/&/{"},
      {"{| class=\"wikitable\"\n! w !! y\n|-\n| 1 || no\n|-\n| 2 || yes\n|}\n", "table of a wiki", "split($0, c, "},
      {"{|\n|-\n! w\n! y\n|-\n| 1\n| no\n|-\n| 2\n| yes\n|}\n", "table of a wiki", "split($0, c, "},
      {"||w||y||\n|1|no|\n|2|yes|\n", "between double bars", R"(/^\|\|/s/\|\|/|/g)"},
      {"[cols=\"1,2\"]\n|===\n|w |y\n|1 |no\n|2 |yes\n|===\n", "AsciiDoc", R"(/^\|[^=]/)"},
      {"┌───┬────┐\n│ w │ y  │\n├───┼────┤\n│ 1 │ no │\n└───┴────┘\n", "drawn with lines", "FILE FILE"},
      {"shape: (1, 2)\n╒═══╤════╕\n│ w ┆ y  │\n╞═══╪════╡\n│ 1 ┆ no │\n╘═══╧════╛\n", "drawn with lines", "FILE FILE"},
      {"*** 1. row ***\n  w: 1\n  y: no\n*** 2. row ***\n  w: 2\n  y: yes\n", "MySQL's \\G", "[^:]+:"},
      {"-[ RECORD 1 ]-\nw | 1\ny | no\n-[ RECORD 2 ]-\nw | 2\ny | yes\n", "psql's \\x", R"([^|]+\|)"},
      {"  w = 1\n  y = no\n\n  w = 2\n  y = yes\n", "SQLite's", "!NF"},
      {"12:01:01 INFO w=1 y=no\n12:01:02 INFO w=2 y=yes\n12:01:03 INFO w=2 y=no\n", "a log", "[dict(re.findall("},
      {"w=1 y=no m=\"a b\"\nw=2 y=yes m=\"c\"\nw=2 y=no m=\"d e\"\n", "a log", "[dict(re.findall("},
      {"row 1: w=1, y=no\nrow 2: w=2, y=yes\nrow 3: w=3, y=no\n", "a log", "[dict(re.findall("},
      {"no w=1 c=x\nno w=2 c=y\nyes w=2 c=x\nyes w=3 c=z\n", "a word before them", "('before', "},
      {"d1 pos good film\nd2 neg bad\nd3 neg a bad film\nd4 pos good\n", "splits the lines",
       R"(s/^\s*\S+\s+(\S+)\s+/\1 |w /)"},
      {"pos a good film\nneg bad film\nneg a bad film of old\npos so very good\n", "splits the lines",
       R"(s/^\s*(\S+)\s+/\1 |w /)"},
      {"#Software: S\n#Fields: w y\n1 no\n2 yes\n3 no\n", "a log of a web server", "/^#Fields: / && !k++"},
      {"# Created by Octave\n# name: X\n# type: matrix\n# rows: 2\n# columns: 1\n 1\n 2\n\n# name: y\n"
       "# type: matrix\n# rows: 2\n# columns: 1\n 0\n 1\n",
       "several matrices", "(v > 1 ? \"\\t\" : \"\") $0"},
      {"[r1]\nw=1\ny=no\n\n[r2]\nw=2\ny=yes\n", "INI", "configparser"},
  };
  for (const SlipCase& one : cases) expect_slip(read_text(one.lines), one);
  // The marks may stand in values.
  for (const char* text : {"a,y\n---,no\n--,yes\n", "w y\n-- no\n1 yes\n", "R&D \\\\,no\nb,yes\nc,no\n", "|a b\n|- c\n",
                           "#a b\n#Fields b\n1 2\n", "# name: X\n# type: matrix\n# rows: 1\n 1 2\n",
                           "-1 | w=1 h=2\n1 | w=2 h=3\n1 | w=1 h=3\n", "-1 w=1 h=2\n1 w=2 h=3\n1 w=1 h=3\n",
                           "w=1 h=2 y=no\nw=2 h=3 y=yes\nw=2 h=4 y=no\n",
                           "1,\"w=1 h=2\"\n2,\"w=1 h=3\"\n3,\"w=1 h=3\"\n", "a = b\nc = d\ne = f\n", "│,y\n│,n\nb,y\n"})
    EXPECT_FALSE(stream::find_drawn_rows(text)) << text << stream::find_drawn_rows(text)->what;
}

// The mark is a part of the value behind it, where a file follows another.
TEST(Recognise, MarksOfFilesPutTogetherAreNoted) {
  const std::string mark = "\xef\xbb\xbf", by_sed = R"(sed 's/\xef\xbb\xbf//g' FILE >NAME)";
  for (const std::string& text : {"w,y\n1,no\n2,yes\n3,no\n" + mark + "4,yes\n5,no\n",
                                  "-1 1:2\n1 1:3\n-1 1:4\n" + mark + "1 1:5\n", "a y\nb n\nc y\n" + mark + "d n\n"}) {
    ReadOptions options;
    Names notes;
    options.on_note = [&](const ReadNote& note) { notes.push_back(note.text + "; " + note.fix); };
    read_text(mark + text, options);
    const auto line = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(text.find(mark)), '\n') + 1;
    const std::string expected = "line " + std::to_string(line) + " begins with the byte order mark of another file";
    EXPECT_EQ(
        std::count_if(notes.begin(), notes.end(),
                      [&](const std::string& note) { return note.starts_with(expected) && note.ends_with(by_sed); }),
        1)
        << text;
  }
  const Reading objects = read_text("{\"a\":1,\"y\":0}\n{\"a\":2,\"y\":1}\n" + mark + "{\"a\":3,\"y\":1}\n");
  EXPECT_EQ(objects.error.message(), "a byte order mark, where a row is an object");
  EXPECT_TRUE(has(objects.error.hint(), by_sed));
}

TEST(Recognise, RowsOverSeveralLinesAreNamed) {
  const auto text_of = [](const Names& parts, std::size_t odd = 99, const std::string& instead = "") {
    std::string text;
    for (std::size_t row = 0; row < 60; ++row) {
      if (row == odd) text += instead;
      for (const std::string& part : parts) text += row == odd ? "" : part + "\n";
    }
    return text;
  };
  const struct {
    std::string text;
    std::uint64_t line;
    std::string what, fix;
  } cases[] = {{text_of({"1 2.5 3", "4 0"}), 1, "over 2 lines", "awk 'NF"},
               {text_of({"1,2,3", "4,5", "6,no"}), 1, "over 3 lines", "awk -F, "},
               {text_of({"1,2,3,", "4,5"}), 1, "over 2 lines", "n == 5 "},
               {text_of({"1;2;3", "4;5"}), 1, "over 2 lines", "awk -F';' "},
               {text_of({"1 2.5 3", "4 0"}, 55, "1 2.5 3\n"), 111, "but for the one that begins here", "n == 5 "},
               {text_of({"1 2.5 3", "4 0"}, 7, "1 2.5\n3\n4 0\n"), 15, "but for the one that begins here", "n == 5 "},
               {text_of({"1 2.5 3", "4 0"}, 0, "1 2.5 3\n"), 1, "but for the one that begins here", "n == 5 "}};
  for (const auto& one : cases) {
    const Reading rows = read_text(one.text);
    EXPECT_EQ(rows.error.line(), one.line) << one.text;
    EXPECT_TRUE(has(rows.error.message(), one.what));
    EXPECT_TRUE(has(rows.error.hint(), one.fix));
  }
  for (const std::string& text : {text_of({"1,2,3", "4,5,6"}), text_of({"1,2,3"}, 7, "1,2\n"),
                                  text_of({"a b c", "d e"}), text_of({"1 1:2 2:3", "1 1:2"})})
    EXPECT_FALSE(stream::find_broken_rows(text)) << text;
}

TEST(Recognise, TablesMayHoldBracketsAndWordsOfOthers) {
  for (const char* text :
       {"1,Smith (UK)\n2,Jones (UK)\n3,Bell (UK)\n", "(12.5),3,no\n(1.5),4,yes\n", "[0,10),2\n[10,20),3\n",
        "f(1),2,g(2)\nf(2),3,g(4)\n", "1;2;no;\n2;3;yes;\n", "id1,2,no\nid2,3,yes\n", "GO:1,2,no\nGO:2,3,yes\n",
        "unit,kind\nkg,weight\nm,weight\ns,class\n", "a,b,y\nc,d,n\ne,w,n\n", "name,type,y\nage,int,a\nsex,str,b\n",
        "\"a, b\",1\n\"c, d\",2\n", "$1,2,no\n$2,3,yes\n", "mail,n,y\na@b.org,1,x\nc@d.org,2,z\n",
        "\"(1,2)\",x\n\"(2,3)\",y\n", "a~b,1,x\nc~d,2,y\ne~f,3,x\n", "1,\"{a}\"\n2,\"{b}\"\n",
        "text: x,1\ntext: y,2\n\ntext: z,3\n", "-1 | a b;\n1 | c d;\n", "1 1:2 #~a\n-1 1:3 #~b\n1 1:3 #~c\n"}) {
    const Reading rows = read_text(text);
    EXPECT_FALSE(rows.failed) << text << rows.error.what();
  }
  EXPECT_FALSE(read_text("> 1,0.5,no\n> 2,0.7,yes\n", {.format = DataFormat::csv}).failed);
}

TEST(Recognise, TextWithoutValuesIsNoSlip) {
  for (const char* text :
       {"word\n", "one\ntwo words\nand three words\n", "# a\nmy $x = {};\n", "a: b\n", "|\n", "a|\n"})
    EXPECT_EQ(stream::guess_formats(text).empty(), false) << read_text(text).error.what();
}

TEST(Recognise, TablesMayHoldColons) {
  for (const char* lines : {"10:30,11:45,yes\n08:15,09:10,no\n", "t,n,y\n2024-05-31 10:30,5,a\n2024-06-01 11:30,7,b\n",
                            "a,b\n1,2\n3,4\nx y:1,5\n", "t,n\n2024-05-31T10:30,5\n2024-06-01T11:30,7\n",
                            "a,http://x.org/1,c:\\d\nb,http://x.org/2,c:\\e\n", "name,ratio,class\nx,3:2,a\nlong,9,b\n",
                            "a,00:1b:44,y\nb,00:1c:45,n\n", "text,label\nnote: it works,a\nit: does not,b\n"}) {
    EXPECT_EQ(guess_formats(lines).front().format, DataFormat::csv) << lines;
    EXPECT_GT(guess_formats(lines).front().share, 0) << lines << guess_formats(lines).front().evidence;
  }
}

TEST(Recognise, TheBestAndTheSecondHaveEvidence) {
  const auto guesses = guess_formats(repeated("1 | one\n2 | two\n", 2));
  ASSERT_EQ(guesses.size(), 2U);
  EXPECT_EQ(guesses[0].evidence, "4 of 4 lines look like label |namespace name:value ...");
  EXPECT_EQ(guesses[1].evidence, "4 of 4 lines look like 2 values between bars");
  EXPECT_EQ(guess_formats("1 1:2\n").back().evidence, "1 of 1 values are name:value");
}

// Rows of two to five numbers and a label; names and labels hold marks of other formats where their own allows them.
class Writer {
 public:
  explicit Writer(unsigned seed) : random_(seed), columns_(2 + random_() % 4), rows_(3 + random_() % 30) {
    for (std::size_t c = 0; c < columns_; ++c) names_.push_back(nasty() + std::to_string(c));
    for (const char* label : {"yes", "no"}) labels_.push_back(random_() % 2 == 0 ? label : nasty() + label);
  }

  std::string text(DataFormat format) {
    std::string text = header(format);
    for (std::size_t i = 0; i < rows_; ++i) text += row(format, labels_[i % 2]);
    return text;
  }

 private:
  std::string nasty() {
    constexpr std::array<const char*, 12> pieces = {"a",   "1",  "x y",   "a:1", "p|q", "'r'",
                                                    "{s}", "@t", "\"u\"", "v,w", "# 1", "%"};
    return std::string(pieces[random_() % pieces.size()]);
  }
  std::string number() {
    return std::to_string(static_cast<int>(random_() % 2000) - 1000) + "." + std::to_string(random_() % 1000);
  }
  static std::string quoted(const std::string& text, char quote, bool twice) {
    std::string all(1, quote);
    for (const char c : text)
      all += c == quote || (!twice && c == '\\') ? std::string(1, twice ? quote : '\\') + c : std::string(1, c);
    return all + quote;
  }
  static std::string word(std::string text) {
    for (char& c : text) c = std::string_view(" :|,'\"#;").find(c) == std::string_view::npos ? c : '_';
    return text;
  }
  std::string header(DataFormat format) const {
    std::string text;
    if (format == DataFormat::csv) {
      for (const std::string& name : names_) text += quoted(name, '"', true) + ",";
      return text + "label\n";
    }
    if (format != DataFormat::arff) return text;
    text = "@relation 'a table'\n";
    for (const std::string& name : names_) text += "@attribute " + quoted(name, '\'', false) + " numeric\n";
    return text + "@attribute label {" + quoted(labels_[0], '\'', false) + "," + quoted(labels_[1], '\'', false) +
           "}\n@data\n";
  }
  std::string row(DataFormat format, const std::string& label) {
    std::string text = format == DataFormat::libsvm  ? word(label)
                       : format == DataFormat::vw    ? word(label) + " |n"
                       : format == DataFormat::jsonl ? "{"
                                                     : "";
    for (std::size_t c = 0; c < columns_; ++c) {
      if (format == DataFormat::libsvm) text += " " + std::to_string(c + 1) + ":" + number();
      if (format == DataFormat::vw) text += " " + word(names_[c]) + ":" + number();
      if (format == DataFormat::jsonl) text += quoted(names_[c], '"', false) + ": " + number() + ", ";
      if (format == DataFormat::csv || format == DataFormat::arff) text += number() + ",";
    }
    if (format == DataFormat::csv) text += quoted(label, '"', true);
    if (format == DataFormat::arff) text += quoted(label, '\'', false);
    if (format == DataFormat::jsonl) text += "\"label\": " + quoted(label, '"', false) + "}";
    return text + "\n";
  }

  std::mt19937 random_;
  std::size_t columns_, rows_;
  Names names_, labels_;
};

TEST(Recognise, WhatAFormatWritesIsItself) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    for (const DataFormat format :
         {DataFormat::csv, DataFormat::libsvm, DataFormat::vw, DataFormat::arff, DataFormat::jsonl}) {
      const std::string text = Writer(seed).text(format);
      EXPECT_EQ(recognise_text(text), format) << text;
      EXPECT_FALSE(read_text(text).failed) << text << read_text(text).error.what();
    }
  }
}

// A damaged line is a bad row, not another format.
TEST(Recognise, ADamagedLineChangesNoFormat) {
  constexpr std::array<std::string_view, 6> damages = {"", "x", "1 2 3", "a,b,c,d,e,f,g", "{\"a\": 1}", "1 |n a:1"};
  for (unsigned seed = 0; seed < 60; ++seed) {
    for (const DataFormat format : {DataFormat::csv, DataFormat::libsvm, DataFormat::vw, DataFormat::jsonl}) {
      const std::string text = Writer(seed).text(format);
      std::vector<std::size_t> begins = {0};
      for (std::size_t i = 0; i + 1 < text.size(); ++i) {
        if (text[i] == '\n') begins.push_back(i + 1);
      }
      for (const std::size_t at : {std::size_t{0}, begins.size() / 2, begins.size() - 1}) {
        for (const std::string_view damage : damages) {
          std::string damaged = text;
          damaged.replace(begins[at], text.find('\n', begins[at]) - begins[at], damage);
          const DataFormat found = recognise_text(damaged);
          EXPECT_TRUE(found == format || read_text(damaged).failed) << damaged;
        }
      }
    }
  }
}

}  // namespace
}  // namespace halfspace
