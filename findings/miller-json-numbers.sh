#!/bin/sh
# Miller 6.6.0 (Debian 12, miller 6.6.0-2+b3), from CSV to JSON.
#
# Guess, before it was run: whatever the CSV file holds, `mlr --icsv --ojson cat` writes valid JSON, with 007 as 7 or
# "007".
# Seen: what Miller takes for a number is written as it was read, without quotes: 0xff, 0b11, .5 and 5. are no JSON, and
# the next program rejects the file. 007 and +5 are quoted, and arithmetic on 007 gives (error), with status 0.
#
# What it means: check the output with a parser of JSON; write codes and identifiers with -S, or quote them by a
# function.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get -q download miller=6.6.0-2+b3 >apt.log 2>&1 || { cat apt.log >&2; exit 2; }
for package in *.deb; do dpkg-deb -x "$package" root; done
export MLR="$PWD/root/usr/bin/mlr"
python3 - <<'CHECK'
import json
import os
import subprocess

def convert(text, *verb):
    run = subprocess.run([os.environ["MLR"], "--icsv", "--ojson", *(verb or ["cat"])], input=f"x\n{text}\n", text=True,
                         capture_output=True, check=True)
    return run.stdout

seen = {}
for text in "0xff", "0b11", ".5", "5.", "1e5", "007", "+5", "NaN":
    written = convert(text).split(":")[1].split("\n")[0].strip()
    try:
        json.loads(convert(text))
        seen[text] = "valid"
    except json.JSONDecodeError:
        seen[text] = "not JSON"
    print(f"{text}: written as {written}, {seen[text]}")
invalid = [text for text, state in seen.items() if state != "valid"]
assert invalid == ["0xff", "0b11", ".5", "5."], "other numbers are valid now"
sum_of_007 = convert("007", "put", "$x = $x + 1")
print("007 + 1:", sum_of_007.split(":")[1].split("\n")[0].strip())
assert "(error)" in sum_of_007, "007 is a number now"
CHECK
