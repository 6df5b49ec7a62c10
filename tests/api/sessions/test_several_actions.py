"""Several actions in one request: all are performed, or none."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

from service.variants.dice_poker import VARIANT as DICE_POKER
from tests.api.causes import Said
from tests.api.sessions.causing import CHANCE, ROLL, acts
from tests.api.sessions.playing import TABLE, UNTIMED, Session, make, refusal, refuses
from tests.live import Reply, Service
from tests.problems import problem

Body = dict[str, Any]

LEAVES = [{"action": "leave", "player": name} for name in ("ann", "ben")]


def send(
    session: Session,
    actions: object,
    who: str = TABLE,
    version: int | str = "*",
    key: str | None = None,
) -> Reply:
    """Sends a list of actions."""
    body = json.dumps({"actions": actions}).encode()
    return session.send(body, session.headers(who, version, key))


def typed(service: Service, variant: str = "dice-poker", **rules: object) -> Session:
    """A session whose dice the players type in."""
    given = UNTIMED if variant == "dice-poker" else rules
    return make(service, variant, "ann", "ben", dice="client", house_rules=given)


def is_refused(
    session: Session, reply: Reply, pointer: str, text: str, legal: Sequence[Body]
) -> None:
    """Fails unless `reply` names this place and this reason, and what is legal there."""
    path, moves = f"{session.path}/actions", [{**each} for each in legal]
    wanted = problem(422, f"{pointer} {text}.", path, [(pointer, text)], "illegal-action")
    assert (reply.status, reply.json) == (422, {**wanted, "actions": moves})


def whole_game() -> list[Body]:
    """All actions of a game of dice-poker for two, whose dice are typed in."""
    return [
        action
        for box in DICE_POKER.boxes
        for action in (
            {"action": "roll", "dice": [2, 2, 3, 3, 3]},
            {"action": "cross_out", "box": box.id, "player": "ann"},
            {"action": "roll", "dice": [1, 2, 4, 6, 6], "keep": []},
            {"action": "cross_out", "box": box.id},
        )
    ]


def test_a_game_in_one_request(service: Service) -> None:
    """A list does what its actions do one by one: each makes a version, and the answer is the state
    after the last; a repeated request gets it again.
    """
    one_by_one, at_once = typed(service), typed(service)
    actions = whole_game()
    for version, action in enumerate(actions, start=1):
        last = one_by_one.act(version=version, **action)
        assert last.status == 200, last.body
    reply = send(at_once, actions, version=1, key="all")
    own = ("id", "created_at", "expires_at")
    assert {**reply.json, **{name: last.json[name] for name in own}} == last.json
    assert (reply.json["version"], reply.json["state"]["over"]) == (53, True)
    slow, fast = (each.events().json["events"] for each in (one_by_one, at_once))
    assert [{**event, "at": ""} for event in slow] == [{**event, "at": ""} for event in fast]
    assert len({event["at"] for event in fast[1:]}) == 1
    again = send(at_once, actions, version=1, key="all")
    assert (again.status, again.body) == (200, reply.body)
    assert refusal(send(at_once, actions[:2], version=1, key="all"), 409)
    assert refusal(send(at_once, actions, version=1), 412)
    assert at_once.read().json == reply.json


def test_a_list_of_which_one_action_is_illegal(service: Service) -> None:
    """Nothing is done; `errors` has the place in the list, and `actions` what is legal there."""
    session = typed(service)
    before = session.stands()
    actions = [{"action": "roll", "dice": [1, 2, 3, 4, 6]}, {**CHANCE, "box": "tens"}]
    boxes = [box.id for box in DICE_POKER.boxes]
    after_a_roll = make_rolled(service)
    text = f"must be one of {', '.join(boxes)}"
    is_refused(session, send(session, actions), "/actions/1/box", text, after_a_roll)
    legal = [{**each, "player": "ann"} for each in before[0]["actions"][:2]] + LEAVES
    is_refused(
        session,
        send(session, [CHANCE]),
        "/actions/0/action",
        "must be roll, write or leave now",
        legal,
    )
    assert session.stands() == before


def make_rolled(service: Service) -> list[Body]:
    """What is legal in a list after the first roll of dice-poker, whose dice are typed in."""
    session = typed(service)
    legal: list[Body] = session.act("roll", dice=[1, 2, 3, 4, 6]).json["actions"]
    return [each for each in legal if each["action"] != "take_back"]


NOT_A_LIST = "must be a list of 1 to 100 actions"
ONLY = "is not a known field; the fields are actions"


@pytest.mark.parametrize(
    ("body", "errors"),
    [
        ({"actions": []}, {"/actions": NOT_A_LIST}),
        ({"actions": [ROLL] * 101}, {"/actions": NOT_A_LIST}),
        ({"actions": None}, {"/actions": NOT_A_LIST}),
        ({"actions": {"0": ROLL}}, {"/actions": NOT_A_LIST}),
        ({"actions": [ROLL], **ROLL}, {"/action": ONLY}),
        ({"actions": "roll", "player": "ann"}, {"/player": ONLY, "/actions": NOT_A_LIST}),
        (
            {"actions": [ROLL, 7, {"player": 1}, [ROLL], {"actions": [ROLL]}]},
            {
                "/actions/1": "must be an object",
                "/actions/2/action": "is missing; it must be the name of an action",
                "/actions/2/player": "must be a string of 1 to 64 characters",
                "/actions/3": "must be an object",
                "/actions/4/action": "is missing; it must be the name of an action",
            },
        ),
    ],
)
def test_lists_that_no_game_takes(service: Service, body: Body, errors: dict[str, str]) -> None:
    """All that is wrong is named at once, with what is legal now."""
    refuses(typed(service), body, errors)


AFTER_DICE = Said(
    "illegal-action",
    422,
    "/actions/1 must be sent later: the action before it shows dice that nobody knows yet.",
    errors=[
        ("/actions/1", "must be sent later: the action before it shows dice that nobody knows yet")
    ],
    more={"actions": [{"action": "roll", "player": "ann"}, *LEAVES]},
)


@pytest.mark.parametrize("second", [CHANCE, {"action": "fly"}, ROLL])
def test_dice_of_the_service_are_last(service: Service, second: Body) -> None:
    """An action after a roll of the service is refused, whatever it is: with a list that fails in
    the end a client could try what the next dice are.
    """
    ask, path = acts({"actions": [ROLL, second]})(service)
    AFTER_DICE.check(ask, path)


def test_choices_before_a_roll(service: Service) -> None:
    """A list may have choices that show no dice, and then one roll of the service."""
    session = make(service, "dice-poker", "ann", "ben", house_rules=UNTIMED)
    session.act("roll")
    reply = send(session, [CHANCE, ROLL], version=2)
    assert (reply.status, reply.json["version"], reply.json["state"]["to_act"]) == (200, 4, ["ben"])


def test_hidden_dice_are_not_tried(service: Service) -> None:
    """In a game with hidden dice a list has one action: which dice are refused, and where, would
    tell their suits (H24).
    """
    session = typed(service, "texas-holdem-dice")
    before = session.stands()
    pocket = {"action": "roll_pocket", "player": "ann", "dice": ["1r", "1b"]}
    text = "must be a list of 1 to 1 actions"
    is_refused(
        session, send(session, [pocket, {"action": "fly"}]), "/actions", text, before[0]["actions"]
    )
    assert session.stands() == before
    assert send(session, [pocket]).json["version"] == 2


def test_out_of_turn_in_a_list(service: Service) -> None:
    """A player's token acts for its player alone: once another one's turn has come, the action is
    refused at its place.
    """
    session = typed(service)
    turn: list[Body] = [{"action": "roll", "dice": [1, 2, 3, 4, 6]}, CHANCE]
    legal = [{**each, "player": "ben"} for each in session.read().json["actions"][:2]] + LEAVES
    reply = send(session, [*turn, *turn], "ann")
    is_refused(session, reply, "/actions/2", "can't roll now; only ben can", legal)
    other = send(session, [*turn, {**turn[0], "player": "ben"}], "ann")
    assert "ben" in refusal(other, 403)
    assert session.read().json["version"] == 1
    assert send(session, turn, "ann").json["version"] == 3


def test_layouts_that_need_long_searches(service: Service) -> None:
    """With repeated cards a list has at most six turns: each layout may need a long search."""
    session = typed(service, "roll-a-royal", repeated_cards=True)
    before = session.stands()
    reply = send(session, [{"action": "bank"}] * 19)
    text = "must be a list of 1 to 18 actions"
    is_refused(session, reply, "/actions", text, before[0]["actions"])
    assert session.stands() == before
    reply = send(session, [{"action": "bank"}] * 18)
    legal = before[0]["actions"]
    is_refused(session, reply, "/actions/0/action", "must be throw or leave now", legal)
