"""Exit status 0 if the service on this machine answers: `python -m service.cli.healthcheck`.

For containers; it connects to the port itself, past any proxy that the environment names.
"""

from __future__ import annotations

import socket
import sys
from http.client import HTTPConnection
from ipaddress import ip_address

from service.settings import Settings


def host_to_ask(bind_address: str) -> str:
    """The IP address at which a service that listens on `bind_address` answers on this machine.

    A service that listens on every address (0.0.0.0 or ::) answers on the loopback address of the
    same family. gunicorn looks a host name up as IPv4. Raises `OSError` for an unknown name.
    """
    family = socket.AF_INET6 if ":" in bind_address else socket.AF_INET
    found = socket.getaddrinfo(bind_address, None, family, socket.SOCK_STREAM)
    host = str(found[0][4][0])
    if ip_address(host).is_unspecified:
        return "::1" if family == socket.AF_INET6 else "127.0.0.1"
    return host


def main() -> int:
    """0 if `/livez` answers with 200 within two seconds."""
    settings = Settings.from_environment()
    try:
        connection = HTTPConnection(host_to_ask(settings.bind_address), settings.port, timeout=2)
        try:
            connection.request("GET", "/livez")
            return int(connection.getresponse().status != 200)
        finally:
            connection.close()
    except OSError:
        return 1


if __name__ == "__main__":
    sys.exit(main())
