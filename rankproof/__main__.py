"""``python -m rankproof`` is the command ``rankproof``."""

from __future__ import annotations

import sys

from rankproof.cli import main

if __name__ == "__main__":
    sys.exit(main())
