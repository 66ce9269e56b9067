"""Icons and other files that are read at run time."""
