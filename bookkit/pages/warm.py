"""Processes that begin with what every page imports, so that a short page does not wait longer than it runs.

A server imports once, solves one tiny problem and draws one tiny picture, so that numba and Matplotlib
have begun; that starts no thread. Each process is a copy of it, made by ``multiprocessing``. The kernels of
nbval and the variants of claims start so. A page must still import what it uses.
"""

import atexit
import contextlib
import importlib
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from multiprocessing.process import BaseProcess
from typing import Any

PRELOAD = (
    "matplotlib.pyplot",  # chooses how to draw at the first figure, not yet
    "ipykernel.kernelapp",
    "IPython.core.pylabtools",
    "lecturekit.plotting",
    "lecturekit.svm",
    "lecturekit.boosting",
    "lecturekit.calibration",
    "lecturekit.linear",
    "lecturekit.bias_variance",
    "lecturekit.rkhs",
    "sklearn.datasets",
    "bookkit.pages.warmth",
)
LAUNCHER = "ipykernel_launcher"
INLINE = "module://matplotlib_inline.backend_inline"  # a kernel says so before anything imports Matplotlib
PATIENCE_S = 600


def start(target: Callable[..., None], *args: Any) -> BaseProcess:
    """Run a function in a copy of the server, which is started when it is first needed."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(list(PRELOAD))
    process = context.Process(target=target, args=args)
    process.start()
    return process


class Kernel:
    """A kernel of Jupyter in such a process, as ``jupyter_client`` handles one: like ``subprocess.Popen``.

    Parameters
    ----------
    command : Sequence[str]
        how the kernel would be started otherwise
    folder : str | None
        where it runs
    variables : Mapping[str, str]
        its environment
    """

    stdin = stdout = stderr = None

    def __init__(self, command: Sequence[str], folder: str | None, variables: Mapping[str, str]) -> None:
        arguments = command[command.index(LAUNCHER) + 1 :]
        self.process = start(serve, list(arguments), folder, dict(variables))
        assert self.process.pid is not None
        self.pid = self.process.pid
        atexit.register(self.kill)  # else Python would wait at its end for one that nobody shut down
        end = time.monotonic() + PATIENCE_S
        while os.getpgid(self.pid) != self.pid and time.monotonic() < end:
            time.sleep(0.001)  # signals go to its group, which must be its own before anybody sends one

    def poll(self) -> int | None:
        """Return how it ended, or nothing while it runs."""
        return self.process.exitcode

    def wait(self, timeout: float | None = None) -> int | None:
        """Wait until it ends."""
        self.process.join(timeout)
        return self.process.exitcode

    def send_signal(self, number: int) -> None:
        """Send a signal, unless it has ended."""
        if self.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def terminate(self) -> None:
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End it."""
        self.send_signal(signal.SIGKILL)


def serve(arguments: Sequence[str], folder: str | None, variables: Mapping[str, str]) -> None:
    """Be a kernel until it is shut down."""
    import matplotlib
    from ipykernel.kernelapp import IPKernelApp

    os.setsid()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # the server ignores it
    os.environ.clear()
    os.environ.update(variables, JPY_PARENT_PID=str(os.getppid()))  # it ends when the server does
    os.chdir(folder or ".")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    sys.argv = [LAUNCHER, *arguments]
    matplotlib.rcParams["backend"] = INLINE
    IPKernelApp.launch_instance()


def patch_jupyter() -> None:
    """Let kernels of Python that nbval starts begin so, and all others as they do."""
    provisioner: Any = importlib.import_module("jupyter_client.provisioning.local_provisioner")
    launch = provisioner.launch_kernel

    def launch_kernel(command: list[str], **settings: Any) -> Any:
        if LAUNCHER not in command or not hasattr(os, "fork"):
            return launch(command, **settings)
        if hasattr(settings.get("stderr"), "close"):
            settings["stderr"].close()  # nbval's, to nowhere: these kernels have their own
        return Kernel(command, settings.get("cwd"), settings.get("env") or os.environ)

    provisioner.launch_kernel = launch_kernel
