"""Reads hands from the columns of a table in any notation, without a Python object for each.

An invalid hand becomes a row of impossible dice. The first few of these are read again one by one,
to say what is wrong.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from service.batch import WrongColumns
from service.batch.outcomes import Hands, Outcomes
from service.batch.plain import is_list, is_text, plain, plain_type
from service.rules.breaches import Breach
from service.rules.dice import Dice, whole_number
from service.rules.sentences import any_of
from service.rules.violations import InvalidInput, Violation

COLUMN = "dice"
"""The name of the column with the hands, if there is only one."""

_DIE = re.compile(r"die_\d+")
"""The names of columns with one die each."""

_BAD = 255
"""An impossible die."""

_SHOWN = 300
"""The most characters of names that a message lists."""

_WHOLE_FLOAT = r"^([0-9]+)\.0+$"
"""A whole number as CSV has it in a column of floats."""

_SEPARATORS = b" ,[]\"'"
"""The characters that are ignored around dice in a text, which may be a list as others print it."""


class DiceColumns(ABC):
    """The columns with the hands, by name, with their plain types in `kinds`; `outcomes` says which
    hands are possible. `settling` are those that `settle` reads: none if all hands have as many
    dice anyway.

    All hands must have as many dice as the first valid one.
    """

    def __init__(self, outcomes: Outcomes, kinds: Mapping[str, pa.DataType]) -> None:
        self._outcomes, self._kinds = outcomes, kinds
        self.names = [*kinds]
        self.settling = self.names if len(outcomes.sizes) > 1 else []
        self._size = 0  # not known yet

    @abstractmethod
    def hands(self, batch: pa.RecordBatch) -> Hands:
        """The hands in `batch`, of shape (hands, dice)."""

    def settle(self, batch: pa.RecordBatch) -> bool:
        """Takes the number of dice from the first valid hand in `batch`; False if there is none."""
        self.hands(batch)
        return self._size > 0

    @abstractmethod
    def _read(self, batch: pa.RecordBatch, row: int) -> Sequence[int]:
        """The dice in one row. Raises `InvalidInput` if it is invalid."""

    def _place(self, die: int) -> tuple[str | int, ...]:
        """Where a die is in a row, by its index in the hand."""
        return COLUMN, die

    def violation(self, batch: pa.RecordBatch, row: int) -> Violation:
        """What is wrong with an invalid row of `batch`; the path begins with a column."""
        try:
            hand = self._read(batch, row)
            self._outcomes.check(hand)
        except InvalidInput as refused:
            first = refused.violations[0]
            where = self._place(int(first.path[0])) if first.path else (COLUMN,)
            return Violation(where, first.detail)
        other = Breach.OTHER_NUMBER_OF_DICE(numbers=[self._size], count=len(hand))
        return Violation((COLUMN,), other)

    def _plain(self, batch: pa.RecordBatch, name: str) -> pa.Array:
        """The column `name` of `batch` as its plain type."""
        return plain(batch.column(name), self._kinds[name])

    def _values(self, batch: pa.RecordBatch, row: int) -> list[object]:
        """The values of the columns in a row."""
        one = batch.slice(row, 1)
        return [self._plain(one, name)[0].as_py() for name in self.names]

    def _settle(self, sizes: NDArray[np.integer]) -> NDArray[np.bool_]:
        """Which rows have the right number of dice, given the `sizes` of all."""
        if not self._size:
            possible = sizes[np.isin(sizes, list(self._outcomes.sizes))]
            if not possible.size:
                return np.zeros(len(sizes), bool)
            self._size = int(possible[0])
        good: NDArray[np.bool_] = sizes == self._size
        return good

    def _some(self, good: NDArray[np.bool_], hands: Hands) -> Hands:
        """`hands` in the rows that are `good`, impossible dice in the others."""
        every = np.full((len(good), self._size or min(self._outcomes.sizes)), _BAD, np.uint8)
        every[good] = hands
        return every


def dice_columns(schema: pa.Schema, outcomes: Outcomes) -> DiceColumns:
    """Finds the columns with the hands in a table of `schema`.

    Raises `WrongColumns` if there are none, or if their types can't hold dice.
    """
    each = [name for name in schema.names if _DIE.fullmatch(name)]
    if COLUMN in schema.names:
        if each:
            raise WrongColumns(
                f"it has two sets of hands: the column {COLUMN}, and {', '.join(each)}"
            )
        written = schema.field(COLUMN).type
        kind = plain_type(written, dice=True)
        if is_text(kind):
            return (_Apart if outcomes.dice.apart else _Text)(outcomes, {COLUMN: kind})
        if is_list(kind) and _is_die(kind.value_type):
            return _Lists(outcomes, {COLUMN: kind})
        raise WrongColumns(
            f"the column {COLUMN} must be text, or lists of whole numbers or of text, not {written}"
        )
    wanted = [f"die_{place}" for place in range(1, len(each) + 1)]
    if sorted(each) != sorted(wanted) or len(each) not in outcomes.sizes:
        most = any_of(f"die_{size}" for size in outcomes.sizes)
        raise WrongColumns(
            f"it must have a column {COLUMN}, or die_1 to {most}; it has {listed(schema.names)}"
        )
    kinds = {name: plain_type(schema.field(name).type, dice=True) for name in wanted}
    for name, kind in kinds.items():
        if not _is_die(kind):
            written = schema.field(name).type
            raise WrongColumns(f"the column {name} must be whole numbers or text, not {written}")
    return _Each(outcomes, kinds)


def listed(names: Sequence[str]) -> str:
    """The names of columns in a message: quoted if they are blank or have spaces around them, and
    cut off if they are many or long.
    """
    shown = (
        ", ".join(name if name and name == name.strip() else repr(name) for name in names) or "none"
    )
    return shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}…"


def as_text(hands: Hands, dice: Dice) -> pa.Array:
    """Valid `hands` as text: `13356`, `6r6b6w6y2r`, or `1 12 3` if a die has more than 9 faces."""
    if dice.apart:
        return pa.array([" ".join(map(str, hand)) for hand in hands.tolist()], pa.utf8())
    # by what stands for the die: a code, or a number from 1
    written = dice.notation or ["0", *map(str, dice.written_faces)]
    characters = np.array([list(die.encode()) for die in written], np.uint8)[hands]
    ends = np.arange(len(hands) + 1, dtype=np.int32) * (characters[0].size if len(hands) else 0)
    return pa.StringArray.from_buffers(
        len(hands), pa.py_buffer(ends), pa.py_buffer(characters.tobytes())
    )


class _Each(DiceColumns):
    """A column for each die."""

    def __init__(self, outcomes: Outcomes, kinds: Mapping[str, pa.DataType]) -> None:
        super().__init__(outcomes, kinds)
        self.settling = []  # there are as many dice as columns

    def hands(self, batch: pa.RecordBatch) -> Hands:
        """The hands in `batch`, of shape (hands, dice)."""
        dice = self._outcomes.dice
        return np.stack([_dice(self._plain(batch, name), dice) for name in self.names], axis=1)

    def _read(self, batch: pa.RecordBatch, row: int) -> Sequence[int]:
        return _careful(self._values(batch, row), self._outcomes)

    def _place(self, die: int) -> tuple[str | int, ...]:
        return (self.names[die],)


class _Lists(DiceColumns):
    """A column of lists of dice."""

    def hands(self, batch: pa.RecordBatch) -> Hands:
        """The hands in `batch`, of shape (hands, dice)."""
        column = self._plain(batch, COLUMN)
        lengths = pc.list_value_length(column).fill_null(-1).to_numpy(zero_copy_only=False)
        good = self._settle(lengths)
        if not good.all():
            column = column.filter(pa.array(good))
        dice = _dice(column.flatten(), self._outcomes.dice)
        hands = dice.reshape(-1, self._size or min(self._outcomes.sizes))
        return hands if len(hands) == len(good) else self._some(good, hands)

    def _read(self, batch: pa.RecordBatch, row: int) -> Sequence[int]:
        return _careful(_present(self._values(batch, row)), self._outcomes)


class _Apart(_Lists):
    """A column of text, with a separator between the dice of a hand."""

    def _plain(self, batch: pa.RecordBatch, name: str) -> pa.Array:
        separators = _SEPARATORS.decode()
        bare = pc.utf8_trim(super()._plain(batch, name), separators)
        return pc.split_pattern_regex(bare, f"[{re.escape(separators)}]+")


class _Text(DiceColumns):
    """A column of text, all dice of a hand in each."""

    def __init__(self, outcomes: Outcomes, kinds: Mapping[str, pa.DataType]) -> None:
        super().__init__(outcomes, kinds)
        dice = outcomes.dice
        self._width = dice.width
        # both add up to a code; an invalid character adds so much that the sum is impossible
        self._numbers = np.full(256, _BAD, np.uint16)
        for place, face in enumerate(dice.written_faces):
            self._numbers[ord(str(face)[0])] = place if dice.suits else place + 1
        self._suits = np.full(256, _BAD, np.uint16)
        for place, suit in enumerate(dice.suits):
            self._suits[ord(suit.letter)] = place * dice.faces

    def hands(self, batch: pa.RecordBatch) -> Hands:
        """The hands in `batch`, of shape (hands, dice)."""
        column = self._plain(batch, COLUMN).fill_null("").cast(pa.large_utf8())
        _, ends, data = column.buffers()
        ends = np.frombuffer(ends, np.int64)[column.offset :][: len(column) + 1]
        characters = np.frombuffer(b"" if data is None else data, np.uint8)[ends[0] : ends[-1]]
        ends = ends - ends[0]
        between = np.isin(characters, list(_SEPARATORS), kind="table")
        if between.any():
            dice = np.concatenate([[0], np.cumsum(~between)])[ends]
            characters, ends = characters[~between], dice
        lengths = np.diff(ends)
        good = self._settle(np.where(lengths % self._width, -1, lengths // self._width))
        if not good.all():
            characters = characters[np.repeat(good, lengths)]
        hands = self._codes(characters).reshape(-1, self._size or min(self._outcomes.sizes))
        return hands if len(hands) == len(good) else self._some(good, hands)

    def _codes(self, characters: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Parses `characters` as dice."""
        codes = self._numbers[characters[:: self._width]]
        if self._width > 1:
            codes = codes + self._suits[characters[1 :: self._width]]
        dice: NDArray[np.uint8] = np.minimum(codes, _BAD).astype(np.uint8)
        return dice

    def _read(self, batch: pa.RecordBatch, row: int) -> Sequence[int]:
        text = _present(self._values(batch, row))
        assert isinstance(text, str)
        parts = self._outcomes.dice.split(text, self._outcomes.sizes, _SEPARATORS.decode())
        return _careful(parts, self._outcomes)


def _dice(values: pa.Array, dice: Dice) -> NDArray[np.uint8]:
    """Dice, each a whole number or a text, as the numbers that arrays of hands have."""
    if is_text(values.type):
        codes = _text_dice(values, dice)
        if (codes == _BAD).any():  # spaces around dice and `.0` are rare
            bare = pc.utf8_trim_whitespace(values)
            if not dice.textual:
                bare = pc.replace_substring_regex(bare, _WHOLE_FLOAT, r"\1")
            codes = _text_dice(bare, dice)
        return codes
    if values.null_count:
        values = values.fill_null(_BAD if pa.types.is_unsigned_integer(values.type) else -1)
    numbers: NDArray[np.number] = values.to_numpy(zero_copy_only=False)
    if numbers.dtype == np.uint8:
        return numbers.astype(np.uint8, copy=False)
    good = (numbers >= 0) & (numbers <= _BAD)  # NaN is neither
    if numbers.dtype.kind == "f":
        good &= numbers == np.floor(numbers)
    bounded: NDArray[np.uint8] = np.where(good, numbers, _BAD).astype(np.uint8)
    return bounded


def _careful(values: object, outcomes: Outcomes) -> Sequence[int]:
    """Parses the `values` of one row. Raises `InvalidInput` with what is wrong."""
    dice = outcomes.dice
    assert isinstance(values, list)
    if dice.suits and not any(isinstance(value, str) for value in values):
        if len(values) not in outcomes.sizes:  # any dice will do: only their number is wrong
            dice.read_codes([dice.notation[0]] * len(values), outcomes.sizes)
        codes = [whole_number(value) for value in values]
        return [_BAD if code is None else code for code in codes]
    bare = [value.strip() if isinstance(value, str) else value for value in values]
    if dice.suits:
        return dice.read_codes(bare, outcomes.sizes)
    if not dice.names:
        bare = [re.sub(_WHOLE_FLOAT, r"\1", die) if isinstance(die, str) else die for die in bare]
    known = {str(face): face for face in dice.written_faces}  # a text file has no numbers
    faces = [known.get(die, die) if isinstance(die, str) else die for die in bare]
    return dice.read_faces(faces, min(outcomes.sizes))


def _present(values: Sequence[object]) -> object:
    """The value of the only column. Raises `InvalidInput` for null."""
    (value,) = values
    if value is None:
        raise InvalidInput(Violation((), Breach.NULL()))
    return value


def _is_die(kind: pa.DataType) -> bool:
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind) or is_text(kind))


def _text_dice(written: pa.Array, dice: Dice) -> Hands:
    """Parses dice that are text: numbers of plain dice, codes of suited dice, 255 for others."""
    known = pa.array(dice.notation or [*map(str, dice.written_faces)], written.type)
    places = pc.index_in(written, value_set=known)
    hands: Hands = places.fill_null(_BAD).to_numpy().astype(np.uint8)
    if not dice.suits:
        hands[hands != _BAD] += 1  # numbers begin with 1, codes with 0
    return hands
