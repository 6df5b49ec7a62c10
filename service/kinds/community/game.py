"""Games with hidden pocket dice, community dice and betting, until one player has all the chips."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from operator import add
from typing import Any, ClassVar

from service.engine.actions import ActionKind, Move, News
from service.engine.chance import Chance, Rolled, RollOf
from service.engine.game import Game, GameTable
from service.engine.state import check_stacks, restore_part
from service.kinds.community.bag import BagDice, SameSuits
from service.kinds.community.betting import (
    BETTING,
    CHECK,
    FOLD,
    ROLL_POCKET,
    Betting,
    roll_again,
    roll_stage,
)
from service.kinds.community.hands import Hands, with_added
from service.kinds.community.stakes import Stakes
from service.kinds.community.state import CommunityState, CommunityView, LastHand
from service.kinds.community.variant import CommunityRanking
from service.kinds.ranking.hand_table import AT_ONCE
from service.rules.reasons import Reason
from service.rules.violations import refuse

STAGES = ("open", "flop", "turn", "river")
"""What the stages of a hand of the game are called; further ones are `stage_5` and so on."""

FLOP, TURN = 1, 2
"""The stage whose dice may be rolled again, and the first one with the big limit."""


class CommunityGame(Game[CommunityRanking, CommunityState]):
    """The game of a variant with pocket and community dice."""

    paper = "stacks"

    hidden: ClassVar[frozenset[str]] = frozenset({ROLL_POCKET.name})
    counts: ClassVar[str] = "chips"

    most_actions = 1
    """Whether dice are taken, and how long it takes to compare hands, says something of pockets: a
    list that fails in the end could ask that again and again."""

    def __init__(self, variant: CommunityRanking, table: GameTable) -> None:
        """Raises `InvalidInput` for house rules that contradict each other (H35, H36)."""
        super().__init__(variant, table)
        self._players = table.players
        self._stakes = Stakes.of(table.rules, variant.chip)
        count = len(table.players)
        refuse(self._stakes.contradictions(count, variant.rule_clauses))
        at_once = [
            rank
            for rank in variant.ranks
            if rank.wins_game_with and getattr(table.rules, rank.wins_game_with) == AT_ONCE
        ]
        self._at_once = {rank.id for rank in at_once}
        self._of_one_suit = variant.hand_size if all(rank.one_suit for rank in at_once) else 0
        """So many dice of one suit are needed to win at once: few hands have them to be ranked."""
        self._last_stage = len(variant.stages) - 1
        self._stages = stage_names(variant)
        notation = tuple(variant.dice.notation)
        self._rolls_of = {
            count: RollOf(count, notation)
            for count in {variant.pocket, *[b - a for a, b in pairwise((0, *variant.stages))]}
        }
        self._view = CommunityView(variant, table)
        self._hands = Hands(self._stakes, self._view)
        self._last_seen: tuple[LastHand | None, News | None] = (None, None)
        self._from_left_of = self._hands.from_left_of

    @classmethod
    def actions(cls, variant: CommunityRanking) -> Sequence[ActionKind]:
        """The rolls of all stages that have dice, and those of the betting."""
        rolls = [ROLL_POCKET]
        for stage, name in enumerate(stage_names(variant)):
            if variant.stages[stage]:
                rolls.append(roll_stage(name))
            if stage == FLOP and "flop_rerolls" in variant.rule_names:
                rolls.append(roll_again(name))
        return (*rolls, *BETTING)

    def opening(self) -> CommunityState:
        """The first hand: everyone has the same chips (H18, H35), or those from paper, and the
        first player with chips deals.
        """
        if stacks := self.table.paper:
            check_stacks(self.paper, stacks)
            return self._hands.dealt(stacks, [*map(bool, stacks)].index(True))
        count = len(self._players)
        return self._hands.dealt((self._stakes.share(count),) * count, 0)

    def present(self, state: CommunityState) -> Iterable[int]:
        """The seats of the players who have chips, or are in this hand, and haven't left (G2)."""
        return filter(state.dealt_in, super().present(state))

    def scores(self, state: CommunityState) -> Sequence[int]:
        """The chips that each seat has or put in during this hand."""
        return [*map(add, state.chips, state.paid)]

    def ended(self, state: CommunityState) -> int:
        """How many hands have ended."""
        return state.hand - (not state.over)

    def playing(self, state: CommunityState) -> Iterable[int]:
        """The seats that were dealt in (H16)."""
        return filter(state.dealt_in, range(len(self._players)))

    def timed(self, state: CommunityState) -> Hashable:
        """Each decision: who has to bet, or to roll, and on what (G1)."""
        betting = state.betting
        to_act = betting.to_act[:1] if betting else tuple(self._rolling(state))
        return state.hand, state.stage, state.rerolls, betting is None, to_act

    def default(self, state: CommunityState) -> tuple[ActionKind, Mapping[str, object]] | None:
        """A check where that is free, otherwise a fold; none where dice are typed in (G1)."""
        if not state.betting:
            return None
        return (FOLD if state.betting.to_call else CHECK), {}

    def give_up(self, state: CommunityState) -> CommunityState:
        """Who has to roll folds; of players who all have to roll, the last one stays (G1).

        The next player still in rolls for a dealer who didn't, even if that one had folded before.
        """
        hand, late = state.hand, self._rolling(state)
        state = replace(state, away=state.away or state.dealer in late)
        for seat in late:
            if not state.over and state.hand == hand:
                state = self.without(state, seat)
        return state

    def without(self, state: CommunityState, seat: int) -> CommunityState:
        """Who left folds; what they put in stays in the pot, other chips are out of play (G2)."""
        return state if seat in state.folded else self._folded(state, seat, state.news)

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
            pot, answerable = sum(state.paid), self._answerable(state, state.betting, seat)
            return state.betting.moves(player, stack, limit, pot, stakes, answerable=answerable)
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
            return self._dealt_out(replace(state, pockets=pockets, news=()))
        if state.again:
            was, rolled = self._view.written(self._flop(state)), self._view.written(codes)
            fields = {"was": was, "is": rolled}
            news = self.variant.news(
                "flop_rolled_again", "flop_again", Reason.FLOP_AGAIN(), **fields
            )
            community = state.community[: self.variant.stages[FLOP - 1]] + codes
            rerolls = state.rerolls + 1
            state = replace(state, community=community, again=False, rerolls=rerolls, news=(news,))
            return self._rolled(state)
        return self._rolled(replace(state, community=state.community + codes, news=()))

    def reveals(self, before: CommunityState, after: CommunityState) -> bool:
        """Whether a hand ended with a showdown (H15), or dice came on the table: they might have
        ended it (H33), or been refused, as hidden dice have their suit (H24).
        """
        rolled = after.community not in ((), before.community)
        last = after.last
        return rolled or (last is not None and last.unshown is None and last != before.last)

    def view(self, state: CommunityState, viewer: str | None) -> dict[str, Any]:
        """The table; a player sees only their own pocket, the table token sees none (H2, H15)."""
        view, betting = self._view, state.betting
        own: tuple[int, ...] = ()
        if viewer in self._players:
            own = state.pockets[self._players.index(viewer)]
        return {
            "over": state.over,
            "winners": list(state.winners),
            "phase": "over" if state.over else "betting" if betting else "rolling",
            "hand": state.hand,
            "stage": None if state.over else self._stages[state.stage],
            "dealer": self._players[state.dealer],
            "to_act": self.to_act(state),
            "to_call": betting.to_call if betting else 0,
            "raises": betting.raises if betting else 0,
            "rounds": [
                {"bets": bets, "player": None if seat is None else self._players[seat]}
                for bets, seat in state.rounds
            ],
            "pot": sum(state.paid),
            **self._posted(state),
            "players": view.players(state),
            "community": view.written(state.community),
            "pocket": view.written(own) if own else None,
            "holding": view.holding(own, state.community),
            "last_hand": self._last_hand(state.last),
            "news": list(state.news),
        }

    def _rolling(self, state: CommunityState) -> list[int]:
        """The seats that must roll: every player without a pocket, otherwise the dealer, or the
        next player still in for one who left or was too late (G1, G2).
        """
        dealer, live = state.dealer, list(filter(state.live, self._from_left_of[state.dealer]))
        roller = live[0] if state.away or dealer in state.left else dealer
        return [seat for seat in live if not state.pockets[seat]] or [roller]

    def _dealt_out(self, state: CommunityState) -> CommunityState:
        """The state after a pocket was rolled, or a player folded without one."""
        return self._rolled(state) if state.pockets[self._rolling(state)[0]] else state

    def _posted(self, state: CommunityState) -> dict[str, Any]:
        """The ante of this hand, and the blinds with their players; None for blinds of nothing
        (H36).
        """
        ante, *blinds = self._stakes.forced(state.hand)
        posted: dict[str, Any] = {"ante": ante, "small_blind": None, "big_blind": None}
        if any(blinds) and not state.over:
            seats = self._hands.blinds(state.dealer, state.dealt)
            for name, seat, blind in zip([*posted][1:], seats, blinds, strict=True):
                if blind:
                    posted[name] = {"player": self._players[seat], "amount": blind}
        return posted

    def _last_hand(self, last: LastHand | None) -> News | None:
        """How the last hand ended; computed once for several calls in a row with the same hand."""
        if self._last_seen[0] is not last:
            self._last_seen = last, self._view.last_hand(last)
        return self._last_seen[1]

    def _flop(self, state: CommunityState) -> Sequence[int]:
        """The dice of the flop."""
        return state.community[self.variant.stages[FLOP - 1] :]

    def _answerable(self, state: CommunityState, betting: Betting, seat: int) -> bool:
        """Whether an opponent of the player at `seat` can put in more than the bet is now (H30)."""
        most = max(betting.put)
        return any(
            state.able(other) and betting.put[other] + state.chips[other] > most
            for other in self._from_left_of[seat][:-1]
        )

    def _rolled(self, state: CommunityState) -> CommunityState:
        """The state after a roll: somebody may hold what wins the game at once (H33)."""
        variant, community = self.variant, state.community
        if self._at_once and variant.pocket + len(community) >= variant.hand_size:
            best_of = variant.best_of(self.table.rules)
            for pocket in [each for seat, each in enumerate(state.pockets) if state.live(seat)]:
                tallies = best_of.tallies(codes := (*pocket, *community))
                if max(best_of.counts(tallies)) < self._of_one_suit:
                    continue
                if best_of.hand(codes, tallies)[0].rank.id in self._at_once:
                    return self._hands.shown_down(state)
        return self._set(state)

    def _set(self, state: CommunityState) -> CommunityState:
        """The state with a new round of betting, or with the next stage if nobody can bet (H26)."""
        if len(state.community) < self.variant.stages[state.stage]:
            return state
        betting = self._opened(state)
        if len(betting.to_act) > 1 or betting.to_call:
            return replace(state, betting=betting)
        return self._next_stage(self._closed(state) if state.stage == 0 else state)

    def _opened(self, state: CommunityState) -> Betting:
        """The round of betting of a stage; blinds are bets of the first one (H36)."""
        ante, _, big_blind = self._stakes.forced(state.hand)
        put, last = (0,) * len(self._players), state.dealer
        if state.stage == 0:
            put = tuple([max(paid - ante, 0) for paid in state.paid])
            if big_blind:
                last = self._hands.blinds(state.dealer, state.dealt)[1]
        able = tuple([seat for seat in self._from_left_of[last] if state.able(seat)])
        return Betting(put, able, least=max(big_blind, self._stakes.chip))

    def _next_stage(self, state: CommunityState) -> CommunityState:
        if state.stage == self._last_stage:
            return self._hands.shown_down(state)
        return self._set(replace(state, stage=state.stage + 1))

    def _acted(
        self, state: CommunityState, betting: Betting, action: ActionKind, values: Mapping[str, Any]
    ) -> CommunityState:
        """The state after a bet (H10)."""
        seat = betting.to_act[0]
        if action is FOLD:
            return self._folded(state, seat, ())
        others = [other for other in self._from_left_of[seat][:-1] if state.able(other)]
        after = betting.apply(action, values, state.chips[seat], others)
        added = after.put[seat] - betting.put[seat]
        chips = with_added(state.chips, seat, -added)
        paid = with_added(state.paid, seat, added)
        return self._bet(replace(state, chips=chips, paid=paid, betting=after, news=()), after)

    def _folded(self, state: CommunityState, seat: int, news: tuple[News, ...]) -> CommunityState:
        """The state, with `news`, after a player folded, in turn or not (H10, G1, G2)."""
        betting = state.betting and state.betting.without(seat)
        dealing = not (state.pockets[seat] and state.pockets[self._rolling(state)[0]])
        state = replace(state, folded=(*state.folded, seat), betting=betting, news=news)
        live = list(filter(state.live, range(len(self._players))))
        if len(live) == 1:
            return self._hands.won_without_showing(state, live[0])
        if betting:
            return self._bet(state, betting)
        if dealing:
            return self._dealt_out(state)
        if state.again and not self._able(state) > 1:
            return self._next_stage(self._closed(replace(state, again=False)))
        return state

    def _able(self, state: CommunityState) -> int:
        """How many players can still bet."""
        return sum(map(state.able, range(len(self._players))))

    def _bet(self, state: CommunityState, betting: Betting) -> CommunityState:
        """The state in or after the round of `betting`, which may be over (H12, H30, H31)."""
        able = self._able(state)
        if betting.to_act and (able > 1 or betting.to_call):
            return state
        left = self._stakes.flop_rerolls
        if state.stage == FLOP and not betting.bet and able > 1 and left != state.rerolls:
            return replace(state, betting=None, again=True)
        bets = betting.raises + betting.bet
        last = betting.acted[0] if bets and betting.acted else None
        rounds = (*state.rounds, (bets, last))
        return self._next_stage(self._closed(replace(state, betting=None, rounds=rounds)))

    def _closed(self, state: CommunityState) -> CommunityState:
        """The state, with news if nobody can bet any more in this hand (H26)."""
        left = len(state.community) < self.variant.stages[-1]
        if not left or self._able(state) > 1:
            return state
        news = self.variant.news("no_more_betting", "no_more_betting", Reason.NO_MORE_BETTING())
        return replace(state, news=(*state.news, news))


def stage_names(variant: CommunityRanking) -> list[str]:
    """What the stages of a hand of the game are called."""
    count = len(variant.stages)
    return [*STAGES[:count], *[f"stage_{stage}" for stage in range(len(STAGES) + 1, count + 1)]]
