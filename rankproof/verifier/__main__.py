"""``python -m rankproof.verifier FILE...``."""

from __future__ import annotations

import sys

from .cli import main

sys.exit(main())
