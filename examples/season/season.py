"""Keeps the table of a season in SQLite, from the feed of a dice-scoring service.

    python season.py season.db redis://127.0.0.1:6379   # follows the feed
    python season.py season.db                          # prints the table

Entries come at least once: they are acknowledged only once SQLite has them. That counts no game
twice, because each session has one row, and its last version counts.
"""

from __future__ import annotations

import argparse
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import Any

import redis

GROUP, CONSUMER = "season", "one"
"""Entries that a consumer hasn't acknowledged are those of its name: it gets them when it starts
again.
"""

BLOCK_MS = 5_000
"""How long to wait for new entries before it asks again."""

TABLES = """
CREATE TABLE IF NOT EXISTS games (
  id TEXT PRIMARY KEY, version INTEGER NOT NULL, variant TEXT NOT NULL, result TEXT
)
"""
"""The result is null while a game goes on, also again after an action was taken back."""

KEEP = """
INSERT INTO games VALUES (:id, :version, :variant, :result)
ON CONFLICT (id) DO UPDATE SET version = excluded.version, result = excluded.result
WHERE excluded.version >= games.version
"""

SEASON = """
SELECT variant, json_extract(player.value, '$.id') AS name, count(*),
  sum(EXISTS (SELECT 1 FROM json_each(result, '$.winners') AS winner
              WHERE winner.value = json_extract(player.value, '$.id'))) AS wins,
  sum(coalesce(json_extract(player.value, '$.total'), json_extract(player.value, '$.chips')))
    AS points
FROM games, json_each(result, '$.players') AS player
GROUP BY variant, name ORDER BY variant, wins DESC, points DESC, name
"""

Row = tuple[str, str, int, int, int]
"""Variant, player, games, wins, and points or chips."""


def opened(path: str) -> sqlite3.Connection:
    """The database at `path`, which is created if it isn't there."""
    database = sqlite3.connect(path)
    database.execute(TABLES)
    return database


def season(database: sqlite3.Connection) -> list[Row]:
    """The table, the best of each variant first."""
    return list(database.execute(SEASON))


def follow(
    database: sqlite3.Connection, store: redis.Redis, stream: str, *, once: bool = False
) -> None:
    """Keeps the entries of `stream` in `database`; with `once`, only those that are there."""
    try:
        store.xgroup_create(stream, GROUP, id="0", mkstream=True)
    except redis.ResponseError as error:
        if not str(error).startswith("BUSYGROUP"):
            raise
    for entries in _batches(store, stream, once=once):
        with database:  # a transaction
            # an entry that was trimmed before it was acknowledged has no fields
            kept = [_row(fields) for _, fields in entries if fields]
            database.executemany(KEEP, kept)
        store.xack(stream, GROUP, *[entry for entry, _ in entries])


def _batches(store: redis.Redis, stream: str, *, once: bool) -> Iterator[Sequence[Any]]:
    """The entries: those left from before, and new ones."""
    left: Any = True
    while left:
        if left := _read(store, stream, "0"):
            yield left
    while True:
        if new := _read(store, stream, ">", None if once else BLOCK_MS):
            yield new
        elif once:
            return


def _read(store: redis.Redis, stream: str, since: str, block: int | None = None) -> Any:
    """Entries for this consumer: its own again since "0", or new ones (">")."""
    found: Any = store.xreadgroup(GROUP, CONSUMER, {stream: since}, count=100, block=block)
    return found[0][1] if found else []


def _row(fields: dict[str, str]) -> dict[str, Any]:
    named = {name: fields[name] for name in ("id", "variant")}
    return {**named, "version": int(fields["version"]), "result": fields.get("result")}


def main() -> None:
    """Follows the feed, or prints the table."""
    parser = argparse.ArgumentParser(description="The table of a season, from the feed.")
    parser.add_argument("database", help="file of SQLite")
    parser.add_argument(
        "store", nargs="?", help="URL of the service's store; none: print the table"
    )
    parser.add_argument("--stream", default="games", help="the service's FEED")
    parser.add_argument("--once", action="store_true", help="end when there is nothing new")
    given = parser.parse_args()
    with closing(opened(given.database)) as database:
        if given.store:
            patience = 2 * BLOCK_MS / 1000  # by default the client gives up after 5 seconds
            with closing(
                redis.Redis.from_url(given.store, decode_responses=True, socket_timeout=patience)
            ) as store:
                follow(database, store, given.stream, once=given.once)
            return
        print(f"{'variant':20} {'player':20} {'games':>6} {'wins':>6} {'points':>8}")
        for variant, player, games, wins, points in season(database):
            print(f"{variant:20} {player:20} {games:6} {wins:6} {points:8}")


if __name__ == "__main__":
    main()
