"""``show``: a recording as one page that needs nothing else, and lets nothing else run."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from explorer import cli
from explorer.commands.export import recording_page
from explorer.figures import line_types
from explorer.library import recording_file
from explorer.text.text import verbatim
from tests.commands.programs import write
from tests.library.hostile_recordings import hostile
from tests.library.recorded import recorded

HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(1)>"


@pytest.mark.rest
def test_a_page_has_the_findings_the_tree_the_rows_and_the_code(tmp_path: Path) -> None:
    recording_file.write(tmp_path / "noisy.jaxrec", recorded())
    page = tmp_path / "noisy.html"
    assert cli.main(["show", str(tmp_path / "noisy.jaxrec"), "-o", str(page)]) == 0
    text = page.read_text(encoding="utf-8")
    for words in ("noisy.py", "8 examples share one key", "8 share it", "equal: 0–7", "shared from here"):
        assert words in text
    lines = {each.line for finding in recorded().report.findings or () for each in finding.all_spans}
    assert lines
    assert all(f'href="#L{line}"' in text and f'id="L{line}"' in text for line in lines)


@pytest.mark.rest
def test_a_page_in_korean_is_korean_down_to_the_keys(tmp_path: Path) -> None:
    path, page = tmp_path / "noisy.jaxrec", tmp_path / "noisy.html"
    recording_file.write(path, recorded())
    command = [sys.executable, "-m", "jax_explorer", "show", "--lang", "ko", str(path), "-o", str(page)]
    subprocess.run(command, timeout=120, check=True, cwd=Path.cwd())
    text = page.read_text(encoding="utf-8")
    assert '<html lang="ko">' in text
    for words in ("버그", "6번째 줄", "여기서부터 공유", "샘플 8개가 공유"):
        assert words in text
    assert not re.search("Findings|examples|shared from|drawn once", text)


@pytest.mark.rest
def test_a_run_has_the_types_of_its_lines_where_they_are_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "noisy.jaxrec"
    program = write(
        tmp_path,
        "noisy.py",
        "import jax\nimport jax.numpy as jnp\n\ndef noisy(x, key):\n"
        "    noise = jax.random.normal(key, x.shape)\n    return x + noise\n\n"
        "out = jax.vmap(noisy, in_axes=(0, None))(jnp.zeros((8, 3)), jax.random.key(0))\nprint(__file__)\n",
    )
    command = [sys.executable, "-m", "jax_explorer", "run", "--types", "-o", str(path), str(program)]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, cwd=Path.cwd())
    assert "    noise = jax.random.normal(key, x.shape)  " in ran.stderr
    report = recording_file.read(path).report
    assert report.printed == ran.stdout == f"{program}\n"
    words = {line: str(types) for line, types in line_types.line_type_words([report]).items()}
    assert words == {5: "f32[3] · shared by 8", 6: "f32[3] · 8×", 8: "f32[8,3]"}
    assert [each.kind for each in report.findings or ()] == ["shared-noise"]
    assert "f32[3] · shared by 8</span>" in recording_page.page(recording_file.read(path))


def test_its_policy_allows_no_script_and_nothing_from_elsewhere() -> None:
    text = recording_page.page(recorded())
    assert "default-src 'none'; style-src 'unsafe-inline'\"" in text
    assert not re.search(r"<script|(src|href)=\"(?!#)", text)


def test_names_and_messages_are_no_markup() -> None:
    run = recorded()
    findings = tuple(
        msgspec.structs.replace(each, kind=HOSTILE, message=verbatim(HOSTILE)) for each in run.report.findings or ()
    )
    about = msgspec.structs.replace(run.about, program=HOSTILE, jax=HOSTILE)
    changed = {"about": about, "source": HOSTILE, "report": msgspec.structs.replace(run.report, findings=findings)}
    text = recording_page.page(msgspec.structs.replace(run, **changed))
    assert "<script" not in text
    assert "<img" not in text


def test_the_output_is_plain_text_after_the_code() -> None:
    def page(printed: str) -> str:
        report = msgspec.structs.replace(recorded().report, printed=printed)
        return recording_page.page(msgspec.structs.replace(recorded(), report=report))

    text = page(f"\x1b[31mred\x1b[0m\n 1 %\r 2 %\r\n\0{HOSTILE}\n")
    escaped = HOSTILE.replace("<", "&lt;").replace(">", "&gt;")
    output = f'<h2>Output</h2><pre tabindex="0" role="region" aria-label="Output">red\n 2 %\n{escaped}</pre>'
    assert text.index("<h2>Code</h2>") < text.index(output)
    assert page(" \n\x1b[0m") == page("") == recording_page.page(recorded())
    assert "<h2>Output</h2>" not in page("")


@pytest.mark.rest
def test_hostile_recordings_are_a_page_or_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, page = tmp_path / "noisy.jaxrec", tmp_path / "noisy.html"
    recording_file.write(path, recorded())
    for content in hostile(path.read_bytes(), 60, seed=5):
        path.write_bytes(content)
        code = cli.main(["show", str(path), "-o", str(page)])
        assert (code, "jax-explorer: noisy.jaxrec is" in capsys.readouterr().err) in [(0, False), (2, True)]
    assert cli.main(["show", str(path), "-o", str(tmp_path / "page.txt")]) == 2


@pytest.mark.parametrize(
    "command", [["check"], ["check", "no_such.jaxrec"], ["time"], ["export"], ["handout", "-o", "page.html"]]
)
def test_no_command_runs_a_recording(tmp_path: Path, capsys: pytest.CaptureFixture[str], command: list[str]) -> None:
    path = tmp_path / "noisy.jaxrec"
    recording_file.write(path, recorded())
    folder = [str(tmp_path / "pictures")] * (command == ["export"])
    assert cli.main([*command, str(path), *folder]) == 2
    assert "is a recording, which does not run" in "".join(capsys.readouterr())
