"""Each layer has a line for every kind of game, and nothing else."""

from __future__ import annotations

import pytest

from service.api.operations.operation import BatchColumns
from service.api.operations.registry import API_KINDS
from service.batch.outcomes import OUTCOMES
from service.contract.kinds import CONTRACT_KINDS
from service.kinds.registry import KIND_NAMES, ByKind
from service.variants import poker_dice, variants


def test_a_kind_without_a_line_is_named() -> None:
    """A registry that lacks a kind can't be imported: the error names the registry and the kind."""
    lines = dict.fromkeys(KIND_NAMES, 1)
    del lines["layout"]
    with pytest.raises(TypeError, match=r"^some\.registry has no line for the kind 'layout'$"):
        ByKind[int]("some.registry", **lines)


def test_a_line_for_no_kind_is_named() -> None:
    """A registry with a line for an unknown kind can't be imported: the error names both."""
    with pytest.raises(
        TypeError, match=r"^some\.registry has a line for 'domino', which KIND_NAMES does not name$"
    ):
        ByKind[int]("some.registry", **dict.fromkeys(KIND_NAMES, 1), domino=1)


def test_entries_are_found_by_the_kind_of_a_variant() -> None:
    """The entry for a variant is that of its kind; for an unknown kind the error is a sentence."""
    entries = ByKind[str]("some.registry", **{kind: kind.upper() for kind in KIND_NAMES})
    assert entries.of(poker_dice.VARIANT) == "RANKING"
    with pytest.raises(KeyError, match=r"some\.registry has no line for the kind 'domino'"):
        entries["domino"]


@pytest.mark.general
def test_layers_agree_on_who_has_columns() -> None:
    """A kind with columns in the API has outcomes in batches, and words in the contract."""
    for variant in variants().values():
        in_columns = isinstance(API_KINDS.of(variant).columns(variant), BatchColumns)
        assert (OUTCOMES.of(variant) is not None) == in_columns
        assert (CONTRACT_KINDS.of(variant).arrow_answer is not None) == in_columns
