"""``pytest --jax-keys``: records each test, judges it by the project's allowances, and reports totals.

Where tests run in several processes each counts for itself, and the counts are put together.
"""
