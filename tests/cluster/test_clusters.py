"""The cluster of a run: its workers, a scheduler that is named, its start, and its progress."""

from __future__ import annotations

import errno
import os
import re
import signal
import socket
import sys
from pathlib import Path

import pytest

from service.cli.command import TryAgain, postponed
from service.cli.folders import cluster
from service.cli.folders.score import parts_of, score_part
from service.cli.score import main
from service.cli.simulate import main as simulate
from tests.batch.test_layout_tables import turns
from tests.cli.commands import started
from tests.cli.score.tables import write
from tests.cli.score.test_command_line import on_a_terminal
from tests.cluster.folders import names, ran, write_rolls
from tests.cluster.one_process import job
from tests.cluster.test_simulate import GREEDY, typed
from tests.sessions.servers import until


@pytest.mark.parametrize("module", ["pyarrow", "distributed", "cryptography"])
def test_without_a_module(
    module: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without a module that a cluster of this machine needs, the error says how to install it; a
    scheduler that is named needs no cryptography.
    """
    monkeypatch.setitem(sys.modules, module, None)
    common = ["--variant", "dice-poker", "-o", str(tmp_path / "target")]
    gets = "in a checkout, make cluster or pip install '.[cluster]'"
    assert simulate([*common, "--games", "1"]) == 2
    assert capsys.readouterr() == ("", f"Simulating games needs {module}: {gets}\n")
    if module == "pyarrow":
        return  # without a cluster, files need it, too
    assert main([*common, str(tmp_path)]) == 2
    assert capsys.readouterr() == ("", f"Scoring folders needs {module}: {gets}\n")
    if module == "cryptography":
        assert main([*common, str(tmp_path), "--scheduler", "tcp://127.0.0.1:1"]) == 2
        assert capsys.readouterr() == ("", f"{tmp_path} has no files\n")


def test_a_cluster_that_cannot_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The error isn't that of a folder that can't be written, which isn't even there then."""
    write_rolls(tmp_path / "rolls" / "a.parquet", 10, seed=1)
    target = tmp_path / "scores"

    def refused(**_: object) -> None:
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr(cluster, "LocalCluster", refused)
    arguments = ["--variant", "dice-poker", str(tmp_path / "rolls"), "-o", str(target)]
    assert main(arguments) == TryAgain.status
    said = "the processes on this machine can't be started: Too many open files\n"
    assert capsys.readouterr() == ("", said)
    assert not target.exists()


@pytest.mark.parametrize(
    "address", ["", "x", "http://a:1", "tcp://a", ":", "inproc://x", "ws://a:1", "ucx://a:1"]
)
def test_what_is_no_address(tmp_path: Path, address: str) -> None:
    """An address that no scheduler can have is refused at once."""
    status, said = ran(tmp_path, tmp_path / "scores", "--scheduler", address)
    why = f"argument --scheduler: must be an address such as tcp://host:8786: {address!r}"
    assert (status, said.endswith(why)) == (2, True)
    assert not (tmp_path / "scores").exists()


def test_tls_without_a_certificate(tmp_path: Path) -> None:
    """An address with TLS says what is missing, if Dask isn't configured for it."""
    write_rolls(tmp_path / "rolls" / "a.parquet", 10, seed=1)
    said = (
        "tls://127.0.0.1:1 needs a certificate: set distributed.comm.tls.ca-file and the others in "
        "Dask's configuration"
    )
    scheduler = ("--scheduler", "tls://127.0.0.1:1")
    assert ran(tmp_path / "rolls", tmp_path / "scores", *scheduler) == (2, said)


def test_a_silent_scheduler(tmp_path: Path) -> None:
    """What listens at the address and says nothing isn't waited for without an end."""
    write_rolls(tmp_path / "rolls" / "a.parquet", 10, seed=1)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"tcp://127.0.0.1:{silent.getsockname()[1]}"
        found = ran(tmp_path / "rolls", tmp_path / "scores", "--scheduler", address)
    assert found == (75, f"no scheduler answers at {address} within 20 seconds")
    assert not (tmp_path / "scores").exists()


@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGTERM])
def test_stopped_while_it_starts(by: signal.Signals) -> None:
    """What can't be stopped in the middle ends first, even if it fails by the same signal."""
    done = []

    def start(*, stopped: bool, fails: bool) -> None:
        with postponed():
            if stopped:
                os.kill(os.getpid(), by)
            if fails:
                raise RuntimeError
            done.append(stopped)

    for fails in (False, True):
        with pytest.raises(KeyboardInterrupt) as caught:
            start(stopped=True, fails=fails)
        assert caught.value.args == (by,)
    with pytest.raises(RuntimeError):
        start(stopped=False, fails=True)
    start(stopped=False, fails=False)
    assert done == [True, False]


def test_progress_within_a_part(tmp_path: Path) -> None:
    """The rows of a part are shown before it is whole."""
    source, target = tmp_path / "turns", tmp_path / "scores"
    source.mkdir()
    write(source / "a.parquet", {"rolls": turns(1_000) * 40})  # some 20 seconds of one worker
    command = ["--variant", "roll-a-royal", str(source), "-o", str(target), "--workers", "1"]
    status, shown = on_a_terminal(command, r"[1-9][0-9,]* rows, ")
    counted = r"(\d+)%  ([0-9,]+) rows, [0-9,]+ rows/s, 1 worker, about [0-9,]+ s left\x1b"
    found = re.search(counted, shown)
    assert found
    percent, rows = (int(each.replace(",", "")) for each in found.groups())
    assert (status, rows % 512, percent) == (128 + signal.SIGINT, 0, 100 * rows // 40_000)
    assert 0 < rows < 40_000
    assert {name for name in names(target) if name[0] != "_"} == set()


def test_progress_of_parts_that_fail(tmp_path: Path) -> None:
    """A part that fails is done with: at the end, all of the work is."""
    source, target = tmp_path / "rolls", tmp_path / "scores"
    source.mkdir()
    write(source / "bad.csv", {"dice": ["13357"]})
    write(source / "good.csv", {"dice": ["13356", "55522"]})
    arguments = ["--variant", "dice-poker", str(source), "-o", str(target), "--workers", "1"]
    status, shown = on_a_terminal(arguments)
    assert (status, re.findall(r"100%  (\d+) rows, ", shown)[-1:]) == (2, ["2"])


def test_progress_of_a_split_file(tmp_path: Path) -> None:
    """What is done of a part is a fraction of its rows, not of those of the whole file."""
    source, target = tmp_path / "rolls", tmp_path / "scores"
    write_rolls(source / "a.parquet", 100, seed=1, group=20)
    asked = job(source, target, part_rows=40, rows=10)
    asked.output.begin((), (), complete=False)
    reports: list[tuple[int, float]] = []
    for part in parts_of(asked.source, "", 40):
        score_part(asked, part, lambda rows, done: reports.append((rows, done)))
    quarters = [(10, 0.25), (20, 0.5), (30, 0.75), (40, 1.0)]
    assert reports == [*quarters, *quarters, (10, 0.5), (20, 1.0)]


def test_stopped_while_workers_start(tmp_path: Path) -> None:
    """Ctrl-C, which a terminal sends to all processes, is one sentence of the command."""
    process = started(typed(tmp_path / "games", 10, *GREEDY, "--workers", "1"))
    children = Path(f"/proc/{process.pid}/task").glob

    def starts() -> bool:
        """Whether a worker imports what it needs."""
        found = " ".join(each.read_text() for each in children("*/children")).split()
        return any("_socket" in Path(f"/proc/{each}/maps").read_text() for each in found)

    until(starts, "a worker starts")
    os.killpg(process.pid, signal.SIGINT)
    said = "Stopped; whole parts are kept, and the same command goes on.\n"
    assert process.communicate(timeout=60) == ("", said)
    assert process.returncode == 128 + signal.SIGINT
