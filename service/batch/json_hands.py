"""Parses the hands in a JSON body, a million of them without a Python object for each.

Clients write all hands in one way. So the text is read in windows of whole hands, and a window
where every hand is written like the first is read as a matrix of characters. Any other window goes
through a slower reader, which says what is wrong with each hand.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Generator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from service.batch.outcomes import MAX_REPORTED, Hands
from service.rules.breaches import Breach
from service.rules.dice import Dice
from service.rules.violations import InvalidInput, Violation
from service.strict_json import InvalidJson, decode

_WINDOW = 1 << 18
"""Bytes to read at a time; no hand may take more, with the whitespace in it and after it."""

_BAD = 255
"""Stands for every die of a hand that can't be parsed."""

_BEGIN = re.compile(rb'"hands"[ \n\r\t]*:[ \n\r\t]*\[')
_SPACE = re.compile(rb"[ \n\r\t]*")
_ESCAPED = re.compile(rb"\\.", re.DOTALL)
_WHITESPACE = b" \n\r\t"


class TooManyHands(ValueError):
    """More hands than one request may hold."""


@dataclass(frozen=True, eq=False)
class ParsedHands:
    """The hands in a body.

    `hands` is an array of shape (hands, dice). A hand that can't be parsed is a row of 255, and
    `violations` has what is wrong with it, by its row. Reading stops after `MAX_REPORTED` such
    hands. `rest` is the body with an empty list in place of its hands; None if the hands weren't
    read to the end.
    """

    hands: Hands
    violations: dict[int, Violation]
    rest: bytes | None


def read_hands(
    body: bytes | bytearray, dice: Dice, sizes: Collection[int], most: int
) -> Generator[None, None, ParsedHands]:
    """Parses the field `hands` of a JSON object, a window at each step.

    A hand is a list of `dice`, as many as one of `sizes`; dice that are text can also be one
    string. Raises `InvalidJson` for invalid JSON, and `TooManyHands` for more than `most`.
    """
    begin = _BEGIN.search(body)
    if begin is None:
        return ParsedHands(np.empty((0, min(sizes)), np.uint8), {}, bytes(body))
    reader = _Reader(dice, sizes, most)
    end = yield from reader.read(body, begin.end())
    rest = None if end is None else bytes(body[: begin.end()]) + bytes(memoryview(body)[end:])
    return ParsedHands(reader.hands(), reader.violations, rest)


@dataclass(frozen=True)
class _Form:
    """A way to write a hand of `size` dice and the comma after it, as characters.

    `1` in `text` stands for the number of a die, and `r` for its suit (plain dice have none); all
    other characters must be those of `text`.
    """

    size: int
    text: bytes

    def places(self, characters: bytes) -> list[int]:
        """Where `text` has one of these `characters`."""
        return [place for place, character in enumerate(self.text) if character in characters]


def _forms(dice: Dice, sizes: Collection[int]) -> list[_Form]:
    """The ways to write hands of `dice` that are read as a matrix, without whitespace."""
    if dice.apart:
        return []
    forms = []
    one = b"1r"[: dice.width]
    for size in sizes:
        die = b'"%s"' % one if dice.textual else one
        forms.append(_Form(size, b"[" + b",".join([die] * size) + b"],"))
        if dice.textual:
            forms.append(_Form(size, b'"' + one * size + b'",'))
    return forms


class _Reader:
    """Reads one list of hands, window by window."""

    def __init__(self, dice: Dice, sizes: Collection[int], most: int) -> None:
        self._dice, self._sizes, self._most = dice, sizes, most
        self._forms = _forms(dice, sizes)
        self._suits = np.full(256, _BAD, np.uint8)
        for place, suit in enumerate(dice.suits):
            self._suits[ord(suit.letter)] = place * dice.faces
        self._faces = np.full(256, _BAD, np.uint8)
        for number, face in enumerate(dice.written_faces, start=1):
            self._faces[ord(str(face)[0])] = number
        self._size: int | None = None
        # hands, or how many bad ones came before the first good one
        self._read: list[Hands | int] = []
        self._count = 0
        self.violations: dict[int, Violation] = {}

    def hands(self) -> Hands:
        """All hands read so far, of shape (hands, dice)."""
        size = self._size or min(self._sizes)
        blank = np.empty((0, size), np.uint8)
        return np.concatenate(
            [
                blank,
                *(
                    np.full((part, size), _BAD, np.uint8) if isinstance(part, int) else part
                    for part in self._read
                ),
            ]
        )

    def read(self, body: bytes | bytearray, start: int) -> Generator[None, None, int | None]:
        """Reads the list whose items begin at `start`, and returns the position of its `]`.

        Returns None if there are too many bad hands to go on.
        """
        while len(self.violations) < MAX_REPORTED:
            space = _SPACE.match(body, start)
            start = space.end() if space else start
            window = bytes(body[start : start + _WINDOW])
            cut = window.rfind(b",", 0, window.rfind(b'"' if self._strings else b"[") + 1)
            if cut >= 0 and self._matched(window[:cut]):
                start += cut + 1
                yield
                continue
            last, closed = _items(window)
            if last is None:
                if start + _WINDOW < len(body):
                    detail = Breach.TOO_MANY_BYTES(maximum=_WINDOW)
                    raise InvalidInput(Violation(("hands", self._count), detail))
                raise InvalidJson(f"it ends within the list of hands, after {self._count} of them")
            items = window[:last]
            if not self._matched(items):
                self._carefully(items, only=closed and not self._count)
            if closed:
                return start + last
            start += last + 1
            yield
        return None

    @property
    def _strings(self) -> bool:
        """Whether hands are likely written as strings."""
        return bool(self._forms) and self._forms[0].text.startswith(b'"')

    def _matched(self, items: bytes) -> bool:
        """Reads `items` if all of them are written in one of the known forms."""
        text = self._without_space(items)
        if not text:
            return False
        text += b","
        for form in self._forms:
            hands = self._match(text, form)
            if hands is not None:
                self._forms = [form]  # the rest must have as many dice, and is likely written so
                self._add(hands)
                return True
        return False

    def _without_space(self, items: bytes) -> bytes:
        """`items` without whitespace between tokens; empty if there is some within a string."""
        if self._dice.textual:
            characters = np.frombuffer(items, np.uint8)
            space = characters <= ord(" ")
            if space.any() and (_quoted(characters) & space).any():
                return b""
        return items.translate(None, _WHITESPACE)

    def _match(self, text: bytes, form: _Form) -> Hands | None:
        """The hands in `text`, or None if not all of them are in `form`."""
        if len(text) % len(form.text):
            return None
        rows = np.frombuffer(text, np.uint8).reshape(-1, len(form.text))
        if not all((rows[:, at] == form.text[at]).all() for at in form.places(b'[]",')):
            return None
        if not self._dice.textual:
            numbers = rows[:, form.places(b"1")] - np.uint8(ord("0"))
            return None if numbers.max() > 9 else numbers
        numbers = self._faces[rows[:, form.places(b"1")]]
        if numbers.max() == _BAD:
            return None
        if not self._dice.suits:
            return numbers
        suits = self._suits[rows[:, form.places(b"r")]]
        if suits.max() == _BAD:
            return None
        return suits + numbers - np.uint8(1)

    def _carefully(self, items: bytes, *, only: bool) -> None:
        """Reads `items` one by one; if they are the `only` ones, there may be none."""
        if not items.strip(_WHITESPACE):
            if only:
                return
            raise InvalidJson(f"a comma without a hand, after {self._count} hands")
        try:
            values = decode(b"[" + items + b"]")
        except InvalidJson as error:
            raise self._wrong_of(items, error) from None
        assert isinstance(values, list)
        rows = [self._hand(value, row) for row, value in enumerate(values, start=self._count)]
        bad = [_BAD] * (self._size or 0)
        self._add(np.array([row or bad for row in rows], np.uint8) if bad else len(rows))

    def _wrong_of(self, items: bytes, error: InvalidJson) -> InvalidJson:
        """The `error` in `items`, with the hand that it is in."""
        commas, _ = _between(items)
        ends = [*commas.tolist(), len(items)]
        for row, (start, end) in enumerate(zip([-1, *ends], ends, strict=False), self._count):
            try:
                decode(items[start + 1 : end])
            except InvalidJson as found:
                return InvalidJson(f"{found.why}, in /hands/{row}")
        return InvalidJson(error.why)

    def _hand(self, value: object, row: int) -> tuple[int, ...] | None:
        """The dice of one hand; None, and a violation, if it can't be parsed."""
        try:
            hand = self._dice_of(value)
            if self._size is None:
                self._size = len(hand)
                self._forms = [form for form in self._forms if form.size == self._size]
            elif len(hand) != self._size:
                raise InvalidInput(
                    Violation(
                        (), Breach.OTHER_NUMBER_OF_DICE(numbers=[self._size], count=len(hand))
                    )
                )
        except InvalidInput as refused:
            if len(self.violations) < MAX_REPORTED:
                violation = refused.violations[0]
                self.violations[row] = Violation(("hands", row, *violation.path), violation.detail)
            return None
        return hand

    def _dice_of(self, value: object) -> tuple[int, ...]:
        if not isinstance(value, str) or not self._dice.textual:
            return self._dice.read(value, self._sizes)
        dice = self._dice.split(value, self._sizes)
        try:
            return self._dice.read(dice, self._sizes)
        except InvalidInput as refused:
            violation = refused.violations[0]
            detail = violation.detail
            if violation.path:
                detail = Breach.DIE_OF_STRING(die=violation.path[0], why=detail)
            raise InvalidInput(Violation((), detail)) from None

    def _add(self, hands: Hands | int) -> None:
        if isinstance(hands, int):
            self._count += hands
        else:
            self._size = hands.shape[1]
            self._count += len(hands)
        if self._count > self._most:
            raise TooManyHands
        self._read.append(hands)


def _items(window: bytes) -> tuple[int | None, bool]:
    """The position where the last whole item in `window` ends, and whether the list ends there.

    The window begins with an item. The position is None if no item ends in it.
    """
    commas, closing = _between(window)
    if closing.size:
        return int(closing[0]), True
    return (int(commas[-1]), False) if commas.size else (None, False)


def _between(window: bytes) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The positions of the commas between the items of a list, and of what is after its end."""
    if b"\\" in window:
        window = _ESCAPED.sub(b"__", window)
    characters = np.frombuffer(window, np.uint8)
    token = ~_quoted(characters)
    either = characters | 0x20  # brackets and braces differ in this bit alone
    step = (either == ord("{")).astype(np.int8) - (either == ord("}")).astype(np.int8)
    depth = np.cumsum(np.where(token, step, 0), dtype=np.int32)
    commas = np.flatnonzero(token & (depth == 0) & (characters == ord(",")))
    return commas, np.flatnonzero(depth < 0)


def _quoted(characters: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Which characters are between quotes, including the opening quote; there are no escapes."""
    return (np.cumsum(characters == ord('"'), dtype=np.uint8) & 1).astype(bool)
