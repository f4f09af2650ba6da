"""What the tests share."""

import os

import halfspace

ESTIMATORS = [halfspace.HalfspaceClassifier, halfspace.Perceptron, halfspace.AveragedPerceptron,
              halfspace.PassiveAggressiveClassifier, halfspace.AROWClassifier, halfspace.FTRLClassifier]

# The command: of the package, or the one that HALFSPACE_COMMAND names.
COMMAND = os.environ.get("HALFSPACE_COMMAND") or os.path.join(os.path.dirname(halfspace.__file__), "_bin", "halfspace")
