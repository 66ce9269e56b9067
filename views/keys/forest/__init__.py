"""Contents of a key picture and positions of up to a million keys: NumPy and records, no painting."""
