"""`dice-scoring review`: what it prints and draws of saved sessions and of requests."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import orjson
import pytest

from service.cli.review import main
from tests.cli.commands import ran, said
from tests.cli.test_verify import forgeable
from tests.live import SHARED_TABLES

Printed = pytest.CaptureFixture[str]

CARD = {
    "ones": 3,
    "twos": 6,
    "threes": 9,
    "fours": 12,
    "fives": 15,
    "sixes": 18,
    "three_of_a_kind": 17,
    "four_of_a_kind": 0,
    "full_house": 25,
    "small_straight": 30,
    "large_straight": 40,
    "five_of_a_kind": 0,
    "chance": None,
}

TURN = {"rolls": [[6, 1, 4, 3, 6], [6, 1, 4, 6, 6]], "keeps": [[0, 1, 4]], "box": "chance"}

REQUEST = {"card": CARD, "turns": [TURN]}

LINES = """\
233.00 = 233.33 at the start +2.92 luck -3.25 lost by choices
accuracy 80.4, 2 decisions, 1 inaccuracy, 1 mistake

turn  roll  dice        luck  played              best          loss
   1     1  6 1 4 3 6  +1.42  keep 6 1 6          keep 6 6      0.75  inaccuracy
   1     2  6 1 4 6 6  +1.50  score 23 in chance  keep 6 4 6 6  2.50  mistake
"""
"""The other boxes have 175 points, and the upper section earns 35. A die that is rolled once shows
3.5 on average, and 4.25 if it may be rolled again: 24.75 for two sixes, 24 with the one."""


def saved(folder: Path, body: object) -> Path:
    """A file in `folder` with `body` as JSON."""
    file = folder / "saved.json"
    file.write_bytes(orjson.dumps(body))
    return file


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_request(encoding: str, tmp_path: Path, capsys: Printed) -> None:
    """The review of a request is the sum of the game, and a line for each decision. The file may
    have a byte order mark or be UTF-16, as PowerShell saves what it is given.
    """
    file = tmp_path / "turns.json"
    file.write_bytes(orjson.dumps(REQUEST).decode().encode(encoding))
    assert main([str(file), "--variant", "dice-poker"]) == 0
    assert capsys.readouterr() == (LINES, "")


def test_one_decision(tmp_path: Path, capsys: Printed) -> None:
    """A single decision is called one."""
    turn = {"rolls": [[6, 6, 6, 6, 6]], "box": "chance"}
    file = saved(tmp_path, {"card": CARD, "turns": [turn]})
    assert main([str(file), "--variant", "dice-poker"]) == 0
    assert capsys.readouterr().out.splitlines()[1] == "accuracy 100.0, 1 decision"


def test_json(tmp_path: Path, capsys: Printed) -> None:
    """--json prints the response of the HTTP interface, whose figures add up."""
    assert main([str(saved(tmp_path, REQUEST)), "--variant", "dice-poker", "--json"]) == 0
    found = orjson.loads(capsys.readouterr().out)
    assert found["variant"] == "dice-poker"
    assert round(found["start"] + found["luck"] - found["loss"], 9) == found["total"]
    assert [each["word"] for each in found["decisions"]] == ["inaccuracy", "mistake"]


@pytest.fixture(scope="module")
def whole_game(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], str, bytes]:
    """A saved session of three players, what the command prints of it, and its plot."""
    folder = tmp_path_factory.mktemp("review")
    (folder / "tables").symlink_to(os.environ[SHARED_TABLES])
    session = forgeable("dice-poker")
    session["players"] = ["_a$x$", "ben", "cay"]
    text = orjson.dumps(session).replace(b'"ann"', b'"_a$x$"')
    file, plot = folder / "session.json", folder / "plot.svg"
    file.write_bytes(text)
    done = ran("review", file, "--plot", plot, DATA_DIR=str(folder))
    *waited, last = done.stderr.splitlines()
    assert (done.returncode, last) == (0, f"The plot is in {plot}")
    # pyplot says so after five seconds, if it has never been used by this user
    may_wait = ("The table of dice-poker is being made: ", "Matplotlib is building the font cache")
    assert [line for line in waited if not line.startswith(may_wait)] == []
    return session, done.stdout, plot.read_bytes()


def test_session(whole_game: tuple[dict[str, Any], str, bytes]) -> None:
    """A saved session gets the review of each player; their totals are those of the game."""
    session, printed, _ = whole_game
    end = next(each for each in session["events"][-1]["news"] if each["what"] == "game_over")
    totals = {player: each["total"] for each in end["places"] for player in each["players"]}
    lines = printed.splitlines()
    for player in ("_a$x$", "ben", "cay"):
        place = lines.index(f"{player}:")
        total = totals["ann" if player == "_a$x$" else player]
        assert lines[place + 1].startswith(f"{total:.2f} = 245.87 at the start ")


def test_plot(whole_game: tuple[dict[str, Any], str, bytes]) -> None:
    """The plot has the game as its title, and every player's name as it is."""
    _, _, plot = whole_game
    text = plot.decode()
    assert text.startswith("<?xml")
    for shown in (">dice-poker<", ">_a$x$: ", ">ben: ", ">cay: ", ">blunder<"):
        assert shown in text


def test_png(tmp_path: Path, capsys: Printed) -> None:
    """A plot can be a PNG, too."""
    plot = tmp_path / "plot.PNG"
    file = saved(tmp_path, REQUEST)
    assert main([str(file), "--variant", "dice-poker", "--plot", str(plot)]) == 0
    assert capsys.readouterr() == (LINES, f"The plot is in {plot}\n")
    assert plot.read_bytes().startswith(b"\x89PNG\r\n")


def test_line_of_a_plot() -> None:
    """The line slopes with each roll, and drops with the loss of a choice at the same place."""
    from service.cli.plot import expected_totals  # only here: matplotlib takes long

    values = [
        {"turn": 1, "roll": 1, "best": 12.0, "played": 11.0},
        {"turn": 1, "roll": 2, "best": 14.0, "played": 14.0},
        {"turn": 2, "roll": 0, "best": 14.0, "played": 5.0},
    ]
    decisions = [
        {**each, **{side: {"expected_total": each[side]} for side in ("best", "played")}}
        for each in values
    ]
    assert expected_totals({"start": 10, "decisions": decisions}) == (
        [0.0, 0.5, 0.5, 1.0, 1.0, 2.0, 2.0],
        [10.0, 12.0, 11.0, 14.0, 14.0, 14.0, 5.0],
    )


@pytest.mark.parametrize(
    ("body", "options", "message"),
    [
        (REQUEST, [], "{file} has no events, so it is not a saved session; for a request, name "),
        (REQUEST, ["--variant", "poker-dice"], "review knows the games "),
        ({"turns": [{}]}, ["--variant", "dice-poker"], "/turns/0/rolls is missing"),
        ({"events": []}, [], "the file has events, but no variant"),
        ({"events": [], "variant": "chess"}, [], "review knows the games "),
        (
            {"events": [{}], "variant": "dice-poker", "players": [], "house_rules": {}},
            [],
            "the file is not what GET /v1/sessions/{{id}}/events returns for a game with score ",
        ),
        (
            {"events": [], "variant": "dice-poker", "players": ["ann"], "house_rules": {}},
            ["--player", "ben"],
            "the players are ann, not ben",
        ),
        (REQUEST, ["--plot", "game.gif"], "the extension of game.gif must be one of .png .svg"),
        (REQUEST, ["--variant", "dice-poker", "--plot", "/a/b.svg"], "/a/b.svg can't be written: "),
    ],
)
def test_refused(
    body: object, options: list[str], message: str, tmp_path: Path, capsys: Printed
) -> None:
    """What can't be reviewed or drawn is refused, and the exit status is 2."""
    file = saved(tmp_path, body)
    assert main([str(file), *options]) == 2
    assert capsys.readouterr().err.startswith(message.format(file=file))


def test_without_matplotlib(tmp_path: Path) -> None:
    """Without matplotlib the command says how to install it, before it reviews anything."""
    hidden = (
        "import sys; sys.modules['matplotlib'] = None\n"
        "from service.cli.review import main; sys.exit(main(sys.argv[1:]))"
    )
    assert said(ran(tmp_path / "missing", "--plot", "game.svg", program=hidden)) == (
        2,
        "",
        "Plots need matplotlib: in a checkout, make plot or pip install '.[plot]'\n",
    )


@pytest.mark.fault
def test_a_reader_that_has_enough(tmp_path: Path) -> None:
    """The command ends without a traceback if nobody reads what it prints."""
    read, write = os.pipe()
    os.close(read)
    file = saved(tmp_path, REQUEST)
    done = ran("review", file, "--variant", "dice-poker", stdout=write, DATA_DIR=str(tmp_path))
    os.close(write)
    assert (done.returncode, done.stderr) == (74, "")


@pytest.mark.fault
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_a_full_disk(tmp_path: Path) -> None:
    """The command says so if the disk that its output goes to is full."""
    file = saved(tmp_path, REQUEST)
    with open("/dev/full", "w") as full:
        done = ran("review", file, "--variant", "dice-poker", stdout=full, DATA_DIR=str(tmp_path))
    why = "The output can't be written: No space left on device.\n"
    assert (done.returncode, done.stderr) == (74, why)
