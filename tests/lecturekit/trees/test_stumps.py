"""Decision stumps: brute force over all of them, the rule for ties, and the corners."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lecturekit._typing import Array
from lecturekit.trees import Stump, best_stump

seeds = st.integers(0, 10**6)


def all_stumps(X: Array) -> list[Stump]:
    """List the stumps in the order in which equally good ones are taken."""
    cuts = [(0, -np.inf)]
    for j, x in enumerate(X.T):
        cuts += [(j, (a + b) / 2) for a, b in pairwise(np.unique(x))]
    return [Stump(feature=j, threshold=t, sign=sign) for j, t in cuts for sign in (1.0, -1.0)]


def grid(seed: int, n: int = 12, d: int = 3) -> tuple[Array, Array, Array]:
    """Draw points on a grid, labels and whole weights: full of ties."""
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 4, (n, d)).astype(float), rng.choice([-1.0, 1.0], n)
    return X, y, rng.integers(0, 5, n) + 1.0 * (np.arange(n) == 0)


def error(stump: Stump, X: Array, y: Array, w: Array) -> float:
    """Return the weighted error, by its definition."""
    return float(w[stump(X) != y].sum())


@pytest.mark.jit
@given(seed=seeds)
def test_no_stump_is_better_and_the_first_of_equals_is_taken(seed: int) -> None:
    X, y, w = grid(seed)
    assert best_stump(X, y, w) == min(all_stumps(X), key=lambda stump: error(stump, X, y, w))


@given(seed=seeds)
def test_real_numbers(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X, y, w = rng.normal(size=(30, 4)), rng.choice([-1.0, 1.0], 30), rng.random(30)
    found = best_stump(X, y, w)
    assert error(found, X, y, w) == pytest.approx(min(error(stump, X, y, w) for stump in all_stumps(X)))
    assert best_stump(X, y, 1e6 * w) == found
    assert best_stump(X.astype(np.float32), y, w).feature == found.feature


@pytest.mark.parametrize("sign", [-1.0, 1.0])
def test_one_class_and_no_feature_give_a_constant(sign: float) -> None:
    constant = Stump(feature=0, threshold=-np.inf, sign=sign)
    assert best_stump([[1.0], [2.0]], [sign, sign]) == constant
    assert best_stump(np.ones((3, 2)), [sign, sign, -sign]) == constant
    assert np.all(constant(np.array([[-1e300], [5.0]])) == sign)


@pytest.mark.parametrize("low", [0.0, 1.0, -1.0, 1e308, -1.7e308])
def test_a_threshold_keeps_neighbours_apart(low: float) -> None:
    high = float(np.nextafter(low, np.inf))
    stump = best_stump([[low], [high]], [-1, 1])
    assert stump == Stump(feature=0, threshold=low, sign=1.0)
    assert stump([[low], [high]]).tolist() == [-1.0, 1.0]
    far = best_stump([[low], [1.7e308]], [-1, 1]).threshold  # the middle of large numbers
    assert far == pytest.approx(low / 2 + 1.7e308 / 2)
