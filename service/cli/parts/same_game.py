"""Whether a worker has the release and the game that the command has."""

from __future__ import annotations

import re
from hashlib import sha256
from typing import Any

from service import __version__
from service.cli.command_error import CommandError
from service.rules.variant import Variant
from service.variants import variants

_ADDRESS = re.compile(r" at 0x[0-9a-f]+")


def digest_of(variant: Variant[Any]) -> str:
    """A digest of the description of a game: its dice, boxes or ranks, switches and clauses.

    It is the same in every process. Code of a game that isn't in its description isn't seen.
    """
    return sha256(_ADDRESS.sub("", repr(variant)).encode()).hexdigest()[:16]


def check_worker(version: str, variant_id: str, game: str) -> None:
    """Raises `CommandError` unless this process has the release `version`, and the variant with the
    digest `game`.
    """
    if version != __version__:
        raise CommandError(f"a worker has version {__version__}, and the command {version}")
    variant = variants().get(variant_id)
    if variant is None:
        raise CommandError(f"a worker has no game {variant_id}: set VARIANTS there, too")
    if digest_of(variant) != game:
        raise CommandError(f"a worker describes {variant_id} otherwise than the command does")
