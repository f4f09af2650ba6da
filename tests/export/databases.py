"""Databases for tests: servers of their own in a folder of their own, stopped by process id, or None where there is none.

Each has run(sql), which runs a script, and rows(sql), which returns the rows of a query as lists of str, float and None.
"""

import csv
import glob
import io
import json
import os
import pwd
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def number(text):
    return None if text is None else float(text)


class Sqlite:
    name, dialect = "SQLite", "sqlite"

    def __init__(self):
        self.version = sqlite3.sqlite_version
        self.connection = sqlite3.connect(":memory:")

    def run(self, sql):
        self.connection.executescript(sql)

    def rows(self, sql, numbers=()):
        return [[row[i] for i in range(len(row))] for row in self.connection.execute(sql)]

    def stop(self):
        self.connection.close()


class Server:
    """A server in a temporary folder. A server refuses to run as root: there, it runs as the user `nobody`."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="halfspace-db-")
        self.user = {}
        if os.geteuid() == 0:
            nobody = pwd.getpwnam("nobody")
            os.chown(self.folder, nobody.pw_uid, nobody.pw_gid)
            self.user = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
        self.process = None

    def prepare(self, *words):
        self.checked(words, **self.user)

    def checked(self, words, **options):
        result = subprocess.run(words, capture_output=True, cwd=self.folder, **options)
        if result.returncode != 0:
            raise RuntimeError(f"{words[0]}: {result.stderr.decode(errors='replace')[-2000:]}")
        return result.stdout.decode()

    def start(self, *words):
        self.log = open(Path(self.folder) / "server.log", "wb")
        self.process = subprocess.Popen(words, stdout=self.log, stderr=self.log, cwd=self.folder, **self.user)
        for _ in range(600):
            try:
                return self.rows("SELECT 1")
            except RuntimeError as error:
                last = error
            if self.process.poll() is not None:
                break
            time.sleep(0.1)
        self.stop()
        raise RuntimeError(f"{words[0]} does not start: {last}")

    def stop(self):
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGINT if self.dialect == "postgresql" else signal.SIGTERM)
            self.process.wait(60)
        shutil.rmtree(self.folder, ignore_errors=True)


class PostgreSql(Server):
    name, dialect = "PostgreSQL", "postgresql"

    def __init__(self, programs):
        super().__init__()
        data = self.folder + "/data"
        self.prepare(programs + "/initdb", "-D", data, "-U", "test", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8",
                     "-N")
        self.psql = [programs + "/psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-h", self.folder, "-U", "test",
                     "postgres"]
        self.start(programs + "/postgres", "-D", data, "-k", self.folder, "-c", "listen_addresses=", "-c", "fsync=off")
        self.version = self.rows("SHOW server_version")[0][0].split()[0]

    def run(self, sql):
        return self.checked(self.psql, input=sql.encode(), env={**os.environ, "PGCLIENTENCODING": "UTF8"})

    def rows(self, sql, numbers=()):
        query = sql.strip().rstrip(";")
        if not query.startswith("SHOW"):
            query = f"COPY ({query}\n) TO STDOUT (FORMAT csv, NULL '\\N', FORCE_QUOTE *)"
        else:
            return [[self.checked([*self.psql, "-At"], input=query.encode()).strip()]]
        lines = csv.reader(io.StringIO(self.run(query + ";\n"), newline=""))
        return [[None if cell == "\\N" else float(cell) if i in numbers else cell for i, cell in enumerate(line)]
                for line in lines]


class MariaDb(Server):
    name, dialect = "MariaDB", "mysql"

    def __init__(self, programs):
        super().__init__()
        data, socket = self.folder + "/data", self.folder + "/socket"
        self.prepare(programs["mariadb-install-db"], "--no-defaults", "--datadir=" + data, "--skip-test-db",
                     "--auth-root-authentication-method=normal", "--skip-name-resolve")
        self.client = [programs["mariadb"], "--no-defaults", "--socket=" + socket, "-u", "root", "--batch",
                       "--skip-column-names", "--default-character-set=utf8mb4"]
        self.database = []
        self.start(programs["mariadbd"], "--no-defaults", "--datadir=" + data, "--socket=" + socket, "--skip-networking",
                   "--pid-file=" + self.folder + "/pid", "--innodb-flush-log-at-trx-commit=0")
        self.run("CREATE DATABASE test CHARACTER SET utf8mb4")
        self.database = ["test"]
        self.version = re.match(r"[\d.]+", self.rows("SELECT version()")[0][0])[0]

    def run(self, sql):
        return self.checked([*self.client, *self.database], input=sql.encode())

    def rows(self, sql, numbers=()):
        escapes = {"n": "\n", "t": "\t", "0": "\0", "\\": "\\"}

        def cell(text, i):
            if text == "NULL":
                return None
            return float(text) if i in numbers else re.sub(r"\\(.)", lambda m: escapes.get(m[1], m[1]), text)
        return [[cell(text, i) for i, text in enumerate(line.split("\t"))] for line in self.run(sql).split("\n")[:-1]]


DUCKDB = """
const { DuckDBInstance } = require(process.argv[1]);
(async () => {
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  const lines = require("readline").createInterface({ input: process.stdin });
  for await (const line of lines) {
    let answer;
    try {
      const { sql, rows } = JSON.parse(line);
      if (rows) {
        const shown = (value) => typeof value === "bigint" ? Number(value)
          : typeof value === "number" && !Number.isFinite(value) ? String(value) : value;
        answer = { rows: (await connection.runAndReadAll(sql)).getRows().map((row) => row.map(shown)) };
      } else {
        await connection.run(sql);
        answer = { rows: [] };
      }
    } catch (error) {
      answer = { error: String(error) };
    }
    process.stdout.write(JSON.stringify(answer, (key, value) => typeof value === "bigint" ? Number(value) : value) + "\\n");
  }
})();
"""


class DuckDb:
    name, dialect = "DuckDB", "duckdb"

    def __init__(self, node, package):
        self.process = subprocess.Popen([node, "-e", DUCKDB, "--", package], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True, encoding="utf-8")
        self.version = self.rows("SELECT version()")[0][0].lstrip("v")

    def ask(self, sql, rows):
        self.process.stdin.write(json.dumps({"sql": sql, "rows": rows}) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return answer["rows"]

    def run(self, sql):
        self.ask(sql, False)

    def rows(self, sql, numbers=()):
        return [[float(cell) if i in numbers and cell is not None else cell for i, cell in enumerate(row)]
                for row in self.ask(sql, True)]

    def stop(self):
        self.process.stdin.close()
        self.process.wait(60)


def postgresql():
    folders = sorted(glob.glob("/usr/lib/postgresql/*/bin"))
    found = shutil.which("initdb")
    folder = folders[-1] if folders else os.path.dirname(os.path.realpath(found)) if found else None
    return PostgreSql(folder) if folder and os.path.exists(folder + "/psql") else None


def mariadb():
    path = os.environ.get("PATH", "") + ":/usr/sbin"
    programs = {name: shutil.which(name, path=path) for name in ("mariadb", "mariadbd", "mariadb-install-db")}
    return MariaDb(programs) if all(programs.values()) else None


def duckdb():
    """HALFSPACE_NODE_MODULES names the folder in which `npm install @duckdb/node-api` was run."""
    node = shutil.which("node")
    package = Path(os.environ.get("HALFSPACE_NODE_MODULES", "."), "node_modules", "@duckdb", "node-api").absolute()
    return DuckDb(node, str(package)) if node and package.is_dir() else None


def all_there():
    """Returns the databases of this machine, and prints which are not there."""
    found = [Sqlite()]
    for name, make, what in (("PostgreSQL", postgresql, "tools/install-packages databases"),
                             ("MariaDB", mariadb, "tools/install-packages databases"),
                             ("DuckDB", duckdb, "npm install @duckdb/node-api, and name the folder in HALFSPACE_NODE_MODULES")):
        database = make()
        if database is None:
            print(f"SKIPPED, loudly: no {name}; {what}", file=sys.stderr)
        else:
            found.append(database)
    return found
