"""What the tests share."""

import os

import halfspace

ESTIMATORS = [halfspace.HalfspaceClassifier, halfspace.Perceptron, halfspace.AveragedPerceptron,
              halfspace.PassiveAggressiveClassifier, halfspace.AROWClassifier, halfspace.FTRLClassifier]


def command():
    """Returns the path of the command: of the build that is tested, or of the package."""
    path = os.environ.get("HALFSPACE_COMMAND")
    return path or os.path.join(os.path.dirname(halfspace.__file__), "_bin", "halfspace")
