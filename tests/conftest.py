"""How property tests run: no deadlines, because a busy machine proves nothing; HYPOTHESIS_PROFILE=thorough for long runs."""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("quick", deadline=None, max_examples=50)
settings.register_profile("thorough", deadline=None, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))
