"""Online linear classification: train, predict, certify. See help(halfspace.HalfspaceClassifier) and halfspace.train.

Names are loaded when they are first used: importing this package loads neither numpy nor the library.
"""

_MODULES = {
    "_native": ("HalfspaceError", "UsageError", "DataError", "NoInputError", "InternalError", "NoMemoryError",
                "InputOutputError", "InterruptedRunError", "HalfspaceWarning", "library_version"),
    "_model": ("Model", "Evaluation", "Explanation", "Certification", "Verification", "train", "load", "certify",
               "verify", "write_rows"),
    "_separation": ("Separation", "separation"),
    "_compare": ("Comparison", "compare"),
    "_exchange": ("from_sklearn", "to_sklearn", "to_onnx"),
    "_online": ("OnlineClassifier",),
    "_bandits": ("Bandit", "Pull"),
    "_chooser": ("Chooser", "ChooserClient", "Ranking"),
    "client": ("Client", "Learned", "Prediction", "Receipt", "Refusal", "ServiceError", "Taken"),
    "_runs": ("Run", "experts", "bandit", "lab"),
    "_estimators": ("HalfspaceClassifier", "Perceptron", "AveragedPerceptron", "PassiveAggressiveClassifier",
                    "AROWClassifier", "FTRLClassifier"),
    "_minimum": ("LinearSVC", "LogisticRegression"),
}
_MODULE_OF = {name: module for module, names in _MODULES.items() for name in names}

_INSTALL_NUMPY = "pip install numpy, or for the system's Python apt install python3-numpy"

__version__ = "0.1.0"
__all__ = sorted(_MODULE_OF)


def __getattr__(name):
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'halfspace' has no attribute {name!r}")
    from importlib import import_module

    try:
        module = import_module("halfspace." + _MODULE_OF[name])
    except ModuleNotFoundError as error:
        if error.name != "numpy":
            raise
        raise ImportError(f"halfspace.{name} needs numpy: {_INSTALL_NUMPY}", name="numpy") from None
    value = getattr(module, name)
    globals()[name] = value
    return value


def __dir__():
    return sorted(set(globals()) | set(__all__))
