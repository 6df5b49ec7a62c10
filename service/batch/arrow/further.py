"""Columns beside the dice: a response repeats them without looking at their values."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import NamedTuple

from flatbuffers import number_types as numbers

from service.batch.arrow.messages import BrokenStream, Fields, Message, type_of
from service.rules.breaches import Breach
from service.rules.violations import InvalidInput, Violation

PAIR = "<qq"
"""How many values a column has, and how many of them are null; or where a buffer is, and its bytes.
"""

MAX_ROWS = 1 << 20
"""The most rows of a record batch with further columns: its answers are one record batch, too,
because columns of any type can't be split.
"""

MAX_FIELDS = 1000
"""The most columns, with those within them."""

MAX_NAME = 100
"""How much of the name of a column is read."""

_BUFFERS = {
    **dict.fromkeys((2, 3, 6, 7, 8, 9, 10, 11, 15, 18), 2),  # numbers, times and the like
    **dict.fromkeys((4, 5, 19, 20), 3),  # binary and text
    **dict.fromkeys((12, 17, 21), 2),  # lists and maps
    1: 0,  # null
    **dict.fromkeys((13, 16), 1),  # structures, lists of a fixed size
    **dict.fromkeys((25, 26), 3),  # views of lists
    **dict.fromkeys((23, 24), 2),  # views of binary and text, which say how many more they have
}
"""How many buffers a column of each type has, by its number in Schema.fbs. Those of unions depend
on the version of the format, and runs have other lengths than the batch: neither is repeated.
"""

_INT, _VIEWS, _NESTED = 2, (23, 24), (12, 13, 16, 17, 21, 25, 26)
"""The numbers of integers, of views, and of types with columns within; readers ignore those of
other types."""


class Parts(NamedTuple):
    """How many nodes and buffers of a record batch belong to some columns. Each of the `views` has
    more buffers.
    """

    nodes: int = 0
    buffers: int = 0
    views: int = 0

    def plus(self, other: Parts) -> Parts:
        """Those of both."""
        return Parts(*map(sum, zip(self, other, strict=True)))


@dataclass(frozen=True)
class Beside:
    """What a record batch has beside the dice: nodes, buffers, and how many more buffers each view
    has. Without any hands, it may be the message with a `dictionary` of these columns instead.
    """

    nodes: Sequence[tuple[int, ...]] = ()
    buffers: Sequence[bytes] = ()
    counts: Sequence[int] = ()
    dictionary: bytes = b""


@dataclass(frozen=True)
class Further:
    """The columns of a stream beside the dice, by their fields in its schema, and the parts of a
    record batch: those before the dice, of the dice, and all.
    """

    fields: Sequence[Fields]
    before: Parts
    dice: Parts
    all: Parts

    @classmethod
    def of(cls, columns: Sequence[Fields], dice: int, answers: Collection[str]) -> Further:
        """The `columns` but that of the dice, which is at the place `dice`.

        Raises `InvalidInput` for one that has the name of one of the `answers` or can't be
        repeated.
        """
        parts = [_parts(column) for column in columns]
        fields = [*columns[:dice], *columns[dice + 1 :]]
        for name in (field.text(0) for field in fields):
            if name in answers:
                raise InvalidInput(Violation((name,), Breach.NAME_OF_ANSWER()))
        before = reduce(Parts.plus, parts[:dice], Parts())
        return cls(fields, before, parts[dice], reduce(Parts.plus, parts))

    def split(
        self, message: Message
    ) -> tuple[Sequence[tuple[int, ...]], Sequence[tuple[int, ...]], Beside]:
        """The nodes and buffers of the dice in a record batch, and what else it has.

        Raises `BrokenStream` if the batch has other columns than the schema, and `InvalidInput` if
        it has too many rows.
        """
        nodes, buffers = message.fields.structs(1, PAIR), message.fields.structs(2, PAIR)
        counts = [count for (count,) in message.fields.structs(4, "<q")]
        if not self.fields:
            return nodes[:3], buffers[:4], Beside()
        rows = message.fields.number(0, numbers.Int64Flags)
        if rows > MAX_ROWS:
            raise InvalidInput(Violation(("dice",), Breach.TOO_MANY_ROWS(maximum=MAX_ROWS)))
        total = self.all.buffers + sum(counts)
        found = (len(nodes), len(buffers), len(counts))
        if found != (self.all.nodes, total, self.all.views) or min(counts, default=0) < 0:
            raise BrokenStream("a record batch has other columns than its schema")
        node = self.before.nodes
        buffer = self.before.buffers + sum(counts[: self.before.views])
        last_node, last_buffer = node + self.dice.nodes, buffer + self.dice.buffers
        others = [*buffers[:buffer], *buffers[last_buffer:]]
        beside = [*nodes[:node], *nodes[last_node:]], _contents(message.body, others), counts
        return nodes[node:last_node], buffers[buffer:last_buffer], Beside(*beside)


def _contents(body: bytes, buffers: Sequence[tuple[int, ...]]) -> list[bytes]:
    """The bytes of `buffers` in the body of a record batch, which has each of them once."""
    for start, length in buffers:
        if not (start >= 0 and 0 <= length <= len(body) - start):
            raise BrokenStream("a record batch has a buffer where it has no bytes")
    if sum(length for _, length in buffers) > len(body):
        raise BrokenStream("a record batch has buffers that share bytes")
    return [body[start : start + length] for start, length in buffers]


def _parts(column: Fields) -> Parts:
    """The parts of `column` in a record batch, with those of the columns within it."""
    nodes = buffers = views = 0
    left = [column]
    while left:
        field = left.pop()
        encoded = field.fields(4) is not None  # numbers, whose words are in a dictionary
        kind = _INT if encoded else field.number(2, numbers.Uint8Flags)
        nodes += 1
        if nodes > MAX_FIELDS:
            detail = Breach.TOO_MANY_COLUMNS(maximum=MAX_FIELDS)
            raise InvalidInput(Violation((column.text(0)[:MAX_NAME],), detail))
        if kind not in _BUFFERS:
            detail = Breach.UNREPEATABLE(type=type_of(field))
            raise InvalidInput(Violation((column.text(0)[:MAX_NAME],), detail))
        buffers += _BUFFERS[kind]
        views += kind in _VIEWS
        if kind in _NESTED:
            left += reversed(field.tables(5, MAX_FIELDS))
    return Parts(nodes, buffers, views)
