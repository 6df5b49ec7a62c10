"""Reviews of sessions: what the choices of each player cost."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from tests.api.sessions.playing import TABLE, UNTIMED, Session, cause, make
from tests.live import Reply, Service
from tests.sessions.servers import until

pytestmark = pytest.mark.usefixtures("solved_dice_poker")


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
    assert (found.status, found.json["players"]) == (
        200,
        {"ann": reviewed(service, session, anns), "ben": reviewed(service, session, bens)},
    )
    assert found.json["players"]["ben"]["decisions"][0]["word"] == "blunder"
    for who in ("ann", "ben"):
        assert cause(review(session, who), 403) == "game-not-over"


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
    curve, winners = found[TABLE].json["curve"], state["winners"]
    assert len(curve) == 1 + 2 * 13 * 2  # the start, and each turn has a roll and a choice
    for point in curve:
        assert sum(point["chances"].values()) == pytest.approx(1, abs=1e-6)
    assert curve[-1]["chances"] == {
        player: 1 / len(winners) if player in winners else 0 for player in ("ann", "ben")
    }


OPEN_CHANCE = {
    "ones": 3, "twos": 6, "threes": 9, "fours": 12, "fives": 15, "sixes": 18,
    "three_of_a_kind": 22, "four_of_a_kind": 0, "full_house": 25, "small_straight": 30,
    "large_straight": 0, "five_of_a_kind": 0,
}  # fmt: skip
"""A card on which only the chance is open."""


def die(left: int, shown: int | None = None) -> dict[int, float]:
    """The chance of each face of a die at the end, with so many rolls left for it.

    To have many points, it is rolled again if it shows less than its mean with the rolls after: 3.5
    with one, 4.25 with two.
    """
    if shown is not None and (left == 0 or shown >= {1: 4, 2: 5}[left]):
        return {shown: 1.0}
    after = left if shown is None else left - 1
    found: dict[int, float] = {}
    for face in range(1, 7):
        for end, chance in die(after, face).items():
            found[end] = found.get(end, 0.0) + chance / 6
    return found


def sums(left: int, *shown: int) -> dict[int, float]:
    """The chance of each sum of five dice, where those that aren't shown are rolled first."""
    found = {0: 1.0}
    for face in (*shown, *[None] * (5 - len(shown))):
        further = dict[int, float]()
        for end, chance in die(left, face).items():
            for had, before in found.items():
                further[had + end] = further.get(had + end, 0.0) + before * chance
        found = further
    return found


def chance(ann: dict[int, float], ben: dict[int, float]) -> float:
    """Ann's chance to win if Ben has a point more, a tie in halves."""
    return sum(
        own * other * (1.0 if mine > theirs + 1 else 0.5 if mine == theirs + 1 else 0.0)
        for mine, own in ann.items()
        for theirs, other in ben.items()
    )


def test_curve(service: Service) -> None:
    """After each roll and each choice, what was kept included, the chances are those of five dice
    that are summed up; the turning point is what moved its player's chance most.
    """
    cards = {"ann": OPEN_CHANCE, "ben": {**OPEN_CHANCE, "ones": 4}}
    session = make(service, "dice-poker", *cards, dice="client", cards=cards, house_rules=UNTIMED)
    session.act("roll", dice=[6, 6, 4, 3, 1])
    session.act("roll", keep=[0, 1, 2], dice=[6, 6, 4, 5, 2])
    session.act("score", box="fours")  # refused: it is used
    session.act("roll", keep=[0, 1, 2, 3], dice=[6, 6, 4, 5, 6])
    session.act("score", box="chance")
    session.act("take_back", to=4)
    session.act("score", box="chance")
    session.act("roll", dice=[6, 5, 5, 4, 4])
    session.act("score", box="chance")
    fresh, ann = sums(2), {27: 1.0}
    steps: list[tuple[int, str | None, str | None, float]] = [
        (1, None, None, chance(fresh, fresh)),
        (2, "ann", "roll", chance(sums(2, 6, 6, 4, 3, 1), fresh)),
        (3, "ann", "choice", chance(sums(1, 6, 6, 4), fresh)),
        (3, "ann", "roll", chance(sums(1, 6, 6, 4, 5, 2), fresh)),
        (4, "ann", "choice", chance(sums(0, 6, 6, 4, 5), fresh)),
        (4, "ann", "roll", chance(ann, fresh)),
        (7, "ann", "choice", chance(ann, fresh)),
        (8, "ben", "roll", chance(ann, sums(2, 6, 5, 5, 4, 4))),
        (9, "ben", "choice", 1.0),
    ]
    found = review(session).json
    assert found["curve"] == [
        {
            "version": version,
            "player": player,
            "turn": None if player is None else 1,
            "moved_by": moved_by,
            "chances": {
                "ann": pytest.approx(own, abs=1e-8), "ben": pytest.approx(1 - own, abs=1e-8)
            },
        }
        for version, player, moved_by, own in steps
    ]  # fmt: skip
    moves = [after[3] - before[3] for before, after in pairwise(steps)]
    most = max(range(len(moves)), key=lambda place: abs(moves[place]))
    before, (version, player, moved_by, after) = steps[most][3], steps[most + 1]
    own = (before, after) if player == "ann" else (1 - before, 1 - after)
    assert found["turning_point"] == {
        "version": version,
        "player": player,
        "turn": 1,
        "moved_by": moved_by,
        "before": pytest.approx(own[0], abs=1e-8),
        "after": pytest.approx(own[1], abs=1e-8),
    }


def test_curve_without_rolls_and_players(service: Service) -> None:
    """A turn that is written in one step moves the chances as neither roll nor choice; so does
    leaving, after which a player has no chance. One player has no curve.
    """
    cards = {name: {**OPEN_CHANCE, "sixes": None} for name in ("ann", "ben", "cat")}
    session = make(service, "dice-poker", *cards, dice="client", cards=cards, house_rules=UNTIMED)
    session.act("write", box="chance", points=30)
    session.act("leave", player="cat")
    found = review(session).json
    assert [(each["version"], each["player"], each["moved_by"]) for each in found["curve"]] == [
        (version, None, None) for version in (1, 2, 3)
    ]
    start, written, left = (each["chances"] for each in found["curve"])
    assert start == dict.fromkeys(cards, pytest.approx(1 / 3, abs=1e-6))
    assert written["ann"] > written["ben"] == pytest.approx(written["cat"])
    assert left["cat"] == 0
    assert left["ann"] + left["ben"] == pytest.approx(1)
    assert found["turning_point"] is None
    alone = make(service, "dice-poker", "ann", dice="client", house_rules=UNTIMED)
    alone.act("roll", dice=[6, 6, 6, 6, 6])
    found = review(alone).json
    assert (found["curve"], found["turning_point"]) == ([], None)


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
            assert cause(review(session, who), 404) == "no-review"


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
