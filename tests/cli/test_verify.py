"""`dice-scoring verify`: histories that are true, forged, and none at all."""

from __future__ import annotations

import hashlib
import io
import sys
from dataclasses import replace
from functools import cache, partial, reduce
from operator import getitem
from pathlib import Path
from typing import Any

import orjson
import pytest

from service.api.operations.registry import play
from service.api.sessions import answers
from service.cli import verify
from service.cli.verify import Unverifiable, Wrong
from service.engine.actions import Action
from service.sessions.session import Event, Snapshot, Terms, apply_action, catch_up, start
from service.sessions.view import SessionView
from service.settings import Settings
from service.variants import variants
from tests.sampled import first
from tests.sessions.sample_sessions import played, sample_terms
from tests.sessions.taking_back import Played

History = dict[str, Any]


@cache
def game(variant: str) -> tuple[Terms, Snapshot, list[Event]]:
    """A whole game: its terms, its last snapshot and its events."""
    terms = sample_terms(variant)
    return terms, *played(terms, seed=2)  # one of the shorter games


@cache
def history(variant: str, viewer: str | None = None, *, typed_dice: bool = False) -> bytes:
    """The history of a whole game as `viewer` may see it."""
    terms, end, events = game(variant)
    if typed_dice:
        terms = replace(terms, seed=None)
    return orjson.dumps(answers.history_json(SessionView(terms, end, viewer, ""), events))


def forgeable(variant: str) -> History:
    """A history that a test may change."""
    parsed: History = orjson.loads(history(variant))
    return parsed


@pytest.mark.general
def test_verified(variant: str) -> None:
    """The seed reproduces every roll, including hidden dice, from any player's history."""
    for viewer in (None, "ann", "cay"):
        data = history(variant, viewer)
        found = verify.verified(verify.read(data))
        steps = [step for event in orjson.loads(data)["events"] for step in (event, *event["then"])]
        assert [roll.hidden for roll in found] == [
            step["dice"] is None for step in steps if "dice" in step
        ]
        hidden = sum(roll.hidden for roll in found)
        assert (hidden > 0) == (variants()[variant].kind == "community")
        assert [list(roll.step.dice) for roll in found if not roll.hidden] == [
            step["dice"] for step in steps if step.get("dice")
        ]


TRUE = forgeable("dice-poker")
EVENTS, FAIRNESS = TRUE["events"], TRUE["fairness"]
ROLLED, TYPED, NEWS = (
    next(place for place, event in enumerate(EVENTS) if is_wanted(event))
    for is_wanted in (
        lambda event: event.get("dice"),
        lambda event: "dice" not in event,
        lambda event: event["news"],
    )
)
"""The first event with dice, the first without, and the first with news."""

OTHER_SEED = {"seed": "00" * 32}
OF_OTHER_SEED = {"commitment": hashlib.sha256(bytes(32)).hexdigest()}
HIDDEN_ROLL: History = {"player": "ann", "action": "roll", "dice": None, "news": []}
OTHER_STEPS = "doesn't have the steps that the game forces"
NO_END = "its events end before the game does"
NO_MATCH = "the SHA-256 of the seed is not the commitment"

FORGERIES: dict[str, tuple[tuple[Any, ...], Any, str]] = {
    "a die": (("events", ROLLED, "dice", 0), EVENTS[ROLLED]["dice"][0] % 6 + 1, "the seed gives"),
    "seed": (("fairness",), {**FAIRNESS, **OTHER_SEED}, NO_MATCH),
    "commitment": (("fairness",), {**FAIRNESS, **OF_OTHER_SEED}, NO_MATCH),
    "both": (("fairness",), {**FAIRNESS, **OTHER_SEED, **OF_OTHER_SEED}, "but the seed gives"),
    "client seed": (("fairness", "client_seed"), "no luck", "but the seed gives"),
    "a roll dropped": (("events", slice(ROLLED, ROLLED + 1)), [], "version"),
    "the last dropped": (("events", slice(-1, None)), [], NO_END),
    "no events": (("events",), [], NO_END),
    "one added": (("events", slice(1, 1)), EVENTS[-1:], "version 2 has the number"),
    "a number": (("events", 2, "version"), 7, "version 3 has the number 7"),
    "said by nobody": (("events", 0, "keep"), [0], OTHER_STEPS),
    "news": (("events", NEWS, "news", 0, "what"), "luck", "differs from the game's"),
    "a player": (("events", ROLLED, "player"), "nobody", "breaks the rules"),
    "a hidden roll": (("events", TYPED, "then"), [HIDDEN_ROLL], OTHER_STEPS),
    "hidden dice": (("events", ROLLED, "dice"), None, "hides dice that everyone may see"),
}
"""Where another value is put in a history, the value, and a part of the error."""


@pytest.mark.parametrize(("where", "value", "said"), FORGERIES.values(), ids=FORGERIES)
def test_forgeries(where: tuple[Any, ...], value: Any, said: str) -> None:
    """A history with other dice, actions or news, one without its end, and one that hides dice
    without need do not match the commitment; the error says where they differ.
    """
    forged, (*way, last) = forgeable("dice-poker"), where
    reduce(getitem, way, forged)[last] = value
    with pytest.raises(Wrong, match=said):
        verify.verified(verify.read(orjson.dumps(forged)))


def computers_history(players: dict[str, str]) -> History:
    """The history of a game of poker dice in which all `players` are computers."""
    terms = replace(
        sample_terms("poker-dice"),
        players=tuple(players),
        computers=players,
        choose=partial(play, Settings()),
    )
    first, event = start(terms)
    end, events = catch_up(terms, first, terms.created_at)
    seen = SessionView(terms, end, None, "")
    parsed: History = orjson.loads(
        orjson.dumps(answers.history_json(seen, [event, *events]), option=orjson.OPT_NON_STR_KEYS)
    )
    return parsed


def test_computers() -> None:
    """A game of computers is true if each of their moves, and no other, says that they chose it."""
    true = computers_history({"ann": "best", "ben": "easy"})
    assert verify.verified(verify.read(orjson.dumps(true)))
    chose = next(event for event in true["events"] if event["player"] == "ben")
    reason = chose["news"].pop(0)
    with pytest.raises(Wrong, match="ben is a computer, and decides itself"):
        verify.verified(verify.read(orjson.dumps(true)))
    chose["news"].insert(0, reason)
    del true["computers"]["ben"]
    with pytest.raises(Wrong, match="differs from the game's"):
        verify.verified(verify.read(orjson.dumps(true)))


@pytest.mark.general
def test_taken_back(variant: str) -> None:
    """A history is proven with all that was taken back (G3). One in which a roll was taken back, to
    roll it again, is not true.
    """
    terms = sample_terms(variant)
    made = Played(terms, 2)
    while not made.last.state.over:
        ways = made.ways
        if ways and made.rng.random() < 0.4:
            made.go_back(None, ways[None].maximum)
        else:
            made.act(made.last.at)
    rolls = sum(bool(step.dice) for event in made.events for step in event.steps)
    view = SessionView(terms, made.last, None, "")
    told = orjson.loads(orjson.dumps(answers.history_json(view, made.events)))
    assert len(verify.verified(verify.read(orjson.dumps(told)))) == rolls
    events = told["events"]
    rolled = next(
        event
        for event in events
        if event["version"] > 1 and any("dice" in step for step in (event, *event["then"]))
    )
    version, news = rolled["version"], [{"what": "take_back", "to": rolled["version"] - 1}]
    back = {"player": None, "action": "take_back", "to": version - 1, "news": news, "then": []}
    events.insert(version, {**back, "version": version + 1, "at": rolled["at"]})
    for number, event in enumerate(events, start=1):
        event["version"] = number
    with pytest.raises(Wrong, match=rf"^version {version + 1} breaks the rules: .*showed dice"):
        verify.verified(verify.read(orjson.dumps(told)))


def test_another_release() -> None:
    """A history whose reasons another release has worded otherwise, or left out, is verified."""
    told = forgeable("texas-holdem-dice")
    for event in told["events"]:
        for step in (event, *event["then"]):
            for news in step["news"]:
                news.pop("reason")
                news["because"] = {"decided_by": "luck"}
                for place in news.get("places", ()):
                    place["reason"] = "Luck."
                    place.pop("because")
    assert verify.verified(verify.read(orjson.dumps(told)))


DEEP = b'"news":' + b"[" * 900 + b"]" * 900

NOT_IT = "it is not what GET /v1/sessions/{id}/events returns"


def _changed(**changed: Any) -> bytes:
    return orjson.dumps({**forgeable("dice-poker"), **changed})


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "it is not valid JSON"),
        (b"\xff", "it is not valid JSON"),
        (b"[]", NOT_IT),
        (b"{}", NOT_IT),
        (b'{"events": 3}', NOT_IT),
        (_changed(events=[3]), NOT_IT),
        (_changed(events={}), NOT_IT),
        (history("dice-poker").replace(b'"news":[]', DEEP, 1), NOT_IT),
        (_changed(fairness=None), NOT_IT),
        (_changed(created_at="yesterday"), NOT_IT),
        (_changed(variant="chess"), "its variant, chess, is not known to this release"),
        (_changed(variant=["chess"]), NOT_IT),
        (_changed(players=[]), NOT_IT),
        (_changed(players=3), NOT_IT),
        (_changed(players=["ann", "ann"]), NOT_IT),
        (_changed(players=["ann", 3]), NOT_IT),
        (_changed(fairness={"commitment": "", "seed": "00", "client_seed": ""}), NOT_IT),
        (_changed(fairness={"commitment": "", "seed": "00" * 32, "client_seed": "x" * 65}), NOT_IT),
        (_changed(house_rules={"luck": True}), NOT_IT),
        (
            _changed(fairness={**forgeable("dice-poker")["fairness"], "seed": None}),
            "the game is not over; the service publishes the seed when it ends",
        ),
        (
            history("dice-poker", typed_dice=True),
            "its dice were typed in by the players, not rolled by the service",
        ),
    ],
    ids=range(21),
)
def test_unverifiable(data: bytes, message: str) -> None:
    """A file that isn't the history of a finished game with the service's dice is refused; the
    error gives the reason.
    """
    with pytest.raises(Unverifiable, match=message.replace("{", r"\{")):
        verify.verified(verify.read(data))


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The command verifies a file, prints every roll with --dice, and exits with a status for each
    outcome.
    """
    file, missing = tmp_path / "session.json", tmp_path / "none"
    data = history("texas-holdem-dice", "ann")
    file.write_bytes(data)
    found = verify.verified(verify.read(data))
    dice = sum(len(roll.step.dice) for roll in found)
    hidden = sum(roll.hidden for roll in found)
    line = (
        f"Verified: the seed matches the commitment and gives all {len(found)} rolls with {dice} "
        f"dice; {hidden} of the rolls are hidden in the file.\n"
    )

    def said(*words: str | Path) -> tuple[int, str, str]:
        status = verify.main([*map(str, words)])
        return status, *capsys.readouterr()

    assert said(file) == (0, line, "")
    rolls = "".join(
        f"{roll.version:>6}  {roll.step.player}  {roll.step.action}  "
        f"{' '.join(map(str, roll.step.dice))}{'  (hidden in the file)' if roll.hidden else ''}\n"
        for roll in found
    )
    assert said(file, "--dice") == (0, rolls + line, "")
    file.write_bytes(data.replace(b'"seed":"00', b'"seed":"01'))
    why = f"{file} does NOT match its commitment: the SHA-256 of the seed is not the commitment."
    assert said(file) == (1, "", f"{why}\n")
    why = f"{missing} can't be read: No such file or directory."
    assert said(missing) == (2, "", f"{why}\n")


@pytest.mark.parametrize(
    ("variant", "actions", "expected"),
    [
        ("dice-poker", ["roll", "leave", "leave"], "gives the 1 roll with 5 dice."),
        (
            "texas-holdem-dice",
            ["leave"],
            "gives all 2 rolls with 4 dice; 1 of the rolls is hidden in the file.",
        ),
    ],
)
def test_a_short_game(
    variant: str,
    actions: list[str],
    expected: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """One roll is counted in the singular."""
    terms = replace(sample_terms(variant), players=("ann", "ben"))
    snapshot, event = start(terms)
    events = [event]
    for name, player in zip(actions, ("ann", "ann", "ben"), strict=False):
        snapshot, event = apply_action(terms, snapshot, Action(name, player, snapshot.at, {}))
        events.append(event)
    file = tmp_path / "session.json"
    seen = SessionView(terms, snapshot, "ann", "")
    file.write_bytes(orjson.dumps(answers.history_json(seen, events)))
    assert verify.main([str(file)]) == 0
    line = f"Verified: the seed matches the commitment and {expected}\n"
    assert capsys.readouterr().out == line


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-be"])
def test_encodings(encoding: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The file may have a byte order mark or be UTF-16, as PowerShell saves what it is given."""
    file = tmp_path / "session.json"
    text = "\ufeff" * (encoding == "utf-16-be") + history("poker-dice").decode()
    file.write_bytes(text.encode(encoding))
    assert verify.main([str(file)]) == 0
    assert capsys.readouterr().out.startswith("Verified: ")
    file.write_bytes(file.read_bytes()[:-1])
    assert verify.main([str(file)]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"{file} begins as UTF-16, but is not valid UTF-16.\n") == (
        encoding != "utf-8-sig"
    )


def test_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`-` is standard input."""
    typed = io.TextIOWrapper(io.BytesIO(history("poker-dice")))
    monkeypatch.setattr(sys, "stdin", typed)
    assert verify.main(["-"]) == 0
    assert capsys.readouterr().out.startswith("Verified: ")


@pytest.mark.parametrize("variant", first(["poker-dice", "dice-poker", "texas-holdem-dice"]))
def test_every_third_byte(variant: str) -> None:
    """A history with any byte changed is verified, wrong or malformed; never a traceback."""
    data = history(variant)
    outcomes = {Wrong: 0, Unverifiable: 0}
    for place in range(0, len(data), max(3, len(data) // 1200 * 3)):
        forged = data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]
        try:
            verify.verified(verify.read(forged))
        except (Wrong, Unverifiable) as error:
            outcomes[type(error)] += 1
    assert min(outcomes.values()) > 0
