"""Programs that plot go on where the plotting library is not installed, and libraries do not notice."""

from __future__ import annotations

import sys
from importlib.util import find_spec

import numpy as np
import pytest

from explorer.worker.code import plots
from explorer.worker.code.plots import PlotModule, left_out, left_out_here

pytestmark = pytest.mark.skipif(find_spec("matplotlib") is not None, reason="Matplotlib is installed")
FILE = "<program>"
BEGIN = """
import matplotlib as mpl, matplotlib.pyplot as plt, numpy as np, seaborn as sns
from matplotlib import cm, pyplot
from matplotlib.animation import FuncAnimation
from mpl_toolkits.mplot3d import Axes3D
"""


@pytest.fixture(autouse=True)
def nothing_stays() -> None:
    for name in [name for name, each in sys.modules.items() if isinstance(each, PlotModule)]:
        del sys.modules[name]


def after(code: str) -> dict[str, object]:
    names: dict[str, object] = {}
    with left_out(True, FILE.__eq__):
        exec(compile(f"{BEGIN}\n{code}", FILE, "exec"), names)
    return names


@pytest.mark.parametrize(
    "line",
    [
        "mpl.use('Agg'); mpl.rcParams['x'] = 1; plt.rcParams.update({}); del mpl.rcParams['x']",
        "fig, ax = plt.subplots(figsize=(3, 3)); ax.plot([1], [2], label='x'); fig.savefig('x.png'); plt.show()",
        "n, bins, patches = plt.hist([1, 2]); line, = plt.plot([1]); first, *rest = plt.plot([1])",
        "with plt.style.context('x'): plt.colorbar(plt.imshow([[1]]))",
        "fig, (a, b) = pyplot.subplots(1, 2); a.legend(*b.get_legend_handles_labels())",
        "low, high = plt.ylim(); x = np.ones(3) * high; y = 1 - low / 2; f'{high:.2f}'; float(high) < int(low)",
        "FuncAnimation(plt.figure(), print, frames=3).to_jshtml(fps=30).strip()",
        "def f(ax: plt.Axes | None = None): return ax or plt.gca()\nf().set_title('x')",
        "sns.set_theme(); sns.lineplot(x=[1], y=[2]).set(xlabel='x')",
        "class Own(mpl.colors.Normalize):\n    def __init__(self): super().__init__(0)\nOwn()",
    ],
)
def test_whatever_is_plotted_works_and_shows_nothing(line: str) -> None:
    after(line)


def test_loops_over_what_is_plotted_take_place() -> None:
    names = after(
        "shape = plt.subplots(2, 3)[1].shape, plt.figure().subplots(2, 1).shape, plt.subplots(3)[1].shape\n"
        "axes = [ax for ax in plt.subplots(2, 2)[1].flat]\n"
        "bars = [bar for bar in plt.bar(['a', 'b', 'c'], [1, 2, 3])]\n"
        "colours = [each for each in cm.viridis(np.linspace(0, 1, 5))]\n"
        "cycle = list(zip(plt.rcParams['axes.prop_cycle'].by_key()['color'], range(3)))\n"
    )
    assert names["shape"] == ((2, 3), (2,), (3,))
    assert [len(names[each]) for each in ("axes", "bars", "colours", "cycle")] == [4, 3, 5, 3]  # type: ignore[arg-type]


def test_only_the_users_code_goes_on_and_only_in_the_block() -> None:
    library = compile("import matplotlib", "library.py", "exec")
    with left_out(True, FILE.__eq__), pytest.raises(ModuleNotFoundError):
        exec(library, {})
    assert not left_out_here()
    with left_out(True, FILE.__eq__):
        exec(compile("import matplotlib, json", FILE, "exec"), {})
    assert left_out_here() == ("matplotlib",)
    del sys.modules["matplotlib"]
    for wanted in (True, False):
        with left_out(wanted, FILE.__eq__), pytest.raises(ModuleNotFoundError):
            exec(compile("import matplotlib_of_mine", FILE, "exec"), {})
    with left_out(False, FILE.__eq__), pytest.raises(ModuleNotFoundError):
        exec(compile("import matplotlib", FILE, "exec"), {})
    assert not {type(each).__name__ for each in sys.meta_path} & {"_Finder"}


def test_numbers_stay_numbers() -> None:
    assert isinstance(np.ones(2) + plots.PlotStub(), plots.PlotStub)
