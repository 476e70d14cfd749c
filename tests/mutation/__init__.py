"""Damage: certificates damaged node by node, and verifiers with one check disabled."""
