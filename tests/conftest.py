"""How property tests run: no deadlines, because a busy machine proves nothing, and the same examples every time.

HYPOTHESIS_PROFILE=thorough draws new examples, and many more of them.
"""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("quick", deadline=None, max_examples=50, derandomize=True)
settings.register_profile("thorough", deadline=None, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))
