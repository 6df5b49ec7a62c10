"""Bodies that are invalid JSON, within the list of hands or around it."""

from __future__ import annotations

import json

import pytest

from service.api.batch.queue import BatchQueue
from service.batch.json_hands import ParsedHands, read_hands
from service.rules.dice import Dice
from service.strict_json import InvalidJson, decode
from service.variants.poker_dice import VARIANT as POKER_DICE
from service.variants.texas_holdem_dice import VARIANT as HOLDEM

WINDOW = 1 << 18
PLAIN, SUITED = POKER_DICE.dice, HOLDEM.dice


def read(body: bytes, dice: Dice) -> ParsedHands:
    """The parsed `body`."""
    sizes = (5,) if dice is PLAIN else (5, 6, 7)
    return BatchQueue(lambda: 0).result(read_hands(body, dice, sizes, 1_000_000))


def why_invalid(body: bytes, dice: Dice = PLAIN) -> str:
    """Why `body` is invalid JSON, in the hands or in the rest."""
    with pytest.raises(InvalidJson) as error:
        decode(read(body, dice).rest or b"")
    return str(error.value)


@pytest.mark.parametrize(
    ("body", "dice"),
    [
        (b'{"hands": [[1,2,3,4,5], [1, 2.0, 3, 4, 6]], "house_rules": {"x": true}}', PLAIN),
        (b'{"house_rules": {}, "hands": [["1r","2r","3r","4r","5b"], "1r2b3w4y5r"]}', SUITED),
        (b' {"hands":["1r2b3w4y5r", "1r2b3w4y5r"] }', SUITED),
    ],
)
def test_every_truncation(body: bytes, dice: Dice) -> None:
    """A body is invalid wherever it is cut off."""
    assert len(read(body, dice).hands) == 2
    for end in range(len(body)):
        assert why_invalid(body[:end], dice)


@pytest.mark.parametrize("end", [WINDOW - 1, WINDOW, WINDOW + 1, 2 * WINDOW, 2 * WINDOW + 11, -1])
def test_a_long_body_cut(end: int) -> None:
    """A body of several windows that is cut off within its hands is invalid."""
    body = json.dumps({"hands": [[6, 5, 4, 2, 1]] * 32_000}).encode()
    assert why_invalid(body[:-1][:end])


PLAIN_HANDS = [
    b"[[1,2,3,4,5],]", b"[,[1,2,3,4,5]]", b"[,]", b"[[1,2,3,4,5],,[1,2,3,4,5]]",
    b"[[1,2,3,4,5] [1,2,3,4,5]]", b"[[1,2,3,4,5][1,2,3,4,5]]", b"[[1,2,3,4 5]]",
    b"[[1,2,3,4,5,]]", b"[[1,2,3,4,5]", b"[[1,2,3,4,5]]]", b"[[1,2,3,4,5}]", b"[{1,2,3,4,5]]",
    b"[[1,2,3,4,5]}", b"[[1,2,3,4,05]]", b"[[1,2,3,4,+5]]", b"[[1,2,3,4,5.]]",
    b"[[1,2,3,4,NaN]]",
    b"[[1,2,3,4,Infinity]]", b'[[1,2,3,4,"5]]', b"[[1,2,3,4,5\x00]]", b"[[1,2,3,4,\x0c5]]",
    b"[[1,2,3,4,5],/**/[1,2,3,4,5]]", b'[{"a":1,"a":2}]', b'["\xff"]', b'["\\ud800"]',
    b'["\\x"]', b'["a\nb"]', b"[[1,2,3,4,\xef\xbb\xbf5]]", b"[\xc2\xa0[1,2,3,4,5]]",
    b'[[1,2,3,4,5]], "hands": []', b"[[1,2,3,4,5]], ", b'[[1,2,3,4,5]], "x"', b"[" * 100_000,
]  # fmt: skip

SUITED_HANDS = [
    b'["1r2b3w4y5r" "1r2b3w4y5r"]', b'["1r2b3w4y5r]', b"['1r2b3w4y5r']", b'["1r2b3w4y5r",]',
    b'["1r2b3w4y5\n"]', b'[["1r","2b","3w","4y","5\tr"]]', b'["1r2b3w4y5r"}', b'["1r\\"]',
]  # fmt: skip


@pytest.mark.parametrize(
    ("good", "hands", "dice"),
    [
        *((b"[1,2,3,4,5],", hands, PLAIN) for hands in PLAIN_HANDS),
        *((b'"1r2b3w4y5r",', hands, SUITED) for hands in SUITED_HANDS),
    ],
    ids=[repr(hands[:32]) for hands in PLAIN_HANDS + SUITED_HANDS],
)
@pytest.mark.parametrize("before", [0, 30_000])
def test_invalid_hands(good: bytes, hands: bytes, dice: Dice, before: int) -> None:
    """Invalid JSON is refused, at the beginning and after many windows of hands. So are strings
    that are not closed, or have control characters.
    """
    assert why_invalid(b'{"hands": [' + good * before + hands[1:] + b"}", dice)


@pytest.mark.parametrize("before", [0, 1, 30_000])
@pytest.mark.parametrize(
    ("hand", "why"),
    [
        (b"[1,2,,4,5]", "Expecting value"),
        (b"[1,2,3,4,05]", "Expecting ',' delimiter"),
        (b"[1,2,3,4,5] [1,2,3,4,5]", "Extra data"),
        (b"NaN", "NaN is not a JSON number"),
        (b'{"a":[{"b":1,"b":2},","]}', 'the key "b" appears twice in one object'),
        (b'"a\\",\xff"', "it is not UTF-8"),
        (b"", "it is empty"),
    ],
)
def test_which_hand(hand: bytes, why: str, before: int) -> None:
    """The error says in which hand it is."""
    hands = b",".join([b"[1, 2, 3, 4, 5]"] * before + [hand, b"[1, 2, 3, 4, 6]", b"[1,,3]"])
    assert why_invalid(b'{"hands": [%s]}' % hands) == f"{why}, in /hands/{before}"


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b'\xef\xbb\xbf{"hands": [[1,2,3,4,5]]}', "it begins with a byte order mark"),
        (b'{"\xff": 1, "hands": [[1,2,3,4,5]]}', "it is not UTF-8, at byte 2"),
        (b'{"hands": [[1,2,3,4,5]], "x": NaN}', "NaN is not a JSON number"),
        (
            b'{"hands": [[1,2,3,4,5]], "\\u0068ands": [[1,2,3,4,6]]}',
            'the key "hands" appears twice in one object',
        ),
        (b'{"hands": [[1,2,3,4,5]], "hands" : 3}', 'the key "hands" appears twice in one object'),
    ],
)
def test_invalid_around_the_hands(body: bytes, why: str) -> None:
    """Invalid JSON around the hands is refused, with the reason."""
    assert why_invalid(body) == why
