"""What the package raises and warns about, beyond Python's own errors."""

__all__ = ["NoFiniteFeatures", "PrecisionWarning"]


class NoFiniteFeatures(NotImplementedError):  # noqa: N818  (it reads as what is the case)
    """The kernel has no explicit feature map that fits into finitely many columns."""


class PrecisionWarning(UserWarning):
    """The answer may have fewer correct digits than it shows."""
