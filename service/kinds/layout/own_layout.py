"""A player's own layout: every rule that it breaks, with the dice concerned (R32)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, Literal

from service.kinds.layout.cards import CardDice, Turn
from service.kinds.layout.lines import Line
from service.kinds.layout.solver.best import LONE, Mode
from service.kinds.layout.solver.grid import Segment
from service.rules.breaches import Breach
from service.rules.dice import whole_number
from service.rules.field_types import Clause
from service.rules.house_rules import read_whole
from service.rules.violations import (
    MAX_CHECKED,
    ON_HOUSE_RULES,
    InvalidInput,
    Violation,
    gathering,
    read_each,
    refuse,
)

Cell = tuple[int, int]
Direction = Literal["across", "down"]


@dataclass(frozen=True)
class OwnLine:
    """A line of a player's layout: the dice in order, and the place of the first.

    It has no place if lines may run in any direction (R27).
    """

    dice: tuple[int, ...]
    direction: Direction | None = None
    row: int | None = None
    column: int | None = None

    @property
    def mask(self) -> int:
        """The dice as a mask."""
        return sum(1 << die for die in set(self.dice))

    @property
    def segment(self) -> Segment | None:
        """Its place, if it has one."""
        if self.direction is None or self.row is None or self.column is None:
            return None
        across = self.direction == "across"
        at, start = (self.row, self.column) if across else (self.column, self.row)
        return Segment(across, at, start, start + len(self.dice) - 1)


@dataclass(frozen=True, kw_only=True)
class LayoutClauses:
    """The clauses that violations in a player's own layout cite.

    `hands` is for lines that are not hands, `shared` for a die in more than two hands, `grid` for
    hands across and down, and `diagonal` for those that run in any direction. `connected` is for
    several groups of hands, and `alone` for a hand that doesn't count without another. House rules
    have clauses of their own.
    """

    hands: Clause
    shared: Clause
    grid: Clause
    diagonal: Clause
    connected: Clause
    alone: Clause


@dataclass(frozen=True)
class OwnLayout:
    """A player's own layout of `turn`; `mode` and `uses` of a die are house rules.

    `lines` are all lines that the dice can make. `cites` has the clauses of violations, and
    `rule_clauses` those of the house rules by name. The paths of violations begin at the layout.
    """

    laid: Sequence[OwnLine]
    turn: Turn
    dice: CardDice
    lines: Mapping[int, Line]
    mode: Mode
    uses: int
    cites: LayoutClauses
    rule_clauses: Mapping[str, str]

    def violations(self) -> list[Violation]:
        """Everything wrong with the layout; none if it is legal."""
        against_rules = [*self._shared_wrongly(), *self._used_too_often()]
        if self.uses == 2:
            against_rules += self._without_place()
            against_rules += [*self._misplaced()] or self._touching()
        if self.mode is Mode.CONNECTED:
            against_rules += self._apart()
        return [
            *self._no_hands(),
            *(replace(violation, rests_on=ON_HOUSE_RULES) for violation in against_rules),
        ]

    def _no_hands(self) -> Iterator[Violation]:
        """Lines with blanks, and lines that are not hands (R9, R23)."""
        clause = self.cites.hands
        for index, line in enumerate(self.laid):
            blanks = [die for die in line.dice if self.turn.cards[die] is None]
            if blanks:
                detail = Breach.HOLDS_BLANKS(dice=blanks, clause=clause)
                yield Violation((index, "dice"), detail)
            elif line.mask not in self.lines:
                cards = self.dice.cards_of(self.turn, line.dice)
                detail = Breach.NOT_A_HAND(cards=cards, dice=list(line.dice), clause=clause)
                yield Violation((index,), detail)

    def _shared_wrongly(self) -> Iterator[Violation]:
        """Lines that share dice illegally (R11, R26, R27)."""
        for (i, one), (j, other) in combinations(enumerate(self.laid), 2):
            shared = [die for die in one.dice if die in other.dice]
            if not shared:
                continue
            share: Breach | None = None
            clause = self.cites.grid
            if self.mode is Mode.UNCONNECTED:
                share, clause = Breach.SHARES_UNCONNECTED, self.rule_clauses["layout"]
            elif self.uses == 2 and one.direction and one.direction == other.direction:
                share = Breach.SHARES_PARALLEL
            elif len(shared) > 1:
                share = Breach.SHARES_SEVERAL
                clause = self.cites.grid if self.uses == 2 else self.cites.diagonal
            if share:
                yield Violation((j,), share(dice=shared, other=f"/layout/{i}", clause=clause))

    def _used_too_often(self) -> Iterator[Violation]:
        """Dice in too many lines (R6, R12)."""
        clause = self.cites.shared if self.uses == 2 else self.rule_clauses["max_uses"]
        for die in range(self.dice.count):
            holding = [index for index, line in enumerate(self.laid) if die in line.dice]
            if len(holding) > self.uses:
                yield Violation(
                    (holding[-1], "dice", self.laid[holding[-1]].dice.index(die)),
                    Breach.IN_TOO_MANY_HANDS(
                        die=die, count=len(holding), maximum=self.uses, clause=clause
                    ),
                )

    def _without_place(self) -> Iterator[Violation]:
        """Lines without a place, although they run across or down (R26)."""
        for index, line in enumerate(self.laid):
            for name in ("direction", "row", "column"):
                if getattr(line, name) is None:
                    yield Violation((index, name), Breach.PLACE_MISSING(clause=self.cites.grid))

    def _misplaced(self) -> Iterator[Violation]:
        """Dice in two places, and places with two dice (R26)."""
        place_of: dict[int, tuple[Cell, int]] = {}
        die_at: dict[Cell, tuple[int, int]] = {}
        for index, line in enumerate(self.laid):
            if line.segment is None:
                continue
            for place, (die, cell) in enumerate(zip(line.dice, line.segment.cells(), strict=True)):
                where = {"die": die, "row": cell[0], "column": cell[1], "clause": self.cites.grid}
                before, at = place_of.setdefault(die, (cell, index))
                if before != cell:
                    detail = Breach.IN_TWO_PLACES(
                        **where, other=f"/layout/{at}", other_row=before[0], other_column=before[1]
                    )
                    yield Violation((index, "dice", place), detail)
                other, at = die_at.setdefault(cell, (die, index))
                if other != die:
                    detail = Breach.PLACE_TAKEN(**where, other=f"/layout/{at}", other_die=other)
                    yield Violation((index, "dice", place), detail)

    def _touching(self) -> list[Violation]:
        """Adjacent dice that are not a hand of the layout (R26)."""
        die_at: dict[Cell, int] = {}
        for line in self.laid:
            if line.segment:
                die_at.update(zip(line.segment.cells(), line.dice, strict=True))
        laid = {(line.segment.across, line.mask) for line in self.laid if line.segment}
        violations = []
        for across in (True, False):
            for run in _runs(die_at, across):
                dice = [die_at[cell] for cell in run]
                if (across, sum(1 << die for die in dice)) not in laid:
                    grid, (row, column) = self.cites.grid, run[0]
                    detail = (
                        Breach.TOUCHING_IN_ROW(dice=dice, row=row, clause=grid)
                        if across
                        else Breach.TOUCHING_IN_COLUMN(dice=dice, column=column, clause=grid)
                    )
                    violations.append(Violation((), detail))
        return violations

    def _apart(self) -> list[Violation]:
        """Groups that aren't connected, and pairs and threes that stand alone (R7, R28)."""
        groups: list[tuple[int, list[int]]] = []
        for index, line in enumerate(self.laid):
            mask, members = line.mask, [index]
            others = []
            for dice, lines in groups:
                if dice & mask:
                    mask |= dice
                    members = lines + members
                else:
                    others.append((dice, lines))
            groups = [*others, (mask, sorted(members))]
        violations = []
        if len(groups) > 1:
            pointers = [
                [f"/layout/{index}" for index in lines]
                for _, lines in sorted(groups, key=lambda group: group[1])
            ]
            detail = Breach.NOT_CONNECTED(
                count=len(groups), groups=pointers, clause=self.cites.connected
            )
            violations.append(Violation((), detail))
        for mask, lines in groups:
            hand = self.lines.get(mask)
            if len(lines) == 1 and hand is not None and mask.bit_count() < LONE:
                detail = Breach.STANDS_ALONE(hand=hand.hand.id, clause=self.cites.alone)
                violations.append(Violation((lines[0],), detail))
        return violations


def _runs(die_at: Mapping[Cell, int], across: bool) -> Iterator[list[Cell]]:
    """All maximal runs of two or more adjacent dice, across or down."""
    down, right = (0, 1) if across else (1, 0)
    for row, column in sorted(die_at):
        if (row - down, column - right) in die_at:
            continue
        run = [(row, column)]
        while (cell := (run[-1][0] + down, run[-1][1] + right)) in die_at:
            run.append(cell)
        if len(run) > 1:
            yield run


FURTHEST = 1000
"""Rows and columns of a player's own layout are at most this far from 0."""

DIRECTIONS: tuple[Direction, Direction] = ("across", "down")

FIELDS = ("dice", "direction", "row", "column")


def most_lines(dice: int, uses: int) -> int:
    """The most lines of a layout: a line has two dice or more, a die is in up to `uses` lines."""
    return dice * uses // 2


def read_die_numbers(value: object, count: int) -> tuple[int, ...]:
    """Parses the numbers of two or more different dice of `count`. Raises `InvalidInput`."""
    if not isinstance(value, list | tuple) or not 2 <= len(value) <= count:
        raise InvalidInput(
            Violation((), Breach.NOT_A_LIST_BETWEEN(minimum=2, maximum=count, of="dice"))
        )
    violations: list[Violation] = []
    dice: list[int] = []
    for index, item in enumerate(value):
        die = whole_number(item)
        if die is None or not 0 <= die < count:
            detail = Breach.NOT_A_DIE(minimum=0, maximum=count - 1)
            violations.append(Violation((index,), detail))
        elif die in dice:
            violations.append(Violation((index,), Breach.REPEATED_DIE(die=die)))
        else:
            dice.append(die)
    refuse(violations)
    return tuple(dice)


def read_lines(value: object, dice: int, most: int) -> tuple[OwnLine, ...]:
    """Parses up to `most` lines of `dice` dice. Raises `InvalidInput` with all violations."""
    if not isinstance(value, list | tuple) or len(value) > most:
        raise InvalidInput(Violation((), Breach.NOT_A_LIST_UP_TO(maximum=most, of="lines")))
    return tuple(read_each(value, lambda line: _read_line(line, dice)))


def _read_line(value: object, count: int) -> OwnLine:
    if not isinstance(value, Mapping):
        raise InvalidInput(Violation((), Breach.NOT_AN_OBJECT()))
    violations = [
        Violation((name,), Breach.UNKNOWN_FIELD(allowed=list(FIELDS)))
        for name in [*value][:MAX_CHECKED]
        if name not in FIELDS
    ]
    readers: dict[str, Callable[[object], Any]] = {
        "dice": lambda dice: read_die_numbers(dice, count),
        "direction": _read_direction,
        "row": _read_place,
        "column": _read_place,
    }
    read: dict[str, Any] = {}
    for name, reader in readers.items():
        if name in value:
            with gathering(violations, name):
                read[name] = reader(value[name])
    if "dice" not in value:
        violations.append(Violation(("dice",), Breach.MISSING()))
    refuse(violations)
    return OwnLine(**read)


def _read_direction(value: object) -> Direction | None:
    if value is None or value == "across" or value == "down":
        return value
    raise InvalidInput(Violation((), Breach.NOT_ONE_OF(allowed=list(DIRECTIONS))))


def _read_place(value: object) -> int | None:
    if value is None:
        return None
    return read_whole(value, -FURTHEST, FURTHEST, nullable=True)
