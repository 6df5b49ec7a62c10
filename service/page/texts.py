"""The texts of the page in each language: its own, and in words what only has an id."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from service.rules.house_rules import options
from service.rules.sentences import fill_in
from service.rules.variant import Variant
from service.texts import Language

ENGLISH = Path(__file__).parent / "static" / "texts" / "en.json"
"""The texts of the page in English, by their keys."""


def context(key: str) -> str:
    """The context (`msgctxt`) of the text `key` in the catalogues of all texts."""
    return f"page.{key}"


def texts(language: Language, variants: Iterable[Variant]) -> bytes:
    """The texts of the page in `language`, as JSON by their keys; in English where there is none.

    `id.joker` and its like are ids of the `variants` that the catalogue of games doesn't name.
    """
    own: Mapping[str, str] = json.loads(ENGLISH.read_bytes())
    all_texts = {key: language.in_context(context(key), text) for key, text in own.items()}
    for each in sorted({each for variant in variants for each in _ids(variant)}):
        all_texts[f"id.{each}"] = fill_in("{id:name}", {"id": each}, language)
    return json.dumps(all_texts, ensure_ascii=False, separators=(",", ":")).encode()


def _ids(variant: Variant) -> Iterable[str]:
    """The house rules of a variant, with their choices."""
    for option in options(variant.house_rules):
        yield option.name
        yield from option.choices
