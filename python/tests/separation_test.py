"""Which coefficients are infinite: arrays, data frames, models of statsmodels, against a slow and obvious reference."""

import html
import itertools
import pickle
from fractions import Fraction

import numpy as np
import pytest

import halfspace
from halfspace import separation

pandas = pytest.importorskip("pandas")

# Silvapulle (1981): scores of a questionnaire, and who is a case. Both classes have the score 2, no other one has.
SCORES = np.repeat([0.0, 1, 2, 4, 5, 7, 10], [18, 8, 2, 1, 3, 2, 1])
CASES = np.repeat([0, 1, 0, 1], [26, 1, 1, 7])
# Schoener (1970): perches of two species of lizards.
GRAHAMI = [20, 8, 4, 13, 8, 12, 8, 4, 5, 6, 1, 34, 69, 18, 31, 55, 13, 17, 60, 8, 12, 21, 4]
OPALINUS = [2, 1, 4, 0, 0, 0, 3, 1, 3, 0, 1, 11, 20, 10, 5, 4, 3, 15, 32, 8, 1, 5, 4]
TIMES = [0, 1, 2] * 3 + [0, 2] + [0, 1, 2] * 4
HIGH = [0] * 3 + [1] * 3 + [0] * 3 + [1] * 2 + ([0] * 3 + [1] * 3) * 2
WIDE = [0] * 6 + [1] * 5 + [0] * 6 + [1] * 6
SHADY = [0] * 11 + [1] * 12


def lizards():
    times = pandas.Categorical.from_codes(TIMES, ["early", "midday", "late"])
    return pandas.DataFrame({"high": HIGH, "wide": WIDE, "shady": SHADY, "time": times})


# ---- Arrays ----


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64])
def test_silvapulle(dtype):
    found = separation(SCORES.reshape(-1, 1).astype(dtype), CASES, names=["ghq"])
    assert found.kind == "quasi-complete" and found.separated is True
    assert found.coefficients == {"(intercept)": "-infinite", "ghq": "+infinite"}
    assert (found.finite, found.infinite, found.aliased) == ([], ["(intercept)", "ghq"], [])
    assert found.separated_rows == 33 and found.rows == 35 and found.positive == "1"
    assert found.row_numbers == [26, 27] and not found.rows_are_separated


def test_labels_flipped_and_without_intercept():
    x = SCORES.reshape(-1, 1)
    found = separation(x, np.where(CASES == 1, "a case", "healthy"), names=["ghq"])
    assert found.positive == "healthy" and found.coefficients["ghq"] == "-infinite"
    texts = separation(x, np.where(CASES == 1, "10", "2"), names=["ghq"])  # "10" comes first as a text
    assert texts.positive == "2" and texts.coefficients["ghq"] == "-infinite"
    alone = separation(x, CASES, intercept=False, names=["ghq"])
    assert alone.kind == "overlap" and alone.coefficients == {"ghq": "finite"}
    assert separation(x - 2, CASES, intercept=False).coefficients == {"x0": "+infinite"}


def test_a_constant_or_repeated_column_is_aliased():
    x = np.column_stack([np.ones(35), SCORES, 2 * SCORES, np.zeros(35)])
    found = separation(x, CASES)
    assert found.aliased == ["x0", "x2", "x3"] and found.infinite == ["(intercept)", "x1"]


def test_sparse_rows_with_empty_columns():
    sparse = pytest.importorskip("scipy.sparse")
    dense = np.column_stack([np.zeros(35), SCORES, np.zeros(35)])
    for matrix in (sparse.csr_matrix(dense), sparse.csc_matrix(dense)):
        assert separation(matrix, CASES).coefficients == separation(dense, CASES).coefficients
        named = separation(matrix, CASES, names=["a", "b", "c"])
        assert list(named.coefficients) == ["(intercept)", "a", "b", "c"] and named.aliased == ["a", "c"]


def test_strided_arrays_and_lists():
    wide = np.repeat(SCORES, 4).reshape(35, 4)
    expected = separation(SCORES.reshape(-1, 1), CASES).coefficients
    for x in (wide[:, 2:3], np.asfortranarray(SCORES.reshape(-1, 1)), [[score] for score in SCORES.tolist()]):
        assert separation(x, CASES.tolist()).coefficients == expected


def test_weights_of_zero_leave_rows_out():
    x, y = np.array([[-1.0], [0], [1], [2]]), [0, 1, 0, 1]
    assert separation(x, y).kind == "overlap"
    found = separation(x, y, sample_weight=[1, 0, 0.5, 1])
    assert found.kind == "complete" and found.rows == 3
    assert separation(pandas.DataFrame(x, columns=["x"]), y, sample_weight=[1, 0, 2, 1]).kind == "complete"
    quasi = separation(np.vstack([x, [[9], [9]]]), [0, 1, 0, 1, 0, 1], sample_weight=[0, 0, 1, 1, 0, 0])
    assert quasi.kind == "complete"
    on = separation([[5.0], [1], [2], [2], [3]], [1, 0, 0, 1, 1], sample_weight=[0, 1, 1, 1, 1])
    assert on.kind == "quasi-complete" and on.row_numbers == [1, 4] or on.row_numbers == [2, 3]


@pytest.mark.parametrize("seed", range(40))
def test_random_tables_against_enumeration(seed):
    draw = np.random.default_rng(seed)
    n, d = int(draw.integers(3, 9)), int(draw.integers(1, 4))
    x = draw.integers(-2, 3, size=(n, d)).astype(float)
    y = np.append([0, 1], draw.integers(0, 2, size=n - 2))
    found = separation(x, y, intercept=bool(seed % 2))
    kind, estimates = enumerated(np.column_stack([np.ones(n), x]) if seed % 2 else x, y)
    assert found.kind == kind and list(found.coefficients.values()) == estimates


def enumerated(design, y):
    """Returns kind and estimates from the extreme rays of the cone of directions, found by brute force."""
    rows = [[Fraction(float(v)) for v in row] for row in design]
    z = [[v if label else -v for v in row] for row, label in zip(rows, y)]
    kept = []
    for j in range(design.shape[1]):
        if rank([[row[k] for k in [*kept, j]] for row in rows]) > len(kept):
            kept.append(j)
    z = [[row[j] for j in kept] for row in z]
    rays = []
    for chosen in itertools.combinations(range(len(z)), len(kept) - 1) if kept else ():
        line = null_vector([z[i] for i in chosen], len(kept))
        for sign in (1, -1) if line else ():
            v = [sign * a for a in line]
            if all(dot(v, row) >= 0 for row in z) and v not in rays:
                rays.append(v)
    centre = [sum(column) for column in zip(*rays)] if rays else [Fraction(0)] * len(kept)
    separated = [dot(centre, row) > 0 for row in z]
    kind = "overlap" if not any(separated) else "complete" if all(separated) else "quasi-complete"
    estimates = ["aliased"] * design.shape[1]
    for at, j in enumerate(kept):
        signs = {(v[at] > 0) - (v[at] < 0) for v in rays} - {0}
        estimates[j] = {(): "finite", (1,): "+infinite", (-1,): "-infinite"}.get(
            tuple(signs), "undetermined")
    return kind, estimates


def dot(v, row):
    return sum(a * b for a, b in zip(v, row))


def echelon(rows):
    """Returns the reduced row echelon form without zero rows, and the pivots' columns."""
    rows, pivots = [list(row) for row in rows], []
    for j in range(len(rows[0]) if rows else 0):
        at = next((i for i in range(len(pivots), len(rows)) if rows[i][j] != 0), None)
        if at is None:
            continue
        k = len(pivots)
        rows[k], rows[at] = rows[at], rows[k]
        rows[k] = [a / rows[k][j] for a in rows[k]]
        for i in range(len(rows)):
            if i != k and rows[i][j] != 0:
                rows[i] = [a - rows[i][j] * b for a, b in zip(rows[i], rows[k])]
        pivots.append(j)
    return rows[:len(pivots)], pivots


def rank(rows):
    return len(echelon(rows)[1])


def null_vector(rows, width):
    """Returns the vector that spans the null space, or None if its dimension is not 1."""
    reduced, pivots = echelon(rows) if rows else ([], [])
    free = [j for j in range(width) if j not in pivots]
    if len(free) != 1:
        return None
    v = [Fraction(0)] * width
    v[free[0]] = Fraction(1)
    for row, pivot in zip(reduced, pivots):
        v[pivot] = -row[free[0]]
    return v


# ---- Data frames ----


def test_categories_by_name():
    frame = pandas.DataFrame({"age": ["under 20", "20 to 40", "over 40"] * 4, "dose": [1.0, 2, 3, 4] * 3})
    y = [1, 0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 0]
    assert [label for label, age in zip(y, frame.age) if age == "under 20"] == [1, 1, 1, 1]
    for kind in (str, "category"):
        found = separation(frame.astype({"age": kind}), y)
        assert found.kind == "quasi-complete"
        assert found.coefficients["age=under 20"] == "+infinite" and "age=under 20" in found.infinite
        assert found.aliased == ["age=20 to 40"]  # the reference: the first category in alphabetical order
    every = separation(frame, y, intercept=False)
    assert every.aliased == [] and every.coefficients["age=under 20"] == "+infinite"


def test_lizards():
    frame = lizards()
    frame = pandas.concat([frame[np.array(GRAHAMI) > 0], frame[np.array(OPALINUS) > 0]])
    y = np.repeat([1, 0], [sum(count > 0 for count in GRAHAMI), sum(count > 0 for count in OPALINUS)])
    found = separation(frame, y)
    assert found.kind == "overlap" and found.infinite == [] and found.aliased == ["time=early"]
    assert found.coefficients["time=late"] == found.coefficients["high"] == "finite"


def test_names_are_distinct():
    frame = pandas.DataFrame({"age": ["old", "young", "old", "young"], "age=old": [1.0, 2, 3, 4]})
    with pytest.raises(halfspace.DataError, match="'age=old'"):
        separation(frame, [0, 1, 0, 1])
    frame = pandas.DataFrame({"(intercept)": [1.0, 2, 3, 4]})
    with pytest.raises(halfspace.DataError, match="two coefficients are called '.intercept.'"):
        separation(frame, [0, 1, 0, 1])
    assert separation(frame, [0, 1, 0, 1], intercept=False).finite == ["(intercept)"]


def test_gaps_and_dates_are_refused():
    frame = pandas.DataFrame({"a": [1.0, np.nan, 3, 4], "b": ["x", "y", None, "y"]})
    for column, row in (("a", 2), ("b", 3)):
        with pytest.raises(halfspace.DataError, match=f"column '{column}' has missing values, the first in row {row}"):
            separation(frame[[column]], [0, 1, 0, 1])
    with pytest.raises(halfspace.DataError):
        separation(np.array([[1.0], [np.nan]]), [0, 1])
    days = pandas.DataFrame({"day": pandas.to_datetime(["2026-01-01", "2026-01-02"])})
    with pytest.raises(halfspace.DataError, match="dates"):
        separation(days, [0, 1])


# ---- Numbers ----


def test_decimals_are_proved():
    x = np.array([[0.1, 0.2, 0.3], [0.1, 0.2, 0.3], [0.7, 0.1, 0.8], [1.1, 0.3, 1.4]])
    assert (x[:, 0] + x[:, 1] != x[:, 2]).any()  # as doubles
    found = separation(x, [0, 1, 0, 1], intercept=False)
    assert found.aliased == ["x2"] and "0.1 is 1/10" in str(found)


def test_a_gap_of_one_unit_in_the_last_place():
    low, high = 1.0, np.nextafter(1.0, 2)
    x = np.array([[0.5], [low], [high], [2]])
    assert separation(x, [0, 0, 1, 1]).kind == "complete"
    assert separation(np.vstack([x, [[low]]]), [0, 0, 1, 1, 1]).kind == "quasi-complete"


# ---- Proofs ----


def test_the_proof_is_checked_against_the_rows(tmp_path):
    frame = pandas.DataFrame({"y": SCORES, "group": np.where(SCORES > 1, "b, \"2\"", "a")})
    for found in (separation(SCORES.reshape(-1, 1), CASES), separation(frame, CASES),
                  separation(SCORES.reshape(-1, 1), CASES, sample_weight=np.arange(35))):
        path = tmp_path / "rows.csv"
        found.write_rows(path)
        assert halfspace.verify(found, path).valid and halfspace.verify(found.certificate, path).valid
        text = path.read_text()
        assert "\n0" in text or "0\n" in text
        path.write_text(text.replace("10", "11"))
        assert not halfspace.verify(found, path).valid
        again = pickle.loads(pickle.dumps(found))
        assert repr(again) == repr(found) and again.certificate == found.certificate
        with pytest.raises(halfspace.UsageError, match="no rows"):
            again.write_rows(path)


def test_a_file(tmp_path):
    path = tmp_path / "d.csv"
    path.write_text("ghq,sick\n" + "".join(f"{x},{y}\n" for x, y in zip(SCORES, CASES)))
    for X in (path, str(path), [path]):
        found = separation(X, label="sick", positive="1")
        assert found.coefficients == {"(intercept)": "-infinite", "ghq": "+infinite"}
        assert found.row_numbers == [26, 27] and "the decimals of the file" in str(found)
    assert halfspace.verify(found, path).valid
    assert separation(path, label="sick", intercept=False).kind == "overlap"
    with pytest.raises(halfspace.UsageError, match="leave y"):
        separation(path, CASES)


# ---- What it shows ----


def test_columns_that_rounding_alone_tells_apart_are_named():
    x = np.arange(40) * 17 % 41 / 5
    celsius, fahrenheit = np.round(x * 1.03, 1), np.round(32 + 1.8 * 1.03 * x, 1)
    found = separation(np.column_stack([celsius, fahrenheit]), fahrenheit - 1.8 * celsius > 32.001, names=["c", "f"])
    assert found.kind == "complete" and found.result["separation"]["kind_without"] == "overlap"
    assert found.notes[0].startswith("Only rounding tells f from ") and found.notes[0] in repr(found)


def test_a_table_with_arrows():
    found = separation(np.column_stack([SCORES, SCORES, np.arange(35) // 2 % 3]), CASES,
                       names=["<ghq>", "again", "two\nlines"])
    assert repr(found) == str(found)
    lines = repr(found).splitlines()
    assert lines[0] == "Quasi-complete separation: a hyperplane separates 33 of 35 rows, and the others are on it."
    assert "  (intercept)  \u2193 -infinite" in lines and "  <ghq>        \u2191 +infinite" in lines
    assert "  again          aliased" in lines and "  two lines    \u2195 undetermined" in lines
    page = found.page()
    assert "Which coefficients are infinite" in page and html.escape("<ghq>") in page and "not recorded" not in page
    shown = found._repr_html_()
    assert html.escape("<ghq>") in shown and "<ghq>" not in shown and "\u2191" in shown


def test_many_coefficients_are_counted():
    draw = np.random.default_rng(1)
    x, y = draw.normal(size=(900, 70)).round(1), draw.integers(0, 2, 900)
    shown = repr(separation(x, y))
    assert shown.splitlines()[1] == "  and 71 finite" and "x5" not in shown


def test_no_time():
    draw = np.random.default_rng(2)
    found = separation(draw.normal(size=(3000, 40)), draw.integers(0, 2, 3000), seconds=1e-6)
    assert found.kind == "undecided" and found.separated is None and found.coefficients == {}
    assert repr(found) == "Undecided: time or memory ran out; more seconds may decide it."


def test_refusals():
    x = np.eye(3)
    for y, words in (([0, 1, 2], "3 classes"), ([1, 1, 1], "1 class,")):
        with pytest.raises(halfspace.UsageError, match=words):
            separation(x, y)
    with pytest.raises(halfspace.UsageError, match="2 names for 3 columns"):
        separation(x, [0, 1, 0], names=["a", "b"])
    with pytest.raises(halfspace.UsageError, match="names of its own"):
        separation(pandas.DataFrame(x, columns=list("abc")), [0, 1, 0], names=list("abc"))
    with pytest.raises(halfspace.DataError, match="weight"):
        separation(x, [0, 1, 0], sample_weight=[1, -1, 1])
    with pytest.raises(halfspace.UsageError, match="no option"):
        separation(x, [0, 1, 0], nothing=3)
    with pytest.raises(ValueError, match="2"):
        separation(x[0], [0, 1, 0])


# ---- statsmodels ----


@pytest.fixture
def sm():
    return pytest.importorskip("statsmodels.api")


def link(sm, name):
    """Returns a link by the name of its class, which older versions write in lower case."""
    links = sm.families.links
    return getattr(links, name, None) or getattr(links, name.lower())


@pytest.mark.filterwarnings("ignore")
def test_models(sm):
    x = sm.add_constant(pandas.DataFrame({"ghq": SCORES}))
    expected = {"const": "-infinite", "ghq": "+infinite"}
    models = [sm.Logit(CASES, x), sm.Probit(CASES, x), sm.GLM(CASES, x, family=sm.families.Binomial())]
    models += [sm.GLM(CASES, x, family=sm.families.Binomial(link=link(sm, name)())) for name in
               ("Probit", "Cauchy", "CLogLog")]
    models.append(sm.GLM(CASES, x, family=sm.families.Binomial(), offset=np.linspace(-3, 3, 35)))
    for model in models:
        found = separation(model)
        assert found.coefficients == expected and found.kind == "quasi-complete" and found.row_numbers == [26, 27]
    assert separation(models[2].fit()).coefficients == expected  # a result
    assert "numbers in exog" in str(found) and found.positive == "1"
    assert "(intercept)" not in separation(models[0], intercept=True).coefficients


@pytest.mark.filterwarnings("ignore")
def test_formulas_counts_and_weights(sm, tmp_path):
    formula = pytest.importorskip("statsmodels.formula.api")
    frame = lizards().assign(grahami=GRAHAMI, opalinus=OPALINUS)
    model = formula.glm("grahami + opalinus ~ high + wide + shady + time", frame, family=sm.families.Binomial())
    found = separation(model.fit())
    assert found.kind == "overlap" and found.finite == model.exog_names and "time[T.late]" in found.finite
    assert found.rows == sum(count > 0 for count in GRAHAMI + OPALINUS)
    found.write_rows(tmp_path / "lizards.csv")
    assert halfspace.verify(found, tmp_path / "lizards.csv").valid
    y, x = [0, 1, 0, 1], sm.add_constant(np.array([[-1.0], [0], [1], [2]]))
    for weights in ("freq_weights", "var_weights"):
        model = sm.GLM(y, x, family=sm.families.Binomial(), **{weights: np.array([1, 0, 2, 1])})
        found = separation(model)
        assert found.kind == "complete" and found.rows == 3 and list(found.coefficients) == ["const", "x1"]
    shares = sm.GLM([0, 0.5, 0, 1], x, family=sm.families.Binomial(), var_weights=np.array([1, 2, 2, 1]))
    assert separation(shares).kind == "overlap" and separation(shares).rows == 5


@pytest.mark.filterwarnings("ignore")
def test_one_class_in_a_model(sm):
    x = sm.add_constant(np.array([[-1.0], [0], [1]]))
    for label, sign in ((0, "-infinite"), (1, "+infinite")):
        found = separation(sm.GLM([label] * 3, x, family=sm.families.Binomial()))
        assert found.kind == "complete" and found.coefficients["const"] == sign
        assert found.coefficients["x1"] == "undetermined"


def test_an_estimator_keeps_no_rows():
    linear_model = pytest.importorskip("sklearn.linear_model")
    with pytest.raises(halfspace.UsageError, match="LogisticRegression does not keep the rows"):
        separation(linear_model.LogisticRegression().fit(SCORES.reshape(-1, 1), CASES))


@pytest.mark.filterwarnings("ignore")
def test_models_with_another_answer_are_refused(sm):
    x = sm.add_constant(SCORES)
    families = sm.families
    for model, words in ((sm.GLM(CASES, x, family=families.Binomial(link=link(sm, "Log")())), "the link [lL]og does"),
                         (sm.GLM(CASES, x, family=families.Binomial(link=link(sm, "Identity")())), "[iI]dentity does"),
                         (sm.GLM(CASES, x, family=families.Poisson()), "the family is Poisson"),
                         (sm.OLS(CASES, x), "OLS is no binomial model"),
                         (sm.Poisson(CASES, x), "Poisson is no binomial"),
                         (sm.MNLogit(np.arange(35) % 3, x), "MNLogit is no binomial")):
        with pytest.raises(halfspace.UsageError, match=words):
            separation(model)
    with pytest.raises(halfspace.UsageError, match="leave y"):
        separation(sm.Logit(CASES, x), CASES)
