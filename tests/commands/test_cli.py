"""The command line as scripts and people use it, through the real worker."""

from __future__ import annotations

import ast
import json
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from explorer import cli, qt_libraries
from explorer.commands import check
from explorer.library import library
from explorer.scenario.scenario import CHAPTERS
from tests.commands.programs import endless, interrupted, run, write
from tests.library.notebooks import notebook

OWN = """
import jax
import jax.numpy as jnp

def inputs(batch=4, seed=0):
    return dict(x=jnp.zeros((batch, 3)), key=jax.random.key(seed))

def clean(x, key):
    return x + jax.random.normal(key, x.shape)

def shared(x, key):
    return jax.vmap(lambda row, key: row + jax.random.normal(key, row.shape), in_axes=(0, None))(x, key)
"""


class Command:
    """The command line in this process, with one worker for all its calls."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Return the result of the command with `words`."""
        code = cli.main(words)
        return subprocess.CompletedProcess(words, code, *self._capsys.readouterr())


@pytest.fixture
def command(one_worker: None, capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(capsys)


@pytest.fixture
def own(tmp_path: Path) -> Path:
    return write(tmp_path, "own.py", OWN)


def test_list_names_every_scenario(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    headings = [line for line in lines if line and not line.startswith(" ")]
    assert headings == [*(each.in_language("en") for each in CHAPTERS.values()), "Courses"]
    titles = {scenario.id: scenario.title.text("en") for scenario in library.built_in()}
    of_lessons = [line for line in lines[: lines.index("Courses")] if line.startswith(" ")]
    assert len({line.index(titles[line.split()[0]], 3) for line in of_lessons}) == 1
    assert sum("one_key_for_the_batch  " in line for line in lines) == 1
    assert cli.main(["list", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert len(listed) == len(library.built_in())
    assert [*dict.fromkeys(each["chapter"] for each in listed)] == [*CHAPTERS]
    assert {"id": "one_key_for_the_batch", "chapter": 7}.items() <= listed[0].items()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["check", "no_such_scenario"], "no_such_scenario"),
        (["check", "one_key_for_the_bat"], "one_key_for_the_batch"),
        (["check", "one_key_for_the_batch", "--set", "batch"], "NAME=VALUE"),
        (["time", "one_key_for_the_batch", "--sweep", "batch="], "NAME=VALUE,VALUE"),
        (["time", "one_key_for_the_batch", "--budget", "-1"], "--budget -1 is not a number of seconds from 0 to 600"),
        (["time", "one_key_for_the_batch", "--budget", "nan"], "--budget nan is not a number of seconds"),
        (["export", "one_key_for_the_batch", "out", "--size", "huge"], "is not a size"),
        (["export", "one_key_for_the_batch", __file__], "test_cli.py: "),
        (["handout", "one_key_for_the_batch", "-o", "out.docx"], "out.docx must end in .html, .htm or .ipynb"),
        (["handout", "no_such_scenario", "-o", "out.html"], "no_such_scenario"),
        (["handout", "seed_and_key", "key_patterns", "-o", "out.ipynb"], "A notebook holds one lesson"),
        (["check", "one_key_for_the_batch", "--timeout", "nan"], "--timeout nan is not a number of seconds"),
        (["check", "one_key_for_the_batch", "--timeout", "0"], "--timeout 0 is not a number of seconds"),
        (["check", "one_key_for_the_batch", "--set", "size=3"], "`inputs` has no parameter size. It has batch, feat"),
        (["time", "one_key_for_the_batch", "--sweep", "size=3,4"], "`inputs` has no parameter size."),
        (["check", "one_key_for_the_batch", "--types", "--json"], "--types prints text"),
        (["check", "one_key_for_the_batch", "scan_step_by_step", "--types"], "--types is for one file"),
        (["run", "--json", "no/such/folder/report.json", "start.py"], "report.json cannot be written"),
        (["run", "no_such.py"], "There is no file no_such.py to run."),
        (["run", "-m", "no_such_module"], "There is no module no_such_module to run."),
    ],
)
def test_a_wrong_argument_is_a_sentence_and_exit_code_2(
    words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(words) == 2
    output = capsys.readouterr()
    assert sentence in output.err
    assert output.out == ""


def test_a_mistyped_command_is_answered_with_the_one_that_was_meant(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        cli.main(["chek", "one_key_for_the_batch"])
    assert left.value.code == 2
    assert "there is no command chek; did you mean check?" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        cli.main(["--theme", "light"])
    assert "unrecognized arguments: --theme" in capsys.readouterr().err


@pytest.mark.rest
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a place that is always full")
def test_output_that_cannot_be_written_is_a_sentence_and_exit_code_2() -> None:
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        command = [sys.executable, "-m", "explorer", "list"]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (2, "jax-explorer: No space left on device.\n")


@pytest.mark.rest
@pytest.mark.process
def test_check_reports_the_headline_as_scripts_rely_on_it(command: Command) -> None:
    done = command("check", "one_key_for_the_batch", "--json")
    assert done.returncode == 0
    output = json.loads(done.stdout)
    assert set(output) >= {"target", "jax", "device", "variants"}
    shared, *fixes = output["variants"]
    assert set(shared) >= {"name", "status", "printed", "error", "keys", "findings"}
    assert set(shared["keys"]) == {"seeds", "splits", "nodes", "draws"}
    (finding,) = [each for each in shared["findings"] if each["level"] == "bug"]
    facts = {"kind": "shared-noise", "axis": 0, "examples": 32, "distinct": 1, "line": 16}
    assert facts.items() <= finding.items()
    assert finding["lines"] == [16, 21]
    assert all(each["level"] == "note" for fix in fixes for each in fix["findings"])


@pytest.mark.process
def test_check_of_ones_own_file_finds_the_bug_and_quotes_the_line(own: Path) -> None:
    done = run("check", str(own), "--set", "batch=8")
    assert done.returncode == 1
    assert "8 examples" in done.stdout
    assert "in_axes=(0, None)" in done.stdout
    assert done.stdout.endswith("1 bug in 2 variants\n")


@pytest.mark.process
@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (["--variant", "clean"], 0, ""),
        (["--variant", "gone"], 2, "no function named gone"),
        (["--set", "batch=many"], 2, "cannot be set to 'many'"),
        (["--device", "tpu:3"], 2, "JAX has cpu:0"),
    ],
)
def test_check_takes_its_arguments_seriously(
    own: Path, words: list[str], code: int, sentence: str, command: Command
) -> None:
    done = command("check", str(own), *words)
    assert done.returncode == code, done.stdout + done.stderr
    assert sentence in done.stdout + done.stderr


@pytest.mark.process
def test_check_of_a_notebook_names_the_cell_and_leaves_it_as_it_is(tmp_path: Path, command: Command) -> None:
    path = tmp_path / "one.ipynb"
    path.write_bytes(
        content := notebook("%matplotlib inline\nimport jax", "key = jax.random.key(0)\nassert key is None")
    )
    done = command("check", str(path))
    assert (done.returncode, path.read_bytes()) == (2, content)
    assert f"{path}, cell 2, line 2\n" in done.stdout
    assert "%matplotlib inline" in done.stderr
    assert "Cell 2, line 2: AssertionError" in command("check", str(path), "--format", "github").stdout
    assert "is a notebook" in command("run", str(path)).stderr


@pytest.mark.process
@pytest.mark.parametrize("words", [["check"], ["time", "--budget", "0.05"]], ids=["check", "time"])
def test_a_file_without_a_variant_is_nothing_to_run(tmp_path: Path, words: list[str], command: Command) -> None:
    done = command(*words, str(write(tmp_path, "script.py", "NUMBER = 1\n")))
    assert done.returncode == 2
    assert "There is nothing to run." in done.stdout + done.stderr


@pytest.mark.rest
@pytest.mark.process
def test_a_variant_that_never_ends_costs_only_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(
        tmp_path,
        "endless.py",
        "import jax\ndef a(): return 1.0\n"
        "def b(): return jax.lax.while_loop(lambda c: c >= 0, lambda c: (c + 1) % 7, 0)\n"
        "def c():\n    while True: pass\ndef d(): return 2.0\n",
    )
    # More would only be waited for: nothing interrupts `b`.
    monkeypatch.setattr(check, "PATIENCE_S", 4.0)
    assert cli.main(["check", str(path), "--timeout", "1", "--json"]) == 2
    status = {each["name"]: each["status"] for each in json.loads(capsys.readouterr().out)["variants"]}
    assert status == {"a": "ok", "b": "timeout", "c": "timeout", "d": "ok"}


@pytest.mark.process
def test_time_gives_a_point_for_each_variant_transform_and_value(own: Path, command: Command) -> None:
    done = command("time", str(own), "--sweep", "batch=2,4", "--budget", "0.05", "--json")
    assert done.returncode == 0, done.stderr
    points = json.loads(done.stdout)["points"]
    seen = {(each["variant"], each["transforms"][0], each["parameters"]["batch"]) for each in points}
    assert seen == {(v, t, b) for v in ("clean", "shared") for t in ("eager", "jit") for b in (2, 4)}
    for each in points:
        assert 0 < each["q1_s"] <= each["median_s"] <= each["q3_s"]
        assert each["device"] == "cpu:0"
        assert (each["compile_s"] is not None) == (each["transforms"] == ["jit"])


@pytest.mark.rest
@pytest.mark.process
def test_export_writes_every_file_without_a_screen_wherever_the_program_runs(tmp_path: Path) -> None:
    loop = "    jax.lax.fori_loop(0, 5, lambda i, c: jnp.sqrt(c) - 1.0, jnp.array([16.0, 9.0]))\n"
    own = write(tmp_path, "own.py", OWN.replace("    return jax.vmap", f"{loop}    return jax.vmap"))
    folder = tmp_path / "out"
    looks = ("--size", "1000x700", "--theme", "dark", "--variant", "shared")
    done = run("export", str(own), str(folder), *looks, "--on", sys.executable)
    assert done.returncode == 0, done.stderr
    names = {path.name for path in folder.iterdir()}
    drawn = {"keys", "noise", "timing", "vmap", "gradient", "memory", "time"} | {
        Path(name).stem for name in names if "timing-" in name
    }
    assert ("timing-one-call" in drawn, "timing-curves" in drawn) == (True, False)
    assert names == {f"{each}.{kind}" for each in drawn for kind in ("png", "svg")} | {
        *(f"{each}.json" for each in ("vmap", "gradient", "memory", "time", "findings")),
        *("window.png", "timing.csv", "jaxpr.txt"),
    }
    begins = {".png": b"\x89PNG", ".svg": b"<?xml"}
    assert all((folder / name).read_bytes().startswith(begins.get(Path(name).suffix, b"")) for name in names)
    assert not any(b"<text" in path.read_bytes() for path in folder.glob("*.svg"))
    assert struct.unpack(">II", (folder / "window.png").read_bytes()[16:24]) == (1000, 700)
    assert "random_bits" in (folder / "jaxpr.txt").read_text(encoding="utf-8")
    findings = json.loads((folder / "findings.json").read_text(encoding="utf-8"))
    assert [(each["kind"], each["level"]) for each in findings] == [("shared-noise", "bug"), ("nan", "note")]
    assert (folder / "timing.csv").read_text(encoding="utf-8").count("\n") > 4
    drawn = [
        each for each in json.loads((folder / "vmap.json").read_bytes())["equations"] if "bits" in each["primitive"]
    ]
    assert [each["mapped"] for each in drawn] == [[[]]]
    assert b"random_bits" in (folder / "vmap.svg").read_bytes()


@pytest.mark.rest
@pytest.mark.process
@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is another thing there")
def test_ctrl_c_ends_the_export_of_an_endless_program_with_a_word(tmp_path: Path) -> None:
    begun = tmp_path / "begun"
    path = write(tmp_path, "endless.py", endless(begun))
    code, output = interrupted(["export", str(path), str(tmp_path / "out")], begun)
    assert (code, "jax-explorer: stopped" in output) == (2, True), output


@pytest.mark.process
def test_the_commands_that_promise_it_load_no_qt(own: Path) -> None:
    script = (
        "import sys\nfrom explorer import cli\n"
        f"for words in (['list'], ['check', {str(own)!r}], ['doctor', '--json']):\n    cli.main(words)\n"
        "assert not [name for name in sys.modules if name.startswith(('PySide6', 'pyqtgraph', 'jax.'))]\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.process
def test_doctor_names_the_devices(command: Command) -> None:
    done = command("doctor", "--json")
    found = json.loads(done.stdout)
    assert found["devices"][0]["id"] == "cpu:0"
    assert found["problems"] == [*filter(None, [qt_libraries.problem_seen_apart()])]
    assert (done.returncode == 0) == found["ok"] == (not found["problems"])


def test_there_need_be_no_terminal() -> None:
    # As pythonw on Windows begins.
    words = "import sys; sys.stdout = sys.stderr = None; sys.argv[1:] = ['check', 'no_such_lesson']"
    program = f"{words}; from explorer.__main__ import main; code = main(); sys.exit(code)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "")


def test_types_are_comments_that_change_nothing(command: Command, tmp_path: Path) -> None:
    code = '''import jax
import jax.numpy as jnp

def f():
    """Doc."""
    xs = jnp.ones((4, 3)); text = """
    a string"""
    ys = jax.vmap(lambda x:
        x * 2)(xs); zs = \\
        xs * 2
    return (
        ys  # kept
        .sum())
'''
    printed = command("check", str(write(tmp_path, "typed.py", code)), "--types").stdout.partition("\n\nf: ")[0]
    assert ast.dump(ast.parse(printed)) == ast.dump(ast.parse(code))
    comments = {line: text.partition("  # ")[2] for line, text in enumerate(printed.split("\n"), 1) if "  # " in text}
    assert comments == {8: "f32[4,3]", 11: "f32[]", 12: "kept"}
