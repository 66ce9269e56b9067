"""The output of a notebook, in a real notebook where the packages for it are installed."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from explorer.figures import array_rows
from explorer.library import recording_file
from explorer.messages import Array, Picture
from jax_explorer import recording
from tests.notebooks import executed

SETUP = """%load_ext jax_explorer
import jax, jax.numpy as jnp
add = lambda row, key: row + jax.random.normal(key, row.shape)"""
SHARED = "%%keys\njax.vmap(add, in_axes=(0, None))(jnp.zeros((4, 3)), jax.random.key(0))"
MEANT = "%%keys\nk = jax.random.key(0)\na = add(jnp.zeros(2), k)\nb = add(jnp.zeros(2), k)  # jax-explorer: on purpose"


def picture(*examples: list[float]) -> Picture:
    values = np.array(examples, np.float32)
    groups = np.unique(values, axis=0, return_inverse=True)[1].reshape(-1).astype(np.int32)
    distinct = int(groups.max()) + 1
    return Picture("output", "output", values.shape, "float32", Array.of(values), 0, Array.of(groups), distinct, "")


class Reader(HTMLParser):
    """Reads the text of a page and checks that each element is closed."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.text, self.open = "", []
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, _: object) -> None:
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_startendtag(self, *_: object) -> None:
        pass

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.mark.parametrize(
    ("examples", "named"),
    [
        ([[1.0, 2.0]] * 4, ["0–3"]),
        ([[1.0, 2.0], [3.0, 4.0], [1.0, 2.0], [3.0, 4.0]], ["0, 2", "1, 3"]),
        ([[1.0, 2.0], [3.0, 4.0]], []),
        ([[float(number % 5), 1.0] for number in range(10)], ["0, 5", "1, 6", "2, 7", "3, 8", "and 1 more groups"]),
    ],
)
def test_rows_that_are_equal_are_named(examples: list[list[float]], named: list[str]) -> None:
    assert array_rows.equal(picture(*examples)) == named


def test_many_rows_of_any_numbers_make_a_small_picture() -> None:
    drawn = array_rows.drawn(picture(*([[np.nan, np.inf] + [1.0] * 998] + [[0.0] * 1000] * 999)))
    assert drawn.count("<rect") == 24 * 24 + 23
    assert drawn.endswith("</svg>…</div>")


def test_a_recording_shows_tree_rows_and_findings() -> None:
    with recording() as keys:
        noisy = jax.vmap(lambda row, key: row + jax.random.normal(key, row.shape), in_axes=(0, None))
        noisy(jnp.zeros((4, 3)), jax.random.key(0))
    page = keys._repr_html_()
    text = Reader(page).text
    for words in ("Keys: 1 bug", "4 examples share it", "equal: 0–3", "bug[shared-noise]", "they all share one key"):
        assert words in text
    assert "<script" not in page
    assert "equal: 0–3" in Reader(keys.html(jnp.ones((4, 3)))).text


def test_a_cell_of_marimo_has_no_file_for_a_name(tmp_path: Path) -> None:
    cell = tmp_path / "__marimo__cell_MJUe_.py"
    cell.write_text("import jax\nkey = jax.random.key(0)\njax.random.normal(key)\njax.random.normal(key)\n")
    with recording() as keys:
        exec(compile(cell.read_text(), str(cell), "exec"), {})
    assert "--> cell MJUe:3:1" in keys.report()
    assert "line 3 of cell MJUe" in keys.report()


def test_inside_the_block_there_is_nothing_to_show_yet() -> None:
    with recording() as keys:
        assert keys._repr_html_() == "The block is still being recorded."
    assert "Keys: none used" in keys._repr_html_()


def test_what_stands_in_the_code_is_no_markup() -> None:
    with recording() as keys:
        key = jax.random.key(0)
        (jax.random.normal(key) < 0) & (jax.random.uniform(key) > 0)  # <b>&amp;
    page = keys._repr_html_()
    assert "&lt;b&gt;&amp;amp;" in page
    Reader(page)


@pytest.mark.rest
@pytest.mark.process
def test_a_notebook_shows_its_cells_below_them(tmp_path: Path) -> None:
    nbformat = pytest.importorskip("nbformat")
    book = nbformat.v4.new_notebook()
    code = (
        SETUP,
        SHARED,
        "%%keys\nkey = jax.random.key(0)\nadd(jnp.zeros(3), key) + 1 / 0",
        "%%keys --all\n1",
        MEANT,
        "%%keys\ndef f(:",
        f"%%keys --save {tmp_path / 'kept.jaxrec'}\nprint('kept')\njax.random.normal(jax.random.key(0))",
        "%%keys --save kept.txt\n1",
    )
    book.cells = [nbformat.v4.new_code_cell(each) for each in code]
    file = tmp_path / "book.ipynb"
    nbformat.write(book, file)
    book = executed(file, allow_errors=True)
    _, shared, failed, unknown, meant, unreadable, _kept, not_kept = (cell.outputs for cell in book.cells)
    assert [each.output_type for each in shared] == ["execute_result", "display_data"]
    text = Reader(shared[1].data["text/html"]).text
    for words in ("4 examples share it", "output float32[4, 3]", "equal: 0–3", "--> In[1]:3:", "::: In[2]:1:"):
        assert words in text
    assert [each.output_type for each in failed] == ["display_data", "error"]
    assert "error[ZeroDivisionError]" in failed[0].data["text/plain"]
    assert "In[3]" in "".join(failed[1].traceback)
    assert "explorer" not in "".join(failed[1].traceback)
    assert "note[key-reuse]" in meant[0].data["text/plain"]
    assert "unneeded-mark" not in meant[0].data["text/plain"]
    assert unreadable[1].ename == "SyntaxError"
    assert "explorer" not in "".join(unreadable[1].traceback)
    assert unknown[0].traceback == ["NoSuchOption: %%keys knows no --all. There is --values, --save FILE."]
    assert not_kept[0].traceback == ["NoSuchOption: %%keys --save needs the name of a file that ends in .jaxrec."]
    run = recording_file.read(tmp_path / "kept.jaxrec")
    assert run.source.strip() == "print('kept')\njax.random.normal(jax.random.key(0))"
    assert run.report.printed == "kept\n"
