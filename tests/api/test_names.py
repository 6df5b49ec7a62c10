"""Names of players: which characters they may hold."""

from __future__ import annotations

import unicodedata

import pytest

from service.api.schemas.fields import player_id
from service.rules.violations import InvalidInput

SEEN = "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2"
"""Signs of Arabic and Syriac, which Unicode counts among the format characters."""

JOINERS = "\u200c\u200d"


def refused(name: str) -> bool:
    """Whether nobody may have this name."""
    try:
        player_id().read(name)
    except InvalidInput:
        return True
    return False


@pytest.mark.parametrize("every", [50, pytest.param(1, marks=pytest.mark.proof)])
def test_every_character(every: int) -> None:
    """Up to U+FFFF, exactly the control, format and separator characters are refused, except the
    joiners and the format characters that can be seen. Half of a surrogate pair is no JSON text.
    """
    tried = [chr(code) for code in range(0x10000) if not 0xD800 <= code < 0xE000]
    unwanted = {each for each in tried if unicodedata.category(each) in {"Cc", "Cf", "Zl", "Zp"}}
    assigned = {each for each in tried if unicodedata.category(each) != "Cn"}
    codes = {ord(each) + step for each in unwanted for step in (-1, 1)}
    beside = {each for each in assigned if ord(each) in codes}
    asked = {*unwanted, *SEEN, *JOINERS, *beside, *sorted(assigned)[::every]}
    assert {each for each in asked if refused(each)} == unwanted - {*SEEN, *JOINERS}


@pytest.mark.parametrize(
    "name",
    [
        "Zoë",
        "O'Brien-Łuk",
        "李小龍",
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
        "👩\u200d🚀",
        "🏴󠁧󠁢󠁳󠁣󠁴󠁿",
    ],
)
def test_names_of_the_world(name: str) -> None:
    """Names may be in any script, and hold emoji, even those that need joiners."""
    assert player_id().read(name) == name
