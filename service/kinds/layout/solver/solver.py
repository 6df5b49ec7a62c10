"""The best layout of thirteen dice as crossing lines, with where each die lies.

It is found and proved, not guessed (R32). Lines are dice as masks with their points; what makes a
line a hand is not known here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from service.kinds.layout.solver.best import Best, Found, Group, Mode
from service.kinds.layout.solver.grid import Segment, lay, placeable, shape
from service.kinds.layout.solver.lineset import LONG, SCALE, LineSet
from service.kinds.layout.solver.packing import Packing
from service.kinds.layout.solver.search import Search
from service.kinds.layout.solver.shared_search import SharedSearch
from service.kinds.layout.solver.sheet import arrange, footprint

WORK = 60_000
"""How far a search may go that isn't sure to end soon; a step among many lines counts for more."""


@dataclass(frozen=True)
class SearchSpec:
    """What layouts are looked for: the groups allowed, and how many lines a die may lie in.

    `bonus` is for all `dice` in one connected group. `work` limits a search that may take long:
    with equal cards (`limited`), or with dice in three or four lines.
    """

    mode: Mode
    uses: int
    dice: int
    bonus: int
    limited: bool = False
    work: int = WORK


@dataclass(frozen=True)
class Laid:
    """A line of the layout: its dice as a mask, and where it lies, if that can be said (R27)."""

    mask: int
    segment: Segment | None


@dataclass(frozen=True)
class Solution:
    """The best layout: its points with the bonus, and what no layout exceeds.

    `steps` is how many steps of some 10 microseconds the search took.
    """

    points: int
    lines: tuple[Laid, ...]
    upper_bound: int
    steps: int


def solve(lines: Mapping[int, int], spec: SearchSpec) -> Solution:
    """The layout of `lines` (masks of dice and their points) that has the most points."""
    lineset = LineSet(lines, spec.dice)
    found = _search(lineset, lines, spec)
    if spec.uses > 2 and spec.mode is not Mode.UNCONNECTED:
        found = _search_shared(lineset, spec, found)
    if spec.uses > 2:
        masks = [mask for group in found.groups for mask, _ in group]
        laid = tuple([Laid(mask, None) for mask in masks])
    else:
        laid = _lay(found.groups)
    return Solution(found.points, laid, found.upper_bound, found.steps)


def _search(lineset: LineSet, lines: Mapping[int, int], spec: SearchSpec) -> Found:
    """The best set when a die lies in at most two lines."""
    known = None
    if spec.limited:
        # many equal cards: short lines are the better beginning, and never come first otherwise
        short = {mask: points for mask, points in lines.items() if mask.bit_count() < LONG}
        known = _crossing(LineSet(short, spec.dice), spec, spec.work // 5, None)
    return _crossing(lineset, spec, 2 * spec.work // 5 if spec.limited else None, known).found()


def _crossing(lineset: LineSet, spec: SearchSpec, work: int | None, known: Best | None) -> Best:
    best = Best(work, lineset.step, known)
    if spec.mode is Mode.UNCONNECTED:
        Packing(lineset, best)
    else:
        Search(
            lineset,
            connected=spec.mode is Mode.CONNECTED,
            bonus=spec.bonus,
            placeable=lambda group: placeable(shape(group)),
            best=best,
        )
    return best


def _search_shared(lineset: LineSet, spec: SearchSpec, found: Found) -> Found:
    """The best set when a die may lie in up to `spec.uses` lines; never less than with fewer."""
    for uses in range(3, spec.uses + 1):
        best = Best(spec.work // 5, lineset.step)
        best.improve(found.points * SCALE, found.groups)
        SharedSearch(
            lineset,
            uses=uses,
            connected=spec.mode is Mode.CONNECTED,
            bonus=spec.bonus,
            best=best,
        )
        found = replace(best.found(), steps=found.steps + 2 * best.steps)  # one takes twice as long
    return found


def _lay(groups: tuple[Group, ...]) -> tuple[Laid, ...]:
    """The lines of `groups` on one sheet, from the top left."""
    laid = [lay(shape(group)) for group in groups]
    corners = arrange(tuple([footprint(places) for places in laid]))
    return tuple(
        [
            Laid(mask, segment.moved(row, column))
            for group, places, (row, column) in zip(groups, laid, corners, strict=True)
            for (mask, _), segment in zip(group, places, strict=True)
        ]
    )
