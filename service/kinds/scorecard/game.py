"""The game of score cards in steps: throws to begin, then turns until all cards are full."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from service.engine.actions import ActionKind, Move, News, Value
from service.engine.chance import Chance, NumberedDice, Rolled
from service.engine.game import GameTable
from service.engine.parameters import Bound, Keep, OneOf, Points
from service.engine.state import restore_part
from service.engine.turns import Starting, TurnGame
from service.kinds.scorecard.card import DIRECTION, STARTING_THROW, BoxEntry, Card, Totals
from service.kinds.scorecard.state import (
    ScoreCardState,
    card_json,
    earned,
    final_places,
    worth,
    written_turn,
)
from service.kinds.scorecard.variant import ScoreCard
from service.rules.breaches import Breach
from service.rules.reasons import Because, Reason
from service.rules.variant import LEFT, TIME_UP
from service.rules.violations import Violation, refuse

THROW = ActionKind(
    "throw", "throws to decide who begins (automatic if the service rolls)", dice="the thrown dice"
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
WRITE = ActionKind(
    "write",
    "writes a whole turn instead of its first roll, where players type in their dice",
    {
        "box": Value(OneOf, "an open box of the card"),
        "points": Value(Points, "points that the box can have, if no dice are given"),
    },
    dice="the final dice of the turn, if no points are given",
    instead="points",
)

WRITTEN, CROSSED_OUT = "written", "crossed_out"
"""The news of a box: the dice score in it, or it gets a zero."""


class ScoreCardGame(TurnGame[ScoreCard, ScoreCardState]):
    """Each player in turn rolls and fills a box, until every card is full."""

    paper = "cards"

    def __init__(self, variant: ScoreCard, table: GameTable) -> None:
        super().__init__(variant, table)
        self._boxes = {box.id: box for box in variant.boxes}
        dice = variant.dice
        self._roll_of = NumberedDice(dice).roll
        one_die = STARTING_THROW.of(table.rules) == "one_die"
        self._throw = NumberedDice(replace(dice, count=1) if one_die else dice)
        self._step = 1 if DIRECTION.of(table.rules) == "clockwise" else -1
        self._keep = {"keep": Keep(dice.count)}

    @classmethod
    def actions(cls, variant: ScoreCard) -> Sequence[ActionKind]:
        """The actions of all games of score cards; also a throw if games may begin with one."""
        own = (ROLL, SCORE, CROSS_OUT, WRITE)
        return (THROW, *own) if variant.may_throw else own

    def opening(self) -> ScoreCardState:
        """Empty cards. Under some rules, throws first decide who begins (D17, Y2); who began on
        paper is the first player listed.
        """
        players = len(self.table.players)
        if self.table.paper:
            return self._from_paper([self.variant.read_card(card) for card in self.table.paper])
        cards = ((None,) * len(self._boxes),) * players
        throws = self.variant.throws(self.table.rules)
        starting = Starting.among(players) if throws and players > 1 else None
        return ScoreCardState(cards, (0,) * players, starting=starting)

    def _from_paper(self, cards: Sequence[Card]) -> ScoreCardState:
        """The state with these `cards`: their filled boxes tell whose turn it is (D1)."""
        count, boxes = len(cards), len(self._boxes)
        filled = [boxes - len(card.open_boxes) for card in cards]
        state = ScoreCardState(
            tuple([tuple(card.scores.values()) for card in cards]),
            tuple([card.repeated for card in cards]),
            turns=sum(filled),
        )
        violations = []
        for turn in range(count):
            seat = self._seat(state, turn)
            path = (self.paper, self.table.players[seat])
            violations += self.variant.repeat_violations(cards[seat], self.table.rules, path)
            due = state.turns // count + (turn < state.turns % count)
            if filled[seat] != due:
                detail = Breach.OUT_OF_TURN(count=filled[seat], maximum=due)
                violations.append(Violation(path, detail))
        if state.turns == count * boxes:
            violations.append(Violation((self.paper,), Breach.CARDS_FULL()))
        refuse(violations)
        return state

    def moves(self, state: ScoreCardState) -> Sequence[Move]:
        """Throws to decide who begins; then a roll, or a box for the dice (D1, D2, D17, Y1), or a
        whole turn where dice are typed in (G4).
        """
        if state.over:
            return ()
        if state.starting:
            return [
                Move(THROW, self.table.players[seat], dice=self._throw.roll, forced=True)
                for seat in state.starting.to_throw
            ]
        seat = self.seat_at_turn(state)
        player = self.table.players[seat]
        open_boxes = self._card(state, seat).open_boxes
        if not state.rolls:
            roll = Move(ROLL, player, dice=self._roll_of)
            if not self.table.typed_dice:
                return (roll,)
            most = max(self.variant.possible[box][-1] for box in open_boxes)
            turn: Mapping[str, Bound] = {"box": OneOf([*open_boxes]), "points": Points(most)}
            return (roll, Move(WRITE, player, turn, dice=self._roll_of))
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
        self, state: ScoreCardState, move: Move, values: Mapping[str, Any], dice: Rolled
    ) -> ScoreCardState:
        """The state after a throw, a roll, or a filled box, also without its rolls (D2, D12, Y3,
        G4).
        """
        if move.kind is THROW:
            return self.thrown(replace(state, news=()), move.player, dice)
        if move.kind is ROLL:
            shown = self.variant.dice.numbers(dice)
            return replace(state, rolls=state.rolls + 1, dice=shown, news=())
        player, rules, box = move.player, self.table.rules, values["box"]
        card, entry = self._card(state, self.seat_at_turn(state)), BoxEntry(state.dice, box)
        if move.kind is CROSS_OUT:
            written = self.variant.crossed_out(card, entry, rules)
            crossed_out = Reason.CROSSED_OUT(player=player, box=box)
            because = self.variant.because(CROSS_OUT.name, crossed_out)
            return self.passed(self._filled(state, (), CROSSED_OUT, entry, written, because))
        if move.kind is WRITE:
            entry = BoxEntry(self.variant.dice.numbers(dice), box)
            written = written_turn(self.variant, rules, card, entry, values["points"])
        else:
            written = self.variant.written(card, entry, rules)
        if entry.dice:
            because = worth(self.variant, rules, entry, written)
        else:
            points = Reason.POINTS_WRITTEN(player=player, points=written.scores[box], box=box)
            because = self.variant.because(WRITE.name, points)
        return self.passed(self._filled(state, (), WRITTEN, entry, written, because))

    def timed(self, state: ScoreCardState) -> Hashable:
        """Each throw to begin, then each turn (D14, D16, G1)."""
        return state.starting, state.turns

    def default(self, state: ScoreCardState) -> tuple[ActionKind, Mapping[str, object]] | None:
        """The open box in which the dice are worth most (D14); None without a roll."""
        if not state.rolls:
            return None
        boxes = self._card(state, self.seat_at_turn(state)).open_boxes
        scores = self.variant.scores(state.dice, self.table.rules, boxes)
        return SCORE, {"box": self.variant.best_box(scores)}

    def turn_given_up(self, state: ScoreCardState) -> ScoreCardState:
        """A zero in the first open box (D14, G1)."""
        return self._zero(state, TIME_UP)

    def turn_skipped(self, state: ScoreCardState) -> ScoreCardState:
        """A zero in the first open box (G2)."""
        return self._zero(state, LEFT)

    def _zero(self, state: ScoreCardState, step: str) -> ScoreCardState:
        """A zero in the first open box; `step` is the one to cite."""
        seat = self.seat_at_turn(state)
        card = self._card(state, seat)
        entry = BoxEntry((), card.open_boxes[0])
        written = self.variant.crossed_out(card, entry, self.table.rules)
        why = Reason.TURN_GIVEN_UP(player=self.table.players[seat], box=entry.box)
        because = self.variant.because(step, why)
        return self._filled(state, state.news, CROSSED_OUT, entry, written, because)

    def scores(self, state: ScoreCardState) -> Sequence[int]:
        """The total of each card so far."""
        return [totals.total for totals in self._totals(state)]

    def ended(self, state: ScoreCardState) -> int:
        """How many turns have ended, zeros of those who left included (D2, G2)."""
        return state.turns

    def restore(self, stored: Mapping[str, Any]) -> ScoreCardState:
        """The state from its stored JSON."""
        return restore_part(ScoreCardState, stored, starting=Starting)

    def view(self, state: ScoreCardState, viewer: str | None) -> dict[str, Any]:
        """The whole game; nothing is hidden."""
        del viewer
        players = self.table.players
        totals = self._totals(state)
        phase = "playing"
        more: dict[str, Any] = {
            "order": [players[self._seat(state, turn)] for turn in range(len(players))]
        }
        if state.over:
            phase = "over"
            more["places"] = final_places(self.variant, players, totals, state.left)
        elif state.starting:
            phase = "throwing"
            more = {"throws": state.starting.as_json(players)}
        else:
            more["turn"] = self._turn_json(state)
        return {
            "over": state.over,
            "winners": list(state.winners),
            "news": list(state.news),
            "phase": phase,
            "to_act": self.to_act(state),
            **more,
            "cards": {
                player: card_json(self.variant, self.table.rules, added)
                for player, added in zip(players, totals, strict=True)
            },
        }

    def _filled(
        self,
        state: ScoreCardState,
        news: tuple[News, ...],
        what: str,
        entry: BoxEntry,
        written: Card,
        because: Because,
    ) -> ScoreCardState:
        """The next turn, or the end, after a box was filled (D2, D6, Y3); `news` came before it."""
        seat, rules = self.seat_at_turn(state), self.table.rules
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
        after = ScoreCardState(
            tuple(cards),
            tuple(repeated),
            begins=state.begins,
            turns=state.turns + 1,
            left=state.left,
            news=(*news, filled, *earned(self.variant, rules, player, before, written)),
        )
        if after.turns < len(cards) * len(self._boxes):
            return after
        places = final_places(self.variant, self.table.players, self._totals(after), state.left)
        ended = {"winners": (winners := places[0]["players"]), "places": places}
        end = self.variant.news("game_over", "end", Reason.CARDS_FULL(), **ended)
        return replace(after, winners=tuple(winners), news=(*after.news, end))

    def _turn_json(self, state: ScoreCardState) -> dict[str, Any]:
        """The current turn as JSON."""
        seat = self.seat_at_turn(state)
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
        }

    def _totals(self, state: ScoreCardState) -> list[Totals]:
        """All cards added up, by seat."""
        cards = [self._card(state, seat) for seat in range(len(state.cards))]
        return [self.variant.added_up(card, self.table.rules) for card in cards]

    def _card(self, state: ScoreCardState, seat: int) -> Card:
        """The card of the player at `seat`."""
        return Card(dict(zip(self._boxes, state.cards[seat], strict=True)), state.repeated[seat])

    def seat_at_turn(self, state: ScoreCardState) -> int:
        """The seat whose turn it is."""
        return self._seat(state, state.turns)

    def _seat(self, state: ScoreCardState, turn: int) -> int:
        """The seat that has the turn of this number, in order from who began (D1, Y2, Y13)."""
        return (state.begins + self._step * turn) % len(state.cards)
