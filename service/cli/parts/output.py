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
from dataclasses import asdict, dataclass
from typing import IO, Any

import orjson
from pyarrow.fs import FileInfo

from service.cli.command_error import CommandError
from service.cli.files.places import Place
from service.cli.parts.part import Done, Listed, PartT

RUN = "_run.json"
"""The rules that a run was begun with."""

SUCCESS = "_SUCCESS"
"""What is there once all parts are."""

FINGERPRINT = b"dice_scoring"
"""The key of a part's rules and input in the metadata of its columns, where a format has any."""

_MANIFEST = "_manifest.json"
_PARTS, _TEMPORARY = "_parts", "_temporary"

_NOTES = 16
"""How many notes to read at a time."""


@dataclass(frozen=True)
class Note:
    """What is noted of a part: what it was made from, its bytes, and the rows it was made of."""

    part: Mapping[str, Any] | None
    size: int
    rows: int
    bad_rows: int

    @classmethod
    def of(cls, noted: Mapping[str, Any] | None) -> Note:
        """The note with these fields; one that no part has, if they are others."""
        try:
            found = cls(**(noted or {}))
        except TypeError:
            return _NO_NOTE
        numbers = (found.size, found.rows, found.bad_rows)
        return found if all(isinstance(each, int) for each in numbers) else _NO_NOTE


_NO_NOTE = Note(None, 0, 0, 0)


class Output:
    """The folder at `place`. Its methods may raise an `OSError`."""

    def __init__(self, place: Place) -> None:
        self.place = place

    def begin(self, rules: Mapping[str, Any]) -> None:
        """Notes the rules of the run, and removes what dead runs have left.

        Raises `CommandError` if the folder has something else, or was begun with other rules.
        """
        files = self.place.files()
        if RUN in files:
            begun = _parsed(self.place / RUN)
            if begun is None:
                raise CommandError(
                    f"{self.place.shown}/{RUN} isn't what this command writes: restore it, or "
                    "remove the folder"
                )
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
        if RUN not in files:
            self._write(RUN, dict(rules))

    def kept(self, parts: Iterable[PartT]) -> list[Done[PartT]]:
        """The `parts` that are whole already; removes those made otherwise or not wanted."""
        files = self.place.files()
        wanted = {part.name: part for part in parts}
        kept = []
        for name, note in self.notes().items():
            part, file = wanted.get(name), files.get(name)
            if part and file and note.size == file.size and note.part == part.as_json():
                kept.append(Done(part, note.rows, note.bad_rows))
                continue
            (self.place / SUCCESS).remove()
            self._remove(f"{_PARTS}/{name}.json", files)
            self._remove(name, files)
        if len(kept) < len(wanted):
            (self.place / SUCCESS).remove()
        return kept

    def notes(self) -> dict[str, Note]:
        """What is noted of each part; one that can't be read stands for a part made otherwise."""
        names = [
            name.removeprefix(f"{_PARTS}/").removesuffix(".json")
            for name in self.place.files()
            if name.startswith(f"{_PARTS}/")
        ]

        def note(name: str) -> Note:
            return Note.of(_parsed(self.place / _PARTS / f"{name}.json"))

        with ThreadPoolExecutor(_NOTES) as readers:
            return dict(zip(names, readers.map(note, names), strict=True))

    def _remove(self, name: str, files: dict[str, FileInfo]) -> None:
        """Removes a file, if it is one of `files`, and the folders that are empty without it."""
        if name not in files:
            return
        del files[name]
        while name and not any(other.startswith(f"{name}/") for other in files):
            (self.place / name).remove()
            name = name.rpartition("/")[0]

    def temporary(self) -> Place:
        """A name that nothing else has."""
        return self.place / _TEMPORARY / secrets.token_hex(8)

    def note(self, done: Done[PartT]) -> None:
        """Notes that a part is whole."""
        size = (self.place / done.part.name).size()
        note = Note(done.part.as_json(), size, done.rows, done.bad)
        self._write(f"{_PARTS}/{done.part.name}.json", asdict(note))

    def finish(self, rules: Mapping[str, Any], parts: Iterable[Listed]) -> None:
        """Writes the manifest with the `parts`, which are all, and that all are there."""
        listed = [dict(each) for each in parts]
        total = sum(each["rows"] for each in listed)
        self._write(_MANIFEST, {**rules, "rows": total, "parts": listed})
        self._write(SUCCESS, None)
        (self.place / _TEMPORARY).remove()

    def _write(self, name: str, value: Any) -> None:
        text = b"" if value is None else orjson.dumps(value, option=orjson.OPT_INDENT_2) + b"\n"

        def write(file: IO[bytes]) -> None:
            file.write(text)

        (self.place / name).replace(self.temporary(), write)


def _parsed(file: Place) -> dict[str, Any] | None:
    """The object in a file; None if it has something else."""
    try:
        found = orjson.loads(file.read())
    except orjson.JSONDecodeError:
        return None
    return found if isinstance(found, dict) else None


def _shown(value: object) -> str:
    return orjson.dumps(value).decode()
