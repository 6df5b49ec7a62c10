"""A network that loses a fifth of all requests and responses, between clients and a service."""

from __future__ import annotations

import asyncio
import re
import threading
from collections import Counter
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from enum import Enum
from random import Random

from tests.live import free_port

PASSED = 20
"""How many of 25 exchanges pass: each other one gets another `Loss`."""

_BAD_GATEWAY = (
    b"HTTP/1.1 502 Bad Gateway\r\nContent-Type: text/html\r\nContent-Length: 11\r\n\r\nBad Gateway"
)

_LENGTH = re.compile(rb"^content-length: *(\d+)", re.IGNORECASE | re.MULTILINE)


class Loss(Enum):
    """What becomes of an exchange that doesn't pass."""

    REFUSED = "the connection is reset before anything is read from it"
    LOST = "the request doesn't arrive at the service"
    UNANSWERED = "the response of the service doesn't arrive at the client"
    HALVED = "half of the response arrives"
    REPLACED = "the response of a proxy arrives, in HTML; the request doesn't"


class Lossy:
    """A proxy for a service. Of 25 exchanges, each `Loss` befalls one; `seed` decides which."""

    def __init__(self, service_port: int, seed: int) -> None:
        self.port = free_port()
        self.losses: Counter[Loss] = Counter()
        self._service_port = service_port
        self._fates = _fates(Random(seed))
        self._open: set[asyncio.StreamWriter] = set()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._thread.start()
        self.on()

    @property
    def url(self) -> str:
        """Where clients reach the service through it."""
        return f"http://127.0.0.1:{self.port}"

    def on(self) -> None:
        """Listens."""
        self._wait_for(self._listen())

    def off(self) -> None:
        """Resets all connections, and refuses new ones."""
        self._wait_for(self._leave())

    def close(self) -> None:
        """Ends it."""
        self.off()
        self._wait_for(self._end_exchanges())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _wait_for(self, work: Coroutine[None, None, None]) -> None:
        asyncio.run_coroutine_threadsafe(work, self._loop).result(60)

    async def _listen(self) -> None:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", self.port)

    async def _leave(self) -> None:
        self._server.close()
        for writer in self._open:
            writer.transport.abort()
        await self._server.wait_closed()

    async def _end_exchanges(self) -> None:
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        opened = {writer}
        self._open |= opened
        try:
            if (fate := next(self._fates)) is Loss.REFUSED:
                self.losses[fate] += 1
                return
            service, to_service = await asyncio.open_connection("127.0.0.1", self._service_port)
            opened.add(to_service)
            self._open |= opened
            while await self._exchange(fate, (reader, writer), (service, to_service)):
                fate = next(self._fates)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass  # one of them has left
        finally:
            self._open -= opened
            for each in opened:
                each.transport.abort()

    async def _exchange(
        self,
        fate: Loss | None,
        client: tuple[asyncio.StreamReader, asyncio.StreamWriter],
        service: tuple[asyncio.StreamReader, asyncio.StreamWriter],
    ) -> bool:
        """Passes on a request and its response as far as they get; returns whether both arrived."""
        request = await _message(client[0])
        response = _BAD_GATEWAY
        if fate in (None, Loss.UNANSWERED, Loss.HALVED):
            service[1].write(request)
            response = await _message(service[0])
        if fate is Loss.HALVED:
            response = response[: len(response) // 2]
        if fate in (None, Loss.HALVED, Loss.REPLACED):
            client[1].write(response)
            await client[1].drain()
        if fate is not None:
            self.losses[fate] += 1
        return fate is None


async def _message(reader: asyncio.StreamReader) -> bytes:
    """A request or a response of HTTP/1.1 with a known length."""
    head = await reader.readuntil(b"\r\n\r\n")
    length = _LENGTH.search(head)
    if length is None or head.startswith(b"HTTP/1.1 304"):
        return head
    return head + await reader.readexactly(int(length[1]))


def _fates(rng: Random) -> Iterator[Loss | None]:
    while True:
        fates = [*Loss, *[None] * PASSED]
        rng.shuffle(fates)
        yield from fates


@contextmanager
def lossy(service_port: int, seed: int = 0) -> Iterator[Lossy]:
    """A lossy network before the service on `service_port`; closed afterwards."""
    network = Lossy(service_port, seed)
    try:
        yield network
    finally:
        network.close()
