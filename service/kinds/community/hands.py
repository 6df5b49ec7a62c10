"""How the hands of a game with community dice begin and end, and how the game ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from operator import sub
from typing import Any

from service.engine.actions import News
from service.kinds.community.stakes import Stakes
from service.kinds.community.state import CommunityState, CommunityView, LastHand
from service.rules.reasons import Reason
from service.rules.sentences import Sentence


class Hands:
    """The hands of a game that is played for `stakes`, and described by `view`."""

    def __init__(self, stakes: Stakes, view: CommunityView) -> None:
        self._stakes = stakes
        self._view = view
        self._variant = view.variant
        self._players = view.table.players
        count = len(self._players)
        self.from_left_of = [
            [(seat + step) % count for step in range(1, count + 1)] for seat in range(count)
        ]
        """All seats clockwise from the left of each seat, which comes last."""

    def blinds(self, dealer: int, chips: Sequence[int]) -> Sequence[int]:
        """The seats of the small and of the big blind, among players with `chips` (H36)."""
        seats = [seat for seat in self.from_left_of[dealer] if chips[seat]]
        return seats[:2] if len(seats) > 2 else seats[::-1]

    def dealt(
        self, chips: Sequence[int], dealer: int, *, hand: int = 1, **carried: Any
    ) -> CommunityState:
        """A new hand of the game: everyone who is there puts in the ante and two players the
        blinds, or all their chips (H9, H36, G2). `carried` are fields of the state before.
        """
        there = self._there(chips, carried.get("left", ()))
        ante, *blinds = self._stakes.forced(hand)
        asked = [ante] * len(chips)
        for seat, blind in zip(self.blinds(dealer, there), blinds, strict=True):
            asked[seat] += blind
        paid = tuple(map(min, asked, there))
        left = tuple(map(sub, chips, paid))
        no_dice = ((),) * len(chips)
        return CommunityState(hand, dealer, left, paid, no_dice, **carried)

    def _there(self, chips: Sequence[int], left: Sequence[int]) -> Sequence[int]:
        """`chips` without those that are out of play, because their players left (G2)."""
        return [0 if seat in left else stack for seat, stack in enumerate(chips)]

    def won_without_showing(self, state: CommunityState, seat: int) -> CommunityState:
        """The state after all but one have folded (H15)."""
        hidden = ((),) * len(self._players)
        last = LastHand(state.dealer, state.community, hidden, state.paid, seat)
        chips = with_added(state.chips, seat, sum(state.paid))
        return self._next_hand(state, chips, last, self._view.won_without_showing(last, seat))

    def shown_down(self, state: CommunityState) -> CommunityState:
        """The state after the showdown, where every pot is paid out, and the game may be won (H17,
        H29, H33).
        """
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
        """The next hand under the next dealer, or the end if one player has all chips (H16) or no
        more hands are played (H37).
        """
        seats, there = self.from_left_of[state.dealer], self._there(chips, state.left)
        gone = [seat for seat in seats if state.dealt_in(seat) and not chips[seat]]
        news = [result]
        for player in [self._players[seat] for seat in gone]:
            sentence = Reason.PLAYER_OUT(player=player)
            news.append(self._variant.news("out_of_chips", "out_of_chips", sentence, player=player))
        playing = [seat for seat in seats if there[seat]]
        if len(playing) > 1 and state.hand != self._stakes.hands:
            hand, carried = state.hand + 1, {"last": last, "left": state.left}
            news = [*state.news, *news]
            return self.dealt(chips, playing[0], hand=hand, news=tuple(news), **carried)
        most = max(there)
        winners = [
            player for player, stack in zip(self._players, there, strict=True) if stack == most
        ]
        why = "last_left", Reason.LAST_LEFT(player=winners[0])
        if len(playing) > 1:
            why = "last_hand", Reason.LAST_HAND(count=state.hand)
        return self._ended(state, chips, last, winners, news, why)

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
        over = self._variant.news("game_over", *why, winners=list(winners))
        news = (*state.news, *news, over)
        return replace(ended, last=last, left=state.left, winners=tuple(winners), news=news)


def with_added(sums: Sequence[int], seat: int, amount: int) -> tuple[int, ...]:
    """`sums` by seat, with `amount` added at `seat`."""
    return (*sums[:seat], sums[seat] + amount, *sums[seat + 1 :])
