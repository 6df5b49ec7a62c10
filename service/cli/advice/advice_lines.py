"""What `advise` prints: the figures of a response, then its options as a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from service.cli.advice.columns import aligned
from service.cli.advice.figures import figure, option, percent, words

_VALUES = ("expected_total", "expected", "chance")
"""The fields of an option with its value; each option has one of them."""

_APART = (
    "variant",
    "options",
    "house_rules",
    "exact",
    "standard_error",
    "simulated",
    "proven",
)
"""The fields of a response that are not printed as they are."""


def advice_lines(answer: Mapping[str, Any]) -> list[str]:
    """The lines for the response to an `advise` request."""
    lines = [*_figures(answer)]
    if answer.get("options"):
        lines += ["", *_options(answer["options"])]
    return lines


def _figures(answer: Mapping[str, Any]) -> Iterator[str]:
    for name, value in answer.items():
        if name in _APART or value is None:
            continue
        if name == "reach":
            yield _reach(value)
        elif name == "layout":
            yield "layout:"
            hands = [
                (words(hand["hand"]), " ".join(hand["cards"]), figure("points", hand["points"]))
                for hand in value
            ]
            yield from (f"  {line}" for line in (aligned(hands, right=(2,)) if hands else []))
        elif isinstance(value, str):
            yield value
        elif isinstance(value, Mapping):
            yield f"{words(name)}:"
            chances = [(words(each), percent(chance)) for each, chance in _likely(value)]
            yield from (f"  {line}" for line in aligned(chances, right=(1,)))
        else:
            yield f"{words(name)}: {figure(name, value)}"
    if answer.get("standard_error"):
        yield f"simulated, with a standard error of {answer['standard_error']:.4f}"
    if answer.get("proven") is False:
        yield "not all layouts are proven to be the best"


def _likely(chances: Mapping[str, float]) -> list[tuple[str, float]]:
    """The names and chances that are not zero, the greatest chance first."""
    return sorted(
        ((name, chance) for name, chance in chances.items() if chance),
        key=lambda each: -each[1],
    )


def _reach(reach: Mapping[str, Any] | float) -> str:
    if not isinstance(reach, Mapping):
        return f"chance to reach the points needed: {percent(reach)}"
    line = f"chance to reach {reach['target']}: {percent(reach['chance'])}"
    if reach["exact"]:
        return line
    return f"{line}, estimated with a standard error of {percent(reach['standard_error'])}"


def _options(options: Sequence[Mapping[str, Any]]) -> list[str]:
    value = next(name for name in _VALUES if name in options[0])
    names = [value, *(name for name in ("reach", "loss") if name in options[0])]
    heading = ["", "option", *map(words, names)]
    rows = [
        [f"{number}", option(each), *(_cell(name, each[name], value) for name in names)]
        for number, each in enumerate(options, start=1)
    ]
    return aligned([heading, *rows], right=(0, *range(2, len(heading))))


def _cell(name: str, found: Any, value: str) -> str:
    if name == "reach":
        return percent(found["chance"] if isinstance(found, Mapping) else found)
    return figure(value if name == "loss" else name, found)
