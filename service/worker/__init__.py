"""How connections are served: a gunicorn worker whose threads never wait for a client.

gunicorn's own threaded worker reads requests, and waits for connections to close, in the threads
that run the app. So a few clients that stall keep all others waiting. Here one loop does all the
waiting for all connections, and threads only compute:

- `worker`: the loop, in the main thread of each worker process.
- `watched`: what the loop waits for: events on sockets, and deadlines.
- `listening`: accepts connections, as long as there is room for them.
- `connection`: one client's connection, and the time that the client has.
- `phases`: what a connection waits for, and how it goes on then.
- `request`: one request, parsed by httptools while it arrives; `chunks` decodes chunked bodies.
- `admission`: which large requests are received now, and which wait.
- `answering`: has the loop or a thread make each response; `waiters` has the requests that wait for
  something else than their clients.
- `exchange`: one request and its response: the server's side of WSGI; `environ` makes the WSGI
  environment.
- `refusal`: the response to a request that never reaches the app.
- `lane`: threads for each kind of request, and the connections that wait for one; `handback` has
  those that threads hand back to the loop.
- `open_files`: how many connections fit.

`docs/design.md` lists what the worker uses of gunicorn beyond its documentation.
"""
