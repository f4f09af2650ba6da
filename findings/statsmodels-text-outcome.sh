#!/bin/sh
# statsmodels 0.13.5 (Debian 12, python3-statsmodels 0.13.5+dfsg-7) and R 4.2.2 (r-base-core 4.2.2.20221110-2).
#
# Guess, noted after the first run: glm of `outcome ~ x` with the texts "no" and "yes" models the probability of yes,
# the last in order, in both; an outcome of 0 and 2 is an error.
# Seen: statsmodels models the first, "no": every coefficient has the opposite sign of R's. With 0 and 2 it returns
# slopes of 1e15 without an error; R stops.
#
# What it means: code the outcome as 0 and 1 before statsmodels sees it.
set -eu

installed() { [ "$(dpkg-query -W -f '${Version}' "$1" 2>/dev/null)" = "$2" ] || { echo "needs $1 $2" >&2; exit 2; }; }
installed python3-scipy 1.10.1-2
installed python3-pandas 1.5.3+dfsg-2
installed r-base-core 4.2.2.20221110-2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get -q download python3-statsmodels=0.13.5+dfsg-7 python3-statsmodels-lib=0.13.5+dfsg-7 python3-patsy=0.5.3-1 \
  >apt.log 2>&1 || { cat apt.log >&2; exit 2; }
for package in *.deb; do dpkg-deb -x "$package" root; done
printf 'x,outcome,coded\n1,no,0\n2,no,0\n3,yes,2\n4,no,0\n5,yes,2\n6,yes,2\n' >data.csv
PYTHONPATH=$PWD/root/usr/lib/python3/dist-packages /usr/bin/python3 -W ignore - <<'PROGRAM' | tee python.seen
import pandas
import statsmodels.api as sm
data = pandas.read_csv("data.csv")
for outcome in "outcome", "coded":
    fit = sm.GLM.from_formula(f"{outcome} ~ x", data, family=sm.families.Binomial()).fit()
    print(f"statsmodels {outcome} {fit.params['x']:.4g}")
PROGRAM
Rscript --vanilla - <<'PROGRAM' | tee r.seen
data <- read.csv("data.csv", stringsAsFactors = TRUE)
cat(sprintf("R outcome %.4g\n", coef(glm(outcome ~ x, binomial, data))["x"]))
cat("R coded", tryCatch({ glm(coded ~ x, binomial, data); "fits" }, error = function(e) "stops"), "\n")
PROGRAM
python3 - <<'CHECK'
seen = dict(line.rsplit(None, 1) for name in ("python.seen", "r.seen") for line in open(name))
python, r = float(seen["statsmodels outcome"]), float(seen["R outcome"])
assert r > 0 and abs(python + r) < 1e-3 * r, "the signs agree now"
assert abs(float(seen["statsmodels coded"])) > 1e10 and seen["R coded"] == "stops", "0 and 2 are read otherwise now"
CHECK
