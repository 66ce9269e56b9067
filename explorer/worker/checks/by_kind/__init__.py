"""Finders of single kinds of finding: one module each, named after the kind.

Each has ``may_find(source)``, whether a program may have the finding at all, and ``Watch(is_user_code)``, whose
``watching()`` is around the run and yields a Guard, and whose ``findings()`` are asked for after it. A module that is
added here is found by its name. The kind is of the part ``tracing``.
"""
