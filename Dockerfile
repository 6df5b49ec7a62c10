# Build: an environment from the lock file with hashes, and the compiled service.
FROM python:3.13-slim AS build
# `--build-arg PARTS=extras` adds what scores files and folders, draws plots and sends traces.
ARG PARTS=run
COPY requirements/${PARTS}.txt /tmp/requirements.txt
RUN python -m venv /venv \
 && /venv/bin/python -m pip install --no-cache-dir --disable-pip-version-check --require-hashes \
      --requirement /tmp/requirements.txt
COPY service /app/service
RUN /venv/bin/python -m compileall -q /app

# Run: without root and without writing to the root file system (`docker run --read-only --tmpfs /tmp`).
# Sessions need `--env REDIS_URL=...`, or `--volume games:/data --env DATA_DIR=/data`.
FROM python:3.13-slim
COPY --from=build /venv /venv
COPY --from=build /app /app
# A new volume gets the owner of the folder that it is mounted on.
RUN install --directory --owner=10001 --group=10001 --mode=700 /data
WORKDIR /app
ENV PATH=/venv/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    BIND_ADDRESS=0.0.0.0 \
    PORT=8000
# `--build-arg COMMIT=$(git rev-parse HEAD)` records what the image was built from.
ARG COMMIT=
ENV COMMIT=$COMMIT
LABEL org.opencontainers.image.title=dice-scoring \
      org.opencontainers.image.version=0.1.0 \
      org.opencontainers.image.revision=$COMMIT \
      org.opencontainers.image.licenses=MIT
USER 10001:10001
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s \
  CMD ["python", "-m", "service.cli.healthcheck"]
# On SIGTERM gunicorn stops; requests in progress have 8 s to finish.
STOPSIGNAL SIGTERM
CMD ["python", "-m", "service"]
