"""Upper bounds: one file a method."""
