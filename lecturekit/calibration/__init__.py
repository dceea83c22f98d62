r"""Calibration: from the scores of a classifier to probabilities that can be taken at their word.

*Platt's scaling* is the curve :math:`p=1/(1+e^{Af+B})` of a score f, so that A is negative where larger
scores speak for the positive class. Its two numbers minimise the mean of
:math:`-t_i\log p_i-(1-t_i)\log(1-p_i)`, where the targets :math:`t_i` are a little inside 0 and 1.

*Isotonic regression* finds among all :math:`m_1\le m_2\le\dots\le m_n` the minimum of
:math:`\sum_iw_i(y_i-m_i)^2`. It is constant on blocks of neighbours, with the weighted mean of the block as
its value. Where :math:`y_i` is 0 or 1 the same fit is the most likely non-decreasing probability.

The scores must be of observations on which the classifier was not trained; :func:`calibrate` sees to that.

Sections: Platt's loss and its minimum; pooling and functions of a score; scikit-learn estimators.

References
----------
Platt, *Probabilistic outputs for support vector machines and comparisons to regularized likelihood methods*,
1999; Lin, Lin and Weng, *A note on Platt's probabilistic outputs for support vector machines*, 2007.

Zadrozny and Elkan, *Transforming classifier scores into accurate multiclass probability estimates*, 2002.

Niculescu-Mizil and Caruana, *Predicting good probabilities with supervised learning*, 2005.
"""

from lecturekit.calibration._estimators import Calibrated, Isotonic, Platt, calibrate
from lecturekit.calibration._isotonic import MonotoneFit, isotonic, pav
from lecturekit.calibration._platt import (
    PlattFit,
    PlattIterate,
    platt,
    platt_gradient,
    platt_loss,
    platt_steps,
    platt_targets,
)

__all__ = [
    "Calibrated",
    "Isotonic",
    "MonotoneFit",
    "Platt",
    "PlattFit",
    "PlattIterate",
    "calibrate",
    "isotonic",
    "pav",
    "platt",
    "platt_gradient",
    "platt_loss",
    "platt_steps",
    "platt_targets",
]
