#!/bin/sh
# e1071 1.7-13 (Debian 12, r-cran-e1071 1.7-13-1) with R 4.2.2 (r-base-core 4.2.2.20221110-2).
#
# Guess, before it was run: the sign of decision.values and of coef() follows the levels of the factor.
# Guess, noted after the first run: predict() returns a value for every row.
# Seen: it follows the class of the first row: the same rows in reverse have the opposite signs, with the levels
# unchanged. Rows with a missing value have no prediction: three rows give two values, which bind to the wrong rows
# later.
#
# What it means: read the sign from the name of the column, "no/yes" or "yes/no"; predict the complete.cases() only, and
# fill in the rest by index.
set -eu

installed() { [ "$(dpkg-query -W -f '${Version}' "$1" 2>/dev/null)" = "$2" ] || { echo "needs $1 $2" >&2; exit 2; }; }
installed r-base-core 4.2.2.20221110-2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get -q download r-cran-e1071=1.7-13-1 r-cran-proxy=0.4-27-1 r-cran-class=7.3-21-1 >apt.log 2>&1 ||
  { cat apt.log >&2; exit 2; }
for package in *.deb; do dpkg-deb -x "$package" root; done
R_LIBS=$PWD/root/usr/lib/R/site-library:$PWD/root/usr/lib/R/library Rscript --vanilla - <<'PROGRAM'
library(e1071)
x <- matrix(c(1, 2, -1, -2))
y <- factor(c("no", "no", "yes", "yes"))
decide <- function(order) {
  model <- svm(x[order, , drop = FALSE], y[order], kernel = "linear", scale = FALSE)
  predicted <- predict(model, rbind(1, NA, -1), decision.values = TRUE)
  print(attr(predicted, "decision.values"))
  list(classes = as.character(predicted), values = attr(predicted, "decision.values"))
}
forward <- decide(1:4)
reverse <- decide(4:1)
cat("predictions of three rows:", length(forward$classes), "\n")
stopifnot("predictions differ" = forward$classes == reverse$classes,
          "the sign follows the levels now" = all(forward$values == -reverse$values),
          "rows with missing values are predicted now" = length(forward$classes) == 2)
PROGRAM
