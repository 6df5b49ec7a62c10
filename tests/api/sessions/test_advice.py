"""Advice in sessions: what `advise` says about the decision to be made now."""

from __future__ import annotations

from dataclasses import replace

import pytest

from service.sessions.store.codec import decode_terms, encode_terms, unpack
from service.variants import variants
from tests.api.sessions.playing import TABLE, Session, cause, make, tagged
from tests.live import Reply, Service
from tests.sessions.sample_sessions import sample_terms
from tests.sessions.servers import until

ALL = 500
"""The largest `limit`: more options than any decision has."""


def advice(session: Session, who: str = TABLE, **headers: str) -> Reply:
    """Asks for advice as `who`."""
    return session.read(who, "/advice", **headers)


def rolled(service: Service, *players: str, **fields: object) -> Session:
    """A round of poker dice after the first roll, by the first of `players`."""
    session = make(service, "poker-dice", *players, dice="client", advice=True, **fields)
    assert session.act("ante", amount=1).status == 200
    for _ in players[1:]:
        assert session.act("meet").status == 200
    assert session.act("roll", dice=[1, 2, 3, 4, 6]).status == 200
    return session


def test_poker_dice(service: Service) -> None:
    """The first player has no hand to beat and two players after; later ones have fewer (P4)."""
    session = rolled(service, "ann", "ben", "cay", house_rules={"pairs_rank": True})
    rules = session.made["house_rules"]
    asked = {"dice": [1, 2, 3, 4, 6], "players_after": 2, "house_rules": rules, "limit": ALL}
    path = "/v1/variants/poker-dice/advise"
    first = advice(session)
    assert (first.status, first.json) == (200, service.post(path, asked).json)
    assert tagged(first) == 5
    session.act("stop")
    session.act("check")
    session.act("roll", dice=[5, 5, 5, 1, 2])
    session.act("roll", keep=[0, 1, 2], dice=[5, 5, 5, 2, 2])
    asked = {
        "dice": [5, 5, 5, 2, 2],
        "rolls_left": 1,
        "to_beat": [1, 2, 3, 4, 6],
        "players_after": 1,
        "house_rules": rules,
        "limit": ALL,
    }
    found = {who: advice(session, who) for who in session.secrets}
    assert {reply.body for reply in found.values()} == {service.post(path, asked).body}


def test_only_who_has_paid_comes_after(service: Service) -> None:
    """Who sits out or folds to a raise doesn't roll: a hand is worth as much more (P16)."""
    names = ["ann", "ben", "cay", "dan"]
    session = make(service, "poker-dice", *names, dice="client", advice=True)
    path = "/v1/variants/poker-dice/advise"
    for name, values in (
        ("ante", {"amount": 1}),
        ("meet", {}),
        ("sit_out", {}),
        ("meet", {}),
        ("roll", {"dice": [1, 1, 1, 2, 3]}),
    ):
        assert session.act(name, **values).status == 200
    first = {"dice": [1, 1, 1, 2, 3], "players_after": 2, "limit": ALL}
    assert advice(session).json == service.post(path, first).json
    session.act("stop")
    session.act("raise", amount=1)
    session.act("meet")
    session.act("fold")
    session.act("roll", dice=[2, 2, 2, 1, 3])
    asked = {"dice": [2, 2, 2, 1, 3], "to_beat": [1, 1, 1, 2, 3], "limit": ALL}
    found = advice(session).json
    assert found == service.post(path, asked).json
    assert (found["chance"], found["options"][0]["action"]) == (1, "stop")


@pytest.mark.usefixtures("solved_dice_poker")
@pytest.mark.parametrize("bonus", [0, pytest.param(100, marks=pytest.mark.proof)])
def test_score_cards(service: Service, bonus: int) -> None:
    """Advice is for the card of the player at turn, before a roll and after it (D1, D2)."""
    rules = {"turn_seconds": None, "extra_five_bonus": bonus, "joker": bool(bonus)}
    names = {"dice": "client", "advice": True, "house_rules": rules}
    session = make(service, "dice-poker", "ann", "ben", **names)
    path = "/v1/variants/dice-poker/advise"
    asked = {"card": {}, "house_rules": session.made["house_rules"], "limit": ALL}
    until(
        lambda: service.post(path, asked).status == 200, "there is a table", seconds=300, pause=0.1
    )
    assert advice(session, "ben").body == service.post(path, asked).body
    session.act("roll", dice=[5, 5, 5, 5, 5])
    session.act("score", box="five_of_a_kind")
    session.act("roll", dice=[6, 2, 6, 3, 1])
    session.act("roll", keep=[0, 2], dice=[6, 2, 6, 3, 6])
    turn = {"dice": [6, 2, 6, 3, 6], "rolls_left": 1}
    found = advice(session, "ann")
    assert found.body == service.post(path, {**asked, **turn}).body
    assert len(found.json["options"]) > 10, "all are listed"
    session.act("score", box="sixes")
    session.act("roll", dice=[4, 4, 4, 4, 4])
    card = {"five_of_a_kind": 50, **({"extra_fives": 0} if bonus else {})}
    turn = {"card": card, "dice": [4, 4, 4, 4, 4], "rolls_left": 2}
    found = advice(session)
    assert found.body == service.post(path, {**asked, **turn}).body
    assert found.json["options"][0]["action"] == "score"


def test_layouts(service: Service) -> None:
    """Before the last roll, what the turn is worth; then bank or risk for the own layout (R10)."""
    session = make(service, "roll-a-royal", "ann", dice="client", advice=True)
    path = "/v1/variants/roll-a-royal/advise"
    first = ["As", "Ks", "Qs", "Js", "Ts", "--", "2h", "4d", "6c", "8h", "3c", "5d", "7h"]
    assert advice(session).body == service.post(path, {"rolls": [], "limit": ALL}).body
    session.act("roll", dice=first)
    assert advice(session).body == service.post(path, {"rolls": [first], "limit": ALL}).body
    royal = {"dice": [0, 1, 2, 3, 4], "direction": "down", "row": 0, "column": 0}
    session.act("lay", layout=[royal])
    asked = {"rolls": [first], "layout": [royal], "limit": ALL}
    laid = advice(session)
    assert laid.body == service.post(path, asked).body
    assert [option["expected"] for option in laid.json["options"]] == [
        pytest.approx(8000 * 10 / 6),
        8000,
    ]


def test_no_decision(service: Service) -> None:
    """Without dice there is nothing to advise on: before the ante, before a roll, when betting."""
    session = make(service, "poker-dice", "ann", "ben", dice="client", advice=True)
    assert cause(advice(session), 409) == "nothing-to-decide"
    session.act("ante", amount=1)
    assert cause(advice(session), 409) == "nothing-to-decide"
    session.act("meet")
    assert cause(advice(session), 409) == "nothing-to-decide"
    session.act("roll", dice=[1, 2, 3, 4, 6])
    assert advice(session).status == 200
    session.act("stop")
    assert cause(advice(session), 409) == "nothing-to-decide"


@pytest.mark.parametrize("given", [{}, {"advice": False}, {"advice": None}])
def test_not_agreed(service: Service, given: dict[str, object]) -> None:
    """A session has advice only if the request that created it asked for it."""
    session = make(service, "poker-dice", "ann", "ben", dice="client", **given)
    session.act("ante", amount=1)
    session.act("meet")
    session.act("roll", dice=[1, 2, 3, 4, 6])
    assert session.made["advice"] is False
    for who in session.secrets:
        assert cause(advice(session, who), 409) == "advice-not-agreed"
        assert cause(advice(session, who, If_None_Match="*"), 409) == "advice-not-agreed"


def test_tags(service: Service) -> None:
    """The session and its history say whether there is advice. It has its own ETag, and 304 for a
    client that has it.
    """
    session = rolled(service, "ann", "ben")
    seen = (session.made, session.read("ben").json, session.events("ben").json)
    assert [shown["advice"] for shown in seen] == [True] * 3
    tag = advice(session).headers["ETag"]
    assert tag != session.read().headers["ETag"]
    again = advice(session, If_None_Match=tag)
    assert (again.status, again.body, again.headers["ETag"]) == (304, b"", tag)
    session.act("roll", keep=[0, 1, 2, 3], dice=[1, 2, 3, 4, 5])
    changed = advice(session, If_None_Match=tag)
    assert (changed.status, changed.json["options"][0]["action"]) == (200, "stop")


def test_as_many_players_as_advice_is_for(service: Service) -> None:
    """Advice takes nineteen later players into account; test_causes.py asks with one more."""
    assert advice(rolled(service, *[f"p{seat}" for seat in range(20)])).status == 200


def test_hidden_dice(service: Service) -> None:
    """Each player gets the chances of their own pocket, against all who are still in, and whoever
    acts next also the price of a call. The table sees no pocket, so there is nothing to advise on.
    """
    names = ("ann", "ben", "cay")
    session = make(service, "texas-holdem-dice", *names, advice=True, seed="a seed")
    path = "/v1/variants/texas-holdem-dice/advise"
    assert session.act("bet", who="ben", amount=10).status == 200
    assert session.act("fold", who="cay").status == 200
    assert cause(advice(session), 409) == "nothing-to-decide"
    assert cause(advice(session, "cay"), 409) == "nothing-to-decide"
    asked = {who: {"pocket": session.read(who).json["state"]["pocket"]} for who in names[:2]}
    assert advice(session, "ben").body == service.post(path, asked["ben"]).body
    call = {**asked["ann"], "pot": 40, "to_call": 10}
    found = advice(session, "ann")
    assert (found.body, found.json["break_even"]) == (service.post(path, call).body, 0.2)
    assert session.act("call", who="ann").status == 200
    state = session.read("ben").json["state"]
    assert state["stage"] == "flop"
    flop = {**asked["ben"], "community": state["community"], "pot": 50, "to_call": 0}
    assert advice(session, "ben").body == service.post(path, flop).body


def test_sessions_of_earlier_releases() -> None:
    """Only sessions with advice store that they have it, so those of earlier releases have none."""
    terms = sample_terms("poker-dice")
    stored = encode_terms(terms)
    assert decode_terms(terms.id, stored, variants()) == terms
    assert "advice" not in unpack(stored[1:])
    agreed = replace(terms, advice=True)
    assert decode_terms(terms.id, encode_terms(agreed), variants()) == agreed
