"""The error that the rules raise, with every violation: where it is, and what is allowed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from service.rules.sentences import Sentence, flat

ItemT = TypeVar("ItemT")

ON_HOUSE_RULES = ("house_rules",)
"""The `rests_on` of violations that other house rules could allow."""

MAX_CHECKED = 100
"""The most items of a list or an object that are checked; the rest of a longer one is ignored."""


@dataclass(frozen=True, slots=True)
class Violation:
    """A rule that the request breaks.

    `path` leads to the value by names and indices (`("players", 1, "paid")`). `detail` is one of
    `Breach`, with its values. `rests_on` names top-level fields that it depends
    on: if one of them couldn't be parsed, it is unknown whether there is a violation.
    """

    path: tuple[str | int, ...]
    detail: Sentence
    rests_on: tuple[str, ...] = ()

    @property
    def code(self) -> str:
        """What is wrong, by its code in docs/errors.md."""
        return self.detail.wording.code

    @property
    def values(self) -> Mapping[str, Any]:
        """The values in the text of `detail`, as clients get them beside the code."""
        return flat(self.detail.values)

    def within(self, *path: str | int) -> Violation:
        """The same in a larger value, where `path` leads to the one it was found in."""
        return replace(self, path=(*path, *self.path))


class InvalidInput(ValueError):
    """Raised for dice, cards or tables that the rules don't allow, with all violations.

    `omitted` is the number of violations that were left out.
    """

    def __init__(self, *violations: Violation, omitted: int = 0) -> None:
        super().__init__(*violations)
        self.violations = violations
        self.omitted = omitted

    def within(self, *path: str | int) -> InvalidInput:
        """The same in a larger value, where `path` leads to the one it was found in."""
        return InvalidInput(
            *[violation.within(*path) for violation in self.violations], omitted=self.omitted
        )

    def __str__(self) -> str:
        return "; ".join(
            f"{'/'.join(map(str, f.path)) or 'it'} {f.detail}" for f in self.violations
        )


def refuse(violations: Iterable[Violation]) -> None:
    """Raises `InvalidInput` if there are any `violations`."""
    found = tuple(violations)
    if found:
        raise InvalidInput(*found)


class gathering:  # noqa: N801  # it is used as a function
    """Adds what is refused inside to `violations`, and goes on; `path` leads to the value.

    With `contextmanager` it would take five times as long.
    """

    def __init__(self, violations: list[Violation], *path: str | int) -> None:
        self._violations, self._path = violations, path

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> bool:
        if not isinstance(error, InvalidInput):
            return False
        self._violations += error.within(*self._path).violations
        return True


def read_each(items: Iterable[object], read: Callable[[object], ItemT]) -> list[ItemT]:
    """All `items`, each parsed by `read`.

    Raises `InvalidInput` with all violations; their paths begin with the index of the item.
    """
    found: list[ItemT] = []
    violations: list[Violation] = []
    for index, item in enumerate(items):
        with gathering(violations, index):
            found.append(read(item))
    refuse(violations)
    return found
