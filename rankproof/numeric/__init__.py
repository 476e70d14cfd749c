"""Floating point: searches for sums of units, and linear programs. It proposes, exact algebra and the verifier decide."""
