"""The search for the layout with the most points."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from service.kinds.layout.solver.best import Best, Group, Mode
from service.kinds.layout.solver.grid import Segment, arrange, footprint, lay, placeable, shape
from service.kinds.layout.solver.lineset import LONG, SCALE, LineSet
from service.kinds.layout.solver.search import Packing, Search
from service.kinds.layout.solver.shared_search import SharedSearch

WORK = 60_000
"""The limit of a search that may take long; steps among many lines count more."""


@dataclass(frozen=True)
class SearchSpec:
    """The layouts to search: which groups are allowed, and how many lines may share a die.

    `bonus` is for all `dice` in one connected group. `work` limits searches that may take long:
    those with equal cards (`limited`), and those with dice in three or four lines.
    """

    mode: Mode
    uses: int
    dice: int
    bonus: int
    limited: bool = False
    work: int = WORK


@dataclass(frozen=True)
class Laid:
    """A line of the layout: its dice as a mask, and its place unless directions are free (R27)."""

    mask: int
    segment: Segment | None


@dataclass(frozen=True)
class Solution:
    """The best layout, and its points with the bonus.

    No layout has more points than `upper_bound`. `steps` is how many steps of some 10 microseconds
    the search took.
    """

    points: int
    lines: tuple[Laid, ...]
    upper_bound: int
    steps: int


def solve(lines: Mapping[int, int], spec: SearchSpec) -> Solution:
    """Finds the layout with the most points; `lines` are masks of dice with their points."""
    lineset = LineSet(lines, spec.dice)
    best = _search(lineset, lines, spec)
    if spec.uses > 2 and spec.mode is not Mode.UNCONNECTED:
        best = _search_shared(lineset, spec, best)
    if spec.uses > 2:
        masks = [mask for group in best.groups for mask, _ in group]
        laid = tuple([Laid(mask, None) for mask in masks])
    else:
        laid = _lay(best.groups)
    return Solution(best.points // SCALE, laid, best.upper_bound // SCALE, best.steps)


def _search(lineset: LineSet, lines: Mapping[int, int], spec: SearchSpec) -> Best:
    """The best set if a die lies in at most two lines."""
    known = None
    if spec.limited:
        # with many equal cards, a search of the short lines alone finds a good layout sooner
        short = {mask: points for mask, points in lines.items() if mask.bit_count() < LONG}
        known = _crossing(LineSet(short, spec.dice), spec, spec.work // 5, None)
    return _crossing(lineset, spec, 2 * spec.work // 5 if spec.limited else None, known)


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


def _search_shared(lineset: LineSet, spec: SearchSpec, best: Best) -> Best:
    """The best set if a die may lie in up to `spec.uses` lines; never worse than with fewer."""
    connected = spec.mode is Mode.CONNECTED
    for uses in range(3, spec.uses + 1):
        best = Best(spec.work // 5, lineset.step, best, times=2)  # each takes twice as long
        SharedSearch(lineset, uses=uses, connected=connected, bonus=spec.bonus, best=best)
    return best


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
