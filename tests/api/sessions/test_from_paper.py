"""Sessions that go on with a game from paper: cards, stacks or totals."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from service.cli import verify
from service.variants.dice_poker import VARIANT
from tests.api.sessions.playing import PATH, UNTIMED, Session, make
from tests.live import Service
from tests.problems import error
from tests.sampled import first
from tests.whole_games.legal_player import choose, moves

CARDS = {"ann": {"ones": 3, "chance": 22}, "ben": {"chance": 20}, "cat": {"fours": 0}}
THREE = ("ann", "ben", "cat")

FULL = dict(
    zip(
        [box.id for box in VARIANT.boxes],
        [3, 6, 9, 12, 15, 18, 20, 0, 25, 30, 0, 50, 20],
        strict=True,
    )
)
BONUS = {**UNTIMED, "extra_five_bonus": 100}


def finished(session: Session) -> Any:
    """The session at its end, with actions picked at random."""
    now = session.read().json
    rng = Random(7)
    while able := moves(now["actions"]):
        reply = session.act(**choose(rng, able, {None: now}))
        assert reply.status == 200, reply.body
        now = reply.json
    return now


@pytest.mark.parametrize(
    ("variant", "fields", "expected"),
    [
        ("dice-poker", {"cards": CARDS, "house_rules": UNTIMED},
         {"to_act": ["ben"], "order": [*THREE]}),
        ("yahtzee-deluxe",
         {"cards": {"ann": {"ones": 3}, "ben": {}, "cat": {"yahtzee": 60}},
          "house_rules": {"direction": "counter_clockwise"}},
         {"to_act": ["ben"], "order": ["ann", "cat", "ben"], "phase": "playing"}),
        ("dice-poker", {"cards": {player: {} for player in THREE}, "house_rules": UNTIMED},
         {"to_act": ["ann"]}),
        ("roll-a-royal",
         {"totals": {"ann": 1200, "ben": 0, "cat": 950}, "house_rules": {"turns": 2}},
         {"to_act": ["ann"], "totals": {"ann": 1200, "ben": 0, "cat": 950}, "phase": "rolling"}),
        ("poker-dice", {"stacks": {"ann": 0, "ben": 7, "cat": 300}, "house_rules": {"rounds": 2}},
         {"to_act": ["ben"], "starter": "ben", "pot": 0, "round": 1}),
        ("texas-holdem-dice",
         {"stacks": {"ann": 0, "ben": 200, "cat": 300}, "house_rules": {"hands": 2}},
         {"dealer": "ben"}),
    ],
)  # fmt: skip
@pytest.mark.parametrize("dice", first(["server", "client"]))
def test_a_game_goes_on(
    service: Service, variant: str, fields: dict[str, Any], expected: Any, dice: str
) -> None:
    """The game starts with what is on paper, whoever is next begins, and it ends as any other.

    Who began is the first player listed, so nobody throws again; nobody without chips takes part.
    """
    session = make(service, variant, *THREE, dice=dice, **fields)
    state, paper = session.made["state"], fields.keys() - {"house_rules"}
    assert state == {**state, **expected}
    for name in paper:
        assert session.made[name] == session.events().json[name] == fields[name]
    end = finished(session)
    assert end["state"]["over"]
    if "stacks" in fields:
        assert "ann" not in end["state"]["winners"]


def test_cards_are_added_up(service: Service) -> None:
    """A card from paper counts with its bonus and its repeats, and stays as it is."""
    ann = {name: score for name, score in FULL.items() if name != "chance"} | {"extra_fives": 1}
    cards = {"ann": {**ann, "three_of_a_kind": 25}, "ben": {**FULL, "fours": None, "chance": 5}}
    rules = {"house_rules": BONUS, "dice": "client"}
    session = make(service, "dice-poker", "ann", "ben", cards=cards, **rules)
    shown = session.made["state"]["cards"]
    assert shown["ann"]["total"] == 63 + 35 + 25 + 25 + 30 + 50 + 100
    assert (shown["ann"]["extra_fives"], shown["ben"]["extra_fives"]) == (1, 0)
    session.act("write", box="chance", points=20)
    end = session.act("write", box="fours", points=12).json["state"]
    assert (end["over"], end["winners"]) == (True, ["ann"])


def turns(count: int, maximum: int) -> str:
    """What is wrong with `count` filled boxes where `maximum` are due."""
    word = "box" if maximum == 1 else "boxes"
    return f"must have {maximum} filled {word}, not {count}: turns go in order"


MULTIPLE = "must be a whole number between 0 and 1000000000 and a multiple of 10"
ONLY_SCORES = (
    "must be a score that a roll can give there (0, 4, 8, 12, 16, 20), or null while the box is "
    "open"
)


TWO_STACKS = "must have chips for at least 2 players"


@pytest.mark.parametrize(
    ("variant", "fields", "errors"),
    [
        ("dice-poker", {"cards": {"ann": {"ones": 1}, "ben": {"ones": 1, "twos": 2}}},
         [("/cards/ann", turns(1, 2)), ("/cards/ben", turns(2, 1))]),
        ("dice-poker", {"cards": {"ann": FULL, "ben": {"ones": 1}}},
         [("/cards/ann", turns(13, 7)), ("/cards/ben", turns(1, 7))]),
        ("dice-poker", {"cards": {"ann": FULL, "ben": FULL}},
         [("/cards", "must have an open box: all cards are full")]),
        ("dice-poker", {"cards": {"ann": {"fours": 7}, "ben": {}}},
         [("/cards/ann/fours", ONLY_SCORES)]),
        ("dice-poker", {"cards": {"ann": {"extra_fives": 1}, "ben": {}}},
         [("/cards/ann/extra_fives", "must be 0 without the house rule extra_five_bonus (D10)")]),
        ("dice-poker", {"cards": {"ann": {}, "zoe": {}}},
         [("/cards/ben", "is missing"),
          ("/cards/zoe", "is not a known field; the fields are ann, ben")]),
        ("dice-poker", {"cards": [1]},
         [("/cards", "must be an object with a field for each of up to 100 players")]),
        ("dice-poker", {"stacks": {"ann": 5, "ben": 5}},
         [("/stacks", "is not a known field; the fields are variant, players, dice, seed, advice, "
                      "cards, keep_seconds, computers, house_rules")]),
        ("texas-holdem-dice", {"stacks": {"ann": 15, "ben": -10}},
         [("/stacks/ann", MULTIPLE), ("/stacks/ben", MULTIPLE)]),
        ("poker-dice", {"stacks": {"ann": 15, "ben": 0}}, [("/stacks", TWO_STACKS)]),
        ("texas-holdem-dice", {"stacks": {"ann": 0, "ben": 0}}, [("/stacks", TWO_STACKS)]),
        ("roll-a-royal",
         {"totals": {"ann": 900, "ben": 1000}, "house_rules": {"target_score": 1000}},
         [("/totals/ben", "must be a whole number between 0 and 999")]),
    ],
)  # fmt: skip
def test_what_cannot_be_on_paper(
    service: Service, variant: str, fields: dict[str, Any], errors: list[tuple[str, str]]
) -> None:
    """What no game can have come to is refused, each player with what is wrong."""
    reply = service.post(PATH, {"variant": variant, "players": ["ann", "ben"], **fields})
    assert (reply.status, reply.json["errors"]) == (422, [error(*each) for each in errors])


def test_the_history_proves_the_dice(service: Service) -> None:
    """The dice of a game from paper are verified from the history alone, which has the paper."""
    for variant, fields in (
        ("dice-poker", {"cards": {"ann": FULL, "ben": {**FULL, "ones": None}}}),
        ("texas-holdem-dice", {"stacks": {"ann": 40, "ben": 20}}),
    ):
        rules = {"turn_seconds": None}
        session = make(service, variant, "ann", "ben", house_rules=rules, **fields)
        assert finished(session)["state"]["over"]
        assert verify.verified(verify.read(session.events().body))


@pytest.mark.usefixtures("solved_dice_poker")
def test_review(service: Service) -> None:
    """The review begins with the card from paper; who had no turn since is left out."""
    card = {name: score for name, score in FULL.items() if name not in ("ones", "chance")}
    cards = {"ann": {**card, "chance": 20}, "ben": card}
    session = make(
        service, "dice-poker", "ann", "ben", cards=cards, dice="client", house_rules=UNTIMED
    )
    session.act("roll", dice=[1, 1, 2, 3, 4])
    session.act("score", box="chance")
    asked = {
        "card": card,
        "turns": [{"rolls": [[1, 1, 2, 3, 4]], "box": "chance"}],
        "house_rules": session.made["house_rules"],
    }
    expected = service.post("/v1/variants/dice-poker/review", asked).json
    assert session.read(below="/review").json["players"] == {"ben": expected}


def test_an_earlier_version_is_replayed_from_paper(service: Service) -> None:
    """A repeated action gets its version again, replayed from what was on paper."""
    fields = {"cards": CARDS, "house_rules": UNTIMED, "dice": "client"}
    session = make(service, "dice-poker", *THREE, **fields)
    first = session.act("write", box="ones", points=2, key="first", version=1)
    session.act("write", box="ones", points=2)
    again = session.act("write", box="ones", points=2, key="first", version=1)
    assert (again.status, again.body) == (200, first.body)
