"""Declared limits. A file beyond one of them is undecided: neither verified nor rejected."""

from __future__ import annotations

FILE_BYTES = 64 * 2**20
NESTING = 12
STRUCTURE = 16_000_000
"""Brackets, colons and quotation marks: what a parsed file takes in memory."""
DIGITS = 4000
"""Digits of one integer. Python itself refuses to convert more than 4300 digits unless told otherwise."""

NUMBER_FIELDS = 16
STEPS = 1000
ANSWERS = 1000

FACTORS = 16
DEGREE = 64
DIMENSION = 4096
ENTRIES = 2_000_000
UNITS = 200_000
FIELD_DEGREE = 24
MODULAR_FACTORS = 16
"""Factors of a minimal polynomial modulo a prime; one more doubles the products that are tried as divisors."""
EXPONENT = 4096
"""Absolute value of an exponent of eps."""

WEIGHTS = 100_000_000
"""Numbers of one tensor of a weights file."""
WEIGHTS_BYTES = 2**30
"""Bytes read at once from a weights file."""

FLATTENING_SIDE = 200_000
KOSZUL_SIDE = 2_000_000
"""Koszul flattenings of sparse targets fall into small blocks."""
COVER_POINTS = 4096
"""Linear functions, up to scale, on one space of slices."""
OPERATIONS = 1_000_000_000
"""Elementary operations of one step, estimated from sizes; an elimination counts them as it goes."""

PARAMETERS = 64
"""Parameters of a family of subspaces."""
APOLAR_DIMENSION = 64
"""Dimension of a subspace that is enumerated in the rule border-apolarity."""
SPLITS = 32
"""Nested case distinctions on a polynomial in parameters."""
