"""What the tests share."""

import halfspace

ESTIMATORS = [halfspace.HalfspaceClassifier, halfspace.Perceptron, halfspace.AveragedPerceptron,
              halfspace.PassiveAggressiveClassifier, halfspace.AROWClassifier, halfspace.FTRLClassifier]
