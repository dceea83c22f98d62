"""``python -m coursekit grade ...`` does what ``coursekit grade ...`` does."""

import sys

from coursekit.cli import main

if __name__ == "__main__":
    sys.exit(main())
