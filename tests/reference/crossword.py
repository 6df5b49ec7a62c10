"""Roll-a-Royal from its clauses: every line by trying all sets of dice, the best layout by CP-SAT.

Lines apart need no solver: they are tried out, die by die.

Nothing here knows how the service does it. Lines are points by the frozen set of their dice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import combinations
from typing import Any

from ortools.sat.python import cp_model

DICE = 13
RANKS = "23456789TJQKA"

Lines = Mapping[frozenset[int], int]


def ranks_in_sequence(ranks: Sequence[str]) -> bool:
    """Whether different ranks follow each other, the ace low or high (R22)."""
    for order in ("A" + RANKS[:-1], RANKS):
        places = sorted(order.index(rank) for rank in ranks)
        if len(set(places)) == len(places) == places[-1] - places[0] + 1:
            return True
    return False


def worth(cards: Sequence[tuple[str, bool]]) -> int:
    """The points of a line of cards, each with whether it came on the first roll (R9, R22-R24)."""
    size = len(cards)
    ranks = [card[:-1] for card, _ in cards]
    suits = {card[-1] for card, _ in cards}
    if len(suits) > 1 and size > 5 and len(set(ranks)) < size:
        return 0
    counts = sorted(Counter(ranks).values())
    found = [0]
    if len(counts) == 1 and size <= 4:
        doubled = size == 4 and all(first for _, first in cards)
        found.append({1: 0, 2: 50, 3: 150, 4: 1000 if doubled else 500}[size])
    if counts == [2, 3]:
        found.append(400)
    if size >= 5 and len(suits) == 1:
        found.append(300 + 100 * (size - 5))
    if size >= 5 and ranks_in_sequence(ranks):
        if len(suits) > 1:
            return max(*found, 200 + 50 * (size - 5))
        early = [card[:-1] for card, first in cards if first]
        doubled = any(ranks_in_sequence(five) for five in combinations(early, 5))
        found = [(4000 if doubled else 2000) + 200 * (size - 5)]
        if set("TJQKA") <= set(ranks):
            doubled = set("TJQKA") <= set(early)
            found.append((8000 if doubled else 4000) + 400 * (size - 5))
    return max(found)


def all_lines(faces: Sequence[str], first: Sequence[bool]) -> dict[frozenset[int], int]:
    """Every line that is worth something; faces are cards with T for ten, or `--`."""
    shown = [die for die, face in enumerate(faces) if face != "--"]
    lines = {}
    for size in range(2, len(shown) + 1):
        for dice in combinations(shown, size):
            points = worth([(faces[die], first[die]) for die in dice])
            if points:
                lines[frozenset(dice)] = points
    return lines


def read(rolls: Sequence[Sequence[str]]) -> tuple[list[str], list[bool]]:
    """The faces after the last roll, and which came on the first (R21)."""
    faces = [face.replace("10", "T") for face in rolls[0]]
    first = [face != "--" for face in faces]
    for roll in rolls[1:]:
        again = iter(roll)
        faces = [next(again).replace("10", "T") if face == "--" else face for face in faces]
    return faces, first


class _Model:
    """A choice of lines: at most `uses` through a die, no two dice in two lines (R6, R12, R26).

    With two uses every line runs across or down, and a die has one of each at most.
    """

    def __init__(self, lines: Lines, mode: str, uses: int) -> None:
        self.model = cp_model.CpModel()
        self.lines = list(lines)
        self.mode = mode
        self.directions = 2 if uses == 2 else 1
        self.ways = {
            line: [self.model.new_bool_var("") for _ in range(self.directions)]
            for line in self.lines
        }
        for die in range(DICE):
            through = [line for line in self.lines if die in line]
            for direction in range(self.directions):
                most = 1 if uses == 2 else uses
                self.model.add(sum(self.ways[line][direction] for line in through) <= most)
        for pair in combinations(range(DICE), 2):
            self.model.add(self._sum(line for line in self.lines if set(pair) <= line) <= 1)
        objective = sum(points * self._chosen(line) for line, points in lines.items())
        if mode == "connected":
            whole = self.model.new_bool_var("")
            for die in range(DICE):
                self.model.add(whole <= self._sum(line for line in self.lines if die in line))
            objective += 500 * whole
        self.model.maximize(objective)

    def _chosen(self, line: frozenset[int]) -> Any:
        return sum(self.ways[line])

    def _sum(self, lines: Iterable[frozenset[int]]) -> Any:
        return sum(way for line in lines for way in self.ways[line])

    def solve(self) -> tuple[int, list[frozenset[int]]]:
        """The most points, and the lines that have them."""
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        status = solver.solve(self.model)
        assert status == cp_model.OPTIMAL, solver.status_name(status)
        chosen = [line for line in self.lines if any(solver.value(way) for way in self.ways[line])]
        return round(solver.objective_value), chosen

    def join(self, dice: frozenset[int]) -> None:
        """Lines inside `dice` and lines outside need one that leads from one to the other."""
        inside, outside = self.model.new_bool_var(""), self.model.new_bool_var("")
        for line in self.lines:
            if line <= dice:
                self.model.add(inside >= self._chosen(line))
            elif not line & dice:
                self.model.add(outside >= self._chosen(line))
        across = self._sum(line for line in self.lines if line & dice and not line <= dice)
        self.model.add(inside + outside <= 1 + across)

    def change(self, group: Sequence[frozenset[int]]) -> None:
        """Not exactly `group` as a group: one line less, or one more that is connected to it."""
        dice = frozenset().union(*group)
        more = self._sum(line for line in self.lines if line not in group and line & dice)
        self.model.add(more + len(group) - self._sum(group) >= 1)


def groups_of(lines: Iterable[frozenset[int]]) -> list[list[frozenset[int]]]:
    """Lines grouped by what is connected."""
    groups: list[list[frozenset[int]]] = []
    for line in lines:
        touching = [group for group in groups if any(line & other for other in group)]
        groups = [group for group in groups if group not in touching]
        groups.append([line, *(other for group in touching for other in group)])
    return groups


def best(lines: Lines, mode: str, uses: int = 2, *, grid: bool = True) -> int:
    """The most points that a layout can have (R28), without R33 if not `grid`."""
    if not lines:
        return 0
    if mode == "unconnected":
        return best_apart(lines)
    model = _Model(lines, mode, uses)
    while True:
        points, chosen = model.solve()
        groups = groups_of(chosen)
        if mode == "connected" and len(groups) > 1:
            for group in groups:
                model.join(frozenset().union(*group))
            continue
        if mode == "connected" and len(chosen) == 1 and len(chosen[0]) < 4:
            model.change(chosen)  # R7
            continue
        if uses > 2 or not grid:
            return points
        unplaceable = [group for group in groups if not can_be_laid(group)]
        if not unplaceable:
            return points
        for group in unplaceable:
            model.change(group)


def best_apart(lines: Lines) -> int:
    """The most points of lines that share no die, whatever line the lowest die is in, or none."""
    lowest: dict[int, list[tuple[frozenset[int], int]]] = {die: [] for die in range(DICE)}
    for line, points in lines.items():
        lowest[min(line)].append((line, points))

    @cache
    def most(free: frozenset[int]) -> int:
        if not free:
            return 0
        die = min(free)
        return max(
            [most(free - {die})]
            + [points + most(free - line) for line, points in lowest[die] if line <= free]
        )

    return most(frozenset(range(DICE)))


def can_be_laid(group: Sequence[frozenset[int]]) -> bool:
    """Whether connected lines can lie on a grid (R26), die by die."""
    across = {group[0]}
    down: set[frozenset[int]] = set()
    while len(across) + len(down) < len(group):
        down |= {line for line in group if line not in across and any(line & o for o in across)}
        across |= {line for line in group if line not in down and any(line & o for o in down)}
    model = cp_model.CpModel()
    dice = sorted(frozenset().union(*group))
    at = {
        die: (model.new_int_var(0, 2 * DICE, ""), model.new_int_var(0, 2 * DICE, ""))
        for die in dice
    }
    for line in group:
        along, fixed = (1, 0) if line in across else (0, 1)
        start = model.new_int_var(0, 2 * DICE, "")
        first, *others = line
        for die in line:
            model.add(at[die][along] >= start)
            model.add(at[die][along] < start + len(line))
        for die in others:
            model.add(at[die][fixed] == at[first][fixed])
        model.add_all_different([at[die][along] for die in line])
    for one, other in combinations(dice, 2):
        if any({one, other} <= line for line in group):
            continue
        rows, columns = (model.new_int_var(-2 * DICE, 2 * DICE, "") for _ in range(2))
        model.add(rows == at[one][0] - at[other][0])
        model.add(columns == at[one][1] - at[other][1])
        touching = [(0, 0), (0, 1), (0, -1), (1, 0), (-1, 0)]
        model.add_forbidden_assignments([rows, columns], touching)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    status = solver.solve(model)
    assert status in (cp_model.OPTIMAL, cp_model.FEASIBLE, cp_model.INFEASIBLE)
    return status != cp_model.INFEASIBLE
