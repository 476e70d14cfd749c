"""Gated blocks trained on tasks: a regression and a small language model, with one input projection against two.

`arms` and `comparison` are plain data; the other modules compute with torch.
"""
