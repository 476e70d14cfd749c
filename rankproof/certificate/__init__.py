"""What is claimed: claims, what follows from them, and the document they are written in."""
