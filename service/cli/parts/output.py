"""The folder of a run: its parts, what is known of each, and whether all of them are there.

A part is written under `_temporary` and renamed when it is whole. Then `_parts` gets a note with
what it was made from and its rows, in the same way for each format: CSV and NDJSON hold no
metadata. A part without a note is made again, so nothing is lost and nothing doubled, whatever
died. Programs that read folders of tables leave out names that begin with an underscore.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import IO, Any

import orjson

from service.cli.command_error import CommandError
from service.cli.parts.part import Done, Listed, PartT
from service.cli.parts.places import Place

_RUN, _MANIFEST, _SUCCESS = "_run.json", "_manifest.json", "_SUCCESS"
_PARTS, _TEMPORARY = "_parts", "_temporary"

_NOTES = 16
"""How many notes to read at a time."""


class Output:
    """The folder at `place`. Its methods may raise an `OSError`."""

    def __init__(self, place: Place) -> None:
        self.place = place

    def begin(self, rules: Mapping[str, Any]) -> None:
        """Notes the rules of the run, and removes what dead runs have left.

        Raises `CommandError` if the folder has something else, or was begun with other rules.
        """
        files = self.place.files()
        if _RUN in files:
            begun = _parsed(self.place / _RUN)
            other = [name for name in rules if begun.get(name) != rules[name]]
            if other:
                differ = "; ".join(
                    f"{name} was {_shown(begun.get(name))} and is now {_shown(rules[name])}"
                    for name in other
                )
                raise CommandError(
                    f"{self.place.shown} was begun otherwise, so this run can't go on there: "
                    f"{differ}"
                )
        elif [name for name in files if not name.startswith(f"{_TEMPORARY}/")]:
            raise CommandError(f"{self.place.shown} has files that no run of this command wrote")
        (self.place / _TEMPORARY).remove()
        if _RUN not in files:
            self._write(_RUN, dict(rules))

    def kept(self, parts: Iterable[PartT]) -> list[Done[PartT]]:
        """The `parts` that are whole already; removes those made otherwise or not wanted."""
        files = self.place.files()
        wanted = {part.name: part for part in parts}
        names = [
            name.removeprefix(f"{_PARTS}/").removesuffix(".json")
            for name in files
            if name.startswith(f"{_PARTS}/")
        ]
        with ThreadPoolExecutor(_NOTES) as readers:
            notes = [
                *readers.map(lambda name: _parsed(self.place / _PARTS / f"{name}.json"), names)
            ]
        kept = []
        for name, note in zip(names, notes, strict=True):
            part = wanted.get(name)
            if part and name in files and note["part"] == part.as_json():
                kept.append(Done(part, note["rows"], note["bad_rows"]))
                continue
            (self.place / _SUCCESS).remove()
            (self.place / _PARTS / f"{name}.json").remove()
            if name in files:
                (self.place / name).remove()
        if len(kept) < len(wanted):
            (self.place / _SUCCESS).remove()
        return kept

    def temporary(self) -> Place:
        """A name that nothing else has."""
        return self.place / _TEMPORARY / secrets.token_hex(8)

    def note(self, done: Done[PartT]) -> None:
        """Notes that a part is whole."""
        note = {"part": done.part.as_json(), "rows": done.rows, "bad_rows": done.bad}
        self._write(f"{_PARTS}/{done.part.name}.json", note)

    def finish(self, rules: Mapping[str, Any], parts: Iterable[Listed]) -> None:
        """Writes the manifest with the `parts`, which are all, and that all are there."""
        listed = [dict(each) for each in parts]
        total = sum(each["rows"] for each in listed)
        self._write(_MANIFEST, {**rules, "rows": total, "parts": listed})
        self._write(_SUCCESS, None)
        (self.place / _TEMPORARY).remove()

    def _write(self, name: str, value: Any) -> None:
        text = b"" if value is None else orjson.dumps(value, option=orjson.OPT_INDENT_2) + b"\n"

        def write(file: IO[bytes]) -> None:
            file.write(text)

        (self.place / name).replace(self.temporary(), write)


def _parsed(file: Place) -> dict[str, Any]:
    found: dict[str, Any] = orjson.loads(file.read())
    return found


def _shown(value: object) -> str:
    return orjson.dumps(value).decode()
