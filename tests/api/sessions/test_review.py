"""Reviews of sessions: what the choices of each player cost."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.sessions.playing import TABLE, UNTIMED, Session, make, refusal
from tests.live import Reply, Service
from tests.sessions.servers import until

pytestmark = pytest.mark.usefixtures("solved_dice_poker")

NOT_OVER = "The game isn't over. Until then, only the table token gets the review."
NO_REVIEW = "There are no reviews of this game: only score cards have them."


def review(session: Session, who: str = TABLE, **headers: str) -> Reply:
    """Asks for the review as `who`."""
    return session.read(who, "/review", **headers)


def reviewed(service: Service, session: Session, turns: list[dict[str, Any]]) -> Any:
    """The review of `turns` under the house rules of a session, without one."""
    asked = {"turns": turns, "house_rules": session.made["house_rules"]}
    reply = service.post(f"/v1/variants/{session.made['variant']}/review", asked)
    assert reply.status == 200, reply.body
    return reply.json


def test_mistakes(service: Service) -> None:
    """What was taken back (G3) was never played: the review is that of a game without it."""
    right = make(service, "dice-poker", "ann", dice="client", house_rules=UNTIMED)
    wrong = make(service, "dice-poker", "ann", dice="client", house_rules=UNTIMED)
    wrong.act("roll", dice=[1, 1, 1, 1, 1])
    wrong.act("score", box="ones")
    wrong.act("take_back", to=1)
    for session in (right, wrong):
        session.act("roll", dice=[6, 2, 6, 3, 1])
        session.act("roll", keep=[0, 2], dice=[6, 4, 6, 6, 1])
        if session is wrong:
            session.act("score", box="fours")
            session.act("take_back", to=6)
            session.act("take_back", who="ann", to=5)
            session.act("take_back", to=6)
        session.act("score", box="sixes")
    assert review(wrong).json == review(right).json


def test_mid_game(service: Service) -> None:
    """The table sees the review at any time, a turn that isn't over included; players don't."""
    session = make(service, "dice-poker", "ann", "ben", dice="client", house_rules=UNTIMED)
    session.act("roll", dice=[6, 2, 6, 3, 1])
    session.act("roll", keep=[0, 2], dice=[6, 4, 6, 6, 1])
    session.act("score", box="sixes")
    session.act("roll", dice=[1, 2, 3, 4, 4])
    session.act("cross_out", box="small_straight")
    session.act("roll", dice=[5, 5, 5, 5, 5])
    anns: list[dict[str, Any]] = [
        {"rolls": [[6, 2, 6, 3, 1], [6, 4, 6, 6, 1]], "keeps": [[0, 2]], "box": "sixes"},
        {"rolls": [[5, 5, 5, 5, 5]]},
    ]
    bens = [{"rolls": [[1, 2, 3, 4, 4]], "box": "small_straight", "crossed_out": True}]
    found = review(session)
    assert (found.status, found.json) == (
        200,
        {
            "players": {
                "ann": reviewed(service, session, anns),
                "ben": reviewed(service, session, bens),
            }
        },
    )
    assert found.json["players"]["ben"]["decisions"][0]["word"] == "blunder"
    for who in ("ann", "ben"):
        assert refusal(review(session, who), 403) == NOT_OVER


def test_finished_game(service: Service) -> None:
    """Everybody sees the review of a finished game, and it adds up to the totals."""
    session = make(service, "dice-poker", "ann", "ben", house_rules=UNTIMED)
    state = session.made["state"]
    while not state["over"]:
        session.act("roll")
        turn = session.read().json["state"]["turn"]
        state = session.act("score", box=turn["best"]["box"]).json["state"]
    found = {who: review(session, who) for who in session.secrets}
    assert len({reply.body for reply in found.values()}) == 1
    tag = found["ann"].headers["ETag"]
    assert review(session, "ben", If_None_Match=tag).status == 304
    assert tag != session.read().headers["ETag"]
    for player, card in state["cards"].items():
        own = found[TABLE].json["players"][player]
        assert own["total"] == card["total"]
        assert own["total"] == round(own["start"] + own["luck"] - own["loss"], 9)
        assert len(own["decisions"]) == 13


def test_time_up(service: Service) -> None:
    """When the time is up, the clock fills a box: the review has that as it happened (D14)."""
    rules = {"turn_seconds": 1}
    status = 0
    while status != 200:  # on a slow machine the clock may be faster again
        session = make(service, "dice-poker", "ann", dice="client", house_rules=rules)
        session.wait(1, 60)
        status = session.act("roll", version=2, dice=[6, 6, 6, 6, 1]).status
    until(lambda: session.read().json["version"] >= 4, "the time is up again")
    first, second, *_ = review(session).json["players"]["ann"]["decisions"]
    assert (first["turn"], first["roll"], first["dice"]) == (1, 0, [])
    assert (first["played"]["action"], first["played"]["box"]) == ("cross_out", "ones")
    assert (second["turn"], second["roll"], second["dice"]) == (2, 1, [6, 6, 6, 6, 1])
    assert second["played"]["action"] == "score"


def test_leaving(service: Service) -> None:
    """What follows from leaving is no choice: the turns of who left end before it (G2)."""
    session = make(service, "dice-poker", "ann", "ben", dice="client", house_rules=UNTIMED)
    session.act("roll", dice=[3, 3, 5, 5, 6])
    session.act("score", box="chance")
    session.act("roll", dice=[1, 1, 1, 1, 2])
    session.act("score", box="four_of_a_kind")
    session.act("roll", dice=[3, 3, 5, 5, 6])
    session.act("leave", who="ann")
    found = review(session).json["players"]
    assert [each["turn"] for each in found["ann"]["decisions"]] == [1]
    assert [each["turn"] for each in found["ben"]["decisions"]] == [1]


def test_other_games(service: Service) -> None:
    """Only score cards have reviews."""
    for variant in ("poker-dice", "texas-holdem-dice", "roll-a-royal"):
        session = make(service, variant, "ann", "ben")
        for who in session.secrets:
            assert refusal(review(session, who), 404) == NO_REVIEW


def test_who_leaves_before_a_turn(service: Service) -> None:
    """Who leaves while another rolls has no turns to review, and doesn't end the other's turn."""
    players = ("ann", "ben", "cat")
    left, stayed = (
        make(service, "dice-poker", *players, dice="client", house_rules=UNTIMED) for _ in range(2)
    )
    for session in (left, stayed):
        session.act("roll", dice=[1, 2, 3, 4, 5])
        if session is left:
            assert session.act("leave", player="cat").status == 200
        session.act("score", box="large_straight")
    assert review(left).json["players"]["ann"] == review(stayed).json["players"]["ann"]
    players_left = review(left).json["players"]
    assert players_left["cat"] == players_left["ben"]
