"""A notebook becomes one program, line for line, without what only IPython runs."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from explorer.library import library
from explorer.library.notebook import in_cell, left_out_words, program
from tests.library.notebooks import notebook


@pytest.mark.parametrize(
    ("cells", "code", "named"),
    [
        pytest.param(("x = 1", "x"), "# %% [1]\nx = 1\n\n# %% [2]\nx\n", "", id="what a cell displays still runs"),
        pytest.param(("#Mwords\n## Data\nmore", "x = 1"), "# %% [1] Data\nx = 1\n", "", id="a heading"),
        pytest.param(("x = 1", "", "y = 2"), "# %% [1]\nx = 1\n\n# %% [3]\ny = 2\n", "", id="an empty cell counts"),
        pytest.param(
            ("%matplotlib inline\n!pip install \\\n  flax\nx = 1",),
            "# %% [1]\n# left out: %matplotlib inline\n# left out: !pip install \\\n#   flax\nx = 1\n",
            "%matplotlib inline, !pip install",
            id="magics and shell lines",
        ),
        pytest.param(
            ("if x:\n    !ls\ny = !ls\njax.jit?\n?jax",),
            "# %% [1]\nif x:\n    pass  # left out: !ls\n# left out: y = !ls\n# left out: jax.jit?\n# left out: ?jax\n",
            "!ls, y = !ls, +2",
            id="a block, a result and help",
        ),
        pytest.param(
            ("%time y = f(x)\n%timeit -n 10 -r 3 f(x)",),
            "# %% [1]\ny = f(x)  # left out: %time\n# left out: %timeit -n 10 -r 3 f(x)\n",
            "%time, %timeit -n 10 -r 3 f(x)",
            id="what is measured once still runs",
        ),
        pytest.param(
            ("#@title Form\n%%capture out\nx = 1 #@param",),
            "# %% [1]\n#@title Form\n# left out: %%capture out\nx = 1 #@param\n",
            "%%capture out",
            id="a magic around Python",
        ),
        pytest.param(("%%bash\nls\n", "x"), "# %% [1]\n# left out: %%bash\n\n# %% [2]\nx\n", "%%bash", id="no Python"),
        pytest.param(
            ('%cd x\ny = (7\n  % 2)\nz = """\n%d\n!"""\n',),
            '# %% [1]\n# left out: %cd x\ny = (7\n  % 2)\nz = """\n%d\n!"""\n',
            "%cd x",
            id="lines that only look so",
        ),
        pytest.param(("await f()",), "# %% [1]\nawait f()\n", "", id="await"),
        pytest.param(
            ("x = 1", "display(x)"),
            "# %% [1]\nx = 1\n\nfrom builtins import print as display\n\n# %% [2]\ndisplay(x)\n",
            "",
            id="display",
        ),
        pytest.param(
            ("from IPython.display import display\ndisplay(x)",),
            "# %% [1]\nfrom IPython.display import display\ndisplay(x)\n",
            "",
            id="its own display",
        ),
    ],
)
def test_the_code_cells_are_one_program_in_order(cells: tuple[str, ...], code: str, named: str) -> None:
    made = program(notebook(*cells))
    assert (made, left_out_words(made)) == (code, named)
    ast.parse(made)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is damaged"),
        (notebook("x = 1")[:-9], "is damaged"),
        (b'{"cells": ' + b"[" * 100_000, "is damaged"),
        (b'{"nbformat": 3, "worksheets": [{"cells": []}]}', "Open it in Jupyter and save it there"),
        (notebook("x", metadata={"language_info": {"name": "julia"}}), "is written in julia"),
        (notebook("#Mwords", ""), "has no cell with code"),
    ],
)
def test_a_notebook_that_cannot_be_opened_is_a_sentence(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "one.ipynb"
    path.write_bytes(content)
    with pytest.raises(library.UnreadableCode, match=words):
        library.open_target(str(path))
    assert path.read_bytes() == content


def test_a_line_of_the_copy_is_named_as_in_the_notebook() -> None:
    lines = program(notebook("x = 1\nx", "display(x)")).splitlines()
    assert lines[6] == "# %% [2]"
    assert [in_cell(lines, line) for line in (3, 8)] == ["cell 1, line 2", "cell 2, line 1"]
    assert in_cell(["x", *lines], 1) == ""
