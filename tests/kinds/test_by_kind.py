"""Each layer has a line for every kind of game, and nothing else."""

from __future__ import annotations

import pytest

from service.api.operations.registry import KINDS as IN_API
from service.batch.kinds.registry import KINDS as IN_BATCHES
from service.contract.kinds.registry import KINDS as IN_CONTRACT
from service.kinds.by_kind import KINDS, ByKind
from service.variants import poker_dice, variants


def test_a_kind_without_a_line_is_named() -> None:
    """A registry that lacks a kind can't be imported: the error names the registry and the kind."""
    lines = dict.fromkeys(KINDS, 1)
    del lines["layout"]
    with pytest.raises(TypeError, match=r"^some\.registry has no line for the kind 'layout'$"):
        ByKind[int]("some.registry", **lines)


def test_a_line_for_no_kind_is_named() -> None:
    """Nor can one with a line for a kind that KINDS doesn't name."""
    with pytest.raises(
        TypeError, match=r"^some\.registry has a line for 'domino', which KINDS does not name$"
    ):
        ByKind[int]("some.registry", **dict.fromkeys(KINDS, 1), domino=1)


def test_entries_are_found_by_the_kind_of_a_variant() -> None:
    """The entry for a variant is that of its kind; for an unknown kind the error is a sentence."""
    entries = ByKind[str]("some.registry", **{kind: kind.upper() for kind in KINDS})
    assert entries.of(poker_dice.VARIANT) == "RANKING"
    with pytest.raises(KeyError, match=r"some\.registry has no line for the kind 'domino'"):
        entries["domino"]


def test_layers_agree_on_who_has_columns() -> None:
    """What the API answers in columns has outcomes in batches, and words in the contract."""
    for variant in variants().values():
        in_columns = IN_API.of(variant).columns(variant) is not None
        assert (IN_BATCHES.of(variant) is not None) == in_columns
        assert (IN_CONTRACT.of(variant).ARROW_ANSWER is not None) == in_columns
