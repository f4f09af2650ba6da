"""Generated tables with names and values that databases treat in different ways, and the flags to train on them."""

import csv
import io
import math

NAMES = ["age", "select", "a\"b", "it's", "a`b", "x1", "b0", "größe", "a.b", "a;--b", "*/", "new\nline", "100%", "?", ":x",
         "$1", "\\", "log(x)", "a,b", "日本", " before", "k0", "Order By", "NULL", "[x]", "{0}", "tab\there", "#", "@v", "e0_0",
         "a=b", "c:d"]
TEXTS = ["red", "Red", "RED", "red ", " red", "réd", "re\u0301d", "it's", "\"", "\\", "\\n", "a\nb", "NULL", "0", "1.0", "true",
         "😀", "%", "_", "';--", "x\ty", "ß", "ss", "$$", ":x", "X'00'", "\\'", "straße", "STRASSE", "I", "ı"]
MISSING = [None, None, "", "?", "NA", "null"]
LABELS = ["no", "yes", "it's", "\\", "größer", "NULL", "Yes", "1", "0", "-1", "\"quoted\"", "b ", "😀"]
KEY = "row id"


class Table:
    """Columns {name: "number", "whole" or "text"}, and rows {name: value}, of int, float, str and None."""

    def __init__(self, draws, rows=40):
        names = draws.sample(NAMES, draws.randint(1, 14))
        self.columns = {name: draws.choice(["number", "number", "whole", "text", "text"]) for name in names}
        self.labels = draws.sample(LABELS, draws.choice([2, 2, 2, 3, 5]))
        scales = {name: 10.0 ** draws.choice([0, 0, 0, 0, 2, -2, 6, -6, 0, 0, 0, 60, -60, -308]) for name in names}
        texts = {name: draws.sample(TEXTS, draws.randint(2, 8)) + [draws.choice(MISSING)] for name in names}
        self.rows = []
        for i in range(rows):
            row = {KEY: i}
            for name, kind in self.columns.items():
                row[name] = draws.choice(texts[name]) if kind == "text" else self.number(draws, kind, scales[name])
            row["y"] = self.labels[i % len(self.labels)]
            self.rows.append(row)
        # A column of texts that are all numbers would be one of numbers.
        for name, kind in self.columns.items():
            if kind == "text":
                self.rows[0][name], self.rows[1][name] = "red", "Red"

    @staticmethod
    def number(draws, kind, scale):
        if draws.random() < 0.1:
            return None
        if kind == "whole":
            return draws.choice([draws.randint(-9, 9), draws.randint(-9, 9), draws.randint(-2**62, 2**62), 2**53 + 1])
        return draws.choice([lambda: draws.gauss(0, 1) * scale, lambda: round(draws.gauss(0, 10), 1), lambda: 0.0, lambda: -0.0,
                             lambda: draws.randint(-5, 5) * scale, lambda: draws.random() * scale,
                             lambda: math.ldexp(draws.randint(-9, 9), draws.randint(-40, 40))])()

    def new_rows(self, draws):
        """Changes some rows into ones with categories that the model has not seen, and more missing values."""
        for row in self.rows[::3]:
            for name, kind in self.columns.items():
                if draws.random() < 0.3:
                    values = TEXTS + MISSING if kind == "text" else [None, -0.0, 0.1, 1e-310, 7]
                    row[name] = draws.choice(values)
                    if kind == "whole" and isinstance(row[name], float):
                        row[name] = 3

    def csv(self):
        text = io.StringIO()
        writer = csv.writer(text, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
        writer.writerow([KEY, *self.columns, "y"])
        for row in self.rows:
            text.write(",".join(cell(row[name]) for name in (KEY, *self.columns, "y")) + "\n")
        return text.getvalue()

    def flags(self, draws):
        """Flags of train: two in three of the tables have products, three in four calibrated probabilities."""
        two = len(self.labels) == 2
        flags = ["--label", "y", "--id", KEY, "--seed", str(draws.randint(0, 99))]
        flags += ["--rule", draws.choice(["perceptron", "pa1", "arow", "adagrad"] if two else ["multiclass"])]
        flags += ["--bias", draws.choice(["first", "last", "none"])] + ["--tie", draws.choice(["positive", "negative"])]
        flags += ["--bias-scale", draws.choice(["1", "0.3", "1"])] if flags[-3] != "none" else []
        flags += ["--keep", draws.choice(["last", "average"]), "--passes", "3", "--order", "cyclic"]
        flags += draws.choice([[], ["--normalize", "column"]])
        flags += draws.choice([[], ["--folds", "2", "--calibrate", "platt"], ["--folds", "2", "--calibrate", "isotonic"],
                               ["--folds", "2", "--calibrate", "platt" if two else "temperature"]])
        pairs = []
        for _ in range(draws.choice([0, 1, 3])):
            pair = draws.sample(list(self.columns), 2) if len(self.columns) > 1 else []
            if pair and not any("," in name for name in pair):
                pairs.append(":".join(pair))
        return flags + (["--interactions", ",".join(sorted(set(pairs)))] if pairs else [])


def cell(value):
    if value is None:
        return ""
    return '"' + value.replace('"', '""') + '"' if isinstance(value, str) else repr(value)


def quoted(database, name):
    return "`" + name.replace("`", "``") + "`" if database.dialect == "mysql" else '"' + name.replace('"', '""') + '"'


def literal(database, value):
    if value is None:
        return "NULL"
    if isinstance(value, str):
        text = value.encode().hex()
        return {"postgresql": f"convert_from(decode('{text}', 'hex'), 'UTF8')", "mysql": f"CONVERT(X'{text}' USING utf8mb4)",
                "sqlite": f"CAST(X'{text}' AS TEXT)", "duckdb": "'" + value.replace("'", "''") + "'"}[database.dialect]
    if isinstance(value, int):
        return str(value)
    return {"postgresql": f"'{value!r}'::float8", "mysql": f"{value!r}" + ("" if "e" in repr(value) else "e0"),
            "duckdb": f"'{value!r}'::DOUBLE"}[database.dialect]


def load(database, table, name="data"):
    """Makes a table of a database."""
    types = {"number": "DOUBLE PRECISION", "whole": "BIGINT", "text": "TEXT"}
    columns = ", ".join([quoted(database, KEY) + " BIGINT"] +
                        [quoted(database, column) + " " + types[kind] for column, kind in table.columns.items()])
    database.run("DROP VIEW IF EXISTS predictions")
    database.run(f"DROP TABLE IF EXISTS {name} {'CASCADE' if database.dialect != 'sqlite' else ''}")
    database.run(f"CREATE TABLE {name} ({columns})")
    names = (KEY, *table.columns)
    if database.dialect == "sqlite":  # its literals are not exact
        database.connection.executemany(f"INSERT INTO {name} VALUES ({', '.join('?' * len(names))})",
                                        [[row[column] for column in names] for row in table.rows])
        return
    rows = ",\n".join("(" + ", ".join(literal(database, row[column]) for column in names) + ")" for row in table.rows)
    database.run(f"INSERT INTO {name} VALUES {rows}")
