"""An exception as a span, a message and plain words. It reads the exception and the code, and changes neither."""
