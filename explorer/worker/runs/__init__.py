"""From a request to a snapshot: the order of runs, and the cache for later questions.

The top floor of the worker: it uses every other room; ``__main__`` and, without a worker, the commands use it.
"""
