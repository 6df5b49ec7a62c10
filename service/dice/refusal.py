"""The one error of the rules: what was wrong, where, and what would be right."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong with what was submitted.

    `path` leads to it from the top of the submission, by names and indices
    (`("players", 1, "paid")`); `detail` is a phrase that follows it: "must be …", "is …".
    """

    path: tuple[str | int, ...]
    detail: str


class Refused(ValueError):
    """Raised for dice, cards or tables that the rules don't allow; holds every fault found."""

    def __init__(self, *faults: Fault) -> None:
        super().__init__(
            "; ".join(f"{'/'.join(map(str, f.path)) or 'it'} {f.detail}" for f in faults)
        )
        self.faults = faults
