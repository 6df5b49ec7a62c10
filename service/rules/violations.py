"""The one error of the rules: what was wrong, where, and what would be right."""

from __future__ import annotations

from dataclasses import dataclass

ON_HOUSE_RULES = ("house_rules",)
"""What a violation rests on that other house rules could allow."""

MOST_LOOKED_AT = 100
"""Of a list or an object that is far too long, so many items are looked at for violations."""


@dataclass(frozen=True, slots=True)
class Violation:
    """One thing wrong with what was submitted.

    `path` leads to it from the top of the submission, by names and indices
    (`("players", 1, "paid")`); `detail` is a phrase that follows it: "must be …", "is …".
    `rests_on` names further fields at the top of the submission that make it a violation: unless
    all of them could be read, nobody can tell whether it is one.
    """

    path: tuple[str | int, ...]
    detail: str
    rests_on: tuple[str, ...] = ()


class InvalidInput(ValueError):
    """Raised for dice, cards or tables that the rules don't allow; holds every violation found.

    Of very many, `omitted` violations are left out.
    """

    def __init__(self, *violations: Violation, omitted: int = 0) -> None:
        super().__init__(*violations)
        self.violations = violations
        self.omitted = omitted

    def __str__(self) -> str:
        return "; ".join(
            f"{'/'.join(map(str, f.path)) or 'it'} {f.detail}" for f in self.violations
        )
