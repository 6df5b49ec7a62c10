"""A deterministic simulation of sessions over a faulty store, network and clock.

The real code of sessions runs in one thread. Time, the network, the store and the deaths of workers
are simulated. A seed decides which game is played, by how many clients, what goes wrong, and the
order of all steps.

- `faults` lists the faults, and `invariants` what must hold at the end, `feed` also for the stream
  of the feed; `client` checks each response when it comes.
- `store_host` runs the scripts of the service in Lua 5.1, over commands written in Python.
  `test_redis_server` compares both with a real server, and fails for a script that it doesn't know.
- `test_mutants` makes mistakes in the service, such as a key that isn't looked up, and expects the
  simulation to find each of them.
"""
