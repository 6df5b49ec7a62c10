"""Games with hidden pocket dice, community dice and betting, until one player has all the chips."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, ClassVar

from service.engine.chance import Chance, Rolled, RollOf
from service.engine.game import ActionKind, Game, GameTable, Move, News, restore_part
from service.kinds.community.betting import (
    BETTING,
    FOLD,
    REROLL_CHECKED_FLOP,
    ROLL_POCKET,
    Betting,
    Stakes,
    roll_again,
    roll_stage,
)
from service.kinds.community.state import (
    BagDice,
    CommunityState,
    CommunityView,
    LastHand,
    SameSuits,
)
from service.kinds.community.variant import CommunityRanking
from service.rules.reasons import Reason
from service.rules.sentences import Sentence

STAGES = ("open", "flop", "turn", "river")
"""What the stages of a hand of the game are called; further ones are `stage_5` and so on."""

FLOP, TURN = 1, 2
"""The stage whose dice may be rolled again, and the first one with the big limit."""


class CommunityGame(Game[CommunityRanking, CommunityState]):
    """The game of a variant with pocket and community dice."""

    hidden: ClassVar[frozenset[str]] = frozenset({ROLL_POCKET.name})

    def __init__(self, variant: CommunityRanking, table: GameTable) -> None:
        super().__init__(variant, table)
        self._players = table.players
        self._stakes = Stakes.of(table.rules, variant.chip)
        self._reroll = REROLL_CHECKED_FLOP.of(table.rules)
        count = len(table.players)
        self._from_left_of = [
            [(seat + step) % count for step in range(1, count + 1)] for seat in range(count)
        ]
        self._last_stage = len(variant.stages) - 1
        self._stages = stage_names(variant)
        notation = tuple(variant.dice.notation)
        self._rolls_of = {
            count: RollOf(count, notation)
            for count in {variant.pocket, *[b - a for a, b in pairwise((0, *variant.stages))]}
        }
        self._view = CommunityView(variant, table)

    @classmethod
    def actions(cls, variant: CommunityRanking) -> Sequence[ActionKind]:
        """The rolls of all stages that have dice, and those of the betting."""
        rolls = [ROLL_POCKET]
        for stage, name in enumerate(stage_names(variant)):
            if variant.stages[stage]:
                rolls.append(roll_stage(name))
            if stage == FLOP and REROLL_CHECKED_FLOP.name in variant.rule_names:
                rolls.append(roll_again(name))
        return (*rolls, *BETTING)

    def opening(self) -> CommunityState:
        """The first hand: everyone has the same chips (H18), and the first player deals."""
        return self._dealt((self._stakes.starting_chips,) * len(self._players), 0)

    def present(self, state: CommunityState) -> Iterable[int]:
        """Nobody leaves."""
        del state
        return ()

    def timed(self, state: CommunityState) -> Hashable:
        """No clock runs."""
        raise NotImplementedError

    def default(self, state: CommunityState) -> tuple[ActionKind, Mapping[str, object]] | None:
        """No clock runs."""
        raise NotImplementedError

    def give_up(self, state: CommunityState, step: str) -> CommunityState:
        """No clock runs."""
        raise NotImplementedError

    def without(self, state: CommunityState, seat: int) -> CommunityState:
        """Nobody leaves."""
        raise NotImplementedError

    def restore(self, stored: Mapping[str, Any]) -> CommunityState:
        """The state from its stored JSON."""
        return restore_part(CommunityState, stored, betting=Betting, last=LastHand)

    def moves(self, state: CommunityState) -> Sequence[Move]:
        """A roll of dice (H2), or the bets of the next player to act (H9-H14, H30)."""
        if state.winners:
            return ()
        if state.betting:
            seat = state.betting.to_act[0]
            stakes = self._stakes
            limit = stakes.small_limit if state.stage < TURN else stakes.big_limit
            player, stack = self._players[seat], state.chips[seat]
            answerable = any(map(state.able, self._from_left_of[seat][:-1]))
            return state.betting.moves(player, stack, limit, stakes, answerable=answerable)
        seats = self._rolling(state)
        action, count = ROLL_POCKET, self.variant.pocket
        if state.pockets[seats[0]]:
            count = self.variant.stages[state.stage] - len(state.community)
            action = roll_stage(self._stages[state.stage])
            if state.again:
                count = len(self._flop(state))
                action = roll_again(self._stages[state.stage])
        roll = self._rolls_of[count]
        return [Move(action, self._players[seat], dice=roll, forced=True) for seat in seats]

    def chance(self, state: CommunityState, move: Move, values: Mapping[str, Any]) -> Chance:
        """Dice from the bag (H2, H24), or the flop again, each die in its suit (H13)."""
        del values  # rolls take no values
        dice, stages = self.variant.dice, self.variant.stages
        if state.again:
            return SameSuits(dice, self._flop(state))
        count = stages[state.stage] - len(state.community)
        if move.kind is ROLL_POCKET:
            count = self.variant.pocket
        on_table = [*state.community, *[code for pocket in state.pockets for code in pocket]]
        return BagDice(dice, on_table, count, self.variant.supply)

    def apply_move(
        self, state: CommunityState, move: Move, values: Mapping[str, Any], dice: Rolled
    ) -> CommunityState:
        """The state after a roll or a bet; the flop may have to be rolled again (H13, H26)."""
        if state.betting:
            return self._acted(state, state.betting, move.kind, values)
        codes = self.variant.dice.read_codes(dice, (len(dice),))
        if move.kind is ROLL_POCKET:
            seat = self._players.index(move.player)
            pockets = (*state.pockets[:seat], codes, *state.pockets[seat + 1 :])
            state = replace(state, pockets=pockets, news=())
            if not pockets[self._rolling(state)[0]]:
                return state
            return self._set(self._closed(state))
        if state.again:
            was, rolled = self._view.written(self._flop(state)), self._view.written(codes)
            fields = {"was": was, "is": rolled}
            news = self.variant.news(
                "flop_rolled_again", "flop_again", Reason.FLOP_AGAIN(), **fields
            )
            community = state.community[: self.variant.stages[FLOP - 1]] + codes
            return self._set(replace(state, community=community, again=False, news=(news,)))
        return self._set(replace(state, community=state.community + codes, news=()))

    def view(self, state: CommunityState, viewer: str | None) -> dict[str, Any]:
        """The table; a player sees only their own pocket, the table token sees none (H2, H15)."""
        view, betting = self._view, state.betting
        own: tuple[int, ...] = ()
        if viewer in self._players:
            own = state.pockets[self._players.index(viewer)]
        to_act = betting.to_act[:1] if betting else () if state.over else self._rolling(state)
        return {
            "over": state.over,
            "winners": list(state.winners),
            "phase": "over" if state.over else "betting" if betting else "rolling",
            "hand": state.hand,
            "stage": None if state.over else self._stages[state.stage],
            "dealer": self._players[state.dealer],
            "to_act": [self._players[seat] for seat in to_act],
            "to_call": betting.to_call if betting else 0,
            "raises": betting.raises if betting else 0,
            "pot": sum(state.paid),
            "players": view.players(state),
            "community": view.written(state.community),
            "pocket": view.written(own) if own else None,
            "holding": view.holding(own, state.community),
            "last_hand": view.last_hand(state.last),
            "news": list(state.news),
        }

    def _rolling(self, state: CommunityState) -> list[int]:
        """The seats that must roll: every player without a pocket, otherwise the dealer."""
        seats = self._from_left_of[state.dealer]
        return [seat for seat in seats if state.dealt_in(seat) and not state.pockets[seat]] or [
            state.dealer
        ]

    def _flop(self, state: CommunityState) -> Sequence[int]:
        """The dice of the flop."""
        return state.community[self.variant.stages[FLOP - 1] :]

    def _dealt(
        self,
        chips: Sequence[int],
        dealer: int,
        *,
        hand: int = 1,
        last: LastHand | None = None,
        news: tuple[News, ...] = (),
    ) -> CommunityState:
        """A new hand of the game: everyone puts in the ante, or all their chips (H9)."""
        paid = tuple([min(self._stakes.ante, stack) for stack in chips])
        left = tuple([stack - ante for stack, ante in zip(chips, paid, strict=True)])
        no_dice = ((),) * len(chips)
        return CommunityState(hand, dealer, left, paid, no_dice, last=last, news=news)

    def _set(self, state: CommunityState) -> CommunityState:
        """The state with a new round of betting, or with the next stage if nobody can bet (H26)."""
        if len(state.community) < self.variant.stages[state.stage]:
            return state
        able = [seat for seat in self._from_left_of[state.dealer] if state.able(seat)]
        if len(able) > 1:
            return replace(state, betting=Betting.opened(len(self._players), able))
        return self._next_stage(state)

    def _next_stage(self, state: CommunityState) -> CommunityState:
        if state.stage == self._last_stage:
            return self._shown_down(state)
        return self._set(replace(state, stage=state.stage + 1))

    def _acted(
        self, state: CommunityState, betting: Betting, action: ActionKind, values: Mapping[str, Any]
    ) -> CommunityState:
        """The state after a bet, which may end the round of betting (H12, H30, H31)."""
        seat = betting.to_act[0]
        others = [other for other in self._from_left_of[seat][:-1] if state.able(other)]
        after = betting.apply(action, values, state.chips[seat], others)
        added = after.put[seat] - betting.put[seat]
        state = replace(
            state,
            chips=_added(state.chips, seat, -added),
            paid=_added(state.paid, seat, added),
            folded=(*state.folded, seat) if action is FOLD else state.folded,
            betting=after,
            news=(),
        )
        live = [other for other in self._from_left_of[seat] if state.live(other)]
        if len(live) == 1:
            return self._won_without_showing(state, live[0])
        able = sum(state.able(other) for other in live)
        if after.to_act and (able > 1 or after.to_call):
            return state
        state = replace(state, betting=None)
        if self._reroll and state.stage == FLOP and not after.bet and able > 1:
            return replace(state, again=True)
        return self._next_stage(self._closed(state))

    def _closed(self, state: CommunityState) -> CommunityState:
        """The state, with news if nobody can bet any more in this hand (H26)."""
        left = len(state.community) < self.variant.stages[-1]
        if not left or sum(map(state.able, range(len(self._players)))) > 1:
            return state
        news = self.variant.news("no_more_betting", "no_more_betting", Reason.NO_MORE_BETTING())
        return replace(state, news=(*state.news, news))

    def _won_without_showing(self, state: CommunityState, seat: int) -> CommunityState:
        """The state after all but one have folded (H15)."""
        hidden = ((),) * len(self._players)
        last = LastHand(state.dealer, state.community, hidden, state.paid, seat)
        chips = _added(state.chips, seat, sum(state.paid))
        return self._next_hand(state, chips, last, self._view.won_without_showing(last, seat))

    def _shown_down(self, state: CommunityState) -> CommunityState:
        """The state after the showdown: every pot is paid out; the game may be won (H17, H29)."""
        pockets = tuple(
            [() if seat in state.folded else pocket for seat, pocket in enumerate(state.pockets)]
        )
        last = LastHand(state.dealer, state.community, pockets, state.paid, None)
        showdown = self._view.ranked(last)
        chips = list(state.chips)
        for pot in showdown.pots or ():
            for player, payout in pot.payouts.items():
                chips[self._players.index(player)] += payout
        news = self._view.showdown(last, showdown)
        if not showdown.wins_game:
            return self._next_hand(state, chips, last, news)
        winners, rank = showdown.winners, showdown.places[0].entries[0].held.hand.rank.id
        why = "hand_wins_game", Reason.HAND_WINS_GAME(player=winners[0], rank=rank)
        if len(winners) > 1:
            shared = Reason.SHARED_HAND_WINS_GAME(winners=winners, rank=rank)
            why = "hand_wins_game_shared", shared
        return self._ended(state, chips, last, winners, (news,), why)

    def _next_hand(
        self, state: CommunityState, chips: Sequence[int], last: LastHand, result: News
    ) -> CommunityState:
        """The next hand under the next dealer, or the end if one player has all chips (H16)."""
        seats = self._from_left_of[state.dealer]
        gone = [seat for seat in seats if state.dealt_in(seat) and not chips[seat]]
        news = [result]
        for player in [self._players[seat] for seat in gone]:
            sentence = Reason.PLAYER_OUT(player=player)
            news.append(self.variant.news("out_of_chips", "out_of_chips", sentence, player=player))
        left = [seat for seat in seats if chips[seat]]
        if len(left) > 1:
            return self._dealt(chips, left[0], hand=state.hand + 1, last=last, news=tuple(news))
        winner = self._players[left[0]]
        why = "last_left", Reason.LAST_LEFT(player=winner)
        return self._ended(state, chips, last, [winner], news, why)

    def _ended(
        self,
        state: CommunityState,
        chips: Sequence[int],
        last: LastHand,
        winners: Sequence[str],
        news: Sequence[News],
        why: tuple[str, Sentence],
    ) -> CommunityState:
        """The state at the end of the game; `why` are the step and the sentence of the reason."""
        nothing, no_dice = (0,) * len(chips), ((),) * len(chips)
        ended = CommunityState(state.hand, state.dealer, tuple(chips), nothing, no_dice)
        over = self.variant.news("game_over", *why, winners=list(winners))
        return replace(ended, last=last, winners=tuple(winners), news=(*news, over))


def _added(sums: Sequence[int], seat: int, amount: int) -> tuple[int, ...]:
    """`sums` by seat, with `amount` added at `seat`."""
    return (*sums[:seat], sums[seat] + amount, *sums[seat + 1 :])


def stage_names(variant: CommunityRanking) -> list[str]:
    """What the stages of a hand of the game are called."""
    count = len(variant.stages)
    return [*STAGES[:count], *[f"stage_{stage}" for stage in range(len(STAGES) + 1, count + 1)]]
