"""The result of a session over HTTP."""

from __future__ import annotations

import re
from typing import Any

import pytest

from service.settings import Settings
from tests.api.conftest import KEY
from tests.api.sessions.playing import TABLE, UNTIMED, Kept, Session, make, refusal
from tests.api.sessions.test_several_actions import send, whole_game
from tests.live import ROOT, Service

NAMES = ('Änne "A" O\'Neil <b>', "ben")


def finished(service: Service, *players: str) -> Session:
    """A game of dice-poker that is over: the first player scored, the others only crossed out."""
    session = make(service, "dice-poker", *players, dice="client", house_rules=UNTIMED)
    actions = whole_game()
    for action in actions:
        if "player" in action:
            name = "score" if action["box"] == "chance" else "cross_out"
            action.update(player=players[0], action=name)
    assert send(session, actions).status == 200
    return session


def test_the_result_of_a_game(service: Service) -> None:
    """Every token gets the same: who won, with what, and under which rules; an ETag of its own."""
    session = finished(service, *NAMES)
    state = session.read().json
    first = session.read(TABLE, "/result")
    assert first.status == 200
    assert first.json == {
        "id": session.made["id"],
        "variant": "dice-poker",
        "players": [
            {"id": NAMES[0], "place": 1, "total": 13, "turns": 13},
            {"id": NAMES[1], "place": 2, "total": 0, "turns": 13},
        ],
        "winners": [NAMES[0]],
        "house_rules": state["house_rules"],
        "dice": "client",
        "over": True,
        "created_at": session.made["created_at"],
        "ended_at": session.events().json["events"][-1]["at"],
    }
    for who in NAMES:
        assert session.read(who, "/result").body == first.body
    tag = first.headers["ETag"]
    assert tag != session.read().headers["ETag"]
    assert session.read(TABLE, "/result", If_None_Match=tag).status == 304
    refusal(session.ask("GET", "/result", who=None), 401)


def test_a_game_that_goes_on(service: Service) -> None:
    """The places are those as the game stands; nobody has won, and it hasn't ended."""
    session = make(service, "texas-holdem-dice", "ann", "ben", "cas")
    session.act("bet", amount=10)
    found = session.read("ann", "/result").json
    chips = session.read().json["state"]["players"][1]["chips"]
    assert (found["over"], found["winners"], found["ended_at"]) == (False, [], None)
    assert "signature" not in found
    assert [set(player) for player in found["players"]] == [{"id", "place", "chips", "turns"}] * 3
    assert {player["place"] for player in found["players"]} == {1}
    assert found["players"][0]["chips"] > chips


@pytest.mark.parametrize(
    "variant", ["dice-poker", "poker-dice", "roll-a-royal", "texas-holdem-dice"]
)
def test_small(feeding: Kept, variant: str) -> None:
    """A result for six players with the longest names takes less than 2 KB, signature included."""
    session = make(feeding.service, variant, *[f"{seat}".rjust(64, "x") for seat in range(6)])
    reply = session.read(TABLE, "/result")
    assert len(reply.json["signature"]) == 64
    assert len(reply.body) < 2000


def test_signed(feeding: Kept) -> None:
    """The example in the docs takes a result with its signature, and none that was changed."""
    (example,) = re.findall(
        r"```python\n(import hashlib.*?)```", (ROOT / "docs/sessions.md").read_text(), re.DOTALL
    )
    defined: dict[str, Any] = {}
    exec(example, defined)
    is_genuine = defined["is_genuine"]
    result = finished(feeding.service, *NAMES).read(TABLE, "/result").json
    assert is_genuine(result, KEY) is True
    assert is_genuine(dict(reversed(result.items())), KEY) is True
    assert is_genuine(result, f"{KEY}!") is False
    assert is_genuine({**result, "winners": ["ben"]}, KEY) is False
    del result["signature"]
    assert is_genuine(result, KEY) is False


def test_keys_that_can_be_guessed() -> None:
    """A short RESULT_KEY is refused, and no message shows the key."""
    with pytest.raises(ValueError, match=r"^RESULT_KEY must have at least 16 characters$"):
        Settings.from_environment({"RESULT_KEY": "short"})
    assert KEY not in repr(Settings.from_environment({"RESULT_KEY": KEY}))
