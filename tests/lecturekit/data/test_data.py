"""The toy worlds against their stated truth, and the real data against its source."""

from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.stats import kstest, norm
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits

from lecturekit import data
from lecturekit._typing import Array

ROUNDING = 1e-12  # a cosine, a sine and a product
LEVEL = 1e-3  # of the tests of fit; the seeds are fixed, so they pass or fail for good


@pytest.mark.parametrize("n", [2, 3, 10, 11])
@pytest.mark.parametrize("world", [data.rings, data.two_gaussians])
def test_classes_differ_in_size_by_at_most_one(world: Callable[..., data.Sample], n: int) -> None:
    X, y = world(n, rng=0)
    assert (X.shape, y.shape) == ((n, 2), (n,))
    assert Counter(y.tolist()) == {-1.0: n // 2, 1.0: n - n // 2}


def test_rings_have_normal_radii_and_uniform_angles() -> None:
    sharp = data.rings(50, rng=1, radii=(0.5, 3.0), noise=0)
    assert np.allclose(np.linalg.norm(sharp.X, axis=1), np.where(sharp.y < 0, 0.5, 3.0), rtol=ROUNDING)
    X, y = data.rings(4000, rng=2, radii=(5.0, 10.0), noise=0.5)
    radius = np.linalg.norm(X, axis=1)
    for label, center in ((-1, 5.0), (1, 10.0)):
        assert kstest(radius[y == label], norm(center, 0.5).cdf).pvalue > LEVEL
        angle = np.arctan2(X[y == label, 1], X[y == label, 0])
        assert kstest((angle + np.pi) / (2 * np.pi), "uniform").pvalue > LEVEL


def separable(X: Array, y: Array) -> bool:
    """Tell whether some w, b have y (<w, x> + b) >= 1 for all points, by linear programming."""
    A = -y[:, None] * np.column_stack([X, np.ones(len(X))])
    found = linprog(np.zeros(A.shape[1]), A_ub=A, b_ub=-np.ones(len(X)), bounds=(None, None))
    return bool(found.status == 0)


@pytest.mark.claim("KER-26")
def test_rings_become_separable_after_mapping() -> None:
    X, y = data.rings(100, rng=4)
    assert not separable(X, y)
    assert separable(np.column_stack([X, np.sum(X**2, axis=1)]), y)


def test_circle_is_uniform_and_labelled_by_the_radius_and_flips_labels_as_asked() -> None:
    X, y = data.circle(4000, rng=1)
    assert X.shape == (4000, 2)
    assert kstest((X + 1) / 2, "uniform").pvalue.min() > LEVEL
    assert np.array_equal(y, np.where((X**2).sum(axis=1) > 0.6, 1.0, -1.0))
    X, y = data.circle(4000, rng=2, noise=0.1, radius2=0.3)
    truth = np.where((X**2).sum(axis=1) > 0.3, 1.0, -1.0)
    assert abs(np.mean(y != truth) - 0.1) < 1.2 / np.sqrt(4000)
    everything = data.circle(50, rng=3, noise=1.0)
    assert np.array_equal(everything.y, np.where((everything.X**2).sum(axis=1) > 0.6, -1.0, 1.0))


@pytest.mark.claim("LIN-49")
def test_circle_becomes_separable_after_squaring() -> None:
    X, y = data.circle(100, rng=4)
    assert not separable(X, y)
    assert separable(X**2, y)


@pytest.mark.parametrize("gap", [0.0, 2.0, 5.0])
def test_two_gaussians_have_their_means_and_unit_variance(gap: float) -> None:
    X, y = data.two_gaussians(4000, rng=5, gap=gap)
    for label in (-1, 1):
        part = X[y == label]
        assert kstest(part[:, 0], norm(label * gap / 2, 1).cdf).pvalue > LEVEL
        assert kstest(part[:, 1], norm(0, 1).cdf).pvalue > LEVEL
        assert abs(np.corrcoef(part.T)[0, 1]) < 4 / np.sqrt(2000)


@pytest.mark.parametrize("empty", [0.0, 0.4, 1.0])
def test_histograms_are_shares_with_the_stated_chance_of_empty_bins(empty: float) -> None:
    H = data.histograms(3000, 5, rng=7, empty=empty)
    assert H.shape == (3000, 5)
    assert np.all(H >= 0)
    assert np.allclose(H.sum(axis=1), 1, rtol=0, atol=ROUNDING)
    # one bin, drawn at random, is filled in any case
    assert abs(np.mean(H == 0) - empty * (1 - 1 / 5)) < 2 / np.sqrt(15_000)


@pytest.mark.parametrize(("alphabet", "longest"), [("a", 5), ("ab", 4), ("xyz", 3), ("ab", 0)])
def test_words_are_all_there_once_shortest_first(alphabet: str, longest: int) -> None:
    words = data.words(alphabet, longest)
    assert len(words) == len(set(words)) == sum(len(alphabet) ** size for size in range(longest + 1))
    assert words == sorted(words, key=lambda word: (len(word), word))
    assert set("".join(words)) <= set(alphabet)


def test_digits_and_their_features_are_those_of_their_source_and_can_be_chosen() -> None:
    X, y = data.digits()
    source = load_digits()
    assert X.dtype == y.dtype == np.float64
    assert np.array_equal(X, source.images.reshape(1797, 64))
    assert np.array_equal(y, source.target)
    some = data.digits(3, 8)
    assert Counter(some.y.tolist()) == {3.0: 183, 8.0: 174}
    assert np.array_equal(some.X, X[(y == 3) | (y == 8)])
    assert len(data.digits(0).y) == 178
    (X, y), (pixels, labels) = data.digit_features(1, 5), data.digits(1, 5)
    images = pixels.reshape(-1, 8, 8)
    assert np.array_equal(y, labels)
    assert np.allclose(X[:, 0], pixels.mean(axis=1))
    assert np.allclose(X[:, 1], -np.abs(images - np.flip(images, axis=2)).mean(axis=(1, 2)))
    assert data.digit_features().X.shape == (1797, 2)


def test_diabetes_and_breast_cancer_are_their_sources() -> None:
    X, y, names = data.diabetes()
    source = load_diabetes(scaled=False)
    assert np.array_equal(np.column_stack([X, y]), np.column_stack([source.data, source.target]))
    assert names == ("age", "sex", "bmi", "bp", "s1", "s2", "s3", "s4", "s5", "s6")
    assert X.dtype == y.dtype == np.float64
    X, y, names = data.breast_cancer()
    source = load_breast_cancer()
    assert np.array_equal(X, source.data)
    assert source.target_names[0] == "malignant"
    assert np.array_equal(y == 1, source.target == 0)
    assert Counter(y.tolist()) == {1.0: 212, -1.0: 357}
    assert names == tuple(source.feature_names)
