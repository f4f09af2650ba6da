# The published sets, codings, responses, refusals, proofs. An error fails the check.
library(halfspace)

same <- function(found, expected) {
  if (!identical(found, expected)) {
    stop("found ", paste(deparse(found), collapse = " "), ", expected ", paste(deparse(expected), collapse = " "))
  }
}
refused <- function(expression, words) {
  message <- tryCatch({
    force(expression)
    ""
  }, error = conditionMessage)
  if (!grepl(words, message, fixed = TRUE)) stop("not refused with '", words, "' but '", message, "'")
}

# ---- Published sets ----

# Silvapulle (1981): quasi-complete, on the score 2.
silvapulle <- data.frame(ghqs = rep(c(0, 1, 2, 4, 5, 7, 10), c(18, 8, 2, 1, 3, 2, 1)),
                         y = factor(c(rep("none-case", 26), "case", "none-case", rep("case", 7)),
                                    levels = c("none-case", "case")))
found <- separation(y ~ ghqs, data = silvapulle)
same(found$kind, "quasi-complete")
same(coef(found), c("(Intercept)" = -Inf, ghqs = Inf))
same(found$separated_rows, 33)
same(found$rows, 27:28)
same(found$rows_are_separated, FALSE)
fit <- suppressWarnings(glm(y ~ ghqs, binomial, silvapulle))
same(coef(separation(fit)), coef(found))
for (link in c("probit", "cloglog", "cauchit")) {
  fit <- suppressWarnings(glm(y ~ ghqs, binomial(link), silvapulle))
  same(coef(separation(fit)), coef(found))
}

# Schoener (1970): perches of two species of lizards, counts in a cross table; overlap.
lizards <- data.frame(
  grahami = c(20, 8, 4, 13, 8, 12, 8, 4, 5, 6, 1, 34, 69, 18, 31, 55, 13, 17, 60, 8, 12, 21, 4),
  opalinus = c(2, 1, 4, 0, 0, 0, 3, 1, 3, 0, 1, 11, 20, 10, 5, 4, 3, 15, 32, 8, 1, 5, 4),
  height = factor(c(rep(c("<5ft", ">=5ft"), each = 3), rep("<5ft", 3), rep(">=5ft", 2),
                    rep(c("<5ft", ">=5ft", "<5ft", ">=5ft"), each = 3)), levels = c("<5ft", ">=5ft")),
  diameter = factor(rep(c("<=2in", ">2in", "<=2in", ">2in"), c(6, 5, 6, 6)), levels = c("<=2in", ">2in")),
  light = factor(rep(c("sunny", "shady"), c(11, 12)), levels = c("sunny", "shady")),
  time = factor(c("early", "midday", "late")[c(rep(1:3, 3), 1, 3, rep(1:3, 4))], levels = c("early", "midday", "late")))
model <- cbind(grahami, opalinus) ~ height + diameter + light + time
found <- separation(model, data = lizards)
same(found$kind, "overlap")
same(found$outcome, FALSE)
same(unname(coef(found)), rep(0, 6))
fit <- glm(model, binomial, lizards)
same(names(coef(found)), names(coef(fit)))
same(coef(separation(fit)), coef(found))
share <- glm(grahami / (grahami + opalinus) ~ height + diameter + light + time, binomial, lizards,
             weights = grahami + opalinus)
same(coef(separation(share)), coef(found))

# ---- Coding and aliased columns ----

table <- data.frame(group = factor(c("a", "a", "b", "b", "c", "c")), y = c(0, 1, 0, 1, 1, 1))
found <- separation(y ~ group, data = table)
same(coef(found), c("(Intercept)" = 0, groupb = 0, groupc = Inf))
same(found$rows, 5:6)
same(coef(separation(y ~ group, table, contrasts = list(group = contr.treatment(3, base = 3)))),
     c("(Intercept)" = Inf, group1 = -Inf, group2 = -Inf))
sums <- separation(y ~ group, table, contrasts = list(group = "contr.sum"))
same(unname(coef(sums)), c(Inf, -Inf, -Inf))
same(any(grepl("contr.sum", capture.output(sums), fixed = TRUE)), TRUE)
same(coef(separation(y ~ 0 + group, data = table)), c(groupa = 0, groupb = 0, groupc = Inf))
aliased <- separation(y ~ group + I(2 * (group == "c")), data = table)
same(unname(coef(aliased)), c(0, 0, Inf, NA))
same(unname(aliased$estimates[4]), "aliased")
same(is.nan(unname(coef(aliased)[4])), FALSE)

# Three rows in general position are separated whatever their classes; a direction of separation may have either sign.
free <- separation(cbind(c(1, 0, 0), c(0, 1, 0), c(1, 1, 1)), c(0, 1, 1))
same(free$kind, "complete")
same(coef(free), c(x1 = -Inf, x2 = NaN, x3 = Inf))
same(unname(free$estimates[2]), "undetermined")

# ---- Responses and weights ----

x <- cbind(one = 1, x = c(-1, 0, 1, 2))
overlap <- c(0, 1, 0, 1)
same(separation(x, overlap)$kind, "overlap")
for (y in list(factor(overlap), overlap == 1, cbind(overlap, 1 - overlap))) {
  same(separation(x, y)$kind, "overlap")
}
same(separation(x, overlap, weights = c(1, 0, 2, 1))$kind, "complete")
same(separation(x, overlap, weights = c(1, 0, 2, 1))$nobs, 3L)
same(separation(x, overlap, weights = c(1, 1, 0, 1))$kind, "complete")
left_out <- suppressWarnings(glm(overlap ~ x[, 2], binomial, weights = c(1, 1, 0, 1)))
same(separation(left_out)$kind, "complete")
same(separation(x, cbind(c(0, 2, 0, 1), c(3, 0, 0, 0)))$kind, "complete")  # a row without trials
same(separation(x, c(0, 0, 0, 0))$kind, "complete")
same(coef(separation(x, c(0, 0, 0, 0)))[["one"]], -Inf)
same(coef(separation(x, c(1, 1, 1, 1)))[["one"]], Inf)
names <- c("y", "a, \"b\"", "c\nd", "\u00e9")
hostile <- separation(matrix(c(1, 1, 1, 1, overlap, 1:4, 0, 0, 0, 0), 4, dimnames = list(NULL, names)), overlap)
same(names(coef(hostile)), names)
same(length(capture.output(print(hostile))), 6L)
same(unname(hostile$estimates[4]), "aliased")

# Fits of other packages that are a glm by class: mgcv's gam without a smooth term is one, with one it is another model.
of_gam <- suppressWarnings(glm(y ~ group, binomial, table))
class(of_gam) <- c("gam", class(of_gam))
same(separation(of_gam)$estimates, separation(y ~ group, table)$estimates)

# Columns that only rounding tells apart. The second have names that JSON escapes.
share <- c(0.1, 0.2, 0.3, 0.15, 0.25, 0.05, 0.7)
shares <- data.frame(y = c(0, 1, 0, 1, 1, 0, 1), a = share, b = 1 - share)
nearly <- separation(y ~ a + b, shares)
same(nearly$kind, "quasi-complete")
same(startsWith(nearly$notes[1], "Only rounding tells b from (Intercept) - a: they differ by "), TRUE)
same(length(nearly$notes), 2L)
same(any(grepl("rows then overlap", capture.output(print(nearly)))), TRUE)
nearly <- separation(matrix(c(rep(1, 7), share, 1 - share), 7, dimnames = list(NULL, c("one", "a\\", "\u00e9 \"b\""))),
                     shares$y)
same(startsWith(nearly$notes[1], "Only rounding tells \u00e9 \"b\" from one - a\\: they differ by "), TRUE)
same(separation(x, overlap)$notes, character())

# ---- Refusals ----

of_gam$smooth <- list(1)
refused(separation(of_gam), "penalised terms")
of_lrm <- structure(list(coefficients = 1), class = c("lrm", "rms", "glm"))
setClass("glmerMod", slots = c(beta = "numeric"))
refused(separation(new("glmerMod")), "the design is a glmerMod, not numbers: give a formula and data")
refused(separation(of_lrm), "lrm() keeps no family: give its formula and data")
refused(separation(glm(grahami ~ time, poisson, lizards)), "the family is poisson")
refused(separation(glm(y ~ 1, binomial("log"), table)), "the link 'log'")
refused(separation(x, c(0, 1, 2, 1)), "between 0 and 1")
refused(separation(x, letters[1:4]), "factor")
refused(separation(x, overlap, weights = c(-1, 1, 1, 1)), "weights are numbers")
refused(separation(x, overlap, tolerance = 1), "'tolerance'")
refused(separation(y ~ 0, data = table), "no coefficients")
refused(separation(cbind(c(1, NaN)), c(0, 1)), "row")

# ---- Proofs and prints ----

certificate <- tempfile()
data <- tempfile()
found <- separation(y ~ ghqs, data = silvapulle)
write_proof(found, certificate, data)
same(as.vector(verify_separation(certificate, data)), TRUE)
same(any(grepl("^valid: ", capture.output(print(verify_separation(certificate, data))))), TRUE)
write_proof(hostile, certificate, data)
same(as.vector(verify_separation(certificate, data)), TRUE)
write_proof(separation(y ~ group, table), tempfile(), data)
same(as.vector(verify_separation(certificate, data)), FALSE)
shown <- capture.output(print(found))
same(any(grepl("ghqs +[^ ]+ +[+]infinite", shown)), TRUE)
same(any(grepl("33 of 35 rows", shown)), TRUE)
same(summary(found)$coefficients["ghqs", "limit"], Inf)
same(any(grepl("Rows on the hyperplane: 27, 28", capture.output(summary(found)))), TRUE)
