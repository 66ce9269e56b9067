"""Changes of the code that mend what failed: proposed from the code and the error, offered only when tried."""
