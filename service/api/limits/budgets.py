"""Budgets of clients in memory that all workers of a service share."""

from __future__ import annotations

import math
import mmap
import os
import time
from functools import lru_cache
from hashlib import blake2b

BUCKETS = 1 << 14
"""How many buckets there are. They take a megabyte of memory, once all of them are used."""

WAYS = 4
"""How many clients a bucket has room for. The one whose budget is fullest makes room for another,
which costs nobody anything: at worst, a client gets its budget back early."""

_SLOTS = BUCKETS * WAYS

_ROUNDED = 1e-6
"""More units than rounding can take away."""


class Budgets:
    """What is left of the budget of each client: `quota` units, which refill in `seconds`.

    Create it before the workers are forked. There is no lock, since a worker could be killed while
    it has one. If two workers charge a client at the same moment, charges may be lost.

    A budget is a single number, the time at which it is full again: it needs no cleaning up.
    """

    def __init__(self, quota: int, seconds: int) -> None:
        self.quota, self.seconds = quota, seconds
        self._unit = seconds / quota
        shared = memoryview(mmap.mmap(-1, _SLOTS * 16))
        self._names = shared[: _SLOTS * 8].cast("Q")
        self._full_at = shared[_SLOTS * 8 :].cast("d")
        self._secret = os.urandom(16)  # so that nobody can choose clients that share a bucket
        self._place = lru_cache(1 << 13)(self._placed)

    def take(self, client: str) -> float:
        """Takes a unit from the budget of `client` if it has one; returns what is left.

        That is less than 0 if it has none: then nothing is taken.
        """
        name, slot = self._place(client)  # as in `_slot`, whose call would take as long as the rest
        if self._names[slot] != name:
            slot = self._find(name)
        now = time.monotonic()
        full_at = self._full_at[slot]
        full_at = (full_at if full_at > now else now) + self._unit
        left = (self.seconds - full_at + now) / self._unit + _ROUNDED
        if left >= 0:
            self._full_at[slot] = full_at
        return left

    def left(self, client: str) -> float:
        """What is left of the budget of `client`; less than 0 if it owes something."""
        owed = self._full_at[self._slot(client)] - time.monotonic()
        return (self.seconds - max(owed, 0.0)) / self._unit + _ROUNDED

    def charge(self, client: str, units: float) -> float:
        """Takes `units` from the budget of `client`, whatever it has; returns what is left."""
        slot = self._slot(client)
        now = time.monotonic()
        full_at = self._full_at[slot] = max(self._full_at[slot], now) + units * self._unit
        return (self.seconds - full_at + now) / self._unit + _ROUNDED

    def wait(self, left: float) -> int:
        """Full seconds until a client that has `left` gets another unit; at least one."""
        return max(1, math.ceil(self._unit * (1 - left if left < 1 else 1)))

    def _slot(self, client: str) -> int:
        """The slot of `client`: mostly the one that it had before."""
        name, slot = self._place(client)
        return slot if self._names[slot] == name else self._find(name)

    def _placed(self, client: str) -> tuple[int, int]:
        """The name of `client`, and the slot that it has now. It may lose that to another one."""
        name = self._name(client)
        self._find(name)
        return name, self._find(name)  # another worker may have added it to a slot before that

    def _find(self, name: int) -> int:
        """The slot of the client with this `name`, which is cleared if it was another's."""
        names = self._names
        first = name % _SLOTS // WAYS * WAYS
        slots = range(first, first + WAYS)
        for slot in slots:
            if names[slot] == name:
                return slot
        slot = min(slots, key=self._full_at.__getitem__)
        names[slot], self._full_at[slot] = name, 0.0
        return slot

    def _name(self, client: str) -> int:
        """A number for `client`, the same in all workers; no client can choose it."""
        digest = blake2b(client.encode(), digest_size=8, key=self._secret).digest()
        return int.from_bytes(digest, "little")
