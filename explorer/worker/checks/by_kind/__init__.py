"""Detectors for single kinds of findings: one module each, named after the kind.

Each has ``Watch(is_user_code)``. Its context ``watching()`` wraps each stretch of the run and yields a Guard;
``findings()`` follows the last one. A new module is found by its name. The kinds belong to the part ``tracing``.
"""
