#!/bin/sh
# R 4.2.2 (Debian 12, r-base-core 4.2.2.20221110-2), data.table 1.14.8 (r-cran-data.table 1.14.8+dfsg-1), bit64 4.0.5
# (r-cran-bit64 4.0.5-1).
#
# Guess, before it was run: whole numbers above 2^31, which fread() keeps as integer64, become doubles in a model's
# matrix.
# Seen: their bits are taken for doubles: 1700000000000 is 8.4e-312 in model.matrix(), as.matrix() and unlist(), and
# lm() has no coefficient for them. mean() and sd() are right, so that a look at the column shows nothing.
#
# What it means: times in milliseconds are such numbers; call fread(integer64 = "double").
set -eu

installed() { [ "$(dpkg-query -W -f '${Version}' "$1" 2>/dev/null)" = "$2" ] || { echo "needs $1 $2" >&2; exit 2; }; }
installed r-base-core 4.2.2.20221110-2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get -q download r-cran-data.table=1.14.8+dfsg-1 r-cran-bit64=4.0.5-1 r-cran-bit=4.0.5-1 >apt.log 2>&1 ||
  { cat apt.log >&2; exit 2; }
for package in *.deb; do dpkg-deb -x "$package" root; done
R_LIBS=$PWD/root/usr/lib/R/site-library Rscript --vanilla - <<'PROGRAM'
suppressMessages({ library(data.table); library(bit64) })
text <- "time,y\n1700000000000,1\n1800000000000,2\n1900000000000,4\n"
data <- fread(text = text)
plain <- fread(text = text, integer64 = "double")
matrix <- model.matrix(~time, data)[, "time"]
slope <- coef(lm(y ~ time, data))["time"]
print(list(class = class(data$time), mean = mean(data$time), sd = sd(data$time), model.matrix = matrix, slope = slope,
           slope_of_doubles = coef(lm(y ~ time, plain))["time"]))
stopifnot("integer64 is converted now" = all(matrix < 1e-300) && is.na(slope),
          "doubles have no slope now" = !is.na(coef(lm(y ~ time, plain))["time"]))
PROGRAM
