# Written by tools/make-stubs, from the package's docstrings and the library's options: not to be edited.
import enum
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Literal, NamedTuple

from numpy.typing import ArrayLike, NDArray
from typing_extensions import Self, TypeAlias

# An array, a sparse matrix, a DataFrame: each has types of its own, or none.
_Rows: TypeAlias = Any
_Path: TypeAlias = str | os.PathLike[str]
_Labels: TypeAlias = ArrayLike | Sequence[Any]
# Options that take one of several words.
_Algorithm: TypeAlias = Literal['exp3', 'exp3-anytime', 'exp3-mix', 'exp3p', 'exp3p-auer', 'exp3-ix', 'exp3-ix-anytime']
_Average: TypeAlias = Literal['macro', 'micro', 'weighted']
_Bias: TypeAlias = Literal['none', 'first', 'last']
_Calibrate: TypeAlias = Literal['platt', 'isotonic', 'none']
_ClassUpdate: TypeAlias = Literal['max-score', 'uniform', 'proportional', 'pa', 'pa1', 'pa2']
_DateOrder: TypeAlias = Literal['ymd', 'dmy', 'mdy']
_Decimal: TypeAlias = Literal['point', 'comma']
_Eviction: TypeAlias = Literal['random', 'forgetron', 'projectron']
_Format: TypeAlias = Literal['auto', 'libsvm', 'csv', 'idx', 'vw', 'arff', 'jsonl', 'npy', 'csr', 'sqlite']
_Keep: TypeAlias = Literal['last', 'average', 'pocket', 'vote']
_Kernel: TypeAlias = Literal['linear', 'polynomial', 'gaussian']
_Loss: TypeAlias = Literal['hinge', 'squared-hinge', 'logistic']
_Metric: TypeAlias = Literal[
    'accuracy', 'balanced-accuracy', 'precision', 'recall', 'f1', 'matthews', 'auc', 'average-precision', 'lift',
    'log-loss', 'brier', 'cost']
_Multiclass: TypeAlias = Literal['own', 'one-against-rest', 'one-against-one']
_Normalize: TypeAlias = Literal['none', 'row', 'column']
_Objective: TypeAlias = Literal['svm', 'squared-hinge', 'logistic']
_OnError: TypeAlias = Literal['stop', 'skip']
_Order: TypeAlias = Literal['stream', 'cyclic', 'shuffled', 'first-mistake', 'random-mistake', 'random']
_PenalizeBias: TypeAlias = Literal['yes', 'no']
_Preset: TypeAlias = Literal[
    'rosenblatt', 'batch', 'pla', 'cyclic-pla', 'random-pla', 'pocket', 'averaged', 'voted', 'margin', 'pa', 'pa1',
    'pa2', 'minnow', 'multiclass', 'second-order', 'arow', 'arow-diagonal', 'adagrad', 'alma', 'projected', 'winnow1',
    'winnow2', 'eg', 'kernel', 'scw1', 'scw2', 'romma', 'aggressive-romma', 'ftrl', 'nag', 'coin', 'tournament',
    'multiclass-tournament']
_Quote: TypeAlias = Literal['none', 'double', 'single']
_Rule: TypeAlias = Literal[
    'perceptron', 'margin', 'pa', 'pa1', 'pa2', 'minnow', 'multiclass', 'second-order', 'arow', 'arow-diagonal',
    'adagrad', 'alma', 'projected', 'winnow1', 'winnow2', 'eg', 'kernel', 'scw1', 'scw2', 'romma', 'aggressive-romma',
    'ftrl', 'nag', 'coin', 'tournament', 'multiclass-tournament']
_Start: TypeAlias = Literal['zero', 'small']
_TextTokens: TypeAlias = Literal['words', 'characters']
_TextValues: TypeAlias = Literal['counts', 'binary', 'tf-idf']
_Thousands: TypeAlias = Literal['comma', 'point', 'space', 'apostrophe', 'none']
_Tie: TypeAlias = Literal['positive', 'mistake', 'negative']
_Until: TypeAlias = Literal['clean']

__version__: str
__all__ = [
    'AROWClassifier', 'AveragedPerceptron', 'Bandit', 'Certification', 'Client', 'Comparison', 'DataError',
    'Evaluation', 'FTRLClassifier', 'HalfspaceClassifier', 'HalfspaceError', 'HalfspaceWarning', 'InputOutputError',
    'InternalError', 'InterruptedRunError', 'Learned', 'LinearSVC', 'LogisticRegression', 'Model', 'NoInputError',
    'NoMemoryError', 'OnlineClassifier', 'PassiveAggressiveClassifier', 'Perceptron', 'Prediction', 'Pull', 'Receipt',
    'Refusal', 'Run', 'Separation', 'ServiceError', 'Taken', 'UsageError', 'Verification', 'bandit', 'certify',
    'compare', 'experts', 'from_sklearn', 'lab', 'library_version', 'load', 'separation', 'to_onnx', 'to_sklearn',
    'train', 'verify', 'write_rows'
]

class _ClassifierMixin:
    def score(self, X: _Rows, y: _Labels, sample_weight: Any = ...) -> float: ...

class _BaseEstimator:
    def get_params(self, deep: bool = ...) -> dict[str, Any]: ...
    def set_params(self, **parameters: Any) -> Self: ...

class _Classifier(_ClassifierMixin, _BaseEstimator):
    classes_: NDArray[Any]
    n_features_in_: int
    feature_names_in_: NDArray[Any]
    def predict(self, X: _Rows) -> NDArray[Any]: ...
    def decision_function(self, X: _Rows) -> NDArray[Any]: ...
    @property
    def model_(self) -> Model: ...
    @property
    def coef_(self) -> NDArray[Any]: ...
    @property
    def intercept_(self) -> NDArray[Any]: ...
    def get_feature_names_out(self, input_features: Sequence[str] | None = ...) -> NDArray[Any]: ...
    @property
    def deviations_(self) -> NDArray[Any] | None: ...
    @property
    def notes_(self) -> list[tuple[str, str]]: ...
    def report_(self, path: str | os.PathLike[str] | None = ...) -> str: ...

class _Estimator(_Classifier):
    def set_params(self, **parameters: Any) -> Self: ...
    def fit(self, X: _Rows, y: _Labels | None = ..., sample_weight: _Labels | None = ...) -> Self: ...
    def partial_fit(
            self, X: _Rows, y: _Labels, classes: _Labels | None = ..., sample_weight: _Labels | None = ...
    ) -> Self: ...
    def predict_proba(self, X: _Rows) -> NDArray[Any]: ...
    def predict_set(self, X: _Rows, coverage: float = ..., each_class: bool = ...) -> NDArray[Any]: ...
    @property
    def ledger_(self) -> dict[str, Any]: ...
    @property
    def expected_error_(self) -> dict[str, Any] | None: ...
    def plot_(self, ax: Any = ...) -> Any: ...

class AROWClassifier(_Estimator):
    def __init__(
            self, *, rule: Literal['arow', 'arow-diagonal'] | None = ..., order: _Order | None = ...,
            keep: _Keep | None = ..., tie: _Tie | None = ..., bias: _Bias | None = ..., bias_scale: float | None = ...,
            start: _Start | None = ..., multiclass: _Multiclass | None = ..., seed: int | None = ...,
            noconstant: bool = ..., regularization: float | None = ..., until: _Until | None = ...,
            passes: int | None = ..., updates: int | None = ..., seconds: float | None = ..., folds: int | None = ...,
            calibrate: _Calibrate | None = ..., threshold: float | Literal['auto'] | None = ...,
            confidence: float | None = ..., conformal: bool = ..., sets: float | None = ...,
            metric: _Metric | None = ..., average: _Average | None = ..., f_beta: float | None = ...,
            lift_share: float | None = ..., cost: str | Sequence[str] | None = ..., format: _Format | None = ...,
            zero_based: bool = ..., header: bool = ..., no_header: bool = ..., delimiter: str | None = ...,
            decimal: _Decimal | None = ..., thousands: _Thousands | None = ..., quote: _Quote | None = ...,
            skip_lines: int | None = ..., comment: str | None = ..., table: str | None = ...,
            arrays: str | Sequence[str] | None = ..., label: str | None = ..., id: str | None = ...,
            drop: str | Sequence[str] | None = ..., on_error: _OnError | None = ..., rejects: _Path | None = ...,
            inference_rows: int | None = ..., threads: int | None = ..., categorical: str | Sequence[str] | None = ...,
            numeric: str | Sequence[str] | None = ..., text: str | Sequence[str] | None = ..., ngrams: int | None = ...,
            text_tokens: _TextTokens | None = ..., text_values: _TextValues | None = ...,
            dates: str | Sequence[str] | None = ..., date_order: _DateOrder | None = ...,
            interactions: str | Sequence[str] | None = ..., hash: int | None = ..., hash_names: int | None = ...,
            quadratic: str | Sequence[str] | None = ..., cubic: str | Sequence[str] | None = ...,
            ignore: str | Sequence[str] | None = ..., only: str | Sequence[str] | None = ...,
            missing: str | Sequence[str] | None = ..., missing_only: str | Sequence[str] | None = ...,
            classes: str | Sequence[str] | None = ..., positive: str | None = ..., weight: str | None = ...,
            class_weight: Mapping[Any, float] | str | None = ..., normalize: _Normalize | None = ...,
            single: bool = ..., holdout: float | None = ..., memory: int | str | None = ..., verbose: int = ...
    ) -> None: ...

class AveragedPerceptron(_Estimator):
    def __init__(
            self, *, order: _Order | None = ..., tie: _Tie | None = ..., bias: _Bias | None = ...,
            bias_scale: float | None = ..., start: _Start | None = ..., multiclass: _Multiclass | None = ...,
            seed: int | None = ..., noconstant: bool = ..., rate: float | None = ..., until: _Until | None = ...,
            passes: int | None = ..., updates: int | None = ..., seconds: float | None = ..., folds: int | None = ...,
            calibrate: _Calibrate | None = ..., threshold: float | Literal['auto'] | None = ...,
            confidence: float | None = ..., conformal: bool = ..., sets: float | None = ...,
            metric: _Metric | None = ..., average: _Average | None = ..., f_beta: float | None = ...,
            lift_share: float | None = ..., cost: str | Sequence[str] | None = ..., format: _Format | None = ...,
            zero_based: bool = ..., header: bool = ..., no_header: bool = ..., delimiter: str | None = ...,
            decimal: _Decimal | None = ..., thousands: _Thousands | None = ..., quote: _Quote | None = ...,
            skip_lines: int | None = ..., comment: str | None = ..., table: str | None = ...,
            arrays: str | Sequence[str] | None = ..., label: str | None = ..., id: str | None = ...,
            drop: str | Sequence[str] | None = ..., on_error: _OnError | None = ..., rejects: _Path | None = ...,
            inference_rows: int | None = ..., threads: int | None = ..., categorical: str | Sequence[str] | None = ...,
            numeric: str | Sequence[str] | None = ..., text: str | Sequence[str] | None = ..., ngrams: int | None = ...,
            text_tokens: _TextTokens | None = ..., text_values: _TextValues | None = ...,
            dates: str | Sequence[str] | None = ..., date_order: _DateOrder | None = ...,
            interactions: str | Sequence[str] | None = ..., hash: int | None = ..., hash_names: int | None = ...,
            quadratic: str | Sequence[str] | None = ..., cubic: str | Sequence[str] | None = ...,
            ignore: str | Sequence[str] | None = ..., only: str | Sequence[str] | None = ...,
            missing: str | Sequence[str] | None = ..., missing_only: str | Sequence[str] | None = ...,
            classes: str | Sequence[str] | None = ..., positive: str | None = ..., weight: str | None = ...,
            class_weight: Mapping[Any, float] | str | None = ..., normalize: _Normalize | None = ...,
            single: bool = ..., holdout: float | None = ..., memory: int | str | None = ..., verbose: int = ...
    ) -> None: ...

class Bandit:
    def __init__(
            self, arms: int | Sequence[Any], algorithm: str | None = ..., rounds: int | None = ...,
            delta: float | None = ..., seed: int | None = ...
    ) -> None: ...
    @staticmethod
    def algorithms() -> dict[str, str]: ...
    @property
    def arms(self) -> Sequence[Any]: ...
    def pull(self) -> Pull: ...
    def update(self, pull: Pull | int, loss: Any = ..., *, reward: Any = ...) -> None: ...
    def distribution(self) -> dict[Any, float] | list[float]: ...
    def describe(self) -> dict[str, Any]: ...
    def to_bytes(self) -> bytes: ...
    @classmethod
    def from_bytes(cls, data: bytes) -> Bandit: ...
    def save(self, path: str | os.PathLike[str]) -> None: ...
    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Bandit: ...

class _Result:
    def to_dict(self) -> dict[str, Any]: ...

class Certification(_Result):
    verdict: str
    rows: int
    features: int
    margin: dict[str, Any] | None
    mistake_bound: float | None
    witness: Any
    fewest_errors: dict[str, Any] | None
    certificate: str | None
    result: dict[str, Any]
    text: str
    @property
    def separable(self) -> bool | None: ...
    def page(self) -> str: ...
    def plot(self, ax: Any = ...) -> Any: ...
    def __init__(
            self, verdict: str, rows: int, features: int, margin: dict[str, Any] | None, mistake_bound: float | None,
            witness: Any, fewest_errors: dict[str, Any] | None, certificate: str | None, result: dict[str, Any],
            text: str
    ) -> None: ...

class Client:
    def __init__(
            self, url: str = ..., *, socket: str | os.PathLike[str] | None = ..., token: str | None = ...,
            timeout: float | None = ..., retries: int = ...
    ) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *_: Any) -> None: ...
    def close(self) -> None: ...
    def predict(
            self, rows: str | Mapping[str, Any] | Iterable[str | Mapping[str, Any]], id: str | int | None = ..., *,
            sequence: int | None = ..., source: str = ...
    ) -> list[Prediction]: ...
    def learn(
            self, rows: str | Mapping[str, Any] | Iterable[str | Mapping[str, Any]], id: str | int | None = ..., *,
            sequence: int | None = ..., source: str = ...
    ) -> Learned: ...
    def truth(self, id: str | int, label: Any, *, sequence: int | None = ..., source: str = ...) -> None: ...
    def truths(self, pairs: Mapping[Any, object] | Iterable[tuple[str | int, object]]) -> Taken: ...
    def forget(self, id: str | int) -> Receipt: ...
    def ledger(self) -> dict[str, Any]: ...
    def schema(self) -> dict[str, Any]: ...
    def model(self) -> Model: ...
    def replace(self, model: Model | bytes) -> int: ...
    def ready(self) -> bool: ...

class Comparison(_Result):
    best: str | None
    better_than: list[str]
    result: dict[str, Any]
    text: str
    def page(self) -> str: ...
    def __init__(self, best: str | None, better_than: list[str], result: dict[str, Any], text: str) -> None: ...

class HalfspaceError(Exception):
    kind: int
    message: str
    file: str | None
    line: int
    column: int
    fix: str | None
    def __init__(
            self, kind: int, message: str, file: str | None = ..., line: int = ..., column: int = ...,
            fix: str | None = ...
    ) -> None: ...

class DataError(HalfspaceError, ValueError):
    ...

class Evaluation(dict[str, Any]):
    text: str
    def __init__(self, result: Any, text: str) -> None: ...
    def page(self) -> str: ...

class FTRLClassifier(_Estimator):
    def __init__(
            self, *, order: _Order | None = ..., keep: _Keep | None = ..., tie: _Tie | None = ...,
            bias: _Bias | None = ..., bias_scale: float | None = ..., start: _Start | None = ...,
            multiclass: _Multiclass | None = ..., seed: int | None = ..., noconstant: bool = ...,
            alpha: float | None = ..., beta: float | None = ..., l1: float | None = ..., l2: float | None = ...,
            loss: _Loss | None = ..., until: _Until | None = ..., passes: int | None = ..., updates: int | None = ...,
            seconds: float | None = ..., folds: int | None = ..., calibrate: _Calibrate | None = ...,
            threshold: float | Literal['auto'] | None = ..., confidence: float | None = ..., conformal: bool = ...,
            sets: float | None = ..., metric: _Metric | None = ..., average: _Average | None = ...,
            f_beta: float | None = ..., lift_share: float | None = ..., cost: str | Sequence[str] | None = ...,
            format: _Format | None = ..., zero_based: bool = ..., header: bool = ..., no_header: bool = ...,
            delimiter: str | None = ..., decimal: _Decimal | None = ..., thousands: _Thousands | None = ...,
            quote: _Quote | None = ..., skip_lines: int | None = ..., comment: str | None = ...,
            table: str | None = ..., arrays: str | Sequence[str] | None = ..., label: str | None = ...,
            id: str | None = ..., drop: str | Sequence[str] | None = ..., on_error: _OnError | None = ...,
            rejects: _Path | None = ..., inference_rows: int | None = ..., threads: int | None = ...,
            categorical: str | Sequence[str] | None = ..., numeric: str | Sequence[str] | None = ...,
            text: str | Sequence[str] | None = ..., ngrams: int | None = ..., text_tokens: _TextTokens | None = ...,
            text_values: _TextValues | None = ..., dates: str | Sequence[str] | None = ...,
            date_order: _DateOrder | None = ..., interactions: str | Sequence[str] | None = ..., hash: int | None = ...,
            hash_names: int | None = ..., quadratic: str | Sequence[str] | None = ...,
            cubic: str | Sequence[str] | None = ..., ignore: str | Sequence[str] | None = ...,
            only: str | Sequence[str] | None = ..., missing: str | Sequence[str] | None = ...,
            missing_only: str | Sequence[str] | None = ..., classes: str | Sequence[str] | None = ...,
            positive: str | None = ..., weight: str | None = ..., class_weight: Mapping[Any, float] | str | None = ...,
            normalize: _Normalize | None = ..., single: bool = ..., holdout: float | None = ...,
            memory: int | str | None = ..., verbose: int = ...
    ) -> None: ...

class HalfspaceClassifier(_Estimator):
    def __init__(
            self, *, preset: _Preset | None = ..., rule: _Rule | None = ..., order: _Order | None = ...,
            keep: _Keep | None = ..., tie: _Tie | None = ..., bias: _Bias | None = ..., bias_scale: float | None = ...,
            start: _Start | None = ..., multiclass: _Multiclass | None = ..., seed: int | None = ...,
            noconstant: bool = ..., rate: float | None = ..., margin: float | None = ...,
            aggressiveness: float | None = ..., positive_weights: bool = ..., relative_margin: float | None = ...,
            radius: float | None = ..., class_update: _ClassUpdate | None = ..., regularization: float | None = ...,
            ball: float | None = ..., alpha: float | None = ..., theta: float | None = ...,
            kernel: _Kernel | None = ..., gamma: float | None = ..., degree: float | None = ...,
            offset: float | None = ..., budget: float | None = ..., eviction: _Eviction | None = ...,
            residual: float | None = ..., deviations: float | None = ..., beta: float | None = ...,
            l1: float | None = ..., l2: float | None = ..., loss: _Loss | None = ...,
            validation_share: float | None = ..., objective: _Objective | None = ..., C: float | None = ...,
            gap: float | None = ..., penalize_bias: _PenalizeBias | None = ..., until: _Until | None = ...,
            passes: int | None = ..., updates: int | None = ..., seconds: float | None = ..., folds: int | None = ...,
            calibrate: _Calibrate | None = ..., threshold: float | Literal['auto'] | None = ...,
            confidence: float | None = ..., conformal: bool = ..., sets: float | None = ...,
            metric: _Metric | None = ..., average: _Average | None = ..., f_beta: float | None = ...,
            lift_share: float | None = ..., cost: str | Sequence[str] | None = ..., format: _Format | None = ...,
            zero_based: bool = ..., header: bool = ..., no_header: bool = ..., delimiter: str | None = ...,
            decimal: _Decimal | None = ..., thousands: _Thousands | None = ..., quote: _Quote | None = ...,
            skip_lines: int | None = ..., comment: str | None = ..., table: str | None = ...,
            arrays: str | Sequence[str] | None = ..., label: str | None = ..., id: str | None = ...,
            drop: str | Sequence[str] | None = ..., on_error: _OnError | None = ..., rejects: _Path | None = ...,
            inference_rows: int | None = ..., threads: int | None = ..., categorical: str | Sequence[str] | None = ...,
            numeric: str | Sequence[str] | None = ..., text: str | Sequence[str] | None = ..., ngrams: int | None = ...,
            text_tokens: _TextTokens | None = ..., text_values: _TextValues | None = ...,
            dates: str | Sequence[str] | None = ..., date_order: _DateOrder | None = ...,
            interactions: str | Sequence[str] | None = ..., hash: int | None = ..., hash_names: int | None = ...,
            quadratic: str | Sequence[str] | None = ..., cubic: str | Sequence[str] | None = ...,
            ignore: str | Sequence[str] | None = ..., only: str | Sequence[str] | None = ...,
            missing: str | Sequence[str] | None = ..., missing_only: str | Sequence[str] | None = ...,
            classes: str | Sequence[str] | None = ..., positive: str | None = ..., weight: str | None = ...,
            class_weight: Mapping[Any, float] | str | None = ..., normalize: _Normalize | None = ...,
            single: bool = ..., holdout: float | None = ..., memory: int | str | None = ..., verbose: int = ...
    ) -> None: ...

class HalfspaceWarning(UserWarning):
    ...

class InputOutputError(HalfspaceError, OSError):
    ...

class InternalError(HalfspaceError, RuntimeError):
    ...

class InterruptedRunError(HalfspaceError):
    ...

class Learned:
    rows: int
    first: int | None
    refused: list[Refusal]
    repeated: int
    refused_more: int
    def __init__(
            self, rows: int, first: int | None, refused: list[Refusal] = ..., repeated: int = ...,
            refused_more: int = ...
    ) -> None: ...

class _Minimum(_Classifier):
    gap_: NDArray[Any]
    objective_: NDArray[Any]
    dual_objective_: NDArray[Any]
    radius_: NDArray[Any]
    certificate_: str
    def fit(self, X: _Rows, y: _Labels, sample_weight: _Labels | None = ...) -> Self: ...
    @property
    def n_certain_digits_(self) -> NDArray[Any]: ...

class LinearSVC(_Minimum):
    n_iter_: int
    def __init__(
            self, penalty: Literal['l2'] = ..., loss: Literal['squared_hinge', 'hinge'] = ..., *,
            dual: bool | str = ..., tol: float = ..., C: float = ..., multi_class: Literal['ovr'] = ...,
            fit_intercept: bool = ..., intercept_scaling: float = ...,
            class_weight: Mapping[Any, float] | str | None = ..., verbose: int = ..., random_state: int | None = ...,
            max_iter: int = ..., certify: bool = ...
    ) -> None: ...

class LogisticRegression(_Minimum):
    n_iter_: NDArray[Any]
    def __init__(
            self, penalty: Literal['l2'] = ..., *, C: float = ..., tol: float = ..., fit_intercept: bool = ...,
            intercept_scaling: float = ..., class_weight: Mapping[Any, float] | str | None = ...,
            random_state: int | None = ...,
            solver: Literal['lbfgs', 'liblinear', 'newton-cg', 'newton-cholesky', 'sag', 'saga'] = ...,
            max_iter: int = ..., multi_class: Literal['ovr', 'auto'] = ..., verbose: int = ..., warm_start: bool = ...,
            n_jobs: int | None = ..., l1_ratio: float | None = ..., certify: bool = ...
    ) -> None: ...
    def predict_proba(self, X: _Rows) -> NDArray[Any]: ...
    def predict_log_proba(self, X: _Rows) -> NDArray[Any]: ...

class Model:
    classes: list[str]
    notes: list[tuple[str, str]]
    def __init__(self, handle: Any, run: Any = ..., notes: Sequence[tuple[str, str]] = ...) -> None: ...
    @property
    def result(self) -> dict[str, Any] | None: ...
    @classmethod
    def of_trainer(cls, trainer: Any) -> Model: ...
    @classmethod
    def from_bytes(cls, data: bytes) -> Model: ...
    def to_bytes(self) -> bytes: ...
    def save(self, path: _Path) -> None: ...
    def describe(self) -> dict[str, Any]: ...
    @property
    def description(self) -> dict[str, Any]: ...
    @property
    def has_probabilities(self) -> bool: ...
    @property
    def expected_error(self) -> dict[str, Any] | None: ...
    @property
    def has_report(self) -> bool: ...
    def report(self) -> str: ...
    def page(self) -> str: ...
    def plot(self, ax: Any = ...) -> Any: ...
    @property
    def features(self) -> int: ...
    @property
    def vectors(self) -> int: ...
    def weights(self) -> tuple[NDArray[Any], NDArray[Any]]: ...
    def predictor(self) -> Any: ...
    def predict_rows(
            self, rows: Any, count: Any, classes: bool = ..., scores: bool = ..., probabilities: bool = ...
    ) -> Any: ...
    def predict_files(
            self, paths: Any, options: Any, classes: bool = ..., scores: bool = ..., probabilities: bool = ...
    ) -> Any: ...
    def predict(
            self, X: _Rows, *, format: _Format | None = ..., zero_based: bool | None = ..., header: bool | None = ...,
            no_header: bool | None = ..., delimiter: str | None = ..., decimal: _Decimal | None = ...,
            thousands: _Thousands | None = ..., quote: _Quote | None = ..., skip_lines: int | None = ...,
            comment: str | None = ..., table: str | None = ..., arrays: str | Sequence[str] | None = ...,
            label: str | None = ..., id: str | None = ..., drop: str | Sequence[str] | None = ...,
            on_error: _OnError | None = ..., rejects: _Path | None = ..., inference_rows: int | None = ...,
            threads: int | None = ...
    ) -> list[str]: ...
    def decision_function(
            self, X: _Rows, *, format: _Format | None = ..., zero_based: bool | None = ..., header: bool | None = ...,
            no_header: bool | None = ..., delimiter: str | None = ..., decimal: _Decimal | None = ...,
            thousands: _Thousands | None = ..., quote: _Quote | None = ..., skip_lines: int | None = ...,
            comment: str | None = ..., table: str | None = ..., arrays: str | Sequence[str] | None = ...,
            label: str | None = ..., id: str | None = ..., drop: str | Sequence[str] | None = ...,
            on_error: _OnError | None = ..., rejects: _Path | None = ..., inference_rows: int | None = ...,
            threads: int | None = ...
    ) -> NDArray[Any]: ...
    def predict_proba(
            self, X: _Rows, *, format: _Format | None = ..., zero_based: bool | None = ..., header: bool | None = ...,
            no_header: bool | None = ..., delimiter: str | None = ..., decimal: _Decimal | None = ...,
            thousands: _Thousands | None = ..., quote: _Quote | None = ..., skip_lines: int | None = ...,
            comment: str | None = ..., table: str | None = ..., arrays: str | Sequence[str] | None = ...,
            label: str | None = ..., id: str | None = ..., drop: str | Sequence[str] | None = ...,
            on_error: _OnError | None = ..., rejects: _Path | None = ..., inference_rows: int | None = ...,
            threads: int | None = ...
    ) -> NDArray[Any]: ...
    def sets_of(self, scores: Any, coverage: Any, each_class: Any) -> Any: ...
    def predict_set(
            self, X: _Rows, coverage: float = ..., each_class: bool = ..., *, format: _Format | None = ...,
            zero_based: bool | None = ..., header: bool | None = ..., no_header: bool | None = ...,
            delimiter: str | None = ..., decimal: _Decimal | None = ..., thousands: _Thousands | None = ...,
            quote: _Quote | None = ..., skip_lines: int | None = ..., comment: str | None = ...,
            table: str | None = ..., arrays: str | Sequence[str] | None = ..., label: str | None = ...,
            id: str | None = ..., drop: str | Sequence[str] | None = ..., on_error: _OnError | None = ...,
            rejects: _Path | None = ..., inference_rows: int | None = ..., threads: int | None = ...
    ) -> NDArray[Any]: ...
    def to_onnx(self, path: str | os.PathLike[str] | None = ...) -> bytes: ...
    def to_pmml(self, path: str | os.PathLike[str] | None = ...) -> bytes: ...
    def evaluate(
            self, X: _Rows, y: _Labels | None = ..., *, sample_weight: _Labels | None = ...,
            confidence: float | None = ..., average: _Average | None = ..., f_beta: float | None = ...,
            lift_share: float | None = ..., cost: str | Sequence[str] | None = ..., resamples: int | None = ...,
            seed: int | None = ..., weight: str | None = ..., weighted: bool | None = ...,
            unweighted: bool | None = ..., sets: float | None = ..., each_class: bool | None = ...,
            format: _Format | None = ..., zero_based: bool | None = ..., header: bool | None = ...,
            no_header: bool | None = ..., delimiter: str | None = ..., decimal: _Decimal | None = ...,
            thousands: _Thousands | None = ..., quote: _Quote | None = ..., skip_lines: int | None = ...,
            comment: str | None = ..., table: str | None = ..., arrays: str | Sequence[str] | None = ...,
            label: str | None = ..., id: str | None = ..., drop: str | Sequence[str] | None = ...,
            on_error: _OnError | None = ..., rejects: _Path | None = ..., inference_rows: int | None = ...,
            threads: int | None = ...
    ) -> Evaluation: ...

class NoInputError(HalfspaceError, FileNotFoundError):
    ...

class NoMemoryError(HalfspaceError, MemoryError):
    ...

class OnlineClassifier:
    def __init__(
            self, classes: _Labels = ..., class_weight: Mapping[Any, Any] | None = ..., sets: float | None = ..., *,
            preset: _Preset | None = ..., rule: _Rule | None = ..., keep: _Keep | None = ..., tie: _Tie | None = ...,
            bias: _Bias | None = ..., bias_scale: float | None = ..., start: _Start | None = ...,
            multiclass: _Multiclass | None = ..., seed: int | None = ..., rate: float | None = ...,
            margin: float | None = ..., aggressiveness: float | None = ..., positive_weights: bool | None = ...,
            relative_margin: float | None = ..., radius: float | None = ..., class_update: _ClassUpdate | None = ...,
            regularization: float | None = ..., ball: float | None = ..., alpha: float | None = ...,
            theta: float | None = ..., kernel: _Kernel | None = ..., gamma: float | None = ...,
            degree: float | None = ..., offset: float | None = ..., budget: float | None = ...,
            eviction: _Eviction | None = ..., residual: float | None = ..., deviations: float | None = ...,
            beta: float | None = ..., l1: float | None = ..., l2: float | None = ..., loss: _Loss | None = ...,
            validation_share: float | None = ..., updates: int | None = ..., seconds: float | None = ...
    ) -> None: ...
    @property
    def model(self) -> Model: ...
    @property
    def feature_names(self) -> list[str]: ...
    def learn_one(self, x: Mapping[str, float | str | None], y: Any, w: float = ...) -> Self: ...
    def learn_many(self, rows: Iterable[tuple[Any, ...]]) -> Self: ...
    def predict_one(self, x: Mapping[str, float | str | None], key: Any = ...) -> Any: ...
    def learn_late(self, key: Any, y: _Labels, w: float = ...) -> Self: ...
    def forget(self, key: Any) -> None: ...
    @property
    def pending(self) -> list[Any]: ...
    def predict_set_one(self, x: Mapping[str, float | str | None], key: Any = ...) -> set[Any]: ...
    def sets_report(self) -> dict[str, Any]: ...
    def predict_proba_one(self, x: Mapping[str, float | str | None]) -> dict[Any, float]: ...
    def save(self, path: _Path) -> None: ...

class PassiveAggressiveClassifier(_Estimator):
    def __init__(
            self, *, rule: Literal['pa1', 'pa2', 'pa'] | None = ..., order: _Order | None = ...,
            keep: _Keep | None = ..., tie: _Tie | None = ..., bias: _Bias | None = ..., bias_scale: float | None = ...,
            start: _Start | None = ..., multiclass: _Multiclass | None = ..., seed: int | None = ...,
            noconstant: bool = ..., aggressiveness: float | None = ..., until: _Until | None = ...,
            passes: int | None = ..., updates: int | None = ..., seconds: float | None = ..., folds: int | None = ...,
            calibrate: _Calibrate | None = ..., threshold: float | Literal['auto'] | None = ...,
            confidence: float | None = ..., conformal: bool = ..., sets: float | None = ...,
            metric: _Metric | None = ..., average: _Average | None = ..., f_beta: float | None = ...,
            lift_share: float | None = ..., cost: str | Sequence[str] | None = ..., format: _Format | None = ...,
            zero_based: bool = ..., header: bool = ..., no_header: bool = ..., delimiter: str | None = ...,
            decimal: _Decimal | None = ..., thousands: _Thousands | None = ..., quote: _Quote | None = ...,
            skip_lines: int | None = ..., comment: str | None = ..., table: str | None = ...,
            arrays: str | Sequence[str] | None = ..., label: str | None = ..., id: str | None = ...,
            drop: str | Sequence[str] | None = ..., on_error: _OnError | None = ..., rejects: _Path | None = ...,
            inference_rows: int | None = ..., threads: int | None = ..., categorical: str | Sequence[str] | None = ...,
            numeric: str | Sequence[str] | None = ..., text: str | Sequence[str] | None = ..., ngrams: int | None = ...,
            text_tokens: _TextTokens | None = ..., text_values: _TextValues | None = ...,
            dates: str | Sequence[str] | None = ..., date_order: _DateOrder | None = ...,
            interactions: str | Sequence[str] | None = ..., hash: int | None = ..., hash_names: int | None = ...,
            quadratic: str | Sequence[str] | None = ..., cubic: str | Sequence[str] | None = ...,
            ignore: str | Sequence[str] | None = ..., only: str | Sequence[str] | None = ...,
            missing: str | Sequence[str] | None = ..., missing_only: str | Sequence[str] | None = ...,
            classes: str | Sequence[str] | None = ..., positive: str | None = ..., weight: str | None = ...,
            class_weight: Mapping[Any, float] | str | None = ..., normalize: _Normalize | None = ...,
            single: bool = ..., holdout: float | None = ..., memory: int | str | None = ..., verbose: int = ...
    ) -> None: ...

class Perceptron(_Estimator):
    def __init__(
            self, *, order: _Order | None = ..., tie: _Tie | None = ..., bias: _Bias | None = ...,
            bias_scale: float | None = ..., start: _Start | None = ..., multiclass: _Multiclass | None = ...,
            seed: int | None = ..., noconstant: bool = ..., rate: float | None = ..., until: _Until | None = ...,
            passes: int | None = ..., updates: int | None = ..., seconds: float | None = ..., folds: int | None = ...,
            calibrate: _Calibrate | None = ..., threshold: float | Literal['auto'] | None = ...,
            confidence: float | None = ..., conformal: bool = ..., sets: float | None = ...,
            metric: _Metric | None = ..., average: _Average | None = ..., f_beta: float | None = ...,
            lift_share: float | None = ..., cost: str | Sequence[str] | None = ..., format: _Format | None = ...,
            zero_based: bool = ..., header: bool = ..., no_header: bool = ..., delimiter: str | None = ...,
            decimal: _Decimal | None = ..., thousands: _Thousands | None = ..., quote: _Quote | None = ...,
            skip_lines: int | None = ..., comment: str | None = ..., table: str | None = ...,
            arrays: str | Sequence[str] | None = ..., label: str | None = ..., id: str | None = ...,
            drop: str | Sequence[str] | None = ..., on_error: _OnError | None = ..., rejects: _Path | None = ...,
            inference_rows: int | None = ..., threads: int | None = ..., categorical: str | Sequence[str] | None = ...,
            numeric: str | Sequence[str] | None = ..., text: str | Sequence[str] | None = ..., ngrams: int | None = ...,
            text_tokens: _TextTokens | None = ..., text_values: _TextValues | None = ...,
            dates: str | Sequence[str] | None = ..., date_order: _DateOrder | None = ...,
            interactions: str | Sequence[str] | None = ..., hash: int | None = ..., hash_names: int | None = ...,
            quadratic: str | Sequence[str] | None = ..., cubic: str | Sequence[str] | None = ...,
            ignore: str | Sequence[str] | None = ..., only: str | Sequence[str] | None = ...,
            missing: str | Sequence[str] | None = ..., missing_only: str | Sequence[str] | None = ...,
            classes: str | Sequence[str] | None = ..., positive: str | None = ..., weight: str | None = ...,
            class_weight: Mapping[Any, float] | str | None = ..., normalize: _Normalize | None = ...,
            single: bool = ..., holdout: float | None = ..., memory: int | str | None = ..., verbose: int = ...
    ) -> None: ...

class Prediction:
    label: str | None
    score: float | None
    probability: float | None
    refused: Refusal | None
    def __init__(
            self, label: str | None, score: float | None, probability: float | None, refused: Refusal | None = ...
    ) -> None: ...

class Pull(NamedTuple):
    ticket: int
    arm: Any
    probability: float

class Receipt:
    forgotten: int
    events: int
    log: str
    model: str
    def __init__(self, forgotten: int, events: int, log: str, model: str) -> None: ...

class Refusal:
    line: int
    column: int
    error: str
    fix: str | None
    def __init__(self, line: int, column: int, error: str, fix: str | None) -> None: ...

class Run(_Result):
    command: str
    result: dict[str, Any]
    status: int
    text: str
    notes: str
    @property
    def holds(self) -> Any: ...
    def page(self) -> str: ...
    def plot(self, ax: Any = ...) -> Any: ...
    def __init__(self, command: str, result: dict[str, Any], status: int, text: str, notes: str) -> None: ...

class Separation:
    kind: str
    coefficients: dict[str, str]
    positive: str
    rows: int
    separated_rows: int
    row_numbers: list[int]
    rows_are_separated: bool
    notes: list[str]
    certificate: str | None
    numbers: str
    result: dict[str, Any]
    def __init__(self, result: Mapping[str, Any], certificate: str | None, design: Any) -> None: ...
    @property
    def separated(self) -> bool | None: ...
    @property
    def finite(self) -> list[str]: ...
    @property
    def infinite(self) -> list[str]: ...
    @property
    def aliased(self) -> list[str]: ...
    def write_rows(self, path: _Path) -> None: ...
    def page(self) -> str: ...

class ServiceError(Exception):
    status: int
    error: str
    fix: str | None
    def __init__(self, status: int, error: str, fix: str | None = ...) -> None: ...

class Taken:
    labels: int
    refused: list[Refusal]
    repeated: int
    refused_more: int
    def __init__(
            self, labels: int, refused: list[Refusal] = ..., repeated: int = ..., refused_more: int = ...
    ) -> None: ...

class UsageError(HalfspaceError, ValueError):
    ...

class Verification(_Result):
    valid: bool
    result: dict[str, Any]
    text: str
    def __init__(self, valid: bool, result: dict[str, Any], text: str) -> None: ...

def bandit(
        table: _Rows, *, algorithm: _Algorithm | None = ..., rounds: int | None = ..., delta: float | None = ...,
        seed: int | None = ...
) -> Run: ...

def certify(
        X: _Rows, y: _Labels | None = ..., *, progress: bool = ..., pairs: bool | None = ...,
        one_against_rest: bool | None = ..., coefficients: bool | None = ..., bias: _Bias | None = ...,
        bias_scale: float | None = ..., seconds: float | None = ..., extra_seconds: float | None = ...,
        memory: int | str | None = ..., resume: _Path | None = ..., format: _Format | None = ...,
        zero_based: bool | None = ..., header: bool | None = ..., no_header: bool | None = ...,
        delimiter: str | None = ..., decimal: _Decimal | None = ..., thousands: _Thousands | None = ...,
        quote: _Quote | None = ..., skip_lines: int | None = ..., comment: str | None = ..., table: str | None = ...,
        arrays: str | Sequence[str] | None = ..., label: str | None = ..., id: str | None = ...,
        drop: str | Sequence[str] | None = ..., on_error: _OnError | None = ..., rejects: _Path | None = ...,
        inference_rows: int | None = ..., threads: int | None = ..., categorical: str | Sequence[str] | None = ...,
        numeric: str | Sequence[str] | None = ..., text: str | Sequence[str] | None = ..., ngrams: int | None = ...,
        text_tokens: _TextTokens | None = ..., text_values: _TextValues | None = ...,
        dates: str | Sequence[str] | None = ..., date_order: _DateOrder | None = ...,
        interactions: str | Sequence[str] | None = ..., hash: int | None = ..., hash_names: int | None = ...,
        quadratic: str | Sequence[str] | None = ..., cubic: str | Sequence[str] | None = ...,
        ignore: str | Sequence[str] | None = ..., only: str | Sequence[str] | None = ...,
        missing: str | Sequence[str] | None = ..., missing_only: str | Sequence[str] | None = ...,
        classes: str | Sequence[str] | None = ..., positive: str | None = ...
) -> Certification: ...

def compare(
        X: _Rows, y: _Labels | None = ..., *, rules: Sequence[str] | None = ..., models: Any = ...,
        progress: bool = ..., folds: int | None = ..., test: _Path | None = ..., passes: int | None = ...,
        seed: int | None = ..., confidence: float | None = ..., format: _Format | None = ...,
        zero_based: bool | None = ..., header: bool | None = ..., no_header: bool | None = ...,
        delimiter: str | None = ..., decimal: _Decimal | None = ..., thousands: _Thousands | None = ...,
        quote: _Quote | None = ..., skip_lines: int | None = ..., comment: str | None = ..., table: str | None = ...,
        arrays: str | Sequence[str] | None = ..., label: str | None = ..., id: str | None = ...,
        drop: str | Sequence[str] | None = ..., on_error: _OnError | None = ..., inference_rows: int | None = ...,
        threads: int | None = ..., categorical: str | Sequence[str] | None = ...,
        numeric: str | Sequence[str] | None = ..., text: str | Sequence[str] | None = ..., ngrams: int | None = ...,
        text_tokens: _TextTokens | None = ..., text_values: _TextValues | None = ...,
        dates: str | Sequence[str] | None = ..., date_order: _DateOrder | None = ...,
        interactions: str | Sequence[str] | None = ..., hash: int | None = ..., hash_names: int | None = ...,
        quadratic: str | Sequence[str] | None = ..., cubic: str | Sequence[str] | None = ...,
        ignore: str | Sequence[str] | None = ..., only: str | Sequence[str] | None = ...,
        missing: str | Sequence[str] | None = ..., missing_only: str | Sequence[str] | None = ...,
        classes: str | Sequence[str] | None = ..., positive: str | None = ..., weight: str | None = ...,
        class_weight: Mapping[Any, float] | str | None = ..., normalize: _Normalize | None = ...,
        single: bool | None = ..., holdout: float | None = ..., memory: int | str | None = ...
) -> Comparison: ...

def experts(table: _Rows, **options: Any) -> Run: ...

def from_sklearn(estimator: Any, label: str = ..., sparse: bool = ...) -> Model: ...

def lab(name: str, data: str | os.PathLike[str] | None = ..., **options: Any) -> Run: ...

def library_version() -> str: ...

def load(path: _Path) -> Model: ...

def separation(
        X: _Rows, y: _Labels | None = ..., *, intercept: bool = ..., sample_weight: _Labels | None = ...,
        names: Sequence[str] | None = ..., progress: bool = ..., pairs: bool | None = ...,
        one_against_rest: bool | None = ..., coefficients: bool | None = ..., bias: _Bias | None = ...,
        bias_scale: float | None = ..., seconds: float | None = ..., extra_seconds: float | None = ...,
        memory: int | str | None = ..., resume: _Path | None = ..., format: _Format | None = ...,
        zero_based: bool | None = ..., header: bool | None = ..., no_header: bool | None = ...,
        delimiter: str | None = ..., decimal: _Decimal | None = ..., thousands: _Thousands | None = ...,
        quote: _Quote | None = ..., skip_lines: int | None = ..., comment: str | None = ..., table: str | None = ...,
        arrays: str | Sequence[str] | None = ..., label: str | None = ..., id: str | None = ...,
        drop: str | Sequence[str] | None = ..., on_error: _OnError | None = ..., rejects: _Path | None = ...,
        inference_rows: int | None = ..., threads: int | None = ..., categorical: str | Sequence[str] | None = ...,
        numeric: str | Sequence[str] | None = ..., text: str | Sequence[str] | None = ..., ngrams: int | None = ...,
        text_tokens: _TextTokens | None = ..., text_values: _TextValues | None = ...,
        dates: str | Sequence[str] | None = ..., date_order: _DateOrder | None = ...,
        interactions: str | Sequence[str] | None = ..., hash: int | None = ..., hash_names: int | None = ...,
        quadratic: str | Sequence[str] | None = ..., cubic: str | Sequence[str] | None = ...,
        ignore: str | Sequence[str] | None = ..., only: str | Sequence[str] | None = ...,
        missing: str | Sequence[str] | None = ..., missing_only: str | Sequence[str] | None = ...,
        classes: str | Sequence[str] | None = ..., positive: str | None = ...
) -> Separation: ...

def to_onnx(model: Any, path: str | os.PathLike[str] | None = ...) -> bytes: ...

def to_sklearn(model: Any) -> Any: ...

def train(
        X: _Rows, y: _Labels | None = ..., *, progress: bool = ..., figures: bool = ..., preset: _Preset | None = ...,
        rule: _Rule | None = ..., order: _Order | None = ..., keep: _Keep | None = ..., tie: _Tie | None = ...,
        bias: _Bias | None = ..., bias_scale: float | None = ..., start: _Start | None = ...,
        multiclass: _Multiclass | None = ..., seed: int | None = ..., noconstant: bool | None = ...,
        rate: float | None = ..., margin: float | None = ..., aggressiveness: float | None = ...,
        positive_weights: bool | None = ..., relative_margin: float | None = ..., radius: float | None = ...,
        class_update: _ClassUpdate | None = ..., regularization: float | None = ..., ball: float | None = ...,
        alpha: float | None = ..., theta: float | None = ..., kernel: _Kernel | None = ..., gamma: float | None = ...,
        degree: float | None = ..., offset: float | None = ..., budget: float | None = ...,
        eviction: _Eviction | None = ..., residual: float | None = ..., deviations: float | None = ...,
        beta: float | None = ..., l1: float | None = ..., l2: float | None = ..., loss: _Loss | None = ...,
        validation_share: float | None = ..., objective: _Objective | None = ..., C: float | None = ...,
        gap: float | None = ..., penalize_bias: _PenalizeBias | None = ..., until: _Until | None = ...,
        passes: int | None = ..., updates: int | None = ..., seconds: float | None = ..., folds: int | None = ...,
        calibrate: _Calibrate | None = ..., threshold: float | Literal['auto'] | None = ...,
        confidence: float | None = ..., conformal: bool | None = ..., sets: float | None = ...,
        metric: _Metric | None = ..., average: _Average | None = ..., f_beta: float | None = ...,
        lift_share: float | None = ..., cost: str | Sequence[str] | None = ..., format: _Format | None = ...,
        zero_based: bool | None = ..., header: bool | None = ..., no_header: bool | None = ...,
        delimiter: str | None = ..., decimal: _Decimal | None = ..., thousands: _Thousands | None = ...,
        quote: _Quote | None = ..., skip_lines: int | None = ..., comment: str | None = ..., table: str | None = ...,
        arrays: str | Sequence[str] | None = ..., label: str | None = ..., id: str | None = ...,
        drop: str | Sequence[str] | None = ..., on_error: _OnError | None = ..., rejects: _Path | None = ...,
        inference_rows: int | None = ..., threads: int | None = ..., categorical: str | Sequence[str] | None = ...,
        numeric: str | Sequence[str] | None = ..., text: str | Sequence[str] | None = ..., ngrams: int | None = ...,
        text_tokens: _TextTokens | None = ..., text_values: _TextValues | None = ...,
        dates: str | Sequence[str] | None = ..., date_order: _DateOrder | None = ...,
        interactions: str | Sequence[str] | None = ..., hash: int | None = ..., hash_names: int | None = ...,
        quadratic: str | Sequence[str] | None = ..., cubic: str | Sequence[str] | None = ...,
        ignore: str | Sequence[str] | None = ..., only: str | Sequence[str] | None = ...,
        missing: str | Sequence[str] | None = ..., missing_only: str | Sequence[str] | None = ...,
        classes: str | Sequence[str] | None = ..., positive: str | None = ..., weight: str | None = ...,
        class_weight: Mapping[Any, float] | str | None = ..., normalize: _Normalize | None = ...,
        single: bool | None = ..., holdout: float | None = ..., memory: int | str | None = ...
) -> Model: ...

def verify(certificate: Any, paths: str | os.PathLike[str] | Sequence[_Path]) -> Verification: ...

def write_rows(path: _Path, X: _Rows, y: _Labels) -> None: ...
