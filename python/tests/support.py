"""What the tests share."""

import importlib.util
import os
import tempfile
import unittest

import halfspace

ESTIMATORS, MINIMA = [], []
if importlib.util.find_spec("numpy"):  # which they need
    ESTIMATORS = [halfspace.HalfspaceClassifier, halfspace.Perceptron, halfspace.AveragedPerceptron,
                  halfspace.PassiveAggressiveClassifier, halfspace.AROWClassifier, halfspace.FTRLClassifier]
    MINIMA = [halfspace.LinearSVC, halfspace.LogisticRegression]


def command():
    """Returns the path of the command: HALFSPACE_COMMAND, or that of the package."""
    from halfspace import _command

    return os.environ.get("HALFSPACE_COMMAND") or os.path.join(os.path.dirname(_command.__file__), "_bin", "halfspace")


class WithFolder(unittest.TestCase):
    """Tests with a folder of their own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)
