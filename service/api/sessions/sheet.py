"""The sheet of a session, to print or to keep: what was written for whom, as a table.

Its forms are made of the same lines: CSV, a picture in SVG, and a page in HTML without any script.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from io import StringIO
from typing import Any, NamedTuple
from unicodedata import east_asian_width

from markupsafe import Markup

from service.api.http.languages import translated, words
from service.api.schemas.serializers import title
from service.kinds.scorecard.variant import ScoreCard
from service.sessions.result import Result

PLAYERS_ACROSS = 8
"""How many players a table has beside each other at most, so that it fits on paper."""

UPPER, BONUS, LOWER, TOTAL, PLACE = "Upper section", "Bonus", "Lower section", "Total", "Place"
TURN, HAND, ROUND, START, CHIPS = "Turn", "Hand", "Round", "At the start", "Chips"
WON, GOES_ON = "Won by", "Not over yet"
TEXTS = (UPPER, BONUS, LOWER, TOTAL, PLACE, TURN, HAND, ROUND, START, CHIPS, WON, GOES_ON)
"""The words of the sheet."""

TO = " \N{EN DASH} "
"""What is between two times."""

_UNITS = {"layout": TURN, "community": HAND, "ranking": ROUND}
"""What a line of the table is for, by the kind of game."""


class _Line(NamedTuple):
    """A line of the table, with a cell for each player; None is empty."""

    label: str
    cells: Sequence[int | str | None]
    strong: bool = False


class Sheet(NamedTuple):
    """A sheet in the language of the response; `about` says when the game was and who won."""

    name: str
    about: Sequence[str]
    players: Sequence[str]
    lines: Sequence[_Line]

    @classmethod
    def of(cls, result: Result) -> Sheet:
        """The sheet of a session. What nobody may see during a game is on none."""
        terms, winners = result.terms, result.snapshot.state.winners
        times = [
            f"{datetime.fromtimestamp(at / 1000, UTC):%Y-%m-%d %H:%M}"
            for at in (terms.created_at, result.ended_at)
            if at is not None
        ]
        won = f"{translated(WON)}: {', '.join(winners)}" if winners else translated(GOES_ON)
        variant = terms.variant
        lines = _card(variant, result) if isinstance(variant, ScoreCard) else _rounds(result)
        last = _Line(translated(PLACE), result.places, strong=True)
        about = [f"{TO.join(times)} UTC", won]
        return cls(translated(variant.name), about, terms.players, [*lines, last])

    def parts(self) -> Iterator[tuple[Sequence[str], Sequence[_Line]]]:
        """The players and lines of each of the tables that fit on paper."""
        for first in range(0, len(self.players), PLAYERS_ACROSS):
            some = slice(first, first + PLAYERS_ACROSS)
            lines = [line._replace(cells=line.cells[some]) for line in self.lines]
            yield self.players[some], lines


def _card(variant: ScoreCard, result: Result) -> Iterator[_Line]:
    """The score card: boxes, bonus and totals; an open box is empty."""
    view: Mapping[str, Any] = result.terms.game.view(result.snapshot.state, None)
    cards = [view["cards"][player] for player in result.terms.players]

    def line(label: str, field: str, *, strong: bool = False) -> _Line:
        return _Line(label, [card[field] for card in cards], strong)

    def boxes(*, upper: bool) -> Iterator[_Line]:
        for box in variant.boxes:
            if (box in variant.upper_boxes) == upper:
                yield _Line(title(box.id), [card["scores"][box.id] for card in cards])

    yield from boxes(upper=True)
    yield line(translated(UPPER), "upper", strong=True)
    if variant.upper_bonus:
        yield line(translated(BONUS), "bonus")
    yield from boxes(upper=False)
    yield line(translated(LOWER), "lower", strong=True)
    repeats = variant.repeats
    if repeats and repeats.points(result.terms.rules):
        yield line(title(repeats.bonus), f"{repeats.counter}_points")
    yield line(translated(TOTAL), "total", strong=True)


def _rounds(result: Result) -> Iterator[_Line]:
    """The chips after each hand or round, or the points of each turn."""
    unit, start = translated(_UNITS[result.terms.variant.kind]), result.begun
    if result.terms.game.counts == "chips":
        yield _Line(translated(START), start)
        for number, each in enumerate(result.rounds, start=1):
            yield _Line(f"{unit} {number}", each.scores or [None] * len(start))
        yield _Line(translated(CHIPS), result.scores, strong=True)
        return
    points: list[list[int]] = [[] for _ in start]
    if any(start):
        yield _Line(translated(START), start)
    before = start
    for each in result.rounds:
        after = each.scores or before
        for seat in each.seats:
            points[seat].append(after[seat] - before[seat])
        before = after
    for turn in range(max(map(len, points))):
        cells = [own[turn] if turn < len(own) else None for own in points]
        yield _Line(f"{unit} {turn + 1}", cells)
    yield _Line(translated(TOTAL), result.scores, strong=True)


_FORMULA = re.compile("[-=+@\uff0d\uff1d\uff0b\uff20]").match
"""Matches a name that a spreadsheet takes for a formula."""


def as_csv(sheet: Sheet) -> str:
    """The table as CSV (RFC 4180): a column for each player."""
    written = StringIO()
    writer = csv.writer(written)
    writer.writerow(["", *[f"'{name}" if _FORMULA(name) else name for name in sheet.players]])
    writer.writerows([line.label, *line.cells] for line in sheet.lines)
    return written.getvalue()


_PAGE = Markup(
    '<!doctype html>\n<html lang="{language}">\n<meta charset="utf-8">\n'
    '<meta name="viewport" content="width=device-width">\n<title>{name}</title>\n'
    "<style>body{{font:1em/1.4 system-ui,sans-serif;margin:2em;color:#23211c;background:#fff}}"
    "h1{{font-size:1.4em;margin:0}}p{{margin:.2em 0}}"
    "table{{border-collapse:collapse;margin:1em 0}}"
    "th,td{{border:1px solid #8a8578;padding:.25em .6em;text-align:right;"
    "font-variant-numeric:tabular-nums}}"
    "thead th{{overflow-wrap:anywhere;max-width:9em;min-width:3em}}"
    "tbody th{{text-align:left;font-weight:normal}}.strong>*{{font-weight:bold;background:#eee9dd}}"
    "tr{{break-inside:avoid}}@page{{margin:15mm}}"
    "@media print{{body{{margin:0;font-size:10pt;print-color-adjust:exact}}}}</style>\n"
    "<h1>{name}</h1>\n{about}{tables}"
)
_TABLE = Markup("<table>\n<thead><tr><td></td>{}</tr></thead>\n<tbody>\n{}</tbody>\n</table>\n")
_ROW = Markup('<tr{}><th scope="row">{}</th>{}</tr>\n')


def _joined(template: str, values: Sequence[object]) -> Markup:
    """`template`, filled in with each of `values` in turn; None is empty."""
    filled = Markup(template)
    return Markup("").join(filled.format("" if each is None else each) for each in values)


def as_html(sheet: Sheet) -> str:
    """A page that is ready to print."""
    tables = [
        _TABLE.format(
            _joined('<th scope="col">{}</th>', players),
            Markup("").join(
                _ROW.format(
                    Markup(' class="strong"') if line.strong else "",
                    line.label,
                    _joined("<td>{}</td>", line.cells),
                )
                for line in lines
            ),
        )
        for players, lines in sheet.parts()
    ]
    return _PAGE.format(
        language=words().code,
        name=sheet.name,
        about=_joined("<p>{}</p>\n", sheet.about),
        tables=Markup("").join(tables),
    )


ROW, LETTER, LABEL, NARROW, WIDE, EDGE = 22, 8, 210, 56, 150, 16
"""The measures of the picture, in pixels: the height of a line, the width of a letter, of a label
and of the narrowest and widest column, and the margin."""

_NOT_IN_XML = re.compile("[\ufffe\uffff]")

_PICTURE = Markup(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
    'height="{height}" font-family="system-ui,sans-serif" font-size="14" fill="#23211c">\n'
    '<title>{name}</title>\n<rect width="100%" height="100%" fill="#fff"/>\n{parts}</svg>\n'
)
_TEXT = Markup('<text x="{}" y="{}"{}>{}</text>\n')
_BAR = Markup('<rect x="{}" y="{}" width="{}" height="{}" fill="{}"/>\n')
_BOLD = Markup(' font-weight="bold"')
_RIGHT = Markup(' text-anchor="end"')
_SQUEEZED = Markup(' textLength="{}" lengthAdjust="spacingAndGlyphs"')


def as_svg(sheet: Sheet) -> str:
    """The table as a picture; names that are too long for a column are squeezed."""
    longest = max(map(len, sheet.players))
    column = min(max(longest * LETTER + EDGE, NARROW), WIDE)
    across = min(len(sheet.players), PLAYERS_ACROSS)
    width, y = 2 * EDGE + LABEL + across * column, EDGE
    parts: list[Markup] = []
    for place, text in enumerate((sheet.name, *sheet.about)):
        y += ROW
        parts.append(_TEXT.format(EDGE, y - 6, "" if place else _BOLD, text))
    for players, lines in sheet.parts():
        y += ROW
        right = EDGE + LABEL + len(players) * column
        for line in (_Line("", players, strong=True), *lines):
            y += ROW
            if line.strong:
                parts.append(_BAR.format(EDGE, y - ROW, right - EDGE, ROW, "#eee9dd"))
            parts.append(_BAR.format(EDGE, y - 1, right - EDGE, 1, "#8a8578"))
            parts += _texts(line, y - 6, column)
    picture = _PICTURE.format(
        width=width, height=y + EDGE, name=sheet.name, parts=Markup("").join(parts)
    )
    return _NOT_IN_XML.sub("\ufffd", picture)


def _texts(line: _Line, y: int, column: int) -> Iterator[Markup]:
    """The label and the cells of a line of the picture."""
    bold = _BOLD if line.strong else Markup("")
    yield _TEXT.format(EDGE + 6, y, bold + _squeezed(line.label, LABEL - 12), line.label)
    for place, cell in enumerate(line.cells, start=1):
        if cell is not None:
            fits = bold + _RIGHT + _squeezed(str(cell), column - 12)
            yield _TEXT.format(EDGE + LABEL + place * column - 6, y, fits, cell)


def _squeezed(text: str, most: int) -> Markup:
    """The attributes for a `text` that may be too long for its room; wide letters count twice."""
    letters = len(text) + sum(east_asian_width(letter) in "WF" for letter in text)
    return _SQUEEZED.format(most) if letters * LETTER > most else Markup("")


FORMS: Mapping[str, Callable[[Sheet], str]] = {
    "text/csv": as_csv,
    "image/svg+xml": as_svg,
    "text/html": as_html,
}
"""The forms of a sheet, by media type; the first is for clients that have no preference."""
