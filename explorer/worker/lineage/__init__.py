"""The operations that made and spent each key, from the log in ``recording``. Runs no user code."""
