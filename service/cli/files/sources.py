"""What a command reads: the folder, or the files in it, that the user has named."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from fnmatch import fnmatchcase
from glob import escape
from urllib.parse import unquote

from pyarrow.fs import FileInfo, FileType

from service.cli.command import CommandError
from service.cli.files.formats import format_of
from service.cli.files.locations import Location, command_errors, split_options, without_secret

_ESCAPES = re.compile("(%[0-9a-fA-F]{2})+")

_NOT_A_FILE = {
    FileType.NotFound: "is listed but can't be found: mount what it links to, or remove it",
    FileType.Unknown: "is neither a file nor a folder: remove it",
}


def source_of(text: str) -> tuple[Location, str]:
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
        if any("**" in step and step != "**" for step in pattern.split("/")):
            raise CommandError(
                f"{without_secret(text)}: ** stands for any folders, and alone between slashes, as "
                "in 'rolls/**/*.parquet'"
            )
        if "://" in text:
            pattern = _ESCAPES.sub(lambda found: escape(unquote(found[0])), pattern)
        return Location.of((folder or ("/" if fixed else ".")) + options), pattern
    location = Location.of(text)
    with command_errors(f"{location.shown} can't be read"):
        if not location.system.get_file_info(location.path).is_file:
            return location, ""
    folder, _, name = location.path.rpartition("/")
    shown, slash, _ = location.shown.rpartition("/")
    return Location(location.system, folder or "/", shown or slash or "."), escape(name)


def named(source: Location, pattern: str) -> str:
    """What `source_of` found, in the same words wherever the command is typed."""
    return (source / pattern if pattern else source).named()


def is_deep(pattern: str) -> bool:
    """Whether files may match in folders within folders, however deep."""
    return not pattern or "**" in pattern.split("/")


def files_of(source: Location, pattern: str) -> dict[str, FileInfo]:
    """The files below `source` that match `pattern`, in the order of their names.

    Names that begin with a dot or an underscore are left out. Raises `CommandError` if there are
    none, one is of an unknown format, or one is listed that isn't there: without it, a run would
    seem complete.
    """

    def leads_to_wanted(folder: str) -> bool:
        deeper = is_deep(pattern) or folder.count("/") < pattern.count("/")
        return deeper and _wanted(folder, pattern, above=True)

    with command_errors(f"{source.shown} can't be read"):
        if source.system.get_file_info(source.path).type == FileType.NotFound:
            raise CommandError(f"{source.shown} is missing")
        listed = sorted(source.listed(leads_to_wanted).items())
    for name, file in listed:
        if file.type != FileType.File and _wanted(name, pattern, above=True):
            raise CommandError(f"{source.shown}/{name} {_NOT_A_FILE[file.type]}")
    found = {name: file for name, file in listed if _wanted(name, pattern)}
    if not found:
        raise CommandError(f"{source.shown} has no files{pattern and f' like {pattern}'}")
    remedy = (
        "; remove it, begin its name with an underscore, or name the files that are meant, such as "
        f"'{source.shown}/**/*.parquet'"
    )
    for name in found:
        format_of(name, "" if pattern else remedy)
    return found


def _wanted(name: str, pattern: str, *, above: bool = False) -> bool:
    """Whether a file matches; with `above`, also whether it would if it were a folder above one."""
    steps = name.split("/")
    if any(step.startswith((".", "_")) for step in steps):
        return False
    return not pattern or _fits(steps, pattern.split("/"), above=above)


def _fits(steps: Sequence[str], wanted: Sequence[str], *, above: bool) -> bool:
    """Whether the steps of a path are those that a pattern has, or, with `above`, begin so."""
    if not steps or not wanted:
        return not steps and (above or set(wanted) <= {"**"})
    if wanted[0] == "**":
        return _fits(steps, wanted[1:], above=above) or _fits(steps[1:], wanted, above=above)
    return fnmatchcase(steps[0], wanted[0]) and _fits(steps[1:], wanted[1:], above=above)
