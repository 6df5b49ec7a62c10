"""Beat it or bust: the game of variants that rank rolls, such as `poker-dice`, for chips.

A round is the ante, then a turn for each player: come in, roll, and check or raise. A player who
rolls a better hand than the best so far puts out its holder, so there is always only one hand to
beat. The clauses in the docstrings are those of `poker-dice`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from service.engine.chance import Chance, NumberedDice, Rolled
from service.engine.game import ActionKind, Game, GameTable, Move, News, Value, restore_part
from service.engine.parameters import Keep, Whole
from service.kinds.ranking.state import (
    BEATEN,
    BETTING,
    BUST,
    FOLDED,
    IN,
    JOIN,
    NO_CHIPS,
    OPENING,
    OVER,
    ROLLING,
    SAT_OUT,
    TO_DECIDE,
    RankingState,
    RankingView,
    unable,
    with_standings,
)
from service.kinds.ranking.variant import ROUNDS, STARTING_CHIPS, Ranking
from service.rules.reasons import Reason
from service.rules.sentences import Sentence

ANTE = ActionKind(
    "ante",
    "sets the ante of the round and pays it",
    {"amount": Value(Whole, "the number of chips")},
)
MEET = ActionKind("meet", "pays the ante and all raises, and joins the round")
SIT_OUT = ActionKind("sit_out", "stays out of the round; only while nobody has raised")
ROLL = ActionKind(
    "roll",
    "rolls all dice except those kept (the first roll of a turn is automatic if the service rolls)",
    {"keep": Value(Keep, "the dice to keep, by their indexes from 0")},
    dice="all dice after the roll, with kept dice at their indexes",
)
STOP = ActionKind("stop", "ends the turn with the dice as rolled")
CHECK = ActionKind(
    "check", "adds no chips (automatic for a leader without chips if the service rolls)"
)
RAISE = ActionKind(
    "raise",
    "adds chips that the others must match",
    {"amount": Value(Whole, "the number of chips")},
)
FOLD = ActionKind("fold", "leaves the round; only once somebody has raised")

ACTIONS = (ANTE, MEET, SIT_OUT, ROLL, STOP, CHECK, RAISE, FOLD)

ALL_OTHERS_OUT = ("all_others_out", Reason.ALL_OTHERS_OUT())
"""Why a player takes the pot when everyone else is out: the step, and the sentence."""


class RankingGame(Game[Ranking, RankingState]):
    """Rounds of beat it or bust for chips (P1-P14)."""

    def __init__(self, variant: Ranking, table: GameTable) -> None:
        super().__init__(variant, table)
        self._starting_chips: int = STARTING_CHIPS.of(table.rules)
        self._rounds: int | None = ROUNDS.of(table.rules)
        self._roll_of = NumberedDice(variant.dice).roll
        self._keep = {"keep": Keep(variant.hand_size)}
        self._view = RankingView(variant, table)

    @classmethod
    def actions(cls, variant: Ranking) -> Sequence[ActionKind]:
        """The actions of all games of rankings."""
        del variant  # all have the same
        return ACTIONS

    def opening(self) -> RankingState:
        """The first round: the first player begins (P1), all have the same chips (P14)."""
        count = len(self.table.players)
        stacks = (self._starting_chips,) * count
        state = RankingState(OPENING, 1, 0, 0, stacks, (TO_DECIDE,) * count)
        return self._over(state, []) if count == 1 else state

    def moves(self, state: RankingState) -> Sequence[Move]:
        """The moves of the player at turn: ante, meet or stay out, roll or stop, check or raise."""
        if state.phase == OVER:
            return ()
        player = self.table.players[state.turn]
        stack = state.stacks[state.turn]
        if state.phase == OPENING:
            return (Move(ANTE, player, {"amount": Whole(1, stack)}),)
        if state.phase == JOIN:
            away = FOLD if state.price > state.ante else SIT_OUT
            return (Move(MEET, player), Move(away, player))
        if state.phase == ROLLING:
            if not state.dice:
                return (Move(ROLL, player, dice=self._roll_of, forced=True),)
            return (Move(ROLL, player, self._keep, dice=self._roll_of), Move(STOP, player))
        if not stack:
            return (Move(CHECK, player, forced=True),)
        return (Move(CHECK, player), Move(RAISE, player, {"amount": Whole(1, stack)}))

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
            paid = replace(self._paid(state, amount), phase=ROLLING, ante=amount, price=amount)
            left, news = self._without_unable(paid, SAT_OUT, "sits_out", Reason.CANT_MEET_ANTE)
            if TO_DECIDE in left.standings:
                return replace(left, news=tuple(news))
            return self._collected(left, news, *ALL_OTHERS_OUT)
        if move.kind is MEET:
            return replace(self._paid(state, state.price), phase=ROLLING, news=())
        if move.kind is ROLL:
            return self._rolled(state, self.variant.dice.numbers(dice))
        if move.kind is STOP:
            return self._stopped(state)
        if move.kind is RAISE:
            amount = values["amount"]
            paid = replace(self._paid(state, amount), price=state.price + amount)
            left, news = self._without_unable(paid, FOLDED, "folds", Reason.CANT_MEET_RAISE)
            return self._passed(left, news, *ALL_OTHERS_OUT)
        if move.kind is CHECK:
            return self._passed(state, [], *ALL_OTHERS_OUT)
        standing = FOLDED if move.kind is FOLD else SAT_OUT
        return self._passed(with_standings(state, {state.turn: standing}), [], *ALL_OTHERS_OUT)

    def present(self, state: RankingState) -> Iterable[int]:
        """Nobody leaves."""
        del state
        return ()

    def timed(self, state: RankingState) -> Hashable:
        """No clock runs."""
        raise NotImplementedError

    def default(self, state: RankingState) -> tuple[ActionKind, Mapping[str, object]] | None:
        """No clock runs."""
        raise NotImplementedError

    def give_up(self, state: RankingState, step: str) -> RankingState:
        """No clock runs."""
        raise NotImplementedError

    def without(self, state: RankingState, seat: int) -> RankingState:
        """Nobody leaves."""
        raise NotImplementedError

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
            "to_act": [] if state.over else [players[state.turn]],
            "ante": state.ante or None,
            "price": state.price or None,
            "pot": self._pot(state),
            "players": view.players(state),
            "best": view.best(state),
            "turn": view.turn(state) if state.phase == ROLLING else None,
        }

    def _pot(self, state: RankingState) -> int:
        """The chips that are in no stack."""
        return self._starting_chips * len(self.table.players) - sum(state.stacks)

    def _paid(self, state: RankingState, amount: int) -> RankingState:
        """The state after the player at turn put in `amount` and came in."""
        stacks = list(state.stacks)
        stacks[state.turn] -= amount
        return with_standings(replace(state, stacks=tuple(stacks)), {state.turn: IN})

    def _without_unable(
        self, state: RankingState, standing: str, what: str, why: Reason
    ) -> tuple[RankingState, list[News]]:
        """The state after putting out everyone who can't pay the ante or a raise, and the news.

        Clauses P1, P5, P13 and P14.
        """
        news: list[News] = []
        seats = unable(state)
        for seat in seats:
            sentence = why(chips=state.stacks[seat], price=state.price)
            player = self.table.players[seat]
            news.append(self.variant.news(what, why.code, sentence, player=player))
        return with_standings(state, dict.fromkeys(seats, standing)), news

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
        if TO_DECIDE not in state.standings:
            return self._collected(state, news, "last_rolls_highest", Reason.LAST_ROLLED_HIGHEST())
        return replace(state, news=tuple(news))

    def _passed(
        self, state: RankingState, news: list[News], step: str, sentence: Sentence
    ) -> RankingState:
        """The turn passes to the next player who must decide; without one, the pot is collected."""
        count = len(state.standings)
        for seat in range(state.turn + 1, state.turn + count):
            if state.standings[seat % count] == TO_DECIDE:
                return replace(
                    state, phase=JOIN, turn=seat % count, dice=(), rolls=0, news=tuple(news)
                )
        return self._collected(state, news, step, sentence)

    def _collected(
        self, state: RankingState, news: list[News], step: str, sentence: Sentence
    ) -> RankingState:
        """The only player still in takes the pot and begins the next round.

        Clauses P6, P7 and P13.
        """
        winner = state.standings.index(IN)
        pot = self._pot(state)
        players, tell = self.table.players, self.variant.news
        hand = self._view.hand(state.best) if state.best else {}
        amount = {"player": players[winner], "amount": pot}
        news.append(tell("collects", step, sentence, **amount, **hand))
        stacks = tuple([stack + pot * (seat == winner) for seat, stack in enumerate(state.stacks)])
        for seat, stack in enumerate(stacks):
            if not stack and state.standings[seat] != NO_CHIPS:
                out = tell("out_of_chips", "no_chips", Reason.OUT_OF_CHIPS(), player=players[seat])
                news.append(out)
        standings = tuple([TO_DECIDE if stack else NO_CHIPS for stack in stacks])
        ended = RankingState(OPENING, state.round, state.starter, winner, stacks, standings)
        if standings.count(TO_DECIDE) == 1 or state.round == self._rounds:
            return self._over(ended, news)
        begins = {"round": state.round + 1, "player": players[winner]}
        news.append(tell("round_begins", "next_round", Reason.NEXT_ROUND(), **begins))
        return replace(ended, round=state.round + 1, starter=winner, news=tuple(news))

    def _over(self, state: RankingState, news: list[News]) -> RankingState:
        """The end: the highest stack wins, and equal stacks tie (P7, P14)."""
        highest = max(state.stacks)
        winners = [
            player
            for player, stack in zip(self.table.players, state.stacks, strict=True)
            if stack == highest
        ]
        why = "last_round", Reason.LAST_ROUND(round=state.round)
        if len(state.stacks) - state.stacks.count(0) == 1:
            why = "all_chips", Reason.ALL_CHIPS()
        news.append(self.variant.news("game_over", *why, winners=winners))
        return replace(state, phase=OVER, winners=tuple(winners), news=tuple(news))
