"""The game of score cards in steps: throws to begin, then turns until all cards are full."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from service.engine.chance import Chance, NumberedDice, Rolled
from service.engine.game import (
    TIME_UP,
    ActionKind,
    Game,
    GameTable,
    Move,
    News,
    Value,
    restore_part,
)
from service.engine.parameters import Bound, Keep, OneOf
from service.engine.starting import Starting
from service.kinds.scorecard.card import BoxEntry, Card, Totals
from service.kinds.scorecard.known_rules import DIRECTION, STARTING_THROW
from service.kinds.scorecard.state import (
    ScoreCardState,
    card_json,
    earned,
    final_places,
    worth,
)
from service.kinds.scorecard.variant import ScoreCard
from service.rules.reasons import Because, Reason

THROW = ActionKind(
    "throw",
    "throws to decide who begins (automatic if the service rolls)",
    dice="the thrown dice",
)
ROLL = ActionKind(
    "roll",
    "rolls all dice except those kept; the first roll of a turn keeps none",
    {"keep": Value(Keep, "the dice to keep, by their indexes from 0")},
    dice="all dice after the roll, with kept dice at their indexes",
)
SCORE = ActionKind(
    "score", "scores the dice in an open box", {"box": Value(OneOf, "an open box of the card")}
)
CROSS_OUT = ActionKind(
    "cross_out",
    "writes a zero in an open box, whatever the dice; only after a roll",
    {"box": Value(OneOf, "an open box of the card")},
)


class ScoreCardGame(Game[ScoreCard, ScoreCardState]):
    """Each player in turn rolls and fills a box, until every card is full."""

    def __init__(self, variant: ScoreCard, table: GameTable) -> None:
        super().__init__(variant, table)
        self._boxes = {box.id: box for box in variant.boxes}
        self._seats = {player: seat for seat, player in enumerate(table.players)}
        seconds = getattr(table.rules, variant.clock) if variant.clock else None
        self._lasts: int | None = None if seconds is None else 1_000 * seconds
        dice = variant.dice
        self._roll_of = NumberedDice(dice).roll
        one_die = STARTING_THROW.of(table.rules) == "one_die"
        self._throw = NumberedDice(replace(dice, count=1) if one_die else dice)
        self._step = 1 if DIRECTION.of(table.rules) == "clockwise" else -1
        self._keep = {"keep": Keep(dice.count)}

    @classmethod
    def actions(cls, variant: ScoreCard) -> Sequence[ActionKind]:
        """The actions of all games of score cards; also a throw if games may begin with one."""
        own = (ROLL, SCORE, CROSS_OUT)
        return (THROW, *own) if variant.may_throw else own

    def start(self, at: int) -> ScoreCardState:
        """Empty cards. Under some rules, throws first decide who begins (D14, D17, Y2)."""
        players = len(self.table.players)
        cards = ((None,) * len(self._boxes),) * players
        throws = self.variant.throws(self.table.rules)
        starting = Starting.among(players) if throws and players > 1 else None
        deadline = None if starting else self._deadline(at)
        return ScoreCardState(cards, (0,) * players, starting, deadline=deadline)

    def moves(self, state: ScoreCardState) -> Sequence[Move]:
        """Throws to decide who begins; then a roll, or a box for the dice (D1, D2, D17, Y1)."""
        if state.over:
            return ()
        if state.starting:
            return [
                Move(THROW, self.table.players[seat], dice=self._throw.roll, forced=True)
                for seat in state.starting.to_throw
            ]
        seat = self._to_act(state)
        player = self.table.players[seat]
        if not state.rolls:
            return (Move(ROLL, player, dice=self._roll_of),)
        open_boxes = self._card(state, seat).open_boxes
        must = self.variant.must_score(state.dice, self.table.rules, open_boxes)
        box: Mapping[str, Bound] = {"box": OneOf([*(must or open_boxes)])}
        writes = [Move(kind, player, box) for kind in ([SCORE] if must else [SCORE, CROSS_OUT])]
        if state.rolls == self.variant.rolls:
            return writes
        return (Move(ROLL, player, self._keep, dice=self._roll_of), *writes)

    def chance(self, state: ScoreCardState, move: Move, values: Mapping[str, Any]) -> Chance:
        """All dice except those that are kept from the roll before (D1, Y1), or a throw (Y13)."""
        if move.kind is THROW:
            return self._throw
        kept = [(place, state.dice[place]) for place in sorted(values.get("keep", ()))]
        return NumberedDice(self.variant.dice, kept)

    def apply_move(
        self, state: ScoreCardState, move: Move, values: Mapping[str, Any], dice: Rolled, at: int
    ) -> ScoreCardState:
        """The state after a throw, a roll, or a filled box (D2, D12, Y3)."""
        if move.kind is THROW:
            return self._thrown(state, move.player, dice, at)
        if move.kind is ROLL:
            shown = self.variant.dice.numbers(dice)
            return replace(state, rolls=state.rolls + 1, dice=shown, news=())
        card = self._card(state, self._to_act(state))
        entry = BoxEntry(state.dice, values["box"])
        if move.kind is CROSS_OUT:
            written = self.variant.crossed_out(card, entry, self.table.rules)
            crossed_out = Reason.CROSSED_OUT(player=move.player, box=entry.box)
            because = self.variant.because(CROSS_OUT.name, crossed_out)
            return self._next_turn(state, "crossed_out", entry, written, because, at)
        written = self.variant.written(card, entry, self.table.rules)
        because = worth(self.variant, self.table.rules, entry, written)
        return self._next_turn(state, "written", entry, written, because, at)

    def time_up(self, state: ScoreCardState) -> ScoreCardState:
        """The dice go in the open box worth most, or a zero in the first without a roll (D14)."""
        if state.deadline is None:
            return super().time_up(state)
        seat = self._to_act(state)
        player, card, rules = self.table.players[seat], self._card(state, seat), self.table.rules
        if state.rolls:
            scores = self.variant.scores(state.dice, rules, card.open_boxes)
            entry = BoxEntry(state.dice, self.variant.best_box(scores))
            written = self.variant.written(card, entry, rules)
            score = written.scores[entry.box]
            why = Reason.TIME_UP(player=player, box=entry.box, score=score)
        else:
            entry = BoxEntry((), card.open_boxes[0])
            written = self.variant.crossed_out(card, entry, rules)
            why = Reason.TIME_UP_UNROLLED(player=player, box=entry.box)
        because = self.variant.because(TIME_UP, why)
        return self._next_turn(state, TIME_UP, entry, written, because, state.deadline)

    def restore(self, stored: Mapping[str, Any]) -> ScoreCardState:
        """The state from its stored JSON."""
        return restore_part(ScoreCardState, stored, starting=Starting)

    def view(self, state: ScoreCardState, viewer: str | None) -> dict[str, Any]:
        """The whole game; nothing is hidden."""
        del viewer
        players = self.table.players
        totals = self._totals(state)
        phase, to_act = "playing", [self._to_act(state)]
        more: dict[str, Any] = {
            "order": [players[self._seat(state, turn)] for turn in range(len(players))]
        }
        if state.over:
            phase, to_act = "over", []
            more["places"] = final_places(self.variant, players, totals)
        elif state.starting:
            phase, to_act = "throwing", [*state.starting.to_throw]
            more = {"throws": state.starting.as_json(players)}
        else:
            more["turn"] = self._turn_json(state)
        return {
            "over": state.over,
            "winners": list(state.winners),
            "news": list(state.news),
            "phase": phase,
            "to_act": [players[seat] for seat in to_act],
            **more,
            "cards": {
                player: card_json(self.variant, self.table.rules, added)
                for player, added in zip(players, totals, strict=True)
            },
        }

    def _thrown(self, state: ScoreCardState, player: str, dice: Rolled, at: int) -> ScoreCardState:
        """The state after a throw to begin; the last throw starts the first turn (Y2)."""
        if state.starting is None:
            raise ValueError("nobody throws to decide who begins")
        starting = state.starting.thrown(self._seats[player], dice)
        news = starting.news(self.table.players, self.variant.because)
        if starting.first is None:
            return replace(state, starting=starting, news=news)
        return replace(
            state, starting=None, begins=starting.first, deadline=self._deadline(at), news=news
        )

    def _next_turn(
        self,
        state: ScoreCardState,
        what: str,
        entry: BoxEntry,
        written: Card,
        because: Because,
        at: int,
    ) -> ScoreCardState:
        """The next turn, or the end, after a box was filled at the time `at` (D2, D6, Y3)."""
        seat, rules = self._to_act(state), self.table.rules
        player, before = self.table.players[seat], self._card(state, seat)
        filled: News = {
            "what": what,
            "player": player,
            "dice": list(self.variant.dice.named(entry.dice)),
            "box": entry.box,
            "score": written.scores[entry.box],
            "because": because,
        }
        cards = list(state.cards)
        cards[seat] = tuple(written.scores.values())
        repeated = list(state.repeated)
        repeated[seat] = written.repeated
        turns = state.turns + 1
        over = turns == len(cards) * len(self._boxes)
        after = ScoreCardState(
            tuple(cards),
            tuple(repeated),
            begins=state.begins,
            turns=turns,
            deadline=None if over else self._deadline(at),
            news=(filled, *earned(self.variant, rules, player, before, written)),
        )
        if not over:
            return after
        places = final_places(self.variant, self.table.players, self._totals(after))
        ended = {"winners": (winners := places[0]["players"]), "places": places}
        end = self.variant.news("game_over", "end", Reason.CARDS_FULL(), **ended)
        return replace(after, winners=tuple(winners), news=(*after.news, end))

    def _turn_json(self, state: ScoreCardState) -> dict[str, Any]:
        """The current turn as JSON."""
        seat = self._to_act(state)
        scores: dict[str, int] | None = None
        best: dict[str, Any] | None = None
        if state.rolls:
            open_boxes = self._card(state, seat).open_boxes
            scores = self.variant.scores(state.dice, self.table.rules, open_boxes)
            box = self.variant.best_box(scores)
            best = {"box": box, "score": scores[box]}
        return {
            "player": self.table.players[seat],
            "round": state.turns // len(state.cards) + 1,
            "rolls_left": self.variant.rolls - state.rolls,
            "dice": list(self.variant.dice.named(state.dice)) or None,
            "scores": scores,
            "best": best,
            "ends_at": state.deadline,
        }

    def _totals(self, state: ScoreCardState) -> list[Totals]:
        """All cards added up, by seat."""
        cards = [self._card(state, seat) for seat in range(len(state.cards))]
        return [self.variant.added_up(card, self.table.rules) for card in cards]

    def _card(self, state: ScoreCardState, seat: int) -> Card:
        """The card of the player at `seat`."""
        return Card(dict(zip(self._boxes, state.cards[seat], strict=True)), state.repeated[seat])

    def _to_act(self, state: ScoreCardState) -> int:
        """The seat whose turn it is."""
        return self._seat(state, state.turns)

    def _seat(self, state: ScoreCardState, turn: int) -> int:
        """The seat that has the turn of this number, in order from who began (D1, Y2, Y13)."""
        return (state.begins + self._step * turn) % len(state.cards)

    def _deadline(self, at: int) -> int | None:
        """When a turn that begins at the time `at` runs out; None without a clock (D14)."""
        return None if self._lasts is None else at + self._lasts
