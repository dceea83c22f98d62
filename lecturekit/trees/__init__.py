r"""Decision stumps, regression trees and forests: functions that ask about one feature at a time.

A stump answers :math:`h(x)=s` where :math:`x_j>t` and :math:`-s` elsewhere, with :math:`s=\pm1`. A tree asks
on: a cut :math:`x_j\le t` of the m rows of a node into l and m - l lowers the sum of squared errors by
:math:`\frac{m}{l(m-l)}c^2` with :math:`c=\sum_{x_{ij}\le t}(z_i-\bar z)`, and the best cut is made next.

A deep tree has little bias and much variance. The mean of B trees with variance :math:`\sigma^2` each and
correlation :math:`\rho` between any two has the variance :math:`\rho\sigma^2+\frac{1-\rho}B\sigma^2`, and the
bias of one. More trees lower the second part; randomness in the samples (bootstrap), in the features that a
node looks at and in the thresholds lowers the correlation in the first.

Sections: stumps; trees, exact or on histograms of the features; forests as scikit-learn estimators.
"""

from lecturekit.trees._forests import ExtraTrees, RandomForest
from lecturekit.trees._histogram import tree_grower
from lecturekit.trees._tree import Stump, Tree, best_stump, regression_tree, stump_finder

__all__ = [
    "ExtraTrees",
    "RandomForest",
    "Stump",
    "Tree",
    "best_stump",
    "regression_tree",
    "stump_finder",
    "tree_grower",
]
