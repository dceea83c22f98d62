"""What pytest loads when it tries a mutant; it is copied into the scratch tree, and imports nothing of ours.

In the plain run the code says which lines are reached, here or in a process that a test starts, and this
notes by which test. For a mutant it chooses the tests that reach its line, and ends one that takes too long.
"""

import contextlib
import faulthandler
import json
import os
import pathlib
import resource
from typing import Any

HERE = pathlib.Path(__file__).parent
SEEN: set[tuple[str, int]] = set()
MEMORY = 6 << 30  # bytes that a wrong line may use
PROCESSES = 512  # of any user but root
QUICK = 1.0  # seconds: quicker tests are tried first


def reached(file: str, line: int) -> None:
    """Note that the test that is running reached a line; in a sandbox, nobody listens."""
    if (file, line) not in SEEN:
        SEEN.add((file, line))
        test = os.environ.get("PYTEST_CURRENT_TEST", "")
        with contextlib.suppress(OSError):
            trace = os.open(HERE / "trace" / str(os.getpid()), os.O_WRONLY | os.O_APPEND | os.O_CREAT)
            os.write(trace, (json.dumps([file, line, test]) + "\n").encode("ascii"))
            os.close(trace)


def chosen() -> dict[str, float] | None:
    """Read which tests to run, each with its limit in seconds; None stands for all, without limits."""
    file = HERE / "chosen.json"
    tests: dict[str, float] | None = json.loads(file.read_text(encoding="utf-8")) if file.exists() else None
    return tests


# -- hooks -------------------------------------------------------------------------------------------------


def pytest_configure(config: Any) -> None:
    """Limit what a mutant can take from the machine, and open the file that says which test took too long."""
    for kind, most in ((resource.RLIMIT_AS, MEMORY), (resource.RLIMIT_NPROC, PROCESSES)):
        with contextlib.suppress(ValueError, OSError):  # where less is allowed already
            resource.setrlimit(kind, (most, most))
    config.mutants_late = (HERE / "late").open("w", encoding="utf-8")


def pytest_unconfigure(config: Any) -> None:
    """Close it."""
    faulthandler.cancel_dump_traceback_later()
    config.mutants_late.close()


def pytest_collection_modifyitems(config: Any, items: list[Any]) -> None:
    """Keep the tests that were chosen, the quick ones first."""
    limits = chosen()
    if limits is not None:
        items[:] = [item for item in items if item.nodeid in limits]
        items.sort(key=lambda item: limits[item.nodeid] > limits[""] + 10 * QUICK)


def pytest_runtest_protocol(item: Any, nextitem: Any) -> None:
    """Set the clock for a test."""
    limits = chosen()
    if limits is not None:
        faulthandler.dump_traceback_later(limits[item.nodeid], exit=True, file=item.config.mutants_late)


def pytest_runtest_setup() -> None:
    """Count lines anew: for what a test needs, and in the next hook for the test."""
    SEEN.clear()


def pytest_runtest_call() -> None:
    """Count lines anew."""
    SEEN.clear()


def pytest_runtest_logreport(report: Any) -> None:
    """Note how a test ended and how long it took."""
    if chosen() is None:
        with (HERE / "ended").open("a", encoding="utf-8") as ended:
            ended.write(json.dumps([report.nodeid, report.outcome, report.duration]) + "\n")
