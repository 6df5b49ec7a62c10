"""Plays games of a variant again by their numbers: `python -m tests.whole_games dice-poker 17`."""

from __future__ import annotations

import sys
import tempfile
import time
from functools import partial
from pathlib import Path

from service.sessions.store.connect import connect
from service.sessions.store.redis_store import Store
from tests.sessions import servers
from tests.whole_games.playing import WholeGame


def main(variant: str, *numbers: str) -> None:
    """Plays the games `numbers` of `variant`, one after the other."""
    binary = servers.packaged() or servers.debian()
    assert binary is not None, servers.NO_DEBIAN
    with tempfile.TemporaryDirectory() as folder, servers.on_a_socket(binary, Path(folder)) as url:
        store = Store(partial(connect, url))
        for number in numbers:
            began = time.monotonic()
            counts = WholeGame(store, variant, int(number)).play()
            print(f"{number}: {dict(counts)}, {time.monotonic() - began:.1f} s")


if __name__ == "__main__":
    main(*sys.argv[1:])
