"""Fair dice: drawn from a secret seed that the service commits to before the first die.

This is the complete protocol, so that anyone can verify a session in any language:

- The *seed* is 32 random bytes, secret until the session ends. The *commitment*, published when the
  session is created, is the SHA-256 of those 32 bytes, in lower-case hex.
- The *client's seed* is a text of up to 64 characters (Unicode code points), possibly empty,
  encoded as UTF-8 exactly as given.
- Every draw is a whole number from 0 to n - 1, where n is from 1 to 256. The draws of a session are
  counted from 0, one for every number drawn, even for n = 1. A number doesn't depend on the n of
  earlier draws, only on how many there were.
- Block b (from 0) of a draw is the HMAC-SHA-256, with the seed as key, of the message
  `client's seed:counter:b`, both numbers in decimal. The numbers contain no colon, so no two draws
  have a message in common, whatever the client's seed contains.
- The 32 bytes of block 0 are taken one by one, then those of block 1, and so on. A byte at or
  above the greatest multiple of n that is at most 256 is skipped. The first other byte, modulo n,
  is the number. So every number is equally likely.

`docs/fair-dice.md` has a worked example, and says what a commitment proves.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator
from itertools import count

SEED_BYTES = 32
"""The length of a seed. HMAC pads shorter keys with zeros, so some would be equivalent."""

LONGEST_CLIENT_SEED = 64
"""The most characters in a client's seed."""

BYTES = 256
"""How many values a byte has: the greatest n of a draw."""


def commitment(seed: bytes) -> str:
    """The SHA-256 of `seed` as hex, which is published before the first die."""
    return hashlib.sha256(seed).hexdigest()


def blocks(seed: bytes, client_seed: str, counter: int) -> Iterator[bytes]:
    """The blocks of bytes for the draw with `counter`, endlessly."""
    for block in count():
        yield _block(seed, client_seed, counter, block)


def _block(seed: bytes, client_seed: str, counter: int, block: int) -> bytes:
    return hmac.digest(seed, f"{client_seed}:{counter}:{block}".encode(), "sha256")


def outcome(blocks: Iterator[bytes], n: int) -> int:
    """A whole number from 0 to `n` - 1: the first byte of `blocks` that isn't skipped, modulo `n`.

    `blocks` must be endless. Raises `ValueError` unless `n` is from 1 to 256.
    """
    if not 1 <= n <= BYTES:
        raise ValueError(f"n must be from 1 to {BYTES}, not {n}")
    beyond = BYTES - BYTES % n
    return next(byte for block in blocks for byte in block if byte < beyond) % n


class FairDice:
    """The dice of one session, after its first `drawn` draws.

    Raises `ValueError` for seeds that the protocol doesn't allow. `below` draws a number, and
    `drawn` has to be stored to continue later.
    """

    def __init__(self, seed: bytes, client_seed: str, drawn: int = 0) -> None:
        if len(seed) != SEED_BYTES:
            raise ValueError(f"a seed must have {SEED_BYTES} bytes, not {len(seed)}")
        if len(client_seed) > LONGEST_CLIENT_SEED:
            raise ValueError(f"a client's seed must have up to {LONGEST_CLIENT_SEED} characters")
        if drawn < 0:
            raise ValueError(f"draws are counted from 0, not {drawn}")
        self._seed = seed
        self._client_seed = client_seed
        self.drawn = drawn

    def below(self, n: int) -> int:
        """A whole number from 0 to `n` - 1, all equally likely: one draw, even for n = 1."""
        drawn = self.drawn
        first = _block(self._seed, self._client_seed, drawn, 0)[0]
        if 1 <= n <= BYTES and first < BYTES - BYTES % n:  # nearly always
            number = first % n
        else:
            number = outcome(blocks(self._seed, self._client_seed, drawn), n)
        self.drawn = drawn + 1
        return number
