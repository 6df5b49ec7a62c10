"""How connections are served: a gunicorn worker whose threads never wait for an ordinary client.

gunicorn's own threaded worker reads requests, and waits for connections to close, in the threads
that answer. So a few clients that stall keep all others waiting. Here one loop does all the waiting
for all connections, and threads only compute:

- `worker`: the loop, in the main thread of each worker process.
- `connection`: one client's connection, and how long the client may take.
- `exchange`: one request and its response, in a thread.
- `refusal`: what is said to a request that can't be parsed.
- `lane`: threads, and what waits for them.

Of gunicorn it uses, beside the worker class that its documentation describes, the parser and the
response as its own workers do: `RequestParser` with `finish_body` and `unreader` (`take_buffered`,
`buf`), `wsgi.create`, and a body's `reader.length` and `failed`. `tests/worker` holds it to that.
"""
