"""Lower bounds: one file a method."""
