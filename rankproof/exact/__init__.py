"""Exact algebra for the prover; python-flint is imported only here."""
