"""Leaving: by oneself or by the table, for good, and without stopping the game (G2)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.sessions.playing import TABLE, UNTIMED, Session, make, refusal, refused
from tests.live import Service

SLOW = {"turn_seconds": 86_400}
"""A clock that doesn't run out during a test."""

PLAYERS = ("ann", "ben", "cay")


def game(service: Service, **fields: Any) -> Session:
    """A game of three; it is ann's turn to roll."""
    return make(service, "dice-poker", *PLAYERS, **{"house_rules": UNTIMED, **fields})


def leavers(answer: Any) -> list[str]:
    """Whose leaving is listed."""
    return [each["player"] for each in answer["actions"] if each["action"] == "leave"]


def test_not_at_turn(service: Service) -> None:
    """Who isn't at turn leaves at once: the turn goes on, and its clock runs on."""
    session = game(service, house_rules=SLOW)
    assert session.made["state"]["left"] == []
    assert leavers(session.made) == list(PLAYERS)
    acted = session.act("leave", who="ben")
    assert acted.status == 200
    state = acted.json["state"]
    assert (state["left"], state["to_act"]) == (["ben"], ["ann"])
    assert state["ends_at"] == session.made["state"]["ends_at"] is not None
    assert leavers(acted.json) == ["ann", "cay"]
    (news,) = state["news"]
    assert (news["what"], news["player"]) == ("left", "ben")
    assert news["reason"] == "ben has left the game (G2)."
    event = session.events().json["events"][-1]
    assert (event["action"], event["player"], event["then"]) == ("leave", "ben", [])
    assert {who: session.read(who).json for who in PLAYERS} == dict.fromkeys(PLAYERS, acted.json)


def test_at_turn(service: Service) -> None:
    """The turn of who leaves is given up: the next player has a turn, with a new clock."""
    session = game(service, house_rules=SLOW)
    rolled = session.act("roll", who="ann").json
    acted = session.act("leave", who="ann", version=2, player="ann").json
    state = acted["state"]
    assert (state["left"], state["to_act"], state["turn"]["player"]) == (["ann"], ["ben"], "ben")
    assert state["cards"]["ann"]["scores"]["ones"] == 0
    assert state["ends_at"] > rolled["state"]["ends_at"]
    left, given_up = state["news"]
    assert (left["what"], given_up["what"], given_up["box"]) == ("left", "crossed_out", "ones")
    assert given_up["reason"] == "ann gives up the turn: ones gets a zero (G2)."


def test_later_turns(service: Service) -> None:
    """No turn of who has left is waited for: it gets a zero as soon as it comes."""
    session = game(service)
    session.act("leave", player="ben")
    session.act("roll")
    state = session.act("score", who="ann", box="chance").json["state"]
    assert (state["to_act"], state["turn"]["round"]) == (["cay"], 1)
    assert state["cards"]["ben"]["scores"]["ones"] == 0
    assert [each["what"] for each in state["news"]] == ["written", "crossed_out"]


@pytest.mark.parametrize("who", PLAYERS)
def test_only_oneself(service: Service, who: str) -> None:
    """A player's token has no other player leave."""
    session = game(service)
    before = session.stands()
    for other in PLAYERS:
        if other != who:
            reply = session.act("leave", who=who, player=other)
            detail = f"The token belongs to {who}, but the action is for {other}."
            assert refusal(reply, 403) == detail
    assert session.stands() == before


def test_by_the_table(service: Service) -> None:
    """The table may have a player leave, whom it must name."""
    session = game(service)
    refused(session, "leave", TABLE, "/player is missing")
    refused(session, "leave", TABLE, "/player must be one of ann, ben, cay", player="dan")
    assert session.act("leave", player="cay").json["state"]["left"] == ["cay"]
    assert session.events().json["events"][-1]["player"] == "cay"


@pytest.mark.parametrize("who", [TABLE, "ben"])
def test_twice(service: Service, who: str) -> None:
    """Who has left can't leave again, and sending the same request again is no second time."""
    session = game(service)
    acted = session.act("leave", who=who, key="k", player="ben")
    assert session.act("leave", who=who, key="k", player="ben").json == acted.json
    not_in_game = "/player must be a player who is still in the game: ann or cay"
    refused(session, "leave", who, not_in_game, player="ben")


def test_no_values(service: Service) -> None:
    """Leaving takes no values and no dice."""
    session = game(service, dice="client")
    no_dice = "/dice must be left out: leave rolls no dice"
    refused(session, "leave", "ann", no_dice, dice=[1, 2, 3, 4, 5])
    refused(session, "leave", "ann", "/box is not a field of leave; it has none", box="ones")


def test_who_not_in_game_acts_no_more(service: Service) -> None:
    """Who has left still sees the game, and can't act in it."""
    session = game(service)
    session.act("leave", who="ann")
    before = session.stands()
    detail = "The token belongs to ann, but only ben can act now."
    assert refusal(session.act("roll", who="ann"), 403) == detail
    assert session.read("ann").json == before[0]
    assert session.stands() == before


@pytest.mark.parametrize(
    ("variant", "reason"),
    [("dice-poker", "All cards are full (D1)."), ("roll-a-royal", "Everybody has left (G2).")],
)
def test_everybody(service: Service, variant: str, reason: str) -> None:
    """Once everybody has left the game is over, and the most points win after all. Then nobody can
    leave any more.
    """
    session = make(service, variant, *PLAYERS)
    for player in ("cay", "ann", "ben"):
        state = session.act("leave", who=player).json["state"]
    assert (state["over"], state["left"]) == (True, ["cay", "ann", "ben"])
    assert (state["winners"], state["to_act"]) == (list(PLAYERS), [])
    assert (state["news"][-1]["what"], state["news"][-1]["reason"]) == ("game_over", reason)
    over = "/action can't be performed: the game is over"
    refused(session, "leave", "ann", over)
    refused(session, "leave", TABLE, over, player="ann")


def test_the_last_one(service: Service) -> None:
    """The last one left in a game with chips wins."""
    session = make(service, "poker-dice", *PLAYERS)
    assert session.act("leave", who="ann").json["state"]["over"] is False
    acted = session.act("leave", player="cay").json
    assert (acted["state"]["over"], acted["state"]["winners"]) == (True, ["ben"])
    assert (acted["state"]["left"], acted["actions"]) == (["ann", "cay"], [])


def test_places(service: Service) -> None:
    """Who has left is placed behind all who stayed, whatever the totals."""
    session = make(service, "dice-poker", "ann", "ben", dice="client", house_rules=UNTIMED)
    session.act("roll", dice=[6] * 5)
    session.act("score", box="five_of_a_kind")
    session.act("roll", dice=[1] * 5)
    session.act("score", box="chance")
    state = session.act("leave", who="ann").json["state"]
    while not state["over"]:
        session.act("roll", dice=[1, 1, 2, 2, 4])
        open_boxes = [
            box for box, score in state["cards"]["ben"]["scores"].items() if score is None
        ]
        state = session.act("cross_out", box=open_boxes[0]).json["state"]
    assert {name: card["total"] for name, card in state["cards"].items()} == {"ann": 50, "ben": 5}
    assert (state["winners"], [each["players"] for each in state["places"]]) == (
        ["ben"],
        [["ben"], ["ann"]],
    )
    assert state["places"][0]["reason"] == "Stayed to the end; ann left (G2)."
