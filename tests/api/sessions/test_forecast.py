"""Forecasts in sessions: who is ahead, by what the token may see."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from service.api.http.causes import Cause
from service.api.http.problem_details import Problem
from service.api.operations.registry import operations
from service.api.sessions.advice import SessionAdvice
from service.sessions.session import Terms, start
from service.sessions.view import SessionView
from service.settings import Settings
from service.variants.poker_dice import VARIANT
from tests.api.sessions.playing import TABLE, Session, make, refusal
from tests.live import Reply, Service


def forecast(session: Session, who: str = TABLE, **headers: str) -> Reply:
    """Asks for the forecast as `who`."""
    return session.read(who, "/forecast", **headers)


def agrees(service: Service, session: Session, *players: Mapping[str, Any], **more: Any) -> Any:
    """Checks that everybody gets what `forecast` returns for these `players`; returns that."""
    asked = {"players": players, "house_rules": session.made["house_rules"], **more}
    reply = service.post(f"/v1/variants/{session.made['variant']}/forecast", asked)
    assert reply.status == 200, reply.body
    assert [forecast(session, who).body for who in session.secrets] == [reply.body] * len(
        session.secrets
    )
    return reply.json


def result(player: str, expected: float, *, win: float = 0.0, share: float = 0.0) -> dict[str, Any]:
    """The outlook of a player whose result is known."""
    return {"id": player, "win": win, "share": share, "expected": expected, "deviation": 0.0}


def certain(session: Session, *players: Mapping[str, Any]) -> dict[str, Any]:
    """The forecast of a game that is over."""
    rules = session.made["house_rules"]
    return {
        "variant": session.made["variant"],
        "players": [*players],
        "exact": True,
        "standard_error": 0.0,
        "house_rules": rules,
    }


def round_of(service: Service, steps: Sequence[tuple[str, Mapping[str, Any]]]) -> Session:
    """A game of one round of poker dice with four players, after `steps`."""
    rules = {"pairs_rank": True, "rounds": 1}
    names = ("ann", "ben", "cay", "dan")
    session = make(service, "poker-dice", *names, dice="client", house_rules=rules)
    for action, values in steps:
        assert session.act(action, **values).status == 200
    return session


ANTES: list[tuple[str, Mapping[str, Any]]] = [
    ("ante", {"amount": 1}),
    ("meet", {}),
    ("sit_out", {}),
    ("meet", {}),
]
FIRST = [*ANTES, ("roll", {"dice": [5, 5, 5, 1, 2]}), ("stop", {})]


def test_poker_dice(service: Service) -> None:
    """It is of the round: who has to answer the ante or a raise still counts as in, who is out
    doesn't (P4, P16). The dice of the player at turn count.
    """
    four = [{"id": name} for name in ("ann", "ben", "cay", "dan")]
    session = round_of(service, [])
    agrees(service, session, *four)
    for action, values in ANTES:
        session.act(action, **values)
    ann, ben, _, dan = four
    out = {"id": "cay", "rolled": True}
    agrees(service, session, ann, ben, out, dan)
    session.act("roll", dice=[5, 5, 5, 1, 2])
    rolls = {"id": "ann", "dice": [5, 5, 5, 1, 2], "rolls_left": 2}
    agrees(service, session, rolls, ben, out, dan)
    session.act("stop")
    held = {"id": "ann", "dice": [5, 5, 5, 1, 2], "rolled": True}
    agrees(service, session, held, ben, out, dan)
    session.act("raise", amount=1)
    agrees(service, session, held, ben, out, dan)
    session.act("fold")
    folded = {"id": "ben", "rolled": True}
    answer = agrees(service, session, held, folded, out, dan)
    assert [player["win"] > 0 for player in answer["players"]] == [True, False, False, True]
    session.act("meet")
    session.act("roll", dice=[6, 6, 6, 1, 2])
    session.act("stop")
    players = [result(name, 0.0) for name in ("ann", "ben", "cay")]
    over = certain(session, *players, result("dan", 1.0, win=1.0))
    assert forecast(session).json == over


def test_whoever_begins_comes_first(service: Service) -> None:
    """Players are in the order of their turns in this round (P7)."""
    session = make(service, "poker-dice", "ann", "ben", "cay", dice="client")
    for action, values in (
        ("ante", {"amount": 1}),
        ("sit_out", {}),
        ("meet", {}),
        ("roll", {"dice": [1, 2, 2, 4, 6]}),
        ("stop", {}),
        ("check", {}),
        ("roll", {"dice": [3, 3, 3, 3, 6]}),
        ("stop", {}),
    ):
        assert session.act(action, **values).status == 200
    assert session.read().json["state"]["starter"] == "cay"
    agrees(service, session, *({"id": name} for name in ("cay", "ann", "ben")))


def test_who_has_left_poker_dice(service: Service) -> None:
    """A hand is withdrawn with its player, who can't win any more (G2)."""
    session = round_of(service, FIRST)
    session.act("leave", player="ann")
    answer = forecast(session).json
    asked = {"players": [{"id": "ben"}, {"id": "dan"}], "house_rules": session.made["house_rules"]}
    ben, dan = service.post("/v1/variants/poker-dice/forecast", asked).json["players"]
    gone = [result("ann", 0.0), ben, result("cay", 0.0), dan]
    assert answer == certain(session, *gone)
    assert ben["win"] + dan["win"] == pytest.approx(1)


def test_more_players_than_forecasts_are_for(service: Service) -> None:
    """Forecasts are for up to twenty players."""
    crowd = make(service, "poker-dice", *[f"p{seat}" for seat in range(21)], dice="client")
    detail = "/players must hold 1 to 20 players, not 21."
    begins = "There is no advice or forecast for this position: "
    assert refusal(forecast(crowd), 409) == begins + detail


SHORT = {
    "ones": 3, "twos": 6, "threes": 9, "fours": 12, "fives": 15, "three_of_a_kind": 22,
    "four_of_a_kind": 0, "full_house": 25, "small_straight": 30, "large_straight": 0,
    "five_of_a_kind": 0, "sixes": 18,
}  # fmt: skip
"""A card with an open chance: 140, and a bonus of 35."""


def short_cards(service: Service) -> Session:
    """A game of dice poker that goes on from paper for a last turn each."""
    cards = {"ann": SHORT, "ben": {**SHORT, "ones": 4}, "cay": {**SHORT, "small_straight": 0}}
    rules = {"turn_seconds": None}
    return make(service, "dice-poker", *cards, dice="client", cards=cards, house_rules=rules)


def test_score_cards(service: Service) -> None:
    """The cards and the dice on the table count; at the end, who has won."""
    session = short_cards(service)
    ann, ben, cay = (
        {"id": "ann", "card": SHORT},
        {"id": "ben", "card": {**SHORT, "ones": 4}},
        {"id": "cay", "card": {**SHORT, "small_straight": 0}},
    )
    agrees(service, session, ann, ben, cay)
    session.act("roll", dice=[6, 6, 6, 5, 1])
    rolled = {**ann, "dice": [6, 6, 6, 5, 1], "rolls_left": 2}
    agrees(service, session, rolled, ben, cay)
    session.act("score", box="chance")
    ann["card"] = {**SHORT, "chance": 24}
    agrees(service, session, ann, ben, cay)
    for _ in ("ben", "cay"):
        session.act("roll", dice=[6, 6, 6, 4, 1])
        session.act("score", box="chance")
    ends = (result("ann", 199.0, share=1.0), result("ben", 199.0, share=1.0), result("cay", 168.0))
    assert forecast(session).json == certain(session, *ends)


@pytest.mark.usefixtures("solved_dice_poker")
def test_throws_to_begin(service: Service) -> None:
    """While players throw to begin, all have the same chance."""
    rules = {"throw_to_begin": True}
    session = make(service, "dice-poker", "ann", "ben", dice="client", house_rules=rules)
    ann, ben = agrees(service, session, *({"id": name, "card": {}} for name in ("ann", "ben")))[
        "players"
    ]
    assert {**ann, "id": "ben"} == ben


def test_who_has_left_a_score_card(service: Service) -> None:
    """Who has left can't win, whatever they have: the others play on among themselves (G2)."""
    session = short_cards(service)
    session.act("roll", dice=[6, 6, 6, 6, 6])
    session.act("score", box="chance")
    session.act("leave", player="ann")
    rest = {"players": [
        {"id": "ben", "card": {**SHORT, "ones": 4}},
        {"id": "cay", "card": {**SHORT, "small_straight": 0}},
    ]}  # fmt: skip
    ben, cay = service.post("/v1/variants/dice-poker/forecast", rest).json["players"]
    assert forecast(session).json == certain(session, result("ann", 205.0), ben, cay)
    session.act("roll", dice=[1, 1, 1, 1, 1])
    session.act("score", box="chance")
    session.act("roll", dice=[1, 1, 1, 1, 1])
    session.act("score", box="chance")
    ends = (result("ann", 205.0), result("ben", 181.0, win=1.0), result("cay", 150.0))
    assert forecast(session).json == certain(session, *ends)


ROYAL = ["As", "Ks", "Qs", "Js", "Ts", "--", "2h", "4d", "6c", "8h", "3c", "5d", "7h"]
NOTHING = ["2s", "4h", "7c", "9d", "Js", "--", "--", "--", "--", "--", "--", "--", "--"]
LINE = {"dice": [0, 1, 2, 3, 4], "direction": "down", "row": 0, "column": 0}


def layouts(service: Service, **rules: object) -> Session:
    """A game of layouts after both have thrown; ann begins."""
    session = make(service, "roll-a-royal", "ann", "ben", dice="client", house_rules=rules)
    for player, dice in (("ann", [4]), ("ben", [1])):
        assert session.act("throw", player=player, dice=dice).status == 200
    return session


def test_layouts(service: Service) -> None:
    """The rolls of the turn count, then the points that are laid; at the end, the totals."""
    session = layouts(service, turns=1)
    ann, ben = ({"id": name, "total": 0, "turns_left": 1} for name in ("ann", "ben"))
    agrees(service, session, ann, ben)
    session.act("roll", dice=ROYAL)
    answer = agrees(service, session, {**ann, "rolls": [ROYAL]}, ben)
    assert answer["players"][0]["win"] > 0.95
    session.act("lay", layout=[LINE])
    answer = agrees(service, session, {**ann, "points": 8000}, ben)
    session.act("bank")
    agrees(service, session, {**ann, "total": 8000, "turns_left": 0}, ben)
    session.act("roll", dice=NOTHING)
    ends = (result("ann", 8000.0, win=1.0), result("ben", 0.0))
    assert forecast(session).json == certain(session, *ends)


def test_layouts_to_a_target(service: Service) -> None:
    """Without a number of turns, a game is played to its target score, and the round in which that
    is reached to its end (R5, R34).
    """
    session = layouts(service, turns=None, target_score=6000)
    players = [{"id": name, "total": 0} for name in ("ann", "ben")]
    agrees(service, session, *players)
    session.act("roll", dice=ROYAL)
    session.act("lay", layout=[LINE])
    answer = agrees(service, session, {**players[0], "points": 8000}, players[1])
    assert answer["players"][0]["win"] > 0.9
    session.act("bank")
    answer = agrees(service, session, {**players[0], "total": 8000, "turns_left": 99}, players[1])
    assert 0 < answer["players"][1]["win"] < 0.1


def test_what_nobody_can_see(service: Service) -> None:
    """Sessions with other dice to come have the same forecast as long as the same dice show."""
    for variant, names in (("poker-dice", ["ann", "ben"]), ("roll-a-royal", ["ann"])):
        sessions = [make(service, variant, *names, seed=seed) for seed in ("one", "another")]
        answers = {forecast(each, who).body for each in sessions for who in each.secrets}
        assert len(answers) == 1


def test_no_forecast() -> None:
    """A game whose dice are too many for advice has no forecasts either."""
    offered = [each for each in operations([VARIANT]) if each.name == "evaluate"]
    terms = Terms("", VARIANT, ("ann", "ben"), VARIANT.default_rules, None, "", (), 0, 60)
    with pytest.raises(Problem) as refused:
        SessionAdvice(offered, Settings()).check_forecast(
            SessionView(terms, start(terms)[0], None, "")
        )
    assert refused.value.cause is Cause.NO_SUCH_OPERATION
    assert refused.value.values == {"variant": "poker-dice", "allowed": ["evaluate"]}


def test_hands(service: Service) -> None:
    """In Hold'em each player's forecast knows their own dice alone, and the table's none; who has
    folded can't win.
    """
    session = make(service, "texas-holdem-dice", "ann", "ben", "cleo")
    first = session.read().json["state"]["to_act"][0]
    session.act("fold", player=first)
    table = session.read().json["state"]
    folded = [player["id"] for player in table["players"] if player["folded"]]
    assert folded == [first]
    for who in session.secrets:
        seen = session.read(who).json["state"]
        players = []
        for player in seen["players"]:
            own = {"pocket": seen["pocket"]} if player["id"] == who != first else {}
            players.append({"id": player["id"], "folded": player["folded"], **own})
        asked = {"players": players, "house_rules": session.made["house_rules"]}
        reply = service.post("/v1/variants/texas-holdem-dice/forecast", asked)
        assert reply.status == 200
        assert forecast(session, who).body == reply.body


def test_a_flop_that_is_rolled_again(service: Service) -> None:
    """Once everybody has checked the flop, its dice don't count any more (H13)."""
    session = make(service, "texas-holdem-dice", "ann", "ben", dice="client")
    pockets = {"ann": ["6r", "6b"], "ben": ["1w", "2y"]}
    for player, dice in pockets.items():
        assert session.act("roll_pocket", player=player, dice=dice).status == 200
    for flop in (False, True):
        if flop:
            assert session.act("roll_flop", dice=["6w", "6y", "1r"]).status == 200
        for _ in pockets:
            assert session.act("check").status == 200
    seen = session.read("ann").json
    assert seen["actions"][0]["action"] == "roll_flop_again"
    assert seen["state"]["community"] == ["6w", "6y", "1r"]
    players = [{"id": "ann", "pocket": pockets["ann"]}, {"id": "ben"}]
    asked = {"players": players, "house_rules": session.made["house_rules"]}
    reply = service.post("/v1/variants/texas-holdem-dice/forecast", asked)
    assert forecast(session, "ann").body == reply.body


def test_tags(service: Service) -> None:
    """A forecast needs no agreement on advice, and has its own ETag."""
    session = round_of(service, ANTES)
    assert session.made["advice"] is False
    tag = forecast(session).headers["ETag"]
    assert tag != session.read().headers["ETag"]
    again = forecast(session, If_None_Match=tag)
    assert (again.status, again.body, again.headers["ETag"]) == (304, b"", tag)
    session.act("roll", dice=[6, 6, 6, 6, 6])
    assert forecast(session, If_None_Match=tag).status == 200
