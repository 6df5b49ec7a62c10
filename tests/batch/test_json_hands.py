"""Hands in JSON bodies: in any formatting, they are parsed as a JSON parser would."""

from __future__ import annotations

import json
import random
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st

from service.api.batch.queue import BatchQueue
from service.batch import json_hands
from service.batch.json_hands import ParsedHands, TooManyHands, read_hands
from service.rules.dice import Dice
from service.rules.violations import InvalidInput
from service.variants.poker_dice import VARIANT as POKER_DICE
from service.variants.texas_holdem_dice import VARIANT as HOLDEM
from tests.problems import breach
from tests.sampled import sampled

WINDOW = 1 << 18
PLAIN, SUITED = POKER_DICE.dice, HOLDEM.dice
SIZES = {PLAIN: (5,), SUITED: (5, 6, 7)}
BAD = 255

spaces = st.text(" \n\r\t", max_size=3)
odd_hands: st.SearchStrategy[Any] = st.sampled_from(
    [
        None, True, 3, 1.5, "", "1r", "1r 2b3w4y5r", "12346", {}, {"dice": [1] * 5}, [], [[]],
        [1, 2, 3, 4], [1, 2, 3, 4, 7], [1, 2, 3, 4, 0], [1, 2, 3, 4, 10], [1, 2, 3, 4, -1],
        [1, 2, 3, 4, "5"], [1, 2, 3, 4, True], [1, 2, 3, 4, 5.5], [1, 2, 3, 4, [5]],
        ["1r", "2b", "3w", "4y", "7r"], ["1r", "2b", "3w", "4y"], ["1r", "2b", "3w", "4y", 5],
        "1r2b3w4y0r", "1r2b3w4y5", "],[", "\\\"]}", "\u00e9", ["1r", "2b", "3w", "4y", ",["],
    ]
)  # fmt: skip


@pytest.fixture(params=[1 << 12, pytest.param(WINDOW, marks=pytest.mark.proof)])
def window(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """How many bytes are read at a time: so few that few hands fill them, or as many as usual."""
    size: int = request.param
    monkeypatch.setattr(json_hands, "_WINDOW", size)
    return size


def read(body: bytes, dice: Dice, most: int = 1_000_000) -> ParsedHands:
    """The parsed `body`."""
    return BatchQueue(lambda: 0).result(read_hands(body, dice, SIZES[dice], most))


def one_by_one(hands: list[Any], dice: Dice) -> list[list[int]]:
    """Decoded hands as rows, each parsed on its own; 255s for an invalid one."""
    rows: list[list[int] | None] = []
    size = 0
    for hand in hands:
        split = hand
        if dice.suits and isinstance(hand, str):
            split = [hand[place : place + 2] for place in range(0, len(hand), 2)]
        sizes = (size,) if size else SIZES[dice]
        try:
            if dice.suits:
                rows.append(list(dice.read_codes(split, sizes)))
            else:
                rows.append(list(dice.read_numbers(split, 5)))
        except InvalidInput:
            rows.append(None)
        else:
            size = len(rows[-1] or [])
    return [row or [BAD] * (size or 5) for row in rows]


def rows_of(found: ParsedHands, dice: Dice = PLAIN) -> list[list[int]]:
    """The rows, with 255s for a hand with an impossible die."""
    every = range(24) if dice.suits else range(1, 7)
    return [row if {*row} <= {*every} else [BAD] * len(row) for row in found.hands.tolist()]


def spaced(draw: st.DrawFn, value: Any) -> str:
    """JSON of `value` with any whitespace between tokens."""
    if isinstance(value, list):
        inner = ",".join(draw(spaces) + spaced(draw, item) + draw(spaces) for item in value)
        return f"[{inner or draw(spaces)}]"
    if type(value) is int:
        return draw(st.sampled_from([f"{value}", f"{value}.0", f"{value}e0"]))
    return json.dumps(value, ensure_ascii=draw(st.booleans()))


@st.composite
def plain_hands(draw: st.DrawFn) -> list[Any]:
    """Hands of five plain dice, sometimes something else."""
    roll = st.lists(st.integers(1, 6), min_size=5, max_size=5)
    odd = draw(st.booleans())
    return draw(st.lists(st.one_of(roll, roll, odd_hands) if odd else roll, max_size=8))


@st.composite
def suited_hands(draw: st.DrawFn) -> list[Any]:
    """Hands of equally many suited dice, as lists or strings, sometimes something else."""
    size = draw(st.integers(5, 7))
    as_list = st.lists(st.sampled_from(SUITED.notation), min_size=size, max_size=size)
    as_text = as_list.map("".join)
    of_all = st.one_of(as_list, as_text, odd_hands)
    return draw(st.lists(draw(st.sampled_from([as_list, as_text, of_all])), max_size=8))


@st.composite
def bodies(draw: st.DrawFn, hands: list[Any]) -> bytes:
    """A body with `hands` in any formatting, house rules before or after them."""
    written = draw(
        st.one_of(
            st.sampled_from([json.dumps(hands), json.dumps(hands, indent=2)]),
            st.just(json.dumps(hands, separators=(",", ":"), ensure_ascii=False)),
            st.composite(spaced)(hands),
        )
    )
    fields = [f'"hands"{draw(spaces)}:{draw(spaces)}{written}']
    rules = draw(st.sampled_from(["", '"house_rules": {}', '"house_rules":{"x": [[], "]"]}']))
    fields.insert(draw(st.integers(0, 1)), rules)
    inner = ",".join(draw(spaces) + field + draw(spaces) for field in fields if field)
    return (draw(spaces) + "{" + inner + "}" + draw(spaces)).encode()


@sampled(70, 800, data=st.data())
def test_hands_in_any_formatting(data: st.DataObject) -> None:
    """Hands are parsed like each hand after `json.loads`, lists and strings, invalid ones included.

    Those with numbers that no plain die shows are reported by their outcome instead.
    """
    dice = data.draw(st.sampled_from([PLAIN, SUITED]))
    body = data.draw(bodies(data.draw(suited_hands() if dice.suits else plain_hands())))
    found = read(body, dice)
    expected = one_by_one(json.loads(body)["hands"], dice)
    assert rows_of(found, dice) == expected
    bad = {row for row, hand in enumerate(expected) if BAD in hand}
    assert {*found.violations} == bad if dice.suits else {*found.violations} <= bad
    assert all(violation.path[:2] == ("hands", row) for row, violation in found.violations.items())
    assert json.loads(found.rest or b"") == {**json.loads(body), "hands": []}


def many(dice: Dice, count: int) -> list[list[Any]]:
    """Hands of five, the same in every run."""
    source = random.Random(count)
    if dice.suits:
        return [source.choices(dice.notation, k=5) for _ in range(count)]
    return [source.choices(range(1, 7), k=5) for _ in range(count)]


FORMATS: list[dict[str, Any]] = [{}, {"separators": (",", ":")}, {"indent": 1}, {"indent": "\t"}]


@pytest.mark.parametrize("form", FORMATS, ids=str)
@pytest.mark.parametrize("dice", [PLAIN, SUITED], ids=["plain", "suited"])
def test_many_hands(dice: Dice, form: dict[str, Any], window: int) -> None:
    """Hands over several windows are all parsed, in whatever uniform formatting."""
    hands = many(dice, window // 8)
    body = json.dumps({"hands": hands, "house_rules": {"x": 1}}, **form).encode()
    assert len(body) > window
    found = read(body, dice)
    assert found.hands.tolist() == one_by_one(hands, dice)
    assert found.violations == {}
    assert json.loads(found.rest or b"") == {"hands": [], "house_rules": {"x": 1}}


@pytest.mark.parametrize("at", [0, pytest.param(1, marks=pytest.mark.proof), 255, 511])
@pytest.mark.parametrize("odd", [[1, 2, 3], "x", [1, 2, 3, 4, {"],[": "\\"}], [1.0] * 5], ids=str)
def test_one_odd_hand_among_many(odd: Any, at: int, window: int) -> None:
    """A hand that is invalid or formatted differently doesn't affect the others."""
    hands: list[Any] = many(PLAIN, window // 8)
    at = at if at < 2 else (at + 1) * len(hands) // 512 - 1
    hands[at] = odd
    found = read(json.dumps({"hands": hands}).encode(), PLAIN)
    assert rows_of(found) == one_by_one(hands, PLAIN)
    assert list(found.violations) == ([] if odd == [1.0] * 5 else [at])


def test_formatting_that_changes_in_the_middle(window: int) -> None:
    """Hands in one formatting, then in another, then in several, are all parsed."""
    part = window // 32
    hands = many(SUITED, 4 * part)
    texts = [json.dumps(hand) for hand in hands]
    texts[part : 2 * part] = [json.dumps("".join(hand)) for hand in hands[part : 2 * part]]
    texts[2 * part : 3 * part] = [json.dumps(hand, indent=3) for hand in hands[2 * part : 3 * part]]
    for place in range(3 * part, 4 * part, 7):
        texts[place] = "\r\n" + json.dumps("".join(hands[place])) + "\t"
    found = read(b'{"hands": [' + ",".join(texts).encode() + b"]}", SUITED)
    assert (found.hands.tolist(), found.violations) == (one_by_one(list(hands), SUITED), {})


@pytest.mark.parametrize("shift", range(0, 24, 5))
def test_hands_across_the_edges_of_windows(shift: int, window: int) -> None:
    """A window may end within a hand, a comma or a space."""
    hands = many(SUITED, window // 10)
    separators = ("," + " " * shift, ": ")
    body = json.dumps({"hands": ["".join(hand) for hand in hands]}, separators=separators)
    assert len(body) > window
    found = read((" " * shift + body).encode(), SUITED)
    assert (found.hands.tolist(), found.violations) == (one_by_one(list(hands), SUITED), {})


def test_only_impossible_hands(window: int) -> None:
    """Hands with impossible dice are parsed to the end; their outcome reports the errors."""
    count = window // 8
    found = read(json.dumps({"hands": [[1, 2, 3, 4, 7]] * count}).encode(), PLAIN)
    assert (len(found.hands), found.violations, found.rest) == (count, {}, b'{"hands": []}')


@pytest.mark.parametrize("bad", [[1, 2, 3, 4], "x", None], ids=str)
def test_nothing_but_what_is_no_hand(bad: Any, window: int) -> None:
    """Each of the first 100 invalid hands has a violation; parsing stops after them."""
    found = read(json.dumps({"hands": [bad] * (window // 2)}).encode(), PLAIN)
    assert 100 <= len(found.hands) < window // 2
    assert (found.hands == BAD).all()
    assert list(found.violations)[:100] == [*range(100)]
    assert found.rest is None


def test_hands_of_another_size() -> None:
    """The first valid hand determines the number of dice of all hands."""
    good, longer = ["1r", "2b", "3w", "4y", "5r"], "1r2b3w4y5r6b"
    found = read(json.dumps({"hands": [good[:4], good, longer, good]}).encode(), SUITED)
    row = [0, 7, 14, 21, 4]
    assert found.hands.tolist() == [[BAD] * 5, row, [BAD] * 5, row]
    assert found.violations == {
        0: breach(("hands", 0), "must hold 5, 6 or 7 dice, not 4"),
        2: breach(("hands", 2), "must hold 5 dice, like the hands before, not 6"),
    }


@pytest.mark.parametrize(("count", "most"), [(3, 2), (32_000, 31_999)])
def test_too_many_hands(count: int, most: int) -> None:
    """As many hands as the limit are parsed; one more is too many."""
    body = json.dumps({"hands": many(PLAIN, count)}).encode()
    assert len(read(body, PLAIN, count).hands) == count
    with pytest.raises(TooManyHands):
        read(body, PLAIN, most)


def test_a_hand_longer_than_the_window() -> None:
    """A hand longer than a window is refused by its number."""
    body = b'{"hands": [[1,2,3,4,5], [1,2,3,4,%s5], [1]]}' % (b" " * 2 * WINDOW)
    with pytest.raises(InvalidInput) as refused:
        read(body, PLAIN)
    assert refused.value.violations == (
        breach(("hands", 1), f"must not take more than {WINDOW} bytes"),
    )


def test_whitespace_between_hands() -> None:
    """The whitespace before a hand may be of any length."""
    space = b" " * (WINDOW + 17)
    body = b'{"hands": [%s[1,2,3,4,5],%s[1,2,3,4,6],"x",%s[6,6,6,6,6]]}' % ((space,) * 3)
    found = read(body, PLAIN)
    assert found.hands.tolist() == [[1, 2, 3, 4, 5], [1, 2, 3, 4, 6], [BAD] * 5, [6] * 5]
    assert list(found.violations) == [2]


def test_brackets_and_escapes_in_strings() -> None:
    """Brackets, quotes, escapes and commas within strings end nothing."""
    odd = ["]", "}]", '"],[', "\\", '\\"', "],[1,2,3,4,5],", '{"hands": [', "\u2028"]
    hands = [part for text in odd for part in ([text], {text: [text]}, text, [1, 2, 3, 4, 5])]
    body = json.dumps({"a": odd, "hands": hands, "b": {"c": odd}}).encode()
    found = read(body, PLAIN)
    assert rows_of(found) == one_by_one(hands, PLAIN)
    assert json.loads(found.rest or b"") == {"a": odd, "hands": [], "b": {"c": odd}}


def test_no_hands() -> None:
    """A body without hands, or with an empty list of them, has no hands."""
    for body in (
        b"{}",
        b'{"hands": []}',
        b'{"hands":\n[\t ]}',
        b'{"hands": null}',
        b'{"hands": 3}',
    ):
        found = read(body, SUITED)
        assert (found.hands.shape, found.hands.dtype) == ((0, 5), np.dtype(np.uint8))
        assert found.violations == {}
        assert json.loads(found.rest or b"") == json.loads(body)
