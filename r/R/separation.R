# Which coefficients of a logistic regression are infinite, proved by the library.

kinds <- c("overlap", "quasi-complete", "complete")
estimates <- c("finite", "+infinite", "-infinite", "undetermined", "undecided", "aliased")

# Links whose inverse grows from 0 to 1 over the whole line: separation is the same for all of them.
links <- c("logit", "probit", "cloglog", "cauchit")

separation <- function(object, ...) UseMethod("separation")

separation.formula <- function(object, data, weights, subset, na.action, contrasts = NULL, seconds = 0, ...) {
  refuse_arguments(...)
  call <- match.call()
  frame <- call[c(1L, match(c("object", "data", "weights", "subset", "na.action"), names(call), 0L))]
  names(frame)[names(frame) == "object"] <- "formula"
  frame$drop.unused.levels <- TRUE
  frame[[1L]] <- quote(stats::model.frame)
  frame <- eval(frame, parent.frame())
  x <- model.matrix(terms(frame), frame, contrasts)
  separation_of(x, response_of(model.response(frame), model.weights(frame)), seconds, match.call())
}

separation.glm <- function(object, seconds = 0, ...) {
  refuse_arguments(...)
  if (inherits(object, "gam") && length(object$smooth) + length(object$sp) > 0L) {
    stop("the fit has penalised terms, and penalties are not taken into account: give a fit without", call. = FALSE)
  }
  if (is.null(object$family)) {
    stop("the fit of ", class(object)[1L], "() keeps no family: give its formula and data, separation(formula(fit), data)",
         call. = FALSE)
  }
  check_family(family(object))
  x <- model.matrix(object)
  y <- object$y
  if (is.null(y)) {
    stop("the fit does not keep its response: fit it with y = TRUE", call. = FALSE)
  }
  separation_of(x, list(share = as.double(y), weights = as.double(object$prior.weights)), seconds, match.call())
}

separation.default <- function(object, y, weights = NULL, seconds = 0, ...) {
  refuse_arguments(...)
  x <- tryCatch(as.matrix(object), error = function(e) object)
  if (!is.numeric(x) && !is.logical(x)) {
    stop("the design is a ", class(x)[1L], ", not numbers: give a formula and data", call. = FALSE)
  }
  if (is.null(colnames(x)) && ncol(x) > 0L) {
    colnames(x) <- paste0("x", seq_len(ncol(x)))
  }
  separation_of(x, response_of(y, weights), seconds, match.call())
}

refuse_arguments <- function(...) {
  if (...length() > 0L) {
    given <- names(list(...))
    stop("unknown argument", if (!is.null(given)) paste0(" '", given[1L], "'"), "; see help(separation)", call. = FALSE)
  }
}

# Returns the call of a method as one of the generic.
as_typed <- function(call) {
  call[[1L]] <- quote(separation)
  call
}

check_family <- function(family) {
  if (!family$family %in% c("binomial", "quasibinomial")) {
    stop("the family is ", family$family, ", not binomial", call. = FALSE)
  }
  if (!family$link %in% links) {
    stop("the link '", family$link, "' has no answer here, only ", paste(links, collapse = ", "),
         ": where the probability reaches 0 or 1 at a finite score, other data make coefficients infinite",
         call. = FALSE)
  }
}

# Returns the share of successes and the weight of each row, as glm() reads a binomial response.
response_of <- function(y, weights) {
  if (is.null(y)) {
    stop("there is no response: give y ~ x", call. = FALSE)
  }
  counts <- NULL
  if (is.matrix(y) && ncol(y) == 2L) {
    if (anyNA(y) || any(y < 0)) {
      stop("a count of successes or failures is negative or missing", call. = FALSE)
    }
    counts <- y[, 1L] + y[, 2L]
    share <- ifelse(counts > 0, y[, 1L] / counts, 0)
  } else if (is.factor(y)) {
    share <- as.double(y != levels(y)[1L])
  } else if (is.character(y)) {
    stop("the response is a text: make it a factor, whose first level is failure", call. = FALSE)
  } else {
    share <- as.double(y)
  }
  if (anyNA(share) || any(share < 0 | share > 1)) {
    stop("the response is not between 0 and 1 in every row", call. = FALSE)
  }
  list(share = share, weights = weights_of(weights, counts, length(share)))
}

weights_of <- function(weights, counts, rows) {
  if (is.null(weights)) {
    weights <- rep(1, rows)
  }
  if (!is.numeric(weights) || length(weights) != rows || anyNA(weights) || any(weights < 0)) {
    stop("weights are numbers from 0 on, one a row", call. = FALSE)
  }
  if (is.null(counts)) as.double(weights) else as.double(weights * counts)
}

# Asks the library. A row with successes and failures is two rows.
separation_of <- function(x, response, seconds, call) {
  if (ncol(x) == 0L) {
    stop("the model has no coefficients", call. = FALSE)
  }
  if (nrow(x) != length(response$share)) {
    stop("the design has ", nrow(x), " rows, the response ", length(response$share), call. = FALSE)
  }
  failures <- which(response$weights > 0 & response$share < 1)
  successes <- which(response$weights > 0 & response$share > 0)
  origin <- c(failures, successes)
  class <- rep(c(0L, 1L), c(length(failures), length(successes)))
  origin <- origin[order(c(failures, successes), class)]
  class <- class[order(c(failures, successes), class)]
  if (length(origin) == 0L) {
    stop("there are no rows whose weight is above 0", call. = FALSE)
  }
  names <- colnames(x)
  design <- unname(x[origin, , drop = FALSE])
  storage.mode(design) <- "double"
  attributes(design) <- list(dim = dim(design))
  library_names <- make.unique(enc2utf8(names))
  found <- .Call(C_separation, design, class, library_names, as.double(seconds))
  structure(list(
    kind = if (is.null(found)) "undecided" else kinds[found$kind + 1L],
    estimates = if (is.null(found)) character() else structure(estimates[found$estimates + 1L], names = names),
    outcome = if (is.null(found)) NA else found$kind > 0L,
    complete = if (is.null(found)) NA else found$kind == 2L,
    separated_rows = if (is.null(found)) NA_real_ else found$separated_rows,
    rows = if (is.null(found)) integer() else sort(unique(origin[found$rows])),
    rows_are_separated = if (is.null(found)) NA else found$rows_are_separated,
    certificate = found$certificate,
    notes = if (is.null(found)) character() else found$notes,
    nobs = length(origin),
    contrasts = attr(x, "contrasts"),
    design = design, class = class, names = library_names, call = as_typed(call)
  ), class = "separation")
}

coef.separation <- function(object, ...) {
  limit <- c(0, Inf, -Inf, NaN, NaN, NA_real_)[match(object$estimates, estimates)]
  structure(limit, names = names(object$estimates))
}

# ---- For people ----

arrows <- function(estimate) {
  shown <- c("\u2191", "\u2193", "\u2195")
  if (!isTRUE(l10n_info()[["UTF-8"]])) shown <- c("^", "v", "?")
  c("", shown, shown[3L], "")[match(estimate, estimates)]
}

headline <- function(x) {
  number <- function(n) format(n, big.mark = ",")
  switch(x$kind,
    "overlap" = "Overlap: the maximum-likelihood fit exists.",
    "quasi-complete" = paste0("Quasi-complete separation: a hyperplane separates ", number(x$separated_rows), " of ",
                              number(x$nobs), " rows, and the others are on it."),
    "complete" = paste0("Complete separation: a hyperplane separates all ", number(x$nobs), " rows."),
    "Undecided: time or memory ran out; more seconds may decide it.")
}

coding <- function(contrasts) {
  named <- vapply(contrasts, function(one) if (is.character(one)) one else "a matrix", "")
  paste0("Contrasts: ", paste0(names(contrasts), " ", named, collapse = ", "), ".")
}

print_lines <- function(text) cat(strwrap(text, width = getOption("width"), exdent = 2L), sep = "\n")

print.separation <- function(x, ...) {
  print_lines(headline(x))
  if (length(x$estimates) > 0L) {
    cat(paste0("  ", format(encodeString(names(x$estimates))), "  ", format(arrows(x$estimates), width = 1L), " ", x$estimates),
        sep = "\n")
  }
  if (length(x$contrasts) > 0L) print_lines(coding(x$contrasts))
  for (note in x$notes) print_lines(note)
  if (x$kind != "undecided") {
    print_lines("Proved for the shortest decimals of the numbers in the design: 0.1 is 1/10.")
  }
  invisible(x)
}

summary.separation <- function(object, ...) {
  table <- data.frame(estimate = unname(object$estimates), limit = unname(coef(object)),
                      row.names = make.unique(as.character(names(object$estimates))), stringsAsFactors = FALSE)
  structure(list(separation = object, coefficients = table), class = "summary.separation")
}

print.summary.separation <- function(x, ...) {
  found <- x$separation
  cat("Call:\n", paste(deparse(found$call), collapse = "\n"), "\n\n", sep = "")
  print_lines(headline(found))
  print(x$coefficients)
  for (note in found$notes) print_lines(note)
  if (length(found$rows) > 0L) {
    where <- if (found$rows_are_separated) "Rows off the hyperplane: " else "Rows on the hyperplane: "
    print_lines(paste0(where, paste(found$rows, collapse = ", ")))
  }
  invisible(x)
}

# ---- Proofs ----

write_proof <- function(object, certificate, data) {
  if (!inherits(object, "separation") || is.null(object$certificate)) {
    stop("there is no proof to write: give what separation() returned, if it is decided", call. = FALSE)
  }
  .Call(C_write_rows, object$design, object$class, object$names, path.expand(data))
  writeLines(object$certificate, certificate, sep = "", useBytes = TRUE)
  invisible(object)
}

verify_separation <- function(certificate, data) {
  text <- readChar(certificate, file.size(certificate), useBytes = TRUE)
  Encoding(text) <- "UTF-8"
  structure(.Call(C_verify, text, path.expand(data)), class = "verified_separation")
}

print.verified_separation <- function(x, ...) {
  cat(attr(x, "text"))
  invisible(x)
}
