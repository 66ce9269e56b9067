"""The texts of the window in other languages, as Qt keeps them, and the command that brings them up to date."""
