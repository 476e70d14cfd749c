"""Floating-point search for sums of units: it proposes, exact algebra and the verifier decide."""
