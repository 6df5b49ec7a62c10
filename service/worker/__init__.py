"""How connections are served: a gunicorn worker whose threads never wait for a client.

gunicorn's own threaded worker reads requests, and waits for connections to close, in the threads
that answer. So a few clients that stall keep all others waiting. Here one loop does all the waiting
for all connections, and threads only compute:

- `worker`: the loop, in the main thread of each worker process.
- `connection`: one client's connection, and how long the client may take.
- `request`: one request, parsed by httptools while it arrives.
- `exchange`: one request and its response: the server's side of WSGI, in a thread.
- `refusal`: the response to a request that never reaches the app.
- `lane`: threads, and what waits for them.

Of gunicorn it uses only what the documentation describes: the base class of workers, settings, and
the logger.
"""
