"""Make the environment of the book: ``python3 bookkit/environment/setup.py .venv``.

Runs before anything is installed, so it needs the standard library alone, and its syntax must parse
on a Python that is too old, or that Python could not be told so.
"""

import importlib.util
import pathlib
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
OLDEST, BEYOND = (3, 11), (3, 15)
# Python compiles a module when it is first imported. The sandbox for students' code is read-only and cannot
# keep the outcome, so that each import there would take three times as long: these are compiled at once.
IN_SANDBOX = ("numpy", "scipy", "sklearn", "pandas", "matplotlib", "numba", "joblib", "PIL", "narwhals")


def say(text: str) -> None:
    """Print one line of progress, at once."""
    print(f"[setup] {text}", flush=True)


def stop(text: str) -> None:
    """End with a message and status 1."""
    sys.exit(f"[setup] {text}")


def check_python() -> None:
    """Stop, saying what to do, on a Python that the locked packages do not support."""
    if not OLDEST <= sys.version_info[:2] < BEYOND:
        have = ".".join(map(str, sys.version_info[:3]))
        stop(
            f"Python {have} will not do: the book needs 3.{OLDEST[1]} to 3.{BEYOND[1] - 1}. "
            "Name one that you have, e.g.: make PYTHON=python3.12 book"
        )
    for module in ("venv", "ensurepip"):
        if importlib.util.find_spec(module) is None:
            stop(
                f"this Python has no module {module!r}, which makes environments. On Debian and Ubuntu: "
                "sudo apt-get install python3-venv; or name another Python: make PYTHON=python3.12 book"
            )


def run(*command: object) -> bool:
    """Run a command with its output let through, and tell whether it succeeded."""
    return subprocess.run([str(part) for part in command], cwd=ROOT, check=False).returncode == 0


def usable(venv: pathlib.Path) -> bool:
    """Tell whether the folder is an environment of this very Python with a working pip."""
    wanted = f"import sys, pip; sys.exit(sys.version_info[:3] != {tuple(sys.version_info[:3])})"
    python = venv / "bin" / "python"
    return python.exists() and (
        subprocess.run([str(python), "-c", wanted], check=False, stderr=subprocess.DEVNULL).returncode == 0
    )


def make_venv(venv: pathlib.Path) -> None:
    """Make the environment afresh."""
    if venv.exists() and not (venv / "pyvenv.cfg").exists():
        stop(f"{venv} exists and is no virtual environment: move it away first")
    say(f"making {venv.name} with Python {sys.version.split()[0]}")
    shutil.rmtree(venv, ignore_errors=True)
    if not run(sys.executable, "-m", "venv", venv):
        shutil.rmtree(venv, ignore_errors=True)
        stop("the environment could not be made; the lines above say why")


def install(venv: pathlib.Path) -> bool:
    """Install the lock and the project: with uv, which takes seconds, or else with pip."""
    python, lock = venv / "bin" / "python", ROOT / "requirements.lock"
    pip = (python, "-m", "pip", "--disable-pip-version-check")
    project = ("--no-deps", "--no-build-isolation", "--editable", ROOT)
    say("installing uv, the fast installer")
    if run(*pip, "install", "--quiet", "uv"):
        uv = (venv / "bin" / "uv", "pip")
        say("installing the packages of requirements.lock")
        if not run(*uv, "sync", "--python", python, lock):
            return False
        folders = [folder for name in IN_SANDBOX for folder in venv.glob(f"lib/python*/site-packages/{name}")]
        run(python, "-m", "compileall", "-q", "-j", "2", "-x", "/tests/", *folders)
        say("installing lecturekit")
        return run(*uv, "install", "--quiet", "--python", python, *project)
    say("uv is not to be had here; pip does the same in a few minutes")
    make_venv(venv)
    say("installing the packages of requirements.lock")
    if not run(*pip, "install", "--no-deps", "--requirement", lock):
        return False
    say("installing lecturekit")
    return run(*pip, "install", "--quiet", *project)


def main() -> None:
    """Make or renew the environment named on the command line."""
    if len(sys.argv) != 2:
        stop("usage: python3 bookkit/environment/setup.py FOLDER")
    check_python()
    venv = pathlib.Path(sys.argv[1]).absolute()
    start = time.monotonic()
    (venv / ".ready").unlink(missing_ok=True)
    if not usable(venv):
        make_venv(venv)
    if not install(venv):
        stop("the installation failed; the lines above say why. Try again with: make setup")
    say(f"ready in {time.monotonic() - start:.0f} s")


if __name__ == "__main__":
    main()
