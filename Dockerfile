# Build: an environment from the hash-pinned lock, and the service compiled.
FROM python:3.13-slim AS build
# `--build-arg PARTS=arrow` adds what Arrow streams take.
ARG PARTS=run
COPY requirements/${PARTS}.txt /tmp/run.txt
# The server for sessions where no REDIS_URL is given; it needs a volume, see below.
COPY requirements/embedded.txt /tmp/embedded.txt
RUN python -m venv /venv \
 && for lock in run embedded; do \
      /venv/bin/pip install --no-cache-dir --disable-pip-version-check --require-hashes \
        --requirement /tmp/$lock.txt || exit 1; \
    done
COPY service /app/service
RUN /venv/bin/python -m compileall -q /app

# Run: no root, nothing written to the root file system (`docker run --read-only --tmpfs /tmp`).
# Sessions need `--env REDIS_URL=...`, or `--volume games:/data --env DATA_DIR=/data`.
FROM python:3.13-slim
COPY --from=build /venv /venv
COPY --from=build /app /app
# A new volume has the owner of the folder that it is put over.
RUN install --directory --owner=10001 --group=10001 --mode=700 /data
WORKDIR /app
ENV PATH=/venv/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    BIND_ADDRESS=0.0.0.0 \
    PORT=8000
USER 10001:10001
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s \
  CMD ["python", "-m", "service.cli.healthcheck"]
# gunicorn stops on SIGTERM and lets requests under way finish, 8 s at most.
STOPSIGNAL SIGTERM
CMD ["python", "-m", "service"]
