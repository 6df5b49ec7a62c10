"""Reviews of score cards: luck and loss, turn by turn."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from service.advice.scorecard.options import Option, advise
from service.advice.scorecard.played import WORDS, PlayedTurn, accuracy, word
from service.advice.scorecard.review import Review, review
from service.advice.scorecard.scoring import scoring
from service.advice.scorecard.table import Table
from service.kinds.scorecard.card import BoxEntry, Card
from service.kinds.scorecard.variant import ScoreCard
from service.rules.house_rules import HouseRules
from service.rules.violations import InvalidInput
from service.variants.dice_poker import VARIANT as DICE_POKER
from service.variants.dice_poker import DicePokerRules
from tests.advice.scorecard.conftest import Tables
from tests.advice.scorecard.small_cards import PairRules, small_card, table_after, whole_table

BOXES = ", ".join(DICE_POKER.possible)


def _play(
    variant: ScoreCard, rules: HouseRules, chance: Random, table: Table | None = None
) -> tuple[list[PlayedTurn], Card]:
    """A whole game, played at random or by the best options of `table`, and the final card."""
    card = Card(dict.fromkeys(variant.possible))
    turns = []
    while card.open_boxes:
        count, faces = variant.dice.count, variant.dice.faces
        rolls = [tuple(chance.choices(range(1, faces + 1), k=count))]
        keeps: list[tuple[int, ...]] = []
        box, crossed_out = chance.choice(card.open_boxes), chance.random() < 0.1
        while len(rolls) < variant.rolls:
            if table:
                left = variant.rolls - len(rolls)
                best = advise(table, card, rolls[-1], left, limit=1).options[0]
                if best.action != "roll":
                    break
                keep = best.keep
            else:
                if chance.random() < 0.2:
                    break
                keep = tuple(chance.sample(range(count), chance.randrange(count)))
            last = rolls[-1]
            rolled = [
                last[die] if die in keep else chance.randint(1, faces) for die in range(count)
            ]
            keeps.append(keep)
            rolls.append(tuple(rolled))
        if table:
            best = advise(table, card, rolls[-1], variant.rolls - len(rolls), limit=1).options[0]
            box, crossed_out = str(best.box), best.action == "cross_out"
        turns.append(PlayedTurn(tuple(rolls), tuple(keeps), box, crossed_out))
        write = variant.crossed_out if crossed_out else variant.written
        card = write(card, BoxEntry(rolls[-1], box), rules)
    return turns, card


def luck(found: Review) -> float:
    """The luck of all rolls."""
    return found.total - found.start + sum(each.loss for each in found.decisions)


@pytest.mark.parametrize("games", [5, pytest.param(1_000, marks=pytest.mark.proof)])
def test_luck_and_loss_add_up(tables: Tables, games: int) -> None:
    """The total of a card is what it was worth at the start, plus luck, minus loss."""
    rules = DicePokerRules()
    table = tables(scoring(DICE_POKER, rules))
    for seed in range(games):
        turns, card = _play(DICE_POKER, rules, Random(seed))
        found = review(table, DICE_POKER, rules, turns)
        assert found.start == pytest.approx(245.870774514)
        assert found.total == DICE_POKER.added_up(card, rules).total
        before = [found.start, *(each.played.expected_total for each in found.decisions)]
        of_rolls = [
            each.best.expected_total - total
            for each, total in zip(found.decisions, before[:-1], strict=True)
        ]
        assert before[-1] == pytest.approx(found.total, abs=1e-9)
        assert sum(of_rolls) == pytest.approx(luck(found), abs=1e-9)
        assert len(found.decisions) == sum(len(turn.rolls) for turn in turns)
        assert min(each.loss for each in found.decisions) >= 0
        assert found.accuracy < 100


@pytest.mark.parametrize(
    ("bonus", "games"),
    [(6, 50), *(pytest.param(bonus, 300, marks=pytest.mark.proof) for bonus in (0, 6))],
)
def test_repeats_add_up(bonus: int, games: int) -> None:
    """Bonuses for repeats are part of what a card is worth, and luck is 0 on average."""
    rules = PairRules(pair_bonus=bonus, pair_joker=True)
    variant = small_card(3, {8: 4})
    table = whole_table(variant, rules)
    total = 0.0
    for seed in range(games):
        turns, card = _play(variant, rules, Random(seed))
        found = review(table, variant, rules, turns)
        assert found.total == variant.added_up(card, rules).total
        total += luck(found)
    assert (
        abs(total / games) < 2 * (300 / games) ** 0.5
    )  # its standard deviation is about a third of that


def test_best_play_loses_nothing(tables: Tables) -> None:
    """Who plays the best options loses nothing, has an accuracy of 100, and only luck varies."""
    rules = DicePokerRules()
    table = tables(scoring(DICE_POKER, rules))
    turns, card = _play(DICE_POKER, rules, Random(1), table)
    found = review(table, DICE_POKER, rules, turns)
    assert found.accuracy == 100.0
    assert {each.word for each in found.decisions} == {"good"}
    assert all(each.played is each.best for each in found.decisions)
    assert luck(found) == pytest.approx(DICE_POKER.added_up(card, rules).total - found.start)


def near(option: Option) -> tuple[Any, ...]:
    """The option, with figures that may differ by rounding.

    With one roll left, the order of the sums depends on what was computed before.
    """
    total, loss = pytest.approx(option.expected_total), pytest.approx(option.loss)
    return (option.action, total, loss, *option[3:])


def test_decisions(tables: Tables) -> None:
    """Each decision has what was played and what was best, with the figures of the advice."""
    rules = DicePokerRules()
    table = tables(scoring(DICE_POKER, rules))
    card = Card({**dict.fromkeys(DICE_POKER.possible), "chance": 20})
    rolls = ((6, 6, 6, 1, 2), (6, 6, 6, 6, 2))
    found = review(table, DICE_POKER, rules, [PlayedTurn(rolls, ((2, 1, 0),), "ones")], card)
    first = advise(table, card, rolls[0], 2, limit=100).options
    second = advise(table, card, rolls[1], 1, limit=100).options
    keep, box = found.decisions
    assert (keep.turn, keep.roll, keep.dice) == (1, 1, rolls[0])
    assert (
        keep.played
        == keep.best
        == first[0]
        == Option("roll", first[0].expected_total, 0.0, (0, 1, 2), (6, 6, 6))
    )
    assert (box.turn, box.roll, box.dice, box.word) == (1, 2, rolls[1], "blunder")
    assert box.best == near(second[0])
    assert box.played in [near(option) for option in second]
    assert (box.played.action, box.played.box) == ("cross_out", "ones")
    assert box.loss == box.best.expected_total - box.played.expected_total
    assert found.total == pytest.approx(box.played.expected_total)
    assert found.accuracy == accuracy([0.0, box.loss])


def test_unfinished_turn(tables: Tables) -> None:
    """The last turn may not be over: then the total is expected, with its dice and rolls left."""
    rules = DicePokerRules()
    table = tables(scoring(DICE_POKER, rules))
    rolls = ((1, 2, 3, 4, 6), (1, 2, 3, 4, 5))
    found = review(table, DICE_POKER, rules, [PlayedTurn(rolls, ((0, 1, 2, 3),))])
    card = Card(dict.fromkeys(DICE_POKER.possible))
    assert found.total == advise(table, card, rolls[1], 1).expected_total
    assert len(found.decisions) == 1


def test_time_up() -> None:
    """A turn without a roll loses what a zero in its box is worth less than a roll (D14)."""
    card = Card({**dict.fromkeys(DICE_POKER.possible, 0), "chance": None})
    rules = DicePokerRules()
    table = table_after(DICE_POKER, rules, card)
    turns = [PlayedTurn((), (), "chance", crossed_out=True)]
    found = review(table, DICE_POKER, rules, turns, card)
    (decision,) = found.decisions
    assert found.start == decision.loss == pytest.approx(70 / 3)
    assert found.total == 0.0
    assert (decision.roll, decision.dice, decision.word) == (0, (), "blunder")
    assert decision.best == Option("roll", found.start, 0.0)
    assert decision.played == Option("cross_out", 0.0, found.start, box="chance")


@pytest.mark.parametrize(
    ("loss", "expected"),
    [
        (0.0, "good"),
        (0.49, "good"),
        (0.499999999, "good"),
        (0.4999999999999929, "inaccuracy"),
        (0.5, "inaccuracy"),
        (2.0, "mistake"),
        (4.99, "mistake"),
        (5.0, "blunder"),
        (40.0, "blunder"),
    ],
)
def test_words(loss: float, expected: str) -> None:
    """A loss has the word of the highest threshold that it reaches."""
    assert word(loss) == expected
    assert expected in WORDS.values()


def test_accuracy() -> None:
    """Accuracy halves with every five points that a choice loses."""
    assert accuracy([]) == 100
    assert accuracy([0, 0]) == 100
    assert accuracy([5]) == 50
    assert accuracy([0, 5, 10, 15]) == (100 + 50 + 25 + 12.5) / 4


@pytest.mark.parametrize(
    ("turns", "violations"),
    [
        (
            [PlayedTurn(((1, 1, 2, 3, 4), (1, 2, 2, 3, 4)), ((0, 1, 1, 5),), "kings")],
            [
                "turns/0/rolls/1/1 must stay 1, because that die was kept",
                "turns/0/keeps/0/2 repeats die 1",
                "turns/0/keeps/0/3 must be the index of a die, from 0 to 4",
                f"turns/0/box is not a box of this card; boxes are {BOXES}",
            ],
        ),
        (
            [PlayedTurn(((1,) * 5,) * 4, ((),) * 3, "sixes")],
            [
                "turns/0/rolls must hold at most 3 rolls, as a turn has",
                "turns/0/box is already used; open boxes: ones, twos, chance",
            ],
        ),
    ],
)
def test_impossible_turns(turns: list[PlayedTurn], violations: list[str]) -> None:
    """Turns that the rules don't allow are refused, also those that no request can have."""
    card = Card(
        {**dict.fromkeys(DICE_POKER.possible, 0), "ones": None, "twos": None, "chance": None}
    )
    table = table_after(DICE_POKER, DicePokerRules(), card)
    with pytest.raises(InvalidInput) as refused:
        review(table, DICE_POKER, DicePokerRules(), turns, card)
    assert str(refused.value).split("; ", maxsplit=0) == ["; ".join(violations)]


@pytest.mark.parametrize(
    ("first", "second", "violations"),
    [
        (((6, 6, 1, 2, 3), "sixes", False), ((1, 1, 2, 3, 4), "ones", False), []),
        (((1, 1, 2, 3, 4), "sixes", False), None, ["turns/0/box"]),
        (((6, 6, 2, 2, 3), "sixes", True), None, ["turns/0/box"]),
        (((2, 2, 3, 3, 4), "sixes", True), None, []),
        (((2, 2, 3, 3, 4), "ones", False), ((2, 2, 3, 3, 6), "sixes", True), ["turns/1/box"]),
        (((), "ones", True), None, []),
    ],
    ids=["scores", "a zero", "crossed out", "nothing fits", "the second turn", "without a roll"],
)
def test_zeros_while_the_dice_score(
    first: tuple[tuple[int, ...], str, bool],
    second: tuple[tuple[int, ...], str, bool] | None,
    violations: list[str],
) -> None:
    """Under zero_only_if_nothing_fits no turn has a zero while its dice score in an open box (D17).

    A turn without a roll has no dice that score.
    """
    rules = DicePokerRules(zero_only_if_nothing_fits=True)
    card = Card({**dict.fromkeys(DICE_POKER.possible, 0), "ones": None, "sixes": None})
    table = table_after(DICE_POKER, rules, card)
    turns = [
        PlayedTurn((dice,) if dice else (), (), box, crossed_out)
        for dice, box, crossed_out in filter(None, (first, second))
    ]
    if not violations:
        assert len(review(table, DICE_POKER, rules, turns, card).decisions) == len(turns)
        return
    with pytest.raises(InvalidInput) as refused:
        review(table, DICE_POKER, rules, turns, card)
    box = "sixes" if second or first[2] else "ones"
    assert str(refused.value) == (
        f"{violations[0]} must be {box}, where the dice score: a zero is refused (D17)"
    )
