"""The players of the service on score cards: what they choose, and their totals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import exp, sqrt
from random import Random
from statistics import fmean, stdev

import pytest

from service.advice.choosing import Strength
from service.advice.scorecard.choosing import TEMPERATURES, choose_option
from service.advice.scorecard.options import advise
from service.advice.scorecard.scoring import scoring
from service.advice.scorecard.table import Table
from service.engine.actions import Action
from service.engine.game import GameTable
from service.kinds.scorecard.card import BoxEntry, Card
from service.kinds.scorecard.game import ScoreCardGame
from service.kinds.scorecard.variant import ScoreCard
from service.rules.house_rules import HouseRules
from service.variants.dice_poker import VARIANT as DICE_POKER
from service.variants.dice_poker import DicePokerRules
from service.variants.yahtzee_deluxe import VARIANT as YAHTZEE_DELUXE
from tests.advice.scorecard.conftest import Tables
from tests.advice.scorecard.small_cards import PairRules, small_card, whole_table

Choice = tuple[Card, tuple[int, ...], int, dict[str, object]]

GAMES = [DICE_POKER, YAHTZEE_DELUXE]


def _choices(
    variant: ScoreCard, table: Table, strength: Strength, source: Random
) -> Iterator[Choice]:
    """Every decision in a game of a player: the card, the dice, the rolls left, and the action."""
    rules, count, faces = variant.default_rules, variant.dice.count, variant.dice.faces
    card = Card(dict.fromkeys(variant.possible))
    while card.open_boxes:
        dice, left = source.choices(range(1, faces + 1), k=count), variant.rolls - 1
        while True:
            shown = tuple(dice)
            action = choose_option(table, card, shown, left, strength, source).action
            yield card, shown, left, action
            if action["action"] != "roll":
                break
            dice = [
                face if place in action["keep"] else source.randint(1, faces)
                for place, face in enumerate(dice)
            ]
            left -= 1
        write = variant.written if action["action"] == "score" else variant.crossed_out
        card = write(card, BoxEntry(shown, action["box"]), rules)


@pytest.mark.parametrize(
    ("variant", "count"),
    [
        (DICE_POKER, 10),
        *(pytest.param(variant, 10_000, marks=pytest.mark.proof) for variant in GAMES),
    ],
)
def test_the_best_player_takes_the_first_option(
    tables: Tables, variant: ScoreCard, count: int
) -> None:
    """In positions of games by a medium player, `best` does what `advise` lists first."""
    table, source = tables(scoring(variant, variant.default_rules)), Random(count)
    tried = 0
    while tried < count:
        for card, dice, left, _ in _choices(variant, table, Strength.MEDIUM, source):
            first = advise(table, card, dice, left, 1).options[0]
            values = {"box": first.box} if first.box else {"keep": list(first.keep)}
            chosen = choose_option(table, card, dice, left, Strength.BEST, source)
            assert chosen.action == {"action": first.action, **values}
            assert chosen.because == {
                "decided_by": "best_play",
                "expected": round(first.expected_total, 1),
            }
            tried += 1


_Key = tuple[str, tuple[int, ...], str | None]
"""An option: what is done, what is kept, and the box."""

SMALL = small_card(3, {8: 4})
WITHOUT_BONUS = small_card(3, {})
CARD = Card({"twos": None, "pair": 5, "threes": 3, "run": None, "chance": None})


@pytest.mark.parametrize(
    ("strength", "felt"),
    [(Strength.HARD, SMALL), (Strength.MEDIUM, SMALL), (Strength.EASY, WITHOUT_BONUS)],
)
@pytest.mark.parametrize("tries", [2_000, pytest.param(20_000, marks=pytest.mark.proof)])
def test_what_weaker_players_choose(strength: Strength, felt: ScoreCard, tries: int) -> None:
    """Each option is chosen with a chance that falls with its loss, by the temperature; `easy`
    goes by the losses of a card without a bonus. The reason has what it loses with the bonus.
    """
    rules, dice = PairRules(), (2, 3)
    table = whole_table(SMALL, rules)
    options = advise(whole_table(felt, rules), CARD, dice, 1, 100).options
    weights: dict[_Key, float] = {
        (option.action, option.keep, option.box): exp(-option.loss / TEMPERATURES[strength])
        for option in options
    }
    source, found, losses = Random(1), Counter[_Key](), dict[_Key, float]()
    for _ in range(tries):
        action, because = choose_option(table, CARD, dice, 1, strength, source)
        option = (action["action"], tuple(action.get("keep", ())), action.get("box"))
        found[option] += 1
        losses[option] = because.get("loss", 0)
    for key, weight in weights.items():
        chance = weight / sum(weights.values())
        assert abs(found[key] / tries - chance) < 5 * sqrt(chance * (1 - chance) / tries)
    true = {
        (option.action, option.keep, option.box): round(option.loss, 1)
        for option in advise(table, CARD, dice, 1, 100).options
    }
    assert losses == {key: true[key] for key in losses}


def test_seeds_repeat_games(tables: Tables) -> None:
    """The same seed makes the same choices, and another one others."""
    table = tables(scoring(DICE_POKER, DICE_POKER.default_rules))

    def game(seed: int) -> list[Choice]:
        return [*_choices(DICE_POKER, table, Strength.EASY, Random(seed))]

    assert game(1) == game(1) != game(2)


@pytest.mark.parametrize(
    ("variant", "rules"),
    [
        (SMALL, PairRules(6, True, True)),
        (SMALL, PairRules()),
        pytest.param(
            DICE_POKER,
            DicePokerRules(extra_five_bonus=100, throw_to_begin=True),
            marks=pytest.mark.proof,
        ),
        pytest.param(YAHTZEE_DELUXE, YAHTZEE_DELUXE.house_rules(), marks=pytest.mark.proof),
    ],
)
def test_whole_games(tables: Tables, variant: ScoreCard, rules: HouseRules) -> None:
    """Players of all strengths end a game, in which each of their choices is legal."""
    small = variant is SMALL
    table = whole_table(variant, rules) if small else tables(scoring(variant, rules))
    players = {each.value: each for each in Strength}
    game, source = ScoreCardGame(variant, GameTable((*players,), rules)), Random(3)
    state = game.start(0)
    while not state.over:
        (player, *_) = game.to_act(state)
        if state.starting:
            state, _ = game.play(state, Action("throw", player, 0), source.randrange)
            continue
        seat, left = game.seat_at_turn(state), variant.rolls - state.rolls if state.dice else None
        scores = dict(zip(variant.possible, state.cards[seat], strict=True))
        card, dice = Card(scores, state.repeated[seat]), state.dice or None
        action, because = choose_option(table, card, dice, left, players[player], source)
        name = action.pop("action")
        assert because["decided_by"] in ("best_play", "worse_play")
        state, _ = game.play(state, Action(name, player, 0, action), source.randrange)
    assert all(not card.count(None) for card in state.cards)


@pytest.mark.proof
@pytest.mark.parametrize("strength", Strength)
@pytest.mark.parametrize("variant", GAMES, ids=lambda variant: variant.id)
def test_totals(tables: Tables, variant: ScoreCard, strength: Strength) -> None:
    """The mean total and its deviation are those in the catalogue, within the errors of both."""
    table, source, games = tables(scoring(variant, variant.default_rules)), Random(5), 2_000
    totals = []
    for _ in range(games):
        *_, (card, dice, _, action) = _choices(variant, table, strength, source)
        write = variant.written if action["action"] == "score" else variant.crossed_out
        last = write(card, BoxEntry(dice, str(action["box"])), variant.default_rules)
        totals.append(variant.total(last, variant.default_rules).total)
    mean, deviation = variant.strengths[strength]
    error = deviation * sqrt(1 / games + 1 / 20_000)
    assert fmean(totals) == pytest.approx(mean, abs=4 * error)
    assert stdev(totals) == pytest.approx(deviation, abs=4 * error)
