r"""Calibration."""

from lecturekit.calibration._estimators import Calibrated, Isotonic, Platt, calibrate
from lecturekit.calibration._isotonic import MonotoneFit, isotonic, pav
from lecturekit.calibration._platt import (
    PlattFit,
    PlattIterate,
    platt,
    platt_gradient,
    platt_hessian,
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
    "platt_hessian",
    "platt_loss",
    "platt_steps",
    "platt_targets",
]
