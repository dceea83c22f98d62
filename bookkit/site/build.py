"""Build the website into ``_build/html``; any warning is a failure.

A repeated build reads only what changed. Two things that Sphinx does not notice start it afresh: a change
of the settings, the table of contents or our extensions (pages that are gone would stay on the site), and
a build that failed (its warnings would not be repeated, and the next build would pass).
"""

import hashlib
import html
import pathlib
import re
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

import yaml

from bookkit import ROOT

BUILD = ROOT / "_build"
STAMP = BUILD / ".built-from"
COMMAND = [sys.executable, "-m", "bookkit.site.jupyter_book", "build", ".", "-W", "-n", "--keep-going"]
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
COMPLAINT = re.compile(r"\b(WARNING|ERROR|CRITICAL|SEVERE)\b|Traceback|^Warning", re.I)
HOME = """<!DOCTYPE html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <title>{title}</title>
  <meta http-equiv="refresh" content="0; url=book/index.html">
  <link rel="icon" href="_static/favicon.svg">
</head>
<body><a href="book/index.html">{title}</a></body>
</html>
"""
PROGRESS = re.compile(r"^(reading sources|writing output)\.\.\. \[|^formulas: ")


def settings() -> Iterator[pathlib.Path]:
    """List the files that shape every page."""
    yield from (ROOT / "_config.yml", ROOT / "_toc.yml", ROOT / "requirements.lock")
    yield ROOT / "lecturekit" / "__init__.py"  # the version is at the foot of every page
    for folder in ("extensions", "pages", "site"):
        yield from sorted((ROOT / "bookkit" / folder).glob("*.cjs"))
        yield from sorted((ROOT / "bookkit" / folder).glob("*.html"))
        yield from sorted((ROOT / "bookkit" / folder).glob("*.py"))
    for folder in ("_static", "_templates"):
        yield from sorted((ROOT / "book" / folder).glob("*"))


def fingerprint() -> str:
    """Digest the settings."""
    digest = hashlib.sha256()
    for path in settings():
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def home() -> str:
    """Write the page at the root, which leads to the book, with the title of the settings."""
    title = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))["title"]
    return HOME.format(title=html.escape(title))


def forget() -> None:
    """Remove what earlier builds left."""
    for folder in (BUILD / "html", BUILD / ".doctrees", BUILD / "jupyter_execute"):
        shutil.rmtree(folder, ignore_errors=True)
    STAMP.unlink(missing_ok=True)


def run() -> tuple[int, list[str]]:
    """Run Jupyter Book, showing its progress; return its status and every line of complaint."""
    process = subprocess.Popen(
        COMMAND, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1
    )
    complaints: list[str] = []
    assert process.stdout is not None
    assert process.stderr is not None
    errors = process.stderr
    reader = threading.Thread(target=lambda: complaints.extend(map(str.rstrip, errors)))
    reader.start()
    for line in process.stdout:
        text = COLOUR.sub("", line).rstrip()
        if PROGRESS.match(text):
            print(f"  {text}", flush=True)
    reader.join()
    return process.wait(), [COLOUR.sub("", line) for line in complaints if line.strip()]


def main() -> int:
    """Build, and report."""
    start, now = time.monotonic(), fingerprint()
    if not STAMP.exists() or STAMP.read_text(encoding="utf-8") != now:
        forget()
    print("Building the book", flush=True)
    status, complaints = run()
    if status or any(COMPLAINT.search(line) for line in complaints):
        print("\nThe build complained:\n" + "\n".join(f"  {line}" for line in complaints), file=sys.stderr)
        print(f"\nThe book was NOT built: {len(complaints)} lines of complaint, see above.", file=sys.stderr)
        forget()
        return 1
    (BUILD / "html" / "index.html").write_text(home(), encoding="utf-8")
    STAMP.write_text(now, encoding="utf-8")
    print(f"Built without a warning in {time.monotonic() - start:.0f} s.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
