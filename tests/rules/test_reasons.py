"""Reasons: data inside the service, with a text beside each in responses."""

from __future__ import annotations

from typing import Any

import pytest

from service.rules.reasons import Reason, of_showdown, spoken, with_texts
from service.rules.sentences import Words, names_in
from tests.live import ROOT

RANK = Reason.RANK.because(better="straight", worse="full_house", clause="H4")


def test_a_reason_is_its_code_and_its_values() -> None:
    """A reason has its code and the values of its text; those that are None are left out."""
    assert RANK == {
        "decided_by": "rank",
        "better": "straight",
        "worse": "full_house",
        "clause": "H4",
    }
    assert spoken(RANK) == "Straight beats full house (H4)."
    alone = Reason.HIGHEST_HAND.because(clause=None)
    assert alone == {"decided_by": "highest_hand"}
    assert spoken(alone) == "The highest hand takes the pot."


@pytest.mark.parametrize(
    ("winners", "text"),
    [
        (["ann"], "ann shows the best hand. Straight beats full house (H4)."),
        (["ann", "ben"], "ann and ben show the best hand. Straight beats full house (H4)."),
    ],
    ids=["one", "two"],
)
def test_the_reason_of_a_showdown(winners: list[str], text: str) -> None:
    """A showdown has the values of the first place, which decided it, and the text of both."""
    because = of_showdown(winners, RANK)
    assert because == {**RANK, "decided_by": "showdown", "winners": winners, "by": "rank"}
    assert spoken(because) == text


@pytest.mark.parametrize(
    ("chips", "text"),
    [
        (1, "Can't meet the ante with 1 chip: coming in takes 2."),
        (0, "Can't meet the ante with 0 chips: coming in takes 2."),
    ],
)
def test_one_and_many(chips: int, text: str) -> None:
    """A number of 1 has the singular."""
    assert spoken(Reason.CANT_MEET_ANTE.because(chips=chips, price=2)) == text


def test_texts_beside_reasons() -> None:
    """Each reason gets its text beside it, at any depth, and what has none stays as it is.

    Nor does a player or a box that is called as the field of a reason.
    """
    no_pair = {"decided_by": "no_pair"}
    value: dict[str, Any] = {
        "news": ({"what": "passed", "lacks": no_pair, "because": RANK},),
        "players": [{"because": None, "reason": None}],
        "totals": {"because": 3, "lacks": 4},
        "cards": {"because": {"scores": {"because": None}, "decided_by": 1}},
    }
    told = with_texts(value)
    assert told == {
        **value,
        "news": [
            {
                "what": "passed",
                "missing": spoken(no_pair),
                "lacks": no_pair,
                "reason": spoken(RANK),
                "because": RANK,
            }
        ],
    }
    assert [*told["news"][0]] == ["what", "missing", "lacks", "reason", "because"]


def test_another_language() -> None:
    """The text is that of the language: of the sentence, and of each id and word in it."""

    class German(Words):
        def text(self, english: str) -> str:
            return {
                Reason.NUMBER.value: "{rank:Name}: {which:text} entscheidet, {over} über {under}.",
                "one pair": "ein Paar",
                "pair": "das Paar",
            }[english]

    because = Reason.NUMBER.because(rank="one_pair", which="pair", over="A", under="K")
    assert with_texts([{"because": because}], German()) == [
        {"reason": "Ein Paar: das Paar entscheidet, A über K.", "because": because}
    ]


def test_every_code_is_used() -> None:
    """A code that no game gives as a reason would be one too many in contract and docs."""
    text = "".join(path.read_text() for path in (ROOT / "service").rglob("*.py"))
    assert [reason.name for reason in Reason if f"Reason.{reason.name}" not in text] == []


def test_texts_are_sentences() -> None:
    """A text ends as sentences do, but for that which ends with a text of the game."""
    assert [reason for reason in Reason if not reason.value.endswith(".")] == [Reason.EQUAL_HANDS]
    assert names_in(Reason.EQUAL_HANDS.value) == ["rank", "tied"]
