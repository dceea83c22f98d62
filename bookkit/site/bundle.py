"""Pack the book into one file that works without a network: ``python -m bookkit.site.bundle``.

The file holds the built site, the notebooks with their text halves, the package as a wheel, the lock and
the checksums of all of these. It depends on nothing but its contents: entries are sorted, and times and
permissions are fixed. Where a file names a folder of this machine, nothing is written.
"""

import argparse
import hashlib
import io
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Iterable, Iterator, Mapping

import yaml

from bookkit import ROOT

SITE = ROOT / "_build" / "html"
TIME = (1980, 1, 1, 0, 0, 0)  # the earliest that a zip file can hold
EPOCH = "315532800"  # the same, for the wheel
SUMS = "SHA256SUMS"
PACKAGES = ("lecturekit", "coursekit")
PROJECT = ("pyproject.toml", "README.md", "LICENSE", "LICENSE-TEXT")
NOTEBOOK = re.compile(r"^book/(.+)\.ipynb$")
WHEEL = "from setuptools import build_meta; build_meta.build_wheel({folder!r})"
README = """{title}
{line}

Version {version}. Everything in this folder works without a network, except
the one step that says otherwise.

Read
    Open site/index.html in a browser. Nothing is fetched from elsewhere.

Run
    The chapters are in the folder notebooks: each as a Jupyter notebook with
    its results (.ipynb) and as text (.md). To run them you need Python 3.11 to
    3.14. In this folder:

        python3 -m venv venv
        venv/bin/python -m pip install -c requirements.lock jupyterlab myst-nb ./{wheel}
        venv/bin/jupyter lab notebooks

    (On Windows: py in place of python3, and venv\\Scripts in place of venv/bin.)
    The second line fetches NumPy and other packages and so needs a network,
    once. requirements.lock makes it take the versions that this book was
    made and tested with.

Check that all files are whole
    On Linux:   sha256sum --check {sums}
    On macOS:   shasum -a 256 --check {sums}

Licence
    Text and figures: CC BY 4.0, see LICENSE-TEXT. Code: BSD 3-Clause, see
    LICENSE. You may pass this folder on, whole or in parts, with credit.
"""


class BundleError(Exception):
    """There is nothing to pack, or it must not be packed; the message says why."""


# -- what goes in ------------------------------------------------------------------


def read_setting(name: str, root: pathlib.Path = ROOT) -> str:
    """Read one of the settings of the book."""
    return str(yaml.safe_load((root / "_config.yml").read_text(encoding="utf-8"))[name])


def version(root: pathlib.Path = ROOT) -> str:
    """Read the version of the package off its source."""
    source = (root / "lecturekit" / "__init__.py").read_text(encoding="utf-8")
    found = re.search(r'^__version__ = "(.+)"$', source, re.M)
    if found is None:
        raise BundleError("lecturekit/__init__.py has no line __version__")
    return found[1]


def slug(title: str) -> str:
    """Make a file name of a title."""
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")


def site_files(site: pathlib.Path) -> Iterator[tuple[str, bytes]]:
    """Read the site, without the hidden files, which are the builder's own."""
    if not (site / "index.html").is_file():
        raise BundleError(f"there is no site at {site}; build it first: make book")
    for path in site.rglob("*"):
        name = path.relative_to(site)
        if path.is_file() and not any(part.startswith(".") for part in name.parts):
            yield f"site/{name.as_posix()}", path.read_bytes()


def notebook_files(root: pathlib.Path = ROOT) -> Iterator[tuple[str, bytes]]:
    """Read the notebooks of the table of contents, each with its text half if it has one."""
    for entry in _entries(yaml.safe_load((root / "_toc.yml").read_text(encoding="utf-8"))):
        match, notebook = NOTEBOOK.match(entry), root / entry
        if match is None:
            continue
        if not notebook.is_file():
            raise BundleError(f"_toc.yml lists {entry}, which is not there")
        for path in (notebook, notebook.with_suffix(".md")):
            if path.is_file():
                yield f"notebooks/{match[1]}{path.suffix}", path.read_bytes()


def _entries(node: object) -> Iterator[str]:
    """Walk a table of contents."""
    if isinstance(node, dict):
        for key, value in node.items():
            if key == "file":
                yield str(value)
            else:
                yield from _entries(value)
    elif isinstance(node, list):
        for item in node:
            yield from _entries(item)


def build_wheel(root: pathlib.Path = ROOT) -> tuple[str, bytes]:
    """Build the package in a copy, with the builder at hand, and return the wheel's name and content."""
    with tempfile.TemporaryDirectory() as scratch:
        source, target = pathlib.Path(scratch, "source"), pathlib.Path(scratch, "wheel")
        ignored = shutil.ignore_patterns("__pycache__", "*.py[co]", "*.nb[ci]", ".*")
        for package in filter(lambda name: (root / name).is_dir(), PACKAGES):
            shutil.copytree(root / package, source / package, ignore=ignored)
        for name in PROJECT:
            shutil.copyfile(root / name, source / name)
        for path in source.rglob("*"):
            path.chmod(0o755 if path.is_dir() else 0o644)
        result = subprocess.run(
            [sys.executable, "-c", WHEEL.format(folder=str(target))],
            cwd=source,
            env={**os.environ, "SOURCE_DATE_EPOCH": EPOCH},
            umask=0o022,
            capture_output=True,
            text=True,
            check=False,
        )
        if result.returncode:
            raise BundleError(f"the wheel could not be built:\n{result.stderr}")
        (wheel,) = target.glob("*.whl")
        return wheel.name, wheel.read_bytes()


def contents(site: pathlib.Path = SITE, root: pathlib.Path = ROOT) -> dict[str, bytes]:
    """Collect what is packed, by name, without the checksums."""
    files = dict(site_files(site)) | dict(notebook_files(root))
    wheel, files[wheel] = build_wheel(root)
    for name in ("requirements.lock", "LICENSE", "LICENSE-TEXT"):
        files[name] = (root / name).read_bytes()
    title = read_setting("title", root)
    text = README.format(title=title, line="=" * len(title), version=version(root), wheel=wheel, sums=SUMS)
    return files | {"README.txt": text.encode()}


# -- packing -----------------------------------------------------------------------


def find_paths(files: Mapping[str, bytes], folders: Iterable[pathlib.Path]) -> list[str]:
    """Name the files, and those inside a wheel among them, that mention one of the folders."""
    names = b"|".join(re.escape(str(folder).encode()) for folder in folders if len(folder.parts) > 1)
    pattern = re.compile(rb"(?<![\w.~/-])(?:" + names + rb")(?![\w-])") if names else re.compile(rb"(?!)")
    found = []
    for name, content in files.items():
        if name.endswith(".whl"):
            with zipfile.ZipFile(io.BytesIO(content)) as wheel:
                inside = {f"{name}/{entry}": wheel.read(entry) for entry in wheel.namelist()}
            found += find_paths(inside, folders)
        elif pattern.search(content):
            found.append(name)
    return sorted(found)


def checksums(files: Mapping[str, bytes]) -> bytes:
    """Write the checksums in the form that ``sha256sum --check`` reads."""
    lines = (f"{hashlib.sha256(content).hexdigest()}  {name}\n" for name, content in sorted(files.items()))
    return "".join(lines).encode()


def pack(files: Mapping[str, bytes], folder: str, target: pathlib.Path) -> None:
    """Write a zip file whose entries lie in one folder; it appears under its name when it is complete."""
    draft = target.with_suffix(".zip.new")
    with zipfile.ZipFile(draft, "w") as archive:
        for name, content in sorted({**files, SUMS: checksums(files)}.items()):
            entry = zipfile.ZipInfo(f"{folder}/{name}", TIME)
            entry.create_system, entry.external_attr = 3, 0o100644 << 16
            archive.writestr(entry, content, zipfile.ZIP_DEFLATED, 6)
    draft.replace(target)


def bundle(site: pathlib.Path, out: pathlib.Path, root: pathlib.Path = ROOT) -> pathlib.Path:
    """Pack the book and return the file."""
    files = contents(site, root)
    named = find_paths(files, {root, pathlib.Path.home()})
    if named:
        raise BundleError(f"these name a folder of this machine: {', '.join(named)}")
    name = f"{slug(read_setting('title', root))}-{version(root)}"
    out.mkdir(parents=True, exist_ok=True)
    pack(files, name, out / f"{name}.zip")
    return out / f"{name}.zip"


def main(arguments: list[str] | None = None) -> int:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="Pack the book into one file that works without a network.")
    parser.add_argument("--site", type=pathlib.Path, default=SITE, help="the built site; default _build/html")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "_build", help="folder; default _build")
    options = parser.parse_args(arguments)
    start = time.monotonic()
    try:
        path = bundle(options.site, options.out)
    except BundleError as error:
        print(f"NOT packed: {error}", file=sys.stderr)
        return 1
    shown = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
    print(f"{shown}: {path.stat().st_size / 1e6:.0f} MB, packed in {time.monotonic() - start:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
