"""``pytest --jax-keys``: records each test, judges it by the project's allowances, and reports totals.

Tests in several processes are counted per process, and the counts are added.
"""
