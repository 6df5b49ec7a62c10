"""Exit status 0 if the service on this machine answers: `python -m service.healthcheck`.

For containers; it goes straight to the port, past any proxy that the environment names.
"""

from __future__ import annotations

import sys
from http.client import HTTPConnection

from service.settings import Settings


def main() -> int:
    """0 if `/livez` answers with 200 within two seconds."""
    connection = HTTPConnection("127.0.0.1", Settings.from_environment().port, timeout=2)
    try:
        connection.request("GET", "/livez")
        return int(connection.getresponse().status != 200)
    except OSError:
        return 1
    finally:
        connection.close()


if __name__ == "__main__":
    sys.exit(main())
