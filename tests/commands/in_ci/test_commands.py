"""`check` and `run` with their formats, through the real worker."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from explorer import cli
from tests.commands.programs import write

SHARED = """
import jax
import jax.numpy as jnp

def inputs():
    return dict(x=jnp.zeros((4, 3)), key=jax.random.key(0))

def shared(x, key):
    return jax.vmap(lambda row, key: row + jax.random.normal(key, row.shape), in_axes=(0, None))(x, key)
"""
TWICE = "import jax\nkey = jax.random.key(0)\njax.random.normal(key)\njax.random.normal(key)\n"


@pytest.fixture
def project(one_worker: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with a program of variants and one that runs by itself; we are in it."""
    (tmp_path / ".git").mkdir()
    write(tmp_path, "src/shared.py", SHARED)
    write(tmp_path, "src/twice.py", TWICE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_check_reports_to_github_where_a_bug_is(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["check", "src/shared.py", "--format", "github"]) == 1
    output = capsys.readouterr().out
    assert output.startswith(
        "::error file=src/shared.py,line=9,endLine=9,col=44,endColumn=77,title=shared-noise::4 examples"
    )
    assert output.count("\n") == 1


def test_check_writes_sarif_and_prints_the_text(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["check", "src/shared.py", "--format", "sarif", "--output", "found.sarif", "--exit-zero"]
    assert cli.main(words) == 0
    (result,) = json.loads((project / "found.sarif").read_text(encoding="utf-8"))["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "src/shared.py"
    assert "bug[shared-noise]: " in capsys.readouterr().out


def test_a_pattern_stands_for_its_files(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["check", "**/sh*.py", "--format", "json"]) == 1
    (record,) = json.loads(capsys.readouterr().out)
    assert record["target"] == str(Path("src/shared.py"))
    assert cli.main(["check", "no*.py"]) == 2
    assert "no Python file in no*.py" in capsys.readouterr().err


def test_run_reports_to_github_on_stderr(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["run", "--format", "github", "src/twice.py"]) == 1
    output = capsys.readouterr()
    assert not output.out
    assert output.err.splitlines()[-1].startswith(
        "::error file=src/twice.py,line=3,endLine=3,col=1,endColumn=23,title=key-"
    )


def test_run_writes_what_is_for_machines_into_a_file(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["run", "--format", "sarif", "--exit-zero", "--output", "found.sarif", "src/twice.py"]) == 0
    (run,) = json.loads((project / "found.sarif").read_text(encoding="utf-8"))["runs"]
    assert [result["ruleId"] for result in run["results"]] == ["key-reuse"]
    assert cli.main(["run", "--format", "sarif", "src/twice.py"]) == 2
    assert "--format sarif needs --output FILE" in capsys.readouterr().err


def test_what_cannot_be_compared_is_reported_before_anything_runs(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for command in ("check", "run"):
        assert cli.main([command, "--diff", "HEAD", "src/twice.py"]) == 2
        assert "jax-explorer: --diff HEAD: git knows no HEAD." in capsys.readouterr().err
