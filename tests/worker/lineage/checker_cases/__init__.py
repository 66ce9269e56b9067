"""Small programs for key checkers: the cases of JAX's own tests, and every known correct or wrong use of keys.

JAX's tests partly ask whether a key is marked as consumed at some line. Here a further draw at that line asks the same:
it is reuse where the mark is. The tests of the checker's data structures (sources, sinks, their text and equality) have
no program, and neither has its `consume`.
"""

from tests.worker.lineage.checker_cases import (
    from_libraries,
    made,
    mapped,
    moved,
    of_jax_operations,
    of_jax_programs,
    transformed,
)

OF_JAX = [*of_jax_operations.TABLE.cases, *of_jax_programs.TABLE.cases]
OURS = [
    *from_libraries.TABLE.cases,
    *made.TABLE.cases,
    *mapped.TABLE.cases,
    *moved.TABLE.cases,
    *transformed.TABLE.cases,
]
