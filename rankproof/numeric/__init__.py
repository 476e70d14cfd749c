"""Floating-point search for sums of units: it proposes, exact algebra and the verifier decide."""
"""How, in floating point: linear programs. What a float suggests is made exact and checked by its caller."""
