r"""Trees."""

from lecturekit.trees._forests import (
    ExtraTrees,
    ExtraTreesRegressor,
    Forest,
    RandomForest,
    RandomForestRegressor,
    grow_forest,
)
from lecturekit.trees._histogram import Bins, bin_edges, binned, grow_histogram_tree, histogram_tree
from lecturekit.trees._tree import (
    Order,
    Stump,
    Tree,
    best_stump,
    grow_tree,
    middle,
    presort,
    regression_tree,
    resampled_order,
    search_stump,
)

__all__ = [
    "Bins",
    "ExtraTrees",
    "ExtraTreesRegressor",
    "Forest",
    "Order",
    "RandomForest",
    "RandomForestRegressor",
    "Stump",
    "Tree",
    "best_stump",
    "bin_edges",
    "binned",
    "grow_forest",
    "grow_histogram_tree",
    "grow_tree",
    "histogram_tree",
    "middle",
    "presort",
    "regression_tree",
    "resampled_order",
    "search_stump",
]
