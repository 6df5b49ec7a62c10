"""Files of hands for `dice-scoring score`: scored, or refused with a `CommandError`."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from service.batch.outcomes import in_tables
from service.cli.command import CommandError
from service.cli.score_file import score_file
from service.rules.variant import Variant

EXTENSIONS = (".csv", ".ndjson")

DICTIONARY = (
    *b", dice die_1 [1,2,3,4,5] null rank {} 1e9".split(),
    *b'" "" {"dice": "6r6b6w6y2r" "2026-01-01"'.split(),
    *(b"\r\n", b"\n", b"\r", b"\xef\xbb\xbf", b"\0", b"\xff"),
)


@cache
def _folder() -> Path:
    return Path(tempfile.mkdtemp())


@cache
def _games() -> list[Variant]:
    """The games that are scored in tables."""
    return [*in_tables().values()]


def seeds() -> Iterator[bytes]:
    """The game as one byte, the format as another, then the file."""
    files = (
        (0, b'id,dice\n1,13356\n2,"1, 3, 3, 5, 6"\n'),
        (0, b"die_1,die_2,die_3,die_4,die_5\r\n1,2,3,4,5\r\n"),
        (0, b"dice\n6r6b6w6y2r\n1r 2b 3w 4y 5r 6b\n"),
        (1, b'{"id":1,"dice":[1,3,3,5,6]}\n{"id":2,"dice":[1,1,1,1,1]}\n'),
        (1, b'{"dice":"6r6b6w6y2r","at":"2026-01-01T00:00:00Z","more":{"a":[1]}}\n'),
        (1, b'{"dice":[1,3,3,5,6],"a":null}\nnull\n'),
        (1, b'{"dice":["6r","6b","6w","6y","2r"]}\n'),
        (1, b'{"rolls":[["As","Ks","Qs","Js","Ts","2h","2d","2c","3h","4d","5c","7h","9d"]]}\n'),
        (0, b'rolls\n"[[""As"",""Ks"",""--""],[""2h""]]"\n'),
    )
    for game in range(len(_games())):
        for form, file in files:
            yield bytes((game, form)) + file


def check(data: bytes) -> None:
    """Scores a file; the answers have as many lines as there are hands."""
    game, form, content = (data[0], data[1], data[2:]) if len(data) > 1 else (0, 0, data)
    source = _folder() / f"hands{EXTENSIONS[form % 2]}"
    target = _folder() / "answers.ndjson"
    source.write_bytes(content)
    variant = _games()[game % len(_games())]
    try:
        count, _ = score_file(
            source, target, variant, variant.house_rules(), rows=2, report=lambda *_: None
        )
    except CommandError:
        return
    assert target.read_bytes().count(b"\n") == count
    target.unlink()
