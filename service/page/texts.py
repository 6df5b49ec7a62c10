"""The texts of the page in each language: its own, and in words what only has an id."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from service.rules.house_rules import options
from service.rules.sentences import Words, fill_in
from service.rules.variant import Variant

ENGLISH = Path(__file__).parent / "static" / "texts" / "en.json"
"""The texts of the page in English, by their keys."""


def context(key: str) -> str:
    """The context (`msgctxt`) of the text `key` in the catalogues of all texts."""
    return f"page.{key}"


def texts(words: Words, variants: Iterable[Variant]) -> bytes:
    """The texts of the page in the language of `words`, as JSON by their keys.

    `id.full_house` and its like are ids of the `variants` that the catalogue of games doesn't name.
    """
    own: Mapping[str, str] = json.loads(ENGLISH.read_bytes())
    all_texts = {key: words.text(english, context(key)) for key, english in own.items()}
    for each in sorted({name for variant in variants for name in _ids(variant)}):
        all_texts[f"id.{each}"] = fill_in("{id:name}", {"id": each}, words)
    return json.dumps(all_texts, ensure_ascii=False, separators=(",", ":")).encode()


def _ids(variant: Variant) -> Iterable[str]:
    """The house rules of a variant with their choices, and the suits of its dice."""
    for option in options(variant.house_rules):
        yield option.name
        yield from option.choices
    yield from (suit.name for suit in variant.dice.suits)
