"""``python -m lecturekit.coursework grade ...`` does what ``lecturekit coursework grade ...`` does."""

import sys

from lecturekit.coursework.cli import main

if __name__ == "__main__":
    sys.exit(main(["coursework", *sys.argv[1:]]))
