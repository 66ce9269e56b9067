"""The text that a user writes for a remote becomes a command."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from explorer.link.remotes.remote import ASKED_OF_SSH, HERE, VARIABLES, NoRemote, Remote, likely_remotes, remote_of

LAB = Remote("lab", ("ssh", "lab", "python3"))


@pytest.mark.parametrize(
    ("words", "name", "command"),
    [
        ("ssh lab", "lab", "ssh lab python3"),
        ("ssh me@lab", "lab", "ssh me@lab python3"),
        ("ssh -p 2222 lab", "lab", "ssh -p 2222 lab python3"),
        ("ssh -A -J gate lab /opt/py/bin/python", "lab", "ssh -A -J gate lab /opt/py/bin/python"),
        ("ssh -oPort=2222 lab", "lab", "ssh -oPort=2222 lab python3"),
        ("docker exec box", "box", "docker exec -i box python3"),
        ("docker exec -i box python3.12", "box", "docker exec -i box python3.12"),
        ("wsl.exe -e python3", "wsl", "wsl.exe -e python3"),
        ("nice python3", "nice", "nice python3"),
    ],
)
def test_a_command_gets_a_name_and_a_python(words: str, name: str, command: str) -> None:
    assert remote_of(words) == Remote(name, tuple(command.split()))


def test_the_folder_of_an_environment_and_its_python_are_one_remote(tmp_path: Path) -> None:
    python = tmp_path / "thesis" / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.symlink_to(sys.executable)
    (python.parent.parent / "pyvenv.cfg").touch()
    remote = Remote("thesis/.venv", (str(python),))
    assert remote_of(str(python.parent.parent)) == remote_of(str(python)) == remote
    assert likely_remotes(str(tmp_path / "thesis" / "src" / "train.py"))[0] == str(python.parent.parent)
    assert not remote.is_here
    assert not remote.is_linked


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("nowhere", "such as `ssh nowhere`."),
        ("ssh -p 22", "names no host."),
        ("say 'it", "cannot be read as a command: No closing quotation."),
        ("{folder}", "there is no Python in it."),
    ],
)
def test_text_that_names_no_remote_is_refused_with_the_reason(words: str, reason: str, tmp_path: Path) -> None:
    with pytest.raises(NoRemote, match=reason) as raised:
        remote_of(words.format(folder=tmp_path))
    assert raised.value.text.in_language("ko") != str(raised.value)


def test_a_file_that_cannot_be_run_is_no_python(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").touch()
    with pytest.raises(NoRemote, match="cannot be run"):
        remote_of(str(tmp_path / "notes.txt"))


def test_a_known_remote_is_found_by_its_name_and_its_shell_reads_each_argument_as_one() -> None:
    command = ["ssh", *ASKED_OF_SSH, "lab", "python3", "-c", "'import sys; print(1)'"]
    assert LAB.started_with(["-c", "import sys; print(1)"]) == command
    assert Remote("here", ("/opt/python",)).started_with(["-c", "a b"]) == ["/opt/python", "-c", "a b"]
    assert remote_of("lab", [LAB]) is LAB
    assert remote_of("  ") is HERE


def test_hosts_of_ssh_are_offered_but_for_patterns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    (tmp_path / ".ssh").mkdir()
    (tmp_path / ".ssh" / "config").write_text("Host lab gpu\n  User me\nHost *.edu !x\nhost one\n", encoding="utf-8")
    assert likely_remotes("") == ["ssh lab", "ssh gpu", "ssh one"]
