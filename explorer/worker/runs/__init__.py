"""From a request to a snapshot: what is run when, in which order, and what is kept for the next question.

The top floor of the worker: it uses every other room; ``__main__`` and, without a worker, the commands use it.
"""
