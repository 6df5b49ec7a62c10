"""The error that the rules raise: what is wrong, where, and what is allowed."""

from __future__ import annotations

from dataclasses import dataclass

ON_HOUSE_RULES = ("house_rules",)
"""For violations that other house rules could allow."""

MAX_CHECKED = 100
"""How many items of a list or an object that is far too long are checked."""


@dataclass(frozen=True, slots=True)
class Violation:
    """One thing wrong with what was submitted.

    `path` is its place from the top of the submission, by names and indices
    (`("players", 1, "paid")`); `detail` is a phrase that follows the path: "must be …", "is …".
    `rests_on` names top-level fields that make it a violation: if one of them couldn't be parsed,
    nobody knows whether it is one.
    """

    path: tuple[str | int, ...]
    detail: str
    rests_on: tuple[str, ...] = ()


class InvalidInput(ValueError):
    """Raised for dice, cards or tables that the rules don't allow; holds every violation found.

    `omitted` is how many more there were.
    """

    def __init__(self, *violations: Violation, omitted: int = 0) -> None:
        super().__init__(*violations)
        self.violations = violations
        self.omitted = omitted

    def __str__(self) -> str:
        return "; ".join(
            f"{'/'.join(map(str, f.path)) or 'it'} {f.detail}" for f in self.violations
        )
