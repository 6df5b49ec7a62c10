"""Draws the expected total over a game as PNG or SVG, with matplotlib (an optional part)."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any, Literal

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from service.cli.text import printable

_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00")
"""The colours of players, which people with any colour vision can tell apart (Okabe and Ito)."""

_FILLS: Mapping[str, Literal["none", "full"]] = {"mistake": "none", "blunder": "full"}
"""The words for choices that are marked, and how their marks are filled."""

Review = Mapping[str, Any]


def draw(title: str, reviews: Mapping[str, Review], file: Path) -> None:
    """Draws a line for each of `reviews`, which are by player, into a .png or .svg `file`.

    The line slopes with the luck of each roll and drops with the loss of each choice. Mistakes and
    blunders are marked, and the worst of each player is named. Raises `OSError` if the file can't
    be written.
    """
    figure = Figure(figsize=(10, 5.5), layout="constrained")
    axes = figure.subplots()
    handles = []
    labels = []
    for place, (player, review) in enumerate(reviews.items()):
        colour = _COLOURS[place % len(_COLOURS)]
        handles += axes.plot(*expected_totals(review), color=colour, linewidth=1.5)
        labels.append(f"{printable(player) or 'total'}: {review['total']:.0f}")
        _mark(axes, review, colour)
    for word, fill in _FILLS.items():
        handles.append(Line2D([], [], color="grey", ls="", marker="v", fillstyle=fill))
        labels.append(word)
    for text in axes.legend(handles, labels).get_texts():
        text.set_parse_math(False)  # a name may have dollar signs
    axes.set_title(title)
    axes.set_xlabel("turns played")
    axes.set_ylabel("expected total, in points")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.grid(alpha=0.3)
    drawn = BytesIO()
    with warnings.catch_warnings(), rc_context({"svg.fonttype": "none"}):  # text stays text
        warnings.filterwarnings("ignore", "Glyph .* missing")  # boxes stand for such characters
        figure.savefig(drawn, dpi=150, format=file.suffix.lower()[1:])
    file.write_bytes(drawn.getvalue())


def expected_totals(review: Review) -> tuple[list[float], list[float]]:
    """Where in the game each expected total is, in turns played, and the totals, in points.

    There is one at the start, one after each roll, and one after each choice, at the same place.
    """
    turns, totals = [0.0], [float(review["start"])]
    for at, decision in _placed(review["decisions"]):
        turns += [at, at]
        totals += [decision[side]["expected_total"] for side in ("best", "played")]
    return turns, totals


def _placed(decisions: Sequence[Mapping[str, Any]]) -> Iterator[tuple[float, Mapping[str, Any]]]:
    """Each decision with where it is in the game, in turns played."""
    rolls = {decision["turn"]: max(decision["roll"], 1) for decision in decisions}
    for decision in decisions:
        turn = decision["turn"]
        yield turn - 1 + max(decision["roll"], 1) / rolls[turn], decision


def _mark(axes: Axes, review: Review, colour: str) -> None:
    """Marks the mistakes and blunders of a player, and names the worst of them."""
    marked = [each for each in _placed(review["decisions"]) if each[1]["word"] in _FILLS]
    for at, decision in marked:
        total, fill = decision["played"]["expected_total"], _FILLS[decision["word"]]
        axes.plot(at, total, "v", color=colour, markersize=7, fillstyle=fill)
    if marked:
        at, worst = max(marked, key=lambda each: each[1]["loss"])
        axes.annotate(
            f"-{worst['loss']:.1f}",
            (at, worst["played"]["expected_total"]),
            xytext=(-6, -5),
            textcoords="offset points",
            horizontalalignment="right",
            color=colour,
        )
