"""From a request to a snapshot: the order of runs, and the cache for later questions.

It is the top layer of the worker, used by ``__main__`` and, without a worker process, by the commands.
"""
