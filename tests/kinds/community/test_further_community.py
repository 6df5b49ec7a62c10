"""A further variant with pocket and community dice, without house rules or clauses."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random
from typing import Any

import orjson
import pytest
from jsonschema_rs import Draft202012Validator

from service.api.batch.queue import BatchQueue
from service.api.operations import community
from service.batch.json_hands import read_hands
from service.batch.outcomes import outcomes_of
from service.engine.game import GameTable
from service.kinds.community.game import CommunityGame
from service.kinds.community.stakes import Stakes
from service.kinds.community.state import CommunityState
from service.kinds.community.variant import Seat
from service.rules.dice import Dice
from service.rules.house_rules import HouseRules, choice
from service.rules.reasons import spoken
from service.rules.violations import InvalidInput
from service.variants.texas_holdem_dice import VARIANT as HOLDEM
from service.variants.texas_holdem_dice import HoldemRules
from tests.engine.random_play import play
from tests.kinds.community.holdem_table import after, legal
from tests.problems import breach
from tests.sampled import first
from tests.trial_games.small_holdem import VARIANT as SMALL


def test_defaults_of_the_stakes() -> None:
    """Without house rules on chips, games are played for the sums of Hold'em, in units of their
    chips (H9, H11, H18).
    """
    assert Stakes.of(HoldemRules(flop_rerolls=0), 10) == Stakes.of(HouseRules(), 10)
    assert Stakes.of(HouseRules(), 7) == Stakes(
        7, 7, 7, 14, 3, 350, None, "limit", "up_to", 0, 0, None, None, flop_rerolls=0
    )


@dataclass(frozen=True)
class StraightFlushRules(HoldemRules):
    """House rules of Hold'em, with one more for another rank."""

    straight_flush: str = choice("showdown", "at_once", clause="H33", meaning="When it wins.")


@pytest.mark.parametrize(("when", "over"), [("showdown", False), ("at_once", True)])
def test_each_rank_wins_the_game_by_its_own_house_rule(when: str, over: bool) -> None:
    """A rank that wins the game at the showdown doesn't win it earlier, even if another rank wins
    it at once (H33).
    """
    first, second, *others = HOLDEM.ranks
    ranks = (first, replace(second, wins_game_with=second.id), *others)
    variant = replace(HOLDEM, house_rules=StraightFlushRules, ranks=ranks)
    rules = StraightFlushRules(straight_flush=when)
    game = CommunityGame(variant, GameTable(("ann", "ben"), rules, typed_dice=True))
    state = after(
        game,
        """ben roll_pocket 1r 2r, ann roll_pocket 3w 3y, ben check, ann check,
        ann roll_flop 3r 4r 5r""",
    )
    assert (state.over, state.winners) == (over, ("ben",) if over else ())
    assert (legal(game, state) == []) == over


@pytest.mark.parametrize("players", first([2, 3, 4]))
def test_a_further_variant_of_the_kind(players: int) -> None:
    """A variant without house rules or clauses for its steps is played with the defaults; its
    reasons cite no clause.
    """
    names = ("ann", "ben", "cat", "dan")[:players]
    game = CommunityGame(SMALL, GameTable(names, HouseRules()))
    assert game.start(0).paid == (5,) * players
    actions: set[str] = set()
    reasons: set[str] = set()

    def watch(before: CommunityState, action: Any, state: CommunityState) -> None:
        assert sum(state.chips) + sum(state.paid) == sum(before.chips) + sum(before.paid)
        actions.add(action.name)
        reasons.update(
            spoken(news["because"]) for news in state.news if news["what"] == "out_of_chips"
        )

    end = play(game, Random(players), watch)
    rolls = {"roll_pocket", "roll_flop", "roll_turn"}
    assert {name for name in actions if name.startswith("roll")} == rolls
    gone = {f"{name} has no chips left and is out of the game." for name in names}
    assert reasons == gone - {f"{end.winners[0]} has no chips left and is out of the game."}


def test_dice_before_the_first_bets() -> None:
    """The first stage may have dice; here as many as no other roll has."""
    early = replace(SMALL, stages=(2,))
    game = CommunityGame(early, GameTable(("ann", "ben"), HouseRules()))
    rolled = set[int]()
    play(game, Random(2), lambda _, __, state: rolled.add(len(state.community)))
    assert rolled == {0, 2}


def test_unknown_pockets_come_from_the_bag() -> None:
    """Pockets that nobody knows can't be more dice than the bag holds beside those known."""
    few = replace(SMALL, dice=Dice(count=4, suits=SMALL.dice.suits), players=(2, 2))
    seats = [Seat("ann", (0,)), Seat("ben", folded=True)]
    assert few.rank((1, 6), seats, HouseRules()).winners == ["ann"]
    with pytest.raises(InvalidInput) as refused:
        few.rank((1, 6), [*seats, Seat("cat", folded=True)], HouseRules())
    assert str(refused.value) == "players need 5 dice, community included; the set has 4 (S1)"


def test_hands_of_a_batch_have_the_sizes_of_the_stages() -> None:
    """With 0, 2 or 4 community dice and one in the pocket, a hand is found out of 3 or 5 dice, not
    out of 4: the contract says so, and the parser refuses them.
    """
    gaps = replace(SMALL, stages=(0, 2, 4))
    assert gaps.hand_sizes == [3, 5]
    hands = ["2r2b", "2r2b5r", "2r2b5r6b6r", ["2r", "2b", "5r"], ["2r", "2b", "5r", "6b"] * 2]
    hand = community.columns(gaps).hand
    assert "3 or 5 of them" in hand["description"]
    schema = Draft202012Validator(dict(hand))
    assert [schema.is_valid(hand) for hand in hands] == [False, True, True, True, False]
    outcomes = outcomes_of(gaps, HouseRules())
    body = orjson.dumps({"hands": ["2r2b5r6b"]})
    parsed = BatchQueue(lambda: 0).result(read_hands(body, gaps.dice, outcomes.sizes, 9))
    assert parsed.violations == {0: breach(("hands", 0), "must hold 3 or 5 dice, not 4")}
