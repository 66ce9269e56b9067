"""An exception as a place, a message and plain words. It reads the exception and the code, and changes neither."""
