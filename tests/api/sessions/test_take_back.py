"""Taking back over HTTP (G3): a scorekeeper's mistakes, a player's own, and all refusals."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.sessions.playing import TABLE, UNTIMED, Session, goes_back, make, refusal, refused
from tests.live import Service


def not_taken_back(session: Session, who: str, said: str, **values: Any) -> None:
    """Fails unless taking back is refused with what is `said`."""
    refused(session, "take_back", who, said, **values)


def scored(service: Service, dice: str = "client") -> Session:
    """A game of dice-poker in which ann has scored, by typed dice or those of the service."""
    session = make(service, "dice-poker", "ann", "ben", dice=dice, house_rules=UNTIMED)
    typed: dict[str, Any] = {"dice": [6, 6, 6, 1, 2]} if dice == "client" else {}
    assert session.act("roll", who="ann", **typed).status == 200
    assert session.act("score", who="ann", box="chance").status == 200
    return session


def listed(answer: Any) -> list[Any]:
    """What can be taken back."""
    return [each for each in answer["actions"] if each["action"] == "take_back"]


def test_a_mistake_noticed_two_turns_later(service: Service) -> None:
    """The table goes back to before a mistyped die, and the turns since are played again."""
    session = scored(service)
    session.act("roll", who="ben", dice=[1, 1, 1, 1, 1])
    session.act("score", who="ben", box="ones")
    at_roll = session.made["state"]
    now = session.read().json
    assert listed(now) == [goes_back("ben", 4, 4), goes_back(None, 1, 4)]
    reply = session.act("take_back", version=5, to=1)
    assert reply.status == 200
    state = reply.json["state"]
    assert {**state, "news": []} == {**at_roll, "news": []}
    assert (reply.json["version"], listed(reply.json)) == (6, [goes_back(None, 1, 5)])
    because = {"decided_by": "table_takes_back", "to": 1, "undone": 4, "clause": "G3"}
    news = {
        "what": "take_back",
        "to": 1,
        "undone": 4,
        "whose": ["ann", "ben"],
        "reason": "The table takes back 4 versions, to version 1 (G3).",
        "because": because,
    }
    assert state["news"] == [news]
    event = session.events().json["events"][-1]
    assert {name: value for name, value in event.items() if name != "at"} == {
        "version": 6,
        "player": None,
        "action": "take_back",
        "to": 1,
        "news": [news],
        "then": [],
    }
    assert len(session.events().json["events"]) == 6
    again = session.act("roll", who="ann", dice=[6, 6, 6, 6, 2]).json
    assert again["state"]["turn"]["dice"] == [6, 6, 6, 6, 2]
    assert session.act("take_back", to=5).json["state"]["cards"] == now["state"]["cards"]


def test_a_players_own(service: Service) -> None:
    """A player takes back their own last action, and again what was theirs before."""
    session = scored(service)
    reply = session.act("take_back", who="ann", version=3, to=2).json
    assert (reply["state"]["turn"]["dice"], reply["state"]["to_act"]) == ([6, 6, 6, 1, 2], ["ann"])
    (news,) = reply["state"]["news"]
    assert news["reason"] == "ann takes back 1 version, to version 2 (G3)."
    assert (news["player"], news["whose"]) == ("ann", ["ann"])
    assert session.events("ben").json["events"][-1]["player"] == "ann"
    assert listed(reply) == [goes_back("ann", 1, 1), goes_back(None, 1, 3)]
    assert session.act("take_back", who="ann", to=1.0).json["state"]["turn"]["dice"] is None
    assert {who: session.read(who).json for who in ("ann", "ben")} == dict.fromkeys(
        ("ann", "ben"), session.read().json
    )


def test_refused_with_typed_dice(service: Service) -> None:
    """A version that isn't earlier, somebody else's action, and values that it doesn't have."""
    session = scored(service)
    for to in (3, 4, 0, -1, 1 << 70, "2", [2], 1.5):
        not_taken_back(session, TABLE, "/to must be a whole number between 1 and 2", to=to)
    not_taken_back(session, TABLE, "/to is missing")
    not_taken_back(session, "ann", "/to must be 2", to=1)
    not_taken_back(session, TABLE, "/to must be 2", to=1, player="ann")
    not_taken_back(session, "ben", "/player can't take_back now; only ann can", to=2)
    no_dice = "/dice must be left out: take_back rolls no dice"
    not_taken_back(session, TABLE, no_dice, to=2, dice=[1])
    other = session.act("take_back", who="ben", player="ann", to=2)
    assert refusal(other, 403) == "The token belongs to ben, but the action is for ann."


def test_refused_at_the_beginning(service: Service) -> None:
    """Nothing can be taken back in version 1."""
    for dice in ("server", "client"):
        session = make(service, "texas-holdem-dice", "ann", "ben", dice=dice)
        nothing = "/action can't be performed: there is no choice to take back"
        for who in (TABLE, "ann"):
            not_taken_back(session, who, nothing, to=1)


def test_dice_of_the_service(service: Service) -> None:
    """Only the choice since the last roll goes back; a later roll is the next dice, no other."""
    session = scored(service, "server")
    dice = session.read().json["state"]
    both = [goes_back("ann", 2, 2), goes_back(None, 2, 2)]
    assert listed(session.read().json) == both
    not_taken_back(session, TABLE, "/to must be 2", to=1)
    reply = session.act("take_back", to=2).json
    assert reply["state"]["turn"]["dice"] == rolled(session)[0]
    assert listed(reply) == []
    assert dice["cards"]["ann"]["scores"]["chance"] == sum(rolled(session)[0])
    session.act("score", who="ann", box="ones")
    session.act("roll", who="ben")
    shown = "/action can't be performed: the last action showed dice that nobody knew before it"
    for who in (TABLE, "ann", "ben"):
        not_taken_back(session, who, shown, to=5)
    assert len(rolled(session)) == 2


def rolled(session: Session) -> list[Any]:
    """All dice of the history."""
    return [each["dice"] for each in session.events().json["events"] if "dice" in each]


def test_the_end(service: Service) -> None:
    """After the end, typed dice can be taken back, by the table; dice of the service can't."""
    for dice in ("server", "client"):
        session = make(service, "poker-dice", "ann", "ben", dice=dice)
        over = session.act("leave", who="ann").json
        assert over["state"]["over"]
        if dice == "server":
            for who in (TABLE, "ann"):
                not_taken_back(session, who, "/action can't be performed: the game is over", to=1)
            assert over["actions"] == []
        else:
            assert (
                listed(over) == over["actions"] == [goes_back("ann", 1, 1), goes_back(None, 1, 1)]
            )
            assert session.act("take_back", to=1).json["state"] == {
                **session.made["state"],
                "news": session.read().json["state"]["news"],
            }


@pytest.mark.parametrize("who", [TABLE, "ann"])
def test_repeated(service: Service, who: str) -> None:
    """To send it again goes back only once, even later; for an old version it is refused."""
    session = scored(service)
    first = session.act("take_back", who=who, version=3, key="k", to=2)
    assert first.status == 200
    assert session.act("take_back", who=who, version=3, key="k", to=2).body == first.body
    session.act("score", who="ann", box="sixes")
    later = session.act("take_back", who=who, version=3, key="k", to=2)
    assert (later.status, later.body, later.headers["ETag"]) == (
        200,
        first.body,
        first.headers["ETag"],
    )
    refusal(session.act("take_back", who=who, version=3, key="other", to=2), 412)
    assert refusal(session.act("take_back", who=who, version=3, key="k", to=1), 409)
    assert session.read().json["version"] == 5


def test_far_back(service: Service) -> None:
    """A long game goes back beyond its last stored snapshots, and forward again."""
    session = make(service, "dice-poker", "ann", dice="client", house_rules=UNTIMED)
    for version in range(1, 301, 2):
        face = version % 6 + 1
        session.act("roll", version=version, dice=[face] * 5)
        assert session.act("take_back", version=version + 1, to=version).status == 200
    last = session.act("roll", dice=[6, 5, 4, 3, 2]).json
    for to, dice in ((130, [4] * 5), (2, [2] * 5), (302, [6, 5, 4, 3, 2])):
        reply = session.act("take_back", to=to, key=f"k{to}").json
        assert reply["state"]["turn"]["dice"] == dice, to
        assert session.act("take_back", to=to, key=f"k{to}").json == reply
    assert {**reply["state"], "news": []} == {**last["state"], "news": []}
