"""Taking back (G3) together with all else that a scorekeeper does, over HTTP."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any

import pytest

from tests.api.sessions.playing import TABLE, UNTIMED, Session, goes_back, make
from tests.api.sessions.test_result import finished
from tests.api.sessions.test_several_actions import is_refused, send
from tests.live import Service
from tests.problems import error
from tests.whole_games.legal_player import choose, moves

PREFLOP: list[dict[str, Any]] = [
    {"action": "roll_pocket", "player": "ann", "dice": ["1r", "1b"]},
    {"action": "roll_pocket", "player": "ben", "dice": ["6r", "6b"]},
    {"action": "check"},
    {"action": "check"},
]
"""A hand of Hold'em until the flop."""


def typed(service: Service, *players: str, **fields: Any) -> Session:
    """A game of dice-poker whose dice are typed in."""
    return make(service, "dice-poker", *players, dice="client", house_rules=UNTIMED, **fields)


def kept(session: Session) -> list[bytes]:
    """The sheet, and all of the result but what is the session's own."""
    result = session.read(TABLE, "/result").json
    own = [result.pop(name) for name in ("id", "created_at", "ended_at")]
    assert own[0] == session.made["id"]
    return [session.read(TABLE, "/sheet").body, repr(result).encode()]


def state_of(answer: Any) -> Any:
    """The state of an answer but its news."""
    return {**answer["state"], "news": []}


@pytest.mark.usefixtures("solved_dice_poker")
def test_written_turns(service: Service) -> None:
    """A turn that was written in the wrong box is written again (G4); what was taken back is in no
    review, result or sheet.
    """
    right, wrong = typed(service, "ann", "ben"), typed(service, "ann", "ben")
    assert wrong.act("write", box="ones", points=3).status == 200
    reply = wrong.act("take_back", who="ann", to=1)
    assert state_of(reply.json) == state_of(wrong.made)
    for session in (right, wrong):
        session.act("roll", dice=[4, 4, 4, 2, 1])
        session.act("score", box="fours")
        session.act("write", box="fours", points=16)
    assert wrong.act("take_back", to=5).json["state"]["to_act"] == ["ben"]
    assert wrong.act("write", box="fours", points=16).status == 200
    assert wrong.act("take_back", to=6).status == 200
    assert kept(wrong) == kept(right)
    reviews = [session.read(below="/review").json for session in (wrong, right)]
    assert reviews[0]["players"] == reviews[1]["players"]
    assert list(reviews[0]["players"]) == ["ann"]
    chances = [[point["chances"] for point in each["curve"]] for each in reviews]
    assert chances[0] == chances[1]


@pytest.mark.parametrize(
    ("variant", "paper"),
    [
        ("dice-poker", {"cards": {"ann": {"ones": 3, "chance": 22}, "ben": {"fours": 12}}}),
        ("roll-a-royal", {"totals": {"ann": 1200, "ben": 950}}),
        ("poker-dice", {"stacks": {"ann": 30, "ben": 7}}),
        ("texas-holdem-dice", {"stacks": {"ann": 300, "ben": 200}}),
    ],
)
def test_from_paper(service: Service, variant: str, paper: dict[str, Any]) -> None:
    """A game from paper goes back to what was on paper, and no further."""
    session = make(service, variant, "ann", "ben", dice="client", **paper)
    before, rng, now = kept(session), Random(3), session.made
    for _ in range(8):
        reply = session.act(**choose(rng, moves(now["actions"]), {None: now}))
        assert reply.status == 200, reply.body
        now = reply.json
    assert goes_back(None, 1, 8) in now["actions"]
    text = "must be a whole number between 1 and 8"
    assert session.act("take_back", to=0).json["errors"] == [error("/to", text)]
    back = session.act("take_back", to=1).json
    clock = {"ends_at": None}
    assert {**state_of(back), **clock} == {**state_of(session.made), **clock}
    assert kept(session) == before


def test_a_player_who_left_by_mistake(service: Service) -> None:
    """The table takes back that a player left, though others have played since; so does the player
    as long as nobody has.
    """
    session = typed(service, "ann", "ben", "cay")
    assert session.act("leave", player="ben").json["state"]["left"] == ["ben"]
    session.act("write", who="ann", box="chance", points=20)
    after = session.act("write", who="cay", box="chance", points=15).json
    assert after["state"]["cards"]["ben"]["scores"]["ones"] == 0
    back = session.act("take_back", to=1).json
    assert (back["state"]["left"], state_of(back)) == ([], state_of(session.made))
    assert session.act("write", who="ann", box="chance", points=20).status == 200
    assert session.act("leave", who="ben").status == 200
    reply = session.act("take_back", who="ben", to=6)
    assert (reply.status, reply.json["state"]["to_act"]) == (200, ["ben"])
    assert session.act("write", who="ben", box="ones", points=4).status == 200
    players = session.read(TABLE, "/result").json["players"]
    assert [(each["place"], each["total"], each["turns"]) for each in players] == [
        *((1, 20, 1), (2, 4, 1), (3, 0, 0))
    ]


def test_after_the_end(service: Service) -> None:
    """The last turn of a game that is over is corrected: another one wins, and the result and the
    sheet are those of a game without the mistake.
    """
    session = finished(service, "ann", "ben")
    over = session.read().json
    assert (over["version"], over["state"]["winners"]) == (53, ["ann"])
    assert over["actions"] == [goes_back("ben", 52, 52), goes_back(None, 1, 52)]
    first = kept(session)
    back = session.act("take_back", who="ben", version=53, to=52)
    assert (back.status, back.json["state"]["over"]) == (200, False)
    assert session.read(TABLE, "/result").json["ended_at"] is None
    won = session.act("score", box="chance", key="k").json
    assert (won["state"]["over"], won["state"]["winners"]) == (True, ["ben"])
    head, *_, total, place = session.read(TABLE, "/sheet").body.decode().splitlines()
    assert (head, total, place) == (",ann,ben", "Total,13,19", "Place,2,1")
    assert session.act("take_back", to=53).json["state"]["winners"] == ["ann"]
    assert kept(session) == first


def test_what_may_tell_of_pockets(service: Service) -> None:
    """No player can try what pockets a flop would win or lose against (H33): only the table takes
    it back. A fold that ends a hand shows nothing, so its player takes it back.
    """
    session = make(service, "texas-holdem-dice", "ann", "ben", dice="client")
    for action in PREFLOP:
        assert session.act(**action).status == 200
    roller = session.read().json["actions"][0]["player"]
    flop: dict[str, Any] = {"action": "roll_flop", "dice": ["2r", "3b", "4w"]}
    rolled = session.act(**flop, who=roller).json
    assert [each for each in rolled["actions"] if each["action"] == "take_back"] == [
        goes_back(None, 1, 5)
    ]
    text = "can't be performed: the last action showed dice that nobody knew before it"
    refused = session.act("take_back", who=roller, to=5)
    assert (refused.status, refused.json["errors"]) == (422, [error("/action", text)])
    assert session.act("take_back", to=5).status == 200
    assert session.act(**flop).status == 200
    (who,) = session.read().json["state"]["to_act"]
    folded = session.act("fold", who=who).json
    assert [news["what"] for news in folded["state"]["news"]] == ["won_without_showing"]
    assert session.act("take_back", who=who, to=8).json["version"] == 10


def test_two_devices_at_once(service: Service) -> None:
    """Of two who take back the same version at once, one does, and the other gets 412."""
    session = typed(service, "ann", "ben")
    session.act("write", box="chance", points=20)
    for version in range(2, 8):
        both: list[tuple[str, int]] = [("ann" if version == 2 else TABLE, 1), (TABLE, 1)]
        with ThreadPoolExecutor(2) as devices:
            asked = [
                devices.submit(session.act, "take_back", who=who, version=version, to=to)
                for who, to in both
            ]
            statuses = [each.result().status for each in asked]
        assert sorted(statuses) == [200, 412]
        assert session.read().json["version"] == version + 1


def test_not_with_other_actions(service: Service) -> None:
    """A list takes back only if it has no other action; otherwise nothing is done."""
    session = typed(service, "ann", "ben")
    session.act("roll", dice=[6, 6, 6, 1, 2])
    before = session.stands()
    back, score = {"action": "take_back", "to": 1}, {"action": "score", "box": "chance"}
    text = "can't be performed together with other actions"
    reply = send(session, [score, back])
    is_refused(session, reply, "/actions/1/action", text, before[0]["actions"])
    many = send(session, [back, score, back]).json["errors"]
    assert many == [error(f"/actions/{place}/action", text) for place in (0, 2)]
    wrong = send(session, [{**back, "to": 2}])
    is_refused(session, wrong, "/actions/0/to", "must be 1", before[0]["actions"])
    assert session.stands() == before
    reply = send(session, [back], version=2, key="k")
    assert (reply.status, state_of(reply.json)) == (200, state_of(session.made))
    assert send(session, [back], version=2, key="k").body == reply.body
