"""A worker on a remote: over a real ssh, in another Python, and with obstacles."""

from __future__ import annotations

import ast
import os
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from explorer.link.pipe import WorkerEnded, WorkerPipe
from explorer.link.remotes import boot, engine, start
from explorer.link.remotes.remote import Remote, remote_of
from explorer.messages import Printed, Request
from explorer.scenario import requests
from tests.link.remotes.relay import relayed
from tests.link.remotes.ssh_server import SSHD, Server, served
from tests.scenarios.code_run import SCENARIOS

pytestmark = [pytest.mark.process, pytest.mark.rest, pytest.mark.skipif(not SSHD, reason="there is no sshd")]
AWAY_S = 0.05
WHO_ARE_YOU = Request(1, "import os\ndef f():\n    print(os.getpid())\n", "<code>", variants=("f",))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with served(tmp_path_factory.mktemp("ssh")) as made:
        yield made


def lab(server: Server, port: int = 0) -> Remote:
    return remote_of(shlex.join([*server.ssh(port), sys.executable]))


def assert_refused(remote: Remote, words: str) -> None:
    """Check that no worker starts there, for a reason with these words."""
    with WorkerPipe(remote) as worker, pytest.raises(WorkerEnded, match=words):
        worker.hello()


def process_of(worker: WorkerPipe) -> int:
    """Return the number of the process in which programs run."""
    worker.hello()
    return int("".join(each.text for each in worker.ask(WHO_ARE_YOU) if isinstance(each, Printed)))


def test_a_lesson_runs_over_ssh_and_a_cut_link_is_reported_as_one(server: Server) -> None:
    with relayed(server.port, AWAY_S) as relay, WorkerPipe(lab(server, relay.port)) as worker:
        assert worker.hello().devices
        assert worker.round_trip_s() > 2 * AWAY_S
        *_, last = worker.ask(requests.analysis(SCENARIOS["one_key_for_the_batch"]))
        assert [finding.kind for finding in last.reports[0].findings] == ["shared-noise"]
        relay.cut()
        with pytest.raises(WorkerEnded, match="the connection to lab ended"):
            worker.round_trip_s()


def test_a_link_that_has_ended_before_anything_is_sent_is_reported_as_one(server: Server) -> None:
    with relayed(server.port) as relay, WorkerPipe(lab(server, relay.port)) as worker:
        worker.hello()
        relay.cut()
        worker._process.wait(60)
        with pytest.raises(WorkerEnded, match="the connection to lab ended"):
            worker.round_trip_s()


def test_a_worker_ends_when_its_link_falls_silent(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(start, "MOST_SILENT_S", 4)
    with relayed(server.port) as relay, WorkerPipe(lab(server, relay.port)) as worker:
        process = process_of(worker)
        assert _lives(process)
        relay.is_silent = True
        end = time.monotonic() + 60
        while _lives(process):
            assert time.monotonic() < end
            time.sleep(0.1)


def test_a_start_ends_whose_link_falls_silent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No guard watches the link yet."""
    monkeypatch.setattr(start, "MOST_SILENT_S", 1)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    far = Remote("far", ("sh", "-c", 'exec "$@"', "sh", sys.executable))
    command, _ = start.start(far, 1, {})
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.wait(60) == boot.CANNOT


def test_the_engine_comes_also_where_the_home_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "no folder").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "no folder"))
    with WorkerPipe(Remote("another", (sys.executable,))) as worker:
        assert worker.hello().devices


@pytest.mark.parametrize(
    ("script", "output"),
    [
        ("echo 'JAX-Explorer: old 3.8.10'", "is 3.8.10; it must be 3.11"),
        ("echo 'JAX-Explorer: old-jax 0.9.2'", "is 0.9.2; it must be 0.10.2"),
        ("echo 'JAX-Explorer: lacks jax msgspec'", "-m pip install jax msgspec"),
        ("echo 'JAX-Explorer: failed No space left on device'", "could not store the engine: No space left on device"),
        ("exit 3", "it exited with code 3"),
        ("kill -SEGV $$", "segmentation fault"),
        ("echo hello", "it exited with code 0"),
    ],
)
def test_what_is_in_the_way_is_reported_in_a_sentence(script: str, output: str, tmp_path: Path) -> None:
    python = tmp_path / "python"
    python.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    python.chmod(0o755)
    assert_refused(remote_of(str(python)), output)


def test_a_python_before_ours_can_read_what_shows_that_it_is_too_old() -> None:
    ast.parse(Path(boot.__file__).read_text(encoding="utf-8"), feature_version=(3, 7))


def test_a_python_that_cannot_read_even_that_says_how_old_it_is() -> None:
    older = f"import sys; sys.version_info, sys.version = (2, 7, 18), '2.7.18 (default)'; exec({engine.UNPACK!r})"
    done = subprocess.run([sys.executable, "-c", older], capture_output=True, text=True, check=False)
    assert (done.stdout, done.returncode) == ("JAX-Explorer: old 2.7.18\n", boot.CANNOT)


def test_a_full_disk_is_reported_in_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    full = Remote("full", ("sh", "-c", 'ulimit -f 8; exec "$@"', "sh", sys.executable))
    assert_refused(full, "full could not store the engine: ")


def test_an_old_msgspec_is_reported_with_what_brings_a_newer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "msgspec-0.12.0.dist-info").mkdir()
    (tmp_path / "msgspec-0.12.0.dist-info" / "METADATA").write_text("Name: msgspec\nVersion: 0.12.0\n", "utf-8")
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}{os.pathsep}{os.environ.get('PYTHONPATH', '')}")
    assert_refused(Remote("another", (sys.executable,)), "msgspec>=0")


def test_a_host_that_wants_another_key_is_reported_with_the_words_of_ssh(
    server: Server, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with served(tmp_path) as other:
        # The host is known, and the key that it wants is not ours.
        command = [each if "IdentityFile" not in each else _key_of(server) for each in other.ssh()]
        assert_refused(remote_of(shlex.join(command)), "connection to lab ended")
    assert "Permission denied" in capfd.readouterr().err


def test_a_link_that_ends_within_a_frame_is_reported_as_one() -> None:
    cut = "echo 'JAX-Explorer: ready 3.12'; printf '\\0\\0\\0\\0\\0\\0\\0\\11half'; exit 255"
    assert_refused(Remote("lab", ("sh", "-c", cut)), "the connection to lab ended")


def test_what_a_shell_prints_before_is_passed_over() -> None:
    greeting = 'echo "Welcome to lab"; printf "You have mail "; exec "$@"'
    chatty = Remote("chatty", ("sh", "-c", greeting, "sh", sys.executable))
    with WorkerPipe(chatty) as worker:
        assert worker.hello().devices


def test_a_host_that_does_not_answer_is_reported_with_the_words_of_ssh(
    server: Server, capfd: pytest.CaptureFixture[str]
) -> None:
    with relayed(server.port) as relay:
        nobody = relay.port
    assert_refused(lab(server, nobody), "the connection to lab ended")
    assert "Connection refused" in capfd.readouterr().err


def _key_of(server: Server) -> str:
    return next(each for each in server.ssh() if "IdentityFile" in each)


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True
