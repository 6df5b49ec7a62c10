"""What goes wrong in a simulation, and how often."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from tests.simulation.world import MILLISECOND, SECOND

OUTAGES = ("down", "frozen", "loading", "read_only", "no_memory", "no_disk")
"""What may happen to the store for a while without any loss."""


@dataclass(frozen=True)
class Faults:
    """The faults of one simulation. Most are probabilities, for each step that they can befall.

    `commands` are those to the store, and `requests` those of clients. What is lost on its way
    changes nothing; if the reply is lost, everything has happened. A late command arrives when
    nobody waits for it any longer. `lags` are those of a replica behind the store. `deaths` are
    those of a worker, before or after a command. `skew` is how many milliseconds the clocks of
    workers are off, up or down, and `jumps` is how often they jump. `outages` are the kinds that
    happen, and `calm` is the mean time between them. `replicas` is the setting `WAIT_REPLICAS`.
    """

    lost_commands: float
    lost_replies: float
    late_commands: float
    refused_connections: float
    deaths: float
    lost_requests: float
    lost_responses: float
    lags: float
    skew: int
    jumps: int
    outages: Sequence[str]
    calm: int
    replicas: int = 0

    @classmethod
    def drawn(cls, rng: Random) -> Faults:
        """Some of all faults, so that each is also met alone."""

        def rate(most: float) -> float:
            return rng.uniform(0, most) if rng.random() < 0.4 else 0.0

        outages = [outage for outage in OUTAGES if rng.random() < 0.25]
        loss = rng.random()
        if loss < 0.15:
            outages.append("loses_writes")
        elif loss < 0.3:
            outages.append("fails_over")
        return cls(
            lost_commands=rate(0.1),
            lost_replies=rate(0.2),
            late_commands=rate(0.1),
            refused_connections=rate(0.1),
            deaths=rate(0.05),
            lost_requests=rate(0.15),
            lost_responses=rate(0.2),
            lags=rate(0.2),
            skew=rng.choice([0, 0, 20, 2_000, 60_000]),
            jumps=rng.choice([0, 0, 1, 5]),
            outages=outages,
            calm=rng.choice([SECOND // 2, 2 * SECOND, 10 * SECOND]),
            replicas=1 if 0.15 <= loss < 0.3 else 0,
        )


NONE = Faults(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, (), SECOND)
"""No faults, at the end of each simulation."""


def latency(rng: Random) -> int:
    """How long a message takes, in microseconds: mostly little."""
    if rng.random() < 0.9:
        return rng.randrange(50, 500)
    return rng.randrange(500, 30 * MILLISECOND)
