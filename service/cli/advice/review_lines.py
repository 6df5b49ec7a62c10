"""What `review` prints: the sum of a game, then each decision beside the best one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from service.cli.advice.columns import aligned
from service.cli.advice.figures import option

_HEADING = ("turn", "roll", "dice", "luck", "played", "best", "loss", "")


def review_lines(review: Mapping[str, Any]) -> list[str]:
    """The lines for a review of one player."""
    decisions: Sequence[Mapping[str, Any]] = review["decisions"]
    start, luck, loss, total = (review[name] for name in ("start", "luck", "loss", "total"))
    rows = [
        (
            f"{decision['turn']}",
            f"{decision['roll']}",
            " ".join(map(str, decision["dice"])),
            f"{decision['luck']:+.2f}",
            option(decision["played"]),
            "" if decision["word"] == "good" else option(decision["best"]),
            f"{decision['loss']:.2f}",
            "" if decision["word"] == "good" else decision["word"],
        )
        for decision in decisions
    ]
    return [
        f"{total:.2f} = {start:.2f} at the start {luck:+.2f} luck {-loss:+.2f} lost by choices",
        f"accuracy {review['accuracy']:.1f}, {_words(decisions)}",
        "",
        *aligned([_HEADING, *rows], right=(0, 1, 3, 6)),
    ]


def _words(decisions: Sequence[Mapping[str, Any]]) -> str:
    """How many decisions there are, and how many of them have each word."""
    counts = Counter(decision["word"] for decision in decisions)
    parts = [f"{counts.total()} decisions"]
    for word, several in (
        ("inaccuracy", "inaccuracies"),
        ("mistake", "mistakes"),
        ("blunder", "blunders"),
    ):
        if counts[word]:
            parts.append(f"{counts[word]} {word if counts[word] == 1 else several}")
    return ", ".join(parts)
