"""Computers: players whose moves the service makes, over HTTP."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from service.variants.dice_poker import VARIANT as DICE_POKER
from tests.api.sessions.playing import TABLE, UNTIMED, Session, make
from tests.api.sessions.test_several_actions import send
from tests.live import Service
from tests.problems import problem

FULL = {box.id: 0 for box in DICE_POKER.boxes if box.id not in ("ones", "chance")}
"""A card on which two boxes are open, so that no table of a whole game is needed."""


def begin(service: Service, computers: dict[str, str], *players: str, **given: Any) -> Session:
    """A game of two rounds, in which some of the `players` are `computers`."""
    given = {"cards": dict.fromkeys(players, FULL), "house_rules": UNTIMED, **given}
    return make(service, "dice-poker", *players, computers=computers, **given)


def actions(session: Session) -> list[tuple[Any, ...]]:
    """Who did what in each version, and whether it was a computer."""
    events = session.events().json["events"]
    return [(each["player"], each["action"], each.get("computer")) for each in events]


def seen_when(session: Session, done: Callable[[Any], bool]) -> Any:
    """The session once computers have played so far: a request may take only a part of a second for
    that, however slow the machine is.
    """
    for _ in range(1000):
        seen = session.read().json
        if done(seen):
            return seen
    raise AssertionError(seen)


def ann_plays(seen: Any) -> bool:
    """Whether it is Ann's turn."""
    return bool(seen["state"]["turn"]["player"] == "ann")


def test_a_computer_plays_its_turn_at_once(service: Service) -> None:
    """After the action that ends a player's turn, nobody needs to act for the computer: each of its
    moves is a version of its own, with its reason and its strength.
    """
    session = begin(service, {"robo": "best"}, "ann", "robo")
    assert session.made["computers"] == {"robo": "best"}
    session.act("roll")
    assert session.act("score", box="ones").status == 200
    after = seen_when(session, ann_plays)
    moves = actions(session)
    assert moves[:3] == [(None, "create", None), ("ann", "roll", None), ("ann", "score", None)]
    own = moves[3:]
    assert own[0] == ("robo", "roll", "best")
    assert own[-1] in [("robo", "score", "best"), ("robo", "cross_out", "best")]
    assert {each[::2] for each in own} == {("robo", "best")}
    assert (after["version"], after["state"]["turn"]["player"]) == (len(moves), "ann")
    chose = after["state"]["news"][0]
    assert (chose["what"], chose["player"]) == ("chose", "robo")
    assert chose["because"]["decided_by"] == "best_play"
    assert [each["action"] for each in after["actions"]] == ["roll", "leave", "leave"]


def test_a_computer_that_begins(service: Service) -> None:
    """It has moved when somebody looks, and the response to the creation is the first version."""
    session = begin(service, {"robo": "hard"}, "robo", "ann")
    assert session.made["version"] == 1
    seen_when(session, ann_plays)
    assert {each[0] for each in actions(session)[1:]} == {"robo"}


def test_a_game_of_computers(service: Service) -> None:
    """It ends without anybody; who looks sees the result, with the strength of each."""
    strengths = {"a": "easy", "b": "medium", "c": "hard", "d": "best"}
    session = begin(service, strengths, "a", "b", "c", "d")
    seen_when(session, lambda seen: bool(seen["state"]["over"]))
    result = session.read(below="/result").json
    assert {each["id"]: each["computer"] for each in result["players"]} == strengths
    assert [each["turns"] for each in result["players"]] == [2, 2, 2, 2]


def refused(session: Session, **action: Any) -> tuple[int, Any]:
    """The status and the body of a refused action, without those that are legal."""
    reply = session.act(**action)
    return reply.status, {name: value for name, value in reply.json.items() if name != "actions"}


@pytest.mark.parametrize("who", [TABLE, "robo"])
def test_nobody_acts_for_a_computer(service: Service, who: str) -> None:
    """Neither the table nor the computer's own token; it can be made to leave, though."""
    session = begin(service, {"robo": "easy"}, "ann", "robo")
    version = session.read().json["version"]
    text = "can't be performed: robo is a computer, and decides itself"
    wanted = problem(
        422, f"/action {text}.", f"{session.path}/actions", [("/action", text)], "illegal-action"
    )
    assert refused(session, action="roll", player="robo", who=who) == (422, wanted)
    assert session.read().json["version"] == version
    left = session.act("leave", player="robo", who=who)
    assert (left.status, left.json["state"]["left"]) == (200, ["robo"])


def test_its_dice_are_typed_in(service: Service) -> None:
    """With typed dice the table rolls for it: what it keeps is listed; nothing else is taken."""
    session = begin(service, {"robo": "best"}, "robo", "ann", dice="client")
    first = session.read().json["actions"][0]
    assert (first["action"], first["player"], "keep" in first) == ("roll", "robo", False)
    seen = session.act("roll", player="robo", dice=[1, 1, 1, 6, 5]).json
    listed = next(each for each in seen["actions"] if each["action"] == "roll")
    kept: Sequence[int] = listed["keep"]["const"]
    other = [] if kept else [0]
    status, _ = refused(session, action="roll", player="robo", keep=other, dice=[1, 1, 1, 6, 5])
    assert status == 422
    dice = [die if place in kept else 1 for place, die in enumerate([1, 1, 1, 6, 5])]
    assert session.act("roll", player="robo", dice=dice).status == 200
    event = session.events().json["events"][-1]
    assert "robo" in {step["player"] for step in (event, *event["then"])}


def test_its_dice_are_taken_back(service: Service) -> None:
    """Dice that were typed in wrongly can be taken back, by the table and in its name."""
    session = begin(service, {"robo": "best"}, "robo", "ann", dice="client")
    for turn, who in enumerate((TABLE, "robo")):
        rolled = session.act("roll", player="robo", dice=[1, 1, 1, 6, 5]).json
        assert "robo" in [each["player"] for each in rolled["actions"] if "to" in each]
        back = session.act("take_back", player="robo", to=1 + 2 * turn, who=who)
        assert (back.status, back.json["version"]) == (200, 3 + 2 * turn)
        assert "keep" not in back.json["actions"][0]


def test_several_actions_are_refused(service: Service) -> None:
    """Where the service rolls, a list could show a computer's dice before it is refused."""
    session = begin(service, {"robo": "best"}, "ann", "robo")
    reply = send(session, [{"action": "roll"}, {"action": "score", "box": "ones"}])
    text = "must hold one action, as computers play after each"
    wanted = problem(
        422, f"/actions {text}.", f"{session.path}/actions", [("/actions", text)], "illegal-action"
    )
    assert (reply.status, {**reply.json, "actions": []}) == (422, {**wanted, "actions": []})
