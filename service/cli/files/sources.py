"""What a command reads: the folder, or the files in it, that the user has named."""

from __future__ import annotations

import os
from fnmatch import fnmatchcase
from glob import escape

from pyarrow.fs import FileInfo

from service.cli.command_error import CommandError
from service.cli.files.formats import command_errors
from service.cli.files.places import Place, split_options


def source_of(text: str) -> tuple[Place, str]:
    """The folder that a source names, and the pattern of the files in it, `` for all of them.

    In a URI, options of the file system may follow, such as `?region=eu-west-1`.
    """
    path, options = split_options(text)
    steps = path.split("/")
    glob = not os.path.exists(path)  # a name on this machine may have brackets
    fixed = next(
        (at for at, step in enumerate(steps) if glob and set(step) & set("*?[")), len(steps)
    )
    folder, pattern = "/".join(steps[:fixed]), "/".join(steps[fixed:])
    if pattern:
        return place_of((folder or ("/" if fixed else ".")) + options), pattern
    place = place_of(text)
    with command_errors(f"{text} can't be read"):
        if place.system.get_file_info(place.path).is_file:
            folder, _, name = path.rpartition("/")
            return place_of((folder or ("/" if fixed > 1 else ".")) + options), escape(name)
    return place, ""


def named(source: Place, pattern: str) -> str:
    """What `source_of` found, in the same words wherever the command is typed."""
    folder = source.shown if "://" in source.shown else source.path
    return f"{folder}/{pattern}" if pattern else folder


def place_of(text: str) -> Place:
    """The place that `text` names. Raises `CommandError` for a URI that no file system knows."""
    if not text:
        raise CommandError("the name of a folder is empty")
    with command_errors(f"{text} can't be used"):
        try:
            return Place.of(text)
        except ValueError as error:
            raise CommandError(f"{text} can't be used: {error}") from None


def files_of(source: Place, pattern: str) -> dict[str, FileInfo]:
    """The files below `source` that match `pattern`, in the order of their names.

    Names that begin with a dot or an underscore are left out. Raises `CommandError` if there are
    none.
    """
    with command_errors(f"{source.shown} can't be read"):
        if not source.exists():
            raise CommandError(f"{source.shown} is missing")
        found = {
            name: file for name, file in sorted(source.files().items()) if _wanted(name, pattern)
        }
    if not found:
        raise CommandError(f"{source.shown} has no files{pattern and f' like {pattern}'}")
    return found


def _wanted(name: str, pattern: str) -> bool:
    steps, wanted = name.split("/"), pattern.split("/")
    if any(step[0] in "._" for step in steps):
        return False
    return not pattern or (
        len(steps) == len(wanted)
        and all(fnmatchcase(step, like) for step, like in zip(steps, wanted, strict=True))
    )
