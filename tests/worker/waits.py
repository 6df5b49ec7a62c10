"""Workers whose clients have less time than others, or more."""

from __future__ import annotations

from service.worker.worker import BufferingWorker


class Impatient(BufferingWorker):
    """A worker that waits a moment only for clients that stall."""

    stall_seconds = 0.2


class Patient(BufferingWorker):
    """A worker that waits for clients for longer than any test takes."""

    stall_seconds = linger_seconds = 600.0
