"""Processes that begin with what every page imports."""

import importlib
import os
import pathlib
import subprocess
import sys
from typing import Any

import pytest
from jupyter_client.manager import KernelManager

from bookkit import ROOT
from bookkit.pages import warm


def imported(path: pathlib.Path) -> None:
    """Write down what a process has imported, of what pages need."""
    path.write_text(" ".join(sorted({"lecturekit.svm", "matplotlib.pyplot"} & sys.modules.keys())))


def test_a_process_begins_with_what_pages_import_and_says_how_it_ended(tmp_path: pathlib.Path) -> None:
    process = warm.start(imported, tmp_path / "seen")
    process.join()
    assert (tmp_path / "seen").read_text() == "lecturekit.svm matplotlib.pyplot"
    process = warm.start(os._exit, 3)
    process.join()
    assert process.exitcode == 3


def test_the_beginning_starts_no_thread_and_leaves_the_page_what_it_chooses() -> None:
    """A copy of a process has none of its threads, and would wait for what they hold."""
    code = """
import importlib, os, sys
from bookkit.pages import warm
for name in warm.PRELOAD[:-1]: importlib.import_module(name)
import matplotlib, numpy
def state():
    chosen = {**matplotlib.rcParams, "backend": "which a page says"}
    return len(os.listdir("/proc/self/task")), chosen, numpy.random.get_state()[1].tolist()
before = state()
warmth = importlib.import_module(warm.PRELOAD[-1])
assert state() == before
points, letters = warmth.begin()
assert points == 2 and letters > 1000
"""
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)


def test_a_kernel_of_python_starts_so_draws_inline_and_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    provisioner: Any = importlib.import_module("jupyter_client.provisioning.local_provisioner")
    others: list[list[str]] = []
    monkeypatch.setattr(provisioner, "launch_kernel", lambda command, **_: others.append(command))
    warm.patch_jupyter()
    assert provisioner.launch_kernel(["julia", "kernel.jl"]) is None
    assert others == [["julia", "kernel.jl"]]
    manager = KernelManager(kernel_name="python3")
    manager.start_kernel(cwd="/")
    client = manager.client()
    client.start_channels()
    client.wait_for_ready(timeout=60)
    code = "import os, matplotlib as m; print(os.getcwd(), os.getpgrp() == os.getpid(), m.get_backend())"
    said: list[str] = []
    client.execute_interactive(
        code, output_hook=lambda message: said.append(message["content"].get("text", "")), timeout=60
    )
    assert "".join(said).split() == ["/", "True", warm.INLINE]
    kernel = manager.provisioner.process  # type: ignore[union-attr]
    assert isinstance(kernel, warm.Kernel)
    assert kernel.poll() is None
    client.stop_channels()
    manager.shutdown_kernel(now=True)
    assert kernel.wait(60) == -9
    kernel.terminate()  # what has ended takes no signal
