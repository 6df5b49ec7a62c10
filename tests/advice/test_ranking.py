"""The chance to win a round of beat it or bust (P2-P6)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from service.advice.ranking.chances import Option, options
from service.advice.ranking.position import RankingPosition, has_advice, most_players_after
from service.kinds.ranking.variant import Ranking
from service.rules.dice import Dice
from service.rules.violations import InvalidInput
from service.variants.poker_dice import VARIANT, PokerDiceRules
from tests.problems import breach
from tests.reference.beat_or_bust_chances import Round
from tests.trial_games.pair_and_point import VARIANT as PAIR_AND_POINT
from tests.trial_games.three_rolls import VARIANT as THREE_ROLLS


def compare(variant: Ranking, reference: Round, players: int) -> int:
    """Compares every option of every position in rounds of `players`, and returns how many."""
    rules = variant.default_rules
    by_strength = {strength: hand for hand, strength in reference.strength.items()}
    compared = 0
    for after in range(players):
        for least in (None, *by_strength) if after < players - 1 else (None,):
            beaten = None if least is None else by_strength[least]
            for dice in reference.hands:
                for rolls_left in range(variant.rolls):
                    position = RankingPosition(dice, rolls_left, beaten, after)
                    found = options(variant, rules, position)
                    given = -1 if least is None else least
                    expected = reference.chances(dice, rolls_left, given, after)
                    assert len(found) == len(expected)
                    best = max(expected.values())
                    for option in found:
                        key = None if option.keep is None else tuple(sorted(option.dice))
                        assert option.chance == pytest.approx(float(expected[key]), abs=1e-12)
                        loss = float(best - expected[key])
                        assert option.loss == pytest.approx(loss, abs=1e-12)
                        assert (option.loss == 0) == (loss == 0)
                    assert [option.loss for option in found] == sorted(
                        option.loss for option in found
                    )
                    compared += len(found)
    return compared


def three_dice(faces: int, rolls: int) -> tuple[Ranking, Round]:
    """A game of three dice: triples beat sequences, and those beat all else."""
    variant = replace(THREE_ROLLS, dice=Dice(count=3, faces=faces), rolls=rolls)

    def strength(dice: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
        triple = len(set(dice)) == 1
        sequence = dice[2] == dice[1] + 1 == dice[0] + 2
        return 2 * triple + sequence, dice[::-1]

    return variant, Round(3, faces, rolls, strength)


def three_that_may_not_count() -> tuple[Ranking, Round]:
    """A game of three dice, in which some rolls are no hand."""
    variant = replace(PAIR_AND_POINT, dice=Dice(count=3, faces=6), rolls=2)

    def strength(dice: tuple[int, ...]) -> tuple[int, ...]:
        low, middle, high = dice
        if dice == (4, 5, 6):
            return (3,)
        if low == high:
            return 2, low
        if low == middle or middle == high:
            return 1, high if low == middle else low
        return (0,)

    def counts(dice: tuple[int, ...]) -> bool:
        return len(set(dice)) < 3 or set(dice) in ({1, 2, 3}, {4, 5, 6})

    return variant, Round(3, 6, 2, strength, counts)


def test_small_games_equal_brute_force() -> None:
    """All options equal those of the reference, for up to three players with four-sided dice."""
    assert compare(*three_dice(4, 2), players=3) > 5_000


@pytest.mark.proof
def test_games_of_three_dice_equal_brute_force() -> None:
    """All options equal those of the reference, for up to three players with six-sided dice."""
    assert compare(*three_dice(6, 2), players=3) == 48_300


@pytest.mark.proof
def test_rolls_that_dont_count_are_rolled_again() -> None:
    """A roll that is no hand is rolled again, all dice at once, and takes no roll (Q3)."""
    assert compare(*three_that_may_not_count(), players=2) > 2_000


def test_an_equal_hand_busts() -> None:
    """An equal hand is not a better one, and the highest of all can't be beaten (P10)."""
    for dice in ((5, 5, 5, 2, 1), (5, 5, 5, 2, 2)):
        position = RankingPosition(dice, 0, to_beat=(5, 5, 5, 2, 1))
        (stop,) = options(VARIANT, VARIANT.default_rules, position)
        assert stop.chance == (dice != position.to_beat)
    hopeless = RankingPosition((6, 6, 6, 6, 6), 2, to_beat=(6, 6, 6, 6, 6))
    assert {
        (option.chance, option.loss) for option in options(VARIANT, VARIANT.default_rules, hopeless)
    } == {(0.0, 0.0)}


def test_any_hand_is_good_enough_for_the_only_player() -> None:
    """With no hand to beat and nobody after, everything wins, and stopping is the first option."""
    found = options(VARIANT, VARIANT.default_rules, RankingPosition((1, 1, 2, 2, 3), 2))
    assert found[0] == Option(None, (), 1.0, 0.0)
    assert {option.loss for option in found} == {0.0}
    assert len(found) == 3 * 3 * 2


def test_house_rules() -> None:
    """Under pairs_rank, two pair beats one pair (P11); without it, the highest die decides."""
    position = RankingPosition((2, 2, 3, 3, 1), 0, to_beat=(6, 6, 5, 4, 2))
    for rules, chance in ((PokerDiceRules(), 0.0), (PokerDiceRules(pairs_rank=True), 1.0)):
        (stop,) = options(VARIANT, rules, position)
        assert stop.chance == chance


def test_every_hand_can_stay_the_best() -> None:
    """The weakest hand survives nineteen players with a tiny chance, not with none."""
    position = RankingPosition((2, 2, 1, 1, 3), 0, players_after=19)
    (weak,) = options(VARIANT, VARIANT.default_rules, position)
    (strong,) = options(VARIANT, VARIANT.default_rules, replace(position, dice=(6, 6, 6, 6, 6)))
    assert 0 < weak.chance < 1e-50
    assert strong.chance == 1


def test_dice_that_dont_count() -> None:
    """Dice that aren't a hand are refused, those to beat too, each with its field."""
    position = RankingPosition((1, 3, 6), 0, to_beat=(1, 3, 5))
    with pytest.raises(InvalidInput) as refused:
        options(PAIR_AND_POINT, PAIR_AND_POINT.default_rules, position)
    detail = "must be rolled again: nothing doesn't count (Q3)"
    assert refused.value.violations == tuple(
        breach((name,), detail, ("house_rules",)) for name in ("dice", "to_beat")
    )


def test_bounds() -> None:
    """Games with so many dice that advice would take long have none, or for fewer players."""
    assert (has_advice(VARIANT), most_players_after(VARIANT)) == (True, 19)
    assert most_players_after(THREE_ROLLS) == 8
    many = replace(THREE_ROLLS, dice=Dice(count=9), hand_size=9, ranks=THREE_ROLLS.ranks[2:])
    assert (has_advice(many), most_players_after(many)) == (True, 1)
    many = replace(many, dice=Dice(count=5, faces=14), hand_size=5)
    assert not has_advice(many)


def test_chances_are_whole_numbers_of_ways() -> None:
    """The last roll of five dice has 7,776 results: the chance is a multiple of that."""
    position = RankingPosition((1, 1, 2, 2, 4), 1, to_beat=(6, 6, 6, 5, 4))
    for option in options(VARIANT, VARIANT.default_rules, position):
        ways = option.chance * 6**5
        assert Fraction(round(ways)) == pytest.approx(ways, abs=1e-9)
