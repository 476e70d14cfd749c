"""Schemes that the literature knows by name, and those that follow from them."""
