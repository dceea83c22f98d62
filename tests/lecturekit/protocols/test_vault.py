"""The vault: it opens once, and tells what for."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from lecturekit import data
from lecturekit.protocols import Vault, VaultError, error_rate


def a_vault() -> Vault:
    return Vault([[0.0], [1.0], [2.0]], [-1, 1, 1])


@pytest.mark.claim("EVAL-05")
def test_it_opens_once() -> None:
    vault = a_vault()
    assert not vault.opened
    assert repr(vault) == "Vault(closed)"
    X, y = vault.open("the final model")
    assert (X.tolist(), y.tolist(), vault.opened) == ([[0.0], [1.0], [2.0]], [-1, 1, 1], True)
    for purpose in ("a better model", "the final model"):
        with pytest.raises(VaultError, match=r"was used for 'the final model'; report that result, or test"):
            vault.open(purpose)
    refused = (("refused", "a better model"), ("refused", "the final model"))
    assert vault.log == (("opened", "the final model"), *refused)
    assert repr(vault) == "Vault(used for 'the final model')"


def test_evaluating_uses_it_up_but_a_failure_does_not() -> None:
    vault = a_vault()
    with pytest.raises(ValueError, match="got ZeroDivisionError, whose message"):
        vault.evaluate(lambda X: X[:, 0], lambda y, predicted: 1 / 0, "a slip")
    assert not vault.opened
    assert vault.evaluate(lambda X: np.ones(3), error_rate, "the model") == pytest.approx(1 / 3)
    with pytest.raises(VaultError, match="was used for 'the model'"):
        vault.evaluate(lambda X: X, error_rate, "once more")
    assert vault.log == (("failed", "a slip"), ("opened", "the model"), ("refused", "once more"))


@pytest.mark.parametrize("slip", [lambda y, p: y, lambda y, p: (np.mean(y != p), "x"), lambda y, p: {}[y[0]]])
def test_a_failure_tells_nothing(slip: Any) -> None:
    vault = Vault([[0.0], [1.0], [2.0]], [71, 71, 72])
    with pytest.raises(ValueError, match="metric must return one finite number") as caught:
        vault.evaluate(lambda X: np.full(3, 71), slip)
    assert caught.value.__context__ is None
    assert not any(told in str(caught.value) for told in ("71", "72", "0.3"))
    assert not vault.opened


def test_a_model_cannot_change_what_is_inside_which_no_other_holds() -> None:
    vault = a_vault()

    def vandal(X: Any) -> Any:
        X -= 5
        raise RuntimeError

    with pytest.raises(RuntimeError):
        vault.evaluate(vandal, error_rate)
    assert vault.evaluate(lambda X: np.sign(X[:, 0] - 0.5), error_rate) == 0
    X, y = np.array([[1.0], [2.0]]), np.array([1, -1])
    vault = Vault(X, y)
    X[:], y[:] = 0, 0
    assert [kept.tolist() for kept in vault.open("a look")] == [[[1.0], [2.0]], [1, -1]]


def test_many_hands_at_once_and_a_share_kept_by_splitting() -> None:
    for _ in range(20):
        vault = a_vault()
        with ThreadPoolExecutor(8) as pool:
            tries = [pool.submit(vault.open, str(i)) for i in range(8)]
        assert sum(attempt.exception() is None for attempt in tries) == 1
    X, y, _ = data.breast_cancer()
    rest, labels, vault = Vault.split(X, y, 0.2, rng=0)
    assert len(rest) == len(labels) == 455
    model = LogisticRegression(max_iter=10_000).fit(rest / X.max(axis=0), labels)
    assert vault.evaluate(model, lambda y, p: float(len(y))) == 114
    _, _, again = Vault.split(X, y, 0.2, rng=0)
    kept, _ = again.open("to see that nothing is lost")
    assert np.array_equal(np.sort(np.vstack([rest, kept]), axis=0), np.sort(X, axis=0))
