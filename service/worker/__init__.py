"""A gunicorn worker whose threads never wait for a client; README.md says what it promises.

It knows nothing of the service that it serves: whoever configures it passes `hooks.Hooks`.

- `worker`: the class that gunicorn loads; it runs the loop in the main thread of each process.
- `server`: what all connections share: turns, slots, waits, threads, and what is due once a second.
- `fairness`: who is next, and who has to make room.
- `listening`: accepts connections, as long as there is room for them.
- `client`: one client's end of a connection: what it sends, request by request, and takes, and the
  time that it has.
- `connection`: the phases of its requests, and what leads from one to the next.
- `request` and `chunks`: one request, parsed by httptools while it arrives.
- `exchange`: one request and its response, the server's side of WSGI.
- `refusal`: the response to a request that never reaches the app.
"""
