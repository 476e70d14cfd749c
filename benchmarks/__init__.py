"""Benchmarks against yardsticks run side by side: ``python -m benchmarks`` in the root of the repository."""
