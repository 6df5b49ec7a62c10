"""The command line itself: its help, its progress, how it is stopped, what it needs."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from service.cli.score import main
from tests.cli.commands import ran, said
from tests.cli.score.scoring import OUTPUT, TEXT, command
from tests.cli.score.tables import write
from tests.live import ROOT
from tests.sampled import first


def test_without_pyarrow(tmp_path: Path) -> None:
    """Without pyarrow, the error says how to install it."""
    program = (
        "import sys; sys.modules['pyarrow'] = None\n"
        "from service.cli.score import main; sys.exit(main(sys.argv[1:]))"
    )
    source, target = write(tmp_path / "in.csv", {"dice": TEXT}), tmp_path / OUTPUT
    assert said(ran(*command(source, target, "poker-dice"), program=program)) == (
        2,
        "",
        "Scoring files needs pyarrow: in a checkout, make arrow or pip install '.[arrow]'\n",
    )
    assert not target.exists()


@pytest.mark.parametrize(("source", "target"), [("-", "out.csv"), ("in.csv", "-")])
def test_standard_input_and_output(
    source: str, target: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """`-` is refused: it has no extension that says the format."""
    with pytest.raises(SystemExit) as ended:
        main(command(Path(source), target, "poker-dice"))
    assert ended.value.code == 2
    assert capsys.readouterr().err.endswith(
        ": standard input and output have no extension that says their format: name a file, such "
        "as rolls.csv\n"
    )


def on_a_terminal(
    arguments: list[str], stop_at: str | None = None, by: signal.Signals = signal.SIGINT
) -> tuple[int, str]:
    """The exit status of the command, and all that a terminal showed of it.

    Once it shows what matches `stop_at`, it is stopped `by` a signal.
    """
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "service", "score", *arguments],
        cwd=ROOT,
        stderr=theirs,
        # As from a terminal: tests that run in the background of a script have it ignored.
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
    ) as process:
        os.close(theirs)
        shown = b""
        while True:
            try:
                shown += os.read(ours, 1 << 16)
            except OSError:  # Linux says so that nobody has the terminal open any more
                break
            if stop_at is not None and re.search(stop_at.encode(), shown):
                process.send_signal(by)
                stop_at = None
    os.close(ours)
    return process.returncode, shown.decode()


@pytest.mark.fault
def test_progress_on_a_terminal(tmp_path: Path) -> None:
    """On a terminal, a progress bar is shown; the result has its own line."""
    source = write(tmp_path / "in.parquet", {"dice": TEXT})
    target = tmp_path / OUTPUT
    status, shown = on_a_terminal(command(source, target, "poker-dice"))
    assert status == 0
    end = rf"\x1b\[\?25h\r\n5 hands scored, in {target}\r\n"
    assert re.search(rf"\[#{{36}}\] +100% +5 rows *{end}$", shown)


@pytest.mark.fault
@pytest.mark.parametrize(
    "suffix",
    [
        ".csv",
        ".arrow",
        *(pytest.param(x, marks=pytest.mark.proof) for x in (".ndjson", ".parquet")),
    ],
)
@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGTERM])
def test_stopped_on_the_way(tmp_path: Path, suffix: str, by: signal.Signals) -> None:
    """Ctrl-C or SIGTERM ends it with the status that shells give, and leaves nothing."""
    source = write(tmp_path / f"in{suffix}", {"dice": TEXT * 40_000})
    arguments = command(source, tmp_path / "out.arrows", "poker-dice")
    status, shown = on_a_terminal([*arguments, "--rows", "16"], " rows", by)
    assert status == 128 + by
    assert shown.endswith("\x1b[?25h\r\nStopped; nothing was written.\r\n")
    assert list(tmp_path.iterdir()) == [source]


HELP = {
    "": [
        "\n  serve     serve over HTTP",
        "\n  score     score the hands",
        "\n  simulate  play games",
        "\n  summary   show how",
        "\n  verify    verify the dice",
        "\n  advise    find",
        "\n  review    find",
        "Without a command",
    ],
    "simulate": [
        "--policy {best,greedy}",
        "\n  python -m service simulate --variant dice-poker --games",
        "\n  0    done\n  2    a mistake in the options, in a file or in a setting\n"
        "  74   the standard output can't be written\n"
        "  75   the same command may work later: a store or a scheduler is away\n"
        "  78   a game from outside can't be used\n"
        "  130  stopped by Ctrl-C\n  143  stopped by SIGTERM\n",
    ],
    "score": [
        "--house-rules",
        "overwritten if it exists",
        "\nfolders:\n  These need the extra `cluster`: make cluster, or pip install "
        "'.[cluster]'.\n\n  --workers N",
        "\n  75   ",
    ],
    "summary": ["--column", "\n  0    done"],
    "verify": ["--dice", "\n  1    wrong"],
    "advise": ["\n  0    done\n  2    "],
    "review": ["\n  0    done\n  2    "],
    "serve": ["\n  PORT\n", "\n  1    the s"],
}
"""Parts of the help of each command."""


@pytest.mark.smoke
@pytest.mark.parametrize("name", first(HELP, pytest.mark.fault, count=3))
def test_help(name: str) -> None:
    """The module and each command have a help text."""
    done = ran(*name.split(), "--help")
    expected = [f"usage: python -m service {name}".rstrip(), *HELP[name]]
    assert [words for words in expected if words not in done.stdout] == []
    assert (done.returncode, done.stderr) == (0, "")


def test_no_such_command() -> None:
    """An unknown command is refused; the error lists the commands."""
    done = ran("scores")
    assert (done.returncode, done.stdout) == (2, "")
    assert re.search(
        r"invalid choice: 'scores' \(choose from .?serve.?, .?advise.?, .?match.?, .?review.?, "
        r".?score.?, .?simulate.?, .?summary.?, .?verify.?\)",
        done.stderr,
    )


def test_the_server_starts_without_numpy() -> None:
    """The server imports neither NumPy nor pyarrow when it starts."""
    program = (
        "import json, sys, service.cli.serve, service.app; service.app.create_app()\n"
        "print(json.dumps([name in sys.modules for name in ('numpy', 'pyarrow')]))"
    )
    done = ran(program=program)
    assert (done.returncode, json.loads(done.stdout)) == (0, [False, False])
