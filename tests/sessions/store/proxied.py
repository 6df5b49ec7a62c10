"""Servers of each kind behind a proxy that counts connections and can cut them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.sessions import servers
from tests.sessions.store.counting_proxy import CountingProxy


@contextmanager
def proxied(
    kind: str, binary: str, folder: Path, proxy: CountingProxy | None = None
) -> Iterator[tuple[CountingProxy, str]]:
    """A proxy to a server, a sentinel's master or a one-node cluster, and the URL through it.

    Sentinel and cluster announce the proxy's port as that of the server.
    """
    proxy = proxy or CountingProxy(0)
    with ExitStack() as stack:
        stack.callback(proxy.close)
        if kind == "cluster":
            announced = (int(proxy.place),)
            url = stack.enter_context(servers.cluster(binary, folder / "node", announced))
        else:
            url = stack.enter_context(servers.on_a_port(binary, folder / "server"))
        proxy.upstream = int(url.rpartition(":")[2])
        through = f"{url.partition('//')[0]}//127.0.0.1:{proxy.place}"
        if kind == "sentinel":
            watching = servers.sentinel(binary, folder / "sentinel", int(proxy.place))
            through = stack.enter_context(watching)
        yield proxy, through
