"""A gunicorn worker whose threads never wait for a client; README.md says what it promises.

It knows nothing of the service that it serves: whoever configures it passes `hooks.Hooks`.

- `worker`: the class that gunicorn loads; it runs the loop in the main thread of each process.
- `server`: what all connections share: turns, slots, waits, threads, and what is due once a second.
- `listening`: accepts connections, as long as there is room for them.
- `connection`: one client's connection: what it waits for, and how it goes on then.
- `incoming`, `request` and `chunks`: what has arrived, parsed by httptools.
- `exchange` and `environ`: one request and its response, the server's side of WSGI.
- `refusal`: the response to a request that never reaches the app.
- `turns`, `waiters` and `admission`: who is next, and who has to make room.
- `thread_pool`: threads for one kind of requests.
"""
