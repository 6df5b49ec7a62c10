"""What is wrong with tables that can't be scored."""

from __future__ import annotations

from collections.abc import Sequence

from service.rules.violations import Violation


class WrongColumns(ValueError):
    """The columns of a table that can't be scored. The message continues "it can't be scored:"."""


class BadRows(ValueError):
    """Rows without a valid hand: how many there are in a batch, and what is wrong with the first.

    `violations` has one for each of the first rows. Its path begins with the number of the row,
    counted from 0 over all batches, and goes on to the value: `(3, "dice", 4)`, `(3, "die_5")`.
    `omitted` is how many rows have none. `seen` is how many rows there are up to the end of the
    batch. A row should have held `one`.
    """

    def __init__(self, count: int, seen: int, violations: Sequence[Violation], one: str) -> None:
        self.count, self.seen, self.violations, self.one = count, seen, tuple(violations), one
        self.omitted = count - len(violations)
        row, reason = self.reasons[0]
        super().__init__(f"{self.summary()}; row {row}: {reason}")

    def summary(self, since: str = "") -> str:
        """How many rows are bad, of which: those `since` a row such as " from row 7"."""
        have = "has" if self.count == 1 else "have"
        return (
            f"{self.count} of the first {self.seen} rows{since} (row 0 is the first) {have} no "
            f"valid {self.one}"
        )

    @property
    def reasons(self) -> list[tuple[int, str]]:
        """The number of each row in `violations`, and what is wrong there as text."""
        found = []
        for violation in self.violations:
            row, column, *indexes = violation.path
            where = f"{column}{''.join(f'[{index}]' for index in indexes)}"
            found.append((int(row), f"{where} {violation.detail}"))
        return found
