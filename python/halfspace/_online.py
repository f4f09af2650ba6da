"""Learning from one row at a time, a dict, as river does. Needs no numpy."""

from ctypes import byref, c_double, c_int32, c_uint32

from . import _native as native
from ._model import Model
from ._native import call, data_error, lib


class OnlineClassifier:
    """A linear classifier that learns from one dict at a time.

    Parameters
    ----------
    classes : sequence of labels
        All classes, by any hashable values, 2 or more; of two the second is the positive one where their names have no
        order of their own (numbers, no/yes, alphabetical). 0 and 1 are False and True.
    **options
        Those of `halfspace train` that say how to learn: rule="ftrl", alpha=0.1. Without any: the tournament.

    Notes
    -----
    Features are numbered in the order in which they first come, and the model keeps their names. The same rows in the
    same order give the same bits, also after pickling in between. Learning costs no more with every row;
    the first prediction after it costs O(features), for it copies the model.
    """

    def __init__(self, classes=(False, True), **options):
        if isinstance(classes, str):
            raise native.usage_error(f"classes={classes!r} would be one class a letter", "give a list of the classes; "
                                     "options have names, such as rule='pa1'")
        self.classes = list(classes)
        self.options = dict(options)
        self._number_of = {label: number for number, label in enumerate(self.classes)}
        names = [str(label) for label in self.classes]
        if len(self._number_of) < 2 or len(set(names)) < len(names):
            raise native.usage_error("classes must be two or more, with different names", "give each class once")
        struct = native.Labels(None, native.c_names(names), len(names), None)
        settings = native.settings("train", self.options)
        self._trainer = native.new("trainer", "trainer_new_named", settings, byref(struct))
        self._features = {}
        self._pending = {}
        self._begin(Model(native.new("model", "trainer_model", self._trainer)))

    def _begin(self, model):
        names = [str(label) for label in self.classes]
        order = [names.index(name) for name in model.classes]  # the model's classes, as positions in `classes`
        self._label_of = [self.classes[at] for at in order]
        # learn_row() takes numbers as the model has them.
        self._number_of = {label: number for number, label in enumerate(self._label_of)}
        self._model = model  # None while it is older than the trainer
        self._keys = self._numbers = None
        self._error = native.Error()

    def __getstate__(self):
        return {"classes": self.classes, "options": self.options, "model": self.model.to_bytes(),
                "pending": dict(self._pending)}

    def __setstate__(self, state):
        self.classes, self.options, self._pending = state["classes"], state["options"], dict(state["pending"])
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

    def _add_features(self, x):
        number = c_uint32()
        for name in x:
            if name in self._features:
                continue
            if not isinstance(name, str):
                raise TypeError(f"the feature {name!r} is not named by a str")
            call("trainer_add_feature", self._trainer, native.c_text(name), byref(number))
            self._features[name] = number.value

    def _row(self, x, known):
        """Returns count, features and values for C. `known`: the names, in the order of x, that are features."""
        count = len(known)
        numbers = [self._features[name] for name in known]
        try:
            if all(a < b for a, b in zip(numbers, numbers[1:])):
                return count, (c_uint32 * count)(*numbers), (c_double * count)(*[x[name] for name in known])
            pairs = sorted(zip(numbers, known))
            return (count, (c_uint32 * count)(*[number for number, _ in pairs]),
                    (c_double * count)(*[x[name] for _, name in pairs]))
        except TypeError:
            _refuse_value(x)

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
            An unknown class; a value or a weight that is not finite. Nothing is learned.
        """
        try:
            number = self._number_of[y]
        except KeyError:
            raise data_error(f"the label {y!r} is not one of the classes {self.classes}",
                             "name all classes: OnlineClassifier(classes=[...])") from None
        with self._trainer.lock:
            self._learn(x, number, w)
        return self

    def _learn(self, x, number, w):
        keys = list(x)
        if keys == self._keys:  # the row before had the same features in the same order
            count, numbers = len(keys), self._numbers
            try:
                values = (c_double * count)(*x.values())
            except TypeError:
                self._keys = None
                self._learn(x, number, w)
                return
        else:
            x = _numbers(x)
            keys = list(x)
            if not self._features.keys() >= x.keys():
                self._add_features(x)
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
        x = _numbers(x)
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
        """
        if key is not None and key in self._pending:
            raise native.usage_error(f"the truth of {key!r} is still to come", "use another key, or forget() it")
        number = c_int32()
        self._predict(x, byref(number))
        if key is not None:
            self._pending[key] = dict(x)
        return self._label_of[number.value]

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
        self.learn_one(self._pending[key], y, w)
        del self._pending[key]
        return self

    def forget(self, key) -> None:
        """Drops the row that is kept under this key, if there is one: its truth will not come."""
        self._pending.pop(key, None)

    @property
    def pending(self) -> "list[Any]":
        """The keys whose truth is still to come, oldest first."""
        return list(self._pending)

    def predict_proba_one(self, x: "Mapping[str, float | str | None]") -> "dict[Any, float]":
        """Returns a dict of class to probability. Raises UsageError where the rule has none."""
        probabilities = (c_double * len(self.classes))()
        self._predict(x, probabilities=probabilities)
        return dict(zip(self._label_of, probabilities))

    def __repr__(self):
        options = "".join(f", {name}={value!r}" for name, value in self.options.items())
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


def _refuse_value(x):
    for name, value in x.items():
        try:
            c_double(value)
        except TypeError:
            raise TypeError(f"the value of feature {name!r} is not a number: {value!r}") from None
    raise TypeError("x is not a dict of numbers")
