"""The book as one file: complete, whole, the same each time, without a dead link, made without a network."""

import ast
import hashlib
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from bookkit import ROOT
from bookkit.extensions import moved
from bookkit.pages.chapters import read_cells
from bookkit.site import bundle

SITE = ROOT / "_build" / "html"
ADDRESS = re.compile(r'\s(?:href|src)="([^"]*)"')
# Python reads this file when it starts, in every process below the one that is given it.
NO_NETWORK = """
import socket

def refuse(*args, **kwargs):
    raise OSError("the network is off")

socket.socket.connect = socket.socket.connect_ex = socket.getaddrinfo = refuse
"""

# -- the checks -------------------------------------------------------------------------


def sum_faults(folder: Path) -> list[str]:
    """Say which file is missing from the checksums, listed without being there, or not what they say."""
    lines = (folder / "SHA256SUMS").read_text(encoding="utf-8").splitlines()
    listed = {name: digest for digest, name in (line.split("  ", 1) for line in lines)}
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    faults = [f"{name} is on one side only" for name in sorted(listed.keys() ^ (files - {"SHA256SUMS"}))]
    for name in sorted(listed.keys() & files):
        if hashlib.sha256((folder / name).read_bytes()).hexdigest() != listed[name]:
            faults.append(f"{name} is damaged")
    return faults


def dead_links(site: Path) -> Iterator[str]:
    """Find the relative links of all pages that lead to no file of the site."""
    pages = [page for page in site.rglob("*.html") if "_static" not in page.relative_to(site).parts]
    for page in pages:  # below _static are templates of the theme, which nothing leads to
        for address in ADDRESS.findall(page.read_text(encoding="utf-8")):
            parts = urlsplit(address)
            if parts.scheme or parts.netloc or not parts.path:
                continue
            target = (page.parent / unquote(parts.path)).resolve()
            if not target.is_file() or not target.is_relative_to(site.resolve()):
                yield f"{page.relative_to(site)}: {address}"


# -- the real thing -----------------------------------------------------------------------


@dataclass
class Bundled:
    """Two bundles, made one after the other, and the first one's folder."""

    files: list[Path]
    folder: Path


@pytest.fixture(scope="module")
def bundled(tmp_path_factory: pytest.TempPathFactory) -> Bundled:
    """Pack the site twice without a network, as different users would, and unpack the first."""
    if not (SITE / "index.html").exists():
        pytest.fail("the site is not built; run: make book")
    place = tmp_path_factory.mktemp("bundle")
    (place / "sitecustomize.py").write_text(NO_NETWORK, encoding="utf-8")
    settings = {**os.environ, "PYTHONPATH": os.pathsep.join([str(place), str(ROOT)])}
    attempt = "import socket; socket.create_connection(('127.0.0.1', 9))"
    tried = subprocess.run(
        [sys.executable, "-c", attempt], env=settings, capture_output=True, text=True, check=False
    )
    assert "the network is off" in tried.stderr
    for name, umask, zone in (("a", 0o022, "UTC"), ("b", 0o077, "Asia/Tokyo")):
        command = [sys.executable, "-m", "bookkit.site.bundle", "--out", str(place / name)]
        subprocess.run(command, cwd=place, env={**settings, "TZ": zone}, umask=umask, check=True)
    files = [path for name in "ab" for path in (place / name).iterdir()]
    with zipfile.ZipFile(files[0]) as archive:
        archive.extractall(place / "unpacked")
    (folder,) = (place / "unpacked").iterdir()
    return Bundled(files, folder)


def test_bundle_is_the_same_each_time(bundled: Bundled) -> None:
    first, second = bundled.files
    assert first.name == second.name == f"{bundled.folder.name}.zip"
    assert first.name == f"{bundle.slug(bundle.read_setting('title'))}-{bundle.version()}.zip"
    assert first.read_bytes() == second.read_bytes()
    with zipfile.ZipFile(first) as archive:
        entries = archive.infolist()
    names = [entry.filename for entry in entries]
    assert names == sorted(names)
    assert {entry.date_time for entry in entries} == {bundle.TIME}


def test_bundle_is_complete_and_whole(bundled: Bundled) -> None:
    folder = bundled.folder
    assert sum_faults(folder) == []
    assert {path.name for path in folder.iterdir()} == {
        *("LICENSE", "LICENSE-TEXT", "README.txt", "SHA256SUMS", "requirements.lock", "site", "notebooks"),
        f"lecturekit-{bundle.version()}-py3-none-any.whl",
    }
    toc = (ROOT / "_toc.yml").read_text(encoding="utf-8")
    listed = {f"{name}.ipynb" for name in re.findall(r"file: book/(\S+)\.ipynb", toc)}
    notebooks = folder / "notebooks"
    assert {path.relative_to(notebooks).as_posix() for path in notebooks.rglob("*.ipynb")} == listed
    packed = [path for path in notebooks.rglob("*") if path.is_file()]
    assert all(
        path.read_bytes() == (ROOT / "book" / path.relative_to(notebooks)).read_bytes() for path in packed
    )
    assert {path.with_suffix(".ipynb") for path in notebooks.rglob("*.md")} == {
        path for path in notebooks.rglob("*.ipynb") if path.parent.name != "coursework"
    }
    assert (folder / "requirements.lock").read_bytes() == (ROOT / "requirements.lock").read_bytes()


def test_links_of_the_bundle_lead_somewhere(bundled: Bundled) -> None:
    site = bundled.folder / "site"
    first = (site / "index.html").read_text(encoding="utf-8")
    assert 'href="book/index.html"' in first
    assert len(list(site.rglob("*.html"))) > 50
    assert list(dead_links(site)) == []


def test_wheel_of_the_bundle_works(bundled: Bundled, tmp_path: Path) -> None:
    (wheel,) = bundled.folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    modules = {path for package in bundle.PACKAGES for path in (ROOT / package).rglob("*.py")}
    modules |= {*(ROOT / "coursekit" / "course" / "template").iterdir(), ROOT / "lecturekit" / "py.typed"}
    packed = {path for package in bundle.PACKAGES for path in (tmp_path / package).rglob("*.*")}
    assert {path.relative_to(tmp_path) for path in packed} == {path.relative_to(ROOT) for path in modules}
    code = "import lecturekit.kernels as k; print(k.__file__, k.RBF(gamma=0.5)([[0.0]])[0, 0])"
    result = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert result.stdout.split() == [str(tmp_path / "lecturekit" / "kernels.py"), "1.0"]


def test_readme_of_the_bundle_names_what_is_there(bundled: Bundled) -> None:
    text = (bundled.folder / "README.txt").read_text(encoding="utf-8")
    named = re.findall(r"site/index\.html|\./(\S+\.whl)", text)
    (wheel,) = filter(None, named)
    assert (bundled.folder / wheel).is_file()
    assert "site/index.html" in text
    assert f"Version {bundle.version()}" in text
    for name in re.findall(r"\b(?:LICENSE(?:-TEXT)?|SHA256SUMS|requirements\.lock|notebooks)\b", text):
        assert (bundled.folder / name).exists()


def test_readme_of_the_bundle_installs_what_the_chapters_import(bundled: Bundled) -> None:
    text = (bundled.folder / "README.txt").read_text(encoding="utf-8")
    command = re.search(r"pip install -c requirements\.lock (.*) \./lecturekit\S+\.whl", text)
    assert command is not None
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    brought = {canonicalize_name(Requirement(line).name) for line in project["dependencies"]}
    imported = set()
    for path in (bundled.folder / "notebooks").rglob("*.md"):
        for cell in read_cells(path):
            for node in ast.walk(cell.tree()) if cell.is_code else ():
                if isinstance(node, ast.ImportFrom):
                    imported.add(str(node.module).partition(".")[0])
                elif isinstance(node, ast.Import):
                    imported |= {alias.name.partition(".")[0] for alias in node.names}
    others = imported - set(sys.stdlib_module_names) - {"lecturekit"}
    assert {"numpy", "sklearn"} <= others
    named = {canonicalize_name({"sklearn": "scikit-learn"}.get(name, name)) for name in others}
    assert named - brought <= set(command[1].split())


# -- each fault is caught -------------------------------------------------------------------


PROJECT = """
[build-system]
requires = ["setuptools"]
build-backend = "setuptools.build_meta"

[project]
name = "lecturekit"
version = "7.8"

[tool.setuptools]
packages = ["lecturekit"]
"""


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """Make a book of one page and one chapter, with a package of one module."""
    root = tmp_path / "somewhere" / "book-of-mine"
    (root / "lecturekit").mkdir(parents=True)
    (root / "lecturekit" / "__init__.py").write_text('__version__ = "7.8"\n', encoding="utf-8")
    (root / "pyproject.toml").write_text(PROJECT, encoding="utf-8")
    for name in ("README.md", "LICENSE", "LICENSE-TEXT", "requirements.lock"):
        (root / name).write_text(name, encoding="utf-8")
    (root / "_config.yml").write_text("title: My Course, 2nd Edition\n", encoding="utf-8")
    (root / "_toc.yml").write_text(
        "root: book/index.md\nchapters: [{file: book/01-a.ipynb}]\n", encoding="utf-8"
    )
    (root / "book").mkdir()
    (root / "book" / "01-a.ipynb").write_text("{}", encoding="utf-8")
    (root / "_build" / "html" / "_static").mkdir(parents=True)
    (root / "_build" / "html" / "index.html").write_text('<a href="_static/a.css">a</a>', encoding="utf-8")
    (root / "_build" / "html" / "_static" / "a.css").touch()
    (root / "_build" / "html" / ".buildinfo").touch()
    return root


def pack(root: Path) -> Path:
    """Pack the small book and unpack it."""
    path = bundle.bundle(root / "_build" / "html", root / "_build", root)
    with zipfile.ZipFile(path) as archive:
        archive.extractall(root / "out")
    return root / "out" / path.stem


def test_the_name_of_this_book() -> None:
    title = "Statistical Machine Learning, Executed"
    assert bundle.slug(title) == "statistical-machine-learning-executed"


def test_another_book_gets_its_own_name(small: Path) -> None:
    folder = pack(small)
    assert folder.name == "my-course-2nd-edition-7.8"
    assert (folder / "README.txt").read_text(encoding="utf-8").startswith("My Course, 2nd Edition\n======")
    assert not (folder / "site" / ".buildinfo").exists()
    assert sum_faults(folder) == []
    assert list(dead_links(folder / "site")) == []


def test_notebooks_keep_their_folders(small: Path) -> None:
    (small / "_toc.yml").write_text(
        "root: book/index.md\nchapters:\n- file: book/01-a.ipynb\n- file: book/02-b/index.ipynb\n"
        "  sections:\n  - file: book/02-b/c.ipynb\n",
        encoding="utf-8",
    )
    (small / "book" / "02-b").mkdir()
    for name in ("index.ipynb", "index.md", "c.ipynb", "c.md", "not-listed.ipynb"):
        (small / "book" / "02-b" / name).write_text(name, encoding="utf-8")
    (small / "_build" / "html" / "book").mkdir()
    (small / "_build" / "html" / "book" / "02-b.html").write_text(moved.MARK, encoding="utf-8")
    folder = pack(small)
    packed = [path.relative_to(folder / "notebooks") for path in (folder / "notebooks").rglob("*.*")]
    assert sorted(map(str, packed)) == [
        *("01-a.ipynb", "02-b/c.ipynb", "02-b/c.md", "02-b/index.ipynb", "02-b/index.md"),
    ]
    assert (folder / "notebooks" / "02-b" / "c.md").read_text(encoding="utf-8") == "c.md"
    assert moved.is_moved(folder / "site" / "book" / "02-b.html")


def test_wheel_has_fixed_permissions_and_times(small: Path) -> None:
    module = small / "lecturekit" / "__init__.py"
    module.chmod(0o644)
    first = bundle.build_wheel(small)
    module.chmod(0o700)
    os.utime(module, (2e9, 2e9))
    assert bundle.build_wheel(small) == first


def test_sum_faults_are_recognised(small: Path) -> None:
    folder = pack(small)
    (folder / "LICENSE").write_bytes(b"")
    (folder / "extra").touch()
    (folder / "README.txt").unlink()
    assert sum_faults(folder) == [
        *("README.txt is on one side only", "extra is on one side only", "LICENSE is damaged")
    ]


@pytest.mark.parametrize("address", ["b.html", "_static", "../../README.txt", "_static/b.css?v=1#top"])
def test_dead_links_are_recognised(small: Path, address: str) -> None:
    site = small / "_build" / "html"
    (site / "c.html").write_text(f'<a href="{address}">x</a> <a href="#c">y</a>', encoding="utf-8")
    assert list(dead_links(site)) == [f"c.html: {address}"]


@pytest.mark.parametrize("address", ["https://x.example/", "#top", "_static/a.css?v=1", "mailto:a@x.example"])
def test_other_links_are_let_pass(small: Path, address: str) -> None:
    site = small / "_build" / "html"
    (site / "c.html").write_text(f'<a href="{address}">x</a>', encoding="utf-8")
    assert list(dead_links(site)) == []


@pytest.mark.parametrize("place", ["_build/html/index.html", "lecturekit/__init__.py", "book/01-a.ipynb"])
def test_a_folder_of_this_machine_is_refused(small: Path, place: str) -> None:
    path = small / place
    path.write_text(path.read_text(encoding="utf-8") + f'\n# "{small}/x"\n', encoding="utf-8")
    with pytest.raises(bundle.BundleError, match=r"these name a folder of this machine: .*" + path.name):
        pack(small)
    assert not list((small / "_build").glob("*.zip*"))


def test_addresses_and_longer_names_are_no_folder() -> None:
    files = {"a": b"https://x.example/srv/book/ ~/srv/book", "b": b"/srv/bookkeeping /opt/srv/book"}
    assert bundle.find_paths(files, [Path("/srv/book"), Path("/")]) == []
    assert bundle.find_paths({"a": b"see /srv/book"}, [Path("/srv/book")]) == ["a"]
    assert bundle.find_paths({"a": b"see /srv/book"}, [Path("/")]) == []


@pytest.mark.parametrize(
    ("gone", "message"),
    [
        ("_build/html/index.html", "build it first: make book"),
        ("book/01-a.ipynb", "_toc.yml lists book/01-a.ipynb"),
        ("pyproject.toml", "pyproject.toml"),
    ],
)
def test_what_is_missing_is_named(small: Path, gone: str, message: str) -> None:
    (small / gone).unlink()
    with pytest.raises((bundle.BundleError, FileNotFoundError), match=re.escape(message)):
        pack(small)


def test_a_wheel_that_cannot_be_built_stops_it(small: Path) -> None:
    (small / "pyproject.toml").write_text("[project\n", encoding="utf-8")
    with pytest.raises(bundle.BundleError, match="the wheel could not be built"):
        pack(small)


def test_command_says_what_to_do(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert bundle.main(["--site", str(tmp_path), "--out", str(tmp_path)]) == 1
    assert "NOT packed: there is no site" in capsys.readouterr().err
