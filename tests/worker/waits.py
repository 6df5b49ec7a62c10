"""Workers that wait for a shorter time than others, or for longer."""

from __future__ import annotations

from service.sessions.store import deadline
from service.worker.worker import BufferingWorker


class Impatient(BufferingWorker):
    """A worker that waits only a moment for clients that stall."""

    stall_seconds = 0.2


class PatientWithTheStore(BufferingWorker):
    """A worker that waits for the store longer than any test takes."""

    def init_process(self) -> None:
        """Begins as any worker does."""
        deadline.REQUEST_SECONDS = deadline.STEP_SECONDS = 60.0
        super().init_process()


class Patient(PatientWithTheStore):
    """A worker that also waits for clients longer than any test takes."""

    stall_seconds = linger_seconds = 600.0
