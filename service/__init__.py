"""Scores dice-poker games: a library of rules, and a REST service in front of it.

The command `dice-scoring`, or `python -m service`, serves. `service.variants` has the games, and
`service.batch` scores many hands at once; both can be used without the service.
`service.app.create_app` returns the WSGI application.
`docs/design.md` describes the layers.
"""

__version__ = "0.1.0"
