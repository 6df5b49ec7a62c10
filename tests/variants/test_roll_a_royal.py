"""`roll-a-royal`: the turn as a whole."""

from __future__ import annotations

import random
from dataclasses import fields
from typing import Any

import pytest

from service.kinds.layout.played import Played, TurnPlayer
from service.kinds.layout.solver import WORK
from service.kinds.layout.variant import MAX_LIMITED_PLAYERS, RANK_STEPS, LayoutRules
from service.rules.reasons import spoken
from service.rules.violations import InvalidInput
from service.variants.roll_a_royal import DICE_SET, HANDS, VARIANT
from tests.problems import breach
from tests.reference.turns import Rolls, natural

ROYAL = [
    ["As", "Ks", "Qs", "Js", "Ts", "Ah", "--", "Kd", "--", "Jd", "4c", "4h", "9s"],
    ["Kc", "--"],
    ["2d"],
]
SPADES = [[rank + "s" for rank in "23456789TJQKA"]]
HARD = [[*(f"{rank}s" for rank in "2346789JQKA"), "5h", "Th"]]
"""As hard to search as any turn that is known."""
LOW = ["2s", "4d", "6h", "8c", "Ts", "Qd", "9c", "9h", "--", "--", "2c", "As", "Kh"]


def play(rolls: Rolls, risk: int | None = None, **rules: Any) -> Played:
    """The best layout of a turn under house rules."""
    return VARIANT.evaluate(VARIANT.read_rolls(rolls), LayoutRules(**rules), risk)


def test_points_of_each_hand() -> None:
    """Each hand has the points of R9, and those for a further card."""
    hands = [getattr(HANDS, each.name) for each in fields(HANDS)]
    assert {hand.id: (hand.points, hand.further) for hand in hands} == {
        "royal_flush": (4000, 400),
        "straight_flush": (2000, 200),
        "four_of_a_kind": (500, 0),
        "full_house": (400, 0),
        "flush": (300, 100),
        "straight": (200, 50),
        "three_of_a_kind": (150, 0),
        "pair": (50, 0),
    }


@pytest.mark.parametrize(
    ("first", "missing"),
    [
        (LOW, "a pair of nines"),
        (["2s", "4d", *["--"] * 11], "no pair"),
        (["--"] * 13, "no pair"),
        (["2s", "2d", "Th", "Td", *["--"] * 9], "a pair of tens"),
    ],
)
def test_unopened(first: list[str], missing: str) -> None:
    """A first roll below jacks scores zero, whatever came later, and says why (R25, R31, R34)."""
    blanks = first.count("--")
    for rolls in ([first], [first, ["Jh", "Jd", *["--"] * (blanks - 2)]]):
        played = play(rolls, risk=4)
        assert (played.opened, played.hands, played.points, played.score) == (False, (), 0, 0)
        assert (played.proven, played.wins_game, played.grid) == (True, False, [])
        assert played.lacks is not None
        assert spoken(played.lacks) == (
            f"A pair of jacks or better opens; the best here is {missing} (R25)."
        )


@pytest.mark.parametrize(
    "opening", ["Js Jd", "As Ad", "2s 2d 2h", "2s 4s 6s 8s Ts", "2s 3d 4s 5s 6s", "As 2d 3s 4s 5s"]
)
def test_opened(opening: str) -> None:
    """A pair of jacks to aces opens, and so does any hand above a pair (R25)."""
    first = opening.split()
    played = play([[*first, *["--"] * (13 - len(first))]])
    assert (played.opened, played.lacks) == (True, None)


def test_opening_can_be_left_out() -> None:
    """Under `opening` none every turn counts (R25)."""
    played = play([LOW], opening="none", layout="either")
    assert (played.opened, played.points) == (True, 100)


@pytest.mark.parametrize(("risk", "score"), [(None, 8900), (0, 0), (1, 8900), (3, 26700)])
def test_risk(risk: int | None, score: int) -> None:
    """The risk die multiplies the whole turn, and a blank makes it zero (R10, R29)."""
    played = play(ROYAL, risk)
    assert (played.points, played.score) == (8900, score)


def test_bonus_is_multiplied() -> None:
    """The bonus for all dice is part of the turn, as a single hand of all of them is one group
    (R8, R29, R34).
    """
    played = play(SPADES, 2)
    assert (played.bonus, played.points, played.score) == (500, 16500, 33000)


def test_bonus_only_in_connected_layouts() -> None:
    """Either and unconnected earn no bonus (R11)."""
    assert [play(SPADES, layout=layout).bonus for layout in ("either", "unconnected")] == [0, 0]


def test_super_royal() -> None:
    """Thirteen cards of one suit win the game; twelve and a blank don't (R9, R30)."""
    assert play(SPADES).wins_game
    assert play([[*SPADES[0][:12], "--"], ["As"]], risk=0).wins_game
    assert not play([[*SPADES[0][:12], "--"]]).wins_game
    assert not play([[*SPADES[0][:12], "2h"]]).wins_game


def test_lone_pair() -> None:
    """A pair counts alone where hands needn't connect, and not where they must (R7, R28)."""
    pair = [["Js", "Jd", *["--"] * 11]]
    assert play(pair).points == 0
    assert [play(pair, layout=layout).points for layout in ("either", "unconnected")] == [50, 50]


def test_three_of_a_kind_as_crossing_pairs() -> None:
    """A lone three scores nothing connected, but two pairs that cross in it do (R7)."""
    three = [["Js", "Jd", "Jh", *["--"] * 10]]
    assert play(three).points == 100
    assert [hand.line.hand.id for hand in play(three).hands] == ["pair", "pair"]
    assert play(three, layout="either").points == 150


def test_rank() -> None:
    """The highest score is first, equal ones share a place, a super royal wins (R5, R9)."""
    royal, spades = VARIANT.read_rolls(ROYAL), VARIANT.read_rolls(SPADES)
    nothing = VARIANT.read_rolls([LOW])
    players = [
        TurnPlayer("ann", royal, None),
        TurnPlayer("ben", spades, 0),
        TurnPlayer("cat", royal, 1),
        TurnPlayer("dan", royal, 4),
        TurnPlayer("eve", nothing, 4),
    ]
    places = VARIANT.rank(players, LayoutRules())
    assert [
        (place.place, [entry.id for entry in place.entries], spoken(place.because))
        for place in places
    ] == [
        (1, ["ben"], "A super royal wins the game at once (R9)."),
        (2, ["dan"], "A score of 35,600 is 26,700 more than 8,900 (R5)."),
        (3, ["ann", "cat"], "A score of 8,900 is 8,900 more than 0 (R5)."),
        (5, ["eve"], "The lowest score here: 0."),
    ]


def test_several_super_royals() -> None:
    """Of several super royals the higher score comes first, above all other turns (R34)."""
    spades, royal = VARIANT.read_rolls(SPADES), VARIANT.read_rolls(ROYAL)
    hearts = VARIANT.read_rolls([[*(rank + "h" for rank in "23456789TJQK"), "--"], ["Ah"]])
    players = [
        TurnPlayer("ann", royal, 4),
        TurnPlayer("ben", hearts, None),
        TurnPlayer("cat", spades, None),
        TurnPlayer("dan", spades, 0),
    ]
    scores = [VARIANT.evaluate(turn, LayoutRules()).score for turn in (spades, hearts, royal)]
    assert scores == sorted(scores, reverse=True)
    places = VARIANT.rank(players, LayoutRules())
    assert [[entry.id for entry in place.entries] for place in places] == [
        ["cat"], ["ben"], ["dan"], ["ann"],
    ]  # fmt: skip
    difference = scores[0] - scores[1]
    assert [spoken(place.because) for place in places[:3]] == [
        f"A score of {scores[0]:,} is {difference:,} more than {scores[1]:,} (R5).",
        f"A score of {scores[1]:,} is {scores[1]:,} more than 0 (R5).",
        "A super royal wins the game at once (R9).",
    ]


def test_rank_alone_and_equal() -> None:
    """One player is compared with nobody, and equal players tie (R5)."""
    royal = VARIANT.read_rolls(ROYAL)
    (alone,) = VARIANT.rank([TurnPlayer("ann", royal, None)], LayoutRules())
    assert spoken(alone.because) == "A score of 8,900, and nobody else to compare with."
    both = [TurnPlayer(name, royal, None) for name in ("ann", "ben")]
    (tied,) = VARIANT.rank(both, LayoutRules())
    assert spoken(tied.because) == "A score of 8,900 each; equal scores tie (R5)."


def test_strength_does_not_depend_on_who_plays() -> None:
    """A turn with equal cards has the same part of the limit whoever else plays (R32)."""
    turn = VARIANT.read_rolls([["As"] * 7 + ["Ah"] * 6])
    rules = LayoutRules(repeated_cards=True)
    players = [TurnPlayer(str(number), turn, None) for number in range(MAX_LIMITED_PLAYERS + 1)]
    part = VARIANT.evaluate(turn, rules, work=WORK // MAX_LIMITED_PLAYERS)
    for count in (1, 2, MAX_LIMITED_PLAYERS):
        (place,) = VARIANT.rank(players[:count], rules)
        assert {entry.played for entry in place.entries} == {part}
    with pytest.raises(InvalidInput) as refused:
        VARIANT.rank(players, rules)
    assert str(refused.value) == (
        "players must hold at most 6 players, not 7, with repeated_cards or max_uses above 2"
    )


def test_unproven_places_say_so() -> None:
    """A reason that compares what isn't proven says that better layouts may exist (R32)."""
    turn = VARIANT.read_rolls([["As"] * 7 + ["Ah"] * 6])
    players = [TurnPlayer("ann", turn, 1), TurnPlayer("ben", turn, 0)]
    first, _ = VARIANT.rank(players, LayoutRules(repeated_cards=True))
    assert not first.entries[0].played.proven
    assert spoken(first.because).endswith("more than 0 (R5). Better layouts may exist (R32).")


@pytest.mark.parametrize(
    ("natural_turns", "hard_turns"), [(20, 2), pytest.param(100, 10, marks=pytest.mark.proof)]
)
def test_rank_of_a_table(natural_turns: int, hard_turns: int) -> None:
    """A hundred natural turns, or ten of the hardest, are ranked, each layout proven (R32)."""
    source = random.Random(17)
    turns = [VARIANT.read_rolls(natural(source, DICE_SET)) for _ in range(natural_turns)]
    for table in (turns, [VARIANT.read_rolls(HARD)] * hard_turns):
        players = [TurnPlayer(str(number), turn, None) for number, turn in enumerate(table)]
        places = VARIANT.rank(players, LayoutRules())
        assert sorted(entry.id for place in places for entry in place.entries) == sorted(
            player.id for player in players
        )
        for place in places:
            for entry in place.entries:
                assert entry.played == VARIANT.evaluate(players[int(entry.id)].rolls, LayoutRules())
                assert entry.played.proven


def test_rank_ends_where_it_would_take_too_long() -> None:
    """Turns that take more steps to search than one request may are refused, not guessed (R32)."""
    players = [TurnPlayer(str(number), VARIANT.read_rolls(HARD), None) for number in range(100)]
    steps = VARIANT.evaluate(players[0].rolls, LayoutRules()).steps
    with pytest.raises(InvalidInput) as refused:
        VARIANT.rank(players, LayoutRules())
    detail = (
        "is one turn too many: the searches of one request may take 120000 steps, and the turns "
        "before it used them up. Rank the players in several requests, and compare their "
        "strengths"
    )
    assert refused.value.violations == (breach(("players", -(-RANK_STEPS // steps)), detail),)
