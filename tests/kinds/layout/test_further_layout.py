"""A layout of six dice with its own clauses, compared with all placements of the dice."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from service.engine.actions import Action
from service.engine.game import GameTable
from service.kinds.layout.game import LayoutGame
from service.kinds.layout.own_layout import OwnLine
from service.kinds.layout.played import TurnPlayer
from service.kinds.layout.state import LayoutState
from service.kinds.layout.variant import LayoutRules
from service.rules.reasons import spoken
from service.rules.violations import InvalidInput
from tests.engine.random_play import play
from tests.reasons import said
from tests.reference import little_royal as reference
from tests.trial_games.little_royal import VARIANT, LittleRoyalRules

MODES = ("connected", "unconnected", "either")
ROLLS = [["Ts", "Jm", "Qs", "Ks", "As", "--"], ["Ad"]]


def natural(rng: Random) -> tuple[list[list[str]], list[reference.Card | None]]:
    """Two rolls of the published dice, and what the dice show then."""
    dice = VARIANT.dice.dice_set
    first = [rng.choice(faces) for faces in dice]
    again = [rng.choice(faces) for faces, face in zip(dice, first, strict=True) if face == "--"]
    later = iter(again)
    cards = [(next(later), False) if face == "--" else (face, True) for face in first]
    rolls = [first, again] if again else [first]
    return rolls, [None if face == "--" else (face, early) for face, early in cards]


def one_rank_or_suit(rng: Random) -> tuple[list[list[str]], list[reference.Card | None]]:
    """A roll of any cards in few ranks or one suit, so that there are many hands."""
    suits = rng.choice(["s", "md", "smd"])
    ranks = rng.choice(["9TJQKA", "A2345", "89TJ", "KA"])
    faces = [rng.choice(ranks) + rng.choice(suits) for _ in range(6)]
    return [faces], [(face, True) for face in faces]


def compare(rolls: list[list[str]], cards: list[reference.Card | None]) -> None:
    """Compares the best layouts of a turn, whatever hands may share."""
    turn = VARIANT.read_rolls(rolls)
    found = {}
    for mode in MODES:
        played = VARIANT.evaluate(turn, LittleRoyalRules(layout=mode, repeated_cards=True))
        assert played.proven
        found[mode] = played.points
    assert found == reference.best(cards), rolls


@pytest.mark.parametrize("turns", [3, pytest.param(60, marks=pytest.mark.proof)])
def test_the_best_layouts(turns: int) -> None:
    """Natural turns, and turns full of hands, have the points of the best placement (C1-C4)."""
    rng = Random(turns)
    for _ in range(turns):
        compare(*natural(rng))
        compare(*one_rank_or_suit(rng))


def test_one_suit() -> None:
    """The dice of a layout may have a single suit."""
    suns = tuple((f"{rank}s", f"{rank}s", "--", "--") for rank in "9TJQKA")
    dice = replace(VARIANT.dice, suits=VARIANT.dice.suits[:1], dice_set=suns)
    variant = replace(VARIANT, dice=dice)
    turn = variant.read_rolls([["9s", "Ts", "Js", "Qs", "Ks", "--"]])
    played = variant.evaluate(turn, LittleRoyalRules())
    assert [hand.line.hand.id for hand in played.hands] == ["straight_flush"]


def broken(laid: list[dict[str, Any]], rolls: Any = ROLLS, **rules: Any) -> list[str]:
    """The sentences on what a layout breaks."""
    with pytest.raises(InvalidInput) as refused:
        VARIANT.score(
            VARIANT.read_rolls(rolls), [OwnLine(**line) for line in laid], LittleRoyalRules(**rules)
        )
    return [str(violation.detail) for violation in refused.value.violations]


def across(*dice: int, row: int = 0) -> dict[str, Any]:
    """A line across from column 0."""
    return {"dice": dice, "direction": "across", "row": row, "column": 0}


def down(*dice: int, column: int = 0) -> dict[str, Any]:
    """A line down from row 0."""
    return {"dice": dice, "direction": "down", "row": 0, "column": column}


PAIRS: Any = [["As", "Am", "Ad", "Ks", "Km", "Kd"]]


@pytest.mark.parametrize(
    ("laid", "rules", "sentences"),
    [
        ([across(0, 3)], {}, ["is not a hand: As Ks on dice 0 and 3 (B1)"]),
        (
            [across(0, 1), down(0, 2)],
            {"layout": "unconnected"},
            ["shares die 0 with /layout/0; hands can't share dice in an unconnected layout (C4)"],
        ),
        (
            [across(0, 1), across(0, 2)],
            {},
            [
                "shares die 0 with /layout/0; parallel hands can't share dice (C1)",
                "puts die 2 in row 0, column 1, but /layout/0 puts die 1 there (C1)",
            ],
        ),
        (
            [across(0, 1, 2), {"dice": (0, 1)}],
            {"max_uses": 3},
            ["shares dice 0 and 1 with /layout/0; two hands can share at most one die (C5)"],
        ),
        (
            [across(0, 1), across(3, 4, row=2)],
            {"layout": "connected"},
            [
                "has 2 groups that share no die; all hands must be connected (C3): /layout/0; "
                "/layout/1",
                "is a pair that crosses no other hand, so it doesn't count (C3)",
                "is a pair that crosses no other hand, so it doesn't count (C3)",
            ],
        ),
        (
            [{"dice": (0, 1), "direction": "across", "row": 0}],
            {},
            ["is missing: hands run across or down unless max_uses is above 2 (C1)"],
        ),
    ],
)
def test_violations_cite_its_own_clauses(
    laid: list[dict[str, Any]], rules: dict[str, Any], sentences: list[str]
) -> None:
    """A layout that breaks the rules is refused with the clauses of this game."""
    assert broken(laid, PAIRS, **rules) == sentences


@pytest.mark.parametrize(
    ("rolls", "sentence"),
    [
        ([], "must be a list of 1 to 2 rolls (A2)"),
        ([["As"]], "must hold 6 faces, not 1 (A1)"),
        ([ROLLS[0], []], "must hold 1 face, one for each blank of the previous roll, not 0 (A2)"),
    ],
)
def test_rolls_cite_its_own_clauses(rolls: Any, sentence: str) -> None:
    """Rolls that can't be are refused with the clauses of this game."""
    with pytest.raises(InvalidInput) as refused:
        VARIANT.read_rolls(rolls)
    assert [str(violation.detail) for violation in refused.value.violations] == [sentence]


def test_reasons_cite_its_own_clauses() -> None:
    """Hands, places and a turn that doesn't open cite clauses of this game, or none."""
    turn = VARIANT.read_rolls([["Ts", "Js", "Qs", "Ks", "As", "Ad"]])
    royal, pair = VARIANT.evaluate(turn, LittleRoyalRules()).hands
    assert (spoken(royal.line.because), spoken(pair.line.because)) == (
        "Royal flush: 600 doubled on the first roll (B1, B2).",
        "Pair: 10 (B1).",
    )
    low = VARIANT.read_rolls([["2s", "2m", "4s", "5s", "7s", "9d"]])
    suns = VARIANT.read_rolls([["2s", "3s", "5s", "7s", "9s", "Js"]])
    places = VARIANT.rank(
        [
            TurnPlayer("ann", low, None),
            TurnPlayer("ben", turn, 2),
            TurnPlayer("cay", suns, None),
            TurnPlayer("dan", low, None),
        ],
        LittleRoyalRules(),
    )
    assert [spoken(place.because) for place in places] == [
        "A super royal wins the game at once (B1).",
        "A score of 2,420 is 2,410 more than 10 (D2).",
        "The lowest score here: 10.",
    ]
    lacks = VARIANT.lacks(low, LittleRoyalRules(opening="jacks_or_better"))
    assert lacks is not None
    assert spoken(lacks) == (
        "A pair of jacks or better opens; the best here is a pair of twos (A4)."
    )


@pytest.mark.parametrize("seed", range(5))
def test_whole_games(seed: int) -> None:
    """A game ends, and no news cites a clause of another game."""
    game = LayoutGame(VARIANT, GameTable(("ann", "ben", "cay"), LittleRoyalRules()))
    cited: set[str] = set()

    def watch(before: LayoutState, action: Action, after: LayoutState) -> None:
        del before, action
        for news in after.news:
            cited.update(re.findall(r"\(([A-Z]\d+)", spoken(news["because"])))

    assert play(game, Random(seed), watch).over
    assert cited
    assert cited <= {*VARIANT.clauses}


def test_a_step_without_a_clause() -> None:
    """The reason for a layout cites nothing, because the game names no clause for it."""
    rules = LayoutRules(turns=1)
    game = LayoutGame(replace(VARIANT), GameTable(("ann",), rules, typed_dice=True))
    state, _ = game.play(game.start(0), Action("roll", "ann", 0, {}, PAIRS[0]))
    state, _ = game.play(state, Action("lay", "ann", 0, {"layout": None}))
    (laid,) = said(state.news)
    assert laid["reason"] == (
        f"The layout is worth {laid['points']} points, and none is worth more."
    )
