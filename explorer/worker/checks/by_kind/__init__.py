"""Detectors for single kinds of findings: one module each, named after the kind.

Each has ``may_find(source)``, a quick pre-check, and ``Watch(is_user_code)``. The context ``watching()`` wraps the run
and yields a Guard; ``findings()`` follows it. A new module is found by its name. The kinds belong to the part
``tracing``.
"""
