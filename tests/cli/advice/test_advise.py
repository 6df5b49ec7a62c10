"""`dice-scoring advise`: what it prints, and what it refuses."""

from __future__ import annotations

import io
import os
import re
import signal
import sys
from pathlib import Path

import orjson
import pytest

from service.cli.advise import main
from service.tables.lock import LOCK
from tests.api.operations.test_scorecard_advice import BEHIND
from tests.cli.commands import ran, said, started
from tests.live import ROOT

Printed = pytest.CaptureFixture[str]

POSITION = {"dice": [6, 2, 6, 1, 6], "rolls_left": 1, "to_beat": [5, 5, 5, 5, 6], "limit": 3}

OPTIONS = """\
chance: 30.56 %

   option         chance     loss
1  keep 6 6 6    30.56 %   0.00 %
2  keep 6 2 6 6  16.67 %  13.89 %
3  keep 6 6 1 6  16.67 %  13.89 %
"""


@pytest.mark.smoke
def test_from_options() -> None:
    """The command prints the value of the position, and its options as a table, as docs/advice.md
    has it.
    """
    assert OPTIONS in (ROOT / "docs" / "advice.md").read_text()
    options = ("--dice", "6,2,6,1,6", "--rolls-left", "1", "--to-beat", "55556", "--limit", "3")
    assert said(ran("advise", "poker-dice", *options)) == (0, OPTIONS, "")


@pytest.mark.fault
def test_ctrl_c(tmp_path: Path) -> None:
    """A command that waits for a table says so, also without a terminal, and leaves nothing where
    it was typed. Ctrl-C ends it, with the status that shells give.
    """
    caches = {"XDG_CACHE_HOME": str(tmp_path / "caches"), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "service", "advise", "yahtzee-deluxe", "--card", "{}"]
    waiting = started(command, tmp_path, **caches)
    assert waiting.stderr is not None
    first = waiting.stderr.readline()
    waiting.send_signal(signal.SIGINT)
    printed, errors = waiting.communicate(timeout=300)
    making = r"The table of yahtzee-deluxe is being made: .+\.\n"
    assert re.fullmatch(making, first)
    assert re.fullmatch(f"({making})*Stopped\\.\n", errors)
    assert (waiting.returncode, printed) == (130, "")
    assert os.listdir(tmp_path) == ["caches"]
    assert (tmp_path / "caches" / "dice-scoring" / "tables" / LOCK).exists()


def test_from_a_file(tmp_path: Path, capsys: Printed) -> None:
    """A request in a file gives the same; an option overrides its field."""
    file = tmp_path / "position.json"
    file.write_bytes(orjson.dumps({**POSITION, "rolls_left": 2}))
    assert main(["poker-dice", "--file", str(file), "--rolls-left", "1"]) == 0
    assert capsys.readouterr() == (OPTIONS, "")


def test_the_goal_to_win(tmp_path: Path, capsys: Printed) -> None:
    """With the goal to win, the table has the chances to win, too."""
    file = tmp_path / "position.json"
    file.write_bytes(orjson.dumps({**BEHIND, "limit": 2}))
    assert main(["dice-poker", "--file", str(file)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "expected total: 198.00",
        "deviation: 2.42",
        "chance to win: 3.24 %",
        "",
        "   option      expected total     win  loss",
        "1  keep 6 6            197.50  3.24 %  0.50",
        "2  keep 6 4 6          198.00  1.39 %  0.00",
    ]


def test_known_pockets(capsys: Printed) -> None:
    """A list of pockets may have only one; the chances are printed in percent."""
    river = ["--pocket", "1r,1b", "--community", "6w,6y,6r,5b,5w"]
    assert main(["texas-holdem-dice", *river, "--known", "2r,2w"]) == 0
    one = "win: 0.00 %\ntie: 100.00 %\nequity: 50.00 %\nranks:\n  full house  100.00 %\n"
    assert capsys.readouterr() == (one, "")
    assert main(["texas-holdem-dice", *river, "--known", "2r,2w;6b,2y"]) == 0
    two = "win: 0.00 %\ntie: 0.00 %\nequity: 0.00 %\nranks:\n  full house  100.00 %\n"
    assert capsys.readouterr() == (two, "")


LAYOUT = """\
expected: 13,916.67
chance to reach the points needed: 100.00 %
points: 8,350.00
hands:
  royal flush  100.00 %
  straight     100.00 %
layout:
  royal flush  Ks Qs Js Ts As           8,000
  straight     As 8h 7h 6c 5d 4d 3c 2h    350

   option   expected     reach      loss
1  bank     8,350.00  100.00 %  5,566.67
2  risk    13,916.67   66.67 %      0.00
"""


def test_layouts(capsys: Printed) -> None:
    """The best layout is printed hand by hand; before the last roll, the error of the figures."""
    first = "As,Ks,Qs,Js,Ts,--,2h,4d,6c,8h,3c,5d,7h"
    assert main(["roll-a-royal", "--rolls", f"{first};--;--", "--need", "8000"]) == 0
    assert capsys.readouterr() == (LAYOUT, "")
    first = "2s,3h,8d,Jc" + 9 * ",--"
    assert main(["roll-a-royal", "--rolls", first]) == 0
    assert capsys.readouterr().out.startswith(
        "expected: 0.00\npoints: 0.00\nA pair of jacks or better opens; "
    )
    rules = "max_uses=4,opening=none"
    assert main(["roll-a-royal", "--rolls", first, "--house-rules", rules]) == 0
    *_, error, proof = capsys.readouterr().out.splitlines()
    assert re.fullmatch(r"simulated, with a standard error of \d+\.\d{4}", error)
    assert proof == "not all layouts are proven to be the best"


def test_from_standard_input(capsys: Printed, monkeypatch: pytest.MonkeyPatch) -> None:
    """`-` is standard input, and --json prints the response of the HTTP interface."""
    typed = io.TextIOWrapper(io.BytesIO(orjson.dumps({**POSITION, "limit": 1})))
    monkeypatch.setattr(sys, "stdin", typed)
    assert main(["poker-dice", "--file", "-", "--json"]) == 0
    printed, errors = capsys.readouterr()
    assert errors == ""
    answer = orjson.loads(printed)
    option = {"action": "roll", "keep": [0, 2, 4], "dice": [6, 6, 6]}
    assert answer == {
        "variant": "poker-dice",
        "chance": answer["chance"],
        "options": [{**option, "chance": answer["chance"], "loss": 0.0}],
    }
    assert answer["chance"] == pytest.approx(11 / 36)


@pytest.mark.parametrize(
    ("arguments", "lines"),
    [
        (
            ["poker-dice", "--dice", "1,3,3,5,9", "--to-beat", "6,6,6,2,1,1"],
            ["value 5 in --dice must be between 1 and 6", "--to-beat must hold 5 dice, not 6"],
        ),
        (["poker-dice"], ["--dice is missing"]),
        (["poker-dice", "--dice", "[1"], [r"--dice: \[1 is not valid JSON: .+"]),
        (
            ["poker-dice", "--dice", "13356", "--house-rules", "colour=red"],
            ["colour in --house-rules is not a house rule of this game; it has pairs_rank, .+"],
        ),
        (
            ["poker-dice", "--dice", "13356", "--house-rules", "²=1"],
            ["² in --house-rules is not a house rule of this game; it has pairs_rank, .+"],
        ),
        (
            ["texas-holdem-dice", "--pocket", "1r,1b", "--known", "2r,2w;6z,2y"],
            ["value 1 in value 2 in --known must be a number from 1 to 6 and a suit letter .+"],
        ),
        (["chess"], ["advise knows the games .*poker-dice.*, not chess"]),
        (["ch\x1bess"], [r"advise knows the games .*poker-dice.*, not ch\\x1bess"]),
        (["poker-dice", "--file", "/missing/file"], ["/missing/file can't be read: .+"]),
    ],
)
def test_refused(arguments: list[str], lines: list[str], capsys: Printed) -> None:
    """Everything that is wrong is on a line of its own, and the exit status is 2."""
    assert main(arguments) == 2
    printed, errors = capsys.readouterr()
    assert printed == ""
    assert len(errors.splitlines()) == len(lines)
    for line, expected in zip(errors.splitlines(), lines, strict=True):
        assert re.fullmatch(expected, line), line


def test_a_field_without_an_option(tmp_path: Path, capsys: Printed) -> None:
    """A field of a file that no option has is called as the file calls it."""
    file = tmp_path / "position.json"
    file.write_bytes(orjson.dumps({**POSITION, "a/b~c": 1}))
    line = "a/b~c is not a known field; the fields are dice, rolls_left, to_beat, .+"
    test_refused(["poker-dice", "--file", str(file)], [line], capsys)


@pytest.mark.parametrize(
    ("data", "why"), [(b"[]", "must hold a JSON object"), (b"{", "is not valid JSON: .+")]
)
def test_no_request(data: bytes, why: str, tmp_path: Path, capsys: Printed) -> None:
    """A file that has no JSON object is refused."""
    file = tmp_path / "position.json"
    file.write_bytes(data)
    test_refused(["poker-dice", "--file", str(file)], [f"{file} {why}"], capsys)


@pytest.mark.parametrize("arguments", [[], ["--dice", "13356"]])
def test_no_game(arguments: list[str], capsys: Printed) -> None:
    """The game comes first."""
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert capsys.readouterr().err.endswith("error: the game comes first, such as dice-poker\n")


@pytest.mark.parametrize("arguments", [["--help"], ["poker-dice", "--help"]])
def test_help(arguments: list[str], capsys: Printed) -> None:
    """Help without a game says how to write values; with a game, it lists the fields."""
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 0
    printed = capsys.readouterr().out
    assert "Write a list as 1,3,3,5,6" in printed
    assert ("--players-after N" in printed) == (len(arguments) == 2)
