"""A logger for gunicorn that makes a service the next release: it stores sessions in a new format.

It reads the earlier format, too, as a new release has to.
"""

from __future__ import annotations

from gunicorn.glogging import Logger

from service.sessions.store import codec

codec.FORMAT_VERSION += 1


class NextRelease(Logger):
    """gunicorn's own logger."""
