"""Beat it or bust: the game of variants that rank rolls, such as `poker-dice`, for chips.

A round is the ante, which all others meet before anybody rolls, then a turn for each player: roll,
and check or raise. Those who have yet to roll meet a raise at once. A player who rolls a better
hand than the best so far puts out its holder, so there is always only one hand to beat. The clauses
in the docstrings are those of `poker-dice`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from service.engine.actions import ActionKind, Move, News, Value
from service.engine.chance import Chance, NumberedDice, Rolled
from service.engine.game import Game, GameTable
from service.engine.parameters import Keep, Whole
from service.engine.state import check_stacks, restore_part
from service.kinds.ranking.state import (
    ANTES,
    BEATEN,
    BETTING,
    BUST,
    FOLDED,
    HAS_LEFT,
    IN,
    NO_CHIPS,
    OPENING,
    OVER,
    RAISES,
    ROLLING,
    SAT_OUT,
    TO_DECIDE,
    RankingState,
    RankingView,
    seats,
    with_standings,
)
from service.kinds.ranking.variant import OWN_STACK, ROUNDS, STAKES, STARTING_CHIPS, Ranking
from service.rules.reasons import Reason
from service.rules.sentences import Sentence
from service.rules.variant import LEFT, TIME_UP

ANTE = ActionKind(
    "ante",
    "sets the ante of the round and pays it",
    {"amount": Value(Whole, "the number of chips")},
)
MEET = ActionKind("meet", "pays the ante or the raise")
SIT_OUT = ActionKind("sit_out", "stays out of the round instead of paying the ante")
ROLL = ActionKind(
    "roll",
    "rolls all dice except those kept (the first roll of a turn is automatic if the service rolls)",
    {"keep": Value(Keep, "the dice to keep, by their indexes from 0")},
    dice="all dice after the roll, with kept dice at their indexes",
)
STOP = ActionKind("stop", "ends the turn with the dice as rolled")
CHECK = ActionKind(
    "check", "adds no chips (automatic for a leader who can't raise if the service rolls)"
)
RAISE = ActionKind(
    "raise",
    "adds chips that all who have yet to roll must match at once",
    {"amount": Value(Whole, "the number of chips")},
)
FOLD = ActionKind("fold", "leaves the round instead of paying a raise")

ACTIONS = (ANTE, MEET, SIT_OUT, ROLL, STOP, CHECK, RAISE, FOLD)

_ALL_OTHERS_OUT = Reason.ALL_OTHERS_OUT()


class RankingGame(Game[Ranking, RankingState]):
    """Rounds of beat it or bust for chips (P1-P18)."""

    paper = "stacks"
    counts: ClassVar[str] = "chips"

    def __init__(self, variant: Ranking, table: GameTable) -> None:
        super().__init__(variant, table)
        count = len(table.players)
        self._stacks: tuple[int, ...] = table.paper or (STARTING_CHIPS.of(table.rules),) * count
        self._rounds: int | None = ROUNDS.of(table.rules)
        self._own_stack: bool = STAKES.of(table.rules) == OWN_STACK
        self._roll_of = NumberedDice(variant.dice).roll
        self._keep = {"keep": Keep(variant.hand_size)}
        self._view = RankingView(variant, table)

    @classmethod
    def actions(cls, variant: Ranking) -> Sequence[ActionKind]:
        """The actions of all games of rankings."""
        del variant  # all have the same
        return ACTIONS

    def opening(self) -> RankingState:
        """The first round: the first player with chips begins (P1), all have the same chips (P14)
        unless they have others from paper.
        """
        if self.table.paper:
            check_stacks(self.paper, self._stacks)
        standings = tuple([TO_DECIDE if stack else NO_CHIPS for stack in self._stacks])
        first = standings.index(TO_DECIDE)
        state = RankingState(OPENING, 1, first, first, self._stacks, standings)
        return self._over(state, []) if len(standings) == 1 else state

    def moves(self, state: RankingState) -> Sequence[Move]:
        """The moves of the player at turn: ante, meet or stay out, roll or stop, check or raise."""
        if state.phase == OVER:
            return ()
        player = self.table.players[state.turn]
        if state.phase == OPENING:
            return (Move(ANTE, player, {"amount": Whole(1, self._most(state, TO_DECIDE))}),)
        if state.phase in (ANTES, RAISES):
            return (Move(MEET, player), Move(SIT_OUT if state.phase == ANTES else FOLD, player))
        if state.phase == ROLLING:
            if not state.dice:
                return (Move(ROLL, player, dice=self._roll_of, forced=True),)
            return (Move(ROLL, player, self._keep, dice=self._roll_of), Move(STOP, player))
        most = self._most(state, IN)
        if not most:
            return (Move(CHECK, player, forced=True),)
        return (Move(CHECK, player), Move(RAISE, player, {"amount": Whole(1, most)}))

    def _most(self, state: RankingState, standing: str) -> int:
        """The largest ante or raise of the player at turn, who has the same `standing` as those who
        must meet it (P17).
        """
        if self._own_stack:
            return state.stacks[state.turn]
        return min([state.stacks[seat] for seat in seats(state, standing, state.turn)])

    def chance(self, state: RankingState, move: Move, values: Mapping[str, Any]) -> Chance:
        """All dice except those that are kept (P2)."""
        del move  # only one kind of move rolls
        kept = [(place, state.dice[place]) for place in sorted(values.get("keep", ()))]
        return NumberedDice(self.variant.dice, kept)

    def apply_move(
        self, state: RankingState, move: Move, values: Mapping[str, Any], dice: Rolled
    ) -> RankingState:
        """The state after a move and all that follows from it, up to the next decision."""
        if move.kind is ANTE:
            amount = values["amount"]
            named = replace(self._paid(state, amount), phase=ANTES, ante=amount, price=amount)
            return self._passed(
                *self._without_unable(named, SAT_OUT, "sits_out", Reason.CANT_MEET_ANTE)
            )
        if move.kind is MEET:
            return self._passed(self._paid(state, state.price), [])
        if move.kind is ROLL:
            return self._rolled(state, self.variant.dice.numbers(dice))
        if move.kind is STOP:
            return self._stopped(state)
        if move.kind is RAISE:
            amount = values["amount"]
            asked = with_standings(state, dict.fromkeys(seats(state, IN, state.turn), TO_DECIDE))
            raised = replace(self._paid(asked, amount), phase=RAISES, price=amount)
            return self._passed(
                *self._without_unable(raised, FOLDED, "folds", Reason.CANT_MEET_RAISE)
            )
        if move.kind is CHECK:
            return self._passed(state, [])
        standing = FOLDED if move.kind is FOLD else SAT_OUT
        return self._passed(with_standings(state, {state.turn: standing}), [])

    def present(self, state: RankingState) -> Iterable[int]:
        """Who is out of chips has no game to leave (P14)."""
        return [seat for seat in super().present(state) if state.standings[seat] != NO_CHIPS]

    def timed(self, state: RankingState) -> Hashable:
        """Each decision has a clock of its own (G1)."""
        return state.round, state.phase, state.turn, state.rolls

    def default(self, state: RankingState) -> tuple[ActionKind, Mapping[str, object]] | None:
        """What costs least; without dice, which are typed in then, there is nothing to stop with
        (G1).
        """
        if state.phase == OPENING:
            return ANTE, {"amount": 1}
        if state.phase == ROLLING and not state.dice:
            return None
        return {ANTES: SIT_OUT, RAISES: FOLD, ROLLING: STOP, BETTING: CHECK}[state.phase], {}

    def give_up(self, state: RankingState) -> RankingState:
        """The player at turn folds (G1)."""
        player = self.table.players[state.turn]
        folds = self.variant.news("folds", TIME_UP, Reason.HAND_GIVEN_UP(), player=player)
        folded = with_standings(state, {state.turn: FOLDED})
        return self._passed(folded, [*state.news, folds])

    def without(self, state: RankingState, seat: int) -> RankingState:
        """The hand of who left is withdrawn; what they put in stays in the pot (G2)."""
        news = [*state.news]
        state = with_standings(state, {seat: HAS_LEFT})
        if seat == state.holder:
            state = replace(state, best=(), holder=None)
        playing = seats(state, TO_DECIDE, seat) + seats(state, IN, seat)
        if state.phase != OPENING:
            acts = seat == state.turn or len(playing) == 1
            return self._passed(state, news) if acts else state
        if len(playing) == 1:
            return self._over(state, news)
        first = playing[0] if seat == state.turn else state.turn
        return replace(state, starter=first, turn=first)

    def scores(self, state: RankingState) -> Sequence[int]:
        """The stack of each seat."""
        return state.stacks

    def ended(self, state: RankingState) -> int:
        """How many rounds have ended."""
        return state.round - (not state.over)

    def playing(self, state: RankingState) -> Iterable[int]:
        """The seats that have chips in the game, or put them in the pot (P18, G2)."""
        out = (NO_CHIPS, HAS_LEFT)
        return [seat for seat, each in enumerate(state.standings) if each not in out]

    def restore(self, stored: Mapping[str, Any]) -> RankingState:
        """The state from its stored JSON."""
        return restore_part(RankingState, stored)

    def view(self, state: RankingState, viewer: str | None) -> dict[str, Any]:
        """The whole table; nothing is hidden."""
        del viewer
        players, view = self.table.players, self._view
        return {
            "over": state.over,
            "winners": state.winners,
            "news": state.news,
            "phase": state.phase,
            "round": state.round,
            "rounds": self._rounds,
            "starter": players[state.starter],
            "to_act": self.to_act(state),
            "ante": state.ante or None,
            "price": state.price or None,
            "pot": self._pot(state),
            "players": view.players(state),
            "best": view.best(state),
            "turn": view.turn(state) if state.phase == ROLLING else None,
        }

    def _pot(self, state: RankingState) -> int:
        """The chips that are in no stack."""
        return sum(self._stacks) - sum(state.stacks)

    def _paid(self, state: RankingState, amount: int) -> RankingState:
        """The state after the player at turn put in `amount` and came in."""
        stacks = list(state.stacks)
        stacks[state.turn] -= amount
        return with_standings(replace(state, stacks=tuple(stacks)), {state.turn: IN})

    def _without_unable(
        self, state: RankingState, standing: str, what: str, why: Reason
    ) -> tuple[RankingState, list[News]]:
        """The state after putting out everyone who can't pay the ante or a raise, and the news.

        Clauses P13, P14 and P16.
        """
        news: list[News] = []
        asked = seats(state, TO_DECIDE, state.turn)
        unable = [seat for seat in asked if state.stacks[seat] < state.price]
        for seat in unable:
            sentence = why(chips=state.stacks[seat], price=state.price)
            player = self.table.players[seat]
            news.append(self.variant.news(what, why.code, sentence, player=player))
        return with_standings(state, dict.fromkeys(unable, standing)), news

    def _rolled(self, state: RankingState, dice: tuple[int, ...]) -> RankingState:
        """The dice as rolled; if they don't count, all of them are to be rolled again."""
        rank = self.variant.evaluate(dice, self.table.rules).rank
        if not rank.counts:
            player = self.table.players[state.turn]
            hand = self._view.hand(dice)
            because = Reason.NOT_COUNTED.because(rank=rank.id, clause=rank.clause)
            again = {"what": "rolls_again", "player": player, **hand, "because": because}
            return replace(state, dice=(), news=(again,))
        rolled = replace(state, dice=dice, rolls=state.rolls + 1, news=())
        return self._stopped(rolled) if rolled.rolls == self.variant.rolls else rolled

    def _stopped(self, state: RankingState) -> RankingState:
        """The player at turn stops: they bust, or hold the best hand (P4, P6)."""
        players = self.table.players
        news: list[News] = []
        if state.holder is not None:
            better, because = self._view.beats(state.dice, state.best)
            if not better:
                hand = self._view.hand(state.dice)
                player = players[state.turn]
                news.append({"what": "busts", "player": player, **hand, "because": because})
                busted = with_standings(state, {state.turn: BUST})
                return self._passed(busted, news, "highest", Reason.HIGHEST_HAND())
            news.append({"what": "put_out", "player": players[state.holder], "because": because})
            state = with_standings(state, {state.holder: BEATEN})
        state = replace(
            state, phase=BETTING, best=state.dice, holder=state.turn, dice=(), rolls=0, news=()
        )
        if state.standings.count(IN) == 1:
            return self._collected(state, news, "last_rolls_highest", Reason.LAST_ROLLED_HIGHEST())
        return replace(state, news=tuple(news))

    def _passed(
        self,
        state: RankingState,
        news: list[News],
        step: str = "all_others_out",
        sentence: Sentence = _ALL_OTHERS_OUT,
    ) -> RankingState:
        """The next who has to answer the ante or a raise does; then the next who has yet to roll.

        If only one player is left in the round, they collect (P13).
        """
        asked = seats(state, TO_DECIDE, state.turn)
        if len(asked) + state.standings.count(IN) == 1:
            return self._collected(state, news, step, sentence)
        if asked:
            return replace(state, turn=asked[0], news=tuple(news))
        turn = next(seat for seat in seats(state, IN, state.starter - 1) if seat != state.holder)
        return replace(state, phase=ROLLING, turn=turn, price=0, dice=(), rolls=0, news=tuple(news))

    def _collected(
        self, state: RankingState, news: list[News], step: str, sentence: Sentence
    ) -> RankingState:
        """The only player still in takes the pot and begins the next round.

        Clauses P6, P7 and P13.
        """
        (winner,) = seats(state, TO_DECIDE, 0) + seats(state, IN, 0)
        pot = self._pot(state)
        players, tell = self.table.players, self.variant.news
        hand = self._view.hand(state.best) if state.best else {}
        amount = {"player": players[winner], "amount": pot}
        news.append(tell("collects", step, sentence, **amount, **hand))
        stacks = tuple([stack + pot * (seat == winner) for seat, stack in enumerate(state.stacks)])
        for seat, stack in enumerate(stacks):
            if not stack and state.standings[seat] not in (NO_CHIPS, HAS_LEFT):
                out = tell("out_of_chips", "no_chips", Reason.OUT_OF_CHIPS(), player=players[seat])
                news.append(out)
        standings = tuple([TO_DECIDE if stack else NO_CHIPS for stack in stacks])
        ended = RankingState(OPENING, state.round, state.starter, winner, stacks, standings)
        ended = replace(with_standings(ended, dict.fromkeys(state.left, HAS_LEFT)), left=state.left)
        if ended.standings.count(TO_DECIDE) == 1 or state.round == self._rounds:
            return self._over(ended, news)
        begins = {"round": state.round + 1, "player": players[winner]}
        news.append(tell("round_begins", "next_round", Reason.NEXT_ROUND(), **begins))
        return replace(ended, round=state.round + 1, starter=winner, news=tuple(news))

    def _over(self, state: RankingState, news: list[News]) -> RankingState:
        """The end: the highest stack wins, and equal stacks tie (P18); who left can't win (G2)."""
        there = sorted(seats(state, TO_DECIDE, 0))
        highest = max([state.stacks[seat] for seat in there])
        winners = [self.table.players[seat] for seat in there if state.stacks[seat] == highest]
        why = "last_round", Reason.LAST_ROUND(round=state.round)
        if len(there) == 1:
            why = "all_chips", Reason.ALL_CHIPS()
            if state.left:
                why = LEFT, Reason.LAST_LEFT(player=winners[0])
        news.append(self.variant.news("game_over", *why, winners=winners))
        return replace(state, phase=OVER, winners=tuple(winners), news=tuple(news))
