#!/usr/bin/python3 -B
"""Plays the adaptive rules in 60 digits, from the papers' formulas, and writes what they do: traces.json.

usage: rules.py write            writes traces.json beside this file
       rules.py check            exit status 1 unless that is what it would write

Nothing here is shared with the library: each class is a page of its paper. Rows are sums of eighths, so that doubles have
them exactly; among them are a row of zeros, rows of other weights, and a feature that comes late and large.
"""

import json
import pathlib
import random
import sys
from decimal import Decimal, getcontext

getcontext().prec = 60
ZERO, ONE, TWO, HALF = Decimal(0), Decimal(1), Decimal(2), Decimal("0.5")
TRACES = pathlib.Path(__file__).resolve().parent / "traces.json"


def dot(a, b):
    return sum((x * y for x, y in zip(a, b)), ZERO)


def slope(loss, margin):
    """-dl/dm of the losses of a margin."""
    if loss == "hinge":
        return ONE if margin < 1 else ZERO
    if loss == "squared-hinge":
        return TWO * (ONE - margin) if margin < 1 else ZERO
    return ONE / (ONE + margin.exp())


def followed(loss, margin, time):
    """How far a margin gets that follows the slope of its loss for so long (Karampatziakis, Langford 2011)."""
    if loss == "hinge":
        return min(time, max(ZERO, ONE - margin))
    if loss == "squared-hinge":
        return (ONE - margin) * (ONE - (-TWO * time).exp()) if margin < 1 else ZERO
    # m' = 1 / (1 + e^m): m + e^m grows as time does.
    goal, end = margin + margin.exp() + time, margin
    for _ in range(200):
        step = (end + end.exp() - goal) / (ONE + end.exp())
        end -= step
        if abs(step) < Decimal(10) ** -55:
            break
    return end - margin


class Linear:
    """Weights over the features and a constant coordinate at the end."""

    def __init__(self, size, **parameters):
        self.w = [ZERO] * size
        self.p = {name: value if name == "loss" else Decimal(value) for name, value in parameters.items()}

    def score(self, x):
        return dot(self.w, x)


class Ftrl(Linear):
    """McMahan et al. 2013, algorithm 1; the last coordinate, the bias, has no penalties."""

    def __init__(self, size, **parameters):
        super().__init__(size, **parameters)
        self.z, self.n = [ZERO] * size, [ZERO] * size

    def learn(self, x, y, weight):
        g = -weight * slope(self.p["loss"], y * self.score(x)) * y
        for i, value in enumerate(x):
            if value == 0:
                continue
            gradient = g * value
            sigma = ((self.n[i] + gradient**2).sqrt() - self.n[i].sqrt()) / self.p["alpha"]
            self.z[i] += gradient - sigma * self.w[i]
            self.n[i] += gradient**2
            free = i == len(x) - 1
            l1, l2 = (ZERO, ZERO) if free else (self.p["l1"], self.p["l2"])
            if abs(self.z[i]) <= l1:
                self.w[i] = ZERO
            else:
                bent = self.z[i] - l1.copy_sign(self.z[i])
                self.w[i] = -bent / ((self.p["beta"] + self.n[i].sqrt()) / self.p["alpha"] + l2)


class Nag(Linear):
    """Ross, Mineiro, Langford 2013, algorithm 2, its step that of a label of any weight; scores are of before."""

    def __init__(self, size, **parameters):
        super().__init__(size, **parameters)
        self.s, self.n, self.total, self.rounds = [ZERO] * size, [ZERO] * size, ZERO, ZERO

    def learn(self, x, y, weight):
        margin = y * self.score(x)
        g = slope(self.p["loss"], margin)
        if g == 0:
            return
        for i, value in enumerate(x):
            if abs(value) > self.s[i]:
                self.w[i] *= self.s[i] / abs(value)
                self.s[i] = abs(value)
            self.n[i] += weight * (g * value) ** 2
        seen = [i for i, value in enumerate(x) if value != 0]
        self.total += weight * sum(((x[i] / self.s[i]) ** 2 for i in seen), ZERO)
        self.rounds += weight
        d = self.p["rate"] * (self.rounds / self.total).sqrt()
        along = [x[i] / (self.s[i] * self.n[i].sqrt()) if i in seen else ZERO for i in range(len(x))]
        q = d * dot(along, x)
        a = d * followed(self.p["loss"], margin, q * weight) / q
        self.w = [w + a * y * step for w, step in zip(self.w, along)]


class Coin(Linear):
    """Orabona, Tommasi 2017, algorithm 2."""

    def __init__(self, size, **parameters):
        super().__init__(size, **parameters)
        self.theta, self.most, self.total, self.reward = ([ZERO] * size for _ in range(4))

    def learn(self, x, y, weight):
        g = weight * slope(self.p["loss"], y * self.score(x)) * y
        for i, value in enumerate(x):
            coin = g * value
            if coin == 0:
                continue
            self.most[i] = max(self.most[i], abs(coin))
            self.total[i] += abs(coin)
            self.reward[i] = max(ZERO, self.reward[i] + self.w[i] * coin)
            self.theta[i] += coin
            bound = self.most[i] * max(self.total[i] + self.most[i], self.p["alpha"] * self.most[i])
            self.w[i] = self.theta[i] / bound * (self.most[i] + self.reward[i])


class Confidence(Linear):
    """Variances, of a diagonal Gaussian."""

    def __init__(self, size, **parameters):
        super().__init__(size, **parameters)
        self.v = [ONE] * size

    def variance(self, x):
        return sum((v * value**2 for v, value in zip(self.v, x)), ZERO)

    def move(self, x, along, shrink):
        for i, value in enumerate(x):
            self.w[i] += along * self.v[i] * value
            self.v[i] -= shrink * (self.v[i] * value) ** 2


def soft_confidence_1(m, v, phi, c):
    """Wang, Zhao, Hoi 2012, proposition 1: alpha and beta of SCW-I."""
    psi, zeta = ONE + phi**2 / 2, ONE + phi**2
    alpha = min(c, max(ZERO, (-m * psi + (m**2 * phi**4 / 4 + v * phi**2 * zeta).sqrt()) / (v * zeta)))
    return alpha, shrinking(alpha, v, phi)


def soft_confidence_2(m, v, phi, c):
    """Proposition 2: those of SCW-II."""
    n = v + ONE / (2 * c)
    gamma = phi * (phi**2 * m**2 * v**2 + 4 * n * v * (n + v * phi**2)).sqrt()
    alpha = max(ZERO, (-(2 * m * n + phi**2 * m * v) + gamma) / (2 * (n**2 + n * v * phi**2)))
    return alpha, shrinking(alpha, v, phi)


def shrinking(alpha, v, phi):
    u = ((-alpha * v * phi + (alpha**2 * v**2 * phi**2 + 4 * v).sqrt()) / 2) ** 2
    return alpha * phi / (u.sqrt() + v * alpha * phi)


class SoftConfidence(Confidence):
    formulas = None

    def learn(self, x, y, weight):
        v = self.variance(x)
        m = y * self.score(x)
        if self.p["deviations"] * v.sqrt() - m <= 0:
            return
        alpha, beta = type(self).formulas(m, v, self.p["deviations"], weight * self.p["aggressiveness"])
        self.move(x, alpha * y, beta)


class Scw1(SoftConfidence):
    formulas = staticmethod(soft_confidence_1)


class Scw2(SoftConfidence):
    formulas = staticmethod(soft_confidence_2)


class ArowDiagonal(Confidence):
    """Crammer, Kulesza, Dredze 2009, figure 1, of a diagonal matrix; a row of weight c has r / c for r."""

    def learn(self, x, y, weight):
        loss = ONE - y * self.score(x)
        if loss <= 0:
            return
        beta = ONE / (self.variance(x) + self.p["regularization"] / weight)
        self.move(x, loss * beta * y, beta)


class Romma(Linear):
    """Li and Long 2002, section 3: the shortest vector in two half-spaces; it moves on mistakes alone."""

    moves_below = ZERO

    def learn(self, x, y, weight):
        m, xx, ww = y * self.score(x), dot(x, x), dot(self.w, self.w)
        wrong = m <= 0 if self.moves_below == 0 else m < 1
        if not wrong or xx == 0:
            return
        if m >= ww * xx:
            self.w = [y * value / xx for value in x]
            return
        c, d = (xx * ww - m) / (xx * ww - m**2), ww * (ONE - m) / (xx * ww - m**2)
        self.w = [c * w + d * y * value for w, value in zip(self.w, x)]


class AggressiveRomma(Romma):
    moves_below = ONE


class MulticlassTournament:
    """The account in rules/multiclass_tournament.h: vectors over features and a bias of 1, a vector a class."""

    def __init__(self, size, classes):
        self.size, self.classes = size, classes
        vectors = lambda of: [[[of] * size for _ in range(classes)] for _ in range(4)]
        self.w, self.sum, self.v, self.n = vectors(ZERO), vectors(ZERO), vectors(ONE), vectors(ZERO)[0]
        self.squares, self.rounds, self.row_squares = [ZERO] * (size - 1), ZERO, ZERO
        self.count = [0] * (size - 1)
        self.loss, self.score_squares, self.total_weight, self.gap = [ZERO] * 8, [ZERO] * 8, ZERO, ONE
        self.missed, self.runs_loss, self.runs_gap = [ZERO] * classes, ZERO, ONE

    def experts(self):
        """(candidate, scale), the first saying 0."""
        return [(0, ZERO)] + [(c, Decimal(s)) for c in range(8) for s in (1, 4, 16)]

    def hedge(self):
        """The weights of the experts, and the mixed loss."""
        rate = Decimal(25).ln() / self.gap
        parts = [(-rate * scale * self.loss[c]).exp() for c, scale in self.experts()]
        whole = sum(parts, ZERO)
        return [part / whole for part in parts], -(whole / 25).ln() / rate

    def vector(self, c, k):
        if c < 4:
            return self.w[c][k]
        return [s / self.rounds if self.rounds else ZERO for s in self.sum[c - 4][k]]

    def measured(self, row):
        x = []
        for j, value in enumerate(row[:-1]):
            mean = (self.squares[j] + value**2) / (self.count[j] + 1) if value else ONE
            x.append(value / mean.sqrt())
        return x + [ONE]

    def follow(self, x):
        self.score, self.z = [], []
        for c in range(8):
            scores = [dot(self.vector(c, k), x) for k in range(self.classes)]
            mean = sum(scores, ZERO) / self.classes
            self.score.append([s - mean for s in scores])
            root = (self.score_squares[c] / self.total_weight).sqrt() if self.total_weight else ZERO
            self.z.append([max(Decimal(-10), min(Decimal(10), s / root)) if root else ZERO for s in self.score[c]])
        shares, _ = self.hedge()
        self.by_members = [sum((p * scale * self.z[c][k] for p, (c, scale) in zip(shares, self.experts())), ZERO)
                           for k in range(self.classes)]
        return [s + self.runs()[0] * missed for s, missed in zip(self.by_members, self.missed)]

    def runs(self):
        """The mean scale of the offset by the labels before, and its mixed loss."""
        rate = Decimal(4).ln() / self.runs_gap
        parts = [(-rate * scale * self.runs_loss).exp() for scale in (0, 1, 4, 16)]
        whole = sum(parts, ZERO)
        return (parts[1] + 4 * parts[2] + 16 * parts[3]) / whole, -(whole / 4).ln() / rate

    def update_mixture(self, f, label, weight):
        top = sum((s.exp() for s in f), ZERO)
        slope = [s.exp() / top - (k == label) for k, s in enumerate(f)]
        g = [weight * s for s in slope]
        _, before = self.hedge()
        for c in range(8):
            self.loss[c] += dot(g, self.z[c])
            self.score_squares[c] += weight * dot(self.score[c], self.score[c]) / self.classes
        self.total_weight += weight
        _, after = self.hedge()
        self.gap += max(ZERO, dot(g, self.by_members) - (after - before))
        scale, before = self.runs()
        own = dot(g, self.missed)
        self.runs_loss += own
        self.runs_gap += max(ZERO, scale * own - (self.runs()[1] - before))
        self.missed = [(9 * missed - s) / 10 for missed, s in zip(self.missed, slope)]

    @staticmethod
    def rival(scores, label):
        return max((k for k in range(len(scores)) if k != label), key=lambda k: (scores[k], -k))

    def move(self, m, k, x, along, shrink):
        for j, value in enumerate(x):
            v = self.v[m][k][j]
            self.w[m][k][j] += along * (value if m == 2 else v * value)
            self.v[m][k][j] -= shrink * (v * value) ** 2

    def learn(self, row, label, weight):
        x = self.measured(row)
        f = self.follow(x)
        self.update_mixture(f, label, weight)
        for j, value in enumerate(row[:-1]):
            self.squares[j] += value**2
            self.count[j] += value != 0
        scores = [[dot(self.w[m][k], x) for k in range(self.classes)] for m in range(4)]
        variance = lambda m, k: sum((v * value**2 for v, value in zip(self.v[m][k], x)), ZERO)
        # All vectors together: x for the label, -x for its rival.
        other = self.rival(scores[0], label)
        m, v = scores[0][label] - scores[0][other], variance(0, label) + variance(0, other)
        if v.sqrt() - m > 0:
            alpha, beta = soft_confidence_1(m, v, ONE, weight)
            self.move(0, label, x, alpha, beta)
            self.move(0, other, x, -alpha, beta)
        for k in range(self.classes):
            y = ONE if k == label else -ONE
            v = variance(1, k)
            if v.sqrt() - y * scores[1][k] > 0:
                alpha, beta = soft_confidence_1(y * scores[1][k], v, ONE, weight)
                self.move(1, k, x, y * alpha, beta)
        other = self.rival(scores[2], label)
        if scores[2][label] <= scores[2][other]:
            self.move(2, label, x, weight, ZERO)
            self.move(2, other, x, -weight, ZERO)
        # The slope of the log loss of all vectors, normalised by its squares.
        self.row_squares += dot(x, x)
        d = HALF * ((self.rounds + 1) / self.row_squares).sqrt()
        top = sum((s.exp() for s in scores[3]), ZERO)
        for k in range(self.classes):
            g = scores[3][k].exp() / top - (k == label)
            for j, value in enumerate(x):
                if value:
                    self.n[k][j] += weight * (g * value) ** 2
                    self.w[3][k][j] -= d * weight * g * value / self.n[k][j].sqrt()
        self.rounds += 1
        for m in range(4):
            for k in range(self.classes):
                self.sum[m][k] = [s + w for s, w in zip(self.sum[m][k], self.w[m][k])]
        return f

    def result(self):
        shares, _ = self.hedge()
        factor = [ZERO] * 8
        for p, (c, scale) in zip(shares, self.experts()):
            root = (self.score_squares[c] / self.total_weight).sqrt()
            factor[c] += p * scale / root if root else ZERO
        units = [(s / n).sqrt() if n else ONE for s, n in zip(self.squares, self.count)] + [ONE]
        return [[sum((factor[c] * self.vector(c, k)[j] for c in range(8)), ZERO) / units[j]
                 for k in range(self.classes)] for j in range(self.size)]


class Multinomial:
    """The steps of Nag for the log loss of a softmax, one vector a class."""

    def __init__(self, size, classes):
        self.w, self.n = ([[ZERO] * size for _ in range(classes)] for _ in range(2))
        self.s, self.total, self.rounds = [ZERO] * size, ZERO, ZERO

    def learn(self, x, label, weight):
        scores = [dot(w, x) for w in self.w]
        exps = [(s - max(scores)).exp() for s in scores]
        g = [e / sum(exps) - (k == label) for k, e in enumerate(exps)]
        for i, value in enumerate(x):
            if abs(value) > self.s[i]:
                for w in self.w:
                    w[i] *= self.s[i] / abs(value)
                self.s[i] = abs(value)
        seen = [i for i, value in enumerate(x) if value != 0]
        self.total += weight * sum(((x[i] / self.s[i]) ** 2 for i in seen), ZERO)
        self.rounds += weight
        d = HALF * (self.rounds / self.total).sqrt()
        for slope_of_class, w, n in zip(g, self.w, self.n):
            for i in seen:
                n[i] += weight * (slope_of_class * x[i]) ** 2
                w[i] -= d * weight * slope_of_class * x[i] / (self.s[i] * n[i].sqrt())
        return scores

    def result(self):
        return [list(of_feature) for of_feature in zip(*self.w)]


def rows_of(seed, classes):
    """(values, a constant 1 behind them; class; weight)."""
    draws = random.Random(seed)
    rows = []
    for i in range(30):
        values = [Decimal(draws.randrange(-16, 17)) / 8 if draws.random() < 0.7 else ZERO for _ in range(4)]
        values.append(Decimal(draws.randrange(-800, 801)) / 8 if i >= 12 and draws.random() < 0.6 else ZERO)
        if i == 7:
            values = [ZERO] * 5
        signal = values[0] - values[1] + values[4] / 64
        label = int(signal > 0) if classes == 2 else int(signal > 0) + 2 * int(values[2] > values[3])
        if draws.random() < 0.15:
            label = draws.randrange(classes)
        rows.append((values + [ONE], label, {3: Decimal("2.5"), 16: HALF}.get(i, ONE)))
    return rows


def shown(number):
    return format(number.quantize(Decimal(1).scaleb(number.adjusted() - 24)) if number else number, "e")


def binary_trace(name, rule, seed, **parameters):
    rows, learner = rows_of(seed, 2), rule(6, **parameters)
    scores, after, total = [], [], [ZERO] * 6
    for x, label, weight in rows:
        scores.append(learner.score(x))
        before = list(getattr(learner, "s", []))
        learner.learn(x, ONE if label else -ONE, weight)
        if rule is Nag:  # its mean is of weights in units of s
            total = [t if old == new else t * old / new for t, old, new in zip(total, before, learner.s)]
        after.append(list(learner.w))
        total = [t + w for t, w in zip(total, learner.w)]
    return {"rule": name, "parameters": parameters, "classes": 2, **inputs(rows), "score": [shown(s) for s in scores],
            "weights": [[shown(w) for w in ws] for ws in after], "mean": [shown(t / len(rows)) for t in total]}


def multiclass_trace(name, rule, seed):
    rows, learner = rows_of(seed, 4), rule(6, 4)
    scores, after = [], []
    for x, label, weight in rows:
        scores.append(learner.learn(x, label, weight)[label])
        after.append([w for feature in learner.result() for w in feature])
    return {"rule": name, "parameters": {}, "classes": 4, **inputs(rows),
            "score": [shown(s) for s in scores], "weights": [[shown(w) for w in ws] for ws in after]}


def inputs(rows):
    return {"x": [[float(v) for v in x[:-1]] for x, _, _ in rows], "label": [label for _, label, _ in rows],
            "weight": [float(weight) for _, _, weight in rows]}


def traces():
    losses = ("hinge", "squared-hinge", "logistic")
    return (
        [binary_trace("ftrl", Ftrl, 1, alpha="0.1", beta="1", l1="0", l2="0", loss=loss) for loss in losses]
        + [binary_trace("ftrl", Ftrl, 2, alpha="0.5", beta="1", l1="0.75", l2="0.25", loss=loss) for loss in losses]
        + [binary_trace("nag", Nag, 3, rate="0.5", loss=loss) for loss in losses]
        + [binary_trace("coin", Coin, 4, alpha="100", loss=loss) for loss in losses]
        + [binary_trace(name, rule, 5, deviations=phi, aggressiveness=c)
           for name, rule in (("scw1", Scw1), ("scw2", Scw2)) for phi, c in (("0.5", "1"), ("2", "0.125"))]
        + [binary_trace("arow-diagonal", ArowDiagonal, 6, regularization=r) for r in ("1", "0.125")]
        + [binary_trace("romma", Romma, 7), binary_trace("aggressive-romma", AggressiveRomma, 7)]
        + [multiclass_trace("multiclass-tournament", MulticlassTournament, seed) for seed in (8, 9)]
        + [multiclass_trace("multinomial", Multinomial, 10)])


def main():
    text = "[\n" + ",\n".join(json.dumps(trace) for trace in traces()) + "\n]\n"
    if sys.argv[1:] == ["write"]:
        TRACES.write_text(text)
    elif sys.argv[1:] == ["check"]:
        sys.exit(0 if TRACES.read_text() == text else f"{TRACES} is not what {__file__} writes")
    else:
        sys.exit(__doc__)


main()
