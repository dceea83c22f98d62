"""What classifiers by vote share: classes as columns of zeros and ones, whose means are probabilities."""

from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets

from lecturekit._typing import Array

__all__ = ["Voter"]


class Voter(ClassifierMixin):  # type: ignore[misc]
    """A classifier that takes the class with the largest share of the votes, the first of several."""

    def _votes(self, y: Array) -> Array:
        """Remember the classes; return 1 in the column of its class for each label and 0 elsewhere."""
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        return np.asarray(np.eye(len(self.classes_))[codes])

    def predict(self, X: Any) -> Array:
        """Return the class with the most votes for each row."""
        shares = self.predict_proba(X)
        return np.asarray(self.classes_[shares.argmax(axis=1)])
