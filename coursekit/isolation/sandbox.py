"""How a student's process is started: in bubblewrap, plainly, or as a fork of this one.

:func:`sandboxed` is for students' work. The process sees the system's programs and libraries, the Python
that runs the marker and the package, all read-only; an empty home and an empty ``/tmp``, both in memory and
bounded; no network, no other process, no course files, no environment variables. When its first process
ends, everything in it ends.

*As an ordinary user*, the sandbox is a user namespace: inside, the student is user 65534 without any right;
outside, it is the user who marks. Files of that user which are bound (the Python installation) are readable
even if nobody else may read them, and cannot be changed because they are mounted read-only.

*As root*, a user namespace would leave root outside: root's own files stay readable without any further
right, and the limit on processes is not applied to root. So there is none: bubblewrap sets up the mounts as
root, and the process becomes an ordinary user, one number for each sandbox, before it runs the student's
code. It reads what everyone may read of what is bound.

:func:`plain` has limits but no walls, and :func:`forked` has the marker's memory, hidden tests included:
it is for the instructor's own code only.
"""

import contextlib
import functools
import importlib.util
import json
import os
import pathlib
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, TypeAlias

from coursekit.isolation import student

__all__ = [
    "Child",
    "Limits",
    "Starter",
    "bubblewrap",
    "environment",
    "forked",
    "plain",
    "sandbox_problem",
    "sandboxed",
    "start",
    "start_fork",
]

PACKAGE = pathlib.Path(__file__).resolve().parent.parent
INSIDE = "/opt/course"  # where the packages are, in the sandbox
FOR_ANSWERS = ("lecturekit",)  # what answers may import, wherever it is installed
HOME = "/home/student"
STUDENTS_SIDE = ("__init__.py", "isolation/__init__.py", "isolation/wire.py", "isolation/student.py")
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64")
SETTINGS = ("/etc/ld.so.cache", "/etc/fonts", "/etc/alternatives", "/etc/localtime")
NOBODY = 65534
FIRST_USER, USERS = 61184, 4336  # the range that systemd keeps for users made on the fly
ENVIRONMENT = {
    "LANG": "C.UTF-8",
    "MPLBACKEND": "agg",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "NUMBA_NUM_THREADS": "1",
    "PATH": "/usr/bin:/bin",
    "PYTHONHASHSEED": "0",
    "USER": "student",
}
START = "import sys, json; sys.path.insert(0, {path!r}); from coursekit.isolation import student; "
START += "student.main(json.loads(sys.argv[1]), json.loads(sys.argv[2]))"


@dataclass(frozen=True)
class Limits:
    """What a submission may use.

    Parameters
    ----------
    memory_mb : int
        memory of one process, in megabytes
    cpu_s : int
        processor time of one process, in seconds
    processes : int
        processes and threads at a time
    file_mb : int
        size of one file, in megabytes
    call_s : float
        processor time of one cell or one call, in seconds: a busy machine costs nobody a mark
    wait_s : float
        wall time of one cell or one call, in seconds, for code that waits
    notebook_s : float
        wall time of the notebook with all its tests, in seconds
    """

    memory_mb: int = 2048
    cpu_s: int = 120
    processes: int = 64
    file_mb: int = 64
    call_s: float = 20
    wait_s: float = 60
    notebook_s: float = 300

    def updated(self, changes: Mapping[str, Any]) -> "Limits":
        """Return these limits with some of them changed."""
        unknown = changes.keys() - asdict(self).keys()
        if unknown:
            raise ValueError(
                f"limits must be among {', '.join(asdict(self))}, got {', '.join(sorted(unknown))}"
            )
        return replace(self, **changes)

    def hard(self, *, processes: bool) -> dict[str, int]:
        """Return those that the system enforces; processes can be counted only in a sandbox."""
        names = ["memory_mb", "cpu_s", "file_mb", *(["processes"] if processes else [])]
        return {name: getattr(self, name) for name in names}


class Child:
    """A process with a pipe each way, which carry lines.

    Parameters
    ----------
    pid : int
        its process id; it leads a process group
    requests, replies : int
        file descriptors, to write to and to read from
    folder : str, optional
        a folder to remove in the end
    """

    def __init__(self, pid: int, requests: int, replies: int, folder: str | None = None) -> None:
        self.pid, self.requests, self.replies, self.folder = pid, requests, replies, folder
        self.code: int | None = None
        self.unread = bytearray()
        self.closed = False
        os.set_blocking(requests, False)
        os.set_blocking(replies, False)

    def exchange(self, data: bytes, seconds: float, largest: int) -> bytes:
        """Write some bytes and read one line.

        Raises TimeoutError after ``seconds``, EOFError if the other side is gone, and OverflowError if the
        line is longer than ``largest`` bytes.
        """
        deadline, view = time.monotonic() + seconds, memoryview(data)
        while (end := self.unread.find(b"\n")) < 0 or view:
            if len(self.unread) > largest:
                raise OverflowError
            left = deadline - time.monotonic()
            ready = select.select([self.replies], [self.requests] if view else [], [], max(left, 0))
            if not any(ready):
                raise TimeoutError
            try:
                if ready[1]:
                    view = view[os.write(self.requests, view) :]
                if ready[0]:
                    self._read()
            except BrokenPipeError:
                raise EOFError from None
        line = bytes(self.unread[:end])
        del self.unread[: end + 1]
        return line

    def is_silent(self) -> bool:
        """Whether nothing came that was not asked for."""
        if select.select([self.replies], [], [], 0)[0]:
            with contextlib.suppress(EOFError):
                self._read()
        return not self.unread

    def _read(self) -> None:
        """Read what is there."""
        data = os.read(self.replies, 1 << 20)
        if not data:
            raise EOFError
        self.unread += data

    def close(self, seconds: float = 0) -> int:
        """Wait a little, kill what is left of it, and return the exit code: negative for a signal."""
        if self.code is not None and self.closed:
            return self.code
        self.closed = True
        deadline = time.monotonic() + seconds
        while not self._ended() and time.monotonic() < deadline:
            time.sleep(0.005)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)  # without a sandbox, others may be left in its group
        if self.code is None:
            self.code = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        for end in (self.requests, self.replies):
            with contextlib.suppress(OSError):
                os.close(end)
        if self.folder is not None:
            shutil.rmtree(self.folder, ignore_errors=True)
        return self.code

    def _ended(self) -> bool:
        """Whether the process has ended."""
        if self.code is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            self.code = os.waitstatus_to_exitcode(status) if pid else None
        return self.code is not None


Starter: TypeAlias = Callable[[Limits], Child]
"""What starts a student's process."""


# -- with walls ---------------------------------------------------------------------------------------------


def sandboxed(limits: Limits) -> Child:
    """Start a student's process in bubblewrap.

    Parameters
    ----------
    limits : Limits
        what it may use
    """
    problem = sandbox_problem()
    if problem:
        raise RuntimeError(problem)
    user = FIRST_USER + os.getpid() % USERS if os.geteuid() == 0 else None
    return start([*bubblewrap(limits), *_python(limits.hard(processes=True), user, INSIDE)], {}, None)


@functools.cache
def sandbox_problem() -> str | None:
    """Say why there is no sandbox on this machine, or return None where there is one."""
    remedy = "pass --no-sandbox to mark without one, which only suits code that you trust"
    if sys.platform != "linux" or shutil.which("bwrap") is None:
        return f"students' code needs bubblewrap (Debian: apt install bubblewrap); {remedy}"
    tried = subprocess.run([*bubblewrap(Limits()), "true"], capture_output=True, text=True, check=False)
    return f"bubblewrap does not work here ({tried.stderr.strip()}); {remedy}" if tried.returncode else None


def bubblewrap(limits: Limits) -> list[str]:
    """Return the command in front of the command: the walls.

    Parameters
    ----------
    limits : Limits
        for the room in the home folder and in ``/tmp``
    """
    room = str(2 * limits.file_mb << 20)
    command = [str(shutil.which("bwrap")), "--die-with-parent", "--new-session", "--hostname", "marking"]
    command += ["--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"]
    command += ["--cap-drop", "ALL", "--clearenv", "--proc", "/proc", "--dev", "/dev"]
    if os.geteuid() == 0:
        command += ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    else:
        command += ["--unshare-user", "--uid", str(NOBODY), "--gid", str(NOBODY)]
    for folder in ("/tmp", HOME, "/dev/shm"):
        command += [*_parents(folder), "--perms", "0777", "--size", room, "--tmpfs", folder]
    command += [*_readable(), "--remount-ro", "/dev", "--remount-ro", "/"]
    for name, value in (
        environment() | {"HOME": HOME, "TMPDIR": "/tmp", "NUMBA_CACHE_DIR": "/tmp/numba"}
    ).items():
        command += ["--setenv", name, value]
    return [*command, "--chdir", HOME]


def _readable() -> list[str]:
    """Return the options that show the system and this Python, read-only."""
    options = []
    for path in map(pathlib.Path, SYSTEM):
        if path.is_symlink():
            options += ["--symlink", str(path.readlink()), str(path)]
        elif path.exists():
            options += ["--ro-bind", str(path), str(path)]
    shown = {name: os.path.realpath(name) for name in (*SETTINGS, sys.base_prefix, sys.prefix)}
    for name in FOR_ANSWERS:
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.origin is not None:
            shown[f"{INSIDE}/{name}"] = str(pathlib.Path(spec.origin).parent)
    for name, real in shown.items():
        if pathlib.Path(real).exists() and not name.startswith("/usr/"):
            options += [*_parents(name), "--ro-bind", real, name]
    own = f"{INSIDE}/{PACKAGE.name}"
    options += [*_parents(own), "--perms", "0755", "--tmpfs", own]
    options += ["--perms", "0755", "--dir", f"{own}/isolation"]
    for name in STUDENTS_SIDE:  # of this package, nothing else
        options += ["--ro-bind", str(PACKAGE / name), f"{own}/{name}"]
    return [*options, "--remount-ro", own]


def _parents(name: str) -> list[str]:
    """Return the options that make the folders above a path, for everyone to pass through."""
    above = [str(folder) for folder in reversed(pathlib.Path(name).parents)][1:]
    return [word for folder in above for word in ("--perms", "0755", "--dir", folder)]


# -- without walls ------------------------------------------------------------------------------------------


def plain(limits: Limits) -> Child:
    """Start a student's process with limits but without walls.

    Parameters
    ----------
    limits : Limits
        what it may use
    """
    folder = tempfile.mkdtemp(prefix="coursework-")
    variables = environment() | {"HOME": folder, "TMPDIR": folder}
    return start(_python(limits.hard(processes=False), None, str(PACKAGE.parent)), variables, folder)


def forked(limits: Limits) -> Child:
    """Start a student's process as a copy of this one: quick, and only for code that may see the tests.

    Parameters
    ----------
    limits : Limits
        what it may use
    """
    hard = limits.hard(processes=False)
    return start_fork(lambda: student.main(hard))


def start_fork(run: Callable[[], None]) -> Child:
    """Start a copy of this process, which runs a function with pipes for input and output, in its own folder.

    Parameters
    ----------
    run : callable
        what the copy does; it ends when this returns
    """
    folder = tempfile.mkdtemp(prefix="coursework-")
    requests, replies = os.pipe(), os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of a fork where there are other threads
        pid = os.fork()
    if pid == 0:
        try:
            os.setsid()
            os.chdir(folder)
            os.dup2(requests[0], 0)
            os.dup2(replies[1], 1)
            os.closerange(3, 256)
            run()
        finally:
            os._exit(0)
    os.close(requests[0])
    os.close(replies[1])
    return Child(pid, requests[1], replies[0], folder)


def environment() -> dict[str, str]:
    """Return the environment of a student's process: nothing of the marker's but numba's switch."""
    switch = os.environ.get("LECTUREKIT_NO_JIT")
    return ENVIRONMENT | ({} if switch is None else {"LECTUREKIT_NO_JIT": switch})


def _python(limits: dict[str, int], user: int | None, path: str) -> list[str]:
    """Return the command that starts the student's side with the package at ``path``."""
    return [sys.executable, "-I", "-c", START.format(path=path), json.dumps(limits), json.dumps(user)]


def start(command: list[str], environment: dict[str, str] | None, folder: str | None) -> Child:
    """Start a command with a pipe to its input and one from its output.

    Parameters
    ----------
    command : list of str
        the program and its arguments
    environment : dict or None
        all of its environment variables; None stands for those of this process
    folder : str or None
        where it runs; removed in the end
    """
    requests, replies = os.pipe(), os.pipe()
    process = subprocess.Popen(
        command,
        stdin=requests[0],
        stdout=replies[1],
        stderr=subprocess.DEVNULL,
        env=environment,
        cwd=folder,
        start_new_session=True,
    )
    process.returncode = 0  # Child waits for it; Popen must neither wait nor warn
    os.close(requests[0])
    os.close(replies[1])
    return Child(process.pid, requests[1], replies[0], folder)
