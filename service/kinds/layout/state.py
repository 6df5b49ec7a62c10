"""The state of a game of layouts, its rolls, and what everyone sees of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from service.engine.chance import Below, Rolled
from service.engine.turns import TurnState
from service.kinds.layout.cards import BLANK, Turn
from service.kinds.layout.lines import Line
from service.kinds.layout.own_layout import DIRECTIONS, OwnLine, most_lines, read_lines
from service.kinds.layout.played import LaidHand, Played, grid_of
from service.kinds.layout.solver.grid import Segment
from service.kinds.layout.variant import Layout, LayoutRules
from service.rules.breaches import Breach
from service.rules.places import in_places, places_json
from service.rules.reasons import Because, Reason
from service.rules.sentences import Sentence
from service.rules.variant import LEFT
from service.rules.violations import InvalidInput, Violation, refuse

Faces = tuple[str, ...]
"""A roll in notation: a card or a blank for each die (R21)."""


def shown(rolls: Sequence[Faces]) -> Faces:
    """The dice after `rolls`: each later roll replaces the blanks (R3)."""
    faces = list(rolls[0]) if rolls else []
    for roll in rolls[1:]:
        again = iter(roll)
        faces = [next(again) if face == BLANK else face for face in faces]
    return tuple(faces)


def blanks(faces: Faces) -> tuple[int, ...]:
    """The dice that show blanks, by their numbers in the first roll."""
    return tuple([die for die, face in enumerate(faces) if face == BLANK])


@dataclass(frozen=True, slots=True)
class CardRoll:
    """The next roll of a turn after `rolls`: all dice, or those that show blanks (R3)."""

    variant: Layout
    rules: LayoutRules
    rolls: tuple[Faces, ...]

    @property
    def rolled(self) -> Sequence[int]:
        """The dice that are rolled, by their numbers in the first roll."""
        return blanks(shown(self.rolls)) if self.rolls else range(self.variant.dice.count)

    def draw(self, below: Below) -> Rolled:
        """A face of each die of the published set that is rolled (R20)."""
        dice = [self.variant.dice.dice_set[die] for die in self.rolled]
        return tuple([faces[below(len(faces))] for faces in dice])

    def read(self, dice: object) -> Rolled:
        """Parses a roll of any set (R20, R21).

        Raises `InvalidInput` for invalid faces, a wrong number of them, and cards that show twice
        unless the rules allow that.
        """
        try:
            turn = self.variant.read_rolls([*self.rolls, dice])
        except InvalidInput as refused:
            # earlier rolls are valid, so every violation is in this one
            raise InvalidInput(
                *[Violation(each.path[1:], each.detail) for each in refused.violations]
            ) from None
        rolled, dice_set = self.rolled, self.variant.dice
        if not self.rules.repeated_cards:
            refuse(
                Violation(
                    (rolled.index(die),),
                    Breach.CARD_ROLLED_BEFORE(
                        card=dice_set.cards_of(turn, [die])[0],
                        dice=others,
                        clause=dice_set.cites.once,
                    ),
                )
                for die, others in dice_set.same_card(turn).items()
                if die in rolled
            )
        cards = [turn.cards[die] for die in rolled]
        return tuple([BLANK if card is None else dice_set.notation[card] for card in cards])


@dataclass(frozen=True, slots=True)
class OwnLines:
    """A player's own layout of `dice` dice, each in up to `uses` lines, or null."""

    default: ClassVar[object] = None

    dice: int
    uses: int

    @property
    def most(self) -> int:
        """The most lines that there can be."""
        return most_lines(self.dice, self.uses)

    def read(self, value: object) -> tuple[OwnLine, ...] | None:
        """Parses the lines, or null. Raises `InvalidInput` with all violations of their form."""
        if value is None:
            return None
        return read_lines(value, self.dice, self.most)


StoredHand = tuple[str, int, bool, tuple[int, ...], tuple[bool, int, int, int] | None]
"""A hand of a layout: its id, its further cards, whether it counts twice, its dice, and their place
with the fields of a `Segment`."""


@dataclass(frozen=True, slots=True)
class LaidTurn:
    """A layout whose points are fixed; `points` include `bonus`.

    `best_points` are those of the best layout known, `upper_bound` what no layout exceeds.
    """

    points: int
    bonus: int
    best_points: int
    upper_bound: int
    hands: tuple[StoredHand, ...]

    @classmethod
    def of(cls, played: Played) -> LaidTurn:
        """The layout of `played`."""
        hands: list[StoredHand] = [
            (
                hand.line.hand.id,
                hand.line.further,
                hand.line.first_roll,
                hand.dice,
                hand.segment and (*hand.segment,),
            )
            for hand in played.hands
        ]
        return cls(
            played.points, played.bonus, played.best_points, played.upper_bound, tuple(hands)
        )

    @property
    def proven(self) -> bool:
        """Whether it is proven that no layout has more than `best_points` (R32)."""
        return self.best_points == self.upper_bound

    def laid_hands(self, variant: Layout) -> list[LaidHand]:
        """The hands of the layout."""
        hands = {hand.id: hand for hand in variant.all_hands}
        return [
            LaidHand(
                Line.of(hands[hand], further, first_roll),
                dice,
                None if segment is None else Segment(*segment),
            )
            for hand, further, first_roll, dice, segment in self.hands
        ]


@dataclass(frozen=True, slots=True)
class LayoutState(TurnState):
    """The state of a game.

    `totals` are by seat. `played` counts the turns that ended. `rolls` are those of the current
    turn, and `laid` is its layout. (A turn that doesn't open ends at once, so it is never current.)
    Both stay if they ended the game.
    """

    totals: tuple[int, ...]
    played: int = 0
    rolls: tuple[Faces, ...] = ()
    laid: LaidTurn | None = None

    def rolls_left(self, most: int) -> int:
        """How many rolls of `most` are left in this turn (R3)."""
        if self.laid is not None or (self.rolls and BLANK not in shown(self.rolls)):
            return 0
        return most - len(self.rolls)


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's final total, whether a super royal has won them the game, and whether the player
    stayed to the end.
    """

    id: str
    total: int
    super_royal: bool
    stayed: bool


def turn_json(variant: Layout, rules: LayoutRules, state: LayoutState) -> dict[str, Any]:
    """The rolls of a turn, what the dice show, and the layout once there is one (R3, R4, R32)."""
    faces, laid = shown(state.rolls), state.laid
    laid_json = None
    if laid:
        turn, hands = variant.read_rolls(state.rolls), laid.laid_hands(variant)
        laid_json = {
            "points": laid.points,
            "hands": hands_json(variant, turn, hands),
            "grid": grid_json(variant, turn, hands, rules),
            "all_dice_bonus": laid.bonus,
            "best_points": laid.best_points,
            "proven": laid.proven,
            **({} if laid.proven else {"upper_bound": laid.upper_bound}),
        }
    return {
        "rolls": state.rolls,
        "dice": faces,
        "blanks": blanks(faces),
        "rolls_left": state.rolls_left(variant.rolls),
        "opened": True if state.rolls else None,
        "laid": laid_json,
    }


def final_places(
    standings: Sequence[Standing], because: Callable[[str, Sentence], Because]
) -> list[dict[str, Any]]:
    """The places by total (R5), with a super royal first (R9) and those who left last (G2), each
    with its reason.
    """

    def beats(stronger: Standing, weaker: Standing) -> Because:
        if stronger.super_royal:
            return because("super_royal", Reason.SUPER_ROYAL())
        if stronger.stayed > weaker.stayed:
            return because(LEFT, Reason.STAYED(player=weaker.id))
        total, other = stronger.total, weaker.total
        return because("end", Reason.TOTAL(total=total, ahead=total - other, next=other))

    places = in_places(
        standings,
        strength=lambda standing: (standing.super_royal, standing.stayed, standing.total),
        beats=beats,
        lowest=lambda standing: Reason.LOWEST_TOTAL.because(total=standing.total),
        tied=lambda standing: because("end", Reason.SHARED_TOTAL(total=standing.total)),
        alone=lambda standing: Reason.ONLY_TOTAL.because(total=standing.total),
    )
    return places_json(places, lambda standing: standing.total)


def compared(laid: LaidTurn) -> Sentence:
    """A sentence on what a layout is worth, and whether there is a better one."""
    if laid.points < laid.best_points:
        return Reason.LAID_BELOW_BEST(points=laid.points, best=laid.best_points)
    return (Reason.LAID_BEST if laid.proven else Reason.LAID_BEST_KNOWN)(points=laid.points)


def hands_json(variant: Layout, turn: Turn, hands: Sequence[LaidHand]) -> list[dict[str, Any]]:
    """`hands` with their cards, points and reasons (R9), and where their first dice lie (R26)."""
    return [
        {
            "hand": hand.line.hand.id,
            "dice": hand.dice,
            "cards": variant.dice.cards_of(turn, hand.dice),
            "points": hand.line.points,
            "first_roll": hand.line.first_roll,
            "because": hand.line.because,
            "clause": hand.line.hand.clause,
            **place_json(hand),
        }
        for hand in hands
    ]


def grid_json(
    variant: Layout, turn: Turn, hands: Sequence[LaidHand], rules: LayoutRules
) -> list[dict[str, Any]] | None:
    """Where each die of `hands` lies (R26); None where hands run in any direction (R27)."""
    if rules.max_uses > 2:
        return None
    return [
        {"die": die, "card": variant.dice.cards_of(turn, [die])[0], "row": row, "column": column}
        for die, row, column in grid_of(hands)
    ]


def place_json(hand: LaidHand) -> dict[str, Any]:
    """Where the first die of `hand` lies, and in which direction the hand runs (R26, R27)."""
    if hand.segment is None:
        return {"direction": None, "row": None, "column": None}
    row, column = hand.segment.cells()[0]
    return {"direction": DIRECTIONS[not hand.segment.across], "row": row, "column": column}
