"""Processes at the end of a pipe: lines that come and do not come, limits, and the walls as a command."""

import importlib
import os
import pathlib
import signal
import sys
import time
from collections.abc import Callable
from unittest.mock import Mock

import pytest

from coursekit.isolation import sandbox
from coursekit.isolation.sandbox import Child, Limits, environment, start, start_fork


def shell(script: str, folder: str | None = None) -> Child:
    return start(["sh", "-c", script], None, folder)


def waited(done: Callable[[], bool]) -> bool:
    """Whether something is so within five seconds."""
    deadline = time.monotonic() + 5
    while not done() and time.monotonic() < deadline:
        time.sleep(0.01)
    return done()


def test_lines_go_and_come_longer_than_a_pipe_holds_and_as_long_as_they_may() -> None:
    child = shell("cat")
    assert child.exchange(b"one\n", 5, 100) == b"one"
    assert (child.exchange(b"two\nthree\n", 5, 100), child.exchange(b"", 5, 100)) == (b"two", b"three")
    assert child.is_silent()
    assert child.close() == -signal.SIGKILL
    assert child.close() == -signal.SIGKILL, "it can be asked again"
    child = shell("cat")
    line = b"a" * (1 << 20)
    assert child.exchange(line + b"\n", 20, 1 << 21) == line
    child.close()
    child = shell("head -c 2000 /dev/zero; cat")
    with pytest.raises(OverflowError):
        child.exchange(b"", 5, 1999)
    child.close()
    child = shell("printf 1234; sleep 0.2; echo 5; cat")
    assert child.exchange(b"", 5, 4) == b"12345"
    child.close()


def test_nothing_comes_in_time_or_the_other_side_is_gone() -> None:
    child = shell("sleep 60")
    begun = time.monotonic()
    with pytest.raises(TimeoutError):
        child.exchange(b"", 0.2, 100)
    assert 0.2 <= time.monotonic() - begun < 5
    with pytest.raises(TimeoutError):
        child.exchange(b"", -1, 100)
    child.close()
    child = shell("exit 3")
    with pytest.raises(EOFError):
        child.exchange(b"", 5, 100)
    assert child.close(5) == 3
    child = shell("exec <&-; sleep 60")
    time.sleep(0.3)
    with pytest.raises(EOFError):
        child.exchange(b"a" * (1 << 20), 5, 100)
    child.close()


def test_what_was_not_asked_for_is_heard_and_time_is_given_to_end() -> None:
    child = shell("echo early; cat")
    assert waited(lambda: not child.is_silent())
    assert child.unread == b"early\n"
    child.close()
    gone = shell("true")
    time.sleep(0.3)
    assert gone.is_silent(), "its end is no noise"
    gone.close()
    child = shell("sleep 0.2; exit 7")
    begun = time.monotonic()
    assert child.close(20) == 7
    assert time.monotonic() - begun < 15, "no longer than it takes"
    child = shell("sleep 60")
    assert child.close(0.1) == -signal.SIGKILL


def test_an_end_that_was_interrupted_is_taken_up_again(monkeypatch: pytest.MonkeyPatch) -> None:
    child = shell("sleep 60")
    monkeypatch.setattr(child, "_ended", Mock(side_effect=[KeyboardInterrupt, False]))
    with pytest.raises(KeyboardInterrupt):
        child.close(5)
    assert child.close() == -signal.SIGKILL


def test_what_it_started_its_pipes_and_its_folder_go_with_it(tmp_path: pathlib.Path) -> None:
    folder = tmp_path / "own"
    folder.mkdir()
    child = shell("pwd; sleep 291 & echo $!; wait", str(folder))
    assert child.exchange(b"", 5, 100).decode() == str(folder)
    other = int(child.exchange(b"", 5, 100))
    child.close()
    assert not folder.exists()
    for end in (child.requests, child.replies):
        with pytest.raises(OSError, match="Bad file descriptor"):
            os.fstat(end)
    assert waited(lambda: _is_over(pathlib.Path(f"/proc/{other}/stat")))


def _is_over(state: pathlib.Path) -> bool:
    return not state.exists() or state.read_text(encoding="ascii").rpartition(")")[2].split()[0] == "Z"


def test_a_copy_of_this_process_has_pipes_a_folder_and_nothing_else() -> None:
    def work() -> None:
        line = os.read(0, 100).decode().strip()
        others = [number for number in range(3, 256) if _is_open(number)]
        there = pathlib.Path.cwd().name.startswith("coursework-")
        os.write(1, f"{line} {others} {there} {os.getsid(0) == os.getpid()}\n".encode())

    child = start_fork(work)
    assert (child.exchange(b"hello\n", 5, 1000), child.close(5)) == (b"hello [] True True", 0)
    assert not pathlib.Path(str(child.folder)).exists()


def _is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True


def test_a_copy_that_fails_ends(capfd: pytest.CaptureFixture[str]) -> None:
    assert start_fork(lambda: [][0]).close(5) == 0


def test_limits_are_changed_by_name_and_some_the_system_enforces() -> None:
    assert Limits().updated({"cpu_s": 3, "call_s": 1.5}) == Limits(cpu_s=3, call_s=1.5)
    with pytest.raises(ValueError, match=r"limits must be among memory_mb, .*, got a, b"):
        Limits().updated({"b": 1, "a": 2, "cpu_s": 3})
    hard = {"memory_mb": 2048, "cpu_s": 120, "file_mb": 64}
    assert Limits().hard(processes=False) == hard
    assert Limits().hard(processes=True) == hard | {"processes": 64}


def test_a_student_inherits_the_switch_of_numba_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET", "4711")
    monkeypatch.delenv("LECTUREKIT_NO_JIT", raising=False)
    assert environment() == sandbox.ENVIRONMENT
    monkeypatch.setenv("LECTUREKIT_NO_JIT", "1")
    assert environment() == sandbox.ENVIRONMENT | {"LECTUREKIT_NO_JIT": "1"}


@pytest.mark.parametrize("user", [0, 1234])
def test_the_walls_as_a_command(monkeypatch: pytest.MonkeyPatch, user: int) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: user)
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}")
    words = sandbox.bubblewrap(Limits(file_mb=8))
    line = " ".join(words)
    assert words[0] == "/usr/bin/bwrap"
    assert {f"--unshare-{wall}" for wall in ("pid", "net", "ipc", "uts", "cgroup-try")} <= set(words)
    assert "--die-with-parent --new-session" in line
    assert "--cap-drop ALL --clearenv" in line
    assert ("--cap-add CAP_SETUID --cap-add CAP_SETGID" in line) == (user == 0)
    assert ("--unshare-user --uid 65534 --gid 65534" in line) == (user != 0)
    for folder in ("/tmp", sandbox.HOME, "/dev/shm"):
        assert f"--perms 0777 --size {16 << 20} --tmpfs {folder}" in line
    assert line.index("--tmpfs /dev/shm") < line.index("--remount-ro /dev") < line.index("--remount-ro / ")
    assert f"--ro-bind {os.path.realpath(sys.prefix)} {sys.prefix}" in line
    assert f"--setenv HOME {sandbox.HOME}" in line
    assert line.endswith(f"--chdir {sandbox.HOME}")
    assert not [word for word in words if word.startswith("--bind")], "nothing can be written to"


def test_answers_may_import_the_package_where_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    (name,) = sandbox.FOR_ANSWERS
    folder = pathlib.Path(str(importlib.import_module(name).__file__)).parent
    assert f"--ro-bind {folder} {sandbox.INSIDE}/{name}" in " ".join(sandbox._readable())
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert f"{sandbox.INSIDE}/{name}" not in " ".join(sandbox._readable())


@pytest.mark.parametrize(("user", "becomes"), [(0, True), (1234, False)])
def test_root_becomes_somebody_else_inside(monkeypatch: pytest.MonkeyPatch, user: int, becomes: bool) -> None:
    seen: list[list[str]] = []
    monkeypatch.setattr(sandbox, "sandbox_problem", lambda: None)
    monkeypatch.setattr(os, "geteuid", lambda: user)
    monkeypatch.setattr(os, "getpid", lambda: sandbox.USERS + 5)
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr(sandbox, "start", lambda command, *more: seen.append(command))
    sandbox.sandboxed(Limits(processes=7))
    assert seen[0][-1] == (str(sandbox.FIRST_USER + 5) if becomes else "null")
    assert '"processes": 7' in seen[0][-2]
    assert "-I" in seen[0]


def test_no_sandbox_is_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda name: "/bin/false")
    sandbox.sandbox_problem.cache_clear()
    try:
        assert str(sandbox.sandbox_problem()).startswith("bubblewrap does not work here ()")
        monkeypatch.setattr(sys, "platform", "darwin")
        sandbox.sandbox_problem.cache_clear()
        with pytest.raises(RuntimeError, match="needs bubblewrap"):
            sandbox.sandboxed(Limits())
    finally:
        sandbox.sandbox_problem.cache_clear()
