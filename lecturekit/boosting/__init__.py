r"""Boosting: many weak functions, added one at a time, each where those before it were wrong.

All of it looks for :math:`f^M=f^0+\sum_{m=1}^Mc_mh^m` with a small :math:`\sum_iL(f^M(x_i),y_i)` and never
changes what it has added. *Forward stagewise fitting* takes the best function and coefficient of all.
*Gradient boosting* fits a function to the negative slopes :math:`z_i=-\partial L(r,y_i)/\partial r` at
:math:`r=f^{m-1}(x_i)` by least squares, which any regression can do, whatever the loss; for K classes it
does so for K - 1 functions :math:`f_k=\log(p_k/p_K)`, class after class within a round.

*AdaBoost* gives every point a weight. A round takes the stump :math:`h^m` with the least weighted error
:math:`E_m`, gives it the vote :math:`\alpha_m=\log\frac{1-E_m}{E_m}` and multiplies the weights of the points
it got wrong by :math:`e^{\alpha_m}`: under the new weights its error is one half, so that the next one has to
differ. The classifier is the sign of :math:`\sum_m\alpha_mh^m`; half of that sum is the model that forward
stagewise fitting of the exponential loss finds.

Sections: losses; AdaBoost; additive models; several classes; scikit-learn estimators.

References
----------
Freund and Schapire, *A decision-theoretic generalization of on-line learning and an application to
boosting*, 1997 (AdaBoost).

Friedman, *Greedy function approximation: a gradient boosting machine*, 2001.

Hastie, Tibshirani and Friedman, *The Elements of Statistical Learning*, 2009, section 10.10 (classes).
"""

from lecturekit.boosting._estimators import AdaBoost, GradientBoosting, GradientBoostingClassifier
from lecturekit.boosting._losses import (
    AbsoluteError,
    BoostingLoss,
    ExponentialError,
    LogisticError,
    SquaredError,
)
from lecturekit.boosting._rounds import (
    AdaBoosted,
    Additive,
    Multiclass,
    adaboost,
    forward_stagewise,
    gradient_boosting,
    link,
    multiclass_boosting,
)

__all__ = [
    "AbsoluteError",
    "AdaBoost",
    "AdaBoosted",
    "Additive",
    "BoostingLoss",
    "ExponentialError",
    "GradientBoosting",
    "GradientBoostingClassifier",
    "LogisticError",
    "Multiclass",
    "SquaredError",
    "adaboost",
    "forward_stagewise",
    "gradient_boosting",
    "link",
    "multiclass_boosting",
]
