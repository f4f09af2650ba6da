"""Learning from one row at a time, a dict, as river does. Needs no numpy."""

from collections.abc import Mapping
from copy import deepcopy
from ctypes import byref, c_double, c_int32, c_uint32
from functools import lru_cache
from math import fsum, isfinite

from . import _native as native
from ._model import Model
from ._native import call, data_error, lib
from ._sets import AdaptiveSets, nonconformity


class OnlineClassifier:
    """A linear classifier that learns from one dict at a time.

    Parameters
    ----------
    classes : sequence of labels
        All classes, by any hashable values, 2 or more; of two the second is the positive one where their names have no
        order of their own (numbers, no/yes, alphabetical). 0 and 1 are False and True.
    class_weight : dict of label to weight, optional
        Multiplies the weights of a class's rows.
    sets : float, optional
        Issues prediction sets: this share of them has the true class, up to the bound of sets_report(), on any sequence
        of rows.
    **options
        Those of `halfspace train` that say how to learn: rule="ftrl:alpha=0.1". Without any: the tournament.

    Raises
    ------
    UsageError
        An option is invalid, or has no effect on rows that come one by one, such as those of reading files.

    Notes
    -----
    Features are numbered in the order in which they first come, and the model keeps their names. The same rows in the
    same order give the same bits, also after pickling in between. Learning costs no more with every row;
    the first prediction after it costs O(features), for it copies the model. With `sets` every row is predicted before it
    is learned.
    """

    def __init__(self, classes=(False, True), class_weight=None, sets=None, **options):
        if isinstance(classes, str):
            raise native.usage_error(f"classes={classes!r} would be one class a letter", "give a list of the classes; "
                                     "options have names, such as rule='pa1'")
        self.classes = list(classes)
        self.options = dict(options)
        self._number_of = {label: number for number, label in enumerate(self.classes)}
        names = [str(label) for label in self.classes]
        if len(self._number_of) < 2 or len(set(names)) < len(names):
            raise native.usage_error("classes must be two or more, with different names", "give each class once")
        self.class_weight = _class_weights(class_weight, self.classes)
        _refuse_ineffective(self.options)
        struct = native.Labels(None, native.c_names(names), len(names), None)
        settings = native.settings("train", self.options)
        self._trainer = native.new("trainer", "trainer_new_named", settings, byref(struct))
        self._features = {}
        self._pending = {}
        self._sets = AdaptiveSets(sets) if sets is not None else None
        self._issued = {}  # the set of a pending key, as numbers of classes
        self._begin(Model(native.new("model", "trainer_model", self._trainer)))

    def _begin(self, model):
        names = [str(label) for label in self.classes]
        order = [names.index(name) for name in model.classes]  # the model's classes, as positions in `classes`
        self._label_of = [self.classes[at] for at in order]
        # learn_row() takes numbers as the model has them.
        self._number_of = {label: number for number, label in enumerate(self._label_of)}
        weights = self.class_weight
        self._factors = [weights.get(label, 1.0) for label in self._label_of] if weights else None
        self._model = model  # None while it is older than the trainer
        self._keys = self._numbers = None
        self._error = native.Error()

    def __getstate__(self):
        return {"classes": self.classes, "class_weight": self.class_weight, "options": self.options,
                "model": self.model.to_bytes(), "pending": dict(self._pending), "sets": self._sets,
                "issued": dict(self._issued)}

    def __setstate__(self, state):
        self.classes, self.options, self._pending = state["classes"], state["options"], dict(state["pending"])
        self.class_weight = state.get("class_weight")
        self._sets, self._issued = deepcopy(state.get("sets")), dict(state.get("issued", ()))
        model = Model.from_bytes(state["model"])
        self._trainer = native.new("trainer", "trainer_new", native.settings("train", {}), None, model._handle)
        self._features = {name: number for number, name in enumerate(model.describe()["feature_names"])}
        self._begin(model)

    @property
    def model(self) -> Model:
        """The Model as it is now."""
        model = self._model
        if model is None:
            model = self._model = Model.of_trainer(self._trainer)
        return model

    @property
    def feature_names(self) -> "list[str]":
        """The names of the features so far, in the model's order."""
        return list(self._features)

    def _checked(self, x):
        """Returns a row as numbers by feature, and its new features as names and their bytes. Raises for bad ones."""
        x = _numbers(x)
        new = []
        if not self._features.keys() >= x.keys():
            new = [(name, _text_of_name(name)) for name in x if name not in self._features]
        try:
            finite = isfinite(fsum(x.values()))
        except (TypeError, ValueError, OverflowError):
            finite = False
        if not finite:  # or the sum alone is not
            _check_values(x)
        return x, new

    def _add_features(self, new):
        number = c_uint32()
        for name, text in new:
            call("trainer_add_feature", self._trainer, text, byref(number))
            self._features[name] = number.value

    def _row(self, x, known):
        """Returns count, features and values for C. `known`: the names, in the order of x, that are features."""
        count = len(known)
        numbers = [self._features[name] for name in known]
        if all(a < b for a, b in zip(numbers, numbers[1:])):
            return count, (c_uint32 * count)(*numbers), (c_double * count)(*[x[name] for name in known])
        pairs = sorted(zip(numbers, known))
        return (count, (c_uint32 * count)(*[number for number, _ in pairs]),
                (c_double * count)(*[x[name] for _, name in pairs]))

    def learn_one(self, x: "Mapping[str, float | str | None]", y, w=1.0) -> "Self":
        """Learns from one row.

        Parameters
        ----------
        x : dict of str to number or str or None
            The features; one that is not there, or None, is 0. The str "red" of "colour" is the feature "colour=red".
        y : one of `classes`
        w : float, >= 0
            The row's weight.

        Returns
        -------
        self

        Raises
        ------
        DataError
            An unknown class; a value or a weight that is not finite. Nothing is learned, and no feature is added.
        TypeError
            A value is no number, str or None; likewise.
        """
        number, w = self._labelled(y, w)
        self._learn_labelled(x, number, w, None)
        return self

    def _labelled(self, y, w):
        """Returns the number of the class, and the row's weight times the class's."""
        try:
            number = self._number_of[y]
        except KeyError:
            raise data_error(f"the label {y!r} is not one of the classes {self.classes}",
                             "name all classes: OnlineClassifier(classes=[...])") from None
        if w != 1:
            _check_weight(w)
        if self._factors is not None:
            w = w * self._factors[number]
            _check_weight(w)
        return number, w

    def _learn_labelled(self, x, number, w, issued):
        """Learns from a row whose truth is class `number`; `issued`: its set, None where there was none."""
        sets = self._sets
        if sets is None:
            with self._trainer.lock:
                self._learn(x, number, w)
            return
        scores = self._scores(x)  # before the truth is learned
        if issued is None:
            sets.note_pending(len(self._issued) + 1)
            issued = self._set_of(scores)
        with self._trainer.lock:
            self._learn(x, number, w)
            sets.add(nonconformity(scores, number), number in issued, len(issued))

    def _scores(self, x):
        x, _ = self._checked(x)
        row = self._row(x, [name for name in x if name in self._features])
        model = self.model
        scores = (c_double * model.vectors)()
        predictor = model.predictor()
        with predictor.lock:
            call("score_row", predictor, *row, scores)
        return scores

    def _set_of(self, scores):
        """Returns the numbers of the classes in the set of a row with these scores."""
        limit = self._sets.threshold()
        return frozenset(k for k in range(len(self._label_of)) if nonconformity(scores, k) <= limit)

    def _learn(self, x, number, w):
        keys = list(x)
        if keys == self._keys:  # the row before had the same features in the same order
            count, numbers = len(keys), self._numbers
            try:
                values = (c_double * count)(*x.values())
            except (TypeError, OverflowError):
                self._keys = None
                self._learn(x, number, w)
                return
        else:
            x, new = self._checked(x)
            self._add_features(new)
            keys = list(x)
            count, numbers, values = self._row(x, keys)
            ordered = [self._features[name] for name in keys] == list(numbers)
            self._keys, self._numbers = (keys, numbers) if ordered else (None, None)
        error = self._error
        if lib["trainer_learn_row"](self._trainer, count, numbers, values, number, w, byref(error)):
            native.raise_error(error)
        self._model = None

    def learn_many(self, rows: "Iterable[tuple[Any, ...]]") -> "Self":
        """Learns from an iterable of (x, y) or (x, y, w), each as learn_one() does; returns self.

        An error, of the rows or of the iterable, leaves what was learned before it.
        """
        for row in rows:
            if not isinstance(row, tuple):
                raise TypeError(f"learn_many() takes (x, y) or (x, y, w) a row, not a {type(row).__name__}; of a data "
                                "frame, zip(frame.to_dict('records'), labels)")
            self.learn_one(*row)
        return self

    def _predict(self, x, number=None, score=None, probabilities=None):
        x, _ = self._checked(x)
        row = self._row(x, [name for name in x if name in self._features])
        predictor = self.model.predictor()
        with predictor.lock:
            call("predict_row", predictor, *row, number, score, probabilities)

    def predict_one(self, x: "Mapping[str, float | str | None]", key=None):
        """Predicts the class of a row; features that were never learned from count nothing.

        Parameters
        ----------
        x : dict as in learn_one()
        key : hashable, optional
            Keeps the row until its truth comes: learn_late(key, y).

        Raises
        ------
        UsageError
            A row with this key is kept already.
        DataError, TypeError
            A value that learn_one() rejects. The row is not kept.
        """
        self._refuse_pending(key)
        number = c_int32()
        self._predict(x, byref(number))
        if key is not None:
            self._pending[key] = dict(x)
        return self._label_of[number.value]

    def _refuse_pending(self, key):
        if key is not None and key in self._pending:
            raise native.usage_error(f"the truth of {key!r} is still to come", "use another key, or forget() it")

    def learn_late(self, key, y, w=1.0) -> "Self":
        """Learns from the row that predict_one() kept under this key, in any order of the keys.

        Raises
        ------
        UsageError
            No row is kept under it.
        DataError
            As learn_one() does; the row is still kept.
        """
        if key not in self._pending:
            raise native.usage_error(f"no row is kept under {key!r}", "give predict_one() the key")
        number, w = self._labelled(y, w)
        self._learn_labelled(self._pending[key], number, w, self._issued.get(key))
        del self._pending[key]
        self._issued.pop(key, None)
        return self

    def forget(self, key) -> None:
        """Drops the row that is kept under this key, if there is one: its truth will not come."""
        self._pending.pop(key, None)
        self._issued.pop(key, None)

    @property
    def pending(self) -> "list[Any]":
        """The keys whose truth is still to come, oldest first."""
        return list(self._pending)

    def predict_set_one(self, x: "Mapping[str, float | str | None]", key=None) -> "set[Any]":
        """Returns the set of classes that a row may have, at the share that `sets` names: none to all of them.

        The set that counts in sets_report() is the one at the moment when learn_one() gets the truth: this one, if
        nothing was learned in between. With a key, as of predict_one(), it is this one in any case. Raises what
        predict_one() does, and UsageError if the OnlineClassifier has no `sets`.
        """
        self._refuse_without_sets()
        self._refuse_pending(key)
        issued = self._set_of(self._scores(x))
        if key is not None:
            self._pending[key] = dict(x)
            self._issued[key] = issued
            self._sets.note_pending(len(self._issued))
        return {self._label_of[number] for number in issued}

    def sets_report(self) -> "dict[str, Any]":
        """Returns how the prediction sets did so far, of the rows whose truth came.

        Returns
        -------
        dict
            `wanted`, `rows`, `errors` (sets without the truth), `error` (their share), `bound` (on its distance from
            1 - wanted, whatever the rows), `level`, `step`, `window`, `most_pending` (sets that waited for their truth
            at the same time), `mean_size`, `single` and `empty` (shares of sets of one class, and of none).

        Raises
        ------
        UsageError
            The OnlineClassifier has no `sets`.
        """
        self._refuse_without_sets()
        return self._sets.report()

    def _refuse_without_sets(self):
        if self._sets is None:
            raise native.usage_error("this OnlineClassifier issues no prediction sets", "make it with sets=0.9")

    def predict_proba_one(self, x: "Mapping[str, float | str | None]") -> "dict[Any, float]":
        """Returns a dict of class to probability. Raises UsageError where the rule has none."""
        probabilities = (c_double * len(self.classes))()
        self._predict(x, probabilities=probabilities)
        return dict(zip(self._label_of, probabilities))

    def save(self, path: "_Path") -> None:
        """Writes the model as it is now to a file that halfspace.load() and `halfspace predict` read.

        That is `.model`, which learns no more: pickle the OnlineClassifier to continue. It has a column of numbers for
        each feature, so it predicts rows and files with columns named as in `feature_names`: a str "red" of "colour"
        is 1 in the column "colour=red".

        Raises
        ------
        InputOutputError
            The file cannot be written.
        """
        self.model.save(path)

    def __repr__(self):
        weights = f", class_weight={self.class_weight!r}" if self.class_weight else ""
        weights += f", sets={self._sets.coverage!r}" if self._sets is not None else ""
        options = weights + "".join(f", {name}={value!r}" for name, value in self.options.items())
        return f"OnlineClassifier({self.classes!r}{options})"


def _numbers(x):
    """Returns x with features of texts by their names and without what is None."""
    try:
        kinds = set(map(type, x.values()))
    except (AttributeError, TypeError):  # `values` of a Series is no method
        raise TypeError(f"a row is a dict of feature to value, not a {type(x).__name__}"
                        + ("; give its to_dict()" if hasattr(x, "to_dict") else "")) from None
    if not any(issubclass(kind, (str, type(None))) for kind in kinds):
        return x
    return {f"{name}={value}" if isinstance(value, str) else name: 1.0 if isinstance(value, str) else value
            for name, value in x.items() if value is not None}


def _text_of_name(name):
    """Returns the name of a new feature for C."""
    if not isinstance(name, str):
        raise TypeError(f"the feature {name!r} is not named by a str")
    if not name:
        raise native.usage_error("a feature has an empty name", "name it")
    return native.c_text(name)


def _check_values(x):
    for name, value in x.items():
        try:
            finite = isfinite(c_double(value).value)
        except TypeError:
            raise TypeError(f"the value of feature {name!r} is not a number: {value!r}") from None
        except OverflowError:  # of an int
            finite = False
        if not finite:
            raise data_error(f"the value of feature {name!r} is not finite",
                             "leave the feature out where it is not known")


def _check_weight(w):
    try:
        valid = 0 <= w <= 1e100
    except TypeError:
        raise TypeError(f"the weight of a row is not a number: {w!r}") from None
    if not valid:
        raise data_error("the weight of a row is not a number from 0 to 1e100", "1 is the usual weight")


def _class_weights(class_weight, classes):
    """Returns the weights of classes as a dict, or None."""
    if class_weight is None:
        return None
    if isinstance(class_weight, str) and class_weight == "balanced":
        raise native.usage_error("class_weight='balanced' needs all rows, and an OnlineClassifier sees each once",
                                 "give a dict {class: weight}")
    if not isinstance(class_weight, Mapping):
        raise TypeError(f"class_weight is a {type(class_weight).__name__}; give a dict {{class: weight}}")
    for label, weight in class_weight.items():
        if label not in classes:
            raise native.usage_error(f"class_weight names {label!r}, which is not one of the classes {classes}",
                                     "give a weight to labels of `classes`")
        try:
            _check_weight(weight)
        except (TypeError, native.DataError) as error:
            raise native.usage_error(f"class_weight of {label!r} is {weight!r}", "give a finite number >= 0") from error
    return dict(class_weight)


# ---- Options ----

_HOW_TO_LEARN = {"preset", "rule", "keep", "tie", "bias", "bias_scale", "start", "multiclass", "seed", "updates",
                 "seconds"}
_NEED_ALL_ROWS = {"passes", "until", "order", "folds", "objective", "C", "gap", "penalize_bias"}
_NEED_AN_END = {"holdout", "calibrate", "confidence", "memory", "conformal", "threshold"}
_HARMLESS = {"order": "stream", "passes": 1, "normalize": "none", "calibrate": "none"}
_INSTEAD = {
    "weight": ("weight names a column, and an OnlineClassifier has rows without one",
               "learn_one(x, y, w) and learn_late(key, y, w) take a weight"),
    "positive": ("positive has no effect on an OnlineClassifier",
                 "give the positive one of two classes as the second of `classes`"),
    "normalize": ("normalize has no effect on an OnlineClassifier", "scale the values of x"),
    "single": ("single has no effect on an OnlineClassifier", "round the values of x"),
}


@lru_cache(None)
def names_of_options():
    """Returns the keywords of all options of training, and of those among them that say how to learn."""
    of_rules = {parameter["option"] for rule in native.describe("rules") for parameter in rule["parameters"]}
    names = {option["name"].replace("-", "_") for option in native.describe("train")}
    return names, _HOW_TO_LEARN | {name.replace("-", "_") for name in of_rules}


def _refuse_ineffective(options):
    """Raises UsageError for an option of training that has no effect on rows that come one by one."""
    given = {name: value for name, value in options.items() if value is not None and value is not False}
    if not given:
        return
    known, effective = names_of_options()
    for name, value in given.items():
        if name not in known or name in effective or (name in _HARMLESS and value == _HARMLESS[name]):
            continue
        if name in _NEED_ALL_ROWS:
            raise native.usage_error(f"{name}={value!r} needs all rows, and an OnlineClassifier sees each once",
                                     "use train()")
        if name in _NEED_AN_END:
            raise native.usage_error(f"{name}={value!r} needs a run that ends, and an OnlineClassifier never ends",
                                     "use train()")
        raise native.usage_error(*_INSTEAD.get(name, (f"{name} is an option of reading files, and an OnlineClassifier "
                                                      "reads none", "leave it out")))
